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
use hashfall_core::{Vec3, parallel};
use hashfall_geometry::Point;

/// Nodes of more triangles have no disc.
const MAX_TRIANGLES: usize = 64;

/// More than rounding to single precision takes from a disc, in its radii, and from the square of a
/// distance.
const ROUNDING: f64 = 1e-5;

/// More than a rounded axis takes from the square of a height, in squares of the distance.
///
/// The axis is off by no more than √3 · 2⁻²⁵, half a unit in the last place of each component, and
/// the height squared by twice that: 1.04 · 10⁻⁷.
const AXIS_ROUNDING: f64 = 2e-7;

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
        let disc = |node: usize| {
            let own = &tree.order[tree.run(node)];
            let axis = moments[node].axis().filter(|_| own.len() <= MAX_TRIANGLES);
            axis.map_or(Disc::NONE, |axis| {
                let (centre, size) = ball_around(&tree.boxes[node]);
                let corners = own.iter().flat_map(|&t| triangles[t as usize]);
                Disc::around(corners.map(|c| to_point(&c) - centre), &axis, ROUNDING * size)
            })
        };
        parallel::map(moments.len(), disc)
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
        let aside_square = y.norm_squared() * (1.0 - AXIS_ROUNDING) - height * height;
        let aside = aside_square.max(0.0).sqrt();
        let beyond = (aside - f64::from(self.radius)).max(0.0);
        (over * over + beyond * beyond) * (1.0 - ROUNDING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    /// Thick ones, and poles a thousand times as long as wide.
    #[test]
    fn no_place_of_a_disc_is_nearer_than_told() {
        let mut random = Random::new(4);
        for (half, radius) in [(0.1, 1.0), (1.0, 1.0), (5.0, 3e-3), (5.0, 3e-4)] {
            let mut told = 0;
            for _ in 0..2000 {
                let axis = random.direction();
                let aside = axis.cross(&random.direction()).normalize();
                let other = axis.cross(&aside);
                let rim = |end: f64, turn: f64| {
                    axis * (end * half) + (aside * turn.cos() + other * turn.sin()) * radius
                };
                let rims = (0..8).flat_map(|k| {
                    let turn = f64::from(k) * std::f64::consts::FRAC_PI_4;
                    [rim(-1.0, turn), rim(1.0, turn)]
                });
                let size = f64::hypot(half, radius);
                let disc = Disc::around(rims, &axis, ROUNDING * size);
                // Beside it, and beyond its ends.
                let (height, away) = (random.number(-1.5, 1.5) * half, random.number(1.0, 3.0));
                let y = axis * height + aside * (away * radius);
                let over = (height.abs() - half).max(0.0);
                let exact = over.powi(2) + ((away - 1.0) * radius).powi(2);
                let found = disc.square_distance(&y);
                assert!(found <= exact, "{half} × {radius}: {found} at {exact}");
                told += usize::from(found > 0.5 * exact);
            }
            assert!(radius < 0.1 * half || told > 300, "{half} × {radius}: {told}");
        }
    }
}
