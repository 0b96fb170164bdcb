//! Whether the machine has what a run needs, before it begins.

use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::preview;
use crate::cli::system::memory;
use hashfall_core::units;
use hashfall_output::files::free_space;
use hashfall_run::Plan;
use hashfall_scene::Prepared;
use std::path::Path;

/// Whether memory suffices, as far as that is known without work.
pub fn fits(plan: &Plan) -> bool {
    shortage(plan).is_none()
}

/// The memory that is needed without doubt, and what is free, if that is less \[bytes\].
fn shortage(plan: &Plan) -> Option<(u64, u64)> {
    let least = plan.memory_at_work();
    memory::free().filter(|&free| least > free).map(|free| (least, free))
}

/// Refuses a run of `frames` of a scene for which memory, or the disk that `folder` is on, does not
/// suffice.
///
/// A start that is beyond computing is left to the run to tell.
pub fn check(
    (scene, plan): (&Prepared, &Plan),
    folder: &Path,
    frames: u64,
    console: Console,
) -> Result<(), Verdict> {
    let refuse = |needed: u64, what: &str, free: u64, help: &str| {
        console.error(format_args!(
            "the run needs about {} of {what}, and {} are free: {help}, or run it all the same \
             with `--allow-shortage`",
            units::bytes(needed),
            units::bytes(free)
        ));
        Err(Verdict::WrongInput)
    };
    let fewer = "fewer particles by a larger `particle_radius`";
    // First what is known without work: to find out the rest takes that much.
    if let Some((least, free)) = shortage(plan) {
        return refuse(least, "memory", free, fewer);
    }
    let Ok(estimate) = plan.clone().estimate() else { return Ok(()) };
    let previews = preview::memory::after_run(scene, estimate.disk_per_frame, 1);
    match memory::free() {
        Some(free) if estimate.memory > free => {
            return refuse(estimate.memory, "memory", free, fewer);
        }
        Some(free) if previews > free => {
            return refuse(previews, "memory", free, "smaller pictures by `preview.size`");
        }
        _ => {}
    }
    let needed = estimate.disk(frames);
    match free_space(folder) {
        Some(free) if needed > free => {
            refuse(needed, "disk", free, "fewer frames, or fewer formats by `output`")
                .map_err(|refused| Verdict::DiskFull(refused.code()))
        }
        _ => Ok(()),
    }
}
