//! ParaView's series files (`.pvd`): which file stands at which time.
//!
//! Source: the ParaView Wiki, "ParaView/Data formats", PVD. A reader opens a series that was cut
//! off as nothing at all, so it is replaced whole after each frame.

use super::obstacles::Obstacle;
use super::xml::escape_attribute;
use crate::layout;
use std::collections::BTreeMap;

/// A file of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Simulated time \[s\].
    pub time: f64,
    /// Which part of the scene the file shows; files of one time differ in it.
    pub part: usize,
    /// The file, relative to the series.
    pub file: String,
}

/// The series of a run's frames, by their files' names.
#[derive(Clone, Debug, Default)]
pub struct AllSeries {
    all: BTreeMap<String, Vec<Entry>>,
    /// The obstacles' names, and which of them move: each frame names those that stand, too.
    obstacles: Vec<(String, bool)>,
}

impl AllSeries {
    /// Of a run with these obstacles.
    pub fn new(obstacles: &[Obstacle]) -> Self {
        let obstacles = obstacles.iter().map(|it| (it.name.clone(), it.moves)).collect();
        AllSeries { all: BTreeMap::new(), obstacles }
    }

    /// Adds a file of a frame; returns the series that it belongs to, by its file's name.
    pub fn add(&mut self, file: &str, time: f64) -> Option<(String, &[Entry])> {
        let name = layout::series_of(file)?;
        let entries = self.all.entry(name.clone()).or_default();
        let moving = layout::moving_name(file);
        if moving.is_some() && entries.iter().all(|entry| entry.time != time) {
            let standing = self.obstacles.iter().enumerate().filter(|(_, (_, moves))| !moves);
            entries.extend(standing.map(|(part, (name, _))| Entry {
                time,
                part,
                file: layout::obstacle(name, "vtp"),
            }));
        }
        let part = moving.and_then(|name| self.obstacles.iter().position(|it| it.0 == name));
        entries.push(Entry { time, part: part.unwrap_or(0), file: file.to_owned() });
        if moving.is_some() {
            // Files of a run that goes on are found by their names.
            entries.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.part.cmp(&b.part)));
        }
        Some((name, entries))
    }

    /// Removes files; returns the series that had them.
    pub fn remove(&mut self, files: &[String]) -> impl Iterator<Item = (&str, &[Entry])> {
        self.all.iter_mut().filter_map(|(name, entries)| {
            let before = entries.len();
            // With what moves goes what stands at the same time.
            let is_gone = |entry: &&Entry| files.contains(&entry.file);
            let gone: Vec<f64> = entries.iter().filter(is_gone).map(|entry| entry.time).collect();
            entries.retain(|entry| !gone.contains(&entry.time));
            (entries.len() < before).then_some((name.as_str(), entries.as_slice()))
        })
    }

    /// Every series that has entries, by its file's name.
    pub fn all(&self) -> impl Iterator<Item = (&str, &[Entry])> {
        self.all.iter().map(|(name, entries)| (name.as_str(), entries.as_slice()))
    }
}

/// The series file's bytes. Times are the shortest decimals that read back as the same number.
pub fn pvd(entries: &[Entry]) -> Vec<u8> {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
         <Collection>\n",
    );
    for Entry { time, part, file } in entries {
        let file = escape_attribute(file);
        text.push_str(&format!(
            "<DataSet timestep=\"{time}\" group=\"\" part=\"{part}\" file=\"{file}\"/>\n"
        ));
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_taken_back_leaves_its_series() {
        let mut all = AllSeries::default();
        let files = [1, 2].map(layout::particles);
        for (file, time) in files.iter().zip([0.1, 0.2]) {
            all.add(file, time);
        }
        let left: Vec<_> = all.remove(&files[1..]).map(|(name, left)| (name, left.len())).collect();
        assert_eq!(left, [("particles.pvd", 1)]);
        assert_eq!(all.remove(&files[1..]).count(), 0);
    }

    #[test]
    fn each_time_of_what_moves_has_all_obstacles() {
        let obstacle = |name: &str, moves| Obstacle {
            name: name.to_owned(),
            mesh: std::borrow::Cow::Owned(Default::default()),
            normals: None,
            moves,
        };
        let obstacles = [("spheres", true), ("mesh_00", false), ("mesh_01", true)];
        let mut all = AllSeries::new(&obstacles.map(|(name, moves)| obstacle(name, moves)));
        let files =
            |frame| ["mesh_01", "spheres"].map(|name| layout::moving_obstacle(name, frame, "vtp"));
        for (frame, time) in [(0, 0.0), (1, 0.5)] {
            files(frame).iter().for_each(|file| drop(all.add(file, time)));
        }
        let parts = |entries: &[Entry]| entries.iter().map(|it| it.part).collect::<Vec<_>>();
        let [(name, entries)] = all.all().collect::<Vec<_>>()[..] else { panic!("one series") };
        assert_eq!((name, parts(entries)), (layout::SOLIDS_SERIES, vec![0, 1, 2, 0, 1, 2]));
        let left: Vec<_> = all.remove(&files(1)).map(|(_, left)| parts(left)).collect();
        assert_eq!(left, [[0, 1, 2]]);
    }

    #[test]
    fn a_series_names_each_file_with_its_exact_time() {
        let times = [0.0, 0.1 + 0.2, 1e-7, 1e21];
        let entry = |time| Entry { time, part: 0, file: format!("particles/{time}.vtp") };
        let text = String::from_utf8(pvd(&times.map(entry))).unwrap();
        let read: Vec<f64> = text
            .lines()
            .filter_map(|line| line.split("timestep=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert_eq!(read, times);
        assert!(text.contains("timestep=\"0.30000000000000004\" group=\"\" part=\"0\" file="));
    }
}
