//! `sim export`: what it writes of a run, and what it refuses.

use super::scenes::small_with;
use super::support::{Ended, Place};
use hashfall_input::{self as input, AttributeFilter, Format};
use hashfall_output::layout;
use std::fs;

/// A short run with particles, a surface, a solid, and a body that moves.
fn run() -> Place {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "3", "--out", "run"]).assert_done();
    place
}

fn exported(place: &Place, args: &[&str]) -> Ended {
    place.sim(["export", "run"].iter().chain(args))
}

fn names(place: &Place, folder: &str) -> Vec<String> {
    place.files(folder).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_run_becomes_files_of_each_format_and_stays_as_it_was() {
    let place = run();
    let before = place.files("run");
    let ended = exported(&place, &["--format", "usd,vtkhdf,vdb,gltf,alembic"]);
    let shown = &ended.assert_done().stdout;
    assert!(shown.contains("4 frames") && shown.contains("7 files"), "{shown}");
    let all = names(&place, "run/export");
    for name in [
        "alembic/run.abc",
        "gltf/frame_00003.glb",
        "usd/frame_00000.usda",
        "usd/manifest.usda",
        "usd/run.usda",
        "vdb/surface_00003.vdb",
        "vtkhdf/particles.vtkhdf",
        "vtkhdf/solids.vtkhdf",
        "vtkhdf/surface.vtkhdf",
    ] {
        assert!(all.iter().any(|it| it == name), "no {name} in {all:?}");
    }
    assert!(all.iter().all(|name| layout::is_export(&format!("export/{name}"))), "{all:?}");
    let mut after = place.files("run");
    let exports: Vec<_> = after.extract_if(.., |(name, _)| name.starts_with("export/")).collect();
    assert_eq!(after, before);
    place.sim(["audit", "run"]).assert_done();
    // Again, on other threads: the same bytes.
    let args = ["--format", "alembic,gltf,vdb,vtkhdf,usd", "--overwrite", "--threads", "5", "-q"];
    assert_eq!(exported(&place, &args).assert_done().stdout, "");
    let again = place.files("run/export");
    assert!(again.iter().zip(&exports).all(|(a, b)| a.1 == b.1) && again.len() == exports.len());
    // A new run removes them with the old one.
    place.sim(["small.ron", "--frames", "1", "--out", "run", "--overwrite"]).assert_done();
    assert!(!place.path("run/export").exists());
}

/// As of an emitter that starts later.
#[test]
fn a_run_that_begins_empty_has_the_voxels_of_its_scene() {
    let place = Place::new();
    place.write(
        "late.ron",
        "(frames: (count: 4, rate: 30.0), domain: Box(min: (0, 0, 0), max: (0.6, 0.6, 0.8)),
        particle_radius: 0.02, solver: Dfsph(), output: (surface: [Ply]),
        fluids: [(name: \"w\", rest_density: 1000.0, viscosity: 1e-6, shapes: [])],
        emitters: [(start: 0.05, speed: 2.0,
            from: Disc(centre: (0.3, 0.4, 0.7), normal: (0, 0, -1), radius: 0.08))])",
    );
    place.sim(["late.ron", "--quiet", "--out", "run"]).assert_done();
    exported(&place, &["--format", "usd,vdb", "--quiet"]).assert_done();
    let all = names(&place, "run/export");
    for name in ["usd/run.usda", "vdb/surface_00004.vdb"] {
        assert!(all.iter().any(|it| it == name), "no {name} in {all:?}");
    }
}

#[test]
fn names_with_odd_characters_arrive() {
    let place = Place::new();
    place.write(
        "odd.ron",
        "(frames: (count: 1, rate: 100.0), domain: Box(min: (0, 0, 0), max: (0.6, 0.6, 0.8)),
        particle_radius: 0.02, solver: Dfsph(), output: (surface: [Ply]), fluids: [
            (name: \"wässer 1/2\", rest_density: 1000.0, viscosity: 1e-6,
                shapes: [Box(min: (0, 0, 0), max: (0.2, 0.6, 0.2))]),
            (name: \"2. öl & <gas>\", rest_density: 900.0, viscosity: 1e-5,
                shapes: [Box(min: (0.4, 0, 0), max: (0.6, 0.6, 0.2))]),
        ],
        solids: [Box(min: (0.2, 0.2, 0), max: (0.3, 0.3, 0.1), name: \"größe \\\"a\\\"\",
            motion: Free(density: 500.0))])",
    );
    place.sim(["odd.ron", "--quiet", "--out", "run"]).assert_done();
    exported(&place, &["--format", "usd,gltf,alembic", "--quiet"]).assert_done();
    let has = |file: &str, text: &str| {
        let bytes = fs::read(place.path("run/export").join(file)).unwrap();
        assert!(bytes.windows(text.len()).any(|it| it == text.as_bytes()), "{file}: {text}");
    };
    for fluid in ["wässer 1/2", "2. öl & <gas>"] {
        has("usd/run.usda", &format!("displayName = \"{fluid}\""));
        has("gltf/frame_00001.glb", &format!("\"name\":\"{fluid}\""));
        has("alembic/run.abc", &format!("displayName={fluid}"));
    }
    has("usd/solids.usda", "displayName = \"größe \\\"a\\\"\"");
    has("gltf/frame_00001.glb", "\"name\":\"größe \\\"a\\\"\"");
    has("alembic/run.abc", "größe \"a\"_shape");
}

#[test]
fn frames_parts_and_a_box_are_chosen() {
    let place = run();
    let args = ["-f", "usd", "--from", "1", "--every", "2", "--only", "particles", "-o", "usd"];
    exported(&place, &args).assert_done();
    assert_eq!(
        names(&place, "usd"),
        ["frame_00001.usda", "frame_00003.usda", "manifest.usda", "run.usda", "solids.usda"]
    );
    let count = |text: String| {
        let ids = text.split("ids.timeSamples").nth(1).unwrap();
        ids.split(']').next().unwrap().split(',').count()
    };
    let all = count(place.read("usd/frame_00001.usda"));
    assert!(!place.read("usd/run.usda").contains("Mesh"));
    let bytes = fs::read(place.path("run/particles/particles_00001.vtp")).unwrap();
    let cloud = input::read(&bytes, Format::VtkXml, &AttributeFilter::All).unwrap();
    assert_eq!(cloud.positions.len(), all);
    let within = cloud.positions.iter().filter(|x| x.x <= 0.2 && x.z >= 0.0).count();
    assert!(0 < within && within < all, "the test can fail: {within} of {all}");
    let corners = ["--box", "-1,-1,0", "0.2,1,1"];
    exported(&place, &[&args[..], &corners, &["--overwrite"]].concat()).assert_done();
    assert_eq!(count(place.read("usd/frame_00001.usda")), within);
}

#[test]
fn what_cannot_be_exported_is_refused_and_leaves_nothing() {
    let place = run();
    exported(&place, &[]).assert_usage();
    exported(&place, &["-f", "obj"]).assert_refused(&["invalid value 'obj'", "usd, vtkhdf"]);
    exported(&place, &["-f", "usd", "--box", "0,0,0"]).assert_usage();
    place.sim(["export", "small.ron", "-f", "usd"]).assert_refused(&["small.ron", "a scene"]);
    for (args, parts) in [
        (&["-f", "usd", "--from", "9"][..], &["no frame from --from", "the last is 3"][..]),
        (&["-f", "vdb", "--quantize", "12"], &["`vdb` carries no quantised", "usd"]),
        (&["-f", "usd", "--half"], &["--voxel and --half are of vdb"]),
        (&["-f", "gltf", "--only", "particles"], &["`gltf` takes no such part, but surface"]),
        (&["-f", "usd", "--only", "foam"], &["`run` has no foam"]),
        (&["-f", "usd", "--box", "1,0,0", "0,1,1"], &["first corner of --box"]),
        (&["-f", "usd", "-o", "small.ron"], &["`small.ron` is a file"]),
    ] {
        exported(&place, args).assert_refused(parts);
        assert!(!place.path("run/export").exists(), "{args:?}");
    }
    let surface = place.path("run/surface");
    fs::rename(&surface, place.path("elsewhere")).unwrap();
    exported(&place, &["-f", "usd,vdb"]).assert_refused(&["`run` has no surface, spray", "`vdb`"]);
    assert!(!place.path("run/export").exists());
}

#[test]
fn a_torn_frame_is_named_and_nothing_half_written_is_left() {
    let place = run();
    let torn = "run/particles/particles_00002.vtp";
    let whole = fs::read(place.path(torn)).unwrap();
    place.write(torn, &whole[..whole.len() / 2]);
    let ended = exported(&place, &["-f", "usd,vtkhdf", "--only", "particles"]);
    ended.assert_refused(&["particles_00002.vtp"]);
    assert!(!place.path("run/export").exists());
    // In a folder that was there, only what was written goes.
    place.write("mine", "");
    fs::remove_file(place.path("mine")).unwrap();
    fs::create_dir(place.path("mine")).unwrap();
    place.write("mine/notes.txt", "mine");
    exported(&place, &["-f", "usd", "-o", "mine"])
        .assert_refused(&["`mine` exists", "--overwrite"]);
    exported(&place, &["-f", "usd", "-o", "mine", "--overwrite"])
        .assert_refused(&["particles_00002.vtp"]);
    assert_eq!(names(&place, "mine"), ["notes.txt"]);
}

#[test]
fn bodies_that_move_freely_have_their_poses() {
    let place = Place::new();
    let at = "translate: (0.25, 0.05, 0.04)";
    place.write("small.ron", small_with(at, &format!("{at}, motion: Free(density: 500.0)")));
    place.sim(["small.ron", "--frames", "2", "--out", "run"]).assert_done();
    exported(&place, &["-f", "usd,vtkhdf,gltf", "--only", "bodies"]).assert_done();
    let solids = place.read("run/export/usd/solids.usda");
    assert!(solids.contains("def Xform \"body_01\"") && solids.contains("xformOp:orient"));
    let folder = names(&place, "run/export");
    assert!(folder.contains(&"vtkhdf/bodies.vtkhdf".to_owned()), "{folder:?}");
}
