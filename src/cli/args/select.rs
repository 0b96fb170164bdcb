//! What a command line names out of a list: cases, experiments.

use hashfall_scene::suggest;

/// The items of these names, each once; all if none is named. `kind` is what one is called.
///
/// # Errors
/// A name that none has, with those near it.
pub fn chosen<T>(
    names: &[String],
    all: &'static [T],
    name_of: fn(&T) -> &'static str,
    kind: &str,
) -> Result<Vec<&'static T>, String> {
    if names.is_empty() {
        return Ok(all.iter().collect());
    }
    let known: Vec<&str> = all.iter().map(name_of).collect();
    let mut chosen: Vec<&T> = Vec::new();
    for name in names {
        let item = all
            .iter()
            .find(|item| name_of(item) == name)
            .ok_or_else(|| format!("no {kind} `{name}`: {}", suggest::hint(name, &known)))?;
        if chosen.iter().all(|other| name_of(other) != name) {
            chosen.push(item);
        }
    }
    Ok(chosen)
}
