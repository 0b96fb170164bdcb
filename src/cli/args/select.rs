//! Items that the command line selects from a list: cases, experiments.

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

/// The items with these names, each once; all items if no name is given.
///
/// # Errors
/// For a name that no item has.
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
        let item = all
            .iter()
            .find(|item| name_of(item) == name)
            .ok_or_else(|| UnknownName::new(kind, name, &known))?;
        if selected.iter().all(|other| name_of(other) != name) {
            selected.push(item);
        }
    }
    Ok(selected)
}
