//! Shapes and solids in, points out: how regions of space, vessels and boxes are filled with
//! particles, and with balls.
//!
//! A [`region::Region`] tells what lies inside and how far away its boundary is; it has a lattice
//! of points. Where that gives another volume than the region's, [`packing`] lays as many points
//! as the volume asks for, clear of the boundary and even. A [`vessel`] is the space between solids
//! that is connected with a place, up to a level or a volume. The same input gives the same bits on
//! any number of threads.
//!
//! ```
//! use hashfall_core::Dimension;
//! use hashfall_fill::packing::{Cells, Grid, Lattice, Packing, pack};
//! use hashfall_fill::region::{Ball, Region, particle_volume};
//!
//! // A ball of 0.1 m, of points 0.02 m apart.
//! let d = 0.02;
//! let ball = Ball::new(Dimension::Three, [0.0; 3], 0.1);
//! let distance = |x: &[f64; 3], _: f64| ball.signed_distance(x);
//! let cells = Cells::new(Grid::new(Dimension::Three, ball.bounds(), d), &distance);
//! let lattice = Lattice { site: [0.5 * d; 3], spacing: [d; 3] };
//! let count = (ball.volume() / particle_volume(Dimension::Three, d)).round() as usize;
//! let points = pack(&Packing { cells: &cells, distance: &distance, lattice, count });
//! assert_eq!(points.len(), 524);
//! assert!(points.iter().all(|x| ball.signed_distance(x) < -0.499 * d));
//! ```

mod cell_hash;
pub mod lattice;
pub mod opening;
pub mod packing;
pub mod random_places;
pub mod region;
pub mod rounded_box_tree;
pub mod sphere_field;
pub mod uneven;
pub mod vessel;
