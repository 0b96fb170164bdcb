//! Meshes of elements: Gmsh's files, VTK's legacy files, and surfaces.

#![no_main]

mod numbers;

use hashfall_fuzz::{Watch, elements};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    elements(bytes);
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, room: usize, seed: u32| {
    numbers::mutate(data, size, room, seed)
});
