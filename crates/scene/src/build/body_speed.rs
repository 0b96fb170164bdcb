//! The speed of the fastest body, which bounds the speed of sound; bodies that are too fast are
//! refused.

use crate::layout::body_entries::BodyEntry;
use crate::layout::body_motion::{self, run_end};
use crate::model::limits::{MAX_BODY_SPEED, MAX_RPM, SLACK};
use crate::model::{BodyMotion, Domain, Model};
use crate::problem::Problem;
use hashfall_core::format_significant;
use hashfall_geometry::Point;
use hashfall_solid::{Solids, SpeedSample};

/// A body does not turn that turns more slowly \[1/s\].
const STILL: f64 = 1e-12;

/// The speed of the fastest point of any solid in all the run \[m/s\].
///
/// # Errors
/// Solids that are too fast, each with where that is said.
pub fn fastest(model: &Model, entries: &[BodyEntry], solids: &Solids) -> Result<f64, Vec<Problem>> {
    let (mut fastest, mut problems) = (0.0_f64, Vec::new());
    for (number, reach, paces) in solids.speed_samples(run_end(model)) {
        let number = entries[number].solid;
        let path = format!("solids[{number}].motion");
        problems.extend(paces.iter().find_map(|pace| too_fast(model, &path, pace, reach)));
        fastest = paces.iter().map(|pace| pace.fastest(reach)).fold(fastest, f64::max);
        if let BodyMotion::Free(free) = model.solids[number].motion() {
            let [v, spin] = [free.velocity, free.spin].map(|it| Point::from(it).norm());
            fastest = fastest.max(v + spin * reach);
        }
    }
    if problems.is_empty() { Ok(fastest) } else { Err(problems) }
}

/// The largest change of the speed of the frame since the start, at any place of the domain
/// \[m/s\]: fluid that stays where it was outside has it against the frame.
///
/// # Errors
/// A frame that is too fast, or turns about another axis than that along which the domain repeats.
pub fn frame_speed(model: &Model) -> Result<f64, Problem> {
    let Some(law) = body_motion::to_motion(&model.reference_frame) else { return Ok(0.0) };
    let Domain::Box { min, max, periodic, .. } = model.domain;
    let corner = |i: usize| [0, 1, 2].map(|a| if i >> a & 1 == 0 { min[a] } else { max[a] });
    let reach = (0..8).map(|i| law.reach(&corner(i).into())).fold(0.0, f64::max);
    let paces = law.speed_samples(run_end(model));
    if let Some(problem) =
        paces.iter().find_map(|pace| too_fast(model, "reference_frame", pace, reach))
    {
        return Err(problem);
    }
    let start = law.state_at(0.0);
    let turns_across = |a: usize| {
        let spins = paces.iter().map(|pace| law.state_at(pace.time).angular_velocity);
        spins.into_iter().any(|spin| (0..3).any(|b| b != a && spin[b].abs() > STILL))
    };
    if let Some(a) = (0..3).find(|&a| periodic[a] && turns_across(a)) {
        let axis = ["x", "y", "z"][a];
        let message =
            format!("a frame that turns pulls outwards, and the domain repeats along {axis}");
        let help = "walls in place of a periodic axis, or a rotation about that axis";
        return Err(Problem::error("reference_frame", message, help)
            .also_at(format!("domain.periodic[{a}]")));
    }
    let change = |pace: &SpeedSample| {
        let state = law.state_at(pace.time);
        let turn = (state.angular_velocity - start.angular_velocity).norm();
        (state.velocity - start.velocity).norm() + turn * reach
    };
    Ok(paces.iter().map(change).fold(0.0, f64::max))
}

/// A problem of a motion of this reach \[m\], if it is too fast at such a pace.
fn too_fast(model: &Model, path: &str, pace: &SpeedSample, reach: f64) -> Option<Problem> {
    let (speed, rpm) = (pace.fastest(reach), pace.spin * 60.0 / std::f64::consts::TAU);
    let at = format_significant(pace.time, 6);
    let message = if speed > MAX_BODY_SPEED {
        format!("a point of this body may reach {} m/s at t = {at} s", format_significant(speed, 6))
    } else if rpm > MAX_RPM * (1.0 + SLACK) {
        format!("this body turns {} times a minute at t = {at} s", format_significant(rpm, 6))
    } else {
        return None;
    };
    let motion = model.motions().find_map(|(key, motion)| (key == path).then_some(motion));
    let place = match (motion, pace.key) {
        (Some(BodyMotion::Spin { .. }), _) => format!("{path}.rpm"),
        (_, Some(key)) => format!("{path}.keys[{key}]"),
        (_, None) => path.to_owned(),
    };
    let help = format!(
        "below {MAX_BODY_SPEED:e} m/s everywhere, and {MAX_RPM:e} revolutions a minute, to {} s, \
         the end of the run",
        format_significant(run_end(model), 6)
    );
    Some(Problem::error(place, message, &help).also_at("frames"))
}
