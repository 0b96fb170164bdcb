//! Loads the mesh files of a scene: reads, checks and places them, and names the copies that a run
//! keeps.

use super::files::beside;
use super::unique_names::UniqueNames;
use super::uses::{MeshSource, MeshUse, Purpose, uses};
use crate::meshes::{MeshFile, MeshSummary};
use crate::model::limits::{MAX_COORDINATE, SCALES};
use crate::model::{Model, Up};
use crate::problem::Problem;
use crate::text::diagnostic::{Diagnostic, Severity};
use hashfall_core::{Dimension, Real, to_f64, to_real};
use hashfall_geometry::prism::{area, polygon_segments, prism, section};
use hashfall_geometry::{Placement, TriangleMesh, enclosed_volume};
use hashfall_input::mesh::{self, ElementMesh, ImportedMesh, MeshError, MeshWarning, UpAxis};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// A mesh as read from its file.
struct Loaded {
    content: Content,
    /// Why it is not closed, until that has been reported.
    open_error: Option<MeshError>,
    /// Index of its file among the copies.
    file: usize,
}

/// What a file holds, by what it is read for.
enum Content {
    /// A surface.
    Surface(ImportedMesh),
    /// Lines, triangles and tetrahedra.
    Elements(ElementMesh),
}

/// All meshes of a scene.
#[derive(Debug, Default)]
pub struct Meshes {
    /// Those of solids from files, placed in the world, in the order of the scene.
    pub solids: Vec<Arc<TriangleMesh>>,
    /// Shapes of fluid, likewise.
    pub fluids: Vec<TriangleMesh>,
    /// Openings of emitters, likewise.
    pub openings: Vec<TriangleMesh>,
    /// Elements of elastic bodies, likewise.
    pub elements: Vec<ElementMesh>,
    /// What is filled with elastic tetrahedra, likewise.
    pub interiors: Vec<TriangleMesh>,
    /// Each file once.
    pub files: Vec<MeshFile>,
    /// The path of each mesh's copy: of the solids, of the fluids, of the openings, then of the
    /// elastic bodies.
    pub names: Vec<String>,
    /// The path of the copy of each particle file, in the order of the scene.
    pub particles: Vec<String>,
    /// The path of the copy of each recorded motion, in the order of the scene.
    pub recordings: Vec<String>,
    /// Names of copies that are taken.
    pub unique_names: UniqueNames,
    /// The axis that points up in each of them, in the same order.
    pub ups: Vec<Up>,
    /// What each of them measures, in the same order.
    pub summaries: Vec<MeshSummary>,
    /// Problems that the scene's own text is the cause of.
    pub problems: Vec<Problem>,
}

/// Reads and places every mesh; the second value holds faults inside the files.
pub fn load(
    model: &Model,
    read_file: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> (Meshes, Vec<Diagnostic>) {
    let mut meshes = Meshes::default();
    let mut faults = Vec::new();
    // Files of elements are no surfaces.
    let mut read: HashMap<(&str, bool), Option<Loaded>> = HashMap::new();
    let is_plane = model.dimensions == Dimension::Two;
    let depth = is_plane.then(|| to_real(model.depth_beyond_plane()));
    for mesh in uses(model) {
        let (path, up, placement) = match mesh.from {
            MeshSource::File { path, up, placement } => (path, up, placement),
            MeshSource::Polygon(points) => {
                let points: Vec<[Real; 2]> = points.iter().map(|p| p.map(to_real)).collect();
                let segments = polygon_segments(&points);
                let half = to_real(model.depth_beyond_plane());
                meshes.add(mesh.purpose, prism(&segments, half, false).welded());
                continue;
            }
        };
        if path.trim().is_empty() {
            continue;
        }
        let as_elements = mesh.purpose == Purpose::Elements;
        let as_other = read.get(&(path, !as_elements)).and_then(Option::as_ref);
        let copy = as_other.map(|loaded| loaded.file);
        let loaded = read.entry((path, as_elements)).or_insert_with(|| match read_file(path) {
            Ok(bytes) => meshes.parse(path, as_elements, bytes, copy, read_file, &mut faults),
            Err(error) => {
                meshes.problems.push(unreadable(&mesh, path, &error));
                None
            }
        });
        let standard = loaded.as_ref().and_then(Loaded::up);
        let standard = if standard == Some(UpAxis::Y) { Up::Y } else { Up::Z };
        let up = up.unwrap_or(standard);
        meshes.ups.push(up);
        let placement = Placement { is_y_up: up == Up::Y, ..placement };
        if let Some(loaded) = loaded {
            match &loaded.content {
                Content::Surface(read) => meshes.place(&mesh, path, placement, read, depth),
                Content::Elements(read) => meshes.place_elements(&mesh, path, placement, read),
            }
            meshes.names.push(format!("meshes/{}", meshes.files[loaded.file].name));
            // Once for each file, however often it is used.
            if mesh.purpose.has_inside()
                && let Some(open) = loaded.open_error.take()
            {
                faults.push(fault(path, &meshes.files[loaded.file].bytes, &open));
            }
        }
    }
    (meshes, faults)
}

impl Meshes {
    /// Reads a file's bytes, as elements or as a surface, and files beside it, and keeps them for
    /// the run's copy, unless there is a `copy` already.
    fn parse(
        &mut self,
        path: &str,
        as_elements: bool,
        bytes: Vec<u8>,
        copy: Option<usize>,
        read_file: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
        faults: &mut Vec<Diagnostic>,
    ) -> Option<Loaded> {
        let mut files_beside = Vec::new();
        let mut read_beside = |name: &str| {
            let bytes = read_file(&beside(path, name))?;
            files_beside.push((name.to_owned(), bytes.clone()));
            Ok(bytes)
        };
        let read = if as_elements {
            mesh::read_elements_with_files(&bytes, &mut read_beside).map(Content::Elements)
        } else {
            mesh::read_with_files(&bytes, &mut read_beside).map(Content::Surface)
        };
        match read {
            Ok(content) => {
                let file = copy.unwrap_or_else(|| self.keep(path, bytes, files_beside));
                let open_error = match &content {
                    Content::Surface(read) => read.open.clone(),
                    Content::Elements(_) => None,
                };
                Some(Loaded { content, open_error, file })
            }
            Err(error) => {
                faults.push(fault(path, &bytes, &error));
                None
            }
        }
    }

    /// Adds a surface.
    ///
    /// # Panics
    /// For elements, which are no surface.
    fn add(&mut self, purpose: Purpose, mesh: TriangleMesh) {
        match purpose {
            Purpose::Solid | Purpose::Shell => self.solids.push(Arc::new(mesh)),
            Purpose::Fluid => self.fluids.push(mesh),
            Purpose::Opening => self.openings.push(mesh),
            Purpose::ElasticInterior => self.interiors.push(mesh),
            Purpose::Elements => unreachable!("elements are no surface"),
        }
    }

    /// The same surfaces, elements and names, without copies of files and without problems.
    pub fn without_files(&self) -> Self {
        Meshes {
            solids: self.solids.clone(),
            fluids: self.fluids.clone(),
            openings: self.openings.clone(),
            elements: self.elements.clone(),
            interiors: self.interiors.clone(),
            names: self.names.clone(),
            recordings: self.recordings.clone(),
            ups: self.ups.clone(),
            summaries: self.summaries.clone(),
            ..Meshes::default()
        }
    }

    /// Places a mesh in the world. Corners that come to lie in one place there, as single precision
    /// tells places, are one. In the plane its section at y = 0 is drawn out along y, to `depth`
    /// \[m\] on either side.
    fn place(
        &mut self,
        mesh: &MeshUse,
        path: &str,
        placement: Placement,
        read: &ImportedMesh,
        depth: Option<Real>,
    ) {
        let placed = placement.apply_from(&read.origin, &read.mesh);
        let is_within = |c: &Real| f64::from(c.abs()) <= MAX_COORDINATE;
        let welded = placed.welded();
        if !placed.vertices.iter().flatten().all(is_within) {
            self.problems.push(too_far(&mesh.key));
        } else if SCALES.contains(&placement.scale) {
            let [left, all] = [&welded, &read.mesh].map(|mesh| mesh.triangles.len());
            self.problems.extend((left < all).then(|| collapsed(&mesh.key, all - left, all)));
            self.problems.extend(mesh_file_lints(mesh, read));
        }
        let (welded, volume) = match depth.filter(|_| mesh.purpose != Purpose::Opening) {
            None => {
                let volume = read.open.is_none().then(|| enclosed_volume(&welded));
                (welded, volume)
            }
            Some(depth) => {
                let segments = section(&welded);
                if segments.is_empty() {
                    self.problems.push(beside_plane(&mesh.key));
                }
                let volume = read.open.is_none().then(|| area(segments.iter().copied()));
                (prism(&segments, depth, mesh.purpose == Purpose::Shell).welded(), volume)
            }
        };
        let [x, y, z] = to_f64(&welded.bounds().extent());
        let extent = [x, if depth.is_some() { 0.0 } else { y }, z];
        self.summaries.push(MeshSummary {
            key: mesh.key.clone(),
            path: path.to_owned(),
            format: read.format,
            extent,
            volume,
            shells: read.shells,
            triangles: welded.triangles.len(),
            elements: None,
        });
        self.add(mesh.purpose, welded);
    }
}

impl Loaded {
    /// The axis that points up in it, where its format says so.
    fn up(&self) -> Option<UpAxis> {
        match &self.content {
            Content::Surface(read) => read.up,
            Content::Elements(read) => read.up,
        }
    }
}

fn unreadable(mesh: &MeshUse, path: &str, error: &io::Error) -> Problem {
    let message = format!("cannot read mesh `{path}`: {error}");
    let is_missing = error.kind() == io::ErrorKind::NotFound;
    // In double quotes `\\t` is a tab.
    let has_escape = path.contains(|c: char| c.is_control());
    let help = match is_missing {
        _ if has_escape => "a backslash begins an escape in quotes: write `/`, or r\"…\"",
        true => "paths are relative to the scene file",
        false => "",
    };
    Problem::error(format!("{}.path", mesh.key), message, help)
}

/// Warnings about a mesh that is accepted.
fn mesh_file_lints(mesh: &MeshUse, read: &ImportedMesh) -> Vec<Problem> {
    let path = format!("{}.path", mesh.key);
    let has_inside = mesh.purpose.has_inside();
    let is_reported = |warning: &&MeshWarning| has_inside || !warning.is_of_no_volume();
    let warnings = read.warnings.iter().filter(is_reported);
    let mut problems: Vec<Problem> = warnings.map(|warning| accepted(&path, warning)).collect();
    if let (Some(open), Purpose::Shell) = (&read.open, mesh.purpose) {
        let help = "what it holds can get out there; close it if that is not meant";
        problems.push(Problem::warning(path, open.to_string(), help));
    }
    problems
}

/// A warning about a mesh that is accepted, at the key of its file.
pub(super) fn accepted(path: &str, warning: &MeshWarning) -> Problem {
    Problem::warning(path, warning.to_string(), warning.help())
}

/// A mesh so small, or so far from the origin, that corners coincide.
fn collapsed(key: &str, lost: usize, all: usize) -> Problem {
    let help = "check `scale` and `translate`: single precision tells seven digits of a coordinate";
    let place = format!("{key}.scale");
    let problem = if lost == all {
        Problem::error(place, "the placed mesh is too small here: no triangle is left of it", help)
    } else {
        let message = format!("{lost} of {all} triangles of the placed mesh are too small here");
        Problem::warning(place, message, help)
    };
    problem.also_at(format!("{key}.translate"))
}

/// A mesh of a scene in the plane that lies beside it.
fn beside_plane(key: &str) -> Problem {
    let message = "this mesh does not cross the plane y = 0: it has no section there";
    let problem = Problem::error(key, message, "a `translate` or `rotate` with which it does");
    problem.also_at("dimensions")
}

pub(super) fn too_far(key: &str) -> Problem {
    let message =
        format!("the placed mesh reaches farther than {MAX_COORDINATE:e} m from the origin");
    let help = "check `scale` and `translate`, and the mesh's own units";
    Problem::error(format!("{key}.scale"), message, help).also_at(format!("{key}.translate"))
}

/// A fault inside a mesh file.
fn fault(path: &str, bytes: &[u8], error: &MeshError) -> Diagnostic {
    // Bytes that are no text cannot be shown.
    let word = error.place.as_ref().and_then(|place| place.line_and_column().zip(place.span()));
    let is_text = word.is_some() || std::str::from_utf8(bytes).is_ok();
    let text = if is_text { mesh::text(bytes).into_owned() } else { String::new() };
    let span = word.map(|((line, column), bytes)| {
        let lines = text.split_inclusive('\n').take(line - 1);
        let start = lines.map(|line| line.chars().count()).sum::<usize>() + column - 1;
        start..start + text.get(bytes).map_or(1, |word| word.chars().count())
    });
    let diagnostic = Diagnostic {
        severity: Severity::Error,
        source_name: path.to_owned(),
        source_text: text,
        span,
        message: format!("broken mesh: {error}"),
        help: Some(error.problem.help()),
    };
    match of_another_program(path) {
        Some((what, help)) => {
            let message = format!("this is {what}, which is not read as a mesh");
            let help = Some(help.to_owned());
            Diagnostic { message, help, span: None, source_text: String::new(), ..diagnostic }
        }
        None => diagnostic,
    }
}

/// What files of these extensions are, and what to do with them. Their content says less: scenes of
/// Blender are compressed, and TetGen's nodes are plain numbers.
fn of_another_program(path: &str) -> Option<(&'static str, &'static str)> {
    const EXPORT: &str = "export its mesh from there as STL, PLY, OBJ or glTF";
    const CONVERT: &str =
        "save it as Gmsh's `.msh` 4.1 or as legacy `.vtk`, as `meshio convert` does";
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension.to_ascii_lowercase().as_str() {
        "blend" => ("a scene of Blender", EXPORT),
        "abc" => ("an Alembic file", EXPORT),
        "fbx" => ("an FBX file", EXPORT),
        "hip" | "hipnc" | "hiplc" => ("a scene of Houdini", EXPORT),
        "ma" | "mb" => ("a scene of Maya", EXPORT),
        "max" => ("a scene of 3ds Max", EXPORT),
        "c4d" => ("a scene of Cinema 4D", EXPORT),
        "usd" | "usda" | "usdc" | "usdz" => ("a USD file", EXPORT),
        "node" | "ele" => ("a file of TetGen", CONVERT),
        "vtu" => ("VTK's XML format of grids", CONVERT),
        "inp" => ("a deck of Abaqus", CONVERT),
        _ => return None,
    })
}
