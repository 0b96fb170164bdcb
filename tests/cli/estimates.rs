//! What `sim check` tells of disk, beside what runs of shipped scenes take.

use crate::support::Place;
use hashfall_run::Plan;
use hashfall_scene::{Source, prepare};
use std::path::{Path, PathBuf};

/// Bytes of all files in a folder.
fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let size = |path: PathBuf| {
        if path.is_dir() { size_of(&path) } else { path.metadata().unwrap().len() }
    };
    entries.map(|entry| size(entry.path())).sum()
}

/// The quick ones; docs/output.md tells of all.
#[test]
fn disk_is_told_within_a_quarter() {
    for name in ["dam_break", "onderik_dam_break"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenes/{name}.ron"));
        let source =
            Source { name: name.to_owned(), text: std::fs::read_to_string(&path).unwrap() };
        let scene = prepare(&source, &[], &mut |_| unreachable!("no meshes")).unwrap();
        let frames = u64::from(scene.frames.count) + 1;
        let estimated = Plan::from(&scene).estimate().unwrap().disk(frames) as f64;
        let place = Place::new();
        let path = path.display().to_string();
        place.sim([path.as_str(), "--quiet", "--out", "run"]).assert_done();
        let taken = size_of(&place.path("run")) as f64;
        let off = estimated / taken - 1.0;
        assert!(off.abs() < 0.25, "{name}: {estimated} bytes told, {taken} taken: {off:+.2}");
    }
}
