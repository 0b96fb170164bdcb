//! The objects of the solids in the broad phase: those that stand are indexed once, those that move
//! in each step.
//!
//! Both have the same numbers as in [`Solids`], and come in one ascending list, so that nothing
//! tells who moves. Triangles of fine meshes are not among them: the solids find these themselves
//! ([`Solids::add_fine_triangles`]).

use hashfall_core::Real;
use hashfall_geometry::Aabb;
use hashfall_search::{BoxIndex, BroadPhaseKind};
use hashfall_solid::Solids;

/// The broad phase over all objects, where they are now.
pub fn index(kind: BroadPhaseKind, solids: &Solids, smallest: Real) -> Box<dyn BoxIndex> {
    solids.make_trees();
    let indexed = solids.indexed_objects();
    if !solids.has_moving_bodies() && indexed.len() == solids.object_count() {
        return kind.index(solids.object_boxes(), smallest);
    }
    let mut boxes = vec![Aabb::EMPTY; indexed.last().map_or(0, |last| *last as usize + 1)];
    indexed.iter().for_each(|&object| boxes[object as usize] = solids.object_box(object));
    let moving: Vec<u32> = solids.moving_objects().collect();
    let stands = |object: &u32| moving.binary_search(object).is_err();
    let standing: Vec<u32> = indexed.into_iter().filter(stands).collect();
    let of = |objects: &[u32]| objects.iter().map(|&k| boxes[k as usize]).collect();
    Box::new(Mixed {
        of_standing: kind.index(of(&standing), smallest),
        of_moving: kind.index(of(&moving), smallest),
        standing,
        moving,
        boxes,
    })
}

/// Takes the places of those that move, if any do.
pub fn renew(index: &mut dyn BoxIndex, solids: &Solids) {
    if solids.has_moving_bodies() {
        index.renew(&mut solids.moving_boxes());
    }
}

/// Standing and moving objects.
#[derive(Debug)]
struct Mixed {
    of_standing: Box<dyn BoxIndex>,
    of_moving: Box<dyn BoxIndex>,
    /// The object of each box that stands, ascending.
    standing: Vec<u32>,
    /// The object of each box that moves, ascending.
    moving: Vec<u32>,
    /// By object, up to the last that is indexed; those of others are empty.
    boxes: Vec<Aabb>,
}

impl BoxIndex for Mixed {
    fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    fn add_overlapping(&self, query: &Aabb, found: &mut Vec<u32>) {
        let first = found.len();
        self.of_standing.add_overlapping(query, found);
        let second = found.len();
        found[first..].iter_mut().for_each(|k| *k = self.standing[*k as usize]);
        self.of_moving.add_overlapping(query, found);
        found[second..].iter_mut().for_each(|k| *k = self.moving[*k as usize]);
    }

    /// Of those that move, in their order.
    fn renew(&mut self, boxes: &mut dyn Iterator<Item = Aabb>) {
        for (&object, its_box) in self.moving.iter().zip(boxes) {
            self.boxes[object as usize] = its_box;
        }
        let all = &self.boxes;
        self.of_moving.renew(&mut self.moving.iter().map(|&object| all[object as usize]));
    }
}
