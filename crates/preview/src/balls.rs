//! Balls as exact spheres: each pixel's ray is intersected with the sphere.
//!
//! A ray p(z) = o + z k with k = (kx, ky, 1) is expanded around the depth of the centre c: with
//! D = p(c_z) − c, which has no depth, it meets the sphere of radius r at c_z + s, where
//! s² k·k + 2 s k·D + D·D − r² = 0. All terms have the size of the ball, so that single precision
//! suffices at any distance; the textbook form from the eye loses all digits there.
//!
//! Balls are sorted by their nearest point. A tile is divided into blocks with a known farthest
//! sample: a ball that begins behind it is skipped, and when that holds for all blocks the tile is
//! done. So only the outer layers of a body of fluid are drawn.

use super::camera::{Camera, Eye};
use super::samples::{Bins, Paint, TILE, Tile};
use super::scene::Ball;
use hashfall_core::parallel;
use rayon::slice::ParallelSliceMut;
use std::ops::Range;

/// Samples along the side of a block, and blocks along that of a tile.
const BLOCK: usize = 16;
const BLOCKS: usize = TILE / BLOCK;
/// Samples per step.
const LANES: usize = 8;
/// The farthest sample of a block is updated after this many balls.
const UPDATE_INTERVAL: u8 = 6;
/// A tile is checked for completion after this many balls.
const END_INTERVAL: usize = 64;

/// A ball before the camera.
#[derive(Clone, Copy, Debug)]
struct EyeBall {
    centre: Eye,
    radius: f32,
    paint: Paint,
}

impl EyeBall {
    fn nearest(&self) -> f32 {
        self.centre.z - self.radius
    }
}

/// Balls before a camera, ready to be drawn.
pub struct BallRenderer {
    balls: Vec<EyeBall>,
    bins: Bins,
}

impl BallRenderer {
    /// All balls that the camera may see. Balls that are not finite, or too near, are skipped.
    pub fn new(camera: &Camera, balls: &[&[Ball]]) -> BallRenderer {
        let nearest = camera.nearest();
        let mut found = Vec::with_capacity(balls.iter().map(|balls| balls.len()).sum());
        for balls in balls {
            found.append(&mut parallel::map(balls.len(), |k| EyeBall {
                centre: camera.eye(&balls[k].centre),
                radius: balls[k].radius,
                paint: balls[k].paint,
            }));
        }
        found.retain(|ball| {
            ball.centre.iter().all(|x| x.is_finite())
                && ball.radius > 0.0
                && ball.nearest() > nearest
        });
        // Depths are positive, so that their bits are in order, too.
        let key = |i: usize| (found[i].nearest().to_bits(), i as u32);
        let mut order = parallel::map(found.len(), key);
        order.par_sort_unstable();
        let balls: Vec<EyeBall> = order.iter().map(|&(_, i)| found[i as usize]).collect();
        let bins = Bins::collect(camera, balls.len(), &|i| Some(extent(camera, &balls[i])));
        BallRenderer { balls, bins }
    }

    /// Draws the objects that cover a tile.
    pub fn draw(&self, camera: &Camera, number: usize, tile: &mut Tile) {
        let mut blocks: [Block; BLOCKS * BLOCKS] =
            std::array::from_fn(|k| Block { farthest: farthest(tile, k), since: 0 });
        for (k, &i) in self.bins.list(number).iter().enumerate() {
            let ball = &self.balls[i as usize];
            let nearest = ball.nearest();
            if k % END_INTERVAL == 0 && blocks.iter().all(|block| block.farthest <= nearest) {
                return;
            }
            let [low, high] = extent(camera, ball);
            let columns = tile.clip(0, low[0], high[0] + 1.0);
            let rows = tile.clip(1, low[1], high[1] + 1.0);
            if columns.is_empty() || rows.is_empty() {
                continue;
            }
            let reached = |range: &Range<usize>| range.start / BLOCK..=(range.end - 1) / BLOCK;
            let mut is_seen = false;
            for row in reached(&rows) {
                for column in reached(&columns) {
                    let number = row * BLOCKS + column;
                    let block = &mut blocks[number];
                    if block.farthest > nearest {
                        is_seen = true;
                        block.since += 1;
                        if block.since == UPDATE_INTERVAL {
                            *block = Block { farthest: farthest(tile, number), since: 0 };
                        }
                    }
                }
            }
            if is_seen {
                draw(camera, ball, tile, rows, columns);
            }
        }
    }
}

/// What is known of a block of a tile.
#[derive(Clone, Copy)]
struct Block {
    /// No sample is deeper.
    farthest: f32,
    /// Balls since it was looked for.
    since: u8,
}

/// The depth of the farthest sample of a block.
fn farthest(tile: &Tile, number: usize) -> f32 {
    let start = number / BLOCKS * BLOCK * TILE + number % BLOCKS * BLOCK;
    let mut most = [0.0_f32; BLOCK];
    for row in 0..BLOCK {
        let samples = &tile.depth[start + row * TILE..][..BLOCK];
        for (most, &depth) in most.iter_mut().zip(samples) {
            *most = if depth > *most { depth } else { *most };
        }
    }
    most.into_iter().fold(0.0, f32::max)
}

/// The box of the picture that a ball covers.
fn extent(camera: &Camera, ball: &EyeBall) -> [[f32; 2]; 2] {
    let (c, r) = (&ball.centre, ball.radius);
    let one = camera.scale_at(1.0);
    // Tangents from the eye in the plane of an axis and the depth; side by side they are parallel.
    let ends = |at: f32| {
        let parallel = camera.scale_at(c.z);
        if camera.is_parallel() {
            return [(at - r) * parallel, (at + r) * parallel];
        }
        let root = r * (at * at + c.z * c.z - r * r).max(0.0).sqrt();
        let below = c.z * c.z - r * r;
        [(at * c.z - root) / below * one, (at * c.z + root) / below * one]
    };
    let [mx, my] = camera.middle();
    let ([left, right], [low, high]) = (ends(c.x), ends(c.y));
    [[mx + left, my - high], [mx + right, my - low]]
}

/// Draws a ball into the rows and columns of a tile that it may cover.
fn draw(
    camera: &Camera,
    ball: &EyeBall,
    tile: &mut Tile,
    rows: Range<usize>,
    columns: Range<usize>,
) {
    let (c, r) = (&ball.centre, ball.radius);
    let [mx, my] = camera.middle();
    let inverse = 1.0 / r;
    for row in rows {
        let [oy, ky] = camera.ray(my - (tile.corner[1] + row) as f32 - 0.5);
        let dy = oy + ky * c.z - c.y;
        if dy * dy > r * r * (1.0 + ky * ky) {
            continue;
        }
        // Eight at a time, so that the compiler takes several in a step.
        for first in columns.clone().step_by(LANES) {
            let middle = (tile.corner[0] + first) as f32 + 0.5 - mx;
            let (mut unders, mut steps) = ([0.0_f32; LANES], [0.0_f32; LANES]);
            for lane in 0..LANES {
                let [ox, kx] = camera.ray(middle + lane as f32);
                let dx = ox + kx * c.z - c.x;
                let kk = 1.0 + kx * kx + ky * ky;
                let kd = kx * dx + ky * dy;
                unders[lane] = kd * kd - kk * (dx * dx + dy * dy - r * r);
                steps[lane] = -(kd + unders[lane].max(0.0).sqrt()) / kk;
            }
            for (lane, column) in (first..columns.end.min(first + LANES)).enumerate() {
                let (at, s) = (row * TILE + column, steps[lane]);
                if unders[lane] > 0.0 && c.z + s < tile.depth[at] {
                    let [ox, kx] = camera.ray(middle + lane as f32);
                    let dx = ox + kx * (c.z + s) - c.x;
                    let normal = Eye::new(dx, dy + ky * s, s) * inverse;
                    tile.put(at, c.z + s, &normal, ball.paint);
                }
            }
        }
    }
}
