//! A cheap check of the frames of a run: which files are missing, and which are truncated.
//!
//! It reads only the length and the end of a file: a `.vtp` must close its XML, the header of a
//! `.ply` gives its length, and a `.vtk`, which tells neither, must not be empty. `sim audit`
//! reads whole files.
//!
//! The scene determines the files of a frame. If a run was resumed with other formats, frames
//! before and after differ: then all frames of a section are expected to have each kind of file
//! that some frame of the section has.

use super::stopped_run::StoppedRun;
use crate::disk::file_error::FileError;
use crate::disk::files::ends;
use crate::layout;
use std::collections::BTreeSet;
use std::fmt;
use std::io;

/// Bytes of the head of a `.ply` at the most, and of the end of a `.vtp`.
const END: usize = 4096;

/// A defect of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It does not exist.
    Missing,
    /// It is incomplete, or cannot be read.
    Truncated,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Flaw::Missing => "missing",
            Flaw::Truncated => "truncated",
        })
    }
}

/// A kind of file with one file per frame: the name before and after the frame number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    before: String,
    after: String,
}

impl Kind {
    /// The kind of a frame's file; none of other files, nor of what is made afterwards: previews
    /// and foam.
    fn from_name(name: &str) -> Option<Kind> {
        let number = format!("{:05}", layout::frame_of(name)?);
        let (before, after) = name.rsplit_once(&number)?;
        let is_of_run = !name.starts_with(layout::PREVIEWS) && !layout::is_foam(name);
        is_of_run.then(|| Kind { before: before.to_owned(), after: after.to_owned() })
    }

    fn name(&self, frame: u32) -> String {
        format!("{}{frame:05}{}", self.before, self.after)
    }
}

/// How many frames lead from one with particles to the next, by the files there are: the largest
/// number that divides those of all such frames; 1 without any.
fn particle_interval<'a>(names: impl Iterator<Item = &'a String>) -> u32 {
    let frames = names.filter(|name| layout::is_of_particles(name));
    let divisor = |mut a: u32, mut b: u32| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    frames.filter_map(|name| layout::frame_of(name)).fold(0, divisor).max(1)
}

impl StoppedRun {
    /// The files up to frame `last` that are missing or truncated, frame by frame. `expected` are
    /// the file names of frame 0 by the scene; `None` if formats change now. `every` is how many
    /// frames lead from one with particles to the next; `None` if that changes now.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn flawed_frames(
        &self,
        last: u32,
        expected: Option<&[String]>,
        every: Option<u32>,
    ) -> Result<Vec<(String, Flaw)>, FileError> {
        let there: BTreeSet<String> = self.folder().list()?.into_iter().collect();
        let mut starts = self.format_changes();
        starts.insert(0);
        let starts: Vec<u32> = starts.into_iter().filter(|&start| start <= last).collect();
        let mut flawed = Vec::new();
        for (k, &start) in starts.iter().enumerate() {
            let next = starts.get(k + 1).copied();
            let section = start..next.unwrap_or(last.saturating_add(1));
            let is_in = |name: &&String| {
                layout::frame_of(name).is_some_and(|frame| section.contains(&frame))
            };
            let mut kinds: BTreeSet<Kind> =
                there.iter().filter(is_in).filter_map(|name| Kind::from_name(name)).collect();
            if let (Some(expected), None) = (expected, next) {
                kinds.extend(expected.iter().filter_map(|name| Kind::from_name(name)));
            }
            // What held before a change is told by the files alone.
            let known = every.filter(|_| next.is_none() || !self.has_changed_particles_every());
            let every = known.unwrap_or_else(|| particle_interval(there.iter().filter(is_in)));
            for frame in section {
                let is_due =
                    |name: &String| !layout::is_of_particles(name) || frame.is_multiple_of(every);
                let names = kinds.iter().map(|kind| kind.name(frame)).filter(is_due);
                flawed.extend(names.filter_map(|name| {
                    let flaw =
                        if there.contains(&name) { self.flaw(&name) } else { Some(Flaw::Missing) };
                    Some((name, flaw?))
                }));
            }
        }
        Ok(flawed)
    }

    fn flaw(&self, name: &str) -> Option<Flaw> {
        let is_whole = self.ends(name).is_ok_and(|(head, tail, length)| {
            match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
                "ply" => ply_length(&head) == Some(length),
                "vtp" => tail.trim_ascii_end().ends_with(b"</VTKFile>"),
                _ => length > 0,
            }
        });
        (!is_whole).then_some(Flaw::Truncated)
    }

    /// The first and the last bytes of a file, and its length.
    fn ends(&self, name: &str) -> io::Result<(Vec<u8>, Vec<u8>, u64)> {
        ends(&self.folder().path().join(name), END)
    }
}

/// How long a `.ply` of ours is by its head.
fn ply_length(bytes: &[u8]) -> Option<u64> {
    const LAST: &[u8] = b"end_header\n";
    let end = bytes.windows(LAST.len()).position(|window| window == LAST)? + LAST.len();
    let head = std::str::from_utf8(&bytes[..end]).ok()?;
    let count = |element: &str| -> Option<u64> {
        head.lines().find_map(|line| line.strip_prefix(element)?.trim().parse().ok())
    };
    let properties = || head.lines().filter_map(|line| line.strip_prefix("property "));
    let numbers = properties().filter_map(|it| type_length(it.split(' ').next()?));
    let vertices = count("element vertex ")?.checked_mul(numbers.sum())?;
    // A face is a count in one byte, and three corners.
    let corner = properties().find_map(|it| it.strip_prefix("list uchar ")?.split(' ').next());
    let face = 1 + 3 * corner.and_then(type_length).unwrap_or(0);
    let triangles = count("element face ").unwrap_or(0).checked_mul(face)?;
    vertices.checked_add(triangles)?.checked_add(end as u64)
}

/// How long a number is \[bytes\]; `None` for what is no number.
fn type_length(name: &str) -> Option<u64> {
    match name {
        "uchar" => Some(1),
        "ushort" => Some(2),
        "int" | "uint" | "float" => Some(4),
        "double" => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::particle_arrays::ParticleFrame;
    use crate::formats::ply;
    use hashfall_core::{Attribute, Values, Vec3};
    use hashfall_sph::world::Particles;
    use hashfall_surface::SurfaceMesh;

    #[test]
    fn the_head_of_a_ply_tells_its_length() {
        for (vertices, label) in [(0, 0), (3, 255), (3, 256), (65_536, 0), (65_537, 1 << 31)] {
            let positions = vec![Vec3::x(); vertices];
            let labels = Attribute::new("phase", Values::Labels(vec![label; vertices].into()));
            let mesh = SurfaceMesh {
                normals: positions.clone(),
                positions,
                triangles: vec![[0, 1, 2]; vertices / 3],
                attributes: vec![labels],
            };
            let bytes = ply::surface(&mesh).into_bytes();
            assert_eq!(ply_length(&bytes), Some(bytes.len() as u64), "{vertices} {label}");
        }
        let points = Particles::default();
        let frame = ParticleFrame { particles: &points, radius: 0.1, time: 0.0 };
        let bytes = ply::particles(&frame).into_bytes();
        assert_eq!(ply_length(&bytes), Some(bytes.len() as u64));
        assert_eq!(ply_length(b"ply\nelement vertex 3\n"), None);
    }

    #[test]
    fn a_kind_gives_the_name_of_any_frame() {
        for name in [
            layout::particles(12, "vtp"),
            layout::moving_obstacle("mesh_00", 123_456, "ply"),
            layout::SurfacePart::Surface.mesh(Some("a_00012"), 12, "vtp"),
        ] {
            let kind = Kind::from_name(&name).unwrap();
            assert_eq!(kind.name(layout::frame_of(&name).unwrap()), name);
        }
        assert_eq!(Kind::from_name(&layout::preview(3)), None);
        assert_eq!(Kind::from_name(layout::LOG), None);
    }
}
