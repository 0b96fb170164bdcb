//! Finished surfaces: known shapes, flat contacts, and that every mesh stays sound.

use super::*;
use crate::postprocess::simplify::parts::{CUBE, by_cubes};
use crate::postprocess::single::{WeightsAt, postprocess};
use crate::reconstruct::single::{Reconstruction, reconstruct};
use crate::settings::Clip;
use hashfall_core::parallel::with_threads;
use hashfall_core::to_f64;
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, Point};
use hashfall_solid::{RoundSolid, Solids, Sphere};

/// The quality below which a triangle is a sliver.
const SLIVER: f64 = 0.1;

/// All that can be done.
fn usual() -> SurfaceSettings {
    let clip = Clip::Flat;
    SurfaceSettings { cleanup: true, smoothing: 30, clip, ..SurfaceSettings::raw() }
}

pub(crate) fn nothing_near() -> Solids {
    Solids::new(Aabb::new(vec3([-1e3; 3]), vec3([1e3; 3])), vec![], vec![])
}

/// The surface as extracted, and what is done with it given its smoothing weights.
fn with_raw_mesh<T>(
    points: &[[f64; 3]],
    settings: &SurfaceSettings,
    work: impl FnOnce(SurfaceMesh, &WeightsAt) -> T,
) -> T {
    let particles = Particles::at(points);
    let attributes = [particles.attributes[0].clone(), particles.attributes[2].clone()];
    let input = SurfaceInput { attributes: &attributes, ..particles.input() };
    let radius = vec3([RADIUS; 3]).x;
    let mesh = extract(&input, settings, radius);
    let field = Reconstruction::new(&input, settings, radius);
    work(mesh, &|places| field.smoothing_weights(places, radius))
}

/// The finished surface, after the checks that every mesh must pass; and the raw one.
pub(crate) fn finished(
    points: &[[f64; 3]],
    solids: &Solids,
    settings: &SurfaceSettings,
) -> (SurfaceMesh, SurfaceMesh) {
    let (mesh, raw) = with_raw_mesh(points, settings, |raw, weights| {
        let weights = Some(weights).filter(|_| settings.smoothing_weights);
        let radius = vec3([RADIUS; 3]).x;
        (postprocess(raw.clone(), weights, solids, settings, radius).main, raw)
    });
    let audit = mesh.audit();
    assert!(audit.is_sound(), "{audit:?}");
    assert_eq!(audit.euler_characteristic, raw.audit().euler_characteristic);
    assert_eq!(mesh.attributes.len(), raw.attributes.len());
    for attribute in &mesh.attributes {
        assert_eq!(attribute.values.len(), mesh.positions.len());
    }
    assert!(mesh.normals.iter().all(|n| (n.norm() - 1.0).abs() < 1e-5));
    (mesh, raw)
}

pub(crate) fn ball(radius: f64, jitter: f64) -> Vec<[f64; 3]> {
    let n = radius as usize + 2;
    let inside = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>() <= (radius * SPACING).powi(2);
    let mut random = random(5);
    let points = lattice([2 * n; 3], 0.0).into_iter();
    let points = points.map(|p| p.map(|x| x - n as f64 * SPACING)).filter(inside);
    let mut move_by = || jitter * (2.0 * random() - 1.0) * SPACING;
    points.map(|p| p.map(|x| x + move_by())).collect()
}

pub(crate) fn qualities(mesh: &SurfaceMesh) -> Vec<f64> {
    let quality = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| nalgebra::Vector3::from(to_f64(&mesh.positions[v as usize])));
        let squares = (b - a).norm_squared() + (c - b).norm_squared() + (a - c).norm_squared();
        2.0 * 3.0_f64.sqrt() * (b - a).cross(&(c - a)).norm() / squares
    };
    mesh.triangles.iter().map(quality).collect()
}

/// The centre of what a mesh encloses \[m\].
fn centroid(mesh: &SurfaceMesh) -> nalgebra::Vector3<f64> {
    let moment = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| nalgebra::Vector3::from(to_f64(&mesh.positions[v as usize])));
        (a + b + c) * (a.dot(&b.cross(&c)) / 24.0)
    };
    mesh.triangles.iter().map(moment).sum::<nalgebra::Vector3<f64>>() / mesh.volume()
}

#[test]
fn a_jittered_ball_is_smooth_and_has_its_volume() {
    // A radius at which the lattice points inside have the volume of the ball.
    let radius = 15.3;
    let points = ball(radius, 0.1);
    let (mesh, raw) = finished(&points, &nothing_near(), &usual());
    let radius = radius * SPACING;
    let volume = mesh.volume() / (4.0 / 3.0 * std::f64::consts::PI * radius.powi(3)) - 1.0;
    let errors: Vec<f64> =
        mesh.positions.iter().map(|p| (f64::from(p.norm()) - radius) / RADIUS).collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    let roughness =
        (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / errors.len() as f64).sqrt();
    let slivers = qualities(&mesh).iter().filter(|q| **q < SLIVER).count();
    assert!(volume.abs() < 0.002, "volume {volume}");
    assert!(roughness < 0.15, "roughness {roughness} r");
    assert_eq!(slivers, 0);
    assert!(mesh.triangles.len() * 3 < raw.triangles.len() * 2);
}

#[test]
fn droplets_and_sheets_keep_their_volume_and_place() {
    let mut random = random(3);
    let sheet = lattice([24, 24, 1], 0.1);
    let twice = lattice([20, 20, 2], 0.1);
    let clumps: Vec<_> = (0..8).map(|n| ball(0.9 + 0.25 * f64::from(n), 0.1)).collect();
    let single: Vec<_> = (0..30).map(|i| [f64::from(i) * 0.5, random(), random()]).collect();
    for points in [sheet, twice, single].into_iter().chain(clumps) {
        let (mesh, raw) = finished(&points, &nothing_near(), &usual());
        let change = mesh.volume() / raw.volume() - 1.0;
        assert!(change.abs() < 0.02, "{} particles: {change}", points.len());
        let moved = (centroid(&mesh) - centroid(&raw)).norm();
        assert!(moved < 0.1 * RADIUS, "{} particles: {moved}", points.len());
    }
}

#[test]
fn thin_walls_between_voids_keep_their_volume_on_cells_of_any_size() {
    // A void in each cube of six spacings: water among pebbles.
    let is_kept = |p: &[f64; 3]| {
        let from_centre = |x: f64| (x / (6.0 * SPACING)).fract() * 6.0 * SPACING - 3.0 * SPACING;
        p.iter().map(|&x| from_centre(x).powi(2)).sum::<f64>() >= (2.5 * SPACING).powi(2)
    };
    let mut points = lattice([18; 3], 0.1);
    points.retain(is_kept);
    for cell in [0.5, 1.0, 1.3333] {
        let (mesh, raw) = finished(&points, &nothing_near(), &SurfaceSettings { cell, ..usual() });
        let change = mesh.volume() / raw.volume() - 1.0;
        assert!(change.abs() < 0.015, "cells of {cell} r: {change}");
    }
}

#[test]
fn every_mesh_stays_sound() {
    let all = usual();
    let plain = SurfaceSettings { smoothing_weights: false, smoothing: 50, ..all };
    let uncleaned = SurfaceSettings { cleanup: false, ..all };
    let solids = Solids::new(
        Aabb::new(vec3([0.0; 3]), vec3([2.0; 3])),
        vec![Sphere { centre: vec3([0.6; 3]), radius: 0.4 }],
        vec![],
    );
    for settings in [all, plain, uncleaned] {
        for points in [vec![], vec![[0.3; 3]], lattice([9, 1, 1], 0.0), lattice([6, 7, 8], 0.0)] {
            finished(&points, &nothing_near(), &settings);
            finished(&points, &solids, &settings);
        }
        for seed in 0..25 {
            let mut random = random(seed);
            let count = 1 + (random() * 90.0) as usize;
            let side = (0.5 + 4.0 * random()) * SUPPORT;
            let soup: Vec<_> = (0..count).map(|_| [0; 3].map(|_| random() * side)).collect();
            finished(&soup, &nothing_near(), &settings);
            finished(&soup, &solids, &settings);
            let ties: Vec<_> =
                lattice([7; 3], 0.0).into_iter().filter(|_| random() < 0.4).collect();
            finished(&ties, &solids, &SurfaceSettings { cell: 0.5 + random(), ..settings });
        }
    }
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let points = ball(12.0, 0.1);
    let solids = Solids::new(Aabb::new(vec3([-1.45; 3]), vec3([2.0; 3])), vec![], vec![]);
    with_raw_mesh(&points, &usual(), |raw, weights| {
        let cube = CUBE * vec3([usual().cell; 3]).x * vec3([RADIUS; 3]).x;
        let cubes = by_cubes(&raw.triangles, &raw.positions, cube, 0.0).len();
        assert!(cubes >= 8, "{cubes} cubes");
        let on = |threads| {
            with_threads(threads, || {
                let radius = vec3([RADIUS; 3]).x;
                postprocess(raw.clone(), Some(weights), &solids, &usual(), radius)
            })
        };
        let one = on(1);
        assert!(one == on(3) && one == on(8));
    });
}

#[test]
fn small_bodies_go() {
    let mut points = lattice([8; 3], 0.0);
    points.extend([[-1.0; 3], [3.0; 3], [-1.0, 3.0, 0.0]]);
    let settings = SurfaceSettings { min_component_volume: 2.0, ..usual() };
    let raw = with_raw_mesh(&points, &settings, |raw, _| raw);
    assert_eq!(raw.audit().euler_characteristic, 8);
    let (large, small) = raw.split_by_volume(2.0 * SPACING.powi(3));
    assert!(large.audit().is_sound() && small.audit().is_sound());
    assert_eq!(large.audit().euler_characteristic, 2);
    assert_eq!(small.audit().euler_characteristic, 6);
    assert_eq!(large.triangles.len() + small.triangles.len(), raw.triangles.len());
    assert!((large.volume() + small.volume() - raw.volume()).abs() < 1e-6);
    let radius = vec3([RADIUS; 3]).x;
    let gone = postprocess(raw.clone(), None, &nothing_near(), &settings, radius);
    assert_eq!(gone.main.audit().euler_characteristic, 2);
    assert_eq!(gone.spray, None);
    let apart = SurfaceSettings { spray: true, ..settings };
    let apart = postprocess(raw, None, &nothing_near(), &apart, radius);
    assert!(apart.main == gone.main);
    let spray = apart.spray.unwrap().audit();
    assert!(spray.is_sound() && spray.euler_characteristic == 6, "{spray:?}");
}

#[test]
fn attributes_go_along() {
    let (mesh, raw) = finished(&lattice([14; 3], 0.1), &nothing_near(), &usual());
    let Values::Vectors(flow) = &mesh.attributes[0].values else { panic!("velocities") };
    for (v, p) in flow.iter().zip(&mesh.positions) {
        let expected = vec3([1.0, 2.0, 3.0]) + p * 0.5;
        assert!((v - expected).norm() < 0.05, "{v:?} at {p:?}");
    }
    assert_eq!(mesh.attributes[1].name, raw.attributes[1].name);
}

/// How many vertices lie on a surface to 1e-4 r, and whether none lies beyond it.
fn count_on(mesh: &SurfaceMesh, distance: impl Fn(&Vec3) -> f64) -> usize {
    let distances: Vec<f64> = mesh.positions.iter().map(distance).collect();
    assert!(distances.iter().all(|d| *d > -1e-4 * RADIUS), "a vertex beyond the solid");
    // None floats just before the solid, but where the surface leaves it.
    distances.iter().filter(|d| **d < 1e-4 * RADIUS).count()
}

/// The areas of the triangles on the walls at x = 0, y = 0 and z = 0 \[m²\].
fn contact_areas(mesh: &SurfaceMesh) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let is_on = |t: &&[u32; 3]| t.iter().all(|&v| mesh.positions[v as usize][axis] == 0.0);
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| nalgebra::Vector3::from(to_f64(&mesh.positions[v as usize])));
            (b - a).cross(&(c - a)).norm() / 2.0
        };
        mesh.triangles.iter().filter(is_on).map(area).sum()
    })
}

#[test]
fn fluid_lies_flat_on_floor_and_wall() {
    for jitter in [0.0, 0.1] {
        // The lattice stands half a spacing off the walls at x = 0 and z = 0.
        let points = lattice([14, 12, 10], jitter);
        let walls = Aabb::new(vec3([0.0, -1.0, 0.0]), vec3([9.0; 3]));
        let solids = Solids::new(walls, vec![], vec![]);
        let (mesh, raw) = finished(&points, &solids, &usual());
        let exact = points.len() as f64 * SPACING.powi(3);
        let (volume, before) = (mesh.volume() / exact - 1.0, raw.volume() / exact - 1.0);
        assert!(volume.abs() < 0.02, "volume {volume}, raw {before}");
        assert!(count_on(&mesh, |p| f64::from(p.z)) > 0);
        assert!(count_on(&mesh, |p| f64::from(p.x)) > 0);
        let [wall, _, floor] = contact_areas(&mesh).map(|area| area / SPACING.powi(2));
        // Of 14 · 12 and 12 · 10 squares; the free edges of the block are round.
        assert!(floor > 155.0 && wall > 110.0, "{floor} on the floor, {wall} on the wall");
        // Under the middle of the block nothing is off the floor.
        let is_under = |p: &&Vec3| {
            let [x, y, z] = to_f64(p);
            (0.0..12.0 * SPACING).contains(&x)
                && (2.0 * SPACING..10.0 * SPACING).contains(&y)
                && z < SPACING
        };
        let off = mesh.positions.iter().filter(is_under).filter(|p| p.z != 0.0 && p.x != 0.0);
        assert_eq!(off.count(), 0, "vertices off the floor");
        let faces_down = |t: &&[u32; 3]| t.iter().all(|&v| mesh.positions[v as usize].z == 0.0);
        for t in mesh.triangles.iter().filter(faces_down) {
            let [a, b, c] = t.map(|v| mesh.positions[v as usize]);
            assert!((b - a).cross(&(c - a)).z < 0.0, "a triangle of the floor is folded");
        }
    }
}

#[test]
fn a_dented_floor_becomes_flat_without_holes() {
    // Pairs of particles are missing from the lowest layer.
    let is_missing = |p: &[f64; 3]| {
        let [i, j, k] = p.map(|x| (x / SPACING) as usize);
        k == 0 && i % 5 >= 3 && j % 5 == 3
    };
    let mut points = lattice([14, 12, 8], 0.05);
    points.retain(|p| !is_missing(p));
    let above_floor = |p: &&Vec3| {
        let [x, y, z] = to_f64(p);
        let is_under = (2.0..12.0).contains(&(x / SPACING)) && (2.0..10.0).contains(&(y / SPACING));
        is_under && z > 0.0 && z < 2.0 * SPACING
    };
    let floor = Aabb::new(vec3([-9.0, -9.0, 0.0]), vec3([9.0; 3]));
    let (mesh, raw) = finished(&points, &Solids::new(floor, vec![], vec![]), &usual());
    let depth =
        raw.positions.iter().filter(above_floor).map(|p| f64::from(p.z)).fold(0.0, f64::max);
    assert!(depth > 1.2 * RADIUS, "dents of {depth} m");
    assert_eq!(mesh.positions.iter().filter(above_floor).count(), 0, "vertices off the floor");
}

#[test]
fn contacts_have_even_rims_and_sharp_corners() {
    let points = lattice([14, 12, 10], 0.1);
    let walls = Aabb::new(vec3([0.0; 3]), vec3([9.0; 3]));
    let (mesh, _) = finished(&points, &Solids::new(walls, vec![], vec![]), &usual());
    let nearest = |to: Vec3| mesh.positions.iter().map(|p| (p - to).norm()).fold(9.0, Real::min);
    assert_eq!(nearest(Vec3::zeros()), 0.0, "a corner is cut off");
    for i in 1..10 {
        let along = vec3([f64::from(i) * SPACING, 0.0, 0.0]);
        assert!(nearest(along) < vec3([0.5 * RADIUS; 3]).x, "the edge has a notch at {i}");
    }
    // On the floor the side at x = 14 spacings is a straight line.
    let on_rim = |p: &&Vec3| {
        let [x, y, z] = to_f64(p);
        z == 0.0 && x > 13.0 * SPACING && (2.0 * SPACING..10.0 * SPACING).contains(&y)
    };
    let is_free = |v: u32| mesh.positions[v as usize].z > 0.0;
    let rim = mesh.triangles.iter().filter(|t| t.iter().any(|&v| is_free(v))).flatten();
    let rim = rim.map(|&v| &mesh.positions[v as usize]).filter(on_rim).map(|p| f64::from(p.x));
    let rim: Vec<f64> = rim.collect();
    let (least, most) = rim.iter().fold((f64::MAX, f64::MIN), |(l, m), &x| (l.min(x), m.max(x)));
    assert!(rim.len() > 20 && most - least < 0.5 * RADIUS, "{least} to {most} m");
}

#[test]
fn a_drop_touches_a_wall_in_a_disc_and_never_in_a_cone() {
    let walls = Aabb::new(vec3([-9.0, -9.0, 0.0]), vec3([9.0; 3]));
    let solids = Solids::new(walls, vec![], vec![]);
    // A particle alone is a ball of 1.23 r, and what is nearer than 0.75 r lies on the wall.
    for (height, expected) in [(1.0, 1.2), (1.4, 1.05), (1.8, 0.64), (2.2, 0.0)] {
        let drop = [[0.02, 0.03, height * RADIUS]];
        let (mesh, raw) = finished(&drop, &solids, &usual());
        let contact = mesh.positions.iter().filter(|p| p.z == 0.0);
        let radii = contact.map(|p| f64::from((p.xy() - vec3(drop[0]).xy()).norm()) / RADIUS);
        let disc = radii.fold(0.0, f64::max);
        assert!((disc - expected).abs() < 0.25, "a disc of {disc} r at a height of {height} r");
        let change = mesh.volume() / raw.volume() - 1.0;
        assert!((-0.02..0.5).contains(&change), "{change} at a height of {height} r");
    }
}

#[test]
fn drops_in_edges_and_corners_are_not_flattened() {
    let walls = Aabb::new(vec3([0.0; 3]), vec3([9.0; 3]));
    let solids = Solids::new(walls, vec![], vec![]);
    for drop in [[1.0, 1.0, 5.0], [0.8, 0.8, 5.0], [1.0, 1.0, 1.0], [0.9, 0.8, 0.9]] {
        for cell in [0.5, 0.8] {
            let settings = SurfaceSettings { cell, ..usual() };
            let (mesh, raw) = finished(&[drop.map(|x| x * RADIUS)], &solids, &settings);
            let part = mesh.volume() / raw.volume();
            assert!(part > 0.7, "{part} of the volume is left of a drop at {drop:?} r");
        }
    }
}

#[test]
fn fluid_lies_against_a_ball_and_a_mesh() {
    let centre = [6.0 * SPACING + 0.01; 3];
    let radius = 3.0 * SPACING;
    let distance = |p: &Vec3| f64::from((p - vec3(centre)).norm()) - radius;
    let mut points = lattice([12; 3], 0.0);
    points.retain(|&p| distance(&vec3(p)) > RADIUS);
    let sphere = Sphere { centre: vec3(centre), radius: vec3([radius; 3]).x };
    let far = Aabb::new(vec3([-9.0; 3]), vec3([9.0; 3]));
    let solids = Solids::new(far, vec![sphere], vec![]);
    let (mesh, _) = finished(&points, &solids, &usual());
    let on = count_on(&mesh, distance);
    assert!(on > 500, "{on} on the ball");
    // A capsule and a cylinder through the block.
    let (from, to) = (vec3([-1.0, 0.7, 0.8]), vec3([2.5, 0.8, 0.7]));
    let [from, to] = [from, to].map(|x: Vec3| Point::from(to_f64(&x)));
    for solid in
        [RoundSolid::capsule(from, to, radius), RoundSolid::cylinder(from, to, 0.8 * radius)]
    {
        let distance = |p: &Vec3| solid.signed_distance(&Point::from(to_f64(p)));
        let mut points = lattice([12; 3], 0.0);
        points.retain(|&p| distance(&vec3(p)) > RADIUS);
        let solids = Solids::new(far, vec![], vec![]).with_rounds(vec![solid]);
        let (mesh, _) = finished(&points, &solids, &usual());
        let on = count_on(&mesh, distance);
        assert!(on > 500, "{on} on {solid:?}");
    }
    // A box under the block, its top at z = 0.
    let plate = Aabb::new(vec3([-1.0, -1.0, -0.5]), vec3([3.0, 3.0, 0.0]));
    let solids = Solids::new(far, vec![], vec![box_mesh(&plate)]);
    let (mesh, _) = finished(&lattice([12, 12, 6], 0.1), &solids, &usual());
    let on = count_on(&mesh, |p| f64::from(p.z));
    assert!(on > 800, "{on} on the box");
}

#[test]
fn free_surfaces_know_nothing_of_solids() {
    let points = lattice([8; 3], 0.1);
    let free = SurfaceSettings { clip: Clip::Free, ..usual() };
    let walls = Solids::new(Aabb::new(vec3([0.0; 3]), vec3([9.0; 3])), vec![], vec![]);
    let (at_walls, _) = finished(&points, &walls, &free);
    let (alone, _) = finished(&points, &nothing_near(), &free);
    assert!(at_walls == alone);
}

#[test]
fn what_is_reconstructed_is_what_was_extracted_and_finished() {
    let floor = Aabb::new(vec3([-1e3, -1e3, 0.0]), vec3([1e3; 3]));
    let solids = Solids::new(floor, vec![], vec![]);
    let points = lattice([10; 3], 0.1);
    let particles = Particles::at(&points);
    for clip in [Clip::Flat, Clip::Free] {
        for smoothing in [0, 5] {
            let settings = SurfaceSettings { clip, smoothing, ..usual() };
            let radius = vec3([RADIUS; 3]).x;
            let mesh = reconstruct(&particles.input(), &solids, &settings, radius).main;
            let audit = mesh.audit();
            assert!(audit.is_sound(), "{audit:?}");
            let (finished, _) = finished(&points, &solids, &settings);
            // Which vertices face the floor is told by normals of the field there, and of triangles
            // here.
            if clip == Clip::Free {
                assert_eq!(mesh.triangles, finished.triangles, "{smoothing}");
            }
            let names: Vec<&str> = mesh.attributes.iter().map(|a| &*a.name).collect();
            assert_eq!(names, ["velocity", "depth", "id"]);
            let on_floor = mesh.positions.iter().filter(|p| p.z == 0.0).count();
            assert_eq!(on_floor > 100, clip == Clip::Flat, "{on_floor}");
            assert!(agreement(&mesh) > 0.95, "{}", agreement(&mesh));
        }
    }
}

#[test]
fn normals_of_a_raw_mesh_are_smoothed_if_asked_for() {
    let particles = Particles::at(&lattice([8; 3], 0.2));
    let mesh = |settings: SurfaceSettings| {
        reconstruct(&particles.input(), &nothing_near(), &settings, vec3([RADIUS; 3]).x).main
    };
    let raw = mesh(SurfaceSettings::raw());
    assert!(raw == mesh(SurfaceSettings { normals_smoothing: Some(0), ..SurfaceSettings::raw() }));
    let smooth = mesh(SurfaceSettings { normals_smoothing: Some(10), ..SurfaceSettings::raw() });
    assert_eq!(raw.positions, smooth.positions);
    // How far normals turn from one vertex to the next.
    let turns = |mesh: &SurfaceMesh| -> f64 {
        let normal = |v: u32| mesh.normals[v as usize];
        let turn = |t: &[u32; 3]| f64::from(1.0 - normal(t[0]).dot(&normal(t[1])));
        mesh.triangles.iter().map(turn).sum()
    };
    assert!(turns(&smooth) < 0.5 * turns(&raw), "{} {}", turns(&smooth), turns(&raw));
    let smoothed = SurfaceSettings { smoothing: 5, ..SurfaceSettings::raw() };
    assert!(mesh(smoothed) == mesh(SurfaceSettings { normals_smoothing: Some(10), ..smoothed }));
}
