//! Checks of solids that move freely: their amount of mass, their first motion, and what they
//! cannot stand beside.

use super::checks::Checks;
use crate::model::limits::MAX_BODY_SPEED;
use crate::model::{BodyMotion, FreeMotion, LockedAxis, SolidModel};
use crate::problem::Problem;
use hashfall_core::Dimension;

/// Of a first spin \[rad/s\].
const MAX_SPIN: f64 = 1e5;

impl Checks<'_> {
    /// A free motion at a key path.
    pub(super) fn free_motion(&mut self, path: &str, free: &FreeMotion) {
        self.amount(path, free);
        self.first_motion(path, free);
        self.locks(path, &free.locked);
        let Some(solid) = self.model.solids.iter().find(|solid| is_with(solid, free)) else {
            let message = "the frame of reference cannot move freely";
            let help = "a motion that is known, such as Formula(translate: [\"0.1*sin(6*t)\", …])";
            self.push(Problem::error(path, message, help));
            return;
        };
        if solid.is_hollow() == Some(true) {
            let message = "a hollow mesh has no volume, and so no mass";
            let help = "inside: Solid, with walls that have a thickness";
            let inside = path.replace(".motion", ".inside");
            self.push(Problem::error(path, message, help).also_at(inside));
        }
        if !self.model.elastic.is_empty() {
            let message = "a scene with elastic bodies cannot have solids that move freely";
            let help = "a motion that is known, such as Spin(rpm: 10.0)";
            self.push(Problem::error(path, message, help).also_at("elastic"));
        }
        if self.model.reference_frame != BodyMotion::Still {
            let message = "no solid can move freely in a frame of reference that moves";
            let help = "leave out `reference_frame`, and move the walls";
            self.push(Problem::error(path, message, help).also_at("reference_frame"));
        }
    }

    /// Either a density or a mass.
    fn amount(&mut self, path: &str, free: &FreeMotion) {
        let help = "density: 500.0, in kg/m³; or mass: 2.0, in kg";
        match (free.density, free.mass) {
            (None, None) => {
                self.push(Problem::error(path, "neither `density` nor `mass` is given", help));
            }
            (Some(_), Some(_)) => {
                let message = "`density` and `mass` are both given";
                let place = format!("{path}.mass");
                self.push(Problem::error(place, message, help).also_at(format!("{path}.density")));
            }
            _ => {}
        }
    }

    fn first_motion(&mut self, path: &str, free: &FreeMotion) {
        let (velocity, spin) = (format!("{path}.velocity"), format!("{path}.spin"));
        let is_finite = self.vector(&velocity, &free.velocity, MAX_BODY_SPEED, "m/s")
            & self.vector(&spin, &free.spin, MAX_SPIN, "rad/s");
        if !is_finite || self.model.dimensions != Dimension::Two {
            return;
        }
        if free.velocity[1] != 0.0 {
            let message = "a motion out of the plane";
            self.push(Problem::error(velocity, message, "0 along y").also_at("dimensions"));
        }
        if free.spin[0] != 0.0 || free.spin[2] != 0.0 {
            let message = "a rotation out of the plane";
            self.push(Problem::error(spin, message, "about y alone").also_at("dimensions"));
        }
    }

    fn locks(&mut self, path: &str, locked: &[LockedAxis]) {
        for (k, lock) in locked.iter().enumerate() {
            if locked[..k].contains(lock) {
                let message = format!("`{lock:?}` is locked twice");
                let place = format!("{path}.locked[{k}]");
                self.push(Problem::error(place, message, "each axis once"));
            }
        }
    }
}

/// Whether a solid has just this motion.
fn is_with(solid: &SolidModel, free: &FreeMotion) -> bool {
    matches!(solid.motion(), BodyMotion::Free(motion) if std::ptr::eq(motion, free))
}
