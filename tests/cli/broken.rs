//! Broken scenes, meshes and flags: one clear error each, exit code 2, no panic, nothing run.

use super::scenes::{TETRAHEDRON, small_with};
use super::support::Place;

/// Text in the small scene, what stands there instead, and what the error must hold: its place,
/// what is wrong, and what would be right.
const SCENES: [(&str, &str, &[&str]); 26] = [
    // Names.
    ("viscosity", "viscosty", &["b.ron:8:46", "unknown key `viscosty`", "`viscosity`?"]),
    ("CellIndex", "CelIndex", &["b.ron:16:16", "`CelIndex`", "`CellIndex`?"]),
    ("Wcsph()", "Wscph()", &["b.ron:15:13", "`Wscph`", "`Wcsph`"]),
    ("    particle_radius: 0.01,\n", "", &["b.ron:2:1", "missing key `particle_radius`"]),
    ("count: 2,", "count: 2, count: 3,", &["b.ron:3:24", "`count`", "twice"]),
    // Syntax.
    ("Wcsph()", "Wcsph(", &["b.ron:15:", "Wcsph("]),
    ("\"water\"", "\"water", &["b.ron:8:15"]),
    ("(0.0, 0.0, -9.81)", "(0.0, -9.81)", &["b.ron:4:14", "gravity"]),
    ("(0.0, 0.0, -9.81)", "[0.0, 0.0, -9.81]", &["b.ron:4:14", "(0.0, 0.0, -9.81)"]),
    // Types.
    ("100.0", "\"100\"", &["b.ron:3:30", "expected a number"]),
    ("count: 2", "count: 2.5", &["b.ron:3:21", "whole number"]),
    ("particles: true", "particles: 1", &["b.ron:19:25", "`true` or `false`"]),
    // Values.
    ("0.01,\n", "-0.01,\n", &["b.ron:6:22", "must be positive"]),
    ("0.01,\n", "0.0,\n", &["b.ron:6:22", "must be positive"]),
    ("0.01,\n", "1e-5,\n", &["b.ron:", "particles"]),
    ("100.0", "1e999", &["b.ron:3:30", "infinite"]),
    ("100.0", "NaN", &["b.ron:3:30", "not a number"]),
    ("count: 2", "count: 0", &["b.ron:3:21", "frames"]),
    ("1000.0", "-1000.0", &["b.ron:8:38", "must be positive"]),
    ("radius: 0.05", "radius: -0.05", &["b.ron:12:63", "must be positive"]),
    ("cell: 0.8", "cell: 0.0", &["b.ron:18:21", "must be positive"]),
    // What does not fit together.
    ("(0.3, 0.2, 0.26)", "(0.3, 0.2, 0.06)", &["b.ron:9:50", "`min` 0.16", "`max` 0.06"]),
    ("(0.3, 0.2, 0.26)", "(0.5, 0.2, 0.26)", &["b.ron:9:50", "outside the domain"]),
    ("max: (0.4, 0.2, 0.4)", "max: (0.4, 0.2, -0.4)", &["b.ron:5:44", "`max` -0.4"]),
    ("(0.1, 0.0, 0.16)", "(0.299, 0.0, 0.16)", &["b.ron:9:"]),
    // Meshes.
    ("tetrahedron.obj", "tetrahedon.obj", &["b.ron:13:20", "there is a `tetrahedron.obj`"]),
];

#[test]
fn a_broken_scene_is_refused_with_one_error_at_its_place() {
    let place = Place::new();
    for (old, new, parts) in SCENES {
        place.write("b.ron", small_with(old, new));
        for args in [&["b.ron"][..], &["check", "b.ron"]] {
            let ended = place.sim(args);
            println!("{old} -> {new}: {}", ended.stderr);
            ended.assert_refused(parts);
            assert_eq!(ended.stdout, "", "{old} -> {new}");
        }
        assert!(!place.path("out").exists(), "{old} -> {new}: something ran");
    }
}

#[test]
fn a_scene_that_is_no_text_or_no_file_is_refused() {
    let place = Place::new();
    place.write("empty.ron", "");
    place.write("binary.ron", b"Scene(\n  name: \"\xff\xfe\")");
    for (scene, parts) in [
        ("empty.ron", &["empty.ron:1:1"][..]),
        ("binary.ron", &["binary.ron:2:10", "UTF-8"]),
        ("smal.ron", &["--> smal.ron", "did you mean `small.ron`?"]),
        ("nowhere/small.ron", &["--> nowhere/small.ron"]),
        (".", &["--> .", "directory"]),
    ] {
        place.sim([scene]).assert_refused(parts);
    }
}

#[test]
fn a_broken_mesh_is_refused_at_its_line() {
    let place = Place::new();
    let lines = |text: &str| format!("{TETRAHEDRON}{text}\n");
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    for (mesh, parts) in [
        (lines("v 1 b 3"), &["tetrahedron.obj:9:5"][..]),
        (lines("v 1 nan 3"), &["tetrahedron.obj:9:5"]),
        (lines("f 1 2 9"), &["tetrahedron.obj:9:7"]),
        (lines("f 1 2"), &["tetrahedron.obj:9:"]),
        (open, &["tetrahedron.obj", "not closed"]),
        (String::new(), &["tetrahedron.obj"]),
        ("<html>".to_owned(), &["tetrahedron.obj"]),
    ] {
        place.write("tetrahedron.obj", &mesh);
        let ended = place.sim(["small.ron"]);
        println!("{mesh}: {}", ended.stderr);
        ended.assert_refused(parts);
    }
    std::fs::remove_file(place.path("tetrahedron.obj")).unwrap();
    place.sim(["small.ron"]).assert_refused(&["small.ron:13:20", "tetrahedron.obj"]);
    assert!(!place.path("out").exists());
}

#[test]
fn broken_flags_are_refused() {
    let place = Place::new();
    for (args, parts) in [
        (&["--threads", "0"][..], &["--threads", "from 1 to 1024"][..]),
        (&["--threads", "many"], &["--threads", "many"]),
        (&["--frames", "0"], &["--frames", "1..=1000000"]),
        (&["--frames", "-3"], &["-3"]),
        (&["--frame", "3"], &["--frame", "--frames"]),
        (&["--out", ""], &["--out"]),
        (&["--out"], &["--out"]),
        (&["other.ron"], &["unexpected", "other.ron"]),
        (&["--set", "fluids[0].viscosity"], &["--set fluids[0].viscosity:1:1", "no `=`"]),
        (&["--set", "=3"], &["no key"]),
        (&["--set", "neighbors="], &["no value"]),
        (&["--set", "fluids[0].viscosity=abc"], &[":1:21", "expected a number"]),
        (&["--set", "fluids[0].viscosity=-1"], &[":1:21", "must not be negative"]),
        (&["--set", "fluids[7].viscosity=1"], &[":1:7", "the last is [0]"]),
        (&["--set", "particleradius=1"], &[":1:1", "`particle_radius`?"]),
        (&["--set", "neighbors=KdTre"], &[":1:11", "`KdTre`"]),
        (&["--set", "gravity=(0, 0"], &["--set gravity=(0, 0:1:"]),
    ] {
        let ended = place.sim(["small.ron"].iter().chain(args));
        println!("{args:?}: {}", ended.stderr);
        ended.assert_refused(parts);
    }
    place.sim(["check"]).assert_usage();
    place.sim::<&str>([]).assert_usage();
    assert!(!place.path("out").exists());
}

#[test]
fn a_broken_mesh_is_named_as_it_can_be_opened() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("scenes/deep")).unwrap();
    std::fs::create_dir(place.path("meshes")).unwrap();
    place.write("scenes/deep/x.ron", small_with("tetrahedron.obj", "../../meshes/t.obj"));
    place.write("meshes/t.obj", format!("{TETRAHEDRON}v 1 b 3\n"));
    place
        .sim(["check", "scenes/deep/x.ron"])
        .assert_refused(&["--> scenes/deep/../../meshes/t.obj:9:5"]);
    let elsewhere = place.path("meshes/t.obj");
    let elsewhere = elsewhere.to_str().unwrap();
    place.write("scenes/deep/x.ron", small_with("tetrahedron.obj", elsewhere));
    place.sim(["check", "scenes/deep/x.ron"]).assert_refused(&[&format!("--> {elsewhere}:9:5")]);
}

#[test]
fn a_flag_may_bring_what_the_file_lacks() {
    let place = Place::new();
    place.write("b.ron", small_with("count: 2, ", ""));
    place.sim(["b.ron"]).assert_refused(&["missing key `count`", "a whole number of frames"]);
    let ended = place.sim(["b.ron", "--frames", "1"]);
    ended.assert_done();
    assert!(ended.summary("frames").starts_with("2 to t = 0.0100 s"), "{ended:?}");
}

#[test]
fn a_scene_may_open_with_a_byte_order_mark() {
    let place = Place::new();
    place.write("b.ron", format!("\u{feff}{}", small_with("CellIndex", "CellIndex")));
    place.sim(["check", "b.ron"]).assert_done();
    place.write("b.ron", b"\xef\xbb\xbfScene(\xff)");
    place.sim(["check", "b.ron"]).assert_refused(&["b.ron:1:7", "UTF-8"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_not_offered_as_itself() {
    let place = Place::new();
    std::os::unix::fs::symlink("gone.ron", place.path("smalll.ron")).unwrap();
    let ended = place.sim(["check", "smalll.ron"]);
    ended.assert_refused(&["--> smalll.ron", "it is a link to `gone.ron`, which is not there"]);
    assert!(!ended.stderr.contains("did you mean"), "{}", ended.stderr);
    std::os::unix::fs::symlink("gone.obj", place.path("link.obj")).unwrap();
    place.write("b.ron", small_with("tetrahedron.obj", "link.obj"));
    place.sim(["check", "b.ron"]).assert_refused(&["b.ron:13:20", "a link to `gone.obj`"]);
}

/// What a terminal would take for a command is shown by its number.
#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    let place = Place::new();
    let escape = "\x1b[31mred";
    place.write("b.ron", small_with("1e-6", "\"\x1b[2Jx\""));
    place.write("mesh.ron", small_with("tetrahedron.obj", &format!("{escape}.obj")));
    for (args, part) in [
        (vec![format!("{escape}\n.ron")], "\\u{1b}[31mred\\n.ron"),
        (vec!["b.ron".to_owned()], "found `\"\\u{1b}[2Jx\"`"),
        (vec!["mesh.ron".to_owned()], "cannot read mesh `\\u{1b}[31mred.obj`"),
        (vec!["small.ron".to_owned(), "--set".to_owned(), format!("{escape}=1")], "--set \\u{1b}"),
        (
            vec!["small.ron".to_owned(), "--out".to_owned(), format!("small.ron/{escape}")],
            "\\u{1b}[31mred",
        ),
    ] {
        let ended = place.sim(&args);
        assert!(ended.code == Some(2) || ended.code == Some(1), "{ended:?}");
        ended.assert_one_error(&[part]);
        assert!(!ended.stderr.contains('\x1b'), "{args:?}: {:?}", ended.stderr);
    }
    let ended = place.sim(["small.ron", "--frames", "1", "--out", escape]);
    ended.assert_done();
    assert!(ended.stderr.contains("to \\u{1b}[31mred\n"), "{ended:?}");
}
