//! ParaView's series files: which file stands at which time.
//!
//! Sources: the ParaView Wiki, "ParaView/Data formats", PVD; the ParaView guide, "File series", for
//! the JSON of `.ply.series` and `.vtk.series`. A `.pvd` names VTK's XML files alone, several of a
//! time; the JSON names files of one format, one for each time. A reader opens a series that was
//! cut off as nothing at all, so it is replaced whole after each frame.

use super::obstacles::Obstacle;
use super::xml::escape_attribute;
use crate::layout::{self, SurfacePart};
use serde::Serialize;
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
    /// The fluids' names in those of files: parts of a series of all.
    fluids: Vec<String>,
    /// The elastic bodies' names in those of files: the same.
    elastic: Vec<String>,
    /// The obstacles' names, and which of them move: each frame names those that stand, too.
    obstacles: Vec<(String, bool)>,
}

impl AllSeries {
    /// Of a run with these obstacles, and fluids and elastic bodies of these names in those of
    /// files.
    pub fn new(obstacles: &[Obstacle], fluids: Vec<String>, elastic: Vec<String>) -> Self {
        let obstacles = obstacles.iter().map(|it| (it.name.clone(), it.moves)).collect();
        AllSeries { all: BTreeMap::new(), fluids, elastic, obstacles }
    }

    /// Adds a file of a frame; returns the names of the series that it belongs to.
    pub fn add(&mut self, file: &str, time: f64) -> Vec<String> {
        let names: Vec<String> = layout::series_of(file).into_iter().collect();
        let number = layout::owner_of(file).and_then(|(part, owner)| {
            let owners = if part == SurfacePart::Elastic { &self.elastic } else { &self.fluids };
            owners.iter().position(|it| it == owner)
        });
        let of_all = number.and_then(|part| Some((part, layout::series_of_all(file)?)));
        for name in &names {
            self.insert(name, file, time);
        }
        let Some((part, name)) = of_all else { return names };
        let entries = self.all.entry(name.clone()).or_default();
        entries.push(Entry { time, part, file: file.to_owned() });
        sort(entries);
        names.into_iter().chain([name]).collect()
    }

    /// Adds a file to a series of one file for each time, or of the obstacles.
    fn insert(&mut self, name: &str, file: &str, time: f64) {
        let entries = self.all.entry(name.to_owned()).or_default();
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
            sort(entries);
        }
    }

    /// The bytes of a series by its name.
    pub fn bytes(&self, name: &str) -> Vec<u8> {
        encode(name, self.all.get(name).map_or(&[], Vec::as_slice))
    }

    /// Removes files; returns the names of the series that had them.
    pub fn remove(&mut self, files: &[String]) -> Vec<String> {
        let changed = self.all.iter_mut().filter_map(|(name, entries)| {
            let before = entries.len();
            // With what moves goes what stands at the same time.
            let is_gone = |entry: &&Entry| files.contains(&entry.file);
            let gone: Vec<f64> = entries.iter().filter(is_gone).map(|entry| entry.time).collect();
            entries.retain(|entry| !gone.contains(&entry.time));
            (entries.len() < before).then(|| name.clone())
        });
        changed.collect()
    }

    /// The name of every series that has entries.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.keys().map(String::as_str)
    }
}

/// By time, then by part: files of a run that continues are found by their names.
fn sort(entries: &mut [Entry]) {
    entries.sort_by(|a, b| a.time.total_cmp(&b.time).then(a.part.cmp(&b.part)));
}

/// A series' bytes, in the format that its name tells.
pub fn encode(name: &str, entries: &[Entry]) -> Vec<u8> {
    if name.ends_with(".pvd") { pvd(entries) } else { json(entries) }
}

/// ParaView's JSON: a file for each time.
fn json(entries: &[Entry]) -> Vec<u8> {
    #[derive(Serialize)]
    struct File<'a> {
        name: &'a str,
        time: f64,
    }
    #[derive(Serialize)]
    struct Series<'a> {
        #[serde(rename = "file-series-version")]
        version: &'static str,
        files: Vec<File<'a>>,
    }
    let files = entries.iter().map(|Entry { time, file, .. }| File { name: file, time: *time });
    let series = Series { version: "1.0", files: files.collect() };
    let mut bytes = serde_json::to_vec_pretty(&series).expect("texts and finite numbers");
    bytes.push(b'\n');
    bytes
}

/// The `.pvd`'s bytes. Times are the shortest decimals that read back as the same number.
fn pvd(entries: &[Entry]) -> Vec<u8> {
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
    use crate::formats::obstacles::Shape;
    use layout::SurfacePart::Surface;

    fn entries<'a>(all: &'a AllSeries, name: &str) -> &'a [Entry] {
        &all.all[name]
    }

    #[test]
    fn a_file_that_is_taken_back_leaves_its_series() {
        let mut all = AllSeries::default();
        let files = [1, 2].map(|frame| layout::particles(frame, "vtp"));
        for (file, time) in files.iter().zip([0.1, 0.2]) {
            all.add(file, time);
        }
        assert_eq!(all.remove(&files[1..]), ["particles.pvd"]);
        assert_eq!(entries(&all, "particles.pvd").len(), 1);
        assert!(all.remove(&files[1..]).is_empty());
    }

    #[test]
    fn each_time_of_what_moves_has_all_obstacles() {
        let obstacle = |name: &str, moves| Obstacle {
            name: name.to_owned(),
            moves,
            shape: Shape::Spheres(Default::default()),
        };
        let obstacles = [("spheres", true), ("mesh_00", false), ("mesh_01", true)];
        let obstacles = obstacles.map(|(name, moves)| obstacle(name, moves));
        let mut all = AllSeries::new(&obstacles, Vec::new(), Vec::new());
        let files =
            |frame| ["mesh_01", "spheres"].map(|name| layout::moving_obstacle(name, frame, "vtp"));
        for (frame, time) in [(0, 0.0), (1, 0.5)] {
            files(frame).iter().for_each(|file| drop(all.add(file, time)));
        }
        let parts = |all: &AllSeries| {
            entries(all, layout::SOLIDS_SERIES).iter().map(|it| it.part).collect::<Vec<_>>()
        };
        assert_eq!(all.names().collect::<Vec<_>>(), [layout::SOLIDS_SERIES]);
        assert_eq!(parts(&all), [0, 1, 2, 0, 1, 2]);
        assert_eq!(all.remove(&files(1)), [layout::SOLIDS_SERIES]);
        assert_eq!(parts(&all), [0, 1, 2]);
    }

    #[test]
    fn each_fluid_has_a_series_and_vtk_files_one_of_all_as_well() {
        let fluids = ["oil", "water_2"].map(str::to_owned);
        let mut all = AllSeries::new(&[], fluids.to_vec(), Vec::new());
        // As a folder lists them: water of both frames first.
        for (fluid, frame) in [(1, 0), (1, 1), (0, 0), (0, 1)] {
            for extension in ["vtp", "ply"] {
                let file = Surface.mesh(Some(&fluids[fluid]), frame, extension);
                all.add(&file, f64::from(frame));
            }
        }
        let names: Vec<&str> = all.names().collect();
        let of_fluids = ["surface_oil.ply.series", "surface_oil.pvd"];
        let others = ["surface_water_2.ply.series", "surface_water_2.pvd"];
        assert_eq!(names, ["surface.pvd", of_fluids[0], of_fluids[1], others[0], others[1]]);
        let found: Vec<(f64, usize)> =
            entries(&all, "surface.pvd").iter().map(|it| (it.time, it.part)).collect();
        assert_eq!(found, [(0.0, 0), (0.0, 1), (1.0, 0), (1.0, 1)]);
    }

    #[test]
    fn a_series_names_each_file_with_its_exact_time() {
        let times = [0.0, 0.1 + 0.2, 1e-7, 1e21];
        let entry = |time| Entry { time, part: 0, file: format!("particles/{time}.vtp") };
        let text = String::from_utf8(encode("a.pvd", &times.map(entry))).unwrap();
        let read: Vec<f64> = text
            .lines()
            .filter_map(|line| line.split("timestep=\"").nth(1)?.split('"').next()?.parse().ok())
            .collect();
        assert_eq!(read, times);
        assert!(text.contains("timestep=\"0.30000000000000004\" group=\"\" part=\"0\" file="));
        let json: serde_json::Value =
            serde_json::from_slice(&encode("a.ply.series", &times.map(entry))).unwrap();
        let files = json["files"].as_array().unwrap();
        let read: Vec<f64> = files.iter().filter_map(|file| file["time"].as_f64()).collect();
        assert_eq!(read, times);
        assert_eq!(json["files"][1]["name"], "particles/0.30000000000000004.vtp");
    }
}
