//! Clean-up by cubes: where their sides cross the mesh it is cleaned as elsewhere.

use super::*;
use crate::postprocess::contact::flat::Contact;
use crate::postprocess::simplify::cleanup::{Extent, SHORT, clean};
use crate::postprocess::simplify::cluster::merge_around_grid_points;
use crate::postprocess::simplify::parts::{CUBE, by_cubes};
use crate::tests::finish::ball;
use hashfall_core::parallel::with_threads;
use hashfall_core::to_f64;

/// Edge of a marching-cubes cell, and of the cubes of both rounds \[m\].
const CELL: f64 = 0.5 * RADIUS;
const CUBE_EDGE: f64 = CUBE as f64 * CELL;

/// A mesh on cells of [`CELL`], cleaned.
fn cleaned(mut mesh: SurfaceMesh) -> SurfaceMesh {
    let mut contacts = vec![Contact::default(); mesh.positions.len()];
    let extent = Extent { cell: vec3([CELL; 3]).x, short_edges: true };
    clean(&mut mesh, &mut contacts, None, extent);
    mesh
}

/// Edges near what the cubes have in common.
#[derive(Default)]
struct Edges {
    count: usize,
    /// Those that clean-up is for.
    short: usize,
    /// The length of the shortest \[cells\].
    shortest: f64,
}

impl Edges {
    fn add(&mut self, length: f64) {
        self.shortest = if self.count == 0 { length } else { self.shortest.min(length) };
        self.count += 1;
        self.short += usize::from(length < f64::from(SHORT));
    }

    fn short_part(&self) -> f64 {
        self.short as f64 / self.count as f64
    }
}

/// The edges far from all sides of the first round's cubes, those near one, and those of them that
/// are near a side of the second round, too.
fn by_place(mesh: &SurfaceMesh) -> [Edges; 3] {
    let mut groups = <[Edges; 3]>::default();
    let place = |v: u32| nalgebra::Vector3::from(to_f64(&mesh.positions[v as usize]));
    for [a, b, c] in &mesh.triangles {
        // Each edge is the side of two triangles, once in either direction.
        for (&v, &w) in [(a, b), (b, c), (c, a)].into_iter().filter(|(v, w)| v < w) {
            let (from, to) = (place(v), place(w));
            let middle = (from + to) / (2.0 * CUBE_EDGE);
            let is_near = |shift: f64| {
                let from_side = |x: f64| (x + shift - (x + shift).round()).abs() * CUBE_EDGE;
                middle.iter().any(|&x| from_side(x) < 2.0 * CELL)
            };
            let group = usize::from(is_near(0.0)) * (1 + usize::from(is_near(0.5)));
            groups[group].add((to - from).norm() / CELL);
        }
    }
    groups
}

#[test]
fn seams_and_where_they_cross_are_cleaned_as_all_else() {
    let raw = Particles::at(&ball(12.0, 0.1)).mesh(&SurfaceSettings::raw());
    let [cube, half] = [CUBE_EDGE, 0.5 * CUBE_EDGE].map(|x| vec3([x; 3]).x);
    let cubes = |shift| by_cubes(&raw.triangles, &raw.positions, cube, shift).len();
    assert!(cubes(0.0) >= 8 && cubes(half) >= 8, "the ball lies in several cubes of each round");
    let mesh = with_threads(1, || cleaned(raw.clone()));
    for threads in [3, 8] {
        assert!(with_threads(threads, || cleaned(raw.clone())) == mesh, "{threads} threads");
    }
    let audit = mesh.audit();
    assert!(audit.is_sound(), "{audit:?}");
    assert_eq!(audit.euler_characteristic, raw.audit().euler_characteristic);
    let [elsewhere, seams, crossings] = by_place(&mesh);
    for (name, edges, raw) in
        [("seams", &seams, &by_place(&raw)[1]), ("crossings", &crossings, &by_place(&raw)[2])]
    {
        println!(
            "{name}: {} edges, {:.5} short (raw {:.5}, elsewhere {:.5}), shortest {:.4} cells \
             (raw {:.4}, elsewhere {:.4})",
            edges.count,
            edges.short_part(),
            raw.short_part(),
            elsewhere.short_part(),
            edges.shortest,
            raw.shortest,
            elsewhere.shortest
        );
        // What is left was refused; where there are few edges, one may be.
        let expected = elsewhere.short_part() * edges.count as f64;
        assert!(edges.count > 300, "{name}: {} edges", edges.count);
        assert!(raw.short > 30 && edges.short as f64 <= 1.0 + 2.0 * expected, "{name}");
        assert!(edges.shortest > 0.4 * f64::from(SHORT), "{name}: {} cells", edges.shortest);
    }
}

/// The mesh with the vertices around each grid point merged.
fn clustered(mut mesh: SurfaceMesh) -> SurfaceMesh {
    merge_around_grid_points(&mut mesh, None, vec3([CELL; 3]).x);
    mesh
}

#[test]
fn merging_around_grid_points_keeps_the_topology_of_whatever_there_is() {
    for seed in 0..40 {
        let mut random = random(seed);
        let side = (1.0 + 3.0 * random()) * SUPPORT;
        let number = 2 + (random() * 250.0) as usize;
        let points: Vec<_> = (0..number).map(|_| [0; 3].map(|_| (random() - 0.5) * side)).collect();
        let raw = Particles::at(&points).mesh(&SurfaceSettings::raw());
        let mesh = with_threads(1, || clustered(raw.clone()));
        assert!(with_threads(3, || clustered(raw.clone())) == mesh, "seed {seed}");
        let (before, after) = (raw.audit(), mesh.audit());
        assert!(after.is_sound(), "seed {seed}: {after:?}");
        assert_eq!(after.euler_characteristic, before.euler_characteristic, "seed {seed}");
        let left = mesh.triangles.len() as f64 / raw.triangles.len() as f64;
        assert!((0.3..0.85).contains(&left), "seed {seed}: {left} of the triangles");
    }
}
