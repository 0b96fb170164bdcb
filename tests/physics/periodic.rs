//! Periodic sides: what crosses them does not notice.

use super::support::{self, SPACING, fill, run_with};
use hashfall_core::Vec3;
use hashfall_search::NeighborKind;
use hashfall_sph::world::{Audit, Dfsph, Solver, World};

const WCSPH: Solver = Solver::Wcsph(support::WCSPH);
const DFSPH: Solver = Solver::Dfsph(Dfsph { artificial_viscosity: 0.05, ..support::DFSPH });

/// A block of fluid that flies, in a box with or without periodic sides.
fn flying(periodic: [bool; 3], corner: Vec3, solver: Solver) -> World {
    let mut world = support::world([0.3, 0.3, 0.3], &[1000.0], 1e-3, solver);
    world.gravity = Vec3::zeros();
    world.periodic = periodic;
    let solids = world.solids.clone();
    world.solids = solids.with_open_axes(periodic);
    let shear = |x: &Vec3| Vec3::new(1.0, 0.5, 0.0) + Vec3::new(0.0, 0.0, 2.0 * (x - corner).x);
    fill(&mut world, corner, [4, 4, 4], 0, shear);
    let (length, low) = (0.3, 0.0);
    for x in world.particles.position.iter_mut().flat_map(|x| x.iter_mut()) {
        *x -= ((*x - low) / length).floor() * length;
    }
    world
}

#[test]
fn a_block_across_periodic_sides_does_what_it_does_in_the_open() {
    for solver in [WCSPH, DFSPH] {
        let mut inside = flying([true; 3], Vec3::repeat(0.1), solver);
        let mut across = flying([true; 3], Vec3::new(0.25, 0.225, 0.275), solver);
        let momentum = Audit::new(&inside).momentum;
        run_with(NeighborKind::SortedCells, &mut inside, 0.02);
        run_with(NeighborKind::SortedCells, &mut across, 0.02);
        let offset = Vec3::new(0.15, 0.125, 0.175);
        let (a, b) = (inside.particles.order_by_id(), across.particles.order_by_id());
        for (&i, &j) in a.iter().zip(&b) {
            let (i, j) = (i as usize, j as usize);
            let mut apart = across.particles.position[j] - inside.particles.position[i] - offset;
            apart.iter_mut().for_each(|x| *x -= (*x / 0.3).round() * 0.3);
            assert!(apart.norm() < 1e-3 * SPACING, "{apart}");
            let change = across.particles.velocity[j] - inside.particles.velocity[i];
            assert!(change.norm() < 1e-3, "{change}");
        }
        let scale = 1e-5 * Audit::new(&across).mass;
        for (now, before) in Audit::new(&across).momentum.iter().zip(momentum) {
            assert!((now - before).abs() < scale, "{now} {before}");
        }
    }
}

#[test]
fn every_search_sees_the_same_across_the_sides() {
    let corner = Vec3::new(0.25, 0.225, 0.275);
    let start = || flying([true, false, true], corner, WCSPH);
    let mut worlds = [start(), start(), start(), start()];
    run_with(NeighborKind::SortedCells, &mut worlds[0], 0.01);
    run_with(NeighborKind::CellIndex, &mut worlds[1], 0.01);
    run_with(NeighborKind::UniformHash, &mut worlds[2], 0.01);
    run_with(NeighborKind::Brute, &mut worlds[3], 0.01);
    let digests = worlds.map(|world| world.digest());
    assert_eq!(digests, [digests[0]; 4]);
}
