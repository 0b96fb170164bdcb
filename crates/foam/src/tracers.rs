//! Fluid particles that emit, on their way between two frames.
//!
//! The cubics between frames know no solids, and may lead a particle into one. A tracer goes after
//! its particle with the contact of a diffuse particle, from the frame on, where the particle is
//! outside: so what is emitted at it starts outside, too.

use crate::contact::ContactBuffer;
use crate::diffuse::Particle;
use crate::frame::Periodicity;
use crate::interpolation::FramePair;
use crate::surroundings::Surroundings;
use hashfall_core::parallel::{CHUNK, chunks_mut, for_parts};
use hashfall_core::{Real, Vec3};
use hashfall_search::FixedHierarchicalHash;
use hashfall_solid::Occlusion;

/// A fluid particle that emits, on its way between two frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tracer {
    /// The particle by its place in the pair of frames.
    pub pair: usize,
    /// Its id.
    pub id: u32,
    /// Where it is, outside of solids \[m\].
    pub position: Vec3,
    /// Its velocity \[m/s\].
    pub velocity: Vec3,
    /// The way that it went in the substep \[m\].
    pub way: Vec3,
    /// Particles per second \[1/s\].
    pub rate: f64,
}

/// What tracers go by.
pub(crate) struct TracerInput<'a> {
    pub pair: &'a FramePair<'a>,
    pub around: &'a Surroundings,
    pub periodicity: &'a Periodicity,
    /// The radius with which they meet solids: that of the smallest diffuse particle \[m\].
    pub radius: Real,
    /// What the particles of both frames emit \[1/s\].
    pub rates: [&'a [f64]; 2],
}

impl TracerInput<'_> {
    /// A tracer for each particle that emits in either frame, where it is in the first. Those that
    /// a solid covers are in the nozzle of an emitter.
    pub fn start(&self) -> Vec<Tracer> {
        let rates = self.rates;
        let emits = |numbers: [Option<usize>; 2]| {
            let [before, after] = numbers;
            before.is_some_and(|i| rates[0][i] > 0.0) || after.is_some_and(|j| rates[1][j] > 0.0)
        };
        let tracers = self.pair.pairs().iter().enumerate().filter_map(|(k, pair)| {
            let numbers = FramePair::numbers(*pair);
            let (position, velocity) = match (emits(numbers), numbers[0]) {
                (true, Some(_)) => self.pair.motion(*pair, 0.0)?,
                _ => return None,
            };
            let (id, way) = (self.pair.id(*pair), Vec3::zeros());
            Some(Tracer { pair: k, id, position, velocity, way, rate: 0.0 })
        });
        let mut tracers: Vec<Tracer> = tracers.collect();
        let solids = &self.around.solids;
        if tracers.is_empty() || solids.object_count() == 0 {
            return tracers;
        }
        let hollow: Vec<bool> = (0..solids.meshes().len()).map(|k| solids.is_hollow(k)).collect();
        let occlusion = Occlusion::<FixedHierarchicalHash>::new(solids, self.radius, &hollow);
        let places: Vec<Vec3> = tracers.iter().map(|tracer| tracer.position).collect();
        let mut covered = occlusion.occludes(&places, self.radius).into_iter();
        tracers.retain(|_| !covered.next().unwrap_or(false));
        tracers
    }

    /// Moves tracers to where their particles are after the part `end` of the interval, with what
    /// they emit after the part `middle`; those whose particle is removed, or that solids crush,
    /// emit no more.
    pub fn advance(&self, tracers: &mut Vec<Tracer>, middle: f64, end: f64) {
        let mut goes_on = vec![true; tracers.len()];
        let chunks = (chunks_mut(tracers, CHUNK), chunks_mut(&mut goes_on, CHUNK));
        for_parts(chunks, |_, (tracers, goes_on)| {
            let mut buffer = ContactBuffer::default();
            for (tracer, goes_on) in tracers.iter_mut().zip(goes_on) {
                *goes_on = self.advance_one(tracer, middle, end, &mut buffer);
            }
        });
        let mut goes_on = goes_on.into_iter();
        tracers.retain(|_| goes_on.next().unwrap_or(true));
    }

    /// Moves one; returns whether it stays.
    fn advance_one(
        &self,
        tracer: &mut Tracer,
        middle: f64,
        end: f64,
        buffer: &mut ContactBuffer,
    ) -> bool {
        let pair = self.pair.pairs()[tracer.pair];
        let Some((target, velocity)) = self.pair.motion(pair, end) else { return false };
        let (from, radius) = (tracer.position, self.radius);
        let way = self.periodicity.nearest_image(&from, target) - from;
        let mut moved = Particle { position: from, velocity, radius, ..Particle::default() };
        let is_free = self.around.advance(&mut moved, &way, buffer);
        tracer.way = moved.position - from;
        tracer.position = self.periodicity.wrapped(moved.position);
        tracer.velocity = velocity;
        let rate = |number: Option<usize>, rates: &[f64]| number.map_or(0.0, |i| rates[i]);
        let [before, after] = FramePair::numbers(pair);
        let [old, new] = self.rates;
        tracer.rate = (1.0 - middle) * rate(before, old) + middle * rate(after, new);
        is_free
    }
}
