//! `bodies.csv`: a row per frame and body whose place is state.
//!
//! Rows are appended as those of the log. A checkpoint keeps the length of the file, not its bytes.

use super::table::{Table, number};
use hashfall_bodies::{BodyState, Wrench};
use std::collections::BTreeMap;

/// The columns before the numbers.
const HEAD: [&str; 4] = ["frame", "time", "body", "name"];
/// The numbers: place, orientation, velocity and spin, then what acts on the body.
const NUMBERS: [&str; 25] = [
    "x",
    "y",
    "z",
    "qw",
    "qx",
    "qy",
    "qz",
    "velocity_x",
    "velocity_y",
    "velocity_z",
    "spin_x",
    "spin_y",
    "spin_z",
    "force_x",
    "force_y",
    "force_z",
    "torque_x",
    "torque_y",
    "torque_z",
    "contact_force_x",
    "contact_force_y",
    "contact_force_z",
    "contact_torque_x",
    "contact_torque_y",
    "contact_torque_z",
];

/// A body in a frame, and what has acted on it since the frame before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyRow {
    /// Its number among the scene's solids; further balls of a field come after all of these.
    pub solid: usize,
    /// Where its centre of mass is, how it is turned from its place in the scene, and how fast.
    pub state: BodyState,
    /// Mean force of the fluid \[N\], and torque about the centre of mass \[N m\]; 0 in the first
    /// frame.
    pub fluid: Wrench,
    /// The same of what it touches, and of what locks or holds it.
    pub contact: Wrench,
}

impl BodyRow {
    /// Its numbers, in the order of the columns.
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let BodyState { position, velocity, angular_velocity, .. } = self.state;
        let [place, velocity, spin] = [position, velocity, angular_velocity].map(<[f64; 3]>::from);
        let quaternion = self.state.quaternion();
        let state = place.into_iter().chain(quaternion).chain(velocity).chain(spin);
        state.chain(self.fluid.to_array()).chain(self.contact.to_array())
    }
}

/// The table with its header.
pub fn table() -> Table {
    Table::new(HEAD.into_iter().chain(NUMBERS))
}

/// Adds the rows of a frame at a time \[s\], each with its name, if it has one.
pub fn push(table: &mut Table, frame: u32, time: f64, rows: &[BodyRow], names: &[String]) {
    for (k, row) in rows.iter().enumerate() {
        let name = names.get(k).cloned().unwrap_or_default();
        let head = [frame.to_string(), number(time), row.solid.to_string(), name];
        table.push(head.into_iter().chain(row.numbers().map(number)));
    }
}

/// Where bodies are in each frame: their numbers among the scene's solids, and their states.
pub type Poses = BTreeMap<u32, Vec<(usize, BodyState)>>;

/// Where bodies are, as the table has it. Rows that are not whole are passed over.
pub fn poses(bytes: &[u8]) -> Poses {
    let (header, rows) = super::table::complete_rows(bytes);
    let at = |name: &str| header.iter().position(|column| column == name);
    let columns: Option<Vec<usize>> = NUMBERS[..13].iter().map(|name| at(name)).collect();
    let (Some(frames), Some(bodies), Some(columns)) = (at(HEAD[0]), at(HEAD[2]), columns) else {
        return Poses::new();
    };
    let cell = |row: &[String], column: usize| row.get(column).cloned().unwrap_or_default();
    let read = |row: &Vec<String>| {
        let (frame, body) = (cell(row, frames).parse().ok()?, cell(row, bodies).parse().ok()?);
        let numbers: Vec<f64> =
            columns.iter().map(|column| cell(row, *column).parse().ok()).collect::<Option<_>>()?;
        let state = BodyState::from_quaternion(&std::array::from_fn(|k| numbers[k]));
        (state.is_finite() && state.is_rigid()).then_some((frame, (body, state)))
    };
    let mut poses = Poses::new();
    for (frame, body) in rows.iter().filter_map(read) {
        poses.entry(frame).or_default().push(body);
    }
    poses
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::Point;

    #[test]
    fn a_table_reads_back_where_bodies_were() {
        let state = |x: f64, turns: f64| {
            let angular_velocity = Point::new(0.3, -0.2, 0.5) * turns;
            let moving = BodyState { angular_velocity, ..BodyState::at_rest(Point::repeat(x)) };
            moving.advanced(1.0)
        };
        let [fluid, contact] = [[1.0; 6], [-0.5; 6]].map(Wrench::from);
        let row = |solid, state| BodyRow { solid, state, fluid, contact };
        let mut table = table();
        let names = ["=crate".to_owned()];
        let frames = [[state(0.1, 0.0), state(0.2, 1.0)], [state(0.3, 4.0), state(0.4, 9.0)]];
        for (frame, [a, b]) in (0..).zip(frames) {
            push(&mut table, frame, 0.1, &[row(1, a), row(4, b)], &names);
        }
        let text = String::from_utf8(table.pending().to_vec()).unwrap();
        assert!(text.starts_with("frame,time,body,name,x,y,z,qw,") && text.lines().count() == 5);
        assert!(text.contains("\n1,0.1,1,'=crate,0.3,"), "{text}");
        for (frame, states) in (0..).zip(frames) {
            let read = &poses(text.as_bytes())[&frame];
            assert_eq!(read.iter().map(|row| row.0).collect::<Vec<_>>(), [1, 4]);
            for ((_, read), own) in read.iter().zip(states) {
                assert!((read.orientation.matrix() - own.orientation.matrix()).norm() < 1e-14);
                assert_eq!((read.position, read.velocity), (own.position, own.velocity));
            }
        }
        // The last row is cut.
        assert_eq!(poses(&text.as_bytes()[..text.len() - 9])[&1].len(), 1);
        assert!(poses(b"").is_empty() && poses(b"frame,time\n0,0.0\n").is_empty());
    }
}
