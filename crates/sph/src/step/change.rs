//! What a caller has changed of a world between two steps.
//!
//! Every field of a world is public, and [`Stepper::step`] takes whatever world it is given. So it
//! compares the world with what the last step left: settings with the [`Setup`] that its parts were
//! made for, clock, bodies and elastic nodes with the snapshot. To compare all numbers of all
//! particles takes a few hundredths of a fast step; that is done where a caller is about to change
//! them ([`Stepper::expect_changes`]). Else their counts, fluids and emitters are checked, and what
//! they lead to is by the guard of each step.
//!
//! Where something differs, or the last step failed midway, the world is validated again. Where
//! what differs is not read anew in each step, all parts are made anew, and the step is the one
//! that a new stepper would take.

use crate::step::boundary::reactions::Reactions;
use crate::step::inflow::nozzles::Nozzles;
use crate::step::schemes::registry::new_scheme;
use crate::step::setup::{Change, Setup};
use crate::step::step_error::StepError;
use crate::step::stepper::Stepper;
use crate::world::World;

impl Stepper {
    /// Tells that a caller is about to change particles of the world before the next step, which
    /// then compares all their numbers with those of now. Other changes it sees without.
    pub fn expect_changes(&mut self, world: &World) {
        if !self.is_watched {
            self.energy_before_changes = world.energy_inside();
            self.snapshot.save_particles(world);
            self.is_watched = true;
        }
    }

    /// Takes what was changed of the world since the last step, and saves the state.
    ///
    /// # Errors
    /// If the world cannot be stepped any more. Nothing is changed then.
    pub(super) fn take_changes(&mut self, world: &mut World) -> Result<(), StepError> {
        let of_settings = self.setup.change(world);
        let has_same_particles = match self.is_watched {
            true => self.snapshot.has_same_particles(world),
            false => self.snapshot.fits_particles(world),
        };
        let is_known = has_same_particles && !self.has_failed;
        let of_particles = if is_known { Change::Nothing } else { Change::State };
        let of_rest = self.snapshot.change(world).max(of_particles);
        match of_settings.max(of_rest) {
            Change::Nothing => {}
            Change::Input => world.validate_settings()?,
            Change::State => {
                world.validate()?;
                if self.is_watched {
                    Self::note_changes(world, self.energy_before_changes);
                }
                self.start_anew(world)?;
            }
        }
        if of_settings == Change::Input {
            self.setup = Setup::new(world);
        }
        let has_new_forces = self.update_new_forces(world);
        if !self.is_watched || has_new_forces {
            self.snapshot.save_particles(world);
        }
        if of_rest == Change::Input {
            self.snapshot.save_rest(world);
        }
        self.is_watched = false;
        Ok(())
    }

    /// Makes all parts anew, and fills the nozzles of emitters that are new; custom forces, times
    /// and the impulses since they were taken stay.
    fn start_anew(&mut self, world: &mut World) -> Result<(), StepError> {
        if !self.setup.has_openings_of(world) {
            Nozzles::default().open(world, new_scheme(&world.solver, self.isa).as_ref());
        }
        let mut next = Self::with_isa(self.isa, &self.structures, world)?;
        let rasterises = self.neighborhood.boundary.rasterises() || world.hashes_vertices();
        next.rasterise(rasterises);
        next.times = self.times;
        next.custom_forces = self.custom_forces;
        next.terms.splice(..0, self.terms.drain(..self.custom_forces));
        next.has_new_force = next.custom_forces > 0;
        take_impulses(&mut next.reactions, &self.reactions);
        if next.cell_size == self.cell_size {
            std::mem::swap(&mut next.search, &mut self.search);
        }
        *self = next;
        Ok(())
    }
}

/// The impulses of the steps before count for the same bodies.
fn take_impulses(next: &mut Reactions, before: &Reactions) {
    let ((acting, _), (_, impulses)) = (next.remembered(), before.remembered());
    next.recall(&acting, &impulses);
}
