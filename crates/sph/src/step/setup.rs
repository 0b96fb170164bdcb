//! What the parts of a stepper were made for: the settings of its world, and the shapes of solids.

use crate::world::{
    BodyForce, Elastic, Emitter, Fluid, FreeBody, Interface, RigidContact, Sink, Solver,
    ViscositySolver, World,
};
use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_solid::{KinematicLaw, SharedShapes};
use std::sync::Arc;

/// How much is not as the last step left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// Nothing.
    Nothing,
    /// What steps read from the world each time: body forces, velocities of driven bodies, the
    /// speed of emitters, the account of what came and went.
    Input,
    /// What the parts were made for, or the state they hold surroundings and forces of.
    State,
}

/// The settings of a world, beside its state.
#[derive(Debug)]
pub struct Setup {
    lattice: Lattice,
    fluids: Vec<Fluid>,
    interfaces: Vec<Interface>,
    shapes: SharedShapes,
    domain: Aabb,
    open: [bool; 3],
    free_bodies: Vec<FreeBody>,
    rigid: Option<RigidContact>,
    elastic: Option<Elastic>,
    emitters: Vec<Emitter>,
    input: Input,
}

/// What has a size of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lattice {
    dimension: Dimension,
    kernel: KernelKind,
    periodic: [bool; 3],
    particle_radius: Real,
    support_radius: Real,
    solver: Solver,
    viscosity: ViscositySolver,
}

/// What steps read from the world each time.
#[derive(Debug)]
struct Input {
    gravity: Vec3,
    forces: Vec<BodyForce>,
    frame: Option<KinematicLaw>,
    sinks: Vec<Sink>,
    most_particles: Option<usize>,
}

impl Lattice {
    fn new(world: &World) -> Self {
        Lattice {
            dimension: world.dimension,
            kernel: world.kernel,
            periodic: world.periodic,
            particle_radius: world.particle_radius,
            support_radius: world.support_radius,
            solver: world.solver,
            viscosity: world.viscosity,
        }
    }
}

impl Setup {
    /// That of a world.
    pub fn new(world: &World) -> Self {
        let open = &world.open_boundaries;
        Setup {
            lattice: Lattice::new(world),
            fluids: world.fluids.clone(),
            interfaces: world.interfaces.clone(),
            shapes: SharedShapes::new(&world.solids),
            domain: world.solids.domain,
            open: world.solids.open,
            free_bodies: world.free_bodies.clone(),
            rigid: world.rigid.clone(),
            elastic: world.elastic.clone(),
            emitters: open.emitters.clone(),
            input: Input {
                gravity: world.gravity,
                forces: world.forces.clone(),
                frame: world.frame.clone(),
                sinks: open.sinks.clone(),
                most_particles: open.most_particles,
            },
        }
    }

    /// Whether emitters are the same but for when and how fast they give fluid.
    pub fn has_openings_of(&self, world: &World) -> bool {
        has_same_openings(&self.emitters, &world.open_boundaries.emitters)
    }

    /// How the settings of a world differ.
    pub fn change(&self, world: &World) -> Change {
        // Named one by one: a field that is added must be compared, too, here or by the snapshot.
        let World {
            dimension: _,
            kernel: _,
            particles: _,
            fluids,
            interfaces,
            solids,
            free_bodies,
            rigid,
            elastic,
            periodic: _,
            gravity,
            forces,
            frame,
            particle_radius: _,
            support_radius: _,
            solver: _,
            viscosity: _,
            open_boundaries,
            time: _,
            steps: _,
        } = world;
        let is_for = self.lattice == Lattice::new(world)
            && (&self.fluids, &self.interfaces) == (fluids, interfaces)
            && self.shapes.are_of(solids)
            && (self.domain, self.open) == (solids.domain, solids.open)
            && self.free_bodies == *free_bodies
            && has_same_bodies(&self.rigid, rigid)
            && is_same_system(&self.elastic, elastic)
            && self.has_openings_of(world);
        if !is_for {
            return Change::State;
        }
        let input = &self.input;
        let is_same_input = (input.gravity, &input.forces) == (*gravity, forces)
            && input.frame == *frame
            && input.sinks == open_boundaries.sinks
            && input.most_particles == open_boundaries.most_particles
            && self.emitters == open_boundaries.emitters;
        if is_same_input { Change::Nothing } else { Change::Input }
    }
}

fn has_same_bodies(a: &Option<RigidContact>, b: &Option<RigidContact>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.shares_bodies(b),
        _ => a.is_none() && b.is_none(),
    }
}

fn is_same_system(a: &Option<Elastic>, b: &Option<Elastic>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => {
            let settings = |it: &Elastic| (it.solver, it.contact);
            Arc::ptr_eq(&a.system, &b.system) && settings(a) == settings(b)
        }
        _ => a.is_none() && b.is_none(),
    }
}

/// Whether emitters are the same but for when and how fast they give fluid.
fn has_same_openings(a: &[Emitter], b: &[Emitter]) -> bool {
    let is_same = |(a, b): (&Emitter, &Emitter)| {
        (a.phase, a.normal, a.depth) == (b.phase, b.normal, b.depth)
            && (&a.places, &a.tunnel, &a.rim) == (&b.places, &b.tunnel, &b.rim)
    };
    a.len() == b.len() && a.iter().zip(b).all(is_same)
}
