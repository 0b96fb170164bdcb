//! The particles of a frame as files have them: in order of id, with all arrays.

use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_sph::world::Particles;

/// The particles of a frame, and what all of them share.
#[derive(Clone, Copy, Debug)]
pub struct ParticleFrame<'a> {
    /// The particles.
    pub particles: &'a Particles,
    /// Their radius \[m\].
    pub radius: Real,
    /// Simulated time \[s\].
    pub time: f64,
}

/// Positions \[m\] and arrays in order of id: `velocity` \[m/s\], `density` \[kg/m³\], `pressure`
/// \[Pa\], `id`, `phase` (which fluid), `age` \[s\] and `radius` \[m\].
pub(crate) fn in_order(frame: &ParticleFrame) -> (Vec<Vec3>, Vec<Attribute<'static>>) {
    let ParticleFrame { particles, radius, time } = *frame;
    let order = particles.order_by_id();
    let ages = particles.ages(time);
    let vectors = |of: &[Vec3]| order.iter().map(|&i| of[i as usize]).collect::<Vec<_>>();
    let scalars = |of: &[Real]| Values::Scalars(order.iter().map(|&i| of[i as usize]).collect());
    let labels = |of: &dyn Fn(usize) -> u32| {
        Values::Labels(order.iter().map(|&i| of(i as usize)).collect::<Vec<_>>().into())
    };
    let arrays = vec![
        Attribute::new("velocity", Values::Vectors(vectors(&particles.velocity).into())),
        Attribute::new("density", scalars(&particles.density)),
        Attribute::new("pressure", scalars(&particles.pressure)),
        Attribute::new("id", labels(&|i| particles.id[i])),
        Attribute::new("phase", labels(&|i| particles.phase[i].into())),
        Attribute::new("age", scalars(&ages)),
        Attribute::new("radius", Values::Scalars(vec![radius; order.len()].into())),
    ];
    (vectors(&particles.position), arrays)
}
