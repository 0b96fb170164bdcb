//! What disorder makes of sums over few neighbours, and how [moments](super::moments) allow for it.
//!
//! Particles that flow are never on a lattice, and the fewer neighbours a sum has, the more it
//! tells of that: the asymmetry of particles deep inside, in vortices jittered alike, is 1.8 times
//! as large in space at h = 2 d as at 2.5 d. Jitter by some d changes a sum by d/h, over about
//! (h/d)^D neighbours: by (d/h)^(1 + D/2). So it grows as ν = (2.5 d/h)^(1 + D/2).
//!
//! - bounds:     of the asymmetry, for which [`ASYMMETRY`] holds at 2.5 d, times ν. What solids
//!   fill is in no disorder, and mirrors stand for it: the bounds come back to those of 2.5 d where
//!   λ comes to [`SOLID`]. Wider ones there press a ball under water up by 2 % too much.
//! - repulsion:  R of close pairs, over ν²: with few neighbours s is small at d, and at half of it
//!   2.5 times as large in place of 1.75 (cubic spline). Its fourth power is noise, which particles
//!   that shift by it would follow.
//!
//! ν is 1 from h = 2.5 d on, and no larger than at 2 d.
//!
//! Symbols: s = W′/r \[1/m⁵\], h support radius, d spacing \[m\], D the dimension, λ the part that
//! solids fill \[–\].

use crate::world::World;
use hashfall_core::{Dimension, Real};

/// Asymmetry up to which a particle is inside, and from which on it is at a free surface, at
/// h = 2.5 d \[–\].
const ASYMMETRY: [Real; 2] = [0.1, 0.3];

/// R at h = 2.5 d \[–\].
const REPULSION: Real = 0.2;

/// λ from which on the bounds are as at h = 2.5 d \[–\].
const SOLID: Real = 0.05;

/// h over d for which the constants hold, and the least for which ν is as it says.
const FULL: Real = 2.5;
const LEAST: Real = 2.0;

/// How moments allow for disorder.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disorder {
    /// ν \[–\].
    ratio: Real,
    /// R \[–\].
    pub repulsion: Real,
}

impl Disorder {
    /// In a world of this support radius and spacing.
    pub fn new(world: &World) -> Self {
        let h = (world.support_radius / world.spacing()).clamp(LEAST, FULL);
        let ratio = match world.dimension {
            Dimension::Two => (FULL / h).powi(2),
            Dimension::Three => (FULL / h).powi(2) * (FULL / h).sqrt(),
        };
        Disorder { ratio, repulsion: REPULSION / (ratio * ratio) }
    }

    /// The bounds of the asymmetry of a particle around which solids fill the part `solid` (λ).
    #[inline(always)]
    pub fn bounds(&self, solid: Real) -> [Real; 2] {
        let fluid = 1.0 - (solid * (1.0 / SOLID)).clamp(0.0, 1.0);
        let ratio = 1.0 + (self.ratio - 1.0) * fluid;
        ASYMMETRY.map(|bound| bound * ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::tests::{DFSPH, splash};

    /// Bounds away from solids and R, for h in spacings.
    fn allowed(dimension: Dimension, h: Real) -> ([Real; 2], Real) {
        let mut world = splash(DFSPH);
        world.dimension = dimension;
        world.support_radius = h * world.spacing();
        let disorder = Disorder::new(&world);
        assert_eq!(disorder.bounds(SOLID), ASYMMETRY);
        (disorder.bounds(0.0), disorder.repulsion)
    }

    #[test]
    fn it_grows_as_neighbours_become_few() {
        use Dimension::{Three, Two};
        for dimension in [Two, Three] {
            for h in [2.5, 3.0, 4.0] {
                assert_eq!(allowed(dimension, h), (ASYMMETRY, REPULSION));
            }
            assert_eq!(allowed(dimension, 1.6), allowed(dimension, 2.0));
        }
        for (dimension, power) in [(Two, 2.0), (Three, 2.5)] {
            let ([low, high], repulsion) = allowed(dimension, 2.0);
            let ratio = (1.25 as Real).powf(power);
            assert!((low / (0.1 * ratio) - 1.0).abs() < 1e-5 && (high / low - 3.0).abs() < 1e-5);
            assert!((repulsion * ratio * ratio / 0.2 - 1.0).abs() < 1e-5, "{repulsion}");
        }
    }
}
