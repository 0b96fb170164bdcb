//! Polygons and sections of meshes in the plane, against brute force over their edges.

use crate::{Prepared, Source, prepare};
use hashfall_core::{Real, Vec3, to_f64};
use hashfall_solid::{NearSolids, PlaneTable, SolidFraction, SolidLayers, UnionBoundary};

/// A concave polygon.
const HOOK: [[f64; 2]; 7] =
    [[0.6, 0.0], [1.4, 0.2], [1.3, 0.9], [1.0, 0.9], [1.05, 0.5], [0.8, 0.45], [0.7, 1.0]];

/// An octahedron about (1, 0, 0.5) whose section at y = 0 is a square on its corner.
const OCTAHEDRON: &str = "\
v 1 0.3 0.5\nv 1 -0.3 0.5\nv 1.4 0 0.5\nv 0.6 0 0.5\nv 1 0 0.9\nv 1 0 0.1\n\
f 1 5 3\nf 1 4 5\nf 1 6 4\nf 1 3 6\nf 2 3 5\nf 2 5 4\nf 2 4 6\nf 2 6 3\n";
const SQUARE: [[f64; 2]; 4] = [[1.4, 0.5], [1.0, 0.9], [0.6, 0.5], [1.0, 0.1]];

fn scene(solid: &str, fluid: &str) -> Prepared {
    let text = format!(
        "Scene(
        frames: (count: 1, rate: 10.0), dimensions: Two,
        domain: Box(min: (0, 0, 0), max: (3, 0, 2)), particle_radius: 0.02,
        fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [{fluid}])],
        solids: [{solid}],
    )"
    );
    let source = Source { name: "plane.ron".into(), text };
    prepare(&source, &[], &mut |_| Ok(OCTAHEDRON.into())).unwrap()
}

fn points(corners: &[[f64; 2]]) -> String {
    let corner = |[x, z]: &[f64; 2]| format!("({x}, {z})");
    format!("points: [{}]", corners.iter().map(corner).collect::<Vec<_>>().join(", "))
}

const BESIDE: &str = "Box(min: (2.5, 0, 0), max: (2.9, 0, 0.4))";

fn edges(corners: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Whether a ray to the right meets an odd number of edges.
fn is_inside(corners: &[[f64; 2]], [x, z]: [f64; 2]) -> bool {
    let meets = |([ax, az], [bx, bz]): &([f64; 2], [f64; 2])| {
        (*az > z) != (*bz > z) && x < ax + (z - az) / (bz - az) * (bx - ax)
    };
    edges(corners).filter(meets).count() % 2 == 1
}

/// The distance from the nearest edge \[m\].
fn distance(corners: &[[f64; 2]], [x, z]: [f64; 2]) -> f64 {
    let to_edge = |([ax, az], [bx, bz]): ([f64; 2], [f64; 2])| {
        let (u, w) = ([bx - ax, bz - az], [x - ax, z - az]);
        let t = ((u[0] * w[0] + u[1] * w[1]) / (u[0] * u[0] + u[1] * u[1])).clamp(0.0, 1.0);
        (w[0] - t * u[0]).hypot(w[1] - t * u[1])
    };
    edges(corners).map(to_edge).fold(f64::INFINITY, f64::min)
}

/// Both kinds of solids with the corners of their sections.
fn solids() -> [(Prepared, &'static [[f64; 2]]); 2] {
    let hook = scene(&format!("Polygon({})", points(&HOOK)), BESIDE);
    [(hook, &HOOK), (scene("Mesh(path: \"o.obj\")", BESIDE), &SQUARE)]
}

#[test]
fn distances_are_those_of_the_edges() {
    for (scene, corners) in solids() {
        let solids = &scene.world.solids;
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        for k in 0..2000 {
            // A lattice that no edge lies on.
            let x = [0.313 + 0.0231 * f64::from(k % 60), 0.017 + 0.0373 * f64::from(k / 60)];
            let to_wall = x[0].min(3.0 - x[0]).min(x[1]).min(2.0 - x[1]);
            let expected = distance(corners, x).min(to_wall);
            let found = solids.distance(&objects, &Vec3::new(x[0] as Real, 0.0, x[1] as Real));
            assert!((f64::from(found) - expected).abs() < 1e-6, "{x:?}: {found} {expected}");
        }
    }
}

#[test]
fn the_kernel_over_a_solid_is_that_of_its_section() {
    for (scene, corners) in solids() {
        let world = &scene.world;
        // Layers so thin that they are the kernel's own integral.
        let kernel = world.kernel();
        let layers = SolidLayers::new(kernel, 0.01 * world.support_radius);
        let (union, table) = (UnionBoundary::new(&world.solids), PlaneTable::new(&layers));
        let h = f64::from(world.support_radius);
        let objects: Vec<u32> = (0..world.solids.object_count() as u32).collect();
        let mut near = NearSolids::default();
        let mut queries = 0;
        for k in 0..400 {
            let x = [0.5 + 0.0531 * f64::from(k % 20), 0.11 + 0.0473 * f64::from(k / 20)];
            if is_inside(corners, x) || !(0.2 * h..h).contains(&distance(corners, x)) {
                continue;
            }
            let place = Vec3::new(x[0] as Real, 0.0, x[1] as Real);
            world.solids.near(&objects, &place, world.support_radius, &union, &table, &mut near);
            let found = SolidFraction::from_near(&layers, &near, |_, _, _| {});
            // Midpoints of a fine grid of the support.
            let n = 200;
            let step = 2.0 * h / f64::from(n);
            let (mut solid, mut whole) = (0.0, 0.0);
            for cell in 0..n * n {
                let at = |i: i32| (f64::from(i) + 0.5) * step - h;
                let offset = [at(cell % n), at(cell / n)];
                let weight = f64::from(kernel.value(offset[0].hypot(offset[1]) as Real));
                whole += weight;
                let y = [x[0] + offset[0], x[1] + offset[1]];
                solid += if is_inside(corners, y) || y[1] < 0.0 { weight } else { 0.0 };
            }
            let error = f64::from(found.fraction) - solid / whole;
            assert!(error.abs() < 0.01, "{x:?}: {} {}", found.fraction, solid / whole);
            queries += 1;
        }
        assert!(queries > 20, "{queries}");
    }
}

#[test]
fn fluid_fills_a_polygon_and_a_section() {
    let polygon = scene("", &format!("Polygon({})", points(&HOOK)));
    let mesh = scene("", "Mesh(path: \"o.obj\")");
    for (scene, corners, area) in [(polygon, &HOOK[..], 0.45125), (mesh, &SQUARE[..], 0.32)] {
        let positions = &scene.world.particles.position;
        assert!(positions.iter().all(|x| {
            let [x, y, z] = to_f64(x);
            y == 0.0 && (is_inside(corners, [x, z]) || distance(corners, [x, z]) < 1e-6)
        }));
        let filled = positions.len() as f64 * 0.04 * 0.04;
        assert!((filled / area - 1.0).abs() < 0.1, "{filled} for {area}");
    }
}
