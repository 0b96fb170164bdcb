//! Where in time viscosity acts on velocities, so that a step is of second order.
//!
//! A step is kick–drift–kick: forces are found at an instant t from velocities v of half a kick
//! before, and act from there to the velocities v⁺ with which particles drift on, for
//! ½(dt + dt′), with dt the step that has ended and dt′ the one to come. Forces of v⁺ would damp
//! all that is stiff, but are late by ½dt′: of first order. So viscosity acts on the velocity on
//! the straight line between those at the start of the step that has ended, at t − dt, and v⁺, at
//! t + ½dt′:
//!
//! - w = θ v⁺ + (1 − θ) v₀,  θ = dt/(dt + ½dt′).
//!
//! With even steps θ = ⅔. Of a mode of the rate λ the drifts' velocities vₙ then follow
//! (1 + ⅔z) vₙ₊₁ = (1 − z/6) vₙ − (z/6) vₙ₋₁, z = λ dt, both of whose roots are within the unit
//! circle for all z > 0, and tend to ½ as z grows. A mode of the frequency ω has its forces off by
//! 0.29 (ω dt)².
//!
//! Motion at the start of a run may be of any kind: v⁺ alone counts in the first step (θ = 1), and
//! what is stiff has died out before a velocity at a start counts. Two steps of first order leave
//! all of second order. Motion that is as stiff later, as that by an impact, leaves up to a quarter
//! of itself for two steps, turned round.
//!
//! What was tried: v⁺ alone lets the amplitude over an oscillating plate fall by ¼ω dt too fast,
//! and the phase by as much too slowly. The mean of v and v⁺, of second order as well, throws all
//! that is stiff to and fro without end.

use hashfall_core::Real;

/// Viscosity is solved for at most for so long a step \[s\]: nothing may limit that of a fluid at
/// rest.
const MAX_STEP: f64 = 1e3;

/// How much longer than the step before the one to come is taken to be \[–\]: frames end such
/// steps, and will. So θ is at least ½: with less, what is stiff would grow.
const MAX_GROWTH: f64 = 2.0;

/// The time that a solution for viscosity is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViscousSpan {
    /// dt′ \[s\].
    pub next: f64,
    /// From v to v⁺ \[s\].
    pub kick: Real,
    /// θ \[–\].
    pub weight: Real,
}

impl ViscousSpan {
    /// After a step of `last` \[s\], where `longest` is the step that all but viscosity allows now.
    /// Without a step before, velocities are those at the instant: half a kick follows, with the
    /// forces at its end. After the first step of all, which `is_first` tells, velocities at the
    /// start do not count.
    pub fn new(last: Option<f64>, longest: f64, is_first: bool) -> Self {
        let next = longest.min(MAX_STEP);
        let Some(last) = last.filter(|last| *last > 0.0) else {
            return ViscousSpan { next, kick: (0.5 * next) as Real, weight: 1.0 };
        };
        let next = next.min(MAX_GROWTH * last);
        let weight = match is_first {
            true => 1.0,
            false => last / (last + 0.5 * next),
        };
        ViscousSpan { next, kick: (0.5 * (last + next)) as Real, weight: weight as Real }
    }

    /// Whether the velocities at the start of a step count.
    pub fn has_start(&self) -> bool {
        self.weight < 1.0
    }

    /// τ, for which the forces of w lead to w \[s\].
    pub fn tau(&self) -> Real {
        self.weight * self.kick
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mode of a rate \[1/s\] after steps of these lengths, each of which was expected, at the
    /// start of a run or later.
    fn decayed(rate: f64, steps: &[f64], is_first: bool) -> Vec<f64> {
        let acceleration = |v: f64, start: f64, span: ViscousSpan| {
            let (kick, weight, tau) =
                (f64::from(span.kick), f64::from(span.weight), f64::from(span.tau()));
            assert!((tau - weight * kick).abs() < 1e-6 * kick);
            let u = weight * v + (1.0 - weight) * start;
            -rate * u / (1.0 + rate * tau)
        };
        let mut v = 1.0;
        let mut a = acceleration(v, v, ViscousSpan::new(None, steps[0], true));
        let mut all = Vec::new();
        for (k, dt) in steps.iter().enumerate() {
            let (start, halfway) = (v, v + 0.5 * dt * a);
            let next = steps.get(k + 1).unwrap_or(dt);
            let span = ViscousSpan::new(Some(*dt), *next, is_first && k == 0);
            a = acceleration(halfway, start, span);
            v = halfway + 0.5 * dt * a;
            all.push(v);
        }
        all
    }

    #[test]
    fn half_as_long_steps_leave_a_quarter_of_the_error() {
        // As long as each other, and every other one half as long again.
        for uneven in [1.0, 1.5] {
            let [coarse, fine] = [8, 16].map(|n| {
                let dt = 2.0 / (0.5 * (1.0 + uneven) * f64::from(n));
                let steps = (0..n).map(|k| if k % 2 == 0 { dt } else { uneven * dt });
                decayed(1.0, &steps.collect::<Vec<_>>(), true).last().unwrap() - (-2.0_f64).exp()
            });
            let order = (coarse / fine).log2();
            assert!((order - 2.0).abs() < 0.2, "{order}: {coarse} {fine}");
        }
    }

    #[test]
    fn stiff_modes_are_damped_whatever_the_steps_are() {
        for rate in [3.0, 30.0, 300.0, 1e5] {
            for steps in [[1.0, 1.0, 1.0], [1.0, 0.5, 0.7], [0.2, 1.0, 0.3], [1.0, 1.4, 1.9]] {
                let all: Vec<f64> = steps.iter().cycle().take(30).copied().collect();
                let largest = |is_first: bool, from: usize| {
                    let left = decayed(rate, &all, is_first);
                    left[from..].iter().fold(0.0, |most: f64, v| most.max(v.abs()))
                };
                let later = [0, 5, 10].map(|from| largest(false, from));
                let is_damped = later[0] < 0.6 && later[1] < 0.02 && later[2] < 0.003;
                assert!(is_damped, "{rate}, {steps:?}: {later:?}");
                // Nothing is left to be thrown to and fro where steps are even.
                let even = decayed(rate, &[1.0; 4], true);
                assert!(even.iter().all(|v| v.abs() < 1.01 / (1.0 + rate)), "{rate}: {even:?}");
            }
        }
    }

    #[test]
    fn steps_after_a_short_one_are_taken_to_be_short() {
        assert_eq!(ViscousSpan::new(Some(0.1), 1.0, false).next, 0.2);
        assert_eq!(ViscousSpan::new(Some(0.8), 1.0, false).next, 1.0);
        assert_eq!(ViscousSpan::new(None, 1e9, true).next, MAX_STEP);
    }
}
