//! Where a fluid becomes white: potentials of its particles, and their limits.
//!
//! Source: Ihmsen, Akinci, Akinci & Teschner 2012, *Unified spray, foam and air bubbles for
//! particle-based fluids* (equations by their numbers there); the vorticity is that of Bender,
//! Koschier, Kugelstadt & Weiler 2019, *Turbulent micropolar SPH fluids with foam*.
//!
//! - Φ(I) = (min(I, τmax) − min(I, τmin)) / (τmax − τmin), from 0 to 1;
//! - trapped air: Σ |v_ij| (1 − v̂_ij·x̂_ij) W, large where particles approach each other (2);
//! - W = 1 − r/h;
//! - crests: Σ (1 − n̂_i·n̂_j) W over the neighbours below the tangent plane, x_ji·n̂_i < 0, so
//!   that only convex parts count (4), where the surface moves outwards, v̂_i·n̂_i ≥ 0.6 (7);
//! - energy: ½ v² (per mass, so that limits hold for any particle size);
//! - vorticity: Σ |ω_i − ω_j| W, with ω of the SPH curl in place of micropolar rotations.
//!
//! All sums are divided by Σ W of a full neighbourhood, so that they are means, in m/s, – and 1/s,
//! whose limits hold for any resolution. Two deviations keep what is no crest from being one:
//!
//! - Unit normals of particles inside are noise. Only where the colour gradient leans at least
//!   [`SURFACE_LEAN`] times as far as at a flat surface is there a surface.
//! - At walls and solids the fluid is cut off, and a gradient points into them. What points into a
//!   near solid is taken off before.
//!
//! Symbols: x place \[m\], v velocity \[m/s\], n unit normal, out of the fluid, ω vorticity
//! \[1/s\], h support radius, r distance \[m\], x_ij = x_i − x_j.

use crate::frame::{FluidFrame, Periodicity};
use crate::kind_bounds::SPRAY_BELOW;
use crate::resolution::{Resolution, square};
use crate::surroundings::{NearObjects, Surroundings};
use hashfall_core::parallel::CHUNK;
use hashfall_core::{Dimension, Real, Vec3, parallel};
use hashfall_search::{FindNeighbors, NeighborLists, SortedCells};

/// A gradient that leans this part of what it does at a flat surface makes a surface.
const SURFACE_LEAN: Real = 0.4;
/// Cosine of the angle from the normal within which a crest moves.
const CREST_COSINE: Real = 0.6;

/// Limits of a potential: where Φ is 0 and where it is 1.
pub type Limit = [f64; 2];

/// Limits of all potentials.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Limits {
    /// Of trapped air \[m/s\].
    pub trapped_air: Limit,
    /// Of crests \[–\].
    pub wave_crest: Limit,
    /// Of vorticity \[1/s\].
    pub vorticity: Limit,
    /// Of the kinetic energy per mass \[J/kg\].
    pub energy: Limit,
}

/// The potentials of a fluid particle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Potential {
    /// Mean approach of its neighbours \[m/s\].
    pub trapped_air: Real,
    /// Convexity of the surface where it moves outwards \[–\].
    pub wave_crest: Real,
    /// Mean difference of vorticity to its neighbours \[1/s\].
    pub vorticity: Real,
    /// Kinetic energy per mass \[J/kg\].
    pub energy: Real,
}

/// Φ: 0 up to the lower limit, 1 from the upper one on.
pub fn clamped(value: Real, [min, max]: Limit) -> f64 {
    let value = f64::from(value);
    match max > min {
        true => (value.min(max) - value.min(min)) / (max - min),
        // Limits that meet are a step.
        false => f64::from(u8::from(value > max)),
    }
}

/// Computes potentials, and keeps its memory from one frame to the next.
#[derive(Debug)]
pub struct PotentialSums {
    resolution: Resolution,
    /// Σ W of a full neighbourhood.
    full_weight: Real,
    /// Lean of the gradient that makes a surface.
    least_lean: Real,
    search: SortedCells,
    lists: NeighborLists,
    /// Of each particle, then of images behind periodic sides.
    flows: Vec<Flow>,
}

/// What the neighbourhood of a particle tells.
#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    /// Unit normal, or zero where there is no surface.
    normal: Vec3,
    /// Vorticity \[1/s\].
    vorticity: Vec3,
}

impl PotentialSums {
    /// For a fluid of this resolution.
    pub fn new(resolution: Resolution) -> Self {
        PotentialSums {
            full_weight: resolution.lattice_sum(|q| 1.0 - q),
            least_lean: SURFACE_LEAN * resolution.lean_of_plane(),
            resolution,
            search: SortedCells::default(),
            lists: NeighborLists::default(),
            flows: Vec::new(),
        }
    }

    /// The potentials of the particles of a frame, among solids where they are then.
    pub fn compute(
        &mut self,
        frame: &FluidFrame,
        periodicity: &Periodicity,
        around: &Surroundings,
    ) -> Vec<Potential> {
        let h = self.resolution.support_radius;
        let (mut x, mut v) = (frame.positions.clone(), frame.velocities.clone());
        let sources = periodicity.add_images(&mut x, &mut v, h);
        self.search.find(&x, h, &mut self.lists);
        let n = frame.len();
        let mut flows = std::mem::take(&mut self.flows);
        flows.resize(x.len(), Flow::default());
        parallel::fill_chunks(&mut flows[..n], &|chunk, flows| {
            let mut near = NearObjects::default();
            for (i, flow) in (chunk * CHUNK..).zip(flows) {
                *flow = self.flow(i, &x, &v, around, &mut near);
            }
        });
        for (image, source) in (n..).zip(sources) {
            flows[image] = flows[source as usize];
        }
        let mut potentials = vec![Potential::default(); n];
        parallel::fill(&mut potentials, |i, potential| {
            *potential = self.potential(i, &x, &v, &flows);
        });
        self.flows = flows;
        potentials
    }

    /// Normal and vorticity at a particle.
    fn flow(
        &self,
        i: usize,
        x: &[Vec3],
        v: &[Vec3],
        around: &Surroundings,
        near: &mut NearObjects,
    ) -> Flow {
        let inverse = 1.0 / self.resolution.support_radius;
        let (mut lean, mut spin, mut moment) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        for &j in self.lists.of(i) {
            let apart = (x[i] - x[j as usize]) * inverse;
            let weight = square(1.0 - apart.norm_squared());
            lean += apart * weight;
            spin += apart.cross(&(v[i] - v[j as usize])) * weight;
            moment += weight * apart.norm_squared();
        }
        // Σ w x × (ω/2 × x): two thirds of ω/2 Σ w x² in space, all of it in the plane.
        let turns = match self.resolution.dimension {
            Dimension::Two => 2.0,
            Dimension::Three => 3.0,
        };
        let vorticity =
            if moment > 0.0 { spin * (turns * inverse / moment) } else { Vec3::zeros() };
        if lean.norm() > self.least_lean {
            around.for_each_nearest(&x[i], near, |solid| {
                lean -= solid.normal * lean.dot(&solid.normal).min(0.0);
            });
        }
        let length = lean.norm();
        let has_surface = length > self.least_lean;
        let normal = if has_surface { lean / length } else { Vec3::zeros() };
        Flow { normal, vorticity }
    }

    /// The potentials of a particle.
    fn potential(&self, i: usize, x: &[Vec3], v: &[Vec3], flows: &[Flow]) -> Potential {
        let list = self.lists.of(i);
        let energy = 0.5 * v[i].norm_squared();
        if (list.len() as Real) < SPRAY_BELOW.middle * self.resolution.full_count() {
            // Single drops: spray already.
            return Potential { energy, ..Potential::default() };
        }
        let inverse = 1.0 / self.resolution.support_radius;
        let Flow { normal, vorticity } = flows[i];
        let moves_out = v[i].dot(&normal) >= CREST_COSINE * v[i].norm();
        let is_crest = normal != Vec3::zeros() && v[i] != Vec3::zeros() && moves_out;
        let (mut approach, mut convexity, mut change) = (0.0, 0.0, 0.0);
        for &j in list {
            let j = j as usize;
            let apart = x[i] - x[j];
            let distance = apart.norm();
            let weight = 1.0 - distance * inverse;
            let relative = v[i] - v[j];
            let along = if distance > 0.0 { relative.dot(&apart) / distance } else { 0.0 };
            approach += (relative.norm() - along) * weight;
            if is_crest && apart.dot(&normal) > 0.0 && flows[j].normal != Vec3::zeros() {
                convexity += (1.0 - normal.dot(&flows[j].normal)) * weight;
            }
            change += (vorticity - flows[j].vorticity).norm() * weight;
        }
        let full = self.full_weight;
        Potential {
            trapped_air: approach / full,
            wave_crest: convexity / full,
            vorticity: change / full,
            energy,
        }
    }
}
