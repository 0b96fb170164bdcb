//! Sweeps from contact to contact, for islands with many bodies.
//!
//! Projected Gauss–Seidel (Jourdan, Alart & Jean 1998, in the form with one step a contact): each
//! contact in turn takes the normal impulse that stops its approach, then the tangential one that
//! stops its slip, within Coulomb's disc, and its bodies move on at once. What it stands still at
//! obeys Coulomb's law as [`super::apgd`] has it. In a heap of many bodies it comes near the
//! solution in far fewer passes than gradients do, and slower than they from there on: it goes
//! first. Contacts are taken forwards and backwards by turns, always by one thread.
//!
//! Symbols: K how the relative velocity at a contact answers its own impulse \[1/kg\].

use super::apgd::{Apgd, Convergence, Solved};
use super::islands::IMMOBILE;
use super::rows::{IslandBodies, Row, relative_velocity};
use hashfall_bodies::Wrench;
use nalgebra::Vector3;

/// Sweeps between two tests for convergence.
const SWEEPS: u32 = 5;

/// Goes on with `solved` for at most `max_sweeps`, or until the problem is solved.
pub(crate) fn sweep(
    problem: &mut Apgd,
    convergence: &Convergence,
    max_sweeps: u32,
    solved: &mut Solved,
) {
    let goal = convergence.tolerance * solved.speed;
    let steps: Vec<[f64; 2]> =
        problem.rows.iter().map(|row| own_steps(row, &problem.bodies)).collect();
    let mut sweeps = 0;
    while solved.residual > goal && sweeps < max_sweeps {
        for _ in 0..SWEEPS {
            let n = problem.rows.len();
            for k in 0..n {
                let i = if sweeps % 2 == 0 { k } else { n - 1 - k };
                relax(problem, i, &steps[i]);
            }
            sweeps += 1;
        }
        // The bodies anew from all impulses, without the rounding of many changes.
        problem.update_gradient();
        solved.residual = problem.coulomb_residual();
    }
    problem.update_sliding();
    solved.iterations += sweeps;
}

/// 1/K along the normal, and across it, of the tangential part's bound by its trace.
fn own_steps(row: &Row, bodies: &IslandBodies) -> [f64; 2] {
    let (mut normal, mut trace) = (0.0, 0.0);
    for (body, arm) in row.bodies.into_iter().zip(&row.arms) {
        if body != IMMOBILE {
            let answer = bodies.inverse_mass[body as usize].at(arm);
            normal += row.normal.dot(&(answer * row.normal));
            trace += answer.trace();
        }
    }
    [normal.recip(), (trace - normal).recip()].map(|step| if step.is_finite() { step } else { 0.0 })
}

/// The impulse of one contact by Coulomb's law, and what it does to its bodies.
#[inline]
fn relax(problem: &mut Apgd, i: usize, [along, across]: &[f64; 2]) {
    let row = &problem.rows[i];
    let u = relative_velocity(row, problem.bodies.change) + problem.vectors.drive[i];
    let p = problem.vectors.p[i];
    let (normal, n) = (row.normal.dot(&u), &row.normal);
    let before = n.dot(&p);
    let pressed = (before - normal * along).max(0.0);
    let mut tangential = Vector3::zeros();
    if row.friction > 0.0 && pressed > 0.0 {
        tangential = (p - n * before) - (u - n * normal) * *across;
        let (length, limit) = (tangential.norm(), row.friction * pressed);
        if length > limit {
            tangential *= limit / length;
        }
    }
    let next = n * pressed + tangential;
    let change = next - p;
    if change == Vector3::zeros() {
        return;
    }
    problem.vectors.p[i] = next;
    for ((body, arm), sign) in row.bodies.into_iter().zip(&row.arms).zip([-1.0, 1.0]) {
        if body != IMMOBILE {
            let impulse = Wrench::from_force_at(change * sign, arm);
            let answer = problem.bodies.inverse_mass[body as usize].apply(&impulse);
            problem.bodies.change[body as usize] += answer;
        }
    }
}
