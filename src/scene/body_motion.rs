//! From what a scene says of how a solid moves to the motion itself.

use super::model::{After, Between, BodyMotion, KeyModel, Model};
use crate::base::formula::{Fault, Formula};
use crate::solid::{Key, Motion, Solids, Turn};

/// Looks at a motion between two frames.
const LOOKS_A_FRAME: f64 = 4.0;
/// Looks in all.
const MOST_LOOKS: f64 = 20_000.0;

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
    Formula::read(text)
}

/// Times of the run \[s\] at which motions are looked at: some in each frame.
pub fn looks(model: &Model) -> impl Iterator<Item = f64> {
    let frames = &model.frames;
    let count = (f64::from(frames.count) * LOOKS_A_FRAME).clamp(1.0, MOST_LOOKS);
    let end = f64::from(frames.count) / frames.rate;
    (0..=count as u32).map(move |k| end * f64::from(k) / count)
}

/// The speed of the fastest point of any solid in all the run \[m/s\].
pub fn fastest(model: &Model, solids: &Solids) -> f64 {
    if !solids.has_movers() {
        return 0.0;
    }
    looks(model).map(|time| solids.fastest_at(time)).fold(0.0, f64::max)
}

fn key(model: &KeyModel) -> Key {
    let turn = Turn { axis: model.rotate.axis, degrees: model.rotate.degrees };
    Key { time: model.time, shift: model.translate, turn }
}
