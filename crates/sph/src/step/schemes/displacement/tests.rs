//! What displacements are told.

use super::*;
use crate::step::tests::{DFSPH, neighborhood, splash};

/// Σⱼ vᵢⱼ·∇ᵢWᵢⱼ, by the definition \[1/(m³ s)\].
fn drawn_together(world: &World, neighborhood: &Neighborhood, i: usize) -> Real {
    let (x, v) = (&world.particles.position, &world.particles.velocity);
    let neighbors = neighborhood.lists.of(i).iter().map(|&j| j as usize);
    let pair = |j: usize| {
        let between = x[i] - x[j];
        world.kernel().slope_over_r(between.norm()) * (v[i] - v[j]).dot(&between)
    };
    neighbors.map(pair).sum()
}

/// Of a flow that draws particles together by 5 % in a step, what is beyond [`COMPRESSED`] is put
/// right at once; of one that does by 1 %, half of what is there.
#[test]
fn what_a_step_would_compress_is_put_right_in_it() {
    const DT: Real = 0.01;
    for change in [0.05, 0.01] {
        let mut world = splash(DFSPH);
        let rate = change / (3.0 * DT);
        world.particles.velocity = world.particles.position.iter().map(|x| x * -rate).collect();
        let (neighborhood, mut pairs) = neighborhood(&mut world);
        let mut moments = Moments::new(Isa::current());
        moments.update(&world, &neighborhood, &mut pairs);
        let drift = Drift { inside: 0.0, along_surface: 0.0, is_relative: false };
        let mut displacement = Displacement::new(Isa::current(), drift);
        displacement.note_errors(&world, &neighborhood, &moments);
        displacement.shift(&world, &neighborhood, &moments, DT);
        displacement.foresee(&world, &neighborhood, &mut pairs, DT);
        let mut inside = 0;
        for (i, moment) in moments.all.iter().enumerate() {
            if moment.inside < 1.0 || neighborhood.boundary.fraction[i] > 0.0 {
                continue;
            }
            inside += 1;
            let (error, [target, _]) = (displacement.errors[i], displacement.targets[i]);
            let changed = neighborhood.volume * DT * drawn_together(&world, &neighborhood, i);
            assert!((changed / change - 1.0).abs() < 0.3, "{i}: {changed}");
            let beyond = error + changed - COMPRESSED;
            let of_error = (RATE * error).max(-MAX_STRETCH);
            let wanted = if beyond > 0.0 { of_error.max(beyond) } else { of_error };
            assert!((target - wanted).abs() < 1e-5, "{i}: {target} for {wanted}");
        }
        assert!(inside > 100, "{inside}");
    }
}
