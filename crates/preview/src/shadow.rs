//! The share of the key light that reaches a point.
//!
//! Source: Williams 1978 (shadow maps) and Reeves et al. 1987 (percentage closer filtering): the
//! scene is drawn once more from the light, and a point is lit by the share of the surrounding map
//! that is not nearer to the light. The filter is a square whose edges fade, so that shadows have
//! soft borders without steps.

use super::camera::{Camera, Eye, ViewDirection};
use super::rasterize::rasterize;
use super::samples::TILE;
use super::scene::Scene;

/// Side of the map \[texels\].
const SIDE: usize = 512;
/// Half the side of the filter \[texels\].
const REACH: f32 = 1.5;
/// How far a place is lifted off its surface before it is looked up \[texels\].
const LIFT: f32 = 2.0;

/// Depths as the light sees them.
pub struct Shadow {
    camera: Camera,
    /// Row by row \[m\].
    depth: Vec<f32>,
    /// The side of a texel \[m\].
    texel: f32,
}

impl Shadow {
    /// Draws the scene from the light.
    pub fn new(scene: &Scene, from: ViewDirection) -> Shadow {
        let camera = Camera::parallel(&scene.bounds, from, SIDE as u32);
        let tiles = rasterize(scene, &camera, None);
        let mut depth = vec![f32::INFINITY; SIDE * SIDE];
        for tile in &tiles {
            for (row, samples) in tile.depth.chunks_exact(TILE).enumerate() {
                let start = (tile.corner[1] + row) * SIDE + tile.corner[0];
                depth[start..start + TILE].copy_from_slice(samples);
            }
        }
        let texel = 1.0 / camera.scale_at(1.0);
        Shadow { camera, depth, texel }
    }

    /// The part of the light that reaches a place with this normal, both in space.
    pub fn lit(&self, place: &Eye, normal: &Eye) -> f32 {
        let lifted = place + normal * (LIFT * self.texel);
        #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
        let eye = self.camera.eye(&lifted.map(|x| x as hashfall_core::Real));
        let [x, y] = self.camera.pixel(&eye);
        let limit = SIDE as f32;
        // Outside the map nothing is in the way; nor of what is no place.
        let reaches = |at: f32| at > REACH + 1.0 && at < limit - REACH - 1.0;
        if !(reaches(x) && reaches(y)) {
            return 1.0;
        }
        let ([left, columns], [top, rows]) = (span(x), span(y));
        let (left, top) = (left as usize, top as usize);
        const WIDTH: usize = (2.0 * REACH) as usize + 1;
        let weight = |k: usize, fraction: f32| match k {
            0 => 1.0 - fraction,
            _ if k == WIDTH - 1 => fraction,
            _ => 1.0,
        };
        let mut lit = 0.0;
        for j in 0..WIDTH {
            let texels = &self.depth[(top + j) * SIDE + left..][..WIDTH];
            let of_row: f32 = texels
                .iter()
                .enumerate()
                .map(|(k, &depth)| if depth >= eye.z { weight(k, columns) } else { 0.0 })
                .sum();
            lit += of_row * weight(j, rows);
        }
        lit / (2.0 * REACH * 2.0 * REACH)
    }
}

/// The first texel that a filter about a place touches, and the part of it that it leaves out.
fn span(at: f32) -> [f32; 2] {
    let low = at - REACH;
    [low.floor(), low - low.floor()]
}
