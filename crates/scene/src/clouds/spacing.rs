//! Whether given particles stand as far apart as the particle radius says.
//!
//! - Places that two particles share are refused: nothing would ever part them.
//! - If more than one particle in a hundred has another closer than half a spacing, the file is of
//!   another radius, and refused.
//! - If the middle distance to the nearest other is more than 10 % above the spacing, they are too
//!   far apart, and if the sum Σ W d³ of the kernel is larger than 1.1³ at one in ten, they are too
//!   close: a warning says how far apart they are. At rest the sum is 1; at surfaces it is less.
//!
//! Symbols: d spacing \[m\], W kernel of support radius 2d \[1/m³\].

use crate::model::limits::SLACK;
use crate::model::{GivenParticles, Model};
use crate::problem::Problem;
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Dimension, Vec3, format_significant, to_real, vec3};
use hashfall_fill::region::particle_volume;
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};

/// How much another spacing may differ.
const TOLERANCE: f64 = 0.1;
/// The part of the particles that may have another within half a spacing.
const MAX_CLOSE: f64 = 0.01;

/// What is wrong with the spacing of the particles of the shape at a key path.
pub fn spacing_problems(model: &Model, key: &str, given: &GivenParticles) -> Option<Problem> {
    let d = 2.0 * model.particle_radius();
    let points: Vec<Vec3> = given.positions.iter().map(|x| vec3(*x)).collect();
    let reach = to_real(2.0 * d);
    let (mut search, mut neighbors) = (SortedCells::default(), NeighborLists::default());
    search.rebuild(&points, reach);
    neighbors.build(&search, &points, reach);
    let others = |i: usize| neighbors.of(i).iter().map(|&j| j as usize).filter(move |&j| j != i);
    let distance = |i: usize, j: usize| f64::from((points[i] - points[j]).norm());
    let nearest: Vec<f64> = (0..points.len())
        .map(|i| others(i).map(|j| distance(i, j)).fold(f64::INFINITY, f64::min))
        .collect();
    let number = |i: usize| given.numbers[i];
    let place = format!("{key}.path");
    let brief = |x: f64| format_significant(x, 3);
    let at = |problem: Problem| problem.also_at("particle_radius").also_at(format!("{key}.scale"));
    if let Some(i) = nearest.iter().position(|x| *x == 0.0) {
        let twin = others(i).find(|&j| points[i] == points[j]).unwrap_or(i);
        let count = nearest.iter().filter(|x| **x == 0.0).count();
        let message = format!(
            "{count} particles of the file share their places with others; first: particles {} \
             and {}",
            number(i.min(twin)),
            number(i.max(twin))
        );
        return Some(Problem::error(place, message, "each particle once"));
    }
    let sums = sums(model.dimensions, d, |i| others(i).map(|j| distance(i, j)).collect(), &nearest);
    let dimensions = if model.dimensions == Dimension::Two { 2.0 } else { 3.0 };
    let by_sum = d * libm::pow(quantile(sums, 0.9), -1.0 / dimensions);
    let is_close = |x: &f64| *x < 0.5 * d * (1.0 - SLACK);
    let close = nearest.iter().filter(|x| is_close(x)).count();
    if close as f64 > MAX_CLOSE * points.len() as f64 {
        let first = nearest.iter().position(is_close).unwrap_or(0);
        let message = format!(
            "{close} of {} particles of the file are closer to another than half a spacing of {} \
             m; first: particle {}",
            points.len(),
            brief(d),
            number(first)
        );
        let help =
            format!("a `particle_radius` such as {}, or another `scale`", brief(0.5 * by_sum));
        return Some(at(Problem::error(place, message, &help)));
    }
    let middle = quantile(nearest, 0.5);
    let apart = if middle > d * (1.0 + TOLERANCE) { middle } else { by_sum };
    let differs = middle > d * (1.0 + TOLERANCE) || by_sum < d / (1.0 + TOLERANCE);
    differs.then(|| {
        let (what, radius) = if apart.is_finite() {
            (brief(apart), format!("particle_radius: {}", brief(0.5 * apart)))
        } else {
            // None has another within reach.
            (
                format!("more than {}", brief(2.0 * d)),
                format!("a `particle_radius` above {}", brief(d)),
            )
        };
        let message = format!(
            "the particles of the file stand {what} m apart, not {} m, twice the `particle_radius`",
            brief(d)
        );
        at(Problem::warning(place, message, &format!("{radius}, or another `scale`")))
    })
}

/// Σ W dⁿ of each particle, itself included, in the plane n = 2.
fn sums(
    dimension: Dimension,
    d: f64,
    distances: impl Fn(usize) -> Vec<f64>,
    nearest: &[f64],
) -> Vec<f64> {
    let kernel = Kernel::new(KernelKind::CubicSpline, dimension, to_real(2.0 * d));
    let weight = |r: f64| f64::from(kernel.value(to_real(r)));
    let volume = particle_volume(dimension, d);
    let sum = |i: usize| volume * (weight(0.0) + distances(i).into_iter().map(weight).sum::<f64>());
    (0..nearest.len()).map(sum).collect()
}

/// The number below which a part of these lies.
fn quantile(mut numbers: Vec<f64>, part: f64) -> f64 {
    let rank = (part * (numbers.len() - 1) as f64) as usize;
    *numbers.select_nth_unstable_by(rank, f64::total_cmp).1
}
