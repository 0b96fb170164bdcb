//! Emitters and sinks that are legal, and can hardly be meant: each is warned of, at its place.

use hashfall_scene::{Diagnostic, Severity, Source, prepare};

/// The warnings of a scene of 0.2 s with these keys; 1000 particles stand in a corner.
fn warnings(keys: &str) -> Vec<Diagnostic> {
    let text = format!(
        "Scene(
    frames: (count: 10, rate: 50.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.01,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
        Box(min: (0, 0, 0), max: (0.2, 0.2, 0.2)),
    ])],
    {keys}
)"
    );
    let source = Source { name: "odd.ron".to_owned(), text };
    let scene = prepare(&source, &[], &mut |_| unreachable!("no mesh")).expect("no error");
    assert!(scene.warnings.iter().all(|warning| warning.severity == Severity::Warning));
    scene.warnings
}

/// Warns of `keys` once, at the place of the `^` in it.
#[track_caller]
fn assert_warns(keys: &str, message: &str, help: &str) {
    let warnings = warnings(&keys.replace('^', ""));
    let [warning] = &warnings[..] else { panic!("{keys}: {warnings:?}") };
    let lines = keys[..keys.find('^').expect("a place")].matches('\n').count();
    let column = keys.find('^').unwrap() - keys[..keys.find('^').unwrap()].rfind('\n').unwrap_or(0);
    assert_eq!(warning.line(), 8 + lines, "{keys}: {warning}");
    assert_eq!(warning.column(), column + if lines == 0 { 5 } else { 0 }, "{keys}: {warning}");
    assert!(warning.message.contains(message), "{keys}: {warning}");
    assert!(warning.help.as_deref().is_some_and(|it| it.contains(help)), "{keys}: {warning:?}");
}

/// A round opening that leads up from the middle, with more keys.
fn up(x: f64, keys: &str) -> String {
    format!(
        "(from: Disc(centre: ({x}, 0.5, 0.5), normal: (0, 0, 1), radius: 0.05), speed: 1{keys})"
    )
}

#[test]
fn emitters_that_give_nothing_are_told() {
    let one = |keys: &str| format!("emitters: [{}],", up(0.5, keys));
    assert_warns(&one(", start: ^0.2"), "starts at 0.2 s, after the end of the run", "earlier");
    assert_warns(&one(", start: ^7"), "after the end of the run at 0.2 s", "more frames");
    // A layer takes 0.02 s.
    assert_warns(&one(", start: 0.1, end: ^0.119"), "ends before it has emitted a layer", "0.12 s");
    for fine in ["", ", start: 0.19", ", start: 0.1, end: 0.121"] {
        assert_eq!(warnings(&one(fine)), [], "{fine}");
    }
}

#[test]
fn a_budget_in_which_a_nozzle_never_fits_is_told() {
    let emitters = format!("emitters: [{}],", up(0.5, ""));
    let sink = "sinks: [Ball(centre: (0.9, 0.9, 0.1), radius: 0.1)],";
    let filled = |most: &str| format!("{emitters} max_particles: {most},");
    // Two layers of 21 particles.
    assert_warns(&filled("^1000"), "`emitters[0]` never emits", "1042 or more");
    assert_warns(&filled("^1041"), "needs 42 particles, the scene starts with 1000", "`sinks`");
    assert_eq!(warnings(&filled("1042")), []);
    assert_eq!(warnings(&format!("{} {sink}", filled("1000"))), [], "the sink makes room");
}

#[test]
fn nozzles_in_one_place_are_told() {
    let two = |a: &str, b: &str| format!("emitters: [{a},\n{b}],");
    let marked = |other: String| other.replace("from: Disc", "from: ^Disc");
    let first = up(0.5, "");
    for x in [0.5, 0.51, 0.57] {
        assert_warns(&two(&first, &marked(up(x, ""))), "`emitters[0]` and `emitters[1]`", "move");
    }
    // They meet head on, behind their openings.
    let down =
        "(from: ^Disc(centre: (0.5, 0.5, 0.45), normal: (0, 0, -1), radius: 0.05), speed: 2)";
    assert_warns(&two(&first, down), "overlap at (0.", "`start`");
    for fine in [
        two(&first, &up(0.62, "")),
        two(&up(0.5, ", end: 0.1"), &up(0.5, ", start: 0.1")),
        two(&first, &up(0.5, "").replace("0.5, 0.5)", "0.5, 0.6)")),
    ] {
        assert_eq!(warnings(&fine), [], "{fine}");
    }
}

#[test]
fn sinks_where_nothing_comes_or_all_goes_at_once_are_told() {
    let with = |sink: &str| format!("emitters: [{}],\nsinks: [{sink}],", up(0.5, ""));
    for (sink, message) in [
        ("^Box(min: (0.4, 0.4, 0.4), max: (0.6, 0.6, 0.6))", "21 of 21 particles per layer"),
        ("^Ball(centre: (0.55, 0.5, 0.51), radius: 0.03)", "covers the opening of `emitters[0]`"),
        ("^Box(min: (0, 0, -1), max: (1, 1, 0))", "outside the domain"),
        ("^Ball(centre: (1.2, 0.5, 1.2), radius: 0.25)", "outside the domain"),
    ] {
        assert_warns(
            &with(sink),
            message,
            if message.contains("domain") { "domain" } else { "away" },
        );
    }
    for fine in [
        "Box(min: (0, 0, -1), max: (1, 1, 0.1))",
        "Ball(centre: (1.2, 0.5, 1.2), radius: 0.3)",
        "Box(min: (0.4, 0.4, 0.6), max: (0.6, 0.6, 0.8))",
        "Box(min: (0.4, 0.4, 0.2), max: (0.6, 0.6, 0.5))",
    ] {
        assert_eq!(warnings(&with(fine)), [], "{fine}");
    }
}

#[test]
fn a_nozzle_in_what_moves_is_told() {
    let with = |from: &str, min: f64, motion: &str| {
        format!(
            "emitters: [{}],\nsolids: [Box(min: (0.4, 0.4, {min}), max: (0.6, 0.6, 0.5){motion})],",
            up(0.5, "").replace("from: ", from)
        )
    };
    let lift = ", motion: Formula(translate: (\"0\", \"0\", \"-0.1*t\"))";
    let message = "lies in `solids[0]`, which moves";
    assert_warns(&with("from: ^", 0.3, lift), message, "in what stands");
    assert_eq!(warnings(&with("from: ", 0.3, "")), [], "it is a tunnel");
    let beside = with("from: ", 0.3, lift).replace("min: (0.4", "min: (0.57");
    assert_eq!(warnings(&beside), []);
}
