//! Checkpoints, as they are and with the checksum that their bytes would have: behind it nothing is
//! believed either.

use super::plan::first_steps;
use hashfall_output::Checkpoint;
use hashfall_output::checkpoint::{State, decode, encode};
use hashfall_run::{Notes, Plan};
use hashfall_scene::{Source, prepare};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// The run that the checkpoints are of: eight particles fall past a ball.
const SCENE: &str = include_str!("checkpoint.ron");
/// Bytes of the checksum, which ends the file.
const CHECKSUM_LENGTH: usize = 32;

/// Opens a file as a checkpoint, and goes on from it if it is one of the run.
pub fn checkpoint(bytes: &[u8]) -> bool {
    let as_it_is = open(bytes);
    let Some(end) = bytes.len().checked_sub(CHECKSUM_LENGTH) else { return as_it_is };
    let mut mended = bytes.to_vec();
    let checksum = Sha256::digest(&bytes[..end]);
    mended[end..].copy_from_slice(&checksum);
    open(&mended) || as_it_is
}

fn open(bytes: &[u8]) -> bool {
    let read = match decode::<Notes>(bytes) {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let Checkpoint { scene, history, state, notes } = &read;
    let again = encode(scene, history, state, notes);
    let again = decode::<Notes>(&again).expect("what was read can be written and read again");
    assert_eq!(
        encode(scene, history, &again.state, &again.notes),
        encode(scene, history, state, notes)
    );
    go_on(read)
}

/// Goes on with the run, if the checkpoint can be one of it.
fn go_on(checkpoint: Checkpoint<Notes>) -> bool {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    let mut plan = PLAN.get_or_init(plan).clone();
    let State { particles, .. } = &checkpoint.state;
    assert_eq!(particles.len(), particles.position.len());
    if let Err(why) = plan.check_checkpoint(&checkpoint) {
        assert!(!why.to_string().is_empty());
        return false;
    }
    let (_, resumed) = plan.restore(checkpoint);
    first_steps(plan, Some(resumed));
    true
}

fn plan() -> Plan {
    let source = Source { name: "checkpoint.ron".to_owned(), text: SCENE.to_owned() };
    let scene = prepare(&source, &[], &mut |_| unreachable!("no mesh")).expect("a good scene");
    Plan::from(&scene)
}
