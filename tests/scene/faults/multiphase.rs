//! What is wrong with the solvers `Multiphase` and `Ballistic`, and with steps of particles' own.

use super::support::{CUBE, GOOD, faults_of};

/// [`GOOD`] with averaged forces and its settings, a kernel for them, and a `contact` of the walls.
fn averaged(settings: &str, contact: &str) -> String {
    let solver = "solver: Wcsph(sound_speed: 30.0, courant: 0.4)";
    assert_eq!(GOOD.matches(solver).count(), 1);
    GOOD.replace(solver, &format!("solver: Multiphase({settings}), kernel: Mueller")).replacen(
        "max: (1, 1, 1.5))",
        &format!("max: (1, 1, 1.5), {contact})"),
        1,
    )
}

/// Refuses a scene with one fault, at the place of the `^` in it.
#[track_caller]
fn assert_refused(marked: &str, message: &str) {
    let place = marked.find('^').expect("a place");
    let (line, column) =
        (1 + marked[..place].matches('\n').count(), place - marked[..place].rfind('\n').unwrap());
    let faults = faults_of(&marked.replace('^', ""), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{marked}: {faults:?}") };
    assert_eq!((fault.line(), fault.column()), (line, column), "{fault}");
    assert!(fault.message.contains(message), "{fault}");
}

#[test]
fn settings_that_cannot_be_meant_are_refused_at_their_place() {
    for settings in [
        "",
        "time_step: 0.001, wet_friction: 3.0",
        "time_step: 0.002, wet_friction: 500.0",
        "individual_steps: 3.0",
    ] {
        assert_eq!(faults_of(&averaged(settings, ""), &[], CUBE), [], "{settings}");
    }
    for (settings, message) in [
        ("stiffness: ^0.0", "`stiffness`"),
        ("exponent: ^1.5", "not a whole number"),
        ("wet_friction: ^-1.0", "must not be negative"),
        ("courant: ^2.0", "too large"),
        ("time_step: ^0.0", "`time_step`"),
        ("time_step: 0.001, individual_steps: ^2.0", "not by a `time_step`"),
        ("time_step: 0.002, wet_friction: ^501.0", "reverses velocities"),
        ("individual_steps: ^2.5", "not a whole number"),
        ("individual_steps: ^9.0", "too large"),
    ] {
        assert_refused(&averaged(settings, ""), message);
    }
    let narrow = averaged("", "").replace("solver: Multi", "solver: ^Multi").replace("Mueller", "");
    assert_refused(&narrow.replace(", kernel: ", ""), "needs a kernel each");
    let jet = "emitters: ^[(from: Disc(centre: (0.5, 0.5, 1), normal: (0, 0, -1), radius: 0.1), \
               speed: 1.0)], fluids: [";
    assert_refused(&averaged("", "").replacen("fluids: [", jet, 1), "back into the opening");
    let other = GOOD.replace("viscosity: 1e-6,", "viscosity: 1e-6, stiffness: ^20.0,");
    assert_refused(&other, "for the solver `Multiphase` only");
}

/// Particles that do not feel each other.
#[test]
fn what_ballistic_particles_do_not_have_is_refused() {
    let flying = |keys: &str| {
        let solver = "solver: Wcsph(sound_speed: 30.0, courant: 0.4)";
        GOOD.replace(solver, &format!("solver: Ballistic(), {keys}"))
    };
    assert_eq!(faults_of(&flying("viscosity_solver: Explicit"), &[], CUBE), []);
    assert_refused(
        &flying("viscosity_solver: ^Implicit"),
        "the solver `Ballistic` has no viscosity",
    );
    assert_refused(
        &flying("kernel: ^Mueller"),
        "`Ballistic` does not support the kernel `Mueller`",
    );
}

#[test]
fn what_walls_do_not_do_with_averaged_forces_is_refused() {
    for (contact, message) in [
        ("contact: (slip: ^No)", "no viscosity between fluid and solids"),
        ("contact: (contact_angle: ^60.0)", "has no contact angles"),
        ("contact: (contact_angle: ^190.0)", "too large"),
        ("sides: (z_min: (slip: ^No))", "no viscosity between fluid and solids"),
    ] {
        assert_refused(&averaged("", contact), message);
    }
    let plain = averaged("", "contact: (slip: Free, contact_angle: 90.0, friction: 0.1)");
    assert_eq!(faults_of(&plain, &[], CUBE), []);
}

#[test]
fn steps_of_ones_own_need_forces_between_pairs_alone() {
    let own = |keys: &str| {
        GOOD.replace("courant: 0.4)", &format!("courant: 0.4, individual_steps: ^2.0{keys})"))
    };
    let with =
        |scene: String| scene.replace("neighbors:", "viscosity_solver: Explicit,\n    neighbors:");
    assert_eq!(faults_of(&with(own("")).replace('^', ""), &[], CUBE), []);
    assert_refused(&own(""), "need viscosity as a force");
    let flowing = ", density: Continuity(diffusion: 0.1)";
    assert_refused(&with(own(flowing)), "need densities that are sums");
    let pulled =
        with(own("")).replace("viscosity: 1e-6,", "viscosity: 1e-6, surface_tension: 0.07,");
    assert_refused(&pulled, "need no tension");
}
