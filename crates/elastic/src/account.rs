//! Energy and momentum of elastic bodies, by fixed-point sums.

use crate::state::ElasticState;
use crate::system::ElasticSystem;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// What elastic bodies have, those of fixed and tied nodes too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ElasticAccount {
    /// Σ m v²/2 \[J\].
    pub kinetic: f64,
    /// W \[J\].
    pub elastic: f64,
    /// −Σ m g·x: that of gravity, zero at the origin \[J\].
    pub potential: f64,
    /// Σ m v \[kg·m/s\].
    pub momentum: Point,
    /// Σ m x × v, about the origin \[kg·m²/s\].
    pub angular_momentum: Point,
}

impl ElasticAccount {
    /// Of bodies in a state, in a uniform gravity \[m/s²\].
    pub fn new(system: &ElasticSystem, state: &ElasticState, gravity: &Point) -> Self {
        let sums = parallel::sum(system.node_count(), |node| {
            let (m, x, v) = (system.mass()[node], state.position[node], state.velocity[node]);
            let (p, l) = (v * m, x.cross(&v) * m);
            [0.5 * m * v.norm_squared(), -m * gravity.dot(&x), p.x, p.y, p.z, l.x, l.y, l.z]
        });
        ElasticAccount {
            kinetic: sums[0],
            elastic: system.energies().energy(&state.position),
            potential: sums[1],
            momentum: Point::new(sums[2], sums[3], sums[4]),
            angular_momentum: Point::new(sums[5], sums[6], sums[7]),
        }
    }

    /// Kinetic, elastic and potential energy together \[J\].
    pub fn energy(&self) -> f64 {
        self.kinetic + self.elastic + self.potential
    }
}
