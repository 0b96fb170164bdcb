//! Which pairs may meet soon: found by a broad phase, kept over many substeps.
//!
//! Two levels. A broad phase finds which [clusters](super::clusters) of primitives are near each
//! other: their boxes hold where their points may be, each within a *reach* of where it was, or on
//! the arc that a solid goes along; they are asked for again when a point has used up its reach.
//! Two near clusters, or one and itself, are a [`Group`]: it lists its pairs of primitives that are
//! near, and lists them again when the clusters have approached by more than its reach. What counts
//! there is [relative motion](super::cluster_motion) alone, so that what flies or spins as a whole
//! costs nothing, and what is fast somewhere does not wake what is slow elsewhere.
//!
//! What pairs do follows from the positions and velocities of a substep alone: the pairs here are a
//! superset, in a fixed order, of those that act. So nothing depends on the broad phase, on when
//! pairs were found, or on whether the run was resumed.

use super::arc::Arc;
use super::box_set::BoxSet;
use super::boxes::Bounds;
use super::cluster_motion::ClusterMotions;
use super::clusters::Clusters;
use super::finder::{Finder, Scratch};
use super::group::{Awake, Group, Near, Substep};
use super::hit::Hit;
use super::obstacles::Obstacles;
use super::pieces::{add_pieces, class_above};
use super::points::{Points, Step};
use super::primitives::Primitives;
use hashfall_core::Real;
use hashfall_core::parallel::{any_by, chunks_mut, fill_by, for_parts, items_mut};
use hashfall_geometry::Point;
use hashfall_search::BroadPhaseKind;

/// How many substeps of a cluster's fastest point its box is to last.
const SUBSTEPS: f64 = 32.0;
/// The least and the greatest reach of a cluster, as parts of the mean edge \[–\].
const REACH: [f64; 2] = [0.1, 1.0];
/// How many motions of the substep under way the reach is at least.
const MIN_SUBSTEPS: f64 = 4.0;
/// Groups in a task.
const GROUPS_PER_TASK: usize = 64;

/// What may meet in a step, and where the step takes solids.
pub(super) struct ContactScene<'a> {
    /// Vertices, edges and triangles.
    pub primitives: &'a Primitives,
    /// Solids, as primitives that move on their own.
    pub obstacles: &'a Obstacles,
    /// The step under way.
    pub step: &'a Step,
}

/// The pairs that may meet in the motion under way, and some more.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Boxes of elastic clusters beyond it are divided \[m\].
    largest: f64,
    mean_edge: f64,
    clusters: Clusters,
    motions: ClusterMotions,
    /// Of elastic bodies, and of obstacles.
    sets: [BoxSet; 2],
    /// In the order of their clusters.
    groups: Vec<Group>,
    /// Groups that are no more, for their memory.
    spare: Vec<Group>,
    /// The clusters of the groups to come.
    near: Vec<[u32; 2]>,
    /// What a query found.
    found: Vec<u32>,
    /// Where points were when the boxes were made \[m\].
    reference: Vec<Point>,
    /// By cluster \[m\].
    reach: Vec<f64>,
    /// By cluster: how far its points may go in a substep \[m\]. Boxes hold as much more, so that
    /// two that do not overlap are farther apart than a substep can close, along an arc, too.
    max_travel: Vec<f64>,
    /// By cluster: where its points may be.
    bounds: Vec<Bounds>,
    /// Whether boxes are those of the arcs of a step, and of no other.
    is_of_step: bool,
    /// Of moving bodies, when the boxes were made.
    arcs: Vec<Arc>,
    tasks: Vec<Task>,
    /// The number of the substep.
    substep: u64,
}

/// What some of the groups found.
#[derive(Debug, Default)]
struct Task {
    scratch: Scratch,
    near: Vec<Near>,
    hits: Vec<Hit>,
    tested: u64,
}

impl Candidates {
    /// For these primitives, where they are at the start.
    pub fn new(kind: BroadPhaseKind, primitives: &Primitives, start: &[Point]) -> Self {
        let (clusters, mean_edge) = (Clusters::new(primitives, start), primitives.mean_edge());
        let extent = |cluster| {
            let points = clusters.points.list(cluster).iter().map(|p| &start[*p as usize]);
            let Bounds { min, max } = Bounds::around(points);
            (max - min).max()
        };
        let (sum, longest) = (0..clusters.elastic)
            .map(extent)
            .fold((0.0, 0.0), |(sum, longest), extent| (sum + extent, f64::max(longest, extent)));
        let mean = sum / clusters.elastic.max(1) as f64;
        let smallest = if mean > 0.0 { 0.5 * mean } else { mean_edge } as Real;
        Candidates {
            largest: class_above(longest),
            mean_edge,
            clusters,
            motions: ClusterMotions::default(),
            sets: [(); 2].map(|()| BoxSet::new(kind, smallest)),
            groups: Vec::new(),
            spare: Vec::new(),
            near: Vec::new(),
            found: Vec::new(),
            reference: Vec::new(),
            reach: Vec::new(),
            max_travel: Vec::new(),
            bounds: Vec::new(),
            is_of_step: false,
            arcs: Vec::new(),
            tasks: Vec::new(),
            substep: 0,
        }
    }

    /// Forgets boxes that hold for the step before alone.
    pub fn begin_step(&mut self) {
        if self.is_of_step {
            self.reference.clear();
        }
    }

    /// Takes the places of points at the start of a substep.
    pub fn begin(&mut self, points: &Points) {
        self.substep += 1;
        self.motions.begin(&self.clusters, points);
        let Candidates { groups, motions, .. } = self;
        fill_by(groups, GROUPS_PER_TASK, |_, group| {
            group.travelled += motions.approach_since(group.clusters);
        });
    }

    /// Takes the displacements of the motion under way, and finds the pairs that may meet in it.
    pub fn follow(&mut self, scene: &ContactScene<'_>, points: &Points) {
        self.motions.follow(&self.clusters, points);
        self.find_pairs(scene, points);
    }

    /// The same for motions that are not straight: each point deviates by at most `deviation`
    /// \[m\].
    pub fn follow_within(&mut self, scene: &ContactScene<'_>, points: &Points, deviation: &[f64]) {
        self.motions.follow(&self.clusters, points);
        self.motions.widen(&self.clusters, deviation);
        self.find_pairs(scene, points);
    }

    /// Finds the pairs that may meet in the motion under way.
    fn find_pairs(&mut self, scene: &ContactScene<'_>, points: &Points) {
        if !self.hold(points) {
            self.find_groups(scene, points);
        }
        let Candidates { clusters, motions, groups, tasks, mean_edge, .. } = self;
        let finder =
            Finder { primitives: scene.primitives, points, clusters, shapes: &motions.shapes };
        tasks.resize_with(groups.len().div_ceil(GROUPS_PER_TASK), Task::default);
        let parts = (chunks_mut(groups, GROUPS_PER_TASK), items_mut(tasks));
        for_parts(parts, |_, (groups, task)| {
            for group in groups {
                group.approach = motions.approach(group.clusters);
                group.update(&finder, *mean_edge, &mut task.scratch);
            }
        });
    }

    /// Finds the pairs that act in the motion under way; returns how many were tested.
    pub fn find_near(&mut self, primitives: &Primitives, points: &Points) -> u64 {
        self.visit_groups(primitives, points, |substep, group, task| {
            task.tested += group.find_near(substep, &mut task.near);
        });
        self.tasks.iter().map(|task| task.tested).sum()
    }

    /// The pairs that act, in their order.
    pub fn near(&self) -> impl Iterator<Item = &Near> {
        self.tasks.iter().flat_map(|task| &task.near)
    }

    /// Adds to `hits` what `find` makes of the pairs that may come to their distance in the motion
    /// under way, and of how much their gaps close at the most \[m\].
    pub fn find_hits(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        hits: &mut Vec<Hit>,
        find: impl Fn(&Substep<'_>, Awake<'_>, f64) -> Option<Hit> + Sync,
    ) {
        self.visit_groups(primitives, points, |substep, group, task| {
            let most = group.most(substep);
            group.visit_awake(|awake| task.hits.extend(find(substep, awake, most)));
        });
        hits.extend(self.tasks.iter().flat_map(|task| &task.hits));
    }

    /// Visits all groups in tasks.
    fn visit_groups(
        &mut self,
        primitives: &Primitives,
        points: &Points,
        visit: impl Fn(&Substep<'_>, &mut Group, &mut Task) + Sync,
    ) {
        let (number, rounding) = (self.substep, self.motions.rounding);
        let substep = Substep { primitives, points, number, rounding };
        self.tasks.resize_with(self.groups.len().div_ceil(GROUPS_PER_TASK), Task::default);
        let parts = (chunks_mut(&mut self.groups, GROUPS_PER_TASK), items_mut(&mut self.tasks));
        for_parts(parts, |_, (groups, task)| {
            task.near.clear();
            task.hits.clear();
            task.tested = 0;
            groups.iter_mut().for_each(|group| visit(&substep, group, task));
        });
    }

    /// Whether the boxes hold for the motion under way.
    fn hold(&self, points: &Points) -> bool {
        let stays = |cluster: usize| {
            let travel = self.motions.motions[cluster].max_travel;
            let left = self.reach[cluster] - travel;
            // An obstacle that stands has no reach, and needs none.
            let is_near = |point: &u32| {
                let point = *point as usize;
                (points.start[point] - self.reference[point]).norm_squared() <= left * left
            };
            self.clusters.stands[cluster]
                || left >= 0.0
                    && travel <= self.max_travel[cluster]
                    && self.clusters.points.list(cluster).iter().all(is_near)
        };
        let count = self.clusters.count();
        self.reference.len() == points.start.len()
            && !any_by(count, GROUPS_PER_TASK, |cluster| !stays(cluster))
    }

    /// Finds which clusters may come near before a point uses up its reach.
    fn find_groups(&mut self, scene: &ContactScene<'_>, points: &Points) {
        self.reference.clear();
        self.reference.extend(&points.start);
        self.set_bounds(scene);
        self.index(scene.primitives, points);
        self.near.clear();
        let mut found = std::mem::take(&mut self.found);
        for cluster in 0..self.clusters.elastic as u32 {
            self.near.push([cluster; 2]);
            found.clear();
            let query = self.bounds[cluster as usize].outwards();
            self.sets.iter().for_each(|set| set.add_overlapping(&query, &mut found));
            found.sort_unstable();
            found.dedup();
            let after = found.iter().filter(|other| **other > cluster);
            self.near.extend(after.map(|other| [cluster, *other]));
        }
        self.found = found;
        self.replace_groups();
    }

    /// Keeps the groups that are near, and adds those that come to be.
    fn replace_groups(&mut self) {
        let Candidates { groups, spare, near, .. } = self;
        let before = groups.len();
        let mut kept = 0;
        for clusters in near.iter() {
            while kept < before && groups[kept].clusters < *clusters {
                kept += 1;
            }
            let next = if kept < before && groups[kept].clusters == *clusters {
                kept += 1;
                std::mem::take(&mut groups[kept - 1])
            } else {
                spare.pop().unwrap_or_default().begin(*clusters)
            };
            groups.push(next);
        }
        // Those that were taken have no memory.
        let gone = groups.drain(..before).filter(|group| group.pairs.has_memory());
        spare.extend(gone);
    }

    /// Sets how far the points of each cluster may go, and the box around where they may be.
    fn set_bounds(&mut self, scene: &ContactScene<'_>) {
        let ContactScene { primitives, obstacles, step } = scene;
        let [low, high] = REACH.map(|share| share * self.mean_edge);
        self.arcs.clear();
        self.arcs.extend(step.motions.iter().map(|motion| Arc::new(motion, step.parts[0])));
        self.is_of_step = false;
        self.reach.clear();
        self.max_travel.clear();
        self.bounds.clear();
        for cluster in 0..self.clusters.count() {
            let max_travel = self.motions.motions[cluster].max_travel;
            let mut reach = (SUBSTEPS * max_travel).clamp(low, high).max(MIN_SUBSTEPS * max_travel);
            let list = self.clusters.points.list(cluster);
            let (mut bounds, mut most) = (None, reach);
            if self.clusters.stands[cluster] {
                reach = 0.0;
            } else if let Some(k) = (list[0] as usize).checked_sub(primitives.nodes)
                && let Some(body) = (obstacles.points[k].part as usize).checked_sub(1)
            {
                let rest = |p: &u32| &obstacles.points[*p as usize - primitives.nodes].rest;
                let length =
                    list.iter().map(|p| self.arcs[body].length(rest(p))).fold(0.0, f64::max);
                if length > reach {
                    self.is_of_step = true;
                    reach = (length + max_travel) * (1.0 + 1e-9);
                    let all = list.iter().map(|p| self.arcs[body].bounds(rest(p)));
                    most = MIN_SUBSTEPS * max_travel;
                    bounds = all.reduce(|a, b| a.union(&b)).map(|arcs| arcs.grown(most));
                }
            }
            let around = || self.motions.shapes[cluster].bounds.grown(reach);
            let bounds = bounds.unwrap_or_else(around);
            self.reach.push(reach);
            self.max_travel.push(most);
            self.bounds.push(bounds.grown(self.clusters.radius[cluster]));
        }
    }

    /// Indexes the boxes of all clusters; obstacles that stand but once.
    fn index(&mut self, primitives: &Primitives, points: &Points) {
        let Candidates { largest, clusters, sets, reach, bounds, .. } = self;
        let [elastic, obstacles] = sets;
        elastic.fill(0..clusters.elastic, |cluster, out| {
            let own = &bounds[cluster];
            if (own.max - own.min).max() <= *largest + 2.0 * reach[cluster] {
                return out.push(own.outwards());
            }
            let grown = reach[cluster] + clusters.radius[cluster];
            let corners = |p: u32| points.start[p as usize];
            for edge in clusters.edges.list(cluster) {
                let edge = primitives.edges[*edge as usize].map(corners);
                add_pieces(&edge, *largest, grown, out);
            }
            for triangle in clusters.triangles.list(cluster) {
                let triangle = primitives.triangles[*triangle as usize].map(corners);
                add_pieces(&triangle, *largest, grown, out);
            }
            // Its edges and triangles may all begin in other clusters.
            for vertex in clusters.vertices.list(cluster) {
                add_pieces(&[corners(*vertex)], *largest, grown, out);
            }
        });
        if !(obstacles.is_filled() && clusters.stands[clusters.elastic..].iter().all(|s| *s)) {
            let all = clusters.elastic..clusters.count();
            obstacles.fill(all, |k, out| out.push(bounds[k].outwards()));
        }
    }
}
