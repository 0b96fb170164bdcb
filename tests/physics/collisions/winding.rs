//! How often a closed surface goes around a point, by solid angles.
//!
//! Source: Van Oosterom & Strackee, The solid angle of a plane triangle (1983). The angles of all
//! triangles, over 4π, sum to the winding number: a whole number, but on the surface itself. It
//! shares nothing with the product: neither rays nor distances, and no search.

use hashfall_core::{Vec3, to_f64};
use hashfall_geometry::{Point, TriangleMesh};
use std::f64::consts::PI;

/// The winding number of a mesh around a point \[–\].
pub fn winding_number(mesh: &TriangleMesh, point: &Vec3) -> f64 {
    let point = Point::from(to_f64(point));
    let angle = |t: usize| {
        let [a, b, c] = mesh.corners(t).map(|corner| Point::from(to_f64(&corner)) - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let triple = a.dot(&b.cross(&c));
        let rest = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * triple.atan2(rest)
    };
    (0..mesh.triangles.len()).map(angle).sum::<f64>() / (4.0 * PI)
}

/// Whether a point lies inside; what is on the surface does not.
pub fn is_inside(mesh: &TriangleMesh, point: &Vec3) -> bool {
    winding_number(mesh, point).abs() > 0.75
}
