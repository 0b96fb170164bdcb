//! Scenes and overrides broken by chance.

use super::support::{CUBE, GOOD, faults_of};

/// Overwrites, deletes, doubles and cuts bytes of a good text: whatever comes of it is told in
/// words, at a place that exists.
#[test]
fn mutated_scenes_never_panic() {
    let alphabet = b"()[]{}:,.\"'/*#rbox 0123456789-+eE_NaninfSome\n\\\xc3\xa9";
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |below: usize| {
        state = state.wrapping_mul(0xd129_42f0_9a7c_8f35).wrapping_add(0x2545_f491_4f6c_dd1d);
        (state >> 33) as usize % below
    };
    let mut refused = 0;
    for round in 0..4000 {
        let mut bytes = GOOD.as_bytes().to_vec();
        for _ in 0..=round % 4 {
            let at = draw(bytes.len());
            match draw(4) {
                0 => bytes[at] = alphabet[draw(alphabet.len())],
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, alphabet[draw(alphabet.len())]),
                _ => bytes.truncate(at.max(8)),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let faults = faults_of(&text, &[], CUBE);
        for fault in &faults {
            let length = fault.source_text.chars().count();
            assert!(fault.span.as_ref().is_some_and(|s| s.start <= s.end && s.end <= length));
            assert!(fault.line() >= 1 && fault.column() >= 1 && !fault.message.is_empty());
        }
        refused += usize::from(!faults.is_empty());
    }
    assert!(refused > 2000, "{refused}");
}

#[test]
fn mutated_overrides_never_panic() {
    let values =
        ["", "1", "(", ")", "\"", "NaN", "None", "Some(1)", "[]", "()", "/*", "//", "r#\""];
    let keys =
        ["", "frames", "fluids[0]", "fluids[0].shapes[0].min[2]", "solids[1][0].radius", "["];
    let tails = ["", ".", ".x", "[0]", "[", ".X.y", ".Some", "=", " "];
    for key in keys {
        for tail in tails {
            for value in values {
                faults_of(GOOD, &[&format!("{key}{tail}={value}")], CUBE);
            }
        }
    }
}
