//! A run from start to end: series, log, manifest and script agree with the frames.

use super::blob;
use hashfall_output::{Recorder, RunFolder, RunInfo, Status, ply};
use hashfall_solid::Solids;
use hashfall_sph::world::Fluid;
use hashfall_surface::Surfaces;
use serde_json::Value;
use std::fs;
use std::path::Path;

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn manifest(folder: &Path) -> Value {
    serde_json::from_str(&text(folder, "run.json")).unwrap()
}

fn record(recorder: &mut Recorder, frame: u32) {
    let (world, surfaces) = (blob::world(frame), blob::surfaces(frame));
    let row = blob::row(frame, &world, &surfaces);
    recorder.frame(&row, &blob::content(&world, &[surfaces])).unwrap();
}

/// Times and files of a series.
fn entries(series: &str) -> Vec<(f64, String)> {
    let value = |line: &str, key: &str| -> Option<String> {
        Some(line.split(&format!("{key}=\"")).nth(1)?.split('"').next()?.to_owned())
    };
    series
        .lines()
        .filter_map(|line| Some((value(line, "timestep")?.parse().ok()?, value(line, "file")?)))
        .collect()
}

#[test]
fn each_frame_is_in_its_files_series_log_and_manifest() {
    let temp = tempfile::tempdir().unwrap();
    let command = ["sim".to_owned(), "scenes/blob.ron".to_owned()];
    let meshes: [(&str, &[u8]); 1] = [("column.obj", b"v 0 0 0\n")];
    let info = RunInfo { command: &command, ..blob::info(3, &meshes) };
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let mut recorder = Recorder::start(folder, &blob::world(0), info).unwrap();
    assert_eq!(manifest(temp.path())["status"], "running");
    assert_eq!(text(temp.path(), "scene.ron"), info.scene);
    assert_eq!(text(temp.path(), "meshes/column.obj"), "v 0 0 0\n");

    for frame in 0..=3 {
        record(&mut recorder, frame);
        for (series, stem) in [("particles.pvd", "particles"), ("surface.pvd", "surface")] {
            let expected: Vec<(f64, String)> = (0..=frame)
                .map(|f| (f64::from(f) / blob::RATE, format!("{stem}/{stem}_{f:05}.vtp")))
                .collect();
            let found = entries(&text(temp.path(), series));
            assert_eq!(found, expected);
            assert!(found.iter().all(|(_, file)| temp.path().join(file).is_file()));
        }
        assert!(temp.path().join(format!("surface/surface_{frame:05}.ply")).is_file());
        assert_eq!(text(temp.path(), "log.csv").lines().count() as u32, frame + 2);
        assert_eq!(manifest(temp.path())["progress"]["frames_written"], frame + 1);
    }
    let solids = entries(&text(temp.path(), "solids.pvd"));
    assert_eq!(solids, ["spheres", "mesh_00"].map(|s| (0.0, format!("solids/{s}.vtp"))));

    recorder.finish(&Status::Finished).unwrap();
    let manifest = manifest(temp.path());
    assert_eq!(manifest["status"], "finished");
    assert_eq!(manifest["command"][1], "scenes/blob.ron");
    assert_eq!(manifest["scene"]["particles"], blob::world(0).particles.len());
    assert_eq!(manifest["scene"]["meshes"][0], "column.obj");
    assert_eq!(manifest["scene"]["mesh_triangles"], 8);
    let digest = |frame| format!("{:016x}", blob::world(frame).digest());
    assert_eq!(manifest["progress"]["first_state_digest"], digest(0));
    assert_eq!(manifest["progress"]["last_state_digest"], digest(3));
    assert_eq!(manifest["progress"]["steps"], 30);
    assert!(manifest["stage_ms"]["search"].as_f64().unwrap() >= 4.0, "4 frames of 1 ms each");
    assert!(manifest["started"].as_str().unwrap() <= manifest["finished"].as_str().unwrap());
}

#[test]
fn the_log_reads_back_to_the_bit() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let mut recorder = Recorder::start(folder, &blob::world(0), blob::info(0, &[])).unwrap();
    record(&mut recorder, 0);
    let log = text(temp.path(), "log.csv");
    let [header, row] = log.lines().collect::<Vec<_>>()[..] else { panic!("{log}") };
    assert_eq!(header.split(',').count(), row.split(',').count());
    let cell = |name: &str| -> &str {
        let column = header.split(',').position(|n| n == name).unwrap();
        row.split(',').nth(column).unwrap()
    };
    assert_eq!(cell("dt_mean").parse(), Ok(0.1 / 3.0));
    assert_eq!(cell("momentum_z").parse(), Ok(2.5e-17));
    assert_eq!(cell("limited_by"), "sound");
    assert_eq!(cell("surface_triangles"), "1280");
    assert_eq!(cell("walls_force_y").parse(), Ok(1.5));
    assert_eq!(cell("walls_torque_x").parse(), Ok(1e-9));
    assert_eq!(cell("solids[0]_torque_z").parse(), Ok(4.0));
    let forces = header.split(',').filter(|name| name.contains("_force_")).count();
    assert_eq!(forces, 3 * blob::world(0).solids.body_count());
    let counts = ["rejected_steps", "density_capped", "divergence_capped"].map(cell);
    assert_eq!(counts, ["3", "2", "0"]);
    assert!(cell("search_ms").parse::<f64>().unwrap() >= 1.0);
}

#[test]
fn a_run_that_fails_says_why_and_keeps_its_frames() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let mut recorder = Recorder::start(folder, &blob::world(0), blob::info(9, &[])).unwrap();
    record(&mut recorder, 0);
    recorder.finish(&Status::Failed("particle 7 is \"NaN\"".into())).unwrap();
    let manifest = manifest(temp.path());
    assert_eq!(manifest["status"], "failed");
    assert_eq!(manifest["reason"], "particle 7 is \"NaN\"");
    assert_eq!(entries(&text(temp.path(), "particles.pvd")).len(), 1);
}

#[test]
fn spray_has_files_and_a_series_of_its_own() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let world = blob::world(0);
    let mut recorder = Recorder::start(folder, &world, blob::info(1, &[])).unwrap();
    let surfaces = Surfaces { main: blob::surface(0), spray: Some(blob::surface(1)) };
    let row = blob::row(0, &world, &surfaces);
    assert!(row.surface_triangles > surfaces.main.triangles.len());
    recorder.frame(&row, &blob::content(&world, &[surfaces])).unwrap();
    recorder.finish(&Status::Finished).unwrap();
    let series = entries(&text(temp.path(), "spray.pvd"));
    assert_eq!(series, [(0.0, "spray/spray_00000.vtp".to_owned())]);
    let bytes = |name: &str| fs::read(temp.path().join(name)).unwrap();
    assert_eq!(bytes("spray/spray_00000.ply"), ply::surface(&blob::surface(1)).into_bytes());
    assert_eq!(bytes("surface/surface_00000.ply"), ply::surface(&blob::surface(0)).into_bytes());
    // Another run in the folder takes them away.
    let folder = RunFolder::create(temp.path(), &[], true).unwrap();
    Recorder::start(folder, &world, blob::info(1, &[])).unwrap();
    assert!(!temp.path().join("spray").exists() && !temp.path().join("spray.pvd").exists());
}

#[test]
fn several_fluids_have_files_and_series_of_their_own() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let mut world = blob::world(0);
    let oil = Fluid { name: "crude oil".to_owned(), ..world.fluids[0].clone() };
    world.fluids.push(oil);
    let mut recorder = Recorder::start(folder, &world, blob::info(1, &[])).unwrap();
    let fluids = [blob::surfaces(0), blob::surfaces(1)];
    let row = blob::row(0, &world, &fluids[0]);
    recorder.frame(&row, &blob::content(&world, &fluids)).unwrap();
    recorder.finish(&Status::Finished).unwrap();
    let bytes = |name: &str| fs::read(temp.path().join(name)).unwrap();
    let first = &world.fluids[0].name;
    for (name, mesh) in [(first.as_str(), 0), ("crude_oil", 1)] {
        let file = format!("surface/surface_{name}_00000");
        assert_eq!(bytes(&format!("{file}.ply")), ply::surface(&blob::surface(mesh)).into_bytes());
        let series = entries(&text(temp.path(), &format!("surface_{name}.pvd")));
        assert_eq!(series, [(0.0, format!("{file}.vtp"))]);
    }
    let all = entries(&text(temp.path(), "surface.pvd"));
    let part = |name: &str| (0.0, format!("surface/surface_{name}_00000.vtp"));
    assert_eq!(all, [part(first), part("crude_oil")]);
    // Another run in the folder takes them away.
    let folder = RunFolder::create(temp.path(), &[], true).unwrap();
    Recorder::start(folder, &world, blob::info(1, &[])).unwrap();
    assert!(!temp.path().join("surface").exists());
    assert!(!temp.path().join("surface_crude_oil.pvd").exists());
}

#[test]
fn nothing_is_written_that_was_not_asked_for() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let info = RunInfo { output: &blob::NOTHING, ..blob::info(1, &[]) };
    let mut world = blob::world(0);
    world.solids = Solids::new(world.solids.domain, vec![], vec![]);
    let mut recorder = Recorder::start(folder, &world, info).unwrap();
    let row = blob::row(0, &world, &Default::default());
    recorder.frame(&row, &blob::content(&world, &[])).unwrap();
    let mut names: Vec<_> = fs::read_dir(temp.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["log.csv", "run.json", "scene.ron"]);
}

#[test]
fn blenders_script_holds_the_runs_facts() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let info = RunInfo { name: "a \"quoted\" blob", ..blob::info(1, &[]) };
    Recorder::start(folder, &blob::world(0), info).unwrap();
    let script = text(temp.path(), "blender.py");
    assert!(script.contains(r#""name": "a \"quoted\" blob""#));
    assert!(script.contains(r#""frame_rate": 30.0"#));
    assert!(!script.contains("@RUN@"));
}
