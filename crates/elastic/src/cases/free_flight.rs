//! A box of tetrahedra of springs that flies and spins freely.
//!
//! Momentum and angular momentum stay, and so does the energy: at first all kinetic, as the box
//! starts at rest length; then it swings in and out by the centrifugal force.

use super::run::{Run, symplectic};
use crate::account::ElasticAccount;
use crate::material::{Material, SpringMass, SpringStiffness, Springs};
use crate::meshing::{BoxPattern, box_tetrahedra};
use crate::stepper::{StepError, SymplecticSettings};
use crate::system::{BodySpec, ElasticSystem};
use hashfall_geometry::Point;

/// Of the box \[m\].
const SIDE: f64 = 0.3;
/// Where its centre is, and how fast it goes.
const PLACE: [f64; 3] = [0.2, -0.1, 0.3];
const VELOCITY: [f64; 3] = [0.7, -0.4, 1.1];
/// About an axis of no symmetry \[1/s\].
const ANGULAR_VELOCITY: [f64; 3] = [2.0, 4.0, -3.0];

/// The largest deviations from the start, over the values there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreeFlight {
    /// Of the energy.
    pub energy: f64,
    /// Of the momentum.
    pub momentum: f64,
    /// About the origin.
    pub angular_momentum: f64,
    /// The largest elastic energy over the kinetic one at the start.
    pub elastic_share: f64,
    /// Substeps.
    pub substeps: u64,
}

/// Lets the box fly for a time \[s\].
///
/// # Errors
/// If a step fails.
pub fn free_flight(duration: f64, settings: SymplecticSettings) -> Result<FreeFlight, StepError> {
    let mut run = Run::new(spring_box(), symplectic(settings));
    let spin = Point::from(ANGULAR_VELOCITY);
    for (x, v) in run.state.position.iter().zip(&mut run.state.velocity) {
        *v = Point::from(VELOCITY) + spin.cross(&(x - Point::from(PLACE)));
    }
    let account = |run: &Run| ElasticAccount::new(run.system(), &run.state, &Point::zeros());
    let start = account(&run);
    let mut worst = FreeFlight {
        energy: 0.0,
        momentum: 0.0,
        angular_momentum: 0.0,
        elastic_share: 0.0,
        substeps: 0,
    };
    let dt = 0.01;
    for _ in 0..(duration / dt).round() as usize {
        worst.substeps += run.advance(dt, &Point::zeros())?.substeps;
        let now = account(&run);
        let raise = |worst: &mut f64, value: f64| *worst = worst.max(value.abs());
        let ratio = |now: Point, start: Point| (now - start).norm() / start.norm();
        raise(&mut worst.energy, now.energy() / start.energy() - 1.0);
        raise(&mut worst.momentum, ratio(now.momentum, start.momentum));
        let angular = ratio(now.angular_momentum, start.angular_momentum);
        raise(&mut worst.angular_momentum, angular);
        raise(&mut worst.elastic_share, now.elastic / start.kinetic);
    }
    Ok(worst)
}

fn spring_box() -> ElasticSystem {
    let corner = Point::from(PLACE) - Point::repeat(0.5 * SIDE);
    let edges = [Point::x(), Point::y(), Point::z()].map(|edge| edge * SIDE);
    let mesh = box_tetrahedra(corner, edges, [3; 3], BoxPattern::Five);
    let springs = Springs {
        stiffness: SpringStiffness::Modulus(1e5),
        across: 0.0,
        mass: SpringMass::Density(1000.0),
        thickness: 0.01,
        damping_time: 0.0,
    };
    let mesh = mesh.unwrap_or_else(|error| unreachable!("{error}"));
    let spec = BodySpec::new("box", mesh, Material::Springs(springs));
    ElasticSystem::new(vec![spec]).unwrap_or_else(|error| unreachable!("{error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stepper::SymplecticOrder;

    #[test]
    fn a_free_box_keeps_momentum_and_angular_momentum() {
        let found = free_flight(2.0, SymplecticSettings::default()).unwrap();
        assert!(found.momentum < 1e-10 && found.angular_momentum < 1e-10, "{found:?}");
        // Velocity Verlet swings about the energy by the square of the substep: 1.4e-5 here.
        assert!(found.energy < 2e-5 && found.elastic_share > 1e-3, "{found:?}");
    }

    #[test]
    fn the_sixth_order_keeps_the_energy_to_a_part_in_ten_thousand_million() {
        let order = SymplecticOrder::Sixth;
        let settings = SymplecticSettings { order, substep_ratio: 0.25, ..Default::default() };
        let found = free_flight(2.0, settings).unwrap();
        assert!(found.momentum < 1e-10 && found.angular_momentum < 1e-10, "{found:?}");
        assert!(found.energy < 1e-10 && found.elastic_share > 1e-3, "{found:?}");
    }
}
