//! The words of a formula: numbers, names and signs, with their places.

use crate::error::FormulaError;
use crate::variables::Variables;

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Number,
    Name,
    Sign(char),
}

/// A token, the characters before it, and those before its end.
pub(crate) type Placed = (Token, usize, usize);

/// The next token from the character `at` on; `None` at the end of the formula.
///
/// # Errors
/// A character that no formula has, or a decimal point without digits.
pub(crate) fn next_token(
    chars: &[char],
    at: usize,
    variables: &Variables,
) -> Result<Option<Placed>, FormulaError> {
    let start = at + chars[at..].iter().take_while(|c| c.is_whitespace()).count();
    let Some(&first) = chars.get(start) else { return Ok(None) };
    let token = match first {
        '0'..='9' | '.' => (Token::Number, start, end_of_number(chars, start)?),
        c if c.is_ascii_alphabetic() || c == '_' => {
            let end = end_of_run(chars, start, |c| c.is_ascii_alphanumeric() || *c == '_');
            (Token::Name, start, end)
        }
        '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => (Token::Sign(first), start, start + 1),
        other => {
            let help =
                format!("numbers, {}, `pi`, functions, + - * / ^ and brackets", variables.list());
            return Err(FormulaError::new(start, format!("a formula has no `{other}`"), help));
        }
    };
    Ok(Some(token))
}

/// Where the number that begins at `start` ends; an `e` without digits after it is not part of it.
fn end_of_number(chars: &[char], start: usize) -> Result<usize, FormulaError> {
    let mut end = end_of_run(chars, start, char::is_ascii_digit);
    if chars.get(end) == Some(&'.') {
        end = end_of_run(chars, end + 1, char::is_ascii_digit);
    }
    if end == start + 1 && chars[start] == '.' {
        return Err(FormulaError::new(start, "a point without a number", "such as 0.5"));
    }
    if matches!(chars.get(end), Some('e' | 'E')) {
        let sign = usize::from(matches!(chars.get(end + 1), Some('+' | '-')));
        let digits = end_of_run(chars, end + 1 + sign, char::is_ascii_digit);
        end = if digits > end + 1 + sign { digits } else { end };
    }
    Ok(end)
}

fn end_of_run(chars: &[char], from: usize, belongs: impl Fn(&char) -> bool) -> usize {
    from + chars[from.min(chars.len())..].iter().take_while(|c| belongs(c)).count()
}
