//! The implicit integrator: its order, its limit of long steps, contact, threads and errors.

use super::*;
use crate::account::ElasticAccount;
use crate::contact::{Collisions, NoCollisions};
use crate::fixing::Fixing;
use crate::material::{Material, Rope, Shell};
use crate::meshing::{rope, sheet};
use crate::stepper::StepError;
use crate::system::{BodySpec, ElasticSystem};
use crate::testing::{Plane, Run};
use hashfall_core::parallel::with_threads;
use hashfall_geometry::Point;
use nalgebra::Rotation3;
use std::f64::consts::PI;

const G: Point = Point::new(0.0, 0.0, -9.81);

fn run_of(spec: BodySpec, settings: ImplicitSettings, collisions: Box<dyn Collisions>) -> Run {
    let system = ElasticSystem::new(vec![spec]).unwrap();
    Run::with_collisions(system, Box::new(Implicit::new(settings)), collisions)
}

/// A mass on a spring along z, and its angular frequency.
fn oscillator() -> (Run, f64) {
    let mesh = rope(Point::zeros(), -Point::z(), 1).unwrap();
    let rope = Rope { bending_stiffness: 0.0, ..Rope::rod(1e6, 1000.0, 0.01) };
    let fixings = vec![(0, Fixing::Fixed)];
    let spec = BodySpec { fixings, ..BodySpec::new("spring", mesh, Material::Rope(rope)) };
    let settings = ImplicitSettings { tolerance: 1e-10, ..ImplicitSettings::default() };
    let run = run_of(spec, settings, Box::new(NoCollisions));
    let omega = (rope.tensile_stiffness / run.system().mass()[1]).sqrt();
    (run, omega)
}

#[test]
fn it_is_of_second_order_and_damps_little() {
    let error = |steps: u32| {
        let (mut run, omega) = oscillator();
        let amplitude = 1e-3;
        run.state.velocity[1].z = omega * amplitude;
        for _ in 0..steps {
            run.advance(2.0 * PI / omega / f64::from(steps), &Point::zeros()).unwrap();
        }
        let speed = run.state.velocity[1].z / (omega * amplitude);
        ((run.state.position[1].z + 1.0) / amplitude, 1.0 - speed)
    };
    let [(coarse, _), (fine, lost)] = [error(40), error(80)];
    let order = (coarse / fine).abs().log2();
    assert!((order - 2.0).abs() < 0.05, "{coarse}, {fine}: order {order}");
    assert!(lost > 0.0 && lost < 1e-3, "amplitude lost in a period of 80 steps: {lost}");
}

/// R(i ω h): what a step multiplies a swing x − i v/ω with, as its real and imaginary part.
fn stability_function(z: f64) -> [f64; 2] {
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let gamma = 2.0 - 2.0_f64.sqrt();
    let (c, s) = (0.5 * gamma, 1.0 / (gamma * (2.0 - gamma)));
    let old = (1.0 - gamma) * (1.0 - gamma) * s;
    // 1/(1 − i c z)
    let square = 1.0 + c * c * z * z;
    let inverse = [1.0 / square, c * z / square];
    let middle = times([1.0, c * z], inverse);
    times([s * middle[0] - old, s * middle[1]], inverse)
}

#[test]
fn a_step_multiplies_a_swing_by_the_stability_function_of_tr_bdf2() {
    for z in [0.02, 0.1, 0.5, 2.0, 10.0, 1000.0] {
        let (mut run, omega) = oscillator();
        let amplitude = 1e-3;
        run.state.position[1].z += amplitude;
        run.advance(z / omega, &Point::zeros()).unwrap();
        let found = [
            (run.state.position[1].z + 1.0) / amplitude,
            -run.state.velocity[1].z / (omega * amplitude),
        ];
        let exact = stability_function(z);
        let off = (found[0] - exact[0]).hypot(found[1] - exact[1]);
        assert!(off < 1e-6, "ω h = {z}: {found:?}, exact {exact:?}");
    }
    for steps in [40, 80, 160] {
        let z = 2.0 * PI / f64::from(steps);
        let [re, im] = stability_function(z);
        let lost = 1.0 - re.hypot(im).powi(steps);
        // What the head of the integrator and the docs say.
        let leading = 0.0037 * z.powi(4) * f64::from(steps);
        assert!((lost / leading - 1.0).abs() < 0.05, "{lost}, {leading}");
    }
}

#[test]
fn a_free_spin_loses_angular_momentum_by_the_square_of_the_step_and_gains_no_energy() {
    let lost = |steps: u32| {
        let settings = ImplicitSettings { tolerance: 1e-9, ..ImplicitSettings::default() };
        let mut run = run_of(cloth(4, 0.0), settings, Box::new(NoCollisions));
        let middle = Point::new(0.5, 0.5, 0.0);
        let spin = Point::new(3.0, 1.0, 2.0);
        for (x, v) in run.state.position.iter().zip(&mut run.state.velocity) {
            *v = spin.cross(&(x - middle));
        }
        let account = |run: &Run| ElasticAccount::new(run.system(), &run.state, &Point::zeros());
        let start = account(&run);
        for _ in 0..steps {
            run.advance(0.5 / f64::from(steps), &Point::zeros()).unwrap();
        }
        let end = account(&run);
        let change = (end.angular_momentum - start.angular_momentum).norm();
        [1.0 - end.energy() / start.energy(), change / start.angular_momentum.norm()]
    };
    let [coarse, fine] = [lost(50), lost(100)];
    let order = (coarse[1] / fine[1]).log2();
    assert!((order - 2.0).abs() < 0.25, "{coarse:?}, {fine:?}: order {order}");
    // The start is not in balance with the spin: it stretches the cloth, which dies out.
    for [energy, _] in [coarse, fine] {
        assert!(energy > 0.0 && energy < 5e-4, "lost {energy} of the energy");
    }
}

#[test]
fn steps_far_longer_than_the_period_lead_to_the_static_state() {
    let (mut run, omega) = oscillator();

    for _ in 0..12 {
        run.advance(1e4 / omega, &G).unwrap();
    }
    let sunk = -1.0 - run.state.position[1].z;
    let exact = 9.81 / (omega * omega);
    assert!((sunk / exact - 1.0).abs() < 1e-6, "{sunk} m, exact {exact} m");
}

/// A stiff cloth of a metre, level, at a height.
fn cloth(cells: u32, height: f64) -> BodySpec {
    let origin = Point::z() * height;
    let mesh = sheet(origin, Point::x(), Point::y(), [cells, cells]).unwrap();
    let shell = Shell { damping_time: 0.0, ..Shell::new(1e7, 0.3, 300.0, 1e-3) };
    BodySpec::new("cloth", mesh, Material::Shell(shell))
}

#[test]
fn a_stiff_cloth_comes_to_rest_on_a_table_and_gains_no_energy() {
    for dt in [0.02, 5e-3] {
        let settings = ImplicitSettings::default();
        let mut run = run_of(cloth(6, 0.02), settings, Box::new(Plane::default()));
        // Not level, so that it comes down on an edge.
        let turn = Rotation3::from_euler_angles(0.03, -0.1, 0.0);
        run.state.position.iter_mut().for_each(|x| *x = turn * *x);
        let account = |run: &Run| ElasticAccount::new(run.system(), &run.state, &G);
        let start = account(&run).energy();
        let mut before = start;
        let mut worst: f64 = 0.0;
        for _ in 0..(0.3 / dt) as u32 {
            run.advance(dt, &G).unwrap();
            let now = account(&run);
            worst = worst.max((now.energy() - before) / start);
            before = now.energy();
        }
        let lowest = run.state.position.iter().map(|x| x.z).fold(1.0, f64::min);
        let highest = run.state.position.iter().map(|x| x.z).fold(0.0, f64::max);
        assert!(lowest > -1e-12, "{lowest} m below the table");
        assert!(worst < 1e-5, "gained {worst} of the energy in a step of {dt} s");
        assert!(highest < 1e-4, "a corner stays at {highest} m");
    }
}

#[test]
fn steps_have_the_same_bits_for_any_number_of_threads() {
    let bits = |threads: usize| {
        with_threads(threads, || {
            // More nodes than a piece of the factors has.
            let mut spec = cloth(33, 0.001);
            spec.fixings.push((0, Fixing::Fixed));
            let settings = ImplicitSettings { contact_rounds: 2, ..ImplicitSettings::default() };
            let mut run = run_of(spec, settings, Box::new(Plane::default()));
            run.advance(0.015, &G).unwrap();
            run.state.digest()
        })
    };
    assert_eq!(bits(1), bits(3));
}

#[test]
fn what_is_not_solved_is_an_error_that_says_what_to_change() {
    let settings = ImplicitSettings { max_newton: 1, ..ImplicitSettings::default() };
    let mut run = run_of(cloth(4, 1.0), settings, Box::new(NoCollisions));
    run.state.position[7].x += 0.1;
    let error = run.advance(0.1, &G).unwrap_err();
    assert!(matches!(error, StepError::NotConverged { max_newton: 1, .. }));
    assert!(error.to_string().contains("use more `substeps`, raise `max_newton`"), "{error}");
}

#[test]
fn free_bodies_keep_their_momentum() {
    let mut run = run_of(cloth(6, 0.0), ImplicitSettings::default(), Box::new(NoCollisions));
    for (k, v) in run.state.velocity.iter_mut().enumerate() {
        *v = Point::new(1.0, libm::sin(k as f64), libm::cos(3.0 * k as f64));
    }
    let momentum = |run: &Run| ElasticAccount::new(run.system(), &run.state, &G).momentum;
    let start = momentum(&run);
    (0..5).for_each(|_| assert!(run.advance(0.01, &Point::zeros()).is_ok()));
    let change = (momentum(&run) - start).norm() / start.norm();
    assert!(change < 1e-10, "momentum changed by {change}");
}
