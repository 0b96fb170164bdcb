//! Volumes restored for the components of several fluids, which share their surfaces.
//!
//! At an interface one fluid gains what the other loses, so no component can grow on its own. Each
//! gets a pressure p instead, the air none, and every vertex moves by w (p_g − p_l) along the
//! normal, from the greater to the lesser of its two sides. To first order component b grows by Σ
//! over its neighbours c of A_bc (p_b − p_c), with A_bc the weighted area between the two. Setting
//! this equal to the volume deficit gives a linear system with the matrix of a graph, symmetric and
//! positive semidefinite, which conjugate gradients solve (Hestenes & Stiefel 1952), preconditioned
//! by the diagonal. Newton's method does the rest. With one fluid this is
//! [`volume`](crate::postprocess::smoothing::volume).
//!
//! A drop that another fluid encloses has one surface with two components, the drop and the hole:
//! the deficit of one is the surplus of the other, so the system is singular and consistent.
//!
//! Symbols: V volume \[m³\], A area \[m²\], p offset \[m\], w weight of a vertex.

use crate::postprocess::rings::Rings;
use crate::postprocess::smoothing::fluid_components::{FluidComponents, NO_COMPONENT};
use crate::postprocess::smoothing::volume::{self, MAX_OFFSET, MAX_STEPS, VOLUME_TOLERANCE};
use hashfall_core::{Real, Vec3, parallel, vec3};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Maximum number of steps of conjugate gradients.
const MAX_ITERATIONS: usize = 200;

/// Relative residual at which conjugate gradients stop.
const TOLERANCE: f64 = 1e-6;

/// Weighted areas between components, and between components and air, by their numbers.
type Areas = BTreeMap<[u32; 2], f64>;

/// Surfaces whose components get target volumes.
pub(crate) struct PressureOffsets<'a> {
    pub rings: &'a Rings,
    pub triangles: &'a [[u32; 3]],
    pub components: &'a FluidComponents,
    /// The share of the offset that a vertex follows, from 0 to 1; 0 on junction curves.
    pub weights: &'a [Real],
    pub particle_radius: Real,
}

impl PressureOffsets<'_> {
    /// Gives components their target volumes. `target` takes a component's number, and its first
    /// volume and area with the air.
    pub fn restore(&self, positions: &mut [Vec3], target: impl Fn(usize, volume::Size) -> f64) {
        let mut open = OpenSurface::new(self);
        let mut targets = Vec::new();
        for _ in 0..MAX_STEPS {
            let volumes = self.components.volumes(positions, &open.triangles);
            let mut vectors = vec![Vec3::zeros(); open.vertices.len()];
            parallel::fill(&mut vectors, |i, vector| {
                *vector = self.rings.area_vector(positions, open.vertices[i] as usize);
            });
            let areas = self.areas(&open.vertices, &vectors);
            if targets.is_empty() {
                let with_air =
                    |component: usize| areas.get(&[component as u32, NO_COMPONENT]).copied();
                let size = |(component, &volume)| [volume, with_air(component).unwrap_or(0.0)];
                let sizes = volumes.iter().enumerate().map(size);
                targets =
                    sizes.enumerate().map(|(component, size)| target(component, size)).collect();
            }
            let lack = |c: usize| if open.components[c] { targets[c] - volumes[c] } else { 0.0 };
            let deficit: Vec<f64> = (0..targets.len()).map(lack).collect();
            open.components = still_open(&open.components, &areas, &deficit, &targets);
            if !open.components.contains(&true) {
                return;
            }
            let pressures = solve(&among(&areas, &open.components), &deficit);
            self.offset(positions, &open.vertices, &mut vectors, &pressures);
            open.narrow(self.components);
        }
    }

    /// Moves vertices with these area vectors by the pressures beside them.
    fn offset(
        &self,
        positions: &mut [Vec3],
        vertices: &[u32],
        vectors: &mut [Vec3],
        pressures: &[f64],
    ) {
        let most = vec3([MAX_OFFSET; 3]).x * self.particle_radius;
        let pressure = |component: u32| pressures.get(component as usize).copied().unwrap_or(0.0);
        parallel::fill(vectors, |i, vector| {
            let v = vertices[i] as usize;
            let [greater, lesser] = self.components.beside[v];
            let offset = vec3([pressure(greater) - pressure(lesser); 3]).x;
            let normal = vector.try_normalize(0.0).unwrap_or_default();
            *vector = normal * (self.weights[v] * offset.clamp(-most, most));
        });
        vertices.iter().zip(vectors).for_each(|(&v, step)| positions[v as usize] += *step);
    }

    /// The weighted areas between components, given the area vectors of some vertices.
    fn areas(&self, vertices: &[u32], vectors: &[Vec3]) -> Areas {
        let mut areas = Areas::new();
        let beside = |v: u32| self.components.beside[v as usize];
        let mut first = 0;
        // Vertices come mostly in runs beside the same components.
        for run in vertices.chunk_by(|&v, &w| beside(v) == beside(w)) {
            let vectors = &vectors[first..first + run.len()];
            let of_vertex =
                |(&v, vector): (&u32, &Vec3)| f64::from(vector.norm() * self.weights[v as usize]);
            let area = run.iter().zip(vectors).map(of_vertex).sum::<f64>() / 6.0;
            if area > 0.0 {
                *areas.entry(beside(run[0])).or_default() += area;
            }
            first += run.len();
        }
        areas
    }
}

/// What still moves.
struct OpenSurface<'a> {
    /// Vertices on patches beside open components.
    vertices: Vec<u32>,
    /// All triangles beside open components, and perhaps others.
    triangles: Cow<'a, [[u32; 3]]>,
    /// Whether each component is open.
    components: Vec<bool>,
}

impl<'a> OpenSurface<'a> {
    fn new(offsets: &PressureOffsets<'a>) -> Self {
        let beside = &offsets.components.beside;
        let is_on_patch = |v: &u32| beside[*v as usize][0] != NO_COMPONENT;
        OpenSurface {
            vertices: (0..beside.len() as u32).filter(is_on_patch).collect(),
            triangles: Cow::Borrowed(offsets.triangles),
            components: vec![true; offsets.components.count()],
        }
    }

    /// Leaves out what is beside no open component any more.
    fn narrow(&mut self, components: &FluidComponents) {
        let is_open = |c: &u32| self.components.get(*c as usize).is_some_and(|open| *open);
        let is_beside_open = |v: &u32| components.beside[*v as usize].iter().any(is_open);
        let triangles = self.triangles.iter().filter(|t| t.iter().any(is_beside_open));
        self.triangles = Cow::Owned(triangles.copied().collect());
        self.vertices.retain(is_beside_open);
    }
}

/// Which of the open components stay so: those that are not exact, and others that share surfaces
/// with these, perhaps through others, unless they are so large that all deficits together would
/// leave them exact.
fn still_open(open: &[bool], areas: &Areas, deficit: &[f64], targets: &[f64]) -> Vec<bool> {
    let tolerance = |c: usize| VOLUME_TOLERANCE * targets[c].abs();
    let mut is_open: Vec<bool> =
        (0..open.len()).map(|c| open[c] && deficit[c].abs() > tolerance(c)).collect();
    let all = deficit.iter().zip(&is_open).filter(|(_, open)| **open);
    let all: f64 = all.map(|(deficit, _)| deficit.abs()).sum();
    let stays = |c: usize| !open[c] || (deficit[c].abs() <= tolerance(c) && all <= tolerance(c));
    let shared = || areas.keys().filter(|beside| beside[1] != NO_COMPONENT);
    let mut any = true;
    while any {
        any = false;
        for [a, b] in shared().map(|beside| beside.map(|c| c as usize)) {
            if is_open[a] != is_open[b] && !stays(a) && !stays(b) {
                (is_open[a], is_open[b]) = (true, true);
                any = true;
            }
        }
    }
    is_open
}

/// The areas of open components, to which all others are as the air.
fn among(areas: &Areas, is_open: &[bool]) -> Vec<([u32; 2], f64)> {
    let is_open = |c: u32| is_open.get(c as usize).is_some_and(|open| *open);
    let open = areas.iter().filter_map(|(&[a, b], &area)| match (is_open(a), is_open(b)) {
        (true, true) => Some(([a, b], area)),
        (true, false) => Some(([a, NO_COMPONENT], area)),
        (false, true) => Some(([b, NO_COMPONENT], area)),
        (false, false) => None,
    });
    open.collect()
}

/// The pressures under which components grow by their volume deficit.
fn solve(areas: &[([u32; 2], f64)], deficit: &[f64]) -> Vec<f64> {
    let mut diagonal = vec![0.0; deficit.len()];
    let mut is_coupled = vec![false; deficit.len()];
    for (beside, area) in areas {
        for &b in beside.iter().filter(|b| **b != NO_COMPONENT) {
            diagonal[b as usize] += area;
            is_coupled[b as usize] |= beside[1] != NO_COMPONENT;
        }
    }
    // Most are drops in the air, which need no iterations.
    let alone = |b: usize| !is_coupled[b] && diagonal[b] > 0.0;
    let mut pressures: Vec<f64> =
        (0..deficit.len()).map(|b| if alone(b) { deficit[b] / diagonal[b] } else { 0.0 }).collect();
    let coupled = areas.iter().filter(|(beside, _)| is_coupled[beside[0] as usize]);
    let areas: Vec<([u32; 2], f64)> = coupled.copied().collect();
    let deficit: Vec<f64> = deficit
        .iter()
        .zip(&is_coupled)
        .map(|(d, coupled)| if *coupled { *d } else { 0.0 })
        .collect();
    let times = |p: &[f64]| {
        let mut ap = vec![0.0; p.len()];
        let at = |component: u32| p.get(component as usize).copied().unwrap_or(0.0);
        for &([a, b], area) in &areas {
            let flow = area * (at(a) - at(b));
            ap[a as usize] += flow;
            if b != NO_COMPONENT {
                ap[b as usize] -= flow;
            }
        }
        ap
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // A component that no vertex moves stays as it is.
    let precondition = |residual: &[f64]| -> Vec<f64> {
        let scale = |(r, d): (&f64, &f64)| if *d > 0.0 { r / d } else { 0.0 };
        residual.iter().zip(&diagonal).map(scale).collect()
    };
    let mut residual = deficit.clone();
    let mut direction = precondition(&residual);
    let mut rz = dot(&residual, &direction);
    let enough = TOLERANCE * TOLERANCE * rz;
    for _ in 0..MAX_ITERATIONS {
        let ap = times(&direction);
        let p_ap = dot(&direction, &ap);
        if rz <= enough || p_ap <= 0.0 {
            break;
        }
        let alpha = rz / p_ap;
        pressures.iter_mut().zip(&direction).for_each(|(p, d)| *p += alpha * d);
        residual.iter_mut().zip(&ap).for_each(|(r, q)| *r -= alpha * q);
        let z = precondition(&residual);
        let next_rz = dot(&residual, &z);
        let beta = next_rz / rz;
        direction.iter_mut().zip(&z).for_each(|(d, n)| *d = n + beta * *d);
        rz = next_rz;
    }
    pressures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressures_fill_what_is_lacking() {
        // A row of three components, the first of which is in the air, and one on its own.
        let areas =
            [([0, NO_COMPONENT], 2.0), ([1, 0], 3.0), ([2, 1], 0.5), ([3, NO_COMPONENT], 1e-6)];
        let deficit = [0.4, -0.1, 0.2, 1e-7];
        let p = solve(&areas, &deficit);
        let grown = [
            2.0 * p[0] + 3.0 * (p[0] - p[1]),
            3.0 * (p[1] - p[0]) + 0.5 * (p[1] - p[2]),
            0.5 * (p[2] - p[1]),
            1e-6 * p[3],
        ];
        for (grown, deficit) in grown.iter().zip(deficit) {
            assert!((grown - deficit).abs() < 1e-6 * deficit.abs(), "{grown} {deficit}");
        }
    }

    #[test]
    fn a_hole_and_the_drop_in_it_have_a_solution() {
        let p = solve(&[([1, 0], 3.0)], &[0.3, -0.3]);
        assert!((p[0] - p[1] - 0.1).abs() < 1e-9, "{p:?}");
        assert_eq!(solve(&[], &[1.0]), [0.0]);
    }
}
