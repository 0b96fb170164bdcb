//! Checkpoints: everything that a run needs to resume with the same results.
//!
//! The file is in the [safetensors](https://huggingface.co/docs/safetensors) format, which Python
//! reads into arrays: one tensor for each array of the particles, `bodies` with position,
//! orientation (by rows), velocity and angular velocity of each body that moves, `contact` with the
//! bytes of the state of rigid bodies that touch each other, `elastic_position` and
//! `elastic_velocity` of the nodes of elastic bodies, if there are any, `log` and `probes` with the
//! text of `log.csv` and `probes.csv` so far, and last `sha256` of all bytes before it. The key
//! `hashfall` of the metadata holds program, version and progress as JSON.
//!
//! Version 4 added `contact` and the length of `bodies.csv`; files of version 3 have neither, and
//! are read.
//!
//! Files are not trusted: the checksum finds accidental damage, and all values are validated before
//! use, as somebody may have forged them. No memory is allocated by numbers in a header.

use super::checkpoint_arrays::{Array, REAL, Tensor};
use hashfall_core::program;
use hashfall_core::{Real, Vec3};
use hashfall_elastic::ElasticState;
use hashfall_geometry::Point;
use hashfall_solid::BodyState;
use hashfall_sph::world::{Budget, Particles, World};
use safetensors::tensor::{Dtype, SafeTensors};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Display;
use thiserror::Error;

/// Format version: raised when programs of different versions would misread each other's files.
const VERSION: u32 = 4;
/// The oldest version that is read.
const MIN_VERSION: u32 = 3;
/// The key of the metadata.
const HEAD: &str = "hashfall";
/// The tensor of the checksum. It must be the last of the tensors of bytes by its name.
const CHECKSUM: &str = "sha256";
/// Bytes of the checksum.
const CHECKSUM_LENGTH: usize = 32;
/// Checkpoints that a run retains: the last, and one before it as a reserve.
pub const RETAINED: usize = 2;

/// The records of a run so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The last frame written.
    pub frame: u32,
    /// Digest of the world in that frame.
    pub digest: String,
    /// Digest of the states of the bodies in that frame, if any moves.
    pub body_digest: Option<String>,
    /// Digest of the state of the elastic bodies in that frame, if there are any.
    pub elastic_digest: Option<String>,
    /// `log.csv`.
    pub log: Vec<u8>,
    /// `probes.csv`, with the samples since the last frame; empty without probes.
    pub samples: Vec<u8>,
    /// Length of `bodies.csv`, which is not copied: it may be as long as all else \[bytes\].
    pub bodies_length: u64,
}

/// The part of the world that changes.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps taken.
    pub steps: u64,
    /// The fluid, every array of it.
    pub particles: Particles,
    /// The budget of inflow and outflow.
    pub account: Budget,
    /// The bodies that move, in the order of the solids.
    pub bodies: Vec<BodyState>,
    /// The state of rigid bodies that touch each other, as
    /// [bytes](World::contact_state); none if there is no such contact.
    pub contact: Vec<u8>,
    /// The nodes of the elastic bodies; none if there are none.
    pub elastic: ElasticState,
}

impl State {
    /// Copies the changing part of a world.
    pub fn from_world(world: &World) -> Self {
        State {
            time: world.time,
            steps: world.steps,
            particles: world.particles.clone(),
            account: world.open_boundaries.budget.clone(),
            bodies: world.solids.body_states().to_vec(),
            contact: world.contact_state(),
            elastic: world.elastic.as_ref().map(|it| it.state.clone()).unwrap_or_default(),
        }
    }
}

/// A run between two steps, with the notes of the frame loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint<N> {
    /// Digest of the scene as it was resolved.
    pub scene: String,
    /// The records on disk.
    pub history: History,
    /// The world.
    pub state: State,
    /// The notes of the frame loop.
    pub notes: N,
}

/// Why a checkpoint cannot be used.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CheckpointError {
    /// Bytes are missing or altered.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// It is complete, but of another program, version or precision.
    #[error("{0}")]
    Foreign(String),
    /// It does not fit the run.
    #[error("{0}")]
    Unsuitable(String),
}

impl CheckpointError {
    /// An error of a checkpoint that does not fit the run, for this reason.
    pub fn unsuitable(reason: impl Display) -> Self {
        CheckpointError::Unsuitable(reason.to_string())
    }
}

/// The metadata: program, version and progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Head<N> {
    version: u32,
    program: String,
    real: String,
    scene: String,
    frame: u32,
    frame_digest: String,
    frame_body_digest: Option<String>,
    frame_elastic_digest: Option<String>,
    #[serde(default)]
    bodies_length: u64,
    time: f64,
    steps: u64,
    next_id: u32,
    account: Budget,
    notes: N,
}

/// The part of the metadata that every version has.
#[derive(Deserialize)]
struct Kind {
    version: u32,
    real: String,
}

/// The bytes of a checkpoint of a run of the scene of this digest.
pub fn encode<N: Serialize>(scene: &str, history: &History, state: &State, notes: &N) -> Vec<u8> {
    let head = Head {
        version: VERSION,
        program: format!("{} {}", program::NAME, program::VERSION),
        real: std::any::type_name::<Real>().to_owned(),
        scene: scene.to_owned(),
        frame: history.frame,
        frame_digest: history.digest.clone(),
        frame_body_digest: history.body_digest.clone(),
        frame_elastic_digest: history.elastic_digest.clone(),
        bodies_length: history.bodies_length,
        time: state.time,
        steps: state.steps,
        next_id: state.particles.next_id,
        account: state.account.clone(),
        notes,
    };
    let head = serde_json::to_string(&head).expect("plain data");
    let p = &state.particles;
    let bodies: Vec<_> = state.bodies.iter().map(BodyState::to_array).collect();
    let elastic = &state.elastic;
    let mut tensors = vec![
        ("position", Array::Vectors(&p.position)),
        ("velocity", Array::Vectors(&p.velocity)),
        ("acceleration", Array::Vectors(&p.acceleration)),
        ("density", Array::Reals(&p.density)),
        ("fluid_fraction", Array::Reals(&p.fluid_fraction)),
        ("pressure", Array::Reals(&p.pressure)),
        ("id", Array::Ids(&p.id)),
        ("phase", Array::Bytes(&p.phase)),
        ("birth", Array::Reals(&p.birth)),
        ("held", Array::Bytes(&p.in_nozzle)),
        ("bodies", Array::Bodies(&bodies)),
        ("log", Array::Bytes(&history.log)),
        ("probes", Array::Bytes(&history.samples)),
        (CHECKSUM, Array::Bytes(&[0; CHECKSUM_LENGTH])),
    ];
    if !state.contact.is_empty() {
        tensors.push(("contact", Array::Bytes(&state.contact)));
    }
    if !elastic.position.is_empty() {
        tensors.push(("elastic_position", Array::Points(&elastic.position)));
        tensors.push(("elastic_velocity", Array::Points(&elastic.velocity)));
    }
    let views = tensors.into_iter().map(|(name, array)| (name, Tensor::from(array)));
    let metadata = HashMap::from([(HEAD.to_owned(), head)]);
    let mut file = safetensors::serialize(views, Some(metadata)).expect("shapes fit their bytes");
    let end = file.len() - CHECKSUM_LENGTH;
    let checksum = Sha256::digest(&file[..end]);
    file[end..].copy_from_slice(&checksum);
    file
}

/// Size of the particles and elastic nodes in a checkpoint, without metadata and records
/// \[bytes\].
pub fn size(particles: usize, elastic_nodes: usize) -> usize {
    // Three vectors and four numbers; id, phase and nozzle.
    let of_particles = particles * (13 * size_of::<Real>() + 4 + 2);
    // Place and velocity.
    of_particles + elastic_nodes * 6 * size_of::<f64>()
}

/// Reads a checkpoint.
///
/// # Errors
/// If it is damaged, of another version or precision, or its arrays do not agree.
pub fn decode<N: DeserializeOwned>(bytes: &[u8]) -> Result<Checkpoint<N>, CheckpointError> {
    let (body, checksum) =
        bytes.split_last_chunk::<CHECKSUM_LENGTH>().ok_or_else(|| damaged("it is truncated"))?;
    if Sha256::digest(body)[..] != checksum[..] {
        return Err(damaged("its checksum is wrong"));
    }
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
    let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let head = metadata.metadata().as_ref().and_then(|metadata| metadata.get(HEAD));
    let head: Head<N> =
        read_head(head.ok_or_else(|| foreign("it was written by another program"))?)?;
    let tensors = Tensors(file);
    let particles = tensors.particles(head.next_id)?;
    let bodies = tensors.bodies()?;
    let contact = tensors.contact()?;
    let elastic = tensors.elastic()?;
    let (time, steps, account) = (head.time, head.steps, head.account);
    let state = State { time, steps, particles, account, bodies, contact, elastic };
    let history = History {
        frame: head.frame,
        digest: head.frame_digest,
        body_digest: head.frame_body_digest,
        elastic_digest: head.frame_elastic_digest,
        log: tensors.text("log")?,
        samples: tensors.text("probes")?,
        bodies_length: head.bodies_length,
    };
    Ok(Checkpoint { scene: head.scene, history, state, notes: head.notes })
}

fn read_head<N: DeserializeOwned>(text: &str) -> Result<Head<N>, CheckpointError> {
    let kind: Kind = serde_json::from_str(text).map_err(damaged)?;
    let version = kind.version;
    if !(MIN_VERSION..=VERSION).contains(&version) {
        let read = format!("this program reads versions {MIN_VERSION} to {VERSION}");
        let what = format!("it has version {version}, but {read}");
        return Err(CheckpointError::Foreign(what));
    }
    let real = std::any::type_name::<Real>();
    if kind.real != real {
        let other = kind.real;
        let what = format!("its numbers are {other}, but this program computes in {real}");
        return Err(CheckpointError::Foreign(what));
    }
    serde_json::from_str(text).map_err(damaged)
}

/// The arrays of a file.
struct Tensors<'a>(SafeTensors<'a>);

impl Tensors<'_> {
    fn particles(&self, next_id: u32) -> Result<Particles, CheckpointError> {
        let id = self.scalars("id", Dtype::U32, u32::from_le_bytes)?;
        let n = id.len();
        let particles = Particles {
            position: self.vectors("position", n)?,
            velocity: self.vectors("velocity", n)?,
            acceleration: self.vectors("acceleration", n)?,
            density: self.reals("density", n)?,
            fluid_fraction: self.reals("fluid_fraction", n)?,
            pressure: self.reals("pressure", n)?,
            phase: self.bytes("phase")?.to_vec(),
            birth: self.reals("birth", n)?,
            in_nozzle: self.bytes("held")?.to_vec(),
            id,
            next_id,
        };
        if particles.phase.len() != n || particles.in_nozzle.len() != n {
            return Err(damaged("its arrays differ in length"));
        }
        if !particles.has_each_id_once() {
            return Err(damaged("duplicate particle id, or an id above `next_id`"));
        }
        Ok(particles)
    }

    /// The bytes of a tensor of this type and number of dimensions.
    fn tensor(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<&[u8], CheckpointError> {
        let tensor = self.0.tensor(name).map_err(damaged)?;
        if tensor.dtype() != dtype || tensor.shape() != shape {
            let (is, shape_is) = (tensor.dtype(), tensor.shape());
            return Err(damaged(format_args!(
                "`{name}` is {is:?} {shape_is:?} instead of {dtype:?} {shape:?}"
            )));
        }
        Ok(tensor.data())
    }

    fn bytes(&self, name: &str) -> Result<&[u8], CheckpointError> {
        self.tensor(name, Dtype::U8, &[self.length(name)?])
    }

    /// The bytes of a text, which the run writes into a file of text again.
    fn text(&self, name: &str) -> Result<Vec<u8>, CheckpointError> {
        let text = std::str::from_utf8(self.bytes(name)?);
        let text = text.map_err(|error| damaged(format_args!("`{name}` is no text: {error}")))?;
        Ok(text.as_bytes().to_vec())
    }

    fn scalars<S, const N: usize>(
        &self,
        name: &str,
        dtype: Dtype,
        read: impl Fn([u8; N]) -> S,
    ) -> Result<Vec<S>, CheckpointError> {
        let bytes = self.tensor(name, dtype, &[self.length(name)?])?;
        Ok(bytes.as_chunks().0.iter().map(|chunk| read(*chunk)).collect())
    }

    fn reals(&self, name: &str, n: usize) -> Result<Vec<Real>, CheckpointError> {
        let bytes = self.tensor(name, REAL, &[n])?;
        Ok(bytes.as_chunks().0.iter().map(|chunk| Real::from_le_bytes(*chunk)).collect())
    }

    fn vectors(&self, name: &str, n: usize) -> Result<Vec<Vec3>, CheckpointError> {
        let numbers = self.tensor(name, REAL, &[n, 3])?.as_chunks().0;
        let numbers: Vec<Real> = numbers.iter().map(|chunk| Real::from_le_bytes(*chunk)).collect();
        Ok(numbers.as_chunks().0.iter().map(|xyz: &[Real; 3]| Vec3::from(*xyz)).collect())
    }

    fn bodies(&self) -> Result<Vec<BodyState>, CheckpointError> {
        let shape = [self.length("bodies")?, BodyState::LENGTH];
        let numbers = self.tensor("bodies", Dtype::F64, &shape)?.as_chunks().0;
        let numbers: Vec<f64> = numbers.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
        Ok(numbers.as_chunks().0.iter().map(BodyState::from_array).collect())
    }

    /// The state of bodies in contact: files of runs without any do not name it.
    fn contact(&self) -> Result<Vec<u8>, CheckpointError> {
        if self.0.tensor("contact").is_err() {
            return Ok(Vec::new());
        }
        self.bytes("contact").map(<[u8]>::to_vec)
    }

    /// The nodes of elastic bodies: files of runs without any do not name them.
    fn elastic(&self) -> Result<ElasticState, CheckpointError> {
        if self.0.tensor("elastic_position").is_err() {
            return Ok(ElasticState::default());
        }
        let n = self.length("elastic_position")?;
        let position = self.points("elastic_position", n)?;
        Ok(ElasticState { position, velocity: self.points("elastic_velocity", n)? })
    }

    fn points(&self, name: &str, n: usize) -> Result<Vec<Point>, CheckpointError> {
        let numbers = self.tensor(name, Dtype::F64, &[n, 3])?.as_chunks().0;
        let numbers: Vec<f64> = numbers.iter().map(|chunk| f64::from_le_bytes(*chunk)).collect();
        Ok(numbers.as_chunks().0.iter().map(|xyz: &[f64; 3]| Point::from(*xyz)).collect())
    }

    fn length(&self, name: &str) -> Result<usize, CheckpointError> {
        Ok(self.0.tensor(name).map_err(damaged)?.shape().first().copied().unwrap_or(0))
    }
}

fn damaged(why: impl Display) -> CheckpointError {
    CheckpointError::Damaged(why.to_string())
}

fn foreign(why: &str) -> CheckpointError {
    CheckpointError::Foreign(why.to_owned())
}
