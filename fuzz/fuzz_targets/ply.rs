//! Particles and meshes in polygon files.

#![no_main]

use hashfall_fuzz::{Watch, ply};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    ply(bytes);
});
