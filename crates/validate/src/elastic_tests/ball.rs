//! An elastic ball: free and spinning, and thrown against a level plane.
//!
//! Free, it keeps momentum and angular momentum to rounding by any symplectic integrator, and its
//! energy as well as the integrator's order and substep allow. At the plane, contact takes energy
//! from nodes that it stops, and never gives any; what else is lost of the bounce stays in the ball
//! as sound.

use hashfall_elastic::testing::{Plane, Run, symplectic};
use hashfall_elastic::{
    BodySpec, BoxPattern, Collisions, ElasticAccount, ElasticMesh, ElasticSystem, Implicit,
    ImplicitSettings, Integrator, Material, NoCollisions, Solid, StepError, SymplecticOrder,
    SymplecticSettings, box_tetrahedra,
};
use hashfall_geometry::Point;

/// \[m\]
const RADIUS: f64 = 0.1;
/// Rubber: E \[Pa\], ν, ρ \[kg/m³\].
const RUBBER: [f64; 3] = [1e5, 0.4, 1000.0];
/// \[1/s\]
const ANGULAR_VELOCITY: [f64; 3] = [9.0, 14.0, -5.0];

/// The largest deviations from the start, over the values there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpinningBall {
    /// Of the energy.
    pub energy: f64,
    /// Of the momentum.
    pub momentum: f64,
    /// About the origin.
    pub angular_momentum: f64,
    /// The largest elastic energy over the kinetic one at the start.
    pub elastic_share: f64,
}

/// What became of a ball that was thrown at a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounce {
    /// The largest rise of the energy from one step to the next, over that at the start.
    pub largest_gain: f64,
    /// The energy at the end over that at the start.
    pub energy_ratio: f64,
    /// The speed of its centre upwards at the end, over that downwards at the start.
    pub restitution: f64,
    /// The lowest node at any step \[m\].
    pub lowest: f64,
}

/// Lets a ball spin freely for a time \[s\], in this number of steps.
///
/// # Errors
/// If a step fails.
pub fn spinning_ball(
    integrator: Box<dyn Integrator>,
    cells: u32,
    time: f64,
    steps: u32,
) -> Result<SpinningBall, StepError> {
    let centre = Point::new(0.2, -0.1, 0.3);
    let mut run = ball(integrator, Box::new(NoCollisions), cells, centre);
    let spin = Point::from(ANGULAR_VELOCITY);
    for (x, v) in run.state.position.iter().zip(&mut run.state.velocity) {
        *v = Point::new(0.7, -0.4, 1.1) + spin.cross(&(x - centre));
    }
    let account = |run: &Run| ElasticAccount::new(run.system(), &run.state, &Point::zeros());
    let start = account(&run);
    let mut found =
        SpinningBall { energy: 0.0, momentum: 0.0, angular_momentum: 0.0, elastic_share: 0.0 };
    let relative = |now: &Point, start: &Point| (now - start).norm() / start.norm();
    for _ in 0..steps {
        run.advance(time / f64::from(steps), &Point::zeros())?;
        let now = account(&run);
        let (p, l) = (&now.momentum, &now.angular_momentum);
        found.energy = found.energy.max((now.energy() / start.energy() - 1.0).abs());
        found.momentum = found.momentum.max(relative(p, &start.momentum));
        found.angular_momentum = found.angular_momentum.max(relative(l, &start.angular_momentum));
        found.elastic_share = found.elastic_share.max(now.elastic / start.kinetic);
    }
    Ok(found)
}

/// Throws a ball at a plane below it with a speed \[m/s\], and follows it in steps of `dt` \[s\].
///
/// # Errors
/// If a step fails.
pub fn bouncing_ball(
    integrator: Box<dyn Integrator>,
    cells: u32,
    speed: f64,
    dt: f64,
    steps: u32,
) -> Result<Bounce, StepError> {
    let centre = Point::z() * (1.1 * RADIUS);
    let mut run = ball(integrator, Box::new(Plane::default()), cells, centre);
    run.state.velocity.fill(-Point::z() * speed);
    let account = |run: &Run| ElasticAccount::new(run.system(), &run.state, &Point::zeros());
    let start = account(&run);
    let mut before = start.energy();
    let mut found =
        Bounce { largest_gain: 0.0, energy_ratio: 1.0, restitution: -1.0, lowest: RADIUS };
    for _ in 0..steps {
        run.advance(dt, &Point::zeros())?;
        let now = account(&run);
        let gain = (now.energy() - before) / start.energy();
        found.largest_gain = found.largest_gain.max(gain);
        found.energy_ratio = now.energy() / start.energy();
        found.restitution = -now.momentum.z / start.momentum.z;
        found.lowest = run.state.position.iter().map(|x| x.z).fold(found.lowest, f64::min);
        before = now.energy();
    }
    Ok(found)
}

/// A ball at rest.
fn ball(
    integrator: Box<dyn Integrator>,
    collisions: Box<dyn Collisions>,
    cells: u32,
    centre: Point,
) -> Run {
    let mut mesh = cube(cells);
    for x in &mut mesh.nodes {
        // Shells of cubes become spheres.
        let norm = x.norm();
        if norm > 0.0 {
            *x *= RADIUS * x.amax() / norm;
        }
        *x += centre;
    }
    let [modulus, poisson_ratio, density] = RUBBER;
    let material = Material::Solid(Solid::new(modulus, poisson_ratio, density));
    let system = ElasticSystem::new(vec![BodySpec::new("ball", mesh, material)]);
    let system = system.unwrap_or_else(|error| unreachable!("{error}"));
    Run::with_collisions(system, integrator, collisions)
}

/// From −1 to 1.
fn cube(cells: u32) -> ElasticMesh {
    let edges = [Point::x() * 2.0, Point::y() * 2.0, Point::z() * 2.0];
    let mesh = box_tetrahedra(Point::repeat(-1.0), edges, [cells; 3], BoxPattern::BodyCentred);
    mesh.unwrap_or_else(|error| unreachable!("{error}"))
}

fn verlet(order: SymplecticOrder, substep_ratio: f64) -> Box<dyn Integrator> {
    symplectic(SymplecticSettings { order, substep_ratio, ..Default::default() })
}

fn implicit() -> Box<dyn Integrator> {
    Box::new(Implicit::new(ImplicitSettings::default()))
}

#[test]
fn a_spinning_ball_keeps_energy_and_momenta() {
    let found = spinning_ball(verlet(SymplecticOrder::Fourth, 0.5), 2, 0.05, 10).unwrap();
    assert!(found.energy < 1e-10, "{found:?}");
    assert!(found.momentum < 1e-12 && found.angular_momentum < 1e-12, "{found:?}");
    assert!(found.elastic_share > 1e-3, "{found:?}: it is not strained");
}

#[test]
fn a_ball_bounces_without_a_gain_from_contact() {
    let of = |ratio: f64| {
        bouncing_ball(verlet(SymplecticOrder::Second, ratio), 2, 2.0, 1e-3, 60).unwrap()
    };
    let [coarse, fine] = [of(0.5), of(0.25)];
    assert!(fine.lowest > -1e-12 && fine.restitution > 0.85, "{fine:?}");
    assert!(fine.energy_ratio < 1.0, "{fine:?}");
    // What rises is the integrator's own swing, of second order in the substep.
    assert!(coarse.largest_gain < 3e-4, "{coarse:?}");
    assert!(fine.largest_gain < 0.4 * coarse.largest_gain, "{coarse:?}, {fine:?}");
}

#[test]
#[ignore = "takes a minute: prints the figures of the docs"]
fn measure() {
    let start = std::time::Instant::now();
    let found = bouncing_ball(verlet(SymplecticOrder::Second, 0.5), 2, 2.0, 1e-3, 60);
    println!("verlet bounce: {found:?} {:.1} s", start.elapsed().as_secs_f64());
    for dt in [0.01, 5e-3, 2e-3] {
        let steps = (0.06 / dt) as u32;
        let found = bouncing_ball(implicit(), 2, 2.0, dt, steps);
        println!("implicit bounce {dt}: {found:?} {:.1} s", start.elapsed().as_secs_f64());
    }
}
