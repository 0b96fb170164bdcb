//! The end of another program's stderr.

use std::io::Read;

/// Bytes of the tail: more than a few lines.
const TAIL_LENGTH: usize = 4096;

/// Reads to the end, and returns the last bytes.
pub fn read_tail(mut source: impl Read) -> Vec<u8> {
    let (mut tail, mut buffer) = (Vec::new(), [0; TAIL_LENGTH]);
    while let Ok(read @ 1..) = source.read(&mut buffer) {
        tail.extend_from_slice(&buffer[..read]);
        tail.drain(..tail.len().saturating_sub(TAIL_LENGTH));
    }
    tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_long_output_is_returned() {
        let talk: Vec<u8> = (0..3 * TAIL_LENGTH + 17).map(|k| (k % 251) as u8).collect();
        assert_eq!(read_tail(talk.as_slice()), talk[talk.len() - TAIL_LENGTH..]);
        assert_eq!(read_tail(&b"short"[..]), b"short");
    }
}
