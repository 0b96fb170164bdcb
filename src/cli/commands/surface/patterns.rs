//! The files to read: names, patterns with `*`, sequences with `{}`, series files of ParaView, and
//! indices of data sets in several files.

use super::error::JobError;
use crate::cli::args::SurfaceArgs;
use crate::cli::files::load::{self, name};
use hashfall_input::series::{self, SeriesFormat};
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Stands for the number in the names of a sequence.
pub const PLACEHOLDER: &str = "{}";

/// Indices that name indices, at most so deep.
const MAX_DEPTH: usize = 8;

/// Particles of one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// The file that has them, or those that have a part each; the first names the mesh.
    pub paths: Vec<PathBuf>,
    /// What `{}` stands for in the name of the mesh: what it stands for in the pattern, else the
    /// file's name.
    pub frame: String,
    /// Their time in the series that names the file \[s\].
    pub time: Option<f64>,
}

/// All files to read: in the order of the arguments, those of a pattern by their numbers.
///
/// # Errors
/// If a pattern matches no file, or a series cannot be read.
pub fn inputs(args: &SurfaceArgs) -> Result<Vec<Input>, JobError> {
    let first = args.start_index.unwrap_or(0);
    let numbers = first..=args.end_index.unwrap_or(u64::MAX);
    let is_cut = args.start_index.is_some() || args.end_index.is_some();
    let is_sequence = |path: &PathBuf| name(path).contains(PLACEHOLDER);
    if is_cut && !args.files.iter().any(is_sequence) {
        return Err(JobError::NoSequence);
    }
    let mut inputs = Vec::new();
    for path in &args.files {
        if is_sequence(path) {
            inputs.extend(sequence(path, &numbers)?);
        } else if name(path).contains(['*', '?', '[']) && !path.exists() {
            inputs.extend(matching(path)?);
        } else if let Some(format) = series_format(path) {
            inputs.extend(members(path, format, MAX_DEPTH)?);
        } else {
            inputs.push(Input::from_path(path.clone()));
        }
    }
    Ok(inputs)
}

impl Input {
    /// A file of no sequence.
    fn from_path(path: PathBuf) -> Input {
        let frame = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Input { paths: vec![path], frame, time: None }
    }
}

fn series_format(path: &Path) -> Option<SeriesFormat> {
    SeriesFormat::from_extension(&path.extension()?.to_string_lossy())
}

/// The members that an index names, with their times.
fn members(path: &Path, format: SeriesFormat, depth: usize) -> Result<Vec<Input>, JobError> {
    let shown = name(path);
    let bytes = load::particles(path)
        .map_err(|error| JobError::unreadable(&shown, &format_args!("cannot read: {error}")))?;
    let members =
        series::read(&bytes, format).map_err(|error| JobError::unreadable(&shown, &error))?;
    if members.is_empty() {
        return Err(JobError::EmptySeries(shown));
    }
    let input = |series::SeriesEntry { files, time }| {
        let mut paths = Vec::new();
        for file in files {
            paths.extend(parts(path.with_file_name("").join(file), depth)?);
        }
        let named = match time {
            Some(_) => paths.first().cloned().unwrap_or_default(),
            None => path.to_path_buf(),
        };
        Ok(Input { paths, time, ..Input::from_path(named) })
    };
    members.into_iter().map(input).collect()
}

/// The files with the particles of one: those that it names, if it is the index of a data set in
/// parts.
fn parts(path: PathBuf, depth: usize) -> Result<Vec<PathBuf>, JobError> {
    let Some(format) = series_format(&path) else { return Ok(vec![path]) };
    let shown = name(&path);
    if depth == 0 {
        let reason = format!("indices name each other more than {MAX_DEPTH} deep");
        return Err(JobError::unreadable(&shown, &reason));
    }
    let members = members(&path, format, depth - 1)?;
    match <[Input; 1]>::try_from(members) {
        Ok([member]) => Ok(member.paths),
        Err(members) => {
            let reason = format!("it names {} times, where one is expected", members.len());
            Err(JobError::unreadable(&shown, &reason))
        }
    }
}

/// The files of a sequence whose numbers are in a range, in order of these.
fn sequence(pattern: &Path, numbers: &RangeInclusive<u64>) -> Result<Vec<Input>, JobError> {
    let shown = name(pattern);
    let file_name = pattern.file_name().unwrap_or_default().to_string_lossy();
    let (before, after) = file_name
        .split_once(PLACEHOLDER)
        .filter(|(_, after)| !after.contains(PLACEHOLDER))
        .ok_or_else(|| JobError::Placeholder(shown.clone()))?;
    let folder = pattern.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).map_err(|error| {
        JobError::unreadable(&shown, &format_args!("cannot read the folder: {error}"))
    })?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| JobError::unreadable(&shown, &error))?.file_name();
        let Some(digits) = entry
            .to_str()
            .and_then(|entry| entry.strip_prefix(before)?.strip_suffix(after))
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
        else {
            continue;
        };
        if let Ok(number) = digits.parse::<u64>()
            && numbers.contains(&number)
        {
            let path = pattern.with_file_name(&entry);
            let input = Input { paths: vec![path], frame: digits.to_owned(), time: None };
            found.push((number, input));
        }
    }
    found.sort_by(|a, b| (a.0, &a.1.paths).cmp(&(b.0, &b.1.paths)));
    if found.is_empty() {
        return Err(JobError::EmptySequence(shown));
    }
    Ok(found.into_iter().map(|(_, input)| input).collect())
}

/// The files that fit a pattern of a shell, numbers in their names in order.
fn matching(pattern: &Path) -> Result<Vec<Input>, JobError> {
    let shown = name(pattern);
    let paths = glob::glob(&shown).map_err(|error| JobError::unreadable(&shown, &error))?;
    let mut paths: Vec<PathBuf> = paths
        .collect::<Result<_, _>>()
        .map_err(|error| JobError::unreadable(&name(error.path()), error.error()))?;
    paths.sort_by(|a, b| natural_order(&name(a), &name(b)));
    match paths.is_empty() {
        true => Err(JobError::NoMatch(shown)),
        false => Ok(paths.into_iter().map(Input::from_path).collect()),
    }
}

/// The order of names in which numbers count as numbers: `f2` before `f10`.
fn natural_order(a: &str, b: &str) -> Ordering {
    let parts = |name: &str| {
        let same_kind = |a: &u8, b: &u8| a.is_ascii_digit() == b.is_ascii_digit();
        let parts = name.as_bytes().chunk_by(same_kind).map(<[u8]>::to_vec);
        parts.collect::<Vec<_>>()
    };
    let by_number = |a: &[u8], b: &[u8]| {
        let trimmed = |digits: &[u8]| {
            let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
            digits[zeros..].to_vec()
        };
        let (a, b) = (trimmed(a), trimmed(b));
        (a.len(), a).cmp(&(b.len(), b))
    };
    let (parts_of_a, parts_of_b) = (parts(a), parts(b));
    let mut orders = parts_of_a.iter().zip(&parts_of_b).map(|(a, b)| match (a[0], b[0]) {
        (b'0'..=b'9', b'0'..=b'9') => by_number(a, b),
        _ => a.cmp(b),
    });
    // Names that differ in zeros alone, or where one continues.
    orders.find(|order| order.is_ne()).unwrap_or_else(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["f10.vtk", "f9.vtk", "f1_10.vtk", "f1_9.vtk", "f010.vtk", "f.vtk", "a"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["a", "f1_9.vtk", "f1_10.vtk", "f9.vtk", "f010.vtk", "f10.vtk", "f.vtk"]);
    }
}
