//! Sweep files, good and bad: what they become, and where each fault is shown.

use super::*;
use hashfall_scene::{Diagnostic, Source};

fn read(text: &str) -> Result<SweepFile, Vec<Diagnostic>> {
    SweepFile::read(&Source { name: "s.ron".to_owned(), text: text.to_owned() })
}

fn fault(text: &str) -> String {
    let faults = read(text).expect_err("this is not a sweep");
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// The manifest's rows of a good sweep.
fn rows(text: &str) -> Vec<Vec<String>> {
    let file = read(text).expect("a sweep");
    Manifest::new(&file.sweep, file.scene, "", false).rows
}

fn sweep(axes: &str) -> String {
    format!("Sweep(\n  scene: \"a.ron\",\n  axes: [\n    {axes}\n  ],\n)")
}

#[test]
fn points_are_all_combinations_the_last_axis_fastest() {
    let text = sweep(
        "Values(key: \"solver\", values: [Wcsph(courant: 0.4), Dfsph()]),
         Range(key: \"a.b\", from: 1, to: 3, count: 3),",
    );
    let expected = [
        ["Wcsph(courant: 0.4)", "1"],
        ["Wcsph(courant: 0.4)", "2"],
        ["Wcsph(courant: 0.4)", "3"],
        ["Dfsph()", "1"],
        ["Dfsph()", "2"],
        ["Dfsph()", "3"],
    ];
    assert_eq!(rows(&text), expected);
}

#[test]
fn zipped_axes_go_on_together_and_cases_set_what_they_like() {
    let text = sweep(
        "Zip([
             Values(key: \"a\", values: [\"x, y\", None]),
             Range(key: \"b\", from: 0.5, to: 1, count: 2),
         ]),
         Cases([
             (name: \"thin\", set: { \"c[0]\": 1e-6, \"d\": (0, 0, -1) }),
             (name: \"as it is\", set: {}),
         ]),",
    );
    let expected = [
        ["\"x, y\"", "0.5", "thin", "1e-6", "(0, 0, -1)"],
        ["\"x, y\"", "0.5", "as it is", "", ""],
        ["None", "1", "thin", "1e-6", "(0, 0, -1)"],
        ["None", "1", "as it is", "", ""],
    ];
    assert_eq!(rows(&text), expected);
}

#[test]
fn samples_vary_several_keys_at_once() {
    let keys = "keys: [(key: \"a\", from: 0, to: 1), (key: \"b\", from: 1, to: 9)]";
    let of = |kind: &str| rows(&sweep(&format!("{kind}(seed: 7, count: 5, {keys}),")));
    for kind in ["Random", "LatinHypercube"] {
        assert_eq!(of(kind).len(), 5);
        assert_eq!(of(kind), of(kind));
    }
    assert_ne!(of("Random"), of("LatinHypercube"));
}

#[test]
fn what_was_read_from_the_manifest_is_what_was_written() {
    let text = sweep("Values(key: \"a\", values: [(1, 2), \"q \\\"x\\\"\", [3]]),");
    let file = read(&text).expect("a sweep");
    let manifest = Manifest::new(&file.sweep, "a.ron".to_owned(), "text", true);
    let again = Manifest::read(&manifest.json(), &manifest.csv()).expect("as written");
    assert_eq!(again, manifest);
    assert_eq!(again.difference(&manifest), None);
    let overrides = again.overrides(1).expect("as written");
    assert_eq!((overrides[0].key.as_str(), overrides[0].value.as_str()), ("a", "\"q \\\"x\\\"\""));
    assert!(manifest.has_scene("text") && !manifest.has_scene("texts"));
    let cut = &manifest.csv()[..manifest.csv().len() - 8];
    assert!(Manifest::read(&manifest.json(), cut).is_err());
}

#[test]
fn names_that_look_like_formulas_are_read_as_they_were_written() {
    let names = ["=1+1", "-x", "@x", "'=1", "a, \\\"b\\\""];
    let cases = names.map(|name| format!("(name: \"{name}\", set: {{ \"a\": -1.5 }})"));
    let text = sweep(&format!("Cases([{}]),", cases.join(", ")));
    let file = read(&text).expect("a sweep");
    let manifest = Manifest::new(&file.sweep, "a.ron".to_owned(), "text", false);
    let csv = String::from_utf8(manifest.csv()).expect("text");
    assert!(csv.contains("\n0,'=1+1,-1.5\n"), "{csv}");
    assert_eq!(Manifest::read(&manifest.json(), &manifest.csv()), Ok(manifest));
}

#[test]
fn faults_are_shown_at_their_places() {
    let cases = [
        (sweep("Value(key: \"a\", values: [1])"), "s.ron:4:5: unknown name `Value`"),
        (sweep("Values(key: \"a\", vals: [1])"), "s.ron:4:22: unknown key `vals`"),
        (sweep("Values(key: \"a\", values: [])"), "s.ron:4:5: this axis is empty"),
        (sweep("Range(key: \"a\", from: 0, to: 1, count: 0)"), "s.ron:4:44: this axis is empty"),
        (
            sweep("Zip([Values(key: \"a\", values: [1, 2]), Values(key: \"b\", values: [1])])"),
            "s.ron:4:44: this axis has 1 points, but the one it is zipped with has 2",
        ),
        (
            sweep("Cases([(name: \"x\", set: {}), (name: \"x\", set: {})])"),
            "s.ron:4:41: duplicate case `x`",
        ),
        (
            sweep("Values(key: \"a\", values: [1]), Values(key: \"a\", values: [2])"),
            "s.ron:4:49: `a` is set twice",
        ),
        (
            sweep("Range(key: \"a\", from: 0, to: 1, count: 1000000000)"),
            "s.ron:4:44: 1000000000 points are too many for a sweep",
        ),
        (
            sweep(
                "Range(key: \"a\", from: 0, to: 1, count: 30000), Range(key: \"b\", from: 0, to: \
                   1, count: 30000)",
            ),
            "s.ron:4:52: this axis makes 900000000 points",
        ),
        (
            sweep("Range(key: \"a\", from: 0, to: 1, count: 3, scale: Logarithmic)"),
            "s.ron:4:27: a logarithmic scale needs numbers above 0",
        ),
        (sweep("Range(key: \"a\", from: 0, to: NaN, count: 3)"), "s.ron:4:34: not a finite"),
        (sweep(""), "s.ron:3:9: a sweep needs an axis"),
        ("Sweep(axes: [])".to_owned(), "missing key `scene`"),
        ("Sweep(scene: \"a\", axes: [".to_owned(), "this bracket is never closed"),
        ("// nothing".to_owned(), "there is no sweep in this file"),
    ];
    for (text, expected) in cases {
        let message = fault(&text);
        assert!(message.contains(expected), "{text}\n{message}\nexpected {expected}");
    }
}

#[test]
fn typed_lists_become_axes() {
    let mut sweep = ParameterSweep::default();
    add_setting(&mut sweep, "frames.count=3").expect("a value");
    add_setting(&mut sweep, "gravity=(0,0,-1),(0,0,-2)").expect("two values");
    add_setting(&mut sweep, "fluids[0].viscosity=0.1, 1,2").expect("three values");
    let manifest = Manifest::new(&sweep, String::new(), "", false);
    assert_eq!(manifest.record.settings, ["frames.count=3"]);
    assert_eq!(manifest.rows[4], ["(0,0,-2)", "1"]);
    assert_eq!(sweep.len(), 6);
    assert_eq!(sweep.samples().len(), 3);
    for (text, expected) in [
        ("gravity=(0,0,0)", "--set gravity=(0,0,0):1:1: `gravity` is set twice"),
        ("surface=None,", "a value is missing"),
        ("surface", "no `=`"),
    ] {
        let faults = add_setting(&mut sweep, text).expect_err("a fault");
        assert!(faults[0].to_string().contains(expected), "{}", faults[0]);
    }
}
