//! The volume that clean-up and smoothing took off each body, given back.
//!
//! Fewer triangles cut corners, and smoothing sinks a curved surface, small bodies the most. Each
//! body gets an offset along the normals, δ w. After smoothing w is the smoothing weight of the
//! vertex, so that what was not smoothed stays where it is: a thin sheet at the side of a pool does
//! not swell. To first order the body's volume grows by δ Σ wᵥ Aᵥ with Aᵥ the area around vertex v;
//! Newton's method does the rest.
//!
//! Of what smoothing took, not all is given back. Marching cubes put a curved surface too far out:
//! balls of particles in a jittered lattice have too much volume, by a layer of 0.02 r (8 spacings
//! across) to 0.07 r (32 and more). So a body may sink by [`SINK`], but lose no more than
//! [`MOST_LOST`] of its volume.
//!
//! Symbols: V volume \[m³\], A area \[m²\], δ offset \[m\], r particle radius \[m\].

use super::bodies::Bodies;
use super::rings::Rings;
use crate::base::{Real, Vec3, parallel, to_f64, vec3};
use nalgebra::Vector3;

/// How far a smoothed surface may sink, in particle radii.
const SINK: f64 = 0.06;

/// The largest part of its volume that a body may lose.
const MOST_LOST: f64 = 0.01;

/// Newton steps at most; two do for large bodies, small ones that shrank a lot need some more.
const MAX_STEPS: usize = 8;

/// A volume that misses less than this part of what is wanted will do.
const EXACT: f64 = 1e-3;

/// The volumes of all bodies \[m³\].
pub(super) fn of_bodies(positions: &[Vec3], triangles: &[[u32; 3]], bodies: &Bodies) -> Vec<f64> {
    let mut volumes = vec![0.0; bodies.count()];
    for triangle in triangles {
        let body = bodies.at(triangle[0]);
        let exact = |v: u32| Vector3::from(to_f64(&positions[v as usize]));
        // Relative to a vertex of the body, so that one far from the origin loses no digits.
        let origin = exact(bodies.first[body]);
        let [a, b, c] = triangle.map(|v| exact(v) - origin);
        volumes[body] += a.dot(&b.cross(&c)) / 6.0;
    }
    volumes
}

/// A mesh whose bodies are to have certain volumes.
pub(super) struct Restored<'a> {
    pub triangles: &'a [[u32; 3]],
    pub rings: &'a Rings,
    pub bodies: &'a Bodies,
    /// How far each vertex goes along with its body's offset, from 0 to 1.
    pub weights: &'a [Real],
}

impl Restored<'_> {
    /// Gives bodies the volumes that are `wanted`.
    pub fn restore(&self, positions: &mut [Vec3], wanted: &[f64]) {
        for _ in 0..MAX_STEPS {
            let volumes = of_bodies(positions, self.triangles, self.bodies);
            let is_exact = |(have, want): (&f64, &f64)| (have - want).abs() <= EXACT * want.abs();
            if volumes.iter().zip(wanted).all(is_exact) {
                return;
            }
            let areas = self.weighted_areas(positions);
            let offset = |b: usize| (wanted[b] - volumes[b]) / areas[b];
            let offsets: Vec<f64> = (0..areas.len()).map(offset).collect();
            self.displace(positions, &offsets);
        }
    }

    /// What bodies should have that had `old` volumes before they were smoothed \[m³\].
    pub fn after_smoothing(
        &self,
        positions: &[Vec3],
        old: &[f64],
        particle_radius: Real,
    ) -> Vec<f64> {
        let sink = SINK * f64::from(particle_radius);
        let volumes = of_bodies(positions, self.triangles, self.bodies);
        let areas = self.weighted_areas(positions);
        let wanted = |((&old, area), now): ((&f64, f64), f64)| {
            now.max(old - (sink * area).min(MOST_LOST * old))
        };
        old.iter().zip(areas).zip(volumes).map(wanted).collect()
    }

    /// Σ w A of each body \[m²\].
    fn weighted_areas(&self, positions: &[Vec3]) -> Vec<f64> {
        let mut areas = vec![0.0; self.bodies.count()];
        for (v, &weight) in self.weights.iter().enumerate() {
            let area = self.rings.area_vector(positions, v).norm() / 6.0;
            areas[self.bodies.at(v as u32)] += f64::from(area * weight);
        }
        areas
    }

    /// Moves vertices along their normals by the offsets of their bodies.
    fn displace(&self, positions: &mut [Vec3], offsets: &[f64]) {
        let old = positions.to_vec();
        parallel::fill(positions, |v, place| {
            let offset = offsets[self.bodies.at(v as u32)];
            // A body without weights stays.
            if self.weights[v] > 0.0 && offset.is_finite() && offset != 0.0 {
                let normal = self.rings.area_vector(&old, v).try_normalize(0.0);
                *place += normal.unwrap_or_default() * (self.weights[v] * vec3([offset; 3]).x);
            }
        });
    }
}
