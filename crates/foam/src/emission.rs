//! Emission: how many diffuse particles a fluid particle gives, and where.
//!
//! Source: Ihmsen et al. 2012: n = I_k (k_ta I_ta + k_wc I_wc) Δt, beside it k_vo I_vo of
//! Bender et al. 2019. The part of n after the point is the probability of one more, so that a
//! rate does not depend on the substep; rounding, as others do, loses what is below one half.
//!
//! They come into the cylinder about the way of the fluid particle in the substep, of the radius
//! r_V of its volume, with ξ ∈ [0, 1): x = x_f + r_V √ξ₁ (cos 2πξ₂ e₁ + sin 2πξ₂ e₂) − ξ₃ w: w is
//! the way that the fluid particle really went to x_f, where the paper continues along Δt v_f.
//! Cosine and sine are those of a point in the unit disc, drawn by rejection. The paper adds the
//! offset, a length, to the velocity: here it is the offset in r_V times a part of the speed, so
//! that sprays diverge alike at any scale. In the paper a particle lives the longer the more come
//! with it; here lifetimes are spread evenly between two bounds.
//!
//! A particle starts at the centre of the fluid particle, which is outside solids, and is swept to
//! its place: none comes to be in a solid. Where cubics between frames would lead a fluid particle
//! into one, its tracer is held back in the same way. None comes to be outside the regions that
//! bound emission, or where all is removed.
//!
//! Random numbers are a stream for each fluid particle and substep: the same for any order.

use crate::advection::Laws;
use crate::contact::ContactBuffer;
use crate::diffuse::{Diffuse, Particle};
use crate::fluid_cells::FluidCells;
use crate::frame::Periodicity;
use crate::removal::Removal;
use crate::resolution::Resolution;
use crate::settings::FoamSettings;
use crate::surroundings::Surroundings;
use crate::tracers::Tracer;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Dimension, PI, Real, Vec3, parallel, to_f64};
use hashfall_search::CellRows;

/// How fast particles part from the axis of a cylinder at its edge, in the fluid's speed.
const SPREAD: Real = 0.1;
/// Tracers that emit at a time, before it is asked how many particles there may still be.
const BATCH: usize = 64 * parallel::CHUNK;

/// What emission goes by in a substep.
pub(crate) struct EmissionInput<'a> {
    pub settings: &'a FoamSettings,
    pub resolution: &'a Resolution,
    pub laws: &'a Laws,
    pub cells: &'a FluidCells,
    pub around: &'a Surroundings,
    pub periodicity: &'a Periodicity,
    pub removal: &'a Removal,
    /// The number of the frame before, and that of the substep after it.
    pub step: [u32; 2],
    /// Length of the substep \[s\].
    pub dt: f64,
}

impl EmissionInput<'_> {
    /// Emits the particles of all tracers, in their order, as far as there may be more.
    pub fn emit(&self, tracers: &[Tracer], diffuse: &mut Diffuse) {
        for batch in tracers.chunks(BATCH) {
            // An id is a number of 32 bits as well.
            let ids = (u32::MAX - diffuse.next_id) as usize;
            let max = self.settings.max_particles as usize;
            let left = max.saturating_sub(diffuse.len()).min(ids);
            if left == 0 {
                return;
            }
            let chunks: Vec<&[Tracer]> = batch.chunks(parallel::CHUNK).collect();
            let parts = parallel::map_pieces(chunks.len(), &|k| self.emit_all(chunks[k], left));
            parts.into_iter().flatten().take(left).for_each(|particle| diffuse.push(particle));
        }
    }

    /// The particles of some tracers, of which there may be this many.
    fn emit_all(&self, tracers: &[Tracer], max: usize) -> Vec<Particle> {
        let (mut rows, mut buffer) = (CellRows::default(), ContactBuffer::default());
        let mut emitted = Vec::new();
        for tracer in tracers {
            self.emit_one(tracer, max, &mut rows, &mut buffer, &mut emitted);
        }
        emitted
    }

    /// Emits the particles of one until there are `max` of all.
    fn emit_one(
        &self,
        tracer: &Tracer,
        max: usize,
        rows: &mut CellRows,
        buffer: &mut ContactBuffer,
        emitted: &mut Vec<Particle>,
    ) {
        let [frame, substep] = self.step.map(u64::from);
        let counters = [self.settings.seed.into(), tracer.id.into(), frame, substep];
        let mut random = RandomStream::from_counters(&counters);
        let count = (tracer.rate * self.dt + random.number()).floor() as u64;
        for _ in 0..count {
            if emitted.len() >= max {
                return;
            }
            let [along, size, life, chance] = std::array::from_fn(|_| random.number());
            let offset = self.offset(&tracer.velocity, &mut random);
            let mut particle = self.particle(tracer, size, life);
            particle.velocity += offset * (SPREAD * tracer.velocity.norm());
            let way = offset * self.volume_radius() - tracer.way * along as Real;
            let is_free = self.around.displace(&mut particle, &way, buffer);
            particle.position = self.periodicity.wrapped(particle.position);
            if !is_free || !self.may_be_at(&particle.position) {
                continue;
            }
            // Contact is on the way there, not a part of the motion.
            particle.velocity = tracer.velocity + offset * (SPREAD * tracer.velocity.norm());
            self.cells.update_rows(&particle.position, rows);
            let fluid = self.cells.sample(&particle.position, rows);
            particle.kind = self.around.kind(self.laws, &particle.position, &fluid, None, buffer);
            if chance < self.kept(particle.kind as usize) {
                emitted.push(particle);
            }
        }
    }

    /// Whether a particle may come to be at a place \[m\].
    fn may_be_at(&self, x: &Vec3) -> bool {
        let (at, regions) = (to_f64(x), &self.settings.emit_in);
        let is_in_one = regions.is_empty() || regions.iter().any(|region| region.contains(&at));
        is_in_one && !self.removal.removes(x)
    }

    /// A particle at a tracer, by numbers from 0 to 1. Most are small.
    fn particle(&self, tracer: &Tracer, size: f64, life: f64) -> Particle {
        let (smallest, largest) = self.settings.radius;
        let radius = smallest + (largest - smallest) * size * size;
        let lifetime = self.settings.lifetime.map_or(0.0, |(min, max)| min + (max - min) * life);
        Particle {
            position: tracer.position,
            velocity: tracer.velocity,
            radius: (radius * 0.5) as Real * self.resolution.spacing,
            lifetime: lifetime as Real,
            ..Particle::default()
        }
    }

    /// A random point of the unit disc across a velocity; in the plane, of the line.
    fn offset(&self, velocity: &Vec3, random: &mut RandomStream) -> Vec3 {
        let speed = velocity.norm();
        let axis = if speed > 0.0 { velocity / speed } else { Vec3::z() };
        if self.resolution.dimension == Dimension::Two {
            return Vec3::new(-axis.z, 0.0, axis.x) * random.between(-1.0, 1.0) as Real;
        }
        // The axis that the velocity is the farthest from.
        let other = axis.abs().imin();
        let mut unit = Vec3::zeros();
        unit[other] = 1.0;
        let first = axis.cross(&unit).normalize();
        let second = axis.cross(&first);
        loop {
            let [a, b] = [0; 2].map(|_| random.between(-1.0, 1.0));
            if a * a + b * b <= 1.0 {
                return first * a as Real + second * b as Real;
            }
        }
    }

    /// The radius of a ball, or in the plane a disc, of a particle's volume \[m\].
    fn volume_radius(&self) -> Real {
        let d = self.resolution.spacing;
        match self.resolution.dimension {
            Dimension::Two => d / PI.sqrt(),
            // The cube root of 3/(4π).
            Dimension::Three => d * 0.620_350_5,
        }
    }

    /// The part of a kind that is kept.
    fn kept(&self, kind: usize) -> f64 {
        let FoamSettings { spray, foam, bubbles, .. } = *self.settings;
        [spray, foam, bubbles][kind]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Region;
    use hashfall_geometry::Aabb;
    use hashfall_solid::Solids;

    fn tracers() -> Vec<Tracer> {
        let tracer = |k: u32| Tracer {
            pair: k as usize,
            id: 3 * k,
            position: Vec3::new(0.5, 0.5, 0.5),
            velocity: Vec3::new(2.0, 0.0, 0.0),
            way: Vec3::new(0.02, 0.0, 0.0),
            rate: 33.0,
        };
        (0..4000).map(tracer).collect()
    }

    fn emitted(settings: &FoamSettings, domain: Aabb, dimension: Dimension) -> Diffuse {
        emitted_in(settings, domain, dimension, [false; 3])
    }

    fn emitted_in(
        settings: &FoamSettings,
        domain: Aabb,
        dimension: Dimension,
        periodic: [bool; 3],
    ) -> Diffuse {
        let resolution = Resolution { dimension, spacing: 0.02, support_radius: 0.04 };
        let mut solids = Solids::new(domain, vec![], vec![]);
        solids.open = periodic;
        let around = Surroundings::new(solids, 0.04);
        let laws = Laws::new(settings, &resolution, 9.81);
        let cells = FluidCells::default();
        let mut diffuse = Diffuse::default();
        let input = EmissionInput {
            settings,
            resolution: &resolution,
            laws: &laws,
            cells: &cells,
            around: &around,
            periodicity: &Periodicity::new(domain, periodic),
            removal: &Removal::new(&settings.remove_in, &[], &[]),
            step: [3, 1],
            dt: 0.01,
        };
        input.emit(&tracers(), &mut diffuse);
        diffuse
    }

    fn unit_domain() -> Aabb {
        Aabb::new(Vec3::zeros(), Vec3::repeat(1.0))
    }

    #[test]
    fn a_rate_is_kept_in_the_mean_and_the_cylinder_is_filled_evenly() {
        let settings = FoamSettings::default();
        let all = emitted(&settings, unit_domain(), Dimension::Three);
        // 4000 · 0.33, with a standard deviation of 30.
        assert!((1230..1410).contains(&all.len()), "{}", all.len());
        let offsets: Vec<Vec3> =
            all.positions.iter().map(|x| x - Vec3::new(0.5, 0.5, 0.5)).collect();
        let n = offsets.len() as Real;
        let edge = 0.02 * 0.620_350_5;
        let across = |x: &Vec3| (x.y * x.y + x.z * x.z).sqrt();
        assert!(
            offsets.iter().all(|x| across(x) < 1.0001 * edge && (-0.0201..1e-4).contains(&x.x))
        );
        // Of a disc, half of the area is within 1/√2 of the radius.
        let inner = offsets.iter().filter(|x| across(x) < edge / 2.0_f32.sqrt() as Real).count();
        assert!((inner as Real / n - 0.5).abs() < 0.05, "{inner} of {n}");
        let mean: Vec3 = offsets.iter().sum::<Vec3>() / n;
        assert!((mean - Vec3::new(-0.01, 0.0, 0.0)).norm() < 0.001, "{mean}");
        let (smallest, largest) = (0.1 * 0.01, 0.3 * 0.01);
        assert!(all.radii.iter().all(|r| (0.999 * smallest..1.001 * largest).contains(r)));
        assert!(all.lifetimes.iter().all(|life| (1.0..4.0).contains(life)));
    }

    #[test]
    fn walls_hold_what_is_emitted_back() {
        let low = Aabb::new(Vec3::new(0.0, 0.0, 0.495), Vec3::repeat(1.0));
        let all = emitted(&FoamSettings::default(), low, Dimension::Three);
        assert!(all.len() > 1000);
        let gaps = all.positions.iter().zip(&all.radii).map(|(x, r)| x.z - 0.495 - 0.99 * r);
        assert!(gaps.clone().all(|gap| gap > 0.0), "{:?}", gaps.reduce(Real::min));
    }

    #[test]
    fn beyond_a_periodic_side_is_the_other_side() {
        let low = Aabb::new(Vec3::new(0.0, 0.0, 0.495), Vec3::new(1.0, 1.0, 1.0));
        let along = [false, false, true];
        let all = emitted_in(&FoamSettings::default(), low, Dimension::Three, along);
        assert!(all.positions.iter().all(|x| (0.495..1.0).contains(&x.z)));
        let across = all.positions.iter().filter(|x| x.z > 0.9).count();
        assert!(across > 100 && across < all.len() / 2, "{across} of {}", all.len());
    }

    #[test]
    fn regions_bound_the_very_places() {
        let region = |min: f64, max: f64| Region { min: [0.0, 0.0, min], max: [1.0, 1.0, max] };
        let settings = FoamSettings {
            emit_in: vec![region(0.495, 0.505)],
            remove_in: vec![region(0.5, 0.6)],
            ..FoamSettings::default()
        };
        let all = emitted(&settings, unit_domain(), Dimension::Three);
        assert!(all.len() > 100, "{}", all.len());
        assert!(all.positions.iter().all(|x| (0.495..0.5).contains(&x.z)));
    }

    #[test]
    fn the_plane_stays_the_plane_and_amounts_thin_kinds_out() {
        let settings = FoamSettings { spray: 0.25, ..FoamSettings::default() };
        let all = emitted(&settings, unit_domain(), Dimension::Two);
        // Without fluid around, all is spray.
        assert!((270..400).contains(&all.len()), "{}", all.len());
        assert!(all.positions.iter().all(|x| x.y == 0.5));
        let few = FoamSettings { max_particles: 7, ..FoamSettings::default() };
        let first = emitted(&few, unit_domain(), Dimension::Three);
        let all = emitted(&FoamSettings::default(), unit_domain(), Dimension::Three);
        assert_eq!((first.len(), &first.positions[..]), (7, &all.positions[..7]));
    }
}
