//! The good scene that the tests break, and what is found wrong with it.

use hashfall_scene::{Diagnostic, Override, Severity, Source, prepare};
use std::io;

/// A good scene; the cases break it.
pub const GOOD: &str = r#"// A good scene.
Scene(
    frames: (count: 20, rate: 50.0),
    gravity: (0.0, 0.0, -9.81),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1.5)),
    particle_radius: 0.025,
    fluids: [(
        name: "water", rest_density: 1000.0, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0), max: (0.5, 0.5, 0.5), velocity: (0, 0, 0))],
    )],
    solids: [
        SphereField(Random(seed: 7, count: 20, diameter: (0.05, 0.2), region: (min: (0, 0, 1), max: (1, 1, 1.5)))),
        SphereField(List([(centre: (0.8, 0.8, 0.2), radius: 0.1)])),
        Mesh(path: "box.obj", scale: 0.1, translate: (0.8, 0.2, 0.2)),
    ],
    solver: Wcsph(sound_speed: 30.0, courant: 0.4),
    neighbors: CellIndex,
    surface: (cell: 0.5, iso: 0.6),
    output: (particles: true, surface: [Ply, Vtp]),
)
"#;

/// A unit cube.
pub const CUBE: &str = "\
v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

pub fn faults_of(text: &str, overrides: &[&str], mesh: &str) -> Vec<Diagnostic> {
    let source = Source { name: "test.ron".to_owned(), text: text.to_owned() };
    let mut read = Vec::new();
    for set in overrides {
        match Override::parse(set) {
            Ok(set) => read.push(set),
            Err(fault) => return vec![fault],
        }
    }
    let mut read_file = |path: &str| match path {
        "box.obj" => Ok(mesh.as_bytes().to_vec()),
        // Up is y there.
        "drops.xyz" => Ok(b"0.8 0.9 -0.2 0 0 0\n".to_vec()),
        _ => Err(io::Error::new(io::ErrorKind::NotFound, "no such file; is it `box.obj`?")),
    };
    match prepare(&source, &read, &mut read_file) {
        Ok(_) => Vec::new(),
        Err(faults) => faults,
    }
}

/// Old text, new text, line and column of the fault, part of its message.
pub type Case = (&'static str, &'static str, usize, usize, &'static str);

/// Breaks the good scene in each way, and looks for the one error at its place.
#[track_caller]
pub fn assert_refused(cases: &[Case]) {
    for &(old, new, line, column, message) in cases {
        assert_eq!(GOOD.matches(old).count(), 1, "{old} is unique");
        let faults = faults_of(&GOOD.replace(old, new), &[], CUBE);
        let [fault] = &faults[..] else { panic!("{old} -> {new}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (line, column), "{old} -> {new}: {fault}");
        assert!(fault.message.contains(message), "{old} -> {new}: {fault}");
        assert_eq!((fault.source_name.as_str(), fault.severity), ("test.ron", Severity::Error));
    }
}

/// The help under the first fault of the good scene with a piece of text replaced.
pub fn help(old: &str, new: &str) -> String {
    faults_of(&GOOD.replace(old, new), &[], CUBE).swap_remove(0).help.unwrap_or_default()
}
