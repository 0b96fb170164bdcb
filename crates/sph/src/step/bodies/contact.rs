//! Contact and friction between particles and free bodies: both are moved, at once.
//!
//! A particle that comes nearer to a body than it may is stopped against the body's velocity after
//! all impulses of this contact: if bodies took them a stage late, a light one would be thrown to
//! and fro by more than its own momentum. With I(T) the impulses of all particles if bodies move
//! with the twists T, sought is
//!
//! - T = T° + W I(T),
//!
//! with T° the twists before. I falls piecewise linearly with T: Newton's method
//!
//! - (1 + W H) ΔT = T° + W I(T) − T,  H = Σ m a aᵀ, a = (n, (x − c) × n),
//!
//! over the particles that are pushed ends after a few rounds. H of each body by itself is taken;
//! where bodies hold each other, rounds close the rest. The impulses of the last round are those
//! that particles get, so that no momentum is lost however many rounds there were.
//!
//! Symbols: T twist, W mobility, m mass of a particle \[kg\], n normal \[–\], c centre of mass
//! \[m\].

use crate::step::bodies::coupling::BodyCoupling;
use crate::step::bodies::motions::{BodyMotions, BodyResponse};
use crate::world::World;
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Real, Vec3};
use nalgebra::{Matrix3, Matrix6};

/// Rounds of Newton's method at most.
const MAX_ROUNDS: usize = 12;

/// A change of twists this small over the largest ends the rounds \[–\].
const TOLERANCE: f64 = 1e-6;

/// The contact of a particle with a free body.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    /// Its number among the free bodies.
    pub body: usize,
    /// Of the particle \[m\].
    pub at: Vec3,
    /// Of the body on the particle \[N s\].
    pub impulse: Vec3,
    /// How that grows with the velocity u of the body there, ∂impulse/∂u, across the surface with
    /// this normal \[kg\].
    pub across: Real,
    /// Along it \[kg\].
    pub along: Real,
    /// Away from the body.
    pub normal: Vec3,
}

/// The motions of the bodies for which all is balanced. `pushes(i, motions, each)` tells what
/// particle `i` gives bodies that move so.
pub fn balance(
    bodies: &BodyCoupling,
    world: &World,
    pushes: impl Fn(usize, &BodyMotions, &mut dyn FnMut(Push)) + Sync,
) -> BodyMotions {
    let mut motions = bodies.motions(world);
    let start = motions.twists.clone();
    let (count, n) = (start.len(), world.particles.len());
    let mut largest = 0.0_f64;
    for _ in 0..MAX_ROUNDS {
        let responses = respond(n, &motions, &pushes);
        let mut impulses = vec![Wrench::default(); count];
        let mut resistances = vec![Matrix6::zeros(); count];
        for BodyResponse { body, impulse, resistance } in responses {
            impulses[body as usize] += impulse;
            resistances[body as usize] += resistance;
        }
        let mut changes = vec![Twist::default(); count];
        bodies.mobility().apply(&impulses, &mut changes);
        let mut farthest = 0.0_f64;
        for body in 0..count {
            let rest = start[body] + changes[body] - motions.twists[body];
            let matrix = Matrix6::identity() + bodies.mobility().block(body) * resistances[body];
            let solution = matrix.lu().solve(&rest.to_vector());
            let change = solution.map_or(rest, |column| Twist::from_vector(&column));
            motions.twists[body] += change;
            let free = &world.free_bodies[body];
            let radius = (free.inertia.trace() / free.mass).sqrt();
            let [v, w] = [change.velocity.norm(), change.spin.norm()];
            farthest = farthest.max(v + radius * w);
        }
        largest = largest.max(farthest);
        if farthest <= TOLERANCE * largest {
            break;
        }
    }
    motions
}

/// The sums over all particles, in parts.
pub fn respond<F>(n: usize, motions: &BodyMotions, pushes: &F) -> Vec<BodyResponse>
where
    F: Fn(usize, &BodyMotions, &mut dyn FnMut(Push)) + Sync,
{
    let parts = parallel::map_pieces(n.div_ceil(CHUNK), &|chunk| {
        let mut list = Vec::new();
        for i in chunk * CHUNK..n.min((chunk + 1) * CHUNK) {
            pushes(i, motions, &mut |push| add(&mut list, motions, &push));
        }
        list
    });
    parts.into_iter().flatten().collect()
}

fn add(list: &mut Vec<BodyResponse>, motions: &BodyMotions, push: &Push) {
    let entry = BodyResponse::entry(list, push.body);
    entry.impulse -= motions.wrench(push.body, &push.at, &push.impulse);
    let normal = push.normal.map(f64::from);
    let outer = normal * normal.transpose();
    let stiffness =
        outer * f64::from(push.across) + (Matrix3::identity() - outer) * f64::from(push.along);
    // u = v + ω × r: Jᵀ K J with J = (1, −r×).
    let cross = motions.arm(push.body, &push.at).cross_matrix();
    let turned = cross * stiffness;
    let resistance = &mut entry.resistance;
    let mut block = |row, column, part: Matrix3<f64>| {
        let mut view = resistance.fixed_view_mut::<3, 3>(row, column);
        view += part;
    };
    block(0, 0, stiffness);
    block(3, 0, turned);
    block(0, 3, turned.transpose());
    block(3, 3, -(turned * cross));
}
