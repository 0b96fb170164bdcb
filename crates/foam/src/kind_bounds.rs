//! At which shares of a full neighbourhood of fluid a diffuse particle changes its kind.
//!
//! Ihmsen et al. 2012 count neighbours within h = 2d, of which there are 4/3 π (h/d)³ ≈ 33 in the
//! fluid: fewer than 6 make spray, more than 20 a bubble. Other supports have other counts, so the
//! bounds here are the shares 6/33 and 20/33. New particles are told apart by these.
//!
//! The count around a place is noisy, as particles come and go one by one: by the bounds alone a
//! particle near one changes its kind in every other frame (in `double_dam` 10 % of all from frame
//! to frame, and each kind moves by a law of its own). So bounds have two sides (a Schmitt trigger;
//! Schmitt, *A thermionic trigger*, 1938): a kind is left at one and come back to at the other. The
//! sides were measured on `double_dam`: 4.5 % change from frame to frame, and the numbers of spray,
//! foam and bubbles, summed over all frames, differ by −2, +4 and −4 % from those of single bounds.
//! The margin above the bound of spray is the wider one: spray falls into fluid fast, and leaves it
//! slowly. In the tank of `still_water` 1.7 % change (2.3 %).
//!
//! Symbols: h support radius \[m\], d spacing of the particles \[m\].

use crate::diffuse::Kind;
use hashfall_core::{PI, Real};

/// Neighbours of a particle within the fluid at h = 2d, in space.
const FULL: Real = 4.0 / 3.0 * PI * 8.0;

/// A bound of the share of a full neighbourhood, with two sides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// Of particles without a kind.
    pub middle: Real,
    /// Of those whose share was above.
    low: Real,
    /// Of those whose share was below.
    high: Real,
}

/// Below it a particle is spray.
pub(crate) const SPRAY_BELOW: Bound = Bound::new(6.0 / FULL, 0.7, 1.7);
/// Above it a particle is a bubble.
pub(crate) const BUBBLE_ABOVE: Bound = Bound::new(20.0 / FULL, 0.7, 1.4);

impl Bound {
    /// A bound with sides in its own measure.
    const fn new(middle: Real, low: Real, high: Real) -> Self {
        Bound { middle, low: low * middle, high: high * middle }
    }

    /// The bound for a particle that was of this kind, if it is not new; `is_below` tells on which
    /// side that is.
    pub fn for_kind(self, before: Option<Kind>, is_below: impl Fn(Kind) -> bool) -> Real {
        match before {
            None => self.middle,
            Some(kind) if is_below(kind) => self.high,
            Some(_) => self.low,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_those_of_the_paper_and_their_sides_do_not_overlap() {
        assert!((FULL * SPRAY_BELOW.middle - 6.0).abs() < 1e-4);
        assert!((FULL * BUBBLE_ABOVE.middle - 20.0).abs() < 1e-4);
        for bound in [SPRAY_BELOW, BUBBLE_ABOVE] {
            assert!(bound.low < bound.middle && bound.middle < bound.high);
        }
        const { assert!(SPRAY_BELOW.high < BUBBLE_ABOVE.low, "foam has a range of its own") };
        let is_spray = |kind| kind == Kind::Spray;
        let share = |before| SPRAY_BELOW.for_kind(before, is_spray) / SPRAY_BELOW.middle;
        let kinds = [None, Some(Kind::Spray), Some(Kind::Foam), Some(Kind::Bubble)];
        assert_eq!(kinds.map(|before| (share(before) * 10.0).round()), [10.0, 17.0, 7.0, 7.0]);
    }
}
