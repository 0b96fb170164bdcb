//! Checkpoints: read back to the bit, and refused when anything about them is not right.

use super::blob;
use hashfall_output::checkpoint::{Checkpoint, CheckpointError, History, State, decode, encode};
use hashfall_sph::world::{EmitterState, World};
use sha2::{Digest, Sha256};

type Notes = (Option<f64>, Vec<String>);

fn notes() -> Notes {
    (Some(0.1 + 0.2), vec!["a \"b\"".to_owned()])
}

fn history() -> History {
    History {
        frame: 7,
        digest: "0123".to_owned(),
        body_digest: Some("4567".to_owned()),
        elastic_digest: None,
        log: b"frame,time\n0,0.0\n".to_vec(),
        samples: Vec::new(),
        bodies_length: 12_345,
    }
}

/// A world in which every array tells which it is.
fn world(particles: usize) -> World {
    let mut world = blob::world(7);
    let p = &mut world.particles;
    p.position.truncate(particles);
    p.velocity.truncate(particles);
    p.acceleration.truncate(particles);
    p.density.truncate(particles);
    p.fluid_fraction.truncate(particles);
    p.pressure.truncate(particles);
    p.phase.truncate(particles);
    p.birth.truncate(particles);
    p.in_nozzle.truncate(particles);
    p.id = (0..particles as u32).rev().collect();
    p.acceleration.iter_mut().enumerate().for_each(|(i, a)| a.z = i as hashfall_core::Real);
    p.fluid_fraction.iter_mut().enumerate().for_each(|(i, f)| *f = -(i as hashfall_core::Real));
    p.birth.iter_mut().enumerate().for_each(|(i, t)| *t = 0.5 * i as hashfall_core::Real);
    p.in_nozzle.iter_mut().enumerate().for_each(|(i, nozzle)| *nozzle = (i % 3) as u8);
    let progress = EmitterState { travelled: 0.1 + 0.2, layers: 7, ..EmitterState::default() };
    world.open_boundaries.budget.emitters = vec![progress];
    (world.open_boundaries.budget.emitted, world.open_boundaries.budget.energy) =
        (vec![3], -1.0 / 3.0);
    world
}

fn checkpoint(particles: usize) -> Vec<u8> {
    encode("abcd", &history(), &State::from_world(&world(particles)), &notes())
}

fn read(bytes: &[u8]) -> Result<Checkpoint<Notes>, CheckpointError> {
    decode(bytes)
}

#[test]
fn a_checkpoint_reads_back_to_the_bit_and_is_the_same_bytes_again() {
    for particles in [0, 1, 200] {
        let world = world(particles);
        let back = read(&checkpoint(particles)).unwrap();
        assert_eq!(
            (back.scene.as_str(), &back.history, &back.notes),
            ("abcd", &history(), &notes())
        );
        assert_eq!(back.state.particles, world.particles);
        assert_eq!(back.state.account, world.open_boundaries.budget);
        assert_eq!((back.state.time.to_bits(), back.state.steps), (world.time.to_bits(), 70));
    }
    assert_eq!(checkpoint(200), checkpoint(200));
}

/// All single-bit flips of a file of 12 kB are 10⁵.
#[test]
fn every_flipped_bit_and_every_cut_is_refused() {
    let whole = checkpoint(200);
    assert!(whole.len() * 8 > 80_000, "{}", whole.len());
    let mut bytes = whole.clone();
    for bit in 0..whole.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        assert!(matches!(read(&bytes), Err(CheckpointError::Damaged(_))), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    for length in 0..whole.len() {
        assert!(matches!(read(&whole[..length]), Err(CheckpointError::Damaged(_))), "{length}");
    }
    bytes.push(0);
    assert!(read(&bytes).is_err());
    assert!(read(&whole).is_ok());
}

/// The file with a piece of its header replaced by one as long, and a checksum that fits.
fn forged(old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = checkpoint(200);
    let at = bytes.windows(old.len()).position(|part| part == old.as_bytes()).unwrap();
    bytes[at..at + old.len()].copy_from_slice(new.as_bytes());
    let end = bytes.len() - 32;
    let checksum = Sha256::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum);
    bytes
}

#[test]
fn a_checkpoint_of_another_kind_is_refused_though_its_checksum_fits() {
    let refused = |old: &str, new: &str| read(&forged(old, new)).unwrap_err().to_string();
    let version = refused(r#"\"version\":4"#, r#"\"version\":2"#);
    assert!(version.contains("versions 3 to 4") && version.contains("version 2"), "{version}");
    let real = std::any::type_name::<hashfall_core::Real>();
    let other = refused(&format!(r#"\"real\":\"{real}"#), r#"\"real\":\"f16"#);
    assert!(other.contains("f16"), "{other}");
    assert!(refused(r#""hashfall":"#, r#""hashtoad":"#).contains("another program"));
    assert!(refused(r#""density":"#, r#""destiny":"#).starts_with("it is damaged"));
    let shape = refused(r#""density":{"dtype":"F"#, r#""density":{"dtype":"I"#);
    assert!(shape.starts_with("it is damaged"), "{shape}");
    // A header that claims more than there is.
    assert!(refused(r#""shape":[200,3]"#, r#""shape":[999,3]"#).starts_with("it is damaged"));
}

#[test]
fn particles_of_one_number_and_of_one_to_come_are_refused() {
    let mut world = world(3);
    world.particles.id = vec![0, 2, 2];
    let twice = encode("", &history(), &State::from_world(&world), &notes());
    assert!(read(&twice).unwrap_err().to_string().contains("duplicate particle id"));
    world.particles.id = vec![0, 1, 3];
    world.particles.next_id = 4;
    assert!(read(&encode("", &history(), &State::from_world(&world), &notes())).is_ok());
    world.particles.next_id = 3;
    assert!(read(&encode("", &history(), &State::from_world(&world), &notes())).is_err());
}

/// The file that the program wrote before bodies could be free.
#[test]
#[cfg(not(feature = "f64"))]
fn a_checkpoint_of_the_version_before_is_read() {
    let bytes = include_bytes!("../../data/version_3/checkpoints/step_000000002.safetensors");
    let old = decode::<serde_json::Value>(bytes).unwrap();
    assert_eq!((old.history.frame, old.state.steps, old.state.particles.len()), (2, 2, 25));
    assert_eq!((old.state.bodies.len(), &old.state.contact), (1, &Vec::new()));
    assert!(old.history.log.starts_with(b"frame,time,") && old.history.bodies_length == 0);
    assert!((old.state.bodies[0].angular_velocity.norm() - std::f64::consts::TAU).abs() < 1e-12);
    let new = encode(&old.scene, &old.history, &old.state, &old.notes);
    assert_eq!(decode::<serde_json::Value>(&new).unwrap(), old);
}
