//! What a run of a scene takes: memory and disk.

use super::line::{Line, Subject};
use crate::cli::preview;
use hashfall_core::units;
use hashfall_scene::Prepared;

/// The factor within which the true time is taken to be, and the other where the pilot has not seen
/// most of the run.
const SPREAD: f64 = 1.5;
const WIDE_SPREAD: f64 = 2.5;
/// The part of a run that is most of it.
const MOST: f64 = 0.5;

pub fn time(Subject { scene, time, .. }: &Subject) -> Vec<Line> {
    let Some(time) = time else { return Vec::new() };
    let spread = if time.seen >= MOST { SPREAD } else { WIDE_SPREAD };
    let count = rayon::current_num_threads();
    let threads = units::count(count as u64, "thread");
    let range = |seconds: f64| range_of_time(seconds / spread, seconds * spread);
    let (cpu, wall) = (range(time.cpu_seconds), range(time.cpu_seconds / count as f64));
    let steps = number_of_steps(time.steps);
    let is_fluid = !scene.world.fluids.is_empty();
    let trials = if is_fluid { "trials with fewer particles" } else { "the first frames" };
    vec![
        Line::new("time", format!("{cpu} of CPU time of this machine")),
        Line::more(format!("{wall} on {threads}, if all are busy and nothing else runs")),
        Line::more(format!("about {steps}; a guess from {trials}")),
    ]
}

/// A number of steps in plain words, such as `1 step` or `12300 steps`.
fn number_of_steps(steps: f64) -> String {
    match units::format_significant(steps.max(1.0).round(), 3) {
        one if one == "1" => "1 step".to_owned(),
        more => format!("{more} steps"),
    }
}

/// A range of times in plain words, such as `20 to 45 s` or `2 to 5 min`.
fn range_of_time(low: f64, high: f64) -> String {
    const UNITS: [(&str, f64); 4] = [("days", 86_400.0), ("h", 3600.0), ("min", 60.0), ("s", 1.0)];
    if high < 1.5 {
        return "a second or less".to_owned();
    }
    let fits = |(_, unit): &&(&str, f64)| high >= 2.0 * unit;
    let &(name, unit) = UNITS.iter().find(fits).unwrap_or(&UNITS[3]);
    let [low, high] = [low / unit, high / unit].map(|x| match x {
        x if x >= 20.0 => format!("{:.0}", (x / 5.0).round() * 5.0),
        x if x >= 3.0 => format!("{x:.0}"),
        x => format!("{:.1}", (x * 2.0).round() / 2.0).trim_end_matches(".0").to_owned(),
    });
    if low == high { format!("about {high} {name}") } else { format!("{low} to {high} {name}") }
}

pub fn memory(Subject { scene, estimate, .. }: &Subject) -> Vec<Line> {
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

pub fn disk(Subject { scene, estimate, .. }: &Subject) -> Vec<Line> {
    let frames = u64::from(scene.frames.count) + 1;
    let all = units::bytes(estimate.disk(frames).saturating_add(copies(scene)));
    let guess = match estimate.surface_per_frame {
        0 => String::new(),
        surfaces => format!(", of which {} of surfaces (a guess)", units::bytes(surfaces)),
    };
    let parts = [
        (estimate.disk_for_obstacles, "solids"),
        (copies(scene), "copies of the scene's files"),
        (estimate.disk_for_checkpoints, "checkpoints"),
    ];
    let parts = parts.iter().filter(|(bytes, _)| *bytes > 0);
    let parts: Vec<String> =
        parts.map(|(bytes, what)| format!("{} of {what}", units::bytes(*bytes))).collect();
    let parts = if parts.is_empty() { String::new() } else { parts.join(", ") + "; " };
    let frame = units::bytes(estimate.disk_per_frame);
    vec![
        Line::new("disk", format!("about {frame} per frame{guess}")),
        Line::more(format!("{parts}about {all} in total")),
    ]
}

/// Bytes of the scene's meshes and particle files, which stay in memory to be copied into the run's
/// folder.
fn copies(scene: &Prepared) -> u64 {
    scene.meshes.iter().map(|mesh| mesh.bytes.len() as u64).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_plain_words() {
        let range = |seconds: f64| range_of_time(seconds / 1.5, seconds * 1.5);
        assert_eq!(range(0.5), "a second or less");
        assert_eq!(range(10.0), "7 to 15 s");
        assert_eq!(range(60.0), "40 to 90 s");
        assert_eq!(range(600.0), "7 to 15 min");
        assert_eq!(range(5.0 * 3600.0), "3 to 8 h");
        assert_eq!(range(4.0 * 86_400.0), "2.5 to 6 days");
    }

    #[test]
    fn one_step_is_no_steps() {
        assert_eq!(
            [0.2, 1.4, 2.0, 90.0].map(number_of_steps),
            ["1 step", "1 step", "2 steps", "90 steps"]
        );
    }
}
