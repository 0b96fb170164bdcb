//! Scenes in the plane, and periodic sides.

use super::support::faults_of;
use hashfall_scene::{Severity, Source, prepare};

/// A good scene in the plane.
const PLANE: &str = "Scene(
    dimensions: Two,
    frames: (count: 1, rate: 50.0),
    domain: Box(min: (0, 0, 0), max: (1, 0, 1), periodic: (true, false, false)),
    particle_radius: 0.025,
    fluids: [(
        name: \"water\", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0), max: (0.5, 0, 0.5))],
    )],
    solids: [SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))],
)
";

#[test]
fn a_scene_in_the_plane_is_a_layer_of_squares() {
    let source = Source { name: "plane.ron".to_owned(), text: PLANE.to_owned() };
    let scene = prepare(&source, &[], &mut |_| Ok(vec![])).unwrap();
    let world = &scene.world;
    assert_eq!(world.particles.len(), 100);
    assert!(world.particles.position.iter().all(|x| x.y == 0.0));
    assert!((world.particle_mass(0) - 1000.0 * 0.05 * 0.05).abs() < 1e-4, "a metre thick");
    assert_eq!(world.periodic, [true, false, false]);
    assert!(scene.surface.is_none() && scene.resolved.contains("surface: None"));
    assert!(scene.resolved.contains("dimensions: Two"));
}

#[test]
fn solids_of_revolution_along_y_are_discs_in_the_plane() {
    let list = "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))";
    let disc = |solid: &str| {
        let text = PLANE.replace(list, solid);
        let source = Source { name: "plane.ron".to_owned(), text };
        let solids = prepare(&source, &[], &mut |_| Ok(vec![])).unwrap().world.solids;
        assert_eq!((solids.rounds().len(), solids.body_count()), (0, 2), "{solid}");
        solids.spheres().to_vec()
    };
    let ball = disc(list);
    for solid in [
        "Ball(centre: (0.8, 0, 0.2), radius: 0.1)",
        "Cylinder(from: (0.8, -1, 0.2), to: (0.8, 1, 0.2), radius: 0.1)",
        "Capsule(from: (0.8, -1, 0.2), to: (0.8, 1, 0.2), radius: 0.1)",
        "Cone(from: (0.8, -1, 0.2), to: (0.8, 1, 0.2), radius: 0.2)",
    ] {
        assert_eq!(disc(solid), ball, "{solid}");
    }
}

#[test]
fn what_does_not_lie_in_the_plane_is_refused() {
    for (old, new, message) in [
        ("max: (1, 0, 1)", "max: (1, 1, 1)", "lies at y = 0, not at 1"),
        ("max: (0.5, 0, 0.5)", "max: (0.5, 0.5, 0.5)", "lies at y = 0, not at 0.5"),
        ("max: (0.5, 0, 0.5)", "max: (0.5, 0, 0.5), velocity: (0, 2, 0)", "not at 2"),
        ("centre: (0.8, 0, 0.2)", "centre: (0.8, 0.1, 0.2)", "not at 0.1"),
        ("(true, false, false)", "(true, true, false)", "the plane does not extend along y"),
        ("dimensions: Two", "dimensions: Two, gravity: (0, 1, 0)", "not at 1"),
        (
            "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))",
            "Mesh(path: \"box.obj\", translate: (0, 3, 0))",
            "does not cross the plane y = 0",
        ),
        (
            "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))",
            "Polygon(points: [(0.7, 0.1), (0.9, 0.3), (0.9, 0.1), (0.7, 0.3)])",
            "edges of this polygon cross",
        ),
        (
            "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))",
            "Cylinder(from: (0.7, 0, 0.2), to: (0.9, 0, 0.2), radius: 0.1)",
            "only a solid along y has a section",
        ),
        (
            "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))",
            "Cone(from: (0.8, 0.1, 0.2), to: (0.8, 1, 0.2), radius: 0.1)",
            "does not cut the plane",
        ),
        (
            "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))",
            "Polygon(points: [(0.7, 0.1), (0.9, 0.3)])",
            "a polygon of 2 corners",
        ),
        (
            "List([(centre: (0.8, 0, 0.2), radius: 0.1)])",
            "Lattice(min: (0.8, 0, 0.2), spacing: (0.1, 0.1, 0.1), counts: (1, 2, 1), diameter: 0.1)",
            "the plane holds one layer of balls",
        ),
        (
            "List([(centre: (0.8, 0, 0.2), radius: 0.1)])",
            "Random(seed: 1, count: 2, diameter: (0.1, 0.2), region: (min: (0, 0, 0), max: (1, 1, 1)))",
            "a random field of balls fills space",
        ),
        (
            "SphereField(List([(centre: (0.8, 0, 0.2), radius: 0.1)]))",
            "Box(min: (0.7, 0, 0), max: (0.9, 0.1, 0.2))",
            "not at 0.1",
        ),
        ("periodic: (true, false, false)", "contact: (velocity: (0, 3, 0))", "not at 3"),
        (
            "periodic: (true, false, false)",
            "sides: (y_min: (slip: No))",
            "there is no wall `y_min`",
        ),
        ("radius: 0.025", "radius: 0.2", "less than two support radii"),
        (
            "dimensions: Two",
            "dimensions: Two, forces: [Central(centre: (0, 1, 0), stiffness: 1)]",
            "not at 1",
        ),
        ("dimensions: Two", "dimensions: Two, forces: [Table([(0.0, (0, 2, 0))])]", "not at 2"),
        (
            "Box(min: (0, 0, 0), max: (0.5, 0, 0.5))",
            "Ball(centre: (0.4, 0.2, 0.4), radius: 0.2)",
            "not at 0.2",
        ),
        (
            "max: (0.5, 0, 0.5))",
            "max: (0.5, 0, 0.5), initial_velocity: Linear(centre: (0, 0, 0), rows: ((0, 0, 1), (1, 0, 0), (0, 0, 0))))",
            "a velocity out of the plane",
        ),
        (
            "Box(min: (0, 0, 0), max: (0.5, 0, 0.5))",
            "Fill(from: (0.15, 0.3, 0.05), level: 0.2)",
            "a scene in two dimensions lies at y = 0, not at 0.3",
        ),
        (
            // Between the places of any coarse sample.
            "max: (0.5, 0, 0.5))",
            "max: (0.5, 0, 0.5), initial_velocity: Formula(y: \"max(0, x - 0.4) * max(0, 0.45 - x)\"))",
            "along y leaves the plane at 10 of 100 particles; first: (0.4250, 0.0000, 0.0250)",
        ),
        (
            // Only where jitter moves particles.
            "max: (0.5, 0, 0.5))",
            "max: (0.5, 0, 0.5), jitter: (seed: 1, amount: 0.2), \
             initial_velocity: Formula(y: \"max(0, 0.02 - x)\"))",
            "along y leaves the plane at ",
        ),
        ("dimensions: Two", "dimensions: Four", "`Four`"),
    ] {
        assert_eq!(PLANE.matches(old).count(), 1, "{old} is unique");
        let faults = faults_of(&PLANE.replace(old, new), &[], super::support::CUBE);
        let is_expected = |f: &hashfall_scene::Diagnostic| {
            f.severity == Severity::Error && f.message.contains(message) && f.span.is_some()
        };
        assert!(faults.iter().any(is_expected), "{new}: {faults:?}");
    }
}
