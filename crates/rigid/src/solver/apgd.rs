//! Accelerated projected gradients for the contact problem of one island.
//!
//! Mazhar, Heyn, Negrut & Tasora 2015, *Using Nesterov's Method to Accelerate Multibody Dynamics
//! with Friction and Contact*, ACM TOG 34:32, algorithm 1: minimise ½ pᵀNp + bᵀp over the product
//! of friction cones by projected gradient steps from an extrapolated point, the step halved while
//! a quadratic model does not bound the function, the extrapolation restarted where it goes uphill
//! (O'Donoghue & Candès 2015). The minimum has relative velocities u = N p + b in the dual cones.
//!
//! Deviations. (1) Steps are taken in the metric D of [`super::rows`]. (2) As N p is linear, the
//! gradient at an extrapolated point is extrapolated too: one product with N an iteration, those of
//! the step's length included. (3) The minimum alone lets sliding contacts open at μ|u_t| (Anitescu
//! 2006). Coulomb's law is that with u + n μ|u_t| in place of u (de Saxcé & Feng 1998), whose last
//! term s is held fixed for a minimisation and then found anew (Cadoux 2009), as soon as the
//! minimisation is better than s by a factor: a fixed point, reached when nothing changes.
//! (4) Convergence is the largest |p − Π(p − D⁻¹(u + n s(u)))| D, a speed, over the largest speed
//! that the contacts have to undo: no unit is in it.
//!
//! Symbols: p impulses \[N s\], u relative velocities \[m/s\], s = μ|u_t| \[m/s\], y extrapolated
//! p, g gradients, θ Nesterov's sequence, L bound of the curvature in D \[–\].

use super::cone::project;
use super::rows::{IslandBodies, Row};
use nalgebra::Vector3;

/// How much better than s a minimisation is before s is found anew.
const SLIDING_RATIO: f64 = 0.1;
/// What the bound of the curvature loses with each restart, so that steps grow again.
const CURVATURE_DECAY: f64 = 0.7;
/// Halvings of a step, at most: what is not finite would never have it short enough.
const MAX_HALVINGS: u32 = 60;
/// Slack of the quadratic bound for rounding \[–\].
const ROUNDING: f64 = 1e-9;

/// When an island's problem counts as solved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convergence {
    /// The residual, as part of the largest speed that contacts undo \[–\].
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: u32,
}

impl Convergence {
    /// The same with fewer iterations.
    pub(crate) fn limited_to(&self, max_iterations: u32) -> Self {
        Convergence { max_iterations: self.max_iterations.min(max_iterations), ..*self }
    }
}

/// How well an island's problem was solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Solved {
    pub(crate) iterations: u32,
    /// The largest residual \[m/s\].
    pub(crate) residual: f64,
    /// The largest speed that contacts had to undo \[m/s\].
    pub(crate) speed: f64,
}

/// The vectors of the iteration, one entry a contact; the island's part of longer lists.
pub(crate) struct Vectors<'a> {
    /// b, the relative velocities without impulses, plus the normal times the speed to keep.
    pub(crate) drive: &'a [Vector3<f64>],
    /// p: the start of the iteration and its result.
    pub(crate) p: &'a mut [Vector3<f64>],
    pub(crate) previous: &'a mut [Vector3<f64>],
    pub(crate) extrapolated: &'a mut [Vector3<f64>],
    /// N p + b, N p + b of the previous p, and of the extrapolated p.
    pub(crate) gradient: &'a mut [Vector3<f64>],
    pub(crate) previous_gradient: &'a mut [Vector3<f64>],
    pub(crate) extrapolated_gradient: &'a mut [Vector3<f64>],
    pub(crate) sliding: &'a mut [f64],
}

/// The problem of an island.
pub(crate) struct Apgd<'a> {
    pub(crate) rows: &'a [Row],
    pub(crate) bodies: IslandBodies<'a>,
    pub(crate) vectors: Vectors<'a>,
}

impl Apgd<'_> {
    /// Finds the impulses, from those that `p` holds; the bodies then have the twists they make.
    pub(crate) fn solve(&mut self, convergence: &Convergence) -> Solved {
        let speed = self.speed_to_undo();
        let goal = convergence.tolerance * speed;
        for (row, p) in self.rows.iter().zip(&mut *self.vectors.p) {
            *p = if speed > 0.0 { project(p, &row.normal, row.friction) } else { Vector3::zeros() };
        }
        self.update_gradient();
        self.update_sliding();
        let mut residual = self.coulomb_residual();
        let mut iterations = 0;
        let (mut theta, mut curvature) = (1.0, 1.0);
        self.restart();
        while residual > goal && iterations < convergence.max_iterations {
            self.step(&mut curvature);
            iterations += 1;
            let [coulomb, minimum] = self.residuals();
            residual = coulomb;
            if residual > goal && minimum <= SLIDING_RATIO * coulomb {
                self.update_sliding();
                self.restart();
                theta = 1.0;
            } else if self.goes_uphill() {
                self.restart();
                (theta, curvature) = (1.0, curvature * CURVATURE_DECAY);
            } else {
                theta = self.extrapolate(theta);
            }
        }
        Solved { iterations, residual, speed }
    }

    /// The largest speed that contacts have to undo: that of approach, or across.
    fn speed_to_undo(&self) -> f64 {
        let speeds = self.rows.iter().zip(self.vectors.drive).map(|(row, b)| {
            let along = row.normal.dot(b);
            let across = (b - row.normal * along).norm_squared();
            let across = if along < 0.0 && row.friction > 0.0 { across } else { 0.0 };
            (along.min(0.0) * along + across).sqrt()
        });
        speeds.fold(0.0, f64::max)
    }

    /// g = N p + b at p.
    pub(crate) fn update_gradient(&mut self) {
        let Vectors { p, gradient, drive, .. } = &mut self.vectors;
        self.bodies.respond(self.rows, p);
        for ((row, g), b) in self.rows.iter().zip(&mut **gradient).zip(*drive) {
            *g = self.bodies.relative_velocity(row) + b;
        }
    }

    /// s = μ|u_t| at p.
    pub(crate) fn update_sliding(&mut self) {
        let Vectors { gradient, sliding, .. } = &mut self.vectors;
        for ((row, g), s) in self.rows.iter().zip(&**gradient).zip(&mut **sliding) {
            *s = sliding_term(row, g);
        }
    }

    /// A projected gradient step from y to p, as long as the curvature allows.
    fn step(&mut self, curvature: &mut f64) {
        let v = &mut self.vectors;
        v.previous.copy_from_slice(v.p);
        v.previous_gradient.copy_from_slice(v.gradient);
        for _ in 0..MAX_HALVINGS {
            let v = &mut self.vectors;
            for (i, row) in self.rows.iter().enumerate() {
                let g = v.extrapolated_gradient[i] + row.normal * v.sliding[i];
                let to = v.extrapolated[i] - g / (*curvature * row.metric);
                v.p[i] = project(&to, &row.normal, row.friction);
            }
            self.update_gradient();
            let [found, bound] = self.curvature_along_step();
            if found <= *curvature * bound * (1.0 + ROUNDING) {
                return;
            }
            *curvature = (2.0 * *curvature).max(found / bound).min(4.0 * *curvature);
        }
    }

    /// (p − y)ᵀ N (p − y) and (p − y)ᵀ D (p − y).
    fn curvature_along_step(&self) -> [f64; 2] {
        let v = &self.vectors;
        let mut sums = [0.0; 2];
        for (i, row) in self.rows.iter().enumerate() {
            let step = v.p[i] - v.extrapolated[i];
            sums[0] += step.dot(&(v.gradient[i] - v.extrapolated_gradient[i]));
            sums[1] += row.metric * step.norm_squared();
        }
        sums
    }

    /// The largest residuals \[m/s\]: of Coulomb's law, and of the minimum with s as it is.
    pub(crate) fn residuals(&self) -> [f64; 2] {
        let v = &self.vectors;
        let mut largest: [f64; 2] = [0.0; 2];
        for (i, row) in self.rows.iter().enumerate() {
            let (p, u) = (&v.p[i], &v.gradient[i]);
            let coulomb = residual(row, p, u, sliding_term(row, u));
            largest[0] = largest[0].max(coulomb);
            largest[1] = largest[1].max(residual(row, p, u, v.sliding[i]));
        }
        largest.map(f64::sqrt)
    }

    /// The first of these alone.
    pub(crate) fn coulomb_residual(&self) -> f64 {
        let v = &self.vectors;
        let largest = self.rows.iter().enumerate().fold(0.0_f64, |largest, (i, row)| {
            let (p, u) = (&v.p[i], &v.gradient[i]);
            largest.max(residual(row, p, u, sliding_term(row, u)))
        });
        largest.sqrt()
    }

    /// Whether the last step went against the one that the extrapolation repeats.
    fn goes_uphill(&self) -> bool {
        let v = &self.vectors;
        let rows = self.rows.iter().enumerate();
        let products = rows.map(|(i, row)| {
            row.metric * (v.extrapolated[i] - v.p[i]).dot(&(v.p[i] - v.previous[i]))
        });
        products.sum::<f64>() > 0.0
    }

    /// y = p.
    fn restart(&mut self) {
        let v = &mut self.vectors;
        v.extrapolated.copy_from_slice(v.p);
        v.extrapolated_gradient.copy_from_slice(v.gradient);
    }

    /// y = p + β (p − the previous p), by Nesterov's sequence, whose next term it returns.
    fn extrapolate(&mut self, theta: f64) -> f64 {
        let next = 0.5 * (1.0 + (1.0 + 4.0 * theta * theta).sqrt());
        let beta = (theta - 1.0) / next;
        let v = &mut self.vectors;
        for i in 0..v.p.len() {
            v.extrapolated[i] = v.p[i] + (v.p[i] - v.previous[i]) * beta;
            let change = v.gradient[i] - v.previous_gradient[i];
            v.extrapolated_gradient[i] = v.gradient[i] + change * beta;
        }
        next
    }
}

/// s = μ|u_t|.
#[inline]
fn sliding_term(row: &Row, u: &Vector3<f64>) -> f64 {
    if row.friction == 0.0 {
        return 0.0;
    }
    row.friction * (u - row.normal * row.normal.dot(u)).norm()
}

/// (D |p − Π(p − D⁻¹(u + n s))|)² \[m²/s²\].
#[inline]
fn residual(row: &Row, p: &Vector3<f64>, u: &Vector3<f64>, s: f64) -> f64 {
    let to = p - (u + row.normal * s) / row.metric;
    (p - project(&to, &row.normal, row.friction)).norm_squared() * row.metric * row.metric
}
