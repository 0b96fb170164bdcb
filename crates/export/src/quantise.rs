//! Numbers in fewer bits, with a bound of the error.
//!
//! Each array of numbers of a frame, such as its positions, has a range: the largest difference of
//! two of its numbers along an axis. With b bits no number is changed by more than range / 2ᵇ. How
//! depends on what a format can carry: text drops decimals, binary formats that are compressed
//! drop bits at the end of each number, which then compress well, and glTF has whole numbers.
//!
//! Symbols: r range, b bits.

/// The range of some tuples: the largest extent along an axis.
pub fn range<const N: usize>(tuples: &[[f32; N]]) -> f64 {
    let extent = |k: usize| {
        let axis = || tuples.iter().map(|tuple| tuple[k]).filter(|x| x.is_finite());
        let (min, max) =
            (axis().fold(f32::INFINITY, f32::min), axis().fold(-f32::INFINITY, f32::max));
        if min <= max { f64::from(max) - f64::from(min) } else { 0.0 }
    };
    (0..N).map(extent).fold(0.0, f64::max)
}

/// Decimals behind the point that keep numbers of a range within range / 2ᵇ: half of the last
/// decimal is at most that. `None` if there is no range.
pub fn decimals(range: f64, bits: u32) -> Option<i32> {
    let error = bound(range, bits)?;
    // 0.5 · 10⁻ᵈ ≤ error.
    Some((-(2.0 * error).log10()).ceil() as i32)
}

/// The power of two to multiples of which numbers of a range may be rounded: half of it is at most
/// range / 2ᵇ. `None` if there is no range.
pub fn power_of_two_step(range: f64, bits: u32) -> Option<f64> {
    let error = bound(range, bits)?;
    let mut step = (2.0 * error).log2().floor().exp2();
    while 0.5 * step > error {
        step *= 0.5;
    }
    Some(step)
}

fn bound(range: f64, bits: u32) -> Option<f64> {
    let error = range / f64::from(bits).exp2();
    (error > 0.0 && error.is_finite()).then_some(error)
}

/// Rounds a number to a multiple of a step that is a power of two.
pub fn round_to(x: f32, step: f64) -> f32 {
    let rounded = ((f64::from(x) / step).round() * step) as f32;
    if rounded.is_finite() { rounded } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    #[test]
    fn rounding_stays_within_its_bound() {
        let mut next = random(7);
        for scale in [1e-6_f32, 1.0, 3.7e4] {
            let values: Vec<[f32; 1]> = (0..2000).map(|_| [scale * next() as f32]).collect();
            let r = range(&values);
            for bits in [8, 12, 16] {
                let (step, d) = (power_of_two_step(r, bits).unwrap(), decimals(r, bits).unwrap());
                let bound = r / f64::from(1 << bits);
                assert!(step > bound && 10_f64.powi(-d) > 0.2 * bound, "not finer than asked");
                for [x] in &values {
                    let error = f64::from(round_to(*x, step)) - f64::from(*x);
                    // The result is a number of single precision, too.
                    let last = f64::from(x.abs()) * f64::from(f32::EPSILON);
                    assert!(error.abs() <= bound + last, "{x} by {error}");
                    let unit = 10_f64.powi(-d);
                    let error = (f64::from(*x) / unit).round() * unit - f64::from(*x);
                    assert!(error.abs() <= bound * (1.0 + 1e-9), "{x} by {error}");
                }
            }
        }
        assert_eq!(range(&[[f32::NAN, 1.0], [2.0, 4.0]]), 3.0);
        assert!(decimals(0.0, 16).is_none() && power_of_two_step(range::<3>(&[]), 16).is_none());
    }
}
