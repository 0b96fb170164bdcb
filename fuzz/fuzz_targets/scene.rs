//! Scenes, read and checked.

#![no_main]

mod numbers;

use hashfall_fuzz::{Watch, scene};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    scene(bytes);
});

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, room: usize, seed: u32| {
    numbers::mutate(data, size, room, seed)
});
