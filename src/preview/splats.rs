//! Balls as they are: each pixel's ray meets the sphere or passes it.
//!
//! A ray p(z) = o + z k with k = (kx, ky, 1) is looked at where it is as deep as the centre c: with
//! D = p(c_z) − c, which has no depth, it meets the sphere of radius r at c_z + s, where
//! s² k·k + 2 s k·D + D·D − r² = 0. All terms are of the size of the ball, so that single precision
//! suffices however far it is; the textbook's form from the eye loses all figures there.
//!
//! Balls come in order of their nearest point, so that a tile is done as soon as the next cannot
//! reach before its farthest sample: of a body of fluid only the outer layers are looked at.

use super::Ball;
use super::camera::{Camera, Eye};
use super::samples::{Bins, Paint, TILE, Tile};
use rayon::prelude::*;

/// After so many balls it is asked again whether a tile is done.
const BETWEEN_LOOKS: usize = 48;

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
pub struct Splats {
    balls: Vec<EyeBall>,
    bins: Bins,
}

impl Splats {
    /// All balls that the camera may see. Those that are not finite, or too near, are passed over.
    pub fn new(camera: &Camera, balls: &[&[Ball]]) -> Splats {
        let nearest = camera.nearest();
        let mut found = Vec::with_capacity(balls.iter().map(|balls| balls.len()).sum());
        for balls in balls {
            found.par_extend(balls.par_iter().map(|ball| EyeBall {
                centre: camera.eye(&ball.centre),
                radius: ball.radius,
                paint: ball.paint,
            }));
        }
        found.retain(|ball| {
            ball.centre.iter().all(|x| x.is_finite())
                && ball.radius > 0.0
                && ball.nearest() > nearest
        });
        // Depths are positive, so that their bits are in order, too.
        let key = |(i, ball): (usize, &EyeBall)| (ball.nearest().to_bits(), i as u32);
        let mut order: Vec<(u32, u32)> = found.par_iter().enumerate().map(key).collect();
        order.par_sort_unstable();
        let balls: Vec<EyeBall> = order.iter().map(|&(_, i)| found[i as usize]).collect();
        let mut bins = Bins::of(camera);
        for (i, ball) in balls.iter().enumerate() {
            let [low, high] = extent(camera, ball);
            bins.add(i as u32, low, high);
        }
        Splats { balls, bins }
    }

    /// Draws what reaches a tile.
    pub fn draw(&self, camera: &Camera, number: usize, tile: &mut Tile) {
        for (k, &i) in self.bins.list(number).iter().enumerate() {
            let ball = &self.balls[i as usize];
            if k % BETWEEN_LOOKS == 0 && ball.nearest() >= tile.farthest() {
                return;
            }
            draw(camera, ball, tile);
        }
    }
}

/// The box of the picture that a ball covers.
fn extent(camera: &Camera, ball: &EyeBall) -> [[f32; 2]; 2] {
    let (c, r) = (&ball.centre, ball.radius);
    let one = camera.scale_at(1.0);
    // Tangents from the eye in the plane of an axis and the depth; side by side they are parallel.
    let ends = |at: f32| {
        let parallel = camera.scale_at(c.z);
        if camera.ray(0.5)[1] == 0.0 {
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

fn draw(camera: &Camera, ball: &EyeBall, tile: &mut Tile) {
    let [low, high] = extent(camera, ball);
    let columns = tile.clip(0, low[0], high[0] + 1.0);
    let rows = tile.clip(1, low[1], high[1] + 1.0);
    let (c, r) = (&ball.centre, ball.radius);
    let [mx, my] = camera.middle();
    let inverse = 1.0 / r;
    for row in rows {
        let [oy, ky] = camera.ray(my - (tile.corner[1] + row) as f32 - 0.5);
        let dy = oy + ky * c.z - c.y;
        if dy * dy > r * r * (1.0 + ky * ky) {
            continue;
        }
        for column in columns.clone() {
            let [ox, kx] = camera.ray((tile.corner[0] + column) as f32 + 0.5 - mx);
            let dx = ox + kx * c.z - c.x;
            let kk = 1.0 + kx * kx + ky * ky;
            let kd = kx * dx + ky * dy;
            let under = kd * kd - kk * (dx * dx + dy * dy - r * r);
            if under <= 0.0 {
                continue;
            }
            let s = -(kd + under.sqrt()) / kk;
            let depth = c.z + s;
            let at = row * TILE + column;
            if depth < tile.depth[at] {
                let normal = Eye::new(dx + kx * s, dy + ky * s, s) * inverse;
                tile.put(at, depth, &normal, ball.paint);
            }
        }
    }
}
