//! What acts on bodies whose places are state, summed over the steps between two frames.
//!
//! The fluid's impulses J and their moments about the present centre p are summed step by step;
//! those of contacts, and of what locks or holds a body, are what is missing from the change of its
//! momentum m v and of its angular momentum L = R I Rᵀ ω about its centre:
//!
//! - ∫ F dt = m (v₁ − v₀) − J − m ∫ g dt,
//! - ∫ T dt = L₁ − L₀ − Σ (Jₒ − p × J), with Jₒ the moment of J about the origin.
//!
//! p and g are taken in the middle of each step, where a body moves by v dt.
//!
//! Symbols: m mass \[kg\], I inertia \[kg m²\], R orientation \[–\], v velocity \[m/s\], ω spin
//! \[1/s\], g acceleration by body forces \[m/s²\].

use hashfall_bodies::{BodyState, Wrench};
use hashfall_geometry::Point;
use hashfall_output::BodyRow;
use hashfall_solid::DrivenBody;
use hashfall_sph::world::{FreeBody, World};
use serde::{Deserialize, Serialize};

/// The sums of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Sums {
    /// m v and L at the frame before \[kg m/s, kg m²/s\].
    start: Wrench,
    /// J and its moment about the centre \[N s, N m s\].
    fluid: Wrench,
    /// m ∫ g dt \[N s\].
    weight: [f64; 3],
}

/// The sums of all bodies whose places are state, in their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodySums(Vec<Sums>);

impl BodySums {
    /// Sums that begin at the present state.
    pub fn begin(world: &World) -> Self {
        let start = |body: DrivenBody| {
            let start = momentum(free(world, body.body), &body.state);
            Sums { start, fluid: Wrench::default(), weight: [0.0; 3] }
        };
        BodySums(world.solids.driven_bodies().map(start).collect())
    }

    /// Adds a step of `dt` \[s\] to the present state, with what the fluid gave to each
    /// [body](hashfall_solid::Solids::body_count) in it \[N s, N m s\].
    pub fn add(&mut self, world: &World, dt: f64, impulses: &[Wrench]) {
        if self.0.is_empty() {
            return;
        }
        let field = world.body_field();
        for (sums, body) in self.0.iter_mut().zip(world.solids.driven_bodies()) {
            let given = impulses.get(body.body).copied().unwrap_or_default();
            let middle = body.state.position - body.state.velocity * (0.5 * dt);
            sums.fluid += given.about(&middle);
            let mass = free(world, body.body).map_or(0.0, |free| free.mass);
            let weight = field.acceleration(&middle.into()).map(|g| mass * g * dt);
            sums.weight.iter_mut().zip(weight).for_each(|(sum, x)| *sum += x);
        }
    }

    /// The rows of the present frame, `time` \[s\] after the frame before; sums begin anew.
    pub fn rows(&mut self, world: &World, time: f64) -> Vec<BodyRow> {
        let nothing = Wrench::default();
        let before = std::mem::replace(self, Self::begin(world)).0;
        let bodies = world.solids.driven_bodies().enumerate();
        let row = |(k, DrivenBody { body, state, .. }): (usize, DrivenBody)| {
            let solid = body - 1;
            let Some(sums) = before.get(k).filter(|_| time > 0.0) else {
                return BodyRow { solid, state, fluid: nothing, contact: nothing };
            };
            let has_mass = free(world, body).is_some();
            let weight = Wrench { force: sums.weight.into(), torque: Point::zeros() };
            let missing = self.0[k].start - sums.start - sums.fluid - weight;
            let contact = if has_mass { missing } else { nothing };
            BodyRow { solid, state, fluid: sums.fluid / time, contact: contact / time }
        };
        bodies.map(row).collect()
    }
}

/// What never changes of a free body.
fn free(world: &World, body: usize) -> Option<&FreeBody> {
    let bodies = &world.free_bodies;
    bodies.binary_search_by_key(&body, |free| free.body).ok().map(|at| &bodies[at])
}

/// m v and R I Rᵀ ω; 0 of what has no mass.
fn momentum(free: Option<&FreeBody>, state: &BodyState) -> Wrench {
    let Some(free) = free else { return Wrench::default() };
    let turn = state.orientation.matrix();
    let angular = turn * (free.inertia * (turn.transpose() * state.angular_velocity));
    Wrench { force: state.velocity * free.mass, torque: angular }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Real;
    use hashfall_solid::KinematicLaw;
    use hashfall_sph::world::Fluid;

    const MASS: f64 = 2.0;
    const G: Real = -10.0;

    /// A ball of its own mass in a box without fluid.
    fn world() -> World {
        let centre = [0.5, 0.5, 0.7];
        let world = World::builder().fluid(Fluid::default()).sphere(centre, 0.1);
        let mut world = world.gravity([0.0, 0.0, G]).build().unwrap();
        let law = KinematicLaw::driven([0.5, 0.5, 0.7]);
        world.solids = world.solids.with_kinematic_laws(vec![Some(law)]);
        world.free_bodies = vec![FreeBody::new(
            1,
            MASS,
            BodyState::at_rest(Point::zeros()).orientation.matrix() * 0.008,
        )];
        world
    }

    #[test]
    fn what_is_missing_from_the_momentum_is_what_contacts_gave() {
        let mut world = world();
        let mut sums = BodySums::begin(&world);
        let first = sums.rows(&world, 0.0);
        let nothing = Wrench::default();
        assert_eq!((first[0].solid, first[0].fluid, first[0].contact), (0, nothing, nothing));
        // A force of the fluid at an arm, and another force of which it is told nothing.
        let (dt, lift, push, arm, twist) = (1e-3, 5.0, 3.0, 0.04, 0.02);
        for _ in 0..100 {
            let state = *world.solids.body_state(1).unwrap();
            let mut next = state.advanced(dt);
            let acceleration = Point::new(push / MASS, 0.0, lift / MASS + f64::from(G));
            next.velocity += acceleration * dt;
            next.angular_velocity.y += (twist - lift * arm) / 0.008 * dt;
            world.solids.set_body_state(1, next).unwrap();
            let middle = next.position - next.velocity * (0.5 * dt);
            let impulse = Point::z() * (lift * dt);
            let own = Wrench::from_force_at(impulse, &(middle + Point::x() * arm));
            sums.add(&world, dt, &[nothing, own]);
        }
        let row = sums.rows(&world, 0.1)[0];
        let is_near = |a: Wrench, b: [f64; 6]| (a - b.into()).to_vector().amax() < 1e-9;
        assert!(is_near(row.fluid, [0.0, 0.0, lift, 0.0, -lift * arm, 0.0]), "{row:?}");
        assert!(is_near(row.contact, [push, 0.0, 0.0, 0.0, twist, 0.0]), "{row:?}");
    }
}
