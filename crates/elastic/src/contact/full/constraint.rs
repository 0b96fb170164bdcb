//! One contact as a bound on velocities, and the impulse that keeps it.
//!
//! Symbols: w weights of the points, positive on one side and negative on the other, of sum 0
//! unless the other side is a plane; n unit normal; k = Σ w²/m \[1/kg\]; λ normal and τ tangential
//! impulse \[kg m/s\]; b bound of the normal velocity \[m/s\]; μ friction \[–\]; s how fast the
//! surface goes relative to its points, as that of a ball does that spins about its middle \[m/s\].

use hashfall_geometry::Point;

/// A contact of up to four points: n · Σ w v ≥ b, and Coulomb's friction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constraint {
    /// Points; those of weight 0 repeat the first.
    pub points: [u32; 4],
    /// w.
    pub weights: [f64; 4],
    /// n, towards the side of positive weights.
    pub normal: Point,
    /// b; never positive where velocities are constrained.
    pub bound: f64,
    /// μ.
    pub friction: f64,
    /// What the motion of surfaces relative to their points adds to Σ w v, at right angles to n.
    spin_velocity: Point,
    /// k; 0 if no point can move.
    compliance: f64,
    /// λ.
    normal_impulse: f64,
    /// τ, at right angles to n.
    tangential_impulse: Point,
}

impl Constraint {
    /// A contact without an impulse: of these points with their weights \[–\], along a unit normal,
    /// with the bound of its normal velocity \[m/s\] and μ \[–\]; inverse masses are those of all
    /// points \[1/kg\].
    pub fn new(
        points: [u32; 4],
        weights: [f64; 4],
        normal: Point,
        bound: f64,
        friction: f64,
        inverse_mass: &[f64],
    ) -> Self {
        let terms = points.iter().zip(&weights).map(|(p, w)| w * w * inverse_mass[*p as usize]);
        Constraint {
            points,
            weights,
            normal,
            bound: bound.min(0.0),
            friction,
            spin_velocity: Point::zeros(),
            compliance: terms.sum(),
            normal_impulse: 0.0,
            tangential_impulse: Point::zeros(),
        }
    }

    /// The same of surfaces that move relative to their points, which adds this to Σ w v \[m/s\].
    pub fn with_spin_velocity(self, spin_velocity: Point) -> Self {
        Constraint { spin_velocity, ..self }
    }

    /// The same without friction and impulses, and with another bound.
    pub fn with_bound(&self, bound: f64) -> Self {
        let (normal_impulse, tangential_impulse) = (0.0, Point::zeros());
        Constraint { bound, friction: 0.0, normal_impulse, tangential_impulse, ..*self }
    }

    /// Σ w x of a quantity by point.
    #[inline]
    pub fn relative(&self, of_points: &[Point]) -> Point {
        // Written out: this is the solver's inner loop.
        let ([a, b, c, d], w) = (self.points.map(|point| of_points[point as usize]), self.weights);
        (a * w[0] + b * w[1]) + (c * w[2] + d * w[3])
    }

    /// λ \[kg m/s\].
    pub fn normal_impulse(&self) -> f64 {
        self.normal_impulse
    }

    /// Sets the impulse to that which is best for this contact alone; returns by how much its
    /// relative velocity changed \[m/s\], and adds to `changed` by how much those of its points
    /// did.
    #[inline]
    pub fn relax(
        &mut self,
        inverse_mass: &[f64],
        velocity: &mut [Point],
        changed: &mut [f64],
    ) -> f64 {
        if self.compliance == 0.0 {
            return 0.0;
        }
        let relative = self.relative(velocity);
        let normal_velocity = self.normal.dot(&relative);
        let excess = normal_velocity - self.bound;
        if excess >= 0.0 && self.normal_impulse == 0.0 {
            return 0.0;
        }
        let sliding = relative - self.normal * normal_velocity + self.spin_velocity;
        let change = self.best_change(excess, &sliding);
        self.normal_impulse += change.0;
        self.tangential_impulse += change.1;
        let impulse = self.normal * change.0 + change.1;
        let size = impulse.norm();
        for (point, weight) in self.points.iter().zip(self.weights) {
            let (point, share) = (*point as usize, weight * inverse_mass[*point as usize]);
            velocity[point] += impulse * share;
            changed[point] += size * share.abs();
        }
        self.compliance * size
    }

    /// The changes of λ and τ: first the best λ, then the best τ of the cone. If τ would have to
    /// shrink with λ so much that the objective of the [solver](super::solver) grew, λ stays where
    /// τ is on the cone.
    #[inline]
    fn best_change(&self, excess: f64, sliding: &Point) -> (f64, Point) {
        let k = self.compliance;
        let best_normal = (self.normal_impulse - excess / k).max(0.0);
        let best_tangential = self.tangential_impulse - sliding / k;
        let cone = |normal: f64| {
            let (limit, norm) = (self.friction * normal, best_tangential.norm());
            let scale = if norm > limit { limit / norm } else { 1.0 };
            (normal - self.normal_impulse, best_tangential * scale - self.tangential_impulse)
        };
        let growth = |(normal, tangential): &(f64, Point)| {
            normal * (excess + 0.5 * k * normal)
                + tangential.dot(&(sliding + tangential * (0.5 * k)))
        };
        let change = cone(best_normal);
        if growth(&change) <= 0.0 {
            return change;
        }
        let least = self.tangential_impulse.norm() / self.friction;
        cone(best_normal.max(least.min(self.normal_impulse)))
    }
}

#[cfg(test)]
impl Constraint {
    /// |τ| \[kg m/s\].
    pub fn tangential_norm(&self) -> f64 {
        self.tangential_impulse.norm()
    }

    /// The impulse on some of its points \[kg m/s\].
    pub fn impulse_on(&self, is_one: impl Fn(usize) -> bool) -> Point {
        let impulse = self.normal * self.normal_impulse + self.tangential_impulse;
        let points = self.points.iter().zip(self.weights);
        points.filter(|(p, _)| is_one(**p as usize)).map(|(_, w)| impulse * w).sum()
    }
}
