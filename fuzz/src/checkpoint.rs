//! Checkpoints, as they are and with the checksum that their bytes would have: behind it nothing is
//! believed either.

use super::plan::first_steps;
use hashfall_output::Checkpoint;
use hashfall_output::checkpoint::{State, decode, encode};
use hashfall_run::{Notes, Plan};
use hashfall_scene::{Source, prepare};
use sha2::{Digest, Sha256};
use std::sync::OnceLock;

/// The runs that the checkpoints are of: eight particles fall past a ball; a nozzle, and bodies
/// that move freely, by a program and by a law; a cloth beside a body that a program moves.
const SCENES: [&str; 3] = [
    include_str!("checkpoint.ron"),
    include_str!("checkpoint_bodies.ron"),
    include_str!("checkpoint_cloth.ron"),
];
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

/// Goes on with the run that the checkpoint can be one of, if there is one.
fn go_on(checkpoint: Checkpoint<Notes>) -> bool {
    static PLANS: OnceLock<[Plan; 3]> = OnceLock::new();
    let State { particles, .. } = &checkpoint.state;
    assert_eq!(particles.len(), particles.position.len());
    let fits = |plan: &&Plan| match plan.check_checkpoint(&checkpoint) {
        Ok(()) => true,
        Err(why) => {
            assert!(!why.to_string().is_empty());
            false
        }
    };
    let Some(plan) = PLANS.get_or_init(|| SCENES.map(plan)).iter().find(fits) else { return false };
    let mut plan = plan.clone();
    let (_, resumed) = plan.restore(checkpoint);
    first_steps(plan, Some(resumed));
    true
}

fn plan(scene: &str) -> Plan {
    let source = Source { name: "checkpoint.ron".to_owned(), text: scene.to_owned() };
    let scene = prepare(&source, &[], &mut |_| unreachable!("no mesh")).expect("a good scene");
    Plan::from(&scene)
}
