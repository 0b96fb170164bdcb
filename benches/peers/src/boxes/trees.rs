//! Trees over boxes: parry3d 0.31 (`from_leaves`, binned; `intersect_aabb`), obvhs 0.4 (fastest
//! build, one box to a leaf; `aabb_traverse`; it knows 3D only, so flat sets have z = 0 there),
//! bvh 0.13 (`build`; `traverse_iterator`), rstar 0.14 (`bulk_load`;
//! `locate_in_envelope_intersecting`).

use super::BoxMethod;
use crate::measure::Failure;
use crate::sets::boxes::Box3;
use bvh::aabb::Bounded;
use bvh::bounding_hierarchy::BHShape;
use nalgebra::Point;
use obvhs::BvhBuildParams;
use obvhs::bvh2::Bvh2;
use obvhs::bvh2::builder::build_bvh2;
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::partitioning::{Bvh as ParryBvh, BvhBuildStrategy};
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB as RstarBox, RTree};
use std::time::Duration;

/// The first D coordinates.
fn narrowed<const D: usize>(p: [f32; 3]) -> [f32; D] {
    std::array::from_fn(|axis| p[axis])
}

/// parry's binary tree with vector tests.
#[derive(Default)]
pub struct Parry {
    tree: ParryBvh,
}

impl BoxMethod for Parry {
    type Object = ParryBox;
    type Query = ParryBox;

    fn object(b: &Box3, _number: u32) -> ParryBox {
        ParryBox::new(b.min.into(), b.max.into())
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

/// obvhs's binary tree, built by PLOC.
#[derive(Default)]
pub struct Obvhs {
    tree: Bvh2,
}

impl BoxMethod for Obvhs {
    type Object = obvhs::aabb::Aabb;
    type Query = obvhs::aabb::Aabb;

    fn object(b: &Box3, _number: u32) -> Self::Object {
        Self::Object::new(b.min.into(), b.max.into())
    }

    fn query(b: &Box3) -> Self::Query {
        Self::object(b, 0)
    }

    fn build(&mut self, objects: &[Self::Object], _smallest: f32) -> Result<(), Failure> {
        let parameters = BvhBuildParams::fastest_build();
        self.tree = build_bvh2(objects, parameters, &mut Duration::default());
        Ok(())
    }

    #[inline]
    fn for_each(&self, _: &[Self::Object], query: &Self::Query, mut visit: impl FnMut(u32)) {
        self.tree.aabb_traverse(*query, |tree, node| {
            let leaf = &tree.nodes[node as usize];
            let first = leaf.first_index as usize;
            for &object in &tree.primitive_indices[first..first + leaf.prim_count as usize] {
                visit(object);
            }
            true
        });
    }
}

/// A box that knows its number and its node, as the bvh crate wants it.
#[derive(Clone, Copy)]
pub struct Shape<const D: usize> {
    bounds: bvh::aabb::Aabb<f32, D>,
    number: u32,
    node: usize,
}

impl<const D: usize> Bounded<f32, D> for Shape<D> {
    fn aabb(&self) -> bvh::aabb::Aabb<f32, D> {
        self.bounds
    }
}

impl<const D: usize> BHShape<f32, D> for Shape<D> {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

/// The bvh crate's binary tree; it writes into its shapes, so it gets a copy of them.
#[derive(Default)]
pub struct Bvh<const D: usize> {
    tree: Option<bvh::bvh::Bvh<f32, D>>,
    shapes: Vec<Shape<D>>,
}

fn bounds<const D: usize>(b: &Box3) -> bvh::aabb::Aabb<f32, D> {
    let corner = |p: [f32; 3]| Point::from(narrowed::<D>(p));
    bvh::aabb::Aabb::with_bounds(corner(b.min), corner(b.max))
}

impl<const D: usize> BoxMethod for Bvh<D> {
    type Object = Shape<D>;
    type Query = bvh::aabb::Aabb<f32, D>;

    fn object(b: &Box3, number: u32) -> Shape<D> {
        Shape { bounds: bounds(b), number, node: 0 }
    }

    fn query(b: &Box3) -> Self::Query {
        bounds(b)
    }

    fn build(&mut self, objects: &[Shape<D>], _smallest: f32) -> Result<(), Failure> {
        self.shapes.clear();
        self.shapes.extend_from_slice(objects);
        self.tree = Some(bvh::bvh::Bvh::build(&mut self.shapes));
        Ok(())
    }

    #[inline]
    fn for_each(&self, _: &[Shape<D>], query: &Self::Query, mut visit: impl FnMut(u32)) {
        if let Some(tree) = &self.tree {
            tree.traverse_iterator(query, &self.shapes).for_each(|shape| visit(shape.number));
        }
    }
}

/// rstar's R*-tree.
#[derive(Default)]
pub struct Rstar<const D: usize> {
    tree: RTree<GeomWithData<Rectangle<[f32; D]>, u32>>,
}

impl<const D: usize> BoxMethod for Rstar<D> {
    type Object = GeomWithData<Rectangle<[f32; D]>, u32>;
    type Query = RstarBox<[f32; D]>;

    fn object(b: &Box3, number: u32) -> Self::Object {
        let bounds = Rectangle::from_corners(narrowed(b.min), narrowed(b.max));
        GeomWithData::new(bounds, number)
    }

    fn query(b: &Box3) -> Self::Query {
        RstarBox::from_corners(narrowed(b.min), narrowed(b.max))
    }

    fn build(&mut self, objects: &[Self::Object], _smallest: f32) -> Result<(), Failure> {
        self.tree = RTree::bulk_load(objects.to_vec());
        Ok(())
    }

    #[inline]
    fn for_each(&self, _: &[Self::Object], query: &Self::Query, mut visit: impl FnMut(u32)) {
        let found = self.tree.locate_in_envelope_intersecting(*query);
        found.for_each(|object| visit(object.data));
    }
}
