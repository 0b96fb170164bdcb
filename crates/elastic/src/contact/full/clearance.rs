//! Whether nothing can touch in a substep whose ways are not straight.
//!
//! At the part s of the substep each point is within its deviation δ of x + s d, with d its
//! displacement by its velocity. So the nearest points of a pair come nearer by at most the largest
//! |dᵢ − dⱼ| of its points i on one side and j on the other, and the largest δ of both sides: a
//! body that flies as a whole does not come nearer to itself. Nothing touches if no gap is as small
//! as that.
//!
//! That of a point of a solid is what its arc deviates from the chord
//! ([`RigidMotion::deviation`](hashfall_bodies::RigidMotion::deviation)).
//!
//! What is held and does not move, such as a node that is fixed where it touches a wall, does not
//! count.
//!
//! The answer is that of all pairs that there are, as those of the candidates hold all that could
//! touch: it depends on the substep alone.

use super::group::{Awake, Substep};
use super::hit::{Hit, HitKind};
use super::obstacles::Obstacles;
use super::pair::Pair;
use super::points::{Points, Step};
use super::primitives::Primitives;
use hashfall_core::parallel;
use hashfall_geometry::Point;

/// Sets δ of all points \[m\]: those of nodes, and what arcs of solids make of theirs.
pub(super) fn set_deviations(
    primitives: &Primitives,
    points: &Points,
    of_nodes: &[f64],
    step: &Step,
    deviation: &mut Vec<f64>,
) {
    deviation.resize(primitives.points(), 0.0);
    parallel::fill(deviation, |point, deviation| {
        *deviation = match primitives.moving_body(point as u32) {
            _ if point < of_nodes.len() => of_nodes[point],
            None => 0.0,
            Some(body) => {
                let chord_squared = points.displacement[point].norm_squared();
                step.motions[body].deviation(&points.start[point], step.parts, chord_squared)
            }
        };
    });
}

/// Whether no node can touch a wall.
pub(super) fn is_clear_of_walls(
    primitives: &Primitives,
    points: &Points,
    obstacles: &Obstacles,
    deviation: &[f64],
) -> bool {
    primitives.elastic_vertices().iter().all(|vertex| {
        let (point, radius) = (*vertex as usize, primitives.radius[*vertex as usize]);
        let is_held = points.inverse_mass[point] == 0.0;
        obstacles.walls.iter().all(|wall| {
            let gap = wall.normal.dot(&points.start[point]) - wall.offset - radius;
            let approach = (-wall.normal.dot(&points.displacement[point])).max(0.0);
            let approach = approach + deviation[point];
            gap > approach || (is_held && approach == 0.0)
        })
    })
}

/// The pair as a hit, if it may touch, whose gap closes by so much at the `most` \[m\]; otherwise
/// it sleeps until that may have used up its gap.
pub(super) fn find_touch(
    substep: &Substep<'_>,
    mut awake: Awake<'_>,
    most: f64,
    deviation: &[f64],
) -> Option<Hit> {
    let Substep { primitives, points, number, rounding } = *substep;
    let start = awake.listed.pair.gather(&points.start);
    let displacement = awake.listed.pair.gather(&points.displacement);
    let approach = approach(&awake.listed.pair, &displacement, deviation);
    let is_held = approach == 0.0 && awake.listed.pair.gather(&points.inverse_mass) == [0.0; 4];
    let approach = approach.min(most);
    let least = awake.listed.apart_at_least(&start) - awake.listed.pair.distance;
    if least > approach + rounding {
        awake.sleep_for(least);
        return None;
    }
    if is_held {
        return None;
    }
    if !awake.listed.pair.reduce_distance(primitives) {
        awake.sleep_for(f64::INFINITY);
        return None;
    }
    let gap = awake.listed.nearest(&start, number).distance() - awake.listed.pair.distance;
    awake.sleep_for(gap);
    let pair = awake.listed.pair;
    (gap <= approach).then_some(Hit { kind: HitKind::Pair(pair), points: pair.points, part: 0.0 })
}

/// How much nearer the primitives of a pair may come, with these displacements \[m\].
fn approach(pair: &Pair, displacement: &[Point; 4], deviation: &[f64]) -> f64 {
    let deviations = pair.gather(deviation);
    let (first, second) = deviations.split_at(pair.first_count());
    let most = |some: &[f64]| some.iter().copied().fold(0.0, f64::max);
    pair.max_approach(displacement) + most(first) + most(second)
}

#[cfg(test)]
mod tests {
    use super::super::pair::PairKind;
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn no_pair_comes_nearer_than_its_approach_on_ways_that_are_not_straight() {
        let mut random = Random::new(7);
        let mut sharpest: f64 = 0.0;
        for k in 0..2000 {
            let kind = if k % 2 == 0 { PairKind::VertexTriangle } else { PairKind::EdgeEdge };
            let pair = Pair { kind, points: [0, 1, 2, 3], distance: 0.0, is_reduced: true };
            let start: [Point; 4] = std::array::from_fn(|_| random.point(-1.0, 1.0));
            let common = random.point(-2.0, 2.0);
            let moves = std::array::from_fn(|_| common + random.point(-0.2, 0.2));
            let deviation: [f64; 4] = std::array::from_fn(|_| random.number(0.0, 0.1));
            let approach = approach(&pair, &moves, &deviation);
            let before = pair.nearest(&start).distance();
            for part in [0.2, 0.7, 1.0] {
                let now = std::array::from_fn(|i| {
                    start[i] + moves[i] * part + random.direction() * deviation[i]
                });
                let nearer = before - pair.nearest(&now).distance();
                assert!(nearer <= approach, "{kind:?}: {nearer} m, not {approach} m");
                sharpest = sharpest.max(nearer / approach);
            }
        }
        assert!(sharpest > 0.5, "the bound is {sharpest} of what is found");
    }
}
