//! Which positions are blocked by solids.

use crate::layout::precision::to_real;
use crate::model::{Model, SolidModel};
use hashfall_core::{Real, Vec3};
use hashfall_solid::{Occlusion, Solids};

/// Tells whether particles of a radius \[m\] at these places would lie in solids, or nearer to one.
pub type Blocked<'a> = dyn Fn(&[Vec3], Real) -> Vec<bool> + 'a;

/// Answers all questions about places that solids take, from one structure over them.
pub fn with_blocked<T>(model: &Model, solids: &Solids, ask: impl FnOnce(&Blocked) -> T) -> T {
    let is_hollow: Vec<bool> = model.solids.iter().filter_map(SolidModel::is_hollow).collect();
    let r = to_real(model.particle_radius);
    hashfall_search::with_broad_phase!(model.broad_phase, Broad => {
        let occlusion = Occlusion::<Broad>::new(solids, r, &is_hollow);
        ask(&|points, r| occlusion.occludes(points, r))
    })
}
