//! The run's folder: whose files it may touch.

use super::scenes::small_with;
use super::support::{Place, assert_series_is_whole};
use std::fs;

#[test]
fn an_earlier_run_is_refused_and_left_as_it_was() {
    let place = Place::new();
    place.sim(["small.ron"]).assert_done();
    let before = place.files("out");
    place.sim(["small.ron", "--frames", "1"]).assert_refused(&["out/small", "--overwrite"]);
    assert!(place.files("out") == before, "a refused run touched the earlier one");
}

#[test]
fn overwrite_replaces_the_run_and_spares_other_files() {
    let place = Place::new();
    place.sim(["small.ron"]).assert_done();
    place.write("out/small/notes.txt", "mine");
    place.write("out/small/surface/notes.txt", "mine");
    place.sim(["small.ron", "--frames", "1", "--overwrite"]).assert_done();
    assert_eq!(place.read("out/small/notes.txt"), "mine");
    assert_eq!(place.read("out/small/surface/notes.txt"), "mine");
    assert!(place.path("out/small/particles/particles_00001.vtp").exists());
    assert!(!place.path("out/small/particles/particles_00002.vtp").exists());
}

#[test]
fn out_names_the_folder() {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "1", "--out", "a/b"]).assert_done();
    assert!(place.path("a/b/run.json").is_file() && !place.path("out").exists());
}

#[test]
fn a_folder_that_cannot_be_is_refused_before_the_run() {
    let place = Place::new();
    place.write("file", "mine");
    for folder in ["file", "file/below"] {
        place.sim(["small.ron", "--out", folder]).assert_refused(&["file"]);
        assert_eq!(place.read("file"), "mine");
    }
    assert_eq!(fs::read_dir(place.path("")).unwrap().count(), 3, "something was left behind");
}

#[test]
fn a_refused_scene_leaves_no_folder() {
    let place = Place::new();
    place.sim(["small.ron", "--set", "particle_radius=-1"]).assert_refused(&["particle_radius"]);
    assert!(!place.path("out").exists());
}

#[test]
fn a_scene_of_the_users_is_no_earlier_run() {
    let place = Place::new();
    fs::rename(place.path("small.ron"), place.path("scene.ron")).unwrap();
    let before = place.files("");
    for more in [None, Some("--overwrite")] {
        let args = ["scene.ron", "--out", "."].into_iter().chain(more);
        place.sim(args).assert_refused(&["./scene.ron", "does not belong to", "--out"]);
        assert!(place.files("") == before);
    }
}

#[test]
fn a_mesh_of_the_users_stops_the_run_before_it_leaves_anything() {
    let place = Place::new();
    fs::create_dir_all(place.path("out/small/meshes")).unwrap();
    place.write("out/small/meshes/tetrahedron.obj", "mine");
    for more in [None, Some("--overwrite")] {
        let args = ["small.ron"].into_iter().chain(more);
        place.sim(args).assert_refused(&["out/small/meshes/tetrahedron.obj", "does not belong to"]);
        let mine = ("meshes/tetrahedron.obj".to_owned(), b"mine".to_vec());
        assert_eq!(place.files("out/small"), [mine]);
    }
}

#[test]
fn each_fluid_of_a_scene_has_its_surface_unless_they_are_to_have_one() {
    let place = Place::new();
    let layers = r#"fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0.1, 0.0, 0.16), max: (0.3, 0.2, 0.2))],
    ), (
        name: "oil, light", rest_density: 800.0, viscosity: 1e-6,
        shapes: [Box(min: (0.1, 0.0, 0.2), max: (0.3, 0.2, 0.26))],
    )]"#;
    let one = r#"fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0.1, 0.0, 0.16), max: (0.3, 0.2, 0.26))],
    )]"#;
    place.write("layers.ron", small_with(one, layers));
    let finished = ["surface.cleanup=true", "surface.smoothing=10", "surface.clip=Flat"];
    let set = finished.iter().flat_map(|set| ["--set", set]);
    place.sim(["layers.ron"].into_iter().chain(set)).assert_done();
    for fluid in ["water", "oil__light"] {
        let series = format!("surface_{fluid}.pvd");
        assert_eq!(assert_series_is_whole(&place, "out/layers", &series), 3);
        assert!(place.path(&format!("out/layers/surface/surface_{fluid}_00002.ply")).is_file());
    }
    // Parts of the series of all.
    assert_eq!(assert_series_is_whole(&place, "out/layers", "surface.pvd"), 6);
    let together = ["layers.ron", "--set", "surface.merge_fluids=true", "--overwrite"];
    place.sim(together).assert_done();
    assert_eq!(assert_series_is_whole(&place, "out/layers", "surface.pvd"), 3);
    assert!(!place.path("out/layers/surface_water.pvd").exists());
}
