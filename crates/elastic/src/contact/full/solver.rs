//! Contacts as a convex program in the velocities, by projected Gauss–Seidel.
//!
//! Of all velocities that keep n · Σ w v ≥ b for each contact, find those nearest to the velocities
//! before, in the metric of the masses. Contacts are visited in their order, the impulses begin at
//! zero, and a visit sets the impulse of a contact to the best for it alone ([`Constraint`]).
//!
//! # Energy never grows
//!
//! Let v(λ, τ) be the velocities that the impulses make, and
//!
//! F(λ, τ) = ½ |v|²_M − Σ b λ,  F(0, 0) = ½ |v₀|²_M.
//!
//! The best normal impulse minimises F over λ ≥ 0, the best tangential one over the disc |τ| ≤ μλ,
//! each with all others held. A visit that would let F grow, because the disc shrinks with λ, keeps
//! λ ≥ |τ|/μ instead, where the present impulse is admissible and no step to a minimum lets F grow.
//! So F never grows, whether the sweeps converge or not. As λ ≥ 0 and b ≤ 0,
//!
//! ½ |v|²_M = F + Σ b λ ≤ F ≤ ½ |v₀|²_M.
//!
//! b ≤ 0 says that v = 0 is admissible: a gap may close by what it is wide, and what is too near
//! need not part. With obstacles that move, the velocities are those relative to the obstacle, and
//! what energy grows by is its work. Where the surface of an obstacle goes faster by s than the
//! points that carry it, as that of a ball that spins, F has the term Σ s · τ, too.
//!
//! # Momentum
//!
//! Weights sum to zero, so the impulses of a contact do, and momentum stays to rounding. Normal
//! impulses act along the line of the nearest points, so their torque about any point is zero too.
//! Friction acts at both nearest points, a distance d apart: angular momentum changes by d n × τ,
//! the couple that surfaces of a thickness without inertia of its own would have to take.
//!
//! # Convergence
//!
//! The sweeps end when none changes a relative velocity by more than [`TOLERANCE`] of the greatest
//! change of the first, or after [`MAX_SWEEPS`]. After the first, a sweep skips contacts
//! whose points have not changed by as much, all together, since they were last visited: their own
//! change would be about as little. So most of the work goes where contacts have yet to settle. Too
//! few leave surfaces nearer than their distance, which [`correction`](super::correction) mends,
//! and which the [guard](super::guard) bounds.
//!
//! Deviations from textbooks: no warm start, which would begin at an F above ½ |v₀|²_M, and would
//! make a resumed run differ.
//!
//! What lost: visits by Coulomb's law even where F grows, with or without an account of it by
//! contact, which come to the same slip of a rope by several times the visits; sweeps forwards and
//! backwards in turns; the order of violations; and over-relaxation by 1.3, which halves the visits
//! again, but left a cloth on a ball 13 % of its distance too near.

use super::constraint::Constraint;
use hashfall_geometry::Point;

/// The change of the last sweep, as part of that of the first \[–\].
const TOLERANCE: f64 = 1e-4;
/// The most sweeps.
pub(super) const MAX_SWEEPS: u32 = 200;

/// The points of a constraint, and the sum of what they had changed by when it was last visited
/// \[m/s\].
#[derive(Clone, Copy, Debug)]
struct Visit {
    points: [u32; 4],
    changed: f64,
}

/// The memory of the solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    visits: Vec<Visit>,
    /// By point: the sum of all changes of its velocity \[m/s\].
    changed: Vec<f64>,
}

impl Solver {
    /// Changes the velocities of points so that they keep the constraints; returns the number of
    /// sweeps.
    pub fn solve(
        &mut self,
        constraints: &mut [Constraint],
        inverse_mass: &[f64],
        velocity: &mut [Point],
    ) -> u32 {
        self.sweep(constraints, inverse_mass, velocity, MAX_SWEEPS)
    }

    /// The same with at most this number of sweeps.
    pub fn sweep(
        &mut self,
        constraints: &mut [Constraint],
        inverse_mass: &[f64],
        velocity: &mut [Point],
        max_sweeps: u32,
    ) -> u32 {
        let Solver { visits, changed } = self;
        visits.clear();
        visits.extend(constraints.iter().map(|c| Visit { points: c.points, changed: 0.0 }));
        changed.resize(velocity.len(), 0.0);
        visits.iter().flat_map(|visit| visit.points).for_each(|p| changed[p as usize] = 0.0);
        // Less than any change, so that the first sweep visits all.
        let mut tolerance = -1.0;
        for sweep in 1..=max_sweeps {
            let mut greatest = 0.0;
            for (visit, constraint) in visits.iter_mut().zip(&mut *constraints) {
                let sum = |changed: &[f64]| {
                    let [a, b, c, d] = visit.points.map(|point| changed[point as usize]);
                    (a + b) + (c + d)
                };
                if sum(changed) - visit.changed <= tolerance {
                    continue;
                }
                let change = constraint.relax(inverse_mass, velocity, changed);
                greatest = f64::max(greatest, change);
                visit.changed = sum(changed);
            }
            if sweep == 1 {
                tolerance = TOLERANCE * greatest;
            }
            if greatest <= tolerance {
                return sweep;
            }
        }
        max_sweeps
    }
}

/// Changes velocities so that they keep the constraints.
#[cfg(test)]
fn solve(constraints: &mut [Constraint], inverse_mass: &[f64], velocity: &mut [Point]) -> u32 {
    Solver::default().solve(constraints, inverse_mass, velocity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    /// Random points, some of them fixed, and contacts between them.
    fn random_problem(seed: u64) -> (Vec<Constraint>, Vec<f64>, Vec<Point>) {
        let (mut random, n) = (Random::new(seed), 40);
        let mass = |random: &mut Random| 1.0 / random.number(0.1, 10.0);
        let inverse: Vec<f64> =
            (0..n).map(|i| if i % 9 == 8 { 0.0 } else { mass(&mut random) }).collect();
        let velocity: Vec<Point> = (0..n)
            .map(|i| if inverse[i] == 0.0 { Point::zeros() } else { random.point(-1.0, 1.0) })
            .collect();
        let constraint = |_| {
            let mut points = [0; 4];
            for k in 0..4 {
                points[k] = loop {
                    let point = random.number(0.0, n as f64) as u32;
                    if !points[..k].contains(&point) {
                        break point;
                    }
                };
            }
            let (u, v) = (random.number(0.0, 0.5), random.number(0.0, 0.5));
            let weights = [1.0, -u, -v, u + v - 1.0];
            let bound = -random.number(-0.3, 0.3).max(0.0);
            let friction = [0.0, 0.2, 0.8, 3.0][random.number(0.0, 4.0) as usize];
            Constraint::new(points, weights, random.direction(), bound, friction, &inverse)
        };
        let constraints = (0..60).map(constraint).collect();
        (constraints, inverse, velocity)
    }

    fn energy(inverse: &[f64], velocity: &[Point]) -> f64 {
        let free = inverse.iter().zip(velocity).filter(|(inverse, _)| **inverse > 0.0);
        free.map(|(inverse, v)| 0.5 * v.norm_squared() / inverse).sum()
    }

    #[test]
    fn energy_never_grows_in_any_visit_of_any_sweep() {
        for seed in 0..50 {
            let (mut constraints, inverse, mut velocity) = random_problem(seed);
            let start = energy(&inverse, &velocity);
            let objective = |constraints: &[Constraint], velocity: &[Point]| {
                let linear: f64 = constraints.iter().map(|c| c.bound * c.normal_impulse()).sum();
                energy(&inverse, velocity) - linear
            };
            let (mut last, mut changed) = (start, vec![0.0; inverse.len()]);
            for _ in 0..10 {
                for c in 0..constraints.len() {
                    constraints[c].relax(&inverse, &mut velocity, &mut changed);
                    let now = objective(&constraints, &velocity);
                    assert!(now <= last + 1e-12 * start, "seed {seed}: {now} > {last}");
                    assert!(energy(&inverse, &velocity) <= start * (1.0 + 1e-12));
                    last = now;
                }
            }
        }
    }

    #[test]
    fn solutions_keep_the_bounds_the_cones_and_the_momentum() {
        let mut most = 0;
        for seed in 0..50 {
            let (mut constraints, inverse, mut velocity) = random_problem(seed);
            constraints.truncate(25);
            let momentum = |velocity: &[Point], seen: bool| -> Point {
                let all = inverse.iter().zip(velocity).filter(|(m, _)| (**m > 0.0) == seen);
                all.map(|(m, v)| if seen { v / *m } else { *v }).sum()
            };
            let before = momentum(&velocity, true);
            let sweeps = solve(&mut constraints, &inverse, &mut velocity);
            most = most.max(sweeps);
            let mut to_fixed = Point::zeros();
            for c in &constraints {
                let slack = c.normal.dot(&c.relative(&velocity)) - c.bound;
                let scale = if sweeps < MAX_SWEEPS { 1e-3 } else { 0.2 };
                assert!(slack > -scale, "seed {seed}: {slack} after {sweeps}");
                assert!(
                    c.tangential_norm() <= c.friction * c.normal_impulse() * (1.0 + 1e-9) + 1e-15
                );
                to_fixed += c.impulse_on(|point| inverse[point] == 0.0);
            }
            let lost = momentum(&velocity, true) - before + to_fixed;
            assert!(lost.norm() < 1e-11, "seed {seed}: {lost}");
            assert_eq!(momentum(&velocity, false), Point::zeros(), "fixed points stay");
        }
        println!("at most {most} sweeps");
    }

    #[test]
    fn a_block_on_a_slope_sticks_below_the_angle_of_friction_and_slides_above() {
        let (mass, gravity, dt) = (2.0, 9.81, 1e-3);
        for (friction, tangent) in [(0.5, 0.49), (0.5, 0.51), (0.5, 1.0), (0.0, 0.3)] {
            let slope = f64::atan(tangent);
            let normal = Point::new(-slope.sin(), 0.0, slope.cos());
            let down = Point::new(-slope.cos(), 0.0, -slope.sin());
            let (inverse, mut velocity) = ([1.0 / mass, 0.0], [Point::zeros(); 2]);
            for _ in 0..1000 {
                velocity[0].z -= gravity * dt;
                let points = [0, 1, 1, 1];
                let weights = [1.0, -1.0, 0.0, 0.0];
                let contact = Constraint::new(points, weights, normal, 0.0, friction, &inverse);
                solve(&mut [contact], &inverse, &mut velocity);
            }
            let expected = (gravity * (slope.sin() - friction * slope.cos())).max(0.0);
            let found = velocity[0].dot(&down);
            assert!((found - expected).abs() < 1e-9, "{tangent}: {found}, not {expected}");
            assert!(velocity[0].dot(&normal).abs() < 1e-12);
        }
    }
}
