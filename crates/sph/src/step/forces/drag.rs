//! Linear drag: fluid is slowed in proportion to its velocity.
//!
//! Rayleigh friction, a = −k (v − u), draws velocities towards that of a medium, as air or a porous
//! bed does, and brings a start to rest. It is explicit: steps of dt ≤ 1/k are stable.
//!
//! Symbols: k rate \[1/s\], u velocity of the medium \[m/s\].

use crate::world::World;
use hashfall_core::{Real, Vec3, parallel};

/// Drag at this `rate` \[1/s\] in a medium of this `velocity` \[m/s\].
///
/// ```
/// use hashfall_search::Structures;
/// use hashfall_sph::step::{Stepper, forces::drag};
/// use hashfall_sph::world::{Fluid, World};
///
/// let mut world = World::builder()
///     .gravity([0.0; 3])
///     .fluid(Fluid::default())
///     .particle([0.5; 3], [1.0, 0.0, 0.0])
///     .build()?;
/// let mut stepper = Stepper::new(&Structures::default(), &mut world)?;
/// stepper.add_force(drag::linear(2.0, [0.0; 3]));
/// while world.time < 0.2 {
///     stepper.step(&mut world, 0.2)?;
/// }
/// let speed = f64::from(world.particles.velocity[0].x);
/// assert!((speed - (-0.4_f64).exp()).abs() < 0.01);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn linear(rate: Real, velocity: [Real; 3]) -> impl FnMut(&World, &mut [Vec3]) + Send + 'static {
    let medium = Vec3::from(velocity);
    move |world, accelerations| {
        let velocities = &world.particles.velocity;
        parallel::fill(accelerations, |i, acceleration| {
            *acceleration += (medium - velocities[i]) * rate;
        });
    }
}
