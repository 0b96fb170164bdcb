//! A level plane at z = 0 that stops nodes: contact of the simplest kind.

use crate::contact::{Collisions, ContactCounts, ContactError, NodeMotion};
use hashfall_geometry::Point;

/// Lets no node below z = 0, without friction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plane {
    counts: ContactCounts,
}

impl Collisions for Plane {
    fn resolve(
        &mut self,
        motion: &NodeMotion<'_>,
        velocity: &mut [Point],
    ) -> Result<f64, ContactError> {
        let nodes = motion.position.iter().zip(motion.inverse_mass).zip(velocity);
        for ((x, inverse_mass), v) in nodes {
            let slowest = -x.z / motion.dt;
            if *inverse_mass > 0.0 && v.z < slowest {
                v.z = slowest;
                self.counts.contacts += 1;
            }
        }
        Ok(1.0)
    }

    fn take_counts(&mut self) -> ContactCounts {
        std::mem::take(&mut self.counts)
    }
}
