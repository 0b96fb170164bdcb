//! How spray, foam and bubbles move.
//!
//! Source: Ihmsen et al. 2012. A diffuse particle is what the number of fluid particles
//! around it makes it: spray among few, a bubble among many, else foam. Where solids cover a part
//! of its neighbourhood, the count is that of the rest, scaled up: next to a wall half of it is
//! missing, and a bubble would be foam.
//!
//! - Spray flies: v′ = (v + Δt a) / (1 + Δt k |v|), x′ = x + Δt (v + v′)/2 (a throw is exact).
//! - Foam moves with the fluid: v′ = ṽ(x).
//! - A bubble rises and follows: v′ = (v − Δt k_b g + Δt c ṽ) / (1 + Δt c). In the paper it
//!   follows by a part k_d of the difference in each step; a rate c makes that free of the step.
//!
//! Rates are in natural units of the scene: c = k_d √(g/h) and k = k_s/h, so that a bubble rises
//! at k_b/k_d √(g h) in fluid at rest, whatever the units of length and time.
//!
//! Symbols: x place \[m\], v velocity, ṽ mean velocity of the fluid \[m/s\], g gravity, a all body
//! forces \[m/s²\], h support radius \[m\], Δt substep \[s\].

use crate::diffuse::Kind;
use crate::fluid_cells::FluidSample;
use crate::kind_bounds::{BUBBLE_ABOVE, SPRAY_BELOW};
use crate::resolution::{Resolution, cap_share};
use crate::settings::FoamSettings;
use hashfall_core::{Dimension, Real, Vec3};

/// A neighbourhood of which solids leave no more than this is scaled up no further.
const MIN_FREE_SHARE: Real = 0.25;

/// How diffuse particles move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laws {
    dimension: Dimension,
    full_count: Real,
    support_radius: Real,
    /// k \[1/m\].
    spray_drag: Real,
    /// k_b \[–\].
    buoyancy: Real,
    /// c \[1/s\]; none without gravity: bubbles move with the fluid.
    bubble_rate: Option<Real>,
}

impl Laws {
    /// By the settings, for a fluid under gravity `g` \[m/s²\].
    pub fn new(settings: &FoamSettings, resolution: &Resolution, g: Real) -> Self {
        let h = resolution.support_radius;
        let real = |x: f64| x as Real;
        let rate = real(settings.bubble_drag) * (g / h).sqrt();
        Laws {
            full_count: resolution.full_count(),
            dimension: resolution.dimension,
            support_radius: h,
            spray_drag: real(settings.spray_drag) / h,
            buoyancy: real(settings.buoyancy),
            bubble_rate: (g > 0.0).then_some(rate),
        }
    }

    /// What a particle is among this number of fluid particles, next to solids at these distances
    /// \[m\], and by what it was `before`, if it is not new.
    pub fn kind(
        &self,
        count: u32,
        distances: impl Iterator<Item = Real>,
        before: Option<Kind>,
    ) -> Kind {
        let free = distances
            .map(|d| 1.0 - cap_share(self.dimension, d / self.support_radius))
            .product::<Real>();
        let share = count as Real / (self.full_count * free.max(MIN_FREE_SHARE));
        let spray_below = SPRAY_BELOW.for_kind(before, |kind| kind == Kind::Spray);
        let bubble_above = BUBBLE_ABOVE.for_kind(before, |kind| kind != Kind::Bubble);
        if share < spray_below {
            Kind::Spray
        } else if share > bubble_above {
            Kind::Bubble
        } else {
            Kind::Foam
        }
    }

    /// The way and the velocity after a substep of `dt` \[s\], under body forces `a` \[m/s²\].
    pub fn advance(
        &self,
        kind: Kind,
        velocity: &Vec3,
        fluid: &FluidSample,
        a: &Vec3,
        dt: Real,
    ) -> (Vec3, Vec3) {
        let flow = fluid.velocity;
        match (kind, self.bubble_rate) {
            (Kind::Spray, _) => {
                let next = (velocity + a * dt) / (1.0 + dt * self.spray_drag * velocity.norm());
                ((velocity + next) * (0.5 * dt), next)
            }
            (Kind::Bubble, Some(rate)) => {
                let pushed = velocity - a * (self.buoyancy * dt) + flow * (rate * dt);
                let next = pushed / (1.0 + rate * dt);
                (next * dt, next)
            }
            (Kind::Foam, _) | (Kind::Bubble, None) => (flow * dt, flow),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const G: Real = 9.81;

    fn resolution() -> Resolution {
        Resolution { dimension: Dimension::Three, spacing: 0.02, support_radius: 0.04 }
    }

    fn after(kind: Kind, settings: &FoamSettings, seconds: Real, steps: u32) -> (Vec3, Vec3) {
        let laws = Laws::new(settings, &resolution(), G);
        let a = Vec3::new(0.0, 0.0, -G);
        let (mut x, mut v) = (Vec3::zeros(), Vec3::new(1.0, 0.0, 2.0));
        for _ in 0..steps {
            let fluid = FluidSample { count: 30, velocity: Vec3::x() * 0.3 };
            let (way, next) = laws.advance(kind, &v, &fluid, &a, seconds / steps as Real);
            (x, v) = (x + way, next);
        }
        (x, v)
    }

    #[test]
    fn spray_is_thrown_on_the_parabola_in_any_number_of_steps() {
        for steps in [1, 7] {
            let (x, v) = after(Kind::Spray, &FoamSettings::default(), 0.3, steps);
            let exact = Vec3::new(0.3, 0.0, 0.6 - 0.5 * G * 0.09);
            assert!((x - exact).norm() < 1e-5, "{x}");
            assert!((v - Vec3::new(1.0, 0.0, 2.0 - 0.3 * G)).norm() < 1e-5);
        }
    }

    #[test]
    fn spray_with_drag_falls_at_its_final_speed() {
        // g = k v².
        let settings = FoamSettings { spray_drag: 0.1, ..FoamSettings::default() };
        let (_, v) = after(Kind::Spray, &settings, 5.0, 2000);
        let exact = (G / (0.1 / 0.04)).sqrt();
        assert!((v.z / -exact - 1.0).abs() < 1e-3, "{v} is not {exact}");
    }

    #[test]
    fn bubbles_rise_at_their_final_speed_in_any_step() {
        let settings = FoamSettings { buoyancy: 2.0, bubble_drag: 5.0, ..FoamSettings::default() };
        let exact = 2.0 / 5.0 * (G * 0.04).sqrt();
        for steps in [40, 400] {
            let (_, v) = after(Kind::Bubble, &settings, 2.0, steps);
            assert!((v.z / exact - 1.0).abs() < 1e-4 && (v.x - 0.3).abs() < 1e-4, "{v}");
        }
    }

    #[test]
    fn kinds_follow_the_counts_of_the_paper_and_walls_count_as_fluid() {
        let laws = Laws::new(&FoamSettings::default(), &resolution(), G);
        let none = || std::iter::empty();
        assert_eq!(
            [5, 7, 19, 21].map(|count| laws.kind(count, none(), None)),
            [Kind::Spray, Kind::Foam, Kind::Foam, Kind::Bubble]
        );
        // What it was is kept within a margin about each bound.
        let from = |kind: Kind, count: u32| laws.kind(count, none(), Some(kind));
        assert_eq!([4, 5, 10, 11].map(|count| from(Kind::Foam, count)), {
            [Kind::Spray, Kind::Foam, Kind::Foam, Kind::Foam]
        });
        assert_eq!([10, 11].map(|count| from(Kind::Spray, count)), [Kind::Spray, Kind::Foam]);
        assert_eq!([27, 29].map(|count| from(Kind::Foam, count)), [Kind::Foam, Kind::Bubble]);
        assert_eq!([13, 15].map(|count| from(Kind::Bubble, count)), [Kind::Foam, Kind::Bubble]);
        assert_eq!([3, 30].map(|count| from(Kind::Bubble, count)), [Kind::Spray, Kind::Bubble]);
        assert_eq!(from(Kind::Spray, 30), Kind::Bubble);
        // Half of a full neighbourhood: the rest is behind a wall, or is air.
        assert_eq!(laws.kind(16, none(), None), Kind::Foam);
        assert_eq!(laws.kind(16, [0.0].into_iter(), None), Kind::Bubble);
        assert_eq!(laws.kind(16, [0.04].into_iter(), None), Kind::Foam);
        assert_eq!(laws.kind(0, [0.0, 0.0, 0.0].into_iter(), None), Kind::Spray);
    }
}
