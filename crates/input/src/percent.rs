//! Names whose special characters stand as `%` and two hexadecimal digits, as in URIs (RFC 3986,
//! § 2.1) and in VTK's legacy files.

/// The name; a `%` without two digits stands for itself.
pub(super) fn percent_decoded(name: &str) -> String {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = match (first, after) {
            (b'%', [high, low, ..]) => digit(high).zip(digit(low)),
            _ => None,
        };
        bytes.push(code.map_or(first, |(high, low)| (16 * high + low) as u8));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_hexadecimal_digits_are_a_byte_and_other_signs_are_text() {
        for (encoded, name) in [
            ("a%20b", "a b"),
            ("%C3%a4", "ä"),
            ("100%", "100%"),
            ("a%2", "a%2"),
            ("v%+5x", "v%+5x"),
            ("%-1%%41", "%-1%A"),
            ("%é1", "%é1"),
        ] {
            assert_eq!(percent_decoded(encoded), name);
        }
    }
}
