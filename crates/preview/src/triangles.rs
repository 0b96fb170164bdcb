//! Triangles: each sample belongs to exactly one of the triangles that share its position.
//!
//! Source: Pineda 1988 (edge functions) and the top-left rule of Direct3D and OpenGL. Corners are
//! rounded to a 256th of a sample, and edge functions are integers: a sample on a shared edge is
//! inside one triangle and outside the other, whatever the rounding. Normals and colours are
//! interpolated in space, not in the picture: divided by the depth.
//!
//! Back faces are culled: on a closed surface other triangles hide them, and the inside of a vessel
//! is visible through its near wall.

use super::camera::{Camera, Eye};
use super::samples::{Bins, Material, Paint, TILE, Tile};
use super::scene::RenderMesh;
use hashfall_core::parallel;

/// Parts of a sample that corners are rounded to.
pub const PARTS: i64 = 256;
/// Corners farther off than this are not drawn \[samples\]: products of places must be exact.
const FARTHEST: f32 = 1.0e6;

/// A corner before the camera.
#[derive(Clone, Copy, Debug)]
struct Corner {
    /// In 256ths of a sample; none if it is too near or too far off.
    place: Option<[i32; 2]>,
    inverse_depth: f32,
    normal: Eye,
    colour: [u8; 3],
}

/// Triangles before a camera, ready to be drawn.
pub struct Triangles {
    corners: Vec<Corner>,
    triangles: Vec<([u32; 3], Material)>,
    bins: Bins,
    is_parallel: bool,
}

impl Triangles {
    /// All triangles that the camera may see. Triangles with a corner that is not finite, or too
    /// near, are skipped.
    pub fn new(camera: &Camera, meshes: &[&RenderMesh]) -> Triangles {
        let count = meshes.iter().map(|mesh| mesh.positions.len()).sum();
        let mut corners: Vec<Corner> = Vec::with_capacity(count);
        let mut triangles = Vec::new();
        for mesh in meshes {
            let first = corners.len() as u32;
            corners.append(&mut parallel::map(mesh.positions.len(), |i| {
                let eye = camera.eye(&mesh.positions[i]);
                Corner {
                    place: place(camera, &eye),
                    inverse_depth: 1.0 / eye.z,
                    normal: camera.turned(&mesh.normals[i]),
                    colour: mesh.colours[i],
                }
            }));
            let is_seen = |t: &[u32; 3]| {
                let places = t.map(|v| corners.get((first + v) as usize).and_then(|c| c.place));
                let [Some(a), Some(b), Some(c)] = places else { return false };
                edge(a, b, c) > 0 && may_cover([a, b, c])
            };
            let seen = |k: usize| Some(mesh.triangles[k]).filter(is_seen);
            parallel::extend(&mut triangles, mesh.triangles.len(), |k| {
                seen(k).map(|t| (t.map(|v| first + v), mesh.material))
            });
        }
        let bins = Bins::collect(camera, triangles.len(), &|i| {
            let (t, _) = triangles[i];
            Some(bounds(t.map(|v| corners[v as usize].place.unwrap_or_default())))
        });
        let is_parallel = camera.is_parallel();
        Triangles { corners, triangles, bins, is_parallel }
    }

    /// Draws the objects that cover a tile.
    pub fn draw(&self, number: usize, tile: &mut Tile) {
        for &i in self.bins.list(number) {
            let (t, material) = self.triangles[i as usize];
            let corners = t.map(|v| &self.corners[v as usize]);
            if let [Some(a), Some(b), Some(c)] = corners.map(|corner| corner.place) {
                cover([a, b, c], tile.corner, |at, parts| {
                    self.put(corners, material, tile, at, parts);
                });
            }
        }
    }

    /// Puts the point of a triangle at a sample, which has these parts of its corners.
    #[inline]
    fn put(
        &self,
        corners: [&Corner; 3],
        material: Material,
        tile: &mut Tile,
        at: usize,
        parts: [f32; 3],
    ) {
        let weights: [f32; 3] = if self.is_parallel {
            parts
        } else {
            std::array::from_fn(|k| parts[k] * corners[k].inverse_depth)
        };
        let sum = weights[0] + weights[1] + weights[2];
        let depth = if self.is_parallel {
            parts.iter().zip(corners).map(|(part, corner)| part / corner.inverse_depth).sum()
        } else {
            1.0 / sum
        };
        // `put` asks again; here it saves the interpolation.
        if depth < tile.depth[at] {
            let normal = corners[0].normal * weights[0]
                + corners[1].normal * weights[1]
                + corners[2].normal * weights[2];
            let colour = std::array::from_fn(|channel| {
                let of = |k: usize| weights[k] * f32::from(corners[k].colour[channel]);
                ((of(0) + of(1) + of(2)) / sum + 0.5) as u8
            });
            let normal = normal / normal.norm().max(f32::MIN_POSITIVE);
            tile.put(at, depth, &normal, Paint::new(material, colour));
        }
    }
}

/// Where a corner is, if it can be drawn.
pub fn place(camera: &Camera, eye: &Eye) -> Option<[i32; 2]> {
    let pixel = camera.pixel(eye);
    let is_drawn = eye.z > camera.nearest() && pixel.iter().all(|x| x.abs() < FARTHEST);
    is_drawn.then(|| pixel.map(|x| floor(x * PARTS as f32 + 0.5)))
}

/// The largest integer that is not above x, without a call on CPUs that have no instruction for it.
fn floor(x: f32) -> i32 {
    let cut = x as i32;
    cut - i32::from(cut as f32 > x)
}

/// The lowest and the highest place of some corners \[samples\].
pub fn bounds(corners: [[i32; 2]; 3]) -> [[f32; 2]; 2] {
    let [low, high] = extent(corners);
    [low, high].map(|place| place.map(|x| x as f32 / PARTS as f32))
}

/// Whether a sample lies between the lowest and the highest corner: often none is in a small one.
pub fn may_cover(corners: [[i32; 2]; 3]) -> bool {
    let [low, high] = extent(corners);
    (0..2).all(|axis| {
        let [first, last] = middles(low[axis], high[axis]);
        first <= last
    })
}

/// The lowest and the highest place of some corners.
fn extent(corners: [[i32; 2]; 3]) -> [[i32; 2]; 2] {
    let pick = |pick: fn(i32, i32) -> i32| {
        [0, 1].map(|axis| pick(pick(corners[0][axis], corners[1][axis]), corners[2][axis]))
    };
    [pick(i32::min), pick(i32::max)]
}

/// The first and the last sample whose middle is not before the one place and not after the other.
fn middles(low: i32, high: i32) -> [i64; 2] {
    let middle = PARTS / 2;
    [
        (i64::from(low) - middle + PARTS - 1).div_euclid(PARTS),
        (i64::from(high) - middle).div_euclid(PARTS),
    ]
}

/// Twice the area of a triangle; positive if it turns from x (right) against y (down), as a
/// counter-clockwise triangle seen from its outside does.
pub fn edge(a: [i32; 2], b: [i32; 2], c: [i32; 2]) -> i64 {
    let [ax, ay] = a.map(i64::from);
    let [bx, by] = b.map(i64::from);
    let [cx, cy] = c.map(i64::from);
    (cx - ax) * (by - ay) - (cy - ay) * (bx - ax)
}

/// Calls `put` for each sample of the tile at a corner that a triangle covers, with the parts of
/// its corners.
#[inline]
pub fn cover(corners: [[i32; 2]; 3], tile: [usize; 2], mut put: impl FnMut(usize, [f32; 3])) {
    let [a, b, c] = corners;
    let area = edge(a, b, c);
    if area <= 0 {
        return;
    }
    let middle = PARTS / 2;
    let [low, high] = extent(corners);
    let range = |axis: usize| {
        let corner = tile[axis] as i64;
        let [first, last] = middles(low[axis], high[axis]).map(|sample| sample - corner);
        first.clamp(0, TILE as i64)..(last + 1).clamp(0, TILE as i64)
    };
    let (rows, columns) = (range(1), range(0));
    if rows.is_empty() || columns.is_empty() {
        return;
    }
    let sample = |column: i64, row: i64| {
        [
            ((tile[0] as i64 + column) * PARTS + middle) as i32,
            ((tile[1] as i64 + row) * PARTS + middle) as i32,
        ]
    };
    let start = sample(columns.start, rows.start);
    // The edge opposite of each corner: its value, how that grows, and whether its own samples
    // belong to it.
    let edges = [(b, c), (c, a), (a, b)].map(|(from, to)| {
        let (dx, dy) =
            (i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1]));
        let is_top_or_left = dy > 0 || dy == 0 && dx < 0;
        let bias = if is_top_or_left { 0 } else { -1 };
        (edge(from, to, start) + bias, dy * PARTS, -dx * PARTS, bias)
    });
    let scale = 1.0 / area as f32;
    let mut first = edges.map(|(value, ..)| value);
    for row in rows {
        let mut values = first;
        for column in columns.clone() {
            if values[0] | values[1] | values[2] >= 0 {
                let parts = std::array::from_fn(|k| (values[k] - edges[k].3) as f32 * scale);
                put(row as usize * TILE + column as usize, parts);
            }
            (0..3).for_each(|k| values[k] += edges[k].1);
        }
        (0..3).for_each(|k| first[k] += edges[k].2);
    }
}
