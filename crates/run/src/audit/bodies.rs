//! The bodies of a run: the table of those that move freely, and where all are in a frame.

use super::{Auditor, Row};
use hashfall_output::bodies::{self, Poses};
use hashfall_output::layout;

impl Auditor<'_> {
    /// Reads where free bodies are, and checks that each frame has every body once, turned without
    /// being stretched.
    pub(super) fn free_bodies(&mut self, rows: &[Row]) -> Poses {
        let expected: Vec<usize> =
            self.world.solids.driven_bodies().map(|body| body.body - 1).collect();
        if expected.is_empty() {
            return Poses::new();
        }
        let Some(bytes) = self.read(layout::BODIES) else { return Poses::new() };
        let poses = bodies::poses(&bytes);
        for row in rows {
            let found = poses.get(&row.frame).into_iter().flatten().map(|(solid, _)| *solid);
            let is_whole = found.eq(expected.iter().copied());
            self.expect(is_whole, layout::BODIES, || {
                format!("frame {} has not one whole row for each body", row.frame)
            });
        }
        poses
    }

    /// Puts the bodies where they are in a frame: particles that a body presses through a
    /// wall count as inside.
    pub(super) fn place_bodies(&mut self, row: &Row, poses: &Poses) {
        self.world.solids.move_to(row.time);
        for (solid, state) in poses.get(&row.frame).into_iter().flatten() {
            // Body 0 is the walls.
            let body = solid.saturating_add(1);
            if let Err(error) = self.world.solids.set_body_state(body, *state) {
                self.fault(layout::BODIES, format!("frame {}: {error}", row.frame));
            }
        }
    }
}
