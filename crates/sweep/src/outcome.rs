//! `done.json`: the outcome of a point. A point without it is still to be run or resumed; the file
//! of another point is ignored.

use serde::{Deserialize, Serialize};

/// The name of the file in the point's folder.
pub const OUTCOME_JSON: &str = "done.json";

/// The outcome of a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum PointOutcome {
    /// All its frames are written.
    Finished,
    /// It cannot be run, or its run failed.
    Failed {
        /// Why.
        reason: String,
    },
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Note<'a> {
    /// Digest of what the point sets.
    point: std::borrow::Cow<'a, str>,
    #[serde(flatten)]
    outcome: PointOutcome,
}

impl PointOutcome {
    /// Reads the file of the point whose settings have this digest; `None` if it is not one.
    pub fn read(bytes: &[u8], digest: &str) -> Option<PointOutcome> {
        let note: Note = serde_json::from_slice(bytes).ok()?;
        (note.point == digest).then_some(note.outcome)
    }

    /// The file, of the point whose settings have this digest.
    pub fn json(&self, digest: &str) -> Vec<u8> {
        let note = Note { point: digest.into(), outcome: self.clone() };
        let mut bytes = serde_json::to_vec(&note).expect("an outcome is plain data");
        bytes.push(b'\n');
        bytes
    }
}

/// The status of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointStatus {
    /// It has not started.
    Waiting,
    /// It is running or was stopped.
    Unfinished,
    /// It has ended.
    Ended(PointOutcome),
}

impl PointStatus {
    /// The status in one word, and the reason of a failure.
    pub fn status_and_reason(&self) -> (&'static str, &str) {
        match self {
            PointStatus::Waiting => ("waiting", ""),
            PointStatus::Unfinished => ("unfinished", ""),
            PointStatus::Ended(PointOutcome::Finished) => ("finished", ""),
            PointStatus::Ended(PointOutcome::Failed { reason }) => ("failed", reason),
        }
    }
}
