//! Junction cells in the mesh: their points and triangles follow those of all other cells.
//!
//! A face point is shared by two cells, which identify it by the lower one of them. It is the mean
//! of the vertices on the face's edges. With air in the face, it lies on the line between fluid and
//! air there, so that the outer surface hardly differs from that of a single fluid.

use crate::field::blocks::{Blocks, UpperBlocks, tile_point};
use crate::field::grid::{Grid, TILE};
use crate::marching::cases::{EDGES, edge_between, face_corners};
use crate::marching::complex::Complex;
use crate::marching::crossings::{Patches, VertexNumbers};
use crate::marching::patterns::{FACE, JunctionPattern, NODES, Weights};
use crate::phases::label::{AIR, Junction, Label, Sides};
use hashfall_core::cell::cell_of_key;
use hashfall_core::{Real, Vec3, parallel};

/// How far a face point keeps away from the ends of the line between fluid and air, in its lengths.
const LINE_MARGIN: Real = 1.0 / 16.0;

/// A face with a point: the cell that has it as its lower face along an axis, in steps.
type FaceKey = ([i64; 3], usize);

/// A junction's surfaces and where they are.
struct PlacedJunction<'a> {
    junction: &'a Junction,
    pattern: &'a JunctionPattern,
    /// The vertices on the edges; of others, any number.
    edges: [u32; 12],
    /// The keys of the faces with points.
    faces: Vec<FaceKey>,
}

/// The patterns of all labels that junctions have: many have the same.
struct KnownPatterns {
    /// Sorted.
    corners: Vec<[Label; 8]>,
    patterns: Vec<JunctionPattern>,
}

impl KnownPatterns {
    fn new(patches: &[Patches]) -> Self {
        let junctions = patches.iter().flat_map(|patches| &patches.junctions);
        let mut corners: Vec<[Label; 8]> = junctions.map(|junction| junction.corners).collect();
        corners.sort_unstable();
        corners.dedup();
        let patterns = parallel::map(corners.len(), |k| JunctionPattern::new(&corners[k]));
        KnownPatterns { corners, patterns }
    }

    fn get(&self, corners: &[Label; 8]) -> &JunctionPattern {
        &self.patterns[self.corners.partition_point(|other| other < corners)]
    }
}

/// Adds the junctions of all chunks to a complex of all other cells.
pub(crate) fn add(complex: &mut Complex, grid: &Grid, blocks: &Blocks, patches: &[Patches]) {
    let known = KnownPatterns::new(patches);
    let placed =
        parallel::map_pieces(patches.len(), &|chunk| place(grid, blocks, patches, chunk, &known));
    let placed: Vec<PlacedJunction> = placed.into_iter().flatten().collect();
    let mut faces: Vec<(FaceKey, usize, usize)> = Vec::new();
    for (i, junction) in placed.iter().enumerate() {
        let of_one = junction.faces.iter().zip(&junction.pattern.faces);
        faces.extend(of_one.map(|(&key, &face)| (key, i, face)));
    }
    faces.sort_unstable();
    faces.dedup_by_key(|face| face.0);
    let first = complex.positions.len() as u32;
    // Both cells would place it alike but for rounding: the first does.
    let points: Vec<Vec3> =
        faces.iter().map(|&(_, i, face)| placed[i].face_point(face, &complex.positions)).collect();
    complex.positions.extend(points);
    for junction in &placed {
        let number =
            |key: &FaceKey| first + faces.partition_point(|(other, ..)| other < key) as u32;
        junction.add_to(complex, number);
    }
}

/// The junctions of a chunk of blocks.
fn place<'a>(
    grid: &Grid,
    blocks: &Blocks,
    patches: &'a [Patches],
    chunk: usize,
    known: &'a KnownPatterns,
) -> Vec<PlacedJunction<'a>> {
    let mut upper = UpperBlocks::default();
    let of_junction = |junction: &'a Junction| {
        let patch = &patches[chunk].all[junction.patch as usize];
        let tile = grid.tile_at(patch.tile as usize);
        upper.update(&blocks.keys, junction.block);
        let numbers = VertexNumbers::new(blocks, patches, patch, upper.tiles(grid, tile));
        let cell = tile_point(usize::from(junction.cell));
        let pattern = known.get(&junction.corners);
        let block = cell_of_key(junction.block);
        let at = |a: usize| {
            let tiles = i64::from(block[a]) * grid.tiles as i64 + tile[a] as i64;
            tiles * TILE as i64 + cell[a] as i64
        };
        let key = |&face: &usize| {
            let (axis, side) = (face / 2, face % 2);
            let mut key = [0, 1, 2].map(at);
            key[axis] += side as i64;
            (key, axis)
        };
        let faces = pattern.faces.iter().map(key).collect();
        let edges = std::array::from_fn(|e| numbers.on_edge(cell, EDGES[e]));
        PlacedJunction { junction, pattern, edges, faces }
    };
    patches[chunk].junctions.iter().map(of_junction).collect()
}

impl PlacedJunction<'_> {
    /// Where the point in a face is.
    fn face_point(&self, face: usize, positions: &[Vec3]) -> Vec3 {
        let corners = face_corners(face / 2, face % 2);
        let label = |k: usize| self.junction.corners[corners[k % 4]];
        let mut to_air = Vec::new();
        let mut between = Vec::new();
        for k in (0..4).filter(|&k| label(k) != label(k + 1)) {
            let edge = edge_between(corners[k], corners[(k + 1) % 4]);
            let vertex = positions[self.edges[edge] as usize];
            let is_to_air = label(k) == AIR || label(k + 1) == AIR;
            if is_to_air { to_air.push(vertex) } else { between.push(vertex) }
        }
        let mean = |all: &[Vec3]| all.iter().sum::<Vec3>() / all.len() as Real;
        let [start, end] = to_air[..] else { return mean(&between) };
        let line = end - start;
        let along = (mean(&between) - start).dot(&line) / line.norm_squared();
        start + line * along.clamp(LINE_MARGIN, 1.0 - LINE_MARGIN)
    }

    /// Adds points and triangles, given the numbers of face points.
    fn add_to(&self, complex: &mut Complex, number: impl Fn(&FaceKey) -> u32) {
        let mut nodes = [0; NODES];
        nodes[..FACE].copy_from_slice(&self.edges);
        for (&face, key) in self.pattern.faces.iter().zip(&self.faces) {
            nodes[FACE + face] = number(key);
        }
        let first = complex.positions.len() as u32;
        for weights in &self.pattern.inner {
            let point = weighted(weights, &nodes, &complex.positions);
            complex.positions.push(point);
        }
        for &(places, sides) in &self.pattern.triangles {
            complex.triangles.push(places.map(|place| match place.checked_sub(NODES) {
                Some(inner) => first + inner as u32,
                None => nodes[place],
            }));
            complex.sides.push(sides);
        }
    }
}

/// The weighted mean of nodes.
fn weighted(weights: &Weights, nodes: &[u32; NODES], positions: &[Vec3]) -> Vec3 {
    let weighed = weights.iter().zip(nodes).filter(|(weight, _)| **weight > 0.0);
    let mut weighed = weighed.map(|(&weight, &node)| (weight, positions[node as usize]));
    let Some((_, origin)) = weighed.clone().next() else { return Vec3::zeros() };
    // Relative to one of them, as weights add up to one but for rounding.
    let offset = |sum: Vec3, (weight, at): (f32, Vec3)| sum + (at - origin) * Real::from(weight);
    origin + weighed.by_ref().fold(Vec3::zeros(), offset)
}

/// The labels that each triangle separates, of all cells but junctions.
pub(crate) fn sides_of_others(patches: &[Patches]) -> Vec<Sides> {
    patches.iter().flat_map(Patches::sides).collect()
}
