//! Volumes given back to the bodies of several fluids, the surfaces of which they share.
//!
//! What one fluid gains at an interface the other loses, so no body can be blown up on its own.
//! Each gets a pressure p instead, the air none, and every vertex moves by w (p_g − p_l) along the
//! normal, from the greater to the lesser of its two sides. To first order body b grows by
//! Σ over its neighbours c of A_bc (p_b − p_c), with A_bc the weighted area between the two. That
//! is to be what it lacks: a system with the matrix of a graph, symmetric and not negative, solved
//! by conjugate gradients (Hestenes & Stiefel 1952), scaled by its diagonal. Newton's method does
//! the rest. With one fluid this is [`super::volume`].
//!
//! A drop that another fluid encloses has one surface with two bodies, the drop and the hole: what
//! one lacks the other has too much, so that the system, though singular, has a solution.
//!
//! Symbols: V volume \[m³\], A area \[m²\], p offset \[m\], w weight of a vertex.

use crate::marching::complex::{On, Part, part};
use crate::phases::label::AIR;
use crate::postprocess::components::Bodies;
use crate::postprocess::rings::Rings;
use crate::postprocess::smoothing::volume::{self, EXACT, MAX_STEPS, MOST_STEP};
use hashfall_core::{Real, Vec3, parallel, vec3};
use std::collections::BTreeMap;

/// Steps of conjugate gradients at most.
const MOST_ITERATIONS: usize = 200;

/// What conjugate gradients may leave of what is lacking.
const SOLVED: f64 = 1e-6;

/// The air, among bodies.
const NO_BODY: u32 = u32::MAX;

/// The bodies of all fluids.
pub(crate) struct FluidBodies {
    /// The surfaces of each fluid, their bodies, and how many bodies fluids before it have.
    fluids: Vec<(Part, Bodies, usize)>,
    /// The bodies on the greater and the lesser side of each vertex; any on lines.
    beside: Vec<[u32; 2]>,
}

impl FluidBodies {
    pub fn of(positions: &[Vec3], triangles: &[[u32; 3]], on: &[On]) -> Self {
        let labels = on.iter().flatten().map(|sides| sides.greater).max().unwrap_or(AIR);
        let mut fluids = Vec::new();
        let mut beside = vec![[NO_BODY; 2]; positions.len()];
        let mut before = 0;
        for label in 1..=labels {
            let part = part(positions, triangles, on, label);
            let bodies = Bodies::of(&part.mesh.triangles, part.vertices.len());
            for (own, &v) in (0..).zip(&part.vertices) {
                if let Some(sides) = on[v as usize] {
                    let side = usize::from(sides.greater != label);
                    beside[v as usize][side] = (before + bodies.at(own)) as u32;
                }
            }
            let count = bodies.count();
            fluids.push((part, bodies, before));
            before += count;
        }
        FluidBodies { fluids, beside }
    }

    /// The volumes of all bodies \[m³\].
    pub fn volumes(&self, positions: &[Vec3]) -> Vec<f64> {
        let of_fluid = |(part, bodies, _): &(Part, Bodies, usize)| {
            let own: Vec<Vec3> = part.vertices.iter().map(|&v| positions[v as usize]).collect();
            volume::of_bodies(&own, &part.mesh.triangles, bodies)
        };
        self.fluids.iter().flat_map(of_fluid).collect()
    }
}

/// Weighted areas between bodies, by their numbers, and with the air.
type Areas = BTreeMap<[u32; 2], f64>;

/// Surfaces whose bodies are to have certain volumes.
pub(crate) struct Pressures<'a> {
    pub rings: &'a Rings,
    pub bodies: &'a FluidBodies,
    /// How far each vertex goes along, from 0 to 1; those on lines stay.
    pub weights: &'a [Real],
    pub particle_radius: Real,
}

impl Pressures<'_> {
    /// Gives bodies the volumes that are wanted of them, given their number, and first volume and
    /// area with the air.
    pub fn restore(&self, positions: &mut [Vec3], wanted: impl Fn(usize, volume::Size) -> f64) {
        let most = vec3([MOST_STEP; 3]).x * self.particle_radius;
        let mut targets = Vec::new();
        for _ in 0..MAX_STEPS {
            let volumes = self.bodies.volumes(positions);
            let vectors = self.rings.area_vectors(positions);
            let areas = self.areas(&vectors);
            if targets.is_empty() {
                let with_air = |body: usize| areas.get(&[body as u32, NO_BODY]).copied();
                let size = |(body, &volume)| [volume, with_air(body).unwrap_or(0.0)];
                let sizes = volumes.iter().enumerate().map(size);
                targets = sizes.enumerate().map(|(body, size)| wanted(body, size)).collect();
            }
            let lacking: Vec<f64> = targets.iter().zip(&volumes).map(|(t, v)| t - v).collect();
            let is_exact = |(lacking, target): (&f64, &f64)| lacking.abs() <= EXACT * target.abs();
            if lacking.iter().zip(&targets).all(is_exact) {
                return;
            }
            let pressures = solve(&areas, &lacking);
            let pressure = |body: u32| pressures.get(body as usize).copied().unwrap_or(0.0);
            parallel::fill(positions, |v, place| {
                let [greater, lesser] = self.bodies.beside[v];
                let offset = vec3([pressure(greater) - pressure(lesser); 3]).x;
                let normal = vectors[v].try_normalize(0.0).unwrap_or_default();
                *place += normal * (self.weights[v] * offset.clamp(-most, most));
            });
        }
    }

    /// The weighted areas between bodies, given the area vectors of all vertices.
    fn areas(&self, vectors: &[Vec3]) -> Areas {
        let mut areas = Areas::new();
        let of_vertex = |v: usize| f64::from(vectors[v].norm() * self.weights[v]) / 6.0;
        let mut first = 0;
        // Vertices come mostly in runs beside the same bodies.
        for run in self.bodies.beside.chunk_by(|a, b| a == b) {
            let area: f64 = (first..first + run.len()).map(of_vertex).sum();
            if run[0][0] != NO_BODY && area > 0.0 {
                *areas.entry(run[0]).or_default() += area;
            }
            first += run.len();
        }
        areas
    }
}

/// The pressures under which bodies grow by what they are lacking.
fn solve(areas: &Areas, lacking: &[f64]) -> Vec<f64> {
    let mut diagonal = vec![0.0; lacking.len()];
    for (beside, area) in areas {
        beside.iter().filter(|b| **b != NO_BODY).for_each(|&b| diagonal[b as usize] += area);
    }
    let times = |p: &[f64]| {
        let mut product = vec![0.0; p.len()];
        let at = |body: u32| p.get(body as usize).copied().unwrap_or(0.0);
        for (&[a, b], area) in areas {
            let flow = area * (at(a) - at(b));
            product[a as usize] += flow;
            if b != NO_BODY {
                product[b as usize] -= flow;
            }
        }
        product
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    // A body that no vertex moves stays as it is.
    let scaled = |residual: &[f64]| -> Vec<f64> {
        let scale = |(r, d): (&f64, &f64)| if *d > 0.0 { r / d } else { 0.0 };
        residual.iter().zip(&diagonal).map(scale).collect()
    };
    let mut pressures = vec![0.0; lacking.len()];
    let mut residual = lacking.to_vec();
    let mut direction = scaled(&residual);
    let mut error = dot(&residual, &direction);
    let enough = SOLVED * SOLVED * error;
    for _ in 0..MOST_ITERATIONS {
        let product = times(&direction);
        let curvature = dot(&direction, &product);
        if error <= enough || curvature <= 0.0 {
            break;
        }
        let step = error / curvature;
        pressures.iter_mut().zip(&direction).for_each(|(p, d)| *p += step * d);
        residual.iter_mut().zip(&product).for_each(|(r, q)| *r -= step * q);
        let next = scaled(&residual);
        let next_error = dot(&residual, &next);
        let ratio = next_error / error;
        direction.iter_mut().zip(&next).for_each(|(d, n)| *d = n + ratio * *d);
        error = next_error;
    }
    pressures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pressures_fill_what_is_lacking() {
        // A row of three bodies, the first of which is in the air, and one on its own.
        let areas =
            Areas::from([([0, NO_BODY], 2.0), ([1, 0], 3.0), ([2, 1], 0.5), ([3, NO_BODY], 1e-6)]);
        let lacking = [0.4, -0.1, 0.2, 1e-7];
        let p = solve(&areas, &lacking);
        let grown = [
            2.0 * p[0] + 3.0 * (p[0] - p[1]),
            3.0 * (p[1] - p[0]) + 0.5 * (p[1] - p[2]),
            0.5 * (p[2] - p[1]),
            1e-6 * p[3],
        ];
        for (grown, lacking) in grown.iter().zip(lacking) {
            assert!((grown - lacking).abs() < 1e-6 * lacking.abs(), "{grown} {lacking}");
        }
    }

    #[test]
    fn a_hole_and_the_drop_in_it_have_a_solution() {
        let p = solve(&Areas::from([([1, 0], 3.0)]), &[0.3, -0.3]);
        assert!((p[0] - p[1] - 0.1).abs() < 1e-9, "{p:?}");
        assert_eq!(solve(&Areas::new(), &[1.0]), [0.0]);
    }
}
