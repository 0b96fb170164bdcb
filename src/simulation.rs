//! A simulation in memory: made from a scene's text or by hand, stepped, read and meshed without
//! files.

use hashfall_core::Dimension;
use hashfall_run::extract_surfaces;
use hashfall_scene::{Diagnostic, ReadFile, Source, paint::Paint, prepare, snippet};
use hashfall_search::Structures;
use hashfall_sph::step::{BlowUp, StepError, StepReport, Stepper};
use hashfall_sph::world::{World, WorldError};
use hashfall_surface::{SurfaceSettings, Surfaces};
use std::io;
use thiserror::Error;

/// Why a simulation cannot be made or continue.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// The scene has faults, each with its line and column.
    #[error("{}", rendered(.0))]
    Scene(Vec<Diagnostic>),
    /// The world cannot be stepped: the error names what is wrong, and what would be right.
    #[error(transparent)]
    World(WorldError),
    /// The state has become something that is not finite.
    #[error(transparent)]
    BlowUp(BlowUp),
    /// Steps have become so short that time stands still.
    #[error("the simulation stalled at t = {0} s: the time step is below the resolution of time")]
    Stalled(f64),
    /// The time to step to is not finite, or in the past.
    #[error("cannot step to t = {0} s")]
    Time(f64),
}

impl From<StepError> for SimulationError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::World(error) => SimulationError::World(error),
            StepError::Time { until, .. } => SimulationError::Time(until),
            StepError::BlowUp(blow_up) => SimulationError::BlowUp(blow_up),
        }
    }
}

/// A world with the stepper that advances it.
///
/// The world is a value that can be read at any time: positions, velocities, densities and
/// pressures of the particles, in the order of the cells (`id` names a particle for good), and the
/// solids where they are.
///
/// ```
/// use hashfall::prelude::*;
///
/// let mut simulation = Simulation::from_scene(
///     "Scene(
///         frames: (count: 1, rate: 10.0),
///         domain: Box(min: (0.0, 0.0, 0.0), max: (0.8, 0.2, 0.6)),
///         particle_radius: 0.025,
///         fluids: [(
///             name: \"water\", rest_density: 1000.0, viscosity: 1e-6,
///             shapes: [Box(min: (0.0, 0.0, 0.0), max: (0.2, 0.2, 0.4))],
///         )],
///     )",
/// )?;
/// let steps = simulation.advance_to(0.05)?;
/// assert!(steps > 0 && simulation.world().time == 0.05);
/// let surfaces = simulation.surfaces();
/// assert!(surfaces[0].main.audit().is_sound());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    world: World,
    stepper: Stepper,
    surface: SurfaceSettings,
}

impl Simulation {
    /// A simulation of a world, with the default search structures.
    ///
    /// # Errors
    /// If the world [cannot be stepped](World::validate).
    pub fn new(world: World) -> Result<Self, SimulationError> {
        Simulation::with_structures(world, &Structures::default())
    }

    /// As [`Simulation::new`], with search structures of one's choice; results do not depend on it.
    ///
    /// # Errors
    /// As [`Simulation::new`].
    pub fn with_structures(
        mut world: World,
        structures: &Structures,
    ) -> Result<Self, SimulationError> {
        let stepper = Stepper::new(structures, &mut world)?;
        Ok(Simulation { world, stepper, surface: SurfaceSettings::default() })
    }

    /// A simulation of a scene that names no files.
    ///
    /// # Errors
    /// Every fault of the scene, with its line and column.
    pub fn from_scene(text: &str) -> Result<Self, SimulationError> {
        let no_files = |path: &str| {
            let message = format!("`{path}`: a scene from a text alone has no files beside it");
            Err(io::Error::new(io::ErrorKind::NotFound, message))
        };
        Simulation::from_scene_with(text, &mut { no_files })
    }

    /// A simulation of a scene whose mesh files `read_file` gives, by their paths in the scene.
    ///
    /// # Errors
    /// As [`Simulation::from_scene`].
    pub fn from_scene_with(text: &str, read_file: &mut ReadFile) -> Result<Self, SimulationError> {
        let source = Source { name: "scene".to_owned(), text: text.to_owned() };
        let scene = prepare(&source, &[], read_file).map_err(SimulationError::Scene)?;
        let simulation = Simulation::with_structures(scene.world, &scene.structures)?;
        Ok(Simulation { surface: scene.surface.unwrap_or_default(), ..simulation })
    }

    /// Takes one step, which ends at `until` \[s\] at the latest.
    ///
    /// # Errors
    /// If the world was [changed](Simulation::world_mut) into one that cannot be stepped, if the
    /// state becomes something that is not finite, or if `until` is in the past.
    pub fn step(&mut self, until: f64) -> Result<StepReport, SimulationError> {
        Ok(self.stepper.step(&mut self.world, until)?)
    }

    /// Steps to a time \[s\], on which the last step lands exactly; returns the number of steps.
    ///
    /// # Errors
    /// As of [`Simulation::step`]; if steps become too short for time to go on, or if the time is
    /// not finite.
    pub fn advance_to(&mut self, time: f64) -> Result<u64, SimulationError> {
        if !time.is_finite() {
            return Err(SimulationError::Time(time));
        }
        let steps_before = self.world.steps;
        while self.world.time < time {
            let before = self.world.time;
            self.step(time)?;
            if self.world.time <= before {
                return Err(SimulationError::Stalled(before));
            }
        }
        Ok(self.world.steps - steps_before)
    }

    /// The state.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The state, to be changed between steps. The next step checks what was changed: a world that
    /// cannot be stepped is an error. Body forces, velocities of driven bodies and speeds of
    /// emitters act from that step on; after any other change, of particles, fluids, solids or the
    /// solver, the simulation continues as a new one of the changed world would.
    ///
    /// ```
    /// use hashfall::prelude::*;
    ///
    /// let world = World::builder().spacing(0.1).fluid(Fluid::default());
    /// let mut simulation = Simulation::new(world.block([0.0; 3], [0.4; 3]).build()?)?;
    /// let wcsph = Wcsph { sound_speed: Some(30.0), ..Wcsph::default() };
    /// simulation.world_mut().solver = Solver::Wcsph(wcsph);
    /// simulation.advance_to(0.01)?;
    ///
    /// simulation.world_mut().fluids[0].rest_density = -1.0;
    /// let error = simulation.advance_to(0.02).unwrap_err();
    /// let text = "`fluids[0].rest_density` is -1; it must be positive and finite";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn world_mut(&mut self) -> &mut World {
        self.stepper.expect_changes(&self.world);
        &mut self.world
    }

    /// The stepper: time spent in each stage, impulses on solids, forces of one's own.
    pub fn stepper_mut(&mut self) -> &mut Stepper {
        &mut self.stepper
    }

    /// The settings of [`Simulation::surfaces`].
    pub fn surface_settings_mut(&mut self) -> &mut SurfaceSettings {
        &mut self.surface
    }

    /// The surface of each fluid as it stands, or of all together if the settings say so; none in
    /// the plane.
    pub fn surfaces(&self) -> Vec<Surfaces> {
        if self.world.dimension == Dimension::Two {
            return Vec::new();
        }
        extract_surfaces(&self.world, &self.surface)
    }
}

/// All faults of a scene as the program shows them, without colours.
fn rendered(faults: &[Diagnostic]) -> String {
    let texts: Vec<String> = faults.iter().map(|it| snippet::render(it, Paint::Plain)).collect();
    texts.join("\n").trim_end().to_owned()
}
