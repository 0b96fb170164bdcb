//! Small scenes that the tests run.

/// 500 particles fall on a ball and a tetrahedron in a box; every kind of solid is hit.
pub const SMALL: &str = r#"// A test.
Scene(
    frames: (count: 2, rate: 100.0),
    gravity: (0.0, 0.0, -9.81),
    domain: Box(min: (0.0, 0.0, 0.0), max: (0.4, 0.2, 0.4)),
    particle_radius: 0.01,
    fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0.1, 0.0, 0.16), max: (0.3, 0.2, 0.26))],
    )],
    solids: [
        SphereField(List([(centre: (0.15, 0.1, 0.09), radius: 0.05)])),
        Mesh(path: "tetrahedron.obj", scale: 0.1, translate: (0.25, 0.05, 0.04)),
    ],
    solver: Wcsph(),
    neighbors: CellIndex,
    broad_phase: HierarchicalHash,
    surface: (cell: 0.8, iso: 0.6),
    output: (particles: true, surface: [Ply, Vtp]),
)
"#;

/// A closed mesh, counter-clockwise seen from outside.
pub const TETRAHEDRON: &str = "\
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
";

/// [`SMALL`] with a piece of text replaced, which must be there once.
pub fn small_with(old: &str, new: &str) -> String {
    assert_eq!(SMALL.matches(old).count(), 1, "`{old}` in the scene");
    SMALL.replace(old, new)
}
