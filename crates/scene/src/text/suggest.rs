//! Suggestions for a misspelt name, and lists of names in prose.

pub use hashfall_core::similar_names::nearest;

/// The only candidate that begins with `name`, which is no single letter.
pub fn completed<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let start = name.to_lowercase();
    let mut found = candidates.iter().filter(|c| c.to_lowercase().starts_with(&start));
    let first = found.next().filter(|_| start.chars().count() > 1)?;
    found.next().is_none().then_some(first)
}

/// The candidates with `name` among their words, joined by `_`: `rest_density` for `density`.
pub fn with_word<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let has_word = |c: &&str| c.contains('_') && c.split('_').any(|w| w.eq_ignore_ascii_case(name));
    candidates.into_iter().filter(has_word).collect()
}

/// Help for an unknown name: the nearest one, otherwise all known names.
pub fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()).or_else(|| completed(name, known)) {
        Some(suggestion) => format!("did you mean `{suggestion}`?"),
        None => format!("known here: {}", listed(known)),
    }
}

/// Names in prose: "`a`, `b` or `c`".
pub fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => "nothing".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_name_leads_to_it_and_a_stranger_to_all() {
        let known = ["viscosity", "rest_density", "name"];
        assert_eq!((completed("visc", &known), completed("v", &known)), (Some("viscosity"), None));
        assert_eq!(completed("re", &["rest", "resume"]), None);
        assert_eq!(with_word("density", known), ["rest_density"]);
        assert!(with_word("name", known).is_empty() && with_word("dens", known).is_empty());
        assert_eq!(hint("colour", &known), "known here: `viscosity`, `rest_density` or `name`");
    }
}
