//! Trees that know 2D only: parry2d 0.31 (as parry3d) and static_aabb2d_index 2.1 (R-tree packed
//! along a Hilbert curve, after flatbush; `visit_query_with_stack`).

use super::BoxMethod;
use crate::measure::Failure;
use crate::sets::boxes::Box3;
use parry2d::bounding_volume::Aabb as ParryBox;
use parry2d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy};
use static_aabb2d_index::{AABB, StaticAABB2DIndex, StaticAABB2DIndexBuilder};
use std::cell::RefCell;

/// parry's binary tree.
#[derive(Default)]
pub struct Parry {
    tree: ParryBvh,
}

impl BoxMethod for Parry {
    type Object = ParryBox;
    type Query = ParryBox;

    fn object(b: &Box3, _number: u32) -> ParryBox {
        let [min, max] = [b.min, b.max].map(|p| [p[0], p[1]]);
        ParryBox::new(min.into(), max.into())
    }

    fn query(b: &Box3) -> ParryBox {
        Self::object(b, 0)
    }

    fn build(&mut self, objects: &[ParryBox], _smallest: f32) -> Result<(), Failure> {
        self.tree = ParryBvh::from_leaves(BvhBuildStrategy::Binned, objects);
        Ok(())
    }

    #[inline]
    fn for_each(&self, _objects: &[ParryBox], query: &ParryBox, visit: impl FnMut(u32)) {
        self.tree.intersect_aabb(query).for_each(visit);
    }
}

thread_local! {
    /// Nodes to visit; kept from query to query, as the crate advises for many of them.
    static STACK: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// The packed R-tree.
#[derive(Default)]
pub struct Hilbert {
    tree: Option<StaticAABB2DIndex<f32>>,
}

impl BoxMethod for Hilbert {
    type Object = AABB<f32>;
    type Query = AABB<f32>;

    fn object(b: &Box3, _number: u32) -> AABB<f32> {
        AABB::new(b.min[0], b.min[1], b.max[0], b.max[1])
    }

    fn query(b: &Box3) -> AABB<f32> {
        Self::object(b, 0)
    }

    fn build(&mut self, objects: &[AABB<f32>], _smallest: f32) -> Result<(), Failure> {
        let mut builder = StaticAABB2DIndexBuilder::new(objects.len());
        for b in objects {
            builder.add(b.min_x, b.min_y, b.max_x, b.max_y);
        }
        self.tree = Some(builder.build()?);
        Ok(())
    }

    #[inline]
    fn for_each(&self, _: &[AABB<f32>], query: &AABB<f32>, mut visit: impl FnMut(u32)) {
        let AABB { min_x, min_y, max_x, max_y } = *query;
        let mut visit = |object: usize| visit(object as u32);
        if let Some(tree) = &self.tree {
            STACK.with_borrow_mut(|stack| {
                tree.visit_query_with_stack(min_x, min_y, max_x, max_y, &mut visit, stack);
            });
        }
    }
}
