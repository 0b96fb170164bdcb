//! What a mesh adds to the kernel's integral over solids, face by face.
//!
//! A closed mesh adds the flux through its own faces; a face that stands for a wall takes off what
//! it covers of the wall. Of a mesh that hides what is behind it the cones of its faces count
//! ([`super::cone`]).

use super::cone::View;
use super::mesh_integral::Flux;
use super::plane_table::PlaneTable;
use hashfall_core::Real;
use hashfall_geometry::Point;
use hashfall_geometry::triangle::offset_to_triangle;

/// What a mesh adds, on the way to its sum.
pub(super) struct MeshFlux {
    /// Over its own surface.
    pub own: Flux,
    /// Over the walls that it covers.
    pub covers: [Flux; 6],
    /// To its nearest triangle \[m\].
    pub distance: Real,
}

impl MeshFlux {
    pub const NONE: MeshFlux =
        MeshFlux { own: Flux::NONE, covers: [Flux::NONE; 6], distance: Real::INFINITY };

    /// Adds a face, whose corners are relative to the particle.
    pub fn add_face(&mut self, table: &PlaneTable, corners: [Point; 3], covers: Option<u8>) {
        match covers {
            None => {
                let distance = self.note_distance(&corners);
                self.own.add(table, &corners, distance);
            }
            Some(wall) => {
                let distance = offset_to_triangle(&Point::zeros(), &corners).norm();
                self.covers[wall as usize].add(table, &corners, distance);
            }
        }
    }

    /// Takes the distance of a face, and returns it \[m\].
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn note_distance(&mut self, corners: &[Point; 3]) -> f64 {
        let distance = offset_to_triangle(&Point::zeros(), corners).norm();
        self.distance = self.distance.min(distance as Real);
        distance
    }

    /// Adds what a face hides, of which walls hide a part.
    pub fn add_opaque(&mut self, view: &View<'_>, corners: &[Point; 3], is_sheet: bool) {
        view.add(&mut self.own, &mut self.covers, corners, is_sheet);
    }
}
