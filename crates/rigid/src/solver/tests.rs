//! The contact solver and its mobility against closed forms and a dense oracle, on contact points
//! that are given.

use super::apgd::Convergence;
use super::contact_solver::{ContactProblem, ContactReport, ContactSolver, ContactState};
use super::mass_blocks::block_matrix;
use super::mobility::{MAX_DENSE, Mobility};
use crate::body::{InverseMass, Locks};
use crate::contact_point::ContactPoint;
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::geometry::random::Random;
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

const TOLERANCE: f64 = 1e-10;

/// Bodies and contacts, the last body being a wall.
#[derive(Default)]
struct Scene {
    inverse_mass: Vec<InverseMass>,
    centers: Vec<Vector3<f64>>,
    free: Vec<Twist>,
    points: Vec<ContactPoint>,
    speeds: Vec<f64>,
}

struct Outcome {
    solver: ContactSolver,
    impulses: Vec<Vector3<f64>>,
    twists: Vec<Twist>,
    report: ContactReport,
}

impl Scene {
    fn body(&mut self, inverse: InverseMass, center: Vector3<f64>, free: Twist) -> u32 {
        self.inverse_mass.push(inverse);
        self.centers.push(center);
        self.free.push(free);
        self.centers.len() as u32 - 1
    }

    fn wall(&mut self) -> u32 {
        self.body(InverseMass::default(), Vector3::zeros(), Twist::default())
    }

    fn touch(&mut self, bodies: [u32; 2], position: Vector3<f64>, normal: Vector3<f64>, mu: f64) {
        let feature = self.points.len() as u64;
        let (friction, gap, restitution) = (mu, 0.0, 0.0);
        self.points.push(ContactPoint {
            bodies,
            position,
            normal,
            gap,
            friction,
            restitution,
            feature,
        });
        self.speeds.push(0.0);
    }

    fn problem(&self) -> ContactProblem<'_> {
        ContactProblem {
            points: &self.points,
            speeds: &self.speeds,
            inverse_mass: &self.inverse_mass,
            centers: &self.centers,
            free: &self.free,
        }
    }

    fn solve(&self, tolerance: f64) -> Outcome {
        let mut solver = ContactSolver::default();
        let mut impulses = vec![Vector3::zeros(); self.points.len()];
        let mut twists = self.free.clone();
        let convergence = Convergence { tolerance, max_iterations: 20_000 };
        let report = solver.solve(&self.problem(), &convergence, &mut impulses, &mut twists);
        Outcome { solver, impulses, twists, report }
    }

    fn relative(&self, point: &ContactPoint, twists: &[Twist]) -> Vector3<f64> {
        let [a, b] = point.bodies.map(|body| {
            let arm = point.position - self.centers[body as usize];
            twists[body as usize].velocity_at(&arm)
        });
        b - a
    }
}

fn cuboid(mass: f64, half: &Vector3<f64>, locks: Locks) -> InverseMass {
    let square = half.component_mul(half);
    let moments = (Vector3::repeat(square.sum()) - square) * (mass / 3.0);
    InverseMass::new(mass, &Matrix3::from_diagonal(&moments), locks)
}

/// A block on its four corners on a floor z = 0, with this velocity where nothing touches.
fn block_on_floor(mu: f64, velocity: Vector3<f64>) -> Scene {
    let mut scene = Scene::default();
    let half = Vector3::new(0.5, 0.4, 0.1);
    let free = Twist { velocity, spin: Vector3::zeros() };
    let block = scene.body(cuboid(3.0, &half, Locks::NONE), Vector3::z() * half.z, free);
    let wall = scene.wall();
    for (x, y) in [(-0.5, -0.4), (0.5, -0.4), (-0.5, 0.4), (0.5, 0.4)] {
        scene.touch([wall, block], Vector3::new(x, y, 0.0), Vector3::z(), mu);
    }
    scene
}

/// Blobs in a random heap above a floor, some of their axes locked, pulled down.
fn heap(seed: u64, count: u32) -> Scene {
    let mut random = Random::new(seed);
    let mut scene = Scene::default();
    for k in 0..count {
        let half = random.point(0.2, 0.6);
        let locks = if k % 5 == 4 { Locks::PLANE } else { Locks::NONE };
        let inverse = cuboid(random.number(0.5, 4.0), &half, locks);
        let free = Twist {
            velocity: random.point(-0.3, 0.3) - Vector3::z(),
            spin: random.point(-0.3, 0.3),
        };
        let center = random.point(0.0, 1.0) + Vector3::z() * f64::from(k);
        scene.body(inverse, center, locks.restrict(&free));
    }
    let wall = scene.wall();
    for k in 0..count {
        for below in [k.checked_sub(1), k.checked_sub(2)] {
            let below = below.unwrap_or(wall);
            // A face: points in a plane across the normal.
            let normal = (Vector3::z() + random.point(-0.4, 0.4)).normalize();
            let middle = scene.centers[k as usize] - normal * 0.4;
            let friction = random.number(0.0, 0.8);
            for _ in 0..3 {
                let across = normal.cross(&random.point(-0.5, 0.5));
                scene.touch([below, k], middle + across, normal, friction);
            }
        }
    }
    scene
}

#[test]
fn a_block_that_is_pushed_less_than_friction_holds_stops_and_else_slides_on() {
    for (mu, across) in [(0.5, 0.49), (0.5, 0.51), (0.0, 0.3), (0.3, 1.0)] {
        let scene = block_on_floor(mu, Vector3::new(across, 0.0, -1.0));
        let outcome = scene.solve(TOLERANCE);
        let left = (across - mu).max(0.0);
        let Twist { velocity, spin } = outcome.twists[0];
        assert!((velocity - Vector3::x() * left).norm() < 1e-8, "{mu} {across}: {velocity}");
        assert!(spin.norm() < 1e-8);
        let total: Vector3<f64> = outcome.impulses.iter().sum();
        let expected = Vector3::new(-mu.min(across), 0.0, 1.0) * 3.0;
        assert!((total - expected).norm() < 1e-7, "{mu} {across}: {total}");
        let expected = if left > 0.0 { ContactState::Sliding } else { ContactState::Sticking };
        assert!(outcome.solver.states.iter().all(|state| *state == expected));
    }
}

#[test]
fn the_solution_is_the_same_in_any_units() {
    let scene = heap(5, 6);
    let unit = scene.solve(1e-6);
    for (length, mass) in [(2.0_f64.powi(-10), 2.0_f64.powi(-30)), (1024.0, 2.0_f64.powi(30))] {
        let mut scaled = heap(5, 6);
        for inverse in &mut scaled.inverse_mass {
            inverse.linear /= mass;
            inverse.angular /= mass * length * length;
        }
        scaled.centers.iter_mut().for_each(|x| *x *= length);
        scaled.free.iter_mut().for_each(|twist| twist.velocity *= length);
        scaled.points.iter_mut().for_each(|point| point.position *= length);
        let outcome = scaled.solve(1e-6);
        assert_eq!(outcome.report.iterations, unit.report.iterations);
        for (a, b) in outcome.impulses.iter().zip(&unit.impulses) {
            assert_eq!(*a, b * (mass * length));
        }
    }
}

#[test]
fn heaps_obey_coulomb_and_signorini_at_each_point_and_keep_momentum() {
    let mut states = [0; 3];
    for seed in 0..20 {
        let scene = heap(seed, 8);
        let Outcome { solver, impulses, twists, report } = scene.solve(TOLERANCE);
        assert_eq!(report.unconverged, 0, "seed {seed}: {report:?}");
        let mut wrenches = vec![Wrench::default(); scene.centers.len()];
        for (point, p) in scene.points.iter().zip(&impulses) {
            let u = scene.relative(point, &twists);
            let (pressed, parting) = (point.normal.dot(p), point.normal.dot(&u));
            assert!(pressed >= 0.0 && parting > -1e-8, "seed {seed}: {pressed} {parting}");
            assert!(pressed * parting.abs() < 1e-7, "seed {seed}: {pressed} {parting}");
            let [pt, ut] = [p, &u].map(|v| v - point.normal * point.normal.dot(v));
            let limit = point.friction * pressed;
            assert!(pt.norm() <= limit * (1.0 + 1e-12));
            // Against the motion, as large as the limit: |u_t| p_t = −limit u_t.
            assert!((pt * ut.norm() + ut * limit).norm() < 1e-7, "seed {seed}");
            for (body, sign) in point.bodies.into_iter().zip([-1.0, 1.0]) {
                let arm = point.position - scene.centers[body as usize];
                wrenches[body as usize] += Wrench::from_force_at(p * sign, &arm);
            }
        }
        for body in 0..twists.len() {
            let change = scene.inverse_mass[body].apply(&wrenches[body]);
            let error = scene.free[body] + change - twists[body];
            assert!(error.velocity.norm() + error.spin.norm() < 1e-12);
        }
        for state in &solver.states {
            states[*state as usize] += 1;
        }
    }
    assert!(states.iter().all(|&count| count > 50), "open, sliding, sticking: {states:?}");
}

#[test]
fn a_start_at_the_solution_takes_no_iteration() {
    let scene = heap(3, 8);
    let first = scene.solve(1e-8);
    let mut solver = first.solver;
    let (mut impulses, mut twists) = (first.impulses.clone(), scene.free.clone());
    let problem = scene.problem();
    let convergence = Convergence { tolerance: 1e-8, max_iterations: 10 };
    let report = solver.solve(&problem, &convergence, &mut impulses, &mut twists);
    assert!(first.report.iterations > 10 && report.iterations == 0, "{report:?}");
    for (again, before) in impulses.iter().zip(&first.impulses) {
        assert!((again - before).norm() < 1e-13 * before.norm().max(1.0));
    }
}

#[test]
fn a_large_island_that_goes_on_from_its_last_impulses_gets_to_the_solution() {
    let mut random = Random::new(21);
    let mut scene = Scene::default();
    let count = 40;
    for k in 0..count {
        let half = random.point(0.3, 0.5);
        let free =
            Twist { velocity: random.point(-0.2, 0.2) - Vector3::z(), spin: Vector3::zeros() };
        let center = Vector3::new(f64::from(k), 0.0, 0.4);
        scene.body(cuboid(random.number(1.0, 3.0), &half, Locks::NONE), center, free);
    }
    let wall = scene.wall();
    for k in 0..count {
        let center = scene.centers[k as usize];
        for (x, y) in [(-0.4, -0.4), (0.4, -0.4), (0.0, 0.4)] {
            scene.touch([wall, k], center + Vector3::new(x, y, -0.4), Vector3::z(), 0.1);
        }
        if k > 0 {
            scene.touch([k - 1, k], center - Vector3::x() * 0.5, Vector3::x(), 0.3);
        }
    }
    let mut solver = ContactSolver::default();
    let mut impulses = vec![Vector3::zeros(); scene.points.len()];
    let mut twists = scene.free.clone();
    let problem = ContactProblem {
        points: &scene.points,
        speeds: &scene.speeds,
        inverse_mass: &scene.inverse_mass,
        centers: &scene.centers,
        free: &scene.free,
    };
    let convergence = Convergence { tolerance: 1e-9, max_iterations: 100 };
    let mut solve = || solver.solve(&problem, &convergence, &mut impulses, &mut twists);
    let first = solve();
    let last = (0..300).map(|_| solve()).find(|report| report.unconverged == 0);
    assert!(first.unconverged == 1 && last.is_some(), "{first:?} {:?}", solve());
    let mut slides = 0;
    for (point, p) in scene.points.iter().zip(&impulses) {
        let u = scene.relative(point, &twists);
        let [pt, ut] = [p, &u].map(|v| v - point.normal * point.normal.dot(v));
        assert!(point.normal.dot(&u) > -1e-8);
        let limit = point.friction * point.normal.dot(p);
        assert!((pt * ut.norm() + ut * limit).norm() < 1e-7);
        slides += usize::from(ut.norm() > 1e-3);
    }
    assert!(slides > 10 && slides < 120, "{slides} slide");
}

/// W by the KKT system of the held constraints, solved with a dense pseudo-inverse.
fn oracle(scene: &Scene, outcome: &Outcome) -> DMatrix<f64> {
    let n = scene.centers.len();
    let mut inverse = DMatrix::zeros(6 * n, 6 * n);
    for (k, block) in scene.inverse_mass.iter().enumerate() {
        inverse.fixed_view_mut::<6, 6>(6 * k, 6 * k).copy_from(&block_matrix(block));
    }
    let mut rows: Vec<DVector<f64>> = Vec::new();
    for (&contact, state) in outcome.solver.islands.contacts.iter().zip(&outcome.solver.states) {
        let point = &scene.points[contact as usize];
        let axes = match state {
            ContactState::Open => vec![],
            ContactState::Sliding => vec![point.normal],
            ContactState::Sticking => vec![Vector3::x(), Vector3::y(), Vector3::z()],
        };
        for axis in axes {
            let mut row = DVector::zeros(6 * n);
            for (body, sign) in point.bodies.into_iter().zip([-1.0, 1.0]) {
                let at = 6 * body as usize;
                let arm = point.position - scene.centers[body as usize];
                row.fixed_rows_mut::<3>(at).copy_from(&(axis * sign));
                row.fixed_rows_mut::<3>(at + 3).copy_from(&(arm.cross(&axis) * sign));
            }
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return inverse;
    }
    let c = DMatrix::from_columns(&rows).transpose();
    let delassus = &c * &inverse * c.transpose();
    let scale = delassus.diagonal().amax();
    let pseudo = delassus.svd(true, true).pseudo_inverse(1e-10 * scale).expect("an inverse");
    &inverse - &inverse * c.transpose() * pseudo * &c * &inverse
}

/// W column by column.
fn columns(mobility: &Mobility, n: usize) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(6 * n, 6 * n);
    for column in 0..6 * n {
        let mut wrenches = vec![Wrench::default(); n];
        let Wrench { force, torque } = &mut wrenches[column / 6];
        let axis = column % 6;
        if axis < 3 {
            force[axis] = 1.0
        } else {
            torque[axis - 3] = 1.0
        }
        let mut twists = vec![Twist::default(); n];
        mobility.apply(&wrenches, &mut twists);
        for (k, twist) in twists.iter().enumerate() {
            matrix.fixed_view_mut::<3, 1>(6 * k, column).copy_from(&twist.velocity);
            matrix.fixed_view_mut::<3, 1>(6 * k + 3, column).copy_from(&twist.spin);
        }
    }
    matrix
}

#[test]
fn mobility_is_the_dense_solution_of_the_held_constraints_by_both_ways() {
    let mut moving = 0;
    for seed in 0..12 {
        let scene = heap(seed, 3 + (seed % 4) as u32);
        let outcome = scene.solve(TOLERANCE);
        let exact = oracle(&scene, &outcome);
        let n = scene.centers.len();
        for max_dense in [MAX_DENSE, 0] {
            let mobility = Mobility::at_solution(&outcome.solver, &scene.inverse_mass, max_dense);
            let found = columns(&mobility, n);
            let error = (&found - &exact).amax() / exact.amax().max(1.0);
            assert!(error < 1e-8, "seed {seed}, dense up to {max_dense}: {error:e}");
            assert!((&found - found.transpose()).amax() < 1e-9, "it is symmetric");
            for (body, own) in mobility.blocks().iter().enumerate() {
                let block = found.fixed_view::<6, 6>(6 * body, 6 * body);
                assert!((own - block).amax() < 1e-9);
            }
            let least = found.symmetric_eigenvalues().min();
            assert!(least > -1e-9, "seed {seed}: eigenvalue {least:e}");
        }
        moving += usize::from(exact.amax() > 1e-3);
    }
    assert!(moving > 3, "{moving} heaps can move at all");
}

#[test]
fn a_mobility_of_parts_is_never_less_and_is_exact_where_nothing_is_cut() {
    let mut loose = 0;
    for seed in 0..12 {
        let scene = heap(seed, 3 + (seed % 4) as u32);
        let outcome = scene.solve(TOLERANCE);
        let (exact, n) = (oracle(&scene, &outcome), scene.centers.len());
        let scale = exact.amax().max(1.0);
        let mut last = Mobility::default();
        for max_bodies in [n, n, 2, 1] {
            let mobility =
                Mobility::bounding(&outcome.solver, &scene.inverse_mass, max_bodies, &last);
            let found = columns(&mobility, n);
            let excess = &found - &exact;
            assert!(max_bodies < n || excess.amax() < 1e-8 * scale, "seed {seed}");
            assert!(excess.clone().symmetric_eigenvalues().min() > -1e-8 * scale, "seed {seed}");
            loose += usize::from(excess.amax() > 1e-3 * scale);
            last = mobility;
        }
    }
    assert!(loose > 6, "{loose} answer by more");
}

#[test]
fn mobility_predicts_the_solution_for_a_small_change_of_the_wrenches() {
    // A sliding block gets faster across by what acts across, and does not answer what acts down.
    let scene = block_on_floor(0.2, Vector3::new(1.0, 0.0, -1.0));
    let outcome = scene.solve(TOLERANCE);
    let mobility = Mobility::at_solution(&outcome.solver, &scene.inverse_mass, MAX_DENSE);
    let impulse = Wrench { force: Vector3::new(0.0, 3e-3, 0.0), torque: Vector3::zeros() };
    let mut change = vec![Twist::default(); 2];
    mobility.apply(&[impulse, Wrench::default()], &mut change);
    assert!((change[0].velocity - Vector3::y() * 1e-3).norm() < 1e-12);
    let down = Wrench { force: Vector3::z() * -5.0, torque: Vector3::new(0.2, 0.1, 0.0) };
    mobility.apply(&[down, Wrench::default()], &mut change);
    assert!(change[0].velocity.norm() + change[0].spin.norm() < 1e-12, "the floor holds");
    // A block that sticks does not move at all, whichever way it is pushed.
    let scene = block_on_floor(0.9, Vector3::new(0.3, 0.0, -1.0));
    let outcome = scene.solve(TOLERANCE);
    let mobility = Mobility::at_solution(&outcome.solver, &scene.inverse_mass, MAX_DENSE);
    mobility.apply(&[impulse + down, Wrench::default()], &mut change);
    assert!(change[0].velocity.norm() + change[0].spin.norm() < 1e-12, "friction holds");
}
