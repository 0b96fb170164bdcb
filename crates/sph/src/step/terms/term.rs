//! What the step asks of a force term.
//!
//! A term adds accelerations to those of the pressure scheme. A new term is a file that implements
//! [`ForceTerm`], and a line in [`super::registry`].

use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::solved::Solved;
use crate::step::time_step::limits::StepLength;
use crate::world::World;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Makes a term, if the world has what it is for.
pub type NewTerm =
    fn(&World, &dyn PressureScheme, hashfall_core::simd::Isa) -> Option<Box<dyn ForceTerm>>;

/// What an implicit term leaves to the next step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImplicitState {
    /// The largest acceleration by all but the term \[m/s²\].
    pub max_acceleration: f64,
    /// The strongest force by all but the term, as an acceleration of the densest fluid \[m/s²\].
    pub max_force: f64,
    /// The step that was solved for \[s\].
    pub dt: f64,
}

/// Adds accelerations to those of the pressure scheme.
pub trait ForceTerm: Debug + Send {
    /// Begins a step of `dt` \[s\], at whose end forces are found.
    fn begin_step(&mut self, _dt: f64) {}

    /// Returns to what it was before the step that began last.
    fn rollback(&mut self) {}

    /// Density stage, after the scheme: takes the surroundings of the particles, and corrects
    /// densities.
    fn update(&mut self, _world: &mut World, _context: &mut StageContext<'_>) {}

    /// Forces stage, after the scheme and the terms before: adds accelerations.
    fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &mut dyn PressureScheme,
    );

    /// The power of accelerations that a caller gives \[W\].
    fn power(&self, _world: &World) -> f64 {
        0.0
    }

    /// The longest step for which the accelerations that were found are good.
    fn max_step(&self) -> Option<StepLength> {
        None
    }

    /// What the term leaves to the next step, if it is implicit.
    fn implicit_state(&self) -> Option<ImplicitState> {
        None
    }

    /// Restores what an implicit term left.
    fn restore(&mut self, _state: ImplicitState) {}

    /// How the last solution was found, if the term is implicit.
    fn solved(&self) -> Option<Solved> {
        None
    }
}
