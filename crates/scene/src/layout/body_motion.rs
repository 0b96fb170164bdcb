//! Converts the prescribed motion of the model to that of the solid crate.

use crate::model::{After, Between, BodyMotion, KeyModel, Model};
use hashfall_formula::{Formula, FormulaError};
use hashfall_solid::{self as solid, AxisAngle, Keyframe, KinematicLaw};

/// The end of a run at the latest \[s\]: as many frames as a scene may have, as rarely.
const MAX_TIME: f64 = 1e9;

/// The prescribed motion of a checked scene; none of a solid that stands or moves freely.
pub fn to_motion(model: &BodyMotion) -> Option<KinematicLaw> {
    match model {
        BodyMotion::Still | BodyMotion::Free(_) => None,
        BodyMotion::Keyframes { keys, pivot, between, after } => {
            let keys: Vec<Keyframe> = keys.iter().map(key).collect();
            let (is_smooth, repeats) = (*between == Between::Smooth, *after == After::Repeat);
            Some(KinematicLaw::through(*pivot, &keys, is_smooth, repeats))
        }
        BodyMotion::Formula { translate, degrees, axis, pivot } => {
            let [x, y, z] = translate.each_ref().map(|text| parse_formula(text));
            let shift = [x.ok()?, y.ok()?, z.ok()?];
            Some(KinematicLaw::by_formulas(*pivot, shift, *axis, parse_formula(degrees).ok()?))
        }
        BodyMotion::Table { axis, pivot, recording, .. } => {
            Some(KinematicLaw::recorded(*pivot, *axis, recording.clone()?))
        }
        BodyMotion::Driven { pivot } => Some(KinematicLaw::driven(*pivot)),
        BodyMotion::Spin { rpm, axis, pivot } => Some(KinematicLaw::spin(*pivot, *axis, *rpm)),
    }
}

/// Reads a formula of a scene.
pub fn parse_formula(text: &str) -> Result<Formula, FormulaError> {
    Formula::parse(text)
}

/// The end of the run \[s\]; an end, too, if what is said of frames cannot be meant.
pub fn run_end(model: &Model) -> f64 {
    model.frames.time(model.frames.count).min(MAX_TIME)
}

/// Times of the run \[s\] at which formulas are looked at.
pub fn sample_times(model: &Model) -> impl Iterator<Item = f64> {
    solid::sample_times(run_end(model))
}

fn key(model: &KeyModel) -> Keyframe {
    let turn = AxisAngle { axis: model.rotate.axis, degrees: model.rotate.degrees };
    Keyframe { time: model.time, shift: model.translate, turn }
}
