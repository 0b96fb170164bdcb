//! Key paths such as `fluids[0].shapes[1].min`.

use std::ops::Range;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// `.key`, or a variant's name.
    Key(String),
    /// `[index]`.
    Index(usize),
}

/// Steps of a path, each with its characters in the path's text; `Err` holds the characters
/// that are not understood.
pub fn parse_path(path: &str) -> Result<Vec<(Step, Range<usize>)>, Range<usize>> {
    let chars: Vec<char> = path.chars().collect();
    let run = |from: usize, is: fn(&char) -> bool| {
        from + chars[from.min(chars.len())..].iter().take_while(|c| is(c)).count()
    };
    let mut steps = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        if chars[at] == '[' {
            let end = run(at + 1, char::is_ascii_digit);
            let digits: String = chars[at + 1..end].iter().collect();
            let index = digits.parse().map_err(|_| at..end.max(at + 1))?;
            if chars.get(end) != Some(&']') {
                return Err(at..end);
            }
            steps.push((Step::Index(index), at..end + 1));
            at = end + 1;
        } else {
            let start = if steps.is_empty() { at } else { at + 1 };
            let end = run(start, |c| c.is_alphanumeric() || *c == '_');
            if end == start || (!steps.is_empty() && chars[at] != '.') {
                return Err(at..end.max(at + 1).min(chars.len()));
            }
            steps.push((Step::Key(chars[start..end].iter().collect()), start..end));
            at = end;
        }
    }
    if steps.is_empty() { Err(0..0) } else { Ok(steps) }
}
