//! Running `sim` in a folder of its own, and looking at what it left.

use super::scenes::{SMALL, TETRAHEDRON};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The program under test: the one that cargo built beside the tests, or another that
/// `HASHFALL_TEST_SIM` named when they were compiled, such as a release build.
pub const SIM: &str = match option_env!("HASHFALL_TEST_SIM") {
    Some(path) => path,
    None => env!("CARGO_BIN_EXE_sim"),
};

/// A folder to run in, with `small.ron` and its mesh.
pub struct Place {
    folder: TempDir,
}

/// How a program ended and what it said.
#[derive(Debug)]
pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write("small.ron", SMALL);
        place.write("tetrahedron.obj", TETRAHEDRON);
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// `sim` with these arguments, on two threads unless they say otherwise.
    pub fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(SIM);
        command
            .args(args)
            .current_dir(self.folder.path())
            .env("SLURM_CPUS_PER_TASK", "2")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        heed_sighup(&mut command);
        command
    }

    /// Runs `sim` to its end.
    pub fn sim<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Ended {
        Ended::of(self.command(args).output().unwrap())
    }

    /// Every file under `name`, with its content, in order of its path.
    pub fn files(&self, name: &str) -> Vec<(String, Vec<u8>)> {
        let root = self.path(name);
        let mut files = Vec::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let content = fs::read(&path).unwrap();
                    files.push((relative(&path, &root), content));
                }
            }
        }
        files.sort();
        files
    }

    /// `run.json` of a run.
    pub fn manifest(&self, run: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(&format!("{run}/run.json"))).unwrap()
    }
}

/// Undoes what the program inherits where the tests themselves run under `nohup`.
fn heed_sighup(command: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let reset = || {
            // SAFETY: `signal` may be called between fork and exec.
            unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) };
            Ok(())
        };
        // SAFETY: the closure calls nothing but `signal` and allocates nothing.
        unsafe { command.pre_exec(reset) };
    }
    #[cfg(not(unix))]
    let _ = command;
}

fn relative(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/")
}

impl Ended {
    pub fn of(output: Output) -> Self {
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The run did all that was asked.
    #[track_caller]
    pub fn assert_done(&self) -> &Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Refused for its arguments, with the usage and where to read more, in a few lines.
    #[track_caller]
    pub fn assert_usage(&self) {
        assert_eq!(self.code, Some(2), "{self:?}");
        assert!(self.stderr.contains("Usage: sim") && self.stdout.is_empty(), "{self:?}");
        assert!(self.stderr.contains("`sim help "), "{self:?}");
        assert!(self.stderr.lines().count() <= 6, "{self:?}");
    }

    /// Refused, with one error that holds each of `parts`.
    #[track_caller]
    pub fn assert_refused(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{self:?}");
        self.assert_one_error(parts);
    }

    /// One error was told, which holds each of `parts`; nothing panicked.
    #[track_caller]
    pub fn assert_one_error(&self, parts: &[&str]) {
        let errors = self.stderr.lines().filter(|line| line.starts_with("error:")).count();
        assert_eq!(errors, 1, "not one error:\n{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no `{part}` in:\n{}", self.stderr);
        }
    }

    /// The value of a line of the closing summary.
    #[track_caller]
    pub fn summary(&self, key: &str) -> &str {
        let line = self.stdout.lines().find(|line| line.starts_with(key));
        line.unwrap_or_else(|| panic!("no {key}: {self:?}"))[key.len()..].trim()
    }
}

/// Whether each file that a `.pvd` names is there and whole; the number of them.
#[track_caller]
pub fn assert_series_is_whole(place: &Place, run: &str, series: &str) -> usize {
    let text = place.read(&format!("{run}/{series}"));
    assert!(text.trim_end().ends_with("</VTKFile>"), "{series} is torn:\n{text}");
    let files: Vec<&str> =
        text.split("file=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    for file in &files {
        let bytes = fs::read(place.path(&format!("{run}/{file}"))).unwrap();
        assert!(bytes.trim_ascii_end().ends_with(b"</VTKFile>"), "{file} is torn");
    }
    files.len()
}

/// No file that was being written is left.
#[track_caller]
pub fn assert_nothing_unfinished(place: &Place, run: &str) {
    let files = place.files(run);
    let unfinished: Vec<&String> =
        files.iter().map(|(name, _)| name).filter(|name| name.ends_with(".tmp")).collect();
    assert!(unfinished.is_empty(), "{unfinished:?}");
}

/// The files of a run that hold results, and the log without its timings.
pub fn results(place: &Place, run: &str) -> Vec<(String, Vec<u8>)> {
    let tells_of_the_run = |name: &str| name == "run.json" || name == "scene.ron";
    let mut files = place.files(run);
    files.retain(|(name, _)| !tells_of_the_run(name) && !name.starts_with("checkpoints/"));
    for (name, content) in &mut files {
        if name == "log.csv" {
            *content = without_timings(std::str::from_utf8(content).unwrap()).into_bytes();
        }
    }
    assert!(files.len() > 10, "{files:?}");
    files
}

/// A log without the columns that end in `_ms`.
fn without_timings(log: &str) -> String {
    let header: Vec<&str> = log.lines().next().unwrap().split(',').collect();
    let kept = |line: &str| {
        let cells = line.split(',').zip(&header).filter(|(_, name)| !name.ends_with("_ms"));
        cells.map(|(cell, _)| cell).collect::<Vec<_>>().join(",")
    };
    log.lines().map(kept).collect::<Vec<_>>().join("\n")
}

/// The same files with the same content.
#[track_caller]
pub fn assert_same(a: &[(String, Vec<u8>)], b: &[(String, Vec<u8>)], what: &str) {
    let names = |files: &[(String, Vec<u8>)]| -> Vec<String> {
        files.iter().map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(names(a), names(b), "{what}: other files");
    for ((name, a), (_, b)) in a.iter().zip(b) {
        assert!(a == b, "{what}: {name} differs");
    }
}

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits for something to happen, but not for ever.
#[track_caller]
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < PATIENCE, "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a signal to a program.
#[cfg(unix)]
pub fn send(signal: &str, child: &std::process::Child) {
    let status = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}
