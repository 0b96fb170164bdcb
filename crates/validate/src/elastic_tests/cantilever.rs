//! A cantilever in plane strain, held at one end: static under a force at its tip, and swinging.
//!
//! The set-up of Gray, Monaghan & Swift 2001, *SPH Elastic Dynamics*, §6: L = 0.2 m, H = 0.02 m,
//! E = 2 MPa, ν = 0.3975, ρ = 1000 kg/m³. References: a thin plate swings with
//! T = 2π/1.8751² √(ρ H L⁴/D), D = E H³/(12 (1 − ν²)), which is 0.2540 s; with shear and rotary
//! inertia (Timoshenko) T is 0.2566 s. Under a force F per width the tip sinks by F L³/(3D), and by
//! F L/(k G H) from shear, k = 5/6, G = E/(2 (1 + ν)).
//!
//! Solids swing between two walls without friction, which keep them in plane strain, and their
//! section at the held end slides on another, but for its middle: what beams are held by. Where the
//! whole section is fixed it cannot contract, and a solid is a little stiffer: it sinks by 0.993 of
//! the closed form and swings with 0.994 of the period in the limit of fine elements. Shells are
//! strips without contraction across, of a modulus E/(1 − ν²): in bending that is the same. They
//! are clamped by a row of triangles that is held.
//!
//! Deflections stay below H/10.

use super::crossings::Crossings;
use crate::cases::elastic::timoshenko::BETA;
use hashfall_elastic::testing::{Run, symplectic};
use hashfall_elastic::{
    Acceleration, BodySpec, BoxPattern, Collisions, ContactError, ElasticMesh, ElasticSystem,
    ElementOrder, Fixing, Implicit, ImplicitSettings, Integrator, Material, MeshingError,
    NoCollisions, NodeMotion, Shell, Solid, StepError, SymplecticSettings, box_tetrahedra, sheet,
};
use hashfall_geometry::Point;
use std::f64::consts::PI;

/// L, H \[m\], E \[Pa\], ν, ρ \[kg/m³\].
const LENGTH: f64 = 0.2;
const HEIGHT: f64 = 0.02;
const MODULUS: f64 = 2e6;
const POISSON_RATIO: f64 = 0.3975;
const DENSITY: f64 = 1000.0;
/// T with shear and rotary inertia \[s\].
const TIMOSHENKO_PERIOD: f64 = 0.2566;
/// Largest deflection \[m\].
const AMPLITUDE: f64 = HEIGHT / 20.0;

/// What a cantilever is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CantileverKind {
    /// A shell of square cells of two triangles.
    Shell,
    /// A solid of cubes of five tetrahedra.
    Solid(ElementOrder),
}

/// A cantilever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cantilever {
    /// What it is made of.
    pub kind: CantileverKind,
    /// Along its length.
    pub cells: u32,
    /// Whether the nodes of a shell are moved at random.
    pub is_irregular: bool,
}

/// Guides without friction: walls on both sides, and at the held end a wall on which the section
/// slides, but for its middle.
#[derive(Debug)]
struct Guides {
    section: Vec<usize>,
    middle: Vec<usize>,
}

impl Guides {
    fn new(start: &[Point]) -> Self {
        let those = |is_held: &dyn Fn(&Point) -> bool| {
            (0..start.len()).filter(|node| is_held(&start[*node])).collect()
        };
        let is_end = |x: &Point| x.x < 1e-9 * LENGTH;
        Guides {
            section: those(&is_end),
            middle: those(&|x| is_end(x) && (x.z - 0.5 * HEIGHT).abs() < 1e-9 * HEIGHT),
        }
    }
}

impl Collisions for Guides {
    fn resolve(&mut self, _: &NodeMotion<'_>, velocity: &mut [Point]) -> Result<f64, ContactError> {
        velocity.iter_mut().for_each(|v| v.y = 0.0);
        self.section.iter().for_each(|node| velocity[*node].x = 0.0);
        self.middle.iter().for_each(|node| velocity[*node].z = 0.0);
        Ok(1.0)
    }
}

impl Cantilever {
    /// The period over that of the closed form, from swings with this number of steps in a period.
    ///
    /// # Errors
    /// If a step fails.
    pub fn period_ratio(
        &self,
        integrator: Box<dyn Integrator>,
        steps: u32,
    ) -> Result<f64, StepError> {
        let mut run = self.run(integrator, 0.0);
        let (period, omega) = (self.period(), 2.0 * PI / self.period());
        for (x, v) in run.state.position.iter().zip(&mut run.state.velocity) {
            v.z = omega * AMPLITUDE * mode(x.x.max(0.0) / LENGTH);
        }
        let tip = self.tip(&run);
        let mut crossings = Crossings::new(-1e-300);
        for _ in 0..steps * 5 / 2 {
            run.advance(period / f64::from(steps), &Point::zeros())?;
            crossings.add(run.time, deflection(&run, &tip));
        }
        Ok(crossings.period() / period)
    }

    /// The static deflection under a force at the tip over that of the closed form, after a motion
    /// that is damped as fast as can be.
    ///
    /// # Errors
    /// If a step fails.
    pub fn deflection_ratio(&self, integrator: Box<dyn Integrator>) -> Result<f64, StepError> {
        let omega = 2.0 * PI / self.period();
        let mut run = self.run(integrator, 2.0 * omega);
        let tip = self.tip(&run);
        let mass: f64 = tip.iter().map(|node| run.system().mass()[*node]).sum();
        // Of a thin plate, then of this one.
        let force = AMPLITUDE * 3.0 * rigidity() / LENGTH.powi(3) * self.width();
        let edge = run.state.position[tip[0]].x - 0.25 * LENGTH / f64::from(self.cells);
        let at_tip = |x: &Point, _: f64| {
            if x.x > edge { Point::z() * (force / mass) } else { Point::zeros() }
        };
        let steps = 24;
        for _ in 0..steps {
            run.advance_by(12.0 / omega / f64::from(steps), Acceleration::Field(&at_tip), &[])?;
        }
        let shear_modulus = MODULUS / (2.0 * (1.0 + POISSON_RATIO));
        let shear = match self.kind {
            CantileverKind::Shell => 0.0,
            CantileverKind::Solid(_) => {
                force / self.width() * LENGTH / (5.0 / 6.0 * shear_modulus * HEIGHT)
            }
        };
        Ok(deflection(&run, &tip) / (AMPLITUDE + shear))
    }

    /// T of the closed form \[s\].
    pub fn period(&self) -> f64 {
        match self.kind {
            CantileverKind::Shell => {
                let root = (DENSITY * HEIGHT * LENGTH.powi(4) / rigidity()).sqrt();
                2.0 * PI / (BETA * BETA) * root
            }
            CantileverKind::Solid(_) => TIMOSHENKO_PERIOD,
        }
    }

    /// \[m\]
    fn width(&self) -> f64 {
        match self.kind {
            CantileverKind::Shell => 0.25 * LENGTH,
            CantileverKind::Solid(_) => HEIGHT,
        }
    }

    fn run(&self, integrator: Box<dyn Integrator>, damping_rate: f64) -> Run {
        let spec = self.spec().unwrap_or_else(|error| unreachable!("{error}"));
        let spec = BodySpec { damping_rate, ..spec };
        let system = ElasticSystem::new(vec![spec]);
        let system = system.unwrap_or_else(|error| unreachable!("{error}"));
        let collisions: Box<dyn Collisions> = match self.kind {
            CantileverKind::Shell => Box::new(NoCollisions),
            CantileverKind::Solid(_) => Box::new(Guides::new(&system.start().position)),
        };
        Run::with_collisions(system, integrator, collisions)
    }

    fn spec(&self) -> Result<BodySpec, MeshingError> {
        let cell = LENGTH / f64::from(self.cells);
        let (mesh, material) = match self.kind {
            CantileverKind::Shell => {
                let across = (self.cells / 4).max(2);
                let (u, v) = (Point::x() * (LENGTH + cell), Point::y() * self.width());
                let mut mesh = sheet(-Point::x() * cell, u, v, [self.cells + 1, across])?;
                if self.is_irregular {
                    shake(&mut mesh, self.width(), 0.3 * cell);
                }
                let modulus = MODULUS / (1.0 - POISSON_RATIO * POISSON_RATIO);
                (mesh, Material::Shell(Shell::new(modulus, 0.0, DENSITY, HEIGHT)))
            }
            CantileverKind::Solid(order) => {
                let edges = [Point::x() * LENGTH, Point::y() * HEIGHT, Point::z() * HEIGHT];
                let up = (self.cells / 10).max(1);
                let mesh =
                    box_tetrahedra(Point::zeros(), edges, [self.cells, up, up], BoxPattern::Five)?;
                let solid = Solid::new(MODULUS, POISSON_RATIO, DENSITY);
                (mesh, Material::Solid(Solid { order, ..solid }))
            }
        };
        let is_held = |x: &Point| self.kind == CantileverKind::Shell && x.x < 1e-9 * LENGTH;
        let held = (0_u32..).zip(&mesh.nodes).filter(|(_, x)| is_held(x));
        let fixings = held.map(|(node, _)| (node, Fixing::Fixed)).collect();
        Ok(BodySpec { fixings, ..BodySpec::new("cantilever", mesh, material) })
    }

    /// The nodes at the free end.
    fn tip(&self, run: &Run) -> Vec<usize> {
        let places = run.state.position.iter().enumerate();
        places.filter(|(_, x)| x.x > LENGTH * (1.0 - 1e-9)).map(|(node, _)| node).collect()
    }
}

/// D \[N·m\].
fn rigidity() -> f64 {
    MODULUS * HEIGHT.powi(3) / (12.0 * (1.0 - POISSON_RATIO * POISSON_RATIO))
}

/// The mean height of some nodes over where they started \[m\].
fn deflection(run: &Run, nodes: &[usize]) -> f64 {
    let start = &run.system().start().position;
    let sum: f64 = nodes.iter().map(|&k| run.state.position[k].z - start[k].z).sum();
    sum / nodes.len() as f64
}

/// The first mode of a clamped thin beam, 1 at its end, at a part of its length.
fn mode(x: f64) -> f64 {
    let (b, y) = (BETA, BETA * x);
    let ratio = (libm::sinh(b) - libm::sin(b)) / (libm::cosh(b) + libm::cos(b));
    0.5 * (libm::cosh(y) - libm::cos(y) - ratio * (libm::sinh(y) - libm::sin(y)))
}

/// Moves the inner nodes of a sheet at random within it.
fn shake(mesh: &mut ElasticMesh, width: f64, by: f64) {
    let mut rng = hashfall_core::rng::RandomStream::new(1);
    for x in &mut mesh.nodes {
        let shift = Point::new(rng.between(-by, by), rng.between(-by, by), 0.0);
        let is_inner = |x: f64, end: f64| x > 1e-9 * end && x < end * (1.0 - 1e-9);
        if is_inner(x.x, LENGTH) && is_inner(x.y, width) {
            *x += shift;
        }
    }
}

fn verlet() -> Box<dyn Integrator> {
    symplectic(SymplecticSettings { substep_ratio: 0.9, ..Default::default() })
}

fn implicit() -> Box<dyn Integrator> {
    Box::new(Implicit::new(ImplicitSettings::default()))
}

fn assert_near(found: f64, what: &str) {
    assert!((found - 1.0).abs() < 0.01, "{what} over that of the closed form: {found}");
}

#[test]
fn shells_swing_and_sink_as_thin_plates() {
    let it = Cantilever { kind: CantileverKind::Shell, cells: 16, is_irregular: true };
    assert_near(it.period_ratio(implicit(), 50).unwrap(), "period");
    assert_near(it.deflection_ratio(implicit()).unwrap(), "deflection");
}

#[test]
fn solids_swing_and_sink_as_timoshenko_beams() {
    let kind = CantileverKind::Solid(ElementOrder::Quadratic);
    let it = Cantilever { kind, cells: 10, is_irregular: false };
    assert_near(it.period_ratio(verlet(), 50).unwrap(), "period");
    assert_near(it.deflection_ratio(verlet()).unwrap(), "deflection");
}

#[test]
#[ignore = "takes minutes: prints the figures of the docs"]
fn measure() {
    let quadratic = CantileverKind::Solid(ElementOrder::Quadratic);
    let linear = CantileverKind::Solid(ElementOrder::Linear);
    let all: &[(CantileverKind, &[u32])] = &[
        (quadratic, &[5, 10]),
        (CantileverKind::Shell, &[20]),
        (linear, &[20, 40]),
        (quadratic, &[20]),
    ];
    for (kind, cells) in all {
        for &cells in *cells {
            for is_irregular in [false, true] {
                if is_irregular && *kind != CantileverKind::Shell {
                    continue;
                }
                let it = Cantilever { kind: *kind, cells, is_irregular };
                let start = std::time::Instant::now();
                let integrator = || match kind {
                    CantileverKind::Shell => implicit(),
                    _ => verlet(),
                };
                let period = it.period_ratio(integrator(), 100).unwrap();
                let sunk = it.deflection_ratio(integrator()).unwrap();
                let time = start.elapsed().as_secs_f64();
                let ratios = format!("period {period:.5}, deflection {sunk:.5}");
                println!("{kind:?} {cells} {is_irregular}: {ratios}, {time:.2} s");
            }
        }
    }
}
