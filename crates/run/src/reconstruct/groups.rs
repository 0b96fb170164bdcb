//! Which frames are worked on at a time.

use std::ops::Range;

/// Divides frames, by the memory that each needs, into groups of neighbours, which are worked on at
/// a time: at most `most` of them, and no more than the memory holds, but always one.
pub fn groups(memory: &[u64], limit: u64, most: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut sum = 0u64;
    for (i, &frame) in memory.iter().enumerate() {
        sum = sum.saturating_add(frame);
        if i > start && (sum > limit || i - start == most) {
            groups.push(start..i);
            (start, sum) = (i, frame);
        }
    }
    groups.push(start..memory.len());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_hold_what_fits() {
        assert_eq!(groups(&[3, 3, 3, 9, 50, 1, 1], 10, 8), [0..3, 3..4, 4..5, 5..7]);
        assert_eq!(groups(&[1; 5], 100, 2), [0..2, 2..4, 4..5]);
        assert_eq!(groups(&[u64::MAX; 2], 1, 4), [0..1, 1..2]);
    }
}
