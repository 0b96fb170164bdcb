//! What is wrong with elastic bodies.

use super::support::{CUBE, faults_of};
use hashfall_scene::{Severity, Source, prepare};

/// A good scene, of a cloth above a box; the cases break it.
const GOOD: &str = "Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.05,
    solids: [Box(min: (0, 0, 0), max: (1, 1, 0.1))],
    elastic: [(
        name: \"cloth\",
        shape: Sheet(origin: (0.2, 0.2, 0.5), u: (0.4, 0, 0), v: (0, 0.4, 0), cells: (4, 4)),
        material: Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3),
        fixings: [Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))],
    )],
)
";

/// Old text, new text, what the line says from the fault on, part of its message.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("name: \"cloth\"", "name: \"\"", "\"\"", "an elastic body without a name"),
    ("u: (0.4, 0, 0)", "u: (0, 2, 0)", "(0, 0.4", "a sheet without area"),
    ("cells: (4, 4)", "cells: (4, 0)", "0)),", "`cells[1]` must be positive, not 0"),
    ("density: 300", "density: -1", "-1,", "`density` must be positive, not -1"),
    ("0.3)", "0.7)", "0.7", "`poisson_ratio` is too large: 0.7"),
    ("young_modulus: 1e5, ", "", "Shell(", "missing key `young_modulus` in `Shell`"),
    (
        "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)",
        "Rope(density: 300, diameter: 1e-3, young_modulus: 1e5)",
        "Rope(",
        "`Sheet` has no elements of the material `Rope`",
    ),
    (
        "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)",
        "Springs(density: 300, stiffness: 1, young_modulus: 1e5)",
        "1, young",
        "both `stiffness` and `young_modulus` are given",
    ),
    (
        "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)",
        "Springs(stiffness: 1)",
        "Springs(",
        "springs without a mass",
    ),
    (
        "Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))",
        "Tied(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01), to: 1)",
        "1)]",
        "no solid 1 is there",
    ),
    ("centre: (0.2, 0.2, 0.5)", "centre: (0, 0, 0)", "Ball(", "no node of this body lies there"),
    ("Ball(centre: (0.2, 0.2, 0.5), radius: 0.01)", "Indices([25])", "Indices(", "no node 25"),
    (
        "fixings: [",
        "fixings: [Fixed(nodes: Indices([0])), ",
        "Ball(",
        "node 0 is held by `fixings[0]` already",
    ),
    ("origin: (0.2, 0.2, 0.5)", "origin: (0.2, 0.2, 1.5)", "Ball(", "no node of this body"),
    ("v: (0, 0.4, 0)", "v: (0, 0.9, 0)", "Sheet(", "begins outside the domain, at (0.2, 1.1, 0.5)"),
    (
        "v: (0, 0.4, 0)",
        "v: (0, 0.1, -0.47)",
        "Sheet(",
        "begins inside a solid, at (0.2, 0.3, 0.03)",
    ),
    (
        "solids: [Box(min: (0, 0, 0), max: (1, 1, 0.1))]",
        "solids: [Box(min: (0.44, 0.44, 0.4), max: (0.46, 0.46, 0.6))]",
        "Sheet(",
        "begins through a solid, at (0.4",
    ),
    ("frames: (", "dimensions: Two, frames: (", "[(", "elastic bodies are for three dimensions"),
    (
        "max: (1, 1, 1)",
        "max: (1, 1, 1), periodic: (true, false, false)",
        "true",
        "elastic bodies do not go across periodic sides",
    ),
];

#[test]
fn faults_of_elastic_bodies_are_told_at_their_place() {
    assert_eq!(faults_of(GOOD, &[], CUBE), []);
    for &(old, new, at, message) in CASES {
        assert_eq!(GOOD.matches(old).count(), 1, "{old} is unique");
        let text = GOOD.replace(old, new);
        let faults = faults_of(&text, &[], CUBE);
        let fault = faults.iter().find(|fault| fault.message.contains(message));
        let fault = fault.unwrap_or_else(|| panic!("{new}: {faults:?}"));
        assert_eq!(fault.severity, Severity::Error, "{new}");
        let start = fault.span.as_ref().map_or(0, |span| span.start);
        let rest: String = text.chars().skip(start).collect();
        assert!(rest.starts_with(at), "{new}: {fault}");
    }
}

#[test]
fn bodies_that_begin_through_each_other_or_themselves_are_refused() {
    let two = GOOD.replace(
        "    )],\n",
        "    ), (
        name: \"rope\",
        shape: Line(from: (0.45, 0.45, 0.3), to: (0.45, 0.45, 0.7), segments: 3),
        material: Rope(density: 900, diameter: 1e-3, young_modulus: 1e6),
    )],\n",
    );
    let faults = faults_of(&two, &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    let message = "`elastic[1]` begins through `elastic[0]`, at (0.45, 0.45, 0.5)";
    assert_eq!(fault.message, message);
    let apart = two.replace("    elastic: [", "    elastic_contact: None,\n    elastic: [");
    assert_eq!(faults_of(&apart, &[], CUBE), []);
}

#[test]
fn a_scene_of_elastic_bodies_alone_is_built_as_it_says() {
    let source = Source { name: String::new(), text: GOOD.to_owned() };
    let scene = prepare(&source, &[], &mut |_| unreachable!("no file")).unwrap();
    let elastic = scene.world.elastic.as_ref().unwrap();
    assert_eq!(elastic.system.node_count(), 25);
    let held = elastic.system.inverse_mass().iter().filter(|m| **m == 0.0).count();
    let mass: f64 = elastic.system.mass().iter().sum();
    assert_eq!(held, 1);
    assert!((mass - 300.0 * 1e-3 * 0.16).abs() < 1e-12, "{mass}");
    assert!(scene.world.particles.is_empty() && scene.surface.is_none());
    // What was resolved is the same scene.
    let again = Source { name: String::new(), text: scene.resolved.clone() };
    let again = prepare(&again, &[], &mut |_| unreachable!("no file")).unwrap();
    assert_eq!((again.world, again.resolved), (scene.world, scene.resolved));
}
