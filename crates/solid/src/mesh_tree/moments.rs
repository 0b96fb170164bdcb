//! What the triangles of a node are as a whole: the moments of their directed areas, of which a
//! field far from them is the sum of a few terms, and the cone in which their normals lie.
//!
//! Idea: Barill, Dickson, Schmidt, Levin & Jacobson, Fast winding numbers for soups and clouds
//! (2018), §3: a Taylor series of second order about the middle of a node. Deviations: the field
//! is that of any kernel ([`super::flux`]); moments are sums over the node's own triangles, from
//! leaf to root, of lengths in units of the node's radius, so that no length is too small.
//!
//! With the normals n, and places δ from the middle of the node's box in units of its radius s:
//!
//! - M⁰ᵢ = ∫ nᵢ dA, M¹ᵢⱼ = ∫ nᵢ δⱼ dA, M²ᵢⱼₖ = ∫ nᵢ δⱼ δₖ dA \[m²\]

use super::tree::MeshTree;
use super::walk::ball_around;
use crate::precision::to_point;
use hashfall_core::Vec3;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Of the directed areas of a node's triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    /// M⁰ \[m²\].
    pub area: [f32; 3],
    /// M¹, i by i \[m²\].
    pub first: [[f32; 3]; 3],
    /// M², i by i: of jk the places xx, yy, zz, xy, yz, zx \[m²\].
    pub second: [[f32; 6]; 3],
    /// No normal is turned farther from M⁰ \[rad\]; infinite if one has no direction.
    pub cone: f32,
}

/// The same on the way to their sum.
#[derive(Clone, Copy)]
struct Sum {
    area: Point,
    first: [Point; 3],
    second: [Matrix3<f64>; 3],
}

impl Moments {
    /// Of every node, children before parents.
    pub fn of_nodes(tree: &MeshTree, triangles: &[[Vec3; 3]]) -> Vec<Moments> {
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

    /// The direction of M⁰, if it has one.
    pub fn axis(&self) -> Option<Point> {
        point(&self.area).try_normalize(0.0)
    }

    /// The axis of the cone of normals, and its half angle \[rad\]; `None` if there is none.
    pub fn cone(&self) -> Option<(Point, f32)> {
        let axis = self.axis()?;
        (self.cone < std::f32::consts::FRAC_PI_2).then_some((axis, self.cone))
    }
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

fn point([x, y, z]: &[f32; 3]) -> Point {
    Point::new(f64::from(*x), f64::from(*y), f64::from(*z))
}

/// More than rounding an axis to single precision turns it \[rad\].
const ROUNDING: f64 = 1e-5;

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
