//! One contact: how it displaces its points, and what it takes of their velocities.
//!
//! Symbols: w weights of the points, 1 for the vertex and minus the barycentric coordinates of the
//! nearest point for the other side; n unit normal towards the vertex; g = n · Σ w x − D the gap
//! \[m\]; k = Σ w²/m \[1/kg\]; μ friction \[–\].
//!
//! Where g < 0, points are displaced by −g/k · w/m · n, which closes the gap and leaves Σ m x where
//! it is. If they approach, u = n · Σ w v < 0, the impulse −u/k along n takes that, as of bodies
//! that do not bounce, and another across n takes of what slides at most μ times as much (Coulomb).
//! Momentum stays; kinetic energy never grows: an impulse that leaves a relative velocity between
//! what it was and zero takes energy.

use hashfall_geometry::Point;

/// A contact of up to four points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Contact {
    /// Points; those of weight 0 repeat the first.
    pub points: [u32; 4],
    /// w.
    pub weights: [f64; 4],
    /// n.
    pub normal: Point,
    /// D \[m\]; to a wall from the origin.
    pub distance: f64,
    /// μ.
    pub friction: f64,
    /// What the spin of a ball or capsule about its points adds to Σ w v \[m/s\].
    pub spin_velocity: Point,
}

impl Contact {
    /// Of a vertex with what does not depend on points that move.
    pub fn with_wall(vertex: u32, normal: Point, distance: f64, friction: f64) -> Self {
        let weights = [1.0, 0.0, 0.0, 0.0];
        let spin_velocity = Point::zeros();
        Contact { points: [vertex; 4], weights, normal, distance, friction, spin_velocity }
    }

    /// Displaces the points and changes their velocities; returns whether it did.
    pub fn respond(&self, inverse_mass: &[f64], x: &mut [Point], v: &mut [Point]) -> bool {
        let gap = self.normal.dot(&self.relative(x)) - self.distance;
        let terms = self.points.iter().zip(&self.weights);
        let compliance: f64 = terms.map(|(p, w)| w * w * inverse_mass[*p as usize]).sum();
        // Not below zero for a number that is none, too.
        if gap.is_nan() || gap >= 0.0 || compliance == 0.0 {
            return false;
        }
        self.add(&(self.normal * (-gap / compliance)), inverse_mass, x);
        let relative = self.relative(v);
        let approach = self.normal.dot(&relative);
        if approach < 0.0 {
            let sliding = relative - self.normal * approach + self.spin_velocity;
            let (speed, limit) = (sliding.norm(), -self.friction * approach);
            let part = if speed > limit { limit / speed } else { 1.0 };
            let change = self.normal * approach + sliding * part;
            self.add(&(change / -compliance), inverse_mass, v);
        }
        true
    }

    /// Σ w x of a quantity by point.
    fn relative(&self, of_points: &[Point]) -> Point {
        let terms = self.points.iter().zip(self.weights);
        terms.map(|(point, weight)| of_points[*point as usize] * weight).sum()
    }

    /// Adds w/m times an impulse, or what moves points as one, to a quantity by point.
    fn add(&self, impulse: &Point, inverse_mass: &[f64], of_points: &mut [Point]) {
        for (point, weight) in self.points.iter().zip(self.weights) {
            let point = *point as usize;
            of_points[point] += impulse * (weight * inverse_mass[point]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn a_response_closes_the_gap_keeps_momentum_and_gains_no_energy() {
        let mut random = Random::new(1);
        let mut acted = 0;
        for case in 0..5000 {
            let mut x: Vec<Point> = (0..4).map(|_| random.point(-1.0, 1.0)).collect();
            let mut v: Vec<Point> = (0..4).map(|_| random.point(-1.0, 1.0)).collect();
            let mass: Vec<f64> = (0..4).map(|_| random.number(0.1, 3.0)).collect();
            let mut inverse_mass: Vec<f64> = mass.iter().map(|m| 1.0 / m).collect();
            let is_free = case % 3 > 0;
            if !is_free {
                inverse_mass[1] = 0.0;
                v[1] = Point::zeros();
            }
            let [s, t] = [random.number(0.0, 1.0), random.number(0.0, 1.0)];
            let b = [1.0 - s, s * (1.0 - t), s * t];
            let contact = Contact {
                points: [0, 1, 2, 3],
                weights: [1.0, -b[0], -b[1], -b[2]],
                normal: random.direction(),
                distance: random.number(0.0, 1.0),
                friction: random.number(0.0, 1.0) * f64::from(case % 2),
                spin_velocity: Point::zeros(),
            };
            let total = |of: &[Point]| -> Point { of.iter().zip(&mass).map(|(y, m)| y * *m).sum() };
            let energy = |v: &[Point], w: &[f64]| -> f64 {
                v.iter().zip(w).filter(|(_, w)| **w > 0.0).map(|(v, w)| v.norm_squared() / w).sum()
            };
            let (before_x, before_v) = (total(&x), total(&v));
            let before_energy = energy(&v, &inverse_mass);
            if !contact.respond(&inverse_mass, &mut x, &mut v) {
                continue;
            }
            acted += 1;
            let gap = contact.normal.dot(&contact.relative(&x)) - contact.distance;
            assert!(gap.abs() < 1e-12, "{gap}");
            assert!(contact.normal.dot(&contact.relative(&v)) > -1e-12);
            assert!(energy(&v, &inverse_mass) <= before_energy * (1.0 + 1e-12));
            if is_free {
                assert!((total(&x) - before_x).norm() < 1e-12);
                assert!((total(&v) - before_v).norm() < 1e-12);
            }
        }
        assert!(acted > 2000, "{acted}");
    }

    #[test]
    fn what_slides_on_a_wall_is_slowed_by_coulombs_law() {
        let wall = |friction| Contact::with_wall(0, Point::z(), 0.0, friction);
        let after = |friction: f64| {
            let mut x = [Point::new(0.0, 0.0, -0.1)];
            let mut v = [Point::new(3.0, 0.0, -1.0)];
            assert!(wall(friction).respond(&[2.0], &mut x, &mut v));
            assert_eq!(x[0].z, 0.0);
            v[0]
        };
        assert_eq!(after(0.0), Point::new(3.0, 0.0, 0.0));
        assert!((after(0.5) - Point::new(2.5, 0.0, 0.0)).norm() < 1e-15);
        assert!(after(5.0).norm() < 1e-15);
        let (mut x, mut v) = ([Point::z()], [-Point::z()]);
        assert!(!wall(0.0).respond(&[1.0], &mut x, &mut v), "apart");
        assert!(!wall(0.0).respond(&[0.0], &mut [-Point::z()], &mut v), "held");
    }

    #[test]
    fn a_surface_that_spins_drags_what_touches_it_as_much_as_friction_can() {
        // At rest on a ball of speed s across, pressed on with 2 m/s.
        for (spin, dragged) in [(0.5, 0.5), (10.0, 1.2)] {
            let spin_velocity = Point::x() * -spin;
            let contact = Contact { spin_velocity, ..Contact::with_wall(0, Point::z(), 1.0, 0.6) };
            let (mut x, mut v) = ([Point::zeros()], [Point::z() * -2.0]);
            assert!(contact.respond(&[2.0], &mut x, &mut v));
            assert!((v[0] - Point::x() * dragged).norm() < 1e-12, "{spin}: {}", v[0]);
        }
    }
}
