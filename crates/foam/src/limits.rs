//! Automatic limits of the potentials, from a pass over all frames.
//!
//! Bender et al. 2019 take means and maxima over all frames; a maximum is one particle's, so here
//! percentiles do. Calm water would have these, too, and turn white: so no lower limit is below
//! what gravity holds down over a support radius. Air is entrained where the relative motion over
//! a length l outweighs gravity over l (Hirt 2003, *Modeling turbulent entrainment of air at a
//! free surface*): velocity differences above √(g h), spins above √(g/h), energies that lift by h.
//!
//! Symbols: g gravity \[m/s²\], h support radius \[m\].

use crate::histogram::Histogram;
use crate::potentials::{Limit, Limits, Potential};
use hashfall_core::Real;
use hashfall_core::parallel::{chunks, map_parts};

/// Parts of all particles of all frames that do not emit by a potential, and that do not fully.
const PERCENTILES: [f64; 2] = [0.98, 0.999];
/// The same of the particles at crests.
const CREST_PERCENTILES: [f64; 2] = [0.5, 0.95];
/// The same of energies.
const ENERGY_PERCENTILES: [f64; 2] = [0.5, 0.99];
/// Least velocity differences, in √(g h).
const APPROACH_FLOOR: f64 = 1.0;
/// Least differences of vorticity, in √(g/h).
const VORTICITY_FLOOR: f64 = 1.0;
/// Least energy, in g h.
const ENERGY_FLOOR: f64 = 1.0;
/// Least convexity of a crest \[–\]: the front of a dam break has 0.11 before it meets anything.
const CREST_FLOOR: f64 = 0.15;
/// Potentials that a task counts: many, as its counts take memory.
const PART: usize = 1 << 17;
/// An upper limit over the lower one, at the least.
const MIN_RATIO: f64 = 2.0;

/// Finds limits in the potentials of all frames.
#[derive(Clone, Debug, Default)]
pub struct LimitSearch {
    trapped_air: Histogram,
    wave_crest: Histogram,
    vorticity: Histogram,
    energy: Histogram,
}

impl LimitSearch {
    /// Adds the potentials of a frame.
    pub fn add(&mut self, potentials: &[Potential]) {
        let of_part = |_, part: &[Potential]| {
            let mut found = LimitSearch::default();
            for one in part {
                found.trapped_air.add(single(one.trapped_air));
                found.wave_crest.add(single(one.wave_crest));
                found.vorticity.add(single(one.vorticity));
                found.energy.add(single(one.energy));
            }
            found
        };
        let found = map_parts(chunks(potentials, PART), of_part);
        found.iter().for_each(|part| self.merge(part));
    }

    /// Adds what another has found.
    fn merge(&mut self, other: &LimitSearch) {
        self.trapped_air.merge(&other.trapped_air);
        self.wave_crest.merge(&other.wave_crest);
        self.vorticity.merge(&other.vorticity);
        self.energy.merge(&other.energy);
    }

    /// The limits, for gravity `g` \[m/s²\] and the support radius `h` \[m\].
    pub fn limits(&self, g: f64, h: f64) -> Limits {
        let of = |all: &Histogram, parts: [f64; 2], floor: f64| {
            between(parts.map(|part| all.percentile(part)), floor)
        };
        let crests = CREST_PERCENTILES.map(|part| self.wave_crest.percentile_of_positive(part));
        Limits {
            trapped_air: of(&self.trapped_air, PERCENTILES, APPROACH_FLOOR * (g * h).sqrt()),
            wave_crest: between(crests, CREST_FLOOR),
            vorticity: of(&self.vorticity, PERCENTILES, VORTICITY_FLOOR * (g / h).sqrt()),
            energy: of(&self.energy, ENERGY_PERCENTILES, ENERGY_FLOOR * g * h),
        }
    }
}

/// Limits that are not below a floor, and not too near to each other.
fn between([min, max]: [f64; 2], floor: f64) -> Limit {
    let min = min.max(floor);
    [min, max.max(MIN_RATIO * min)]
}

/// Rounds to single precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn single(x: Real) -> f32 {
    x as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::parallel::with_threads;

    fn potentials(scale: Real) -> Vec<Potential> {
        let value = |k: usize| scale * (k as Real * 0.618_034).fract();
        let potential = |k| Potential {
            trapped_air: value(k),
            wave_crest: if k % 10 == 0 { 0.5 * value(k) } else { 0.0 },
            vorticity: 10.0 * value(k),
            energy: value(k),
        };
        (0..5000).map(potential).collect()
    }

    #[test]
    fn limits_are_percentiles_above_what_gravity_holds() {
        let find = |threads| {
            with_threads(threads, || {
                let mut search = LimitSearch::default();
                (1..4).for_each(|frame| search.add(&potentials(frame as Real)));
                search
            })
        };
        let search = find(1);
        let free = search.limits(0.0, 0.1);
        assert_eq!(find(3).limits(0.0, 0.1), free);
        // Of three frames uniform up to 1, 2 and 3: 2 % are above 2.82.
        assert!((free.trapped_air[0] - 2.82).abs() < 0.05, "{free:?}");
        assert_eq!(free.trapped_air[1], 2.0 * free.trapped_air[0]);
        let heavy = search.limits(1000.0, 0.1);
        assert_eq!(heavy.trapped_air, [10.0, 20.0]);
        assert_eq!((heavy.vorticity, heavy.energy), ([100.0, 200.0], [100.0, 200.0]));
        assert!(free.wave_crest[0] > 0.1, "of those at crests alone: {free:?}");
    }

    #[test]
    fn calm_water_stays_clear() {
        let mut search = LimitSearch::default();
        search.add(&potentials(0.01));
        let limits = search.limits(9.81, 0.04);
        let largest = potentials(0.01).iter().map(|p| p.trapped_air).fold(0.0, Real::max);
        assert_eq!(crate::clamped(largest, limits.trapped_air), 0.0);
    }
}
