//! Describes a key in a line: the help below a missing or mistyped value.

use super::key_list::{Key, keys};
use std::cmp::Reverse;
use std::sync::OnceLock;

/// Describes the key at a path: its meaning, unit, type, bounds and default; `None` for an unknown
/// key. Indices in the path do not matter; a variant before the key, as in
/// `fluids[0].shapes[0].Fill.from`, tells it from that of other variants. Where no key has the
/// path, as in a part of a composition or in a text that is broken before it, the key of that name
/// whose path has the longest beginning in common is described.
pub fn describe_key(path: &str) -> Option<String> {
    let plain = plain_path(path);
    let variants = last_variants(path);
    let names: Vec<&str> = plain.split('.').collect();
    let is_named = |key: &&Key| key.path.rsplit('.').next() == names.last().copied();
    let in_common = |key: &Key| {
        let both = key.path.split('.').zip(&names);
        both.take_while(|(name, other)| name == *other).count()
    };
    let is_of_variants = |key: &Key| {
        let has_all =
            |way: &Vec<String>| variants.iter().all(|name| way.iter().any(|it| it == name));
        key.kinds.iter().any(has_all)
    };
    // Of equals the first.
    let nearest = |key: &&Key| Reverse((in_common(key), is_of_variants(key)));
    all().iter().filter(is_named).min_by_key(nearest).map(description)
}

/// Whether there is a key at a path, whose indices and variants do not matter.
pub fn is_key(path: &str) -> bool {
    at(&plain_path(path)).is_some()
}

/// The paths of `--set` to the keys of a name, with a place in each list: `fluids[0].viscosity`.
pub fn places(name: &str) -> Vec<String> {
    let named = all().iter().filter(|key| key.path.rsplit('.').next() == Some(name));
    let mut places: Vec<String> = named.map(|key| with_indices(&key.path)).collect();
    places.dedup();
    places
}

/// Every key, listed once.
fn all() -> &'static [Key] {
    static KEYS: OnceLock<Vec<Key>> = OnceLock::new();
    KEYS.get_or_init(keys)
}

fn at(plain: &str) -> Option<&'static Key> {
    all().iter().find(|key| key.path == plain)
}

/// A path without indices and variants.
fn plain_path(path: &str) -> String {
    let plain = without_indices(path);
    plain.split('.').filter(|part| !is_variant(part)).collect::<Vec<_>>().join(".")
}

/// The variants between the last key of a path and the one before it.
fn last_variants(path: &str) -> Vec<String> {
    let plain = without_indices(path);
    let before = plain.rsplit('.').skip_while(|part| is_variant(part)).skip(1);
    before.take_while(|part| is_variant(part)).map(str::to_owned).collect()
}

fn without_indices(path: &str) -> String {
    path.split_inclusive(']').map(|part| part.split('[').next().unwrap_or(part)).collect()
}

fn is_variant(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_uppercase())
}

/// A path with `[0]` behind each key that holds a list of groups.
fn with_indices(path: &str) -> String {
    let mut written = String::new();
    for (end, _) in path.match_indices('.') {
        let start = written.matches('.').count();
        let name = path.split('.').nth(start).unwrap_or_default();
        let is_list = at(&path[..end]).is_some_and(|key| key.value_type.starts_with('['));
        written += name;
        written += if is_list { "[0]." } else { "." };
    }
    written + path.rsplit('.').next().unwrap_or_default()
}

/// `kinematic viscosity in m²/s: a number, from 0 to 10000`.
fn description(key: &Key) -> String {
    let sentence = key.description.trim_end_matches('.');
    let mut chars = sentence.chars();
    let first = chars.next().map(|first| {
        // An abbreviation keeps its capitals, and a name does.
        let is_name = sentence.split(' ').next().is_some_and(|word| word.ends_with("'s"));
        let is_word = !is_name && chars.clone().next().is_some_and(char::is_lowercase);
        if is_word { first.to_lowercase().to_string() } else { first.to_string() }
    });
    let mut text = first.unwrap_or_default() + chars.as_str();
    if let Some(unit) = &key.unit {
        text += &format!(" in {unit}");
    }
    text += &format!(": {}", typed(&key.value_type));
    if let Some(bounds) = &key.bounds {
        text += &format!(", {bounds}");
    }
    match key.default.as_deref() {
        Some(default) if default != "None" => text + &format!("; default {default}"),
        _ => text,
    }
}

/// A type in prose.
fn typed(value_type: &str) -> String {
    let (first, rest) = value_type.split_once(" or ").unwrap_or((value_type, ""));
    let first = match first {
        "number" | "whole number" => format!("a {first}"),
        "text" => "a text in double quotes".to_owned(),
        other => other.to_owned(),
    };
    if rest.is_empty() { first } else { format!("{first} or {rest}") }
}

#[cfg(test)]
mod tests {
    use super::{describe_key, is_key, places};

    #[test]
    fn keys_are_described_whatever_the_indices() {
        for (path, part) in [
            ("frames.count", "a whole number, from 1 to 1000000"),
            ("solids[3].count", "umber of balls"),
            ("fluids[0].shapes[1].min[2]", "in m: (number, number, number)"),
            ("output.surface", "Ply"),
            ("surface", "urface reconstruction"),
            ("interfaces[0].between", "(text, text)"),
            ("solids[2].motion.between", "Linear | Smooth"),
            ("forces[1].stiffness", "1/s²"),
            ("solver.Multiphase.stiffness", "m²/s²"),
            ("fluids[0].stiffness", "m²/s²"),
            ("viscosity", "kinematic viscosity in m²/s: a number, from 0 to 10000"),
        ] {
            let description = describe_key(path).unwrap_or_default();
            assert!(description.contains(part), "{path}: {description}");
        }
        assert_eq!(describe_key("colour"), None);
    }

    #[test]
    fn a_key_is_that_of_its_variant() {
        for (path, part) in [
            ("fluids[0].shapes[2].Fill.from", "place that is filled first"),
            ("fluids[0].shapes[2].Cone.from", "middle of its base"),
            ("fluids[0].shapes[2].Capsule.from", "one end of its axis"),
            ("fluids[0].shapes[0].Difference.minus[1].Cone.from", "middle of its base"),
            ("fluids[0].shapes[0].Difference.of.Fill.level", "height of the level"),
            ("fluids[0].shapes[0].Linear.centre", "entre"),
            ("solids[1].SphereField.Random.count", "umber of balls"),
            // An unknown one is no obstacle.
            ("fluids[0].Fluid.viscosity", "kinematic viscosity"),
        ] {
            let description = describe_key(path).unwrap_or_default();
            assert!(description.contains(part), "{path}: {description}");
        }
    }

    #[test]
    fn a_name_is_found_at_its_places_and_no_key_elsewhere() {
        assert_eq!(places("viscosity"), ["fluids[0].viscosity"]);
        assert_eq!(places("count")[0], "frames.count");
        assert_eq!(places("rest_density"), ["fluids[0].rest_density"]);
        assert!(places("colour").is_empty());
        assert!(is_key("fluids[3].viscosity") && is_key("solver.Wcsph.courant"));
        assert!(!is_key("fluid") && !is_key("viscosity"));
    }
}
