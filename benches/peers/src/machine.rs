//! The machine and the build in one line, so that no table goes without them.

use hashfall_core::simd::Isa;
use std::fs;
use std::thread::available_parallelism;

/// Processor, cores, load when asked, and what the compiler may use.
pub fn describe() -> String {
    let cores = available_parallelism().map_or_else(|_| "?".into(), |n| n.to_string());
    let load = fs::read_to_string("/proc/loadavg")
        .map_or_else(|_| "?".into(), |text| text.split(' ').next().unwrap_or("?").to_owned());
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let (target, own) = (target(), Isa::current().name());
    format!(
        "{}, {cores} cores, load {load}; {build} build for {target}; ours on {own}",
        processor()
    )
}

/// Linux alone says it in a file.
fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}

/// The widest vectors that the build relies on; code chosen at run time may use wider ones.
fn target() -> &'static str {
    if cfg!(target_feature = "avx512f") {
        "AVX-512 (target-cpu)"
    } else if cfg!(target_feature = "avx2") {
        "AVX2 (target-cpu)"
    } else {
        "any processor of its kind (portable)"
    }
}
