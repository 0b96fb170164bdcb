//! Chooses the fastest neighbour structure by timing all of them at the start of a run.

use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::{Real, Vec3};
use hashfall_search::{NeighborChoice, NeighborKind, NeighborLists, SearchSettings};
use hashfall_sph::world::World;
use std::time::{Duration, Instant};

/// Upper bound of particles for which brute force is timed.
const MAX_FOR_BRUTE: usize = 5000;
/// A structure that takes this many times as long as the best is dropped.
pub const CUTOFF_RATIO: u32 = 5;
/// Timed searches, after one warm-up search.
const TRIALS: usize = 3;

/// The measured times.
#[derive(Clone, Debug, Default)]
pub struct Trials {
    /// The time of one search for each structure, the fastest first.
    pub times: Vec<(NeighborKind, Duration)>,
    /// Structures that took [`CUTOFF_RATIO`] times as long as the best so far.
    pub dropped: Vec<NeighborKind>,
}

/// Times the structures that accept these settings.
///
/// A search does what a step does: it indexes all particles, in the order of a step, and builds all
/// lists.
pub fn try_structures(world: &World, settings: &SearchSettings) -> Trials {
    let h = world.support_radius;
    let mut points = world.particles.position.clone();
    points.sort_by_key(|p| cell_key(cell_of(p, h)));
    let is_tried = |kind: &NeighborKind| {
        kind.takes(settings) && (*kind != NeighborKind::Brute || points.len() <= MAX_FOR_BRUTE)
    };
    let mut trials = Trials::default();
    // The default first: slower ones are then dropped early.
    for kind in NeighborKind::ALL.into_iter().rev().filter(is_tried) {
        let best = trials.times.iter().map(|(_, time)| *time).min();
        let cutoff = best.map_or(Duration::MAX, |best| best.saturating_mul(CUTOFF_RATIO));
        match time_of(kind, settings, &points, h, cutoff) {
            Some(time) => trials.times.push((kind, time)),
            None => trials.dropped.push(kind),
        }
    }
    trials.times.sort_by_key(|(_, time)| *time);
    trials
}

/// The best time of some searches; `None` if one takes longer than `cutoff`.
fn time_of(
    kind: NeighborKind,
    settings: &SearchSettings,
    points: &[Vec3],
    support_radius: Real,
    cutoff: Duration,
) -> Option<Duration> {
    let choice = NeighborChoice { settings: *settings, ..kind.into() };
    let (mut search, mut lists) = (choice.structure(), NeighborLists::with_squares());
    let mut best = Duration::MAX;
    for trial in 0..=TRIALS {
        let start = Instant::now();
        search.find(points, support_radius, &mut lists);
        let time = start.elapsed();
        // The first allocates memory.
        if trial > 0 {
            best = best.min(time);
            if time > cutoff {
                return None;
            }
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_scene::{self as scene, Source};

    /// A cube with this number of particles along each edge.
    fn block(edge: usize) -> World {
        let text = format!(
            "Scene(frames: (count: 1, rate: 10), domain: Box(min: (0, 0, 0), max: (4, 4, 4)),
            particle_radius: 0.05, fluids: [(name: \"water\", rest_density: 1000, viscosity: 0,
            shapes: [Box(min: (0, 0, 0), max: ({edge}e-1, {edge}e-1, {edge}e-1))])])"
        );
        let source = Source { name: String::new(), text };
        let world = scene::prepare(&source, &[], &mut |_| unreachable!("no mesh")).unwrap().world;
        assert_eq!(world.particles.len(), edge * edge * edge);
        world
    }

    fn all(trials: &Trials) -> Vec<NeighborKind> {
        trials.times.iter().map(|(kind, _)| *kind).chain(trials.dropped.iter().copied()).collect()
    }

    #[test]
    fn each_structure_is_tried_or_dropped_and_the_quickest_comes_first() {
        let trials = try_structures(&block(8), &SearchSettings::default());
        assert_eq!(all(&trials).len(), NeighborKind::ALL.len());
        assert!(trials.times.is_sorted_by_key(|(_, time)| *time) && !trials.times.is_empty());
    }

    #[test]
    fn what_takes_no_such_settings_or_compares_too_many_pairs_is_not_tried() {
        let table = SearchSettings { table_size: Some(64), ..SearchSettings::default() };
        let tried = all(&try_structures(&block(8), &table));
        assert!(tried.iter().all(|kind| kind.takes_table()) && tried.len() > 1, "{tried:?}");
        let many = all(&try_structures(&block(18), &SearchSettings::default()));
        assert_eq!(many.len(), NeighborKind::ALL.len() - 1);
        assert!(!many.contains(&NeighborKind::Brute));
    }
}
