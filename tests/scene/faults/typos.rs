//! Every name of a scene, misspelt in the ways of a hurried hand: each is found at its place, and
//! the right name offered.

use super::support::{CUBE, GOOD, faults_of};
use hashfall_scene::schema::keys;
use std::collections::BTreeSet;
use std::ops::Range;

/// With [`GOOD`], every key, kind and choice.
const LONG: &str = r#"Scene(
    description: "every key",
    dimensions: Three,
    frames: (count: 2, rate: 50.0),
    gravity: (0, 0, -9.81),
    forces: [
        Central(centre: (0, 0, 0), stiffness: 0.0),
        Table([(0.0, (0, 0, 0)), (1.0, (1, 0, 0))]),
    ],
    reference_frame: Formula(degrees: "5*sin(t)", axis: (0, 1, 0)),
    domain: Box(
        min: (0, 0, 0), max: (1, 1, 1), periodic: (false, false, false),
        contact: (
            slip: No, friction: 0.3, restitution: 0.5, velocity: (0, 0, 0), contact_angle: 60.0,
        ),
        sides: (
            x_min: (slip: No), x_max: (slip: Free), y_min: (slip: No),
            y_max: (slip: No), z_min: (slip: No), z_max: (slip: No),
        ),
    ),
    particle_radius: 0.025,
    support_radius: 0.15,
    kernel: CubicSpline,
    fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6, surface_tension: 0.0,
        shapes: [
            Box(
                min: (0, 0, 0), max: (0.3, 0.3, 0.3), pressure: Hydrostatic,
                initial_velocity: TaylorGreen(speed: 0.1, wavelength: 0.3), jitter: (seed: 1, amount: 0.1),
            ),
            Ball(
                centre: (0.7, 0.7, 0.7), radius: 0.1, velocity: (0, 0, 0),
                initial_velocity: Linear(centre: (0, 0, 0), rows: ((0, 0, 0), (0, 0, 0), (0, 0, 0))),
            ),
            Ball(
                centre: (0.4, 0.7, 0.7), radius: 0.1,
                initial_velocity: InterfaceWave(
                    speed: 0.1, wavelength: 1.0, interface: 0.5, below: 0.5, above: 0.5,
                ),
            ),
            Mesh(
                path: "box.obj", scale: 0.2, rotate: (axis: (0, 0, 1), degrees: 30.0),
                translate: (0.6, 0.2, 0.3),
                initial_velocity: StandingWave(amplitude: 0.01, wavelength: 1.0, depth: 1.0, bottom: 0.0),
            ),
        ],
    ), (
        name: "oil", rest_density: 900.0, viscosity: 1e-4,
        shapes: [Box(min: (0.1, 0.1, 0.1), max: (0.2, 0.2, 0.2), replaces: true)],
    )],
    interfaces: [(between: ("water", "oil"), tension: 0.03)],
    solids: [
        SphereField(Lattice(
            min: (0.1, 0.9, 0.5), diameter: 0.05, spacing: (0.1, 0.1, 0.1), counts: (2, 1, 1),
            motion: Keyframes(
                keys: [
                    (time: 0.0),
                    (time: 1.0, translate: (0, 0, 0.1), rotate: (axis: (0, 0, 1), degrees: 90.0)),
                ],
                pivot: (0.5, 0.5, 0), between: Smooth, after: Hold,
            ),
        )),
        SphereField(Random(
            seed: 7, count: 2, diameter: (0.02, 0.03), sizes: Uniform, overlap: false,
            region: (min: (0, 0, 0.9), max: (1, 1, 1)),
        )),
        SphereField(Balls(
            list: [(centre: (0.9, 0.9, 0.5), radius: 0.05)],
            motion: Spin(rpm: 60.0, axis: (0, 0, 1), pivot: (0.9, 0.8, 0)),
        )),
        Box(
            min: (0.9, 0, 0.1), max: (1.0, 0.1, 0.2), contact: (slip: Free),
            motion: Formula(
                translate: ("0.1*sin(2*pi*t)", "0", "0"), degrees: "90*t", axis: (0, 0, 1),
                pivot: (0.9, 0, 0.1),
            ),
        ),
        Mesh(path: "box.obj", scale: 0.1, translate: (0.2, 0.7, 0.2), inside: Solid),
    ],
    emitters: [
        (
            fluid: "water", speed: 1.0, direction: (0, 0, -1), start: 0.5, end: 0.6,
            from: Disc(centre: (0.5, 0.8, 0.8), normal: (0, 0, -1), radius: 0.06),
        ),
        (
            fluid: "oil", from: Rectangle(centre: (0.0, 0.5, 0.5), normal: (1, 0, 0), size: (0.1, 0.1)),
            speed: 1.0,
        ),
    ],
    sinks: [
        Box(min: (0.9, 0.9, 0), max: (1, 1, 0.1)),
        Ball(centre: (0.9, 0.1, 0.5), radius: 0.05),
    ],
    max_particles: 100000,
    solver: Dfsph(
        max_density_error: 1e-4, max_divergence_error: 1e-4, max_iterations: 100,
        artificial_viscosity: 0.2, courant: 0.4,
    ),
    viscosity_solver: Implicit,
    neighbors: GridCellHash,
    search: (subdivision: 0, table_size: 4096, hash_function: Additive),
    broad_phase: MultilevelHash,
    surface: (raw: false, 
        cell: 0.5, iso: 0.6, anisotropy: 1.5, cleanup: true, smoothing: 5, smoothing_weights: true,
        normals_smoothing: 3, decimation: 0.1, min_component_volume: 5.0, spray: true, clip: Flat,
        merge_fluids: true,
    ),
    output: (particles: [Vtp], particles_every: 2, surface: [Ply, Vtp]),
    probes: (rate: 100.0, list: [
        Pressure(name: "P1", at: (0.5, 0.5, 0.1)),
        Velocity(name: "V1", at: (0.9, 0.9, 0.6), on: 2),
        MeanPressure(
            name: "M1",
            over: Rectangle(centre: (0.5, 0.5, 0), normal: (0, 0, 1), size: (0.1, 0.1)),
        ),
        Force(name: "N1", over: Disc(centre: (0.5, 0.5, 0), normal: (0, 0, 1), radius: 0.1)),
        Height(name: "H1", x: 0.5, y: 0.5),
        Front(name: "F1", axis: X, below: 0.5),
    ]),
    checkpoints: (frames: 10, minutes: 5.0),
    limits: (
        compression: 0.5, penetration: 0.1, speed: 100.0, outside: 0, energy_gain: 10.0,
        on_breach: Warn,
    ),
    preview: (every: 2, size: (320, 180), of: Particles, view: (30.0, 20.0)),
)
"#;

/// What lies in the plane alone.
const PLANE: &str = "Scene(
    frames: (count: 1, rate: 10.0),
    dimensions: Two,
    domain: Box(min: (0, 0, 0), max: (2, 0, 1)),
    particle_radius: 0.02,
    fluids: [(name: \"water\", rest_density: 1000.0, viscosity: 0.0, shapes: [
        Polygon(points: [(0, 0), (0.4, 0), (0, 0.3)]),
    ])],
    solids: [Polygon(points: [(1, 0), (1.4, 0), (1.4, 0.3)])],
)
";

/// Shapes that are composed, round, or come from a file.
const SHAPES: &str = "Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.02,
    fluids: [(name: \"water\", rest_density: 1000.0, viscosity: 0.0, shapes: [
        Union(of: [
            Box(min: (0, 0, 0), max: (0.4, 0.4, 0.2)),
            Capsule(from: (0.2, 0.2, 0.2), to: (0.2, 0.2, 0.5), radius: 0.1),
        ]),
        Difference(
            of: Cone(from: (0.7, 0.7, 0), to: (0.7, 0.7, 0.3), radius: 0.2, tip_radius: 0.05),
            minus: [Intersection(of: [
                Cylinder(from: (0.7, 0.7, 0), to: (0.7, 0.7, 0.5), radius: 0.1),
            ])],
            initial_velocity: Formula(x: \"y\", y: \"z\", z: \"x\"),
        ),
        Particles(path: \"drops.xyz\", columns: (u: 4, v: 5, w: 6), phase: None, up: Y, scale: 1.0,
            translate: (0, 0, 0)),
    ])],
)
";

/// A vessel, the walls of the domain, that is filled.
const FILLED: &str = "Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.05,
    fluids: [(name: \"water\", rest_density: 1000.0, viscosity: 0.0, shapes: [
        Fill(from: (0.5, 0.5, 0.1), level: 0.3, volume: None),
    ])],
)
";

/// Elastic bodies alone.
const ELASTIC: &str = "Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (-1, -1, -1), max: (2, 2, 2)),
    particle_radius: 0.05,
    solids: [Box(min: (-1, -1, -1), max: (2, 2, -0.9))],
    elastic: [
        (
            name: \"cloth\",
            shape: Sheet(origin: (0, 0, 1), u: (1, 0, 0), v: (0, 1, 0), cells: (2, 2)),
            material: Shell(
                density: 300.0, thickness: 0.001, young_modulus: 1e5, poisson_ratio: 0.3,
                bending_rigidity: 1e-6,
            ),
            fixings: [
                Fixed(nodes: Box(min: (0, 0, 1), max: (0, 1, 1))),
                Tied(nodes: Ball(centre: (1, 1, 1), radius: 0.1), to: 0),
            ],
            damping: (rate: 0.1, time: 0.001),
            velocity: (0, 0, 1),
            initial_velocity: Still,
            contact: (thickness: 0.002, friction: 0.3),
            fluid_contact: (),
        ),
        (
            name: \"rope\",
            shape: Line(from: (0, 0, 1.5), to: (1, 0, 1.5), segments: 10),
            material: Rope(
                density: 900.0, diameter: 0.01, young_modulus: 1e6, bending_stiffness: 0.0,
            ),
            fixings: [Fixed(nodes: Indices([0, 10]))],
        ),
        (
            name: \"cube\",
            shape: Mesh(path: \"box.obj\", up: Y, scale: 0.1, rotate: (), translate: (0, 0, 1.8)),
            material: Springs(node_mass: 0.01, thickness: 0.001, stiffness: 10.0, bending: 0.1),
        ),
        (
            name: \"cuboid\",
            shape: Box(min: (-0.5, -0.5, 0), max: (-0.3, -0.3, 0.2), cells: (1, 1, 1)),
            material: Solid(
                density: 1000.0, young_modulus: 1e5, poisson_ratio: 0.4, elements: Linear,
            ),
        ),
        (
            name: \"ball\",
            shape: Tetrahedra(of: Ball(centre: (0.5, 0.5, 0.2), radius: 0.2), cell: 0.1),
            material: Solid(density: 1000.0, young_modulus: 1e5, poisson_ratio: 0.4),
        ),
        (
            name: \"ladder\",
            shape: Ladder(
                from: (1.5, 0, 1), to: (1.5, 0, 0), across: (0.2, 0, 0), rungs: 2, segments: 2,
                rung_segments: 2,
            ),
            material: Rope(density: 900.0, diameter: 0.01, young_modulus: 1e6),
        ),
        (
            name: \"lattice\",
            shape: Lattice(min: (-0.5, 1, 0), max: (-0.3, 1.2, 0.2), cells: (1, 1, 1)),
            material: Springs(density: 100.0, thickness: 0.001, young_modulus: 1e4),
        ),
        (
            name: \"balloon\",
            shape: BallShell(centre: (1.5, 1.5, 1.5), radius: 0.1, subdivisions: 1),
            material: Shell(density: 300.0, thickness: 0.001, young_modulus: 1e5, poisson_ratio: 0.3),
        ),
    ],
    elastic_solver: Implicit(
        substeps: 2, tolerance: 1e-6, max_newton: 100, max_conjugate_gradients: 5000,
        contact_rounds: 12,
    ),
    elastic_contact: SpatialHash(
        insertion: DuringMove, cell_size: Once, cell_ratio: 1.0, table_ratio: 1.0,
        rasterization: Surface, depth: 0.5,
    ),
)
";

/// What only the other solver takes.
const WEAKLY_COMPRESSIBLE: &str = "Wcsph(
        sound_speed: 30.0, exponent: 7.0, artificial_viscosity: 0.05, courant: 0.4,
        density: Continuity(diffusion: 0.1), shifting: 1.0, background_pressure: 0.0,
        interface_sharpening: 0.04,
    )";

/// What only the solver with averaged forces takes.
const MULTIPHASE: &str = "Multiphase(
        stiffness: 20.0, exponent: 7.0, wet_friction: 1.0, courant: 0.3, time_step: 0.001,
        individual_steps: 0.0,
    )";

/// The solver without pressure, and the shape that it alone takes.
const FLIGHT: &str = "Ballistic(courant: 0.5)";
const RANDOM: &str = "shapes: [
            Random(
                seed: 1, count: 3, velocity: (0, 0, 0),
                region: (min: (0.4, 0.75, 0.3), max: (0.5, 0.85, 0.4)),
            ),";

/// What pulls, in [`LONG`].
const INTERFACES: &str = "    interfaces: [(between: (\"water\", \"oil\"), tension: 0.03)],\n";

/// [`LONG`] with each solver, so that there is every key.
pub fn long_texts() -> [String; 4] {
    let long = LONG.to_owned();
    let a = long.find("Dfsph(").unwrap();
    let b = a + long[a..].find("    ),\n").unwrap() + "    )".len();
    let other = format!("{}{WEAKLY_COMPRESSIBLE}{}", &long[..a], &long[b..]);
    let emitters = long.find("    emitters: [").unwrap()..long.find("    sinks: [").unwrap();
    // Averaged forces draw what comes out of an opening back into it.
    let averaged = format!("{}{MULTIPHASE}{}", &long[..a], &long[b..])
        .replace(&long[emitters], "")
        .replace("    max_particles: 100000,\n", "")
        .replace("kernel: CubicSpline", "kernel: Mueller")
        .replace("viscosity_solver: Implicit", "viscosity_solver: Auto")
        .replace("slip: No", "slip: Free")
        .replace("contact_angle: 60.0", "contact_angle: 90.0")
        .replace("surface_tension: 0.0,", "surface_tension: 0.0, stiffness: 30.0,");
    let flight = format!("{}{FLIGHT}{}", &long[..a], &long[b..]).replacen("shapes: [", RANDOM, 1);
    // Particles that fly do not pull, and have no viscosity.
    let flight = flight
        .replace(INTERFACES, "")
        .replace("viscosity_solver: Implicit", "viscosity_solver: Auto");
    [long, other, averaged, flight]
}

/// The names of keys and choices in a text, with their places.
pub fn names(text: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' {
            2 + rest[1..].find('"').expect("a closed text")
        } else if is_part(c) || c == '-' {
            // Numbers as well: the letter in 1e-4 is no name.
            let end = |c: char| !(is_part(c) || c == '.' || c == '-');
            let length = rest.find(end).unwrap_or(rest.len());
            if c.is_ascii_alphabetic() && !matches!(&rest[..length], "true" | "false") {
                names.push(at..at + length);
            }
            length
        } else {
            c.len_utf8()
        };
        at += length;
    }
    names
}

/// A name with a letter twice, and if it is long enough one dropped and two exchanged.
pub fn typos(name: &str) -> Vec<String> {
    let middle = name.len() / 2;
    let (head, tail) = name.split_at(middle);
    let mut typos = vec![format!("{head}{}{tail}", &tail[..1])];
    if name.len() > 3 {
        typos.push(format!("{head}{}", &tail[1..]));
        let (a, b) = (&name[middle - 1..middle], &name[middle..=middle]);
        typos.push(format!("{}{b}{a}{}", &head[..middle - 1], &tail[1..]));
    }
    typos.retain(|typo| typo != name);
    typos
}

/// A text with the other solver of elastic bodies.
fn with_symplectic_substeps(text: &str) -> String {
    let a = text.find("Implicit(").unwrap();
    let b = a + text[a..].find("    ),\n").unwrap() + "    )".len();
    format!("{}Symplectic(courant: 0.5, order: Auto){}", &text[..a], &text[b..])
}

/// The names of the keys that a scene may have.
fn all_keys() -> BTreeSet<String> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    keys().iter().map(|key| last(&key.path)).collect()
}

#[test]
fn every_misspelt_name_is_offered_the_right_one() {
    let texts = long_texts();
    let mut tried = BTreeSet::new();
    let mut wrong = Vec::new();
    let symplectic = with_symplectic_substeps(ELASTIC);
    let free = GOOD.replace(
        "translate: (0.8, 0.2, 0.2))",
        "translate: (0.8, 0.2, 0.2), motion: Free(mass: 0.5, velocity: (0, 0, 1), \
         spin: (0, 1, 0), locked: [AboutX], from: 0.1, friction: 0.4, restitution: 0.1))",
    );
    let foam = GOOD.replace("Mesh(path", "Mesh(name: \"box\", path").replace(
        "    solver: Wcsph",
        "    foam: (seed: 2, substeps: 3, trapped_air: (rate: 100, limits: (1, 2)),
        wave_crest: (rate: 100), vorticity: (rate: 10), energy: (0.1, 1), spray: 0.5, foam: 1,
        bubbles: 0.5, lifetime: (1, 2), ages: (spray: true, foam: true, bubbles: false),
        radius: (0.1, 0.2), spray_drag: 0.1, buoyancy: 2, bubble_drag: 3,
        emit_in: [(min: (0, 0, 0), max: (1, 1, 1))], emit_from: [\"box\"],
        remove_in: [(min: (0, 0, 1), max: (1, 1, 1.5))], max_particles: 1000,
        output: [Vtp, Ply]),
    solver: Wcsph",
    );
    let others = [GOOD, PLANE, SHAPES, FILLED, ELASTIC, &symplectic, &free, &foam];
    for text in texts.iter().map(String::as_str).chain(others) {
        assert_eq!(faults_of(text, &[], CUBE), [], "{text}");
        for place in names(text) {
            let name = &text[place.clone()];
            tried.insert(name.to_owned());
            for typo in typos(name) {
                let broken = format!("{}{typo}{}", &text[..place.start], &text[place.end..]);
                let faults = faults_of(&broken, &[], CUBE);
                let is_told = faults.iter().any(|fault| {
                    fault.span.as_ref().is_some_and(|span| span.start == place.start)
                        && fault.help.as_deref() == Some(&format!("did you mean `{name}`?"))
                });
                if !is_told || faults.len() != 1 {
                    wrong.push(format!("{typo} for {name}: {faults:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} are not told:\n{}", wrong.len(), wrong.join("\n"));
    let untried: Vec<String> = all_keys().difference(&tried).cloned().collect();
    assert!(untried.is_empty() && tried.len() > 120, "{}: {untried:?}", tried.len());
}
