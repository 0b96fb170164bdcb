//! Which positions are blocked by solids, and how far away solids are.

use crate::model::{Model, SolidModel};
use hashfall_core::{Real, Vec3, to_real, vec3};
use hashfall_fill::uneven::SolidSpace;
use hashfall_search::BroadPhase;
use hashfall_solid::{Occlusion, Solids};

/// Tells whether particles of a radius \[m\] at these places would lie in solids, or nearer to
/// one.
pub type Blocked<'a> = dyn Fn(&[Vec3], Real) -> Vec<bool> + 'a;

/// What solids leave of space, by a structure over them.
struct Space<'a, B: BroadPhase>(Occlusion<'a, B>);

impl<B: BroadPhase> SolidSpace for Space<'_, B> {
    fn blocks(&self, points: &[Vec3], r: Real) -> Vec<bool> {
        self.0.occludes(points, r)
    }

    #[allow(clippy::useless_conversion, reason = "a conversion only where Real is f32")]
    fn signed_distance(&self, x: &[f64; 3], reach: f64) -> f64 {
        f64::from(self.0.signed_distance(&vec3(*x), to_real(reach)))
    }
}

/// Answers all questions about places that solids take, from one structure over them.
pub fn with_space<T>(model: &Model, solids: &Solids, ask: impl FnOnce(&dyn SolidSpace) -> T) -> T {
    let is_hollow: Vec<bool> = model.solids.iter().filter_map(SolidModel::is_hollow).collect();
    let r = to_real(model.particle_radius());
    hashfall_search::with_broad_phase!(model.broad_phase, Broad => {
        ask(&Space(Occlusion::<Broad>::new(solids, r, &is_hollow)))
    })
}

/// The same of those about places that are blocked.
pub fn with_blocked<T>(model: &Model, solids: &Solids, ask: impl FnOnce(&Blocked) -> T) -> T {
    with_space(model, solids, |space| ask(&|points, r| space.blocks(points, r)))
}
