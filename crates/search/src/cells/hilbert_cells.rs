//! Places of cells along Hilbert's curve, by a table: many times as fast as
//! [`hilbert_key`](super::hilbert::hilbert_key), for cells of few bits.
//!
//! Hamilton 2006, "Compact Hilbert indices", algorithm 2: the curve through a cube enters at a
//! corner e and leaves along an axis d, 24 states in all. The octant in which a cell lies, seen
//! from there, is one of eight steps in the order of Gray's code, and the curve through the octant
//! has a state that follows from the step. The table holds both for each state and octant.

/// Corners at which a curve enters a cube, times axes along which it leaves.
const STATES: usize = 24;

/// For each state and octant the step, and above its three bits the octant's state.
static STEPS: [[u8; 8]; STATES] = steps();

const fn steps() -> [[u8; 8]; STATES] {
    let mut table = [[0; 8]; STATES];
    let mut state = 0;
    while state < STATES {
        let (entry, axis) = (state / 3, state % 3);
        let mut step = 0;
        while step < 8 {
            let octant = turned_left(gray(step), axis + 1) ^ entry;
            let next_entry = entry ^ turned_left(entry_of(step), axis + 1);
            let next_axis = (axis + axis_of(step) + 1) % 3;
            table[state][octant] = ((3 * next_entry + next_axis) << 3 | step) as u8;
            step += 1;
        }
        state += 1;
    }
    table
}

/// Gray's code.
const fn gray(step: usize) -> usize {
    step ^ (step >> 1)
}

/// Three bits turned left.
const fn turned_left(bits: usize, by: usize) -> usize {
    let by = by % 3;
    (bits << by | bits >> (3 - by)) & 7
}

/// The corner at which the curve enters the octant of a step (Hamilton's theorem 2.10).
const fn entry_of(step: usize) -> usize {
    if step == 0 { 0 } else { gray((step - 1) / 2 * 2) }
}

/// The axis along which it leaves it, within the octant (his lemma 2.8).
const fn axis_of(step: usize) -> usize {
    match step {
        0 => 0,
        _ if step.is_multiple_of(2) => (step - 1).trailing_ones() as usize % 3,
        _ => step.trailing_ones() as usize % 3,
    }
}

/// The place of a cell on the curve through the 2^`bits` cells a side from the origin.
#[inline]
pub(crate) fn place_of_cell(cell: [u32; 3], bits: u32) -> u64 {
    let (mut place, mut state) = (0, 0);
    for bit in (0..bits).rev() {
        let [x, y, z] = cell.map(|c| (c >> bit & 1) as usize);
        let step = STEPS[state][x | y << 1 | z << 2];
        place = place << 3 | u64::from(step & 7);
        state = usize::from(step >> 3);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_follow_each_other_share_a_face() {
        for bits in 1..=4 {
            let side = 1 << bits;
            let cells =
                (0..side * side * side).map(|n| [n % side, n / side % side, n / side / side]);
            let mut order: Vec<(u64, [u32; 3])> =
                cells.map(|cell| (place_of_cell(cell, bits), cell)).collect();
            order.sort_unstable();
            assert!((0..).zip(&order).all(|(place, cell)| cell.0 == place), "all places, once");
            for pair in order.windows(2) {
                let steps = (0..3).map(|a| pair[0].1[a].abs_diff(pair[1].1[a])).sum::<u32>();
                assert_eq!(steps, 1, "{pair:?}");
            }
        }
    }

    #[test]
    fn coarser_cells_come_in_the_order_of_those_in_them() {
        for n in 0..999 {
            let cell = [n * 7 % 64, n * 31 % 64, n * 53 % 64];
            assert_eq!(place_of_cell(cell, 6) >> 6, place_of_cell(cell.map(|c| c >> 2), 4));
        }
    }
}
