//! Files that are broken in odd ways: one clear error each, exit code 2, no panic, nothing run.

use super::scenes::{TETRAHEDRON, small_with};
use super::support::Place;

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
        (".", &["--> .", "a folder"]),
    ] {
        place.sim([scene]).assert_refused(parts);
    }
}

#[test]
fn a_broken_mesh_is_named_as_it_can_be_opened() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("scenes/deep")).unwrap();
    std::fs::create_dir(place.path("scenes/meshes")).unwrap();
    place.write("scenes/deep/x.ron", small_with("tetrahedron.obj", "../meshes/t.obj"));
    place.write("scenes/meshes/t.obj", format!("{TETRAHEDRON}v 1 b 3\n"));
    place
        .sim(["check", "scenes/deep/x.ron"])
        .assert_refused(&["--> scenes/deep/../meshes/t.obj:9:5"]);
    let elsewhere = place.path("scenes/meshes/t.obj");
    let elsewhere = elsewhere.to_str().unwrap();
    place.write("scenes/deep/x.ron", small_with("tetrahedron.obj", elsewhere));
    place.sim(["check", "scenes/deep/x.ron"]).assert_refused(&[&format!("--> {elsewhere}:9:5")]);
}

#[test]
fn a_flag_may_bring_what_the_file_lacks() {
    let place = Place::new();
    place.write("b.ron", small_with("count: 2, ", ""));
    place.sim(["b.ron"]).assert_refused(&["missing key `count`", "a whole number, from 1"]);
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
    ended.assert_refused(&["--> smalll.ron", "it is a link to `gone.ron`, which does not exist"]);
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
