//! One file on its way to a mesh: read, reconstruct, check, write.

use super::error::{MeshingError, exists, replaces_particles};
use super::files::{Job, Mesh};
use crate::cli::args::MeshFormat;
use crate::cli::files::load;
use hashfall_core::Values;
use hashfall_core::units;
use hashfall_input::{self as input, AttributeFilter, Cloud, ColumnChoice, UnreadableAttribute};
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, obj, ply, vtk, vtp};
use hashfall_run::reconstruct::{Fluid, Reconstructed, RenamedAttribute, Settings};
use hashfall_scene::escape_unprintable;
use hashfall_surface::{InterfaceAudit, MeshAudit, SurfaceMesh};
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The task for each file.
pub struct Task {
    pub settings: Settings,
    /// The columns that the user chooses.
    pub columns: ColumnChoice,
    pub check: bool,
    pub overwrite: bool,
    /// Particle files, which no mesh replaces.
    pub inputs: BTreeSet<PathBuf>,
}

/// Upper bound of the warnings about attributes of a file.
const MAX_WARNINGS: usize = 10;

/// The result of a file.
pub struct Meshed {
    /// Its time \[s\], if the file tells it, or the series that names it.
    pub time: Option<f64>,
    /// Warnings about the file and its omitted attributes.
    pub warnings: Vec<String>,
    left_out: usize,
    fluids: Vec<MeshedFluid>,
    /// Of several meshes that were checked.
    interface: Option<InterfaceAudit>,
    wall: Duration,
}

/// A fluid, or all, in its files.
struct MeshedFluid {
    /// The value that tells it from other fluids.
    value: Option<u32>,
    particles: usize,
    /// The volume of the particles as cubes of their distance \[m³\].
    particle_volume: f64,
    mesh: Written,
    spray: Option<Written>,
}

/// A mesh in its file.
struct Written {
    path: PathBuf,
    /// The file's name in messages.
    output: String,
    triangles: usize,
    /// Enclosed volume \[m³\].
    volume: f64,
    /// Of a mesh that was checked.
    audit: Option<MeshAudit>,
}

impl Task {
    /// Makes the meshes of a file.
    ///
    /// # Errors
    /// If the file cannot be read or meshed, or a mesh cannot be written.
    pub fn run(&self, job: &Job) -> Result<Meshed, MeshingError> {
        let start = Instant::now();
        let name = job.name();
        let invalid = |error: &dyn fmt::Display| MeshingError::Content {
            name: name.clone(),
            reason: error.to_string(),
        };
        let mut cloud = self.read(job)?;
        if job.meshes().any(|mesh| mesh.format == MeshFormat::Ply) {
            omit_beyond_ply(&mut cloud);
        }
        let mut warnings = self.warnings(&name, &cloud);
        let time = job.time.or(cloud.time);
        let reconstructed = self.settings.reconstruct(cloud).map_err(|error| invalid(&error))?;
        let Reconstructed { fluids, left_out, renamed } = reconstructed;
        warnings.extend(renamed.into_iter().map(|RenamedAttribute { from, to }| {
            format!("{name}: attribute `{from}` is `{to}` in the mesh, where `{from}` is taken")
        }));
        let is_checked = self.check && fluids.len() > 1;
        let interface = is_checked.then(|| {
            let meshes = fluids.iter().flat_map(|fluid| fluid.surfaces.iter());
            InterfaceAudit::new(&meshes.collect::<Vec<_>>())
        });
        let write = |fluid: &Fluid| self.write_fluid(job, fluid, time);
        let fluids = fluids.iter().map(write).collect::<Result<_, _>>()?;
        Ok(Meshed { time, warnings, left_out, fluids, interface, wall: start.elapsed() })
    }

    /// Reads the particles of all parts.
    fn read(&self, job: &Job) -> Result<Cloud, MeshingError> {
        let filter = self.settings.attributes_to_read();
        let mut all: Option<Cloud> = None;
        for part in &job.parts {
            let name = load::name(&part.path);
            let bytes = load::particles(&part.path)
                .map_err(|source| MeshingError::Read { name: name.clone(), source })?;
            let cloud = input::read_columns(&bytes, part.format, &self.columns, &filter)
                .map_err(|error| MeshingError::Content { name, reason: error.to_string() })?;
            match &mut all {
                None => all = Some(cloud),
                Some(all) => all.append(cloud),
            }
        }
        Ok(all.unwrap_or_default())
    }

    /// Warnings about a file. Omitted attributes are listed only if all were requested: a missing
    /// named one is an error.
    fn warnings(&self, name: &str, cloud: &Cloud) -> Vec<String> {
        let mut warnings: Vec<String> =
            cloud.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        if self.settings.attributes != AttributeFilter::All {
            return warnings;
        }
        let listed = cloud.unreadable.iter().take(MAX_WARNINGS);
        warnings.extend(listed.map(|UnreadableAttribute { name: attribute, reason }| {
            format!("{name}: skipping attribute `{attribute}`: {reason}")
        }));
        let more = cloud.unreadable.len().saturating_sub(MAX_WARNINGS);
        if more > 0 {
            let more = units::count(more as u64, "more attribute");
            warnings.push(format!("{name}: skipping {more}"));
        }
        warnings
    }

    /// Writes the meshes of a fluid.
    fn write_fluid(
        &self,
        job: &Job,
        fluid: &Fluid,
        time: Option<f64>,
    ) -> Result<MeshedFluid, MeshingError> {
        let Fluid { value, surfaces, particles } = fluid;
        let mesh = self.write(&job.mesh.for_fluid(*value), &surfaces.main, time)?;
        let spray = job.spray.as_ref().zip(surfaces.spray.as_ref());
        let spray = spray
            .map(|(file, mesh)| self.write(&file.for_fluid(*value), mesh, time))
            .transpose()?;
        let spacing = 2.0 * f64::from(self.settings.particle_radius);
        let particle_volume = *particles as f64 * spacing.powi(3);
        let (value, particles) = (*value, *particles);
        Ok(MeshedFluid { value, particles, particle_volume, mesh, spray })
    }

    /// Checks a mesh, if it is to be, and writes it.
    fn write(
        &self,
        file: &Mesh,
        mesh: &SurfaceMesh,
        time: Option<f64>,
    ) -> Result<Written, MeshingError> {
        if file.path.canonicalize().is_ok_and(|path| self.inputs.contains(&path)) {
            return Err(replaces_particles(&file.path).into());
        }
        let audit = self.check.then(|| mesh.audit());
        let content = match file.format {
            MeshFormat::Ply => ply::surface(mesh),
            MeshFormat::Vtp => vtp::surface(mesh, time),
            MeshFormat::Vtk => vtk::surface(mesh, time).into(),
            MeshFormat::Obj => obj::surface(mesh).into(),
        };
        let how = if self.overwrite { Write::Replace } else { Write::New };
        files::write(&file.path, content, how).map_err(|error| match error {
            FileError::ForeignFile(path) => MeshingError::from(exists(&path)),
            error => error.into(),
        })?;
        let (triangles, volume) = (mesh.triangles.len(), mesh.volume());
        let (path, output) = (file.path.clone(), escape_unprintable(&load::name(&file.path)));
        Ok(Written { path, output, triangles, volume, audit })
    }
}

/// Omits attributes whose integers PLY cannot represent.
fn omit_beyond_ply(cloud: &mut Cloud) {
    let is_beyond = |values: &Values| match values {
        Values::Integers(integers) => integers.iter().any(|x| x.abs() > ply::MAX_WHOLE),
        _ => false,
    };
    let attributes = std::mem::take(&mut cloud.attributes);
    let (beyond, held) = attributes.into_iter().partition(|it| is_beyond(&it.values));
    cloud.attributes = held;
    cloud.unreadable.extend(beyond.into_iter().map(|attribute| UnreadableAttribute {
        name: attribute.name.into_owned(),
        reason: "PLY has no integers above 2^53; use --format vtp".to_owned(),
    }));
}

/// A mesh in its file: that of a fluid with a value, or of all.
pub struct MeshFile<'a> {
    pub fluid: Option<u32>,
    pub path: &'a Path,
}

impl Meshed {
    /// The files of the meshes.
    pub fn mesh_files(&self) -> Vec<MeshFile<'_>> {
        self.fluids.iter().map(|it| MeshFile::new(it.value, &it.mesh)).collect()
    }

    /// The files of the spray, if it has its own.
    pub fn spray_files(&self) -> Vec<MeshFile<'_>> {
        let sprays = self.fluids.iter().filter_map(|it| Some((it.value, it.spray.as_ref()?)));
        sprays.map(|(fluid, spray)| MeshFile::new(fluid, spray)).collect()
    }

    /// What is wrong with meshes that were checked.
    pub fn faults(&self) -> impl Iterator<Item = String> {
        let meshes =
            self.fluids.iter().flat_map(|fluid| [&fluid.mesh].into_iter().chain(&fluid.spray));
        meshes.filter_map(Written::faults).chain(self.interface_faults())
    }

    /// What is wrong between meshes that were checked.
    fn interface_faults(&self) -> Option<String> {
        let audit = self.interface.filter(|audit| !audit.is_sound())?;
        let overlapping = units::count(audit.overlapping_triangles as u64, "overlapping triangle");
        let open = units::count(audit.open_sides as u64, "open side");
        let first = &self.fluids.first()?.mesh.output;
        Some(format!("{first} and the other meshes do not match: {overlapping}, {open}"))
    }
}

impl<'a> MeshFile<'a> {
    fn new(fluid: Option<u32>, written: &'a Written) -> Self {
        MeshFile { fluid, path: &written.path }
    }
}

impl Written {
    /// What is wrong with a mesh that was checked.
    fn faults(&self) -> Option<String> {
        let audit = self.audit.filter(|audit| !audit.is_sound())?;
        let faults = [
            (audit.unpaired_sides, "unpaired side"),
            (audit.pinched_vertices, "pinched corner"),
            (audit.flat_triangles, "flat triangle"),
            (audit.unused_vertices, "unused point"),
            (audit.invalid_values, "infinite value"),
        ];
        let listed = faults.into_iter().filter(|&(count, _)| count > 0);
        let listed: Vec<String> =
            listed.map(|(count, noun)| units::count(count as u64, noun)).collect();
        Some(format!("{}: the mesh is invalid: {}", self.output, listed.join(", ")))
    }

    /// Its size, and its volume as a part of that of the particles.
    fn size(&self, particle_volume: f64) -> String {
        let triangles = units::count(self.triangles as u64, "triangle");
        let mut text = format!("{triangles}, {} m³", units::three_figures(self.volume));
        if particle_volume > 0.0 {
            let part = 100.0 * self.volume / particle_volume;
            text += &format!(" ({part:.1} % of the particles')");
        }
        if let Some(audit) = &self.audit {
            text += if audit.unpaired_sides == 0 { ", closed" } else { ", not closed" };
        }
        text
    }
}

impl fmt::Display for Meshed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fluid) in self.fluids.iter().enumerate() {
            let MeshedFluid { particles, particle_volume, mesh, spray, .. } = fluid;
            if i > 0 {
                writeln!(f)?;
            }
            let count = units::count(*particles as u64, "particle");
            write!(f, "{}: {count}", mesh.output)?;
            if self.left_out > 0 {
                let all: usize = self.fluids.iter().map(|fluid| fluid.particles).sum();
                write!(f, " of {}", all + self.left_out)?;
            }
            let size = mesh.size(*particle_volume);
            write!(f, ", {size}, {}", units::duration(self.wall))?;
            if let Some(spray) = spray {
                write!(f, "\n{}: spray, {}", spray.output, spray.size(*particle_volume))?;
            }
        }
        Ok(())
    }
}
