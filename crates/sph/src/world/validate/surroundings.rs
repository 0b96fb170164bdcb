//! What acts on particles beside each other: body forces, the frame, and solids.

use super::ranges::{all_finite, finite, fraction, not_negative, out_of_range, positive};
use crate::world::{BodyForce, World, WorldError};
use hashfall_core::{Dimension, Vec3, to_f64};
use hashfall_solid::{ContactAngle, ContactLaw};

impl World {
    /// Gravity, body forces, and the motion of the frame.
    pub(super) fn validate_forces(&self) -> Result<(), WorldError> {
        all_finite("gravity", &to_f64(&self.gravity))?;
        if self.dimension == Dimension::Two && self.gravity.y != 0.0 {
            return Err(out_of_range("gravity.y", self.gravity.y.into(), "0 in the plane"));
        }
        for (k, force) in self.forces.iter().enumerate() {
            validate_force(&format!("forces[{k}]"), force)?;
        }
        let Some(frame) = &self.frame else { return Ok(()) };
        let motion = frame.frame_motion(self.time);
        let vectors = [motion.acceleration, motion.angular_velocity, motion.angular_acceleration];
        let numbers = motion.to_frame.iter().chain(vectors.iter().flat_map(|v| v.iter()));
        numbers.copied().try_for_each(|x| finite("frame", x))
    }

    /// The laws by which walls and bodies act.
    pub(super) fn validate_contact_laws(&self) -> Result<(), WorldError> {
        let laws = self.solids.contact_laws();
        laws.iter().enumerate().try_for_each(|(surface, law)| validate_law(surface, law))
    }

    /// The shapes of the solids where they are now.
    pub(super) fn validate_shapes(&self) -> Result<(), WorldError> {
        for (k, ball) in self.solids.spheres().iter().enumerate() {
            all_finite(&format!("solids.spheres[{k}].centre"), &to_f64(&ball.centre))?;
            positive(&format!("solids.spheres[{k}].radius"), ball.radius.into())?;
        }
        for (k, round) in self.solids.rounds().iter().enumerate() {
            let bounds = round.aabb();
            let corners = [to_f64(&bounds.min), to_f64(&bounds.max)];
            all_finite(&format!("solids.rounds[{k}]"), corners.as_flattened())?;
        }
        for (k, mesh) in self.solids.meshes().iter().enumerate() {
            let is_finite = |x: &Vec3| x.iter().all(|c| c.is_finite());
            if !mesh.vertices.iter().all(is_finite) {
                let name = format!("solids.meshes[{k}].vertices");
                return Err(out_of_range(&name, f64::NAN, "finite"));
            }
        }
        Ok(())
    }
}

fn validate_force(name: &str, force: &BodyForce) -> Result<(), WorldError> {
    match force {
        BodyForce::Central { centre, stiffness } => {
            all_finite(&format!("{name}.centre"), centre)?;
            not_negative(&format!("{name}.stiffness"), *stiffness)
        }
        BodyForce::Table(rows) => {
            if rows.is_empty() {
                return Err(out_of_range(&format!("{name}.rows"), 0.0, "at least 1"));
            }
            for (k, (time, acceleration)) in rows.iter().enumerate() {
                let name = format!("{name}[{k}]");
                finite(&name, *time)?;
                all_finite(&name, acceleration)?;
                if k > 0 && rows[k - 1].0 > *time {
                    return Err(out_of_range(&name, *time, "no earlier than the time before"));
                }
            }
            Ok(())
        }
    }
}

fn validate_law(surface: usize, law: &ContactLaw) -> Result<(), WorldError> {
    let name = |field: &str| format!("solids.contact_laws[{surface}].{field}");
    not_negative(&name("friction"), law.friction)?;
    fraction(&name("restitution"), law.restitution)?;
    all_finite(&name("velocity"), &law.velocity)?;
    let ContactAngle { advancing, receding } = law.contact_angle;
    let name = name("contact_angle");
    if !(0.0..=180.0).contains(&advancing) {
        return Err(out_of_range(&name, advancing, "from 0 to 180"));
    }
    match (0.0..=advancing).contains(&receding) {
        true => Ok(()),
        false => Err(out_of_range(&name, receding, "from 0 to the advancing angle")),
    }
}
