//! Words of a command line as a shell takes them: in messages to copy, and in scripts.

/// A word that a POSIX shell takes as it is.
pub fn quoted(word: &str) -> String {
    // A backslash separates folders on Windows, whose shells take it as it is.
    let is_safe = |c: char| {
        c.is_ascii_alphanumeric() || "/._-+:=@%".contains(c) || cfg!(windows) && c == '\\'
    };
    if !word.is_empty() && word.chars().all(is_safe) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_the_program_as_they_are() {
        assert_eq!(quoted("out/dam_break"), "out/dam_break");
        assert_eq!(quoted("out/it's $HOME"), r"'out/it'\''s $HOME'");
        assert_eq!(quoted(""), "''");
    }
}
