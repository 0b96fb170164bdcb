//! Names of files as glTF writes them: relative references of RFC 3986.

/// The scheme of a URI, such as `data` or `https`; `None` of a relative reference.
pub(super) fn scheme(uri: &str) -> Option<&str> {
    let (scheme, _) = uri.split_once(':')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    // A single letter is a drive of Windows, which some programs write.
    (scheme.len() > 1 && scheme.chars().all(is_part)).then_some(scheme)
}

/// A relative reference to a file.
pub(super) fn percent_encoded(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encoded = name.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    encoded.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::percent::percent_decoded;

    #[test]
    fn names_survive_being_written_as_references() {
        for name in ["tank.bin", "my tank (1).bin", "Behälter.bin", "100%.bin"] {
            assert_eq!(percent_decoded(&percent_encoded(name)), name);
        }
        assert_eq!(scheme("data:;base64,AA"), Some("data"));
        assert_eq!((scheme("C:tank.bin"), scheme("tank.bin")), (None, None));
    }
}
