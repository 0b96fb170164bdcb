//! The records of a run: what is written at its start, after each frame, and at its end.

use super::blender;
use super::files::{FileError, RunFolder, Write};
use super::layout;
use super::log::{FrameRow, Log};
use super::manifest::{Manifest, Progress, Scene, Status};
use super::obstacles;
use super::series::{self, Entry};
use super::table::{Table, number};
use super::{ply, vtp};
use crate::base::digest::Digest;
use crate::base::to_f64;
use crate::surface::{SurfaceMesh, Surfaces};
use crate::world::{Frames, Probe, SurfaceFormat, World};
use layout::Part;
use std::collections::BTreeMap;

/// What a run is, beyond its world.
#[derive(Clone, Copy, Debug)]
pub struct RunInfo<'a> {
    /// The scene's name, shown in Blender.
    pub name: &'a str,
    /// The scene's text as resolved.
    pub scene: &'a str,
    /// The scene's meshes: name in `meshes/` and content of each.
    pub meshes: &'a [(&'a str, &'a [u8])],
    /// The command line.
    pub command: &'a [String],
    /// How many threads compute.
    pub threads: usize,
    /// How many frames, and when.
    pub frames: Frames,
    /// Whether particles are written.
    pub particles: bool,
    /// Formats of the surface; none if no surface is extracted.
    pub surface: &'a [SurfaceFormat],
    /// What is measured, in the order of the columns.
    pub probes: &'a [Probe],
}

/// Writes a run's files and keeps what the growing ones hold.
#[derive(Debug)]
pub struct Recorder {
    folder: RunFolder,
    particles: bool,
    surface: Vec<SurfaceFormat>,
    /// What fluids are called in names of files.
    fluids: Vec<String>,
    /// ParaView's series by their names.
    series: BTreeMap<String, Vec<Entry>>,
    log: Log,
    /// `None` if nothing is measured.
    samples: Option<Table>,
    manifest: Manifest,
}

impl Recorder {
    /// Removes an earlier run from the folder, and writes what does not change during this one:
    /// scene, meshes, obstacles, Blender's script.
    ///
    /// The manifest comes first and, as the copies of meshes, must not exist: where the system
    /// cannot lock folders, of two runs that start in one at the same time, one gives way. If a
    /// file fails, all go: a run that never began leaves nothing that looks like one.
    pub fn start(
        mut folder: RunFolder,
        world: &World,
        info: RunInfo,
    ) -> Result<Recorder, FileError> {
        folder.remove_earlier_run()?;
        let manifest = manifest(world, &info);
        let mut start = Start { folder: &folder, written: Vec::new() };
        start.write(layout::MANIFEST.to_owned(), &manifest.bytes(), Write::New)?;
        start.write_scene(&info)?;
        start.write_obstacles(world)?;
        if info.surface.contains(&SurfaceFormat::Ply) {
            let script = blender::script(info.name, info.frames.rate, &world.solids.domain);
            start.write(layout::BLENDER.to_owned(), script.as_bytes(), Write::Replace)?;
        }
        start.keep();
        Ok(Recorder {
            folder,
            particles: info.particles,
            surface: info.surface.to_vec(),
            fluids: layout::fluid_names(world.fluids.iter().map(|fluid| fluid.name.as_str())),
            series: BTreeMap::new(),
            log: Log::default(),
            samples: samples(info.probes),
            manifest,
        })
    }

    /// Keeps what the probes show at a time \[s\]; the next frame writes it.
    pub fn sample(&mut self, time: f64, values: &[f64]) {
        if let Some(samples) = &mut self.samples {
            samples.push([time].iter().chain(values).map(|&x| number(x)));
        }
    }

    /// Writes a frame's files, then everything that names them. The surfaces are those of all
    /// fluids together, or of each in their order.
    ///
    /// If a file fails, the frame's others go: no series names a part of a frame, and a full disk
    /// has room again for the manifest to say how the run ended.
    pub fn frame(
        &mut self,
        frame: u32,
        world: &World,
        surfaces: &[Surfaces],
        row: &FrameRow,
    ) -> Result<(), FileError> {
        let files = self.frame_files(world, surfaces);
        let names: Vec<String> = files.iter().map(|file| file.name(frame)).collect();
        for (file, name) in files.iter().zip(&names) {
            self.folder
                .write(name, &file.bytes(), Write::Replace)
                .inspect_err(|_| self.folder.discard(&names))?;
        }
        for (file, name) in files.iter().zip(names) {
            self.add_to_series(file, world.time, name)?;
        }
        self.log.push(row);
        self.folder.write(layout::LOG, self.log.bytes(), Write::Replace)?;
        if let Some(samples) = &self.samples {
            self.folder.write(layout::PROBES, samples.bytes(), Write::Replace)?;
        }
        self.note_progress(world, row);
        self.write_manifest()
    }

    /// Notes how the run ended.
    pub fn finish(mut self, status: &Status) -> Result<(), FileError> {
        self.manifest.end(status);
        self.write_manifest()
    }

    /// What this run writes per frame.
    fn frame_files<'a>(&self, world: &'a World, surfaces: &'a [Surfaces]) -> Vec<FrameFile<'a>> {
        let particles = self.particles.then_some(FrameFile::Particles(world));
        let is_one = surfaces.len() == 1;
        let meshes = surfaces.iter().enumerate().flat_map(|(i, Surfaces { main, spray })| {
            let fluid = if is_one { None } else { self.fluids.get(i).cloned() };
            let spray = spray.as_ref().map(|mesh| (Part::Spray, mesh));
            let parts = [(Part::Surface, main)].into_iter().chain(spray);
            parts.map(move |(part, mesh)| (Which { part, fluid: fluid.clone() }, mesh))
        });
        let formats = meshes.flat_map(|mesh| self.surface.iter().map(move |f| (mesh.clone(), f)));
        let surfaces = formats.map(|((which, mesh), format)| match format {
            SurfaceFormat::Ply => FrameFile::SurfacePly(which, mesh),
            SurfaceFormat::Vtp => FrameFile::SurfaceVtp(which, mesh, world.time),
        });
        particles.into_iter().chain(surfaces).collect()
    }

    fn add_to_series(
        &mut self,
        file: &FrameFile,
        time: f64,
        name: String,
    ) -> Result<(), FileError> {
        let series_name = match file {
            FrameFile::Particles(_) => layout::PARTICLES_SERIES.to_owned(),
            FrameFile::SurfaceVtp(which, ..) => which.part.series(which.fluid.as_deref()),
            FrameFile::SurfacePly(..) => return Ok(()),
        };
        let series = self.series.entry(series_name.clone()).or_default();
        series.push(Entry { time, part: 0, file: name });
        self.folder.write(&series_name, &series::pvd(series), Write::ReplaceSynced)
    }

    fn note_progress(&mut self, world: &World, row: &FrameRow) {
        let Progress { frames_written, first_state_digest, .. } = &self.manifest.progress;
        let digest = hexadecimal(world.digest());
        let is_first = *frames_written == 0;
        self.manifest.progress = Progress {
            frames_written: frames_written + 1,
            steps: world.steps,
            time: world.time,
            first_state_digest: if is_first { digest.clone() } else { first_state_digest.clone() },
            last_state_digest: digest,
        };
        self.manifest.add_times(&row.stages);
    }

    fn write_manifest(&self) -> Result<(), FileError> {
        self.folder.write(layout::MANIFEST, &self.manifest.bytes(), Write::ReplaceSynced)
    }
}

/// The files of a start: they go again unless all of them are kept.
struct Start<'a> {
    folder: &'a RunFolder,
    written: Vec<String>,
}

impl Start<'_> {
    fn write(&mut self, name: String, bytes: &[u8], how: Write) -> Result<(), FileError> {
        self.folder.write(&name, bytes, how)?;
        self.written.push(name);
        Ok(())
    }

    fn write_scene(&mut self, info: &RunInfo) -> Result<(), FileError> {
        for (name, bytes) in info.meshes {
            self.write(layout::mesh(name), bytes, Write::New)?;
        }
        self.write(layout::SCENE.to_owned(), info.scene.as_bytes(), Write::Replace)
    }

    fn write_obstacles(&mut self, world: &World) -> Result<(), FileError> {
        let mut entries = Vec::new();
        for (part, obstacle) in obstacles::all(&world.solids).iter().enumerate() {
            let ply = layout::obstacle(&obstacle.name, "ply");
            let vtp = layout::obstacle(&obstacle.name, "vtp");
            self.write(ply, &ply::obstacle(obstacle), Write::Replace)?;
            self.write(vtp.clone(), &vtp::obstacle(obstacle), Write::Replace)?;
            entries.push(Entry { time: 0.0, part, file: vtp });
        }
        if entries.is_empty() {
            return Ok(());
        }
        let series = layout::SOLIDS_SERIES.to_owned();
        self.write(series, &series::pvd(&entries), Write::ReplaceSynced)
    }

    fn keep(mut self) {
        self.written.clear();
    }
}

impl Drop for Start<'_> {
    fn drop(&mut self) {
        if !self.written.is_empty() {
            self.folder.discard(&self.written);
            self.folder.remove_emptied();
        }
    }
}

/// Which of the surfaces.
#[derive(Clone)]
struct Which {
    part: Part,
    /// The name of the fluid, if each has its own.
    fluid: Option<String>,
}

impl Which {
    /// The name of a frame's file with this extension.
    fn name(&self, frame: u32, extension: &str) -> String {
        self.part.mesh(self.fluid.as_deref(), frame, extension)
    }
}

/// A file of a frame, encoded when it is written.
enum FrameFile<'a> {
    Particles(&'a World),
    SurfacePly(Which, &'a SurfaceMesh),
    /// With the frame's time \[s\].
    SurfaceVtp(Which, &'a SurfaceMesh, f64),
}

impl FrameFile<'_> {
    fn name(&self, frame: u32) -> String {
        match self {
            FrameFile::Particles(_) => layout::particles(frame),
            FrameFile::SurfacePly(which, _) => which.name(frame, "ply"),
            FrameFile::SurfaceVtp(which, ..) => which.name(frame, "vtp"),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            FrameFile::Particles(world) => vtp::particles(world),
            FrameFile::SurfacePly(_, mesh) => ply::surface(mesh),
            FrameFile::SurfaceVtp(_, mesh, time) => vtp::surface(mesh, Some(*time)),
        }
    }
}

/// The table of the probes, if there are any.
fn samples(probes: &[Probe]) -> Option<Table> {
    let header = ["time"].into_iter().chain(probes.iter().map(Probe::name));
    (!probes.is_empty()).then(|| Table::new(header))
}

/// The manifest of a run that begins.
fn manifest(world: &World, info: &RunInfo) -> Manifest {
    let mut digest = Digest::default();
    digest.bytes(info.scene.as_bytes());
    let scene = Scene {
        name: info.name.to_owned(),
        digest: hexadecimal(digest.value()),
        meshes: info.meshes.iter().map(|(name, _)| (*name).to_owned()).collect(),
        particles: world.particles.len(),
        fluid_volume: world.particles.len() as f64 * f64::from(world.particle_volume()),
        domain_min: to_f64(&world.solids.domain.min),
        domain_max: to_f64(&world.solids.domain.max),
        spheres: world.solids.spheres.len(),
        mesh_triangles: world.solids.meshes.iter().map(|mesh| mesh.triangles.len()).sum(),
        frames: info.frames.count,
        frame_rate: info.frames.rate,
    };
    Manifest::begin(info.command.to_vec(), info.threads, scene)
}

fn hexadecimal(digest: u64) -> String {
    format!("{digest:016x}")
}
