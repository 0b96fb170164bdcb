//! *MurmurHash3* of 128 bits, by which Alembic tells samples apart: readers keep what they have read
//! under it.
//!
//! Source: A. Appleby, `MurmurHash3.cpp` (2011, public domain), `MurmurHash3_x64_128`, seed 0.

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// A hash.
pub type Digest = [u8; 16];

/// The hash of some bytes.
pub fn murmur3(bytes: &[u8]) -> Digest {
    let (mut h1, mut h2) = (0_u64, 0_u64);
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    };
    let (blocks, tail) = bytes.as_chunks::<16>();
    for block in blocks {
        h1 ^= first(word(&block[..8]));
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= second(word(&block[8..]));
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let (low, high) = tail.split_at(tail.len().min(8));
    // Of an empty part the word is 0, which changes nothing.
    h2 ^= second(word(high));
    h1 ^= first(word(low));
    let length = bytes.len() as u64;
    (h1, h2) = (h1 ^ length, h2 ^ length);
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    (h1, h2) = (mixed(h1), mixed(h2));
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    let mut digest = [0; 16];
    digest[..8].copy_from_slice(&h1.to_le_bytes());
    digest[8..].copy_from_slice(&h2.to_le_bytes());
    digest
}

fn first(k: u64) -> u64 {
    k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
}

fn second(k: u64) -> u64 {
    k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
}

fn mixed(mut k: u64) -> u64 {
    k ^= k >> 33;
    k = k.wrapping_mul(0xff51_afd7_ed55_8ccd);
    k ^= k >> 33;
    k = k.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    k ^ (k >> 33)
}

#[cfg(test)]
mod tests {
    use super::murmur3;

    #[test]
    fn hashes_are_those_in_files_of_alembic_itself() {
        // Samples that Alembic 1.8.12 wrote: a boolean, two bytes, six and two indices, a float.
        let hex = |bytes: &[u8]| -> String {
            murmur3(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
        };
        let indices = [0, 1, 2, 0, 2, 3].map(u32::to_le_bytes);
        assert_eq!(hex(&[1]), "16fe7483905cce7a85670e43e4678877");
        assert_eq!(hex(&[0x10, 0x20]), "707c65c7ac12ce5717ca11d0fac242c6");
        assert_eq!(hex(indices.as_flattened()), "5d89da6cd965e01c3a99d14adb101d2b");
        assert_eq!(hex(&[3, 0, 0, 0, 3, 0, 0, 0]), "1171dea6747ab509fdaefbe74f7195af");
        assert_eq!(hex(&0.1_f32.to_le_bytes()), "66da88d68bea364277b7cf0d3bc6b937");
    }
}
