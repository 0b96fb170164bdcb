//! What is wrong as a text: names, types, brackets.

use super::support::{CUBE, Case, GOOD, assert_refused, faults_of, help};

const TEXTS: &[Case] = &[
    (
        "viscosity: 1e-6",
        "viscosity: \"abc\"",
        8,
        57,
        "`fluids[0].viscosity`: expected a number, found `\"abc\"`",
    ),
    (
        "viscosity: 1e-6",
        "viscosity: abc",
        8,
        57,
        "`fluids[0].viscosity`: expected a number, found `abc`",
    ),
    ("viscosity: 1e-6", "viscosty: 1", 8, 46, "unknown key `viscosty` in `Fluid`"),
    ("viscosity: 1e-6,", "", 7, 14, "missing key `viscosity` in `Fluid`"),
    (
        "viscosity: 1e-6",
        "viscosity: 1e-6.5",
        8,
        57,
        "`fluids[0].viscosity`: expected a number, found `1e-6.5`",
    ),
    (
        "viscosity: 1e-6",
        "viscosity: 1e-6, colour: \"blue\"",
        8,
        63,
        "unknown key `colour` in `Fluid`",
    ),
    (
        "count: 20, rate",
        "count: 3.5, rate",
        3,
        21,
        "`frames.count`: expected a whole number, found `3.5`",
    ),
    ("count: 20, rate", "count: 20, count: 3, rate", 3, 25, "`count` is given twice"),
    ("CellIndex", "CelIndex", 17, 16, "unknown name `CelIndex`"),
    ("CellIndex", "3", 17, 16, "`neighbors`: expected a name, found `3`"),
    ("CellIndex", "\"CellIndex\"", 17, 16, "`neighbors`: expected a name, found `\"CellIndex\"`"),
    ("sound_speed", "sound_sped", 16, 19, "unknown key `sound_sped` in `Wcsph`"),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Wcsph",
        16,
        13,
        "`solver`: expected round brackets ( ) after `Wcsph`",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "(courant: 0.4)",
        16,
        13,
        "`solver`: expected a name, found `(`",
    ),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Dfspg(courant: 0.4)",
        16,
        13,
        "unknown name `Dfspg`",
    ),
    (
        "sound_speed: 30.0",
        "sound_speed: fast",
        16,
        32,
        "`solver.sound_speed`: expected a number, found `fast`",
    ),
    (
        "(0.0, 0.0, -9.81)",
        "[0,0,-9.81]",
        4,
        14,
        "`gravity`: expected round brackets ( ), found `[`",
    ),
    ("(0.0, 0.0, -9.81)", "(0,-9.81)", 4, 14, "`gravity`: expected 3 values, found 2"),
    ("(0.0, 0.0, -9.81)", "(0,0,0,-9.81)", 4, 21, "`gravity`: more values than expected"),
    ("(0.0, 0.0, -9.81)", "-9.81", 4, 14, "`gravity`: expected round brackets ( ), found `-9.81`"),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Bx(min: (0, 0, 0), max: (1, 1, 1.5))",
        5,
        13,
        "unknown name `Bx`",
    ),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "Box(min: (0, 0, 0))",
        5,
        13,
        "missing key `max` in `Box`",
    ),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "(min: (0, 0, 0), max: (1, 1, 1.5))",
        5,
        13,
        "`domain`: expected a name, found `(`",
    ),
    ("0.025,", "0.025", 7, 5, "a comma is missing before this"),
    ("0.025,", "0.025;", 6, 22, "`particle_radius`: cannot read `0.025;`"),
    ("0.025,", "0.025 m,", 6, 28, "a comma is missing before this"),
    ("0.025", "0x1g", 6, 22, "`particle_radius`: cannot read `0x1g`"),
    ("[Ply, Vtp]", "[Ply, Vtz]", 19, 46, "unknown name `Vtz`"),
    (
        "[Ply, Vtp]",
        "Ply",
        19,
        40,
        "`output.surface`: expected a list in square brackets [ ], found `Ply`",
    ),
    (
        "[Ply, Vtp]",
        "(Ply, Vtp)",
        19,
        40,
        "`output.surface`: expected a list in square brackets [ ], found `(`",
    ),
    (
        "particles: true",
        "particles: 1",
        19,
        25,
        "`output.particles`: expected a list of formats such as [Vtp], or true or false, found `1`",
    ),
    (
        "\"water\"",
        "water",
        8,
        15,
        "`fluids[0].name`: expected a text in double quotes, found `water`",
    ),
    ("\"water\"", "\"water", 8, 15, "this text is not closed on its line"),
    (
        "fluids: [(",
        "fluids: ((",
        7,
        13,
        "`fluids`: expected a list in square brackets [ ], found `(`",
    ),
    ("fluids: [(", "fluids: [", 8, 9, "a bracket `(` is missing before `name`"),
    ("    frames: (count: 20, rate: 50.0),\n", "", 2, 1, "missing key `frames` in `Scene`"),
    (
        "(count: 20, rate: 50.0)",
        "(20, 50)",
        3,
        14,
        "expected a key and its value, as in `key: value`",
    ),
    ("// A good", "/* A good", 1, 1, "a comment that starts with /* is never closed"),
    ("Scene(", "Scne(", 2, 1, "unexpected name `Scne`"),
    ("Scene(", "Scene{", 2, 6, "expected round brackets ( )"),
    ("surface: [Ply, Vtp]),\n)", "surface: [Ply, Vtp]),\n", 2, 1, "this bracket is never closed"),
    ("surface: [Ply, Vtp]),\n)", "surface: [Ply, Vtp]),\n) x", 20, 3, "more text after the end"),
    ("surface: [Ply, Vtp]),\n)", "surface: [Ply, Vtp],\n", 19, 13, "this bracket is never closed"),
    ("seed: 7", "seed: \"x\"", 12, 34, "`solids[0].seed`: expected a whole number, found `\"x\"`"),
    ("SphereField(List(", "SphereField(Lst(", 13, 21, "unknown name `Lst`"),
    ("SphereField(List(", "SphereFeld(List(", 13, 9, "unknown name `SphereFeld`"),
    ("SphereField(List(", "SphereField(", 13, 21, "`solids[1]`: expected a name, found `[`"),
    ("(cell: 0.5, iso: 0.6)", "Nne", 18, 14, "unexpected name `Nne`"),
    ("(cell: 0.5, iso: 0.6)", "0.5", 18, 14, "`surface`: expected round brackets ( ), found `0.5`"),
    (
        "(0.05, 0.2)",
        "0.3",
        12,
        58,
        "`solids[0].diameter`: expected round brackets ( ), found `0.3`",
    ),
];

#[test]
fn the_good_scene_is_good() {
    let faults = faults_of(GOOD, &[], CUBE);
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn each_broken_text_has_its_one_error_at_its_place() {
    assert_refused(TEXTS);
}

#[test]
fn help_says_what_would_be_right() {
    assert_eq!(help("viscosity:", "viscosty:"), "did you mean `viscosity`?");
    assert_eq!(help("CellIndex", "cellindex"), "did you mean `CellIndex`?");
    assert!(help("(0.0, 0.0, -9.81)", "[0, 0, -9.81]").contains("(0.0, 0.0, -9.81)"));
    assert!(help("viscosity: 1e-6,", "").starts_with("add `viscosity`: kinematic viscosity"));
    assert!(help("viscosity: 1e-6", "viscosity: -1").contains("m²/s"));
    assert!(help("Box(min: (0, 0, 0), max: (1", "Wall(min: (0, 0, 0), max: (1").contains("`Box`"));
}

#[test]
fn a_whole_number_in_powers_of_ten_is_spelt_out() {
    for (found, advice) in [("1e3", "write 1000"), ("2000.0", "write 2000"), ("1.5e2", "write 150")]
    {
        let fault = faults_of(
            &GOOD.replace("count: 20, rate", &format!("count: {found}, rate")),
            &[],
            CUBE,
        );
        let [fault] = &fault[..] else { panic!("{found}: {fault:?}") };
        assert_eq!((fault.line(), fault.column()), (3, 21), "{fault}");
        let wanted = format!("`frames.count`: expected a whole number, found `{found}`");
        assert_eq!(fault.message, wanted);
        assert_eq!(fault.help.as_deref(), Some(advice));
    }
    for odd in ["2.5", "1e-3", "1e30"] {
        let advice = help("count: 20, rate", &format!("count: {odd}, rate"));
        assert!(advice.contains("a whole number, from 1 to 1000000"), "{odd}: {advice}");
    }
}

#[test]
fn a_missing_key_is_explained_for_its_place() {
    let advice = help("count: 20, rate", "rate");
    assert!(advice.starts_with("add `count`: number of frames"), "{advice}");
    let advice = help("count: 20, dia", "dia");
    assert!(advice.contains("number of balls"), "{advice}");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let marked = |text: &str| faults_of(&format!("\u{feff}{text}"), &[], CUBE);
    assert_eq!(marked(GOOD), []);
    for text in [GOOD.replace("CellIndex", "CelIndex"), "Scne()".to_owned()] {
        assert_eq!(marked(&text), faults_of(&text, &[], CUBE));
        assert!(!marked(&text).is_empty());
    }
}

#[test]
fn a_text_without_a_scene_is_told_as_such() {
    let blank =
        ["", " \n\t\n", "// A comment.", "/* two */ // of them\n", "#![enable(implicit_some)]\n"];
    for text in blank {
        for overrides in [&[][..], &["frames.count=3"]] {
            let faults = faults_of(text, overrides, CUBE);
            let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
            assert_eq!(fault.message, "there is no scene in this file");
            assert_eq!((fault.line(), fault.column()), (1, 1));
            assert_eq!(fault.source_name, "test.ron");
            assert!(fault.help.as_ref().is_some_and(|help| help.contains("Scene(")));
        }
    }
}

#[test]
fn a_value_of_none_of_several_types_is_told_with_its_key() {
    for value in ["3", "-1.5", "Vtp", "None", "{}"] {
        let faults =
            faults_of(&GOOD.replace("particles: true", &format!("particles: {value}")), &[], CUBE);
        let [fault] = &faults[..] else { panic!("{value}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (19, 25), "{fault}");
        assert!(
            fault.message.starts_with("`output.particles`: expected a list of formats"),
            "{fault}"
        );
        let start = value.trim_end_matches('}');
        assert!(fault.message.ends_with(&format!(", found `{start}`")), "{fault}");
        assert!(fault.help.as_deref().unwrap_or_default().starts_with("file formats"), "{fault}");
    }
}
