//! What this program is, for the records that runs leave.

use std::sync::OnceLock;

/// The name of the program.
pub const NAME: &str = "hashfall";

/// Its version, which all its crates share.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

static REVISION: OnceLock<&'static str> = OnceLock::new();

/// Tells the git revision that the program is built from; the first call counts.
pub fn set_revision(revision: &'static str) {
    REVISION.get_or_init(|| revision);
}

/// The git revision that the program is built from; `unknown` where nobody has told it.
pub fn revision() -> &'static str {
    REVISION.get().copied().unwrap_or("unknown")
}
