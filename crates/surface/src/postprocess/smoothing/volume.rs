//! Volumes restored after clean-up and smoothing, for each component.
//!
//! Fewer triangles cut corners; smoothing lowers convex and raises concave parts: drops and strands
//! shrink, gaps between obstacles close, the small ones the most. Two steps compensate. First, each
//! region that sank or rose as a whole moves back. Second, each component gets an offset along the
//! normals, δ w. After smoothing w is the smoothing weight of the vertex over the largest of its
//! component, so that a vertex that was not smoothed hardly moves beside others that were: a thin
//! sheet beside a pool does not swell. To first order the
//! component's volume grows by δ Σ wᵥ Aᵥ with Aᵥ the area around vertex v; Newton's method does the
//! rest.
//!
//! Not all of the loss is restored. Marching cubes places a curved surface too far out: balls of
//! particles in a jittered lattice have too much volume, by a layer of 0.02 r (8 spacings
//! across) to 0.07 r (32 and more). So a component may sink by [`SINK`], but lose no more than
//! [`MAX_VOLUME_LOSS`] of its volume.
//!
//! Symbols: V volume \[m³\], A area \[m²\], δ offset \[m\], r particle radius \[m\].

use crate::postprocess::components::Components;
use crate::postprocess::rings::Rings;
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use crate::postprocess::smoothing::walk::WalkPolynomial;
use crate::postprocess::stencil::Stencil;
use hashfall_core::parallel::{self, CHUNK, Parts, chunks, chunks_mut, map_parts};
use hashfall_core::{Real, Vec3, to_f64, vec3};
use nalgebra::Vector3;

/// How far a smoothed surface may sink, in particle radii.
const SINK: f64 = 0.06;

/// The largest relative loss of volume of a component.
const MAX_VOLUME_LOSS: f64 = 0.01;

/// Maximum number of Newton steps; two suffice for large components, small ones need more.
pub(crate) const MAX_STEPS: usize = 8;

/// Local displacement that is not compensated, in particle radii: about the height of the
/// remaining bumps.
const LEVEL: f64 = 0.1;

/// Iterations of the mean displacement, per iteration of smoothing: the mean holds less of the
/// bumps than the smooth surface.
const MEAN_ITERATIONS: u32 = 2;

/// The least weight of a free vertex after smoothing: so a drop that was not smoothed gets back
/// what clean-up took, and a sheet beside a pool hardly swells.
const MIN_WEIGHT: Real = 0.05;

/// Largest offset in a step, in particle radii: volume is far from linear beyond it.
pub(crate) const MAX_OFFSET: f64 = 0.5;

/// Relative tolerance of volumes.
pub(crate) const VOLUME_TOLERANCE: f64 = 1e-3;

/// The volumes of all components \[m³\].
pub(crate) fn component_volumes(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
    components: &Components,
) -> Vec<f64> {
    let exact = |v: u32| Vector3::from(to_f64(&positions[v as usize]));
    let volume = |triangle: &[u32; 3]| {
        let component = components.at(triangle[0]);
        // Relative to a vertex of the component, so that one far from the origin loses no digits.
        let origin = exact(components.first[component]);
        let [a, b, c] = triangle.map(|v| exact(v) - origin);
        (component, [a.dot(&b.cross(&c)) / 6.0])
    };
    let sums = sums_by_component(chunks(triangles, CHUNK), |chunk| chunk, components, volume);
    sums.into_iter().map(|[volume]| volume).collect()
}

/// The sums over the items of each component, which come in chunks and mostly in runs of one
/// component: each chunk sums its runs, then these are added in order.
fn sums_by_component<P: Parts, I: IntoIterator, const K: usize>(
    chunks: P,
    items_of: impl Fn(P::Part) -> I + Sync,
    components: &Components,
    value: impl Fn(I::Item) -> (usize, [f64; K]) + Sync,
) -> Vec<[f64; K]> {
    let add = |sums: &mut [f64; K], more: [f64; K]| {
        sums.iter_mut().zip(more).for_each(|(sum, x)| *sum += x);
    };
    let runs_of = |_, chunk: P::Part| {
        let mut runs: Vec<(usize, [f64; K])> = Vec::new();
        for (component, values) in items_of(chunk).into_iter().map(&value) {
            match runs.last_mut() {
                Some((last, sums)) if *last == component => add(sums, values),
                _ => runs.push((component, values)),
            }
        }
        runs
    };
    let runs = map_parts(chunks, runs_of);
    let mut sums = vec![[0.0; K]; components.count()];
    runs.into_iter().flatten().for_each(|(component, values)| add(&mut sums[component], values));
    sums
}

/// A mesh whose components get target volumes.
pub(crate) struct VolumeRestoration<'a> {
    pub rings: &'a Rings,
    pub components: &'a Components,
    /// The share of its component's offset that a vertex follows, from 0 to 1.
    pub weights: &'a [Real],
    pub particle_radius: Real,
}

/// A mesh that was smoothed.
pub(crate) struct SinkCompensation<'a> {
    pub rings: &'a Rings,
    pub stencil: &'a Stencil<'a>,
    /// The relaxation factor of smoothing.
    pub relaxation: f64,
    /// Vertices of weight 0 stay.
    pub weights: &'a [Real],
    /// The junction curves, if there are several fluids.
    pub curves: Option<&'a JunctionCurves>,
    pub particle_radius: Real,
}

impl SinkCompensation<'_> {
    /// Moves regions back that sank or rose as a whole: each vertex by the mean displacement of
    /// those around it from their `old` places, beyond [`LEVEL`]. Bumps do not come back, because
    /// they and the dents between them cancel in the mean.
    pub fn compensate(&self, positions: &mut [Vec3], old: &[Vec3], iterations: u32) {
        let mut normals = self.rings.area_vectors(positions);
        parallel::fill(&mut normals, |_, n| *n = n.try_normalize(0.0).unwrap_or_default());
        let mut sunk = vec![0.0; positions.len()];
        // The vertices of lines have no side to sink to.
        let is_on_curve = |v: usize| self.curves.is_some_and(|curves| curves.has(v));
        parallel::fill(&mut sunk, |v, sunk| {
            *sunk = if is_on_curve(v) { 0.0 } else { (old[v] - positions[v]).dot(&normals[v]) };
        });
        let polynomial = WalkPolynomial::new(MEAN_ITERATIONS * iterations, self.relaxation);
        polynomial.apply(&mut sunk, |sunk, v| sunk[v] + self.stencil.mean_difference(sunk, v));
        let level = vec3([LEVEL; 3]).x * self.particle_radius;
        parallel::fill(positions, |v, place| {
            if self.weights[v] > 0.0 {
                *place += normals[v] * (sunk[v] - sunk[v].clamp(-level, level));
            }
        });
    }
}

/// The volume V of a component \[m³\] and Σ w A \[m²\].
pub(crate) type Size = [f64; 2];

impl VolumeRestoration<'_> {
    /// Gives components their target volumes. `target` takes a component and its first size.
    pub fn restore(&self, positions: &mut [Vec3], target: impl Fn(usize, Size) -> f64) {
        let mut open: Vec<u32> = (0..positions.len() as u32).collect();
        let mut places = vec![Vec3::zeros(); positions.len()];
        let mut volumes = Vec::new();
        let most = MAX_OFFSET * f64::from(self.particle_radius);
        for _ in 0..MAX_STEPS {
            let sizes = self.measure(positions, &open, &mut places);
            if volumes.is_empty() {
                volumes = sizes.iter().enumerate().map(|(b, &size)| target(b, size)).collect();
            }
            let offset = |(&[volume, area], &target): (&Size, &f64)| {
                let is_exact = (volume - target).abs() <= VOLUME_TOLERANCE * target.abs();
                let offset = if is_exact { 0.0 } else { (target - volume) / area };
                // A component without weights stays.
                let offset = if offset.is_finite() { offset.clamp(-most, most) } else { 0.0 };
                vec3([offset; 3]).x
            };
            let offsets: Vec<Real> = sizes.iter().zip(&volumes).map(offset).collect();
            let offset_of = |v: u32| offsets[self.components.at(v)];
            parallel::fill(&mut places, |i, place| {
                let normal = place.try_normalize(0.0).unwrap_or_default();
                let v = open[i];
                *place = positions[v as usize] + normal * (self.weights[v as usize] * offset_of(v));
            });
            open.iter().zip(&places).for_each(|(&v, place)| positions[v as usize] = *place);
            open.retain(|&v| offset_of(v) != 0.0);
            places.truncate(open.len());
            if open.is_empty() {
                return;
            }
        }
    }

    /// The sizes of components whose vertices are all given, and the vertices' area vectors.
    fn measure(&self, positions: &[Vec3], vertices: &[u32], areas: &mut [Vec3]) -> Vec<Size> {
        let chunks = (chunks(vertices, CHUNK), chunks_mut(areas, CHUNK));
        let items_of = |(vertices, areas)| std::iter::zip(vertices, areas);
        sums_by_component(chunks, items_of, self.components, |(&v, area): (&u32, &mut Vec3)| {
            *area = self.rings.area_vector(positions, v as usize);
            let component = self.components.at(v);
            // Three corners of each triangle tell its part of the volume, each the same.
            let from = positions[self.components.first[component] as usize];
            let volume = f64::from((positions[v as usize] - from).dot(area)) / 18.0;
            (component, [volume, f64::from(area.norm() * self.weights[v as usize]) / 6.0])
        })
    }
}

/// The shares of vertices in the offsets of the components `beside` them, from their smoothing
/// weights; none of those that are not free.
pub(crate) fn shares(
    weights: &[Real],
    components: usize,
    is_free: impl Fn(usize) -> bool + Sync,
    beside: impl Fn(usize) -> [u32; 2] + Sync,
) -> Vec<Real> {
    let weight = |v: usize| if is_free(v) { weights[v].max(MIN_WEIGHT) } else { 0.0 };
    let mut largest: Vec<Real> = vec![0.0; components];
    for v in 0..weights.len() {
        for component in beside(v) {
            if let Some(largest) = largest.get_mut(component as usize) {
                *largest = largest.max(weight(v));
            }
        }
    }
    let of = |component: u32| largest.get(component as usize).copied().unwrap_or(0.0);
    let mut shares = vec![0.0; weights.len()];
    parallel::fill(&mut shares, |v, share| {
        let [a, b] = beside(v).map(of);
        *share = weight(v) / a.max(b).max(MIN_WEIGHT);
    });
    shares
}

/// The target volume of a component that had an `old` volume before smoothing \[m³\].
pub(crate) fn after_smoothing(old: f64, [now, area]: Size, particle_radius: Real) -> f64 {
    let sink = SINK * f64::from(particle_radius);
    now.clamp(old - (sink * area).min(MAX_VOLUME_LOSS * old.abs()), old)
}
