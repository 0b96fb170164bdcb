//! What a run of a scene takes: memory and disk.

use super::report::{Line, Subject};
use crate::cli::preview;
use hashfall_core::units;
use hashfall_scene::Prepared;

pub fn memory(Subject { scene, estimate }: &Subject) -> Vec<Line> {
    let threads = rayon::current_num_threads();
    let previews = preview::memory::after_run(scene, estimate.disk_per_frame, threads);
    let all = units::bytes(estimate.memory.max(previews) + copies(scene));
    let mut lines = vec![Line::new("memory", format!("about {all}"))];
    if previews > 0 {
        let [run, previews] = [estimate.memory, previews].map(units::bytes);
        lines.push(Line::more(format!("{run} for the run, then {previews} for the previews")));
    }
    lines
}

pub fn disk(Subject { scene, estimate }: &Subject) -> Vec<Line> {
    let frames = u64::from(scene.frames.count) + 1;
    let solids = estimate.disk_for_obstacles + copies(scene);
    let all = units::bytes(estimate.disk(frames).saturating_add(copies(scene)));
    let guess = match estimate.surface_per_frame {
        0 => String::new(),
        surfaces => format!(", of which {} of surfaces (a guess)", units::bytes(surfaces)),
    };
    let [frame, solids, checkpoints] =
        [estimate.disk_per_frame, solids, estimate.disk_for_checkpoints].map(units::bytes);
    vec![
        Line::new("disk", format!("about {frame} per frame{guess}")),
        Line::more(format!(
            "{solids} of solids, {checkpoints} of checkpoints; about {all} in total"
        )),
    ]
}

/// Bytes of the scene's meshes, which stay in memory to be copied into the run's folder.
fn copies(scene: &Prepared) -> u64 {
    scene.meshes.iter().map(|mesh| mesh.bytes.len() as u64).sum()
}
