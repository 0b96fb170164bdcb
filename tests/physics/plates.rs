//! Plates that lie on walls and on other solids bear what lies on them, and thin ones hold it back.

use super::support::{DFSPH, SPACING, WCSPH, fill, world};
use hashfall_core::{Real, Vec3};
use hashfall_formula::Formula;
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_search::Structures;
use hashfall_solid::{KinematicLaw, Solids};
use hashfall_sph::step::Stepper;
use hashfall_sph::world::{Audit, Solver};

const SIDE: Real = 8.0 * SPACING;

/// A box whose corners are given in spacings.
fn block(min: [Real; 3], max: [Real; 3]) -> TriangleMesh {
    let [min, max] = [min, max].map(|corner| Vec3::from(corner) * SPACING);
    box_mesh(&Aabb::new(min, max))
}

/// Along x and z.
fn slide(x: &str, z: &str) -> KinematicLaw {
    let formula = |text: &str| Formula::parse(text).unwrap();
    let shift = [x, "0", z].map(formula);
    KinematicLaw::by_formulas([0.0; 3], shift, [0.0, 0.0, 1.0], formula("0"))
}

/// What each body bears of the weight of still water over solids whose top is at `top` spacings:
/// the walls, then each mesh.
fn borne(solver: Solver, top: Real, meshes: Vec<(TriangleMesh, Option<KinematicLaw>)>) -> Vec<f64> {
    let mut world = world([SIDE, SIDE, 0.6], &[1000.0], 1e-2, solver);
    let (meshes, motions) = meshes.into_iter().unzip();
    // No walls beside it, which would bear a part.
    world.periodic = [true, true, false];
    world.solids = Solids::new(world.solids.domain, vec![], meshes)
        .with_open_axes(world.periodic)
        .with_kinematic_laws(motions);
    fill(&mut world, Vec3::z() * (top * SPACING), [8, 8, 6], 0, |_| Vec3::zeros());
    let weight = 9.81 * Audit::new(&world).mass;
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut forces = |until: f64| {
        let start = world.time;
        while world.time < until {
            stepper.step(&mut world, until).unwrap();
        }
        let impulses = stepper.take_impulses();
        impulses.iter().map(|given| -given.force.z / (until - start) / weight).collect::<Vec<_>>()
    };
    forces(0.3);
    forces(0.5)
}

fn assert_borne(solver: Solver, name: &str, found: &[f64], expected: &[f64]) {
    println!("{name}: {found:.3?}");
    for (found_of_body, expected) in found.iter().zip(expected) {
        let error = (found_of_body - expected).abs();
        assert!(error < 0.02, "{solver:?} {name}: {found:.3?} of the weight");
    }
}

#[test]
fn a_plate_on_the_floor_bears_the_water_over_it_standing_or_moving() {
    let below = || block([-2.0, -2.0, -2.0], [10.0, 10.0, 0.0]);
    for solver in [Solver::Dfsph(DFSPH), Solver::Wcsph(WCSPH)] {
        let borne = |top, meshes| borne(solver, top, meshes);
        let flush = borne(0.0, vec![(below(), None)]);
        assert_borne(solver, "flush with the floor", &flush, &[0.0, 1.0]);
        let plate = || block([-2.0, -2.0, 0.0], [10.0, 10.0, 0.5]);
        let thin = borne(0.5, vec![(plate(), None)]);
        assert_borne(solver, "on the floor", &thin, &[0.0, 1.0]);
        let sliding = borne(0.5, vec![(plate(), Some(slide("1e-2*t", "0")))]);
        assert_borne(solver, "slides on the floor", &sliding, &[0.0, 1.0]);
        let thick = || block([-2.0, -2.0, 0.0], [10.0, 10.0, 2.0]);
        let leaving = borne(2.0, vec![(thick(), Some(slide("0", "1e-4*t")))]);
        assert_borne(solver, "leaves the floor slowly", &leaving, &[0.0, 1.0]);
    }
}

#[test]
fn half_a_plate_bears_half_and_what_lies_under_a_plate_nothing() {
    let solver = Solver::Dfsph(DFSPH);
    let half = block([-2.0, -2.0, -2.0], [4.0, 10.0, 0.0]);
    let flush = borne(solver, 0.0, vec![(half, None)]);
    assert_borne(solver, "half the floor", &flush, &[0.5, 0.5]);
    let block_below = block([-2.0, -2.0, -2.0], [10.0, 10.0, 1.0]);
    let plate = block([-2.0, -2.0, 1.0], [10.0, 10.0, 1.5]);
    let found = borne(solver, 1.5, vec![(block_below, None), (plate, None)]);
    assert_borne(solver, "on a block", &found, &[0.0, 0.0, 1.0]);
}

#[test]
fn a_thin_plate_that_leaves_the_floor_bears_all_of_the_water_over_it() {
    let plate = block([-2.0, -2.0, 0.0], [10.0, 10.0, 0.5]);
    let solver = Solver::Dfsph(DFSPH);
    let leaving = borne(solver, 0.5, vec![(plate, Some(slide("0", "1e-4*t")))]);
    assert_borne(solver, "thin, leaves the floor slowly", &leaving, &[0.0, 1.0]);
}

/// Water of two depths, in spacings, on both sides of a wall of this thickness in the middle of a
/// tank: the force on the wall, in newtons, and both mean heights of the particles, in spacings,
/// after a second.
fn held(thickness: Real, depths: [usize; 2]) -> (f64, [f64; 2]) {
    let length = 2.0 * SIDE + thickness * SPACING;
    let mut world = world([length, SIDE, 0.6], &[1000.0], 1e-2, Solver::Dfsph(DFSPH));
    world.periodic = [false, true, false];
    let wall = block([8.0, -3.0, -3.0], [8.0 + thickness, 11.0, 40.0]);
    world.solids =
        Solids::new(world.solids.domain, vec![], vec![wall]).with_open_axes([false, true, false]);
    for (side, depth) in depths.into_iter().enumerate() {
        let shift = Vec3::x() * (side as Real * (8.0 + thickness) * SPACING);
        fill(&mut world, shift, [8, 8, depth], 0, |_| Vec3::zeros());
    }
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let (from, end) = (0.5, 1.0);
    let mut run = |until: f64| {
        while world.time < until {
            stepper.step(&mut world, until).unwrap();
        }
        stepper.take_impulses()
    };
    run(from);
    let force = run(end)[1].force.x / (end - from);
    let middle = f64::from((8.0 + 0.5 * thickness) * SPACING);
    let mean = |is_left: bool| {
        let own = world.particles.position.iter().filter(|x| (f64::from(x.x) < middle) == is_left);
        let heights: Vec<f64> = own.map(|x| f64::from(x.z / SPACING)).collect();
        heights.iter().sum::<f64>() / heights.len().max(1) as f64
    };
    (force, [mean(true), mean(false)])
}

#[test]
fn a_wall_of_any_thickness_holds_water_of_two_depths_apart() {
    for thickness in [0.02, 0.5, 3.0] {
        for depths in [[12, 6], [12, 0]] {
            let (force, heights) = held(thickness, depths);
            // ρg (H₁² − H₂²)/2 over the width.
            let [a, b] = depths.map(|depth| depth as f64 * f64::from(SPACING));
            let expected = 1000.0 * 9.81 * 0.5 * (a * a - b * b) * f64::from(SIDE);
            println!("{thickness} {depths:?}: {:.4} {heights:.3?}", force / expected);
            assert!((force / expected - 1.0).abs() < 0.02, "{thickness} {depths:?}: {force}");
            for (height, depth) in heights.iter().zip(depths) {
                assert!((height - 0.5 * depth as f64).abs() < 0.05, "{thickness}: {heights:?}");
            }
        }
    }
}

#[test]
fn a_stamp_that_closes_on_water_is_pushed_back_as_hard_as_the_water_is_heavy_and_fast() {
    let mut world = world([SIDE, SIDE, 0.6], &[1000.0], 1e-2, Solver::Dfsph(DFSPH));
    let stamp = block([2.0, 2.0, 3.0], [6.0, 6.0, 6.0]);
    // Down to 0.04 spacings over the floor.
    let law = slide("0", "max(-0.4*t, -0.074)");
    world.solids =
        Solids::new(world.solids.domain, vec![], vec![stamp]).with_kinematic_laws(vec![Some(law)]);
    fill(&mut world, Vec3::zeros(), [8, 8, 2], 0, |_| Vec3::zeros());
    let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
    let mut most: f64 = 0.0;
    while world.time < 0.3 {
        stepper.step(&mut world, 0.3).unwrap();
        most = most.max(stepper.take_impulses()[1].force.z.abs());
    }
    // All of the water at ten times the speed of the stamp.
    let limit = Audit::new(&world).mass * 4.0;
    assert!(most < limit, "{most} N s in a step, {limit} at most");
}
