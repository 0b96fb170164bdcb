//! The series of meshes, by which ParaView knows their times: a `.pvd` of VTK's XML files, in which
//! fluids are parts, or a `.ply.series` or `.vtk.series` for each fluid.

use super::error::{JobError, exists, replaces_particles};
use super::files::{self, Job, Mesh};
use super::frame::{MeshFile, Meshed};
use crate::cli::args::MeshFormat;
use crate::cli::files::load::name;
use hashfall_output::FileError;
use hashfall_output::files::{Write, write};
use hashfall_output::series::{Entry, encode};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The name of a series whose files have no common name.
const DEFAULT_STEM: &str = "surface";
/// What stands between the number of a file and the rest of its name.
const SEPARATORS: [char; 4] = ['_', '-', '.', ' '];

/// The series of the meshes, and that of the spray.
#[derive(Default)]
pub struct SeriesFiles {
    meshes: Option<PathBuf>,
    spray: Option<PathBuf>,
}

/// The files of a frame that are in one of the series.
type FilesOf = fn(&Meshed) -> Vec<MeshFile<'_>>;

/// The files of a frame that are in a series.
struct Frame<'a> {
    time: Option<f64>,
    files: Vec<MeshFile<'a>>,
}

impl SeriesFiles {
    /// The series that files become: of several, in a format that ParaView opens.
    pub fn new(jobs: &[Job]) -> SeriesFiles {
        let meshes = jobs.iter().map(|job| &job.mesh).collect::<Vec<_>>();
        let spray = jobs.iter().filter_map(|job| job.spray.as_ref()).collect::<Vec<_>>();
        let (meshes, spray) = (path_of(&meshes), path_of(&spray));
        let is_taken = |path: &PathBuf| {
            meshes
                .as_ref()
                .is_some_and(|meshes| files::canonical_path(meshes) == files::canonical_path(path))
        };
        let of_spray = |path: PathBuf| {
            if is_taken(&path) { with_stem_suffix(&path, "_spray") } else { path }
        };
        SeriesFiles { spray: spray.map(of_spray), meshes }
    }

    /// Checks that no input and, without `overwrite`, no existing series is replaced.
    ///
    /// # Errors
    /// If one would be replaced.
    pub fn protect(&self, inputs: &[PathBuf], overwrite: bool) -> Result<(), JobError> {
        for path in [&self.meshes, &self.spray].into_iter().flatten() {
            let is_read = |input: &PathBuf| match (input.canonicalize(), path.canonicalize()) {
                (Ok(input), Ok(path)) => input == path,
                _ => false,
            };
            if inputs.iter().any(is_read) {
                return Err(replaces_particles(path));
            }
            if !overwrite && path.exists() {
                return Err(exists(path));
            }
        }
        Ok(())
    }

    /// Writes the series of the frames that became meshes. Returns warnings.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write<'m>(&self, meshed: &'m [Meshed]) -> Result<Vec<String>, FileError> {
        let mut warnings = Vec::new();
        let of_meshes: FilesOf = Meshed::mesh_files;
        for (path, files) in [(&self.meshes, of_meshes), (&self.spray, Meshed::spray_files)] {
            let Some(path) = path else { continue };
            let frame = |it: &'m Meshed| Frame { time: it.time, files: files(it) };
            let frames: Vec<Frame> = meshed.iter().map(frame).collect();
            let entries = entries(&frames, &times(&frames));
            for (path, entries) in split(path, entries, &fluids(&frames)) {
                write(&path, encode(&name(&path), &entries), Write::Replace)?;
            }
            warnings.extend(time_warning(&frames, path));
        }
        Ok(warnings)
    }
}

/// Where the series of these meshes is: beside them, by what their names have in common.
fn path_of(meshes: &[&Mesh]) -> Option<PathBuf> {
    let first = meshes.first().filter(|_| meshes.len() > 1)?;
    let extension = first.format.series()?;
    let stems: Vec<String> = meshes
        .iter()
        .map(|mesh| mesh.path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    let stem = common_name(&stems);
    // Files of the usual format that have nothing in common are no sequence.
    if stem.is_empty() && first.format != MeshFormat::Vtp {
        return None;
    }
    let stem = if stem.is_empty() { DEFAULT_STEM } else { &stem };
    Some(first.path.with_file_name(format!("{stem}.{extension}")))
}

/// The path of another series: its name with a suffix before its extensions.
fn with_stem_suffix(path: &Path, suffix: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = [".ply.series", ".vtk.series", ".pvd"];
    let end = ends.into_iter().find(|end| name.ends_with(end)).unwrap_or_default();
    let stem = &name[..name.len() - end.len()];
    path.with_file_name(format!("{stem}{suffix}{end}"))
}

/// The series as files: one for each fluid, where one cannot name several files of a time.
fn split(
    path: &Path,
    entries: Vec<Entry>,
    fluids: &BTreeSet<Option<u32>>,
) -> Vec<(PathBuf, Vec<Entry>)> {
    if fluids.len() < 2 || path.extension().is_some_and(|extension| extension == "pvd") {
        return vec![(path.to_owned(), entries)];
    }
    let of_fluid = |(part, fluid): (usize, &Option<u32>)| {
        let suffix = fluid.map(|value| format!("_phase{value}")).unwrap_or_default();
        let of_part = entries.iter().filter(|entry| entry.part == part).cloned();
        (with_stem_suffix(path, &suffix), of_part.collect())
    };
    fluids.iter().enumerate().map(of_fluid).collect()
}

/// The fluids of all frames, in order.
fn fluids(frames: &[Frame]) -> BTreeSet<Option<u32>> {
    frames.iter().flat_map(|frame| &frame.files).map(|file| file.fluid).collect()
}

/// What stays the same before and after the number in names; before what differs, if that is no
/// number.
fn common_name(names: &[String]) -> String {
    let before = common_start(names.iter().map(|name| name.chars()));
    // What is left of the names has no part in what they have in common before it.
    let rests: Vec<&str> = names.iter().map(|name| &name[before.len()..]).collect();
    let backwards = common_start(rests.iter().map(|rest| rest.chars().rev()));
    let after: String = backwards.chars().rev().collect();
    let is_number = |rest: &&str| {
        let number = &rest[..rest.len() - after.len()];
        number.bytes().all(|digit| digit.is_ascii_digit())
    };
    let after = if rests.iter().all(is_number) { &*after } else { "" };
    let is_digit = |c: char| c.is_ascii_digit();
    let before = before.trim_end_matches(is_digit).trim_end_matches(SEPARATORS);
    // Digits alone belong to the number: of 0.5, 1.5 …, say.
    let after = if after.contains(char::is_alphabetic) { after } else { "" };
    let after = after.trim_start_matches(is_digit);
    let after = if before.is_empty() { after.trim_start_matches(SEPARATORS) } else { after };
    format!("{before}{after}")
}

/// The characters with which all begin.
fn common_start(mut texts: impl Iterator<Item = impl Iterator<Item = char>>) -> String {
    let first: String = texts.next().into_iter().flatten().collect();
    texts.fold(first, |common, text| {
        let alike = common.chars().zip(text).take_while(|(a, b)| a == b);
        alike.map(|(a, _)| a).collect()
    })
}

/// Whether all frames have times, and none has that of another.
fn have_times(frames: &[Frame]) -> bool {
    let times: Option<BTreeSet<u64>> = frames.iter().map(|frame| Some(bits(frame.time?))).collect();
    times.is_some_and(|times| times.len() == frames.len())
}

/// The bits of a time, in which both zeros are alike.
fn bits(time: f64) -> u64 {
    (time + 0.0).to_bits()
}

/// The time of each frame, or their numbers from 0 if times are not known.
fn times(frames: &[Frame]) -> Vec<f64> {
    let has_times = have_times(frames);
    let time = |(k, frame): (usize, &Frame)| frame.time.filter(|_| has_times).unwrap_or(k as f64);
    frames.iter().enumerate().map(time).collect()
}

/// The warning if some frames have times that are not used.
fn time_warning(frames: &[Frame], path: &Path) -> Option<String> {
    let is_doubtful = frames.iter().any(|it| it.time.is_some()) && !have_times(frames);
    let path = name(path);
    is_doubtful.then(|| {
        format!("`{path}` has frame numbers instead of times: times are missing or duplicate")
    })
}

/// The files of all frames, ordered by time. Those of a fluid are always the same part.
fn entries(frames: &[Frame], times: &[f64]) -> Vec<Entry> {
    let fluids = fluids(frames);
    let mut entries = Vec::new();
    for (frame, &time) in frames.iter().zip(times) {
        for MeshFile { fluid, path } in &frame.files {
            let part = fluids.iter().position(|other| other == fluid).unwrap_or(0);
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entries.push(Entry { time, part, file });
        }
    }
    entries.sort_by(|a, b| a.time.total_cmp(&b.time));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_is_named_by_what_its_files_have_in_common() {
        let of = |names: &[&str]| {
            let mesh = |name: &&str| Mesh { path: name.into(), format: MeshFormat::Vtp };
            let meshes: Vec<Mesh> = names.iter().map(mesh).collect();
            path_of(&meshes.iter().collect::<Vec<_>>())
        };
        let path = |name: &str| Some(PathBuf::from(name));
        assert_eq!(of(&["out/f_9.vtp", "out/f_10.vtp"]), path("out/f.pvd"));
        assert_eq!(of(&["m_10.vtp", "m_11.vtp", "m_12.vtp"]), path("m.pvd"));
        assert_eq!(of(&["10.vtp", "11.vtp"]), path("surface.pvd"));
        assert_eq!(of(&["m_9_spray.vtp", "m_10_spray.vtp"]), path("m_spray.pvd"));
        assert_eq!(of(&["m_10.5.vtp", "m_20.5.vtp"]), path("m.pvd"));
        assert_eq!(of(&["0_fine.vtp", "1_fine.vtp"]), path("fine.pvd"));
        assert_eq!(of(&["é1é.vtp", "é11é.vtp"]), path("éé.pvd"));
        assert_eq!(of(&["left.vtp", "right.vtp"]), path("surface.pvd"));
        assert_eq!(of(&["f_left.vtp", "f_right.vtp"]), path("f.pvd"));
        assert_eq!(of(&["one.vtp"]), None);
        let ply =
            ["a.ply", "b.ply"].map(|name| Mesh { path: name.into(), format: MeshFormat::Ply });
        assert_eq!(path_of(&ply.iter().collect::<Vec<_>>()), None, "no sequence");
        let path = Path::new("a.b/m.ply.series");
        assert_eq!(with_stem_suffix(path, "_spray"), Path::new("a.b/m_spray.ply.series"));
    }

    #[test]
    fn times_are_used_only_if_all_frames_have_their_own() {
        let frames = |times: &[Option<f64>]| {
            times.iter().map(|&time| Frame { time, files: Vec::new() }).collect::<Vec<_>>()
        };
        let path = Path::new("f.pvd");
        for (given, expected, is_warned) in [
            (vec![Some(0.5), Some(0.1)], [0.5, 0.1], false),
            (vec![None, None], [0.0, 1.0], false),
            (vec![Some(0.5), None], [0.0, 1.0], true),
            (vec![Some(0.0), Some(-0.0)], [0.0, 1.0], true),
        ] {
            let frames = frames(&given);
            assert_eq!(times(&frames), expected);
            assert_eq!(time_warning(&frames, path).is_some(), is_warned, "{given:?}");
        }
    }
}
