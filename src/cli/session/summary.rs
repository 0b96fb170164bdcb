//! The closing summary of a run.

use crate::cli::console::{Fields, shell_path};
use hashfall_core::timer::Stage;
use hashfall_core::units;
use hashfall_output::layout;
use hashfall_run::RunReport;
use hashfall_scene::{Output, ParticleFormat, SurfaceFormat};
use std::path::Path;

/// What there is to see of a run without another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Previews {
    /// The previews that its scene asks for.
    Made,
    None,
}

/// The closing summary of a run that left its files in `folder`.
pub fn render(report: &RunReport, folder: &Path, output: &Output, previews: Previews) -> String {
    let mut fields = Fields::new(0, 23);
    let mut line = |key: &str, value: String| fields.add(key, value);
    let time = units::three_figures(report.time);
    line("frames", format!("{} to t = {time} s", report.frames));
    line("steps", report.steps.to_string());
    if report.rejected > 0 {
        line("rejected steps", report.rejected.to_string());
    }
    line("wall time", units::duration(report.wall));
    line("ms per step", stages_per_step(report));
    line("shares of time", shares_of_time(report));
    if report.has_fluid {
        line("density error", density_error(report));
        line("max penetration", format!("{} d", units::three_figures(report.deepest_penetration)));
    }
    if report.passages > 0 {
        let passages = units::count(report.passages, "passage");
        line("passages", format!("{passages} of a vertex through a triangle"));
    }
    if report.intersections > 0 {
        let edges = units::count(report.intersections, "edge");
        line("intersections", format!("{edges} through a triangle at the end"));
    }
    line("state digest", format!("{:016x}", report.digest));
    if let Some(digest) = report.elastic_digest {
        line("elastic digest", format!("{digest:016x}"));
    }
    line("files", folder.display().to_string());
    let script = |name: &str| shell_path(&folder.join(name));
    let counts = [output.particles.len(), output.surface.len(), output.elastic.len()];
    if counts.iter().any(|&formats| formats > 0) {
        line("", format!("ParaView: paraview --script={}", script("paraview.py")));
    }
    if opens_in_blender(output) {
        line("", format!("Blender: blender --python {}", script("blender.py")));
    }
    match previews {
        Previews::Made => {
            let page = folder.join(layout::PREVIEW_PAGE);
            line("previews", format!("{}, in a browser", page.display()));
        }
        Previews::None => {
            line("images and a film", format!("sim preview {}", shell_path(folder)));
        }
    }
    line("charts", format!("sim report {}", shell_path(folder)));
    fields.into_text()
}

/// The mean, and the largest with its place and time.
fn density_error(report: &RunReport) -> String {
    let [mean, largest] =
        [report.density_error_mean(), report.density_error_max].map(|x| 100.0 * x);
    let at = report.density_error_max_at.map_or(String::new(), |([x, y, z], time)| {
        format!(" at ({x:.3}, {y:.3}, {z:.3}), t = {} s", units::three_figures(time))
    });
    format!("{mean:.3} % in the mean; largest {largest:.2} %{at}")
}

/// Whether there is a file that Blender's script shows.
fn opens_in_blender(output: &Output) -> bool {
    let mut meshes = output.surface.iter().chain(&output.elastic);
    meshes.any(|format| *format == SurfaceFormat::Ply)
        || output.particles.contains(&ParticleFormat::Ply)
}

/// The stages by their shares of all time, the largest first, down to a hundredth.
fn shares_of_time(report: &RunReport) -> String {
    let total = report.stages.total().as_secs_f64().max(f64::MIN_POSITIVE);
    let mut shares: Vec<(Stage, f64)> =
        Stage::ALL.map(|stage| (stage, report.stages.of(stage).as_secs_f64() / total)).into();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let told = shares.into_iter().filter(|(_, share)| *share >= 0.01);
    let told: Vec<String> =
        told.map(|(stage, share)| format!("{} {:.0} %", stage.name(), 100.0 * share)).collect();
    told.join(", ")
}

/// The whole step and its stages; frames are spread over the steps.
fn stages_per_step(report: &RunReport) -> String {
    let per_step =
        |seconds: f64| units::three_figures(1e3 * seconds / report.timed_steps.max(1) as f64);
    let mut text = per_step(report.stages.total().as_secs_f64());
    let mut stages: Vec<(Stage, f64)> =
        Stage::ALL.map(|stage| (stage, report.stages.of(stage).as_secs_f64())).into();
    stages.sort_by(|a, b| b.1.total_cmp(&a.1));
    for (i, (stage, seconds)) in stages.into_iter().filter(|s| s.1 > 0.0).enumerate() {
        let separator = if i == 0 { ":" } else { "," };
        text += &format!("{separator} {} {}", stage.name(), per_step(seconds));
    }
    text
}
