//! The palette of a GIF: 255 colours for all its frames.
//!
//! Source: Heckbert 1982 (median cut): the box of colours with the largest weight is split where
//! its pixels are halved, until there are as many boxes as colours. Between two colours of the
//! palette pixels alternate in a fixed 4 × 4 pattern (Bayer 1973), which does not move where the
//! picture does not.

use super::picture::Picture;
use hashfall_core::parallel;

/// Colours of a palette: one of the 256 of a GIF is for what does not change.
pub const COLOURS: usize = 255;
/// Bits of a channel in the histogram.
const BITS: u32 = 5;
/// Bits of a channel in the table of nearest colours.
const FINE_BITS: u32 = 6;
/// How far pixels of a pattern are moved apart, in steps of a channel.
const SPREAD: i32 = 7;
/// Bayer's pattern.
const PATTERN: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// A palette, and the nearest of its colours for any other.
pub struct Palette {
    /// Red, green and blue of each colour.
    pub rgb: Vec<u8>,
    nearest: Vec<u8>,
}

/// Pixels of nearly one colour.
#[derive(Clone, Copy)]
struct Bin {
    /// The sums of their channels.
    sum: [u64; 3],
    count: u64,
}

impl Bin {
    fn mean(&self, channel: usize) -> u64 {
        self.sum[channel] / self.count.max(1)
    }
}

impl Palette {
    /// The palette of some pictures.
    pub fn new(pictures: &[Picture]) -> Palette {
        let mut bins = vec![Bin { sum: [0; 3], count: 0 }; 1 << (3 * BITS)];
        for pixel in pictures.iter().flat_map(|picture| picture.rgb.chunks_exact(3)) {
            let bin = &mut bins[index([pixel[0], pixel[1], pixel[2]], BITS)];
            bin.count += 1;
            (0..3).for_each(|k| bin.sum[k] += u64::from(pixel[k]));
        }
        bins.retain(|bin| bin.count > 0);
        let mut boxes = vec![bins];
        while boxes.len() < COLOURS {
            let cut = boxes.iter().enumerate().map(|(k, bins)| (worth(bins), k)).max();
            let Some((1.., k)) = cut else { break };
            let (low, high) = halves(boxes.swap_remove(k));
            boxes.extend([low, high]);
        }
        let mean = |bins: &Vec<Bin>| {
            let count = bins.iter().map(|bin| bin.count).sum::<u64>().max(1);
            [0, 1, 2].map(|k| (bins.iter().map(|bin| bin.sum[k]).sum::<u64>() / count) as u8)
        };
        let mut colours: Vec<[u8; 3]> = boxes.iter().map(mean).collect();
        colours.sort_unstable();
        let middle = |index: usize, k: u32| {
            let step = index >> ((2 - k) * FINE_BITS) & ((1 << FINE_BITS) - 1);
            (step << (8 - FINE_BITS) | 1 << (7 - FINE_BITS)) as i32
        };
        let nearest = |index: usize| {
            let colour = [0, 1, 2].map(|k| middle(index, k));
            let far = |other: &[u8; 3]| {
                let square = |k: usize| (colour[k] - i32::from(other[k])).pow(2);
                2 * square(0) + 4 * square(1) + square(2)
            };
            let found = colours.iter().enumerate().min_by_key(|(k, other)| (far(other), *k));
            found.map_or(0, |(k, _)| k as u8)
        };
        let nearest = parallel::map(1 << (3 * FINE_BITS), nearest);
        Palette { rgb: colours.into_flattened(), nearest }
    }

    /// The colours of a picture by their numbers.
    pub fn numbers(&self, picture: &Picture) -> Vec<u8> {
        let width = picture.size[0] as usize;
        let number = |(i, pixel): (usize, &[u8])| {
            let (x, y) = (i % width, i / width);
            let moved = (2 * PATTERN[y % 4][x % 4] - 15) * SPREAD / 30;
            let colour = [0, 1, 2].map(|k| (i32::from(pixel[k]) + moved).clamp(0, 255) as u8);
            self.nearest[index(colour, FINE_BITS)]
        };
        picture.rgb.chunks_exact(3).enumerate().map(number).collect()
    }
}

/// The index of a colour among all colours of `bits` per channel.
fn index(colour: [u8; 3], bits: u32) -> usize {
    colour.into_iter().fold(0, |index, channel| index << bits | usize::from(channel >> (8 - bits)))
}

/// The longest side of the box of some colours: its channel and length.
fn longest(bins: &[Bin]) -> (usize, u64) {
    let side = |k: usize| {
        let means = bins.iter().map(|bin| bin.mean(k));
        let (low, high) = (means.clone().min().unwrap_or(0), means.max().unwrap_or(0));
        high - low
    };
    (0..3).map(|k| (k, side(k))).max_by_key(|&(k, side)| (side, k)).unwrap_or_default()
}

/// How much a box matters: the more pixels and the more different they are. 0 if it cannot be cut.
fn worth(bins: &[Bin]) -> u64 {
    let count: u64 = bins.iter().map(|bin| bin.count).sum();
    let (_, side) = longest(bins);
    if bins.len() < 2 { 0 } else { side * side * count.isqrt() }
}

/// A box in two, with about as many pixels each, along its longest side.
fn halves(mut bins: Vec<Bin>) -> (Vec<Bin>, Vec<Bin>) {
    let (channel, _) = longest(&bins);
    bins.sort_by_key(|bin| (bin.mean(channel), bin.sum));
    let all: u64 = bins.iter().map(|bin| bin.count).sum();
    let mut before = 0;
    let middle = bins.iter().position(|bin| {
        before += bin.count;
        2 * before > all
    });
    let last = bins.len() - 1;
    let high = bins.split_off(middle.unwrap_or(0).clamp(1, last));
    (bins, high)
}
