//! Volumes that scenes ask for, and are given.

use crate::{Diagnostic, Prepared, Source, prepare};
use hashfall_core::Vec3;
use std::f64::consts::PI;

/// A vessel as an OBJ file: a cup of outer half width `a`, inner half width `b`, square, from z =
/// 0 to
/// `top`, with a floor `floor` thick.
fn cup(a: f64, b: f64, top: f64, floor: f64) -> String {
    let ring = |half: f64, z: f64| {
        [[-half, -half], [half, -half], [half, half], [-half, half]]
            .map(|[x, y]| format!("v {x} {y} {z}\n"))
            .concat()
    };
    // Outside below and above, inside above and below.
    let vertices = [ring(a, 0.0), ring(a, top), ring(b, top), ring(b, floor)].concat();
    let mut faces = String::from("f 4 3 2 1\nf 13 14 15 16\n");
    for first in [1, 5, 9] {
        for k in 0..4 {
            let (p, q) = (first + k, first + (k + 1) % 4);
            faces += &format!("f {p} {q} {} {}\n", q + 4, p + 4);
        }
    }
    vertices + &faces
}

/// A box as an OBJ file.
fn block(low: [f64; 3], high: [f64; 3]) -> String {
    let corners = (0..8).map(|k| [0, 1, 2].map(|a| if k >> a & 1 == 1 { high[a] } else { low[a] }));
    let vertices: String = corners.map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    vertices + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

/// A scene of this fluid with more keys, whose mesh is `mesh`.
fn prepared(shape: &str, more: &str, mesh: &str) -> Result<Prepared, Vec<Diagnostic>> {
    let text = format!(
        "Scene(frames: (count: 1, rate: 10), surface: None, {more}
        fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [{shape}])])"
    );
    let source = Source { name: "test.ron".to_owned(), text };
    prepare(&source, &[], &mut |_| Ok(mesh.as_bytes().to_vec()))
}

fn try_scene(shape: &str, r: f64, more: &str) -> Result<Prepared, Vec<Diagnostic>> {
    let space = "domain: Box(min: (0, 0, 0), max: (1, 1, 1))";
    let more = format!("{space}, particle_radius: {r}, {more}");
    prepared(shape, &more, &cup(0.2, 0.16, 0.3, 0.04))
}

fn scene(shape: &str, r: f64, more: &str) -> Prepared {
    try_scene(shape, r, more).unwrap_or_else(|faults| panic!("{shape}: {}", faults[0]))
}

const CUP: &str = "solids: [Mesh(path: \"cup.obj\", translate: (0.5, 0.5, 0))],";

fn volume(scene: &Prepared) -> f64 {
    scene.world.particles.len() as f64 * f64::from(scene.world.particle_volume())
}

#[test]
fn what_is_asked_for_is_within_half_a_layer() {
    let odd_box = "Box(min: (0, 0, 0), max: (1, 1, 0.31))";
    let in_corner = "Ball(centre: (0.5, 0.5, 0.5), radius: 0.4)";
    let solid = "solids: [SphereField(List([(centre: (0.5, 0.5, 0.5), radius: 0.25)]))],";
    for r in [0.0137, 0.023, 0.031] {
        let d = 2.0 * r;
        let tank = scene(odd_box, r, "");
        assert!((volume(&tank) - 0.31).abs() <= 0.5 * d + 1e-6, "{r}: {}", volume(&tank));
        let shell = scene(in_corner, r, solid);
        let expected = 4.0 / 3.0 * PI * (0.4_f64.powi(3) - 0.25_f64.powi(3));
        let layer = d * expected / 0.8;
        assert!((volume(&shell) - expected).abs() <= 0.5 * layer, "{r}: {}", volume(&shell));
        assert_eq!(shell.removed_in_solids, 0, "packed clear of the ball");
        let report = &shell.shapes[0];
        assert!(report.is_packed && (report.requested.unwrap() / expected - 1.0).abs() < 0.01);
        assert!((report.cut / (4.0 / 3.0 * PI * 0.25_f64.powi(3)) - 1.0).abs() < 0.02);
    }
}

#[test]
fn a_box_that_fits_keeps_its_lattice() {
    let fits = scene("Box(min: (0, 0, 0), max: (1, 1, 0.3))", 0.025, "");
    assert!(!fits.shapes[0].is_packed);
    assert_eq!(fits.world.particles.len(), 20 * 20 * 6);
    assert!(fits.warnings.is_empty(), "{}", fits.warnings[0]);
}

#[test]
fn a_vessel_is_filled_to_its_level_or_with_a_volume() {
    for r in [0.0103, 0.0137] {
        let level = scene("Fill(from: (0.5, 0.5, 0.1), level: 0.25)", r, CUP);
        let expected = 0.32 * 0.32 * 0.21;
        let layer = 0.32 * 0.32 * 2.0 * r;
        assert!((volume(&level) - expected).abs() <= 0.1 * layer, "{r}: {}", volume(&level));
        let highest = level.world.particles.position.iter().map(|x| f64::from(x.z));
        let top = highest.fold(0.0, f64::max);
        assert!((top - (0.25 - r)).abs() < 0.01 * r, "flat half a spacing below: {top}");
        assert!(level.world.particles.position.iter().all(|x| (x.x - 0.5).abs() < 0.16));
        assert_eq!(level.removed_in_solids, 0);
        let poured = scene("Fill(from: (0.5, 0.5, 0.29), volume: 0.01)", r, CUP);
        assert!((volume(&poured) - 0.01).abs() < 2.0 * (2.0 * r).powi(3), "{}", volume(&poured));
        let found = poured.shapes[0].level.unwrap();
        assert!((found - (0.04 + 0.01 / (0.32 * 0.32))).abs() < 0.1 * r, "level {found}");
    }
}

#[test]
fn beside_a_vessel_the_domain_is_filled_around_it() {
    let scene = scene("Fill(from: (0.1, 0.1, 0.02), level: 0.25)", 0.0125, CUP);
    let expected = 0.25 * (1.0 - 0.4 * 0.4);
    assert!((volume(&scene) / expected - 1.0).abs() < 0.002, "{}", volume(&scene));
    let is_inside = |x: &&Vec3| (x.x - 0.5).abs() < 0.2 && (x.y - 0.5).abs() < 0.2;
    assert_eq!(scene.world.particles.position.iter().filter(is_inside).count(), 0);
}

#[test]
fn what_cannot_be_filled_is_told() {
    let fault = |shape: &str| match try_scene(shape, 0.0125, CUP) {
        Ok(_) => panic!("{shape} is filled"),
        Err(faults) => faults[0].message.clone(),
    };
    let over = fault("Fill(from: (0.5, 0.5, 0.1), level: 0.35)");
    assert!(over.contains("the vessel runs over at (") && over.contains(", 0.3)"), "{over}");
    assert!(fault("Fill(from: (0.5, 0.5, 0.02), level: 0.2)").contains("lies in a solid"));
    assert!(fault("Fill(from: (0.5, 1.5, 0.1), level: 0.2)").contains("outside the domain"));
    assert!(fault("Fill(from: (0.5, 0.5, 0.2), level: 0.15)").contains("is not below the level"));
    let most = fault("Fill(from: (0.5, 0.5, 0.2), volume: 0.1)");
    assert!(most.starts_with("the vessel holds 0.026"), "{most}");
    assert!(fault("Fill(from: (0.5, 0.5, 0.2))").contains("how much to fill in is not given"));
    let above = fault("Fill(from: (0.5, 0.5, 0.1), level: 1.2)");
    assert_eq!(above, "the level, 1.2 m, lies above the domain, which ends at z = 1");
    let thin = fault("Fill(from: (0.5, 0.5, 0.2), volume: 1e-5)");
    assert!(thin.contains("thinner than a layer"), "{thin}");
    let both = fault("Fill(from: (0.5, 0.5, 0.2), level: 0.2, volume: 0.1)");
    assert!(both.contains("both `level` and `volume`"), "{both}");
}

/// The least distance of two positions \[m\].
fn nearest(positions: &[Vec3]) -> f64 {
    let others = |k: usize| &positions[k + 1..];
    let of = |k: usize| others(k).iter().map(move |x| f64::from((x - positions[k]).norm()));
    (0..positions.len()).flat_map(of).fold(f64::INFINITY, f64::min)
}

#[test]
fn thin_and_cornered_shapes_have_their_volume_too() {
    let cube = "Box(min: (0.1, 0.1, 0.1), max: (0.318, 0.318, 0.318))";
    let space = "Box(min: (0, 0, 0), max: (1, 1, 1))";
    let disc = "Cylinder(from: (0.5, 0.5, 0.2), to: (0.5, 0.5, 0.258), radius: 0.2)";
    let corners = ["min: (0, 0, 0), max: (0.1, 0.1, 0.1)", "min: (0.9, 0.9, 0.9), max: (1, 1, 1)"];
    let [low, high] = corners;
    let shapes = [
        (cube.to_owned(), 0.218_f64.powi(3), 0.218),
        (format!("Intersection(of: [{cube}, {space}])"), 0.218_f64.powi(3), 0.218),
        (disc.to_owned(), PI * 0.04 * 0.058, 0.058),
        (format!("Union(of: [Box({low}), Box({high})])"), 0.002, 1.0),
    ];
    for (shape, expected, height) in shapes {
        let scene = scene(&shape, 0.01, "");
        let half_layer = 0.5 * 0.02 * expected / height;
        let report = &scene.shapes[0];
        let requested = report.requested.unwrap();
        assert!((requested / expected - 1.0).abs() < 1e-3, "{shape}: asked {requested}");
        assert!((volume(&scene) - expected).abs() <= half_layer, "{shape}: {}", volume(&scene));
        let least = nearest(&scene.world.particles.position) / 0.02;
        assert!(least > 0.6, "{shape}: two are {least} d apart");
    }
}

#[test]
fn what_fills_a_periodic_domain_passes_its_ends() {
    let more = "domain: Box(min: (0, 0, 0), max: (1, 0.5, 0.5), periodic: (true, false, false)),
        particle_radius: 0.01, solids: [Mesh(path: \"wall.obj\")],";
    // From wall to wall, higher than the level.
    let wall = block([0.5, -0.1, -0.1], [0.55, 0.6, 0.4]);
    let scene = prepared("Fill(from: (0.2, 0.2, 0.1), level: 0.2)", more, &wall)
        .unwrap_or_else(|faults| panic!("{}", faults[0]));
    let expected = 0.95 * 0.5 * 0.2;
    assert!((volume(&scene) / expected - 1.0).abs() < 1e-3, "{}", volume(&scene));
    // Across the ends particles stand as far apart as elsewhere.
    let positions = &scene.world.particles.position;
    let behind = positions.iter().filter(|x| x.x > 0.55).count() as f64;
    assert!((behind / positions.len() as f64 / (0.45 / 0.95) - 1.0).abs() < 0.01, "{behind}");
    assert!(positions.iter().all(|x| x.x > 0.0099 && x.x < 0.9901));
}

#[test]
fn in_the_plane_a_basin_is_filled_around_a_disc() {
    let more = "dimensions: Two, domain: Box(min: (0, 0, 0), max: (1, 0, 0.6)),
        particle_radius: 0.0073, solids: [Ball(centre: (0.5, 0, 0.12), radius: 0.1)],";
    let scene = prepared("Fill(from: (0.1, 0, 0.05), level: 0.3)", more, "")
        .unwrap_or_else(|faults| panic!("{}", faults[0]));
    let expected = 0.3 - PI * 0.01;
    let layer = 2.0 * 0.0073;
    assert!((volume(&scene) - expected).abs() < 0.1 * layer, "{}", volume(&scene));
}

#[test]
fn solids_of_revolution_stand_in_what_is_filled() {
    let fill = "Fill(from: (0.05, 0.05, 0.05), level: 0.3)";
    let solids = [
        ("Cylinder(from: (0.5, 0.5, -0.1), to: (0.5, 0.5, 0.7), radius: 0.2)", PI * 0.04 * 0.3),
        ("Cone(from: (0.5, 0.5, 0.05), to: (0.5, 0.5, 0.25), radius: 0.2)", PI * 0.04 * 0.2 / 3.0),
        (
            "Capsule(from: (0.4, 0.5, 0.15), to: (0.6, 0.5, 0.15), radius: 0.1)",
            PI * 0.01 * 0.2 + 4.0 / 3.0 * PI * 1e-3,
        ),
    ];
    for (solid, taken) in solids {
        let scene = scene(fill, 0.0137, &format!("solids: [{solid}],"));
        let expected = 0.3 - taken;
        let given = volume(&scene);
        assert!((given - expected).abs() < 0.05 * 0.0274, "{solid}: {given}, not {expected}");
    }
}

#[test]
fn the_pressure_in_a_full_vessel_is_that_below_its_top() {
    // A closed shell that ends below the level.
    let fill = "Fill(from: (0.5, 0.5, 0.5), level: 0.8, pressure: Hydrostatic)";
    let more = "domain: Box(min: (0, 0, 0), max: (1, 1, 1)), particle_radius: 0.0125,
        gravity: (0, 0, -10), solids: [Mesh(path: \"shell.obj\", inside: Hollow)],";
    let scene = prepared(fill, more, &block([0.3; 3], [0.7; 3]))
        .unwrap_or_else(|faults| panic!("{}", faults[0]));
    assert!((volume(&scene) / 0.4_f64.powi(3) - 1.0).abs() < 1e-3, "{}", volume(&scene));
    assert!((scene.shapes[0].level.unwrap() - 0.7).abs() < 0.0125, "{:?}", scene.shapes[0].level);
    let pressure = &scene.world.particles.pressure;
    let most = pressure.iter().copied().fold(0.0, hashfall_core::Real::max);
    assert!(most > 3000.0 && most < 4500.0, "{most} Pa under 0.4 m of water");
}
