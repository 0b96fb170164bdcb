//! `sweep.json` and `manifest.csv`: the points of a sweep, fixed before the first one runs.
//!
//! The manifest has a row per point: its number, and the value of each parameter as RON; empty
//! where the point does not set the key. Points run from these two files alone, in this or another
//! process, so that all processes run the same.

use super::axes::{Cell, Column};
use super::error::{ManifestError, VersionMismatch};
use super::points::ParameterSweep;
use hashfall_core::Real;
use hashfall_core::digest::Digest;
use hashfall_core::program;
use hashfall_output::table::{Table, unescaped};
use hashfall_scene::Override;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The manifest of a sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// The part that all points share.
    pub record: SweepRecord,
    /// The values of each point's parameters.
    pub rows: Vec<Vec<String>>,
}

/// The part of a manifest that all points share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepRecord {
    /// The program, by which sweeps are recognised.
    program: String,
    /// Its version and number type: runs of another version would differ in more than parameters.
    version: String,
    /// The scene's file.
    pub scene: String,
    /// Digest of its text.
    pub scene_digest: String,
    /// Digests of the meshes of points, as far as they existed at the start.
    #[serde(default)]
    pub meshes: BTreeMap<String, String>,
    /// Settings of all points, as `KEY=VALUE`.
    pub settings: Vec<String>,
    /// Whether meshes may be outside the scene's surroundings.
    pub allow_outside: bool,
    /// The parameters, in the order of the columns.
    pub parameters: Vec<Parameter>,
    /// How many points there are.
    pub points: usize,
}

/// A parameter: a column of the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its title.
    pub title: String,
    /// Whether it is a key of the scene, and not a name.
    pub is_key: bool,
}

/// The program of these sweeps.
const PROGRAM: &str = program::NAME;
/// The column of numbers.
const POINT: &str = "point";
/// The column of names.
const CASE: &str = "case";

impl Manifest {
    /// The manifest of a sweep over the scene in this file, with this text; without meshes.
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
    /// If they are not the files of a sweep of this program.
    pub fn read(json: &[u8], csv: &[u8]) -> Result<Manifest, ManifestError> {
        let record: SweepRecord =
            serde_json::from_slice(json).map_err(|error| ManifestError::Json(error.to_string()))?;
        if record.program != PROGRAM {
            return Err(ManifestError::Foreign);
        }
        let mut reader = csv::Reader::from_reader(csv);
        let broken = |error: csv::Error| ManifestError::Csv(error.to_string());
        let titles = record.parameters.iter().map(|parameter| parameter.title.as_str());
        if !reader
            .headers()
            .map_err(broken)?
            .iter()
            .map(unescaped)
            .eq([POINT].into_iter().chain(titles))
        {
            return Err(ManifestError::Columns);
        }
        let mut rows = Vec::new();
        for row in reader.records() {
            let row = row.map_err(broken)?;
            if row.get(0) != Some(rows.len().to_string().as_str()) {
                return Err(ManifestError::Order(rows.len()));
            }
            rows.push(row.iter().skip(1).map(|cell| unescaped(cell).to_owned()).collect());
        }
        if rows.len() != record.points {
            let (found, expected) = (rows.len(), record.points);
            return Err(ManifestError::Count { found, expected });
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

    /// The settings of a point, as after `--set`.
    ///
    /// # Errors
    /// If `sweep.json` was edited into something else.
    pub fn overrides(&self, point: usize) -> Result<Vec<Override>, ManifestError> {
        let fixed = self.record.settings.iter().map(|typed| {
            Override::parse(typed).map_err(|fault| ManifestError::Setting(fault.message))
        });
        let mut overrides = fixed.collect::<Result<Vec<_>, ManifestError>>()?;
        for (parameter, value) in self.record.parameters.iter().zip(&self.rows[point]) {
            if parameter.is_key && !value.is_empty() {
                overrides.push(Override::new(&parameter.title, value));
            }
        }
        Ok(overrides)
    }

    /// Digest of a point's settings and of the scene.
    pub fn digest(&self, point: usize) -> String {
        let SweepRecord { scene_digest, settings, parameters, .. } = &self.record;
        let titles = parameters.iter().map(|parameter| &parameter.title);
        let words =
            [scene_digest].into_iter().chain(settings).chain(titles).chain(&self.rows[point]);
        let mut all = Digest::default();
        words.for_each(|word| all.bytes(word.as_bytes()));
        format!("{:016x}", all.value())
    }

    /// Whether the scene's text is the one that the sweep started with.
    pub fn has_scene(&self, scene_text: &str) -> bool {
        self.record.scene_digest == digest(scene_text)
    }

    /// Checks that this version of the program has started the sweep.
    ///
    /// # Errors
    /// If another version has started it.
    pub fn check_version(&self) -> Result<(), VersionMismatch> {
        let (started, current) = (self.record.version.clone(), version());
        if started == current { Ok(()) } else { Err(VersionMismatch { started, current }) }
    }

    /// The difference to another sweep, if any.
    pub fn difference(&self, other: &Manifest) -> Option<&'static str> {
        let (mine, theirs) = (&self.record, &other.record);
        if mine.version != theirs.version {
            return Some("it was started by another version of this program");
        }
        if mine.scene_digest != theirs.scene_digest {
            return Some("its scene differs");
        }
        if mine.meshes != theirs.meshes {
            return Some("its meshes differ");
        }
        if mine.settings != theirs.settings || mine.allow_outside != theirs.allow_outside {
            return Some("it sets other keys");
        }
        if mine.parameters != theirs.parameters {
            return Some("it varies other keys");
        }
        (self.rows != other.rows).then_some("its points have other values")
    }
}

/// Whether a column of this title holds names.
#[cfg(feature = "parquet")]
pub fn is_of_names(title: &str) -> bool {
    title.strip_prefix(CASE).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The parameters of columns, with unique titles.
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
