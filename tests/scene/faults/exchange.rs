//! What is wrong with emitters, sinks and the budget of particles.

use super::support::{CUBE, GOOD, faults_of};

/// A flat square, and the same with a corner lifted.
const PATCH: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
const BENT: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0.2\nv 0 1 0\nf 1 2 3\nf 1 3 4\n";

/// [`GOOD`] with more keys. The mesh of its solids is gone, so that openings may have theirs.
fn with(keys: &str) -> String {
    let mesh = "        Mesh(path: \"box.obj\", scale: 0.1, translate: (0.8, 0.2, 0.2)),\n";
    assert_eq!(GOOD.matches(mesh).count(), 1);
    GOOD.replace(mesh, "").replace("    neighbors:", &format!("    {keys}\n    neighbors:"))
}

/// Refuses `keys` with one fault, at the place of the `^` in it.
#[track_caller]
fn assert_refused(keys: &str, mesh: &str, message: &str) {
    let marked = with(keys);
    let place = marked.find('^').expect("a place");
    let (line, column) =
        (1 + marked[..place].matches('\n').count(), place - marked[..place].rfind('\n').unwrap());
    let faults = faults_of(&marked.replace('^', ""), &[], mesh);
    let [fault] = &faults[..] else { panic!("{keys}: {faults:?}") };
    assert_eq!((fault.line(), fault.column()), (line, column), "{keys}: {fault}");
    assert!(fault.message.contains(message), "{keys}: {fault}");
}

#[test]
fn emitters_and_sinks_that_cannot_be_meant_are_refused_at_their_place() {
    let one = |from: &str| format!("emitters: [(from: {from}, speed: 1)],");
    let disc = "from: Disc(centre: (0.8, 0.8, 1.0), normal: (0, 0, -1), radius: 0.1)";
    for (keys, message) in [
        (format!("emitters: [({disc}, speed: ^0.0)],"), "`speed` must be positive"),
        (format!("emitters: [({disc}, speed: ^1e5)],"), "`speed` is too large"),
        (format!("emitters: [({disc}, speed: ^-1)],"), "`speed` must be positive"),
        (format!("emitters: [({disc}, speed: 1, direction: ^(0, 0, 0))],"), "of zero length"),
        (
            format!("emitters: [({disc}, speed: 1, direction: ^(0, 0, 1))],"),
            "more than 60 degrees off",
        ),
        (format!("emitters: [({disc}, speed: 1, start: ^-1)],"), "`start` must not be negative"),
        (format!("emitters: [({disc}, speed: 1, start: 2, end: ^1)],"), "before its start"),
        (format!("emitters: [({disc}, speed: 1, fluid: ^\"watr\")],"), "no fluid \"watr\""),
        (format!("emitters: [({disc}, speed: 1, ^sped: 1)],"), "`sped`"),
        (format!("emitters: [^({disc})],"), "`speed`"),
        (one("Disc(centre: (0, 0, 1), normal: ^(0, 0, 0), radius: 0.1)"), "of zero length"),
        (
            one("Disc(centre: (0.8, 0.8, 1.0), normal: (0, 0, 1), radius: ^0)"),
            "`radius` must be positive",
        ),
        (
            one("^Disc(centre: (0.8, 0.8, 1.0), normal: (0, 0, 1), radius: 0.001)"),
            "too small for a particle",
        ),
        (
            one("^Disc(centre: (0.5, 0.5, 0.0), normal: (0, 0, -1), radius: 0.1)"),
            "the opening is blocked",
        ),
        (
            one("^Disc(centre: (0.8, 0.8, 0.2), normal: (0, 0, 1), radius: 0.05)"),
            "the opening is blocked",
        ),
        (
            one("Rectangle(centre: (1, 0.5, 0.5), normal: (-1, 0, 0), size: (0.1, ^0.0))"),
            "must be positive",
        ),
        ("sinks: [Ball(centre: (0, 0, 0), radius: ^-1)],".to_owned(), "`radius` must be positive"),
        ("sinks: [Box(min: (0, 0, 0), max: ^(1, 1, 0))],".to_owned(), "empty box"),
        ("max_particles: ^1000,".to_owned(), "for emitters, and there are none"),
        (format!("emitters: [({disc}, speed: 1)], max_particles: ^30000000,"), "is too large"),
        (format!("emitters: [({disc}, speed: 1)], max_particles: ^0,"), "must be positive"),
    ] {
        assert_refused(&keys, CUBE, message);
    }
}

#[test]
fn an_opening_of_a_mesh_is_flat() {
    let mesh = |scale: &str| {
        let from = format!("path: ^\"box.obj\", scale: {scale}, translate: (0.6, 0.6, 0.8)");
        format!("emitters: [(from: Mesh({from}), speed: 1)],")
    };
    assert_refused(&mesh("0.2"), BENT, "do not lie in one plane");
    assert_refused(&mesh("0.2"), CUBE, "this mesh is not an opening");
    let good = mesh("0.2").replace('^', "");
    assert_eq!(faults_of(&with(&good), &[], PATCH), []);
    let small = mesh("0.01").replace("path: ^", "path: ").replace("from: Mesh", "from: ^Mesh");
    assert_refused(&small, PATCH, "too small for a particle");
}

#[test]
fn no_scene_emits_more_than_it_may_hold() {
    let keys = |most: &str| {
        format!(
            "emitters: [(from: Disc(centre: (0.8, 0.8, 1.0), normal: (0, 0, -1), radius: 0.1), \
             speed: ^20)], {most}"
        )
    };
    let long = |most: &str| {
        with(&keys(most)).replace("count: 20, rate: 50.0", "count: 100000, rate: 10.0")
    };
    let faults = faults_of(&long("").replace('^', ""), &[], CUBE);
    assert!(faults[0].message.contains("a scene holds at most 20 million"), "{faults:?}");
    assert_eq!(faults_of(&long("max_particles: 100000,").replace('^', ""), &[], CUBE), []);
}

#[test]
fn a_fluid_without_shapes_must_be_emitted_and_the_one_of_several_be_named() {
    let oil = "name: \"oil\", rest_density: 800.0, viscosity: 1e-6),";
    let two = GOOD.replace("    fluids: [(", &format!("    fluids: [({oil} ("));
    let faults = faults_of(&two, &[], CUBE);
    assert!(faults[0].message.contains("a fluid without shapes"), "{faults:?}");
    let emitter = |fluid: &str| {
        let emitter = format!(
            "    emitters: [({fluid}speed: 1, \
             from: Disc(centre: (0.5, 0.8, 1.2), normal: (0, 0, 1), radius: 0.05))],\n    neighbors"
        );
        faults_of(&two.replace("    neighbors", &emitter), &[], CUBE)
    };
    assert_eq!(emitter("fluid: \"oil\", "), []);
    let message = |faults: &[hashfall_scene::Diagnostic]| {
        faults.iter().map(|f| f.message.clone()).collect::<String>()
    };
    assert!(message(&emitter("")).contains("does not name its fluid"), "{:?}", emitter(""));
    assert!(message(&emitter("fluid: \"water\", ")).contains("a fluid without shapes"));
}
