//! The edges of the domain: lines one pixel wide, hidden by nearer objects.

use super::camera::Camera;
use hashfall_core::Vec3;
use hashfall_geometry::Aabb;

/// How wide a line is \[pixels\].
const WIDTH: f32 = 1.2;

/// A line in the picture.
#[derive(Clone, Copy, Debug)]
struct Wire {
    ends: [[f32; 2]; 2],
    inverse_depths: [f32; 2],
}

/// Lines in a picture.
pub struct Wires(Vec<Wire>);

impl Wires {
    /// The twelve edges of a box; those that come too near to the camera are left out.
    pub fn from_box(bounds: &Aabb, camera: &Camera) -> Wires {
        let corner = |k: usize| {
            let at = |axis: usize| {
                if k >> axis & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] }
            };
            Vec3::new(at(0), at(1), at(2))
        };
        let edges = (0..8).flat_map(|k| (0..3).map(move |axis| (k, k | 1 << axis)));
        let wires = edges.filter(|(a, b)| a != b).filter_map(|(a, b)| {
            let ends = [a, b].map(|k| camera.eye(&corner(k)));
            ends.iter().all(|eye| eye.z > camera.nearest()).then(|| Wire {
                ends: ends.map(|eye| camera.pixel(&eye)),
                inverse_depths: ends.map(|eye| 1.0 / eye.z),
            })
        });
        Wires(wires.collect())
    }

    /// Calls `blend(x, y, depth, part)` for each pixel of a block that lines cover a part of.
    pub fn draw(
        &self,
        corner: [usize; 2],
        size: [usize; 2],
        mut blend: impl FnMut(usize, usize, f32, f32),
    ) {
        for wire in &self.0 {
            let [a, b] = wire.ends;
            let along = [b[0] - a[0], b[1] - a[1]];
            let square = along[0] * along[0] + along[1] * along[1];
            let range = |axis: usize| {
                let low = a[axis].min(b[axis]) - WIDTH - corner[axis] as f32;
                let high = a[axis].max(b[axis]) + WIDTH + 1.0 - corner[axis] as f32;
                low.max(0.0) as usize..(high.max(0.0) as usize).min(size[axis])
            };
            for y in range(1) {
                for x in range(0) {
                    let p = [(corner[0] + x) as f32 + 0.5, (corner[1] + y) as f32 + 0.5];
                    let from = [p[0] - a[0], p[1] - a[1]];
                    let t = (from[0] * along[0] + from[1] * along[1]) / square.max(1e-12);
                    let t = t.clamp(0.0, 1.0);
                    let off = [from[0] - t * along[0], from[1] - t * along[1]];
                    let far = (off[0] * off[0] + off[1] * off[1]).sqrt();
                    let part = (0.5 * WIDTH + 0.5 - far).clamp(0.0, 1.0);
                    if part > 0.0 {
                        let [i, j] = wire.inverse_depths;
                        blend(x, y, 1.0 / (i + (j - i) * t), part);
                    }
                }
            }
        }
    }
}
