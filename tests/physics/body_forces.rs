//! What body forces do to a particle on its own, and what a hollow mesh holds.

use super::support::{self, fill, run_with, world};
use hashfall_core::{Real, Vec3, to_f64};
use hashfall_geometry::TriangleMesh;
use hashfall_search::NeighborKind;
use hashfall_solid::Solids;
use hashfall_sph::step::StepReport;
use hashfall_sph::world::{Audit, BodyForce, Dfsph, Solver, Wcsph, World};

const WCSPH: Wcsph =
    Wcsph { sound_speed: Some(1.0), artificial_viscosity: Some(0.0), ..support::WCSPH };
const DFSPH: Solver = Solver::Dfsph(Dfsph { artificial_viscosity: 0.0, ..support::DFSPH });
const SOLVERS: [Solver; 2] = [Solver::Wcsph(WCSPH), DFSPH];

/// A particle without gravity in the middle of a cube of 4 m.
fn lone(solver: Solver, start: [Real; 3], velocity: [Real; 3], forces: Vec<BodyForce>) -> World {
    let mut world = world([4.0; 3], &[1000.0], 0.0, solver);
    (world.gravity, world.forces) = (Vec3::zeros(), forces);
    world.particles.push(Vec3::from(start), Vec3::from(velocity), 0, 1000.0);
    world
}

fn run(world: &mut World, until: f64) -> Vec<StepReport> {
    run_with(NeighborKind::SortedCells, world, until)
}

#[test]
fn a_lone_particle_swings_about_a_centre_in_its_period() {
    for solver in SOLVERS {
        let centre = [2.0, 2.0, 2.0];
        let spring = BodyForce::Central { centre, stiffness: 4.0 };
        let (start, velocity) = ([2.2, 2.0, 1.9], [0.0, 0.3, 0.0]);
        let mut world = lone(solver, start, velocity, vec![spring]);
        let before = Audit::new(&world);
        let energy = |audit: Audit| audit.kinetic_energy + audit.potential_energy;
        let period = std::f64::consts::TAU / 2.0;
        run(&mut world, 0.25 * period);
        let quarter = to_f64(&world.particles.position[0]);
        // A quarter of a period on, what was away from the centre is at it, and at v/√k what moved.
        assert!((quarter[0] - 2.0).abs() < 2e-3 && (quarter[2] - 2.0).abs() < 2e-3, "{quarter:?}");
        assert!((quarter[1] - 2.15).abs() < 2e-3, "{quarter:?}");
        run(&mut world, period);
        let p = &world.particles;
        assert!((p.position[0] - Vec3::from(start)).norm() < 5e-3, "{:?}", p.position[0]);
        assert!((p.velocity[0] - Vec3::from(velocity)).norm() < 1e-2, "{:?}", p.velocity[0]);
        let change = energy(Audit::new(&world)) / energy(before) - 1.0;
        assert!(change.abs() < 1e-3, "energy changes by {change}");
    }
}

/// Under a(t) = j t half kicks at the start and end of each step give v = ½ j t² to rounding; were
/// one of them off by a step, the velocity would be off by ½ j t dt.
#[test]
fn accelerations_of_a_table_are_those_of_the_time_they_act_at() {
    for solver in SOLVERS {
        let table = BodyForce::Table(vec![(0.0, [0.0; 3]), (0.5, [1.0, 0.0, -2.0])]);
        let mut world = lone(solver, [2.0; 3], [0.0; 3], vec![table]);
        let steps = run(&mut world, 0.5).len();
        let v = to_f64(&world.particles.velocity[0]);
        assert!((v[0] - 0.25).abs() < 1e-5 && (v[2] + 0.5).abs() < 1e-5, "{steps} steps: {v:?}");
        run(&mut world, 0.75);
        let v = to_f64(&world.particles.velocity[0]);
        assert!((v[0] - 0.5).abs() < 1e-5, "constant after its last time: {v:?}");
    }
}

/// A cube's surface.
fn cube(min: Vec3, edge: Real) -> TriangleMesh {
    let corner = |n: u32| {
        min + Vec3::from([0, 1, 2].map(|axis| if n >> axis & 1 == 1 { edge } else { 0.0 }))
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    TriangleMesh {
        vertices: (0..8).map(corner).collect(),
        triangles: faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    }
}

#[test]
fn a_hollow_tank_that_is_shaken_keeps_its_water() {
    for solver in [Solver::Wcsph(Wcsph { sound_speed: Some(20.0), ..WCSPH }), DFSPH] {
        let mut world = world([1.0; 3], &[1000.0], 1e-6, solver);
        let (min, edge) = (Vec3::repeat(0.3), 0.25);
        world.solids = Solids::new(world.solids.domain, vec![], vec![cube(min, edge)]);
        world.forces = vec![BodyForce::Table(vec![
            (0.0, [8.0, 0.0, 0.0]),
            (0.1, [-8.0, 4.0, 0.0]),
            (0.2, [8.0, 0.0, 25.0]),
        ])];
        fill(&mut world, min, [10, 10, 6], 0, |_| Vec3::zeros());
        run(&mut world, 0.25);
        for x in &world.particles.position {
            let inside = (0..3).all(|a| (0.0..edge).contains(&(x[a] - min[a])));
            assert!(inside, "{x:?} has left the tank");
        }
    }
}
