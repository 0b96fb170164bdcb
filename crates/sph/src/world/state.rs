//! The world: everything that a time step reads or changes.

use super::{
    BodyField, BodyForce, CoriolisTurn, Elastic, Fluid, FreeBody, Interface, OpenBoundaries,
    Particles, RigidContact, Solver, ViscositySolver,
};
use hashfall_core::digest::Digest;
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Dimension, Real, Vec3, to_f64};
use hashfall_geometry::Point;
use hashfall_solid::{ContactLaw, KinematicLaw, SolidLayers, Solids};

/// Everything that a time step reads or changes.
#[derive(Clone, Debug, PartialEq)]
pub struct World {
    /// Space or plane.
    pub dimension: Dimension,
    /// The shape of the smoothing kernel.
    pub kernel: KernelKind,
    /// The fluid, sorted by cells of the support radius (ties by id) after each step.
    pub particles: Particles,
    /// Materials; a particle's phase is an index into this.
    pub fluids: Vec<Fluid>,
    /// Tensions between them.
    pub interfaces: Vec<Interface>,
    /// Obstacles, where they are at the present time, and walls.
    pub solids: Solids,
    /// Those of the solids that the fluid moves, in the order of their numbers.
    pub free_bodies: Vec<FreeBody>,
    /// Their contact with each other and with other solids, if there is any.
    pub rigid: Option<RigidContact>,
    /// Elastic bodies, if there are any.
    pub elastic: Option<Elastic>,
    /// Axes along which the domain repeats itself.
    pub periodic: [bool; 3],
    /// Gravity \[m/s²\].
    pub gravity: Vec3,
    /// Body forces beside gravity.
    pub forces: Vec<BodyForce>,
    /// The motion of the frame in which all else is given, if it moves; gravity is fixed outside.
    pub frame: Option<KinematicLaw>,
    /// Particle radius r \[m\]; the spacing d is 2r, the volume d³.
    pub particle_radius: Real,
    /// Support radius h \[m\] of the kernel.
    pub support_radius: Real,
    /// How pressure is found.
    pub solver: Solver,
    /// How viscosity is solved for.
    pub viscosity: ViscositySolver,
    /// Where fluid comes in and goes out.
    pub open_boundaries: OpenBoundaries,
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
}

impl World {
    /// The lattice spacing d = 2r \[m\].
    pub fn spacing(&self) -> Real {
        2.0 * self.particle_radius
    }

    /// The rest volume of a particle: d³, in the plane d² times a metre \[m³\].
    pub fn particle_volume(&self) -> Real {
        self.dimension.cube(self.spacing())
    }

    /// The least distance of particles to solids \[m\].
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn contact_radius(&self) -> Real {
        self.solver.settings().contact_radius() as Real * self.particle_radius
    }

    /// The smoothing kernel.
    pub fn kernel(&self) -> Kernel {
        Kernel::new(self.kernel, self.dimension, self.support_radius)
    }

    /// What the solids add to the density.
    pub fn solid_layers(&self) -> SolidLayers {
        SolidLayers::new(self.kernel(), self.spacing())
    }

    /// Mass of a particle of fluid `phase` \[kg\].
    pub fn particle_mass(&self, phase: u8) -> f64 {
        f64::from(self.fluids[phase as usize].rest_density) * f64::from(self.particle_volume())
    }

    /// What solids that move, as a whole or in themselves, have done to the fluid \[J\]; none if
    /// there are none.
    pub fn work_of_solids(&self) -> Option<f64> {
        let is_belt = |law: &ContactLaw| law.velocity != [0.0; 3];
        let moves =
            self.solids.has_moving_bodies() || self.solids.contact_laws().iter().any(is_belt);
        moves.then_some(self.open_boundaries.budget.work)
    }

    /// Whether the domain repeats itself along any axis.
    pub fn is_periodic(&self) -> bool {
        self.periodic.contains(&true)
    }

    /// Gravity and all body forces at the present time.
    pub fn body_field(&self) -> BodyField {
        let gravity = to_f64(&self.gravity);
        match &self.frame {
            None => BodyField::new(gravity, &self.forces, self.time),
            Some(frame) => BodyField::in_frame(gravity, &self.forces, frame, self.time),
        }
    }

    /// What the Coriolis acceleration does in a kick of `dt` \[s\]; none where nothing turns.
    pub fn coriolis_turn(&self, dt: f64) -> Option<CoriolisTurn> {
        let omega = self.frame.as_ref()?.frame_motion(self.time).angular_velocity;
        (omega != Point::zeros()).then(|| CoriolisTurn::new(&omega, dt))
    }

    /// Whether viscosity is summed with the other forces of pairs, in the form of Morris.
    pub(crate) fn has_pairwise_viscosity(&self) -> bool {
        self.viscosity == ViscositySolver::Explicit
            && self.solver.settings().has_pairwise_viscosity()
    }

    /// Whether all fluids have one rest density.
    pub(crate) fn has_one_density(&self) -> bool {
        self.fluids.windows(2).all(|pair| pair[0].rest_density == pair[1].rest_density)
    }

    /// ρ₀ of all fluids \[kg/m³\]; `None` if they differ, or there are none.
    pub(crate) fn one_density(&self) -> Option<Real> {
        let first = self.fluids.first().filter(|_| self.has_one_density());
        first.map(|fluid| fluid.rest_density)
    }

    /// Time, step count, positions and velocities by id, to the bit.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::default();
        digest.word(self.time.to_bits());
        digest.word(self.steps);
        for &i in &self.particles.order_by_id() {
            digest.word(u64::from(self.particles.id[i as usize]));
            digest.vec3(&self.particles.position[i as usize]);
            digest.vec3(&self.particles.velocity[i as usize]);
        }
        digest.value()
    }

    /// The states of all bodies that move, to the bit; `None` if none moves.
    pub fn body_digest(&self) -> Option<u64> {
        let of_solids = self.solids.has_moving_bodies().then(|| self.solids.body_digest())?;
        let Some(contact) = &self.rigid else { return Some(of_solids) };
        let mut digest = Digest::default();
        digest.word(of_solids);
        self.feed_contact(contact, &mut digest);
        Some(digest.value())
    }
}
