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

use crate::marching::complex::{FluidMesh, VertexSides, fluid_mesh};
use crate::phases::label::AIR;
use crate::postprocess::components::Components;
use crate::postprocess::rings::Rings;
use crate::postprocess::smoothing::volume::{self, MAX_OFFSET, MAX_STEPS, VOLUME_TOLERANCE};
use hashfall_core::{Real, Vec3, parallel, vec3};
use std::collections::BTreeMap;

/// Maximum number of steps of conjugate gradients.
const MAX_ITERATIONS: usize = 200;

/// Relative residual at which conjugate gradients stop.
const TOLERANCE: f64 = 1e-6;

/// The number of the air, beside those of components.
const NO_COMPONENT: u32 = u32::MAX;

/// The components of all fluids.
pub(crate) struct FluidComponents {
    /// The surfaces of each fluid, their components, and the number of its first component.
    fluids: Vec<(FluidMesh, Components, usize)>,
    /// The components on the greater and the lesser side of each vertex; any on junction curves.
    pub beside: Vec<[u32; 2]>,
}

impl FluidComponents {
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], vertex_sides: &[VertexSides]) -> Self {
        let labels = vertex_sides.iter().flatten().map(|sides| sides.greater).max().unwrap_or(AIR);
        let mut fluids = Vec::new();
        let mut beside = vec![[NO_COMPONENT; 2]; positions.len()];
        let mut before = 0;
        for label in 1..=labels {
            let part = fluid_mesh(positions, triangles, vertex_sides, label);
            let components = Components::new(&part.mesh.triangles, part.vertices.len());
            for (own, &v) in (0..).zip(&part.vertices) {
                if let Some(sides) = vertex_sides[v as usize] {
                    let side = usize::from(sides.greater != label);
                    beside[v as usize][side] = (before + components.at(own)) as u32;
                }
            }
            let count = components.count();
            fluids.push((part, components, before));
            before += count;
        }
        FluidComponents { fluids, beside }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.fluids.iter().map(|(_, components, _)| components.count()).sum()
    }

    /// The volumes of all components \[m³\].
    pub fn volumes(&self, positions: &[Vec3]) -> Vec<f64> {
        let of_fluid = |(part, components, _): &(FluidMesh, Components, usize)| {
            let own: Vec<Vec3> = part.vertices.iter().map(|&v| positions[v as usize]).collect();
            volume::component_volumes(&own, &part.mesh.triangles, components)
        };
        self.fluids.iter().flat_map(of_fluid).collect()
    }
}

/// Weighted areas between components, and between components and air, by their numbers.
type Areas = BTreeMap<[u32; 2], f64>;

/// Surfaces whose components get target volumes.
pub(crate) struct PressureOffsets<'a> {
    pub rings: &'a Rings,
    pub components: &'a FluidComponents,
    /// The share of the offset that a vertex follows, from 0 to 1; 0 on junction curves.
    pub weights: &'a [Real],
    pub particle_radius: Real,
}

impl PressureOffsets<'_> {
    /// Gives components their target volumes. `target` takes a component's number, and its first
    /// volume and area with the air.
    pub fn restore(&self, positions: &mut [Vec3], target: impl Fn(usize, volume::Size) -> f64) {
        let most = vec3([MAX_OFFSET; 3]).x * self.particle_radius;
        let mut targets = Vec::new();
        for _ in 0..MAX_STEPS {
            let volumes = self.components.volumes(positions);
            let vectors = self.rings.area_vectors(positions);
            let areas = self.areas(&vectors);
            if targets.is_empty() {
                let with_air =
                    |component: usize| areas.get(&[component as u32, NO_COMPONENT]).copied();
                let size = |(component, &volume)| [volume, with_air(component).unwrap_or(0.0)];
                let sizes = volumes.iter().enumerate().map(size);
                targets =
                    sizes.enumerate().map(|(component, size)| target(component, size)).collect();
            }
            let deficit: Vec<f64> = targets.iter().zip(&volumes).map(|(t, v)| t - v).collect();
            let is_exact =
                |(deficit, target): (&f64, &f64)| deficit.abs() <= VOLUME_TOLERANCE * target.abs();
            if deficit.iter().zip(&targets).all(is_exact) {
                return;
            }
            let pressures = solve(&areas, &deficit);
            let pressure =
                |component: u32| pressures.get(component as usize).copied().unwrap_or(0.0);
            parallel::fill(positions, |v, place| {
                let [greater, lesser] = self.components.beside[v];
                let offset = vec3([pressure(greater) - pressure(lesser); 3]).x;
                let normal = vectors[v].try_normalize(0.0).unwrap_or_default();
                *place += normal * (self.weights[v] * offset.clamp(-most, most));
            });
        }
    }

    /// The weighted areas between components, given the area vectors of all vertices.
    fn areas(&self, vectors: &[Vec3]) -> Areas {
        let mut areas = Areas::new();
        let of_vertex = |v: usize| f64::from(vectors[v].norm() * self.weights[v]) / 6.0;
        let mut first = 0;
        // Vertices come mostly in runs beside the same components.
        for run in self.components.beside.chunk_by(|a, b| a == b) {
            let area: f64 = (first..first + run.len()).map(of_vertex).sum();
            if run[0][0] != NO_COMPONENT && area > 0.0 {
                *areas.entry(run[0]).or_default() += area;
            }
            first += run.len();
        }
        areas
    }
}

/// The pressures under which components grow by their volume deficit.
fn solve(areas: &Areas, deficit: &[f64]) -> Vec<f64> {
    let mut diagonal = vec![0.0; deficit.len()];
    for (beside, area) in areas {
        beside.iter().filter(|b| **b != NO_COMPONENT).for_each(|&b| diagonal[b as usize] += area);
    }
    let times = |p: &[f64]| {
        let mut ap = vec![0.0; p.len()];
        let at = |component: u32| p.get(component as usize).copied().unwrap_or(0.0);
        for (&[a, b], area) in areas {
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
    let mut pressures = vec![0.0; deficit.len()];
    let mut residual = deficit.to_vec();
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
        let areas = Areas::from([
            ([0, NO_COMPONENT], 2.0),
            ([1, 0], 3.0),
            ([2, 1], 0.5),
            ([3, NO_COMPONENT], 1e-6),
        ]);
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
        let p = solve(&Areas::from([([1, 0], 3.0)]), &[0.3, -0.3]);
        assert!((p[0] - p[1] - 0.1).abs() < 1e-9, "{p:?}");
        assert_eq!(solve(&Areas::new(), &[1.0]), [0.0]);
    }
}
