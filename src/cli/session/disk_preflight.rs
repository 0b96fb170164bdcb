//! Checks memory and disk space before a run.

use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::preview;
use crate::cli::system::memory;
use hashfall_core::units;
use hashfall_output::files::free_space;
use hashfall_run::Plan;
use hashfall_scene::Prepared;
use std::path::Path;

/// Whether memory suffices, by the lower bound that is known without computing.
pub fn fits(plan: &Plan) -> bool {
    shortage(plan).is_none()
}

/// The lower bound of the needed memory, and the free memory, if that is less \[bytes\].
fn shortage(plan: &Plan) -> Option<(u64, u64)> {
    let min = plan.memory_at_work();
    memory::free().filter(|&free| min > free).map(|free| (min, free))
}

/// Checks that memory, and the disk of `folder`, suffice for `frames` frames of a scene.
///
/// An initial state that cannot be computed passes: the run reports it.
///
/// # Errors
/// The verdict, after the error was printed.
pub fn check(
    scene: &Prepared,
    plan: &Plan,
    folder: &Path,
    frames: u64,
    console: Console,
) -> Result<(), Verdict> {
    let refuse = |needed: u64, what: &str, free: u64, help: &str| {
        console.error(format_args!(
            "the run needs about {} of {what}, but only {} are free; use {help}, or pass \
             `--allow-shortage` to run anyway",
            units::bytes(needed),
            units::bytes(free)
        ));
        Err(Verdict::WrongInput)
    };
    let fewer = "a larger `particle_radius`";
    // First the lower bound: the full estimate needs that much memory itself.
    if let Some((min, free)) = shortage(plan) {
        return refuse(min, "memory", free, fewer);
    }
    let Ok(estimate) = plan.clone().estimate() else { return Ok(()) };
    let previews = preview::memory::after_run(scene, estimate.disk_per_frame, 1);
    match memory::free() {
        Some(free) if estimate.memory > free => {
            return refuse(estimate.memory, "memory", free, fewer);
        }
        Some(free) if previews > free => {
            return refuse(previews, "memory", free, "a smaller `preview.size`");
        }
        _ => {}
    }
    let needed = estimate.disk(frames);
    match free_space(folder) {
        Some(free) if needed > free => {
            refuse(needed, "disk", free, "fewer frames or fewer `output` formats")
                .map_err(|refused| Verdict::DiskFull(refused.code()))
        }
        _ => Ok(()),
    }
}
