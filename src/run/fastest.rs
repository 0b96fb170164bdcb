//! Which neighbour structure is the fastest at the start of a run, by trying them.

use crate::base::cell::{cell_key, cell_of};
use crate::base::{Real, Vec3};
use crate::search::{NeighborChoice, NeighborKind, NeighborLists, SearchSettings};
use crate::world::World;
use std::time::{Duration, Instant};

/// Brute force is not tried beyond so many particles.
const MOST_FOR_BRUTE: usize = 5000;
/// A structure that takes so many times as long as the best is given up.
pub const PATIENCE: u32 = 5;
/// Searches that count, after one that does not.
const TRIALS: usize = 3;

/// The time of one search \[s\] for each structure that was tried to the end, the quickest first.
///
/// A search is what a step does: all particles are indexed, in the order in which a step has them,
/// and all lists are made. Those of settings that a structure does not take are not tried.
pub fn try_structures(world: &World, settings: &SearchSettings) -> Vec<(NeighborKind, Duration)> {
    let h = world.support_radius;
    let mut points = world.particles.position.clone();
    points.sort_by_key(|p| cell_key(cell_of(p, h)));
    let is_tried = |kind: &NeighborKind| {
        kind.takes(settings) && (*kind != NeighborKind::Brute || points.len() <= MOST_FOR_BRUTE)
    };
    let mut tried: Vec<(NeighborKind, Duration)> = Vec::new();
    // The usual one first: others are soon given up.
    for kind in NeighborKind::ALL.into_iter().rev().filter(is_tried) {
        let best = tried.iter().map(|(_, time)| *time).min();
        let patience = best.map_or(Duration::MAX, |best| best.saturating_mul(PATIENCE));
        tried.extend(time_of(kind, settings, &points, h, patience).map(|time| (kind, time)));
    }
    tried.sort_by_key(|(_, time)| *time);
    tried
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
