//! The boxes and queries of Pouchol et al. 2009, §4, made the same way on every machine.
//!
//! The generator is splitmix64 with 53-bit fractions, in double precision; boxes are rounded last.
//! A flat set lies in z = 0.

use hashfall_core::vec3;
use hashfall_geometry::Aabb;

/// Side of the square of the flat sets.
const SQUARE: f64 = 8192.0;

/// Edge of the cube of the spheres and particles: the paper gives no box; 12 % are filled.
const CUBE: f64 = 3.5;

/// Random numbers (Steele, Lea & Flood 2014).
struct SplitMix(u64);

impl SplitMix {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 / (1u64 << 53) as f64)
    }

    fn point(&mut self, edge: f64) -> [f64; 3] {
        [self.real(0.0, edge), self.real(0.0, edge), self.real(0.0, edge)]
    }
}

fn aabb(low: [f64; 3], high: [f64; 3]) -> Aabb {
    Aabb::new(vec3(low), vec3(high))
}

fn ball(centre: [f64; 3], diameter: f64) -> Aabb {
    aabb(centre.map(|c| c - diameter / 2.0), centre.map(|c| c + diameter / 2.0))
}

/// §4.1: rectangles of mean size 2¹⁰ (10 %), 2⁶ (25 %) and 2³.
pub fn rectangles(count: usize) -> Vec<Aabb> {
    let mut random = SplitMix(7);
    let mut one = || {
        let class = random.real(0.0, 1.0);
        let mean = if class < 0.1 {
            1024.0
        } else if class < 0.35 {
            64.0
        } else {
            8.0
        };
        let [w, h] = [(); 2].map(|()| random.real(0.5 * mean, 1.5 * mean) / 2.0);
        let [x, y] = [(); 2].map(|()| random.real(0.0, SQUARE));
        aabb([x - w, y - h, 0.0], [x + w, y + h, 0.0])
    };
    (0..count).map(|_| one()).collect()
}

/// §4.1: the boxes of segments of up to 2⁴.
pub fn segments(count: usize) -> Vec<Aabb> {
    let mut random = SplitMix(8);
    let mut one = || {
        let [x, y] = [(); 2].map(|()| random.real(0.0, SQUARE));
        let angle = random.real(0.0, std::f64::consts::TAU);
        let length = random.real(0.0, 16.0);
        let (u, v) = (x + length * angle.cos(), y + length * angle.sin());
        aabb([x.min(u), y.min(v), 0.0], [x.max(u), y.max(v), 0.0])
    };
    (0..count).map(|_| one()).collect()
}

/// §4.2: spheres of diameter 2⁻⁴ to 2⁻².
pub fn spheres(count: usize) -> Vec<Aabb> {
    let mut random = SplitMix(9);
    let mut one = || {
        let diameter = random.real(1.0 / 16.0, 0.25);
        ball(random.point(CUBE), diameter)
    };
    (0..count).map(|_| one()).collect()
}

/// §4.2: the boxes that particles of diameter 2⁻⁶ sweep, which move by up to as much.
pub fn particles(count: usize) -> Vec<Aabb> {
    let mut random = SplitMix(10);
    let radius = 1.0 / 128.0;
    let mut one = || {
        let from = random.point(CUBE);
        let z = random.real(-1.0, 1.0);
        let angle = random.real(0.0, std::f64::consts::TAU);
        let across = (1.0 - z * z).sqrt();
        let length = random.real(0.0, 1.0 / 64.0);
        let way = [across * angle.cos(), across * angle.sin(), z];
        let to: [f64; 3] = std::array::from_fn(|a| from[a] + length * way[a]);
        let low = std::array::from_fn(|a| from[a].min(to[a]) - radius);
        let high = std::array::from_fn(|a| from[a].max(to[a]) + radius);
        aabb(low, high)
    };
    (0..count).map(|_| one()).collect()
}

/// Spheres of diameter 2⁻¹⁶ to 1, each octave as likely, that fill a tenth of a cube; and queries
/// of the smallest size in it.
pub fn octaves(count: usize, queries: usize) -> (Vec<Aabb>, Vec<Aabb>) {
    let mut random = SplitMix(13);
    let diameters: Vec<f64> = (0..count).map(|_| random.real(-16.0, 0.0).exp2()).collect();
    let volume: f64 = diameters.iter().map(|d| std::f64::consts::PI / 6.0 * d * d * d).sum();
    let edge = (volume / 0.1).cbrt();
    let spheres = diameters.iter().map(|&d| ball(random.point(edge), d)).collect();
    (spheres, (0..queries).map(|_| ball(random.point(edge), OCTAVES_SMALLEST)).collect())
}

/// The smallest of the [`octaves`].
pub const OCTAVES_SMALLEST: f64 = 1.0 / 65536.0;

/// The boxes in Morton order of their lowest corners, by cells of edge `size`.
pub fn morton_sorted(boxes: &[Aabb], size: f64) -> Vec<Aabb> {
    let spread = |n: u64| (0..21).fold(0, |key, bit| key | (n >> bit & 1) << (3 * bit));
    let key = |b: &Aabb| {
        let cell = |a: usize| (f64::from(b.min[a]) / size + 100.0) as u64;
        spread(cell(0)) | spread(cell(1)) << 1 | spread(cell(2)) << 2
    };
    let mut sorted = boxes.to_vec();
    sorted.sort_by_cached_key(key);
    sorted
}
