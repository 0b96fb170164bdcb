//! What is wrong with shapes of fluid, with what moves them, and with body forces.

use super::support::{CUBE, Case, GOOD, assert_refused, faults_of, help};

const BOX: &str = "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), velocity: (0, 0, 0))";
const GRAVITY: &str = "gravity: (0.0, 0.0, -9.81)";

const SHAPES: &[Case] = &[
    (BOX, "Ball(centre: (0.5, 0.5, 0.5))", 9, 18, "missing key `radius` in `Ball`"),
    (
        BOX,
        "Ball(centre: (0.3, 0.3, 0.3), radius: 0.2, pressure: Zero)",
        9,
        61,
        "unknown key `pressure` in `Ball`",
    ),
    (BOX, "Ball(centre: (0.3, 0.3, 0.3), radius: -1)", 9, 56, "`radius` must be positive, not -1"),
    (BOX, "Ball(centre: (0.3, NaN, 0.3), radius: 0.2)", 9, 37, "`centre[1]` is not a number"),
    (
        BOX,
        "Ball(centre: (0.3, 0.3, 0.3), radius: 0.4)",
        9,
        18,
        "fluid outside the domain: the ball reaches to x = -0.1, the wall stands at 0",
    ),
    (
        BOX,
        "Ball(centre: (0.3, 0.3, 0.3), radius: 0.04)",
        9,
        56,
        "a ball of radius 0.04 m holds no particle",
    ),
    (BOX, "Mesh(path: \"\")", 9, 29, "no mesh file is named"),
    (BOX, "Mesh(path: \"bx.obj\")", 9, 29, "cannot read mesh `bx.obj`: no such file"),
    (BOX, "Mesh(path: \"box.obj\", scale: -1)", 9, 47, "`scale` must be positive, not -1"),
    (BOX, "Mesh(path: \"box.obj\", inside: Hollow)", 9, 40, "unknown key `inside` in `Mesh`"),
    (
        BOX,
        "Mesh(path: \"box.obj\", translate: (0.5, 0, 0))",
        9,
        18,
        "fluid outside the domain: the mesh reaches to x = 1.5, the wall stands at 1",
    ),
    (BOX, "Mesh(path: \"box.obj\", scale: 0.02)", 9, 18, "it holds no particle"),
    (
        BOX,
        "Ball(centre: (0.3, 0.3, 0.3), radius: 0.2), Box(min: (0, 0, 0), max: (0.2, 0.3, 0.3))",
        9,
        62,
        "fluids[0].shapes[0] and fluids[0].shapes[1] overlap: particles less than half",
    ),
    (
        BOX,
        "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5)), Mesh(path: \"box.obj\", scale: 0.3)",
        9,
        61,
        "fluids[0].shapes[0] and fluids[0].shapes[1] overlap: particles less than half",
    ),
    ("scale: 0.1", "scale: 0.1, inside: Holow", 14, 51, "unknown name `Holow`"),
];

#[test]
fn each_bad_shape_has_its_one_error_at_its_place() {
    assert_refused(SHAPES);
}

/// Looks for the one fault of each key that is put in place of `@` in a good scene: where it
/// points, and part of its message.
#[track_caller]
fn assert_each_refused(old: &str, new: &str, line: usize, cases: &[(&str, &str, &str)]) {
    assert_eq!(GOOD.matches(old).count(), 1, "{old} is unique");
    for &(key, at, message) in cases {
        let text = GOOD.replace(old, &new.replace('@', key));
        let written = text.lines().nth(line - 1).unwrap_or_default();
        let start = written.find(key).unwrap_or_else(|| panic!("{key} in {written}"));
        let column = 1 + start + key.find(at).unwrap_or_else(|| panic!("{at} in {key}"));
        let faults = faults_of(&text, &[], CUBE);
        let [fault] = &faults[..] else { panic!("{key}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (line, column), "{key}: {fault}");
        assert!(fault.message.contains(message), "{key}: {fault}");
    }
}

#[test]
fn each_bad_start_has_its_one_error_at_its_place() {
    let cases = [
        ("initial_velocity: Stil", "Stil", "unknown name `Stil`"),
        (
            "initial_velocity: TaylorGreen(speed: 1)",
            "Tay",
            "missing key `wavelength` in `TaylorGreen`",
        ),
        (
            "initial_velocity: TaylorGreen(speed: 1, wavelength: 0)",
            "0)",
            "`wavelength` must be positive",
        ),
        ("initial_velocity: TaylorGreen(speed: inf, wavelength: 1)", "inf", "`speed` is infinite"),
        ("initial_velocity: TaylorGreen(sped: 1, wavelength: 1)", "sped", "unknown key `sped`"),
        (
            "initial_velocity: Linear(centre: (0, 0, 0), rows: ((0, 0), (0, 0, 0), (0, 0, 0)))",
            "(0, 0),",
            "`fluids[0].shapes[0].initial_velocity.rows[0]`: expected 3 values, found 2",
        ),
        (
            "initial_velocity: Linear(centre: (0, 0, 0), rows: ((0, 0, 0), (0, NaN, 0), (0, 0, 0)))",
            "NaN",
            "`rows[1][1]` is not a number",
        ),
        (
            "initial_velocity: Linear(centre: (9e5, 0, 0), rows: ((1, 0, 0), (0, 0, 0), (0, 0, 0)))",
            "Linear",
            "initial speed of 9.000e5 m/s",
        ),
        (
            "initial_velocity: StandingWave(amplitude: 0.1, wavelength: 1, depth: -1, bottom: 0)",
            "-1",
            "`depth` must be positive",
        ),
        (
            "initial_velocity: InterfaceWave(speed: 0.1, wavelength: 1, interface: 0, below: -1, above: 1)",
            "-1",
            "`below` must be positive",
        ),
        ("jitter: (seed: 1)", "(", "missing key `amount` in `Jitter`"),
        ("jitter: (seed: 1.5, amount: 0.1)", "1.5", "expected a whole number, found `1.5`"),
        ("jitter: (seed: 1, amount: 0.3)", "0.3", "`amount` is too large: 0.3"),
        ("jitter: (seed: 1, amount: -0.1)", "-0.1", "`amount` must not be negative"),
        ("jitter: 0.1", "0.1", "`fluids[0].shapes[0].jitter`: expected round brackets"),
    ];
    assert_each_refused(BOX, "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), @)", 9, &cases);
}

#[test]
fn a_standing_wave_needs_gravity_straight_down() {
    let wave = "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), initial_velocity: StandingWave(amplitude: 0.1, \
                wavelength: 1, depth: 0.5, bottom: 0))";
    let text = GOOD.replace(BOX, wave);
    assert_eq!(faults_of(&text, &[], CUBE), []);
    for gravity in ["(0, 0, 0)", "(1, 0, -9)", "(0, 0, 9)"] {
        let faults = faults_of(&text, &[&format!("gravity={gravity}")], CUBE);
        let [fault] = &faults[..] else { panic!("{gravity}: {faults:?}") };
        assert!(fault.message.contains("needs gravity straight down"), "{fault}");
        assert_eq!(fault.source_name, format!("--set gravity={gravity}"));
    }
}

#[test]
fn each_bad_force_has_its_one_error_at_its_place() {
    let cases = [
        ("[Centrl(centre: (0, 0, 0), stiffness: 1)]", "Cen", "unknown name `Centrl`"),
        ("[Central(centre: (0, 0, 0))]", "Cen", "missing key `stiffness` in `Central`"),
        ("[Central(centre: (0, 0, 0), stiffness: -1)]", "-1", "`stiffness` must not be negative"),
        ("[Central(centre: (0, 0, inf), stiffness: 1)]", "inf", "`centre[2]` is infinite"),
        ("[Central(centre: (0, 0, 0), stifness: 1)]", "stif", "unknown key `stifness`"),
        ("[Table([])]", "Table", "a table without rows"),
        ("[Table([(0, (0, 0, 0)), (0.0, (1, 0, 0))])]", "0.0", "0 s does not come after 0 s"),
        ("[Table([(2, (0, 0, 0)), (1.5, (1, 0, 0))])]", "1.5", "1.5 s does not come after 2 s"),
        ("[Table([(NaN, (0, 0, 0)), (1, (1, 0, 0))])]", "NaN", "`forces[0][0][0]` is not a number"),
        ("[Table([(0, (0, 0, 0)), (1, (1, 0, 1e7))])]", "1e7", "is too large: 1e7"),
        ("[Table([(0, (0, 0))])]", "(0, 0)", "expected 3 values, found 2"),
        ("(Table([]))", "(", "`forces`: expected a list in square brackets"),
    ];
    assert_each_refused(GRAVITY, &format!("{GRAVITY}, forces: @"), 4, &cases);
}

#[test]
fn help_says_what_a_start_or_a_force_takes() {
    let stuck = "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), initial_velocity: 1)";
    assert!(help(BOX, stuck).contains("TaylorGreen"), "{}", help(BOX, stuck));
    let still = "Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), jitter: (amount: 0.1))";
    assert!(help(BOX, still).contains("a whole number"), "{}", help(BOX, still));
    let force = "gravity: (0.0, 0.0, -9.81), forces: 3";
    assert!(help(GRAVITY, force).contains("Table("), "{}", help(GRAVITY, force));
    assert!(help(BOX, "Bal(centre: (0, 0, 0), radius: 1)").contains("`Ball`"));
}

#[test]
fn an_open_mesh_cannot_be_filled() {
    let text = GOOD.replace(BOX, "Mesh(path: \"box.obj\", scale: 0.5)");
    assert_eq!(faults_of(&text, &[], CUBE), []);
    let faults = faults_of(&text, &[], &CUBE.replace("f 5 6 7 8\n", ""));
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.message.contains("the mesh is not closed: 4 edges"), "{fault}");
    assert_eq!(fault.source_name, "box.obj");
}

#[test]
fn keys_are_described_as_those_of_their_shape() {
    assert!(help(BOX, "Fill(level: 0.2)").starts_with("add `from`: place that is filled first"));
    assert!(help(BOX, "Fill(from: 3, level: 0.2)").starts_with("place that is filled first"));
    assert!(help(BOX, "Cone(from: 3, to: (0, 0, 1), radius: 1)").starts_with("the middle of its"));
    let part = "Union(of: [Cone(to: (0.3, 0.3, 0.3), radius: 0.1)])";
    assert!(help(BOX, part).contains("middle of its base"), "{}", help(BOX, part));
}

#[test]
fn too_large_balls_and_meshes_are_refused_before_any_particle_is_made() {
    for (shape, particles) in [
        ("Ball(centre: (0.5, 0.5, 0.7), radius: 0.3)", "1.41372e10"),
        ("Mesh(path: \"box.obj\", scale: 0.5)", "1.5625e10"),
    ] {
        let text = GOOD.replace(BOX, shape).replace("0.025,", "0.0001,");
        let faults = faults_of(&text, &[], CUBE);
        let wanted = format!("{particles} particles: a scene holds at most 20 million");
        assert!(faults.iter().any(|fault| fault.message == wanted), "{shape}: {faults:?}");
    }
}
