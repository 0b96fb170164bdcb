//! Refuses names with control characters.

use crate::problem::Problem;

/// Refuses a name with control characters: tables, scripts and terminals take them for something
/// else.
pub fn unprintable(path: &str, name: &str) -> Option<Problem> {
    let control = name.chars().find(|c| c.is_control())?;
    let message = format!("a name with the control character {}", control.escape_default());
    Some(Problem::error(path, message, "letters, digits, blanks and signs, such as \"P 1\""))
}
