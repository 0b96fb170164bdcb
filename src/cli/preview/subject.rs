//! The source of previews: a run's files, domain and obstacles.

use crate::cli::args::{Colour, Of, PreviewArgs};
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::system::memory;
use hashfall_core::{Dimension, Real};
use hashfall_geometry::{Aabb, round_mesh};
use hashfall_input::Format;
use hashfall_output::bodies::{self, Poses};
use hashfall_output::layout::{self, SurfacePart};
use hashfall_output::{FileError, RunFolder, elastic_names};
use hashfall_preview::frame::{self, FluidFrame, Quantity};
use hashfall_preview::{FoamPoint, SolidShapes, ViewDirection, read_foam};
use hashfall_scene::Frames;
use hashfall_scene::{Diagnostic, Prepared};
use hashfall_solid::Solids;
use hashfall_sph::world::World;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Why a run cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum PreviewError {
    /// Its folder or a file cannot be used.
    #[error(transparent)]
    Folder(FileError),
    /// Its scene is invalid.
    #[error("its scene is invalid: {}", .0.first().map_or("", |fault| fault.message.as_str()))]
    Scene(Vec<Diagnostic>),
    /// It has no files of the requested kind.
    #[error("`{}` has no {what}", folder.display())]
    NoFiles {
        /// The folder of the run.
        folder: PathBuf,
        /// The kind of files.
        what: &'static str,
    },
    /// No frame is in the requested range.
    #[error("`{}` has no frame from --from to --to; the last is {last}", folder.display())]
    NoFrame {
        /// The folder of the run.
        folder: PathBuf,
        /// The last frame.
        last: u32,
    },
    /// A surface has no density to show.
    #[error("a surface has no density; use `--colour density` with `--of particles`")]
    NoDensity,
    /// The folder for previews is a file.
    #[error("`{}` is a file; name a folder for the previews", .0.display())]
    NoFolder(PathBuf),
    /// The folder for previews holds another file.
    #[error(
        "`{}` is no preview that was made here; name a new folder, or pass `--overwrite` to write \
         among other files and replace those of the same names",
        .0.display()
    )]
    ForeignFile(PathBuf),
    /// The folder for previews cannot be made.
    #[error("cannot create `{}`: {source}", folder.display())]
    System {
        /// The folder.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another process makes previews of the run.
    #[error("another process makes the previews in `{}`; wait for its end", .0.display())]
    InUse(PathBuf),
}

impl From<FileError> for PreviewError {
    fn from(error: FileError) -> PreviewError {
        match error {
            FileError::InUse(folder) => PreviewError::InUse(folder),
            error => PreviewError::Folder(error),
        }
    }
}

/// Why a frame cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file is invalid.
    #[error("`{}`: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A file is missing.
    #[error("`{0}` is missing")]
    Missing(String),
}

/// The formats that are shown, by their extensions; the first that a run has.
const PARTICLE_FORMATS: [&str; 3] = ["vtp", "ply", "vtk"];
const SURFACE_FORMATS: [&str; 2] = ["ply", "vtp"];
const FOAM_FORMATS: [&str; 2] = ["vtp", "ply"];

/// A run to be shown.
pub struct Subject {
    pub folder: RunFolder,
    pub name: String,
    /// Frames per second of simulated time \[1/s\].
    pub rate: f64,
    /// The box that is shown \[m\].
    pub domain: Aabb,
    /// The radius of particles \[m\].
    pub radius: f32,
    /// The fluids' names.
    pub fluids: Vec<String>,
    /// The static obstacles.
    pub standing: SolidShapes,
    /// All solids, if some move.
    solids: Option<Solids>,
    /// The places of bodies that have them as state.
    poses: Poses,
    /// The default view.
    pub view: ViewDirection,
    /// Whether there is a floor below the domain.
    pub has_floor: bool,
    /// Whether pictures show surfaces, not particles.
    pub is_surface: bool,
    /// Whether the page shows the surface even where there are particles.
    is_surface_everywhere: bool,
    /// All files of the run.
    files: BTreeSet<String>,
    /// Frames that there are files of, ascending.
    pub frames: Vec<u32>,
    /// The fluids' names in the names of files; none where they share one.
    parts: Vec<Option<String>>,
    /// The elastic bodies' names in the names of files, and how thick they are drawn \[m\].
    elastic: Vec<(String, f32)>,
}

/// What a frame shows beside the fluid.
pub struct BesideFluid {
    /// The obstacles and elastic bodies that move, if any do.
    pub moving: Option<SolidShapes>,
    /// Spray, foam and bubbles.
    pub foam: Vec<FoamPoint>,
}

impl Subject {
    /// Opens the run in a folder.
    ///
    /// # Errors
    /// If there is no run, or it has nothing to show.
    pub fn open(path: &Path, of: Of) -> Result<Subject, PreviewError> {
        let (folder, manifest) = RunFolder::for_previews(path)?;
        let scene = path.join(layout::SCENE);
        if !folder.has(layout::SCENE) {
            let why = "the run has not started".to_owned();
            return Err(PreviewError::Folder(FileError::NoRun { path: path.to_path_buf(), why }));
        }
        let scene =
            load::prepare(&scene, &[], PathPolicy::NearScene).map_err(PreviewError::Scene)?;
        let files: BTreeSet<String> = folder.list()?.into_iter().collect();
        let frames = |folder: &str, formats: &[&str]| {
            let is_shown = |name: &&String| {
                let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
                name.starts_with(folder) && formats.contains(&extension)
            };
            let shown = files.iter().filter(is_shown);
            shown.filter_map(|name| layout::frame_of(name)).collect::<BTreeSet<u32>>()
        };
        let particles = frames("particles/", &PARTICLE_FORMATS);
        let surfaces = frames("surface/", &SURFACE_FORMATS);
        let is_surface = match of {
            Of::Auto => !surfaces.is_empty(),
            Of::Surface => true,
            Of::Particles => false,
        };
        let fluid = if is_surface { surfaces } else { particles };
        let frames = match of {
            Of::Auto if fluid.is_empty() => frames("elastic/", &SURFACE_FORMATS),
            _ => fluid,
        };
        if frames.is_empty() {
            let what = if is_surface { "surface" } else { "particles" };
            let what = if of == Of::Auto { "particles, surface or elastic body" } else { what };
            return Err(PreviewError::NoFiles { folder: path.to_path_buf(), what });
        }
        let manifest: Option<serde_json::Value> = serde_json::from_slice(&manifest).ok();
        let name = manifest.as_ref().and_then(|it| it["scene"]["name"].as_str());
        let name = name.unwrap_or("run").to_owned();
        // A page that showed particles in some frames and the surface in others would flicker.
        let is_surface_everywhere = of == Of::Surface || scene.output.particles_every > 1;
        let Prepared { world, surface, frames: Frames { rate, .. }, .. } = scene;
        let fluids: Vec<String> = world.fluids.iter().map(|fluid| fluid.name.clone()).collect();
        let is_one = fluids.len() == 1 || surface.is_some_and(|surface| surface.merge_fluids);
        let names = layout::file_names(fluids.iter().map(String::as_str));
        let parts = if is_one { vec![None] } else { names.into_iter().map(Some).collect() };
        let elastic = elastic_names(&world).into_iter().zip(drawn_thickness(&world)).collect();
        let poses = match folder.has(layout::BODIES) {
            true => bodies::poses(&folder.read(layout::BODIES)?),
            false => Poses::new(),
        };
        let (domain, view) = stage(world.solids.domain, world.dimension, world.particle_radius);
        let solids = world.solids;
        Ok(Subject {
            folder,
            name,
            rate,
            domain,
            #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
            radius: world.particle_radius as f32,
            fluids,
            standing: drawn(&solids, false),
            solids: solids.has_moving_bodies().then_some(solids),
            poses,
            view,
            has_floor: world.dimension == Dimension::Three,
            is_surface,
            is_surface_everywhere,
            files,
            frames: frames.into_iter().collect(),
            parts,
            elastic,
        })
    }

    /// The quantity that colours show, by the arguments.
    pub fn quantity(&self, args: &PreviewArgs) -> Quantity {
        match args.colour {
            Colour::Auto if args.fluid_colours.is_some() => Quantity::Phase,
            // A range without a quantity means speeds.
            Colour::Auto if args.range.is_some() => Quantity::Speed,
            Colour::Auto => self.default_quantity(),
            // Of what is no surface, such as particles on the page.
            Colour::Water | Colour::Speed => Quantity::Speed,
            Colour::Density => Quantity::Density,
            Colour::Phase => Quantity::Phase,
            Colour::None => Quantity::Uniform,
        }
    }

    /// Whether a surface is drawn as clear water, by the arguments.
    pub fn is_water(&self, args: &PreviewArgs) -> bool {
        let is_asked_for_more = args.fluid_colours.is_some() || args.range.is_some();
        match args.colour {
            Colour::Auto => self.is_water_by_default() && !is_asked_for_more,
            Colour::Water => true,
            _ => false,
        }
    }

    /// Whether a surface is drawn as clear water if nothing else is asked for.
    pub fn is_water_by_default(&self) -> bool {
        self.fluids.len() == 1
    }

    /// The default quantity: the phase for several fluids, else the speed.
    pub fn default_quantity(&self) -> Quantity {
        if self.fluids.len() > 1 { Quantity::Phase } else { Quantity::Speed }
    }

    /// The obstacles that move and the elastic bodies, as they are in a frame; none if all stand.
    ///
    /// # Errors
    /// If a file is unreadable or invalid.
    pub fn moving(&self, frame: u32) -> Result<Option<SolidShapes>, FrameError> {
        let moved = self.solids.clone().map(|mut solids| {
            solids.move_to(f64::from(frame) / self.rate);
            for (solid, state) in self.poses.get(&frame).into_iter().flatten() {
                // A row of a body that the scene has not got shows nothing.
                let _ = solids.set_body_state(solid + 1, *state);
            }
            drawn(&solids, true)
        });
        let mut shapes = moved.unwrap_or_default();
        for (number, (body, thickness)) in self.elastic.iter().enumerate() {
            let names =
                SURFACE_FORMATS.map(|format| SurfacePart::Elastic.mesh(Some(body), frame, format));
            let Some(name) = names.iter().find(|name| self.files.contains(*name)) else { continue };
            let mesh = frame::elastic_mesh(&self.folder.read(name)?, number, *thickness);
            shapes.meshes.push(mesh.map_err(|error| self.invalid(name, error.to_string()))?);
        }
        let has_any = self.solids.is_some() || !shapes.meshes.is_empty();
        Ok(has_any.then_some(shapes))
    }

    /// What a frame shows beside the fluid.
    ///
    /// # Errors
    /// If the file of an elastic body or of whitewater is unreadable or invalid.
    pub fn beside_fluid(&self, frame: u32) -> Result<BesideFluid, FrameError> {
        Ok(BesideFluid { moving: self.moving(frame)?, foam: self.foam(frame)? })
    }

    /// The whitewater of a frame; none if the run has no files of it.
    fn foam(&self, frame: u32) -> Result<Vec<FoamPoint>, FrameError> {
        let Some((name, format)) = self.foam_file(frame) else { return Ok(Vec::new()) };
        let points = read_foam(&self.folder.read(&name)?, format, 0.1 * self.radius);
        points.map_err(|error| self.invalid(&name, error.to_string()))
    }

    /// Whether a frame has a file of whitewater.
    pub fn has_foam(&self, frame: u32) -> bool {
        self.foam_file(frame).is_some()
    }

    /// The file of a frame's whitewater, if there is one, and its format.
    fn foam_file(&self, frame: u32) -> Option<(String, Format)> {
        FOAM_FORMATS.iter().find_map(|extension| {
            let name = layout::foam(frame, extension);
            let format = Format::from_extension(extension)?;
            self.files.contains(&name).then_some((name, format))
        })
    }

    /// The error of a file with a problem.
    fn invalid(&self, name: &str, reason: String) -> FrameError {
        FrameError::Invalid { path: self.folder.path().join(name), reason }
    }

    /// Whether the page shows the surface of a frame: where it is asked for, not all frames have
    /// particles, or this one has lost them.
    pub fn is_surface_on_page(&self, frame: u32) -> bool {
        let has_particles = self.particles(frame).is_some();
        self.is_surface && (self.is_surface_everywhere || !has_particles)
    }

    /// The file of a frame's particles, if there is one, and its format.
    fn particles(&self, frame: u32) -> Option<(String, Format)> {
        PARTICLE_FORMATS.iter().find_map(|extension| {
            let name = layout::particles(frame, extension);
            let format = Format::from_extension(extension)?;
            self.files.contains(&name).then_some((name, format))
        })
    }

    /// Bytes of the files that a frame is shown from.
    pub fn bytes(&self, frame: u32) -> u64 {
        let length = |name: &String| memory::file_length(&self.folder.path().join(name));
        let meshes = self.meshes(frame).filter_map(Result::ok).map(|m| m.0);
        let particles = self.particles(frame).map(|(name, _)| name);
        meshes.chain(particles).map(|name| length(&name)).sum()
    }

    /// The names of a frame's meshes, and of which fluid each is, if not of all; or which is
    /// missing.
    fn meshes(&self, frame: u32) -> impl Iterator<Item = Result<(String, Option<u32>), String>> {
        let of_part = move |part: SurfacePart| {
            let fluids = (0..).zip(&self.parts);
            fluids.filter_map(move |(number, fluid)| {
                let phase = fluid.is_some().then_some(number);
                let names =
                    SURFACE_FORMATS.map(|format| part.mesh(fluid.as_deref(), frame, format));
                match names.iter().find(|name| self.files.contains(*name)) {
                    Some(name) => Some(Ok((name.clone(), phase))),
                    None if part == SurfacePart::Surface => Some(Err(names[0].clone())),
                    None => None,
                }
            })
        };
        [SurfacePart::Surface, SurfacePart::Spray].into_iter().flat_map(of_part)
    }

    /// Reads the fluid of a frame: its surfaces, or its particles.
    ///
    /// # Errors
    /// If a file is missing, unreadable or invalid.
    pub fn fluid(
        &self,
        frame: u32,
        is_surface: bool,
        quantity: Quantity,
    ) -> Result<Vec<FluidFrame>, FrameError> {
        let read = |name: &str| self.folder.read(name);
        if self.fluids.is_empty() {
            return Ok(Vec::new());
        }
        if !is_surface {
            let missing = || FrameError::Missing(layout::particles(frame, PARTICLE_FORMATS[0]));
            let (name, format) = self.particles(frame).ok_or_else(missing)?;
            let fluid = frame::particles(&read(&name)?, format, quantity);
            return Ok(vec![fluid.map_err(|error| self.invalid(&name, error.to_string()))?]);
        }
        let mesh = |mesh: Result<(String, Option<u32>), String>| {
            let (name, phase) = mesh.map_err(FrameError::Missing)?;
            let fluid = frame::surface(&read(&name)?, quantity, phase);
            fluid.map_err(|error| self.invalid(&name, error.to_string()))
        };
        self.meshes(frame).map(mesh).collect()
    }
}

/// The obstacles that move, or those that stand; balls move all if one does.
fn drawn(solids: &Solids, moving: bool) -> SolidShapes {
    let balls = solids.spheres().iter().filter(|_| solids.has_moving_balls() == moving);
    let meshes = solids.meshes().iter().enumerate();
    let meshes = meshes.filter(|(number, _)| {
        solids.is_moving_mesh(*number) == moving && !solids.is_deforming_mesh(*number)
    });
    let rounds = solids.rounds().iter().enumerate();
    let rounds = rounds.filter(|(number, _)| solids.is_moving_round(*number) == moving);
    let rounds = rounds.map(|(_, round)| frame::solid_mesh(&round_mesh(round).0));
    SolidShapes {
        #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
        balls: balls.map(|it| frame::solid_ball(it.centre, it.radius as f32)).collect(),
        meshes: meshes.map(|(_, mesh)| frame::solid_mesh(mesh)).chain(rounds).collect(),
    }
}

/// How thick the surface of each elastic body is drawn \[m\]: tubes around segments have their
/// thickness.
fn drawn_thickness(world: &World) -> impl Iterator<Item = f32> {
    let bodies = world.elastic.iter().flat_map(|elastic| elastic.system.bodies());
    bodies.map(|body| if body.surface.is_empty() { 0.0 } else { body.thickness as f32 })
}

/// The box that is shown of a domain, and from where: of the plane a slice, from the front.
fn stage(domain: Aabb, dimension: Dimension, radius: Real) -> (Aabb, ViewDirection) {
    match dimension {
        Dimension::Three => (domain, ViewDirection::default()),
        Dimension::Two => {
            let mut slice = domain;
            (slice.min.y, slice.max.y) = (-radius, radius);
            (slice, ViewDirection { azimuth: 0.0, elevation: 0.0 })
        }
    }
}
