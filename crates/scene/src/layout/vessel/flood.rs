//! Floods: the open cells that fluid reaches from the seed of a vessel, below a height.

use super::vessel::Vessel;

/// The six neighbours of a cell.
pub const FACES: [[isize; 3]; 6] =
    [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]];

/// The open cells that fluid reaches.
#[derive(Clone, Debug)]
pub struct Flood {
    /// By the number of a cell, whether it is reached.
    pub is_wet: Vec<bool>,
    /// Whether a side of the domain is reached.
    pub touches_side: bool,
}

impl Vessel<'_> {
    /// What is reached in the lowest `layers` layers of cells.
    pub fn flood(&self, layers: usize) -> Flood {
        let grid = &self.cells.grid;
        let mut flood =
            Flood { is_wet: vec![false; grid.counts.iter().product()], touches_side: false };
        if self.seed[2] >= layers {
            return flood;
        }
        let is_at_side = |cell: [usize; 3]| {
            [0, 1].into_iter().filter(|a| grid.counts[*a] > 1).any(|a| {
                let within = grid.within(a);
                // The first open cell from a wall may be the second.
                cell[a] <= within.start + 1 || cell[a] + 2 >= within.end
            })
        };
        let mut pending = vec![self.seed];
        flood.is_wet[self.number(self.seed)] = true;
        while let Some(cell) = pending.pop() {
            flood.touches_side |= is_at_side(cell);
            for face in FACES {
                let Some(next) = self.shifted(cell, face) else { continue };
                let number = self.number(next);
                if next[2] < layers && !flood.is_wet[number] && self.is_open(next) {
                    flood.is_wet[number] = true;
                    pending.push(next);
                }
            }
        }
        flood
    }
}
