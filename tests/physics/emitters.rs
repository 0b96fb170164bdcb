//! Emitters and sinks: jets keep their lattice, accounts agree with what is there, and a nozzle in
//! a wall is an opening in it.

use super::support::{DFSPH, SPACING, WCSPH, world};
use hashfall::base::{Real, Vec3};
use hashfall::search::Structures;
use hashfall::step::Stepper;
use hashfall::world::{Ballistic, Density, Emitter, Exchange, Sink, Solver, Wcsph, World};

const D: f64 = SPACING as f64;

/// An opening of `n` by `n` particles at (0.5, 0.5, 0), in a floor or not.
fn opening(n: usize, velocity: [f64; 3], is_in_floor: bool) -> Emitter {
    let at = |k: isize| 0.5 + (k as Real - 0.5 * (n as Real - 1.0)) * SPACING;
    let around = if is_in_floor { 2 } else { 0 };
    let along = || -around..n as isize + around;
    let is_own = |k: isize| (0..n as isize).contains(&k);
    let (mut places, mut tunnel, mut rim) = (vec![], vec![], vec![]);
    for (i, j) in along().flat_map(|i| along().map(move |j| (i, j))) {
        let place = Vec3::new(at(i), at(j), 0.0);
        let is_place = is_own(i) && is_own(j);
        if is_place {
            places.push(place);
        }
        if is_in_floor {
            let list = if is_place { &mut tunnel } else { &mut rim };
            list.extend([0.5, 1.5].map(|depth| place - Vec3::z() * (depth * SPACING)));
        }
    }
    let (normal, start, end) = ([0.0, 0.0, 1.0], 0.0, f64::INFINITY);
    Emitter { phase: 0, places, normal, velocity, start, end, depth: 2, tunnel, rim }
}

fn with(solver: Solver, emitters: Vec<Emitter>, sinks: Vec<Sink>, most: Option<usize>) -> World {
    let exchange = Exchange::new(emitters, sinks, most, 1);
    World { exchange, ..world([1.0, 1.0, 1.0], &[1000.0], 0.0, solver) }
}

/// Solvers of each kind.
fn solvers() -> [Solver; 4] {
    let density = Density::Continuity { diffusion: 0.1 };
    [
        Solver::Dfsph(DFSPH),
        Solver::Wcsph(WCSPH),
        Solver::Wcsph(Wcsph { density, shifting: 1.0, ..WCSPH }),
        Solver::Ballistic(Ballistic { courant: 1.0 }),
    ]
}

/// Steps to each of these times.
fn run(world: &mut World, times: impl IntoIterator<Item = f64>) -> Stepper {
    let mut stepper = Stepper::new(&Structures::default(), world).unwrap();
    for until in times {
        while world.time < until {
            stepper.step(world, until).unwrap();
        }
    }
    stepper
}

/// The heights of the layers of a column of particles at (x, y), ascending.
fn heights(world: &World, [x, y]: [Real; 2]) -> Vec<f64> {
    let p = &world.particles.position;
    let in_column = |c: &&Vec3| (c.x - x).abs() < 0.1 * SPACING && (c.y - y).abs() < 0.1 * SPACING;
    let mut heights: Vec<f64> = p.iter().filter(in_column).map(|c| f64::from(c.z)).collect();
    heights.sort_by(f64::total_cmp);
    heights
}

#[test]
fn a_free_jet_keeps_its_layers_a_spacing_apart_whatever_the_steps() {
    // Times that cut steps to odd lengths.
    let times: Vec<f64> = (1..=40).map(|k| 0.006 * f64::from(k) + 1e-5 * f64::from(k * k % 7)).collect();
    for (solver, is_in_floor) in solvers().into_iter().flat_map(|s| [(s, true), (s, false)]) {
        let mut jet = with(solver, vec![opening(3, [0.0, 0.0, 2.5], is_in_floor)], vec![], None);
        jet.gravity = Vec3::zeros();
        if !is_in_floor {
            jet.solids = hashfall::solid::Solids::new(
                hashfall::geometry::Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(2.0)), vec![], vec![]);
        }
        run(&mut jet, times.iter().copied());
        let heights = heights(&jet, [0.5, 0.5]);
        let wanted = 2 + (2.5 * jet.time / D) as usize;
        assert_eq!(heights.len(), wanted, "{solver:?}");
        for pair in heights.windows(2) {
            let off = (pair[1] - pair[0]) / D - 1.0;
            assert!(off.abs() < 1e-4, "{solver:?} {is_in_floor}: {off} at {}", pair[0]);
        }
        let front = heights.last().unwrap() - (2.5 * jet.time - 0.5 * D);
        assert!(front.abs() < 1e-4 * D, "{solver:?}: {front}");
    }
}

#[test]
fn debug_jet() {
    for solver in solvers() {
        let mut jet = with(solver, vec![opening(3, [0.0, 0.0, 2.5], true)], vec![], None);
        jet.gravity = Vec3::zeros();
        let mut stepper = Stepper::new(&Structures::default(), &mut jet).unwrap();
        println!("{solver:?}");
        for _ in 0..14 {
            let r = stepper.step(&mut jet, 1.0).unwrap();
            println!("t {} dt {} {:?} err {} rej {}", jet.time, r.dt, r.limit, r.density_error_max, r.rejected);
            let p = &jet.particles;
            for i in 0..p.len() {
                let x = p.position[i];
                if (x.x - 0.5).abs() < 0.01 && (x.y - 0.5).abs() < 0.01 && r.dt > 1e-4 {
                    println!("  {} s {:.4} v {:.4} rho {:.3} ff {:.4} p {:.3} a {:.3} held {}", p.id[i], f64::from(x.z)/D, p.velocity[i].z, p.density[i], p.fluid_fraction[i], p.pressure[i], p.acceleration[i].z, p.held[i]);
                }
            }
        }
    }
}
