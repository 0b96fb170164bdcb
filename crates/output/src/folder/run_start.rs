//! The first records of a run.

use super::frame_files::{FrameFiles, all_series, elastic_names, fluid_names};
use super::recorder::{FrameSizes, Recorder, RunInfo};
use super::run_folder::RunFolder;
use crate::disk::content::Content;
use crate::disk::file_error::FileError;
use crate::disk::files::Write;
use crate::formats::facts::Facts;
use crate::formats::obstacles;
use crate::formats::ply;
use crate::formats::series::{self, Entry};
use crate::formats::vtp;
use crate::formats::{blender, paraview};
use crate::layout;
use crate::records::bodies;
use crate::records::digest_text::digest_of;
use crate::records::log::Log;
use crate::records::manifest::{Manifest, ProbeColumn, Scene};
use crate::records::table::Table;
use hashfall_core::to_f64;
use hashfall_scene::{Output, ParticleFormat, SurfaceFormat};
use hashfall_sph::world::{Column, Probe, World};

impl Recorder {
    /// Removes an earlier run from the folder, and writes what does not change during this one:
    /// scene, meshes, obstacles, Blender's script.
    ///
    /// The manifest comes first and, as the copies of meshes, must not exist: where the system
    /// cannot lock folders, one of two runs that start in one folder at the same time fails.
    ///
    /// # Errors
    /// If a file cannot be written. All files are removed then, so that nothing looks like a run.
    pub fn start(
        mut folder: RunFolder,
        world: &World,
        info: RunInfo,
    ) -> Result<Recorder, FileError> {
        folder.remove_earlier_run()?;
        let scene = scene(world, &info);
        let manifest = Manifest::begin(info.invocation(), scene, info.has_callbacks);
        let mut start = StartFiles::new(&folder);
        start.write(layout::MANIFEST.to_owned(), manifest.bytes(), Write::New)?;
        start.write_static(world, &info, Write::New)?;
        start.keep();
        Ok(Recorder {
            folder,
            files: FrameFiles::new(info.output, world),
            series: all_series(world),
            log: Log::default(),
            samples: samples(info.probes),
            bodies: body_table(world),
            body_names: info.body_names.to_vec(),
            manifest,
            unsynced: Vec::new(),
            checkpoints: Vec::new(),
            last_sizes: FrameSizes::default(),
        })
    }
}

/// The files of a start; dropping this removes them unless [`StartFiles::keep`] is called.
pub(crate) struct StartFiles<'a> {
    folder: &'a RunFolder,
    written: Vec<String>,
}

impl<'a> StartFiles<'a> {
    pub(crate) fn new(folder: &'a RunFolder) -> Self {
        StartFiles { folder, written: Vec::new() }
    }

    fn write<'b>(
        &mut self,
        name: String,
        content: impl Into<Content<'b>>,
        how: Write,
    ) -> Result<(), FileError> {
        self.folder.write(&name, content, how)?;
        self.written.push(name);
        Ok(())
    }

    /// Writes the files that do not change from frame to frame; copies of meshes by `how`.
    pub(crate) fn write_static(
        &mut self,
        world: &World,
        info: &RunInfo,
        how: Write,
    ) -> Result<(), FileError> {
        for (name, bytes) in info.meshes {
            self.write(layout::mesh(name), *bytes, how)?;
        }
        self.write(layout::SCENE.to_owned(), info.scene.as_bytes(), Write::ReplaceSynced)?;
        self.write_obstacles(world)?;
        let (fluids, bodies) = (fluid_names(world), elastic_names(world));
        let facts = Facts::new(info.name, info.frames.rate, world, fluids, bodies);
        let Output { particles, surface, elastic, .. } = info.output;
        let mut meshes = surface.iter().chain(elastic);
        if particles.contains(&ParticleFormat::Ply) || meshes.any(|it| *it == SurfaceFormat::Ply) {
            let script = blender::script(&facts);
            self.write(layout::BLENDER.to_owned(), script.as_bytes(), Write::Replace)?;
        }
        if !(particles.is_empty() && surface.is_empty() && elastic.is_empty()) {
            let script = paraview::script(&facts);
            self.write(layout::PARAVIEW.to_owned(), script.as_bytes(), Write::Replace)?;
        }
        Ok(())
    }

    fn write_obstacles(&mut self, world: &World) -> Result<(), FileError> {
        let mut entries = Vec::new();
        let all = obstacles::all(&world.solids);
        for (part, obstacle) in all.iter().enumerate().filter(|(_, it)| !it.moves) {
            let ply = layout::obstacle(&obstacle.name, "ply");
            let vtp = layout::obstacle(&obstacle.name, "vtp");
            self.write(ply, ply::obstacle(obstacle), Write::Replace)?;
            self.write(vtp.clone(), vtp::obstacle(obstacle, None), Write::Replace)?;
            entries.push(Entry { time: 0.0, part, file: vtp });
        }
        for body in obstacles::bodies(&world.solids) {
            let [ply, vtp] = ["ply", "vtp"].map(|kind| layout::obstacle(&body.name, kind));
            self.write(ply, ply::obstacle(&body), Write::Replace)?;
            self.write(vtp, vtp::obstacle(&body, None), Write::Replace)?;
        }
        // With moving obstacles, the series has entries per frame.
        if entries.len() < all.len() || entries.is_empty() {
            return Ok(());
        }
        let series = layout::SOLIDS_SERIES.to_owned();
        let bytes = series::encode(&series, &entries);
        self.write(series, &bytes, Write::ReplaceSynced)
    }

    pub(crate) fn keep(mut self) {
        self.written.clear();
    }
}

impl Drop for StartFiles<'_> {
    fn drop(&mut self) {
        if !self.written.is_empty() {
            self.folder.discard(&self.written);
            self.folder.remove_emptied();
        }
    }
}

/// The table of the probes, if there are any.
pub(crate) fn samples(probes: &[Probe]) -> Option<Table> {
    let columns: Vec<Column> = columns(probes).collect();
    let header = ["time"].into_iter().chain(columns.iter().map(|column| column.name.as_str()));
    (!probes.is_empty()).then(|| Table::new(header))
}

/// The table of the bodies whose places are state, if there are any.
pub(crate) fn body_table(world: &World) -> Option<Table> {
    world.solids.driven_bodies().next().map(|_| bodies::table())
}

/// The columns of all probes.
fn columns(probes: &[Probe]) -> impl Iterator<Item = Column> {
    probes.iter().flat_map(Probe::columns)
}

/// The manifest's description of the scene.
pub(crate) fn scene(world: &World, info: &RunInfo) -> Scene {
    let named = |Column { name, unit }: Column| ProbeColumn { name, unit: unit.to_owned() };
    Scene {
        name: info.name.to_owned(),
        digest: digest_of(info.scene.as_bytes()),
        meshes: info.meshes.iter().map(|(name, _)| (*name).to_owned()).collect(),
        mesh_digests: info.meshes.iter().map(|(_, bytes)| digest_of(bytes)).collect(),
        particles: world.particles.len(),
        fluid_volume: world.particles.len() as f64 * f64::from(world.particle_volume()),
        domain_min: to_f64(&world.solids.domain.min),
        domain_max: to_f64(&world.solids.domain.max),
        spheres: world.solids.spheres().len(),
        mesh_triangles: world.solids.rigid_meshes().iter().map(|mesh| mesh.triangles.len()).sum(),
        frames: info.frames.count,
        frame_rate: info.frames.rate,
        probe_columns: columns(info.probes).map(named).collect(),
    }
}
