//! Broad phases that follow objects one by one, for scenes where few of many move.
//!
//! A rebuild costs the same whatever has moved. Where little has, it is cheaper to tell the
//! structure: an object came, went, or has another box now. Pouchol et al. 2009 name the case in
//! §2.2 (deformable objects, whose class changes) and §3.2 (moving elements).

use super::BroadPhase;
use hashfall_core::geometry::Aabb;

/// A structure over boxes that come, move and go. Numbers of objects are free to have gaps, but
/// take memory up to the greatest.
pub trait IncrementalBroadPhase: BroadPhase {
    /// Adds an object. Panics if there is one of that number, or its box is not finite or empty.
    fn insert(&mut self, object: u32, b: &Aabb);

    /// Gives an object another box. Panics if there is none of that number, or the box is not
    /// finite or empty.
    fn move_to(&mut self, object: u32, b: &Aabb);

    /// Takes an object away. Panics if there is none of that number.
    fn remove(&mut self, object: u32);

    /// Panics unless the structure holds these objects, each in every cell where it belongs, and
    /// nothing else.
    fn assert_holds(&self, objects: &[Option<Aabb>]);
}
