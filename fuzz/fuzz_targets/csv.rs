//! Particles in tables.

#![no_main]

use hashfall_fuzz::{Watch, csv};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    csv(bytes);
});
