//! The stage of a step that advances elastic bodies: from the state before the step to its end,
//! with the solids on their way.

use super::field::StepField;
use super::surfaces::ElasticSurfaces;
use crate::world::{ContactMode, Elastic, ElasticSolver, World, WorldError};
use hashfall_elastic::{
    Acceleration, Collisions, ElasticStep, ElasticStepper, FullContact, Implicit, Integrator,
    NoCollisions, RigidMotion, SpatialHashContact, StepError, StepReport, Symplectic,
};
use hashfall_geometry::Point;
use hashfall_search::Structures;

/// What a solver advances substeps by.
fn integrator(solver: &ElasticSolver) -> Box<dyn Integrator> {
    match *solver {
        ElasticSolver::Symplectic(settings) => Box::new(Symplectic::new(settings)),
        ElasticSolver::Implicit(settings) => Box::new(Implicit::new(settings)),
    }
}

/// Advances the elastic bodies of a world. It holds memory alone: a step depends on the state at
/// its start.
#[derive(Debug)]
pub struct ElasticStage {
    stepper: ElasticStepper,
    motions: Vec<RigidMotion>,
    surfaces: ElasticSurfaces,
    report: StepReport,
}

impl ElasticStage {
    /// That of a world; none without elastic bodies.
    ///
    /// # Errors
    /// If contact cannot be found as the world asks for.
    pub fn new(structures: &Structures, world: &World) -> Result<Option<Self>, WorldError> {
        let Some(Elastic { system, solver, contact, .. }) = &world.elastic else {
            return Ok(None);
        };
        let integrator = integrator(solver);
        let collisions: Box<dyn Collisions> = match contact {
            None => Box::new(NoCollisions),
            Some(ContactMode::Full) => {
                Box::new(FullContact::new(system, &world.solids, structures.broad_phase))
            }
            Some(ContactMode::SpatialHash(settings)) => {
                Box::new(SpatialHashContact::new(system, &world.solids, *settings)?)
            }
        };
        let stepper = ElasticStepper::new(system.clone(), integrator, collisions);
        let (motions, surfaces) = (Vec::new(), ElasticSurfaces::new(system));
        Ok(Some(ElasticStage { stepper, motions, surfaces, report: StepReport::default() }))
    }

    /// Advances the state by a step of `dt` \[s\] that the solids have begun.
    pub fn advance(&mut self, world: &mut World, dt: f64) -> Result<(), StepError> {
        let field = StepField::new(world, dt);
        self.motions.clear();
        let poses = world.solids.step_poses();
        self.motions.extend(poses.map(|(start, end)| RigidMotion::new(start, end)));
        let time = world.time;
        let Some(Elastic { state, .. }) = &mut world.elastic else { return Ok(()) };
        let by_velocity = |x: &Point, v: &Point, time: f64| field.acceleration(x, v, time);
        let by_place = |x: &Point, time: f64| field.acceleration(x, &Point::zeros(), time);
        let acceleration = match field.is_velocity_dependent() {
            true => Acceleration::VelocityDependent(&by_velocity),
            false => Acceleration::Field(&by_place),
        };
        let step = ElasticStep { time, dt, acceleration, motions: &self.motions };
        self.report = self.stepper.advance(state, &step)?;
        self.surfaces.set(&mut world.solids, [&state.position, &state.velocity]);
        Ok(())
    }

    /// What came of the last step.
    pub fn report(&self) -> StepReport {
        self.report
    }
}
