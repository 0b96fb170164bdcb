//! Gaps between solids, or between a solid and a wall, that are narrower than two particles.

use crate::model::limits::SLACK;
use crate::model::{BodyMotion, Domain, Model, SolidModel, SphereField};
use crate::problem::Problem;
use hashfall_core::format_significant;
use hashfall_fill::rounded_box_tree::{RoundedBox, RoundedBoxTree};
use hashfall_fill::sphere_field::Ball;

/// More balls than this in a list are a field, of which nobody minds single gaps.
const MAX_BALLS: usize = 500;

/// The box around a mesh \[m\].
pub type Bounds = ([f64; 3], [f64; 3]);

/// A warning for each solid of its narrowest gap to a wall or to a solid before it, if that is
/// narrower than two particles; `balls` are those of each solid, `bounds` the box around it if it
/// is none of balls.
///
/// Spheres of random fields stand as they come, solids that move have gaps that come and go, and
/// of meshes and solids of revolution only the gaps to the walls are known. Without fluid no gap
/// matters.
pub fn gaps(model: &Model, balls: &[Vec<Ball>], bounds: &[Option<Bounds>]) -> Vec<Problem> {
    if model.fluids.is_empty() {
        return Vec::new();
    }
    let narrow = 4.0 * model.particle_radius();
    let window = (SLACK * narrow, narrow * (1.0 - SLACK));
    let (mut owners, mut bodies) = (Vec::new(), Vec::new());
    for (i, solid) in model.solids.iter().enumerate() {
        bodies.extend(bodies_of(solid, &balls[i]));
        owners.resize(bodies.len(), i);
    }
    let tree = RoundedBoxTree::new(&bodies);
    let mut narrowest: Vec<Option<(f64, String)>> = vec![None; model.solids.len()];
    let mut offer = |solid: usize, gap: f64, what: String| {
        let is_better = narrowest[solid].as_ref().is_none_or(|(other, _)| gap < *other);
        if gap > window.0 && gap < window.1 && is_better {
            narrowest[solid] = Some((gap, what));
        }
    };
    let meshes = model.solids.iter().enumerate().filter_map(|(i, solid)| {
        let has_box = matches!(solid, SolidModel::Mesh(_)) || solid.is_round();
        bounds[i]
            .filter(|_| has_box && is_still(solid))
            .map(|(low, high)| (i, RoundedBox::cuboid(low, high)))
    });
    let all = owners.iter().copied().zip(bodies.iter().copied());
    for (solid, body) in all.chain(meshes) {
        for (gap, wall) in wall_gaps(model, &body) {
            offer(solid, gap, wall);
        }
    }
    for (number, &solid) in owners.iter().enumerate() {
        if let Some((gap, other)) = tree.nearest_before(number, window) {
            let what = match owners[other] {
                other if other == solid => "another ball of it".to_owned(),
                other => format!("`solids[{other}]`"),
            };
            offer(solid, gap, what);
        }
    }
    let warn = |(solid, found): (usize, Option<(f64, String)>)| {
        found.map(|(gap, what)| warning(solid, gap, &what, narrow))
    };
    narrowest.into_iter().enumerate().filter_map(warn).collect()
}

fn is_still(solid: &SolidModel) -> bool {
    *solid.motion() == BodyMotion::Still
}

/// The bodies of a solid whose gaps to each other count.
fn bodies_of(solid: &SolidModel, balls: &[Ball]) -> Vec<RoundedBox> {
    match solid {
        _ if !is_still(solid) => Vec::new(),
        SolidModel::SphereField(SphereField::Random(_)) => Vec::new(),
        SolidModel::SphereField(_) if balls.len() > MAX_BALLS => Vec::new(),
        SolidModel::SphereField(_) | SolidModel::Ball(_) => {
            balls.iter().map(|ball| RoundedBox::ball(ball.centre, ball.radius)).collect()
        }
        SolidModel::Box(solid) => vec![RoundedBox::cuboid(solid.min, solid.max)],
        SolidModel::Mesh(_) | SolidModel::Polygon(_) => Vec::new(),
        // In the plane they are discs.
        SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_) => {
            balls.iter().map(|ball| RoundedBox::ball(ball.centre, ball.radius)).collect()
        }
    }
}

/// Gaps between a body and the walls that it does not cross.
fn wall_gaps(model: &Model, body: &RoundedBox) -> Vec<(f64, String)> {
    let Domain::Box { min, max, .. } = &model.domain;
    model
        .walled_axes()
        .flat_map(|a| {
            let axis = ["x", "y", "z"][a];
            let wall = |side: &str| format!("the wall at {side} {axis}");
            let (low, high) = (body.low[a] - body.radius, body.high[a] + body.radius);
            [(low - min[a], wall("low")), (max[a] - high, wall("high"))]
        })
        .collect()
}

fn warning(solid: usize, gap: f64, what: &str, narrow: f64) -> Problem {
    let message = format!(
        "a gap of {} m to {what} is narrower than two particles, {} m: fluid hardly passes it",
        format_significant(gap, 3),
        format_significant(narrow, 3)
    );
    let help = "close it, make it wider, or choose a smaller `particle_radius`";
    Problem::warning(format!("solids[{solid}]"), message, help).also_at("particle_radius")
}
