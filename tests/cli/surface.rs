//! `sim surface`: meshes of particle files, and what is said of files that are wrong.

use super::support::{Ended, Place, assert_nothing_unfinished};
use std::path::Path;

/// A block of particles with a radius of half a metre, as text.
fn block(edge: usize) -> String {
    let range = || 0..edge;
    let points = range().flat_map(|z| range().flat_map(move |y| range().map(move |x| (x, y, z))));
    points.map(|(x, y, z)| format!("{x} {y} {z}\n")).collect()
}

/// The block as a legacy file, with `speed` and `velocity`.
fn legacy(edge: usize) -> String {
    let n = edge.pow(3);
    let speeds: String = (0..n).map(|i| format!("{i}\n")).collect();
    let velocities: String = (0..n).map(|i| format!("{i} 0 1\n")).collect();
    format!(
        "# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET POLYDATA\nPOINTS {n} float\n{}\
         POINT_DATA {n}\nSCALARS speed float\nLOOKUP_TABLE default\n{speeds}\
         VECTORS velocity float\n{velocities}",
        block(edge)
    )
}

fn ply(edge: usize) -> String {
    let n = edge.pow(3);
    let axes = "property float x\nproperty float y\nproperty float z\n";
    format!("ply\nformat ascii 1.0\nelement vertex {n}\n{axes}end_header\n{}", block(edge))
}

/// Runs `sim surface` with a radius of half a metre.
fn surface(place: &Place, args: &[&str]) -> Ended {
    place.sim(["surface", "--particle-radius", "0.5"].iter().chain(args))
}

/// Puts a file that VTK has written into the place.
fn copy(place: &Place, name: &str) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/surface_files");
    std::fs::copy(fixtures.join(name), place.path(name)).unwrap();
}

#[test]
fn files_of_each_format_become_closed_meshes() {
    let place = Place::new();
    place.write("a.vtk", legacy(4));
    place.write("b.ply", ply(4));
    place.write("c.XYZ", block(4));
    let ended = surface(&place, &["a.vtk", "b.ply", "c.XYZ", "--check"]);
    ended.assert_done();
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{ended:?}");
    for (line, name) in lines.iter().zip(["a", "b", "c"]) {
        assert!(line.starts_with(&format!("out/surface/{name}.ply: 64 particles, ")), "{line}");
        assert!(line.contains(" % of the particles'), closed, "), "{line}");
    }
    let meshes = place.files("out/surface");
    assert!(meshes.windows(2).all(|two| two[0].1 == two[1].1), "one cloud, one mesh");
    for (file, mesh) in [("appended_raw_zlib.vtp", "m.vtp"), ("appended_raw_lzma.vtu", "m.obj")] {
        copy(&place, file);
        let ended = place.sim(["surface", file, "-r", "0.0078125", "--check", "-o", mesh]);
        ended.assert_done();
        assert!(ended.stdout.starts_with(&format!("{mesh}: 50 particles, ")), "{ended:?}");
        assert!(place.path(mesh).is_file());
    }
    assert!(place.read("m.obj").starts_with("v "), "OBJ is text");
    assert!(ended.stderr.is_empty(), "{ended:?}");
}

#[test]
fn a_sequence_is_meshed_in_order_and_the_same_for_any_number_of_threads() {
    let place = Place::new();
    for (number, edge) in [(2, 2), (10, 3), (9, 4), (11, 2)] {
        place.write(&format!("fluid_{number}.vtk"), legacy(edge));
    }
    place.write("fluid_old.vtk", "no frame");
    let run = |threads: &str, folder: &str| {
        let out = format!("{folder}/mesh_{{}}.vtp");
        let ended = surface(
            &place,
            &["fluid_{}.vtk", "-e", "10", "-a", "velocity", "-o", &out, "--threads", threads],
        );
        ended.assert_done();
        let names = ended.stdout.lines().map(|line| line.split(':').next().unwrap().to_owned());
        let names: Vec<String> = names.collect();
        assert_eq!(names, [2, 9, 10].map(|n| format!("{folder}/mesh_{n}.vtp")));
        place.files(folder)
    };
    let one = run("1", "one");
    let names: Vec<&str> = one.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["mesh.pvd", "mesh_10.vtp", "mesh_2.vtp", "mesh_9.vtp"]);
    assert_eq!(one, run("2", "two"));
    assert!(String::from_utf8_lossy(&one[1].1).contains("Name=\"velocity\""));
    surface(&place, &["fluid_{}.vtk", "-s", "10", "-o", "folder"]).assert_done();
    let names: Vec<String> = place.files("folder").into_iter().map(|(name, _)| name).collect();
    let expected = ["fluid.ply.series", "fluid_10.ply", "fluid_11.ply"];
    assert_eq!(names, expected, "in a folder, named as the particles");
    let globbed = surface(&place, &["fluid_[0-9]*.vtk", "-q"]);
    globbed.assert_done();
    assert!(globbed.stdout.is_empty() && globbed.stderr.is_empty(), "{globbed:?}");
    assert_eq!(place.files("out/surface").len(), 5);
}

#[test]
fn spray_goes_where_it_is_wanted() {
    let place = Place::new();
    place.write("f_1.xyz", block(4) + "9 9 9\n-9 0 0\n");
    place.write("f_2.xyz", block(4));
    let apart = ["f_{}.xyz", "--smallest-body", "3", "--spray", "spray", "--check"];
    let ended = surface(&place, &apart);
    ended.assert_done();
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert!(lines[1].starts_with("spray/f_1.ply: spray, ") && lines[1].ends_with(", closed"));
    assert!(lines[3].starts_with("spray/f_2.ply: spray, 0 triangles, 0 m³"), "{ended:?}");
    let with = place.files("out/surface");
    assert_eq!(place.files("spray").len(), 3, "an empty mesh, too, and a series");
    surface(&place, &["f_{}.xyz", "--smallest-body", "3", "-o", "without"]).assert_done();
    assert_eq!(place.files("without"), with);
    for (args, part) in [
        (vec!["f_1.xyz", "--spray", "s.ply", "-o", "new"], "--spray needs --smallest-body"),
        (vec!["f_1.xyz", "--smallest-body", "3", "--spray", "a.ply", "-o", "a.ply"], "`a.ply`"),
        (
            vec!["f_1.xyz", "--smallest-body", "3", "--spray", "./b", "-o", "b"],
            "both mesh and spray",
        ),
        (
            vec!["f_1.xyz", "f_1.xyz", "-o", "new"],
            "the meshes of `f_1.xyz` and `f_1.xyz` would both be",
        ),
        (vec!["f_{}.xyz", "--smallest-body", "3", "--spray", "s.ply", "-o", "new"], "`s.ply`"),
    ] {
        surface(&place, &args).assert_refused(&[part]);
    }
}

/// A block of particles, of which those above stand apart by `phase`.
fn layers(edge: usize) -> String {
    let phases: String =
        (0..edge.pow(3)).map(|i| if 2 * i < edge.pow(3) { "3\n" } else { "8\n" }).collect();
    legacy(edge) + &format!("SCALARS phase int\nLOOKUP_TABLE default\n{phases}")
}

#[test]
fn each_fluid_has_a_mesh_that_fits_to_the_others() {
    let place = Place::new();
    place.write("f_1.vtk", layers(8));
    place.write("f_2.vtk", layers(7));
    let apart = ["f_{}.vtk", "--phases", "phase", "-a", "speed", "--check"];
    let ended = surface(&place, &apart);
    ended.assert_done();
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{ended:?}");
    assert!(lines[0].starts_with("out/surface/f_1_phase3.ply: 256 particles, "), "{ended:?}");
    assert!(lines[1].starts_with("out/surface/f_1_phase8.ply: 256 particles, "), "{ended:?}");
    assert!(lines.iter().all(|line| line.contains(", closed, ")), "{ended:?}");
    let names: Vec<String> = place.files("out/surface").into_iter().map(|file| file.0).collect();
    let expected = ["f_1_phase3", "f_1_phase8", "f_2_phase3", "f_2_phase8"];
    assert_eq!(names[..4], expected.map(|name| format!("{name}.ply")));
    assert_eq!(names[4..], ["f_phase3.ply.series", "f_phase8.ply.series"]);
    let again = ["f_1.vtk", "--phases", "phase"];
    surface(&place, &again).assert_one_error(&["f_1_phase3.ply", "--overwrite"]);
    let more = ["--decimation", "0.1", "--smallest-body", "3", "--spray", "spray", "--overwrite"];
    surface(&place, &[&apart[..], &more].concat()).assert_done();
    assert_eq!(place.files("spray").len(), 6, "four meshes and two series");
    for (attribute, part) in [("phases", "did you mean `phase`?"), ("speed", "whole numbers")] {
        surface(&place, &["f_1.vtk", "--phases", attribute, "-o", "b"]).assert_one_error(&[part]);
    }
    // Nor does a mesh replace particles that another program called alike.
    place.write("g.vtk", layers(4));
    place.write("g_phase3.ply", ply(4));
    let mut over = vec!["g.vtk", "g_phase3.ply", "--phases", "phase", "--overwrite"];
    over.extend(["-o", "."]);
    let before = place.read("g_phase3.ply");
    surface(&place, &over);
    assert_eq!(place.read("g_phase3.ply"), before);
}

#[test]
fn lengths_beyond_single_precision_are_refused_and_cells_too_large_are_finished_as_they_are() {
    let place = Place::new();
    place.write("f.xyz", block(12));
    for radius in ["1e-50", "1e39", "1e300"] {
        let ended = place.sim(["surface", "f.xyz", "-r", radius]);
        ended.assert_refused(&["must be from 1e-9 to 1e9 m"]);
    }
    surface(&place, &["f.xyz", "-t", "1e-50", "-c", "0.4", "--check"]).assert_done();
    let mesh = |cells: &str| {
        let file = format!("{cells}.ply");
        surface(&place, &["f.xyz", "-c", cells, "-o", &file]).assert_done();
        place.files(".").into_iter().find(|(name, _)| *name == file).map(|(_, bytes)| bytes)
    };
    let largest = mesh("4");
    assert!(largest.is_some());
    assert_eq!(largest, mesh("100"), "cells are at most as large as the kernel's reach");
}

#[test]
fn decimation_leaves_fewer_triangles_of_the_same_volume() {
    let place = Place::new();
    place.write("f.xyz", block(8));
    let run = |args: &[&str]| {
        let ended = surface(&place, &[&["f.xyz", "--overwrite", "--check"], args].concat());
        ended.assert_done();
        let words: Vec<&str> = ended.stdout.split(' ').collect();
        let triangles = words.iter().position(|word| *word == "triangles,").unwrap();
        let digits: String = words[triangles - 1].chars().filter(char::is_ascii_digit).collect();
        (digits.parse::<usize>().unwrap(), words[triangles + 1].to_owned())
    };
    let (all, volume) = run(&[]);
    let (few, same) = run(&["--decimation", "0.1"]);
    assert!(few * 8 < all && same == volume, "{few} of {all}, {same} and {volume} m³");
}

#[test]
fn a_wrong_file_is_told_and_the_others_go_on() {
    let place = Place::new();
    place.write("good.vtk", legacy(2));
    place.write("nan.vtk", legacy(2).replace("1 1 1\n", "1 nan 1\n"));
    place.write("short.xyz", [0; 35]);
    let ended = surface(&place, &["nan.vtk", "absent.xyz", "short.xyz", "god.vtk", "good.vtk"]);
    assert_eq!(ended.code, Some(2), "{ended:?}");
    for part in [
        "nan.vtk: line 13: coordinate y of particle 7",
        "absent.xyz: cannot read: ",
        "short.xyz: byte 24: unexpected end of file: the last particle has 11 of its 12 bytes",
        "did you mean `good.vtk`?",
    ] {
        assert!(ended.stderr.contains(part), "no `{part}` in {}", ended.stderr);
    }
    assert_eq!(ended.stdout.lines().count(), 1);
    assert_eq!(place.files("out/surface").len(), 1, "only a whole mesh is written");
    assert_nothing_unfinished(&place, "out/surface");
}

#[test]
fn arguments_that_make_no_sense_are_refused_before_anything_is_written() {
    let place = Place::new();
    place.write("a.vtk", legacy(2));
    place.write("b.vtk", legacy(2));
    place.write("a.ply", ply(2));
    place.write("c.bin", "");
    place.sim(["surface", "a.vtk"]).assert_one_error(&["--particle-radius <R>"]);
    let wrong: [(&[&str], &[&str]); 13] = [
        (
            &["a.vtk", "c.bin"],
            &["`c.bin`", ".vtk, .vtp, .vtu, .ply, .bgeo, .csv, .tsv, .dat, .pts and .xyz"],
        ),
        (&["d_{}.vtk"], &["no file matches `d_{}.vtk`"]),
        (&["d*.vtk"], &["no file matches `d*.vtk`"]),
        (&["a.vtk", "-s", "3"], &["--start-index", "`{}`"]),
        (&["a.vtk", "b.vtk", "-o", "m.ply"], &["2 files cannot become one mesh `m.ply`"]),
        (&["a.vtk", "a.ply"], &["would both be `out/surface/a.ply`"]),
        (&["a.ply", "-o", "a.ply", "--overwrite"], &["would replace the particles in `a.ply`"]),
        (&["a.vtk", "-o", "m.stl"], &["`m.stl`", ".ply, .vtp, .vtk or .obj"]),
        (&["a.vtk", "-o", "m.ply", "--format", "obj"], &["`m.ply`", "--format"]),
        (&["a.vtk", "-o", "m.obj", "-a", "speed"], &["OBJ files have no attributes"]),
        (&["a.vtk", "-a", "sped"], &["no attribute `sped`: did you mean `speed`?", "`velocity`"]),
        (
            &["a.vtk", "--particle-aabb-min", "1", "0", "0", "--particle-aabb-max", "0", "1", "1"],
            &["--particle-aabb-min exceeds"],
        ),
        (&["a.vtk", "-c", "0"], &["expected a number above 0"]),
    ];
    for (args, parts) in wrong {
        surface(&place, args).assert_refused(parts);
        assert!(!place.path("out").exists(), "{args:?}");
    }
}

#[test]
fn a_mesh_that_is_there_is_replaced_only_when_asked_to() {
    let place = Place::new();
    place.write("a.vtk", legacy(2));
    surface(&place, &["a.vtk", "-o", "m.ply"]).assert_done();
    let first = std::fs::read(place.path("m.ply")).unwrap();
    surface(&place, &["a.vtk", "-o", "m.ply", "-t", "0.4"]).assert_refused(&["--overwrite"]);
    assert_eq!(std::fs::read(place.path("m.ply")).unwrap(), first);
    surface(&place, &["a.vtk", "-o", "m.ply", "-t", "0.4", "--overwrite"]).assert_done();
    assert_ne!(std::fs::read(place.path("m.ply")).unwrap(), first);
}

#[test]
fn a_region_and_other_cells_are_told() {
    let place = Place::new();
    place.write("a.xyz", block(3));
    let ended = surface(
        &place,
        &[
            "a.xyz",
            "-c",
            "0.1",
            "--particle-aabb-min",
            "-1",
            "-1",
            "-1",
            "--particle-aabb-max",
            "9",
            "9",
            "1",
        ],
    );
    ended.assert_done();
    assert!(ended.stdout.contains(": 18 particles of 27, "), "{ended:?}");
    assert!(ended.stderr.contains("using a cell size of 0.125 radii instead of 0.1"), "{ended:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_mesh_that_cannot_be_written_is_a_failure() {
    let place = Place::new();
    place.write("a.xyz", block(2));
    let ended = surface(&place, &["a.xyz", "-o", "/proc/none/m.ply"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["cannot create `/proc/none`"]);
}
