//! Several faults at once.

use super::support::{CUBE, GOOD, faults_of};
use hashfall_scene::Diagnostic;

#[test]
fn all_problems_of_a_scene_are_told_in_one_go() {
    let edits = [
        ("rest_density", "rest_densty"),
        ("CellIndex", "CelIndex"),
        ("radius: 0.1)", "radius: -1)"),
        ("viscosity: 1e-6", "viscosity: NaN"),
        ("[Ply, Vtp]", "[Plyy]"),
        ("iso: 0.6", "iso: 6"),
        ("overlap: false, ", ""),
    ];
    let text = edits.iter().fold(GOOD.to_owned(), |text, (old, new)| text.replace(old, new));
    let mut faults = faults_of(&text, &[], CUBE);
    faults.sort_by_key(Diagnostic::line);
    let lines: Vec<_> = faults.iter().map(Diagnostic::line).collect();
    assert_eq!(lines, [8, 8, 13, 17, 18, 19], "{faults:?}");
}

#[test]
fn several_broken_values_and_meshes_are_told_together() {
    let text = GOOD.replace("rate: 50.0", "rate: 0").replace("box.obj", "missing.obj");
    let faults = faults_of(&text, &["surface.cell=99", "frames.count=0"], CUBE);
    let mut places: Vec<_> = faults.iter().map(|f| f.source_name.as_str()).collect();
    places.sort();
    assert_eq!(places, ["--set frames.count=0", "--set surface.cell=99", "test.ron", "test.ron"]);
}

#[test]
fn an_endless_list_of_faults_is_cut() {
    let spheres = "(centre: (0, 0, 0), radius: -1), ".repeat(500);
    let text = GOOD.replace("(centre: (0.8, 0.8, 0.2), radius: 0.1)", &spheres);
    let faults = faults_of(&text, &[], CUBE);
    assert_eq!(faults.len(), 51);
    assert!(faults[50].message.contains("450 more"), "{}", faults[50]);
}
