//! The audit of a run on disk: checks that its files are complete and consistent, and that
//! conserved quantities are conserved.
//!
//! Each frame's particles are read back: their digest must equal the digest in the log, and mass,
//! momentum and energy are summed again. Surfaces must be closed meshes of the size in the log.
//! Limits are those of the scene.

mod bodies;
mod meshes;

use super::energy::EnergyReference;
use super::plan::Plan;
use super::resume::Notes;
use hashfall_core::{Real, Values};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format, InputError};
use hashfall_output::{CheckpointError, StoppedRun, elastic_meshes, layout};
use hashfall_scene::{Limits, ParticleFormat};
use hashfall_sph::world::{Audit, EnergyLimit, Particles, World};
use serde::Deserialize;

/// Tolerance of sums over particles in another order, relative to their terms.
const ROUNDING: f64 = 1e-9;
/// Upper bound of the number of faults in an audit.
const MAX_FAULTS: usize = 50;

/// The result of an audit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunAudit {
    /// Frames that were checked.
    pub frames: u32,
    /// Files that were read.
    pub files: usize,
    /// Meshes that were checked.
    pub meshes: usize,
    /// Checkpoints that were read.
    pub checkpoints: usize,
    /// Largest compression in the log \[–\].
    pub compression: f64,
    /// Deepest penetration in the log, in particle spacings.
    pub penetration: f64,
    /// Largest energy gain since the start \[J\].
    pub energy_gain: f64,
    /// The faults: a file name and what is wrong with it.
    pub faults: Vec<String>,
}

/// The row of a frame in the log.
#[derive(Clone, Debug, Deserialize)]
struct Row {
    frame: u32,
    time: f64,
    total_steps: u64,
    density_error_max: f64,
    mass: f64,
    momentum_x: f64,
    momentum_y: f64,
    momentum_z: f64,
    kinetic_energy: f64,
    potential_energy: f64,
    max_speed: f64,
    deepest_penetration: f64,
    outside: u32,
    surface_triangles: usize,
    surface_volume: f64,
    digest: String,
    // Of runs with emitters or sinks.
    #[serde(default)]
    particles: Option<usize>,
    #[serde(default)]
    emitted: u64,
    #[serde(default)]
    removed: u64,
    #[serde(default)]
    emitted_mass: f64,
    #[serde(default)]
    removed_mass: f64,
    #[serde(default)]
    exchanged_energy: f64,
    // Of runs with solids that move.
    #[serde(default)]
    work_of_solids: f64,
    // Of runs since works from outside are accounted for.
    #[serde(default)]
    net_energy: Option<f64>,
    #[serde(default)]
    supplied_energy: f64,
    #[serde(default)]
    bodies_kinetic_energy: f64,
}

impl Row {
    /// Mass without inflow and outflow \[kg\].
    fn own_mass(&self) -> f64 {
        self.mass - self.emitted_mass + self.removed_mass
    }

    /// Kinetic and potential energy without inflow, outflow and work from outside \[J\].
    fn own_energy(&self) -> f64 {
        let supplied = self.exchanged_energy + self.work_of_solids;
        self.net_energy.unwrap_or(self.kinetic_energy + self.potential_energy - supplied)
    }

    /// Of the fluid and the free bodies \[J\].
    fn all_kinetic_energy(&self) -> f64 {
        self.kinetic_energy + self.bodies_kinetic_energy
    }
}

/// Audits a run by its files; `plan` is that of its scene.
pub fn audit(run: &StoppedRun, plan: &Plan) -> RunAudit {
    let (world, found) = (plan.world.clone(), RunAudit::default());
    // After a change of settings only the last ones are known.
    let has_bound = plan.limits.energy_gain == Some(EnergyLimit::Auto)
        && !has_emitted_tension(&world)
        && !run.has_changed();
    let energy = has_bound.then(|| EnergyReference::from_plan(plan).ok()).flatten();
    let meshes = world.elastic.as_ref().map(elastic_meshes::all).unwrap_or_default();
    let elastic_vertices = meshes.iter().map(|mesh| mesh.positions.len()).collect();
    let mut auditor = Auditor { run, plan, world, energy, elastic_vertices, found };
    let rows = auditor.log();
    let first = rows.first().cloned();
    let poses = auditor.free_bodies(&rows);
    for row in &rows {
        auditor.row(row, first.as_ref().unwrap_or(row));
        auditor.place_bodies(row, &poses);
        auditor.particles(row);
        auditor.surfaces(row);
        auditor.elastic_bodies(row);
        auditor.found.frames += 1;
    }
    auditor.checkpoints();
    auditor.found
}

/// Whether surfaces with tension come in: the log does not tell their energy.
fn has_emitted_tension(world: &World) -> bool {
    let emitters = &world.open_boundaries.emitters;
    emitters.iter().any(|emitter| world.max_tension(usize::from(emitter.phase)) > 0.0)
}

struct Auditor<'a> {
    run: &'a StoppedRun,
    plan: &'a Plan,
    /// The run's world, with the particles of a frame.
    world: World,
    /// The bounds of `limits.energy_gain: Auto`, if the energy is bounded.
    energy: Option<EnergyReference>,
    /// How many vertices the mesh of each elastic body has.
    elastic_vertices: Vec<usize>,
    found: RunAudit,
}

impl Auditor<'_> {
    fn fault(&mut self, file: &str, what: impl std::fmt::Display) {
        if self.found.faults.len() < MAX_FAULTS {
            self.found.faults.push(format!("{file}: {what}"));
        }
    }

    fn expect(&mut self, holds: bool, file: &str, what: impl FnOnce() -> String) {
        if !holds {
            self.fault(file, what());
        }
    }

    fn read(&mut self, file: &str) -> Option<Vec<u8>> {
        match self.run.read(file) {
            Ok(bytes) => {
                self.found.files += 1;
                Some(bytes)
            }
            Err(error) => {
                self.fault(file, error);
                None
            }
        }
    }

    /// The rows of the log: one per frame written.
    fn log(&mut self) -> Vec<Row> {
        let Some(bytes) = self.read(layout::LOG) else { return Vec::new() };
        let written = self.run.frames_written() as usize;
        // A run that was killed may have begun a row for a frame that it did not finish.
        let is_finished = self.run.finished_frames().is_some();
        let lines = if is_finished { usize::MAX } else { 1 + written };
        let complete: Vec<u8> =
            bytes.split_inclusive(|&b| b == b'\n').take(lines).flatten().copied().collect();
        let rows: Result<Vec<Row>, _> =
            csv::Reader::from_reader(&*complete).deserialize().collect();
        let rows = rows.unwrap_or_else(|error| {
            self.fault(layout::LOG, error);
            Vec::new()
        });
        self.expect(rows.len() == written, layout::LOG, || {
            format!("it has {} rows, but `run.json` counts {written} frames", rows.len())
        });
        rows
    }

    /// Checks a row of the log.
    fn row(&mut self, row: &Row, first: &Row) {
        let (log, frame) = (layout::LOG, row.frame);
        let time = self.plan.frames.time(frame);
        self.expect(frame == self.found.frames, log, || format!("frame {frame} is out of order"));
        self.expect(row.time == time, log, || {
            format!("frame {frame} is at {} s instead of {time} s", row.time)
        });
        let (mass, before) = (row.own_mass(), first.own_mass());
        let rounding = match row.particles {
            Some(_) => ROUNDING * (row.mass + row.emitted_mass + row.removed_mass),
            None => 0.0,
        };
        let kept = self.run.has_changed() || (mass - before).abs() <= rounding;
        self.expect(kept, log, || {
            let without = if row.particles.is_some() { " without inflow and outflow" } else { "" };
            format!("frame {frame} has a mass of {mass} kg{without}, the start has {before} kg")
        });
        let found = &mut self.found;
        found.compression = found.compression.max(row.density_error_max);
        found.penetration = found.penetration.max(row.deepest_penetration);
        let gain = row.own_energy() - first.own_energy();
        found.energy_gain = found.energy_gain.max(gain);
        let Limits { compression, penetration, speed, outside, .. } = self.plan.limits;
        // Of bodies that close on particles the log tells how deep, but no limit holds.
        let penetration = penetration.filter(|_| !self.plan.world.solids.has_moving_bodies());
        for (name, value, limit) in [
            ("compression", row.density_error_max, compression),
            ("penetration", row.deepest_penetration, penetration),
            ("speed", row.max_speed, speed),
            ("outside", f64::from(row.outside), outside.map(f64::from)),
        ] {
            let holds = limit.is_none_or(|limit| value <= limit) && value.is_finite();
            self.expect(holds, log, || {
                let limit = limit.map_or("none".to_owned(), |limit| limit.to_string());
                format!("frame {frame}: {name} is {value} (`limits.{name}` is {limit})")
            });
        }
        let is_gained = match self.plan.limits.energy_gain {
            Some(EnergyLimit::Joules(limit)) => gain > limit,
            Some(EnergyLimit::Auto) => {
                self.energy.filter(|_| row.net_energy.is_some()).is_some_and(|energy| {
                    let numbers = [row.own_energy(), row.all_kinetic_energy(), row.supplied_energy];
                    energy.ends_run(&self.plan.world, numbers)
                })
            }
            None => false,
        };
        self.expect(gain.is_finite() && !is_gained, log, || {
            format!("frame {frame}: the energy gain of {gain} J exceeds `limits.energy_gain`")
        });
    }

    /// Checks the particles of a frame: one format whole, of the others how many there are.
    fn particles(&mut self, row: &Row) {
        if !self.plan.output.has_particles(row.frame) {
            return;
        }
        let formats = &self.plan.output.particles;
        let whole = formats.iter().copied().find(|&format| holds_state(format));
        if let Some(format) = whole {
            self.whole_particles(row, format);
        }
        for &format in formats.iter().filter(|&&format| Some(format) != whole) {
            let expected = whole.map(|_| (self.world.particles.len(), "another format"));
            self.points(&layout::particles(row.frame, format.extension()), expected);
        }
    }

    /// Checks the particles of a frame in a format that holds all of their state.
    fn whole_particles(&mut self, row: &Row, format: ParticleFormat) {
        let file = layout::particles(row.frame, format.extension());
        let Some(bytes) = self.read(&file) else { return };
        let particles = match read_points(&bytes, format.extension()) {
            Ok(cloud) => particles_of(cloud),
            Err(error) => return self.fault(&file, error),
        };
        let Some(particles) = particles else {
            return self
                .fault(&file, "`velocity`, `id` or `phase` is missing, or an id is not unique");
        };
        let planned = self.plan.world.particles.len() as u64;
        let planned = (planned + row.emitted).saturating_sub(row.removed) as usize;
        let count = particles.len();
        if count != planned {
            return self.fault(&file, format!("it has {count} particles instead of {planned}"));
        }
        let fluids = self.world.fluids.len();
        if particles.phase.iter().any(|&phase| usize::from(phase) >= fluids) {
            return self.fault(&file, format!("it has particles of more than {fluids} fluids"));
        }
        self.world.particles = particles;
        (self.world.time, self.world.steps) = (row.time, row.total_steps);
        let digest = format!("{:016x}", self.world.digest());
        self.expect(digest == row.digest, &file, || {
            format!("its digest is {digest}, but the log has {}", row.digest)
        });
        self.sums(row, &file);
    }

    /// Compares sums over a frame's particles with the log, unless settings have changed.
    fn sums(&mut self, row: &Row, file: &str) {
        let audit = Audit::new(&self.world);
        // Elastic bodies are not put where they are in the frame.
        let is_known = !self.world.solids.has_deforming();
        self.expect(!is_known || audit.outside == row.outside as usize, file, || {
            format!("{} particles are outside, but the log has {}", audit.outside, row.outside)
        });
        if self.run.has_changed() {
            return;
        }
        let momentum = audit.mass * audit.max_speed;
        let [x, y, z] = audit.momentum;
        let energies = audit.kinetic_energy.abs() + audit.potential_energy.abs();
        for (name, value, logged, scale) in [
            ("mass", audit.mass, row.mass, audit.mass),
            ("momentum_x", x, row.momentum_x, momentum),
            ("momentum_y", y, row.momentum_y, momentum),
            ("momentum_z", z, row.momentum_z, momentum),
            ("kinetic_energy", audit.kinetic_energy, row.kinetic_energy, energies),
            ("potential_energy", audit.potential_energy, row.potential_energy, energies),
        ] {
            self.expect((value - logged).abs() <= ROUNDING * scale, file, || {
                format!("its {name} is {value}, but the log has {logged}")
            });
        }
    }

    /// Checks that every checkpoint can be resumed from.
    fn checkpoints(&mut self) {
        match self.run.checkpoints() {
            Err(error) => self.fault("checkpoints", error),
            Ok(names) => names.iter().for_each(|name| self.checkpoint(name)),
        }
    }

    fn checkpoint(&mut self, file: &str) {
        let Some(bytes) = self.read(file) else { return };
        let read = self.run.read_checkpoint::<Notes>(&bytes);
        match read.and_then(|checkpoint| {
            self.plan.check_checkpoint(&checkpoint).map_err(CheckpointError::unsuitable)
        }) {
            Ok(()) => self.found.checkpoints += 1,
            Err(why) => self.fault(file, why),
        }
    }
}

/// Whether a format of particles holds their state to the last bit.
fn holds_state(format: ParticleFormat) -> bool {
    match format {
        ParticleFormat::Vtp | ParticleFormat::Vtk => true,
        ParticleFormat::Ply => size_of::<Real>() == size_of::<f32>(),
        // Velocities have another name there, and ages none.
        ParticleFormat::Bgeo => false,
    }
}

/// Reads points and their attributes, in the format of this extension.
fn read_points(bytes: &[u8], extension: &str) -> Result<Cloud, InputError> {
    let format = Format::from_extension(extension).unwrap_or(Format::VtkXml);
    input::read(bytes, format, &AttributeFilter::All)
}

/// The particles of a frame; `None` if something is missing.
fn particles_of(cloud: Cloud) -> Option<Particles> {
    let labels = |name: &str| {
        let found = cloud.attributes.iter().find(|attribute| attribute.name == name)?;
        match &found.values {
            Values::Labels(labels) => Some(labels.to_vec()),
            _ => None,
        }
    };
    let velocity = cloud.attributes.iter().find(|attribute| attribute.name == "velocity")?;
    let Values::Vectors(velocity) = &velocity.values else { return None };
    let phase: Option<Vec<u8>> =
        labels("phase")?.into_iter().map(|phase| u8::try_from(phase).ok()).collect();
    let n = cloud.positions.len();
    let id = labels("id")?;
    let particles = Particles {
        velocity: velocity.to_vec(),
        next_id: id.iter().max().map_or(0, |last| last.saturating_add(1)),
        id,
        phase: phase?,
        acceleration: vec![Default::default(); n],
        density: vec![0.0 as Real; n],
        fluid_fraction: vec![0.0; n],
        pressure: vec![0.0; n],
        birth: vec![0.0; n],
        in_nozzle: vec![0; n],
        position: cloud.positions,
    };
    particles.has_each_id_once().then_some(particles)
}
