//! Slices in consecutive parts, so that threads fill them at once.

/// Splits a slice into consecutive parts.
pub(crate) fn split<T>(mut rest: &mut [T], counts: impl Iterator<Item = usize>) -> Vec<&mut [T]> {
    counts
        .map(|count| {
            let (part, tail) = std::mem::take(&mut rest).split_at_mut(count);
            rest = tail;
            part
        })
        .collect()
}
