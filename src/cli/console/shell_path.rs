//! Paths in commands to copy.

use hashfall_core::shell::quoted;
use std::path::Path;

/// A path as it is typed in a shell, as an argument that is no option.
pub fn shell_path(path: &Path) -> String {
    let text = path.display().to_string();
    let is_like_an_option = text.starts_with('-');
    quoted(&if is_like_an_option { format!("./{text}") } else { text })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_and_no_option() {
        let typed = |path: &str| shell_path(Path::new(path));
        assert_eq!(typed("out/tank"), "out/tank");
        assert_eq!(typed("it's a run"), r"'it'\''s a run'");
        assert_eq!(typed("-q"), "./-q");
    }
}
