//! Where a straight line runs inside of a solid of revolution.
//!
//! The solids are convex, so what of a line is inside is one stretch x + t v, from t₀ to t₁:
//!
//! - cylinder, cone: between the planes of the ends, where |x⊥ + t v⊥| is at most the radius there,
//!   which is a quadratic inequality in t;
//! - capsule: from the first of its cylinder and its two balls to the last.

use super::axis::Axis;
use super::capsule::Capsule;
use super::frustum::Frustum;
use crate::geometry::point::Point;

/// A stretch of a line; empty if it ends before it starts.
type Stretch = [f64; 2];

const NOTHING: Stretch = [f64::INFINITY, f64::NEG_INFINITY];

fn some((start, end): (f64, f64)) -> Option<(f64, f64)> {
    (start <= end).then_some((start, end))
}

/// A line, seen from an axis: places along it, and across it.
struct Line {
    along: [f64; 2],
    across: [Point; 2],
}

impl Line {
    fn new(axis: &Axis, from: &Point, way: &Point) -> Self {
        let from_start = from - axis.start;
        let along = [from_start.dot(&axis.direction), way.dot(&axis.direction)];
        let across = [from_start - axis.direction * along[0], way - axis.direction * along[1]];
        Line { along, across }
    }

    /// Where z is from 0 to `length`.
    fn between_ends(&self, length: f64) -> Stretch {
        let [z, speed] = self.along;
        if speed == 0.0 {
            let is_between = (0.0..=length).contains(&z);
            return if is_between { [f64::NEG_INFINITY, f64::INFINITY] } else { NOTHING };
        }
        let [a, b] = [-z / speed, (length - z) / speed];
        [a.min(b), a.max(b)]
    }

    /// Of `limits`, where the line is inside of the infinite cone of these radii at z = 0 and, less
    /// that, for each metre along the axis; between the limits the radius is not negative.
    fn inside_cone(&self, radius: f64, slope: f64, limits: Stretch) -> Stretch {
        let ([z, speed], [x, v]) = (self.along, &self.across);
        let (at, rise) = (radius + slope * z, slope * speed);
        let (a, b) = (v.norm_squared() - rise * rise, x.dot(v) - at * rise);
        let c = x.norm_squared() - at * at;
        let clip = |[from, to]: Stretch| [from.max(limits[0]), to.min(limits[1])];
        let everything = [f64::NEG_INFINITY, f64::INFINITY];
        let scale = v.norm_squared() + rise * rise;
        if a.abs() <= 1e-14 * scale {
            let root = -0.5 * c / b;
            return clip(match b.total_cmp(&0.0) {
                _ if b == 0.0 && c <= 0.0 => everything,
                _ if b == 0.0 => NOTHING,
                std::cmp::Ordering::Greater => [f64::NEG_INFINITY, root],
                _ => [root, f64::INFINITY],
            });
        }
        let discriminant = b * b - a * c;
        if discriminant < 0.0 {
            return if a > 0.0 { NOTHING } else { clip(everything) };
        }
        // Of the two roots the one that does not cancel, and the other by their product.
        let q = -(b + discriminant.sqrt().copysign(b));
        let roots = if q == 0.0 { [0.0, 0.0] } else { [q / a, c / q] };
        let [low, high] = [roots[0].min(roots[1]), roots[0].max(roots[1])];
        if a > 0.0 {
            return clip([low, high]);
        }
        // Inside of both halves of the cone, of which one is beyond the limits.
        let halves = [clip([f64::NEG_INFINITY, low]), clip([high, f64::INFINITY])];
        let [first, second] = halves.map(|[from, to]| to - from);
        if first >= second { halves[0] } else { halves[1] }
    }

    /// Where the line is inside of a ball around a place on the axis.
    fn inside_ball(&self, z: f64, radius: f64) -> Stretch {
        let ([from, speed], [x, v]) = (self.along, &self.across);
        let from = from - z;
        let a = v.norm_squared() + speed * speed;
        let b = x.dot(v) + from * speed;
        let c = x.norm_squared() + from * from - radius * radius;
        let discriminant = b * b - a * c;
        if discriminant < 0.0 || a == 0.0 {
            return NOTHING;
        }
        let root = discriminant.sqrt();
        [(-b - root) / a, (-b + root) / a]
    }
}

/// Where x + t v is inside of a frustum.
pub(super) fn of_frustum(
    axis: &Axis,
    frustum: &Frustum,
    from: &Point,
    way: &Point,
) -> Option<(f64, f64)> {
    let line = Line::new(axis, from, way);
    let ends = line.between_ends(frustum.length);
    let slope = (frustum.tip_radius - frustum.radius) / frustum.length;
    let [start, end] = line.inside_cone(frustum.radius, slope, ends);
    some((start, end))
}

/// Where x + t v is inside of a capsule.
pub(super) fn of_capsule(
    axis: &Axis,
    capsule: &Capsule,
    from: &Point,
    way: &Point,
) -> Option<(f64, f64)> {
    let line = Line::new(axis, from, way);
    let radius = capsule.radius;
    let side = line.inside_cone(radius, 0.0, line.between_ends(capsule.length));
    let ends = [0.0, capsule.length].map(|z| line.inside_ball(z, radius));
    let parts = [side, ends[0], ends[1]].into_iter().filter(|[from, to]| from <= to);
    let [start, end] = parts.fold(NOTHING, |all, part| [all[0].min(part[0]), all[1].max(part[1])]);
    some((start, end))
}
