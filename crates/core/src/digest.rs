//! A 64-bit digest of numbers, to tell whether two runs agree to the last bit.
//!
//! FNV-1a (Fowler, Noll & Vo) over 64-bit words: xor a word in, multiply by the FNV prime.
//! Deviation: words instead of bytes, so that a million particles take milliseconds. It guards
//! against accident, not against malice.

use super::{Real, Vec3};

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A running digest; feed it numbers, then read [`Digest::value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Digest(OFFSET_BASIS)
    }
}

impl Digest {
    /// Feeds one word.
    pub fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(PRIME);
        // Multiplication carries only upwards; the rotation lets high bits reach low ones.
        self.0 = self.0.rotate_left(29);
    }

    /// Feeds the bits of a number, so that 0.0 and -0.0 differ.
    pub fn real(&mut self, x: Real) {
        self.word(u64::from(x.to_bits()));
    }

    /// Feeds the bits of three components.
    pub fn vec3(&mut self, v: &Vec3) {
        v.iter().for_each(|&x| self.real(x));
    }

    /// Feeds bytes, with their count.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// The digest so far.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(feed: impl Fn(&mut Digest)) -> u64 {
        let mut d = Digest::default();
        feed(&mut d);
        d.value()
    }

    #[test]
    fn order_sign_of_zero_and_length_all_count() {
        assert_ne!(
            of(|d| [1, 2].iter().for_each(|&w| d.word(w))),
            of(|d| [2, 1].iter().for_each(|&w| d.word(w)))
        );
        assert_ne!(of(|d| d.real(0.0)), of(|d| d.real(-0.0)));
        assert_ne!(of(|d| d.bytes(b"ab")), of(|d| d.bytes(b"ab\0")));
    }
}
