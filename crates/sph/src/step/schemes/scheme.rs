//! What the step asks of a pressure scheme.
//!
//! A scheme finds pressures and the accelerations that come with them. The step calls one method a
//! stage; defaults serve schemes that do nothing in it. A new scheme is a file that implements
//! [`PressureScheme`], and [`SolverSettings`] for its settings, which are a variant of
//! [`Solver`](crate::world::Solver); and its lines in [`super::registry`].

use crate::step::pairs::moment::Moment;
use crate::step::pairs::moments::Moments;
use crate::step::pairs::order::Order;
use crate::step::schemes::context::{HalfKick, StageContext};
use crate::step::schemes::pair_forces;
use crate::step::solved::{Solved, Spent};
use crate::step::time_step::limits::StepBounds;
use crate::world::{Fluid, SolverSettings, World};
use hashfall_core::timer::Stage;
use hashfall_core::{Real, Vec3};
use std::fmt::Debug;

/// How a scheme finds densities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DensityKind {
    /// As sums over neighbours and solids, relative to rest density.
    Summed,
    /// By the continuity equation.
    Transported,
    /// As sums of masses, without solids.
    MassSummed,
    /// Densities stay as they are.
    Constant,
}

/// How known pressures act: [`crate::step::schemes::known_pressure::KnownPressure`].
#[derive(Clone, Copy, Debug)]
pub struct PressureAction<'a> {
    /// Of the particles' surroundings.
    pub moments: &'a Moments,
    /// Whether the consistent gradient acts along free surfaces, too.
    pub acts_along_surfaces: bool,
}

/// Finds pressures and accelerations.
pub trait PressureScheme: Debug + Send {
    /// What the scheme tells about itself.
    fn settings(&self) -> &dyn SolverSettings;

    /// What limits the time step of particles of these `fluids`.
    fn bounds(&self, world: &World, fluids: &[Fluid]) -> StepBounds;

    /// How densities are found.
    fn density_kind(&self) -> DensityKind;

    /// The pressure of a shock that an emitter makes when it starts with this `speed` \[m/s\], and
    /// the pressure that is everywhere \[Pa\].
    fn shock_pressure(&self, _world: &World, _speed: f64) -> f64 {
        0.0
    }

    /// Density stage: finds densities from the surroundings; those of `inactive` particles stay.
    fn update_density(&mut self, _world: &mut World, _context: &mut StageContext<'_>) {}

    /// Advances densities by half a step of `dt` \[s\], where they are transported.
    fn advance_density(&mut self, _world: &mut World, _context: &mut StageContext<'_>, _dt: Real) {}

    /// Pressure stage: finds pressures from densities, or prepares half kicks that find them.
    fn update_pressure(&mut self, _world: &mut World, _context: &mut StageContext<'_>) {}

    /// Forces stage: writes all accelerations but those of terms.
    fn update_accelerations(&mut self, world: &mut World, context: &mut StageContext<'_>);

    /// First half kick: gives the velocities with which particles drift.
    fn first_half_kick(
        &mut self,
        world: &mut World,
        _context: &mut StageContext<'_>,
        kick: HalfKick,
    ) {
        pair_forces::kick(world, 0.5 * kick.dt);
    }

    /// Second half kick: brings velocities to the instant of the positions.
    fn second_half_kick(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        kick: HalfKick,
    ) -> Solved {
        self.first_half_kick(world, context, kick);
        Solved::default()
    }

    /// Whether half kicks stop particles that come too near to solids; else the drift does.
    fn stops_at_solids(&self) -> bool {
        false
    }

    /// The stage that half kicks count for.
    fn kick_stage(&self) -> Stage {
        Stage::Integrate
    }

    /// What iterations for pressures took since this was asked last.
    fn take_spent(&mut self) -> Spent {
        Spent::default()
    }

    /// Finds the velocities with which particles drift beside their own,
    /// in the step of `dt` \[s\]; returns how those that keep the density were found.
    fn update_shifts(
        &mut self,
        _world: &World,
        _context: &mut StageContext<'_>,
        _dt: Real,
    ) -> Solved {
        Solved::default()
    }

    /// How pressures act, if by the moments of the particles' surroundings.
    fn pressure_action(&self) -> Option<PressureAction<'_>> {
        None
    }

    /// The moments, if they have the rates of the present velocities.
    fn velocity_moments(&self) -> Option<&[Moment]> {
        None
    }

    /// The pressures \[Pa\] by which free surfaces pull on each particle, to be filled; `None` if
    /// the scheme needs none. Below 0 they are the suction that the surface bears.
    fn capillary_pressures(&mut self) -> Option<&mut Vec<Real>> {
        None
    }

    /// Finds the forces by which the present pressures act, if they are not among the
    /// accelerations, which are those by all else \[N/m³\].
    fn find_pressure_forces(&mut self, _world: &World, _context: &mut StageContext<'_>) {}

    /// Those found last; empty if they are among the accelerations \[N/m³\].
    fn pressure_forces(&self) -> &[Vec3] {
        &[]
    }

    /// The largest acceleration but for pressure \[m/s²\], where the accelerations have it in them
    /// at the end of a step.
    fn max_acceleration(&self) -> Option<f64> {
        None
    }

    /// The accelerations are those from the end of a step again, after a rollback.
    fn rollback(&mut self) {}

    /// The accelerations are those of a checkpoint, with this
    /// [`max_acceleration`](Self::max_acceleration).
    fn resume(&mut self, _max_acceleration: Option<f64>) {}

    /// The velocities with which particles drift beside their own \[m/s\]; empty if there are none.
    fn shifts(&self) -> &[Vec3] {
        &[]
    }

    /// Brings what the scheme keeps of each particle into a new order of particles.
    fn reorder(&mut self, _order: &Order) {}
}
