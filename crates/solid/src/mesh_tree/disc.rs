//! Discs around the triangles of small nodes: bounds that lie along the surface.
//!
//! A particle is many triangles away from a fine mesh. Boxes along the axes reach as far in front
//! of a tilted surface as they are wide, so that by them alone all leaves within some √(distance ·
//! width) of the nearest point have to be looked at. A disc about the mean normal is as thick as
//! the surface bends within it.

use super::moments::Moments;
use super::tree::MeshTree;
use super::walk::ball_around;
use crate::precision::to_point;
use hashfall_core::Vec3;
use hashfall_geometry::Point;

/// Nodes of more triangles have no disc.
const MOST: usize = 64;

/// More than rounding to single precision takes from a disc, in its radii, and from the square of a
/// distance.
const ROUNDING: f64 = 1e-5;

/// All places within a radius of an axis, between two heights along it, from the middle of a node's
/// box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Disc {
    axis: [f32; 3],
    low: f32,
    high: f32,
    radius: f32,
}

impl Disc {
    /// Everywhere.
    const NONE: Disc = Disc {
        axis: [0.0, 0.0, 1.0],
        low: f32::NEG_INFINITY,
        high: f32::INFINITY,
        radius: f32::INFINITY,
    };

    /// Around the triangles of every node that is small.
    pub fn of_nodes(tree: &MeshTree, triangles: &[[Vec3; 3]], moments: &[Moments]) -> Vec<Disc> {
        let disc = |(node, moments): (usize, &Moments)| {
            let own = &tree.order[tree.run(node)];
            let axis = moments.axis().filter(|_| own.len() <= MOST);
            axis.map_or(Disc::NONE, |axis| {
                let (centre, size) = ball_around(&tree.boxes[node]);
                let corners = own.iter().flat_map(|&t| triangles[t as usize]);
                Disc::around(corners.map(|c| to_point(&c) - centre), &axis, ROUNDING * size)
            })
        };
        moments.iter().enumerate().map(disc).collect()
    }

    /// Around some places, and `more` \[m\].
    fn around(places: impl Iterator<Item = Point>, axis: &Point, more: f64) -> Disc {
        let (mut low, mut high, mut square) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
        for p in places {
            let height = axis.dot(&p);
            (low, high) = (low.min(height), high.max(height));
            square = square.max((p - axis * height).norm_squared());
        }
        Disc {
            axis: [axis.x as f32, axis.y as f32, axis.z as f32],
            low: (low - more) as f32,
            high: (high + more) as f32,
            radius: (square.sqrt() + more) as f32,
        }
    }

    /// Whether it bounds nothing.
    #[inline]
    pub fn is_everywhere(&self) -> bool {
        self.radius == f32::INFINITY
    }

    /// No more than the square of the distance of a place, seen from the middle of the box \[m²\].
    #[inline]
    pub fn square_distance(&self, y: &Point) -> f64 {
        let axis = &self.axis;
        let height = f64::from(axis[0]) * y.x + f64::from(axis[1]) * y.y + f64::from(axis[2]) * y.z;
        let over = (f64::from(self.low) - height).max(height - f64::from(self.high)).max(0.0);
        let aside = (y.norm_squared() - height * height).max(0.0).sqrt();
        let beyond = (aside - f64::from(self.radius)).max(0.0);
        (over * over + beyond * beyond) * (1.0 - ROUNDING)
    }
}
