//! No pair passes: continuous detection over the whole substep, after its velocities are found.
//!
//! Every pair stays farther apart than [`SHARE`] of its distance, or half of where it starts if
//! that is less. The test is conservative: it may see a hit too early, and never misses one.

use super::candidates::Candidates;
use super::obstacles::Obstacles;
use super::points::Points;
use super::primitives::Primitives;
use hashfall_core::parallel;

/// The least distance over the one that is kept \[–\].
const SHARE: f64 = 0.1;
/// What rounding may be off by in a distance and two motions, as part of the largest coordinates
/// \[–\]: 24 u as in the [narrow phase](crate::contact::narrow), and as much again for ends that
/// are rounded sums.
const ROUNDING: f64 = 24.0 * f64::EPSILON;

/// What would come through.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub kind: HitKind,
    /// Its points; those of a wall are one.
    pub points: [u32; 4],
    /// The part of the motion that is free.
    pub part: f64,
}

/// What a hit is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HitKind {
    /// A pair, by its number.
    Pair(u32),
    /// A vertex and a wall, by its number.
    Wall(u32),
}

/// Lists of a guard, for the next time.
#[derive(Clone, Debug, Default)]
pub(super) struct Guard {
    awake: Vec<u32>,
    free: Vec<f64>,
    /// What would come through, in the order of the pairs.
    pub hits: Vec<Hit>,
}

impl Guard {
    /// Finds what would come through in the motion under way, in which each mover goes so far at
    /// the most.
    pub fn find(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        obstacles: &Obstacles,
        candidates: &Candidates,
        max_travel: &[f64],
    ) {
        candidates.list_awake(max_travel, &mut self.awake);
        let (awake, pairs) = (&self.awake, &candidates.pairs);
        self.free.resize(awake.len(), 1.0);
        parallel::fill(&mut self.free, |k, free| {
            let pair = &pairs[awake[k] as usize];
            let (start, displacement) =
                (pair.gather(&points.start), pair.gather(&points.displacement));
            let approach = pair.max_approach(&displacement);
            let farthest =
                start.iter().map(|x| x.x.abs() + x.y.abs() + x.z.abs()).fold(approach, f64::max);
            let is_far = |apart: f64, least: f64| apart - least > approach + ROUNDING * farthest;
            // The distance that is kept is more than the least.
            if is_far(pair.apart_at_least(&start), pair.distance) {
                *free = 1.0;
                return;
            }
            let apart = pair.nearest(&start).distance();
            let least = (SHARE * pair.distance).min(0.5 * apart);
            let end = std::array::from_fn(|k| start[k] + displacement[k]);
            *free = if is_far(apart, least) { 1.0 } else { pair.free(&start, &end, least) };
        });
        self.hits.clear();
        let hits = awake.iter().zip(&self.free).filter(|(_, free)| **free < 1.0);
        self.hits.extend(hits.map(|(&number, &part)| {
            let points = pairs[number as usize].points;
            Hit { kind: HitKind::Pair(number), points, part }
        }));
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
