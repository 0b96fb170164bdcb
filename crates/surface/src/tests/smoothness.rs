//! The default surface: how rough it is, how it flickers from frame to frame, and that its volume
//! is that of the raw one on the same cells.
//!
//! Two bodies of particles on a lattice that is jittered by a tenth of the spacing along each axis:
//! the level top of a *slab*, and a *ball*, whose lattice is cut to steps that no smoothing takes
//! away. *Roughness* is the root mean square, over fixed rays, of the surface's distance from where
//! the rays begin about the mean. *Flicker* is that of its change from one frame to the next, while
//! the surface should stand still: the slab's particles tremble, each jitter by itself; those of
//! the ball turn about its centre by 0.3. Both are in particle radii.

use super::finish::ball;
use super::*;
use crate::reconstruct::single::reconstruct;
use hashfall_core::geometry::NoSolids;
use hashfall_core::to_f64;

type Point = nalgebra::Vector3<f64>;

/// The jitter \[d\], the ball's radius \[d\], and by how much it turns in a frame.
const JITTER: f64 = 0.1;
const BALL: f64 = 8.0;
const TURN: f64 = 0.3;
/// Particles of the slab along its sides, and rays through each body.
const SLAB: [usize; 3] = [20, 20, 6];
const RAYS: usize = 300;

/// The surface of points by some settings, after the checks that every mesh must pass.
fn surface(points: &[[f64; 3]], settings: &SurfaceSettings) -> SurfaceMesh {
    let particles = Particles::at(points);
    let radius = vec3([RADIUS; 3]).x;
    let mesh = reconstruct(&particles.input(), &NoSolids, settings, radius).main;
    assert!(mesh.audit().is_sound(), "{:?}", mesh.audit());
    mesh
}

fn place(mesh: &SurfaceMesh, vertex: u32) -> Point {
    Point::from(to_f64(&mesh.positions[vertex as usize]))
}

struct Ray {
    start: Point,
    direction: Point,
}

/// A body of particles in two frames, and rays through its surface.
struct Body {
    frames: [Vec<[f64; 3]>; 2],
    rays: Vec<Ray>,
}

/// How far the surface around the start of a ray is along it \[r\]: Möller & Trumbore 1997.
fn distance(mesh: &SurfaceMesh, ray: &Ray) -> f64 {
    let hit = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|vertex| place(mesh, vertex) - ray.start);
        let (u, v) = (b - a, c - a);
        let normal = ray.direction.cross(&v);
        let determinant = u.dot(&normal);
        let first = -a.dot(&normal) / determinant;
        let across = (-a).cross(&u);
        let second = ray.direction.dot(&across) / determinant;
        let is_inside = first >= 0.0 && second >= 0.0 && first + second <= 1.0;
        (is_inside && determinant != 0.0).then(|| v.dot(&across) / determinant)
    };
    mesh.triangles.iter().filter_map(hit).fold(0.0, f64::max) / RADIUS
}

/// The ball in two frames, and rays from its centre.
fn balls() -> Body {
    let points = ball(BALL, JITTER);
    let axis = nalgebra::Unit::new_normalize(Point::new(1.0, 2.0, 3.0));
    let turn = nalgebra::Rotation3::from_axis_angle(&axis, TURN);
    let turned = points.iter().map(|p| (turn * Point::from(*p)).into()).collect();
    let mut random = random(3);
    let rays = (0..RAYS).map(|_| {
        let (z, angle) = (2.0 * random() - 1.0, std::f64::consts::TAU * random());
        let flat = (1.0 - z * z).sqrt();
        let direction = Point::new(flat * angle.cos(), flat * angle.sin(), z);
        Ray { start: Point::zeros(), direction }
    });
    Body { frames: [points, turned], rays: rays.collect() }
}

/// The slab in two frames, and rays upwards, from four spacings within its sides.
fn slabs() -> Body {
    let (mut tremble, mut random) = (random(7), random(3));
    let mut frame = || {
        let mut moved = |x: f64| x + JITTER * (2.0 * tremble() - 1.0) * SPACING;
        lattice(SLAB, 0.0).into_iter().map(|p| p.map(&mut moved)).collect()
    };
    let frames = [frame(), frame()];
    let mut within = |count: usize| (4.0 + random() * (count as f64 - 8.0)) * SPACING;
    let start = |_| Point::new(within(SLAB[0]), within(SLAB[1]), 0.5 * SLAB[2] as f64 * SPACING);
    let rays = (0..RAYS).map(start).map(|start| Ray { start, direction: Point::z() });
    Body { frames, rays: rays.collect() }
}

/// The root mean square about the mean, or about 0.
fn spread(values: &[f64], mean: f64) -> f64 {
    (values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / values.len() as f64).sqrt()
}

/// Roughness, flicker and volume \[m³\].
fn measure(Body { frames, rays }: &Body, settings: &SurfaceSettings) -> [f64; 3] {
    let meshes = [0, 1].map(|k| surface(&frames[k], settings));
    let [before, after] =
        [0, 1].map(|k| rays.iter().map(|ray| distance(&meshes[k], ray)).collect::<Vec<_>>());
    let mean = before.iter().sum::<f64>() / before.len() as f64;
    let change: Vec<f64> = before.iter().zip(&after).map(|(a, b)| b - a).collect();
    [spread(&before, mean), spread(&change, 0.0), meshes[0].volume()]
}

#[test]
fn the_default_surface_is_smooth_steady_and_of_the_same_volume() {
    for (name, body, bounds) in [("slab", slabs(), [0.04, 0.06]), ("ball", balls(), [0.17, 0.22])] {
        let usual = SurfaceSettings::default();
        let raw = SurfaceSettings { cell: usual.cell, ..SurfaceSettings::raw() };
        let [raw, usual] = [raw, usual].map(|settings| measure(&body, &settings));
        for (kind, [roughness, flicker, volume]) in [("raw", raw), ("default", usual)] {
            println!(
                "{name}, {kind}: roughness {roughness:.4} r, flicker {flicker:.4} r, \
                 volume {volume:.5} m³"
            );
        }
        assert!(usual[0] < bounds[0] && usual[0] < 0.5 * raw[0], "{name}: roughness {}", usual[0]);
        assert!(usual[1] < bounds[1] && usual[1] < 0.5 * raw[1], "{name}: flicker {}", usual[1]);
        assert!((usual[2] / raw[2] - 1.0).abs() < 0.015, "{name}: {} m³ of {}", usual[2], raw[2]);
    }
}

#[test]
fn a_raw_surface_is_that_of_marching_cubes_whatever_else_is_set() {
    let points = ball(3.0, JITTER);
    let cell = SurfaceSettings::default().cell;
    let raw = surface(&points, &SurfaceSettings { cell, ..SurfaceSettings::raw() });
    assert!(raw == Particles::at(&points).mesh(&SurfaceSettings::default()));
    let settings = SurfaceSettings { raw: true, decimation: 0.1, ..SurfaceSettings::default() };
    assert!(surface(&points, &settings) == raw);
    assert!(surface(&points, &SurfaceSettings::default()) != raw);
}
