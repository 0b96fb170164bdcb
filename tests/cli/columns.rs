//! Columns of particle files that a user chooses, on the command line and in a scene.

use super::support::{Ended, Place};
use hashfall_core::Values;
use hashfall_input::{AttributeFilter, Format, read};

/// A block of 64 particles with a radius of half a metre, as rows of `east north up speed`.
fn rows(separator: &str) -> String {
    let row = |i: u32| [i % 4, i / 4 % 4, i / 16, i].map(|k| k.to_string()).join(separator) + "\n";
    (0..64).map(row).collect()
}

fn surface(place: &Place, args: &[&str]) -> Ended {
    place.sim(["surface", "--particle-radius", "0.5", "--check", "--overwrite"].iter().chain(args))
}

#[test]
fn surfaces_are_made_of_the_columns_that_are_chosen() {
    let place = Place::new();
    place.write("known.csv", format!("x,y,z,speed\n{}", rows(",")));
    surface(&place, &["known.csv", "-o", "known.ply"]).assert_done();
    let known = std::fs::read(place.path("known.ply")).unwrap();
    place.write("named.csv", format!("east,north,up,speed\n{}", rows(",")));
    place.write("bare.csv", rows(","));
    place.write("bare.dat", rows("\t"));
    place.write("bare.pts", format!("64\n{}", rows(" ")));
    let variables = "VARIABLES = \"east\" \"north\" \"up\" \"speed\"\nZONE I=64, F=POINT\n";
    place.write("tecplot.dat", format!("{variables}{}", rows(" ")));
    for (file, columns) in [
        ("named.csv", "x=east,y=north,z=up"),
        ("tecplot.dat", "x=east,y=2,z=up"),
        ("bare.csv", "x=1,y=2,z=3"),
        ("bare.dat", ""),
        ("bare.pts", ""),
    ] {
        let choice = if columns.is_empty() { vec![] } else { vec!["--columns", columns] };
        let ended = surface(&place, &[&[file, "-o", "mesh.ply"], &choice[..]].concat());
        ended.assert_done();
        assert!(ended.stderr.is_empty(), "{ended:?}");
        assert!(std::fs::read(place.path("mesh.ply")).unwrap() == known, "{file}: another mesh");
    }
}

#[test]
fn chosen_columns_are_attributes_of_the_mesh_where_it_is_to_have_them() {
    let place = Place::new();
    place.write("a.csv", format!("x,y,z,speed\n{}", rows(",")));
    place.write("b.csv", format!("east,y,z,speed\n{}", rows(",")));
    let choice = ["b.csv", "-o", "b.vtp", "--columns", "x=east,density=speed"];
    let ended = surface(&place, &[&choice[..], &["-a", "density"]].concat());
    ended.assert_done();
    assert!(ended.stderr.is_empty(), "{ended:?}");
    surface(&place, &["a.csv", "-o", "a.vtp", "-a", "speed"]).assert_done();
    let values = |mesh: &str| {
        let bytes = std::fs::read(place.path(mesh)).unwrap();
        let mut attributes =
            read(&bytes, Format::VtkXml, &AttributeFilter::All).unwrap().attributes;
        attributes.retain(|it| ["density", "speed"].contains(&&*it.name));
        attributes.remove(0).values
    };
    assert!(values("a.vtp") == values("b.vtp") && matches!(values("a.vtp"), Values::Scalars(_)));
    let ended = surface(&place, &choice);
    ended.assert_done();
    assert!(ended.stderr.contains("the mesh does not have it; pass -a density"), "{ended:?}");
}

#[test]
fn a_wrong_choice_is_refused_with_the_columns_that_there_are() {
    let place = Place::new();
    place.write("a.csv", format!("east,north,up,speed\n{}", rows(",")));
    for (choice, parts) in [
        ("x=esat,y=north,z=up", &["a.csv: line 1: column of `x`", "did you mean `east`?"][..]),
        ("x=east,y=north", &["column of `z`: no column is known as `z`", "`east`, `north`, `up`"]),
        ("x=east,y=east,z=up", &["column of `y`: `east` is the column of `x` already"]),
        ("x=9,y=2,z=3", &["column of `x`: there is no column 9", "from 1 to 4"]),
    ] {
        surface(&place, &["a.csv", "-o", "a.ply", "--columns", choice]).assert_refused(parts);
        assert!(!place.path("a.ply").exists(), "{choice}");
    }
    for (choice, part) in [("X=east", "`x` where `X` stands"), ("east", "columns such as x=")] {
        let ended = surface(&place, &["a.csv", "--columns", choice]);
        assert!(ended.code == Some(2) && ended.stderr.contains(part), "{choice}: {ended:?}");
    }
}

/// A run from a table under other names, which is resumed and audited without the table.
#[test]
fn a_run_keeps_the_choice_of_its_scene() {
    let place = Place::new();
    let row = |i: u32| {
        let [x, y] = [i % 4, i / 4].map(|k| 0.3 + 0.1 * f64::from(k));
        format!("{x} {y} 0.5 1 0 0\n")
    };
    let rows: String = (0..16).map(row).collect();
    place.write("drops.dat", format!("# east north up ve vn vu\n{rows}"));
    let scene = |x: &str| {
        format!(
            "Scene(
    frames: (count: 2, rate: 100), domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.05, surface: None,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [Particles(
        path: \"drops.dat\", columns: (
            x: \"{x}\", y: \"north\", z: \"up\", u: \"ve\", v: 5, w: \"vu\"),
    )])],
)"
        )
    };
    place.write("drops.ron", scene("east"));
    place.sim(["drops.ron", "--out", "run"]).assert_done();
    std::fs::remove_file(place.path("drops.dat")).unwrap();
    assert!(place.read("run/scene.ron").contains("\"east\""), "{}", place.read("run/scene.ron"));
    place.sim(["resume", "run", "--frames", "3"]).assert_done();
    let audited = place.sim(["audit", "run"]);
    assert!(audited.assert_done().stdout.contains("verdict          valid"), "{audited:?}");
    let bytes = std::fs::read(place.path("run/particles/particles_00000.vtp")).unwrap();
    let start = read(&bytes, Format::VtkXml, &AttributeFilter::All).unwrap();
    let velocity = start.attributes.iter().find(|it| it.name == "velocity").unwrap();
    let Values::Vectors(velocities) = &velocity.values else { panic!("{velocity:?}") };
    assert!(velocities.iter().all(|v| v.x == 1.0), "{velocities:?}");
    place.write("drops.dat", format!("# east north up ve vn vu\n{rows}"));
    place.write("wrong.ron", scene("eats"));
    let parts = ["wrong.ron:6:16", "no column `eats`", "did you mean `east`?"];
    place.sim(["check", "wrong.ron"]).assert_refused(&parts);
}
