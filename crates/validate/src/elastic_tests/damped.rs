//! Bodies of each kind that swing in a mode, with damping.
//!
//! With a damping rate α and a damping time β a mode of angular frequency ω decays as e^(−γ t),
//! γ = α/2 + β ω²/2, and swings with ω_d = √(ω² − γ²).
//!
//! Both are fitted to how far the nodes have gone along the velocities at the start, weighted by
//! mass. What else the start excites is given time to die out.

use crate::cases::elastic::swing::Swing;
use hashfall_elastic::testing::{Run, symplectic};
use hashfall_elastic::{
    BodySpec, BoxPattern, ElasticMesh, ElasticSystem, Fixing, Implicit, ImplicitSettings,
    Integrator, Material, MeshingError, Rope, Shell, Solid, SpringMass, SpringStiffness, Springs,
    StepError, SymplecticSettings, box_tetrahedra, rope, sheet,
};
use hashfall_geometry::Point;
use std::f64::consts::TAU;

/// What swings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DampedBody {
    /// A mass on a spring, along it.
    Spring,
    /// A rope in bending, clamped at one end.
    Rope,
    /// A strip in bending, clamped at one end.
    Shell,
    /// A bar in bending, clamped at one end.
    Solid,
}

/// Periods that are let go by, and those that are fitted.
const PERIODS: [usize; 2] = [1, 3];
/// Samples in a period.
const SAMPLES: usize = 6;
/// Of the start over the length of the body: linear theory holds.
const AMPLITUDE: f64 = 1e-4;

impl DampedBody {
    /// Lets it swing with α `rate` \[1/s\] and β `time` \[s\], in `steps` a sample; `guess` is
    /// about its angular frequency \[1/s\].
    ///
    /// # Errors
    /// If a step fails.
    pub fn swing(
        self,
        integrator: Box<dyn Integrator>,
        rate: f64,
        time: f64,
        guess: f64,
        steps: usize,
    ) -> Result<Swing, StepError> {
        let mut run = Run::new(self.system(rate, time), integrator);
        let start = run.state.position.clone();
        let system = run.system();
        let profile = |node: usize| {
            let is_held = system.inverse_mass()[node] == 0.0;
            if is_held { Point::zeros() } else { self.mode(&start[node]) }
        };
        let profile: Vec<Point> = (0..start.len()).map(profile).collect();
        let weights = profile.iter().zip(system.mass()).map(|(v, mass)| v * *mass);
        let weights: Vec<Point> = weights.collect();
        for (v, profile) in run.state.velocity.iter_mut().zip(&profile) {
            *v = profile * (AMPLITUDE * guess);
        }
        let sample = TAU / guess / SAMPLES as f64;
        let mut q = vec![];
        for k in 0..(PERIODS[0] + PERIODS[1]) * SAMPLES {
            for _ in 0..steps {
                run.advance(sample / steps as f64, &Point::zeros())?;
            }
            if k >= PERIODS[0] * SAMPLES {
                let moved = run.state.position.iter().zip(&start).zip(&weights);
                q.push(moved.map(|((x, start), w)| w.dot(&(x - start))).sum());
            }
        }
        Ok(Swing::fit(&q, sample))
    }

    /// The velocities at the start over that of the end: about those of the lowest mode.
    fn mode(self, x: &Point) -> Point {
        match self {
            DampedBody::Spring => Point::x() * x.x,
            _ => Point::z() * (x.x * x.x * (1.5 - 0.5 * x.x)),
        }
    }

    fn system(self, damping_rate: f64, damping_time: f64) -> ElasticSystem {
        let (mesh, material) = self.parts(damping_time);
        let mesh = mesh.unwrap_or_else(|error| unreachable!("{error}"));
        let nodes = (0_u32..).zip(&mesh.nodes).filter(|(_, x)| x.x < 1e-9);
        let fixings = nodes.map(|(node, _)| (node, Fixing::Fixed)).collect();
        let spec = BodySpec { fixings, damping_rate, ..BodySpec::new("body", mesh, material) };
        ElasticSystem::new(vec![spec]).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// The mesh, from x = 0, where it is held, to 1, and the material.
    fn parts(self, damping_time: f64) -> (Result<ElasticMesh, MeshingError>, Material) {
        let (start, end) = (Point::zeros(), Point::x());
        match self {
            DampedBody::Spring => {
                let springs = Springs {
                    stiffness: SpringStiffness::PerSpring(250.0),
                    across: 0.0,
                    mass: SpringMass::PerNode(0.1),
                    thickness: 0.01,
                    damping_time,
                };
                (rope(start, end, 1), Material::Springs(springs))
            }
            DampedBody::Rope => {
                // Softer along itself than a rod, for longer substeps.
                let rod = Rope::rod(1e7, 1000.0, 0.04);
                let material = Rope { damping_time, tensile_stiffness: 50.0, ..rod };
                (rope(start - Point::x() * 0.125, end, 9), Material::Rope(material))
            }
            DampedBody::Shell => {
                let mesh =
                    sheet(start - Point::x() * 0.25, Point::x() * 1.25, Point::y() * 0.5, [5, 2]);
                let shell = Shell { damping_time, ..Shell::new(1e5, 0.3, 1000.0, 0.2) };
                (mesh, Material::Shell(shell))
            }
            DampedBody::Solid => {
                let edges = [Point::x(), Point::y() * 0.4, Point::z() * 0.4];
                let mesh = box_tetrahedra(start, edges, [2, 1, 1], BoxPattern::Five);
                let solid = Solid { damping_time, ..Solid::new(1e5, 0.3, 1000.0) };
                (mesh, Material::Solid(solid))
            }
        }
    }
}

/// With about its angular frequency.
const BODIES: [(DampedBody, f64); 4] = [
    (DampedBody::Spring, 50.0),
    (DampedBody::Rope, 3.5),
    (DampedBody::Shell, 2.1),
    (DampedBody::Solid, 4.0),
];

/// Deviations of ω_d and γ from the closed form, for the parts of α and β in the damping
/// ratio.
fn deviation(
    body: DampedBody,
    guess: f64,
    integrator: &dyn Fn() -> Box<dyn Integrator>,
    steps: usize,
    parts: [f64; 2],
) -> [f64; 2] {
    let free = body.swing(integrator(), 0.0, 0.0, guess, steps).unwrap();
    let omega = free.angular_frequency;
    assert!(free.decay.abs() < 1e-3 * omega, "{body:?} {free:?}");
    if body == DampedBody::Spring {
        assert!((omega / 50.0 - 1.0).abs() < 1e-3, "√(k/m) is 50 1/s: {free:?}");
    }
    let (rate, time) = (2.0 * parts[0] * omega, 2.0 * parts[1] / omega);
    let found = body.swing(integrator(), rate, time, omega, steps).unwrap();
    let decay = (parts[0] + parts[1]) * omega;
    let damped = (omega * omega - decay * decay).sqrt();
    let off = [found.angular_frequency / damped - 1.0, found.decay / decay - 1.0];
    off.map(f64::abs)
}

#[test]
fn symplectic_substeps_decay_and_swing_as_damping_says() {
    let verlet = || symplectic(SymplecticSettings::default());
    for (body, guess) in BODIES {
        // A single mass has substeps of a sixth of its period otherwise.
        let steps = if body == DampedBody::Spring { 20 } else { 1 };
        for parts in [[0.2, 0.0], [0.0, 0.02]] {
            let [frequency, decay] = deviation(body, guess, &verlet, steps, parts);
            assert!(frequency < 1e-3 && decay < 2e-3, "{body:?}: {frequency}, {decay}");
        }
    }
}

#[test]
fn implicit_substeps_decay_and_swing_as_damping_says() {
    let settings = ImplicitSettings { tolerance: 1e-8, ..ImplicitSettings::default() };
    let implicit = || -> Box<dyn Integrator> { Box::new(Implicit::new(settings)) };
    for (body, guess) in BODIES {
        let [frequency, decay] = deviation(body, guess, &implicit, 10, [0.1, 0.1]);
        assert!(frequency < 2e-3 && decay < 5e-3, "{body:?}: {frequency}, {decay}");
    }
}
