//! Particles in VTK's files, legacy and XML.

#![no_main]

use hashfall_fuzz::{Watch, vtk};

#[global_allocator]
static WATCH: Watch = Watch;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    vtk(bytes);
});
