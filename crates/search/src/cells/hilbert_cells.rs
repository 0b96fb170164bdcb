//! Places of cells along Hilbert's curve, by a table: many times as fast as
//! [`hilbert_key`](super::hilbert::hilbert_key).
//!
//! Hamilton 2006, "Compact Hilbert indices", algorithm 2: the curve through a cube enters at a
//! corner e and leaves along an axis d, 24 states in all. The octant in which a cell lies, seen
//! from there, is one of eight steps in the order of Gray's code, and the curve through the octant
//! has a state that follows from the step. Tables hold both for each state and octant, and for each
//! state and octant of an octant: two steps at a time.

/// Corners at which a curve enters a cube, times axes along which it leaves.
const STATES: usize = 24;

/// For each state and octant the step, and above its three bits the octant's state.
const STEPS: [[u8; 8]; STATES] = steps();

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

/// For each state and octant of an octant, x + 4y + 16z, both steps, and above their six bits the
/// state.
static TWO_STEPS: [[u16; 64]; STATES] = two_steps();

const fn two_steps() -> [[u16; 64]; STATES] {
    let mut table = [[0; 64]; STATES];
    let mut state = 0;
    while state < STATES {
        let mut cell = 0;
        while cell < 64 {
            let (x, y, z) = (cell & 3, cell >> 2 & 3, cell >> 4);
            let first = STEPS[state][x >> 1 | y >> 1 << 1 | z >> 1 << 2] as u16;
            let octant = x & 1 | (y & 1) << 1 | (z & 1) << 2;
            let second = STEPS[(first >> 3) as usize][octant] as u16;
            table[state][cell] = second >> 3 << 6 | (first & 7) << 3 | second & 7;
            cell += 1;
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

/// The place of a cell on the curve through the 2^`bits` cells a side from the origin; an even
/// number of bits.
#[inline]
pub(crate) fn place_of_cell(cell: [u32; 3], bits: u32) -> u64 {
    debug_assert!(bits.is_multiple_of(2));
    let (mut place, mut state, mut bit) = (0, 0, bits);
    while bit > 0 {
        bit -= 2;
        let [x, y, z] = cell.map(|c| (c >> bit & 3) as usize);
        let steps = TWO_STEPS[state][x | y << 2 | z << 4];
        place = place << 6 | u64::from(steps & 63);
        state = usize::from(steps >> 6);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_follow_each_other_share_a_face() {
        for bits in [2, 4] {
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
