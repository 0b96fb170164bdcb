//! Between the precision of the state and double precision, in which distances are computed.

use hashfall_core::{Vec3, to_f64, vec3};
use hashfall_geometry::Point;

/// A vector of the state in double precision.
pub(crate) fn to_point(v: &Vec3) -> Point {
    Point::from(to_f64(v))
}

/// A vector rounded to the state's precision.
pub(crate) fn to_vec3(p: &Point) -> Vec3 {
    vec3((*p).into())
}
