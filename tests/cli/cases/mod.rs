//! Files, scenes and scripts that people of this field bring, each with its right outcome.
//!
//! They stand in `tests/cases`, written by hand after public reports on simulators and mesh tools.
//! Each module below lists the files it covers; a file that no module lists fails the test here.

mod endings;
mod hostile_readers;
mod meshes;
mod particle_files;
mod robustness;
mod sizes_and_names;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a case, such as `files/stl_ascii.stl`.
pub fn case(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name)
}

/// The cases of `hostile_readers`.
fn readers() -> Vec<String> {
    vec![hostile_readers::CASE.to_owned()]
}

#[test]
fn every_case_is_listed_once() {
    let mut there = BTreeSet::new();
    for folder in ["files", "robustness"] {
        for entry in fs::read_dir(case(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            there.insert(format!("{folder}/{name}"));
        }
    }
    let listed: Vec<String> =
        [meshes::names(), particle_files::names(), robustness::names(), readers()].concat();
    let distinct: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), distinct.len(), "a case is listed twice");
    let missing: Vec<_> = there.symmetric_difference(&distinct).collect();
    assert!(missing.is_empty(), "not both there and listed: {missing:?}");
}
