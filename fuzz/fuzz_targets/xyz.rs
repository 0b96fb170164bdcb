//! Particles as coordinates alone.

#![no_main]

use hashfall_fuzz::{Watch, xyz};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    xyz(bytes);
});
