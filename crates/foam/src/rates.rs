//! What each fluid particle of a frame emits.
//!
//! Ihmsen et al. 2012: I_k (k_ta I_ta + k_wc I_wc) particles per second, beside it k_vo I_vo
//! of Bender et al. 2019; nothing away from the solids that bound emission. Regions that bound it
//! are those of places where a diffuse particle is put, not of the fluid.

use crate::frame::FluidFrame;
use crate::potentials::{Limits, Potential, clamped};
use crate::settings::FoamSettings;
use crate::surroundings::{NearObjects, Surroundings};
use hashfall_core::Vec3;
use hashfall_core::parallel::{self, CHUNK};

/// What emission depends on, beside the potentials.
pub(crate) struct EmissionRates<'a> {
    pub settings: &'a FoamSettings,
    pub limits: &'a Limits,
    pub around: &'a Surroundings,
    /// Bodies around which alone there is emission; none for everywhere.
    pub emitters: &'a [usize],
}

impl EmissionRates<'_> {
    /// What each particle of a frame emits \[1/s\].
    pub fn of_frame(&self, fluid: &FluidFrame, potentials: &[Potential]) -> Vec<f64> {
        let mut rates = vec![0.0; potentials.len()];
        parallel::fill_chunks(&mut rates, &|chunk, rates| {
            let mut near = NearObjects::default();
            for (i, rate) in (chunk * CHUNK..).zip(rates) {
                *rate = self.rate(&potentials[i]);
                if *rate > 0.0 && !self.may_emit(&fluid.positions[i], &mut near) {
                    *rate = 0.0;
                }
            }
        });
        rates
    }

    /// What a particle of these potentials emits \[1/s\].
    fn rate(&self, potential: &Potential) -> f64 {
        let (limits, settings) = (self.limits, self.settings);
        let causes = [
            (settings.trapped_air.rate, potential.trapped_air, limits.trapped_air),
            (settings.wave_crest.rate, potential.wave_crest, limits.wave_crest),
            (settings.vorticity.rate, potential.vorticity, limits.vorticity),
        ];
        let sum: f64 = causes
            .iter()
            .filter(|(rate, ..)| *rate > 0.0)
            .map(|(rate, value, limit)| rate * clamped(*value, *limit))
            .sum();
        sum * clamped(potential.energy, limits.energy)
    }

    /// Whether fluid at a place may emit.
    fn may_emit(&self, x: &Vec3, near: &mut NearObjects) -> bool {
        if self.emitters.is_empty() {
            return true;
        }
        let mut is_near = false;
        self.around.for_each_nearest(x, near, |solid| {
            is_near = is_near || self.emitters.contains(&solid.surface.body());
        });
        is_near
    }
}
