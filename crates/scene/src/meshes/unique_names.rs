//! Unique names for copies of files that come from several folders.

use std::collections::{HashMap, HashSet};

/// The longest file name of usual file systems \[bytes\].
const MAX_BYTES: usize = 255;

/// Gives each copy a name of its own, also where case does not count.
#[derive(Debug, Default)]
pub struct UniqueNames {
    /// Names that are taken, in lower case.
    taken: HashSet<String>,
    /// The number that a name in lower case gets next.
    next: HashMap<String, usize>,
}

impl UniqueNames {
    /// The own name of the file at `path`; with a number if another has it already.
    pub fn give(&mut self, path: &str) -> String {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "obj"));
        let number = self.next.entry(name.to_lowercase()).or_insert(1);
        loop {
            let given = match *number {
                1 => name.to_owned(),
                n => numbered(stem, &format!("-{n}.{extension}")),
            };
            *number += 1;
            if self.taken.insert(given.to_lowercase()) {
                return given;
            }
        }
    }
}

/// A stem with an end, cut where both together are longer than a file name can be.
fn numbered(stem: &str, end: &str) -> String {
    let room = MAX_BYTES.saturating_sub(end.len());
    let cut = (0..=stem.len().min(room)).rev().find(|&at| stem.is_char_boundary(at)).unwrap_or(0);
    format!("{}{end}", &stem[..cut])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_by_more_than_case_and_fit_into_a_folder() {
        let mut names = UniqueNames::default();
        let given = ["a/box.obj", "b/box.obj", "box-2.obj", "c/BOX.obj", "plain", "x\\plain"];
        let given = given.map(|path| names.give(path));
        assert_eq!(
            given,
            ["box.obj", "box-2.obj", "box-2-2.obj", "BOX-3.obj", "plain", "plain-2.obj"]
        );
        let long = format!("{}.obj", "ü".repeat(125));
        assert_eq!(names.give(&long), long);
        let second = names.give(&format!("other/{long}"));
        assert!(second.ends_with("ü-2.obj") && second.len() <= MAX_BYTES, "{second}");
    }

    #[test]
    fn many_files_of_one_name_take_a_step_each() {
        let mut names = UniqueNames::default();
        let given: HashSet<String> =
            (0..100_000).map(|folder| names.give(&format!("{folder}/box.obj"))).collect();
        assert_eq!(given.len(), 100_000);
        assert_eq!(names.next.len(), 1);
        assert_eq!(names.next["box.obj"], 100_001);
    }
}
