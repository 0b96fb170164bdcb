//! What other programs say, of which the end is kept.

use std::io::Read;

/// Bytes that are kept: more than a few lines.
const KEPT: usize = 4096;

/// Reads to the end, and keeps the last part.
pub fn read_tail(mut source: impl Read) -> Vec<u8> {
    let (mut kept, mut buffer) = (Vec::new(), [0; KEPT]);
    while let Ok(read @ 1..) = source.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        kept.drain(..kept.len().saturating_sub(KEPT));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_long_talk_the_end_is_kept() {
        let talk: Vec<u8> = (0..3 * KEPT + 17).map(|k| (k % 251) as u8).collect();
        assert_eq!(read_tail(talk.as_slice()), talk[talk.len() - KEPT..]);
        assert_eq!(read_tail(&b"short"[..]), b"short");
    }
}
