//! A look at the text of a formula before it is read: every fault with its place, and the text as
//! the crate takes it to mean what it says.

use super::{CONSTANTS, FUNCTIONS, Fault};

/// The most characters of a formula.
const LONGEST: usize = 1000;

/// What a formula is made of.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number,
    Name,
    Sign(char),
}

/// A bracket that is open, or all of the formula.
struct Level {
    /// Where it opens.
    at: usize,
    /// The function of two arguments that it is of; empty of any other bracket.
    between: &'static str,
    /// Arguments that may come, with this one; 0 of a bracket that is no function's.
    arguments: usize,
    /// Those that have begun.
    begun: usize,
    /// Whether a sign stands before the present factor, after an operator.
    is_signed: bool,
    /// Whether the present factor is a power.
    is_power: bool,
}

impl Level {
    fn at(at: usize) -> Self {
        Level { at, between: "", arguments: 0, begun: 1, is_signed: false, is_power: false }
    }

    fn of_function(at: usize, &(name, arguments): &(&'static str, usize)) -> Self {
        Level { between: if arguments == 2 { name } else { "" }, arguments, ..Level::at(at) }
    }
}

fn fault(at: usize, message: impl Into<String>, help: impl Into<String>) -> Fault {
    Fault { at, message: message.into(), help: help.into() }
}

/// The formula in the crate's language, where signs count before powers: a sign in front
/// is taken from zero.
pub(super) fn scan(text: &str) -> Result<String, Fault> {
    let chars: Vec<char> = text.chars().collect();
    if text.trim().is_empty() {
        return Err(fault(0, "the formula is empty", "such as \"0.1*sin(2*pi*t)\", or \"0\""));
    }
    if chars.len() > LONGEST {
        return Err(fault(0, format!("a formula of more than {LONGEST} characters"), "a table"));
    }
    let mut scan = Scan { chars: &chars, plain: String::new(), levels: vec![Level::at(0)] };
    let (mut at, mut wants_value) = (0, true);
    while let Some((token, start, end)) = next_token(&chars, at)? {
        let word: String = chars[start..end].iter().collect();
        at = end;
        if wants_value {
            let function = FUNCTIONS.iter().find(|(name, _)| *name == word);
            match (&token, function) {
                (Token::Name, Some(function)) => at = scan.open_function(function, end)?,
                (Token::Number | Token::Name, _) => {
                    scan.value(&token, &word, start)?;
                    wants_value = false;
                }
                (Token::Sign(sign), _) => scan.before_value(*sign, start)?,
            }
        } else {
            wants_value = scan.after_value(&token, start)?;
        }
    }
    if wants_value {
        let help = "a number, `t`, `pi` or a function after the last operator";
        return Err(fault(chars.len(), "the formula ends too early", help));
    }
    match &scan.levels[1..] {
        [.., open] => Err(fault(open.at, "this bracket is never closed", "a `)` to it")),
        [] => Ok(scan.plain),
    }
}

/// What has been looked at.
struct Scan<'a> {
    chars: &'a [char],
    plain: String,
    levels: Vec<Level>,
}

impl Scan<'_> {
    fn level(&mut self) -> &mut Level {
        self.levels.last_mut().expect("the formula itself is never closed")
    }

    /// A function's name and bracket, the name ending at `end`; returns where the bracket ends.
    ///
    /// One of two arguments becomes ((a) min (b)): the crate takes min(a, b), too, but loses count
    /// of the brackets where b has a function of two arguments in it.
    fn open_function(
        &mut self,
        function: &(&'static str, usize),
        end: usize,
    ) -> Result<usize, Fault> {
        let name = function.0;
        match next_token(self.chars, end)? {
            Some((Token::Sign('('), start, end)) => {
                let level = Level::of_function(start, function);
                self.plain.push_str(if level.between.is_empty() { name } else { "(" });
                self.plain.push('(');
                self.levels.push(level);
                Ok(end)
            }
            _ => {
                let at = end + self.chars[end..].iter().take_while(|c| c.is_whitespace()).count();
                let message = format!("`{name}` takes its argument in brackets");
                Err(fault(at, message, format!("such as {name}(t)")))
            }
        }
    }

    fn value(&mut self, token: &Token, word: &str, at: usize) -> Result<(), Fault> {
        if *token == Token::Number {
            if !word.parse().is_ok_and(f64::is_finite) {
                return Err(fault(at, format!("`{word}` is no number that can be meant"), ""));
            }
        } else if word != "t" && !CONSTANTS.contains(&word) {
            let names = FUNCTIONS.iter().map(|(name, _)| *name).chain(CONSTANTS);
            let near = names.map(|name| (strsim::damerau_levenshtein(name, word), name));
            let near = near.filter(|&(distance, name)| distance <= (name.len() / 3).max(1));
            // One letter is near to any other: it is another variable.
            let near = near.filter(|_| word.chars().count() > 1).min();
            let help = near.map_or_else(
                || {
                    let functions: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
                    format!("the time is `t` in s; known are `pi`, {}", functions.join(", "))
                },
                |(_, name)| format!("did you mean `{name}`?"),
            );
            return Err(fault(at, format!("there is no `{word}` in a formula of the time"), help));
        }
        self.plain.push_str(word);
        Ok(())
    }

    /// A sign or bracket where a value may begin.
    fn before_value(&mut self, sign: char, at: usize) -> Result<(), Fault> {
        let follows = self.plain.chars().last();
        match sign {
            '(' => {
                self.plain.push('(');
                self.levels.push(Level::at(at));
            }
            '+' | '-' => match follows {
                None | Some('(') => {
                    self.plain.push_str(if sign == '-' { "0-" } else { "0+" });
                }
                Some('*' | '/' | '^') => {
                    if sign == '-' {
                        self.plain.push('-');
                    }
                    self.plain.push(' ');
                    self.level().is_signed = true;
                }
                _ => {
                    let help = "one of them, or brackets: t-(-1)";
                    return Err(fault(at, "a sign after another", help));
                }
            },
            _ => {
                let message = format!("`{sign}` stands where a value is expected");
                return Err(fault(at, message, "a number, `t`, `pi` or a function before it"));
            }
        }
        Ok(())
    }

    /// What follows a value; returns whether another must come.
    fn after_value(&mut self, token: &Token, at: usize) -> Result<bool, Fault> {
        let Token::Sign(sign) = *token else {
            return Err(fault(at, "no operator before this", "such as `*`: 2*t"));
        };
        let level = self.level();
        let between = level.between;
        match sign {
            '(' => return Err(fault(at, "no operator before this", "such as `*`: 2*(t)")),
            ')' => {
                let Level { arguments, begun, .. } = *level;
                if self.levels.len() == 1 {
                    return Err(fault(
                        at,
                        "nothing opens what this `)` closes",
                        "it opens with `(`",
                    ));
                }
                if begun < arguments {
                    return Err(fault(at, "this function takes 2 arguments", "such as min(t, 1)"));
                }
                self.levels.pop();
                self.plain.push_str(if between.is_empty() { ")" } else { "))" });
                return Ok(false);
            }
            ',' if level.arguments == 0 => {
                return Err(fault(at, "a `,` outside a function", "a point in numbers: 0.5"));
            }
            ',' if level.begun == level.arguments => {
                let message = match level.arguments {
                    1 => "this function takes 1 argument".to_owned(),
                    n => format!("this function takes {n} arguments"),
                };
                return Err(fault(at, message, "a `)` in place of this"));
            }
            ',' => level.begun += 1,
            '^' if level.is_power => {
                let help = "brackets: (t^2)^3 or t^(2^3)";
                return Err(fault(at, "a power of a power", help));
            }
            '^' if level.is_signed => {
                let help = "brackets: 2*(-t^2) or 2*(-t)^2";
                return Err(fault(at, "a power of a value with a sign", help));
            }
            '^' => level.is_power = true,
            _ => {}
        }
        if sign != '^' {
            (level.is_power, level.is_signed) = (false, false);
        }
        match sign {
            ',' => self.plain.extend([") ", between, " ("]),
            _ => self.plain.push(sign),
        }
        Ok(true)
    }
}

/// The next part from `at` on, with its place; none at the end.
fn next_token(chars: &[char], at: usize) -> Result<Option<(Token, usize, usize)>, Fault> {
    let start = at + chars[at..].iter().take_while(|c| c.is_whitespace()).count();
    let Some(&first) = chars.get(start) else { return Ok(None) };
    let run = |from: usize, is: fn(&char) -> bool| {
        from + chars[from.min(chars.len())..].iter().take_while(|c| is(c)).count()
    };
    let found = match first {
        '0'..='9' | '.' => {
            let mut end = run(start, char::is_ascii_digit);
            if chars.get(end) == Some(&'.') {
                end = run(end + 1, char::is_ascii_digit);
            }
            if end == start + 1 && first == '.' {
                return Err(fault(start, "a point without a number", "such as 0.5"));
            }
            if matches!(chars.get(end), Some('e' | 'E')) {
                let sign = usize::from(matches!(chars.get(end + 1), Some('+' | '-')));
                let digits = run(end + 1 + sign, char::is_ascii_digit);
                end = if digits > end + 1 + sign { digits } else { end };
            }
            (Token::Number, start, end)
        }
        c if c.is_ascii_alphabetic() || c == '_' => {
            (Token::Name, start, run(start, |c| c.is_ascii_alphanumeric() || *c == '_'))
        }
        '+' | '-' | '*' | '/' | '^' | '(' | ')' | ',' => (Token::Sign(first), start, start + 1),
        other => {
            let help = "numbers, `t`, `pi`, functions, + - * / ^ and brackets";
            return Err(fault(start, format!("a formula has no `{other}`"), help));
        }
    };
    Ok(Some(found))
}
