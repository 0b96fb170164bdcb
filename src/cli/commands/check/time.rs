//! How a scene is stepped in time.

use super::line::{Line, Subject};
use hashfall_core::units;
use hashfall_sph::world::{EnergyLimit, ViscositySolver, World};

pub fn fluid(subject: &Subject) -> Vec<Line> {
    let speed = subject.estimate.sound_speed;
    let speed =
        speed.map(|speed| Line::new("sound speed", format!("{} m/s", units::three_figures(speed))));
    let solver = viscosity_solver(&subject.scene.world);
    speed.into_iter().chain(solver.map(|solver| Line::new("viscosity", solver))).collect()
}

/// The viscosity solver of the fluids; `None` where none is viscous.
fn viscosity_solver(world: &World) -> Option<&'static str> {
    let is_viscous = world.fluids.iter().any(|fluid| fluid.viscosity > 0.0);
    is_viscous.then_some(match world.viscosity {
        ViscositySolver::Explicit => "Explicit: a force by the present velocities",
        ViscositySolver::Implicit => "Implicit: does not limit the time step",
    })
}

pub fn step(subject: &Subject) -> Vec<Line> {
    let dt = units::three_figures(subject.estimate.first_time_step);
    let why = match subject.estimate.limit.name() {
        "fixed" => "given in the scene".to_owned(),
        limit => format!("limited by {limit}"),
    };
    let mut lines = vec![Line::new("first time step", format!("{dt} s, {why}"))];
    if !subject.scene.world.fluids.is_empty() {
        lines.push(Line::new("energy limit", energy_limit(subject)));
    }
    lines
}

/// The energy limit of the fluid.
fn energy_limit(Subject { scene, estimate, .. }: &Subject) -> String {
    let gain = match (scene.limits.energy_gain, estimate.energy.allowance) {
        (None, _) | (Some(EnergyLimit::Auto), None) => return "none".to_owned(),
        (Some(EnergyLimit::Joules(gain)), _) | (Some(EnergyLimit::Auto), Some([_, gain])) => gain,
    };
    let [gain, start] = [gain, estimate.energy.start].map(units::three_figures);
    let is_auto = scene.limits.energy_gain == Some(EnergyLimit::Auto);
    let more = if is_auto { ", beyond what is supplied and 5 % of it" } else { "" };
    let load = estimate.energy.load.filter(|_| is_auto).map(|load| {
        let load = units::three_figures(load);
        format!("; the pressures of the start store {load} J, as particles stand too close")
    });
    format!("{gain} J above the start, {start} J{more}{}", load.unwrap_or_default())
}

pub fn frames(subject: &Subject) -> Vec<Line> {
    let frames = subject.scene.frames;
    let seconds = units::three_figures(frames.time(frames.count));
    vec![Line::new(
        "frames",
        format!("{} at {} per second: {seconds} s", frames.count, frames.rate),
    )]
}
