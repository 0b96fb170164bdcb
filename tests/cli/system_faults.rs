//! Every system call of a run fails once: files that cannot be opened, written or renamed, memory
//! and threads that are refused. The run ends with one error or is as if nothing had happened, and
//! goes on to the same bytes.
//!
//! `strace` injects the errors: these tests are ignored unless it is asked for, as `.ci/run` does.

#![cfg(target_os = "linux")]

use super::support::{Ended, Place, SIM, assert_same, results};
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

/// A run that uses all kinds of files, over in a fraction of a second.
const SCENE: &str = r#"Scene(
    frames: (count: 3, rate: 100),
    domain: Box(min: (0, 0, 0), max: (0.1, 0.1, 0.1)),
    particle_radius: 0.01,
    fluids: [(
        name: "water", rest_density: 1000, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0), max: (0.04, 0.1, 0.06))],
    )],
    solids: [SphereField(List([(centre: (0.1, 0.05, 0), radius: 0.04)]))],
    checkpoints: (frames: 1),
    probes: (rate: 200, list: [Front(name: "front", axis: X)]),
    surface: (cell: 1.0),
    output: (particles: true, surface: [Ply, Vtp]),
)
"#;

/// System calls and the error that each may well give.
const FAULTS: [(&str, &str); 21] = [
    ("openat", "EACCES"),
    ("openat", "EMFILE"),
    ("read", "EIO"),
    ("pread64", "EIO"),
    ("write", "ENOSPC"),
    ("write", "EIO"),
    ("fsync", "EIO"),
    ("renameat", "EACCES"),
    ("renameat2", "EIO"),
    ("mkdir", "ENOSPC"),
    ("unlink", "EACCES"),
    ("rmdir", "EACCES"),
    ("ftruncate", "EIO"),
    ("lseek", "EIO"),
    ("statx", "EACCES"),
    ("newfstatat", "EACCES"),
    ("statfs", "EIO"),
    ("getdents64", "EIO"),
    ("flock", "EIO"),
    ("fcntl", "EINVAL"),
    ("clone3", "EAGAIN"),
];

/// Calls by which memory comes; all after the first that fails do.
const MEMORY_CALLS: &str = "mmap,brk,mremap";

fn arguments(folder: &str) -> [&str; 7] {
    ["scene.ron", "--quiet", "--allow-shortage", "--threads", "2", "--out", folder]
}

/// `sim` under strace with these options.
fn traced(place: &Place, options: &[String], arguments: &[&str]) -> Ended {
    let mut command = Command::new("strace");
    command.args(["--follow-forks", "--quiet=all", "--output", "trace"]).args(options);
    command.arg(SIM).args(arguments);
    command.current_dir(place.path("")).env("RUST_BACKTRACE", "0");
    Ended::of(command.output().expect("strace is installed and may trace"))
}

/// How often each system call is made.
fn calls(place: &Place, arguments: &[&str]) -> BTreeMap<String, u32> {
    traced(place, &["--summary-only".to_owned()], arguments).assert_done();
    let table = place.read("trace");
    let rows = table.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split_whitespace().collect();
        let calls = cells.get(3)?.parse().ok()?;
        Some(((*cells.last()?).to_owned(), calls))
    });
    rows.collect()
}

/// A run with the nth calls of some names failing, and the same call gone on with afterwards.
struct Trial<'a> {
    place: &'a Place,
    whole: &'a [(String, Vec<u8>)],
}

impl Trial<'_> {
    /// Whether the run noticed.
    fn inject(&self, calls: &str, error: &str, when: &str) -> bool {
        let what = format!("{calls}:error={error}:when={when}");
        let options = [format!("--inject={what}")];
        let ended = traced(self.place, &options, &arguments("run"));
        assert!(!ended.stderr.contains("panicked"), "{what}: {ended:?}");
        match ended.code {
            Some(0) => assert_same(&results(self.place, "run"), self.whole, &what),
            Some(1 | 2) => {
                let errors = ended.stderr.matches("error:").count();
                assert_eq!(errors, 1, "{what}: {ended:?}");
                self.assert_frames_are_whole(&what);
                self.go_on(&what);
            }
            _ => panic!("{what}: {ended:?}"),
        }
        fs::remove_dir_all(self.place.path("run")).ok();
        ended.code != Some(0)
    }

    /// Every frame that has its name is that of the whole run.
    fn assert_frames_are_whole(&self, what: &str) {
        if !self.place.path("run").exists() {
            return;
        }
        for (name, bytes) in self.place.files("run") {
            let expected = self.whole.iter().find(|(other, _)| *other == name);
            let is_frame = name.starts_with("particles/p") || name.starts_with("surface/s");
            if is_frame && !name.ends_with(".tmp") {
                assert!(expected.is_some_and(|(_, whole)| *whole == bytes), "{what}: {name}");
            }
        }
    }

    /// Nothing fails any more: the run ends as if nothing ever had.
    fn go_on(&self, what: &str) {
        let begun = self.place.path("run/scene.ron").exists();
        let ended = match begun {
            true => self.place.sim(["resume", "run", "--quiet", "--allow-shortage"]),
            false => self.place.sim(arguments("run").iter().chain(&["--overwrite"])),
        };
        assert_eq!(ended.code, Some(0), "{what}, then: {ended:?}");
        assert_same(&results(self.place, "run"), self.whole, what);
    }
}

/// Fails every `stride`th call of each kind.
fn fail_calls(stride: usize) {
    let place = Place::new();
    place.write("scene.ron", SCENE);
    place.sim(arguments("whole")).assert_done();
    let whole = results(&place, "whole");
    // What the system's loader does is none of the program's.
    let of_the_loader = calls(&place, &["--version"]);
    let of_the_run = calls(&place, &arguments("counted"));
    let trial = Trial { place: &place, whole: &whole };
    let range = |name: &str| {
        let count = |calls: &BTreeMap<String, u32>| calls.get(name).copied().unwrap_or(0);
        count(&of_the_loader) + 1..=count(&of_the_run)
    };
    let (mut tried, mut noticed) = (0, 0);
    for (name, error) in FAULTS {
        for n in range(name).step_by(stride) {
            noticed += u32::from(trial.inject(name, error, &n.to_string()));
            tried += 1;
        }
    }
    for n in range("mmap") {
        noticed += u32::from(trial.inject(MEMORY_CALLS, "ENOMEM", &format!("{n}+")));
        tried += 1;
    }
    println!("{tried} system calls failed, {noticed} ended the run, which went on to the same end");
    assert!(noticed > tried / 5, "hardly anything was noticed");
}

#[test]
#[ignore = "needs strace"]
fn strace_fails_some_system_calls_of_a_run() {
    fail_calls(11);
}

#[test]
#[ignore = "needs strace, takes minutes"]
fn full_strace_fails_every_system_call_of_a_run() {
    fail_calls(1);
}
