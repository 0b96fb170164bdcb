//! Converts problems, located by key paths, to diagnostics, located in the text. Warnings that
//! differ in numbers only are summarized.

use crate::problem::Problem;
use crate::spans::Node;
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::SceneText;
use std::collections::HashMap;

/// Diagnostics shown of one scene at the most, errors before warnings.
const MAX_SHOWN: usize = 50;
/// Warnings shown that differ in numbers and names only.
const MAX_ALIKE: usize = 10;

/// A problem that is shown for itself and for similar ones.
struct Shown<'a> {
    problem: &'a Problem,
    /// Number of similar problems that are not shown.
    more: usize,
}

/// Converts problems to diagnostics, in their order.
///
/// Of the values of a problem, the first that an override wrote in whole or in part is shown: it is
/// the latest cause.
pub fn to_diagnostics(text: &SceneText, problems: &[Problem]) -> Vec<Diagnostic> {
    // The places in a long text take as long as reading it.
    if problems.is_empty() {
        return Vec::new();
    }
    let tree = Node::of_text(text.chars());
    let mut room = MAX_SHOWN;
    let mut to_diagnostics = Vec::new();
    let mut sums = Vec::new();
    for severity in [Severity::Error, Severity::Warning] {
        let of_severity = problems.iter().filter(|problem| problem.severity == severity);
        let max_alike = if severity == Severity::Error { usize::MAX } else { MAX_ALIKE };
        let shown = without_alike(of_severity, max_alike);
        let hidden: usize = shown.iter().skip(room).map(|it| 1 + it.more).sum();
        to_diagnostics
            .extend(shown.iter().take(room).map(|it| (it.problem, it.diagnose(text, &tree))));
        room = room.saturating_sub(shown.len());
        let name = if severity == Severity::Error { "errors" } else { "warnings" };
        let sum = || text.diagnose(severity, 0..1, format!("{hidden} more {name}"), None);
        sums.extend((hidden > 0).then(sum));
    }
    // Both severities point into one slice, so that addresses give its order.
    to_diagnostics.sort_by_key(|(problem, _)| std::ptr::from_ref::<Problem>(problem));
    to_diagnostics.into_iter().map(|(_, diagnostic)| diagnostic).chain(sums).collect()
}

/// The first problems of each kind; the last of them represents the others.
fn without_alike<'a>(
    problems: impl Iterator<Item = &'a Problem>,
    max_alike: usize,
) -> Vec<Shown<'a>> {
    let mut shown: Vec<Shown> = Vec::new();
    // The number of problems of each kind, and the index of the last that is shown.
    let mut kinds: HashMap<String, (usize, usize)> = HashMap::new();
    for problem in problems {
        let (count, last) = kinds.entry(kind(&problem.message)).or_default();
        if *count < max_alike {
            *last = shown.len();
            shown.push(Shown { problem, more: 0 });
        } else {
            shown[*last].more += 1;
        }
        *count += 1;
    }
    shown
}

/// The words of a message without numbers, such as positions and sizes.
fn kind(message: &str) -> String {
    let has_number = |word: &&str| word.contains(|c: char| c.is_ascii_digit());
    message.split_whitespace().filter(|word| !has_number(word)).collect::<Vec<_>>().join(" ")
}

impl Shown<'_> {
    fn diagnose(&self, text: &SceneText, tree: &Option<Node>) -> Diagnostic {
        let Problem { severity, paths, message, help, at } = self.problem;
        let node = |path: &String| tree.as_ref().map(|tree| tree.nearest(path));
        let nodes: Vec<&Node> = paths.iter().filter_map(node).collect();
        let overridden = nodes.iter().find_map(|node| {
            let whole = if node.is_vector() { node.span.clone() } else { node.head() };
            text.overridden_part(whole)
        });
        let within = at.zip(nodes.first()).and_then(|(at, node)| text.within(&node.span, at));
        let head = nodes.first().map(|node| node.head());
        let span = within.or(overridden).or(head).unwrap_or(0..0);
        let message = match self.more {
            0 => message.clone(),
            more => format!("{message}; and {more} more like this"),
        };
        text.diagnose(*severity, span, message, help.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::source::Source;

    fn told_of(problems: &[Problem]) -> Vec<(Severity, String)> {
        let source = Source { name: "a.ron".to_owned(), text: "(a: 1, b: 2)".to_owned() };
        let to_diagnostics = to_diagnostics(&SceneText::new(&source), problems);
        to_diagnostics.into_iter().map(|it| (it.severity, it.message)).collect()
    }

    #[test]
    fn what_is_alike_is_summed_up_and_hides_nothing_else() {
        let gap = |i: usize| Problem::warning("a", format!("a gap of {i} m to `b[{i}]`"), "");
        let mut problems: Vec<Problem> = (0..5000).map(gap).collect();
        problems.insert(3, Problem::warning("b", "too fast", ""));
        problems.push(Problem::error("b", "a box without inside", ""));
        let to_diagnostics = told_of(&problems);
        assert_eq!(to_diagnostics.len(), 12);
        assert_eq!(to_diagnostics[3], (Severity::Warning, "too fast".to_owned()));
        let sum = "a gap of 9 m to `b[9]`; and 4990 more like this".to_owned();
        assert_eq!(to_diagnostics[10], (Severity::Warning, sum));
        assert_eq!(to_diagnostics[11], (Severity::Error, "a box without inside".to_owned()));
    }

    #[test]
    fn an_error_behind_many_warnings_is_an_error() {
        let word = |i: usize| ["x", "y"][i % 2].repeat(1 + i / 2);
        let mut problems: Vec<Problem> =
            (0..200).map(|i| Problem::warning("a", word(i), "")).collect();
        problems.extend((0..20).map(|i| Problem::error("b", word(i), "")));
        let to_diagnostics = told_of(&problems);
        let errors =
            to_diagnostics.iter().filter(|(severity, _)| *severity == Severity::Error).count();
        assert_eq!((to_diagnostics.len(), errors), (51, 20));
        assert_eq!(to_diagnostics[50], (Severity::Warning, "170 more warnings".to_owned()));
    }
}
