//! Hashfall's neighbour lists, through the public contract, for any of its structures.

use super::{NeighborMethod, PairCheck, PairDigest};
use crate::measure::Failure;
use hashfall_core::{Real, Vec3};
use hashfall_search::{NeighborLists, NeighborSearch};
use rayon::prelude::*;

/// A structure and the lists made with it; both keep their memory from step to step.
#[derive(Default)]
pub struct Lists<S> {
    search: S,
    lists: NeighborLists,
}

impl<S: NeighborSearch + 'static> NeighborMethod for Lists<S> {
    type Points = Vec<Vec3>;
    const YIELDS: &'static str = "lists";

    fn prepare(points: &[[f32; 3]]) -> Vec<Vec3> {
        points.iter().map(|&p| Vec3::from(p.map(|x| x as Real))).collect()
    }

    fn build(&mut self, points: &Vec<Vec3>, radius: f32) -> Result<(), Failure> {
        self.search.rebuild(points, radius as Real);
        Ok(())
    }

    fn search(&mut self, points: &Vec<Vec3>, radius: f32) -> u64 {
        self.lists.build(&self.search, points, radius as Real);
        self.lists.pairs() as u64
    }

    fn digest(&self, points: &Vec<Vec3>, _radius: f32, check: &PairCheck) -> PairDigest {
        let of = |i: usize| self.lists.of(i).iter().map(|&j| check.pair(i, j as usize)).sum();
        (0..points.len()).into_par_iter().map(of).collect::<Vec<PairDigest>>().into_iter().sum()
    }
}
