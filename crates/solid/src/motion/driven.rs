//! Bodies whose places are state alone: no law of the time tells them.
//!
//! What shows such a body takes its shape once, about the reference point c, and its state at each
//! time: its point y there is at x = R y + p.
//!
//! Symbols: c reference point \[m\], p its present position \[m\], R orientation \[–\].

use crate::solids::Solids;
use hashfall_bodies::BodyState;
use hashfall_geometry::Point;
use std::ops::Range;

/// A [driven](super::kinematic_law::KinematicLaw::driven) body: which shapes are its own, and where
/// it is.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenBody {
    /// Its number among [all bodies](Solids::body_count).
    pub body: usize,
    /// Where the scene places its reference point c \[m\].
    pub reference: Point,
    /// Its present state.
    pub state: BodyState,
    /// Of the solids' balls.
    pub balls: Range<usize>,
    /// Of the solids of revolution.
    pub rounds: Range<usize>,
    /// Of the solids' meshes.
    pub meshes: Range<usize>,
}

impl Solids {
    /// The driven bodies, in the order of their numbers.
    pub fn driven_bodies(&self) -> impl Iterator<Item = DrivenBody> {
        let bodies = self.shapes.bodies.iter().zip(&self.states);
        bodies.filter(|(body, _)| body.motion.is_driven()).map(|(body, state)| DrivenBody {
            body: body.surface.body(),
            reference: *body.motion.pivot(),
            state: *state,
            balls: body.balls.clone(),
            rounds: body.rounds.clone(),
            meshes: body.meshes.clone(),
        })
    }

    /// Whether a ball moves by a law of the time.
    pub fn has_balls_with_law(&self) -> bool {
        let by_law = self.shapes.bodies.iter().filter(|body| !body.motion.is_driven());
        by_law.into_iter().any(|body| !body.balls.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::KinematicLaw;
    use crate::surfaces::BodySpec;
    use hashfall_core::Vec3;
    use hashfall_core::geometry::Sphere;
    use hashfall_geometry::Aabb;

    #[test]
    fn only_bodies_without_a_law_are_driven() {
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
        let ball = |x| Sphere { centre: Vec3::new(x, 0.5, 0.5), radius: 0.1 };
        let one = BodySpec { spheres: 1, ..BodySpec::default() };
        let solids = Solids::new(domain, [0.2, 0.5, 0.8].map(ball).into(), vec![]);
        let solids = solids.with_bodies(&[one; 3]);
        let spin = KinematicLaw::spin([0.0; 3], [0.0, 0.0, 1.0], 60.0);
        let driven = KinematicLaw::driven([0.8, 0.5, 0.5]);
        let laws = |first| vec![first, None, Some(driven.clone())];
        let found = solids.clone().with_kinematic_laws(laws(None));
        let bodies: Vec<DrivenBody> = found.driven_bodies().collect();
        assert_eq!((bodies.len(), bodies[0].body, bodies[0].balls.clone()), (1, 3, 2..3));
        assert_eq!(bodies[0].state.position, bodies[0].reference);
        assert!(!found.has_balls_with_law());
        assert!(solids.with_kinematic_laws(laws(Some(spin))).has_balls_with_law());
    }
}
