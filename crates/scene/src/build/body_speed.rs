//! The speed of the fastest body, which bounds the speed of sound; bodies that are too fast are
//! refused.

use crate::layout::body_motion::run_end;
use crate::model::limits::{MAX_BODY_SPEED, MAX_RPM, SLACK};
use crate::model::{BodyMotion, Model};
use crate::problem::Problem;
use hashfall_core::format_significant;
use hashfall_solid::{Solids, SpeedSample};

/// The speed of the fastest point of any solid in all the run \[m/s\].
///
/// # Errors
/// Solids that are too fast, each with where that is said.
pub fn fastest(model: &Model, solids: &Solids) -> Result<f64, Vec<Problem>> {
    let (mut fastest, mut problems) = (0.0_f64, Vec::new());
    for (number, reach, paces) in solids.speed_samples(run_end(model)) {
        problems.extend(paces.iter().find_map(|pace| too_fast(model, number, pace, reach)));
        fastest = paces.iter().map(|pace| pace.fastest(reach)).fold(fastest, f64::max);
    }
    if problems.is_empty() { Ok(fastest) } else { Err(problems) }
}

/// A problem of a solid of this reach \[m\], if it is too fast at such a pace.
fn too_fast(model: &Model, number: usize, pace: &SpeedSample, reach: f64) -> Option<Problem> {
    let (speed, rpm) = (pace.fastest(reach), pace.spin * 60.0 / std::f64::consts::TAU);
    let at = format_significant(pace.time, 6);
    let message = if speed > MAX_BODY_SPEED {
        format!("a point of this body may reach {} m/s at t = {at} s", format_significant(speed, 6))
    } else if rpm > MAX_RPM * (1.0 + SLACK) {
        format!("this body turns {} times a minute at t = {at} s", format_significant(rpm, 6))
    } else {
        return None;
    };
    let path = format!("solids[{number}].motion");
    let place = match (&model.solids[number].motion(), pace.key) {
        (BodyMotion::Spin { .. }, _) => format!("{path}.rpm"),
        (_, Some(key)) => format!("{path}.keys[{key}]"),
        (_, None) => path,
    };
    let help = format!(
        "below {MAX_BODY_SPEED:e} m/s everywhere, and {MAX_RPM:e} revolutions a minute, to {} s, \
         the end of the run",
        format_significant(run_end(model), 6)
    );
    Some(Problem::error(place, message, &help).also_at("frames"))
}
