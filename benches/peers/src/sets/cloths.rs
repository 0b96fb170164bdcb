//! Cloths of task T4: what contact of a deforming mesh with itself asks a broad phase.
//!
//! Squares of edge 1 cut along alternating diagonals. A cloth is *crumpled* (mirrored at random
//! planes until it lies within a ball, of which its layers fill a third: an isometry), *stacked*
//! (ten sheets with waves, one on another) or *twisted* (a strip that is wound up in two spirals
//! about its axis and twisted ten times). Layers of the last two are a little farther apart than a
//! thickness.
//! From set A to set B each node moves by up to [`REACH`] along waves, as far as nodes go between
//! two searches of contact.

use super::boxes::Box3;
use super::{Point, Random, count_label, order_by};
use clap::ValueEnum;
use hashfall_search::hilbert_key;
use std::f64::consts::{PI, TAU};

/// Half a thickness.
const RADIUS: f64 = 0.1;
/// How far a node may go before pairs are searched again.
const REACH: f64 = 0.1;
/// The distance of layers.
const SPACING: f64 = 0.25;
/// The distance of layers that stay apart.
const FAR: f64 = 3.0;
/// Sheets of a stack.
const SHEETS: usize = 10;
/// Turns of a twisted strip.
const TURNS: f64 = 10.0;
/// The part of a ball that a crumpled cloth fills.
const FILLED: f64 = 1.0 / 3.0;
/// The most planes at which a cloth is mirrored.
const MAX_PLANES: usize = 10_000;

/// How a cloth lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lie {
    /// In a ball.
    Crumpled,
    /// In ten layers.
    Stacked,
    /// In a rope.
    Twisted,
    /// In ten layers that nothing brings together.
    Apart,
}

/// The boxes of all primitives, each grown by a radius and a reach.
#[derive(Clone, Debug, Default)]
pub struct Boxes {
    /// By node.
    pub vertices: Vec<Box3>,
    /// By edge.
    pub edges: Vec<Box3>,
    /// By triangle.
    pub triangles: Vec<Box3>,
}

/// A cloth.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Where nodes are.
    pub nodes: Vec<Point>,
    /// Where they are at rest, where no part is near another.
    pub rest: Vec<Point>,
    /// The nodes of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The nodes of each triangle.
    pub triangles: Vec<[u32; 3]>,
}

/// Two time steps of a cloth.
pub struct ClothSet {
    /// How it lies, and the count of triangles.
    pub name: String,
    /// The nodes of each edge.
    pub edges: Vec<[u32; 2]>,
    /// The nodes of each triangle.
    pub triangles: Vec<[u32; 3]>,
    /// Set A and set B.
    pub sides: [Boxes; 2],
}

impl ClothSet {
    /// A cloth of about `count` triangles.
    pub fn new(lie: Lie, count: usize) -> Self {
        let Mesh { nodes, edges, triangles, .. } = Mesh::new(lie, count);
        let moved: Vec<Point> = nodes.iter().map(moved).collect();
        let sides = [nodes, moved].map(|nodes| Boxes {
            vertices: nodes.iter().map(|x| around(&[*x])).collect(),
            edges: edges.iter().map(|ends| around(&ends.map(|k| nodes[k as usize]))).collect(),
            triangles: triangles.iter().map(|t| around(&t.map(|k| nodes[k as usize]))).collect(),
        });
        let name = name(lie, triangles.len());
        ClothSet { name, edges, triangles, sides }
    }
}

/// How a cloth lies, and the count of its triangles.
pub fn name(lie: Lie, triangles: usize) -> String {
    let lie = format!("{lie:?}").to_lowercase();
    format!("{lie} cloth of {} triangles", count_label(triangles))
}

/// The box of a primitive.
fn around(corners: &[Point]) -> Box3 {
    let least = |a: usize| corners.iter().map(|x| x[a]).fold(f64::INFINITY, f64::min);
    let most = |a: usize| corners.iter().map(|x| x[a]).fold(f64::NEG_INFINITY, f64::max);
    let pad = RADIUS + REACH;
    Box3 {
        min: [0, 1, 2].map(|a| (least(a) - pad) as f32),
        max: [0, 1, 2].map(|a| (most(a) + pad) as f32),
    }
}

/// Where a node is in set B.
fn moved(x: &Point) -> Point {
    let wave = |a: usize| (0.7 * x[a] + 0.3 * x[(a + 1) % 3] + a as f64).sin();
    let most = REACH / f64::sqrt(3.0);
    [0, 1, 2].map(|a| x[a] + most * wave(a))
}

impl Mesh {
    /// Of about `count` triangles.
    pub fn new(lie: Lie, count: usize) -> Self {
        let mut mesh = Mesh::default();
        match lie {
            Lie::Crumpled => {
                let side = (count as f64 / 2.0).sqrt().round();
                mesh.add_sheet([side as u32; 2], 0.0);
                mesh.sort();
                mesh.crumple(side * side, &mut Random(21));
            }
            Lie::Stacked | Lie::Apart => {
                let side = (count as f64 / (2 * SHEETS) as f64).sqrt().round() as u32;
                let spacing = if lie == Lie::Apart { FAR } else { SPACING };
                let heights = (0..SHEETS).map(|sheet| spacing * sheet as f64);
                heights.for_each(|height| mesh.add_sheet([side; 2], height));
                mesh.sort();
                mesh.rest.iter_mut().for_each(|x| x[2] *= FAR / spacing);
                mesh.wave();
            }
            Lie::Twisted => {
                let width = (count as f64 / 8.0).sqrt().round();
                mesh.add_sheet([4 * width as u32, width as u32], 0.0);
                mesh.sort();
                mesh.twist([4.0 * width, width]);
            }
        }
        mesh
    }

    /// Adds a sheet of squares in a plane of z, row by row.
    fn add_sheet(&mut self, [columns, rows]: [u32; 2], z: f64) {
        let first = self.nodes.len() as u32;
        let node = |x: u32, y: u32| first + y * (columns + 1) + x;
        for y in 0..=rows {
            self.nodes.extend((0..=columns).map(|x| [f64::from(x), f64::from(y), z]));
        }
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y))) {
            let [a, b, c, d] = [node(x, y), node(x + 1, y), node(x + 1, y + 1), node(x, y + 1)];
            let halves =
                if (x + y) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] };
            self.triangles.extend(halves);
        }
    }

    /// Makes the edges, takes what there is as the rest shape, and puts all in the order in which
    /// contact keeps them: along Hilbert's curve at rest.
    fn sort(&mut self) {
        let corners = self.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        self.edges = corners.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        self.edges.sort_unstable();
        self.edges.dedup();
        let most = self.nodes.iter().flatten().copied().fold(0.0, f64::max);
        let key = |x: Point| hilbert_key(&x.into(), &[0.0; 3].into(), most);
        let nodes = order_by(self.nodes.iter().copied(), key);
        let mut place = vec![0; nodes.len()];
        (0..).zip(&nodes).for_each(|(new, old)| place[*old] = new);
        self.nodes = nodes.iter().map(|old| self.nodes[*old]).collect();
        self.edges.iter_mut().flatten().for_each(|node| *node = place[*node as usize]);
        self.triangles.iter_mut().flatten().for_each(|node| *node = place[*node as usize]);
        let middle = |corners: &[u32]| {
            let sum = |a: usize| corners.iter().map(|k| self.nodes[*k as usize][a]).sum::<f64>();
            [0, 1, 2].map(|a| sum(a) / corners.len() as f64)
        };
        let edges = order_by(self.edges.iter().map(|ends| middle(ends)), key);
        let triangles = order_by(self.triangles.iter().map(|corners| middle(corners)), key);
        self.edges = edges.iter().map(|old| self.edges[*old]).collect();
        self.triangles = triangles.iter().map(|old| self.triangles[*old]).collect();
        self.rest.clone_from(&self.nodes);
    }

    /// Mirrors a sheet of this area at planes until it is in a ball.
    fn crumple(&mut self, area: f64, random: &mut Random) {
        let radius = (area * SPACING / FILLED * 0.75 / PI).cbrt();
        let middle = self.nodes[self.nodes.len() / 2];
        self.nodes.iter_mut().for_each(|x| *x = [0, 1, 2].map(|a| x[a] - middle[a]));
        for _ in 0..MAX_PLANES {
            let direction = random.point(-1.0, 1.0);
            let length = dot(&direction, &direction).sqrt();
            if !(0.1..1.0).contains(&length) {
                continue;
            }
            let normal = direction.map(|n| n / length);
            // Not always at the ball's surface, so that there are creases within.
            let distance = radius * random.real(0.7, 1.0);
            let mut is_inside = true;
            for x in &mut self.nodes {
                let beyond = dot(&normal, x) - distance;
                if beyond > 0.0 {
                    *x = [0, 1, 2].map(|a| x[a] - 2.0 * beyond * normal[a]);
                    is_inside &= beyond < radius - distance;
                }
            }
            if is_inside && self.nodes.iter().all(|x| dot(x, x) < 1.1 * radius * radius) {
                return;
            }
        }
    }

    /// Gives sheets the same waves.
    fn wave(&mut self) {
        for x in &mut self.nodes {
            x[2] += 0.5 * ((TAU * x[0] / 12.0).sin() + (TAU * x[1] / 15.0).cos());
        }
    }

    /// Winds up a strip, each half in a spiral whose arms are between those of the other, and turns
    /// it along its length.
    fn twist(&mut self, [length, width]: [f64; 2]) {
        // r = a φ, so that arms of one spiral are two distances apart, and arc length a φ²/2.
        let a = 2.0 * SPACING / TAU;
        for x in &mut self.nodes {
            let across = x[1] - 0.5 * width;
            let angle = (2.0 * across.abs() / a).sqrt();
            let turn = TAU * TURNS * x[0] / length + angle;
            let r = a * angle * across.signum();
            *x = [x[0], r * turn.cos(), r * turn.sin()];
        }
    }
}

fn dot(a: &Point, b: &Point) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}
