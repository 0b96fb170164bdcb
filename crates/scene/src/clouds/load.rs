//! Loads the particle files of a scene into its model, and names the copies that a run keeps.

use super::place::place;
use super::spacing::spacing_problems;
use crate::check::reach_out_of;
use crate::meshes::{MeshFile, Meshes};
use crate::model::{FluidShape, GivenParticles, Model, ParticlesShape};
use crate::problem::Problem;
use crate::text::diagnostic::{Diagnostic, Severity};
use hashfall_core::Dimension;
use hashfall_fill::region::ROUNDING;
use hashfall_input::{
    self as input, AttributeFilter, Cloud, ColumnChoice, ColumnProblem, Format, InputError, Place,
};
use std::collections::{BTreeSet, HashMap};
use std::io;
use std::sync::Arc;

/// What velocities that are turned into the plane keep along y, over what they have in it.
const TURNED: f64 = 1e-6;

/// The files of all given particles, each once, as the scene names them.
pub fn paths(model: &Model) -> BTreeSet<String> {
    let shapes = model.fluids.iter().flat_map(|fluid| &fluid.shapes);
    let path = |shape: &FluidShape| match shape {
        FluidShape::Particles(shape) => Some(shape.path.clone()),
        _ => None,
    };
    shapes.filter_map(path).collect()
}

/// Files that have been read from columns that are chosen, each with the path of its copy.
type Read = HashMap<(String, ColumnChoice), Option<(Cloud, String)>>;

/// Reads every particle file; faults inside the files are returned, others are problems of the
/// scene. Copies and their names go to those of the meshes.
pub fn load(
    model: &mut Model,
    meshes: &mut Meshes,
    read_file: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut read = Read::new();
    let mut loaded = Vec::new();
    for (i, fluid) in model.fluids.iter().enumerate() {
        for (k, shape) in fluid.shapes.iter().enumerate() {
            let FluidShape::Particles(shape) = shape else { continue };
            let key = format!("fluids[{i}].shapes[{k}]");
            let mut given = None;
            if !shape.path.trim().is_empty() {
                let file = (shape.path.clone(), shape.columns.choice());
                if !read.contains_key(&file) {
                    let copy = copy_of(&read, &shape.path);
                    let cloud = read_cloud(&key, shape, meshes, read_file, &mut faults);
                    let copied = cloud.map(|(cloud, bytes)| {
                        let copy = copy.unwrap_or_else(|| keep(&shape.path, bytes, meshes));
                        (cloud, copy)
                    });
                    read.insert(file.clone(), copied);
                }
                if let Some((cloud, copy)) = &read[&file] {
                    meshes.particles.push(copy.clone());
                    let density = fluid.rest_density;
                    match place(&key, shape, cloud, density) {
                        Ok((placed, warnings)) => {
                            meshes.problems.extend(warnings);
                            given = Some(placed);
                        }
                        Err(problem) => meshes.problems.push(problem),
                    }
                }
            }
            if let Some(given) = &mut given {
                meshes.problems.extend(in_space(model, &key, given));
            }
            loaded.push(given.map(Arc::new));
        }
    }
    let shapes = model.fluids.iter_mut().flat_map(|fluid| &mut fluid.shapes);
    let shapes = shapes.filter_map(|shape| match shape {
        FluidShape::Particles(shape) => Some(shape),
        _ => None,
    });
    shapes.zip(loaded).for_each(|(shape, given)| shape.given = given);
    faults
}

/// The copy of a file that has been read before, from whichever columns.
fn copy_of(read: &Read, path: &str) -> Option<String> {
    let mut files = read.iter().filter(|((other, _), _)| other == path);
    files.find_map(|(_, file)| file.as_ref()).map(|(_, copy)| copy.clone())
}

/// Keeps a file for the run's copy, whose path is returned.
fn keep(path: &str, bytes: Vec<u8>, meshes: &mut Meshes) -> String {
    let name = meshes.unique_names.give(path);
    let copy = format!("meshes/{name}");
    meshes.files.push(MeshFile { name, bytes });
    copy
}

/// Reads a file, and returns its bytes, too.
fn read_cloud(
    key: &str,
    shape: &ParticlesShape,
    meshes: &mut Meshes,
    read_file: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    faults: &mut Vec<Diagnostic>,
) -> Option<(Cloud, Vec<u8>)> {
    let path = &shape.path;
    let place = format!("{key}.path");
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let Some(format) = Format::from_extension(extension) else {
        let message = format!("particles are not read from `{path}`");
        let help = format!("a file that ends in {}", Format::list_extensions());
        meshes.problems.push(Problem::error(place, message, &help));
        return None;
    };
    let bytes = match read_file(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("cannot read particles `{path}`: {error}");
            let is_missing = error.kind() == io::ErrorKind::NotFound;
            let help = if is_missing { "paths are relative to the scene file" } else { "" };
            meshes.problems.push(Problem::error(place, message, help));
            return None;
        }
    };
    match input::read_columns(&bytes, format, &shape.columns.choice(), &AttributeFilter::All) {
        Ok(cloud) => {
            let doubts = cloud.warnings.iter().map(|it| Problem::warning(&place, it, ""));
            meshes.problems.extend(doubts);
            Some((cloud, bytes))
        }
        Err(InputError { problem: input::Problem::Column(column), .. }) => {
            meshes.problems.push(column_problem(key, path, column));
            None
        }
        Err(error) => {
            faults.push(fault(path, &bytes, &error));
            None
        }
    }
}

/// The problem of a column that is chosen, or should be, for the shape at a key path.
fn column_problem(key: &str, path: &str, problem: ColumnProblem) -> Problem {
    let ColumnProblem { quantity, message, help } = problem;
    let place = format!("{key}.columns.{}", quantity.name());
    Problem::error(place, format!("{message}, in `{path}`"), &help)
}

/// A fault inside a particle file; of text, with its line.
fn fault(path: &str, bytes: &[u8], error: &InputError) -> Diagnostic {
    let line = match error.place {
        Some(Place::Line(line)) => Some(line),
        _ => None,
    };
    let text = line.map(|_| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
    let span = line.map(|line| {
        let before = text.split_inclusive('\n').take(line - 1);
        let start = before.map(|line| line.chars().count()).sum::<usize>();
        let length = text.lines().nth(line - 1).map_or(0, |line| line.trim_end().chars().count());
        start..start + length.max(1)
    });
    Diagnostic {
        severity: Severity::Error,
        source_name: path.to_owned(),
        source_text: text,
        span,
        message: format!("broken particle file: {error}"),
        help: None,
    }
}

/// Whether a velocity lies in the plane but for what turning it leaves along y.
fn is_rounded([x, y, z]: &[f64; 3]) -> bool {
    y.abs() <= TURNED * x.abs().max(z.abs())
}

/// What is wrong with the places of given particles; in the plane they are put onto it.
fn in_space(model: &Model, key: &str, given: &mut GivenParticles) -> Vec<Problem> {
    let slack = ROUNDING * 2.0 * model.particle_radius();
    let mut problems = Vec::new();
    let place = format!("{key}.path");
    if given.positions.is_empty() {
        return vec![Problem::error(
            place,
            "the file has no particles",
            "one with a position for each; a table has them below its header",
        )];
    }
    let numbers = &given.numbers;
    let of_all = given.positions.len();
    let outside = |which: &dyn Fn(&[f64; 3]) -> bool| {
        let first = given.positions.iter().position(which)?;
        let [x, y, z] = given.positions[first];
        let count = given.positions.iter().filter(|x| which(x)).count();
        let at = format!("particle {} at ({x:.4}, {y:.4}, {z:.4})", numbers[first]);
        Some(format!("{count} of {of_all} particles; first: {at}"))
    };
    let keys = ["scale", "translate", "rotate", "up"].map(|it| format!("{key}.{it}"));
    let is_plane = model.dimensions == Dimension::Two;
    if let Some(found) = is_plane.then(|| outside(&|x| x[1].abs() > slack)).flatten() {
        let message = format!("particles out of the plane y = 0: {found}");
        let help = "dimensions: Three, or a `translate` or `rotate` that puts them there";
        problems.push(Problem::error(&place, message, help).also_at_all(keys.clone()));
    }
    if let Some(found) = outside(&|x| reach_out_of(&model.domain, [*x, *x], slack).is_some()) {
        let message = format!("fluid outside the domain: {found}");
        let help = "check `scale`, `translate` and `up`, and the unit of the file";
        problems.push(Problem::error(&place, message, help).also_at_all(keys).also_at("domain"));
    }
    if is_plane {
        given.positions.iter_mut().for_each(|x| x[1] = 0.0);
        given.velocities.iter_mut().filter(|v| is_rounded(v)).for_each(|v| v[1] = 0.0);
    }
    if problems.is_empty() {
        problems.extend(spacing_problems(model, key, given));
    }
    problems
}
