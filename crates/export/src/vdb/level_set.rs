//! The signed distance from a closed mesh in a narrow band around it.
//!
//! Each voxel within [`HALF_WIDTH`] of the mesh has its exact distance to the nearest triangle,
//! below 0 inside. Triangles are sorted into the blocks of 8³ voxels that their bands overlap; each
//! block then takes, for each of its voxels, the least distance. The sign is that of the
//! [winding number](super::winding). The velocity of a voxel is that of the surface at the nearest
//! point.
//!
//! Source: C. Ericson, *Real-Time Collision Detection* (2005), 5.1.5, for the nearest point of a
//! triangle. Lengths are in voxels; a voxel's centre has whole coordinates.

use super::winding::{NotClosed, Rows};
use hashfall_core::parallel;
use rayon::slice::ParallelSliceMut;

/// Half the width of the band: OpenVDB's own default, which its tools take for granted.
pub const HALF_WIDTH: f64 = 3.0;
/// Voxels along the edge of a block.
const SIDE: i64 = 8;
/// Blocks are numbered from here, so that their numbers are positive.
const BIAS: i64 = 1 << 20;

/// A block of voxels.
pub struct Block {
    /// Its lowest voxel.
    pub origin: [i64; 3],
    /// The signed distance of each voxel, z fastest; ±[`HALF_WIDTH`] outside the band.
    pub distances: Vec<f32>,
    /// The velocity of each voxel in the band \[m/s\]; none if the mesh has none.
    pub velocities: Vec<[f32; 3]>,
    /// Which voxels are in the band.
    pub mask: [u64; 8],
}

/// Blocks in ascending order of their origins, and which voxels are inside.
pub struct LevelSet {
    pub blocks: Vec<Block>,
    pub rows: Rows,
}

/// The level set of a mesh whose vertices are in voxels.
///
/// # Errors
/// If the mesh is not closed.
pub fn level_set(
    vertices: &[[f64; 3]],
    triangles: &[[u32; 3]],
    velocities: Option<&[[f32; 3]]>,
) -> Result<LevelSet, NotClosed> {
    let rows = Rows::new(vertices, triangles)?;
    let mesh = Mesh { vertices, triangles, velocities };
    let mut pairs = parallel::flat_map(triangles.len(), |number| mesh.blocks(number as u32));
    pairs.par_sort_unstable();
    let groups: Vec<&[(u64, u32)]> = pairs.chunk_by(|a, b| a.0 == b.0).collect();
    let blocks = parallel::filter_map(groups.len(), |k| mesh.block(groups[k], &rows));
    Ok(LevelSet { blocks, rows })
}

#[derive(Clone, Copy)]
struct Mesh<'a> {
    vertices: &'a [[f64; 3]],
    triangles: &'a [[u32; 3]],
    velocities: Option<&'a [[f32; 3]]>,
}

impl Mesh<'_> {
    fn corners(&self, triangle: u32) -> [[f64; 3]; 3] {
        self.triangles[triangle as usize].map(|vertex| self.vertices[vertex as usize])
    }

    /// The blocks that the band of a triangle overlaps, each with the triangle.
    fn blocks(&self, triangle: u32) -> impl Iterator<Item = (u64, u32)> + use<> {
        let [low, high] = voxels_near(&self.corners(triangle));
        let range = |k: usize| low[k].div_euclid(SIDE)..=high[k].div_euclid(SIDE);
        let (all_x, all_y, all_z) = (range(0), range(1), range(2));
        all_x.flat_map(move |x| {
            let all_z = all_z.clone();
            all_y.clone().flat_map(move |y| all_z.clone().map(move |z| (key([x, y, z]), triangle)))
        })
    }

    /// A block of these triangles; none if no voxel is in the band.
    fn block(&self, group: &[(u64, u32)], rows: &Rows) -> Option<Block> {
        let origin = block_of(group[0].0).map(|x| x * SIDE);
        let mut nearest = vec![(HALF_WIDTH * HALF_WIDTH, u32::MAX); 512];
        for &(_, triangle) in group {
            let corners = self.corners(triangle);
            let [low, high] = voxels_near(&corners);
            let bounds = bounds(&corners);
            let within = |k: usize| low[k].max(origin[k])..=high[k].min(origin[k] + SIDE - 1);
            for x in within(0) {
                for y in within(1) {
                    for z in within(2) {
                        let place = &mut nearest[offset([x, y, z])];
                        let voxel = [x, y, z].map(|x| x as f64);
                        if distance2_to_box(voxel, &bounds) >= place.0 {
                            continue;
                        }
                        let point = combine(&corners, nearest_weights(voxel, &corners));
                        let distance2 = length2(minus(voxel, point));
                        if distance2 < place.0 {
                            *place = (distance2, triangle);
                        }
                    }
                }
            }
        }
        let mut mask = [0; 8];
        for (k, _) in nearest.iter().enumerate().filter(|(_, it)| it.1 != u32::MAX) {
            mask[k / 64] |= 1 << (k % 64);
        }
        if mask == [0; 8] {
            return None;
        }
        let distances = nearest.iter().enumerate().map(|(k, (distance2, _))| {
            let distance = distance2.sqrt() as f32;
            if rows.is_inside(voxel(origin, k)) { -distance } else { distance }
        });
        let distances = distances.collect();
        let velocities = self.velocities.map_or_else(Vec::new, |all| {
            let velocity = |(k, &(_, triangle)): (usize, &(f64, u32))| {
                if triangle == u32::MAX {
                    return [0.0; 3];
                }
                let voxel = voxel(origin, k).map(|x| x as f64);
                let weights = nearest_weights(voxel, &self.corners(triangle));
                let ends = self.triangles[triangle as usize].map(|v| all[v as usize]);
                combine(&ends.map(|v| v.map(f64::from)), weights).map(|x| x as f32)
            };
            nearest.iter().enumerate().map(velocity).collect()
        });
        Some(Block { origin, distances, velocities, mask })
    }
}

/// The place of a voxel in its block.
pub fn offset(voxel: [i64; 3]) -> usize {
    let [x, y, z] = voxel.map(|x| x.rem_euclid(SIDE) as usize);
    x << 6 | y << 3 | z
}

/// The voxel at a place of a block.
fn voxel(origin: [i64; 3], offset: usize) -> [i64; 3] {
    let [x, y, z] = [offset >> 6, (offset >> 3) & 7, offset & 7].map(|x| x as i64);
    [origin[0] + x, origin[1] + y, origin[2] + z]
}

/// The number of a block, ascending in x, then y, then z.
fn key(block: [i64; 3]) -> u64 {
    block.iter().fold(0, |key, x| key << 21 | (x + BIAS) as u64)
}

fn block_of(key: u64) -> [i64; 3] {
    [key >> 42, key >> 21, key].map(|part| (part & ((1 << 21) - 1)) as i64 - BIAS)
}

fn bounds(corners: &[[f64; 3]; 3]) -> [[f64; 3]; 2] {
    let [a, b, c] = corners;
    [[0, 1, 2].map(|k| a[k].min(b[k]).min(c[k])), [0, 1, 2].map(|k| a[k].max(b[k]).max(c[k]))]
}

/// The lowest and the highest voxel that may be within the band of a triangle.
fn voxels_near(corners: &[[f64; 3]; 3]) -> [[i64; 3]; 2] {
    let [low, high] = bounds(corners);
    [low.map(|x| (x - HALF_WIDTH).ceil() as i64), high.map(|x| (x + HALF_WIDTH).floor() as i64)]
}

fn distance2_to_box(point: [f64; 3], [low, high]: &[[f64; 3]; 2]) -> f64 {
    let outside = [0, 1, 2].map(|k| (low[k] - point[k]).max(point[k] - high[k]).max(0.0));
    length2(outside)
}

/// The weights of a triangle's corners at its point nearest to another.
pub fn nearest_weights(p: [f64; 3], [a, b, c]: &[[f64; 3]; 3]) -> [f64; 3] {
    let (ab, ac, ap) = (minus(*b, *a), minus(*c, *a), minus(p, *a));
    let (d1, d2) = (dot(ab, ap), dot(ac, ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = minus(p, *b);
    let (d3, d4) = (dot(ab, bp), dot(ac, bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = ratio(d1, d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cp = minus(p, *c);
    let (d5, d6) = (dot(ab, cp), dot(ac, cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = ratio(d2, d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let t = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let sum = va + vb + vc;
    let (v, w) = (ratio(vb, sum), ratio(vc, sum));
    [1.0 - v - w, v, w]
}

/// A part of a whole; 0 where the triangle is a point.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

fn combine(corners: &[[f64; 3]; 3], weights: [f64; 3]) -> [f64; 3] {
    let sum = |k: usize| (0..3).map(|corner| weights[corner] * corners[corner][k]).sum();
    [sum(0), sum(1), sum(2)]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn length2(a: [f64; 3]) -> f64 {
    dot(a, a)
}
