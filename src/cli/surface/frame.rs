//! One file on its way to a mesh: read, reconstruct, check, write.

use super::files::Job;
use crate::cli::args::MeshFormat;
use crate::cli::load;
use crate::cli::units;
use crate::cli::verdict::Verdict;
use crate::input;
use crate::output::files::{self, Write};
use crate::output::{FileError, obj, ply, vtp};
use crate::run::reconstruct::{Reconstructed, Settings};
use crate::surface::MeshAudit;
use std::fmt;
use std::time::{Duration, Instant};

/// What is done to each file.
pub struct Task {
    pub settings: Settings,
    pub check: bool,
    pub overwrite: bool,
}

/// What became of a file.
pub struct Meshed {
    /// The name of the mesh's file.
    pub output: String,
    particles: usize,
    left_out: usize,
    triangles: usize,
    /// Enclosed volume \[m³\].
    volume: f64,
    /// The volume of the particles as cubes of their distance \[m³\].
    particle_volume: f64,
    /// Of a mesh that was checked.
    audit: Option<MeshAudit>,
    wall: Duration,
}

impl Task {
    /// Makes the mesh of a file.
    ///
    /// # Errors
    /// What to tell, and what it means for the program's end.
    pub fn run(&self, job: &Job) -> Result<Meshed, (Verdict, String)> {
        let start = Instant::now();
        let name = load::name(&job.input);
        let bytes = load::particles(&job.input)
            .map_err(|error| (Verdict::WrongInput, format!("{name}: cannot read: {error}")))?;
        let wrong = |error: &dyn fmt::Display| (Verdict::WrongInput, format!("{name}: {error}"));
        let cloud = input::read(&bytes, job.format).map_err(|error| wrong(&error))?;
        drop(bytes);
        let reconstructed = self.settings.reconstruct(cloud).map_err(|error| wrong(&error))?;
        let Reconstructed { mesh, particles, left_out } = reconstructed;
        let audit = self.check.then(|| mesh.audit());
        let bytes = match job.mesh_format {
            MeshFormat::Ply => ply::surface(&mesh),
            MeshFormat::Vtp => vtp::surface(&mesh, None),
            MeshFormat::Obj => obj::surface(&mesh),
        };
        let how = if self.overwrite { Write::Replace } else { Write::New };
        files::write(&job.output, &bytes, how).map_err(|error| match error {
            FileError::InTheWay(path) => (Verdict::WrongInput, super::files::in_the_way(&path)),
            error => (Verdict::Failed, error.to_string()),
        })?;
        let spacing = 2.0 * f64::from(self.settings.particle_radius);
        Ok(Meshed {
            output: load::name(&job.output),
            particles,
            left_out,
            triangles: mesh.triangles.len(),
            volume: mesh.volume(),
            particle_volume: particles as f64 * spacing.powi(3),
            audit,
            wall: start.elapsed(),
        })
    }
}

impl Meshed {
    /// What is wrong with a mesh that was checked.
    pub fn faults(&self) -> Option<String> {
        let audit = self.audit.filter(|audit| !audit.is_sound())?;
        let faults = [
            (audit.unpaired_sides, "unpaired side"),
            (audit.pinched_vertices, "pinched corner"),
            (audit.flat_triangles, "flat triangle"),
            (audit.unused_vertices, "unused point"),
            (audit.invalid_values, "infinite value"),
        ];
        let told = faults.into_iter().filter(|&(count, _)| count > 0);
        let told: Vec<String> =
            told.map(|(count, noun)| units::count(count as u64, noun)).collect();
        Some(format!("the mesh is not sound: {}", told.join(", ")))
    }
}

impl fmt::Display for Meshed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let particles = units::count(self.particles as u64, "particle");
        write!(f, "{}: {particles}", self.output)?;
        if self.left_out > 0 {
            write!(f, " of {}", self.particles + self.left_out)?;
        }
        let triangles = units::count(self.triangles as u64, "triangle");
        write!(f, ", {triangles}, {} m³", units::three_figures(self.volume))?;
        if self.particle_volume > 0.0 {
            let part = 100.0 * self.volume / self.particle_volume;
            write!(f, " ({part:.1} % of the particles')")?;
        }
        if let Some(audit) = &self.audit {
            let word = if audit.unpaired_sides == 0 { "closed" } else { "not closed" };
            write!(f, ", {word}")?;
        }
        write!(f, ", {}", units::duration(self.wall))
    }
}
