//! The time-step governor: how far a step may go, and what limits it.
//!
//! - *sound*:     dt ≤ C d/(c + vₘₐₓ)  – Courant; signals cross less than C spacings
//! - *speed*:     dt ≤ C d/vₘₐₓ        – the same where pressure acts at once: c = 0
//! - *pressure*:  dt ≤ C d/√(p/ρ₀)     – there, too: particles in a lattice under pressure p swing
//!   about their places as if sound went at √(p/ρ₀), and a longer step feeds the swing
//! - *force*:     dt ≤ ¼ √(d/aₘₐₓ)     – Monaghan 1992, eq. 10.1
//! - *viscosity*: dt ≤ ⅛ d²/νₘₐₓ       – Morris et al. 1997, eq. 22
//! - *frame*: the step is cut to land on the frame's time; when less than two steps are left they
//!   are made equal, so that no tiny step remains.
//!
//! Symbols: d spacing \[m\], c speed of sound \[m/s\], v speed \[m/s\], a acceleration \[m/s²\],
//! ν kinematic viscosity \[m²/s\], C Courant number \[–\].

use crate::base::{Real, parallel};
use crate::world::World;

/// What bound a time step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Courant condition on the speed of sound.
    Sound,
    /// The fastest particle.
    Speed,
    /// The largest pressure.
    Pressure,
    /// The largest acceleration.
    Force,
    /// Diffusion of momentum.
    Viscosity,
    /// The end of the frame.
    Frame,
}

impl Limit {
    /// Every limit.
    pub const ALL: [Limit; 6] =
        [Limit::Sound, Limit::Speed, Limit::Pressure, Limit::Force, Limit::Viscosity, Limit::Frame];

    /// The name in logs.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Sound => "sound",
            Limit::Speed => "speed",
            Limit::Pressure => "pressure",
            Limit::Force => "force",
            Limit::Viscosity => "viscosity",
            Limit::Frame => "frame",
        }
    }
}

/// What a solver asks of the governor.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Speed of sound \[m/s\]; `None` where pressure acts at once.
    pub sound_speed: Option<f64>,
    /// √(p/ρ₀) \[m/s\].
    pub pressure_speed: f64,
    /// Courant number \[–\].
    pub courant: f64,
    /// Largest kinematic viscosity, physical and artificial together \[m²/s\].
    pub viscosity: f64,
}

/// The largest stable step from the present state \[s\], and its limit.
pub fn stable_step(world: &World, bounds: &Bounds) -> (f64, Limit) {
    let particles = &world.particles;
    let d = f64::from(world.spacing());
    let largest = |vectors: &[crate::base::Vec3]| -> f64 {
        f64::from(parallel::max(vectors.len(), 0.0 as Real, |i| vectors[i].norm_squared())).sqrt()
    };
    let (speed, acceleration) = (largest(&particles.velocity), largest(&particles.acceleration));
    let way = bounds.courant * d;
    let courant = match bounds.sound_speed {
        Some(sound_speed) => (way / (sound_speed + speed), Limit::Sound),
        None => (way / speed, Limit::Speed),
    };
    [
        (way / bounds.pressure_speed, Limit::Pressure),
        (0.25 * (d / acceleration).sqrt(), Limit::Force),
        (0.125 * d * d / bounds.viscosity, Limit::Viscosity),
    ]
    .into_iter()
    .fold(courant, |best, next| if next.0 < best.0 { next } else { best })
}

/// Cuts a step so that the steps land exactly on `remaining` \[s\] from now.
pub fn trim(stable: (f64, Limit), remaining: f64) -> (f64, Limit) {
    match stable {
        (dt, _) if remaining <= dt => (remaining, Limit::Frame),
        (dt, _) if remaining < 2.0 * dt => (0.5 * remaining, Limit::Frame),
        _ => stable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_land_exactly_and_none_is_tiny() {
        let (mut time, until, mut steps) = (0.0, 1.0, 0);
        while time < until {
            let (dt, _) = trim((0.3, Limit::Sound), until - time);
            assert!(dt > 0.14);
            time = if dt >= until - time { until } else { time + dt };
            steps += 1;
        }
        assert_eq!((time, steps), (1.0, 4));
    }
}
