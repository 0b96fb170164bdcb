//! Checkpoints, and going on from them.

#![no_main]

use hashfall_fuzz::{Watch, checkpoint};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    checkpoint(bytes);
});
