//! Particles in Houdini's classic geometry.

#![no_main]

use hashfall_fuzz::{Watch, bgeo};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    bgeo(bytes);
});
