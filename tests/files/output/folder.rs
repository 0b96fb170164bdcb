//! The run folder: what it refuses, what it replaces, and what it never touches.

use hashfall_geometry::Aabb;
use hashfall_output::files::Write;
use hashfall_output::{FileError, Recorder, RunFolder, RunInfo, Status, obstacles};
use hashfall_solid::Solids;
use hashfall_sph::world::World;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::blob;

/// Every file under a folder: its name and its content.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(path) = folders.pop() {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// A finished run of two frames with a copied mesh.
fn run_in(folder: &Path) {
    let meshes: [(&str, &[u8]); 1] = [("column.obj", b"v 0 0 0\n")];
    let folder = RunFolder::create(folder, &[], false).unwrap();
    let mut recorder = Recorder::start(folder, &blob::world(0), blob::info(1, &meshes)).unwrap();
    for frame in 0..2 {
        let (world, surfaces) = (blob::world(frame), blob::surfaces(frame));
        recorder
            .frame(&blob::row(frame, &world, &surfaces), &blob::content(&world, &[surfaces]))
            .unwrap();
    }
    recorder.finish(&Status::Finished).unwrap();
}

#[test]
fn folders_are_made_and_an_empty_one_is_taken() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("out/deep/run");
    assert_eq!(RunFolder::create(&path, &[], false).unwrap().path(), path);
    assert!(path.is_dir());
    RunFolder::create(&path, &[], false).unwrap();
    assert_eq!(contents(temp.path()).len(), 0, "trying the folder leaves no file");
}

#[test]
fn an_earlier_run_is_refused_and_left_as_it_is() {
    let temp = tempfile::tempdir().unwrap();
    run_in(temp.path());
    let before = contents(temp.path());
    let error = RunFolder::create(temp.path(), &[], false).unwrap_err().to_string();
    assert!(error.contains("--overwrite") && error.contains("--out"), "{error}");
    assert!(error.contains(temp.path().to_str().unwrap()), "{error}");
    assert_eq!(contents(temp.path()), before);
}

#[test]
fn overwriting_removes_the_runs_files_and_no_others_once_the_next_starts() {
    let temp = tempfile::tempdir().unwrap();
    let mine = [
        "notes.txt",
        "particles/particles_00001.vtp.bak",
        "meshes/mine.obj",
        "surface/render.png",
        "renders/surface_00001.ply",
    ];
    run_in(temp.path());
    for name in mine {
        fs::create_dir_all(temp.path().join(name).parent().unwrap()).unwrap();
        fs::write(temp.path().join(name), name).unwrap();
    }
    fs::write(temp.path().join("surface/.hashfall-x1.tmp"), "a killed run left this").unwrap();
    let before = contents(temp.path());
    drop(RunFolder::create(temp.path(), &[], true).unwrap());
    assert_eq!(contents(temp.path()), before, "no run has started");

    let folder = RunFolder::create(temp.path(), &[], true).unwrap();
    let info = RunInfo { output: &blob::PARTICLES, ..blob::info(1, &[]) };
    let bare = World { solids: Solids::new(Aabb::EMPTY, vec![], vec![]), ..blob::world(0) };
    Recorder::start(folder, &bare, info).unwrap();
    let mut left: Vec<String> = contents(temp.path()).into_keys().collect();
    let mut expected: Vec<&str> =
        mine.into_iter().chain(["paraview.py", "run.json", "scene.ron"]).collect();
    left.sort();
    expected.sort();
    assert_eq!(left, expected);
    assert!(!temp.path().join("solids").exists(), "an emptied folder goes");
}

#[test]
fn a_users_files_are_never_taken_for_a_run() {
    let temp = tempfile::tempdir().unwrap();
    let scene = temp.path().join("scene.ron");
    fs::write(&scene, "mine").unwrap();
    for (overwrite, manifest) in [(false, None), (true, None), (true, Some("other"))] {
        if let Some(program) = manifest {
            let manifest = format!(r#"{{"program": {{"name": "{program}"}}}}"#);
            fs::write(temp.path().join("run.json"), manifest).unwrap();
        }
        let error = RunFolder::create(temp.path(), &[], overwrite).unwrap_err();
        assert!(matches!(error, FileError::ForeignFile(_)), "{error}");
        assert!(error.to_string().contains("--out"), "{error}");
        assert_eq!(fs::read(&scene).unwrap(), b"mine");
    }
}

#[test]
fn a_mesh_of_the_users_is_neither_replaced_by_a_copy_nor_taken_for_one() {
    let temp = tempfile::tempdir().unwrap();
    fs::create_dir(temp.path().join("meshes")).unwrap();
    fs::write(temp.path().join("meshes/column.obj"), "mine").unwrap();
    for overwrite in [false, true] {
        let error = RunFolder::create(temp.path(), &["column.obj"], overwrite).unwrap_err();
        assert!(matches!(&error, FileError::ForeignFile(p) if p.ends_with("meshes/column.obj")));
    }
    let mine = [("meshes/column.obj".to_owned(), b"mine".to_vec())];
    assert_eq!(contents(temp.path()), mine.into());
}

#[test]
fn while_a_run_lasts_its_folder_is_no_other_runs() {
    let temp = tempfile::tempdir().unwrap();
    let first = RunFolder::create(temp.path(), &[], false).unwrap();
    let refused = |overwrite| {
        matches!(RunFolder::create(temp.path(), &[], overwrite), Err(FileError::InUse(_)))
    };
    assert!(refused(false) && refused(true), "before it starts");
    let recorder = Recorder::start(first, &blob::world(0), blob::info(1, &[])).unwrap();
    let before = contents(temp.path());
    assert!(refused(false) && refused(true), "while it lasts");
    recorder.finish(&Status::Finished).unwrap();
    assert_eq!(contents(temp.path()).len(), before.len());
    assert!(RunFolder::create(temp.path(), &[], true).is_ok(), "after its end");
}

#[test]
fn a_start_that_fails_half_way_leaves_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("deep/run");
    let meshes: [(&str, &[u8]); 2] = [("a.obj", b"v 0 0 0\n"), ("b.obj", b"v 0 0 0\n")];
    let start = |folder| Recorder::start(folder, &blob::world(0), blob::info(1, &meshes));

    // Somebody else's file, written after the folder was looked at.
    let folder = RunFolder::create(&path, &["a.obj", "b.obj"], false).unwrap();
    fs::create_dir(path.join("meshes")).unwrap();
    fs::write(path.join("meshes/b.obj"), "mine").unwrap();
    assert!(matches!(start(folder), Err(FileError::ForeignFile(_))));
    let mine = [("deep/run/meshes/b.obj".to_owned(), b"mine".to_vec())];
    assert_eq!(contents(temp.path()), mine.into());

    fs::remove_dir_all(temp.path().join("deep")).unwrap();
    let folder = RunFolder::create(&path, &["a.obj", "b.obj"], false).unwrap();
    fs::write(path.join("solids"), "a file where a folder is wanted").unwrap();
    assert!(matches!(start(folder), Err(FileError::System { .. })));
    assert_eq!(contents(temp.path()).len(), 1);
    fs::remove_file(path.join("solids")).unwrap();
    start(RunFolder::create(&path, &["a.obj", "b.obj"], false).unwrap()).unwrap();
}

#[test]
fn the_size_of_the_obstacles_files_is_known_beforehand() {
    let temp = tempfile::tempdir().unwrap();
    run_in(temp.path());
    let world = blob::world(0);
    let files = contents(temp.path());
    let obstacles = files.iter().filter(|(name, _)| name.starts_with("solids/"));
    let found: usize = obstacles.clone().map(|(_, bytes)| bytes.len()).sum();
    let headers = 2000 * obstacles.count();
    let expected = obstacles::file_size(&world.solids) as usize;
    assert!((expected..expected + headers).contains(&found), "{found} for {expected}");
}

#[test]
fn a_folder_that_cannot_be_made_names_the_path_and_leaves_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("file");
    fs::write(&file, "mine").unwrap();
    for path in [file.clone(), file.join("run"), "/proc/hashfall/run".into()] {
        let error = RunFolder::create(&path, &[], true).unwrap_err();
        assert!(matches!(error, FileError::System { .. }), "{error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
    assert_eq!(contents(temp.path()), [("file".into(), b"mine".to_vec())].into());
}

#[test]
fn a_failed_write_leaves_neither_a_part_nor_a_temporary_file() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    fs::create_dir_all(temp.path().join("run.json/a folder in the way")).unwrap();
    for how in [Write::Replace, Write::ReplaceSynced, Write::New] {
        let error = folder.write("run.json", b"{}", how).unwrap_err().to_string();
        assert!(error.contains("run.json") && !error.contains(".hashfall-"), "{error}");
    }
    assert_eq!(contents(temp.path()).len(), 0);
    folder.write("surface/a.ply", b"1", Write::Replace).unwrap();
    folder.write("surface/a.ply", b"22", Write::ReplaceSynced).unwrap();
    assert!(folder.write("surface/a.ply", b"333", Write::New).is_err());
    assert_eq!(contents(temp.path()), [("surface/a.ply".into(), b"22".to_vec())].into());
}

#[test]
fn a_frame_that_fails_half_way_is_in_no_series_and_leaves_no_part() {
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    let mut recorder = Recorder::start(folder, &blob::world(0), blob::info(9, &[])).unwrap();
    let mut record = |frame| {
        let (world, surfaces) = (blob::world(frame), blob::surfaces(frame));
        recorder.frame(&blob::row(frame, &world, &surfaces), &blob::content(&world, &[surfaces]))
    };
    record(0).unwrap();
    let before = contents(temp.path());
    // The frame's last file, so that the others are on disk by then.
    fs::create_dir(temp.path().join("surface/surface_00001.vtp")).unwrap();
    assert!(matches!(record(1), Err(FileError::System { .. })));
    assert_eq!(contents(temp.path()), before);
    recorder.finish(&Status::Failed("the disk is full".into())).unwrap();
}

#[cfg(unix)]
#[test]
fn files_are_as_readable_as_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let temp = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(temp.path(), &[], false).unwrap();
    folder.write("ours", b"", Write::Replace).unwrap();
    fs::write(temp.path().join("other"), "").unwrap();
    let mode = |name| fs::metadata(temp.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("ours"), mode("other"));
}
