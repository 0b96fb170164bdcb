//! Scenes of a few hundred particles that use many features at once, for each solver.

/// Names and texts of the scenes.
pub const RICH_SCENES: [(&str, &str); 5] = [
    ("fountain", DFSPH_FOUNTAIN),
    ("stirred layers", WCSPH_LAYERS),
    ("individual steps", WCSPH_INDIVIDUAL_STEPS),
    ("averaged phases", MULTIPHASE),
    ("bouncing dust", BALLISTIC),
];

/// Two fluids with tension, an emitter, a sink, a mesh that turns, a viscous fluid, probes.
const DFSPH_FOUNTAIN: &str = r#"Scene(
    frames: (count: 6, rate: 60),
    domain: Box(min: (0, 0, 0), max: (0.24, 0.16, 0.24)),
    particle_radius: 0.01,
    kernel: WendlandC2,
    fluids: [
        (
            name: "water", rest_density: 1000, viscosity: 1e-6, surface_tension: 0.07,
            shapes: [Box(min: (0, 0, 0), max: (0.24, 0.16, 0.06), pressure: Hydrostatic)],
        ),
        (
            name: "oil", rest_density: 800, viscosity: 1e-2, surface_tension: 0.03,
            shapes: [Ball(centre: (0.12, 0.08, 0.12), radius: 0.03)],
        ),
    ],
    interfaces: [(between: ("water", "oil"), tension: 0.05)],
    emitters: [(
        fluid: "water", from: Disc(centre: (0, 0.08, 0.18), normal: (1, 0, 0), radius: 0.03),
        speed: 0.8,
    )],
    sinks: [Box(min: (0.2, 0, 0), max: (0.24, 0.16, 0.02))],
    max_particles: 400,
    solids: [Mesh(
        path: "tetrahedron.obj", scale: 0.06, translate: (0.1, 0.06, 0.02),
        motion: Formula(degrees: "400*t"), contact: (slip: No, contact_angle: 60.0),
    )],
    probes: (rate: 200.0, list: [Front(name: "front", axis: X)]),
    checkpoints: (frames: 1),
    output: (particles: true, surface: [Ply, Vtp]),
)
"#;

/// Two layers that a box stirs, with densities that go with the flow.
const WCSPH_LAYERS: &str = r#"Scene(
    frames: (count: 6, rate: 100),
    domain: Box(min: (0, 0, 0), max: (0.2, 0.12, 0.2)),
    particle_radius: 0.01,
    kernel: WendlandC2,
    fluids: [
        (
            name: "brine", rest_density: 1100, viscosity: 1e-5,
            shapes: [Box(min: (0, 0, 0), max: (0.2, 0.12, 0.06))],
        ),
        (
            name: "water", rest_density: 1000, viscosity: 1e-6,
            shapes: [Box(min: (0, 0, 0.06), max: (0.2, 0.12, 0.12))],
        ),
    ],
    solids: [
        Box(
            min: (0.08, 0.04, 0.14), max: (0.12, 0.08, 0.18),
            motion: Keyframes(keys: [(time: 0), (time: 0.06, translate: (0, 0, -0.08))]),
        ),
        SphereField(List([(centre: (0.16, 0.06, 0), radius: 0.03)])),
    ],
    solver: Wcsph(density: Continuity(diffusion: 0.1)),
    checkpoints: (frames: 1),
    output: (particles: true, surface: [Vtp]),
)
"#;

/// A thick and a thin fluid, each with steps of its own, among balls.
const WCSPH_INDIVIDUAL_STEPS: &str = r#"Scene(
    frames: (count: 6, rate: 100),
    domain: Box(min: (0, 0, 0), max: (0.2, 0.12, 0.2)),
    particle_radius: 0.01,
    fluids: [
        (
            name: "syrup", rest_density: 1400, viscosity: 0.02,
            shapes: [Box(min: (0, 0, 0), max: (0.08, 0.12, 0.1))],
        ),
        (
            name: "water", rest_density: 1000, viscosity: 1e-6,
            shapes: [Box(min: (0.12, 0, 0.06), max: (0.2, 0.12, 0.16))],
        ),
    ],
    solids: [SphereField(List([
        (centre: (0.16, 0.06, 0.02), radius: 0.03), (centre: (0.1, 0.06, 0), radius: 0.02),
    ]))],
    viscosity_solver: Explicit,
    solver: Wcsph(individual_steps: 4.0),
    surface: None,
    checkpoints: (frames: 1),
)
"#;

/// The model of Onderik & Ďurikovič with two fluids, tension and wet friction.
const MULTIPHASE: &str = r#"Scene(
    frames: (count: 6, rate: 50),
    domain: Box(min: (0, 0, 0), max: (0.2, 0.1, 0.2)),
    particle_radius: 0.01,
    support_radius: 0.06,
    kernel: Mueller,
    fluids: [
        (
            name: "water", rest_density: 1000, viscosity: 0.05, surface_tension: 0.6, stiffness: 20,
            shapes: [Box(min: (0, 0, 0), max: (0.08, 0.1, 0.12))],
        ),
        (
            name: "oil", rest_density: 700, viscosity: 0.08, stiffness: 20,
            shapes: [Box(min: (0.12, 0, 0), max: (0.2, 0.1, 0.08))],
        ),
    ],
    solver: Multiphase(wet_friction: 5.0, individual_steps: 3.0),
    limits: (on_breach: Warn),
    checkpoints: (frames: 1),
    output: (particles: true, surface: [Vtp]),
)
"#;

/// Particles without pressure that fall among balls and a mesh.
const BALLISTIC: &str = r#"Scene(
    frames: (count: 12, rate: 50),
    domain: Box(min: (0, 0, 0), max: (0.3, 0.2, 0.4), contact: (restitution: 0.3, friction: 0.2)),
    particle_radius: 0.01,
    fluids: [(
        name: "dust", rest_density: 1500, viscosity: 0,
        shapes: [Box(min: (0, 0, 0.24), max: (0.3, 0.2, 0.36))],
    )],
    solids: [
        SphereField(Random(
            seed: 3, count: 30, diameter: (0.03, 0.08),
            region: (min: (0, 0, 0), max: (0.3, 0.2, 0.22)), overlap: true,
        )),
        Mesh(path: "tetrahedron.obj", scale: 0.1, translate: (0.1, 0.05, 0.02)),
    ],
    solver: Ballistic(),
    surface: None,
    checkpoints: (frames: 2),
)
"#;
