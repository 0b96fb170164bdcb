//! `sim check`: reports the content and the cost of scenes, or all of their errors.

use crate::cli::args::CheckArgs;
use crate::cli::console::Console;
use crate::cli::console::Verdict;
use crate::cli::files::load;
use crate::cli::files::path_policy::PathPolicy;
use crate::cli::preview;
use hashfall_core::units;
use hashfall_run::{Estimate, Plan};
use hashfall_scene::{MeshSummary, Override, Prepared, escape_unprintable};
use hashfall_sph::world::{EnergyLimit, EnergySource, ViscositySolver, World};
use std::fmt::Write;
use std::io;
use std::path::Path;

/// Checks every scene; runs and writes nothing.
pub fn check(args: &CheckArgs, console: Console) -> Verdict {
    let changes = match load::changes(&args.scene) {
        Ok(changes) => changes,
        Err(faults) => {
            console.diagnostics(&faults);
            return Verdict::WrongInput;
        }
    };
    let reach = PathPolicy::new(args.scene.allow_outside);
    let mut verdict = Verdict::Done;
    let mut is_stdout_open = true;
    for path in &args.scenes {
        match report(path, &changes, reach, console) {
            Ok(report) if is_stdout_open => match console.data(report) {
                Ok(()) => {}
                // The other scenes are still checked for the exit code.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => is_stdout_open = false,
                Err(error) => {
                    console.error(format_args!("cannot write the report: {error}"));
                    return Verdict::Failed;
                }
            },
            Ok(_) => {}
            Err(worse) => verdict = verdict.or_worse(worse),
        }
    }
    verdict
}

/// The report on one scene; prints errors.
fn report(
    path: &Path,
    changes: &[Override],
    reach: PathPolicy,
    console: Console,
) -> Result<String, Verdict> {
    let scene = load::prepare(path, changes, reach).map_err(|faults| {
        console.diagnostics(&faults);
        Verdict::WrongInput
    })?;
    console.diagnostics(&scene.warnings);
    match Plan::from(&scene).estimate() {
        Ok(estimate) => Ok(render(&load::name(path), &scene, &estimate)),
        Err(blow_up) => {
            console.error(format_args!("{}: {blow_up}", load::name(path)));
            Err(Verdict::WrongInput)
        }
    }
}

fn render(name: &str, scene: &Prepared, estimate: &Estimate) -> String {
    let mut text = format!("{name}\n");
    let mut line = |key: &str, value: String| {
        // Writing to memory does not fail.
        let _ = writeln!(text, "  {key:<16} {value}");
    };
    if let Some(description) = &scene.description {
        line("description", escape_unprintable(description));
    }
    line("particles", scene.world.particles.len().to_string());
    for (fluid, particles) in scene.world.fluids.iter().zip(&scene.particles_per_fluid) {
        // The lattice may fill less than the volume of its shapes.
        let volume = *particles as f64 * f64::from(scene.world.particle_volume());
        let volume = units::three_figures(volume);
        line("", format!("{particles} of \"{}\", {volume} m³", fluid.name));
    }
    for (i, emitter) in scene.world.open_boundaries.emitters.iter().enumerate() {
        let (places, d) = (emitter.places.len() as f64, f64::from(scene.world.spacing()));
        let volume = f64::from(scene.world.particle_volume());
        let rate = places * volume * emitter.speed_across() / d;
        let fluid = &scene.world.fluids[usize::from(emitter.phase)].name;
        let (count, rate) = (emitter.places.len(), units::three_figures(rate));
        let key = if i == 0 { "emitters" } else { "" };
        line(key, format!("{count} particles per layer of \"{fluid}\", {rate} m³/s"));
    }
    if !scene.world.open_boundaries.emitters.is_empty() {
        line("", format!("at most {:.0} particles by the last frame", estimate.most_particles));
    }
    if scene.removed_in_solids > 0 {
        line("removed", format!("{} that overlapped a solid", scene.removed_in_solids));
    }
    let solids = &scene.world.solids;
    let triangles: usize = solids.meshes().iter().map(|mesh| mesh.triangles.len()).sum();
    let (spheres, triangles) = (solids.spheres().len() as u64, triangles as u64);
    line(
        "solids",
        format!("{}, {}", units::count(spheres, "sphere"), units::count(triangles, "triangle")),
    );
    if solids.has_moving_bodies() {
        let (moving, all) = (solids.moving_obstacles().count(), solids.body_count() - 1);
        line("", format!("{moving} of {all} move"));
    }
    for (i, mesh) in scene.mesh_summaries.iter().enumerate() {
        line(if i == 0 { "meshes" } else { "" }, measures(mesh));
    }
    if let Some(speed) = estimate.sound_speed {
        line("sound speed", format!("{} m/s", units::three_figures(speed)));
    }
    if let Some(solver) = viscosity_solver(&scene.world) {
        line("viscosity", solver.to_owned());
    }
    let (dt, limit) = (units::three_figures(estimate.first_time_step), estimate.limit.name());
    let why = match limit {
        "fixed" => "given in the scene".to_owned(),
        limit => format!("limited by {limit}"),
    };
    line("first time step", format!("{dt} s, {why}"));
    line("energy limit", energy_limit(scene, estimate));
    let frames = scene.frames;
    let seconds = units::three_figures(frames.time(frames.count));
    line("frames", format!("{} at {} per second: {seconds} s", frames.count, frames.rate));
    // The bytes of the scene's meshes stay in memory, to be copied into the run's folder.
    let copies: u64 = scene.meshes.iter().map(|mesh| mesh.bytes.len() as u64).sum();
    let threads = rayon::current_num_threads();
    let previews = preview::memory::after_run(scene, estimate.disk_per_frame, threads);
    line("memory", format!("about {}", units::bytes(estimate.memory.max(previews) + copies)));
    if previews > 0 {
        let [run, previews] = [estimate.memory, previews].map(units::bytes);
        line("", format!("{run} for the run, then {previews} for the previews"));
    }
    let (frame, frames) = (estimate.disk_per_frame, u64::from(frames.count) + 1);
    let solids = estimate.disk_for_obstacles + copies;
    let checkpoints = estimate.disk_for_checkpoints;
    let all = units::bytes(estimate.disk(frames).saturating_add(copies));
    let guess = match estimate.surface_per_frame {
        0 => String::new(),
        surfaces => format!(", of which {} of surfaces (a guess)", units::bytes(surfaces)),
    };
    let [frame, solids, checkpoints] = [frame, solids, checkpoints].map(units::bytes);
    line("disk", format!("about {frame} per frame{guess}"));
    line("", format!("{solids} of solids, {checkpoints} of checkpoints; about {all} in total"));
    text
}

/// The viscosity solver of the fluids; `None` where none is viscous.
fn viscosity_solver(world: &World) -> Option<&'static str> {
    let is_viscous = world.fluids.iter().any(|fluid| fluid.viscosity > 0.0);
    is_viscous.then_some(match world.viscosity {
        ViscositySolver::Explicit => "Explicit: a force by the present velocities",
        ViscositySolver::Implicit => "Implicit: does not limit the time step",
    })
}

/// The energy limit of a scene.
fn energy_limit(scene: &Prepared, estimate: &Estimate) -> String {
    let gain = match (scene.limits.energy_gain, estimate.energy.allowance) {
        (None, _) => return "none".to_owned(),
        (Some(EnergyLimit::Joules(gain)), _) | (Some(EnergyLimit::Auto), Some([gain, _])) => gain,
        (Some(EnergyLimit::Auto), None) => {
            let source = scene.world.energy_source().map(EnergySource::description);
            return format!("none: {}", source.unwrap_or_default());
        }
    };
    let [gain, start] = [gain, estimate.energy.start].map(units::three_figures);
    format!("{gain} J above the start, {start} J")
}

/// The size of a mesh, on one line.
fn measures(mesh: &MeshSummary) -> String {
    let [x, y, z] = mesh.extent.map(units::three_figures);
    let volume = match mesh.volume {
        Some(volume) => format!("{} m³", units::three_figures(volume)),
        None => "open".to_owned(),
    };
    let shells = units::count(mesh.shells as u64, "shell");
    let triangles = units::count(mesh.triangles as u64, "triangle");
    let (key, path) = (&mesh.key, escape_unprintable(&mesh.path));
    format!("{key} \"{path}\": {x} × {y} × {z} m, {volume}, {shells}, {triangles}")
}
