//! Commands with mounts of their own: small disks, disks that become read-only, other files in
//! place of the system's.
//!
//! They take a mount name space, which root has by itself and others by a user name space, if the
//! system lets them. Where neither is to be had a test fails and says what is missing; with
//! `HASHFALL_NO_PRIVATE_MOUNTS=1` it is skipped, aloud.

use super::support::{Ended, Place};
use std::process::Command;

/// The variable that lets tests be skipped.
const SKIP: &str = "HASHFALL_NO_PRIVATE_MOUNTS";
/// The options of `unshare`: those of root, and those of others.
const WAYS: [&str; 2] = ["-m", "-rm"];

/// How mounts of one's own are to be had here; none if the tests that need them shall be skipped.
pub struct PrivateMounts {
    way: &'static str,
}

impl PrivateMounts {
    pub fn new() -> Option<PrivateMounts> {
        let works = |way: &str| {
            let place = Place::new();
            let script = "mount -t tmpfs tmpfs .";
            let probe = command(&place, way, script).output();
            probe.is_ok_and(|probe| probe.status.success())
        };
        if let Some(way) = WAYS.into_iter().find(|way| works(way)) {
            return Some(PrivateMounts { way });
        }
        let is_skipped = std::env::var(SKIP).is_ok_and(|value| value == "1");
        assert!(
            is_skipped,
            "this test needs a mount name space, and `unshare -m` and `unshare -rm` cannot mount a \
             tmpfs here: run it as root, allow user name spaces (sysctl \
             kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0), \
             or skip it with {SKIP}=1"
        );
        eprintln!("SKIPPED, as {SKIP}=1: a process may not have mounts of its own here");
        None
    }

    /// Runs a script of `sh` in the folder of `place`.
    pub fn run(&self, place: &Place, script: &str) -> Ended {
        Ended::of(command(place, self.way, script).output().unwrap())
    }
}

fn command(place: &Place, way: &str, script: &str) -> Command {
    let mut command = Command::new("unshare");
    command.args([way, "sh", "-c", script]).current_dir(place.path(""));
    command.env("SLURM_CPUS_PER_TASK", "2").env("RUST_BACKTRACE", "0");
    command
}
