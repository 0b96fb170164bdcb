//! Scenes in JSON: the same scenes as in RON, and the same faults at their places.

use super::schema::{shipped, to_json};
use super::support::{CUBE, GOOD};
use super::typos::long_texts;
use hashfall_scene::{Diagnostic, Language, Override, Source, convert, prepare};
use std::fs;

fn source(name: &str, text: &str) -> Source {
    Source { name: name.to_owned(), text: text.to_owned() }
}

/// The good scene in JSON.
fn good() -> String {
    let converted = convert(&source("good.ron", GOOD)).unwrap();
    assert_eq!(converted.language, Language::Json);
    assert_eq!(converted.comments, 1);
    converted.text
}

fn faults(text: &str, sets: &[&str]) -> Vec<Diagnostic> {
    let sets: Vec<Override> = sets.iter().map(|set| Override::parse(set).unwrap()).collect();
    match prepare(&source("test.json", text), &sets, &mut |_| Ok(CUBE.into())) {
        Ok(_) => Vec::new(),
        Err(faults) => faults,
    }
}

/// What a scene resolves to.
fn resolved(text: &str, sets: &[&str]) -> String {
    let sets: Vec<Override> = sets.iter().map(|set| Override::parse(set).unwrap()).collect();
    let scene = prepare(&source("test", text), &sets, &mut |_| Ok(CUBE.into()));
    scene.unwrap_or_else(|faults| panic!("{text}: {faults:?}")).resolved
}

#[test]
fn scenes_in_json_are_the_scenes_in_ron() {
    for text in long_texts().into_iter().chain([GOOD.to_owned()]) {
        let json = convert(&source("test.ron", &text)).unwrap().text;
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read, to_json(&text), "{json}");
        assert_eq!(resolved(&json, &[]), resolved(&text, &[]), "{json}");
        // What programs write: sorted keys, one line.
        assert_eq!(resolved(&read.to_string(), &[]), resolved(&text, &[]), "{json}");
        let back = convert(&source("test.json", &json)).unwrap();
        assert_eq!((back.language, back.comments), (Language::Ron, 0));
        assert_eq!(resolved(&back.text, &[]), resolved(&text, &[]), "{}", back.text);
    }
}

#[test]
fn every_shipped_scene_keeps_its_meaning() {
    for path in shipped("scenes").into_iter().chain(shipped("crates/validate/scenes")) {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.display().to_string();
        let json = convert(&source(&name, &text)).unwrap().text;
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read, to_json(&text), "{name}");
        let back = convert(&source(&name, &json)).unwrap_or_else(|faults| panic!("{faults:?}"));
        assert_eq!(to_json(&back.text), read, "{name}: {}", back.text);
    }
}

/// Old text, new text with `«` at the place of the fault, its message, part of its help.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// Breaks the good scene in each way, and looks for the one error at its place.
#[track_caller]
fn assert_refused(cases: &[Case]) {
    let good = good();
    for &(old, new, message, help) in cases {
        assert_eq!(good.matches(old).count(), 1, "{old} is unique in {good}");
        let marked = good.replace(old, new);
        let before = marked.split('«').next().unwrap();
        let (line, start) = (1 + before.matches('\n').count(), before.rfind('\n').unwrap() + 1);
        let place = (line, 1 + before[start..].chars().count());
        let faults = faults(&marked.replace('«', ""), &[]);
        let [fault] = &faults[..] else { panic!("{old} -> {new}: {faults:?}") };
        let help_text = fault.help.as_deref().unwrap_or_default();
        let found = (fault.line_column(), fault.message.as_str(), fault.source_name.as_str());
        assert_eq!(found, (place, message, "test.json"), "{old} -> {new}: {fault}");
        assert!(help_text.contains(help), "{old} -> {new}: {fault}");
    }
}

#[test]
fn names_types_and_values_are_refused_where_they_stand() {
    assert_refused(&[
        ("\"viscosity\"", "\"«viscosty\"", "unknown key `viscosty` in `Fluid`", "`viscosity`?"),
        ("\"CellIndex\"", "\"«CelIndex\"", "unknown name `CelIndex`", "did you mean `CellIndex`?"),
        ("{\"Wcsph\"", "{\"«Wsph\"", "unknown name `Wsph`", "did you mean `Wcsph`?"),
        (
            "\"min\": [0, 0, 0], \"max\": [1, 1, 1.5]",
            "\"«mim\": [0, 0, 0], \"max\": [1, 1, 1.5]",
            "unknown key `mim` in `Box`",
            "did you mean `min`?",
        ),
        ("0.025", "«\"small\"", "`particle_radius`: expected a number, found `\"small\"`", "in m"),
        ("50.0", "«null", "`frames.rate`: expected a number, found `null`", ""),
        ("0.025", "«{\"r\": 1}", "`particle_radius`: expected a number, found `{`", ""),
        ("0.025", "«-1", "`particle_radius` must be positive, not -1", "from 1e-6"),
        ("[0.0, 0.0, -9.81]", "«[0, 0]", "`gravity`: expected 3 values, found 2", ""),
        (
            "[0.0, 0.0, -9.81]",
            "«9.81",
            "`gravity`: expected a list in square brackets [ ], found `9.81`",
            "acceleration of gravity",
        ),
        (
            "{\"count\": 20, \"rate\": 50.0}",
            "«[20, 50]",
            "`frames`: expected an object { }, found `[`",
            "number of frames",
        ),
        (
            "{\"count\": 20, \"rate\": 50.0}",
            "«{\"count\": 20}",
            "missing key `rate` in `Frames`",
            "",
        ),
        ("\"rate\": 50.0", "\"rate\": 50.0, \"«rate\": 1", "`rate` is given twice", "keep one"),
        (
            "\"count\": 20, \"rate\"",
            "\"count\": «20.0, \"rate\"",
            "`frames.count`: expected a whole number, found `20.0`",
            "write 20",
        ),
        ("\"max\": [0.5, 0.5, 0.5]", "«\"max size\": [1]", "unknown key `max size`", "known here"),
    ]);
}

#[test]
fn what_is_not_json_is_refused_at_its_place() {
    assert_refused(&[
        ("{\"count\": 20, \"", "{\"count\": 20 «\"", "a comma is missing before this", "commas"),
        ("{\"count\": 20,", "{«count: 20,", "expected a key in double quotes", "write \"count\""),
        ("{\"count\": 20,", "{\"count\" «20,", "a colon is missing before this", "\"key\": value"),
        ("\"CellIndex\"", "«CellIndex", "cannot read `CellIndex`", "write \"CellIndex\""),
        ("0.025", "«.025", "cannot read `.025`", "0.5"),
        ("[0.0, 0.0, -9.81]", "«(0, 0, 1)", "cannot read `(`", "lists [ ] and objects { }"),
        ("\"water\"", "\"wa\\ter«\\q\"", "`\\q` is no escape of JSON", "\\\\"),
        ("[0.0, 0.0, -9.81],", "«\"down,", "this text is not closed on its line", "double quote"),
        ("{\"Wcsph\": {", "{«\"courant\": {", "expected a name around `courant`", "Dfsph"),
        (
            "{\"Box\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1.5]}}",
            "«{}",
            "expected a name and what belongs to it",
            "{\"Box\": { … }}",
        ),
        (
            "{\"Wcsph\": {\"sound_speed\": 30.0, \"courant\": 0.4}}",
            "{\"Wcsph\": {}, «\"Dfsph\": {}}",
            "a second name: an object holds one",
            "Dfsph",
        ),
    ]);
}

#[test]
fn overrides_take_ron_and_json() {
    let json = good();
    let same = |set: &str, ron: &str| assert_eq!(resolved(&json, &[set]), resolved(GOOD, &[ron]));
    same("kernel=WendlandC2", "kernel=WendlandC2");
    same("kernel=\"WendlandC2\"", "kernel=WendlandC2");
    same("gravity=[0, 0, -1.5]", "gravity=(0, 0, -1.5)");
    same("gravity[2]=-1.5", "gravity=(0, 0, -1.5)");
    same("surface=null", "surface=None");
    same("solver={\"Dfsph\": {}}", "solver=Dfsph()");
    same("fluids[0].shapes[0].velocity=[1, 0, 0]", "fluids[0].shapes[0].velocity=(1, 0, 0)");
    same("solids[2].translate=(0.8, 0.2, 0.3)", "solids[2].translate=(0.8, 0.2, 0.3)");
    let fault_of = |set: &str| {
        let [fault] = &faults(&json, &[set])[..] else { panic!("{set}") };
        (fault.source_name.clone(), fault.column(), fault.message.clone())
    };
    let (name, column, message) = fault_of("solver={\"Dfsh\": {}}");
    assert_eq!((&*name, column), ("--set solver={\"Dfsh\": {}}", 10));
    assert_eq!(message, "unknown name `Dfsh`");
    let (_, column, message) = fault_of("gravity=[0, 0, \"down\"]");
    assert_eq!((column, &*message), (16, "`gravity[2]`: expected a number, found `\"down\"`"));
}

#[test]
fn editors_keys_comments_and_last_commas_are_taken() {
    let json = good();
    let with = json.replacen('{', "// of a tank\n{\"$schema\": \"scene.schema.json\", ", 1);
    assert_eq!(resolved(&with, &[]), resolved(GOOD, &[]));
    let end = json.rfind('}').unwrap();
    let last = format!("{}, /* for /* editors */ \"$schema\": \"x\", }}", json[..end].trim_end());
    assert_eq!(resolved(&last, &[]), resolved(GOOD, &[]));
    let fault = &faults(&json.replace("\"Box\": {", "\"Box\": {\"$schema\": 1, "), &[])[0];
    assert!(fault.message.contains("unknown key `$schema`"), "{fault}");
}

#[test]
fn a_torn_scene_is_refused_without_panic() {
    let json = good();
    let chars: Vec<char> = json.chars().collect();
    for at in 0..chars.len() - 2 {
        let torn: String = chars[..at].iter().collect();
        assert!(!faults(&torn, &[]).is_empty(), "{torn}");
        let swapped: String =
            chars.iter().enumerate().filter(|(k, _)| *k != at).map(|it| it.1).collect();
        let _ = faults(&swapped, &[]);
    }
}
