//! Items that the command line selects from a list: cases, experiments.

use glob::Pattern;
use hashfall_scene::suggest;

/// A name that no item has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no {kind} `{name}`: {hint}")]
pub struct UnknownName {
    /// What the items are called.
    pub kind: &'static str,
    /// The name.
    pub name: String,
    /// A similar name, or all names.
    pub hint: String,
}

impl UnknownName {
    /// The error of a name beside the known ones.
    pub fn new(kind: &'static str, name: &str, known: &[&str]) -> Self {
        UnknownName { kind, name: name.to_owned(), hint: suggest::hint(name, known) }
    }
}

/// The items with these names, each once; all items if no name is given. A name with `*` or `?` is
/// a pattern, and stands for all that it matches.
///
/// # Errors
/// For a name that no item has, and a pattern that matches none.
pub fn select<T>(
    names: &[String],
    all: &'static [T],
    name_of: fn(&T) -> &'static str,
    kind: &'static str,
) -> Result<Vec<&'static T>, UnknownName> {
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let known: Vec<&str> = all.iter().map(name_of).collect();
    let mut selected: Vec<&T> = Vec::new();
    for name in names {
        let pattern = Pattern::new(name).ok().filter(|_| name.contains(['*', '?']));
        let is_meant = |item: &&T| match &pattern {
            Some(pattern) => pattern.matches(name_of(item)),
            None => name_of(item) == name,
        };
        let before = selected.len();
        let mut is_known = false;
        for item in all.iter().filter(is_meant) {
            is_known = true;
            if selected[..before].iter().all(|other| name_of(other) != name_of(item)) {
                selected.push(item);
            }
        }
        if !is_known {
            return Err(UnknownName::new(kind, name, &known));
        }
    }
    Ok(selected)
}

#[cfg(test)]
mod tests {
    use super::*;

    static NAMES: [&str; 4] = ["wedge", "elastic_rope", "elastic_cloth", "rope"];

    fn select(names: &[&str]) -> Result<Vec<&'static str>, UnknownName> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        super::select(&names, &NAMES, |name| name, "case")
            .map(|items| items.into_iter().copied().collect())
    }

    #[test]
    fn names_and_patterns_select_each_item_once() {
        assert_eq!(select(&[]).unwrap(), NAMES);
        assert_eq!(select(&["rope", "rope"]).unwrap(), ["rope"]);
        let found = select(&["elastic_cloth", "elastic_*"]).unwrap();
        assert_eq!(found, ["elastic_cloth", "elastic_rope"]);
        assert_eq!(select(&["?edge"]).unwrap(), ["wedge"]);
        assert_eq!(select(&["elastc_*"]).unwrap_err().name, "elastc_*");
        assert_eq!(select(&["elastic_"]).unwrap_err().name, "elastic_");
    }
}
