//! The contact points of all bodies where they are now, and the forces that they last had.
//!
//! Each body has a reach: how far it may move within the next step. Boxes grown by it give pairs,
//! and pairs all points whose gap is within both reaches: whatever two slow bodies may touch within
//! a step is known to the solver before they do. A reach is twice what a body moved in a step like
//! this one, within bounds relative to its size; bodies that are faster are swept
//! ([`super::impacts`]). A point has the force of the point of the same name before.
//!
//! Symbols: v velocity \[m/s\], ω spin \[rad/s\], r greatest radius about the centre \[m\].

use crate::body::{BodyKind, Material, RigidBody};
use crate::contact_point::ContactPoint;
use crate::manifolds::{ContactLaw, ShapePair};
use crate::pairs::{BodyBox, PairError, PairFinder};
use crate::shape::Shape;
use hashfall_bodies::{BodyState, Twist};
use hashfall_core::parallel::{chunks, map_parts};
use hashfall_search::BroadPhaseKind;
use nalgebra::{Isometry3, Vector3};

/// Bounds of a free body's reach, as parts of its size \[–\].
const MIN_REACH: f64 = 1e-3;
const MAX_REACH: f64 = 0.1;
/// The reach over the motion in a step: steps may grow by this factor before bodies count as fast.
const GROWTH: f64 = 2.0;
/// Pairs a thread asks for at a time.
const CHUNK: usize = 32;

/// Contact points and their forces.
#[derive(Debug)]
pub(crate) struct Contacts {
    finder: PairFinder,
    /// Of each body \[m\].
    pub(crate) reach: Vec<f64>,
    /// Pairs of bodies within reach, sorted.
    pub(crate) pairs: Vec<[u32; 2]>,
    /// By pair, in the order of the pairs.
    pub(crate) points: Vec<ContactPoint>,
    /// Of each point \[N\].
    pub(crate) forces: Vec<Vector3<f64>>,
    boxes: Vec<BodyBox>,
    last_points: Vec<ContactPoint>,
    last_forces: Vec<Vector3<f64>>,
}

impl Contacts {
    pub(crate) fn new(kind: BroadPhaseKind) -> Self {
        Contacts {
            finder: PairFinder::new(kind),
            reach: Vec::new(),
            pairs: Vec::new(),
            points: Vec::new(),
            forces: Vec::new(),
            boxes: Vec::new(),
            last_points: Vec::new(),
            last_forces: Vec::new(),
        }
    }

    /// Sets the reach of all bodies for steps of `dt` \[s\], in which they have these
    /// accelerations.
    pub(crate) fn set_reach(
        &mut self,
        bodies: &[RigidBody],
        states: &[BodyState],
        accelerations: &[Twist],
        dt: f64,
    ) {
        let reach = bodies.iter().zip(states).zip(accelerations).map(|((body, state), a)| {
            let moved = motion(body, &(state.twist() + *a * dt), dt);
            match body.kind() {
                BodyKind::Fixed => 0.0,
                BodyKind::Prescribed => GROWTH * moved,
                BodyKind::Free => {
                    let size = body.shape().size();
                    (GROWTH * moved).clamp(MIN_REACH * size, MAX_REACH * size)
                }
            }
        });
        self.reach.clear();
        self.reach.extend(reach);
    }

    /// Finds the points of the bodies where they are.
    ///
    /// # Errors
    /// If a body is nowhere.
    pub(crate) fn find(
        &mut self,
        bodies: &[RigidBody],
        states: &[BodyState],
    ) -> Result<(), PairError> {
        self.boxes.clear();
        self.boxes.extend(boxes(bodies, states, &self.reach));
        let pairs = self.finder.find(&self.boxes)?;
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        std::mem::swap(&mut self.points, &mut self.last_points);
        std::mem::swap(&mut self.forces, &mut self.last_forces);
        let reach = &self.reach;
        let points_of = |_, pairs: &[[u32; 2]]| {
            let mut found = Vec::new();
            for &pair in pairs {
                let [a, b] = pair.map(|k| reach[k as usize]);
                add_points(bodies, states, pair, a + b, &mut found);
            }
            found
        };
        self.points.clear();
        if self.pairs.len() <= CHUNK {
            self.points = points_of(0, &self.pairs);
        } else {
            let chunks = map_parts(chunks(&self.pairs, CHUNK), points_of);
            self.points.extend(chunks.iter().flatten());
        }
        self.inherit_forces();
        Ok(())
    }

    /// The same; points that are as they were keep their forces to the bit.
    ///
    /// # Errors
    /// As [`Contacts::find`].
    pub(crate) fn find_again(
        &mut self,
        bodies: &[RigidBody],
        states: &[BodyState],
    ) -> Result<(), PairError> {
        self.find(bodies, states)?;
        if self.points == self.last_points {
            self.forces.clone_from(&self.last_forces);
        }
        Ok(())
    }

    /// The pairs of bodies whose boxes, grown by other reaches, overlap.
    pub(crate) fn pairs_within(
        &mut self,
        bodies: &[RigidBody],
        states: &[BodyState],
        reach: &[f64],
    ) -> Result<Vec<[u32; 2]>, PairError> {
        self.boxes.clear();
        self.boxes.extend(boxes(bodies, states, reach));
        Ok(self.finder.find(&self.boxes)?.to_vec())
    }

    /// Gives each point the force of its namesake: both lists are sorted by pair.
    fn inherit_forces(&mut self) {
        self.forces.clear();
        self.forces.resize(self.points.len(), Vector3::zeros());
        let mut start = 0;
        for (point, force) in self.points.iter().zip(&mut self.forces) {
            while self.last_points.get(start).is_some_and(|last| last.bodies < point.bodies) {
                start += 1;
            }
            let of_pair = self.last_points[start..].iter().zip(&self.last_forces[start..]);
            let mut of_pair = of_pair.take_while(|(last, _)| last.bodies == point.bodies);
            if let Some((_, last)) = of_pair.find(|(last, _)| last.feature == point.feature) {
                *force = *last;
            }
        }
    }
}

/// How far a point of a body may move in `dt` \[s\] \[m\].
pub(crate) fn motion(body: &RigidBody, twist: &Twist, dt: f64) -> f64 {
    let spin = twist.spin.norm();
    // A half space, whose radius is infinite, does not spin.
    let turn = if spin > 0.0 { spin * body.shape().max_radius() } else { 0.0 };
    (twist.velocity.norm() + turn) * dt
}

/// The pose of the frame about a body's centre.
pub(crate) fn pose(state: &BodyState) -> Isometry3<f64> {
    Isometry3::from_parts(state.position.into(), state.orientation.quaternion())
}

/// Two bodies where they are.
pub(crate) fn shape_pair<'a>(
    bodies: &'a [RigidBody],
    states: &[BodyState],
    pair: [u32; 2],
) -> ShapePair<'a> {
    let [a, b] = pair.map(|k| k as usize);
    ShapePair::new([bodies[a].shape(), bodies[b].shape()], [pose(&states[a]), pose(&states[b])])
}

/// Adds the points of a pair with gaps up to `prediction` \[m\].
pub(crate) fn add_points(
    bodies: &[RigidBody],
    states: &[BodyState],
    pair: [u32; 2],
    prediction: f64,
    out: &mut Vec<ContactPoint>,
) {
    let shapes = shape_pair(bodies, states, pair);
    if are_apart(&shapes, prediction) {
        return;
    }
    let [a, b] = pair.map(|k| bodies[k as usize].material());
    let Material { friction, restitution } = Material::mix(a, b);
    let law = ContactLaw { bodies: pair, friction, restitution };
    shapes.contact_points(&law, prediction, out);
}

/// Whether balls around both shapes, or one and a half space, are farther apart than `distance`
/// \[m\]: a quick test, for most pairs whose boxes overlap.
pub(crate) fn are_apart(pair: &ShapePair, distance: f64) -> bool {
    let radii = pair.shapes.map(Shape::max_radius);
    let centers = pair.poses.map(|pose| pose.translation.vector);
    let radius: f64 = radii.iter().filter(|radius| radius.is_finite()).sum();
    // Rounding must not make it say so of what touches.
    let limit = (1.0 + 1e-9) * (distance + radius);
    let Some(half_space) = radii.iter().position(|radius| radius.is_infinite()) else {
        return (centers[0] - centers[1]).norm_squared() > limit * limit;
    };
    let pose = &pair.poses[half_space];
    let height = pair.shapes[half_space].height_above(pose, &centers[1 - half_space]);
    height.is_some_and(|height| height > limit)
}

/// The boxes of bodies, grown by their reach.
fn boxes<'a>(
    bodies: &'a [RigidBody],
    states: &'a [BodyState],
    reach: &'a [f64],
) -> impl Iterator<Item = BodyBox> + 'a {
    bodies.iter().zip(states).zip(reach).map(|((body, state), reach)| BodyBox {
        bounds: body.shape().bounding_box(&pose(state)).grown(*reach),
        is_free: body.kind() == BodyKind::Free,
    })
}
