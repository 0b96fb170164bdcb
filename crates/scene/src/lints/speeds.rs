//! A warning about fluid that is too fast for the frame rate.

use crate::layout::filled_shape::FilledShape;
use crate::model::{Domain, Model};
use crate::problem::Problem;
use hashfall_core::format_significant;

/// Warnings of fluid that starts, or comes in, so fast that it crosses half of the domain between
/// two frames.
pub fn frame_rate_lint(model: &Model, filled_shapes: &[FilledShape]) -> Option<Problem> {
    let Domain::Box { min, max, .. } = &model.domain;
    let sides = model.walled_axes().map(|a| max[a] - min[a]);
    let shortest = sides.fold(f64::INFINITY, f64::min);
    let starts = filled_shapes
        .iter()
        .map(|filled_shape| (filled_shape.max_speed_squared.sqrt(), filled_shape.path.clone()));
    let emitted = model.emitters.iter().enumerate();
    let emitted = emitted.map(|(i, it)| (it.speed, format!("emitters[{i}].speed")));
    let (speed, path) = starts.chain(emitted).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let way = speed / model.frames.rate;
    (way > 0.5 * shortest).then(|| {
        let message = format!(
            "fluid at {} m/s travels {} m between two frames, more than half of the domain",
            format_significant(speed, 3),
            format_significant(way, 3)
        );
        let rate = (10.0 * speed / shortest).ceil();
        let help = format!("a higher `frames.rate`, such as {rate:?}");
        Problem::warning("frames.rate", message, &help).also_at(path)
    })
}
