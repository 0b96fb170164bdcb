//! Particles among surfaces that deform: none passes, judged by exact arithmetic.
//!
//! A motion is one step of one particle: the vertices of a surface go to where they are at its end,
//! which carries the particle, and then the particle goes its own way there. Before and after, the
//! winding number of the surface around the centre is told without rounding ([`side`]). A motion
//! fails if it
//!
//! - *passes*: the winding number has changed;
//! - *comes too near*: a triangle is nearer than r − s − e to where it ends, and no penetration is
//!   reported that is as large as the shortfall;
//! - *penetrates without cause*: a penetration is reported although nothing but one surface that it
//!   is in front of is near ([`Surface::has_clearance`]).
//!
//! Surfaces are closed or sheets whose rims are out of reach, which a far tip closes for the judge
//! alone. They are drawn such that they pass through themselves at no time; see [`surfaces`].
//!
//! ```sh
//! cargo test --release --test physics deforming -- --ignored --nocapture
//! ```
//!
//! Symbols: r particle radius, s = 1e-4 r skin, e what rounding takes from places, one ulp \[m\].

mod side;
mod surfaces;

use super::draw::Draw;
use super::oracle::Shape;
use super::queries::SKIN;
use hashfall_core::{Real, Vec3, to_f64, vec3};
use hashfall_geometry::{Aabb, Point};
use hashfall_solid::{Solids, SweepBuffer};
use rayon::prelude::*;
use side::winding_number;
use std::collections::BTreeMap;
use std::time::Instant;
use surfaces::{Kind, Surface};

const QUICK: u64 = 100_000;
const FULL: u64 = 10_000_000;
/// Failures that are described one by one.
const MAX_MESSAGES: usize = 10;
/// Particles that are tried on one surface in one step.
const PARTICLES: u64 = 48;
/// The length of a step \[s\].
const DT: f64 = 0.25;

/// What is wrong with a motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Passes,
    ComesTooNear,
    PenetratesWithoutCause,
}

/// How particles are carried: as the product does it, or wrongly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carrying {
    Whole,
    /// No particle is carried.
    None,
    /// With a smaller radius.
    SmallerRadius,
}

/// What came of many motions.
#[derive(Default)]
struct Outcome {
    motions: u64,
    carried: u64,
    squeezed: u64,
    /// Of each kind of surface: motions, those carried or stopped, those squeezed.
    kinds: BTreeMap<Kind, [u64; 3]>,
    failures: [u64; 3],
    messages: Vec<String>,
}

impl Outcome {
    fn and(mut self, other: Self) -> Self {
        self.motions += other.motions;
        self.carried += other.carried;
        self.squeezed += other.squeezed;
        for (kind, more) in other.kinds {
            let own = self.kinds.entry(kind).or_default();
            own.iter_mut().zip(more).for_each(|(own, more)| *own += more);
        }
        self.failures.iter_mut().zip(other.failures).for_each(|(own, more)| *own += more);
        self.messages.extend(other.messages);
        self.messages.truncate(MAX_MESSAGES);
        self
    }

    fn note(&mut self, fault: Fault, message: impl FnOnce() -> String) {
        self.failures[fault as usize] += 1;
        if self.messages.len() < MAX_MESSAGES {
            self.messages.push(message());
        }
    }
}

/// The solids of a surface at its start, without walls.
fn solids_of(surface: &Surface) -> Solids {
    let domain = Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(1.0));
    Solids::new(domain, vec![], vec![surface.mesh.clone()])
        .with_hollow(vec![surface.is_sheet()])
        .with_open_axes([true; 3])
        .with_deforming(&[true])
}

/// Moves the vertices as a step does.
fn deform(solids: &mut Solids, end: &[Point]) {
    let start = solids.deforming_positions(0).unwrap();
    let velocity: Vec<Point> = start.iter().zip(end).map(|(a, b)| (b - a) / DT).collect();
    solids.begin_step(DT, DT);
    solids.set_deforming(0, end, &velocity).unwrap();
    solids.move_bodies();
}

/// The objects that the broad phase offers in a step.
fn offered(boxes: &[Aabb], x: &Vec3, reach: Real) -> Vec<u32> {
    let around = Aabb::of_ball(x, 1.01 * reach);
    (0..boxes.len() as u32).filter(|id| boxes[*id as usize].overlaps(&around)).collect()
}

/// The position after a step of a particle at `x` that is on its way to `to`, and its penetration.
fn step(
    solids: &Solids,
    boxes: &[Aabb],
    [x, to]: [&Vec3; 2],
    r: Real,
    how: Carrying,
) -> (Vec3, Real) {
    let (way, carry) = ((to - x).norm(), solids.max_displacement() as Real);
    let objects = offered(boxes, x, way + 4.0 * carry + r);
    let mut buffer = SweepBuffer::default();
    let from = match how {
        Carrying::Whole => solids.push_out(&objects, x, r, &mut buffer).0,
        Carrying::None => *x,
        Carrying::SmallerRadius => solids.push_out(&objects, x, 0.1 * r, &mut buffer).0,
    };
    let r = if how == Carrying::SmallerRadius { 0.1 * r } else { r };
    let contact = solids.sweep(&objects, &from, to, &((to - x) / DT as Real), r, &mut buffer);
    (contact.position, contact.penetration)
}

/// Motions of many particles on one surface.
fn judge_surface(seed: u64, how: Carrying) -> Outcome {
    let mut outcome = Outcome::default();
    let mut draw = Draw::new(seed);
    let Some(surface) = Surface::drawn(&mut draw) else { return outcome };
    let r = surface.r as Real;
    let mut solids = solids_of(&surface);
    let start = solids.meshes()[0].clone();
    let (closed, rest) = (surface.closed(&start), solids.object_boxes());
    let target = surface.end(&mut draw);
    let particles: Vec<(Vec3, i32)> = (0..PARTICLES)
        .filter_map(|_| {
            let x = vec3((surface.place(&target, &mut draw)).into());
            let near = offered(&rest, &x, r);
            let is_free = near.iter().all(|id| {
                let shape = Shape::triangle(&start.corners(*id as usize));
                !shape.is_neared(&to_f64(&x), &to_f64(&x), f64::from(r) * (1.0 - SKIN))
            });
            let winding = winding_number(&closed, &x).filter(|_| is_free)?;
            Some((x, winding))
        })
        .collect();
    deform(&mut solids, &target);
    let end = solids.meshes()[0].clone();
    let (closed, boxes) = (surface.closed(&end), solids.object_boxes());
    let carry = solids.max_displacement();
    for (x, before) in particles {
        let own = draw.direction() * if draw.happens(0.3) { 0.0 } else { draw.order(1e-3, 1.0) };
        let to = x + vec3((own * (surface.r + carry)).into());
        let (at, penetration) = step(&solids, &boxes, [&x, &to], r, how);
        if !surface.is_far_from_rim(&x, &at, carry + own.norm() * (surface.r + carry)) {
            continue;
        }
        let Some(after) = winding_number(&closed, &at) else { continue };
        let counts = [true, at != to, f64::from(penetration) > 0.01 * surface.r].map(u64::from);
        let kind = outcome.kinds.entry(surface.kind).or_default();
        kind.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        let [motions, carried, squeezed] = counts;
        outcome.motions += motions;
        outcome.carried += carried;
        outcome.squeezed += squeezed;
        let tell = |what: &str| format!("seed {seed}, {what}: {surface}, {x} to {to} ends at {at}");
        if before != after {
            outcome.note(Fault::Passes, || tell(&format!("from {before} to {after}")));
        }
        let rounding = f64::from(Real::EPSILON) * f64::from(at.amax().max(x.amax()));
        let allowed = surface.r * (1.0 - SKIN) - rounding - 1.001 * f64::from(penetration);
        let near = offered(&boxes, &at, r);
        let is_near = |id: &u32| {
            let shape = Shape::triangle(&end.corners(*id as usize));
            shape.is_neared(&to_f64(&at), &to_f64(&at), allowed)
        };
        if near.iter().any(is_near) {
            outcome.note(Fault::ComesTooNear, || tell(&format!("{penetration} deep")));
        }
        let is_deep = f64::from(penetration) > 2.0 * (SKIN * surface.r + rounding);
        if is_deep && surface.has_clearance(before) {
            outcome.note(Fault::PenetratesWithoutCause, || tell(&format!("{penetration} deep")));
        }
    }
    outcome
}

fn judge(count: u64, how: Carrying) -> Outcome {
    let mut outcome = Outcome::default();
    let mut next = 0;
    while outcome.motions < count {
        let more = (2 * (count - outcome.motions) / PARTICLES).clamp(100, 20_000);
        let seeds = (next..next + more).into_par_iter();
        outcome = seeds
            .map(|seed| judge_surface(seed, how))
            .reduce(Outcome::default, Outcome::and)
            .and(outcome);
        next += more;
    }
    outcome
}

fn assert_holds(outcome: &Outcome) {
    let Outcome { motions, carried, squeezed, kinds, failures, messages } = outcome;
    println!("{motions} motions, {carried} carried or stopped, {squeezed} squeezed, {failures:?}");
    kinds.iter().for_each(|(kind, counts)| println!("{kind:?}: {counts:?}"));
    assert_eq!(*failures, [0; 3], "of {motions}:\n{}", messages.join("\n"));
    let share = *carried as f64 / *motions as f64;
    assert!((0.2..0.95).contains(&share), "{share} of the motions meet something");
}

#[test]
fn none_of_a_hundred_thousand_particles_passes_a_surface_that_deforms() {
    assert_holds(&judge(QUICK, Carrying::Whole));
}

#[test]
#[ignore = "takes an hour with --release"]
fn none_of_ten_million_particles_passes_a_surface_that_deforms() {
    let start = Instant::now();
    let count = std::env::var("MOTIONS").map_or(FULL, |count| count.parse().unwrap());
    let outcome = judge(count, Carrying::Whole);
    println!("{:.1} s", start.elapsed().as_secs_f64());
    assert_holds(&outcome);
}

#[test]
fn particles_that_are_not_carried_or_are_smaller_are_found() {
    let outcome = judge(10_000, Carrying::None);
    assert!(outcome.failures[Fault::Passes as usize] > 300, "{:?}", outcome.failures);
    let outcome = judge(10_000, Carrying::SmallerRadius);
    assert!(outcome.failures[Fault::ComesTooNear as usize] > 300, "{:?}", outcome.failures);
}
