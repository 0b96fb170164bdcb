//! A scene on stdin, which `-` stands for.
//!
//! A command may prepare a scene several times, and a pipe can be read but once: its text is kept.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;

/// The path that stands for stdin, and the name of that in messages.
const DASH: &str = "-";
pub const NAME: &str = "<stdin>";
/// What a run of it is called, and its folder in `out/`.
pub const STEM: &str = "stdin";

/// Whether a path stands for stdin.
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new(DASH) || path == Path::new("/dev/stdin")
}

/// The bytes on stdin up to its end, or the first `limit` and one more.
///
/// # Errors
/// The system's error.
pub fn read(limit: u64) -> io::Result<Vec<u8>> {
    static BYTES: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let read = || {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(limit + 1).read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| error.to_string())
    };
    BYTES.get_or_init(read).clone().map_err(io::Error::other)
}
