//! How clusters move: nearly as rigid bodies, and by how much they do not.
//!
//! # Bounds of approach
//!
//! Let points go straight by u(x), and let f(x) = c + ω × (x − x̄) be the velocity field of any
//! rigid motion, the same for two primitives. For points x and y of the two, r = y − x,
//!
//! |r + u(y) − u(x)| ≥ |r + ω × r| − |u(y) − f(y)| − |u(x) − f(x)|,
//!
//! and as ω × r is at right angles to r, the first term is |r| at least. So the gap closes by no
//! more than the sum of both deviations from f, *whichever field that is*. As displacements are
//! linear over a primitive, deviations are greatest at corners. Rotations need not be small, and
//! a body that flies and spins as a whole costs nothing.
//!
//! Here f is the field of the larger one of two clusters, fitted to its points by least squares;
//! the deviation of the smaller one from it is that from its own field, and what both fields differ
//! by: at its centre, and by its radius times the difference of the spins.

use super::boxes::Bounds;
use super::clusters::Clusters;
use super::points::Points;
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;

/// Roundings of a distance and of a few motions, as part of the largest coordinates \[–\].
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Clusters in a task at the least.
const CLUSTERS_PER_TASK: usize = 32;

/// Where the points of a cluster are.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClusterShape {
    /// The mean of its points \[m\].
    pub centre: Point,
    /// The greatest distance of a point from there \[m\].
    pub radius: f64,
    /// A box around all points \[m\].
    pub bounds: Bounds,
    /// Of the sum of squares about the centre \[1/m²\]; 0 of points on a line.
    inverse_inertia: Matrix3<f64>,
}

impl ClusterShape {
    /// Of some points.
    fn new(points: &[u32], place: &[Point]) -> Self {
        let each = || points.iter().map(|point| &place[*point as usize]);
        let centre = each().sum::<Point>() / points.len() as f64;
        let (mut squares, mut radius2) = (Matrix3::zeros(), 0.0);
        for x in each() {
            let arm = x - centre;
            squares += arm * arm.transpose();
            radius2 = f64::max(radius2, arm.norm_squared());
        }
        let inertia = Matrix3::from_diagonal_element(squares.trace()) - squares;
        let inverse_inertia = inertia.try_inverse().unwrap_or_default();
        let radius = radius2.sqrt();
        ClusterShape { centre, radius, bounds: Bounds::around(each()), inverse_inertia }
    }
}

/// What a cluster does in a motion: a rigid field, and the deviation from it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClusterMotion {
    /// x̄, where the motion starts \[m\].
    centre: Point,
    /// The greatest distance of a point from there \[m\].
    radius: f64,
    /// c \[m\].
    shift: Point,
    /// ω \[rad\].
    spin: Point,
    /// How far any point is from where the field takes it \[m\].
    deviation: f64,
    /// The longest way of a point \[m\].
    pub max_travel: f64,
}

impl ClusterMotion {
    fn new(points: &[u32], shape: &ClusterShape, place: &[Point], way: &[Point]) -> Self {
        let each = || points.iter().map(|point| (&place[*point as usize], &way[*point as usize]));
        let &ClusterShape { centre, radius, .. } = shape;
        let max_travel = each().map(|(_, u)| u.norm_squared()).fold(0.0, f64::max).sqrt();
        let still = ClusterMotion { centre, radius, max_travel, ..ClusterMotion::default() };
        if max_travel == 0.0 {
            return still;
        }
        let shift = each().map(|(_, u)| u).sum::<Point>() / points.len() as f64;
        let moment: Point = each().map(|(x, u)| (x - centre).cross(&(u - shift))).sum();
        let spin = shape.inverse_inertia * moment;
        let squares = each().map(|(x, u)| (u - shift - spin.cross(&(x - centre))).norm_squared());
        // NaN must stay, which `f64::max` would drop: points that are nearly on a line may have a
        // spin that is not finite, or so large that its roundings count.
        let deviation = squares.fold(0.0, |m, d| if d > m || d.is_nan() { d } else { m }).sqrt();
        let deviation = deviation + ROUNDING * (spin.norm() * radius + max_travel);
        if deviation <= max_travel {
            return ClusterMotion { shift, spin, deviation, ..still };
        }
        ClusterMotion { deviation: max_travel, ..still }
    }

    /// How much of a gap between two clusters closes at the most \[m\].
    fn approach(&self, other: &Self) -> f64 {
        let (large, small) =
            if self.radius >= other.radius { (self, other) } else { (other, self) };
        let arm = small.centre - large.centre;
        let field = large.shift + large.spin.cross(&arm);
        let difference = (small.shift - field).norm();
        let turn = (small.spin - large.spin).norm() * small.radius;
        let rounding = ROUNDING * large.spin.norm() * arm.norm();
        large.deviation + small.deviation + difference + turn + rounding
    }
}

/// Shapes and motions of all clusters.
#[derive(Clone, Debug, Default)]
pub(super) struct ClusterMotions {
    /// Where a substep starts.
    pub shapes: Vec<ClusterShape>,
    /// In the motion under way.
    pub motions: Vec<ClusterMotion>,
    /// From the start of the substep before to that of this one.
    pub since: Vec<ClusterMotion>,
    /// Where points were when the substep before started \[m\].
    last: Vec<Point>,
    way: Vec<Point>,
    /// What rounding may be off by in an approach \[m\].
    pub rounding: f64,
}

impl ClusterMotions {
    /// Takes the places of points at the start of a substep. Whatever they did since the start of
    /// the one before is a motion like any other, be it a substep or a return to an earlier state.
    pub fn begin(&mut self, clusters: &Clusters, points: &Points) {
        let ClusterMotions { shapes, since, last, way, .. } = self;
        let is_first = last.is_empty();
        since.resize(clusters.count(), ClusterMotion::default());
        last.resize(points.start.len(), Point::zeros());
        way.resize(last.len(), Point::zeros());
        parallel::fill(way, |point, way| *way = points.start[point] - last[point]);
        if !is_first {
            fill(since, |number, since| {
                if !clusters.stands[number] {
                    let list = clusters.points.list(number);
                    *since = ClusterMotion::new(list, &shapes[number], last, way);
                }
            });
        }
        last.copy_from_slice(&points.start);
        if is_first {
            let shape = |number| ClusterShape::new(clusters.points.list(number), last);
            *shapes = (0..clusters.count()).map(shape).collect();
            let still = |s: &ClusterShape| ClusterMotion {
                centre: s.centre,
                radius: s.radius,
                ..ClusterMotion::default()
            };
            *since = shapes.iter().map(still).collect();
            self.motions.clone_from(since);
        } else {
            fill(shapes, |number, shape| {
                if !clusters.stands[number] {
                    *shape = ClusterShape::new(clusters.points.list(number), last);
                }
            });
        }
        let sizes = shapes.iter().map(|shape| shape.bounds.min.amax().max(shape.bounds.max.amax()));
        self.rounding = ROUNDING * sizes.fold(0.0, f64::max);
    }

    /// Takes the displacements of the motion under way.
    pub fn follow(&mut self, clusters: &Clusters, points: &Points) {
        let shapes = &self.shapes;
        fill(&mut self.motions, |number, motion| {
            if !clusters.stands[number] {
                let (list, way) = (clusters.points.list(number), &points.displacement);
                *motion = ClusterMotion::new(list, &shapes[number], &points.start, way);
            }
        });
    }

    /// Widens the motion under way by what points deviate from it by at the most \[m\].
    pub fn widen(&mut self, clusters: &Clusters, deviation: &[f64]) {
        fill(&mut self.motions, |number, motion| {
            if !clusters.stands[number] {
                let points = clusters.points.list(number).iter();
                let most = points.map(|p| deviation[*p as usize]).fold(0.0, f64::max);
                motion.deviation += most;
                motion.max_travel += most;
            }
        });
    }

    /// How much of the gap between two clusters closes at the most in the motion under way, with
    /// two roundings \[m\]: one of what gaps closed by before, and one of gaps themselves, so that
    /// what sleeps has a gap that is wider by one than that without.
    pub fn approach(&self, [a, b]: [u32; 2]) -> f64 {
        self.motions[a as usize].approach(&self.motions[b as usize]) + 2.0 * self.rounding
    }

    /// The same from the start of the substep before to that of this one \[m\].
    pub fn approach_since(&self, [a, b]: [u32; 2]) -> f64 {
        self.since[a as usize].approach(&self.since[b as usize]) + 2.0 * self.rounding
    }
}

/// Sets what is of each cluster.
fn fill<T: Send>(out: &mut [T], write: impl Fn(usize, &mut T) + Sync) {
    parallel::fill_by(out, CLUSTERS_PER_TASK, write);
}
