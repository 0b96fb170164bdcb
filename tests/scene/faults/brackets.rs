//! Brackets too many.

use super::support::{CUBE, Case, GOOD, assert_refused, faults_of, help};

/// Brackets around a value that has some already, or needs none.
const BRACKETS: &[Case] = &[
    (
        "Mesh(path: \"box.obj\", scale: 0.1, translate: (0.8, 0.2, 0.2))",
        "Mesh((path: \"box.obj\", scale: 0.1))",
        14,
        14,
        "`solids[2]`: doubled brackets: `Mesh((`",
    ),
    ("(cell: 0.5, iso: 0.6)", "Some((cell: 0.5))", 18, 19, "`surface`: doubled brackets: `Some((`"),
    (
        "Wcsph(sound_speed: 30.0, courant: 0.4)",
        "Wcsph((courant: 0.4))",
        16,
        19,
        "`solver`: doubled brackets: `Wcsph((`",
    ),
    (
        "(count: 20, rate: 50.0)",
        "((count: 20, rate: 50.0))",
        3,
        14,
        "`frames`: doubled brackets: `((`",
    ),
    ("(0.0, 0.0, -9.81)", "((0, 0, -9.81))", 4, 15, "`gravity`: doubled brackets: `((`"),
    (
        "[(centre: (0.8, 0.8, 0.2), radius: 0.1)]",
        "[((centre: (0.8, 0.8, 0.2), radius: 0.1))]",
        13,
        28,
        "`solids[1][0]`: doubled brackets: `((`",
    ),
    ("0.025", "(0.025)", 6, 22, "`particle_radius`: brackets around one value"),
    (
        "Box(min: (0, 0, 0), max: (1, 1, 1.5))",
        "(Box(min: (0, 0, 0), max: (1, 1, 1.5)))",
        5,
        13,
        "`domain`: brackets around one value",
    ),
    ("[Ply, Vtp]", "([Ply])", 19, 40, "`output.surface`: brackets around one value"),
    ("[Ply, Vtp]", "[(Ply)]", 19, 41, "`output.surface[0]`: brackets around one value"),
    (
        "(count: 20, rate: 50.0)",
        "Some(count: 20, rate: 50.0)",
        3,
        13,
        "`frames` does not take `Some(…)`",
    ),
];

#[test]
fn brackets_too_many_are_told_as_such() {
    assert_refused(BRACKETS);
    let advice = help("(cell: 0.5, iso: 0.6)", "Some((cell: 0.5))");
    assert_eq!(advice, "one pair is enough: `Some(…)`; or leave `Some` out: `(…)`");
    let advice = help("(count: 20, rate: 50.0)", "((count: 20, rate: 50.0))");
    assert_eq!(advice, "one pair is enough: `(…)`");
    assert_eq!(help("0.025", "(0.025)"), "leave the brackets out");
    assert_eq!(help("50.0", "Some(50.0)"), "leave `Some(` and its `)` out");
    assert_eq!(help("30.0", "Some((30.0))"), "one pair is enough: `Some(…)`");
}

#[test]
fn what_follows_doubled_brackets_is_read_too() {
    let text = GOOD.replace("(cell: 0.5, iso: 0.6)", "Some((cell: 0.5, iso: 7))");
    let faults = faults_of(&text.replace("[Ply, Vtp]", "[Ply, Vtz]"), &[], CUBE);
    let places: Vec<_> = faults.iter().map(|fault| (fault.line(), fault.column())).collect();
    assert_eq!(places, [(18, 19), (19, 46), (18, 36)], "{faults:?}");
}
