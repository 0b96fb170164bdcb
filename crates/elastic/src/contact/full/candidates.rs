//! Which pairs may meet soon: found by a broad phase, kept over many substeps.
//!
//! Every point has a *reach*: how far it may go from where it was when the pairs were found. Boxes
//! of primitives are grown by it, and by their radii; pairs whose boxes overlap and whose gap both
//! reaches together can close are kept until a point uses up its reach. Vertices are asked against
//! triangles and edges against edges, those of elastic bodies and those of obstacles in a broad
//! phase each.
//!
//! Each pair has a *budget*, the gap that it had when it was last tested, on the sum of what
//! its two movers have gone since the pairs were found: before that sum is used up the pair can
//! not be nearer than its distance, and it costs a comparison a substep.
//!
//! What pairs do follows from the positions and velocities of a substep alone: the pairs here are a
//! superset, in a fixed order, of those that act. So nothing depends on the broad phase, on when
//! pairs were found, or on whether the run was resumed.

use super::arc::Arc;
use super::box_set::{BoxSet, Boxes};
use super::boxes::Bounds;
use super::finder::{Finder, Task};
use super::obstacles::Obstacles;
use super::pair::Pair;
use super::pieces::class_above;
use super::points::{Points, Step};
use super::primitives::Primitives;
use hashfall_core::{Real, parallel};
use hashfall_geometry::Point;
use hashfall_search::BroadPhaseKind;
use rayon::prelude::*;

/// How many substeps of the fastest point the pairs are to last.
const SUBSTEPS: f64 = 64.0;
/// The least and the greatest reach, as parts of the mean edge \[–\].
const REACH: [f64; 2] = [0.02, 0.25];
/// How many motions of the substep under way the reach is at least.
const MIN_SUBSTEPS: f64 = 4.0;
/// Queries in a task.
const CHUNK: usize = 1024;

/// The pairs that may meet before a point uses up its reach.
#[derive(Debug)]
pub(super) struct Candidates {
    kind: BroadPhaseKind,
    /// Queries are about as large \[m\].
    smallest: Real,
    /// Elastic primitives beyond it are cut \[m\].
    largest: f64,
    mean_edge: f64,
    /// Triangles and edges, of elastic bodies and of obstacles.
    sets: [BoxSet; 4],
    /// The pairs in a fixed order.
    pub pairs: Vec<Pair>,
    /// By pair: the sum of both movers' displacements up to which it stays beyond its distance
    /// \[m\].
    pub budget: Vec<f64>,
    /// By mover: how far it has gone at the most since the pairs were found \[m\].
    pub travelled: Vec<f64>,
    /// By point: where it was then \[m\].
    reference: Vec<Point>,
    /// By point \[m\].
    reach: Vec<f64>,
    /// Whether boxes are those of the arcs of a step, and of no other.
    is_of_step: bool,
    /// Where points may be.
    bounds: Vec<Bounds>,
    tasks: Vec<Task>,
}

impl Candidates {
    /// For these primitives, where they are at the start.
    pub fn new(kind: BroadPhaseKind, primitives: &Primitives, start: &[Point]) -> Self {
        let mean_edge = primitives.mean_edge();
        let extent = |corners: &[u32]| {
            let all = corners.iter().map(|p| Bounds::of_ball(&start[*p as usize], 0.0));
            let all = all.reduce(|a, b| a.union(&b));
            all.map_or(0.0, |b| (b.max - b.min).max())
        };
        let of_edges = primitives.edges[..primitives.elastic_edges].iter().map(|e| extent(e));
        let triangles = &primitives.triangles[..primitives.elastic_triangles];
        let longest = of_edges.chain(triangles.iter().map(|t| extent(t))).fold(0.0, f64::max);
        Candidates {
            kind,
            smallest: (mean_edge * 0.25) as Real,
            largest: class_above(longest),
            mean_edge,
            sets: Default::default(),
            pairs: Vec::new(),
            budget: Vec::new(),
            travelled: vec![0.0; primitives.movers()],
            reference: Vec::new(),
            reach: Vec::new(),
            is_of_step: false,
            bounds: Vec::new(),
            tasks: Vec::new(),
        }
    }

    /// Lists the pairs whose budget ends in a motion in which each mover goes so far at the most.
    pub fn list_awake(&self, max_travel: &[f64], awake: &mut Vec<u32>) {
        let sum = |mover: u32| self.travelled[mover as usize] + max_travel[mover as usize];
        let both = self.pairs.iter().zip(&self.budget);
        let is_awake =
            |(pair, budget): (&Pair, &f64)| sum(pair.movers[0]) + sum(pair.movers[1]) >= *budget;
        awake.clear();
        awake.extend((0..).zip(both).filter(|(_, both)| is_awake(*both)).map(|(k, _)| k));
    }

    /// Takes note of a motion in which each mover went so far at the most.
    pub fn add_travelled(&mut self, max_travel: &[f64]) {
        self.travelled.iter_mut().zip(max_travel).for_each(|(sum, more)| *sum += more);
    }

    /// Forgets pairs that hold for the step before alone.
    pub fn begin_step(&mut self) {
        if self.is_of_step {
            self.reference.clear();
        }
    }

    /// Whether the pairs hold for a motion in which each mover goes so far at the most.
    pub fn hold(&self, primitives: &Primitives, points: &Points, max_travel: &[f64]) -> bool {
        if self.reference.len() != primitives.points() {
            return false;
        }
        let uses_up = |vertex: &u32| {
            let point = *vertex as usize;
            let left = self.reach[point] - max_travel[primitives.mover(*vertex) as usize];
            let gone = (points.start[point] - self.reference[point]).norm_squared();
            // An obstacle that stands has no reach, and needs none.
            left < 0.0 || gone > left * left
        };
        !primitives.vertices.par_iter().with_min_len(CHUNK).any(uses_up)
    }

    /// Finds the pairs for the motion under way, in which each mover goes so far at the most.
    pub fn find(
        &mut self,
        world @ (primitives, ..): (&Primitives, &Obstacles, &Step),
        points: &Points,
        max_travel: &[f64],
    ) {
        self.reference.clear();
        self.reference.extend(&points.start);
        self.set_reaches(world, points, max_travel);
        self.travelled.fill(0.0);
        self.index(primitives, points);
        self.pairs.clear();
        self.budget.clear();
        let triangles = [0, 1].map(|set| &self.sets[set]);
        let edges = [2, 3].map(|set| &self.sets[set]);
        let (bounds, reach, largest) = (&self.bounds[..], &self.reach[..], self.largest);
        let boxes = Boxes { primitives, points, bounds, reach, largest };
        let finder = Finder { boxes, triangles, edges };
        let (vertices, own) = (primitives.vertices.len(), primitives.elastic_edges);
        let counts = [vertices, own].map(|count| count.div_ceil(CHUNK));
        self.tasks.resize_with(self.tasks.len().max(counts[0] + counts[1]), Task::default);
        let tasks = &mut self.tasks[..counts[0] + counts[1]];
        parallel::fill_pieces(tasks, &|k, task| {
            task.pairs.clear();
            if let Some(k) = k.checked_sub(counts[0]) {
                (k * CHUNK..own.min((k + 1) * CHUNK)).for_each(|e| finder.find_edges(e, task));
            } else {
                let range = k * CHUNK..vertices.min((k + 1) * CHUNK);
                range.for_each(|v| finder.find_triangles(primitives.vertices[v], task));
            }
        });
        for task in tasks {
            self.pairs.extend(task.pairs.iter().map(|(pair, _)| *pair));
            self.budget.extend(task.pairs.iter().map(|(_, gap)| *gap));
        }
    }

    /// Sets how far each point may go, and the box around where it may be.
    fn set_reaches(
        &mut self,
        (primitives, obstacles, step): (&Primitives, &Obstacles, &Step),
        points: &Points,
        max_travel: &[f64],
    ) {
        let [low, high] = REACH.map(|share| share * self.mean_edge);
        let of_mover = |max_travel: &f64| {
            (SUBSTEPS * max_travel).clamp(low, high).max(MIN_SUBSTEPS * max_travel)
        };
        let of_movers: Vec<f64> = max_travel.iter().map(of_mover).collect();
        let arcs: Vec<Arc> =
            step.motions.iter().map(|motion| Arc::new(motion, step.parts[0])).collect();
        self.is_of_step = false;
        self.reach.clear();
        self.bounds.clear();
        for point in 0..primitives.points() {
            let mut reach = of_movers[primitives.mover(point as u32) as usize];
            let mut bounds = None;
            if let Some(k) = point.checked_sub(primitives.nodes) {
                let obstacle = &obstacles.points[k];
                if let Some(body) = (obstacle.part as usize).checked_sub(1) {
                    let length = arcs[body].length(&obstacle.rest);
                    if length > reach {
                        self.is_of_step = true;
                        let max_travel = max_travel[primitives.mover(point as u32) as usize];
                        reach = (length + max_travel) * (1.0 + 1e-9);
                        bounds = Some(arcs[body].bounds(&obstacle.rest));
                    }
                } else {
                    reach = 0.0;
                }
            }
            self.reach.push(reach);
            let ball = || Bounds::of_ball(&points.start[point], reach);
            self.bounds.push(bounds.unwrap_or_else(ball));
        }
    }

    /// Indexes all primitives; obstacles that stand but once.
    fn index(&mut self, primitives: &Primitives, points: &Points) {
        let Candidates { sets, bounds, reach, kind, smallest, largest, .. } = self;
        let boxes = Boxes { primitives, points, bounds, reach, largest: *largest };
        let (t, e) = (primitives.elastic_triangles, primitives.elastic_edges);
        sets[0].fill(&primitives.triangles[..t], 0, &boxes, (*kind, *smallest));
        sets[1].fill(&primitives.triangles[t..], t, &boxes, (*kind, *smallest));
        sets[2].fill(&primitives.edges[..e], 0, &boxes, (*kind, *smallest));
        sets[3].fill(&primitives.edges[e..], e, &boxes, (*kind, *smallest));
    }
}
