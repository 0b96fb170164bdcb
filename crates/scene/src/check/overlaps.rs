//! What to do about shapes of fluid that overlap.

use super::checks::brief;
use crate::model::{BallShape, BoxShape, FluidShape};

/// How two shapes at these key paths can share space.
pub fn overlap_help([(path, a), (other_path, b)]: [(&str, &FluidShape); 2]) -> String {
    let fluid = |path: &str| path.split('.').next().map(str::to_owned);
    let can_unite =
        |it: &FluidShape| !matches!(it, FluidShape::Random(_) | FluidShape::Particles(_));
    if !(can_unite(a) && can_unite(b)) {
        return "shapes of fluid may touch but not share space".to_owned();
    }
    if fluid(path) == fluid(other_path) {
        return format!("one shape of both: Union(of: [{}, {}])", written(a), written(b));
    }
    format!(
        "shapes of two fluids may touch but not share space; `replaces: true` in one gives it what \
         the other has there, and Difference(of: {}, minus: [{}]) leaves it out",
        written(a),
        written(b)
    )
}

/// A shape as a scene has it, in brief.
fn written(shape: &FluidShape) -> String {
    let vector = |v: &[f64; 3]| format!("({}, {}, {})", brief(v[0]), brief(v[1]), brief(v[2]));
    match shape {
        FluidShape::Box(BoxShape { min, max, .. }) => {
            format!("Box(min: {}, max: {})", vector(min), vector(max))
        }
        FluidShape::Ball(BallShape { centre, radius, .. }) => {
            format!("Ball(centre: {}, radius: {})", vector(centre), brief(*radius))
        }
        other => format!("{}(…)", other.name()),
    }
}
