//! What displacements are told.

use super::*;
use crate::step::tests::{DFSPH, neighborhood, splash};
use crate::world::Fluid;
use hashfall_core::Dimension;

/// D₀ of displacements away from solids, by the definition \[–\].
fn change(world: &World, neighborhood: &Neighborhood, ways: &[Vec3], i: usize) -> Real {
    let x = &world.particles.position;
    let neighbors = neighborhood.lists.of(i).iter().map(|&j| j as usize);
    let pair = |j: usize| {
        let between = x[i] - x[j];
        world.kernel().slope_over_r(between.norm()) * (ways[i] - ways[j]).dot(&between)
    };
    neighborhood.volume * neighbors.map(pair).sum::<Real>()
}

/// The surroundings and moments of a world, and displacements that know its surface and errors.
fn prepare(world: &mut World, drift: Drift) -> (Neighborhood, PairData, Moments, Displacement) {
    let (neighborhood, mut pairs) = neighborhood(world);
    let mut moments = Moments::new(Isa::current());
    moments.update(world, &neighborhood, &mut pairs);
    let mut displacement = Displacement::new(Isa::current(), drift);
    let places = Places { moments: &moments, terms: &[] };
    displacement.note_surface(world, &neighborhood, &mut pairs, places);
    displacement.note_errors(world, &neighborhood, &moments);
    (neighborhood, pairs, moments, displacement)
}

/// Of a flow that draws particles together by 12 % in a step, what is beyond [`COMPRESSED`] is put
/// right in it, that by shifts included; of one that does by 1 %, half of what is there.
#[test]
fn what_a_step_would_compress_is_put_right_in_it() {
    const DT: Real = 0.01;
    for (together, is_beyond) in [(0.12, true), (0.01, false)] {
        let mut world = splash(DFSPH);
        let rate = together / (3.0 * DT);
        world.particles.velocity = world.particles.position.iter().map(|x| x * -rate).collect();
        let drift = Drift { inside: 1.2, along_surface: 0.4, is_relative: false };
        let (neighborhood, mut pairs, moments, mut displacement) = prepare(&mut world, drift);
        displacement.shift(&world, &neighborhood, &moments, DT);
        displacement.foresee(&world, &neighborhood, &mut pairs, DT);
        let shifts = &displacement.shifts;
        let ways: Vec<Vec3> =
            world.particles.velocity.iter().zip(shifts).map(|(v, s)| v * DT + s).collect();
        let (mut inside, mut beyond) = (0, 0);
        for (i, moment) in moments.all.iter().enumerate() {
            if moment.inside < 1.0 || neighborhood.boundary.fraction[i] > 0.0 {
                continue;
            }
            inside += 1;
            let ([error, _], [target, _]) = (displacement.errors[i], displacement.targets[i]);
            let left = error + change(&world, &neighborhood, &ways, i) - COMPRESSED;
            beyond += usize::from(left > 0.0);
            let of_error = (RATE * error).max(-MAX_STRETCH);
            let wanted =
                if left > 0.0 { of_error.max(left.min(MAX_COMPRESSION)) } else { of_error };
            assert!((target - wanted).abs() < 1e-5, "{i}: {target} for {wanted}");
        }
        assert!(inside > 100, "{inside}");
        assert_eq!(beyond > inside / 2, is_beyond, "{beyond} of {inside}");
    }
}

/// Drops may come together freely: what they do to each other's density before they are as dense
/// as a flat surface is no compression.
#[test]
fn drops_that_meet_are_not_held_apart() {
    let mut world = splash(DFSPH);
    world.particles.remove(|i| i > 1);
    let middle = Vec3::new(0.2, 0.2, 0.4);
    for (i, side) in [-1.0, 1.0].into_iter().enumerate() {
        world.particles.position[i] = middle + Vec3::x() * (side * 0.02);
        world.particles.velocity[i] = Vec3::x() * (-side * 1.0);
    }
    let drift = Drift { inside: 0.0, along_surface: 0.0, is_relative: false };
    let (neighborhood, mut pairs, moments, mut displacement) = prepare(&mut world, drift);
    displacement.shift(&world, &neighborhood, &moments, 0.005);
    displacement.foresee(&world, &neighborhood, &mut pairs, 0.005);
    assert!(displacement.changes.iter().all(|change| *change > 0.01), "they do come closer");
    assert!(displacement.targets.iter().all(|[target, _]| *target == 0.0));
}

/// A tank in the plane, h = 2.5 d, with ten layers of water.
fn tank() -> World {
    let mut world = World::builder()
        .dimension(Dimension::Two)
        .domain([0.0; 3], [2.0, 0.0, 1.0])
        .spacing(0.05)
        .fluid(Fluid::default())
        .block([0.0; 3], [2.0, 0.0, 0.5])
        .build()
        .unwrap();
    world.support_radius = 2.5 * world.spacing();
    world
}

/// Whether a particle of the tank is in the second layer, far from the sides.
fn is_in_second_layer(x: &Vec3) -> bool {
    (x.z - 0.425).abs() < 1e-3 && (x.x - 1.0).abs() < 0.5
}

/// Under a flat surface nothing is to be put right, though fewer neighbours make the second layer
/// less dense, and shifting hardly moves it, though they make it look crowded from below.
#[test]
fn what_a_flat_surface_leaves_is_no_error_and_no_crowding() {
    let mut world = tank();
    world.particles.velocity.fill(Vec3::x());
    let drift = Drift { inside: 1.0, along_surface: 0.0, is_relative: false };
    let (neighborhood, _, moments, mut displacement) = prepare(&mut world, drift);
    displacement.shift(&world, &neighborhood, &moments, 0.01);
    let x = &world.particles.position;
    let mut checked = 0;
    for i in (0..x.len()).filter(|&i| is_in_second_layer(&x[i])) {
        let (moment, density) = (&moments.all[i], world.particles.fluid_fraction[i]);
        let air = displacement.surface[i].air;
        assert!(density < 0.995 && moment.inside > 0.99 && air > 0.9, "{density}, {air}");
        let [error, _] = displacement.errors[i];
        assert!((error - moment.excess).abs() < 1e-3 && error.abs() < 1e-3, "{error}");
        let whole = world.support_radius * 0.01 * moment.crowding.norm();
        let part = displacement.shifts[i].norm() / whole;
        assert!(whole > 1e-5 && (part - (1.0 - CROWDING_CUT)).abs() < 0.1, "{whole}, {part}");
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}

/// Of a strain without divergence, the second layer is told what is not the flat surface's own.
#[test]
fn strain_below_a_flat_surface_leads_in_part() {
    const DT: Real = 0.01;
    let mut world = tank();
    world.particles.velocity =
        world.particles.position.iter().map(|x| Vec3::new(x.x - 1.0, 0.0, -x.z)).collect();
    let drift = Drift { inside: 0.0, along_surface: 0.0, is_relative: false };
    let (neighborhood, _, moments, mut displacement) = prepare(&mut world, drift);
    let before: Vec<Real> = displacement.targets.iter().map(|[target, _]| *target).collect();
    displacement.lead(&world, &moments, DT);
    let (x, v) = (&world.particles.position, &world.particles.velocity);
    let mut checked = 0;
    for i in (0..x.len()).filter(|&i| is_in_second_layer(&x[i])) {
        let rate = change(&world, &neighborhood, v, i);
        assert!((rate + 0.077).abs() < 0.002, "{rate}");
        let air = displacement.surface[i].air;
        let lead = displacement.targets[i][0] - before[i];
        let wanted = LEAD * (1.0 - FLAT_SHARE * air) * DT * rate;
        assert!((lead / wanted - 1.0).abs() < 0.06, "{lead} for {wanted}");
        checked += 1;
    }
    assert!(checked > 10, "{checked}");
}
