//! Names of folders, scenes, fluids and solids that hold escape sequences: nothing that a command
//! prints acts on the terminal.

#![cfg(unix)]

use super::scenes::small_with;
use super::support::{Ended, Place};

/// Clears the screen, by an escape and by a C1 control character; erases; turns the writing
/// direction. Ordinary letters beside it stay.
const HOSTILE: &str = "ü\u{1b}[2J\u{9b}2J\u{7f}\u{8}\u{202e}";
/// How that is shown.
const SHOWN: &str = "ü\\u{1b}[2J\\u{9b}2J\\u{7f}\\u{8}\\u{202e}";

/// Bytes that are no control characters but line breaks and tabs.
#[track_caller]
fn assert_plain(ended: &Ended, what: &[String]) {
    for text in [&ended.stdout, &ended.stderr] {
        let is_plain = |c: char| matches!(c, '\n' | '\t') || !hashfall::scene::is_unprintable(c);
        assert!(text.chars().all(is_plain), "{what:?}: {text:?}");
    }
}

/// What of this names of fluids and solids may hold.
const NAME: &str = "ü\u{202e}";

/// A scene with hostile names of everything that has one.
fn hostile_scene() -> String {
    named(NAME)
}

/// A scene with a fluid and a solid of this name, and a hostile mesh and description.
fn named(name: &str) -> String {
    let scene = small_with("name: \"water\"", &format!("name: \"{name}\""));
    let body = format!(
        "Box(name: \"{name}\", min: (0.3, 0.05, 0.3), max: (0.34, 0.09, 0.34),
         motion: Free(density: 500.0)),\n        Mesh(path: \"{HOSTILE}.obj\""
    );
    let scene = scene.replace("Mesh(path: \"tetrahedron.obj\"", &body);
    scene.replace("Scene(", &format!("Scene(\n    description: \"{HOSTILE}\","))
}

#[test]
fn no_command_prints_what_acts_on_the_terminal() {
    let place = Place::new();
    let (scene, folder) = (format!("{HOSTILE}.ron"), format!("{HOSTILE}\nrun"));
    place.write(&scene, named(HOSTILE));
    let refused = place.sim(["check", &scene]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert_plain(&refused, &[]);
    place.write(&scene, hostile_scene());
    place.write(&format!("{HOSTILE}.obj"), place.read("tetrahedron.obj"));
    let path = |rest: &str| format!("{folder}/{rest}");
    let frame = path("particles/particles_00001.vtp");
    let line = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
    let commands = [
        line(&["check", &scene]),
        line(&[&scene, "--out", &folder]),
        line(&["resume", &folder, "--frames", "3"]),
        line(&["audit", &folder]),
        line(&["foam", &folder]),
        line(&["preview", &folder, "--size", "64x36"]),
        line(&["export", &folder, "--format", "usd"]),
        line(&["report", &folder]),
        line(&["surface", &frame, "--particle-radius", "0.01"]),
        line(&["convert", &scene]),
        line(&["convert", &scene, "-o", &format!("{HOSTILE}.json")]),
        line(&["convert", &format!("{HOSTILE}.json")]),
        line(&["new", &format!("{HOSTILE}/dam_break")]),
        line(&["sweep", &format!("{HOSTILE}_sweep.ron"), "--out", &format!("{HOSTILE}_sweep")]),
        line(&["sweep", &format!("{HOSTILE}_sweep"), "--collect"]),
        line(&["list"]),
        line(&["schema", HOSTILE]),
        line(&["man", "check"]),
        line(&["completions", "bash"]),
        line(&["validate", HOSTILE]),
        line(&["bench", HOSTILE]),
    ];
    let sweep = format!(
        "Sweep(scene: \"{HOSTILE}.ron\", \
         axes: [Values(key: \"description\", values: [\"{HOSTILE}\"])])"
    );
    place.write(&format!("{HOSTILE}_sweep.ron"), sweep);
    for words in &commands {
        let ended = place.sim(words);
        let takes_any_name = !matches!(words[0].as_str(), "schema" | "validate" | "bench");
        assert_eq!(ended.code == Some(0), takes_any_name, "{words:?}: {ended:?}");
        assert_plain(&ended, words);
    }
    let ended = place.sim(["check", &scene]);
    assert!(ended.stdout.starts_with(&format!("{SHOWN}.ron\n")), "{ended:?}");
    assert!(ended.stdout.contains(&format!("  description      {SHOWN}\n")), "{ended:?}");
    let ended = place.sim(["audit", &folder]);
    assert!(ended.stdout.starts_with(&format!("{SHOWN}\\nrun\n  frames ")), "{ended:?}");
}

#[test]
fn no_error_prints_what_acts_on_the_terminal() {
    let place = Place::new();
    let commands = "run check resume sweep surface foam preview report export validate bench audit \
                    new list convert schema completions man help";
    for command in commands.split(' ') {
        for word in [HOSTILE.to_owned(), format!("--{HOSTILE}"), format!("--threads={HOSTILE}")] {
            let words = [command.to_owned(), word];
            assert_plain(&place.sim(&words), &words);
        }
    }
}

/// The value of a string stays what it is when its characters become escapes.
#[test]
fn a_converted_scene_keeps_its_names() {
    let place = Place::new();
    place.write("a.ron", hostile_scene());
    let json = place.sim(["convert", "a.ron"]);
    json.assert_done();
    let scene: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(scene["description"], HOSTILE);
    place.write("b.json", json.stdout.replace("\\u007f", "\u{7f}").replace("\\u202e", "\u{202e}"));
    let ron = place.sim(["convert", "b.json"]);
    ron.assert_done();
    place.write("c.ron", &ron.stdout);
    assert_eq!(place.sim(["convert", "c.ron"]).stdout, json.stdout);
}
