//! What flat layers add, by distance: a table of [`SolidLayers::sums`]; and what solids of
//! revolution add, by tables made with it.
//!
//! An integral over a mesh asks some hundred times for each particle. Cubics through four entries
//! (Catmull & Rom 1974) are within 1e-7 of the sums and continue smoothly from one to the next.
//!
//! Symbols: L part of a half space \[–\], L′ its slope \[1/m\], h support radius \[m\].

use super::layers::SolidLayers;
use super::round::RoundTables;
use hashfall_core::Real;
use std::f64::consts::TAU;

/// Intervals from 0 to where nothing is left.
const INTERVALS: usize = 256;

/// Intervals between places of which differences are taken.
const WIDTH: usize = 4;

/// A half space's part and its slope, by the distance of its surface.
#[derive(Clone, Debug)]
pub struct PlaneTable {
    /// From here on there is nothing: h without half a layer \[m\].
    reach: f64,
    /// Intervals for each metre.
    per_metre: f64,
    /// Of each interval the coefficients of both, by powers of the place in it.
    intervals: Vec<[[f64; 4]; 2]>,
    /// Where intervals start: L‴ \[1/m³\] and L⁗ \[1/m⁴\].
    higher: Vec<[f64; 2]>,
    rounds: RoundTables,
}

/// What a kernel's integral over a solid takes of a place at a distance r, with
/// f = L″/(2πr) and F = (L − r L′)/(2π).
pub(crate) struct Radial {
    /// F \[–\].
    pub outer: f64,
    /// r f, r² f′, r³ f″ \[1/m²\].
    pub inner: [f64; 3],
}

impl PlaneTable {
    /// A table of these layers.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    pub fn new(layers: &SolidLayers) -> Self {
        let reach = f64::from(layers.reach());
        let entry = |k: i32| {
            // Below the surface the sums continue, and beyond h they are zero.
            let distance = reach * f64::from(k) / INTERVALS as f64;
            let sums = layers.sums(distance as Real, 0.0);
            [f64::from(sums.fraction), f64::from(sums.slope)]
        };
        let entries: Vec<[f64; 2]> = (-1..=INTERVALS as i32 + 1).map(entry).collect();
        let cubic = |w: &[[f64; 2]], which: usize| {
            let [before, start, end, after] = [0, 1, 2, 3].map(|k| w[k][which]);
            let (rise, leave) = (0.5 * (end - before), 0.5 * (after - start));
            let change = end - start;
            [start, rise, 3.0 * change - 2.0 * rise - leave, rise + leave - 2.0 * change]
        };
        let intervals = entries.windows(4).map(|w| [cubic(w, 0), cubic(w, 1)]).collect();
        let (per_metre, rounds) = (INTERVALS as f64 / reach, RoundTables::default());
        let mut table = PlaneTable { reach, per_metre, intervals, higher: vec![], rounds };
        table.higher = (0..=INTERVALS).map(|k| table.differences(k)).collect();
        table
    }

    /// L‴ and L⁗ where an interval starts, by differences of L″.
    fn differences(&self, interval: usize) -> [f64; 2] {
        let at = |k: usize| self.with_curvature((k as f64 + 0.5) / self.per_metre).1;
        let middle = interval.max(WIDTH);
        let [low, own, high] = [middle - WIDTH, middle, middle + WIDTH].map(at);
        let width = WIDTH as f64 / self.per_metre;
        let (third, fourth) =
            ((high - low) / (2.0 * width), (high - 2.0 * own + low) / (width * width));
        [third + fourth * (interval as f64 - middle as f64 - 0.5) / self.per_metre, fourth]
    }

    /// Takes tables of solids of revolution.
    pub(super) fn set_rounds(&mut self, rounds: RoundTables) {
        self.rounds = rounds;
    }

    /// Those of the solids of revolution.
    pub(crate) fn rounds(&self) -> &RoundTables {
        &self.rounds
    }

    /// Whether a solid of revolution hides what is behind it from particles.
    pub fn has_opaque_rounds(&self) -> bool {
        self.rounds.has_opaque()
    }

    /// Of the cubic spline's layers h/2 apart.
    #[cfg(test)]
    pub(crate) fn with_cubic_spline(h: Real) -> Self {
        use hashfall_core::kernel::{Kernel, KernelKind};
        let kernel = Kernel::new(KernelKind::CubicSpline, hashfall_core::Dimension::Three, h);
        PlaneTable::new(&SolidLayers::new(kernel, 0.5 * h))
    }

    /// From this distance on there is nothing \[m\].
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }

    /// L and L′ at a distance of at least 0 \[m\].
    #[inline]
    pub(crate) fn at(&self, distance: f64) -> [f64; 2] {
        self.find(distance).map_or([0.0; 2], |(cubics, part)| cubics.map(|c| value(&c, part)))
    }

    /// The same, and L″ \[1/m²\].
    #[inline]
    pub(crate) fn with_curvature(&self, distance: f64) -> ([f64; 2], f64) {
        self.find(distance).map_or(([0.0; 2], 0.0), |(cubics, part)| {
            let [_, b, c, d] = cubics[1];
            let rise = b + part * (2.0 * c + part * 3.0 * d);
            (cubics.map(|c| value(&c, part)), rise * self.per_metre)
        })
    }

    /// F and f with its derivatives at a distance greater than 0 \[m\].
    #[inline]
    pub(crate) fn radial(&self, distance: f64) -> Radial {
        let place = distance * self.per_metre;
        let interval = place as usize;
        let Some(next) = self.higher.get(interval + 1) else {
            return Radial { outer: 0.0, inner: [0.0; 3] };
        };
        let ([value, slope], curved) = self.with_curvature(distance);
        let (start, part) = (self.higher[interval], place - interval as f64);
        let [third, fourth] = [0, 1].map(|k| start[k] + part * (next[k] - start[k]));
        let f = curved / TAU;
        let f1 = distance * third / TAU - f;
        let f2 = distance * distance * fourth / TAU - 2.0 * f1;
        Radial { outer: (value - distance * slope) / TAU, inner: [f, f1, f2] }
    }

    /// The cubics of the interval in which a distance lies, and its place there.
    #[inline]
    fn find(&self, distance: f64) -> Option<(&[[f64; 4]; 2], f64)> {
        let place = distance * self.per_metre;
        let interval = place as usize;
        self.intervals.get(interval).map(|cubics| (cubics, place - interval as f64))
    }
}

#[inline]
fn value([a, b, c, d]: &[f64; 4], part: f64) -> f64 {
    a + part * (b + part * (c + part * d))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::Dimension;
    use hashfall_core::kernel::{Kernel, KernelKind};

    #[test]
    fn it_is_the_sums_of_the_layers() {
        let h: Real = 0.04;
        for kind in KernelKind::ALL {
            for dimension in [Dimension::Two, Dimension::Three] {
                let layers = SolidLayers::new(Kernel::new(kind, dimension, h), 0.5 * h);
                let table = PlaneTable::new(&layers);
                for k in 0..2000 {
                    let distance = h * k as Real / 1990.0;
                    let sums = layers.sums(distance, 0.0);
                    let [fraction, slope] = table.at(f64::from(distance));
                    let case = format!("{kind:?} {dimension:?} {distance}");
                    assert!((fraction - f64::from(sums.fraction)).abs() < 1e-5, "{case}");
                    let error = (slope - f64::from(sums.slope)) * f64::from(h);
                    assert!(error.abs() < 1e-4, "{case}: {error}");
                }
                assert_eq!(table.at(f64::from(h) * 1.5), [0.0; 2]);
            }
        }
    }
}
