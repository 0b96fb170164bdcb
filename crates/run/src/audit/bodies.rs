//! The table of bodies that move freely: a row for each of them in each frame.

use super::{Auditor, Row};
use hashfall_output::{bodies, layout};

impl Auditor<'_> {
    /// Checks that each frame has every body once, turned without being stretched.
    pub(super) fn free_bodies(&mut self, rows: &[Row]) {
        let expected: Vec<usize> =
            self.world.solids.driven_bodies().map(|body| body.body - 1).collect();
        if expected.is_empty() {
            return;
        }
        let Some(bytes) = self.read(layout::BODIES) else { return };
        let poses = bodies::poses(&bytes);
        for row in rows {
            let found = poses.get(&row.frame).into_iter().flatten().map(|(solid, _)| *solid);
            let is_whole = found.eq(expected.iter().copied());
            self.expect(is_whole, layout::BODIES, || {
                format!("frame {} has not one whole row for each body", row.frame)
            });
        }
    }
}
