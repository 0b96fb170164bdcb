//! Box sets of task T2: which objects does a moving particle's box overlap?
//!
//! Objects as in Pouchol et al. 2009, §4: in 2D, squares of three classes; in 3D, 2000 spheres.
//! Queries are the boxes of motions. Beside them the triangles of a mesh ([`super::meshes`]), and
//! spheres of sizes over four decades, with the boxes of particles that rest. Deviation from the anchors' generator, which has one set of
//! objects: our set B displaces each object, so that every repetition rebuilds over moved boxes.

use super::meshes::{self, EDGE};
use super::{Order, Point, Random, cell_order, count_label, morton_order};
use clap::ValueEnum;
use std::f64::consts::{PI, TAU};
use std::path::Path;
use std::{fs, io};

/// Side of the square in 2D.
const SQUARE: f64 = 8192.0;
/// Side of the cube in 3D.
const CUBE: f64 = 3.5;
/// The smallest diameter of four decades of them, up to 1.
const SMALLEST_OF_DECADES: f64 = 1e-4;
/// The seed of the displacements, which is ours.
const MOVES: u64 = 13;

/// Which objects are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Objects {
    /// 100 rectangles in 2D.
    #[value(name = "o2_100")]
    O2Hundred,
    /// 1000 rectangles in 2D.
    #[value(name = "o2_1k")]
    O2Thousand,
    /// 10 000 rectangles in 2D.
    #[value(name = "o2_10k")]
    O2TenThousand,
    /// 2000 spheres in 3D.
    #[value(name = "o3_2k")]
    O3,
    /// 100 000 triangles of a mesh, and particles anywhere around it.
    #[value(name = "mesh_100k")]
    Mesh,
    /// The same, and particles close to it.
    #[value(name = "mesh_100k_near")]
    MeshNear,
    /// 100 000 spheres in 3D, of sizes over four decades.
    #[value(name = "decades_100k")]
    Decades,
}

/// What a set is made of.
struct Recipe {
    label: &'static str,
    is_flat: bool,
    objects: Vec<WideBox>,
    queries: Vec<WideBox>,
    /// The edge of the cells by which queries are ordered, the size below which cells are of no
    /// use, and how far objects are displaced.
    cell: f64,
    smallest: f64,
    reach: f64,
}

/// A box; in flat sets z = 0.
#[derive(Clone, Copy, Debug)]
pub struct Box3 {
    /// Lowest corner.
    pub min: [f32; 3],
    /// Highest corner.
    pub max: [f32; 3],
}

/// Two time steps of objects, and queries.
pub struct BoxSet {
    /// Objects, queries and order.
    pub name: String,
    /// Whether all boxes have z = 0.
    pub is_flat: bool,
    /// The size below which cells are of no use: the smallest class, or the particle.
    pub smallest: f32,
    /// Set A and set B.
    pub sides: [Vec<Box3>; 2],
    /// The same for both sides.
    pub queries: Vec<Box3>,
}

/// A box in full precision.
#[derive(Clone, Copy)]
struct WideBox {
    min: Point,
    max: Point,
}

impl BoxSet {
    /// The set with `count` queries.
    pub fn new(objects: Objects, count: usize, order: Order) -> Self {
        let Recipe { label, is_flat, objects: here, mut queries, cell, smallest, reach } =
            Recipe::new(objects, count);
        let there = displaced(&here, reach, is_flat);
        let places = match order {
            Order::Sorted => {
                // Counted from 100 cells below the origin, which no query reaches.
                let low = [-100.0 * cell, -100.0 * cell, if is_flat { 0.0 } else { -100.0 * cell }];
                morton_order(queries.iter().map(|q| q.min), low, cell)
            }
            Order::Cells => cell_order(queries.iter().map(|q| q.min), cell),
            Order::Shuffled => (0..queries.len()).collect(),
        };
        queries = places.iter().map(|&place| queries[place]).collect();
        BoxSet {
            name: format!("{label}, {} queries, {}", count_label(count), order.label()),
            is_flat,
            smallest: smallest as f32,
            sides: [here, there].map(|side| narrowed(&side)),
            queries: narrowed(&queries),
        }
    }
}

impl Recipe {
    fn new(objects: Objects, count: usize) -> Self {
        let flat = |label, objects| Recipe {
            label,
            is_flat: true,
            objects,
            queries: segments(count),
            cell: 16.0,
            smallest: 8.0,
            reach: 1.0,
        };
        let in_space = |label, objects, queries, smallest: f64| Recipe {
            label,
            is_flat: false,
            objects,
            queries,
            cell: 2.0 * smallest,
            smallest,
            reach: 0.5 * smallest,
        };
        match objects {
            Objects::O2Hundred => flat("o2_100", rectangles(100)),
            Objects::O2Thousand => flat("o2_1k", rectangles(1000)),
            Objects::O2TenThousand => flat("o2_10k", rectangles(10_000)),
            Objects::O3 => in_space("o3_2k", spheres(), swept_particles(count), 1.0 / 64.0),
            Objects::Mesh => {
                in_space("mesh_100k", mesh(), particles(meshes::around(count), EDGE), EDGE)
            }
            Objects::MeshNear => {
                in_space("mesh_100k_near", mesh(), particles(meshes::near(count), EDGE), EDGE)
            }
            Objects::Decades => {
                let (spheres, queries) = decades(100_000, count);
                in_space("decades_100k", spheres, queries, SMALLEST_OF_DECADES)
            }
        }
    }
}

impl BoxSet {
    /// Writes set A and the queries to `NAME.boxes` and `NAME.queries` of a folder, six numbers a
    /// box, in single precision, lowest byte first.
    pub fn dump(&self, folder: &Path) -> io::Result<()> {
        let name = self.name.replace([' ', ','], "_").replace("__", "_");
        for (boxes, kind) in [(&self.sides[0], "boxes"), (&self.queries, "queries")] {
            let numbers = boxes.iter().flat_map(|b| b.min.into_iter().chain(b.max));
            let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
            fs::write(folder.join(format!("{name}.{kind}")), bytes)?;
        }
        Ok(())
    }
}

impl WideBox {
    fn around(centre: Point, edges: Point) -> Self {
        let corner = |side: f64| [0, 1, 2].map(|axis| centre[axis] + side * edges[axis] / 2.0);
        WideBox { min: corner(-1.0), max: corner(1.0) }
    }

    /// Around two points, grown by `margin`.
    fn spanning(a: Point, b: Point, margin: f64) -> Self {
        WideBox {
            min: [0, 1, 2].map(|axis| a[axis].min(b[axis]) - margin),
            max: [0, 1, 2].map(|axis| a[axis].max(b[axis]) + margin),
        }
    }
}

fn narrowed(boxes: &[WideBox]) -> Vec<Box3> {
    let narrow = |p: Point| p.map(|x| x as f32);
    boxes.iter().map(|b| Box3 { min: narrow(b.min), max: narrow(b.max) }).collect()
}

fn displaced(boxes: &[WideBox], reach: f64, is_flat: bool) -> Vec<WideBox> {
    let mut random = Random(MOVES);
    let mut moved = |b: &WideBox| {
        let by = random.point(-reach, reach);
        let by = if is_flat { [by[0], by[1], 0.0] } else { by };
        let shifted = |p: Point| [0, 1, 2].map(|axis| p[axis] + by[axis]);
        WideBox { min: shifted(b.min), max: shifted(b.max) }
    };
    boxes.iter().map(&mut moved).collect()
}

/// Edges around 2¹⁰ (one in ten), 2⁶ (one in four) and 2³ (the rest), from m/2 to 3m/2.
fn rectangles(count: usize) -> Vec<WideBox> {
    let mut random = Random(7);
    let mut rectangle = || {
        let class = match random.unit() {
            u if u < 0.10 => 1024.0,
            u if u < 0.35 => 64.0,
            _ => 8.0,
        };
        let [width, height] = [(); 2].map(|()| random.real(0.5 * class, 1.5 * class));
        let [x, y] = [(); 2].map(|()| random.real(0.0, SQUARE));
        WideBox::around([x, y, 0.0], [width, height, 0.0])
    };
    (0..count).map(|_| rectangle()).collect()
}

/// Motions of points: up to 16 long, in any direction.
fn segments(count: usize) -> Vec<WideBox> {
    let mut random = Random(8);
    let mut segment = || {
        let [x, y] = [(); 2].map(|()| random.real(0.0, SQUARE));
        let angle = random.real(0.0, TAU);
        let length = random.real(0.0, 16.0);
        let end = [x + length * angle.cos(), y + length * angle.sin(), 0.0];
        WideBox::spanning([x, y, 0.0], end, 0.0)
    };
    (0..count).map(|_| segment()).collect()
}

/// Diameters from 2⁻⁴ to 2⁻².
fn spheres() -> Vec<WideBox> {
    let mut random = Random(9);
    let mut sphere = || {
        let diameter = random.real(1.0 / 16.0, 0.25);
        WideBox::around(random.point(0.0, CUBE), [diameter; 3])
    };
    (0..2000).map(|_| sphere()).collect()
}

/// Particles of diameter 2⁻⁶ that move by at most that, in any direction.
fn swept_particles(count: usize) -> Vec<WideBox> {
    let mut random = Random(10);
    let mut particle = || {
        let start = random.point(0.0, CUBE);
        let z = random.real(-1.0, 1.0);
        let angle = random.real(0.0, TAU);
        let length = random.real(0.0, 1.0 / 64.0);
        let across = length * (1.0 - z * z).sqrt();
        let motion = [across * angle.cos(), across * angle.sin(), length * z];
        let end = [0, 1, 2].map(|axis| start[axis] + motion[axis]);
        WideBox::spanning(start, end, 1.0 / 128.0)
    };
    (0..count).map(|_| particle()).collect()
}

/// The boxes of the triangles of the mesh.
fn mesh() -> Vec<WideBox> {
    let around = |[a, b, c]: [Point; 3]| WideBox {
        min: [0, 1, 2].map(|axis| a[axis].min(b[axis]).min(c[axis])),
        max: [0, 1, 2].map(|axis| a[axis].max(b[axis]).max(c[axis])),
    };
    meshes::triangles().map(around).collect()
}

/// Particles of a diameter.
fn particles(centres: Vec<Point>, diameter: f64) -> Vec<WideBox> {
    centres.into_iter().map(|centre| WideBox::around(centre, [diameter; 3])).collect()
}

/// Spheres whose diameters spread evenly over four decades, and fill a tenth of a cube; and boxes
/// of the smallest size in it.
fn decades(count: usize, queries: usize) -> (Vec<WideBox>, Vec<WideBox>) {
    let mut random = Random(14);
    let power = -SMALLEST_OF_DECADES.log10();
    let diameters: Vec<f64> = (0..count).map(|_| 10f64.powf(random.real(-power, 0.0))).collect();
    let volume: f64 = diameters.iter().map(|d| PI / 6.0 * d.powi(3)).sum();
    let edge = (volume / 0.1).cbrt();
    let mut boxes = |diameters: &mut dyn Iterator<Item = f64>| {
        diameters.map(|d| WideBox::around(random.point(0.0, edge), [d; 3])).collect()
    };
    let spheres = boxes(&mut diameters.into_iter());
    (spheres, boxes(&mut std::iter::repeat_n(SMALLEST_OF_DECADES, queries)))
}
