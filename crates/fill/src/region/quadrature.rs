//! The volume of a region by its distances and by what lies inside alone.
//!
//! The box around the region is cut into eight boxes (in the plane four), and these again. A box
//! whose centre is farther from the boundary than its corners are from the centre lies inside or
//! outside as a whole. What is left after [`MIN_DEPTH`] cuts is sampled at [`SAMPLES`] places each,
//! of the additive recurrence Rₙ (Roberts, The unreasonable effectiveness of quasirandom sequences
//! (2018)): the k-th has the coordinates (½ + k g⁻ᵃ) mod 1, a = 1, 2, 3, where g⁴ = g + 1. While
//! that is more than [`MAX_SAMPLED`] of the volume, as of a thin region or one whose parts lie far
//! apart, there is another cut. The volume comes out within a few 10⁻⁴.

use hashfall_core::parallel;

/// So often the box around a region is halved along each axis at least: a cell is 1/64 of it.
const MIN_DEPTH: u32 = 6;
/// The same at the most.
const MAX_DEPTH: u32 = 20;
/// So much of a volume may be sampled.
const MAX_SAMPLED: f64 = 0.2;
/// Beyond so many boxes that are sampled there are no more cuts: a second or so.
const MAX_CELLS: f64 = 2e6;
/// The first cuts are made at once, and their boxes looked at side by side.
const SPLIT: u32 = 3;

/// Places in each cell that is left.
const SAMPLES: u64 = 8;
/// 1/g, 1/g², 1/g³ of the recurrence.
const STEPS: [f64; 3] = [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_960_5];

/// A box, and its centre and half its edges \[m\].
#[derive(Clone, Copy)]
struct Cell {
    centre: [f64; 3],
    half: [f64; 3],
}

/// What a region tells of places \[m\].
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    /// Their distance to the boundary, negative inside \[m\].
    pub signed_distance: &'a (dyn Fn(&[f64; 3]) -> f64 + Sync),
    /// Whether they lie inside.
    pub contains: &'a (dyn Fn(&[f64; 3]) -> bool + Sync),
}

/// The volume of a region in a box \[m³\]; in the plane, where the box is flat, its area \[m²\].
pub fn volume([low, high]: [[f64; 3]; 2], region: Answers) -> f64 {
    let axes: Vec<usize> = (0..3).filter(|&a| high[a] > low[a]).collect();
    let whole = Cell {
        centre: [0, 1, 2].map(|a| 0.5 * (low[a] + high[a])),
        half: [0, 1, 2].map(|a| 0.5 * (high[a] - low[a])),
    };
    if axes.len() < 2 {
        return 0.0;
    }
    let mut cells = vec![whole];
    for _ in 0..SPLIT {
        cells = cells.iter().flat_map(|cell| cell.parts(&axes)).collect();
    }
    let mut sum = 0.0;
    for depth in MIN_DEPTH..=MAX_DEPTH {
        // In their order, so that the sum has the same bits on any number of threads.
        let parts = parallel::map(cells.len(), |k| {
            let mut sampled = 0;
            (cells[k].volume(region, &axes, depth - SPLIT, &mut sampled), sampled / SAMPLES)
        });
        sum = parts.iter().map(|part| part.0).sum();
        let sampled = parts.iter().map(|part| part.1).sum::<u64>() as f64;
        let cells_of_edge = f64::from(1 << depth);
        let cell: f64 = axes.iter().map(|&a| (high[a] - low[a]) / cells_of_edge).product();
        if sampled * cell <= MAX_SAMPLED * sum || sampled > MAX_CELLS {
            break;
        }
    }
    sum
}

impl Cell {
    /// The volume of what lies in it; `sampled` is the number of places asked so far.
    fn volume(&self, region: Answers, axes: &[usize], depth: u32, sampled: &mut u64) -> f64 {
        let distance = (region.signed_distance)(&self.centre);
        let reach = axes.iter().map(|&a| self.half[a] * self.half[a]).sum::<f64>().sqrt();
        let whole: f64 = axes.iter().map(|&a| 2.0 * self.half[a]).product();
        if distance >= reach {
            return 0.0;
        }
        if distance <= -reach {
            return whole;
        }
        if depth > 0 {
            let parts = self.parts(axes);
            return parts.map(|part| part.volume(region, axes, depth - 1, sampled)).sum();
        }
        let numbers = *sampled..*sampled + SAMPLES;
        *sampled += SAMPLES;
        let inside =
            numbers.filter(|&number| (region.contains)(&self.sample(axes, number))).count();
        whole * inside as f64 / SAMPLES as f64
    }

    /// A place in it.
    fn sample(&self, axes: &[usize], number: u64) -> [f64; 3] {
        let mut place = self.centre;
        for (&a, step) in axes.iter().zip(STEPS) {
            let part = (0.5 + number as f64 * step).fract();
            place[a] += (2.0 * part - 1.0) * self.half[a];
        }
        place
    }

    /// Its halves along each axis.
    fn parts(&self, axes: &[usize]) -> impl Iterator<Item = Cell> {
        let Cell { centre, half } = *self;
        (0..1 << axes.len()).map(move |number: u32| {
            let mut part = Cell { centre, half };
            for (bit, &a) in axes.iter().enumerate() {
                part.half[a] = 0.5 * half[a];
                let side = if number >> bit & 1 == 0 { -1.0 } else { 1.0 };
                part.centre[a] += side * part.half[a];
            }
            part
        })
    }
}
