//! `foam/foam.json`: how diffuse particles were computed, and up to where.
//!
//! It is replaced after each frame, which is on disk by then. A computation that was stopped goes
//! on from its last row if the run, the settings and the program's precision are the same; else it
//! starts anew. It holds no times of the clock: the same computation writes the same bytes.

use hashfall_core::Real;
use hashfall_foam::{FoamSettings, Limits};
use hashfall_output::StoppedRun;
use serde::{Deserialize, Serialize};

/// By which a record is told from another file of its name, and its version.
const FORMAT: &str = "hashfall foam 1";

/// How diffuse particles were computed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoamRecord {
    format: String,
    /// Bits of a number.
    precision: u32,
    /// Frames of the run, its steps, and the digest of its last state.
    run: (u32, u64, String),
    /// The settings.
    pub settings: FoamSettings,
    /// The limits that were used, found or given.
    pub limits: Limits,
    /// A row for each frame on disk, from the first.
    pub frames: Vec<FoamRow>,
}

/// A frame of diffuse particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoamRow {
    /// The number of the frame.
    pub frame: u32,
    /// The id of the next diffuse particle: how many were emitted.
    pub next_id: u32,
    /// Spray particles.
    pub spray: usize,
    /// Foam particles.
    pub foam: usize,
    /// Bubbles.
    pub bubbles: usize,
    /// Substeps since the frame before.
    pub substeps: u32,
    /// The lengths of its files, by which a truncated one is told \[bytes\]: `.vtp` and `.ply`, 0
    /// if there is none.
    pub bytes: [u64; 2],
}

impl FoamRow {
    /// How many diffuse particles it has.
    pub fn len(&self) -> usize {
        self.spray + self.foam + self.bubbles
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl FoamRecord {
    /// Of a computation that starts.
    pub(super) fn new(run: &StoppedRun, settings: &FoamSettings, limits: Limits) -> Self {
        FoamRecord {
            format: FORMAT.to_owned(),
            precision: Real::MANTISSA_DIGITS,
            run: identity(run),
            settings: settings.clone(),
            limits,
            frames: Vec::new(),
        }
    }

    /// Whether emission has paused at the maximum of particles in a frame.
    pub fn has_paused(&self) -> bool {
        let max = self.settings.max_particles as usize;
        self.frames.iter().any(|row| row.len() >= max)
    }

    /// Reads a record; `None` if it is none.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let record: FoamRecord = serde_json::from_slice(bytes).ok()?;
        (record.format == FORMAT).then_some(record)
    }

    /// Whether a computation of this run with these settings continues from it.
    pub(super) fn is_of(&self, run: &StoppedRun, settings: &FoamSettings) -> bool {
        self.precision == Real::MANTISSA_DIGITS
            && self.run == identity(run)
            && self.settings == *settings
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }
}

/// What tells a run from others, and from itself with more frames.
fn identity(run: &StoppedRun) -> (u32, u64, String) {
    let (steps, _, digest) = run.extent();
    (run.frames_written(), steps, digest.to_owned())
}
