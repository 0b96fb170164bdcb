//! Decimated surfaces: few triangles where the surface is flat, none of them far from where it was.

use super::*;
use crate::postprocess::single::postprocess;
use crate::settings::Clip;
use crate::tests::finish::{ball, finished, nothing_near, qualities};
use hashfall_core::parallel::with_threads;
use hashfall_core::to_f64;
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Aabb, Point};
use hashfall_solid::Solids;

/// Finished, and then decimated by at most this number of radii.
fn decimated_by(decimation: f64) -> SurfaceSettings {
    SurfaceSettings { cleanup: true, smoothing: 30, decimation, ..SurfaceSettings::raw() }
}

/// The same mesh with all its triangles, and decimated.
fn both(points: &[[f64; 3]], solids: &Solids, settings: &SurfaceSettings) -> [SurfaceMesh; 2] {
    let all = SurfaceSettings { decimation: 0.0, ..*settings };
    [all, *settings].map(|settings| finished(points, solids, &settings).0)
}

fn corners(mesh: &SurfaceMesh) -> Vec<[Point; 3]> {
    let corner = |v: u32| Point::from(to_f64(&mesh.positions[v as usize]));
    mesh.triangles.iter().map(|t| t.map(corner)).collect()
}

/// The largest distance of points on the triangles of one mesh from another, by brute force.
fn farthest(from: &SurfaceMesh, to: &SurfaceMesh) -> f64 {
    let mut random = random(7);
    let to = corners(to);
    let distance = |[a, b, c]: [Point; 3]| {
        let (s, t) = (random(), random());
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        let at = a + (b - a) * s + (c - a) * t;
        let distances = to.iter().map(|corners| offset_to_triangle(&at, corners).norm());
        distances.fold(f64::MAX, f64::min)
    };
    // A hundred places will do.
    let from = corners(from);
    let step = from.len().div_ceil(150);
    from.into_iter().step_by(step.max(1)).map(distance).fold(0.0, f64::max)
}

/// Checks what each decimated mesh must fulfil, given the one with all triangles before it.
fn check([all, mesh]: &[SurfaceMesh; 2], decimation: f64) {
    let bound = decimation * RADIUS * (1.0 + 1e-4);
    let moved = farthest(all, mesh).max(farthest(mesh, all));
    assert!(moved <= bound, "moved by {moved} > {bound}");
    let worst = |mesh: &SurfaceMesh| qualities(mesh).into_iter().fold(1.0, f64::min);
    let (before, after) = (worst(all), worst(mesh));
    assert!(after >= before.min(0.29), "quality {after}, before {before}");
}

/// The part of the triangles that is left.
fn left([all, mesh]: &[SurfaceMesh; 2]) -> f64 {
    mesh.triangles.len() as f64 / all.triangles.len() as f64
}

fn change([all, mesh]: &[SurfaceMesh; 2], of: impl Fn(&SurfaceMesh) -> f64) -> f64 {
    of(mesh) / of(all) - 1.0
}

#[test]
fn flat_sides_of_a_block_become_few_triangles() {
    let points = lattice([16; 3], 0.0);
    for (decimation, most) in [(0.02, 0.2), (0.1, 0.08), (0.3, 0.04)] {
        let pair = both(&points, &nothing_near(), &decimated_by(decimation));
        check(&pair, decimation);
        assert!(left(&pair) < most, "{decimation}: {} of the triangles", left(&pair));
        let volume = change(&pair, SurfaceMesh::volume);
        assert!(volume.abs() < 1e-6, "{volume}");
    }
}

#[test]
fn a_ball_keeps_volume_and_area() {
    let points = ball(8.3, 0.1);
    for (decimation, most) in [(0.02, 0.35), (0.1, 0.1), (0.3, 0.05)] {
        let pair = both(&points, &nothing_near(), &decimated_by(decimation));
        check(&pair, decimation);
        assert!(left(&pair) < most, "{decimation}: {} of the triangles", left(&pair));
        let area = |mesh: &SurfaceMesh| -> f64 {
            corners(mesh).iter().map(|[a, b, c]| (b - a).cross(&(c - a)).norm()).sum()
        };
        let (volume, area) = (change(&pair, SurfaceMesh::volume), change(&pair, area));
        assert!(volume.abs() < 1e-6 && area.abs() < 0.01, "volume {volume}, area {area}");
    }
}

#[test]
fn sheets_strands_drops_and_nothing_stay_what_they_are() {
    let strand: Vec<_> = (0..40).map(|i| [f64::from(i) * SPACING, 0.02, 0.3]).collect();
    for points in [lattice([24, 24, 1], 0.1), strand, vec![[0.3; 3]], vec![]] {
        for decimation in [0.1, 0.5] {
            let raw = SurfaceSettings { decimation, ..SurfaceSettings::raw() };
            check(&both(&points, &nothing_near(), &raw), decimation);
            check(&both(&points, &nothing_near(), &decimated_by(decimation)), decimation);
        }
    }
}

#[test]
fn soups_stay_sound() {
    let walls = Aabb::new(vec3([0.0; 3]), vec3([2.0; 3]));
    let solids = Solids::new(walls, vec![], vec![]);
    for seed in 0..25 {
        let mut random = random(seed);
        let count = 1 + (random() * 90.0) as usize;
        let side = (0.5 + 4.0 * random()) * SUPPORT;
        let soup: Vec<_> = (0..count).map(|_| [0; 3].map(|_| random() * side)).collect();
        let usual = decimated_by(0.02 + random() * random());
        let raw = SurfaceSettings { cleanup: false, smoothing: 0, ..usual };
        let flat = SurfaceSettings { clip: Clip::Flat, ..usual };
        for settings in [usual, raw, flat] {
            check(&both(&soup, &solids, &settings), settings.decimation);
        }
    }
}

#[test]
fn what_lies_on_a_floor_stays_there() {
    let points = lattice([14, 12, 10], 0.1);
    let walls = Aabb::new(vec3([0.0, -1.0, 0.0]), vec3([9.0; 3]));
    let solids = Solids::new(walls, vec![], vec![]);
    let settings = SurfaceSettings { clip: Clip::Flat, ..decimated_by(0.1) };
    let pair = both(&points, &solids, &settings);
    check(&pair, 0.1);
    let on_floor = pair.each_ref().map(|mesh| {
        assert!(mesh.positions.iter().all(|p| p.x >= 0.0 && p.z >= 0.0));
        let lies = |t: &[Point; 3]| t.iter().all(|corner| corner.z == 0.0);
        let area = |[a, b, c]: &[Point; 3]| (b - a).cross(&(c - a)).norm() / 2.0;
        corners(mesh).iter().filter(|t| lies(t)).map(area).sum::<f64>()
    });
    assert!(left(&pair) < 0.1, "{}", left(&pair));
    assert!((on_floor[1] / on_floor[0] - 1.0).abs() < 0.01, "{on_floor:?}");
    assert!(change(&pair, SurfaceMesh::volume).abs() < 1e-4);
}

#[test]
fn many_cubes_leave_no_seams_and_threads_no_trace() {
    // More than one cube of 64 cells, and the cells of the next round.
    let points = lattice([36, 36, 6], 0.0);
    let settings = decimated_by(0.05);
    let on = |threads| with_threads(threads, || finished(&points, &nothing_near(), &settings).0);
    let one = on(1);
    assert!(one == on(3) && one == on(8));
    // Triangles of the flat top are large everywhere, at the first cubes' sides too.
    let is_inside = |x: f64| (2.0 * SPACING..34.0 * SPACING).contains(&x);
    let on_top = |[a, b, c]: &[Point; 3]| {
        let middle = (a + b + c) / 3.0;
        middle.z > 5.0 * SPACING && is_inside(middle.x) && is_inside(middle.y)
    };
    let count = corners(&one).iter().filter(|t| on_top(t)).count();
    assert!(count < 1000, "{count} triangles on top");
}

#[test]
fn a_mesh_that_was_decimated_has_little_to_lose() {
    let [_, mesh] = both(&ball(8.3, 0.1), &nothing_near(), &decimated_by(0.1));
    let again = SurfaceSettings { decimation: 0.1, ..SurfaceSettings::raw() };
    let radius = vec3([RADIUS; 3]).x;
    let pair = [mesh.clone(), postprocess(mesh, None, &nothing_near(), &again, radius).main];
    check(&pair, 0.1);
    assert!(left(&pair) > 0.3, "{}", left(&pair));
}
