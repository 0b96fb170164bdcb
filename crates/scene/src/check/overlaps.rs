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
    let is_same_fluid = fluid(path) == fluid(other_path);
    let is_vessel = |it: &FluidShape| matches!(it, FluidShape::Fill(_));
    match (is_vessel(a), is_vessel(b)) {
        (true, true) => return help_of_vessels(is_same_fluid),
        (true, false) => return help_in_vessel(is_same_fluid, other_path),
        (false, true) => return help_in_vessel(is_same_fluid, path),
        (false, false) => {}
    }
    if is_same_fluid {
        return format!("one shape of both: Union(of: [{}, {}])", written(a), written(b));
    }
    format!(
        "shapes of two fluids may touch but not share space; `replaces: true` in one gives it what \
         the other has there, and Difference(of: {}, minus: [{}]) leaves it out",
        written(a),
        written(b)
    )
}

/// How two fillings can share a vessel.
fn help_of_vessels(is_same_fluid: bool) -> String {
    if is_same_fluid {
        "one Fill of the vessel, with the higher `level`".to_owned()
    } else {
        "one Fill of the vessel, with the higher `level`, and for the other fluid a Box with \
         `replaces: true` that takes the upper or the lower layer of it"
            .to_owned()
    }
}

/// How the shape at a key path can share the space of a vessel that is filled.
fn help_in_vessel(is_same_fluid: bool, path: &str) -> String {
    if is_same_fluid {
        format!("leave {path} out: the vessel is full there; for more fluid give a higher `level`")
    } else {
        format!(
            "`replaces: true` in {path} gives it what fills the vessel there, such as the upper or \
             the lower layer in a Box"
        )
    }
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
