//! The cells of a kd-tree as numbers: locational codes, and the smallest cell around a box.
//!
//! Poirrier 2009, §5.2–5.3. A coordinate becomes an integer of B bits, and the bits of all axes,
//! interleaved, are the *locational code* of a place: the branches from the root to its leaf. The
//! longest common prefix of the codes of a box's corners is the smallest cell around the box.
//!
//! A cell of code c (ℓ bits, zeros after them up to the T bits of a leaf) gets the number
//! 2c + ℓ − ones(c): its rank in a pre-order walk over all cells. For from a cell of height T − ℓ,
//! the left child is the next and the right one comes 2^(T−ℓ) later. Sorting cells by one integer
//! is then the order of §5.4, and "is a prefix of" is a range: all that lies in a cell of height t
//! and number n has numbers from n to n + 2^(t+1) − 2.
//!
//! Deviation: which axis a level cuts is not x, y, z in turn but the longest edge of the cell (§7.3
//! leaves it open); with a cubic root it is the same. See [`RootCell`].

use hashfall_core::geometry::Aabb;
use hashfall_core::{Real, Vec3, parallel};

/// The most bits of a coordinate: three axes fit into a number.
const MAX_BITS: u32 = 19;

/// Bits that one look-up spreads.
const BYTE: u32 = 8;
const BYTES: usize = 3;

/// The size of the finest cells, as a multiple of the mean edge of the boxes: smaller ones cut
/// boxes into more parts, larger ones hold more boxes.
const FINEST: f64 = 2.0;

/// How much larger or smaller than now the finest cells may have been to be kept.
const MAX_GROWTH: f64 = 1.25;

/// The interest space, and how it is cut (Poirrier 2009, §7.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RootCell {
    /// Finest cells are cubes; axes have as many bits as they need, and the longest edge is cut.
    #[default]
    Fitted,
    /// The box around all boxes, every axis cut as often: cells have its proportions.
    Stretched,
    /// The cube of its longest edge.
    Cubic,
}

/// A cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    /// Its rank in a pre-order walk.
    pub number: u64,
    /// Levels below it.
    pub height: u32,
}

impl Node {
    /// The number of the last cell within.
    #[inline(always)]
    pub fn last(&self) -> u64 {
        self.number + ((2u64 << self.height) - 2)
    }
}

/// Integer coordinates of a corner.
pub(crate) type Corner = [u32; 3];

/// The lower and the upper corner of a box.
pub(crate) type Span = [Corner; 2];

/// The subdivision of space.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// Half the lowest corner, so that no difference overflows \[m\].
    half_origin: [f64; 3],
    /// Half the edges of the box around all boxes \[m\].
    half_extent: [f64; 3],
    /// Finest cells in twice a metre \[1/m\].
    scale: [f64; 3],
    /// The highest integer coordinate.
    highest: Corner,
    /// The axis that each level cuts, and the bit of the coordinate that tells the side.
    levels: Vec<(usize, u32)>,
    /// The bits of a code that each byte of each coordinate sets.
    spread: Vec<[u64; 1 << BYTE]>,
}

impl Default for Cells {
    fn default() -> Self {
        Cells::with_bits([0; 3], [[0.0; 3]; 2], [0.0; 3])
    }
}

impl Cells {
    /// Cells for some boxes, of which `bounds` is around all.
    pub fn new(boxes: &[Aabb], bounds: &Aabb, root: RootCell) -> Self {
        let half = |x: Real| 0.5 * f64::from(x);
        let extent = [0, 1, 2].map(|a| half(bounds.max[a]) - half(bounds.min[a]));
        let longest = extent.into_iter().fold(0.0, f64::max);
        if longest == 0.0 {
            return Cells::default();
        }
        let least = longest / f64::from(1 << MAX_BITS);
        let finest = (0.5 * FINEST * mean_edge(boxes, least)).clamp(least, longest);
        let bits = extent.map(|edge| match root {
            RootCell::Fitted => bits_for(edge / finest),
            _ => bits_for(longest / finest),
        });
        let scale = [0, 1, 2].map(|a| match root {
            RootCell::Fitted => 1.0 / finest,
            RootCell::Cubic => f64::from(1 << bits[a]) / longest,
            RootCell::Stretched if extent[a] == 0.0 => 0.0,
            RootCell::Stretched => f64::from(1 << bits[a]) / extent[a],
        });
        let half_origin = [0, 1, 2].map(|a| half(bounds.min[a]));
        Cells::with_bits(bits, [half_origin, extent], scale)
    }

    /// Cells of half an origin and half an extent.
    fn with_bits(
        bits: [u32; 3],
        [half_origin, half_extent]: [[f64; 3]; 2],
        scale: [f64; 3],
    ) -> Self {
        let mut left = bits;
        let mut levels = Vec::new();
        while let Some(axis) = (0..3).filter(|&a| left[a] > 0).rev().max_by_key(|&a| left[a]) {
            left[axis] -= 1;
            levels.push((axis, left[axis]));
        }
        let mut spread = vec![[0; 1 << BYTE]; 3 * BYTES];
        for (level, &(axis, bit)) in levels.iter().enumerate() {
            let table = &mut spread[axis * BYTES + (bit / BYTE) as usize];
            let set = 1u64 << (levels.len() - 1 - level);
            for (byte, code) in table.iter_mut().enumerate() {
                *code |= if byte >> (bit % BYTE) & 1 == 1 { set } else { 0 };
            }
        }
        let highest = bits.map(|b| (1 << b) - 1);
        Cells { half_origin, half_extent, scale, highest, levels, spread }
    }

    /// Whether these cells are about as good for the boxes that the others are made for: of about
    /// their size, and around them all but for a finest cell, with no more than half of an axis
    /// empty.
    pub fn may_stand_for(&self, other: &Cells) -> bool {
        self.height() > 0
            && (0..3).all(|a| {
                let [fine, coarse] =
                    [self.scale[a], other.scale[a]].map(|scale| MAX_GROWTH * scale);
                let slack = if self.scale[a] > 0.0 { 1.0 / self.scale[a] } else { 0.0 };
                let [begins, began] = [other.half_origin[a], self.half_origin[a]];
                let [ends, ended] = [begins + other.half_extent[a], began + self.half_extent[a]];
                (other.scale[a] <= fine && self.scale[a] <= coarse)
                    && (begins >= began - slack && ends <= ended + slack)
                    && other.half_extent[a] >= 0.5 * self.half_extent[a]
            })
    }

    /// T: the levels below the root.
    pub fn height(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The volume of a finest cell \[m³\]; in the plane its area, and so on.
    pub fn finest_volume(&self) -> f64 {
        self.scale.iter().filter(|&&scale| scale > 0.0).map(|scale| 2.0 / scale).product()
    }

    /// The integer coordinates of a place; they grow with it.
    #[inline(always)]
    pub fn corner(&self, at: &Vec3) -> Corner {
        [0, 1, 2].map(|a| {
            let cells = (0.5 * f64::from(at[a]) - self.half_origin[a]) * self.scale[a];
            (cells as u32).min(self.highest[a])
        })
    }

    /// The integer coordinates of the corners of a box.
    #[inline(always)]
    pub fn span(&self, b: &Aabb) -> Span {
        [self.corner(&b.min), self.corner(&b.max)]
    }

    /// The locational code of a leaf.
    #[inline(always)]
    fn code(&self, at: Corner) -> u64 {
        let mut code = 0;
        for (axis, &x) in at.iter().enumerate() {
            for byte in 0..BYTES {
                let bits = x >> (byte as u32 * BYTE) & ((1 << BYTE) - 1);
                code |= self.spread[axis * BYTES + byte][bits as usize];
            }
        }
        code
    }

    /// The number of a leaf.
    #[inline(always)]
    pub fn leaf(&self, at: Corner) -> u64 {
        number(self.code(at), self.height())
    }

    /// The smallest cell around a box of leaves, and the axis and the plane that cut it: the lowest
    /// coordinate of its upper half. None cuts a leaf.
    #[inline(always)]
    pub fn smallest_around(&self, low: Corner, high: Corner) -> (Node, Option<(usize, u32)>) {
        let (low, code) = (self.code(low), self.code(high));
        let height = u64::BITS - (low ^ code).leading_zeros();
        let node = self.node(code, height);
        let cut = (height > 0).then(|| {
            let (axis, bit) = self.levels[(self.height() - height) as usize];
            (axis, high[axis] >> bit << bit)
        });
        (node, cut)
    }

    /// The cell of some height around a leaf of this code.
    #[inline(always)]
    fn node(&self, code: u64, height: u32) -> Node {
        Node { number: number(code >> height << height, self.height() - height), height }
    }

    /// The cell of some height, a multiple of three, around a cell: of an octree.
    pub fn octant(&self, low: Corner, node: Node) -> Node {
        let height = node.height.next_multiple_of(3).min(self.height());
        self.node(self.code(low), height)
    }

    /// The cells around the cell of a number, from the root down to itself.
    pub fn path(&self, to: u64) -> impl Iterator<Item = Node> {
        let mut next = Some(Node { number: 0, height: self.height() });
        std::iter::from_fn(move || {
            let node = next?;
            let upper = node.number + (1 << node.height);
            next = (to != node.number).then(|| Node {
                number: if to < upper { node.number + 1 } else { upper },
                height: node.height - 1,
            });
            Some(node)
        })
    }
}

/// The rank of the cell that has a code of this number of bits.
#[inline(always)]
fn number(code: u64, length: u32) -> u64 {
    2 * code + u64::from(length) - u64::from(code.count_ones())
}

/// Bits to count up to this number of cells.
fn bits_for(cells: f64) -> u32 {
    let most = cells.ceil().max(1.0) as u64 - 1;
    (u64::BITS - most.leading_zeros()).min(MAX_BITS)
}

/// About the geometric mean of the boxes' longest edges, none counted as less than `least` \[m\]:
/// a mean to which huge and tiny ones add alike.
fn mean_edge(boxes: &[Aabb], least: f64) -> f64 {
    let logarithm = |i: usize| {
        let b = &boxes[i];
        let edge = |a: usize| f64::from(b.max[a]) - f64::from(b.min[a]);
        let longest = edge(0).max(edge(1)).max(edge(2)).max(least).min(f64::MAX);
        [rough_logarithm(longest)]
    };
    let [sum] = parallel::sum(boxes.len(), logarithm);
    power(sum / boxes.len().max(1) as f64)
}

/// log₂ of a normal number, too small by up to 0.09: the exponent, and the mantissa as it is.
fn rough_logarithm(x: f64) -> f64 {
    (x.to_bits() >> 52) as f64 - 1023.0 + (x.to_bits() << 12) as f64 * f64::powi(0.5, 64)
}

/// The number with this rough logarithm.
fn power(logarithm: f64) -> f64 {
    let whole = logarithm.floor();
    f64::from_bits(((whole + 1023.0) as u64) << 52) * (1.0 + logarithm - whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    fn some_cells(bits: [u32; 3]) -> Cells {
        Cells::with_bits(bits, [[0.0; 3]; 2], [2.0; 3])
    }

    /// All cells in pre-order, as (lowest leaf, levels below).
    fn walk(cells: &Cells, low: Corner, level: usize, out: &mut Vec<(Corner, u32)>) {
        out.push((low, (cells.levels.len() - level) as u32));
        if let Some(&(axis, bit)) = cells.levels.get(level) {
            let mut high = low;
            high[axis] |= 1 << bit;
            walk(cells, low, level + 1, out);
            walk(cells, high, level + 1, out);
        }
    }

    #[test]
    fn numbers_are_ranks_in_a_pre_order_walk() {
        for bits in [[2, 2, 2], [4, 1, 0], [0, 3, 2], [0, 0, 0]] {
            let cells = some_cells(bits);
            let mut all = vec![];
            walk(&cells, [0; 3], 0, &mut all);
            for (rank, &(low, height)) in (0u64..).zip(&all) {
                let node = cells.node(cells.code(low), height);
                assert_eq!(node, Node { number: rank, height }, "{bits:?}");
                let inside = all[rank as usize..].iter().skip(1).take_while(|it| it.1 < height);
                assert_eq!(node.last(), rank + inside.count() as u64, "{bits:?}");
                let path: Vec<Node> = cells.path(rank).collect();
                assert_eq!((path[0].number, path.last()), (0, Some(&node)));
                assert!(path.windows(2).all(|w| w[1].height + 1 == w[0].height));
                assert!(path.iter().all(|n| n.number <= rank && rank <= n.last()));
            }
        }
    }

    #[test]
    fn the_longest_edge_is_cut_and_equal_ones_in_turn() {
        let axes = |bits| some_cells(bits).levels.iter().map(|l| l.0).collect::<Vec<_>>();
        assert_eq!(axes([2, 2, 2]), [0, 1, 2, 0, 1, 2]);
        assert_eq!(axes([1, 3, 2]), [1, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn the_smallest_cell_around_a_box_is_what_a_search_from_the_root_finds() {
        let mut random = Random::new(3);
        let cells = some_cells([5, 3, 4]);
        let mut all = vec![];
        walk(&cells, [0; 3], 0, &mut all);
        for _ in 0..400 {
            let mut corner =
                || [0, 1, 2].map(|a| random.real(0.0, 1.0 + cells.highest[a] as Real) as u32);
            let (a, b) = (corner(), corner());
            let [low, high] =
                [[0, 1, 2].map(|k| a[k].min(b[k])), [0, 1, 2].map(|k| a[k].max(b[k]))];
            let (node, cut) = cells.smallest_around(low, high);
            let [from, to] = [cells.leaf(low), cells.leaf(high)];
            let around = |n: &Node| n.number <= from && to <= n.last();
            let nodes = (0u64..).zip(&all).map(|(number, it)| Node { number, height: it.1 });
            let smallest = nodes.filter(around).min_by_key(|n| n.height);
            assert_eq!(smallest, Some(node));
            match cut {
                Some((axis, plane)) => assert!(low[axis] < plane && plane <= high[axis]),
                None => assert_eq!(low, high),
            }
        }
    }

    #[test]
    fn corners_grow_with_places_and_stay_inside() {
        let far = Aabb::new(Vec3::from_element(-Real::MAX), Vec3::from_element(Real::MAX));
        let near = Aabb::new(Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.5, 2.0, 3.0 + 1e-6));
        for bounds in [far, near] {
            for root in [RootCell::Fitted, RootCell::Stretched, RootCell::Cubic] {
                let cells = Cells::new(&[bounds, Aabb::new(bounds.min, bounds.min)], &bounds, root);
                assert_eq!(cells.corner(&bounds.min), [0; 3]);
                let (mut before, mut last) = ([0; 3], bounds.min);
                for k in 0..=1000 {
                    let part = k as Real / 1000.0;
                    let between = bounds.min * (1.0 - part) + bounds.max * part;
                    let at = between.sup(&last).inf(&bounds.max);
                    let corner = cells.corner(&at);
                    assert!((0..3).all(|a| corner[a] >= before[a]), "{root:?} {at}");
                    (before, last) = (corner, at);
                }
                assert!((0..3).all(|a| before[a] <= cells.highest[a]));
                assert!(cells.height() > 0, "{root:?}");
            }
        }
    }

    #[test]
    fn cells_stand_for_those_of_about_their_size_in_about_their_place() {
        // Boxes of one size, whatever is around them.
        let cells = |low: Real, high: Real, edge: Real| {
            let bounds = Aabb::new(Vec3::from_element(low), Vec3::from_element(high));
            let boxes = [Aabb::new(bounds.min, bounds.min.add_scalar(edge))];
            Cells::new(&boxes, &bounds, RootCell::Fitted)
        };
        let kept = cells(0.0, 100.0, 1.0);
        let may = |low, high, edge| kept.may_stand_for(&cells(low, high, edge));
        assert!(may(0.0, 100.0, 1.0) && may(-1.5, 101.5, 1.0) && may(30.0, 85.0, 1.0));
        assert!(!may(-3.0, 100.0, 1.0) && !may(0.0, 103.0, 1.0), "beyond the root");
        assert!(!may(30.0, 75.0, 1.0), "less than half of the root");
        assert!(may(0.0, 100.0, 1.2) && !may(0.0, 100.0, 1.4) && !may(0.0, 100.0, 0.7), "sizes");
        assert!(!Cells::default().may_stand_for(&kept) && !kept.may_stand_for(&Cells::default()));
    }

    #[test]
    fn rough_logarithms_are_undone() {
        for x in [1.0, 0.3, 7.9, 1e-300, 3e30] {
            assert!((power(rough_logarithm(x)) / x - 1.0).abs() < 1e-9, "{x}");
        }
    }
}
