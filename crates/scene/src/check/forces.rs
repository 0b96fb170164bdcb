//! Checks of the body forces beside gravity.

use super::checks::Checks;
use crate::problem::Problem;

impl Checks<'_> {
    pub(super) fn forces(&mut self) {
        let model = self.model;
        for (i, force) in model.forces.iter().enumerate() {
            let path = format!("forces[{i}]");
            if let Some((centre, _)) = force.central() {
                self.point(&format!("{path}.centre"), centre);
            }
            if let Some(rows) = force.table() {
                self.table(&path, rows);
            }
        }
    }

    fn table(&mut self, path: &str, rows: &[(f64, [f64; 3])]) {
        if rows.is_empty() {
            let help = "times in s, each with an acceleration in m/s²: [(0.0, (0.0, 0.0, 0.0)), …]";
            self.push(Problem::error(path, "a table without rows", help));
        }
        for (k, (time, acceleration)) in rows.iter().enumerate() {
            let at = format!("{path}[{k}]");
            let is_time = self.within(&format!("{at}[0]"), *time, -1e9..=1e9, "s");
            self.vector(&format!("{at}[1]"), acceleration, 1e6, "m/s²");
            let before = k.checked_sub(1).map(|last| rows[last].0);
            if let Some(before) = before.filter(|before| is_time && time <= before) {
                let message = format!("{time} s does not come after {before} s");
                let help = "the times of a table ascend, each once";
                self.push(Problem::error(format!("{at}[0]"), message, help));
            }
        }
    }
}
