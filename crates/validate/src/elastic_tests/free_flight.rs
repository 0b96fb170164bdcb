//! A box of springs, a solid box or a thin ball that flies and spins freely.
//!
//! Momentum and angular momentum stay, and so does the energy: at first all kinetic, as the body
//! starts in its rest shape; then it swings in and out by the centrifugal force.

use hashfall_elastic::testing::{Run, symplectic};
use hashfall_elastic::{
    BodySpec, BoxPattern, ElasticAccount, ElasticMesh, ElasticSystem, Material, MeshingError,
    Shell, Solid, SpringMass, SpringStiffness, Springs, StepError, SymplecticOrder,
    SymplecticSettings, ball_surface, box_tetrahedra,
};
use hashfall_geometry::Point;

/// What flies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeBody {
    /// A box of tetrahedra of springs.
    Springs,
    /// A box of neo-Hookean tetrahedra of second order.
    Solid,
    /// A closed shell.
    Shell,
}

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

/// Lets a body fly for a time \[s\].
///
/// # Errors
/// If a step fails.
pub fn free_flight(
    body: FreeBody,
    duration: f64,
    settings: SymplecticSettings,
) -> Result<FreeFlight, StepError> {
    let mut run = Run::new(body.system(), symplectic(settings));
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

impl FreeBody {
    fn system(self) -> ElasticSystem {
        let (modulus, density) = (1e5, 1000.0);
        let (mesh, material) = match self {
            FreeBody::Springs => {
                let springs = Springs {
                    stiffness: SpringStiffness::Modulus(modulus),
                    across: 0.0,
                    mass: SpringMass::Density(density),
                    thickness: 0.01,
                    damping_time: 0.0,
                };
                (cells(3), Material::Springs(springs))
            }
            FreeBody::Solid => (cells(2), Material::Solid(Solid::new(modulus, 0.3, density))),
            FreeBody::Shell => {
                let mesh = ball_surface(Point::from(PLACE), 0.5 * SIDE, 2);
                (mesh, Material::Shell(Shell::new(modulus, 0.3, density, 0.02)))
            }
        };
        let mesh = mesh.unwrap_or_else(|error| unreachable!("{error}"));
        let spec = BodySpec::new("body", mesh, material);
        ElasticSystem::new(vec![spec]).unwrap_or_else(|error| unreachable!("{error}"))
    }
}

/// A box with this number of cells along each edge.
fn cells(count: u32) -> Result<ElasticMesh, MeshingError> {
    let corner = Point::from(PLACE) - Point::repeat(0.5 * SIDE);
    let edges = [Point::x(), Point::y(), Point::z()].map(|edge| edge * SIDE);
    box_tetrahedra(corner, edges, [count; 3], BoxPattern::Five)
}

#[test]
fn a_free_box_keeps_momentum_and_angular_momentum() {
    let found = free_flight(FreeBody::Springs, 2.0, SymplecticSettings::default()).unwrap();
    assert!(found.momentum < 1e-10 && found.angular_momentum < 1e-10, "{found:?}");
    // Velocity Verlet swings about the energy by the square of the substep: 1.4e-5 here.
    assert!(found.energy < 2e-5 && found.elastic_share > 1e-3, "{found:?}");
}

#[test]
fn the_sixth_order_keeps_the_energy_to_a_part_in_ten_thousand_million() {
    let order = SymplecticOrder::Sixth;
    let bodies =
        [(FreeBody::Springs, 2.0, 0.25), (FreeBody::Solid, 0.4, 0.5), (FreeBody::Shell, 0.4, 0.5)];
    for (body, duration, substep_ratio) in bodies {
        let settings = SymplecticSettings { order, substep_ratio, ..Default::default() };
        let found = free_flight(body, duration, settings).unwrap();
        assert!(found.momentum < 1e-10 && found.angular_momentum < 1e-10, "{found:?}");
        assert!(found.energy < 1e-10 && found.elastic_share > 1e-3, "{body:?}: {found:?}");
    }
}
