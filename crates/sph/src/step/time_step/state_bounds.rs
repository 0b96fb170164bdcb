//! What a step may not make jump: the largest compression and the largest speed.
//!
//! A step jumps from ε and vₘₐₓ before it, with ε the largest compression ρ/ρ₀ − 1,
//!
//! - if ε grows to more than max(2 %, 3 ε), or
//! - if vₘₐₓ grows to more than vₘₐₓ + d/(10 dt). Forces at the step's start explain d/(16 dt) at
//!   most, by their bound in [`super::limits`]; the rest is left to pressure. A shorter step may
//!   grow by more: a true impact passes in the end, and a blow-up grows faster;
//! - if the largest u of a free body grows to more than 2 max(u, vₘₐₓ) + d/(10 dt), with u the
//!   speed that has its kinetic energy. Contact between bodies adds no energy in all, but a heavy
//!   one gives a light one up to twice its speed at once, however short the step is.
//!
//! Symbols: d spacing \[m\], dt step \[s\], v speed \[m/s\], ε \[–\].

use crate::step::time_step::limits::largest;
use crate::world::World;
use hashfall_core::parallel;

/// Compression up to this is no jump \[–\].
const MAX_COMPRESSION: f64 = 0.02;

/// Nor is compression up to this multiple of that before the step.
const MAX_COMPRESSION_RATIO: f64 = 3.0;

/// The most that the largest speed may grow in a step, in spacings a step.
const MAX_SPEED_GAIN: f64 = 0.1;

/// Nor is the speed of a free body up to this multiple of the largest before \[–\].
const MAX_BODY_RATIO: f64 = 2.0;

/// What a step may not make jump.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StateBounds {
    /// Largest compression \[–\].
    pub compression: f64,
    /// Largest speed \[m/s\].
    pub speed: f64,
    /// The largest speed of a free body, as that which has its energy \[m/s\].
    pub body_speed: f64,
}

impl StateBounds {
    /// Those of a world whose largest compression is known.
    pub fn new(world: &World, compression: f64) -> Self {
        let speed = largest(&world.particles.velocity);
        StateBounds { compression, speed, body_speed: world.body_speed() }
    }

    /// Whether a step of `dt` \[s\] from `before` to this, at the spacing `d` \[m\], is a jump.
    pub fn jumps_from(&self, before: &StateBounds, dt: f64, d: f64) -> bool {
        let compression = MAX_COMPRESSION.max(MAX_COMPRESSION_RATIO * before.compression);
        let gain = MAX_SPEED_GAIN * d / dt;
        let body_speed = MAX_BODY_RATIO * before.body_speed.max(before.speed) + gain;
        self.compression > compression
            || self.speed > before.speed + gain
            || self.body_speed > body_speed
    }
}

/// The largest and the mean compression ρ/ρ₀ − 1, where positive.
pub fn compression(world: &World) -> (f64, f64) {
    let p = &world.particles;
    let error = |i: usize| {
        let rest_density = world.fluids[p.phase[i] as usize].rest_density;
        f64::from((p.density[i] / rest_density - 1.0).max(0.0))
    };
    let most = parallel::max(p.len(), 0.0, error);
    let [sum] = parallel::sum_within(p.len(), [most], |i| [error(i)]);
    (most, sum / p.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_little_or_in_proportion_is_no_jump() {
        let at = |compression, speed| StateBounds { compression, speed, body_speed: 0.0 };
        let jumps = |before: StateBounds, after: StateBounds| after.jumps_from(&before, 0.01, 0.1);
        assert!(!jumps(at(0.0, 1.0), at(0.019, 1.9)));
        assert!(jumps(at(0.0, 1.0), at(0.021, 1.0)));
        assert!(!jumps(at(0.01, 1.0), at(0.029, 1.0)));
        assert!(jumps(at(0.01, 1.0), at(0.031, 1.0)));
        // A tenth of a spacing of 0.1 m in 0.01 s.
        assert!(jumps(at(0.0, 1.0), at(0.0, 2.1)));
        assert!(!at(0.0, 2.1).jumps_from(&at(0.0, 1.0), 0.005, 0.1), "half the step allows twice");
        let with_body = |body_speed| StateBounds { body_speed, ..at(0.0, 1.0) };
        assert!(!jumps(with_body(3.0), with_body(6.9)));
        assert!(jumps(with_body(3.0), with_body(7.1)));
        assert!(!jumps(with_body(0.0), with_body(2.9)), "fluid may throw what is light");
    }
}
