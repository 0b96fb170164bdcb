//! The floor below the domain.

use super::camera::{Camera, Eye, single};
use super::samples::{Material, PackedNormal, Paint, TILE, Tile};
use hashfall_geometry::Aabb;

/// Colour of the floor (sRGB).
const FLOOR: [u8; 3] = [206, 213, 220];
/// Extent of the floor beyond the domain, in diagonals of the domain.
const FLOOR_MARGIN: f32 = 2.0;

/// The floor below a domain, which fades into the background.
pub struct Floor {
    height: f32,
    middle: [f32; 2],
    reach: f32,
}

impl Floor {
    /// The floor a little below a domain, so that what lies on the domain's floor hides it.
    pub fn below(bounds: &Aabb) -> Floor {
        let [low, high] = [bounds.min, bounds.max].map(|corner| single(&corner));
        let diagonal = (high - low).norm();
        let middle = [0.5 * (low.x + high.x), 0.5 * (low.y + high.y)];
        Floor { height: low.z - 2e-3 * diagonal, middle, reach: FLOOR_MARGIN * diagonal }
    }

    /// Draws the floor into an empty tile.
    pub fn draw(&self, camera: &Camera, tile: &mut Tile) {
        let paint = Paint::new(Material::Floor, FLOOR);
        let up = camera.turned(&Eye::z());
        let normal = PackedNormal::new(&up);
        let eye = camera.place(&Eye::zeros());
        let [mx, my] = camera.middle();
        let farthest = (self.middle[0] - eye.x).hypot(self.middle[1] - eye.y) + self.reach;
        let farthest = farthest.hypot(self.height - eye.z);
        for row in 0..TILE {
            let [_, ky] = camera.ray(my - (tile.corner[1] + row) as f32 - 0.5);
            for column in 0..TILE {
                let [_, kx] = camera.ray((tile.corner[0] + column) as f32 + 0.5 - mx);
                // The ray's rise for a metre of depth.
                let rise = kx * up.x + ky * up.y + up.z;
                let depth = (self.height - eye.z) / rise;
                // From below one sees through it.
                if rise < 0.0 && depth > 0.0 && depth < farthest {
                    let at = row * TILE + column;
                    (tile.depth[at], tile.normal[at], tile.paint[at]) = (depth, normal, paint);
                }
            }
        }
    }

    /// How much of the floor there is at a place: 1 below the domain, 0 far from it.
    pub fn fade(&self, place: &Eye) -> f32 {
        let [x, y] = [place.x - self.middle[0], place.y - self.middle[1]];
        let far = (x * x + y * y).sqrt() / self.reach;
        let t = ((1.0 - far) / 0.72).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }
}
