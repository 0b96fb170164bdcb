//! The sources of all crates, as text, and what of them is code.

use std::fs;
use std::path::{Path, PathBuf};

/// The module of the program that may touch paths and print.
const TOP: &str = "src/cli/";

/// A source file: its path from the root of the repository, and its text.
#[derive(Clone)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

impl SourceFile {
    /// Whether it belongs to the command line.
    pub fn is_top(&self) -> bool {
        self.path.starts_with(TOP) || self.path == "src/main.rs"
    }

    /// The lines of code outside tests, numbered from 1, without comments and the insides of
    /// strings.
    pub fn code(&self) -> Vec<(usize, String)> {
        let text = blank_out(&self.text);
        let mut in_tests = false;
        let lines = text.lines().zip(text.lines().skip(1).chain([""])).map(|(line, next)| {
            in_tests |= line == "#[cfg(test)]" && next.starts_with("mod tests {");
            let kept = if in_tests { String::new() } else { line.to_owned() };
            // The brace that closes a module stands at the start of its line.
            in_tests &= line != "}";
            kept
        });
        lines.enumerate().map(|(i, line)| (i + 1, line)).collect()
    }

    /// The modules that this file declares for tests only: paths without `.rs`.
    pub fn test_modules(&self) -> Vec<String> {
        let stem = self.path.trim_end_matches(".rs");
        let stem = stem.trim_end_matches("/mod").trim_end_matches("/lib").trim_end_matches("/main");
        let declared = self.text.split("#[cfg(test)]\n").skip(1);
        let names = declared.filter_map(|rest| {
            let line = rest.lines().next()?.trim_start_matches("pub(crate) ");
            line.strip_prefix("mod ")?.strip_suffix(';')
        });
        names.map(|name| format!("{stem}/{name}")).collect()
    }

    /// Complains about each line of code that holds one of `words`.
    pub fn lines_with(&self, words: &[&str]) -> Vec<String> {
        let code = self.code();
        let found = code.iter().flat_map(|(number, line)| {
            words
                .iter()
                .filter(|word| line.contains(**word))
                .map(move |word| format!("{}:{number}: {word}", self.path))
        });
        found.collect()
    }
}

/// Replaces comments and the insides of strings by spaces, so that words in them do not count.
pub fn blank_out(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let push_blank = |out: &mut String, part: &str| {
        out.extend(part.chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
    };
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            string_length(rest)
        } else if rest.starts_with("'\"'") {
            3
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        push_blank(&mut out, &rest[..length]);
        rest = &rest[length..];
    }
    out
}

/// Bytes of the string literal that `text` begins with, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn sources() -> Vec<SourceFile> {
    let mut files = sources_in("src");
    for member in fs::read_dir(root().join("crates")).unwrap() {
        let name = member.unwrap().file_name().into_string().unwrap();
        files.extend(sources_in(&format!("crates/{name}/src")));
    }
    assert!(files.len() > 400, "only {} sources were found", files.len());
    files
}

/// The sources in a folder.
pub fn sources_in(folder: &str) -> Vec<SourceFile> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(inside) = folders.pop() {
        let mut entries: Vec<PathBuf> =
            fs::read_dir(&inside).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let relative = path.strip_prefix(root()).unwrap();
                let relative = relative.to_str().unwrap().replace('\\', "/");
                files.push(SourceFile { path: relative, text: read(&path) });
            }
        }
    }
    files
}

/// The sources that end up in the program.
pub fn product_sources() -> Vec<SourceFile> {
    let mut files = sources();
    let tests: Vec<String> = files.iter().flat_map(SourceFile::test_modules).collect();
    files.retain(|file| {
        let is_in = |module: &String| {
            file.path.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with(['.', '/']))
        };
        !tests.iter().any(is_in)
    });
    files
}

pub fn assert_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}
