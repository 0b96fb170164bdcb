//! Functions take arguments, not tuples of them: what belongs together has a name. An interval, two
//! numbers of one type, is one value.

use super::sources::{SourceFile, assert_none, product_sources};

/// Functions that take what another returns, as it is: path, and name.
const CHAINED: [(&str, &str); 1] = [("crates/output/src/folder/stopped_run.rs", "open")];

/// Splits at the commas that no bracket encloses.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !text[..i].ends_with(['-', '=']) => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// What the brackets enclose that `text` begins with.
fn enclosed(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return text.get(1..i);
        }
    }
    None
}

/// Whether an argument is a tuple of values of several types that is taken apart at once.
fn is_tuple(argument: &str) -> bool {
    let Some((pattern, kind)) = argument.rsplit_once("): (") else { return false };
    let kinds = split(kind.trim_end_matches(')'));
    pattern.starts_with('(') && kinds.windows(2).any(|pair| pair[0] != pair[1])
}

/// The functions of a source that take tuples.
fn tuples(file: &SourceFile) -> Vec<String> {
    let code: String = file.code().into_iter().map(|(_, line)| line + "\n").collect();
    let mut complaints = Vec::new();
    for part in code.split("fn ").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let arguments = part.find('(').and_then(|start| enclosed(&part[start..]));
        let is_chained = CHAINED.contains(&(&file.path, &name));
        if !is_chained && arguments.is_some_and(|all| split(all).into_iter().any(is_tuple)) {
            complaints.push(format!("{}: `{name}` takes a tuple of arguments", file.path));
        }
    }
    complaints
}

#[test]
fn functions_take_no_tuples_of_arguments() {
    assert_none(product_sources().iter().flat_map(tuples).collect());
    let text = "fn f(&self, (x, v): (&[Vec3], &Field<A, B>)) {}\n\
                fn g((low, high): (f64, f64), each: &dyn Fn((u32, f64)) -> bool) {}\n";
    let bad = SourceFile { path: "crates/report/src/page.rs".to_owned(), text: text.to_owned() };
    assert_eq!(tuples(&bad).len(), 1, "the test can fail");
}
