//! Hashfall's broad phases, through the public contract.

use super::BoxMethod;
use crate::measure::Failure;
use crate::sets::boxes::Box3;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::{BroadPhase, for_each_overlap, for_each_overlap_of_all};

/// A structure that keeps its memory from step to step.
#[derive(Default)]
pub struct Broad<B> {
    structure: B,
}

fn converted(b: &Box3) -> Aabb {
    let [min, max] = [b.min, b.max].map(|p| Vec3::from(p.map(|x| x as Real)));
    Aabb::new(min, max)
}

impl<B: BroadPhase + 'static> BoxMethod for Broad<B> {
    type Object = Aabb;
    type Query = Aabb;

    fn object(b: &Box3, _number: u32) -> Aabb {
        converted(b)
    }

    fn query(b: &Box3) -> Aabb {
        converted(b)
    }

    fn build(&mut self, objects: &[Aabb], smallest: f32) -> Result<(), Failure> {
        self.structure.rebuild(objects, smallest as Real);
        Ok(())
    }

    #[inline]
    fn for_each(&self, objects: &[Aabb], query: &Aabb, visit: impl FnMut(u32)) {
        for_each_overlap(&self.structure, objects, query, visit);
    }

    #[inline]
    fn for_each_of_all(&self, objects: &[Aabb], queries: &[Aabb], visit: impl FnMut(usize, u32)) {
        for_each_overlap_of_all(&self.structure, objects, queries, visit);
    }
}
