//! `run.json`: what a run is, where it ran and how far it got; replaced whole after each frame.

use super::clock::utc;
use super::files::cpu_info;
use crate::base::Real;
use crate::base::timer::{Stage, StageTimes};
use serde::Serialize;
use std::time::SystemTime;

/// The program's name in manifests: a folder without it is no run of ours.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It goes on, or was killed.
    Running,
    /// Every frame is written.
    Finished,
    /// A signal stopped it after a whole frame.
    Interrupted,
    /// It stopped for this reason.
    Failed(String),
}

impl Status {
    fn name(&self) -> &'static str {
        match self {
            Status::Running => "running",
            Status::Finished => "finished",
            Status::Interrupted => "interrupted",
            Status::Failed(_) => "failed",
        }
    }
}

/// The manifest as it is written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Manifest {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    started: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<String>,
    program: Program,
    machine: Machine,
    pub(super) command: Vec<String>,
    pub(super) threads: usize,
    pub(super) scene: Scene,
    pub(super) progress: Progress,
    /// Wall-clock time per stage so far \[ms\], in the order of the work.
    #[serde(serialize_with = "as_map")]
    stage_ms: Vec<(&'static str, f64)>,
}

#[derive(Clone, Debug, Serialize)]
struct Program {
    name: &'static str,
    version: &'static str,
    revision: &'static str,
    real: &'static str,
}

#[derive(Clone, Debug, Serialize)]
struct Machine {
    cpu: String,
    cores: usize,
    os: &'static str,
    architecture: &'static str,
}

/// What is simulated.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Scene {
    /// The scene's name.
    pub(super) name: String,
    /// Digest of the resolved scene's text.
    pub(super) digest: String,
    /// Copies in `meshes/`.
    pub(super) meshes: Vec<String>,
    /// How many particles.
    pub(super) particles: usize,
    /// Rest volume of all particles, d³ each \[m³\].
    pub(super) fluid_volume: f64,
    /// Lowest corner of the domain \[m\].
    pub(super) domain_min: [f64; 3],
    /// Highest corner of the domain \[m\].
    pub(super) domain_max: [f64; 3],
    /// How many solid balls.
    pub(super) spheres: usize,
    /// How many triangles in solid meshes.
    pub(super) mesh_triangles: usize,
    /// Frames that the scene asks for, without the start.
    pub(super) frames: u32,
    /// Frames per second of simulated time \[1/s\].
    pub(super) frame_rate: f64,
}

/// How far the run got.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Progress {
    /// Frames on disk, with the start.
    pub(super) frames_written: u32,
    /// Steps taken.
    pub(super) steps: u64,
    /// Simulated time \[s\].
    pub(super) time: f64,
    /// Digest of the world at the start.
    pub(super) first_state_digest: String,
    /// Digest of the world in the last frame.
    pub(super) last_state_digest: String,
}

impl Manifest {
    /// A run that begins now.
    pub(super) fn begin(command: Vec<String>, threads: usize, scene: Scene) -> Self {
        Manifest {
            status: Status::Running.name(),
            reason: None,
            started: utc(SystemTime::now()),
            finished: None,
            program: Program {
                name: PROGRAM,
                version: env!("CARGO_PKG_VERSION"),
                revision: env!("HASHFALL_REVISION"),
                real: std::any::type_name::<Real>(),
            },
            machine: Machine::this(),
            command,
            threads,
            scene,
            progress: Progress::default(),
            stage_ms: Stage::ALL.iter().map(|stage| (stage.name(), 0.0)).collect(),
        }
    }

    /// Adds the time that a frame took.
    pub(super) fn add_times(&mut self, times: &StageTimes) {
        for (stage, (_, ms)) in Stage::ALL.into_iter().zip(&mut self.stage_ms) {
            *ms += times.of(stage).as_secs_f64() * 1e3;
        }
    }

    /// Notes that the run ends now.
    pub(super) fn end(&mut self, status: &Status) {
        self.status = status.name();
        self.finished = Some(utc(SystemTime::now()));
        if let Status::Failed(reason) = status {
            self.reason = Some(reason.clone());
        }
    }

    /// The file's bytes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .expect("a manifest is plain data: strings as keys, no failing serializer");
        bytes.push(b'\n');
        bytes
    }
}

impl Machine {
    fn this() -> Self {
        let cpu = cpu_info().and_then(|info| cpu_model(&info).map(str::to_owned));
        Machine {
            cpu: cpu.unwrap_or_else(|| "unknown".into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            os: std::env::consts::OS,
            architecture: std::env::consts::ARCH,
        }
    }
}

/// The processor's name in `/proc/cpuinfo`.
fn cpu_model(cpu_info: &str) -> Option<&str> {
    let line = cpu_info.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim())
}

/// The copied meshes that a manifest of ours lists; `None` if it is not ours.
pub(super) fn mesh_copies(bytes: &[u8]) -> Option<Vec<String>> {
    let manifest: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    if manifest["program"]["name"] != PROGRAM {
        return None;
    }
    let meshes = manifest["scene"]["meshes"].as_array()?;
    Some(meshes.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

/// Pairs as a JSON object that keeps their order.
fn as_map<S: serde::Serializer>(pairs: &[(&str, f64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|&(name, ms)| (name, (ms * 1e3).round() / 1e3)))
}
