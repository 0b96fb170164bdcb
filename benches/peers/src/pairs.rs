//! Task T3: which of some boxes overlap each other, after every step of theirs?
//!
//! Boxes are closed, and all answers must be exactly the same; of structures that propose a pair
//! more than once, or in vain, the test is part of the search. parry3d 0.31 builds its tree
//! (`from_leaves`, binned) and traverses it against itself, on one thread.

use crate::boxes::Overlaps;
use crate::measure::{Effort, Failure, Lane, Subject, take_turns};
use crate::sets::bodies::BodySet;
use crate::sets::boxes::Box3;
use crate::table::{Table, figure};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::Aabb;
use hashfall_search::with_pair_search;
use hashfall_search::{ListPairs, PairKind, PairSearch, Visits};
use parry3d::bounding_volume::Aabb as ParryBox;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rayon::prelude::*;
use std::marker::PhantomData;

/// Brute force and the slow ones are left out beyond so many boxes.
const MAX_BRUTE_POINTS: usize = 20_000;

/// Hashfall's structures, through the public contract.
#[derive(Default)]
struct Ours<P> {
    search: P,
}

/// Adds up the pairs that overlap, of a structure that proposes each once.
struct Sum<'a, P> {
    boxes: &'a [Aabb],
    of: PhantomData<P>,
}

impl<P: PairSearch> Visits for Sum<'_, P> {
    type Answer = Overlaps;

    fn start(&self) -> Overlaps {
        Overlaps::default()
    }

    #[inline(always)]
    fn visit(&self, overlaps: &mut Overlaps, low: u32, high: u32) {
        if P::IS_EXACT || overlap(self.boxes, [low, high]) {
            overlaps.add(low as usize, high);
        }
    }
}

impl<P: PairSearch + 'static> Subject for Ours<P> {
    type Side = Vec<Aabb>;
    type Answer = Overlaps;

    fn build(&mut self, boxes: &Vec<Aabb>) -> Result<(), Failure> {
        self.search.rebuild(boxes);
        Ok(())
    }

    fn search(&mut self, boxes: &Vec<Aabb>) -> Overlaps {
        if P::IS_UNIQUE {
            let sums = self.search.pairs(&Sum::<P> { boxes, of: PhantomData });
            return sums.into_iter().fold(Overlaps::default(), Overlaps::plus);
        }
        let mut pairs = self.search.pairs(&ListPairs).concat();
        pairs.retain(|&pair| P::IS_EXACT || overlap(boxes, pair));
        pairs.par_sort_unstable();
        pairs.dedup();
        let mut overlaps = Overlaps::default();
        pairs.iter().for_each(|&[low, high]| overlaps.add(low as usize, high));
        overlaps
    }
}

fn overlap(boxes: &[Aabb], [low, high]: [u32; 2]) -> bool {
    boxes[low as usize].overlaps(&boxes[high as usize])
}

/// parry's binary tree against itself.
#[derive(Default)]
struct Parry {
    tree: Bvh,
    workspace: BvhWorkspace,
}

impl Subject for Parry {
    type Side = Vec<ParryBox>;
    type Answer = Overlaps;

    fn build(&mut self, boxes: &Vec<ParryBox>) -> Result<(), Failure> {
        self.tree = Bvh::from_leaves(BvhBuildStrategy::Binned, boxes);
        Ok(())
    }

    fn search(&mut self, _boxes: &Vec<ParryBox>) -> Overlaps {
        let mut overlaps = Overlaps::default();
        self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, &mut |a, b| {
            overlaps.add(a.min(b) as usize, a.max(b));
        });
        overlaps
    }
}

fn ours(b: &Box3) -> Aabb {
    let [min, max] = [b.min, b.max].map(|p| Vec3::from(p.map(|x| x as Real)));
    Aabb::new(min, max)
}

fn parrys(b: &Box3) -> ParryBox {
    ParryBox::new(b.min.into(), b.max.into())
}

/// Measures every method whose name `is_wanted` on a set.
pub fn compare(
    set: &BodySet,
    effort: Effort,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Lane<Overlaps>>, Failure> {
    effort.pool.install(|| {
        let mut lanes = vec![];
        for kind in PairKind::ALL {
            let name = format!("Hashfall {kind:?}");
            let is_quick = kind != PairKind::Brute || set.sides[0].len() <= MAX_BRUTE_POINTS;
            if is_quick && is_wanted(&name) {
                eprintln!("{name}: {}", set.name);
                let sides = set.sides.each_ref().map(|side| side.iter().map(ours).collect());
                with_pair_search!(kind, P => {
                    lanes.push(Lane::new(&name, Ours::<P>::default(), sides, |_, _| ())?);
                });
            }
        }
        if is_wanted("parry3d") {
            let sides = set.sides.each_ref().map(|side| side.iter().map(parrys).collect());
            lanes.push(Lane::new("parry3d", Parry::default(), sides, |_, _| ())?);
        }
        take_turns(lanes.iter_mut(), effort.repetitions)?;
        Ok(lanes)
    })
}

/// The table of a set.
pub fn tabulate(lanes: &[Lane<Overlaps>], set: &BodySet) -> String {
    let mut table = Table::new(&[
        "method",
        "yields",
        "total ms",
        "min ms",
        "build ms",
        "search ms",
        "times parry",
        "B/box",
        "pairs",
        "checksum",
    ]);
    let parry = lanes.iter().find(|lane| lane.name == "parry3d").map(|lane| lane.cost().total);
    for lane in lanes {
        let (cost, overlaps) = (lane.cost(), lane.answers[0]);
        table.push(vec![
            lane.name.clone(),
            "visits".to_owned(),
            figure(cost.total.median),
            figure(cost.total.min),
            figure(cost.build.median),
            figure(cost.search.median),
            parry.map_or(String::new(), |parry| figure(parry.median / cost.total.median)),
            figure(lane.bytes as f64 / set.sides[0].len() as f64),
            overlaps.count().to_string(),
            overlaps.fingerprint(),
        ]);
    }
    table.render()
}
