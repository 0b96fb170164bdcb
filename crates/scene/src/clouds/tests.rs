//! Particles of files in scenes.

use crate::{Diagnostic, Prepared, Source, prepare};
use hashfall_core::Vec3;

/// A scene of the shapes in a cube of 1 m with r = 0.05 m.
fn scene(shapes: &str, more: &str) -> Source {
    let depth = if more.contains("dimensions: Two") { 0 } else { 1 };
    let text = format!(
        "Scene(
        frames: (count: 1, rate: 10.0),
        domain: Box(min: (0, 0, 0), max: (1, {depth}, 1)), particle_radius: 0.05,
        fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [{shapes}])],
        {more}
    )"
    );
    Source { name: "a.ron".into(), text }
}

fn prepared(shapes: &str, more: &str, file: &str) -> Result<Prepared, Vec<Diagnostic>> {
    prepare(&scene(shapes, more), &[], &mut |_| Ok(file.into()))
}

fn good(shapes: &str, file: &str) -> Prepared {
    prepared(shapes, "", file).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

fn fault(shapes: &str, more: &str, file: &str) -> String {
    let fault = &prepared(shapes, more, file).map(|_| ()).expect_err(file)[0];
    format!("{fault}; {}", fault.help.as_deref().unwrap_or_default())
}

/// Rows of a table of particles a spacing of `d` apart, `n` along each axis.
fn lattice(n: u32, d: f64, header: &str, rest: impl Fn(u32) -> String) -> String {
    let place = |k: u32| d * (f64::from(k) + 0.5);
    let row = |k: u32| {
        let [x, y, z] = [k % n, k / n % n, k / n / n].map(place);
        format!("{x},{y},{z}{}\n", rest(k))
    };
    (0..n * n * n).map(row).fold(format!("{header}\n"), |all, row| all + &row)
}

#[test]
fn particles_start_where_and_as_the_file_says() {
    let file = "x,y,z,vx,vy,vz,density,pressure\n0.25,0.5,0.75,1,2,3,1003,50\n\
                0.25,0.625,0.75,-1,0,0.5,998,0\n";
    let scene = good("Particles(path: \"p.csv\", velocity: (0, 0, 1))", file);
    let particles = &scene.world.particles;
    assert_eq!(particles.position, [Vec3::new(0.25, 0.5, 0.75), Vec3::new(0.25, 0.625, 0.75)]);
    assert_eq!(particles.velocity, [Vec3::new(1.0, 2.0, 4.0), Vec3::new(-1.0, 0.0, 1.5)]);
    assert_eq!(particles.density, [1003.0, 998.0]);
    assert_eq!(particles.pressure, [50.0, 0.0]);
    assert_eq!(scene.meshes[0].name, "p.csv");
    assert!(scene.resolved.contains("\"meshes/p.csv\""), "{}", scene.resolved);
    // Without them: rest.
    let scene = good("Particles(path: \"p.csv\")", "x,y,z\n0.25,0.5,0.75\n");
    assert_eq!(scene.world.particles.density, [1000.0]);
}

#[test]
fn places_and_velocities_are_turned_scaled_and_moved() {
    // Up is y there: (x, y, z) is (x, −z, y) here.
    let file = "x,y,z,vx,vy,vz\n1,3,-2,0.5,8,-4\n";
    let shape = "Particles(path: \"p.csv\", up: Y, scale: 0.125, translate: (0.25, 0.125, 0))";
    let scene = good(shape, file);
    assert_eq!(scene.world.particles.position, [Vec3::new(0.375, 0.375, 0.375)]);
    assert_eq!(scene.world.particles.velocity, [Vec3::new(0.0625, 0.5, 1.0)]);
    let turned = "Particles(path: \"p.csv\", rotate: (axis: (0, 0, 1), degrees: 90), \
                  translate: (1, 0, 0))";
    let scene = good(turned, "x,y,z,vx,vy,vz\n0.25,0.5,0.5,1,0,0\n");
    assert_eq!(scene.world.particles.position, [Vec3::new(0.5, 0.25, 0.5)]);
    assert_eq!(scene.world.particles.velocity, [Vec3::new(0.0, 1.0, 0.0)]);
}

#[test]
fn velocities_are_turned_into_the_plane() {
    let shape = "Particles(path: \"p.csv\", rotate: (axis: (1, 0, 0), degrees: 90))";
    let plane = "dimensions: Two, gravity: (0, 0, -9.81)";
    let scene = prepared(shape, plane, "x,y,z,vx,vy,vz\n0.5,0.25,0,1,2,0\n");
    let scene = scene.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!(scene.world.particles.velocity, [Vec3::new(1.0, 0.0, 2.0)]);
}

#[test]
fn one_fluid_of_a_file_is_chosen() {
    let file = "x,y,z,phase\n0.25,0.5,0.75,0\n0.5,0.5,0.5,3\n0.75,0.5,0.5,3\n";
    let scene = good("Particles(path: \"p.csv\", phase: 3)", file);
    assert_eq!(scene.world.particles.len(), 2);
    let several = fault("Particles(path: \"p.csv\")", "", file);
    assert!(several.contains("0 (1 particles), 3 (2 particles)"), "{several}");
    let wrong = fault("Particles(path: \"p.csv\", phase: 1)", "", file);
    assert!(wrong.contains("has the phase 1") && wrong.contains("one of 0"), "{wrong}");
    let none = fault("Particles(path: \"p.csv\", phase: 1)", "", "x,y,z\n0.5,0.5,0.5\n");
    assert!(none.contains("does not tell phases"), "{none}");
}

#[test]
fn particles_of_other_fluids_are_not_judged() {
    let file = "x,y,z,vx,vy,vz,density,phase\n\
                0.25,0.5,0.75,,0,0,1.2,0\n0.5,0.5,0.5,1,0,0,1003,1\n0.6,0.5,0.5,2,0,0,998,1\n";
    let scene = good("Particles(path: \"p.csv\", phase: 1)", file);
    assert_eq!(scene.world.particles.density, [1003.0, 998.0]);
    assert_eq!(scene.world.particles.velocity[1], Vec3::new(2.0, 0.0, 0.0));
    assert!(scene.warnings.is_empty(), "{}", scene.warnings[0]);
}

#[test]
fn values_that_cannot_be_used_are_left_out_with_a_warning() {
    for (file, message) in [
        ("x,y,z,density\n0.4,0.5,0.5,1000\n0.5,0.5,0.5,1\n", "densities in the file are not"),
        ("x,y,z,pressure\n0.4,0.5,0.5,3\n0.5,0.5,0.5,nan\n", "pressures in the file are not"),
    ] {
        let scene = good("Particles(path: \"p.csv\")", file);
        assert_eq!(scene.world.particles.density, [1000.0; 2]);
        assert_eq!(scene.world.particles.pressure, [0.0; 2]);
        let [warning] = &scene.warnings[..] else { panic!("{:?}", scene.warnings) };
        assert!(warning.message.contains(message), "{warning}");
    }
}

#[test]
fn what_others_replace_leaves_the_rest_its_own_velocities() {
    let speed = |k: u32| format!(",{k},0,0");
    let file = lattice(5, 0.1, "x,y,z,vx,vy,vz", speed);
    let shapes = "Particles(path: \"p.csv\"), \
                  Box(min: (0, 0, 0), max: (0.5, 0.5, 0.2), replaces: true)";
    let particles = good(shapes, &file).world.particles;
    assert_eq!(particles.len(), 125);
    for (x, v) in particles.position.iter().zip(&particles.velocity) {
        let [i, j, k] = [x.x, x.y, x.z].map(|x| (x / 0.1 - 0.5).round());
        let expected = if k < 2.0 { 0.0 } else { i + 5.0 * j + 25.0 * k };
        assert_eq!(v.x, expected, "{x:?}");
    }
}

#[test]
fn faults_are_told_in_the_scene_or_the_file() {
    const SHAPE: &str = "Particles(path: \"p.csv\")";
    for (shapes, more, file, parts) in [
        (SHAPE, "", "x,y,z\n1,two,3\n", ["p.csv:2:1: ", "found `two`"]),
        (SHAPE, "", "x,y,z\n", ["a.ron:4:", "no particles"]),
        (
            SHAPE,
            "",
            "x,y,z\n0.5,0.5,0.5\n0.5,0.5,1.5\n0.5,0.5,2\n",
            [
                "2 of 3 particles; first: particle 1 at (0.5000, 0.5000, 1.5000)",
                "the unit of the file",
            ],
        ),
        (
            SHAPE,
            "solids: [Box(min: (0.4, 0.4, 0.4), max: (0.6, 0.6, 0.6))]",
            { "x,y,z\n0.2,0.2,0.2\n0.5,0.5,0.5\n" },
            ["1 of 2 particles of the file lie inside solids", "particle 1 at (0.5000"],
        ),
        (SHAPE, "", "x,y,z\n0.2,0.2,0.2\n0.2,0.2,0.2\n", ["share their places", "0 and 1"]),
        (SHAPE, "dimensions: Two", "x,y,z\n0.2,0.2,0.2\n", ["out of the plane", "1 of 1"]),
        ("Particles(path: \"p.abc\")", "", "", ["not read from `p.abc`", ".vtk, .vtp"]),
        ("Particles(path: \"\")", "", "", ["no particle file is named", "scene file"]),
        (
            SHAPE,
            "",
            "x,y,z,vx,vy,vz\n0.2,0.2,0.2,1,,1\n",
            [
                "velocities in the file are not finite",
                "1 of 1 particles; first: particle 0 of `p.csv`",
            ],
        ),
        (
            "Particles(path: \"p.csv\", phase: 1)",
            "",
            "x,y,z,vx,vy,vz,phase\n0.2,0.2,0.2,1,1,1,0\n0.5,0.2,0.2,3e4,0,4e4,1\n",
            [
                "a.ron:4:93: the initial speed of 5.000e4 m/s exceeds the limit at 1 of 1 \
                 particles; first: particle 1 of `p.csv` at (0.5000, 0.2000, 0.2000)",
                "the unit of the file",
            ],
        ),
        (
            SHAPE,
            "dimensions: Two",
            "x,y,z,vx,vy,vz\n0.2,0,0.2,1,0,0\n0.5,0,0.2,1,0.5,0\n",
            [
                "a.ron:4:93: the initial velocity of 0.5 m/s along y leaves the plane at 1 of 2 \
                 particles; first: particle 1 of `p.csv` at (0.5000, 0.0000, 0.2000)",
                "dimensions: Three",
            ],
        ),
        (
            "Union(of: [Particles(path: \"p.csv\")])",
            "",
            "x,y,z\n0.2,0.2,0.2\n",
            ["single particles have no inside", "Box, Ball or Mesh"],
        ),
    ] {
        let more = more.replace("dimensions: Two", "dimensions: Two, gravity: (0, 0, -9.81)");
        let fault = fault(shapes, &more, file);
        parts.iter().for_each(|part| assert!(fault.contains(part), "no `{part}` in {fault}"));
    }
}

#[test]
fn another_spacing_than_that_of_the_scene_is_told() {
    let words = |d: f64, n: u32| {
        let file = lattice(n, d, "x,y,z", |_| String::new());
        match prepared("Particles(path: \"p.csv\")", "", &file) {
            Ok(scene) => scene.warnings.iter().map(|it| it.message.clone()).collect::<String>(),
            Err(faults) => format!("error: {}; {:?}", faults[0].message, faults[0].help),
        }
    };
    assert_eq!(words(0.1, 8), "");
    assert_eq!(words(0.095, 8), "");
    assert!(words(0.12, 8).contains("stand 0.12 m apart, not 0.1 m"), "{}", words(0.12, 8));
    assert!(words(0.085, 10).contains("stand 0.08"), "{}", words(0.085, 10));
    let other = words(0.04, 20);
    assert!(other.contains("8000 of 8000 particles") && other.contains("0.02"), "{other}");
    let lone = "x,y,z\n0.2,0.2,0.2\n0.2,0.2,0.8\n";
    let warning = &good("Particles(path: \"p.csv\")", lone).warnings[0];
    assert!(warning.message.contains("stand more than 0.2 m apart"), "{warning}");
    let help = warning.help.as_deref();
    assert_eq!(help, Some("a `particle_radius` above 0.1, or another `scale`"));
}
