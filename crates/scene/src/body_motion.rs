//! From what a scene says of how a solid moves to the motion itself.

use super::check::{Problem, SLACK};
use super::model::{After, Between, BodyMotion, KeyModel, Model};
use hashfall_core::short;
use hashfall_formula::{Fault, Formula};
use hashfall_solid::{self as solid, Key, Motion, Pace, Solids, Turn};

/// The end of a run at the latest \[s\]: as many frames as a scene may have, as rarely.
const LATEST: f64 = 1e9;
/// Bodies stay below this speed \[m/s\].
pub const FASTEST: f64 = 1e4;
/// Bodies turn no faster than this \[1/min\].
pub const MOST_RPM: f64 = 1e6;

/// The motion of a checked scene; none of a solid that stands.
pub fn of(model: &BodyMotion) -> Option<Motion> {
    match model {
        BodyMotion::Still => None,
        BodyMotion::Keyframes { keys, pivot, between, after } => {
            let keys: Vec<Key> = keys.iter().map(key).collect();
            let (is_smooth, repeats) = (*between == Between::Smooth, *after == After::Repeat);
            Some(Motion::through(*pivot, &keys, is_smooth, repeats))
        }
        BodyMotion::Formula { translate, degrees, axis, pivot } => {
            let [x, y, z] = translate.each_ref().map(|text| read(text));
            let shift = [x.ok()?, y.ok()?, z.ok()?];
            Some(Motion::by_formulas(*pivot, shift, *axis, read(degrees).ok()?))
        }
        BodyMotion::Spin { rpm, axis, pivot } => Some(Motion::spin(*pivot, *axis, *rpm)),
    }
}

/// Reads a formula of a scene.
pub fn read(text: &str) -> Result<Formula, Fault> {
    Formula::parse(text)
}

/// The end of the run \[s\]; an end, too, if what is said of frames cannot be meant.
pub fn end(model: &Model) -> f64 {
    model.frames.time(model.frames.count).min(LATEST)
}

/// Times of the run \[s\] at which formulas are looked at.
pub fn looks(model: &Model) -> impl Iterator<Item = f64> {
    solid::looks(end(model))
}

/// The speed of the fastest point of any solid in all the run \[m/s\].
///
/// # Errors
/// Solids that are too fast, each with where that is said.
pub fn fastest(model: &Model, solids: &Solids) -> Result<f64, Vec<Problem>> {
    let (mut fastest, mut problems) = (0.0_f64, Vec::new());
    for (number, reach, paces) in solids.paces(end(model)) {
        problems.extend(paces.iter().find_map(|pace| too_fast(model, number, pace, reach)));
        fastest = paces.iter().map(|pace| pace.fastest(reach)).fold(fastest, f64::max);
    }
    if problems.is_empty() { Ok(fastest) } else { Err(problems) }
}

/// A problem of a solid of this reach \[m\], if it is too fast at such a pace.
fn too_fast(model: &Model, number: usize, pace: &Pace, reach: f64) -> Option<Problem> {
    let (speed, rpm) = (pace.fastest(reach), pace.spin * 60.0 / std::f64::consts::TAU);
    let at = short(pace.time, 6);
    let message = if speed > FASTEST {
        format!("a point of this body may reach {} m/s at t = {at} s", short(speed, 6))
    } else if rpm > MOST_RPM * (1.0 + SLACK) {
        format!("this body turns {} times a minute at t = {at} s", short(rpm, 6))
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
        "below {FASTEST:e} m/s everywhere, and {MOST_RPM:e} revolutions a minute, to {} s, the end \
         of the run",
        short(end(model), 6)
    );
    Some(Problem::error(place, message, &help).and("frames"))
}

fn key(model: &KeyModel) -> Key {
    let turn = Turn { axis: model.rotate.axis, degrees: model.rotate.degrees };
    Key { time: model.time, shift: model.translate, turn }
}
