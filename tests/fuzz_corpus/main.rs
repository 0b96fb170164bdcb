//! Every input that the fuzz targets have kept, once more: none panics, and none makes the program
//! ask for memory that its bytes are not worth. `fuzz/README.md` tells how inputs are found.

mod forged;
#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use targets::Watch;

#[global_allocator]
static WATCH: Watch = Watch;

/// The files of a target, in the order of their names.
fn corpus(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    files
}

/// Gives each file to a target, and names the first at which it panics or asks for too much. Some
/// must be accepted and some refused, or the corpus has lost touch with the program.
fn replay(target: &str, body: fn(&[u8]) -> bool) {
    let (mut accepted, mut refused) = (0, 0);
    for path in corpus(target) {
        let bytes = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Watch::name(&path.display().to_string());
        match catch_unwind(|| body(&bytes)) {
            Ok(true) => accepted += 1,
            Ok(false) => refused += 1,
            Err(_) => panic!("{}: the target `{target}` panics, see above", path.display()),
        }
    }
    assert!(accepted > 0 && refused > 0, "{target}: {accepted} accepted, {refused} refused");
    println!("{target}: {accepted} accepted, {refused} refused");
}

#[test]
fn meshes_in_wavefront_files() {
    replay("obj", targets::obj);
}

#[test]
fn meshes_in_stereolithography_files() {
    replay("stl", targets::stl);
}

#[test]
fn meshes_in_gltf_files() {
    replay("gltf", targets::gltf);
}

#[test]
fn meshes_of_elements() {
    replay("elements", targets::elements);
}

#[test]
fn particles_and_meshes_in_polygon_files() {
    replay("ply", targets::ply);
}

#[test]
fn particles_in_files_of_vtk() {
    replay("vtk", targets::vtk);
}

#[test]
fn particles_as_coordinates_alone() {
    replay("xyz", targets::xyz);
}

#[test]
fn particles_in_tables() {
    replay("csv", targets::csv);
}

#[test]
fn particles_in_houdinis_geometry() {
    replay("bgeo", targets::bgeo);
}

#[test]
fn checkpoints() {
    replay("checkpoint", targets::checkpoint);
}

#[test]
fn scenes_to_be_checked() {
    replay("scene", targets::scene);
}

#[test]
fn scenes_to_be_begun() {
    replay("plan", targets::plan);
}

/// A reader that believes a number ends the process, which is hard to miss but easy to misread.
#[test]
fn memory_is_refused_from_256_mib_on() {
    let size = std::hint::black_box(300 << 20);
    assert!(Vec::<u8>::new().try_reserve_exact(size).is_err());
    assert!(Vec::<u8>::new().try_reserve_exact(size / 2).is_ok());
}
