//! Line of sight: whether a solid lies between two places.
//!
//! A segment is blocked by a triangle that it crosses (Möller & Trumbore 1997, Fast, minimum
//! storage ray/triangle intersection) and by a ball or a solid of revolution that it enters. What
//! lies within a tolerance of the start does not block, so that a place on a surface sees what is
//! in front of it. Walls of the domain block nothing: the domain is convex.

use crate::precision::to_point;
use crate::solids::Solids;
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point, RoundSolid};

/// Triangles overlap by this share of their edges, so that no segment slips through between two.
const OVERLAP: f64 = 1e-9;

/// The solids near a place, which may block the sight from there.
#[derive(Clone, Debug)]
pub struct LineOfSight {
    /// Centres \[m\] and radii \[m\].
    balls: Vec<(Point, f64)>,
    rounds: Vec<RoundSolid>,
    /// Corners \[m\].
    triangles: Vec<[Point; 3]>,
    /// \[m\]
    tolerance: f64,
}

impl Solids {
    /// The solids that may block a segment within a box. What is nearer than `tolerance` \[m\] to
    /// the start of a segment does not block it.
    pub fn line_of_sight(&self, bounds: &Aabb, tolerance: f64) -> LineOfSight {
        let is_near = |box_around: &Aabb| box_around.overlaps(bounds);
        let balls = self.spheres.iter().filter(|s| is_near(&Aabb::of_ball(&s.centre, s.radius)));
        let rounds = self.rounds.iter().filter(|round| is_near(&round.aabb()));
        let mut triangles = Vec::new();
        let mut first = 0;
        for (end, box_around) in self.mesh_ends.iter() {
            let all = first..*end as usize - self.first_triangle();
            first = all.end;
            if is_near(box_around) {
                let near = self.triangles[all].iter().filter(|t| is_near(&Aabb::around(*t)));
                triangles.extend(near.map(|t| t.map(|corner| to_point(&corner))));
            }
        }
        LineOfSight {
            balls: balls.map(|s| (to_point(&s.centre), f64::from(s.radius))).collect(),
            rounds: rounds.copied().collect(),
            triangles,
            tolerance,
        }
    }

    /// The present position \[m\] of a point that the scene places at `x` \[m\] on a body, by its
    /// number among [all bodies](Solids::body_count); `x` itself on one that stands.
    pub fn present_position(&self, body: usize, x: &Point) -> Point {
        self.moving_index(body).map_or(*x, |at| self.steps[at].pose.apply(x))
    }

    /// The present direction of a vector that is fixed to a body, as
    /// [`present_position`](Solids::present_position).
    pub fn present_direction(&self, body: usize, v: &Point) -> Point {
        self.moving_index(body).map_or(*v, |at| self.steps[at].pose.turn * v)
    }
}

impl LineOfSight {
    /// Whether there is nothing to block any segment.
    pub fn is_clear(&self) -> bool {
        self.balls.is_empty() && self.rounds.is_empty() && self.triangles.is_empty()
    }

    /// Whether a solid lies between two places.
    pub fn is_blocked(&self, from: &Point, to: &Vec3) -> bool {
        let way = to_point(to) - from;
        let length = way.norm();
        if length <= self.tolerance {
            return false;
        }
        let start = self.tolerance / length;
        let enters = |&(centre, radius): &(Point, f64)| {
            let t = (way.dot(&(centre - from)) / (length * length)).clamp(0.0, 1.0);
            (from + way * t - centre).norm() < radius - self.tolerance
        };
        // The middle of a chord is at least half as deep in a convex solid as its deepest place.
        let passes = |round: &RoundSolid| {
            round.chord(from, &way).is_some_and(|(first, last)| {
                let (first, last) = (first.max(0.0), last.min(1.0));
                let middle = from + way * (0.5 * (first + last));
                first < last && round.signed_distance(&middle) < -self.tolerance
            })
        };
        let is_crossed = |t: &[Point; 3]| crossing(from, &way, t).is_some_and(|t| t > start);
        self.balls.iter().any(enters)
            || self.rounds.iter().any(passes)
            || self.triangles.iter().any(is_crossed)
    }
}

/// The part of the way after which a segment crosses a triangle, from 0 to 1.
pub(crate) fn crossing(from: &Point, way: &Point, [a, b, c]: &[Point; 3]) -> Option<f64> {
    let (u, v) = (b - a, c - a);
    let across = way.cross(&v);
    let determinant = u.dot(&across);
    if determinant == 0.0 {
        return None;
    }
    let from_corner = from - a;
    let s = from_corner.dot(&across) / determinant;
    let beside = from_corner.cross(&u);
    let t = way.dot(&beside) / determinant;
    let part = v.dot(&beside) / determinant;
    let is_inside = s >= -OVERLAP && t >= -OVERLAP && s + t <= 1.0 + OVERLAP;
    (is_inside && (0.0..=1.0).contains(&part)).then_some(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sphere;
    use hashfall_core::vec3;
    use hashfall_geometry::random::Random;
    use hashfall_geometry::shape::box_mesh;

    #[test]
    fn a_ball_and_a_box_block_what_passes_through_them() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(2.0));
        let ball = Sphere { centre: Vec3::new(0.5, 1.0, 1.0), radius: 0.3 };
        let solid = Aabb::new(Vec3::new(1.2, 0.7, 0.6), Vec3::new(1.5, 1.4, 1.3));
        let solids = Solids::new(domain, vec![ball], vec![box_mesh(&solid)]);
        let sight = solids.line_of_sight(&domain, 1e-6);
        let mut random = Random::new(5);
        let (mut blocked, mut free) = (0, 0);
        for _ in 0..4000 {
            let (from, to) = (random.point(0.0, 2.0), random.vec3(0.0, 2.0));
            // Many points of the segment: the least depth below which the oracle does not decide.
            let mut deepest = f64::NEG_INFINITY;
            for k in 0..=400 {
                let x = from + (to_point(&to) - from) * (f64::from(k) / 400.0);
                let of_ball = 0.3 - (x - to_point(&ball.centre)).norm();
                let of_box = (0..3)
                    .map(|a| (x[a] - f64::from(solid.min[a])).min(f64::from(solid.max[a]) - x[a]))
                    .fold(f64::INFINITY, f64::min);
                deepest = deepest.max(of_ball).max(of_box);
            }
            let starts_inside = solid.contains(&vec3(from.into()));
            if deepest.abs() < 5e-3 || starts_inside {
                continue;
            }
            assert_eq!(sight.is_blocked(&from, &to), deepest > 0.0, "{from} {to} {deepest}");
            *(if deepest > 0.0 { &mut blocked } else { &mut free }) += 1;
        }
        assert!(blocked > 200 && free > 200, "{blocked} {free}");
    }

    #[test]
    fn a_place_on_a_face_sees_its_own_side() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let plate = Aabb::new(Vec3::new(0.5, -0.1, -0.1), Vec3::new(0.504, 1.1, 1.1));
        let solids = Solids::new(domain, vec![], vec![box_mesh(&plate)]);
        let sight = solids.line_of_sight(&domain, 1e-4);
        let on_face = Point::new(0.5, 0.4, 0.4);
        assert!(!sight.is_blocked(&on_face, &Vec3::new(0.4, 0.45, 0.4)));
        assert!(sight.is_blocked(&on_face, &Vec3::new(0.6, 0.45, 0.4)));
    }
}
