//! Samples: the nearest object behind each point of a picture.
//!
//! A picture is divided into tiles. Each tile is drawn separately, from a list of the objects that
//! may cover it, so the result is the same bytes for any number of threads. A sample stores depth,
//! normal and colour of the nearest object; of two at the same depth, the first in the list.

use super::camera::{Camera, Eye};
use hashfall_core::parallel::{fill_pieces, map_pieces};

/// Samples along the side of a pixel.
pub const SAMPLES: u32 = 2;

/// Samples along the side of a tile.
pub const TILE: usize = 64;

/// The material of a sample, which decides its shading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// No object: the background.
    Background,
    /// The floor below the domain.
    Floor,
    /// A solid: matte.
    Solid,
    /// Fluid as particles: slightly glossy.
    Particles,
    /// Fluid as a surface: glossy, and brighter at grazing angles.
    Surface,
    /// Clear fluid: what is behind it shows, tinted by how thick it is.
    Water,
}

/// A colour and its material, in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint(u32);

impl Paint {
    /// No paint.
    pub const NONE: Paint = Paint(0);

    /// A colour (sRGB) of a material.
    pub fn new(material: Material, [r, g, b]: [u8; 3]) -> Paint {
        Paint(u32::from_le_bytes([r, g, b, material as u8]))
    }

    /// The colour (sRGB).
    pub fn colour(self) -> [u8; 3] {
        let [r, g, b, _] = self.0.to_le_bytes();
        [r, g, b]
    }

    /// The material.
    pub fn material(self) -> Material {
        match self.0.to_le_bytes()[3] {
            0 => Material::Background,
            1 => Material::Floor,
            2 => Material::Solid,
            3 => Material::Particles,
            4 => Material::Surface,
            _ => Material::Water,
        }
    }
}

/// A unit vector in ten bits for each component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedNormal(u32);

/// The largest number of ten bits, less its sign.
const TEN_BITS: f32 = 511.0;

impl PackedNormal {
    /// Packs a vector whose components are from −1 to 1; NaN becomes 0.
    pub fn new(n: &Eye) -> PackedNormal {
        let ten = |x: f32| (x * TEN_BITS + 512.5) as u32 & 1023;
        PackedNormal(ten(n.x) | ten(n.y) << 10 | ten(n.z) << 20)
    }

    /// The unit vector; up to rounding.
    pub fn vector(self) -> Eye {
        let part = |shift: u32| (self.0 >> shift & 1023) as f32 - 512.0;
        let v = Eye::new(part(0), part(10), part(20));
        v / v.norm().max(1.0)
    }
}

/// A tile of samples, row by row; those outside the picture are not shown.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Its first sample in the picture.
    pub corner: [usize; 2],
    /// Depths \[m\]; infinite where there is nothing.
    pub depth: Vec<f32>,
    /// Normals in eye space.
    pub normal: Vec<PackedNormal>,
    /// Paints.
    pub paint: Vec<Paint>,
}

impl Tile {
    /// An empty tile.
    pub fn empty(corner: [usize; 2]) -> Tile {
        Tile {
            corner,
            depth: vec![f32::INFINITY; TILE * TILE],
            normal: vec![PackedNormal(0); TILE * TILE],
            paint: vec![Paint::NONE; TILE * TILE],
        }
    }

    /// Writes a sample, unless a nearer one is there.
    #[inline]
    pub fn put(&mut self, at: usize, depth: f32, normal: &Eye, paint: Paint) {
        if depth < self.depth[at] {
            self.depth[at] = depth;
            self.normal[at] = PackedNormal::new(normal);
            self.paint[at] = paint;
        }
    }

    /// The part of the rows or columns `from..to` of the picture that lies in this tile, counted
    /// from its corner.
    pub fn clip(&self, axis: usize, from: f32, to: f32) -> std::ops::Range<usize> {
        let corner = self.corner[axis] as f32;
        // Casts of floats stop at the ends of the range, and NaN becomes 0.
        let from = (from - corner).max(0.0) as usize;
        let to = (to - corner).clamp(0.0, TILE as f32) as usize;
        from.min(to)..to
    }
}

/// Objects that one task puts into lists.
const PART: usize = 1 << 15;

/// Indices of the objects that may cover each tile, ascending.
#[derive(Clone, Debug)]
pub struct Bins {
    across: usize,
    lists: Vec<Vec<u32>>,
}

impl Bins {
    /// Empty lists for the tiles of a picture.
    pub fn new(camera: &Camera) -> Bins {
        let [across, down] = camera.size.map(|side| (side as usize).div_ceil(TILE));
        Bins { across, lists: vec![Vec::new(); across * down] }
    }

    /// The lists of `count` objects, each of which reaches from one place of the picture to another
    /// \[samples\], or is not seen.
    pub fn collect(
        camera: &Camera,
        count: usize,
        bounds: &(dyn Fn(usize) -> Option<[[f32; 2]; 2]> + Sync),
    ) -> Bins {
        let part = |k: usize| {
            let mut bins = Bins::new(camera);
            for index in PART * k..count.min(PART * (k + 1)) {
                if let Some([low, high]) = bounds(index) {
                    bins.add(index as u32, low, high);
                }
            }
            bins
        };
        let parts = map_pieces(count.div_ceil(PART), &part);
        let mut whole = Bins::new(camera);
        fill_pieces(&mut whole.lists, &|tile, list| {
            list.reserve_exact(parts.iter().map(|part| part.lists[tile].len()).sum());
            parts.iter().for_each(|part| list.extend_from_slice(&part.lists[tile]));
        });
        whole
    }

    /// Adds what reaches from one place of the picture to another \[samples\]; nothing if that is
    /// not a number.
    pub fn add(&mut self, index: u32, low: [f32; 2], high: [f32; 2]) {
        let down = self.lists.len() / self.across;
        let sides = [self.across, down].map(|tiles| (tiles * TILE) as f32);
        let is_seen = (0..2).all(|a| high[a] >= 0.0 && low[a] < sides[a] && low[a] <= high[a]);
        if !is_seen {
            return;
        }
        let tile = |at: f32, tiles: usize| ((at.max(0.0) as usize) / TILE).min(tiles - 1);
        for row in tile(low[1], down)..=tile(high[1], down) {
            for column in tile(low[0], self.across)..=tile(high[0], self.across) {
                self.lists[row * self.across + column].push(index);
            }
        }
    }

    /// How many tiles there are.
    pub fn tiles(&self) -> usize {
        self.lists.len()
    }

    /// The first sample of a tile.
    pub fn corner(&self, tile: usize) -> [usize; 2] {
        [tile % self.across * TILE, tile / self.across * TILE]
    }

    /// The objects that may cover a tile.
    pub fn list(&self, tile: usize) -> &[u32] {
        &self.lists[tile]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paints_and_normals_come_back_from_their_bytes() {
        for material in [
            Material::Background,
            Material::Floor,
            Material::Solid,
            Material::Particles,
            Material::Surface,
            Material::Water,
        ] {
            let paint = Paint::new(material, [1, 254, 37]);
            assert_eq!((paint.material(), paint.colour()), (material, [1, 254, 37]));
        }
        for n in [[0.0, 0.0, -1.0], [0.6, -0.8, 0.0], [-0.48, 0.6, 0.64]] {
            let n = Eye::from(n);
            assert!((PackedNormal::new(&n).vector() - n).norm() < 3e-3, "{n}");
        }
        let broken = PackedNormal::new(&Eye::new(f32::NAN, f32::INFINITY, 2.0)).vector();
        assert!(broken.iter().all(|x| x.is_finite()));
    }

    #[test]
    fn nearer_things_win_and_the_first_of_two_equals() {
        let mut tile = Tile::empty([0, 0]);
        let [a, b, c] = [1, 2, 3].map(|k| Paint::new(Material::Solid, [k; 3]));
        let n = Eye::new(0.0, 0.0, -1.0);
        for (depth, paint) in [(2.0, a), (1.0, b), (1.0, c), (f32::NAN, c), (3.0, c)] {
            tile.put(7, depth, &n, paint);
        }
        assert_eq!((tile.depth[7], tile.paint[7]), (1.0, b));
    }
}
