//! Queries of what is near, for the tests of the integrals.

use crate::integral::near::NearSolids;
use crate::{PlaneTable, Solids, UnionBoundary};
use hashfall_core::{Real, Vec3};

/// Solids in full, without a broad phase.
pub(super) struct NearQuery<'a> {
    solids: &'a Solids,
    objects: Vec<u32>,
    union: UnionBoundary,
    table: PlaneTable,
    reach: Real,
}

impl<'a> NearQuery<'a> {
    /// Of all surfaces within `reach` \[m\].
    pub fn new(solids: &'a Solids, table: PlaneTable, reach: Real) -> Self {
        let objects = (0..solids.object_count() as u32).collect();
        NearQuery { solids, objects, union: UnionBoundary::new(solids), table, reach }
    }

    /// What is near a place.
    pub fn near(&self, x: &Vec3) -> NearSolids {
        let mut near = NearSolids::default();
        self.solids.near(&self.objects, x, self.reach, &self.union, &self.table, &mut near);
        near
    }
}
