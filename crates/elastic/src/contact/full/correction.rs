//! Small displacements that take surfaces back to their distance.
//!
//! A constraint is linear, and the distance is not: nearest points slide along edges that turn,
//! and each substep may leave a pair nearer by the second order of its motion. Over many substeps
//! a thickness would wear off. So what is too near is moved apart as well, by a displacement that
//! leaves velocities alone: the nearest in the metric of the masses to none, of those that open
//! each pair that is too near by [`RATE`] of what is missing, or by [`SHARE`] of what its points
//! move, if that is less, and that let no other contact come nearer than its distance.
//!
//! Kinetic energy and momentum stay, and the centre of mass does too. Elastic energy changes by the
//! work that the displacement does against the forces between the surfaces: what was lost when they
//! came too near, and of the second order. Where nothing moves, nothing is displaced; a wall is
//! flat, so nothing ever wears there.

use super::constraint::Constraint;
use super::contacts::Contacts;
use super::points::Points;
use super::solver::Solver;
use hashfall_geometry::Point;

/// The part of what is missing that a substep makes up for \[–\].
const RATE: f64 = 0.1;
/// The largest displacement, as part of the motion \[–\].
const SHARE: f64 = 0.1;
/// What may be missing, as part of the distance: rounding \[–\].
const SLACK: f64 = 1e-9;

/// What is left to do after this number of sweeps is for the next substep.
const SWEEPS: u32 = 5;

/// Sets `correction` to the displacements of all points \[m\] and adds them to those of the
/// motion; returns whether there are any.
pub(super) fn correct(
    contacts: &Contacts,
    points: &mut Points,
    correction: &mut Vec<Point>,
    own: &mut Vec<Constraint>,
    solver: &mut Solver,
) -> bool {
    let is_near = |[gap, distance]: &[f64; 2]| *gap < -SLACK * distance;
    if !contacts.gaps.iter().any(is_near) {
        return false;
    }
    own.clear();
    for (constraint, gaps) in contacts.constraints.iter().zip(&contacts.gaps) {
        let after = gaps[0] + constraint.normal.dot(&constraint.relative(&points.displacement));
        let bound = if is_near(gaps) && after < 0.0 {
            let of_point = |p: &u32| points.displacement[*p as usize].norm_squared();
            let most = constraint.points.iter().map(of_point).fold(0.0, f64::max).sqrt();
            (-after * RATE).min(SHARE * most)
        } else {
            -after.max(0.0)
        };
        own.push(constraint.with_bound(bound));
    }
    correction.clear();
    correction.resize(points.displacement.len(), Point::zeros());
    solver.sweep(own, &points.inverse_mass, correction, SWEEPS);
    points.displacement.iter_mut().zip(&*correction).for_each(|(all, more)| *all += more);
    true
}
