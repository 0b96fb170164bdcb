//! When two shapes that move will touch: conservative advancement.
//!
//! Mirtich, Impulse-based Dynamic Simulation of Rigid Body Systems (1996), §2.3; directional, as
//! Zhang, Lee & Kim (2006). With a unit vector n from the first shape to the second, which their
//! closest points give, the support functions bound their distance from below, whatever rounding
//! did to n:
//!   σ(n) = min over the second of n·x − max over the first of n·x.
//! While n stays, σ falls no faster than (v₁ − v₂)·n + ‖ω₁ × n‖ρ₁ + ‖ω₂ × n‖ρ₂, with ρ the greatest
//! distance of a point from the body's origin \[m\]. So for σ minus the gap that is to be left,
//! over that speed, nothing can touch: time goes on by so much, and all is asked anew. Concave
//! shapes are asked piece by piece. The time found is never late.

use super::pair::ShapePair;
use crate::shape::{Bounds, Geometry, Motion, Shape, parry_pose, vector, vector3};
use nalgebra::{Isometry3, Vector3};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::math::Pose;
use parry3d_f64::query::{ClosestPoints, DefaultQueryDispatcher, QueryDispatcher};
use parry3d_f64::shape::{SharedShape, Triangle};

/// After as many steps time stops where it is, which is early but never late.
const MAX_STEPS: usize = 200;
/// A gap is reached within this share of it \[–\].
const GAP_TOLERANCE: f64 = 0.1;
/// A pair starts in contact if its distance is below this share of its size \[–\].
const IN_CONTACT: f64 = 1e-12;
/// A pair that starts closer than the gap keeps this share of its distance \[–\].
const MIN_SHARE: f64 = 0.5;

/// What becomes of a pair in a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Impact {
    /// The shapes keep apart.
    Free,
    /// They touch at the start already, or overlap: how they go on is the contact solver's to say.
    Contact,
    /// Their distance falls to the gap after this time \[s\], and not before.
    At(f64),
}

/// Two shapes that move.
#[derive(Clone, Copy, Debug)]
pub struct MotionPair<'a> {
    /// The shapes.
    pub shapes: [&'a Shape; 2],
    /// How they move. Half spaces may not spin.
    pub motions: [Motion; 2],
}

/// A convex piece of a shape.
struct Piece<'a> {
    support: Support<'a>,
    /// As parry has it, in units, in its own frame.
    parry: SharedShape,
}

/// What a piece's support function is taken from.
enum Support<'a> {
    Whole(&'a Geometry),
    Points(&'a [Vector3<f64>]),
    Triangle([Vector3<f64>; 3]),
}

impl Support<'_> {
    fn along(&self, direction: &Vector3<f64>) -> f64 {
        let farthest = |points: &[Vector3<f64>]| {
            points.iter().map(|p| p.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
        };
        match self {
            // Asked along its normal alone.
            Support::Whole(Geometry::HalfSpace { .. }) => 0.0,
            Support::Whole(geometry) => geometry.support(direction),
            Support::Points(points) => farthest(points),
            Support::Triangle(corners) => farthest(corners),
        }
    }
}

impl MotionPair<'_> {
    /// When the distance falls to `gap` \[m\] within `duration` \[s\]. A pair that starts closer
    /// than that may come closer still: to half its distance, so that it never touches.
    pub fn time_of_impact(&self, duration: f64, gap: f64) -> Impact {
        let [first, second] = self.shapes;
        let pair = ShapePair::new([first, second], self.motions.map(|motion| motion.start));
        let Some(exponent) = pair.exponent() else { return Impact::Free };
        let span = [0.0, duration];
        let boxes = [0, 1].map(|k| self.shapes[k].motion_box(&self.motions[k], span).grown(gap));
        if !boxes[0].overlaps(&boxes[1]) {
            return Impact::Free;
        }
        let search = Search { pair: self, exponent, gap, in_contact: IN_CONTACT * pair.size() };
        let pieces = [0, 1].map(|k| search.pieces(k, &boxes[1 - k], duration));
        let mut until = duration;
        let mut result = Impact::Free;
        for (a, b) in pieces[0].iter().flat_map(|a| pieces[1].iter().map(move |b| (a, b))) {
            match search.advance(a, b, until) {
                Impact::At(time) => (until, result) = (time, Impact::At(time)),
                Impact::Contact if result == Impact::Free => result = Impact::Contact,
                _ => {}
            }
        }
        result
    }
}

/// A pair that is asked piece by piece.
struct Search<'a> {
    pair: &'a MotionPair<'a>,
    exponent: i32,
    gap: f64,
    in_contact: f64,
}

impl<'a> Search<'a> {
    /// The pieces of a shape that may come near what stays in a box.
    fn pieces(&self, which: usize, near: &Bounds, duration: f64) -> Vec<Piece<'a>> {
        let shape = self.pair.shapes[which];
        let Some(parry) = shape.in_units(self.exponent) else { return Vec::new() };
        let around = || self.box_in_frame(which, near, duration);
        match shape.geometry() {
            Geometry::Surface(surface) => {
                let Some(mesh) = parry.as_trimesh() else { return Vec::new() };
                let mut hit: Vec<u32> = mesh.bvh().intersect_aabb(&around()).collect();
                hit.sort_unstable();
                let piece = |t: u32| {
                    let corners = surface.triangles[t as usize];
                    let corners = corners.map(|v| surface.vertices[v as usize]);
                    let [a, b, c] = corners.map(|p| vector(&(p * self.per_metre())));
                    let parry = SharedShape::new(Triangle::new(a, b, c));
                    Piece { support: Support::Triangle(corners), parry }
                };
                hit.into_iter().map(piece).collect()
            }
            Geometry::Decomposed { parts } => {
                let Some(compound) = parry.as_compound() else { return Vec::new() };
                let mut hit: Vec<u32> = compound.bvh().intersect_aabb(&around()).collect();
                hit.sort_unstable();
                let piece = |t: u32| Piece {
                    support: Support::Points(&parts[t as usize].vertices),
                    parry: compound.shapes()[t as usize].1.clone(),
                };
                hit.into_iter().map(piece).collect()
            }
            whole => vec![Piece { support: Support::Whole(whole), parry }],
        }
    }

    /// Units in a metre.
    fn per_metre(&self) -> f64 {
        libm::ldexp(1.0, -self.exponent)
    }

    /// A box of the world in the frame of a shape at the start, grown by how far it moves, in
    /// units.
    fn box_in_frame(&self, which: usize, near: &Bounds, duration: f64) -> Aabb {
        let (shape, motion) = (self.pair.shapes[which], self.pair.motions[which]);
        let travel = motion.velocity.norm() + motion.spin.norm() * shape.max_radius();
        let grown = near.grown(travel * duration);
        if !grown.is_finite() {
            return Aabb::new(vector(&Bounds::UNBOUNDED.min), vector(&Bounds::UNBOUNDED.max));
        }
        let in_frame = (motion.start * shape.local()).inverse();
        let units = self.per_metre();
        let box_of_world = Aabb::new(vector(&(grown.min * units)), vector(&(grown.max * units)));
        box_of_world.transform_by(&parry_pose(&in_frame, units))
    }

    /// Advances two pieces until their distance is the gap.
    fn advance(&self, first: &Piece, second: &Piece, until: f64) -> Impact {
        let mut time = 0.0;
        let mut gap = self.gap;
        for step in 0..MAX_STEPS {
            let Some((distance, normal)) = self.bound(first, second, time) else {
                return if step == 0 { Impact::Contact } else { Impact::At(time) };
            };
            if step == 0 {
                if distance <= self.in_contact {
                    return Impact::Contact;
                }
                gap = gap.min(MIN_SHARE * distance);
            }
            let clearance = distance - gap;
            if step > 0 && clearance <= GAP_TOLERANCE * gap {
                return Impact::At(time);
            }
            let speed = self.approach_speed(&normal);
            if speed * (until - time) <= clearance {
                return Impact::Free;
            }
            time += clearance / speed;
        }
        Impact::At(time)
    }

    /// A distance that the pieces have at least, with the direction along which they have it; none
    /// where they overlap.
    fn bound(&self, first: &Piece, second: &Piece, time: f64) -> Option<(f64, Vector3<f64>)> {
        let frame = |k: usize| self.pair.motions[k].pose_at(time) * self.pair.shapes[k].local();
        let frames = [frame(0), frame(1)];
        let normal = self.direction([first, second], time, &frames)?;
        let between = frames[1].translation.vector - frames[0].translation.vector;
        let turned = |k: usize, n: &Vector3<f64>| frames[k].rotation.inverse() * n;
        let reach = first.support.along(&turned(0, &normal));
        let distance = between.dot(&normal) - reach - second.support.along(&turned(1, &-normal));
        Some((distance, normal))
    }

    /// The direction from the first piece to the second.
    fn direction(
        &self,
        pieces: [&Piece; 2],
        time: f64,
        frames: &[Isometry3<f64>; 2],
    ) -> Option<Vector3<f64>> {
        for (k, sign) in [(0, 1.0), (1, -1.0)] {
            if let Support::Whole(Geometry::HalfSpace { normal }) = pieces[k].support {
                return Some(frames[k].rotation * normal * sign);
            }
        }
        let place =
            |k: usize| self.pair.motions[k].pose_at(time) * self.pair.shapes[k].parry_local();
        let relative: Pose = parry_pose(&place(0).inv_mul(&place(1)), self.per_metre());
        let [a, b] = pieces.map(|piece| &*piece.parry);
        match DefaultQueryDispatcher.closest_points(&relative, a, b, f64::MAX) {
            Ok(ClosestPoints::WithinMargin(p, q)) => {
                let arm = vector3(relative * q) - vector3(p);
                Some(place(0).rotation * arm.try_normalize(0.0)?)
            }
            _ => None,
        }
    }

    /// The most by which the distance along a direction can fall in a second \[m/s\].
    fn approach_speed(&self, normal: &Vector3<f64>) -> f64 {
        let [a, b] = &self.pair.motions;
        let turning = |k: usize, spin: &Vector3<f64>| {
            let across = spin.cross(normal).norm();
            if across == 0.0 { 0.0 } else { across * self.pair.shapes[k].max_radius() }
        };
        let closing = (a.velocity - b.velocity).dot(normal);
        closing + turning(0, &a.spin) + turning(1, &b.spin)
    }
}
