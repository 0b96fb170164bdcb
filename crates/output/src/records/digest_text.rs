//! Digests as text: 16 hexadecimal digits.

use hashfall_core::digest::Digest;

/// A digest as text.
pub(crate) fn hexadecimal(digest: u64) -> String {
    format!("{digest:016x}")
}

/// The digest of a file, as text.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    let mut digest = Digest::default();
    digest.bytes(bytes);
    hexadecimal(digest.value())
}
