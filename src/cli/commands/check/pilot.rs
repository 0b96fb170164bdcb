//! The pilot of a scene: the same with fewer and larger particles, which runs ahead to tell how
//! long a run will take.

use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use hashfall_core::Dimension;
use hashfall_run::{Estimate, Plan, RunTime};
use hashfall_scene::{Checked, Override, Prepared};
use hashfall_sph::step::StepError;
use std::path::Path;

/// Particles of the pilot.
const PARTICLES: f64 = 600.0;
/// Ratios of the spacings that are tried, in that of [`PARTICLES`] particles: a scene with narrow
/// gaps may have no place for large particles.
const SMALLER: [f64; 2] = [1.0, 0.5];

/// The scene that a pilot is made from.
pub struct PilotSource<'a> {
    /// Its file.
    pub path: &'a Path,
    /// What the arguments change in it.
    pub changes: &'a [Override],
    /// Which files it may name.
    pub path_policy: PathPolicy,
    /// The scene, ready to run.
    pub scene: &'a Prepared,
    /// The same before it was built, if its files need not be read again for larger particles.
    pub checked: Option<Checked>,
}

/// How long a run of the scene will take here; `None` if that is not known.
///
/// # Errors
/// Of a scene without fluid, why the trial ended early.
pub fn run_time(source: &PilotSource, estimate: &Estimate) -> Result<Option<RunTime>, StepError> {
    let plan = Plan::from(source.scene);
    let dimensions = match source.scene.world.dimension {
        Dimension::Two => 2.0,
        Dimension::Three => 3.0,
    };
    let whole = (estimate.most_particles / PARTICLES).powf(1.0 / dimensions);
    let coarse = SMALLER.iter().map(|part| part * whole).filter(|&ratio| ratio > 1.0);
    let pilot = coarse.into_iter().find_map(|ratio| source.coarser(ratio));
    plan.clone().run_time(pilot.unwrap_or(plan), estimate.first_surface)
}

impl PilotSource<'_> {
    /// The scene with a spacing that is this many times larger, if it can be laid out.
    fn coarser(&self, ratio: f64) -> Option<Plan> {
        let world = &self.scene.world;
        if let Some(checked) = &self.checked {
            let coarse = checked.without_files()?.coarser(ratio, self.scene)?;
            return Some(Plan::from(&coarse));
        }
        let set = |key: &str, of_scene: f64| Override::new(key, &format!("{:e}", ratio * of_scene));
        let sizes = [
            set("particle_radius", world.particle_radius.into()),
            set("support_radius", world.support_radius.into()),
        ];
        let changes: Vec<Override> = self.changes.iter().cloned().chain(sizes).collect();
        let coarse = load::prepare(self.path, &changes, self.path_policy).ok()?;
        Some(Plan::from(&coarse))
    }
}
