//! The result of a run in a few numbers, for the closing summary.

use super::energy::EnergyReference;
use super::limits::{Breach, most_compressed};
use hashfall_core::timer::StageTimes;
use hashfall_sph::step::StepReport;
use hashfall_sph::world::{EmitterState, World};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The whole run in a few numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunReport {
    /// Frames written, with the first.
    pub frames: u32,
    /// Steps taken.
    pub steps: u64,
    /// Simulated time reached \[s\].
    pub time: f64,
    /// Wall-clock time of the loop, since the run was last resumed.
    #[serde(skip)]
    pub wall: Duration,
    /// That time per stage.
    #[serde(skip)]
    pub stages: StageTimes,
    /// Steps taken in that time.
    #[serde(skip)]
    pub timed_steps: u64,
    /// Steps that were rejected and repeated with a smaller time step.
    pub rejected: u64,
    /// Steps in which the density, divergence or viscosity solve hit the iteration limit.
    pub capped: u64,
    /// Vertices of elastic bodies that went through a triangle, where contact may miss some.
    #[serde(default)]
    pub passages: u64,
    /// Steps that left contact of free bodies inexact.
    #[serde(default)]
    pub inexact_contacts: u64,
    /// Edges of elastic bodies that go through their triangles in the last frame.
    #[serde(default)]
    pub intersections: u64,
    /// Largest density error of any step \[–\].
    pub density_error_max: f64,
    /// Where and when that was \[m, s\]; `None` where no particle is compressed.
    #[serde(default)]
    pub density_error_max_at: Option<([f64; 3], f64)>,
    /// The sum of the mean density errors of all steps \[–\].
    #[serde(default)]
    pub density_error_sum: f64,
    /// Deepest penetration into a solid, in particle spacings d.
    pub deepest_penetration: f64,
    /// Steps and frames that exceeded a limit, where that is allowed.
    pub breaches: u64,
    /// The first of them.
    pub first_breach: Option<String>,
    /// The energy that gains are measured against; `None` before the first step, and in a run that
    /// was resumed with other settings.
    pub energy: Option<EnergyReference>,
    /// The progress of each emitter.
    #[serde(skip)]
    pub emitters: Vec<EmitterState>,
    /// Digest of the state at the end.
    #[serde(skip)]
    pub digest: u64,
    /// That of the elastic bodies, if there are any.
    #[serde(skip)]
    pub elastic_digest: Option<u64>,
    /// Whether there is a fluid.
    #[serde(skip)]
    pub has_fluid: bool,
}

impl RunReport {
    /// Counts a step that led to the present state of a world.
    pub fn add_step(&mut self, world: &World, step: &StepReport) {
        self.steps += 1;
        self.timed_steps += 1;
        self.rejected += u64::from(step.rejected);
        self.passages += step.elastic.contact.passages;
        self.inexact_contacts += u64::from(step.contact.is_inexact());
        let solved = [step.density, step.divergence, step.viscosity];
        self.capped += u64::from(solved.iter().any(|solved| solved.capped));
        self.density_error_sum += step.density_error_mean;
        if step.density_error_max > self.density_error_max {
            self.density_error_max = step.density_error_max;
            let place = most_compressed(world, step.density_error_max);
            self.density_error_max_at = place.map(|place| (place, world.time));
        }
        self.deepest_penetration = self.deepest_penetration.max(step.deepest_penetration);
    }

    /// Counts a breach of a limit.
    pub fn add_breach(&mut self, breach: &Breach) {
        self.breaches += 1;
        self.first_breach.get_or_insert_with(|| breach.to_string());
    }

    /// The mean density error of all particles and steps \[–\].
    pub fn density_error_mean(&self) -> f64 {
        self.density_error_sum / self.steps.max(1) as f64
    }

    /// All counts except frames.
    pub(super) fn counts(&self) -> [u64; 7] {
        let RunReport { steps, rejected, capped, breaches, passages, intersections, .. } = self;
        let of_fluid = [steps, rejected, capped, breaches];
        let of_bodies = [passages, intersections, &self.inexact_contacts];
        std::array::from_fn(|k| if k < 4 { *of_fluid[k] } else { *of_bodies[k - 4] })
    }

    /// Counts a frame that was written.
    pub fn add_frame(&mut self) {
        self.frames += 1;
    }
}
