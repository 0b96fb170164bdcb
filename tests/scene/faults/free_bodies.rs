//! What is wrong with solids that move freely, and where they begin.

use super::support::{CUBE, GOOD, faults_of};
use hashfall_scene::{Diagnostic, Source, prepare};
use hashfall_sph::world::ViscositySolver;

/// The mesh of [`GOOD`], whose box is 0.1 m wide, moves freely by these keys.
fn with(motion: &str) -> String {
    let mesh = "translate: (0.8, 0.2, 0.2))";
    assert_eq!(GOOD.matches(mesh).count(), 1);
    GOOD.replace(mesh, &format!("translate: (0.8, 0.2, 0.2), motion: {motion})"))
}

fn only_fault(text: &str) -> Diagnostic {
    let faults = faults_of(text, &[], CUBE);
    let [fault] = &faults[..] else { panic!("{text}: {faults:?}") };
    fault.clone()
}

/// Refuses a motion with one fault, at the place of the `@` in it.
#[track_caller]
fn assert_refused(motion: &str, message: &str, help: &str) {
    let marked = with(motion);
    let place = marked.find('@').expect("a place");
    let line = 1 + marked[..place].matches('\n').count();
    let column = place - marked[..place].rfind('\n').unwrap();
    let fault = only_fault(&marked.replace('@', ""));
    assert_eq!((fault.line(), fault.column()), (line, column), "{motion}: {fault}");
    assert!(fault.message.contains(message), "{motion}: {fault}");
    assert!(fault.help.as_deref().unwrap_or_default().contains(help), "{motion}: {fault}");
}

#[test]
fn keys_that_cannot_be_meant_are_refused_at_their_place() {
    for (motion, message, help) in [
        ("@Free()", "neither `density` nor `mass`", "density: 500"),
        ("Free(density: 500, mass: @2.0)", "both given", "mass: 2.0"),
        ("Free(density: @-3)", "density", "0.001"),
        ("Free(mass: @0)", "mass", ""),
        ("Free(density: 500, restitution: @1.5)", "restitution", "1"),
        ("Free(density: 500, friction: @-1)", "friction", "0"),
        ("Free(density: 500, from: @-1)", "from", "0"),
        ("Free(density: 500, locked: [X, AboutY, @X])", "`X` is locked twice", "once"),
        ("Free(density: 500, @speed: 3)", "speed", ""),
    ] {
        assert_refused(motion, message, help);
    }
}

#[test]
fn what_has_no_volume_is_refused() {
    let open = CUBE.replace("f 1 4 3 2\n", "");
    let faults = faults_of(&with("Free(density: 500)"), &[], &open);
    assert!(!faults.is_empty());
    let hollow = with("Free(density: 500)").replace("scale: 0.1,", "scale: 0.1, inside: Hollow,");
    assert!(only_fault(&hollow).message.contains("no mass"), "{}", only_fault(&hollow));
}

#[test]
fn bodies_that_begin_in_something_are_refused_with_both_names() {
    let moved = |place: &str| {
        with("Free(density: 500)").replace("(0.8, 0.2, 0.2), motion", &format!("{place}, motion"))
    };
    let in_a_wall = only_fault(&moved("(0.95, 0.2, 0.2)"));
    assert!(in_a_wall.message.contains("solids[2] begins 0.05"), "{in_a_wall}");
    assert!(in_a_wall.message.contains("in a wall of the domain"), "{in_a_wall}");
    let in_a_ball = only_fault(&moved("(0.8, 0.8, 0.28)"));
    assert!(in_a_ball.message.contains("solids[2] begins"), "{in_a_ball}");
    assert!(in_a_ball.message.contains("deep in solids[1]"), "{in_a_ball}");
    // Wholly inside, where no surface is near.
    let block =
        "Box(min: (0.6, 0.05, 0.05), max: (0.95, 0.5, 0.6)),\n        Mesh(path: \"box.obj\"";
    let text = moved("(0.75, 0.2, 0.3)").replace("Mesh(path: \"box.obj\"", block);
    let inside = only_fault(&text);
    assert!(inside.message.contains("solids[3] begins 0.15"), "{inside}");
    assert!(inside.message.contains("deep in solids[2]"), "{inside}");
    // To the floor and to the ball, but no farther.
    assert_eq!(faults_of(&moved("(0.8, 0.2, 0.0)"), &[], CUBE), []);
    assert_eq!(faults_of(&moved("(0.75, 0.75, 0.3)"), &[], CUBE), []);
}

#[test]
fn neither_frames_nor_elastic_bodies_go_with_free_ones() {
    let frame =
        "    reference_frame: Formula(translate: (\"0.1*t\", \"0\", \"0\")),\n    neighbors:";
    let text = with("Free(density: 500)").replace("    neighbors:", frame);
    assert!(only_fault(&text).message.contains("frame of reference that moves"));
    let text =
        GOOD.replace("    neighbors:", "    reference_frame: Free(density: 5),\n    neighbors:");
    assert!(only_fault(&text).message.contains("cannot move freely"));
    let elastic = "    elastic: [(
        name: \"rope\", shape: Line(from: (0.6, 0.6, 0.9), to: (0.7, 0.6, 0.9), segments: 4),
        material: Rope(density: 900.0, diameter: 0.01, young_modulus: 1e6),
    )],
    neighbors:";
    let faults =
        faults_of(&with("Free(density: 500)").replace("    neighbors:", elastic), &[], CUBE);
    assert!(faults.iter().any(|it| it.message.contains("elastic bodies")), "{faults:?}");
}

/// A light body that fluid sticks to would take steps of a hundredth.
#[test]
fn viscosity_is_implicit_beside_a_light_body_that_fluid_sticks_to() {
    let solver = |density: &str, slip: &str| {
        let ball = format!(
            "solids: [Ball(centre: (0.5, 0.5, 0.5), radius: 0.1,
                motion: Free(density: {density}), contact: (slip: {slip}))],"
        );
        let text = format!(
            "Scene(frames: (count: 1, rate: 10), domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
             particle_radius: 0.025, fluids: [(name: \"water\", rest_density: 1000,
             viscosity: 1e-3, shapes: [Box(min: (0, 0, 0), max: (1, 1, 0.3))])], {ball})"
        );
        let source = Source { name: "light.ron".to_owned(), text };
        let scene = prepare(&source, &[], &mut |_| unreachable!("no mesh")).expect("no error");
        scene.world.viscosity
    };
    assert_eq!(solver("0.05", "No"), ViscositySolver::Implicit);
    assert_eq!(solver("0.05", "Free"), ViscositySolver::Explicit);
    assert_eq!(solver("500", "No"), ViscositySolver::Explicit);
}
