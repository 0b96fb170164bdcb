//! The inputs, made here from seeds: the same numbers on every machine.
//!
//! Formulas and seeds are those of the sets that peers were measured on, with
//! which counts can be compared; the code is our own. Random numbers are splitmix64 (Steele, Lea,
//! Flood 2014); everything is computed in f64 and rounded to f32 once, at the end.

pub mod bodies;
pub mod boxes;
pub mod cloths;
pub mod meshes;
pub mod motions;
pub mod points;

use clap::ValueEnum;

/// A point of a set; the third coordinate of flat sets is 0.
pub type Point = [f64; 3];

/// The order in which points or queries are handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// Along a Morton curve over cells.
    Sorted,
    /// By cell, z first, x last, after each move: as Hashfall keeps its particles.
    Cells,
    /// At random, as they come the first time.
    Shuffled,
}

impl Order {
    fn label(self) -> &'static str {
        match self {
            Order::Sorted => "sorted",
            Order::Cells => "by cell",
            Order::Shuffled => "shuffled",
        }
    }
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the cube [low, high)³, x first.
    fn point(&mut self, low: f64, high: f64) -> Point {
        [(); 3].map(|()| self.real(low, high))
    }

    /// Fisher–Yates, from the end.
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.bits() % (last as u64 + 1);
            items.swap(last, other as usize);
        }
    }
}

/// The finaliser of splitmix64: every bit of the argument reaches every bit of the result.
pub fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Spreads the low 21 bits so that two zeros follow each.
fn spread(bits: u64) -> u64 {
    const STAGES: [(u32, u64); 5] = [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ];
    STAGES.iter().fold(bits & 0x1f_ffff, |bits, (shift, kept)| (bits | bits << shift) & kept)
}

/// The order along a Morton curve over cells of size `cell` counted from `low`; ties keep the
/// order of `points`.
fn morton_order(points: impl Iterator<Item = Point>, low: Point, cell: f64) -> Vec<usize> {
    let key = |p: Point| {
        (0..3).map(|axis| spread(((p[axis] - low[axis]) / cell) as u64) << axis).sum::<u64>()
    };
    order_by(points, key)
}

/// The order by cells of size `cell`, z first, x last, as `f32` tells them apart.
fn cell_order(points: impl Iterator<Item = Point>, cell: f64) -> Vec<usize> {
    let floor = |x: f64| (x as f32 / cell as f32).floor() as i64;
    order_by(points, |[x, y, z]| [floor(z), floor(y), floor(x)])
}

fn order_by<K: Ord>(points: impl Iterator<Item = Point>, key: impl Fn(Point) -> K) -> Vec<usize> {
    let mut keyed: Vec<(K, usize)> = points.map(key).zip(0..).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, place)| place).collect()
}

/// A count as people say it: 10k, 1M.
fn count_label(count: usize) -> String {
    match count {
        n if n >= 1_000_000 && n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        n if n >= 1000 && n.is_multiple_of(1000) => format!("{}k", n / 1000),
        n => n.to_string(),
    }
}

/// Reads a count with an optional k or M.
pub fn parse_count(text: &str) -> Result<usize, String> {
    let (digits, factor) = match text.strip_suffix(['k', 'M']) {
        Some(digits) if text.ends_with('k') => (digits, 1000),
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    let count: usize = digits.parse().map_err(|_| format!("{text} is no count such as 100k"))?;
    Ok(count * factor)
}
