//! The memory of previews: how many frames are drawn in parallel, and the memory of previews at the
//! end of a run.

use super::subject::Subject;
use crate::cli::system::memory;
use hashfall_preview::SAMPLES;
use hashfall_run::Plan;
use hashfall_run::reconstruct::groups;
use hashfall_scene::Prepared;

/// Bytes of a sample.
const SAMPLE: u64 = 12;
/// Bytes of a pixel while its samples are shaded and it is written.
const PIXEL: u64 = 40;
/// Ratio of a frame's size in memory to its size on disk.
const UNPACKED: u64 = 5;

/// Frames in groups that are drawn in parallel: one per thread, as far as memory allows.
pub fn parallel_groups<'a>(
    subject: &Subject,
    frames: &'a [u32],
    size: [u32; 2],
    threads: usize,
) -> Vec<&'a [u32]> {
    let needed: Vec<u64> =
        frames.iter().map(|&frame| of_frame(size, subject.bytes(frame))).collect();
    let groups = groups(&needed, memory::limit(None), threads.max(1));
    groups.into_iter().map(|group| &frames[group]).collect()
}

/// Memory to draw a frame whose files have this number of bytes.
fn of_frame(size: [u32; 2], files: u64) -> u64 {
    let pixels = size.map(u64::from).iter().product::<u64>();
    pixels * (u64::from(SAMPLES * SAMPLES) * SAMPLE + PIXEL) + UNPACKED * files
}

/// Memory of the process while it makes the previews at the end of a run \[bytes\]: `threads`
/// frames in parallel, each with files of `frame_files` bytes; 0 if the scene has no previews. With
/// little memory fewer frames are drawn in parallel; the minimum is that of one thread.
pub fn after_run(scene: &Prepared, frame_files: u64, threads: usize) -> u64 {
    let Some(settings) = scene.preview else { return 0 };
    let (width, height) = settings.size;
    let frames = u64::from(scene.frames.count / settings.every.max(1)) + 1;
    let parallel = frames.min(threads.max(1) as u64);
    let each = of_frame([width, height], frame_files);
    // The scene stays in memory and is read once more.
    let start = Plan::from(scene).memory_at_rest();
    start.saturating_add(parallel.saturating_mul(each))
}
