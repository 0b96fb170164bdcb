//! Meshes in glTF files.

#![no_main]

mod numbers;

use hashfall_fuzz::{Watch, gltf};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    gltf(bytes);
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, room: usize, seed: u32| {
    numbers::mutate(data, size, room, seed)
});
