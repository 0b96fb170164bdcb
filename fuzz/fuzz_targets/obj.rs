//! Meshes in Wavefront files.

#![no_main]

use hashfall_fuzz::{Watch, obj};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    obj(bytes);
});
