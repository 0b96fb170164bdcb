//! Runs of which only some frames have foam, as after they went on.

use crate::cli::console::shell_path;
use hashfall_core::units;
use std::path::Path;

/// What to tell of frames of a run, only some of which have foam; none if all or none do.
pub fn warning(folder: &Path, frames: &[u32], has_foam: impl Fn(u32) -> bool) -> Option<String> {
    let without: Vec<u32> = frames.iter().copied().filter(|frame| !has_foam(*frame)).collect();
    let first = *without.first().filter(|_| without.len() < frames.len())?;
    let all = units::count(frames.len() as u64, "frame");
    Some(format!(
        "{} of {all} have no foam, first frame {first}; `sim foam {}` computes it for all",
        without.len(),
        shell_path(folder)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_runs_with_foam_in_some_frames_are_told_of() {
        let told = |until: u32| warning(Path::new("out/a b"), &[0, 2, 4, 6], |frame| frame < until);
        assert_eq!((told(0), told(9)), (None, None));
        let text = told(3).unwrap();
        let command = format!("`sim foam {}`", shell_path(Path::new("out/a b")));
        assert!(text.starts_with("2 of 4 frames have no foam, first frame 4;"), "{text}");
        assert!(text.contains(&command), "{text}");
    }
}
