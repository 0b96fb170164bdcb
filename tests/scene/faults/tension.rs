//! What is wrong with surface tension, contact angles and fluids that replace others.

use super::support::{CUBE, GOOD, faults_of};

/// [`GOOD`] with a drop of oil in its water, and `oil` and `keys` in their places.
fn with(oil: &str, keys: &str) -> String {
    let shapes = "velocity: (0, 0, 0))],\n    )],";
    assert_eq!(GOOD.matches(shapes).count(), 1);
    let drop = "Ball(centre: (0.25, 0.25, 0.25), radius: 0.1, replaces: true)";
    let oil = if oil.is_empty() { format!("shapes: [{drop}]") } else { oil.to_owned() };
    let fluid = format!("(name: \"oil\", rest_density: 900.0, viscosity: 0.0, {oil}),");
    GOOD.replace(shapes, &format!("velocity: (0, 0, 0))],\n    ), {fluid}],"))
        .replace("    neighbors:", &format!("    {keys}\n    neighbors:"))
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
fn tensions_that_cannot_be_meant_are_refused_at_their_place() {
    let one = |keys: &str| with("", &format!("interfaces: [({keys})],"));
    assert_eq!(faults_of(&one("between: (\"oil\", \"water\"), tension: 0.05"), &[], CUBE), []);
    for (keys, message) in [
        ("between: (\"oil\", ^\"watr\"), tension: 0.05", "no fluid \"watr\""),
        ("between: ^(\"oil\", \"oil\"), tension: 0.05", "no interface with itself"),
        ("between: (\"oil\", \"water\"), tension: ^0.0", "`tension` must be positive"),
        ("between: (\"oil\", \"water\"), tension: ^1e4", "`tension` is too large"),
        ("^between: (\"oil\", \"water\")", "`tension`"),
    ] {
        let marked = one(keys);
        if keys.starts_with('^') {
            let faults = faults_of(&marked.replace('^', ""), &[], CUBE);
            assert!(faults.len() == 1 && faults[0].message.contains(message), "{faults:?}");
        } else {
            assert_refused(&marked, message);
        }
    }
    let twice = "interfaces: [(between: (\"oil\", \"water\"), tension: 0.05), \
                 (between: ^(\"water\", \"oil\"), tension: 0.05)],";
    assert_refused(&with("", twice), "already between these two");
}

#[test]
fn fluids_and_surfaces_pull_within_limits() {
    let of_fluid =
        |tension: &str| GOOD.replace("viscosity: 1e-6,", &format!("viscosity: 1e-6, {tension},"));
    assert_eq!(faults_of(&of_fluid("surface_tension: 0.07"), &[], CUBE), []);
    for (tension, message) in [
        ("surface_tension: ^-0.1", "must not be negative"),
        ("surface_tension: ^NaN", "is not a number"),
        ("surface_tension: ^2e3", "is too large"),
    ] {
        assert_refused(&of_fluid(tension), message);
    }
    let narrow = of_fluid("surface_tension: 0.07")
        .replace("particle_radius: 0.025,", "particle_radius: 0.025,\n    support_radius: ^0.1,");
    assert_refused(&narrow, "needs a wider kernel");
    let flying = of_fluid("surface_tension: ^0.07")
        .replace("Wcsph(sound_speed: 30.0, courant: 0.4)", "Ballistic()");
    assert_refused(&flying, "has no surface tension");
    let wetting =
        GOOD.replacen("max: (1, 1, 1.5))", "max: (1, 1, 1.5), contact: (contact_angle: ^190))", 1);
    assert_refused(&wetting, "`contact_angle` is too large");
    for (angles, message) in [
        ("(^190, 20)", "is too large"),
        ("(90, ^-1)", "must not be negative"),
        ("^(60, 90)", "draws back at 90, which is larger"),
        ("^(60,)", "(advancing, receding)"),
        ("^(90, 60, 30)", "(advancing, receding)"),
    ] {
        let of_solid = format!("max: (1, 1, 1.5), contact: (contact_angle: {angles}))");
        assert_refused(&GOOD.replacen("max: (1, 1, 1.5))", &of_solid, 1), message);
    }
}

#[test]
fn what_replaces_nothing_is_told() {
    let far = "shapes: [^Ball(centre: (0.8, 0.8, 1.2), radius: 0.1, replaces: true)]";
    assert_refused(&with(far, ""), "nothing in this shape to replace");
}
