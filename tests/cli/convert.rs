//! `sim convert`, and scenes in JSON wherever a command takes a scene.

use super::support::Place;

#[test]
fn a_scene_in_json_runs_resumes_and_sweeps_as_in_ron() {
    let place = Place::new();
    place.write("same.json", "{}");
    let ended = place.sim(["convert", "small.ron", "-o", "same.json"]);
    ended.assert_refused(&["same.json", "exists", "--overwrite"]);
    place.sim(["convert", "small.ron", "-o", "same.json", "--overwrite"]).assert_done();
    place.sim(["convert", "small.ron", "-o", "same.json"]).assert_done();
    serde_json::from_str::<serde_json::Value>(&place.read("same.json")).unwrap();
    for scene in ["small.ron", "same.json"] {
        place.sim([scene, "--frames", "2", "--set", "surface=None"]).assert_done();
    }
    place.sim(["check", "same.json", "--set", "gravity=[0, 0, -1]"]).assert_done();
    let digest = |run: &str| place.manifest(run)["progress"]["last_state_digest"].clone();
    assert_eq!(digest("out/small"), digest("out/same"));
    assert_eq!(place.read("out/small/scene.ron"), place.read("out/same/scene.ron"));
    for run in ["out/small", "out/same"] {
        place.sim(["resume", run, "--frames", "3"]).assert_done();
    }
    assert_eq!(digest("out/small"), digest("out/same"));
    let radii = ["--set", "particle_radius=0.018,0.02", "--set", "surface=None", "--frames", "1"];
    place.sim(["sweep", "same.json"].iter().chain(&radii)).assert_done();
    assert_eq!(place.read("out/same_sweep/results.csv").lines().count(), 3);
}

#[test]
fn json_goes_back_to_ron_on_stdout() {
    let place = Place::new();
    let json = place.sim(["convert", "dam_break", "--quiet"]);
    assert!(json.assert_done().stderr.is_empty(), "{json:?}");
    let json = place.sim(["convert", "dam_break"]);
    assert!(json.assert_done().stderr.contains("left out: JSON has none"), "{json:?}");
    place.write("dam.json", json.stdout.as_bytes());
    let ron = place.sim(["convert", "dam.json"]);
    assert!(ron.assert_done().stdout.starts_with("Scene("), "{}", ron.stdout);
    place.write("dam.ron", ron.stdout.as_bytes());
    assert_eq!(place.sim(["convert", "dam.ron"]).assert_done().stdout, json.stdout);
}

#[test]
fn faults_of_json_are_shown_in_it() {
    let place = Place::new();
    place.write("bad.json", b"{\n  \"frames\": {\"count\": 5, \"rat\": 50.0}\n}\n");
    let ended = place.sim(["check", "bad.json"]);
    ended.assert_refused(&["bad.json:2:27", "unknown key `rat`", "did you mean `rate`?"]);
    place.write("bad.json", b"{\n  \"frames\": {\"count\": 5,\n");
    place.sim(["convert", "bad.json"]).assert_refused(&["bad.json:2:13", "never closed"]);
}

#[test]
fn a_new_scene_in_json_names_its_schema() {
    let place = Place::new();
    place.sim(["new", "splash.json"]).assert_done();
    let scene: serde_json::Value = serde_json::from_str(&place.read("splash.json")).unwrap();
    assert_eq!(scene["$schema"], "scene.schema.json");
    let schema: serde_json::Value = serde_json::from_str(&place.read("scene.schema.json")).unwrap();
    assert_eq!(schema, hashfall_scene::schema::for_editors());
    place.sim(["check", "splash.json"]).assert_done();
    place.sim(["new", "bottle", "--json", "--from", "glass"]).assert_done();
    place.sim(["check", "bottle.json"]).assert_done();
    place.sim(["new", "other.ron", "--json"]).assert_refused(&["other.json"]);
}

#[test]
fn a_scene_is_written_under_a_name_of_its_language_and_not_over_itself() {
    let place = Place::new();
    let source = place.read("small.ron");
    for out in ["b.ron", "small.ron", "B.RON"] {
        for more in [&[][..], &["--overwrite"]] {
            let ended = place.sim(["convert", "small.ron", "-o", out].iter().chain(more));
            ended.assert_refused(&["the scene becomes JSON", ".json`"]);
        }
    }
    assert!(!place.path("b.ron").exists());
    place.sim(["convert", "small.ron", "-o", "b.json"]).assert_done();
    place.sim(["convert", "b.json", "-o", "c.json"]).assert_refused(&["becomes RON", "`c.ron`"]);
    // A scene without an extension.
    std::fs::copy(place.path("small.ron"), place.path("scene")).unwrap();
    let ended = place.sim(["convert", "scene", "-o", "./scene", "--overwrite"]);
    ended.assert_refused(&["is the scene itself"]);
    assert_eq!(place.read("scene"), source);
}
