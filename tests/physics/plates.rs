//! Plates that lie on walls and on other solids bear what lies on them.

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
        impulses.iter().map(|given| -given[2] / (until - start) / weight).collect::<Vec<_>>()
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
#[ignore = "fails: a plate half a spacing thick that leaves the floor by 0.03 mm bears 0.917 of the \
            weight, as the wall is seen through it; belongs to the fluid's own renewal"]
fn a_thin_plate_that_leaves_the_floor_bears_all_of_the_water_over_it() {
    let plate = block([-2.0, -2.0, 0.0], [10.0, 10.0, 0.5]);
    let solver = Solver::Dfsph(DFSPH);
    let leaving = borne(solver, 0.5, vec![(plate, Some(slide("0", "1e-4*t")))]);
    assert_borne(solver, "thin, leaves the floor slowly", &leaving, &[0.0, 1.0]);
}
