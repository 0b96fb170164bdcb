//! Ambient occlusion: the share of the sky that a pixel sees. It is dark in crevices, at contacts,
//! and between drops.
//!
//! Source: McGuire et al. 2011 (the estimator of "Alchemy" ambient obscurance): visible points
//! around a pixel hide the part of its sky that they rise into, near ones more. The taps lie on a
//! spiral that is rotated from pixel to pixel by a 4 × 4 pattern, and the results are averaged over
//! such a pattern, among pixels of similar depth.

use super::camera::{Camera, Eye};
use hashfall_core::parallel::fill_pieces;

/// Taps of a pixel.
const TAPS: usize = 12;
/// Turns of the spiral: no two taps lie in one direction.
const TURNS: f32 = 5.0;
/// Pixels of a side of the pattern.
const PATTERN: usize = 4;
/// Taps reach no farther than this \[pixels\], and no less.
const REACHES: [f32; 2] = [3.0, 60.0];

/// Depth and normal of each pixel, from which occlusion follows.
pub struct AmbientOcclusion<'a> {
    /// The camera of the picture.
    pub camera: &'a Camera,
    /// Depths, row by row \[m\]; infinite where there is nothing.
    pub depth: &'a [f32],
    /// Unit normals in eye space; zero where the sky is not asked for.
    pub normal: &'a [Eye],
    /// Radius of occlusion \[m\].
    pub reach: f32,
}

impl AmbientOcclusion<'_> {
    /// The share of the sky that each pixel sees.
    pub fn sky_visibility(&self) -> Vec<f32> {
        let [width, _] = self.camera.size.map(|side| side as usize);
        let spirals: Vec<[[f32; 2]; TAPS]> = (0..PATTERN * PATTERN).map(spiral).collect();
        let mut raw = vec![1.0_f32; self.depth.len()];
        let mut rows: Vec<&mut [f32]> = raw.chunks_mut(width).collect();
        fill_pieces(&mut rows, &|y, row| {
            for (x, open) in row.iter_mut().enumerate() {
                *open = self.tapped(x, y, &spirals[(y % PATTERN) * PATTERN + x % PATTERN]);
            }
        });
        let mut smooth = vec![1.0_f32; raw.len()];
        let mut rows: Vec<&mut [f32]> = smooth.chunks_mut(width).collect();
        fill_pieces(&mut rows, &|y, row| {
            for (x, open) in row.iter_mut().enumerate() {
                *open = self.averaged(&raw, x, y);
            }
        });
        smooth
    }

    /// The place that a pixel sees, in eye space.
    fn place(&self, x: usize, y: usize, depth: f32) -> Eye {
        let [mx, my] = self.camera.middle();
        let ([ox, kx], [oy, ky]) =
            (self.camera.ray(x as f32 + 0.5 - mx), self.camera.ray(my - y as f32 - 0.5));
        Eye::new(ox + kx * depth, oy + ky * depth, depth)
    }

    fn tapped(&self, x: usize, y: usize, spiral: &[[f32; 2]; TAPS]) -> f32 {
        let [width, height] = self.camera.size.map(|side| side as usize);
        let depth = self.depth[y * width + x];
        let normal = &self.normal[y * width + x];
        if depth == f32::INFINITY || *normal == Eye::zeros() {
            return 1.0;
        }
        let place = self.place(x, y, depth);
        let pixels = self.reach * self.camera.scale_at(depth);
        let pixels = pixels.clamp(REACHES[0], REACHES[1]);
        let reach = pixels / self.camera.scale_at(depth);
        let mut hidden = 0.0;
        for [dx, dy] in spiral {
            let (tx, ty) = (x as f32 + 0.5 + dx * pixels, y as f32 + 0.5 + dy * pixels);
            if tx < 0.0 || ty < 0.0 || tx >= width as f32 || ty >= height as f32 {
                continue;
            }
            let (tx, ty) = (tx as usize, ty as usize);
            let there = self.depth[ty * width + tx];
            if there == f32::INFINITY {
                continue;
            }
            let to = self.place(tx, ty, there) - place;
            let square = to.norm_squared();
            let fade = (1.0 - square / (reach * reach)).max(0.0);
            let rise = to.dot(normal) - 0.01 * reach;
            hidden += fade * rise.max(0.0) / (square + 1e-4 * reach * reach).sqrt();
        }
        (1.0 - 1.6 * hidden / TAPS as f32).max(0.0)
    }

    /// The mean over the square of a pattern, of pixels about as deep.
    fn averaged(&self, raw: &[f32], x: usize, y: usize) -> f32 {
        let [width, height] = self.camera.size.map(|side| side as usize);
        let depth = self.depth[y * width + x];
        if depth == f32::INFINITY || self.normal[y * width + x] == Eye::zeros() {
            return 1.0;
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for v in y.saturating_sub(1)..(y + 3).min(height) {
            for u in x.saturating_sub(1)..(x + 3).min(width) {
                let at = v * width + u;
                if (self.depth[at] - depth).abs() < 0.5 * self.reach {
                    sum += raw[at];
                    count += 1.0;
                }
            }
        }
        if count > 0.0 { sum / count } else { raw[y * width + x] }
    }
}

/// The taps of one of the pixels of the pattern, in units of the reach.
fn spiral(pixel: usize) -> [[f32; 2]; TAPS] {
    // Neighbours get turns that are far from one another.
    let turn = (pixel * 7 % (PATTERN * PATTERN)) as f32 / (PATTERN * PATTERN) as f32;
    std::array::from_fn(|k| {
        let far = (k as f32 + 0.5) / TAPS as f32;
        let angle = std::f32::consts::TAU * (far * TURNS + turn);
        [far * angle.cos(), far * angle.sin()]
    })
}
