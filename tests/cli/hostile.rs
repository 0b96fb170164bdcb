//! Scenes and folders that somebody else has made: what they may reach, and what they may cost.

#![cfg(unix)]

use super::scenes::{TETRAHEDRON, small_with};
use super::support::{Place, SIM};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

/// A place whose scenes are in a folder `project/scenes`, and a mesh above that.
fn project() -> Place {
    let place = Place::new();
    fs::create_dir_all(place.path("project/scenes")).unwrap();
    fs::create_dir(place.path("project/meshes")).unwrap();
    place.write("project/meshes/t.obj", TETRAHEDRON);
    place
}

#[test]
fn a_mesh_above_the_parent_of_the_scenes_folder_needs_a_flag() {
    let place = project();
    symlink("../../tetrahedron.obj", place.path("project/scenes/link.obj")).unwrap();
    for mesh in ["../../tetrahedron.obj", "link.obj", "../meshes/../../tetrahedron.obj"] {
        place.write("project/scenes/x.ron", small_with("tetrahedron.obj", mesh));
        for args in [&["project/scenes/x.ron"][..], &["check", "project/scenes/x.ron"]] {
            place.sim(args).assert_refused(&["x.ron:13:20", "outside", "--allow-outside"]);
        }
        place.sim(["check", "project/scenes/x.ron", "--allow-outside"]).assert_done();
    }
    assert!(!place.path("out").exists());
    let run = ["project/scenes/x.ron", "--frames", "1", "--allow-outside"];
    place.sim(run).assert_done();
    // The run has its own copy of the mesh, so that it goes on without the flag.
    place.sim(["resume", "out/x", "--frames", "2"]).assert_done();
}

#[test]
fn a_mesh_beside_the_scenes_folder_needs_none() {
    let place = project();
    place.write("project/scenes/x.ron", small_with("tetrahedron.obj", "../meshes/t.obj"));
    place.sim(["check", "project/scenes/x.ron"]).assert_done();
    for folder in ["project", "project/scenes"] {
        let scene = if folder == "project" { "scenes/x.ron" } else { "x.ron" };
        let mut command = place.command(["check", scene]);
        assert!(command.current_dir(place.path(folder)).status().unwrap().success(), "{folder}");
    }
}

#[test]
fn a_pipe_or_folder_is_no_mesh() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe.obj")).status().unwrap().success());
    fs::create_dir(place.path("folder.obj")).unwrap();
    for (mesh, what) in [("pipe.obj", "a pipe or device"), ("folder.obj", "a folder")] {
        place.write("x.ron", small_with("tetrahedron.obj", mesh));
        place.sim(["check", "x.ron"]).assert_refused(&["x.ron:13:20", what, "regular file"]);
    }
}

#[test]
fn nothing_is_written_or_removed_through_a_link_out_of_the_folder() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    fs::rename(place.path("out/small/particles"), place.path("elsewhere")).unwrap();
    symlink(place.path("elsewhere"), place.path("out/small/particles")).unwrap();
    let before = place.files("");
    for args in [
        &["small.ron", "--overwrite"][..],
        &["resume", "out/small", "--frames", "3"],
        &["audit", "out/small"],
    ] {
        place.sim(args).assert_refused(&["`out/small/particles`", "leads out"]);
        assert!(place.files("") == before, "{args:?}");
    }
    // Within the folder a link may lead where it likes, and the folder itself may be one.
    fs::remove_file(place.path("out/small/particles")).unwrap();
    fs::rename(place.path("elsewhere"), place.path("out/small/inner")).unwrap();
    symlink("inner", place.path("out/small/particles")).unwrap();
    fs::rename(place.path("out/small"), place.path("disk")).unwrap();
    symlink("../disk", place.path("out/small")).unwrap();
    place.sim(["resume", "out/small", "--frames", "2"]).assert_done();
    assert!(place.path("disk/inner/particles_00002.vtp").is_file());
}

/// What is read goes into pages and messages.
#[test]
fn nothing_is_read_through_a_link_out_of_the_folder() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    place.write("secret", "the secret");
    for name in ["scene.ron", "log.csv"] {
        let file = place.path("out/small").join(name);
        fs::rename(&file, place.path("kept")).unwrap();
        symlink("../../secret", &file).unwrap();
        for command in ["report", "resume", "preview", "audit"] {
            let ended = place.sim([command, "out/small"]);
            ended.assert_refused(&[name, "leads out of the run's folder"]);
            assert!(!ended.stderr.contains("the secret"), "{command}: {ended:?}");
        }
        assert!(!place.path("out/small/report.html").exists());
        fs::rename(place.path("kept"), &file).unwrap();
    }
    // A link that stays in the folder is as good as the file.
    fs::rename(place.path("out/small/scene.ron"), place.path("out/small/first.ron")).unwrap();
    symlink("first.ron", place.path("out/small/scene.ron")).unwrap();
    place.sim(["report", "out/small"]).assert_done();
}

#[test]
fn a_file_of_the_run_that_is_a_link_is_replaced_and_not_followed() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    place.write("mine.csv", "mine");
    for name in ["log.csv", "particles/particles_00000.vtp", "surface.pvd"] {
        let file = place.path("out/small").join(name);
        fs::remove_file(&file).unwrap();
        symlink(place.path("mine.csv"), &file).unwrap();
    }
    place.sim(["small.ron", "--frames", "1", "--overwrite"]).assert_done();
    assert_eq!(place.read("mine.csv"), "mine");
    assert!(!place.path("out/small/log.csv").is_symlink());
}

#[test]
fn a_table_that_becomes_a_link_ends_the_run_and_is_not_followed() {
    let place = Place::new();
    place.write("mine.csv", "mine, and longer than any log of a few frames".repeat(1000));
    let before = place.read("mine.csv");
    let child = super::signals::endless_run(&place, Some("--quiet"));
    symlink("../../mine.csv", place.path("out/link")).unwrap();
    fs::rename(place.path("out/link"), place.path("out/small/log.csv")).unwrap();
    let ended = super::support::Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(1), "{ended:?}");
    ended.assert_one_error(&["out/small/log.csv", "link"]);
    assert!(place.read("mine.csv") == before);
}

#[test]
fn a_manifest_that_is_no_file_or_names_meshes_elsewhere_is_refused() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1"]).assert_done();
    let manifest = place.read("out/small/run.json");
    place.write("out/small/run.json", manifest.replace("tetrahedron.obj", "../../small.ron"));
    for command in ["resume", "audit"] {
        place.sim([command, "out/small"]).assert_refused(&["out/small", "meshes"]);
    }
    fs::remove_file(place.path("out/small/run.json")).unwrap();
    let pipe = place.path("out/small/run.json");
    assert!(Command::new("mkfifo").arg(pipe).status().unwrap().success());
    let run = place.sim(["small.ron"]);
    for ended in [run, place.sim(["resume", "out/small"]), place.sim(["audit", "out/small"])] {
        assert!(ended.code == Some(1) || ended.code == Some(2), "{ended:?}");
        ended.assert_one_error(&["out/small/run.json", "not a regular file"]);
    }
}

#[test]
fn a_scene_may_come_through_a_pipe_that_has_a_writer() {
    let place = Place::new();
    let mesh =
        "        Mesh(path: \"tetrahedron.obj\", scale: 0.1, translate: (0.25, 0.05, 0.04)),\n";
    place.write("small.ron", small_with(mesh, ""));
    let script = format!("cat small.ron | {SIM} check /dev/stdin");
    let output = Command::new("sh").args(["-c", &script]).current_dir(place.path("")).output();
    super::support::Ended::of(output.unwrap()).assert_done();
}
