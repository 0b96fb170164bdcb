//! What is legal but odd: gaps that fluid cannot pass, speeds that frames cannot show, keys that do
//! nothing ([`idle`]), and emitters, sinks ([`exchange`]) and meshes ([`meshes`]) that can hardly
//! be meant.

mod exchange;
mod idle;
mod meshes;

pub use exchange::odd_exchange;
pub use idle::idle_keys;
pub use meshes::{Placed, hint, odd_meshes};

use super::check::{Problem, SLACK};
use super::model::{BodyMotion, Domain, Model, SolidModel, SphereField};
use super::shape::Piece;
use super::sphere_field::Ball;
use crate::base::{Dimension, short};

/// More balls than this in a list are a field, of which nobody minds single gaps.
const MOST_BALLS: usize = 500;

/// A warning for each solid of its narrowest gap to another or to a wall, if that is narrower than
/// two particles; `balls` are those of each solid, `bounds` the boxes around its mesh.
///
/// Spheres of random fields stand as they come, solids that move have gaps that come and go, and
/// meshes are looked at against the walls alone.
pub fn gaps(model: &Model, balls: &[Vec<Ball>], bounds: &[Option<Bounds>]) -> Vec<Problem> {
    let bodies: Vec<Vec<Body>> =
        (0..model.solids.len()).map(|i| bodies(&model.solids[i], &balls[i], bounds[i])).collect();
    let narrow = 4.0 * model.particle_radius;
    let mut warnings = Vec::new();
    for (i, own) in bodies.iter().enumerate() {
        let walls = own.iter().flat_map(|body| wall_gaps(model, body));
        let among = pairs(own, own).filter(|_| own.len() <= MOST_BALLS);
        let among = among.map(|gap| (gap, "another ball of it".to_owned()));
        let others = bodies[..i].iter().enumerate().flat_map(|(k, other)| {
            pairs(own, other).map(move |gap| (gap, format!("`solids[{k}]`")))
        });
        let is_narrow = |gap: f64| gap > SLACK * narrow && gap < narrow * (1.0 - SLACK);
        let all = walls.chain(among).chain(others).filter(|(gap, _)| is_narrow(*gap));
        let narrowest = all.min_by(|(a, _), (b, _)| a.total_cmp(b));
        warnings.extend(narrowest.map(|(gap, what)| warning(i, gap, &what, narrow)));
    }
    warnings
}

/// The box around a mesh \[m\].
pub type Bounds = ([f64; 3], [f64; 3]);

/// A solid of which distances are known.
#[derive(Clone, Copy)]
enum Body {
    Ball(Ball),
    Box(Bounds),
    /// Of a mesh only its bounds, which touch it on each side.
    Mesh(Bounds),
}

fn bodies(solid: &SolidModel, balls: &[Ball], bounds: Option<Bounds>) -> Vec<Body> {
    match solid {
        _ if *solid.motion() != BodyMotion::Still => Vec::new(),
        SolidModel::SphereField(SphereField::Random(_)) => Vec::new(),
        SolidModel::SphereField(_) if balls.len() > MOST_BALLS => Vec::new(),
        SolidModel::SphereField(_) => balls.iter().copied().map(Body::Ball).collect(),
        SolidModel::Box(solid) => vec![Body::Box((solid.min, solid.max))],
        SolidModel::Mesh(_) => bounds.into_iter().map(Body::Mesh).collect(),
    }
}

/// Gaps between a body and the walls that it does not cross.
fn wall_gaps(model: &Model, body: &Body) -> Vec<(f64, String)> {
    let Domain::Box { min, max, .. } = &model.domain;
    let (low, high) = match body {
        Body::Ball(ball) => {
            (ball.centre.map(|x| x - ball.radius), ball.centre.map(|x| x + ball.radius))
        }
        Body::Box(bounds) | Body::Mesh(bounds) => *bounds,
    };
    walled_axes(model)
        .flat_map(|a| {
            let axis = ["x", "y", "z"][a];
            let wall = |side: &str| format!("the wall at {side} {axis}");
            [(low[a] - min[a], wall("low")), (max[a] - high[a], wall("high"))]
        })
        .collect()
}

/// The axes along which the domain ends at walls.
fn walled_axes(model: &Model) -> impl Iterator<Item = usize> {
    let Domain::Box { periodic, .. } = model.domain;
    let is_space = model.dimensions == Dimension::Three;
    (0..3).filter(move |&a| !periodic[a] && (a != 1 || is_space))
}

/// The gaps between the bodies of two solids, or among those of one.
fn pairs<'a>(own: &'a [Body], other: &'a [Body]) -> impl Iterator<Item = f64> + 'a {
    let is_same = std::ptr::eq(own, other);
    own.iter().enumerate().flat_map(move |(k, a)| {
        let before = if is_same { k } else { other.len() };
        other[..before].iter().filter_map(|b| gap(a, b))
    })
}

/// The gap between two bodies; negative where they overlap, none where it is not known.
fn gap(a: &Body, b: &Body) -> Option<f64> {
    match (a, b) {
        (Body::Ball(a), Body::Ball(b)) => {
            let apart = [0, 1, 2].map(|k| a.centre[k] - b.centre[k]);
            Some(length(apart) - a.radius - b.radius)
        }
        (Body::Ball(ball), Body::Box((low, high))) | (Body::Box((low, high)), Body::Ball(ball)) => {
            let x = ball.centre;
            let apart = [0, 1, 2].map(|k| x[k] - x[k].clamp(low[k], high[k]));
            Some(length(apart) - ball.radius)
        }
        (Body::Box((a, b)), Body::Box((c, d))) => {
            let apart = [0, 1, 2].map(|k| (c[k] - b[k]).max(a[k] - d[k]).max(0.0));
            Some(length(apart))
        }
        (Body::Mesh(_), _) | (_, Body::Mesh(_)) => None,
    }
}

fn length(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn warning(solid: usize, gap: f64, what: &str, narrow: f64) -> Problem {
    let message = format!(
        "a gap of {} m to {what} is narrower than two particles, {} m: fluid hardly passes it",
        short(gap, 3),
        short(narrow, 3)
    );
    let help = "close it, make it wider, or choose a smaller `particle_radius`";
    Problem::warning(format!("solids[{solid}]"), message, help).and("particle_radius")
}

/// Warnings of fluid that starts, or comes in, so fast that it crosses half of the domain between
/// two frames.
pub fn too_fast_for_frames(model: &Model, pieces: &[Piece]) -> Option<Problem> {
    let Domain::Box { min, max, .. } = &model.domain;
    let sides = walled_axes(model).map(|a| max[a] - min[a]);
    let shortest = sides.fold(f64::INFINITY, f64::min);
    let starts = pieces.iter().map(|piece| (piece.fastest_squared.sqrt(), piece.path.clone()));
    let emitted = model.emitters.iter().enumerate();
    let emitted = emitted.map(|(i, it)| (it.speed, format!("emitters[{i}].speed")));
    let (speed, path) = starts.chain(emitted).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let way = speed / model.frames.rate;
    (way > 0.5 * shortest).then(|| {
        let message = format!(
            "fluid that starts at {} m/s goes {} m from one frame to the next, over half of the \
             domain: frames cannot show it",
            short(speed, 3),
            short(way, 3)
        );
        let rate = (10.0 * speed / shortest).ceil();
        let help = format!("a higher `frames.rate`, such as {rate:?}");
        Problem::warning("frames.rate", message, &help).and(path)
    })
}
