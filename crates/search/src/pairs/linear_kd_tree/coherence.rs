//! Temporal coherence: a sorted array that is mended in place of being made anew.
//!
//! Poirrier 2009, §7.1, leaves it open: as a box has now more and now fewer parts, no insertion
//! sort can continue from the old order. His proposal is to cut every box into eight.
//!
//! Deviation: boxes keep the parts they have. A box has the same parts for as long as its corners
//! stay in their finest cells, which costs a comparison to see. The parts of all others are struck
//! from the array, and their new ones, sorted among themselves, merged into it. So the array is the
//! one that a full sort would make, at a cost that goes with what has moved.
//!
//! - The cells have to stay, too: they do until the boxes outgrow the root, fill less than half of
//!   it along some axis, or have another size.
//! - Where more than one box in [`MAX_MOVED`] has moved, a full sort is as quick.

use super::cells::Cells;
use super::tree::{LinearKdTree, Part};
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel;

/// Boxes for each one that may have moved.
const MAX_MOVED: usize = 3;

/// Parts of the old array that a task merges.
const PIECE: usize = 4096;

impl<const UNIQUE: bool, const COHERENT: bool> LinearKdTree<UNIQUE, COHERENT> {
    /// Mends the array for boxes that have moved little, in cells that the boxes would have now;
    /// returns whether it could.
    pub(crate) fn mend(&mut self, boxes: &[Aabb], cells: &Cells) -> bool {
        if self.past.spans.len() != boxes.len() || !self.cells.may_stand_for(cells) {
            return false;
        }
        if self.past.see(boxes, &self.cells) > boxes.len() / MAX_MOVED {
            return false;
        }
        self.cut_moved();
        let fresh = std::mem::take(&mut self.fresh);
        self.fresh = self.sorted(fresh);
        self.merge();
        true
    }

    /// Cuts the boxes that have moved.
    fn cut_moved(&mut self) {
        let mut cut = std::mem::take(&mut self.cut);
        cut.clear();
        parallel::extend(&mut cut, self.past.has_moved.len(), |object| {
            let parts = || self.parts_of(object as u32, self.past.spans[object]);
            self.past.has_moved[object].then(parts).into_iter().flatten()
        });
        self.cut = cut;
    }

    /// Merges what has been cut and sorted with what has not moved.
    fn merge(&mut self) {
        let fresh = &self.fresh;
        let order = |part: &Part| (part.node.number, part.object);
        let first_fresh = |piece: &[Part]| match piece.first() {
            Some(part) => fresh.partition_point(|f| order(f) < order(part)),
            None => fresh.len(),
        };
        let pieces: Vec<&[Part]> = self.parts.chunks(PIECE).collect();
        // What comes before the first part of a piece belongs to the piece before.
        let fresh_of = |piece: usize| {
            let from = if piece == 0 { 0 } else { first_fresh(pieces[piece]) };
            from..first_fresh(pieces.get(piece + 1).copied().unwrap_or_default())
        };
        let has_moved = &self.past.has_moved;
        // What has been cut is sorted by now.
        let mut merged = std::mem::take(&mut self.cut);
        merged.clear();
        parallel::extend(&mut merged, pieces.len(), |piece| {
            let mut fresh = fresh[fresh_of(piece)].iter().copied().peekable();
            let still = pieces[piece].iter().copied();
            let mut still = still.filter(|part| !has_moved[part.object as usize]).peekable();
            std::iter::from_fn(move || match (still.peek(), fresh.peek()) {
                (Some(a), Some(b)) if order(b) < order(a) => fresh.next(),
                (Some(_), _) => still.next(),
                (None, _) => fresh.next(),
            })
        });
        self.cut = std::mem::replace(&mut self.parts, merged);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::PairSearch;
    use crate::{CoherentLinearKdTree, LinearKdTree2, LinearKdTreeSettings, RootCell};
    use hashfall_core::geometry::random::Random;
    use hashfall_core::{Real, Vec3};

    /// Cubes of edge 1 in a cube, and one in each corner that holds its size.
    fn cubes(count: usize, edge: Real, random: &mut Random) -> Vec<Aabb> {
        let low = (0..count).map(|_| random.vec3(0.0, edge - 1.0));
        let corners = [Vec3::zeros(), Vec3::from_element(edge - 1.0)];
        corners.into_iter().chain(low).map(|low| Aabb::new(low, low.add_scalar(1.0))).collect()
    }

    fn cells_of(tree: &CoherentLinearKdTree, boxes: &[Aabb]) -> Cells {
        let bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        Cells::new(boxes, &bounds, tree.settings.root)
    }

    #[test]
    fn a_mended_array_is_that_of_a_full_sort() {
        for root in [RootCell::Fitted, RootCell::Stretched, RootCell::Cubic] {
            let settings = LinearKdTreeSettings { root, ..LinearKdTreeSettings::default() };
            let mut random = Random::new(8);
            let mut boxes = cubes(5000, 40.0, &mut random);
            let mut tree = CoherentLinearKdTree::with(settings);
            tree.rebuild(&boxes);
            for step in 0..12 {
                // Of each eight one goes anywhere, in some steps none.
                for (k, b) in boxes.iter_mut().enumerate().skip(2) {
                    if step % 4 > 0 && k % 8 == step % 8 {
                        let low = random.vec3(0.0, 39.0);
                        *b = Aabb::new(low, low.add_scalar(1.0));
                    }
                }
                let cells = cells_of(&tree, &boxes);
                assert!(tree.mend(&boxes, &cells), "{root:?}, step {step}");
                let mut sorted = LinearKdTree2::with(settings);
                sorted.cells = tree.cells.clone();
                sorted.make(&boxes);
                assert!(tree.parts == sorted.parts, "{root:?}, step {step}");
            }
        }
    }

    #[test]
    fn what_has_changed_too_much_is_sorted_anew() {
        let mut random = Random::new(9);
        let boxes = cubes(500, 20.0, &mut random);
        let mut tree = CoherentLinearKdTree::default();
        let mended = |tree: &mut CoherentLinearKdTree, boxes: &[Aabb]| {
            let cells = cells_of(tree, boxes);
            tree.mend(boxes, &cells)
        };
        assert!(!mended(&mut tree, &boxes), "there is none to mend");
        tree.rebuild(&boxes);
        assert!(mended(&mut tree, &boxes));
        assert!(!mended(&mut tree, &boxes[1..]), "another number");
        let grown: Vec<Aabb> = boxes.iter().map(|b| b.grown(0.3)).collect();
        assert!(!mended(&mut tree, &grown), "other cells");
        let elsewhere = cubes(500, 20.0, &mut random);
        assert!(!mended(&mut tree, &elsewhere), "most have moved");
    }
}
