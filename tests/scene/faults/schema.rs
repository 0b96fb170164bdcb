//! The scene's schema says what the parser and the checks take, and is documented.

mod ron_text;
mod validator;

use super::support::{CUBE, GOOD, faults_of};
use super::typos::{long_texts, names, typos};
use hashfall_scene::schema::{json, keys};
use hashfall_scene::{Source, prepare};
pub use ron_text::to_json;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The scenes of a folder of the project.
pub fn shipped(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "ron")).collect();
    assert!(scenes.len() > 5, "{scenes:?}");
    scenes
}

#[track_caller]
fn assert_valid(schema: &Value, text: &str, name: &str) {
    assert_eq!(validator::fault(schema, &to_json(text)), None, "{name}");
}

#[test]
fn every_scene_is_as_the_schema_says() {
    let schema = json();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    for path in shipped("scenes").into_iter().chain(shipped("crates/validate/scenes")) {
        let name = path.display().to_string();
        assert_valid(&schema, &fs::read_to_string(&path).unwrap(), &name);
    }
    for text in long_texts().iter().map(String::as_str).chain([GOOD]) {
        // Which is still read, but no more told of.
        let text = &text.replace("particles: true", "particles: [Vtp]");
        assert_valid(&schema, text, text);
    }
}

/// What a scene resolves to has every default written out.
#[test]
fn every_key_of_a_resolved_scene_is_in_the_schema() {
    let schema = json();
    for path in shipped("scenes") {
        let text = fs::read_to_string(&path).unwrap();
        let source = Source { name: path.display().to_string(), text };
        let mut read = |mesh: &str| fs::read(path.parent().unwrap().join(mesh));
        let scene = prepare(&source, &[], &mut read).unwrap();
        assert_valid(&schema, &scene.resolved, &source.name);
    }
    for text in long_texts() {
        let source = Source { name: String::new(), text };
        let scene = prepare(&source, &[], &mut |_| Ok(CUBE.into())).unwrap();
        assert_valid(&schema, &scene.resolved, &scene.resolved);
    }
}

#[test]
fn a_misspelt_name_is_not_as_the_schema_says() {
    let schema = json();
    let mut tried = 0;
    for text in long_texts() {
        for place in names(&text) {
            let name = &text[place.clone()];
            // The name of all, which JSON has no place for.
            if name == "Scene" {
                continue;
            }
            let typo = &typos(name)[0];
            let broken = format!("{}{typo}{}", &text[..place.start], &text[place.end..]);
            tried += 1;
            assert!(validator::fault(&schema, &to_json(&broken)).is_some(), "{typo}");
        }
    }
    assert!(tried > 300, "{tried}");
}

#[test]
fn no_group_takes_keys_that_it_does_not_name() {
    fn groups(schema: &Value, open: &mut Vec<String>) {
        if schema["properties"].is_object() && schema["additionalProperties"] != false {
            open.push(schema.to_string());
        }
        let inner = schema.as_object().into_iter().flat_map(|object| object.values());
        inner.chain(schema.as_array().into_iter().flatten()).for_each(|part| groups(part, open));
    }
    let mut open = Vec::new();
    groups(&json(), &mut open);
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_key_is_documented_and_says_what_it_means() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scene.md");
    let documentation = fs::read_to_string(path).unwrap();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words: BTreeSet<&str> = documentation.split(|c| !is_part(c)).collect();
    let keys = keys();
    assert!(keys.len() > 100, "{}", keys.len());
    for key in &keys {
        let name = key.path.rsplit('.').next().unwrap();
        assert!(words.contains(name), "docs/scene.md lacks `{name}`");
        assert!(key.description.ends_with(['.', ';']), "{key:?}");
        let is_raw = |text: &str| text.contains(['[', '\\']) || text.contains("::");
        assert!(!is_raw(&key.description), "{key:?}");
        assert!(key.choices.iter().all(|(_, what)| !what.is_empty() && !is_raw(what)), "{key:?}");
    }
}

/// A number in a scene: its place in the JSON, and its key path.
struct Number {
    pointer: String,
    path: String,
    is_whole: bool,
}

/// Every number that a key holds by itself.
fn numbers(value: &Value, pointer: &str, path: &str, found: &mut Vec<Number>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                let is_kind = key.starts_with(|c: char| c.is_ascii_uppercase());
                let dot = if path.is_empty() { "" } else { "." };
                let path = if is_kind { path.to_owned() } else { format!("{path}{dot}{key}") };
                numbers(inner, &format!("{pointer}/{key}"), &path, found);
            }
        }
        Value::Array(items) => {
            for (k, item) in items.iter().enumerate().filter(|(_, item)| !item.is_number()) {
                numbers(item, &format!("{pointer}/{k}"), &format!("{path}[{k}]"), found);
            }
        }
        Value::Number(number) => found.push(Number {
            pointer: pointer.to_owned(),
            path: path.to_owned(),
            is_whole: number.is_i64(),
        }),
        _ => {}
    }
}

/// The bounds that a check names when it refuses a value: `from 0 to 10 m/s`.
fn bounds_told(text: &str, path: &str, value: &str) -> Option<(f64, f64)> {
    let faults = faults_of(text, &[&format!("{path}={value}")], CUBE);
    faults.iter().filter_map(|fault| fault.help.as_deref()).find_map(|help| {
        let (low, rest) = help.strip_prefix("from ")?.split_once(" to ")?;
        Some((low.parse().ok()?, rest.split([' ', ':']).next()?.parse().ok()?))
    })
}

/// Keys whose bounds depend on other values, which a schema cannot say.
const DEPENDENT: [&str; 5] = ["cell", "support_radius", "x", "y", "below"];

#[test]
fn bounds_are_those_of_the_checks() {
    let schema = json();
    let mut compared = BTreeSet::new();
    for text in long_texts() {
        let scene = to_json(&text);
        let mut found = Vec::new();
        numbers(&scene, "", "", &mut found);
        for Number { pointer, path, is_whole } in found {
            let is_dependent = DEPENDENT.contains(&path.rsplit('.').next().unwrap());
            if is_dependent || compared.contains(&path) {
                continue;
            }
            let is_valid = |value: Value| {
                let mut changed = scene.clone();
                *changed.pointer_mut(&pointer).unwrap() = value;
                validator::fault(&schema, &changed).is_none()
            };
            let takes_float = is_valid(json!(0.5)) || !is_whole;
            let largest = if takes_float { "1e300" } else { "4294967295" };
            let Some((low, high)) = bounds_told(&text, &path, largest) else {
                assert!(is_valid(largest.parse::<f64>().unwrap().into()), "{path} is unbounded");
                continue;
            };
            // Messages round to six figures.
            let inside = |x: f64, other: f64| x + 1e-3 * (other - x).signum() * x.abs();
            let outside = |x: f64, other: f64| x - (other - x).signum() * (1e-3 * x.abs() + 1e-9);
            let number = |x: f64| if takes_float { json!(x) } else { json!(x.round()) };
            for (x, other) in [(low, high), (high, low)] {
                assert!(is_valid(number(inside(x, other))), "{path}: {x} is within");
                let beyond = if takes_float {
                    json!(outside(x, other))
                } else {
                    let step = if other > x { -1.0 } else { (1e-3 * x).ceil() };
                    json!(x + step)
                };
                assert!(!is_valid(beyond.clone()), "{path}: {beyond} is beyond {x}");
            }
            compared.insert(path);
        }
    }
    assert!(compared.len() > 40, "{}: {compared:?}", compared.len());
}
