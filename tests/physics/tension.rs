//! Surface tension: drops at rest have Laplace's pressure, keep round, and meet solids at the
//! contact angle.

use super::support::{self, run_with};
use hashfall_core::kernel::KernelKind;
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::NeighborKind;
use hashfall_solid::{ContactAngle, ContactLaw, Solids};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, Density, Dfsph, Interface, Solver, Wcsph, World};
use std::f64::consts::PI;

/// Spacing \[m\].
const D: Real = 0.05;
const TENSION: Real = 1.0;
const VISCOSITY: Real = 0.3;

/// A plane without gravity and fluid, of this half width.
fn plane(half: Real, rest_densities: &[Real], solver: Solver) -> World {
    let mut world = support::world([1.0; 3], rest_densities, VISCOSITY, solver);
    let domain = Aabb::new(Vec3::new(-half, 0.0, -half), Vec3::new(half, 0.0, half));
    world.solids = Solids::new(domain, vec![], vec![]).with_open_axes([false, true, false]);
    (world.dimension, world.kernel) = (Dimension::Two, KernelKind::WendlandC2);
    (world.particle_radius, world.support_radius) = (0.5 * D, 3.0 * D);
    world.gravity = Vec3::zeros();
    world
}

/// Puts particles on a lattice about the origin, of the phase that is asked for.
fn lay(world: &mut World, half: i32, phase: impl Fn(&Vec3) -> Option<u8>) {
    for (i, k) in (-half..half).flat_map(|i| (-half..half).map(move |k| (i, k))) {
        let x = Vec3::new(i as Real + 0.5, 0.0, k as Real + 0.5) * D;
        if let Some(phase) = phase(&x) {
            let rest_density = world.fluids[usize::from(phase)].rest_density;
            world.particles.push(x, Vec3::zeros(), phase, rest_density);
        }
    }
}

/// The mean pressure of the particles that are asked for \[Pa\].
fn mean_pressure(world: &World, counts: impl Fn(&Vec3) -> bool) -> f64 {
    let p = &world.particles;
    let pressures: Vec<f64> = (0..p.len())
        .filter(|&i| counts(&p.position[i]))
        .map(|i| f64::from(p.pressure[i]))
        .collect();
    pressures.iter().sum::<f64>() / pressures.len() as f64
}

/// μ u/σ of the fastest particle of the first fluid \[–\].
fn capillary_number(world: &World) -> f64 {
    let p = &world.particles;
    let first = p.velocity.iter().zip(&p.phase).filter(|(_, phase)| **phase == 0);
    let fastest = first.map(|(v, _)| v.norm()).fold(0.0, Real::max);
    f64::from(VISCOSITY * world.fluids[0].rest_density * fastest / TENSION)
}

const WCSPH: Wcsph =
    Wcsph { sound_speed: Some(40.0), artificial_viscosity: Some(0.0), ..support::WCSPH };

#[test]
fn a_drop_at_rest_has_the_pressure_of_laplace() {
    assert_at_rest(&assert_laplace(Solver::Wcsph(WCSPH), 0.02));
}

const TIGHT: Dfsph = Dfsph {
    artificial_viscosity: 0.0,
    max_density_error: 1e-6,
    max_divergence_error: 1e-6,
    ..support::DFSPH
};

#[test]
fn a_drop_at_rest_has_the_pressure_of_laplace_with_dfsph() {
    assert_laplace(Solver::Dfsph(TIGHT), 0.06);
}

#[test]
#[ignore = "misses its goal of 0.002 at every other instant: 0.0004 to 0.0033"]
fn a_drop_rests_with_dfsph() {
    assert_at_rest(&assert_laplace(Solver::Dfsph(TIGHT), 0.06));
}

/// A drop of the plane has the pressure σ/R to within `slack`, and is round.
fn assert_laplace(solver: Solver, slack: f64) -> World {
    let mut world = plane(0.8, &[1.0], solver);
    world.fluids[0].surface_tension = TENSION;
    lay(&mut world, 8, |x| (x.norm() < 0.4).then_some(0));
    run_with(NeighborKind::SortedCells, &mut world, 2.0);
    let area = world.particles.len() as f64 * f64::from(D * D);
    let radius = (area / PI).sqrt();
    let ratio = mean_pressure(&world, |x| x.norm() < 0.2) * radius / f64::from(TENSION);
    assert!((ratio - 1.0).abs() < slack, "{solver:?}: Δp R/σ = {ratio}");
    let farthest = world.particles.position.iter().map(|x| x.norm()).fold(0.0, Real::max);
    let round = f64::from(farthest + 0.5 * D) / radius;
    assert!((round - 1.0).abs() < 0.05, "{solver:?}: {round}");
    world
}

fn assert_at_rest(world: &World) {
    assert!(capillary_number(world) < 2e-3, "{}", capillary_number(world));
}

/// What a free drop of 8 spacings across its radius comes to that starts round and swings by 5 %,
/// after it swung a quarter of a period, in three periods: the kinetic energy over that at the
/// start, and the momentum and the angular momentum over m v and m v R, with v = √(σ/ρR).
fn swing(solver: Solver) -> [f64; 3] {
    let mut world = plane(0.8, &[1.0], solver);
    (world.fluids[0].surface_tension, world.fluids[0].viscosity) = (TENSION, 1e-3);
    world.kernel = KernelKind::CubicSpline;
    lay(&mut world, 8, |x| (x.norm() < 0.4).then_some(0));
    let period = 2.0 * PI * (0.4_f64.powi(3) / (6.0 * f64::from(TENSION))).sqrt();
    let rate = (0.05 * 2.0 * PI / period) as Real;
    let p = &mut world.particles;
    let stretch = |x: &Vec3| Vec3::new(-x.x, 0.0, x.z) * rate;
    p.velocity = p.position.iter().map(stretch).collect();
    let start = Audit::new(&world).kinetic_energy;
    let mut stepper = Stepper::new(&NeighborKind::SortedCells.into(), &mut world).unwrap();
    let mut largest = [0.0; 3];
    while world.time < 3.0 * period {
        let until = world.time + 0.05 * period;
        stepper.step(&mut world, until).unwrap();
        let audit = Audit::new(&world);
        let speed = (f64::from(TENSION) / 0.4).sqrt();
        let momentum = audit.momentum.map(f64::abs).iter().sum::<f64>() / (audit.mass * speed);
        let p = &world.particles;
        let turns = p.position.iter().zip(&p.velocity);
        let turn: f64 = turns.map(|(x, v)| f64::from(x.cross(v).y)).sum();
        let turn = turn.abs() / (p.len() as f64 * 0.4 * speed);
        let energy = if world.time > 0.25 * period { audit.kinetic_energy / start } else { 0.0 };
        let now = [energy, momentum, turn];
        largest = std::array::from_fn(|k| f64::max(now[k], largest[k]));
    }
    largest
}

#[test]
fn a_free_drop_makes_no_energy_and_no_momentum() {
    let [energy, momentum, turn] = swing(Solver::Dfsph(Dfsph::default()));
    assert!(energy < 1.0, "{energy}");
    assert!(momentum < 1e-5 && turn < 1e-4, "{momentum}, {turn}");
}

#[test]
fn a_free_drop_keeps_its_momentum_with_sums() {
    let sound_speed = Some(20.0);
    let sums = Wcsph { sound_speed, density: Some(Density::Summation), ..Wcsph::default() };
    let [_, momentum, turn] = swing(Solver::Wcsph(sums));
    assert!(momentum < 1e-5 && turn < 1e-4, "{momentum}, {turn}");
}

#[test]
fn a_drop_in_another_fluid_has_the_pressure_of_laplace() {
    for lightness in [1.0, 10.0] {
        let sound_speed = Some(20.0);
        let solver = Solver::Wcsph(Wcsph { background_pressure: 20.0, sound_speed, ..WCSPH });
        let mut world = plane(0.8, &[1.0, 1.0 / lightness], solver);
        world.periodic = [true, false, true];
        world.solids = world.solids.with_open_axes([true; 3]);
        world.interfaces = vec![Interface { fluids: [0, 1], tension: TENSION }];
        lay(&mut world, 16, |x| Some(u8::from(x.norm() >= 0.4)));
        run_with(NeighborKind::SortedCells, &mut world, 1.0);
        let inside = mean_pressure(&world, |x| x.norm() < 0.2);
        let outside = mean_pressure(&world, |x| x.norm() > 0.6);
        let count = world.particles.phase.iter().filter(|&&phase| phase == 0).count();
        let radius = (count as f64 * f64::from(D * D) / PI).sqrt();
        let ratio = (inside - outside) * radius / f64::from(TENSION);
        assert!((ratio - 1.0).abs() < 0.03, "{lightness}: Δp R/σ = {ratio}");
        assert!(capillary_number(&world) < 4e-3, "{lightness}: {}", capillary_number(&world));
    }
}

/// The acceleration of one of two particles a spacing apart, of these fluids, drawn apart or not.
fn pushed(phases: [u8; 2], interface_sharpening: f64, is_drawn: bool) -> Real {
    let density = Some(Density::Continuity { diffusion: 0.0 });
    let settings =
        Wcsph { interface_sharpening, density, background_pressure: 50.0, ..support::WCSPH };
    let mut world = plane(0.8, &[1000.0, 300.0], Solver::Wcsph(settings));
    for (x, phase) in [0.0, D].into_iter().zip(phases) {
        let density = world.fluids[usize::from(phase)].rest_density;
        let density = if is_drawn { 0.99 * density } else { density };
        world.particles.push(Vec3::new(x, 0.0, 0.0), Vec3::zeros(), phase, density);
    }
    Stepper::new(&NeighborKind::SortedCells.into(), &mut world).unwrap();
    world.particles.acceleration[0].x
}

#[test]
fn two_fluids_repel_by_so_much_and_one_does_not() {
    for (phases, factor) in [([0, 1], 1.3), ([1, 0], 1.3), ([0, 0], 1.0), ([1, 1], 1.0)] {
        let [plain, repelled] = [0.0, 0.3].map(|repulsion| pushed(phases, repulsion, false));
        assert!(plain < 0.0 && (repelled / plain - factor).abs() < 1e-5, "{plain} {repelled}");
    }
    let drawn = [0.0, 0.3].map(|repulsion| pushed([0, 1], repulsion, true));
    assert!(drawn[0] > 0.0 && drawn[0] == drawn[1], "what is drawn together is no more so");
}

#[test]
fn a_drop_meets_a_floor_at_the_contact_angle() {
    for degrees in [60.0, 120.0] {
        let mut world = plane(1.0, &[1.0], Solver::Wcsph(WCSPH));
        world.fluids[0].surface_tension = TENSION;
        let floor =
            ContactLaw { contact_angle: ContactAngle::new(degrees), ..ContactLaw::default() };
        world.solids = world.solids.with_walls([floor; 6]);
        lay(&mut world, 20, |x| (x.x.abs() < 0.3 && x.z < -0.7).then_some(0));
        run_with(NeighborKind::SortedCells, &mut world, 3.0);
        let found = angle_of_cap(&world, -1.0);
        assert!((found - degrees).abs() < 10.0, "{degrees}: {found}");
    }
}

/// The contact angle of the segment of a circle with the area of the drop and its centre of mass
/// above the floor \[°\].
fn angle_of_cap(world: &World, floor: Real) -> f64 {
    let p = &world.particles.position;
    let area = p.len() as f64 * f64::from(D * D);
    let height = p.iter().map(|x| f64::from(x.z - floor)).sum::<f64>() / p.len() as f64;
    // The height grows with the angle.
    let height_at = |angle: f64| {
        let part = angle - angle.sin() * angle.cos();
        let radius = (area / part).sqrt();
        radius * (2.0 * angle.sin().powi(3) / (3.0 * part) - angle.cos())
    };
    let angles = (1..180).map(|degrees| f64::from(degrees).to_radians());
    angles.take_while(|&angle| height_at(angle) < height).last().unwrap_or(0.0).to_degrees()
}

/// Half discs on a wall, whose weight is this part of what its hysteresis of 20° holds (Furmidge
/// 1962): how far they have sunk after 8 √(ρR³/σ), over their radius.
fn sunk_on_a_wall(load: f64, solver: Solver) -> f64 {
    let mut world = plane(1.0, &[1.0], solver);
    world.fluids[0].surface_tension = TENSION;
    let angle = ContactAngle { advancing: 100.0, receding: 80.0 };
    let wall = ContactLaw { contact_angle: angle, ..ContactLaw::default() };
    world.solids = world.solids.with_walls([wall; 6]);
    let radius = 0.5;
    lay(&mut world, 20, |x| ((x - Vec3::new(-1.0, 0.0, 0.0)).norm() < radius).then_some(0));
    let height = |world: &World| {
        let p = &world.particles.position;
        p.iter().map(|x| f64::from(x.z)).sum::<f64>() / p.len() as f64
    };
    let area = world.particles.len() as f64 * f64::from(D * D);
    let held = f64::from(TENSION) * (80_f64.to_radians().cos() - 100_f64.to_radians().cos());
    world.gravity.z = -(load * held / area) as Real;
    let before = height(&world);
    run_with(NeighborKind::SortedCells, &mut world, 8.0 * f64::from(radius).powf(1.5));
    (before - height(&world)) / f64::from(radius)
}

#[test]
fn a_drop_hangs_on_a_wall_as_long_as_its_hysteresis_holds_it() {
    let [held, lost] = [0.6, 1.4].map(|load| sunk_on_a_wall(load, Solver::Dfsph(support::DFSPH)));
    assert!(held < 0.2, "{held}");
    assert!(lost > 0.5 && lost > 4.0 * held, "{lost} after {held}");
}
