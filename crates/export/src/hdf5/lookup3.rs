//! Jenkins' hash *lookup3*, the checksum of HDF5's metadata.
//!
//! Source: B. Jenkins, `lookup3.c` (2006, public domain), `hashlittle` on bytes with a first value
//! of 0.

/// The hash of some bytes.
pub fn lookup3(bytes: &[u8]) -> u32 {
    let start = 0xdead_beef_u32.wrapping_add(bytes.len() as u32);
    let (mut a, mut b, mut c) = (start, start, start);
    let word = |bytes: &[u8]| {
        let mut word = [0; 4];
        word[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(word)
    };
    let mut rest = bytes;
    while rest.len() > 12 {
        a = a.wrapping_add(word(&rest[..4]));
        b = b.wrapping_add(word(&rest[4..8]));
        c = c.wrapping_add(word(&rest[8..12]));
        (a, b, c) = mix(a, b, c);
        rest = &rest[12..];
    }
    if rest.is_empty() {
        return c;
    }
    let mut parts = rest.chunks(4).map(word);
    let mut next = || parts.next().unwrap_or_default();
    a = a.wrapping_add(next());
    b = b.wrapping_add(next());
    c = c.wrapping_add(next());
    last_mix(a, b, c)
}

fn mix(mut a: u32, mut b: u32, mut c: u32) -> (u32, u32, u32) {
    let turn = |x: u32, y: u32, z: u32, by: u32| {
        (x.wrapping_sub(z) ^ z.rotate_left(by), z.wrapping_add(y))
    };
    (a, c) = turn(a, b, c, 4);
    (b, a) = turn(b, c, a, 6);
    (c, b) = turn(c, a, b, 8);
    (a, c) = turn(a, b, c, 16);
    (b, a) = turn(b, c, a, 19);
    (c, b) = turn(c, a, b, 4);
    (a, b, c)
}

fn last_mix(mut a: u32, mut b: u32, mut c: u32) -> u32 {
    let turn = |x: u32, y: u32, by: u32| (x ^ y).wrapping_sub(y.rotate_left(by));
    c = turn(c, b, 14);
    a = turn(a, c, 11);
    b = turn(b, a, 25);
    c = turn(c, b, 16);
    a = turn(a, c, 4);
    b = turn(b, a, 14);
    turn(c, b, 24)
}

#[cfg(test)]
mod tests {
    use super::lookup3;

    #[test]
    fn hashes_are_those_of_the_source() {
        // `driver5` of `lookup3.c`.
        assert_eq!(lookup3(b""), 0xdead_beef);
        assert_eq!(lookup3(b"Four score and seven years ago"), 0x1777_0551);
    }
}
