//! The run folder's layout: the name of every file in it, and which names are a run's.
//!
//! Names are relative to the folder, with `/`. Frames are numbered from 0, the start, in at
//! least five digits, so that they sort by name and Blender can count through them. Where several
//! fluids have a mesh each, its name is part of the file's.

mod exports;
#[cfg(test)]
mod tests;

use hashfall_scene::{ParticleFormat, SurfaceFormat};

pub use exports::{EXPORTS, is_export};

/// What the run is and how far it got; written first, removed last.
pub const MANIFEST: &str = "run.json";
/// The scene as resolved.
pub const SCENE: &str = "scene.ron";
/// A row per frame.
pub const LOG: &str = "log.csv";
/// A row per frame and body whose place is state.
pub const BODIES: &str = "bodies.csv";
/// A row per sample of the probes.
pub const PROBES: &str = "probes.csv";
/// The run as a page of charts.
pub const REPORT: &str = "report.html";
/// Opens the run in Blender.
pub const BLENDER: &str = "blender.py";
/// Opens the run in ParaView.
pub const PARAVIEW: &str = "paraview.py";
/// ParaView's series of the particles, as `.vtp`.
pub const PARTICLES_SERIES: &str = "particles.pvd";
/// All obstacles, for ParaView.
pub const SOLIDS_SERIES: &str = "solids.pvd";
/// The places of bodies with meshes that are written once, for ParaView.
pub const BODIES_SERIES: &str = "bodies.pvd";
/// Diffuse particles, for ParaView.
pub const FOAM_SERIES: &str = "foam.pvd";
/// The same of the files for Blender.
pub const FOAM_PLY_SERIES: &str = "foam.ply.series";
/// The extensions of files of diffuse particles.
const FOAM_EXTENSIONS: [&str; 2] = ["vtp", "ply"];
/// The folder of diffuse particles.
pub const FOAM: &str = "foam";
/// How diffuse particles were computed.
pub const FOAM_RECORD: &str = "foam/foam.json";
/// The folder of its previews.
pub const PREVIEWS: &str = "preview";
/// The film of them.
pub const PREVIEW_GIF: &str = "preview/preview.gif";
/// The same for players of films.
pub const PREVIEW_MP4: &str = "preview/preview.mp4";
/// That film while another program writes it.
pub const PREVIEW_UNFINISHED: &str = "preview/.hashfall-film.tmp";
/// The page with its player.
pub const PREVIEW_PAGE: &str = "preview/index.html";
/// The obstacles as the page takes them.
pub const PREVIEW_SOLIDS: &str = "preview/page/solids.js";
/// The files of a run beside its folders that commands read.
pub const FILES: [&str; 9] = [
    MANIFEST,
    SCENE,
    LOG,
    BODIES,
    PROBES,
    PARTICLES_SERIES,
    SOLIDS_SERIES,
    BODIES_SERIES,
    FOAM_SERIES,
];
/// The folders of a run, inner ones first; those of its frames, obstacles, copied meshes, previews,
/// exports.
pub const FOLDERS: [&str; 16] = [
    "particles",
    "surface",
    "spray",
    "elastic",
    FOAM,
    "solids",
    "checkpoints",
    MESHES,
    "preview/page",
    "preview",
    "export/usd",
    "export/vtkhdf",
    "export/vdb",
    "export/gltf",
    "export/alembic",
    EXPORTS,
];
/// Copies of the scene's meshes.
const MESHES: &str = "meshes";

/// What an unfinished file is called: it gets its name once it is whole.
pub(crate) const TEMPORARY: (&str, &str) = (".hashfall-", ".tmp");

/// The particles of a frame, in the format with this extension.
pub fn particles(frame: u32, extension: &str) -> String {
    format!("particles/particles_{frame:05}.{extension}")
}

/// Whether this is a file of the particles of a frame.
pub(crate) fn is_of_particles(relative: &str) -> bool {
    relative.starts_with("particles/") && is_of_a_run(relative)
}

/// The diffuse particles of a frame, in the format with this extension.
pub fn foam(frame: u32, extension: &str) -> String {
    format!("{FOAM}/foam_{frame:05}.{extension}")
}

/// Whether this is a file of diffuse particles, or tells how they were computed.
pub fn is_foam(relative: &str) -> bool {
    let in_folder = relative.starts_with("foam/") && is_of_a_run(relative);
    in_folder || relative == FOAM_SERIES || relative == FOAM_PLY_SERIES
}

/// The picture of a frame.
pub fn preview(frame: u32) -> String {
    format!("preview/frame_{frame:05}.png")
}

/// A frame as the page takes it.
pub fn preview_script(frame: u32) -> String {
    format!("preview/page/f{frame:05}.js")
}

/// Whether this is a file of the previews.
pub fn is_preview(relative: &str) -> bool {
    let fixed = [PREVIEW_GIF, PREVIEW_MP4, PREVIEW_PAGE, PREVIEW_SOLIDS];
    fixed.contains(&relative) || preview_frame(relative).is_some()
}

/// The number of the frame that this preview is of.
fn preview_frame(relative: &str) -> Option<u32> {
    let picture = relative.strip_prefix("preview/frame_").and_then(|n| n.strip_suffix(".png"));
    let script = relative.strip_prefix("preview/page/f").and_then(|n| n.strip_suffix(".js"));
    let number = picture.or(script).filter(|number| is_number(number, 5))?;
    number.parse().ok()
}

/// The meshes of a run's frames: the fluid's surfaces, its spray, the elastic bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfacePart {
    /// All bodies, or those that are large enough.
    Surface,
    /// The smaller ones.
    Spray,
    /// The elastic bodies, each by its name.
    Elastic,
}

impl SurfacePart {
    const ALL: [SurfacePart; 3] = [SurfacePart::Surface, SurfacePart::Spray, SurfacePart::Elastic];

    /// What its folder, files and series are called.
    fn name(self) -> &'static str {
        match self {
            SurfacePart::Surface => "surface",
            SurfacePart::Spray => "spray",
            SurfacePart::Elastic => "elastic",
        }
    }

    /// The mesh of a frame, in the format with this extension; of one of several fluids, or of an
    /// elastic body, by its [name](file_names).
    pub fn mesh(self, owner: Option<&str>, frame: u32, extension: &str) -> String {
        format!("{}/{}_{frame:05}.{extension}", self.name(), self.stem(owner))
    }

    /// How the names of its meshes begin; of one of several fluids, or of an elastic body, by its
    /// [name](file_names).
    pub fn stem(self, owner: Option<&str>) -> String {
        let owner = owner.map(|owner| format!("_{owner}")).unwrap_or_default();
        format!("{}{owner}", self.name())
    }

    /// ParaView's series of the meshes in the format with this extension.
    pub fn series(self, owner: Option<&str>, extension: &str) -> String {
        format!("{}{}", self.stem(owner), series_extension(extension))
    }
}

/// What fluids or bodies of these names are called in names of files: alike, but for characters
/// that a file system may not take, and each other than those before.
pub fn file_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut taken: Vec<String> = Vec::new();
    for name in names {
        let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
        let longer = (2..).map(|n| format!("{plain}_{n}"));
        let is_free = |name: &String| !taken.iter().any(|other| other.eq_ignore_ascii_case(name));
        taken.extend([plain.clone()].into_iter().chain(longer).find(is_free));
    }
    taken
}

/// An obstacle, in the format with this extension.
pub fn obstacle(name: &str, extension: &str) -> String {
    format!("solids/{name}.{extension}")
}

/// The name of all balls that do not move freely.
pub const SPHERES: &str = "spheres";

/// The name of an obstacle by its number among the meshes and, after these, the solids of
/// revolution.
pub fn mesh_name(number: usize) -> String {
    format!("mesh_{number:02}")
}

/// The name of the mesh of a body that has its place as state, by its number among the scene's
/// solids.
pub fn body_name(solid: usize) -> String {
    format!("body_{solid:02}")
}

/// Where such bodies are in a frame.
pub fn body_poses(frame: u32) -> String {
    format!("solids/bodies_{frame:05}.vtp")
}

/// The number of the frame that has these poses of bodies in `solids/`.
fn posed(name: &str) -> Option<&str> {
    let frame = name.strip_prefix("bodies_")?.strip_suffix(".vtp")?;
    is_number(frame, 5).then_some(frame)
}

/// An obstacle that moves, as it is in a frame.
pub fn moving_obstacle(name: &str, frame: u32, extension: &str) -> String {
    format!("solids/{name}_{frame:05}.{extension}")
}

/// The name of the obstacle and the number of the frame that this file in `solids/` is of.
fn moved(name: &str) -> Option<(&str, &str)> {
    let (stem, extension) = name.split_once('.')?;
    let (obstacle, frame) = stem.rsplit_once('_')?;
    let is_file = ["vtp", "ply"].contains(&extension) && is_number(frame, 5);
    let is_mesh = obstacle.strip_prefix("mesh_").is_some_and(|number| is_number(number, 2));
    (is_file && (obstacle == "spheres" || is_mesh)).then_some((obstacle, frame))
}

/// The obstacle that this file of a frame is of, if it moves.
pub(crate) fn moving_name(relative: &str) -> Option<&str> {
    Some(moved(relative.strip_prefix("solids/")?)?.0)
}

/// The checkpoint after this number of steps.
pub fn checkpoint(steps: u64) -> String {
    format!("checkpoints/step_{steps:09}.safetensors")
}

/// After how many steps the checkpoint of this name was made; `None` of other files.
pub(crate) fn checkpoint_step(relative: &str) -> Option<u64> {
    let name = relative.strip_prefix("checkpoints/")?;
    let number = name.strip_prefix("step_")?.strip_suffix(".safetensors")?;
    is_number(number, 9).then(|| number.parse().ok()).flatten()
}

/// The number of the frame that this file is of; `None` of other files.
pub fn frame_of(relative: &str) -> Option<u32> {
    let (folder, name) = relative.split_once('/')?;
    if folder == "preview" {
        return preview_frame(relative);
    }
    if folder == "solids" {
        return posed(name).or_else(|| Some(moved(name)?.1))?.parse().ok();
    }
    if !["particles", "surface", "spray", "elastic", FOAM].contains(&folder)
        || !is_of_a_run(relative)
    {
        return None;
    }
    name.rsplit_once('_')?.1.split('.').next()?.parse().ok()
}

/// What ends the name of ParaView's series of files with this extension.
fn series_extension(extension: &str) -> String {
    if extension == "vtp" { ".pvd".to_owned() } else { format!(".{extension}.series") }
}

/// The series that a file of a frame belongs to, if ParaView opens it.
pub(crate) fn series_of(relative: &str) -> Option<String> {
    let (folder, name) = relative.split_once('/')?;
    let (stem, extension) = name.rsplit_once('.')?;
    frame_of(relative).filter(|_| folder != "preview")?;
    if folder == "solids" {
        let series = if posed(name).is_some() { BODIES_SERIES } else { SOLIDS_SERIES };
        return (extension == "vtp").then(|| series.to_owned());
    }
    is_opened_by_paraview(extension)
        .then(|| Some(format!("{}{}", stem.rsplit_once('_')?.0, series_extension(extension))))?
}

/// The series of all fluids or bodies that the mesh of one of several belongs to: the XML of VTK
/// alone can name several files of one time.
pub(crate) fn series_of_all(relative: &str) -> Option<String> {
    let (folder, _) = relative.split_once('/').filter(|_| relative.ends_with(".vtp"))?;
    Some(format!("{folder}{}", series_extension("vtp")))
}

/// The part and the fluid or body whose mesh this is, by its [name](file_names).
pub(crate) fn owner_of(relative: &str) -> Option<(SurfacePart, &str)> {
    let (folder, name) = relative.split_once('/')?;
    let part = SurfacePart::ALL.into_iter().find(|part| part.name() == folder)?;
    let (stem, _) = name.strip_prefix(folder)?.rsplit_once('_')?;
    let owner = stem.strip_prefix('_').filter(|_| frame_of(relative).is_some())?;
    Some((part, owner))
}

/// Whether ParaView has a reader of files with this extension.
fn is_opened_by_paraview(extension: &str) -> bool {
    ["vtp", "ply", "vtk"].contains(&extension)
}

/// Whether a file is a series of frames.
pub(crate) fn is_series(name: &str) -> bool {
    let Some((stem, rest)) = name.split_once('.') else { return false };
    let ends = |all: &[&str]| all.iter().any(|e| rest == &series_extension(e)[1..]);
    let is_of = |part: SurfacePart| {
        let fluid = stem.strip_prefix(part.name());
        fluid.is_some_and(|fluid| fluid.is_empty() || is_of_fluid(fluid))
    };
    (stem == "particles" && ends(&particle_extensions()))
        || (stem == FOAM && ends(&FOAM_EXTENSIONS))
        || (ends(&surface_extensions()) && SurfacePart::ALL.into_iter().any(is_of))
}

/// The extensions of files of particles.
fn particle_extensions() -> Vec<&'static str> {
    ParticleFormat::ALL.map(ParticleFormat::extension).to_vec()
}

/// The extensions of files of surfaces.
fn surface_extensions() -> Vec<&'static str> {
    SurfaceFormat::ALL.map(SurfaceFormat::extension).to_vec()
}

/// The copy of a mesh of the scene.
pub fn mesh(name: &str) -> String {
    format!("{MESHES}/{name}")
}

/// Whether a run writes a file of this name, or left it unfinished. Copies of meshes bear names
/// of the user's; the manifest lists them.
pub(crate) fn is_of_a_run(relative: &str) -> bool {
    let (folder, name) = relative.rsplit_once('/').unwrap_or(("", relative));
    match folder {
        "" => {
            let records = [MANIFEST, SCENE, LOG, BODIES, PROBES, REPORT, BLENDER, PARAVIEW];
            let series = [SOLIDS_SERIES, BODIES_SERIES];
            records.contains(&name) || series.contains(&name) || is_series(name)
        }
        "preview" | "preview/page" => is_preview(relative),
        _ if folder.starts_with(EXPORTS) => is_export(relative),
        "particles" => is_numbered(name, "particles_", 5, &particle_extensions()),
        FOAM => relative == FOAM_RECORD || is_numbered(name, "foam_", 5, &FOAM_EXTENSIONS),
        "surface" | "spray" | "elastic" => name.strip_prefix(folder).is_some_and(|rest| {
            let (fluid, _) = rest.rsplit_once('_').unwrap_or_default();
            let number = rest.strip_prefix(fluid).unwrap_or_default();
            (fluid.is_empty() || is_of_fluid(fluid))
                && is_numbered(number, "_", 5, &surface_extensions())
        }),
        "checkpoints" => checkpoint_step(relative).is_some(),
        "solids" => {
            ["spheres.vtp", "spheres.ply"].contains(&name)
                || is_numbered(name, "mesh_", 2, &["vtp", "ply"])
                || is_numbered(name, "body_", 2, &["vtp", "ply"])
                || posed(name).or_else(|| Some(moved(name)?.1)).is_some()
        }
        _ => false,
    }
}

/// Whether a part of a name is that of a fluid, after its line.
fn is_of_fluid(part: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    part.strip_prefix('_').is_some_and(|fluid| !fluid.is_empty() && fluid.bytes().all(is_plain))
}

/// Whether a file was left unfinished by a run that was killed.
pub fn is_unfinished(relative: &str) -> bool {
    let name = relative.rsplit('/').next().unwrap_or(relative);
    name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1)
}

fn is_numbered(name: &str, stem: &str, digits: usize, extensions: &[&str]) -> bool {
    name.strip_prefix(stem).and_then(|rest| rest.split_once('.')).is_some_and(
        |(number, extension)| is_number(number, digits) && extensions.contains(&extension),
    )
}

/// Whether this is a whole number of at least this number of digits.
fn is_number(text: &str, digits: usize) -> bool {
    text.len() >= digits && text.bytes().all(|b| b.is_ascii_digit())
}
