//! Statistics of the steps between two frames, for the frame's row in the log.

use super::body_sums::BodySums;
use hashfall_sph::step::{Limit, StepReport};
use serde::{Deserialize, Serialize};

/// Sums and extremes over steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FrameStats {
    /// Steps taken.
    pub steps: u64,
    /// Sum of the time steps \[s\].
    pub dt_sum: f64,
    /// Smallest time step \[s\]; 0 without steps.
    pub dt_min: f64,
    /// Steps that were rejected and repeated with a smaller time step.
    pub rejected: u64,
    /// Largest density error \[–\].
    pub density_error_max: f64,
    /// Largest mean density error \[–\].
    pub density_error_mean: f64,
    /// Steps whose density solve, and whose divergence solve, hit the iteration limit.
    pub capped: [u64; 2],
    /// Deepest penetration, in spacings d.
    pub deepest_penetration: f64,
    /// Iterations of the density solve, and of the divergence solve.
    pub iterations: [u64; 2],
    /// Iterations of the viscosity solve, and steps in which it hit the iteration limit.
    #[serde(default)]
    pub viscosity: [u64; 2],
    /// Substeps of elastic bodies, contacts that acted, and vertices that went through a triangle.
    #[serde(default)]
    pub elastic: [u64; 3],
    /// The most contact points of free bodies, rounds in which pressures were found again for them,
    /// and steps that left contact inexact.
    #[serde(default)]
    pub contact: [u64; 3],
    bound_by: [u64; Limit::ALL.len()],
    /// What acted on bodies whose places are state.
    #[serde(default)]
    pub bodies: BodySums,
}

impl FrameStats {
    /// Counts a step.
    pub fn add(&mut self, step: &StepReport) {
        self.dt_min = if self.steps == 0 { step.dt } else { self.dt_min.min(step.dt) };
        self.steps += 1;
        self.dt_sum += step.dt;
        self.rejected += u64::from(step.rejected);
        self.density_error_max = self.density_error_max.max(step.density_error_max);
        self.density_error_mean = self.density_error_mean.max(step.density_error_mean);
        self.deepest_penetration = self.deepest_penetration.max(step.deepest_penetration);
        for (k, solved) in [step.density, step.divergence].into_iter().enumerate() {
            self.iterations[k] += u64::from(solved.iterations);
            self.capped[k] += u64::from(solved.capped);
        }
        self.viscosity[0] += u64::from(step.viscosity.iterations);
        self.viscosity[1] += u64::from(step.viscosity.capped);
        let contact = step.elastic.contact;
        let of_elastic = [step.elastic.substeps, contact.contacts, contact.passages];
        self.elastic.iter_mut().zip(of_elastic).for_each(|(sum, count)| *sum += count);
        let contact = &step.contact;
        self.contact[0] = self.contact[0].max(u64::from(contact.points));
        self.contact[1] += u64::from(contact.rounds);
        self.contact[2] += u64::from(contact.is_inexact());
        self.bound_by[step.limit as usize] += 1;
    }

    /// All counts.
    pub(super) fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        let one_by_one = [self.steps, self.rejected];
        let solved = self.capped.iter().chain(&self.iterations).chain(&self.viscosity);
        let by_kind = solved.chain(&self.bound_by).chain(&self.elastic).chain(&self.contact);
        one_by_one.into_iter().chain(by_kind.copied())
    }

    /// Mean iterations per step of the density solve, and of the divergence solve.
    pub fn iterations_mean(&self) -> [f64; 2] {
        self.iterations.map(|sum| self.mean(sum))
    }

    /// Mean iterations per step of the viscosity solve.
    pub fn viscosity_iterations_mean(&self) -> f64 {
        self.mean(self.viscosity[0])
    }

    /// Mean substeps per step of elastic bodies.
    pub fn substeps_mean(&self) -> f64 {
        self.mean(self.elastic[0])
    }

    fn mean(&self, sum: u64) -> f64 {
        sum as f64 / self.steps.max(1) as f64
    }

    /// The mean time step \[s\]; 0 without steps.
    pub fn dt_mean(&self) -> f64 {
        if self.steps == 0 { 0.0 } else { self.dt_sum / self.steps as f64 }
    }

    /// The limit that set the most steps (the first of equals); empty without steps.
    pub fn limited_by(&self) -> &'static str {
        let max = self.bound_by.iter().copied().max().unwrap_or(0);
        let first = Limit::ALL.into_iter().find(|&limit| self.bound_by[limit as usize] == max);
        first.filter(|_| self.steps > 0).map_or("", Limit::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_sph::step::{ContactSummary, Solved};

    #[test]
    fn sums_extremes_and_the_most_frequent_limit() {
        let mut frame_stats = FrameStats::default();
        assert_eq!(
            (frame_stats.dt_mean(), frame_stats.dt_min, frame_stats.limited_by()),
            (0.0, 0.0, "")
        );
        let contact = ContactSummary { rounds: 2, points: 7, ..ContactSummary::default() };
        let steps = [(0.2, Limit::Force, 0.1), (0.4, Limit::Sound, 0.3), (0.3, Limit::Sound, 0.2)];
        for (dt, limit, density_error_max) in steps {
            frame_stats.add(&StepReport {
                dt,
                limit,
                rejected: if dt == 0.4 { 2 } else { 0 },
                density_error_max,
                density_error_mean: density_error_max / 2.0,
                deepest_penetration: dt / 10.0,
                unconfined_penetration: dt / 20.0,
                deepest_particle: 3,
                density: Solved { iterations: 4, error: 1e-4, capped: false },
                divergence: Solved { iterations: 1, error: 1e-4, capped: dt > 0.25 },
                viscosity: Solved { iterations: 3, error: 1e-6, capped: dt > 0.35 },
                elastic: Default::default(),
                contact: ContactSummary {
                    residual: if dt > 0.35 { 2e-4 } else { 1e-5 },
                    ..contact
                },
            });
        }
        assert!((frame_stats.dt_mean() - 0.3).abs() < 1e-12);
        assert_eq!((frame_stats.dt_min, frame_stats.limited_by()), (0.2, Limit::Sound.name()));
        assert_eq!((frame_stats.density_error_max, frame_stats.density_error_mean), (0.3, 0.15));
        assert_eq!((frame_stats.rejected, frame_stats.capped), (2, [0, 2]));
        assert_eq!(frame_stats.deepest_penetration, 0.04);
        assert_eq!(frame_stats.iterations_mean(), [4.0, 1.0]);
        assert_eq!((frame_stats.viscosity_iterations_mean(), frame_stats.viscosity[1]), (3.0, 1));
        assert_eq!(frame_stats.contact, [7, 6, 1]);
    }
}
