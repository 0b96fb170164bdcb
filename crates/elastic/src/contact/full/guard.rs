//! No pair passes: continuous detection over the whole substep, after its velocities are found.
//!
//! Every pair stays farther apart than [`SHARE`] of its distance, or half of where it starts if
//! that is less. The test is conservative: it may see a hit too early, and never misses one.

use super::candidates::Candidates;
use super::group::{Awake, Substep};
use super::hit::{Hit, HitKind};
use super::obstacles::Obstacles;
use super::pair_list::Listed;
use super::points::Points;
use super::primitives::Primitives;

/// The least distance over the one that is kept \[–\].
const SHARE: f64 = 0.1;
/// What rounding may be off by in a distance and two motions, as part of the largest coordinates
/// \[–\]: 24 u as in the [narrow phase](crate::contact::narrow), and as much again for ends that
/// are rounded sums.
const ROUNDING: f64 = 24.0 * f64::EPSILON;

/// What a guard found.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    /// What would come through, in the order of the pairs.
    pub hits: Vec<Hit>,
}

impl Guard {
    /// Finds what would come through in the motion under way.
    pub fn find(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        obstacles: &Obstacles,
        candidates: &mut Candidates,
    ) {
        self.hits.clear();
        candidates.find_hits(primitives, points, &mut self.hits, find_hit);
        self.find_walls(primitives, points, obstacles);
    }

    fn find_walls(&mut self, primitives: &Primitives, points: &Points, obstacles: &Obstacles) {
        for &vertex in primitives.elastic_vertices() {
            for (number, wall) in (0..).zip(&obstacles.walls) {
                let start = wall.normal.dot(&points.start[vertex as usize]) - wall.offset;
                let end = start + wall.normal.dot(&points.displacement[vertex as usize]);
                let least = (SHARE * primitives.radius[vertex as usize]).min(0.5 * start);
                if end < least {
                    let part = ((start - least) / (start - end)).clamp(0.0, 1.0);
                    self.hits.push(Hit { kind: HitKind::Wall(number), points: [vertex; 4], part });
                }
            }
        }
    }

    /// The part of the motion that is free of hits.
    pub fn free_part(&self) -> f64 {
        self.hits.iter().map(|hit| hit.part).fold(1.0, f64::min)
    }
}

/// Whether a pair would come through.
fn find_hit(substep: &Substep<'_>, awake: Awake<'_>, most: f64) -> Option<Hit> {
    let listed = awake.listed;
    let Substep { primitives, points, number, .. } = *substep;
    let (start, displacement) =
        (listed.pair.gather(&points.start), listed.pair.gather(&points.displacement));
    let approach = listed.pair.max_approach(&displacement).min(most);
    let farthest = start.iter().map(|x| x.x.abs() + x.y.abs() + x.z.abs());
    let rounding = ROUNDING * farthest.fold(approach, f64::max);
    // The distance that is kept is more than the least.
    if listed.apart_at_least(&start) - listed.pair.distance > approach + rounding {
        return None;
    }
    if !listed.pair.reduce_distance(primitives) {
        return None;
    }
    if listed.substep != number {
        listed.nearest(&start, number);
    }
    // Along the line of the nearest points the separation is linear in time.
    let end = std::array::from_fn(|k| start[k] + displacement[k]);
    let Listed { pair, normal, .. } = *listed;
    let separation = pair.separation(&start, &normal).min(pair.separation(&end, &normal));
    if separation > SHARE * pair.distance + rounding {
        return None;
    }
    let least = (SHARE * pair.distance).min(0.5 * pair.nearest(&start).distance());
    let part = pair.free(&start, &end, least);
    (part < 1.0).then_some(Hit { kind: HitKind::Pair(pair), points: pair.points, part })
}
