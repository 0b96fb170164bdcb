//! A lock exchange: salt water beside fresh water in one tank; the salt water runs along the floor,
//! the fresh water along the surface, each with a front of speed 0.47 √(g′H), g′ = g Δρ/ρ.
//!
//! A front is where the ten farthest particles of its fluid are, on the mean. Its speed is that
//! from one depth of travel to three, when it is steady and has not met the end of the tank.

use super::panels::{measured_line, over_time, reference_line};
use crate::{Case, Findings, Goal, Measured, Samples, Watch};
use hashfall_output::curves::Curve;
use hashfall_sph::world::World;

/// The case.
pub const CASE: Case = Case {
    name: "lock_exchange",
    about: "Salt water and fresh water run under and over each other, as gravity currents do",
    scene: include_str!("../../scenes/lock_exchange.ron"),
    is_quick: true,
    meshes: &[],
    watch: || Box::new(Lock::default()),
};

/// Depth H and place of the lock \[m\].
const DEPTH: f64 = 0.2;
const LOCK: f64 = 0.8;
/// Speed of a front \[m/s\].
const SPEED: f64 = 0.147;
/// The particles that make a front.
const FRONT: usize = 10;

#[derive(Default)]
struct Lock {
    /// Time \[s\] and travel of either front \[m\]: salt water's, fresh water's.
    travel: [Vec<[f64; 2]>; 2],
}

impl Watch for Lock {
    fn sample(&mut self, world: &World) {
        let p = &world.particles;
        for (phase, along) in [1.0, -1.0].into_iter().enumerate() {
            let of_phase = (0..p.len()).filter(|&i| usize::from(p.phase[i]) == phase);
            let travels = of_phase.map(|i| along * (f64::from(p.position[i].x) - LOCK));
            let mut travels: Vec<f64> = travels.collect();
            travels.sort_by(|a, b| b.total_cmp(a));
            let farthest = travels.iter().take(FRONT).sum::<f64>() / FRONT as f64;
            self.travel[phase].push([world.time, farthest]);
        }
    }

    fn findings(&self, _: &Samples) -> Findings {
        let [salt, fresh] = self.travel.clone().map(Curve::new);
        let speeds = [&salt, &fresh].map(speed);
        let row = |quantity, value| Measured {
            quantity,
            value,
            reference: Some(SPEED),
            goal: Goal::Within(0.95 * SPEED, 1.05 * SPEED),
            unit: "m/s",
        };
        let mean = 0.5 * (speeds[0] + speeds[1]);
        let rows = vec![row("mean speed of both fronts", mean)];
        let theory = salt.map(|[t, _]| [t, SPEED * t]);
        let lines = vec![
            reference_line("0.47 √(g′H)", theory),
            measured_line("salt water", salt),
            measured_line("fresh water", fresh),
        ];
        let panels = vec![over_time("Travel of the fronts", "travel [m]", lines)];
        Findings { measured: rows, panels }
    }
}

/// Speed from one depth of travel to three \[m/s\]; NaN if it does not come so far.
fn speed(travel: &Curve) -> f64 {
    let [from, to] = [1.0, 3.0].map(|depths| travel.first_above(depths * DEPTH));
    2.0 * DEPTH / (to - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fronts_stand_at_the_lock_and_their_speed_is_found() {
        let world = CASE.prepare(&[]).unwrap().world;
        let mut lock = Lock::default();
        lock.sample(&world);
        let at_start = lock.travel.map(|travel| travel[0][1]);
        assert!(at_start.iter().all(|x| (x + 0.005).abs() < 1e-4), "{at_start:?}");
        let run = |speed: f64| {
            Curve::new((0..100).map(|k| [f64::from(k), speed * f64::from(k)]).collect())
        };
        assert!((speed(&run(0.01)) - 0.01).abs() < 5e-4);
        assert!(speed(&run(0.005)).is_nan(), "it does not come to three depths");
    }
}
