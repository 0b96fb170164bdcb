//! `sweep.json` and `manifest.csv`: what a sweep runs, fixed before its first point.
//!
//! The manifest has a row for each point: its number, and the value of each parameter as RON, empty
//! where the point leaves a key as the scene has it. Points are run from these two files alone,
//! here or in another process, so that all run the same.

use super::axes::{Cell, Column};
use super::points::ParameterSweep;
use hashfall_core::Real;
use hashfall_core::digest::Digest;
use hashfall_core::program;
use hashfall_output::table::{Table, bare};
use hashfall_scene::Override;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a sweep runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// What all points share.
    pub record: SweepRecord,
    /// The values of each point's parameters.
    pub rows: Vec<Vec<String>>,
}

/// What all points of a sweep share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRecord {
    /// The program, which tells a sweep's folder from others.
    program: String,
    /// Its version and the numbers that it computes with: runs of others would differ in more than
    /// their parameters.
    version: String,
    /// The scene's file.
    pub scene: String,
    /// Digest of its text.
    pub scene_digest: String,
    /// Digests of the meshes that points name, as far as they were there at the start.
    #[serde(default)]
    pub meshes: BTreeMap<String, String>,
    /// What all points set, as `KEY=VALUE`.
    pub settings: Vec<String>,
    /// Whether meshes may come from anywhere.
    pub allow_outside: bool,
    /// What varies, in the order of the columns.
    pub parameters: Vec<Parameter>,
    /// How many points there are.
    pub points: usize,
}

/// What a column of the manifest holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its title.
    pub title: String,
    /// Whether it is a key of the scene, and not a name.
    pub is_key: bool,
}

/// Whose sweeps these are.
const PROGRAM: &str = program::NAME;
/// The column of numbers.
const POINT: &str = "point";
/// The column of names.
const CASE: &str = "case";

impl Manifest {
    /// That of a sweep over the scene in this file, with this text; no mesh is known yet.
    pub fn new(sweep: &ParameterSweep, scene: String, text: &str, allow_outside: bool) -> Manifest {
        let typed = |set: &Override| format!("{}={}", set.key, set.value);
        let text_of = |cell: &Cell| match cell {
            Cell::Set(set) => set.value.trim().to_owned(),
            Cell::Name(name) => name.clone(),
            Cell::Unset => String::new(),
        };
        let row = |point: u64| sweep.point(point).into_iter().map(text_of).collect();
        let record = SweepRecord {
            program: PROGRAM.to_owned(),
            version: version(),
            scene,
            scene_digest: digest(text),
            meshes: BTreeMap::new(),
            settings: sweep.fixed().iter().map(typed).collect(),
            allow_outside,
            parameters: parameters(&sweep.columns()),
            points: sweep.len() as usize,
        };
        Manifest { record, rows: (0..sweep.len()).map(row).collect() }
    }

    /// Reads both files.
    ///
    /// # Errors
    /// Why they are none of a sweep's.
    pub fn read(json: &[u8], csv: &[u8]) -> Result<Manifest, String> {
        let record: SweepRecord = serde_json::from_slice(json)
            .map_err(|error| format!("`{SWEEP_JSON}` cannot be read: {error}"))?;
        if record.program != PROGRAM {
            return Err(format!("`{SWEEP_JSON}` is not of a sweep of this program"));
        }
        let mut reader = csv::Reader::from_reader(csv);
        let broken = |error: csv::Error| format!("`{MANIFEST_CSV}` cannot be read: {error}");
        let titles = record.parameters.iter().map(|parameter| parameter.title.as_str());
        if !reader.headers().map_err(broken)?.iter().map(bare).eq([POINT].into_iter().chain(titles))
        {
            return Err(format!("`{MANIFEST_CSV}` has other columns than `{SWEEP_JSON}` says"));
        }
        let mut rows = Vec::new();
        for row in reader.records() {
            let row = row.map_err(broken)?;
            if row.get(0) != Some(rows.len().to_string().as_str()) {
                return Err(format!("`{MANIFEST_CSV}` has no point {} in its place", rows.len()));
            }
            rows.push(row.iter().skip(1).map(|cell| bare(cell).to_owned()).collect());
        }
        if rows.len() != record.points {
            let (have, want) = (rows.len(), record.points);
            return Err(format!("`{MANIFEST_CSV}` has {have} points, and `{SWEEP_JSON}` {want}"));
        }
        Ok(Manifest { record, rows })
    }

    /// `sweep.json`.
    pub fn json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(&self.record).expect("a record is plain data");
        bytes.push(b'\n');
        bytes
    }

    /// `manifest.csv`.
    pub fn csv(&self) -> Vec<u8> {
        let titles = self.record.parameters.iter().map(|parameter| parameter.title.as_str());
        let mut table = Table::new([POINT].into_iter().chain(titles));
        for (point, row) in self.rows.iter().enumerate() {
            table.push([point.to_string()].iter().chain(row));
        }
        table.pending().to_vec()
    }

    /// What a point sets, as if typed after `--set`.
    ///
    /// # Errors
    /// If the files were edited into something else.
    pub fn overrides(&self, point: usize) -> Result<Vec<Override>, String> {
        let fixed = self.record.settings.iter().map(|typed| {
            Override::parse(typed).map_err(|fault| format!("`{SWEEP_JSON}`: {}", fault.message))
        });
        let mut overrides = fixed.collect::<Result<Vec<_>, String>>()?;
        for (parameter, value) in self.record.parameters.iter().zip(&self.rows[point]) {
            if parameter.is_key && !value.is_empty() {
                overrides.push(Override::new(&parameter.title, value));
            }
        }
        Ok(overrides)
    }

    /// Digest of all that a point sets, and of the scene that it sets it of.
    pub fn digest(&self, point: usize) -> String {
        let SweepRecord { scene_digest, settings, parameters, .. } = &self.record;
        let titles = parameters.iter().map(|parameter| &parameter.title);
        let words =
            [scene_digest].into_iter().chain(settings).chain(titles).chain(&self.rows[point]);
        let mut all = Digest::default();
        words.for_each(|word| all.bytes(word.as_bytes()));
        format!("{:016x}", all.value())
    }

    /// Whether the scene's text is still the one that the sweep began with.
    pub fn is_of(&self, scene_text: &str) -> bool {
        self.record.scene_digest == digest(scene_text)
    }

    /// Whether this program computes as the one does that began the sweep.
    ///
    /// # Errors
    /// How they differ.
    pub fn check_version(&self) -> Result<(), String> {
        let (before, now) = (&self.record.version, version());
        if *before == now {
            return Ok(());
        }
        Err(format!("it was begun by version {before} of this program, and this is {now}"))
    }

    /// How another sweep differs from this one, if it does.
    pub fn difference(&self, other: &Manifest) -> Option<&'static str> {
        let (mine, theirs) = (&self.record, &other.record);
        if mine.version != theirs.version {
            return Some("it was begun by another version of this program");
        }
        if mine.scene_digest != theirs.scene_digest {
            return Some("its scene was another");
        }
        if mine.meshes != theirs.meshes {
            return Some("its meshes were others");
        }
        if mine.settings != theirs.settings || mine.allow_outside != theirs.allow_outside {
            return Some("it set other keys");
        }
        if mine.parameters != theirs.parameters {
            return Some("it varied other keys");
        }
        (self.rows != other.rows).then_some("its points have other values")
    }
}

/// Whether a column of this title holds names.
#[cfg(feature = "parquet")]
pub fn is_of_names(title: &str) -> bool {
    title.strip_prefix(CASE).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What all points share.
pub const SWEEP_JSON: &str = "sweep.json";
/// What each point sets.
pub const MANIFEST_CSV: &str = "manifest.csv";

/// The titles of columns, each other than those before.
fn parameters(columns: &[&Column]) -> Vec<Parameter> {
    let mut cases = 0;
    let parameter = |column: &&Column| match column {
        Column::Key(key) => Parameter { title: key.clone(), is_key: true },
        Column::Name => {
            cases += 1;
            let title = if cases == 1 { CASE.to_owned() } else { format!("{CASE}{cases}") };
            Parameter { title, is_key: false }
        }
    };
    columns.iter().map(parameter).collect()
}

/// The version of this program, and its numbers.
fn version() -> String {
    format!("{} f{}", program::VERSION, 8 * size_of::<Real>())
}

fn digest(text: &str) -> String {
    let mut digest = Digest::default();
    digest.bytes(text.as_bytes());
    format!("{:016x}", digest.value())
}
