//! Sums over the triangles of nodes that [moments](super::moments) are found by.

use super::bounds::ball_around;
use super::moments::{Moments, point};
use super::tree::MeshTree;
use crate::precision::to_point;
use hashfall_core::Vec3;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// More than rounding an axis to single precision turns it \[rad\].
const ROUNDING: f64 = 1e-5;

/// Moments on the way to their sum.
#[derive(Clone, Copy)]
struct Sum {
    area: Point,
    first: [Point; 3],
    second: [Matrix3<f64>; 3],
}

impl Sum {
    const NONE: Sum = Sum {
        area: Point::new(0.0, 0.0, 0.0),
        first: [Point::new(0.0, 0.0, 0.0); 3],
        second: [Matrix3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0); 3],
    };

    /// Adds a triangle, its corners in a unit whose square is `unit` \[m²\].
    fn add_triangle(&mut self, corners: &[Point; 3], unit: f64) {
        let [a, b, c] = corners;
        let area = (b - a).cross(&(c - a)) * (0.5 * unit);
        let whole = a + b + c;
        // The mean of x xᵀ over a triangle.
        let squares: Matrix3<f64> = corners.iter().map(|p| p * p.transpose()).sum();
        let spread = (squares + whole * whole.transpose()) / 12.0;
        self.area += area;
        for i in 0..3 {
            self.first[i] += whole * (area[i] / 3.0);
            self.second[i] += spread * area[i];
        }
    }

    /// Adds what is of a unit of this `scale` and is at `shift` from here, both in the own unit.
    fn add_moved(&mut self, part: &Sum, scale: f64, shift: &Point) {
        self.area += part.area;
        for i in 0..3 {
            let first = part.first[i] * scale;
            self.first[i] += first + shift * part.area[i];
            self.second[i] += part.second[i] * (scale * scale)
                + first * shift.transpose()
                + shift * first.transpose()
                + shift * shift.transpose() * part.area[i];
        }
    }

    fn from_moments(moments: &Moments) -> Sum {
        let matrix = |[xx, yy, zz, xy, yz, zx]: [f32; 6]| {
            Matrix3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz).map(f64::from)
        };
        Sum {
            area: point(&moments.area),
            first: moments.first.map(|row| point(&row)),
            second: moments.second.map(matrix),
        }
    }

    fn rounded(&self) -> Moments {
        let single = |p: &Point| [p.x as f32, p.y as f32, p.z as f32];
        let places = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];
        Moments {
            area: single(&self.area),
            first: self.first.map(|row| single(&row)),
            second: self.second.map(|m| places.map(|place| m[place] as f32)),
            cone: 0.0,
        }
    }
}

/// The moments of every node, children before parents.
pub(super) fn moments_of_nodes(tree: &MeshTree, triangles: &[[Vec3; 3]]) -> Vec<Moments> {
    tree.bottom_up(Sum::NONE.rounded(), |node, children| {
        let (centre, radius) = ball_around(&tree.boxes[node]);
        let scale = if radius > 0.0 { 1.0 / radius } else { 0.0 };
        let mut sum = Sum::NONE;
        let cone = if let Some(children) = children {
            for (child, known) in [2 * node + 1, 2 * node + 2].into_iter().zip(children) {
                let (own, own_radius) = ball_around(&tree.boxes[child]);
                let part = Sum::from_moments(known);
                sum.add_moved(&part, own_radius * scale, &((own - centre) * scale));
            }
            children.map(|known| cone_around(known, &sum.area)).into_iter().fold(0.0, f32::max)
        } else {
            for &t in tree.leaf(node) {
                let seen = triangles[t as usize].map(|c| (to_point(&c) - centre) * scale);
                sum.add_triangle(&seen, radius * radius);
            }
            cone_of_leaf(tree.leaf(node), triangles, &sum.area)
        };
        Moments { cone, ..sum.rounded() }
    })
}

/// The half angle of the cone about `axis` of the normals of some triangles.
fn cone_of_leaf(leaf: &[u32], triangles: &[[Vec3; 3]], axis: &Point) -> f32 {
    let Some(axis) = axis.try_normalize(0.0) else { return f32::INFINITY };
    let angle = |&t: &u32| {
        let [a, b, c] = triangles[t as usize].map(|c| to_point(&c));
        let (ab, ac) = (b - a, c - a);
        let normal = ab.cross(&ac);
        // The direction of less is rounding.
        let has_area = normal.norm_squared() > 1e-12 * ab.norm_squared() * ac.norm_squared();
        has_area.then(|| angle_between(&axis, &normal))
    };
    let mut angles = leaf.iter().map(angle);
    let widest = angles.try_fold(0.0_f64, |widest, own| Some(widest.max(own?)));
    widest.map_or(f32::INFINITY, |angle| (angle + ROUNDING) as f32)
}

/// The half angle of the cone about `axis` around that of a node.
fn cone_around(node: &Moments, axis: &Point) -> f32 {
    match node.cone() {
        Some((own, angle)) if axis.norm_squared() > 0.0 => {
            (f64::from(angle) + angle_between(axis, &own) + ROUNDING) as f32
        }
        _ => f32::INFINITY,
    }
}

fn angle_between(a: &Point, b: &Point) -> f64 {
    libm::atan2(a.cross(b).norm(), a.dot(b))
}
