//! Columns of particle files that a scene chooses.

use crate::{Diagnostic, Prepared, Source, prepare};
use hashfall_core::Vec3;

/// A table under names that nobody knows.
const TABLE: &str = "Ort:0,Ort:1,Ort:2,vel 0,vel 1,vel 2,rho,p,mk,x,y,z\n\
                     0.25,0.5,0.75,1,2,3,1003,50,0,9,9,9\n\
                     0.25,0.625,0.75,-1,0,0.5,998,0,1,9,9,9\n";
const ALL: &str = "x: \"Ort:0\", y: \"Ort:1\", z: \"Ort:2\", u: \"vel 0\", v: \"vel 1\", \
                   w: \"vel 2\", density: \"rho\", pressure: 8";

fn scene(name: &str, shapes: &str) -> Source {
    let text = format!(
        "Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)), particle_radius: 0.05,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
        {shapes}
    ])],
)"
    );
    Source { name: name.into(), text }
}

fn prepared(shapes: &str, file: &str) -> Result<Prepared, Vec<Diagnostic>> {
    prepare(&scene("a.ron", shapes), &[], &mut |_| Ok(file.into()))
}

#[track_caller]
fn good(shapes: &str, file: &str) -> Prepared {
    prepared(shapes, file).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

#[track_caller]
fn assert_fault(columns: &str, parts: &[&str]) {
    let shape = format!("Particles(path: \"p.csv\", columns: ({columns}))");
    let fault = &prepared(&shape, TABLE).map(|_| ()).expect_err(columns)[0];
    let text = format!("{fault}; {}", fault.help.as_deref().unwrap_or_default());
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in {text}"));
}

#[test]
fn particles_start_from_the_columns_that_are_chosen() {
    let shape = format!("Particles(path: \"p.csv\", columns: ({ALL}, phase: \"mk\"), phase: 0)");
    let scene = good(&shape, TABLE);
    let particles = &scene.world.particles;
    assert_eq!(particles.position, [Vec3::new(0.25, 0.5, 0.75)]);
    assert_eq!(particles.velocity, [Vec3::new(1.0, 2.0, 3.0)]);
    assert_eq!((particles.density[0], particles.pressure[0]), (1003.0, 50.0));
    let is_of_velocities = |it: &Diagnostic| it.message.contains("velocit");
    assert!(!scene.warnings.iter().any(is_of_velocities), "{:?}", scene.warnings);
    // By numbers, of a table without a head.
    let rows = TABLE.split_once('\n').unwrap().1;
    let scene =
        good("Particles(path: \"p.csv\", columns: (x: 1, y: 2, z: 3, u: 6, v: 5, w: 4))", rows);
    assert_eq!(scene.world.particles.position[1], Vec3::new(0.25, 0.625, 0.75));
    assert_eq!(scene.world.particles.velocity[0], Vec3::new(3.0, 2.0, 1.0));
}

/// The copy of a scene that a run keeps is the scene again, also from JSON.
#[test]
fn a_run_keeps_the_choice_and_one_copy_of_the_file() {
    let shape = format!("Particles(path: \"p.csv\", columns: ({ALL}, phase: \"mk\"), phase: 0)");
    let first = good(&shape, TABLE);
    let resolved = Source { name: "scene.ron".into(), text: first.resolved.clone() };
    assert!(resolved.text.contains("\"Ort:0\"") && resolved.text.contains("\"meshes/p.csv\""));
    let again = prepare(&resolved, &[], &mut |path| {
        assert_eq!(path, "meshes/p.csv");
        Ok(TABLE.into())
    });
    let again = again.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!(again.world.particles, first.world.particles);
    assert_eq!(again.resolved, first.resolved);
    let other =
        "Particles(path: \"p.csv\", columns: (x: \"Ort:1\", y: 1, z: 3, phase: \"mk\"), phase: 1)";
    let both = good(&format!("{shape}, {other}"), TABLE);
    let place = Vec3::new(0.625, 0.25, 0.75);
    assert!(both.world.particles.position.contains(&place), "{:?}", both.world.particles);
    assert_eq!(both.meshes.len(), 1, "one file, one copy");
    let json = "{\"frames\": {\"count\": 1, \"rate\": 10.0}, \"particle_radius\": 0.05,
        \"domain\": {\"Box\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}},
        \"fluids\": [{\"name\": \"water\", \"rest_density\": 1000, \"viscosity\": 0, \"shapes\": [
            {\"Particles\": {\"path\": \"p.csv\", \"phase\": 1, \"columns\":
                {\"x\": \"Ort:1\", \"y\": 1, \"z\": 3, \"phase\": \"mk\"}}}]}]}";
    let json = Source { name: "a.json".into(), text: json.to_owned() };
    let json = prepare(&json, &[], &mut |_| Ok(TABLE.into()));
    let json = json.unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert_eq!(json.world.particles.position, [Vec3::new(0.625, 0.25, 0.75)]);
}

#[test]
fn a_wrong_choice_is_told_where_it_stands_with_what_there_is() {
    for (columns, parts) in [
        (
            "x: \"Ort:0\", y: \"Otr:1\", z: \"Ort:2\"",
            [
                "a.ron:5:59: ",
                "no column `Otr:1`, in `p.csv`",
                "did you mean `Ort:1`? there are `Ort:0`, `Ort:1`",
            ],
        ),
        ("density: \"Dichte\"", ["a.ron:5:53: ", "no column `Dichte`", "there are `Ort:0`"]),
        ("x: 13", ["a.ron:5:47: ", "no column 13", "from 1 to 12"]),
        ("x: 1, y: 1", ["a.ron:5:53: ", "column 1 is the column of `x` already", "there are"]),
        (
            "phase: \"vel 2\"",
            ["a.ron:5:51: ", "`vel 2` holds other than whole numbers", "fluids apart"],
        ),
        ("densty: \"rho\"", ["a.ron:5:44: ", "densty", "did you mean `density`?"]),
        ("x: -1", ["a.ron:5:47: ", "column of the places along x", "text | whole number"]),
        ("x: (1, 2)", ["a.ron:5:51: ", "cannot read `2`", "text | whole number"]),
    ] {
        assert_fault(columns, &parts);
    }
    let shape = "Particles(path: \"p.xyz\", columns: (x: \"Ort:0\"))";
    let faults = prepared(shape, "1 2 3\n").map(|_| ()).unwrap_err();
    assert!(
        faults[0].to_string().contains("this table has no column names, but `Ort:0` is chosen"),
        "{}",
        faults[0]
    );
}
