//! Scenes that are legal but odd: they are prepared, with a warning at the place of the oddity.

use hashfall_scene::{Diagnostic, Severity, Source, prepare};

const HEAD: &str = "Scene(
    frames: (count: 10, rate: 50.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.01,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
        Box(min: (0, 0, 0), max: (0.1, 0.1, 0.1)),
    ])],
";

/// The warnings of a scene.
fn warnings_of(text: String) -> Vec<Diagnostic> {
    let source = Source { name: "odd.ron".to_owned(), text };
    let scene = prepare(&source, &[], &mut |_| unreachable!("no mesh")).expect("no error");
    assert!(scene.warnings.iter().all(|warning| warning.severity == Severity::Warning));
    scene.warnings
}

/// The warnings of a scene with these solids.
fn warnings(solids: &str) -> Vec<Diagnostic> {
    warnings_of(format!("{HEAD}    solids: [{solids}],\n)"))
}

#[track_caller]
fn assert_warns(solids: &str, parts: &[&str]) {
    let warnings = warnings(solids);
    assert_eq!(warnings.len(), 1, "{solids}: {warnings:?}");
    for part in parts {
        assert!(warnings[0].message.contains(part), "no `{part}` in {:?}", warnings[0].message);
    }
    assert!(warnings[0].help.as_ref().is_some_and(|help| help.contains("particle_radius")));
}

#[test]
fn narrow_gaps_are_told_and_wide_ones_and_touching_solids_are_not() {
    let ball = |x: f64, z: f64| format!("(centre: ({x}, 0.5, {z}), radius: 0.1)");
    let list = |balls: &[String]| format!("SphereField(List([{}]))", balls.join(", "));
    let slab = |low: f64, high: f64| format!("Box(min: ({low}, 0, 0.5), max: ({high}, 1, 0.9))");
    let floor = list(&[ball(0.5, 0.13)]);
    assert_warns(&floor, &["a gap of 0.03 m to the wall at low z", "two particles, 0.04 m"]);
    let two = list(&[ball(0.5, 0.5), ball(0.71, 0.5)]);
    assert_warns(&two, &["a gap of 0.01 m to another ball of it"]);
    let beside = format!("{}, {}", slab(0.3, 0.48), list(&[ball(0.6, 0.7)]));
    assert_warns(&beside, &["a gap of 0.02 m to `solids[0]`"]);
    let plates = format!("{}, {}", slab(0.3, 0.5), slab(0.535, 0.7));
    assert_warns(&plates, &["a gap of 0.035 m to `solids[0]`"]);
    assert_warns(&slab(0.5, 0.98), &["to the wall at high x"]);
    for fine in [
        list(&[ball(0.5, 0.1), ball(0.7, 0.1)]),
        list(&[ball(0.5, 0.14), ball(0.74, 0.14)]),
        list(&[ball(0.5, 0.5), ball(0.6, 0.5)]),
        format!("{}, {}", slab(0.3, 0.5), slab(0.5, 0.7)),
        slab(0.5, 1.0),
        slab(0.5, 1.2),
    ] {
        assert_eq!(warnings(&fine), [], "{fine}");
    }
}

#[test]
fn a_speed_that_frames_cannot_show_is_told() {
    let fast = |speed: f64| {
        let velocity = format!("max: (0.1, 0.1, 0.1), velocity: ({speed}, 0, 0)");
        warnings_of(format!("{HEAD})").replace("max: (0.1, 0.1, 0.1)", &velocity))
    };
    assert_eq!(fast(25.0), []);
    let warnings = fast(30.0);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].message.contains("30 m/s travels 0.6 m"), "{:?}", warnings[0]);
    assert!(
        warnings[0].help.as_deref().is_some_and(|help| help.contains("such as 300.0")),
        "{:?}",
        warnings[0]
    );
}

#[test]
fn what_moves_has_no_gaps_and_is_told_if_it_never_comes_in() {
    let slab = |low: f64, motion: &str| {
        let box_ = format!("Box(min: ({low}, 0, 0.5), max: ({}, 1, 0.9)", low + 0.2);
        warnings(&format!("{box_}, motion: {motion})"))
    };
    let along = |way: &str| format!("Formula(translate: (\"{way}\", \"0\", \"0\"))");
    assert_eq!(slab(0.03, "Still").len(), 1);
    for fine in [slab(0.03, &along("0.2*t")), slab(0.78, &along("0.2*t"))] {
        assert_eq!(fine, []);
    }
    // In 0.2 s it comes from 1.1 m to 0.98 m, or not so far.
    for coming in [slab(1.1, &along("-0.6*t")), slab(-0.3, &along("sin(20*pi*t)"))] {
        assert_eq!(coming, []);
    }
    let balls = "SphereField(Balls(list: [(centre: (0.5, 0.5, 1.2), radius: 0.1)], \
                 motion: Spin(rpm: 100, pivot: (0.5, 0.5, 0))))";
    for never in [slab(1.1, &along("-0.4*t")), slab(-0.3, &along("-t")), warnings(balls)] {
        assert_eq!(never.len(), 1, "{never:?}");
        assert!(never[0].message.contains("never enters the domain (checked at"), "{never:?}");
        assert!(never[0].help.as_deref().is_some_and(|help| help.contains("`motion`")));
    }
}

/// The one warning of a scene, at the place of the `^` in its text.
#[track_caller]
fn assert_idle(marked: &str, message: &str) {
    let warnings = warnings_of(marked.replace('^', ""));
    let [warning] = &warnings[..] else { panic!("{marked}: {warnings:?}") };
    let before = &marked[..marked.find('^').expect("a place")];
    assert_eq!(warning.line(), 1 + before.matches('\n').count(), "{warning}");
    assert_eq!(warning.column(), before.len() - before.rfind('\n').unwrap(), "{warning}");
    assert!(warning.message.contains(message), "{warning}");
}

#[test]
fn keys_that_do_nothing_are_told() {
    let walls =
        |contact: &str| format!("{HEAD})").replace("(1, 1, 1))", &format!("(1, 1, 1), {contact})"));
    let angle = "no fluid has a `surface_tension`";
    assert_idle(&walls("contact: (contact_angle: ^60)"), angle);
    assert_idle(&walls("sides: (z_min: (contact_angle: ^60))"), angle);
    let solid = "solids: [Box(min: (0.5, 0, 0), max: (0.6, 1, 1), contact: (contact_angle: ^0))]";
    assert_idle(&format!("{HEAD} {solid})"), angle);
    let pulled = walls("contact: (contact_angle: 60)")
        .replace("viscosity: 0,", "viscosity: 0, surface_tension: 0.07,");
    for fine in [pulled, walls("contact: (contact_angle: 90, friction: 0.1)")] {
        assert_eq!(warnings_of(fine), []);
    }
    let repulsion = |place: &str| {
        format!("{HEAD} solver: Wcsph(sound_speed: 20, interface_sharpening: {place}0.1))")
    };
    assert_idle(&repulsion("^"), "no effect with one fluid");
    let oil = "fluids: [(name: \"oil\", rest_density: 800, viscosity: 0, shapes: [\
               Box(min: (0.5, 0, 0), max: (0.6, 0.1, 0.1))]), (";
    assert_eq!(warnings_of(repulsion("").replace("fluids: [(", oil)), []);
}

#[test]
fn properties_of_water_in_other_units_are_told() {
    let warnings = |keys: &str| {
        let text = HEAD.replace("viscosity: 0,", keys);
        warnings_of(format!("{text})"))
    };
    let told = warnings("viscosity: 1e-6, surface_tension: 72.8,");
    assert!(told[0].message.contains("water has 0.073 N/m"), "{told:?}");
    assert_eq!(told[0].help.as_deref(), Some("is it in mN/m? 0.0728 N/m"));
    let told = warnings("viscosity: 1e-3,");
    assert!(told[0].message.contains("that of water is about 1e-6"), "{told:?}");
    assert!(told[0].help.as_deref().is_some_and(|help| help.ends_with("1e-6")), "{told:?}");
    for usual in ["viscosity: 1e-6, surface_tension: 0.073,", "viscosity: 1e-4,"] {
        assert_eq!(warnings(usual), [], "{usual}");
    }
}

#[test]
fn a_level_above_a_closed_vessel_is_told() {
    let wall = |low: [f64; 3], high: [f64; 3]| {
        let [a, b, c] = low;
        let [d, e, f] = high;
        format!("Box(min: ({a}, {b}, {c}), max: ({d}, {e}, {f})), ")
    };
    let (l, h, t) = (0.3, 0.5, 0.05);
    let closed = [
        wall([l - t, l - t, l - t], [h + t, h + t, l]),
        wall([l - t, l - t, h], [h + t, h + t, h + t]),
        wall([l - t, l - t, l], [l, h + t, h]),
        wall([h, l - t, l], [h + t, h + t, h]),
        wall([l, l - t, l], [h, l, h]),
        wall([l, h, l], [h, h + t, h]),
    ]
    .concat();
    let warnings = |level: f64| {
        let fill = format!("Fill(from: (0.4, 0.4, 0.32), level: {level}),");
        let text = HEAD.replace("Box(min: (0, 0, 0), max: (0.1, 0.1, 0.1)),", &fill);
        warnings_of(format!("{text}    solids: [{closed}],\n)"))
    };
    let told = warnings(0.8);
    let level = told.iter().find(|it| it.message.contains("the level 0.8 m is not reached"));
    assert!(level.is_some(), "{told:?}");
    assert!(warnings(0.42).iter().all(|it| !it.message.contains("not reached")));
}

#[test]
fn a_belt_does_not_carry_free_bodies_and_says_so() {
    let belt = "Box(min: (0.1, 0.1, 0.0), max: (0.9, 0.9, 0.1),
        contact: (velocity: (1.0, 0.0, 0.0)))";
    let ball = |motion: &str| {
        format!("{belt}, Ball(centre: (0.5, 0.5, 0.85), radius: 0.1, motion: {motion})")
    };
    let told = warnings(&ball("Free(density: 500.0)"));
    let of_belts: Vec<_> =
        told.iter().filter(|it| it.message.contains("moves fluid alone")).collect();
    assert_eq!(of_belts.len(), 1, "{told:?}");
    let told = warnings(&ball("Still"));
    assert!(!told.iter().any(|it| it.message.contains("moves fluid alone")), "{told:?}");
}

#[test]
fn fluid_does_not_move_elastic_sheets_and_says_so() {
    let elastic = |shape: &str| {
        format!(
            "{HEAD}    elastic: [(name: \"it\", shape: {shape},
            material: Springs(node_mass: 0.1, stiffness: 10.0))],\n)"
        )
    };
    let sheet = "Sheet(origin: (0.6, 0.6, 0.9), u: (0.1, 0, 0), v: (0, 0.1, 0), cells: (1, 1))";
    let rope = "Line(from: (0.6, 0.6, 0.9), to: (0.7, 0.6, 0.9), segments: 4)";
    for (shape, count) in [(sheet, 1), (rope, 0)] {
        let told = warnings_of(elastic(shape));
        let of_fluid = told.iter().filter(|it| it.message.contains("does not move them")).count();
        assert_eq!(of_fluid, count, "{shape}: {told:?}");
    }
}
