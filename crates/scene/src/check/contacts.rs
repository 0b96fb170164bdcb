//! Checks of the contact laws of solids and walls.

use super::checks::{Checks, brief};
use crate::model::Domain;
use crate::problem::Problem;
use hashfall_solid::{ContactAngle, ContactLaw};

/// Surfaces stay below this speed \[m/s\].
const MAX_SURFACE_SPEED: f64 = 1e4;

impl Checks<'_> {
    /// The contact of a surface.
    pub(super) fn contact(&mut self, path: &str, contact: &ContactLaw) {
        let angle = format!("{path}.contact_angle");
        let is_angle = self.contact_angle(&angle, contact.contact_angle);
        self.solver_contact(path, contact, is_angle);
        let velocity = format!("{path}.velocity");
        if self.vector(&velocity, &contact.velocity, MAX_SURFACE_SPEED, "m/s") && self.is_plane() {
            self.in_plane(&velocity, contact.velocity[1]);
        }
    }

    /// The angles of a surface, of which the advancing one is the larger; returns whether they are
    /// sound.
    fn contact_angle(&mut self, path: &str, angle: ContactAngle) -> bool {
        let ContactAngle { advancing, receding } = angle;
        let all = 0.0..=180.0;
        if advancing == receding || advancing.is_nan() && receding.is_nan() {
            return self.is_sound(path) && self.within(path, advancing, all, "°");
        }
        let is_sound = self.within(&format!("{path}[0]"), advancing, all.clone(), "°")
            & self.within(&format!("{path}[1]"), receding, all, "°");
        if is_sound && advancing < receding {
            let [low, high] = [advancing, receding].map(brief);
            let message = format!(
                "fluid advances at {low} degrees and draws back at {high}, which is larger"
            );
            let help = format!("contact_angle: ({high}, {low}), the advancing angle first");
            self.push(Problem::error(path, message, &help));
        }
        is_sound && advancing >= receding
    }

    /// The contacts of the walls.
    pub(super) fn walls(&mut self) {
        let Domain::Box { contact, sides, .. } = &self.model.domain;
        self.contact("domain.contact", contact);
        let mut acts_as_all = [false; 3];
        for (wall, (key, side)) in sides.all().into_iter().enumerate() {
            let (axis, path) = (wall / 2, format!("domain.sides.{key}"));
            let Some(side) = side else {
                acts_as_all[axis] |= self.has_walls(axis);
                continue;
            };
            self.contact(&path, &side);
            if self.has_walls(axis) {
                self.along_wall(&path, axis, &side);
            } else {
                let message = format!("there is no wall `{key}`");
                let help = "leave it out: this side is periodic, or none of the plane's";
                self.push(Problem::error(path, message, help).also_at("domain.periodic"));
            }
        }
        for axis in (0..3).filter(|&axis| acts_as_all[axis]) {
            self.along_wall("domain.contact", axis, contact);
        }
    }

    /// Whether the domain has walls across an axis.
    fn has_walls(&self, axis: usize) -> bool {
        let Domain::Box { periodic, .. } = &self.model.domain;
        !periodic[axis] && self.axes().contains(&axis)
    }

    /// Walls stay where they are.
    fn along_wall(&mut self, path: &str, axis: usize, contact: &ContactLaw) {
        let across = contact.velocity[axis];
        // What is no speed at all is told already.
        if across != 0.0 && across.abs() <= MAX_SURFACE_SPEED {
            let name = ["x", "y", "z"][axis];
            let message = format!(
                "a wall across {name} moves along itself only, not at {} m/s along {name}",
                brief(across)
            );
            let help = "0.0 here; `sides` give single walls a velocity of their own";
            self.push(Problem::error(format!("{path}.velocity[{axis}]"), message, help));
        }
    }
}
