//! Boxes cut into parts that lie in small cells.
//!
//! Poirrier 2009, §4. A small box across a high cutting plane would lie in a huge cell. So a box is
//! cut along the plane that crosses it, once on each axis: into eight parts at most, each of which
//! spans more than half of its cell along some axis (property 1). A cut that does not lessen the
//! volume of the cells all in all is not made (fig. 7). The parts of a box lie in disjoint cells,
//! as each cut sends them into different halves of a cell.

use super::cells::{Cells, Corner, Node, Span};

/// The most parts of a box.
const MOST: usize = 8;

/// What is done to boxes and their cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cutting {
    /// Whether boxes are cut.
    pub cuts: bool,
    /// Whether cells are those of an octree: heights are multiples of three (§5.3).
    pub octree: bool,
}

/// The cells of a box's parts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    nodes: [Node; MOST],
    count: usize,
}

impl Parts {
    /// Cuts the box of leaves from one corner to the other.
    #[inline]
    pub fn new(cells: &Cells, cutting: Cutting, [low, high]: Span) -> Self {
        let mut parts = Parts::default();
        parts.place(cells, cutting, low, high, if cutting.cuts { 0b111 } else { 0 });
        parts
    }

    /// The cells.
    #[inline(always)]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes[..self.count]
    }

    /// Adds the cells of a box that may be cut on some axes, as bits; returns their volume in
    /// leaves.
    fn place(
        &mut self,
        cells: &Cells,
        cutting: Cutting,
        low: Corner,
        high: Corner,
        axes: u8,
    ) -> u64 {
        let (mut node, cut) = cells.smallest_around(low, high);
        if cutting.octree {
            node = cells.octant(low, node);
        }
        let whole = 1 << node.height;
        let before = self.count;
        if let Some((axis, plane)) = cut.filter(|(axis, _)| axes >> axis & 1 == 1) {
            let (mut below, mut above, axes) = (high, low, axes & !(1 << axis));
            below[axis] = plane - 1;
            above[axis] = plane;
            let volume = self.place(cells, cutting, low, below, axes)
                + self.place(cells, cutting, above, high, axes);
            if volume < whole {
                return volume;
            }
        }
        self.nodes[before] = node;
        self.count = before + 1;
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RootCell;
    use hashfall_core::geometry::Aabb;
    use hashfall_core::geometry::random::Random;
    use hashfall_core::{Real, Vec3};

    #[test]
    fn parts_lie_in_disjoint_cells_that_cover_the_box() {
        let mut random = Random::new(5);
        let boxes: Vec<Aabb> = (0..3000)
            .map(|_| {
                let (centre, edges) = (random.vec3(-1.0, 1.0), random.vec3(0.01, 0.2));
                Aabb::new(centre - edges * 0.5, centre + edges * 0.5)
            })
            .collect();
        let bounds = boxes.iter().fold(Aabb::EMPTY, |b, o| b.union(o));
        for (cuts, octree) in [(true, false), (true, true), (false, false), (false, true)] {
            let cells = Cells::new(&boxes, &bounds, RootCell::Cubic);
            let mut parts_in_all = 0;
            for b in &boxes {
                let parts = Parts::new(&cells, Cutting { cuts, octree }, cells.span(b));
                parts_in_all += parts.nodes().len();
                assert!(cuts || parts.nodes().len() == 1);
                assert!(!octree || parts.nodes().iter().all(|n| n.height % 3 == 0));
                for (k, a) in parts.nodes().iter().enumerate() {
                    let apart = |b: &Node| a.last() < b.number || b.last() < a.number;
                    assert!(parts.nodes()[k + 1..].iter().all(apart), "{parts:?}");
                }
                for _ in 0..20 {
                    let at = b.min + b.extent().component_mul(&random.vec3(0.0, 1.0));
                    let leaf = cells.leaf(cells.corner(&at));
                    let holds = |n: &&Node| n.number <= leaf && leaf <= n.last();
                    assert_eq!(parts.nodes().iter().filter(holds).count(), 1);
                }
            }
            assert!(!cuts || parts_in_all > 2 * boxes.len(), "{parts_in_all} parts");
        }
    }

    #[test]
    fn a_cut_that_saves_no_volume_is_not_made() {
        let cube =
            |low: Real, high: Real| Aabb::new(Vec3::from_element(low), Vec3::from_element(high));
        let boxes = [cube(0.0, 1e-3), cube(0.0, 16.0)];
        let cells = Cells::new(&boxes, &boxes[1], RootCell::Fitted);
        let cutting = Cutting { cuts: true, octree: false };
        let parts = |b: &Aabb| Parts::new(&cells, cutting, cells.span(b)).count;
        assert_eq!(parts(&boxes[1]), 1, "all of space");
        assert_eq!(parts(&cube(7.9, 8.1)), 8);
        // In quarters of the lower half; cut on z as well it would save nothing.
        let flat = Aabb::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(16.0, 16.0, 7.9));
        assert_eq!(parts(&flat), 4);
    }
}
