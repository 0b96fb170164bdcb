//! Places along Hilbert's curve: what follows each other lies together.
//!
//! Skilling 2004, "Programming the Hilbert curve": the bits of the coordinates are turned and
//! mirrored from the coarsest cube to the finest, and then interleaved. Cells that follow each
//! other share a face, so any run of them is compact, which those of a Morton curve are not.

use hashfall_core::geometry::Point;

/// Bits of a coordinate.
const BITS: u32 = 21;

/// The place on the curve through the cube from `low` with edge `edge` \[m\] of the cell of a
/// point; 2²¹ cells on an axis. Points outside count as those at its faces.
pub fn hilbert_key(point: &Point, low: &Point, edge: f64) -> u64 {
    let cells = f64::from((1u32 << BITS) - 1);
    // Rounded down, and kept from below by the cast; what is no number counts as 1.
    let cell = |a: usize| (((point[a] - low[a]) / edge).min(1.0) * cells) as u32;
    interleaved(transposed([cell(0), cell(1), cell(2)]))
}

/// The bits of the place, dealt to three numbers in turn.
fn transposed(mut x: [u32; 3]) -> [u32; 3] {
    for k in (1..BITS).rev() {
        let (bit, below) = (1 << k, (1 << k) - 1);
        for a in 0..3 {
            if x[a] & bit != 0 {
                x[0] ^= below;
            } else {
                let change = (x[0] ^ x[a]) & below;
                x[0] ^= change;
                x[a] ^= change;
            }
        }
    }
    // Gray's code.
    x[1] ^= x[0];
    x[2] ^= x[1];
    let change = (1..BITS).filter(|k| x[2] >> k & 1 == 1).fold(0, |all, k| all ^ ((1 << k) - 1));
    x.map(|x| x ^ change)
}

/// The bits of three numbers in turn, the highest first.
fn interleaved(x: [u32; 3]) -> u64 {
    let bits = (0..BITS).rev().flat_map(|k| x.map(|x| u64::from(x >> k & 1)));
    bits.fold(0, |key, bit| key << 1 | bit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_follow_each_other_share_a_face() {
        // Of 8³ cells, in the middles of coarser ones of the curve.
        let middle = |k: u32| (f64::from(k) + 0.5) / 8.0;
        let cells = (0..512).map(|n| [n % 8, n / 8 % 8, n / 64]);
        let mut order: Vec<(u64, [u32; 3])> = cells
            .map(|cell| (hilbert_key(&cell.map(middle).into(), &Point::zeros(), 1.0), cell))
            .collect();
        order.sort_unstable();
        for pair in order.windows(2) {
            let steps = (0..3).map(|a| pair[0].1[a].abs_diff(pair[1].1[a])).sum::<u32>();
            assert_eq!(steps, 1, "{pair:?}");
        }
    }

    #[test]
    fn what_is_no_number_or_outside_has_a_place() {
        let key = |x: f64| hilbert_key(&Point::new(x, 0.5, 0.5), &Point::zeros(), 1.0);
        assert_eq!((key(-3.0), key(9.0)), (key(0.0), key(1.0)));
        assert_eq!(key(f64::NAN), key(1.0));
        let all = [Point::zeros(), Point::repeat(1.0)];
        let [nowhere, corner] = [0.0, 1.0].map(|edge| hilbert_key(&all[1], &all[0], edge));
        assert_eq!((nowhere, hilbert_key(&all[0], &all[0], 0.0)), (corner, corner));
    }
}
