//! `run.json`: the description and the progress of a run; replaced after each frame.

use super::clock::{instant, utc};
use super::exchanged::Exchanged;
use crate::disk::machine;
use hashfall_core::Real;
use hashfall_core::program;
use hashfall_core::timer::{Stage, StageTimes};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::time::{Duration, SystemTime};

/// The program's name in manifests, by which runs are recognised.
const PROGRAM: &str = program::NAME;

/// The status of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is in progress, or was killed.
    Running,
    /// All frames are written.
    Finished,
    /// A signal stopped it.
    Interrupted,
    /// It failed for this reason.
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

/// The content of `run.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of its [`Status`].
    pub status: String,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// When it began.
    pub started: String,
    /// When it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<String>,
    /// What ran.
    pub program: Program,
    /// Where it ran.
    pub machine: Machine,
    pub(crate) command: Vec<String>,
    /// Whether functions of a calling program act on the run, without which it is another one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub has_callbacks: bool,
    /// Threads that computed.
    pub threads: usize,
    /// What is simulated.
    pub scene: Scene,
    /// Its progress.
    pub progress: RecordedProgress,
    /// Each time that the run was resumed.
    #[serde(default)]
    pub resumed: Vec<Resumption>,
    /// Peak memory of the process at its end \[bytes\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_memory: Option<u64>,
    /// Wall-clock time per stage so far \[ms\], in the order of the work.
    #[serde(serialize_with = "as_map", deserialize_with = "from_map")]
    pub stage_ms: Vec<(&'static str, f64)>,
}

/// How a process computes a run.
pub(crate) struct Invocation {
    /// The command line.
    pub(crate) command: Vec<String>,
    /// How many threads compute.
    pub(crate) threads: usize,
}

/// The state from which a run resumes.
pub(crate) struct ResumeState {
    /// The last frame before it; `None` if the run starts again.
    pub(crate) after_frame: Option<u32>,
    /// Simulated time \[s\].
    pub(crate) time: f64,
    /// Steps before it.
    pub(crate) steps: u64,
}

/// A resumption of a run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Resumption {
    /// When.
    pub at: String,
    program: Program,
    machine: Machine,
    pub(crate) command: Vec<String>,
    pub(crate) threads: usize,
    /// The last frame before it; `None` if the run started again.
    pub after_frame: Option<u32>,
    /// Simulated time \[s\].
    pub(crate) time: f64,
    /// Steps before it.
    pub(crate) steps: u64,
    /// Changed settings, as `KEY=VALUE`.
    pub settings: Vec<String>,
    /// Digest of the scene before the change.
    pub(crate) scene_before: String,
}

/// The program that ran.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Program {
    name: String,
    /// Its version.
    pub version: String,
    /// The revision of its sources.
    pub revision: String,
    /// The type of its numbers.
    pub real: String,
}

/// The machine that it ran on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The processor.
    pub cpu: String,
    /// Cores that the program might use.
    pub cores: usize,
    /// The operating system.
    pub os: String,
    /// The processor's architecture.
    pub architecture: String,
}

/// What is simulated.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Scene {
    /// The scene's name.
    pub name: String,
    /// Digest of the resolved scene's text.
    pub digest: String,
    /// Copies in `meshes/`.
    pub meshes: Vec<String>,
    /// Digest of each.
    pub mesh_digests: Vec<String>,
    /// How many particles.
    pub particles: usize,
    /// Rest volume of all particles, d³ each \[m³\].
    pub fluid_volume: f64,
    /// Lowest corner of the domain \[m\].
    pub domain_min: [f64; 3],
    /// Highest corner of the domain \[m\].
    pub domain_max: [f64; 3],
    /// How many solid balls.
    pub spheres: usize,
    /// How many triangles in solid meshes.
    pub mesh_triangles: usize,
    /// Frames that the scene asks for, without the start.
    pub frames: u32,
    /// Frames per second of simulated time \[1/s\].
    pub frame_rate: f64,
    /// Columns of `probes.csv` after the time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub probe_columns: Vec<ProbeColumn>,
}

/// A column of `probes.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProbeColumn {
    /// Its name.
    pub name: String,
    /// The unit of its numbers.
    pub unit: String,
}

/// The progress of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RecordedProgress {
    /// Frames on disk, with the start.
    pub frames_written: u32,
    /// Steps taken.
    pub steps: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Digest of the world at the start.
    pub first_state_digest: String,
    /// Digest of the world in the last frame.
    pub last_state_digest: String,
    /// Digest of the states of the bodies in the last frame, if any moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_body_digest: Option<String>,
    /// Digest of the state of the elastic bodies in the last frame, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_elastic_digest: Option<String>,
    /// Inflow and outflow by the last frame, if the scene has emitters or sinks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exchanged: Option<Exchanged>,
}

impl Manifest {
    /// The manifest of a run that starts now.
    pub(crate) fn begin(invocation: Invocation, scene: Scene, has_callbacks: bool) -> Self {
        let Invocation { command, threads } = invocation;
        Manifest {
            status: Status::Running.name().to_owned(),
            reason: None,
            started: utc(SystemTime::now()),
            finished: None,
            program: Program::this(),
            machine: Machine::this(),
            command,
            has_callbacks,
            threads,
            scene,
            progress: RecordedProgress::default(),
            resumed: Vec::new(),
            peak_memory: None,
            stage_ms: Stage::ALL.iter().map(|stage| (stage.name(), 0.0)).collect(),
        }
    }

    /// Reads a manifest of this program; `None` for anything else.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok().filter(|manifest: &Manifest| manifest.is_ours())
    }

    /// The time from start to end; `None` before the end, or if the run was resumed.
    pub fn wall_time(&self) -> Option<Duration> {
        let (start, end) = (instant(&self.started)?, instant(self.finished.as_deref()?)?);
        self.resumed.is_empty().then(|| end.duration_since(start).ok()).flatten()
    }

    /// Whether it is in progress or was killed.
    pub(crate) fn is_running(&self) -> bool {
        self.status == Status::Running.name()
    }

    /// Whether all its frames are written.
    pub fn is_finished(&self) -> bool {
        self.status == Status::Finished.name()
    }

    fn is_ours(&self) -> bool {
        self.program.name == PROGRAM
    }

    /// Whether a scene with this digest is the run's, or was before its settings changed.
    pub(crate) fn knows_scene(&self, digest: &str) -> bool {
        let before = self.resumed.iter().map(|resumption| &resumption.scene_before);
        before.chain([&self.scene.digest]).any(|known| known == digest)
    }

    /// Records that the run resumes with this scene and changed `settings`.
    pub(crate) fn resume(
        &mut self,
        scene: Scene,
        Invocation { command, threads }: Invocation,
        ResumeState { after_frame, time, steps }: ResumeState,
        settings: Vec<String>,
    ) {
        (self.reason, self.finished, self.peak_memory) = (None, None, None);
        self.status = Status::Running.name().to_owned();
        let scene_before = std::mem::replace(&mut self.scene, scene).digest;
        self.resumed.push(Resumption {
            at: utc(SystemTime::now()),
            program: Program::this(),
            machine: Machine::this(),
            command,
            threads,
            after_frame,
            time,
            steps,
            settings,
            scene_before,
        });
    }

    /// Adds the times of a frame.
    pub(crate) fn add_times(&mut self, times: &StageTimes) {
        for (stage, (_, ms)) in Stage::ALL.into_iter().zip(&mut self.stage_ms) {
            *ms += times.of(stage).as_secs_f64() * 1e3;
        }
    }

    /// Records that the run ends now.
    pub(crate) fn end(&mut self, status: &Status) {
        self.status = status.name().to_owned();
        self.finished = Some(utc(SystemTime::now()));
        self.peak_memory = machine::peak_memory();
        if let Status::Failed(reason) = status {
            self.reason = Some(reason.clone());
        }
    }

    /// The file's bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self)
            .expect("a manifest is plain data: strings as keys, no failing serializer");
        bytes.push(b'\n');
        bytes
    }
}

impl Program {
    fn this() -> Self {
        Program {
            name: PROGRAM.to_owned(),
            version: program::VERSION.to_owned(),
            revision: program::revision().to_owned(),
            real: std::any::type_name::<Real>().to_owned(),
        }
    }
}

impl Machine {
    fn this() -> Self {
        Machine {
            cpu: machine::cpu_name().unwrap_or_else(|| "unknown".into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            os: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
        }
    }
}

/// The mesh copies in a manifest of any version of this program; `None` for anything else.
pub(crate) fn mesh_copies(bytes: &[u8]) -> Option<Vec<String>> {
    let manifest: serde_json::Value = serde_json::from_slice(bytes).ok()?;
    if manifest["program"]["name"] != PROGRAM {
        return None;
    }
    let meshes = manifest["scene"]["meshes"].as_array()?;
    Some(meshes.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

/// Whether a key may be left out.
fn is_false(value: &bool) -> bool {
    !value
}

/// Pairs as a JSON object that keeps their order.
fn as_map<S: Serializer>(pairs: &[(&str, f64)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|&(name, ms)| (name, (ms * 1e3).round() / 1e3)))
}

/// The stages that a JSON object names, in their own order.
fn from_map<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(&'static str, f64)>, D::Error> {
    let map = HashMap::<String, f64>::deserialize(from)?;
    let ms = |stage: &Stage| map.get(stage.name()).copied().unwrap_or(0.0);
    Ok(Stage::ALL.iter().map(|stage| (stage.name(), ms(stage))).collect())
}
