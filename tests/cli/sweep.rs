//! `sim sweep`: the same results whether in one go or killed half way, failures that stop no other
//! point, and sweeps that are refused before anything runs.

use super::support::{Ended, Place, wait_until};
use std::fs;

/// Twelve points of a few steps each.
const SWEEP: &str = r#"Sweep(
    scene: "small.ron",
    set: {
        "frames": (count: 3, rate: 200.0), "surface": None,
        "probes": (rate: 400.0, list: [Front(name: "front", axis: X)]),
    },
    axes: [
        Values(key: "fluids[0].viscosity", values: [1e-6, 1e-3, 1e-2]),
        Range(key: "particle_radius", from: 0.01, to: 0.016, count: 4),
    ],
)
"#;

/// `results.csv` without what is time on the clock: a row of pairs for each point.
pub fn results(place: &Place, folder: &str) -> Vec<Vec<(String, String)>> {
    let bytes = fs::read(place.path(&format!("{folder}/results.csv"))).unwrap();
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let names = reader.headers().unwrap().clone();
    let is_clock = |name: &str| name == "wall_time" || name.contains("_ms_");
    let row = |row: Result<csv::StringRecord, csv::Error>| {
        let row = row.unwrap();
        let pairs = names.iter().zip(&row).filter(|(name, _)| !is_clock(name));
        pairs.map(|(name, cell)| (name.to_owned(), cell.to_owned())).collect()
    };
    reader.records().map(row).collect()
}

pub fn value<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    let found = row.iter().find(|(name, _)| name == column);
    found.map(|(_, cell)| cell.as_str()).unwrap_or_else(|| panic!("no {column} in {row:?}"))
}

pub fn done_points(place: &Place, folder: &str) -> usize {
    let points = fs::read_dir(place.path(&format!("{folder}/points"))).into_iter().flatten();
    points.flatten().filter(|point| point.path().join("done.json").exists()).count()
}

#[test]
fn a_sweep_that_is_killed_half_way_and_run_again_gives_the_same_results() {
    let place = Place::new();
    place.write("s.ron", SWEEP);
    let whole = place.sim(["sweep", "s.ron", "--out", "whole"]);
    whole.assert_done();
    assert!(whole.stdout.starts_with("12 points: 12 finished\n"), "{whole:?}");

    let mut child = place.command(["sweep", "s.ron", "--out", "cut"]).spawn().unwrap();
    wait_until("three points", || {
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was killed");
        done_points(&place, "cut") >= 3
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let done = done_points(&place, "cut");
    assert!((3..12).contains(&done), "killed too late to tell: {done}");
    // Those that ran stop on their own when nobody is there any more; until then they hold points.
    let again = std::iter::repeat_with(|| place.sim(["sweep", "cut"]));
    let again = again.take(20).find(|again: &Ended| again.code == Some(0)).expect("all are done");
    assert!(again.stderr.contains("already ended"), "{again:?}");

    let (whole, cut) = (results(&place, "whole"), results(&place, "cut"));
    assert_eq!(whole, cut);
    assert_eq!(value(&whole[6], "fluids[0].viscosity"), "1e-3");
    assert_eq!(value(&whole[6], "particle_radius"), "0.014");
    let digest = |row: &Vec<(String, String)>| value(row, "digest_last").to_owned();
    let digests: std::collections::BTreeSet<String> = whole.iter().map(digest).collect();
    assert_eq!(digests.len(), 12, "each point has a run of its own");
    let front: f64 = value(&whole[0], "front_max").parse().unwrap();
    assert!(front > 0.3 && value(&whole[0], "frame_last") == "3");

    // Each point is what the scene alone gives with its settings.
    let alone = place.sim([
        "small.ron",
        "--set",
        "frames=(count: 3, rate: 200.0)",
        "--set",
        "surface=None",
        "--set",
        "fluids[0].viscosity=1e-3",
        "--set",
        "particle_radius=0.014",
    ]);
    assert_eq!(alone.assert_done().summary("state digest"), digest(&whole[6]));
}

#[test]
fn points_that_cannot_be_run_keep_their_reasons_and_stop_no_other() {
    let place = Place::new();
    let sweep = r#"Sweep(scene: "small.ron", set: { "frames.count": 1, "surface": None }, axes: [
        Cases([
            (name: "as it is", set: {}),
            (name: "negative", set: { "particle_radius": -0.01 }),
            (name: "beyond", set: { "limits.speed": 1e-3 }),
            (name: "no mesh", set: { "solids[1].path": "cone.obj" }),
            (name: "thick", set: { "fluids[0].viscosity": 1e-3 }),
        ]),
    ])"#;
    place.write("s.ron", sweep);
    let ended = place.sim(["sweep", "s.ron", "--jobs", "2"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stdout.starts_with("5 points: 2 finished, 3 failed\n"), "{ended:?}");
    let rows = results(&place, "out/s");
    let status_and_reason =
        |point: usize| (value(&rows[point], "status"), value(&rows[point], "reason"));
    assert_eq!((status_and_reason(0), status_and_reason(4)), (("finished", ""), ("finished", "")));
    for (point, part) in [(1, "particle_radius"), (2, "speed"), (3, "cone.obj")] {
        let (status, reason) = status_and_reason(point);
        assert!(status == "failed" && reason.contains(part), "{point}: {status}, {reason}");
        assert!(ended.stderr.contains(&format!("point {point} ")), "{}", ended.stderr);
    }
    assert_eq!(value(&rows[1], "case"), "negative");
    // Once more: nothing is run; with the mesh in place, its point alone succeeds.
    let before = place.read("out/s/points/0000/run.json");
    assert_eq!(place.sim(["sweep", "out/s"]).code, Some(1));
    place.write("cone.obj", place.read("tetrahedron.obj"));
    assert_eq!(place.sim(["sweep", "out/s"]).code, Some(1));
    let retried = place.sim(["sweep", "out/s", "--retry-failed"]);
    assert_eq!(retried.code, Some(1), "{retried:?}");
    assert!(retried.stdout.starts_with("5 points: 3 finished, 2 failed\n"), "{retried:?}");
    assert_eq!(place.read("out/s/points/0000/run.json"), before);
}

#[test]
fn malformed_sweeps_are_refused_before_anything_runs() {
    let place = Place::new();
    let refused = |axes: &str, parts: &[&str]| {
        let text = format!("Sweep(scene: \"small.ron\", axes: [\n  {axes}\n])");
        place.write("bad.ron", &text);
        let ended = place.sim(["sweep", "bad.ron"]);
        ended.assert_refused(parts);
        assert!(!place.path("out").exists(), "{axes}");
    };
    refused(
        "Values(key: \"fluids[0].viscosty\", values: [1, 2]),",
        &["unknown key `viscosty`", "bad.ron:2:26", "did you mean `viscosity`?"],
    );
    refused(
        "Values(key: \"particle_radius\", values: [0.01, \"small\"]),",
        &["expected a number, found `\"small\"`", "bad.ron:2:49"],
    );
    refused(
        "Zip([Values(key: \"gravity\", values: [(0, 0, 0)]), Values(key: \"kernel\", values: \
         [WendlandC2, CubicSpline])]),",
        &["2 points", "bad.ron:2:53"],
    );
    refused("Values(key: \"kernel\", values: []),", &["this axis is empty", "bad.ron:2:3"]);
    refused(
        "Range(key: \"particle_radius\", from: 0.01, to: 0.02, count: 1000000000),",
        &["1000000000 points", "bad.ron:2:62"],
    );
    refused(
        "Cases([(name: \"a\", set: {}), (name: \"a\", set: {})]),",
        &["duplicate case `a`", "bad.ron:2:39"],
    );
    refused(
        "Values(key: \"solids[7].path\", values: [\"a\", \"b\"]),",
        &["no [7]", "bad.ron:2:22"],
    );
    place.write(
        "bad.ron",
        "Sweep(scene: \"smal.ron\", axes: [Values(key: \"kernel\", values: [1])])",
    );
    let expected = ["smal.ron", "bad.ron:1:15", "did you mean `small.ron`?"];
    place.sim(["sweep", "bad.ron"]).assert_refused(&expected);
    place.sim(["sweep", "small.ron"]).assert_refused(&["no parameter varies"]);
    place.sim(["sweep", "tetrahedron.obj"]).assert_refused(&["this is a mesh, not a scene"]);
    place.sim(["sweep", "."]).assert_refused(&["holds no sweep"]);
    refused(
        "Values(key: \"solids[00].radius\", values: [1, 2]), Values(key: \"solids[0].radius\", values: [3])",
        &["overlap"],
    );
    refused(
        "Range(key: \"particle_radius\", from: 0.01, to: 0.02, count: 1),",
        &["a range of one number", "bad.ron:2:62"],
    );
    refused(
        "Cases([(name: \"a\", set: {}), (name: \"b\", set: {\"kernel\": A, \"kernel\": B})]),",
        &["`kernel` is set twice", "bad.ron:2:49"],
    );
    let twice =
        ["sweep", "small.ron", "--set", "kernel=CubicSpline", "--set", "kernel=WendlandC2,Mueller"];
    place.sim(twice).assert_refused(&["`kernel` is set twice"]);
    assert!(!place.path("out").exists());
}

#[test]
fn one_point_runs_alone_and_a_folder_keeps_its_sweep() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let with = |more: &[&str]| {
        let varied = ["--set", "particle_radius=0.012,0.014"];
        let args: Vec<&str> = sweep.iter().chain(&varied).chain(more).copied().collect();
        place.sim(args)
    };
    let listed = with(&["--list"]);
    assert_eq!(listed.assert_done().stdout, "point,particle_radius\n0,0.012\n1,0.014\n");
    assert!(!place.path("out").exists());
    with(&["--point", "1"]).assert_done();
    assert!(place.path("out/small_sweep/points/0001/done.json").exists());
    assert!(!place.path("out/small_sweep/points/0000").exists());
    let collected = with(&["--collect"]);
    assert_eq!(collected.code, Some(1), "one point has not been run");
    assert!(collected.stdout.starts_with("2 points: 1 finished, 1 waiting\n"), "{collected:?}");
    with(&["--point", "2"]).assert_refused(&["no point 2"]);
    with(&[]).assert_done();
    // Another sweep, or the same over another scene, is not mixed into it.
    let other = ["--set", "kernel=WendlandC2"];
    with(&other).assert_refused(&["another sweep", "it sets other keys", "--overwrite"]);
    place.write("small.ron", place.read("small.ron") + "// changed\n");
    with(&[]).assert_refused(&["its scene differs"]);
    place.sim(["sweep", "out/small_sweep"]).assert_refused(&["has changed since the sweep"]);
    place.write("out/small_sweep/points/0001/notes.txt", "mine");
    with(&["--overwrite", "--set", "kernel=WendlandC2"]).assert_done();
    assert_eq!(place.read("out/small_sweep/points/0001/notes.txt"), "mine");
    assert_eq!(results(&place, "out/small_sweep").len(), 2);
}

#[test]
fn no_file_is_replaced_that_is_not_of_a_sweep() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None", "--overwrite"];
    let with = |folder: &str| {
        let varied = ["--set", "particle_radius=0.012,0.014", "--out", folder];
        place.sim(sweep.iter().chain(&varied).copied().collect::<Vec<_>>())
    };
    for name in ["results.csv", "manifest.csv", "report.html", "sweep.json", "points/0000/notes"] {
        fs::remove_dir_all(place.path("mine")).ok();
        fs::create_dir_all(place.path("mine/points/0000")).unwrap();
        if !name.starts_with("points") {
            fs::remove_dir_all(place.path("mine/points")).unwrap();
        }
        let file = format!("mine/{name}");
        place.write(&file, "{\"mine\": 1}");
        with("mine").assert_refused(&["mine"]);
        assert_eq!(place.read(&file), "{\"mine\": 1}", "{name}");
    }
}

#[test]
fn a_point_that_two_processes_want_is_run_by_one() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "40", "--set", "surface=None"];
    let varied = ["--set", "particle_radius=0.008,0.009", "--out", "both"];
    let all: Vec<&str> = sweep.iter().chain(&varied).copied().collect();
    place.sim(all.iter().chain(&["--list"]).copied().collect::<Vec<_>>()).assert_done();
    let one: Vec<&str> = all.iter().chain(&["--point", "0"]).copied().collect();
    let children: Vec<_> = (0..3).map(|_| place.command(one.clone()).spawn().unwrap()).collect();
    let ends: Vec<Ended> =
        children.into_iter().map(|child| Ended::of(child.wait_with_output().unwrap())).collect();
    // The others come while it runs, or after its end.
    let is_right = |ended: &&Ended| ended.code == Some(0) || ended.code == Some(75);
    assert!(ends.iter().all(|ended| is_right(&ended)), "{ends:?}");
    let ran = ends.iter().filter(|ended| ended.stdout.contains("state digest")).count();
    assert_eq!(ran, 1, "{ends:?}");
    assert!(place.read("both/points/0000/done.json").contains("finished"));
}

#[test]
fn what_is_typed_counts_before_what_the_file_sets() {
    let place = Place::new();
    place.write("s.ron", SWEEP);
    let typed = ["--frames", "1", "--set", "frames.rate=100", "--set", "surface=None"];
    // The file sets the whole of `frames`, which holds what is typed.
    let refused = place.sim(["sweep", "s.ron", "--list"].iter().chain(&typed[2..]));
    refused.assert_refused(&["`frames.rate` and `frames` overlap"]);
    place.write(
        "s.ron",
        SWEEP.replace("\"frames\": (count: 3, rate: 200.0)", "\"frames.count\": 3"),
    );
    place.sim(["sweep", "s.ron"].iter().chain(&typed)).assert_done();
    assert_eq!(value(&results(&place, "out/s")[11], "frame_last"), "1");
    assert_eq!(value(&results(&place, "out/s")[11], "time_last"), "0.01");
    let varied = ["sweep", "s.ron", "--list", "--set", "particle_radius=0.01"];
    place.sim(varied).assert_refused(&["`particle_radius` is set twice"]);
}

#[test]
fn another_program_or_a_plain_run_is_kept_out_of_a_sweep() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let with = |more: &[&str]| place.sim(sweep.iter().chain(more).copied().collect::<Vec<_>>());
    with(&["--set", "particle_radius=0.012,0.014", "--point", "0"]).assert_done();
    let folder = "out/small_sweep";
    place.sim(["small.ron", "--out", folder, "--overwrite"]).assert_refused(&["holds a sweep"]);
    let record = place.read("out/small_sweep/sweep.json");
    place.write("out/small_sweep/sweep.json", record.replace(" f32", " f16"));
    place.sim(["sweep", folder]).assert_refused(&[" f16 ", "this is"]);
    place.sim(["sweep", folder, "--point", "1"]).assert_refused(&[" f16 "]);
    // Looking at it does no harm.
    place.sim(["report", folder]).assert_done();
    place.sim(["sweep", folder, "--list"]).assert_done();
    assert!(place.sim(["sweep", folder, "--collect"]).stdout.contains("1 finished, 1 waiting"));
}

#[test]
fn keys_that_hold_each_other_are_refused() {
    let place = Place::new();
    let sweep = |first: &str, second: &str| {
        place.sim(["sweep", "small.ron", "--set", first, "--set", second])
    };
    let (part, whole) = ("frames.count=1,2", "frames=(count:3,rate:9.0),(count:1,rate:9.0)");
    for (first, second) in [(part, whole), (whole, part)] {
        sweep(first, second).assert_refused(&["`frames", "overlap"]);
    }
    sweep("gravity[2]=-1,-2", "gravity=(0,0,-3)").assert_refused(&["overlap"]);
    assert!(!place.path("out").exists());
}

#[test]
fn a_run_of_another_setting_in_a_points_folder_is_not_taken_for_the_points() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let varied = ["--set", "particle_radius=0.012,0.014", "--out", "s"];
    let with = |more: &[&str]| {
        place.sim(sweep.iter().chain(&varied).chain(more).copied().collect::<Vec<_>>())
    };
    with(&[]).assert_done();
    let right = results(&place, "s");
    let started = |point: &str| place.manifest(point)["started"].clone();
    let before = started("s/points/0001");
    with(&["--overwrite"]).assert_done();
    assert!(started("s/points/0001") != before, "it was not run again");
    // The outcome of one point beside the run of another.
    fs::rename(place.path("s/points/0000"), place.path("s/points/aside")).unwrap();
    fs::rename(place.path("s/points/0001"), place.path("s/points/0000")).unwrap();
    fs::rename(place.path("s/points/aside"), place.path("s/points/0001")).unwrap();
    with(&[]).assert_done();
    assert_eq!(results(&place, "s"), right);
}

#[test]
fn a_scene_that_was_changed_and_put_back_leaves_no_failure() {
    let place = Place::new();
    let sweep = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let varied = ["--set", "particle_radius=0.012,0.014", "--out", "s"];
    let all: Vec<&str> = sweep.iter().chain(&varied).copied().collect();
    place.sim(all.iter().chain(&["--point", "0"]).copied().collect::<Vec<_>>()).assert_done();
    let scene = place.read("small.ron");
    place.write("small.ron", format!("{scene}// changed\n"));
    place.sim(["sweep", "s"]).assert_refused(&["has changed"]);
    place.sim(["sweep", "s", "--collect"]);
    place.write("small.ron", &scene);
    let mesh = place.read("tetrahedron.obj");
    place.write("tetrahedron.obj", format!("{mesh}# changed\n"));
    place.sim(["sweep", "s"]).assert_refused(&["`tetrahedron.obj` has changed"]);
    place.write("tetrahedron.obj", mesh);
    place.sim(all).assert_done();
}

#[test]
fn a_mesh_and_the_files_that_it_names_must_not_change() {
    let place = Place::new();
    let [gltf, bin] = ["blender.gltf", "blender.bin"]
        .map(|name| fs::read(format!("tests/mesh_files/{name}")).unwrap());
    fs::create_dir(place.path("gltf")).unwrap();
    place.write("gltf/blender.gltf", &gltf);
    place.write("gltf/blender.bin", &bin);
    let small = place.read("small.ron");
    place.write("small.ron", small.replace("tetrahedron.obj", "gltf/blender.gltf"));
    // A corner is elsewhere by a bit.
    let changed: Vec<u8> = [&[bin[0] ^ 1], &bin[1..]].concat();
    let all = ["sweep", "small.ron", "--frames", "1", "--set", "surface=None"];
    let varied = ["--set", "particle_radius=0.012,0.014", "--out", "s"];
    let all: Vec<&str> = all.iter().chain(&varied).copied().collect();
    place.sim(all.iter().chain(&["--point", "0"]).copied().collect::<Vec<_>>()).assert_done();
    let record = place.read("s/sweep.json");
    assert!(record.contains("gltf/blender.gltf") && record.contains("gltf/blender.bin"));
    place.write("gltf/blender.bin", &changed);
    place.sim(["sweep", "s"]).assert_refused(&["`gltf/blender.bin` has changed"]);
    place.sim(all.clone()).assert_refused(&["its meshes differ"]);
    place.write("gltf/blender.bin", &bin);
    place.sim(all).assert_done();
    // A run has copies of both, and runs and resumes from these alone.
    fs::remove_dir_all(place.path("gltf")).unwrap();
    let copy = "s/points/0000/meshes/blender.bin";
    assert_eq!(fs::read(place.path(copy)).unwrap(), bin);
    place.sim(["s/points/0000/scene.ron", "--out", "again"]).assert_done();
    place.sim(["resume", "again", "--frames", "2"]).assert_done();
    place.write("again/meshes/blender.bin", &changed);
    place.sim(["resume", "again", "--frames", "3"]).assert_refused(&["meshes/blender.bin"]);
}

#[test]
fn programs_are_told_of_each_point() {
    let place = Place::new();
    let ended = place.sim([
        "sweep",
        "small.ron",
        "--frames",
        "1",
        "--set",
        "surface=None",
        "--log",
        "json",
        "--set",
        "particle_radius=0.014,-1",
    ]);
    assert_eq!(ended.code, Some(1));
    let events: Vec<serde_json::Value> =
        ended.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |point: u64, status: &str| {
        let is_it = |event: &&serde_json::Value| {
            event["event"] == "point" && event["point"] == point && event["status"] == status
        };
        events.iter().filter(is_it).count()
    };
    assert_eq!((of(0, "running"), of(1, "running")), (1, 1));
    assert_eq!((of(0, "finished"), of(1, "failed")), (1, 1));
    let last = events.last().unwrap();
    assert_eq!((&last["event"], &last["status"]), (&"end".into(), &"failed".into()));
}
