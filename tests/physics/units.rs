//! Results do not depend on the unit of length: a scene that is scaled by a power of two, with its
//! times by the root, takes the same steps to the bit.
//!
//! With lengths times L = 4ⁿ and times times T = 2ⁿ gravity stays, velocities scale by 2ⁿ and
//! viscosities by L²/T = 8ⁿ. Each factor is a power of two, so that no rounding changes, as long as no
//! number leaves the range of single precision and no threshold is absolute.

use hashfall::prelude::*;
use hashfall::world::ViscositySolver;

/// A dam that breaks against a ball, times 4ⁿ.
fn dam(n: i32, solver: Solver, viscosity: Real) -> Simulation {
    let length = Real::powi(4.0, n);
    let at = |x: [Real; 3]| x.map(|x| x * length);
    let fluid = Fluid { viscosity: viscosity * Real::powi(8.0, n), ..Fluid::default() };
    let world = World::builder()
        .domain(at([0.0; 3]), at([0.8, 0.2, 0.6]))
        .spacing(0.04 * length)
        .solver(solver)
        .viscosity(ViscositySolver::Explicit)
        .fluid(fluid)
        .block(at([0.0; 3]), at([0.24, 0.2, 0.4]))
        .sphere(at([0.5, 0.1, 0.1]), 0.09 * length)
        .build()
        .unwrap();
    Simulation::new(world).unwrap()
}

/// Positions over the length, velocities over length and time, after a quarter of a second.
fn outcome(n: i32, solver: Solver, viscosity: Real) -> (u64, Vec<[u64; 6]>) {
    let mut simulation = dam(n, solver, viscosity);
    let (length, time) = (f64::powi(4.0, n), f64::powi(2.0, n));
    simulation.advance_to(0.25 * time).unwrap();
    let p = &simulation.world().particles;
    let bits = |i: u32| {
        let (x, v) = (p.position[i as usize], p.velocity[i as usize]);
        let x = [x.x, x.y, x.z].map(|x| (f64::from(x) / length).to_bits());
        let v = [v.x, v.y, v.z].map(|v| (f64::from(v) / (length / time)).to_bits());
        [x[0], x[1], x[2], v[0], v[1], v[2]]
    };
    (simulation.world().steps, p.order_by_id().into_iter().map(bits).collect())
}

#[test]
fn a_dam_scaled_by_powers_of_two_is_the_same_to_the_bit() {
    let one = outcome(0, Solver::default(), 1e-3);
    for n in [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5] {
        assert!(one == outcome(n, Solver::default(), 1e-3), "lengths times 4^{n}");
    }
}

#[test]
fn a_weakly_compressible_dam_scaled_by_powers_of_two_is_the_same_to_the_bit() {
    let solver = |n: i32| {
        let sound_speed = Some(30.0 * f64::powi(2.0, n));
        Solver::Wcsph(Wcsph { sound_speed, ..Wcsph::default() })
    };
    let one = outcome(0, solver(0), 1e-3);
    for n in [-5, -3, -1, 1, 3, 5] {
        assert!(one == outcome(n, solver(n), 1e-3), "lengths times 4^{n}");
    }
}
