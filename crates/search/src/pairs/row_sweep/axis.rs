//! Cells along an axis, numbered so that sorting them is cheap.
//!
//! A cell is ⌊(x − origin) · scale⌋. All that a sweep asks of its number is that it ascends with x
//! and differs by no more between two places than that quotient does, so that boxes which overlap
//! stay within *reach*: cells may be left out, or put together. Where an axis is *cut*, each
//! stretch on which no box begins shrinks to the fewest cells that are beyond reach. Then boxes far
//! from the others cost no cells, and there are at most reach + 1 for each box. If these are still
//! too many, 2ˢ of them become one.

use hashfall_core::Real;

/// The most rows along an axis, so that keys and quotients stay short.
pub(crate) const MAX_CELLS: f64 = (1 << 20) as f64;

/// How an axis is cut into cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Axis {
    /// Half of where cells begin, so that no difference overflows \[m\].
    half_origin: f64,
    /// Cells in twice a metre \[1/m\].
    scale: f64,
    /// Where the axis is cut, else empty.
    stretches: Vec<Stretch>,
    /// The highest cell, before some are put together.
    last: u32,
    /// The logarithm of how many cells are put together.
    shift: u32,
}

/// A part of a cut axis.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Half of where it begins \[m\].
    half_start: f64,
    /// Its first cell.
    first: u32,
}

impl Axis {
    /// Even cells between two places.
    pub fn even([low, high]: [Real; 2], scale: f64) -> Self {
        let half_origin = 0.5 * f64::from(low);
        let mut axis = Axis { half_origin, scale, ..Axis::default() };
        axis.last = axis.even_cell(high);
        axis
    }

    /// Cells for boxes that begin at twice these places, ascending; those that overlap begin up to
    /// `reach` cells apart.
    pub fn cut(half_lows: &[f64], scale: f64, reach: u32) -> Self {
        let mut stretches: Vec<Stretch> = vec![];
        let (mut before, mut last) = (0.0, 0);
        for &low in half_lows {
            let is_near = (low - before) * scale <= f64::from(reach + 1);
            last = match stretches.last() {
                Some(stretch) if is_near => stretch.cell(low, scale),
                _ => {
                    let first =
                        if stretches.is_empty() { 0 } else { last.saturating_add(reach + 1) };
                    stretches.push(Stretch { half_start: low, first });
                    first
                }
            };
            before = low;
        }
        let most = MAX_CELLS as u32;
        let shift = (0..u32::BITS).find(|shift| last >> shift < most).unwrap_or_default();
        Axis { scale, stretches, last, shift, ..Axis::default() }
    }

    /// Whether the axis is cut.
    pub fn is_cut(&self) -> bool {
        !self.stretches.is_empty()
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.stretches[..])
    }

    /// The cell of a place, on any axis.
    pub fn cell(&self, x: Real) -> u32 {
        if self.is_cut() { self.cell_of_stretches(0.5 * f64::from(x)) } else { self.even_cell(x) }
    }

    /// The cell of a place, on one that is not cut.
    #[inline(always)]
    pub fn even_cell(&self, x: Real) -> u32 {
        ((0.5 * f64::from(x) - self.half_origin) * self.scale) as u32
    }

    /// The highest cell.
    #[inline(always)]
    pub fn highest(&self) -> u32 {
        self.last >> self.shift
    }

    /// The cell of twice a place on a cut axis; between stretches, the last one before the next.
    fn cell_of_stretches(&self, half: f64) -> u32 {
        let next = self.stretches.partition_point(|it| it.half_start <= half);
        let Some(stretch) = self.stretches[..next].last() else { return 0 };
        let last = self.stretches.get(next).map_or(self.last, |next| next.first - 1);
        stretch.cell(half, self.scale).min(last) >> self.shift
    }
}

impl Stretch {
    /// The cell of twice a place, before some are put together.
    fn cell(&self, half: f64, scale: f64) -> u32 {
        self.first.saturating_add(((half - self.half_start) * scale) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of some places on an axis that is cut for boxes which begin at others.
    fn cells(lows: &[f64], reach: u32, at: &[Real]) -> Vec<u32> {
        let halves: Vec<f64> = lows.iter().map(|low| 0.5 * low).collect();
        let axis = Axis::cut(&halves, 2.0, reach);
        at.iter().map(|&x| axis.cell(x)).collect()
    }

    #[test]
    fn empty_stretches_shrink_until_they_are_just_beyond_reach() {
        let at = [-9.0, 0.0, 1.5, 2.5, 3.5, 50.0, 1e9, 1e9 + 64.0, 1e30];
        assert_eq!(cells(&[0.0, 1.5, 1e9, 1e9 + 64.0], 1, &at), [0, 0, 1, 2, 2, 2, 3, 5, 5]);
        assert_eq!(cells(&[0.0, 1.5, 1e9], 8, &at), [0, 0, 1, 2, 3, 9, 10, 10, 10]);
    }

    #[test]
    fn cells_are_put_together_where_there_are_too_many() {
        let lows: Vec<f64> = (0..1 << 20).map(|k| 10.0 * f64::from(k)).collect();

        assert_eq!(cells(&lows, 1, &[0.0, 10.0, 20.0, 1e30]), [0, 1, 2, (1 << 20) - 1]);
        assert_eq!(cells(&lows[..1 << 19], 1, &[10.0]), [2]);
    }
}
