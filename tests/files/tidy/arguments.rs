//! Functions take arguments, not tuples of them: what belongs together has a name. An interval, two
//! numbers of one type, is one value.

use super::sources::{SourceFile, assert_none, product_sources};

/// Complaints about functions that take what another returns, as it is.
const CHAINED: [&str; 1] =
    ["crates/output/src/folder/stopped_run.rs: `open` takes a tuple of arguments"];

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

/// Whether an argument is a tuple of anything but two values of one type, and taken apart at once
/// or of references: an element of a list is a value.
fn is_tuple(argument: &str) -> bool {
    let Some(kind) = split_at_colon(argument) else { return false };
    let kind = kind.trim_start_matches('&').trim_start_matches("mut ");
    let Some(kinds) = kind.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return false;
    };
    let kinds = split(kinds);
    // What is in brackets alone is one type, as in `&(dyn Fn() + Sync)`.
    let is_group = argument.starts_with('(') || kinds.iter().any(|kind| kind.starts_with('&'));
    is_group && kinds.len() > 1 && (kinds.len() > 2 || kinds[0] != kinds[1])
}

/// The type of an argument: what follows the colon behind its pattern.
fn split_at_colon(argument: &str) -> Option<&str> {
    let (_, kind) = argument.split_once(": ")?;
    // A pattern may name fields, as in `Pair { a, b: (c, d) }: Pair`.
    let is_struct = argument.split_once('{').is_some_and(|(head, _)| !head.contains(": "));
    if is_struct { argument.rsplit_once("}: ").map(|(_, kind)| kind) } else { Some(kind) }
}

/// The text from the arguments on, without the generics before them.
fn from_arguments(text: &str) -> Option<&str> {
    let start = text.find(['(', '<'])?;
    if text[start..].starts_with('(') {
        return Some(&text[start..]);
    }
    let mut depth = 0;
    for (i, c) in text.char_indices().skip(start) {
        depth += i32::from(c == '<') - i32::from(c == '>' && !text[..i].ends_with(['-', '=']));
        if depth == 0 {
            return text[i..].find('(').map(|at| &text[i + at..]);
        }
    }
    None
}

/// The functions of a source that take tuples.
fn tuples(file: &SourceFile) -> Vec<String> {
    let code: String = file.code().into_iter().map(|(_, line)| line + "\n").collect();
    let mut complaints = Vec::new();
    for part in code.split("fn ").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let arguments = from_arguments(part).and_then(enclosed);
        if !name.is_empty() && arguments.is_some_and(|all| split(all).into_iter().any(is_tuple)) {
            complaints.push(format!("{}: `{name}` takes a tuple of arguments", file.path));
        }
    }
    complaints
}

#[test]
fn functions_take_no_tuples_of_arguments() {
    let found = product_sources().into_iter().flat_map(|file| tuples(&file));
    let (chained, rest): (Vec<_>, Vec<_>) = found.partition(|it| CHAINED.contains(&it.as_str()));
    assert_eq!(chained, CHAINED, "the list of exceptions is that of those there are");
    assert_none(rest);
    let bad = "fn f(&self, (x, v): (&[Vec3], &Field<A, B>)) {}\n\
               fn g(pair: (&World, &Pairs)) {}\n\
               fn h<F: Fn(u32) -> bool>((t, a, b): (f64, f64, f64), each: F) {}\n";
    let good = "fn i((low, high): (f64, f64), each: &dyn Fn((u32, f64)) -> bool) {}\n\
                fn j(pair: &(u32, f64), each: &(dyn Fn(usize) + Sync), List { a, b: (c, d) }: &List) {}\n";
    for (text, count) in [(bad, 3), (good, 0)] {
        let path = "crates/report/src/page.rs".to_owned();
        let file = SourceFile { path, text: text.to_owned() };
        assert_eq!(tuples(&file).len(), count, "{:?}", tuples(&file));
    }
}
