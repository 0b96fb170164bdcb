//! Which neighbour structure is the fastest at the start of a run, by trying them.

use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::{Real, Vec3};
use hashfall_search::{NeighborChoice, NeighborKind, NeighborLists, SearchSettings};
use hashfall_sph::world::World;
use std::time::{Duration, Instant};

/// Brute force is not tried beyond so many particles.
const MAX_FOR_BRUTE: usize = 5000;
/// A structure that takes so many times as long as the best is given up.
pub const PATIENCE: u32 = 5;
/// Searches that count, after one that does not.
const TRIALS: usize = 3;

/// How the structures did.
#[derive(Clone, Debug, Default)]
pub struct Trials {
    /// The time of one search for each structure that was tried to the end, the quickest first.
    pub times: Vec<(NeighborKind, Duration)>,
    /// Those that took [`PATIENCE`] times as long as the best so far.
    pub given_up: Vec<NeighborKind>,
}

/// Tries the structures that take these settings.
///
/// A search is what a step does: all particles are indexed, in the order in which a step has them,
/// and all lists are made. Those of settings that a structure does not take are not tried.
pub fn try_structures(world: &World, settings: &SearchSettings) -> Trials {
    let h = world.support_radius;
    let mut points = world.particles.position.clone();
    points.sort_by_key(|p| cell_key(cell_of(p, h)));
    let is_tried = |kind: &NeighborKind| {
        kind.takes(settings) && (*kind != NeighborKind::Brute || points.len() <= MAX_FOR_BRUTE)
    };
    let mut trials = Trials::default();
    // The usual one first: others are soon given up.
    for kind in NeighborKind::ALL.into_iter().rev().filter(is_tried) {
        let best = trials.times.iter().map(|(_, time)| *time).min();
        let patience = best.map_or(Duration::MAX, |best| best.saturating_mul(PATIENCE));
        match time_of(kind, settings, &points, h, patience) {
            Some(time) => trials.times.push((kind, time)),
            None => trials.given_up.push(kind),
        }
    }
    trials.times.sort_by_key(|(_, time)| *time);
    trials
}

/// The best time of some searches; none if one takes longer than `patience`.
fn time_of(
    kind: NeighborKind,
    settings: &SearchSettings,
    points: &[Vec3],
    support_radius: Real,
    patience: Duration,
) -> Option<Duration> {
    let choice = NeighborChoice { settings: *settings, ..kind.into() };
    let (mut search, mut lists) = (choice.structure(), NeighborLists::with_squares());
    let mut best = Duration::MAX;
    for trial in 0..=TRIALS {
        let start = Instant::now();
        search.find(points, support_radius, &mut lists);
        let time = start.elapsed();
        // The first makes room, which takes its time.
        if trial > 0 {
            best = best.min(time);
            if time > patience {
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

    /// A cube of so many particles along each edge.
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
        trials.times.iter().map(|(kind, _)| *kind).chain(trials.given_up.iter().copied()).collect()
    }

    #[test]
    fn each_structure_is_tried_or_given_up_and_the_quickest_comes_first() {
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
