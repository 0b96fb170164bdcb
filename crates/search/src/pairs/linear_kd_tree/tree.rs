//! The tree: parts of boxes in the order of their cells.

use super::cells::{Cells, Node, RootCell, Span};
use super::parts::{Cutting, Parts};
use super::past::Past;
use crate::cells::radix_sort::RadixSort;
use crate::contract::{PairSearch, Visits, assert_boxes};
use hashfall_core::geometry::Aabb;
use hashfall_core::parallel;

/// Proposes pairs, each up to eight times (kd-tree-1).
pub type LinearKdTree1 = LinearKdTree<false>;

/// Reports each pair of boxes that overlap once (kd-tree-2).
pub type LinearKdTree2 = LinearKdTree<true>;

/// As [`LinearKdTree2`], for boxes that have moved little since the last time (§7.1).
pub type CoherentLinearKdTree = LinearKdTree<true, true>;

/// Places that a task sweeps at a time.
const PIECE: usize = 4096;

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinearKdTreeSettings {
    /// Whether boxes are cut into parts (§4); else each has one cell.
    pub cuts: bool,
    /// Whether cells are those of an octree (§5.3); for roots whose axes are cut as often.
    pub octree: bool,
    /// The interest space (§7.3).
    pub root: RootCell,
}

impl Default for LinearKdTreeSettings {
    fn default() -> Self {
        LinearKdTreeSettings { cuts: true, octree: false, root: RootCell::default() }
    }
}

/// A part of a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) node: Node,
    pub(super) object: u32,
}

/// Parts of boxes in the order of their cells.
#[derive(Debug)]
pub struct LinearKdTree<const UNIQUE: bool, const COHERENT: bool = false> {
    pub(super) settings: LinearKdTreeSettings,
    pub(super) bounds: Aabb,
    pub(super) cells: Cells,
    /// What has been cut, in the order of the boxes, until it is sorted; then room to merge into.
    pub(super) cut: Vec<Part>,
    pub(super) sorter: RadixSort,
    /// In pre-order of their cells.
    pub(super) parts: Vec<Part>,
    /// Parts of boxes that have moved, in that order; of a tree that mends its order.
    pub(super) fresh: Vec<Part>,
    /// The boxes before; of a tree that mends its order.
    pub(super) past: Past,
    /// The box of each part's object; none if pairs are only proposed.
    pub(super) boxes: Vec<Aabb>,
    /// The heights that occur, as bits.
    pub(super) heights: u64,
}

impl<const UNIQUE: bool, const COHERENT: bool> Default for LinearKdTree<UNIQUE, COHERENT> {
    fn default() -> Self {
        LinearKdTree::with(LinearKdTreeSettings::default())
    }
}

impl<const UNIQUE: bool, const COHERENT: bool> PairSearch for LinearKdTree<UNIQUE, COHERENT> {
    const IS_UNIQUE: bool = UNIQUE;
    const IS_EXACT: bool = UNIQUE;

    fn rebuild(&mut self, boxes: &[Aabb]) {
        assert_boxes(boxes);
        self.bounds = boxes.iter().fold(Aabb::EMPTY, |bounds, b| bounds.union(b));
        let cells = Cells::new(boxes, &self.bounds, self.settings.root);
        if !COHERENT || !self.mend(boxes, &cells) {
            self.cells = cells;
            self.make(boxes);
        }
        self.heights = self.parts.iter().fold(0, |set, part| set | 1 << part.node.height);
        if UNIQUE {
            let nothing = Aabb::EMPTY;
            self.boxes.resize(self.parts.len(), nothing);
            let parts = &self.parts;
            parallel::fill(&mut self.boxes, |k, b| *b = boxes[parts[k].object as usize]);
        }
    }

    fn pairs<V: Visits>(&self, visits: &V) -> Vec<V::Answer> {
        let sweep = |piece: usize| self.sweep(piece * PIECE, visits);
        parallel::map_pieces(self.parts.len().div_ceil(PIECE), &sweep)
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.cut[..])
            + self.sorter.bytes()
            + size_of_val(&self.parts[..])
            + size_of_val(&self.fresh[..])
            + self.past.bytes()
            + size_of_val(&self.boxes[..])
    }

    fn assert_well_formed(&self, boxes: &[Aabb]) {
        let order = |part: &Part| (part.node.number, part.object);
        assert!(self.parts.is_sorted_by_key(order), "cells are not in order");
        assert_eq!(self.boxes.len(), if UNIQUE { self.parts.len() } else { 0 });
        let mut cells_of = vec![vec![]; boxes.len()];
        for part in &self.parts {
            assert!(self.heights >> part.node.height & 1 == 1);
            cells_of[part.object as usize].push(part.node);
        }
        for (b, mut found) in boxes.iter().zip(cells_of) {
            let mut wanted = self.cut_box(self.cells.span(b)).nodes().to_vec();
            [&mut found, &mut wanted]
                .into_iter()
                .for_each(|nodes| nodes.sort_by_key(|node| node.number));
            assert_eq!(found, wanted, "cells of {b:?}");
        }
    }
}

impl<const UNIQUE: bool, const COHERENT: bool> LinearKdTree<UNIQUE, COHERENT> {
    /// An empty tree.
    pub fn with(settings: LinearKdTreeSettings) -> Self {
        LinearKdTree {
            settings,
            bounds: Aabb::EMPTY,
            cells: Cells::default(),
            cut: Vec::new(),
            sorter: RadixSort::default(),
            parts: Vec::new(),
            fresh: Vec::new(),
            past: Past::default(),
            boxes: Vec::new(),
            heights: 0,
        }
    }

    /// The number of parts of all boxes.
    pub fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// The volume of the cells of all parts \[m³\], V_n of table 1; shared cells count repeatedly.
    pub fn cell_volume(&self) -> f64 {
        let leaves: f64 = self.parts.iter().map(|part| (1u64 << part.node.height) as f64).sum();
        leaves * self.cells.finest_volume()
    }

    /// The cells of the parts of a box.
    #[inline(always)]
    pub(super) fn cut_box(&self, span: Span) -> Parts {
        let LinearKdTreeSettings { cuts, octree, .. } = self.settings;
        Parts::new(&self.cells, Cutting { cuts, octree }, span)
    }

    /// The parts of an object.
    #[inline(always)]
    pub(super) fn parts_of(
        &self,
        object: u32,
        span: Span,
    ) -> impl Iterator<Item = Part> + use<UNIQUE, COHERENT> {
        let parts = self.cut_box(span);
        (0..parts.nodes().len()).map(move |k| Part { node: parts.nodes()[k], object })
    }

    /// Cuts and sorts all boxes.
    pub(super) fn make(&mut self, boxes: &[Aabb]) {
        let mut cut = std::mem::take(&mut self.cut);
        cut.clear();
        parallel::extend(&mut cut, boxes.len(), |object| {
            self.parts_of(object as u32, self.cells.span(&boxes[object]))
        });
        self.cut = cut;
        let parts = std::mem::take(&mut self.parts);
        self.parts = self.sorted(parts);
        if COHERENT {
            self.past.remember(boxes, &self.cells);
        }
    }

    /// What has been cut, sorted by cell into the memory of `parts`; the parts of one cell stay in
    /// the order of the boxes.
    pub(super) fn sorted(&mut self, mut parts: Vec<Part>) -> Vec<Part> {
        let cut = &self.cut;
        parts.resize(cut.len(), Part::default());
        let number_bits = self.cells.height() + 1;
        self.sorter.sort_by_key(cut.len(), number_bits, |k| cut[k].node.number);
        let sorter = &self.sorter;
        parallel::fill(&mut parts, |place, part| *part = cut[sorter.item(place) as usize]);
        parts
    }

    /// Visits the pairs of the parts of a piece with those before them whose cells are around
    /// theirs.
    fn sweep<V: Visits>(&self, first: usize, visits: &V) -> V::Answer {
        let mut answer = visits.start();
        let mut around = self.around(first);
        for place in first..self.parts.len().min(first + PIECE) {
            let number = self.parts[place].node.number;
            while around.last().is_some_and(|&(last, _)| last < number) {
                around.pop();
            }
            for &(_, outer) in &around {
                self.visit_pair(outer as usize, place, &mut answer, visits);
            }
            around.push((self.parts[place].node.last(), place as u32));
        }
        answer
    }

    /// The parts before a place whose cells are around its cell, the outermost first, each with the
    /// last number in its cell.
    pub(super) fn around(&self, place: usize) -> Vec<(u64, u32)> {
        let path = self.cells.path(self.parts[place].node.number);
        let occurring = path.filter(|node| self.heights >> node.height & 1 == 1);
        let parts = occurring.flat_map(|node| {
            let first = self.first_from(node.number);
            (first..place).take_while(move |&k| self.parts[k].node == node)
        });
        parts.map(|k| (self.parts[k].node.last(), k as u32)).collect()
    }

    /// The first place of a cell of this number or a higher one.
    pub(super) fn first_from(&self, number: u64) -> usize {
        self.parts.partition_point(|part| part.node.number < number)
    }

    #[inline(always)]
    fn visit_pair<V: Visits>(
        &self,
        outer: usize,
        inner: usize,
        answer: &mut V::Answer,
        visits: &V,
    ) {
        if UNIQUE {
            let (a, b) = (&self.boxes[outer], &self.boxes[inner]);
            if !a.overlaps(b) || !self.is_lowest_shared(a, b, &self.parts[inner].node) {
                return;
            }
        }
        let (a, b) = (self.parts[outer].object, self.parts[inner].object);
        visits.visit(answer, a.min(b), a.max(b));
    }

    /// Whether the lowest corner of what two boxes share lies in a cell.
    #[inline(always)]
    pub(super) fn is_lowest_shared(&self, a: &Aabb, b: &Aabb, node: &Node) -> bool {
        let leaf = self.cells.leaf(self.cells.corner(&a.min.sup(&b.min)));
        node.number <= leaf && leaf <= node.last()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::ListPairs;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::{Real, Vec3};

    /// Spheres of one size at random places, a tenth of space filled (§6).
    fn spheres(count: usize, seed: u64) -> Vec<Aabb> {
        let mut random = Random::new(seed);
        let side = (std::f64::consts::PI / 0.6 * count as f64).cbrt() as Real;
        (0..count).map(|_| Aabb::of_ball(&random.vec3(0.0, side), 0.5)).collect()
    }

    fn pairs(tree: &impl PairSearch) -> Vec<[u32; 2]> {
        let mut pairs = tree.pairs(&ListPairs).concat();
        pairs.sort_unstable();
        pairs
    }

    /// The pairs that overlap, told by comparing all.
    fn overlapping(boxes: &[Aabb]) -> Vec<[u32; 2]> {
        let pairs = (0..boxes.len()).flat_map(|i| (i + 1..boxes.len()).map(move |j| [i, j]));
        let touching = pairs.filter(|&[i, j]| boxes[i].overlaps(&boxes[j]));
        touching.map(|pair| pair.map(|k| k as u32)).collect()
    }

    #[test]
    fn every_root_and_octree_finds_the_pairs_with_and_without_cuts() {
        let mut boxes = spheres(2500, 1);
        boxes.extend(
            spheres(300, 2)
                .iter()
                .map(|b| Aabb::new(b.min.component_mul(&Vec3::new(0.1, 0.02, 1.0)), b.min)),
        );
        boxes.retain(|b| !b.is_empty());
        let wanted = overlapping(&boxes);
        for root in [RootCell::Fitted, RootCell::Stretched, RootCell::Cubic] {
            for (cuts, octree) in [(true, false), (true, true), (false, false), (false, true)] {
                let settings = LinearKdTreeSettings { cuts, octree, root };
                let mut second = LinearKdTree2::with(settings);
                second.rebuild(&boxes);
                second.assert_well_formed(&boxes);
                assert_eq!(pairs(&second), wanted, "{settings:?}");
                let mut first = LinearKdTree1::with(settings);
                first.rebuild(&boxes);
                let mut proposed = pairs(&first);
                assert!(proposed.len() > wanted.len());
                proposed.dedup();
                assert!(wanted.iter().all(|p| proposed.binary_search(p).is_ok()), "{settings:?}");
            }
        }
    }

    #[test]
    fn cuts_save_volume_and_candidates_as_in_table_1() {
        let boxes = spheres(10_000, 3);
        let measure = |cuts| {
            let root = RootCell::Cubic;
            let mut tree = LinearKdTree1::with(LinearKdTreeSettings { cuts, octree: false, root });
            tree.rebuild(&boxes);
            (tree.part_count(), tree.cell_volume(), pairs(&tree).len())
        };
        let (whole, cut) = (measure(false), measure(true));
        assert!(whole.0 == 10_000 && cut.0 > 20_000 && cut.0 <= 80_000);
        assert!(whole.1 > 100.0 * cut.1, "{whole:?} {cut:?}");
        assert!(whole.2 > 10 * cut.2, "{whole:?} {cut:?}");
    }

    #[test]
    fn more_bits_than_a_number_has_are_sorted_too() {
        // Finest cells at the limit of bits: 57 of a number, and places beside.
        let mut boxes = spheres(600, 4);
        boxes.extend(boxes.clone().iter().map(|b| Aabb::new(b.min, b.min)));
        boxes.push(Aabb::new(Vec3::from_element(1e12), Vec3::from_element(2e12)));
        let mut tree = LinearKdTree2::default();
        tree.rebuild(&boxes);
        assert_eq!(tree.cells.height(), 57);
        tree.assert_well_formed(&boxes);
        assert_eq!(pairs(&tree), overlapping(&boxes));
    }
}
