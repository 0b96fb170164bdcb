//! S of a particle, and what walls that fluid sticks to do to it; the formulas stand in
//! [`super::operator`].

use crate::step::boundary::boundary_share::{NoSlipWall, WallMotion};
use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::terms::viscosity::fit::{LinearFit, capacity};
use crate::world::World;
use hashfall_core::{Real, Vec3};
use nalgebra::Matrix3;

/// The velocities that viscosity acts on: those of the particles, and of the walls around them.
#[derive(Clone, Copy, Debug)]
pub struct ViscousVelocities<'a> {
    /// Of each particle \[m/s\].
    pub particles: &'a [Vec3],
    /// How the walls move; without belts and driven walls, the operator is linear in the
    /// velocities of particles and bodies.
    pub walls: WallMotion<'a>,
}

/// The force of a wall on a particle \[N/m³\], by where it acts on the wall.
#[derive(Clone, Copy, Debug)]
pub struct WallForce {
    /// At the foot point.
    pub at_foot: Vec3,
    /// Where the particle is.
    pub at_particle: Vec3,
}

/// The force of a wall by what a particle slides along it, and by S.
pub fn wall_force(
    wall: &NoSlipWall,
    fit: &LinearFit,
    stress: &Matrix3<Real>,
    viscosity: Real,
) -> WallForce {
    let filled = fit.weight * fit.wall_fill;
    let by_slip = wall.slip_at_foot * (fit.weight * viscosity / wall.distance);
    let traction = wall.along(stress * wall.normal) + by_slip;
    let drag = 2.0 * viscosity * wall.slope / wall.distance * (1.0 - filled);
    WallForce {
        at_foot: traction * (-2.0 * wall.slope * fit.wall_fill),
        at_particle: wall.slip_at_particle * -drag,
    }
}

/// The solids that the fluid sticks to, and the velocities that slide along them.
#[derive(Clone, Copy)]
pub struct Walls<'a> {
    /// The particles.
    pub world: &'a World,
    /// Their surroundings.
    pub neighborhood: &'a Neighborhood,
    /// What slides.
    pub velocities: ViscousVelocities<'a>,
}

impl Walls<'_> {
    /// Those near a particle.
    pub fn near(&self, i: usize) -> impl Iterator<Item = NoSlipWall> {
        let ViscousVelocities { particles, walls } = self.velocities;
        let (x, solids) = (self.world.particles.position[i], &self.world.solids);
        self.neighborhood.boundary.no_slip_walls_with(i, x, particles[i], solids, walls)
    }

    /// S of a particle \[Pa\] by its fit and H of the fluid alone \[1/s\], and the force of walls
    /// \[N/m³\].
    pub fn stress(
        &self,
        i: usize,
        fit: &LinearFit,
        mut moment: Matrix3<Real>,
    ) -> (Matrix3<Real>, Vec3) {
        let viscosity = viscosity(self.world, i);
        let is_near_solid = self.neighborhood.boundary.fraction[i] > 0.0;
        let mut stress = Matrix3::zeros();
        if fit.weight > 0.0 {
            if is_near_solid {
                for wall in self.near(i) {
                    let filled = fit.wall_fill * capacity(&wall) / wall.distance;
                    moment += wall.slip_at_foot * wall.normal.transpose() * filled;
                }
            }
            let gradient = moment * fit.inverse;
            let twice_strain = gradient + gradient.transpose();
            stress = twice_strain * fit.inverse * fit.strain_share - gradient;
            stress *= fit.weight * viscosity;
        }
        let mut force = Vec3::zeros();
        if is_near_solid {
            for wall in self.near(i) {
                let WallForce { at_foot, at_particle } = wall_force(&wall, fit, &stress, viscosity);
                force += at_foot + at_particle;
            }
        }
        (stress, force)
    }
}

/// μ \[Pa s\].
pub fn viscosity(world: &World, i: usize) -> Real {
    let fluid = &world.fluids[usize::from(world.particles.phase[i])];
    fluid.viscosity * fluid.rest_density
}
