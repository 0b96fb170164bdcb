//! Floods: the open cells that fluid reaches from the seed of a vessel, below a height.

use super::vessel::Vessel;

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
    pub(super) fn flood(&self, layers: usize) -> Flood {
        let grid = &self.cells.grid;
        let mut flood =
            Flood { is_wet: vec![false; grid.counts.iter().product()], touches_side: false };
        if self.seed[2] >= layers {
            return flood;
        }
        let mut pending = vec![self.seed];
        flood.is_wet[self.number(self.seed)] = true;
        while let Some(cell) = pending.pop() {
            flood.touches_side |= grid.is_at_side(cell);
            self.for_each_new(cell, &mut flood.is_wet, layers, |next| pending.push(next));
        }
        flood
    }
}
