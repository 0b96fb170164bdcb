//! Checkpoints whose numbers were forged one by one, with the checksum that fits: whatever a number
//! is, the run goes on or an error says why it does not.

use super::targets;
use serde_json::Value;
use std::panic::catch_unwind;

/// Checkpoints of runs with all that has a state: fluid, a nozzle, free, driven and elastic bodies.
const CHECKPOINTS: [&[u8]; 2] = [
    include_bytes!("../../fuzz/corpus/checkpoint/bodies"),
    include_bytes!("../../fuzz/corpus/checkpoint/cloth"),
];
/// Numbers that are none, have no square, are out of all reach, or were not there.
const NUMBERS: [f64; 9] = [f64::NAN, f64::INFINITY, 1e300, -1e300, 1e30, -1e15, 1e7, 1e-320, -0.0];
/// Numbers of the progress.
const PROGRESS: [&str; 7] =
    ["1e308", "-1e308", "1e30", "-1", "0", "4294967295", "9007199254740993"];
/// Bytes of the length of the header.
const LENGTH: usize = 8;

/// The header of a checkpoint, and where its arrays begin.
fn header(file: &[u8]) -> (Value, usize) {
    let (length, rest) = file.split_first_chunk::<LENGTH>().expect("a checkpoint");
    let length = u64::from_le_bytes(*length) as usize;
    (serde_json::from_slice(&rest[..length]).expect("a header"), LENGTH + length)
}

/// Gives a forged checkpoint to the target, which mends the checksum; tells whether it goes on.
#[track_caller]
fn open(bytes: Vec<u8>, what: &str) -> bool {
    catch_unwind(move || targets::checkpoint(&bytes)).unwrap_or_else(|_| panic!("{what} panics"))
}

/// Places of a few elements of an array of so many bytes, each of `size` bytes.
fn elements(bytes: usize, size: usize) -> Vec<usize> {
    let last = bytes / size - 1;
    let mut chosen = vec![0, 1.min(last), last / 2, last];
    chosen.dedup();
    chosen.into_iter().map(|k| k * size).collect()
}

/// Whether arrays of this name hold numbers of the state.
fn is_of_numbers(name: &str) -> bool {
    !matches!(name, "log" | "probes" | "sha256" | "phase" | "held" | "id")
}

#[test]
fn numbers_of_arrays_that_no_run_has_end_in_an_error() {
    let (mut forged, mut refused) = (0, 0);
    for file in CHECKPOINTS {
        assert!(open(file.to_vec(), "the checkpoint"), "it is not of the run");
        let (header, start) = header(file);
        for (name, tensor) in header.as_object().expect("an object") {
            let Some(offsets) = tensor["data_offsets"].as_array() else { continue };
            let [from, to] = [0, 1].map(|k| start + offsets[k].as_u64().expect("a place") as usize);
            if from == to || !is_of_numbers(name) {
                continue;
            }
            let size = if tensor["dtype"] == "F32" { 4 } else { 8 };
            for at in elements(to - from, size) {
                for x in NUMBERS {
                    let mut bytes = file.to_vec();
                    match size {
                        4 => bytes[from + at..][..4].copy_from_slice(&(x as f32).to_le_bytes()),
                        _ => bytes[from + at..][..8].copy_from_slice(&x.to_le_bytes()),
                    }
                    let what = format!("{x:e} at byte {at} of `{name}`");
                    let goes_on = open(bytes, &what);
                    (forged, refused) = (forged + 1, refused + usize::from(!goes_on));
                    assert!(!goes_on || (x as f32).is_finite(), "{what} is taken");
                }
            }
        }
    }
    println!("{refused} of {forged} forged numbers are refused");
}

#[test]
fn texts_that_are_none_end_in_an_error() {
    for file in CHECKPOINTS {
        let (header, start) = header(file);
        let at = header["log"]["data_offsets"][0].as_u64().expect("a place") as usize;
        let mut bytes = file.to_vec();
        bytes[start + at + 3] = 0xff;
        assert!(!open(bytes, "a log that is no text"));
    }
}

/// All numbers of a value in JSON, each to be replaced.
fn numbers<'a>(value: &'a mut Value, all: &mut Vec<&'a mut Value>) {
    match value {
        Value::Number(_) => all.push(value),
        Value::Array(list) => list.iter_mut().for_each(|it| numbers(it, all)),
        Value::Object(map) => map.values_mut().for_each(|it| numbers(it, all)),
        _ => {}
    }
}

/// The checkpoint with another number as number `k` of its progress; `None` if it has no such.
fn with_progress(file: &[u8], k: usize, number: &str) -> Option<Vec<u8>> {
    let (mut header, start) = header(file);
    let text = header["__metadata__"]["hashfall"].as_str()?;
    let mut head: Value = serde_json::from_str(text).expect("the progress");
    let mut all = Vec::new();
    numbers(&mut head, &mut all);
    **all.get_mut(k)? = serde_json::from_str(number).expect("a number");
    header["__metadata__"]["hashfall"] = Value::String(head.to_string());
    let mut text = header.to_string();
    // The arrays begin at a multiple of their numbers' size.
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(LENGTH) - text.len()));
    let length = (text.len() as u64).to_le_bytes();
    Some([&length, text.as_bytes(), &file[start..]].concat())
}

#[test]
fn numbers_of_the_progress_that_no_run_has_do_not_panic() {
    for file in CHECKPOINTS {
        let unchanged = with_progress(file, 0, "4").expect("a version");
        assert!(open(unchanged, "the version"), "the header is not understood");
        for k in 0.. {
            let forged = PROGRESS.map(|number| (number, with_progress(file, k, number)));
            if forged[0].1.is_none() {
                break;
            }
            for (number, bytes) in forged {
                open(bytes.unwrap_or_default(), &format!("{number} as number {k} of the progress"));
            }
        }
    }
}
