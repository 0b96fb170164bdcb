//! A neighbour structure behind one call a step, whatever its type.

use crate::contract::NeighborSearch;
use crate::lists::neighbor_lists::NeighborLists;
use hashfall_core::{Real, Vec3};
use std::error::Error;
use std::fmt::{self, Debug};

/// A list of neighbours that is not that of brute force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongNeighbors {
    /// Which search of the run, from 1.
    pub search: u64,
    /// Whose list it is.
    pub point: u32,
    /// Where that point is \[m\].
    pub place: [f64; 3],
    /// The first point that one list has, or has more often, and the other not.
    pub other: u32,
    /// How far that is \[m\].
    pub distance: f64,
    /// The support radius \[m\].
    pub support_radius: f64,
    /// Whether it is missing, not too much.
    pub is_missing: bool,
}

impl fmt::Display for WrongNeighbors {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let WrongNeighbors { search, point, place: [x, y, z], other, .. } = self;
        let fault = if self.is_missing { "lacks" } else { "should not hold" };
        write!(
            f,
            "in search {search}, the list of point {point} at ({x:.6}, {y:.6}, {z:.6}) {fault} \
             point {other}, which is {} m away, with a support radius of {} m",
            self.distance, self.support_radius
        )
    }
}

impl Error for WrongNeighbors {}

/// What a step asks of its neighbour structure.
pub trait FindNeighbors: Debug + Send + Sync {
    /// Indexes points, and lists for each those closer than the support radius \[m\].
    ///
    /// # Panics
    /// As [`NeighborSearch::rebuild`].
    fn find(&mut self, points: &[Vec3], support_radius: Real, lists: &mut NeighborLists) {
        self.find_for(points, support_radius, &[], lists);
    }

    /// As [`FindNeighbors::find`], but for points that are `idle`, if that is not empty: their
    /// lists may be anything.
    ///
    /// # Panics
    /// As [`NeighborSearch::rebuild`].
    fn find_for(
        &mut self,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
        lists: &mut NeighborLists,
    );

    /// The first list that was found to be wrong, if the structure is
    /// [verified](crate::NeighborChoice::is_verified).
    fn fault(&self) -> Option<WrongNeighbors> {
        None
    }
}

impl<S: NeighborSearch + Debug> FindNeighbors for S {
    fn find_for(
        &mut self,
        points: &[Vec3],
        support_radius: Real,
        idle: &[bool],
        lists: &mut NeighborLists,
    ) {
        self.rebuild(points, support_radius);
        lists.build_for(self, points, support_radius, idle);
    }
}
