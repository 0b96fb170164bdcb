//! The points where two shapes touch or nearly touch.
//!
//! Parry finds manifolds: for each pair of convex pieces a normal and the corners of the area that
//! they share. Here they become points of the world, each with a name that holds while the same
//! features touch, without those that say nothing new (see `reduction`), in an order that depends
//! on nothing but the pair.

use super::convex_manifold::{Manifold, convex_manifold};
use super::pair::{ScaledPair, ShapePair};
use super::pieces::pieces_near;
use super::reduction::reduce;
use crate::contact_point::ContactPoint;
use crate::shape::vector3;
use parry3d_f64::bounding_volume::{Aabb, BoundingVolume};
use parry3d_f64::math::Pose;

/// What is the same for all points of a pair of bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// Indices of the bodies, as in [`ContactPoint::bodies`].
    pub bodies: [u32; 2],
    /// Coefficient of friction \[–\].
    pub friction: f64,
    /// Coefficient of restitution \[–\].
    pub restitution: f64,
}

/// What names a point within a pair: the pieces, and the features of each.
type Key = [u32; 4];

impl ShapePair<'_> {
    /// Adds the points of the pair whose gap is at most `prediction` \[m\], sorted by what names
    /// them. Two shapes of fixed bodies have none.
    pub fn contact_points(&self, law: &ContactLaw, prediction: f64, out: &mut Vec<ContactPoint>) {
        let Some(pair) = self.scaled() else { return };
        let mut points = pair.named_points(law, prediction);
        points.sort_by(|(a, p), (b, q)| a.cmp(b).then_with(|| by_place(p, q)));
        reduce(&mut points, self.size());
        let first = out.len();
        for (number, (key, point)) in points.iter().enumerate() {
            let repeats = points[..number].iter().rev().take_while(|(k, _)| k == key).count();
            out.push(ContactPoint { feature: feature(key, repeats as u64), ..*point });
        }
        debug_assert!(out[first..].iter().all(|point| point.gap <= prediction));
    }
}

impl ScaledPair {
    /// The points with their names.
    fn named_points(&self, law: &ContactLaw, prediction: f64) -> Vec<(Key, ContactPoint)> {
        let [first, second] = &self.shapes;
        let (pose, inverse) = (self.second_to_first, self.second_to_first.inverse());
        let near = prediction / self.unit;
        let firsts = pieces_near(first, second, &pose, near);
        let seconds = pieces_near(second, first, &inverse, near);
        let boxes: Vec<Aabb> = seconds.iter().map(|piece| piece.bounds(&pose)).collect();
        let mut points = Vec::new();
        for a in &firsts {
            let around = a.bounds(&Pose::IDENTITY).loosened(near);
            for (b, _) in seconds.iter().zip(&boxes).filter(|(_, b)| around.intersects(b)) {
                if let Some(manifold) = convex_manifold([a, b], &pose, near) {
                    self.add_points([a.number, b.number], &manifold, law, prediction, &mut points);
                }
            }
        }
        points
    }

    fn add_points(
        &self,
        pieces: [u32; 2],
        manifold: &Manifold,
        law: &ContactLaw,
        prediction: f64,
        points: &mut Vec<(Key, ContactPoint)>,
    ) {
        let [first, second] = &self.frames;
        let normal = (first.rotation * vector3(manifold.local_n1)).normalize();
        for contact in &manifold.points {
            let gap = contact.dist * self.unit;
            if gap.is_nan() || gap > prediction {
                continue;
            }
            let place = |frame: &nalgebra::Isometry3<f64>, local| {
                frame.rotation * (vector3(local) * self.unit) + frame.translation.vector
            };
            let (a, b) = (place(first, contact.local_p1), place(second, contact.local_p2));
            // Points of no feature come last: where another has their place, it is kept.
            let [f, g] = [contact.fid1, contact.fid2].map(|id| id.0.wrapping_sub(1));
            let key = [pieces[0], pieces[1], f, g];
            let ContactLaw { bodies, friction, restitution } = *law;
            let position = 0.5 * (a + b);
            let point =
                ContactPoint { bodies, position, normal, gap, friction, restitution, feature: 0 };
            points.push((key, point));
        }
    }
}

/// An order of points of one name.
fn by_place(p: &ContactPoint, q: &ContactPoint) -> std::cmp::Ordering {
    let pairs = p.position.iter().zip(q.position.iter());
    pairs
        .map(|(a, b)| a.total_cmp(b))
        .find(|order| order.is_ne())
        .unwrap_or(p.gap.total_cmp(&q.gap))
}

/// A number for a name: mixed by the finaliser of MurmurHash3 (Appleby 2011), so that two names of
/// a pair have the same with a chance of 2⁻⁶⁴.
fn feature(key: &Key, repeats: u64) -> u64 {
    let halves =
        [u64::from(key[0]) << 32 | u64::from(key[1]), u64::from(key[2]) << 32 | u64::from(key[3])];
    halves.into_iter().chain([repeats]).fold(0, |hash: u64, part| {
        let mut bits = (hash ^ part).wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ bits >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        bits = (bits ^ bits >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        bits ^ bits >> 33
    })
}
