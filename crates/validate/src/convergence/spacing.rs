//! Spacings at which the fluid of a case fits its vessel as it does at the case's own.
//!
//! A block of fluid holds as many whole layers as fit, so that at a spacing that does not divide
//! its sides a gap is left, which is no error of the scheme. Near the spacing that is asked for,
//! that one is taken at which the gaps along all sides are least together.

use hashfall_core::{Dimension, to_f64};
use hashfall_sph::world::World;

/// How far a length may be from whole layers \[layers\]: more than single precision takes off a
/// thousand layers.
const ROUNDING: f64 = 1e-3;
/// How far a spacing may be from the one asked for, in parts of it \[–\].
const NEAR: f64 = 0.1;

/// The lengths \[m\] that are whole layers of spacing `d` \[m\] in a world at its start: the sides
/// of what the particles fill, or of the domain if those are none, as of a start that is jittered.
pub(super) fn whole_lengths(world: &World, d: f64) -> Vec<f64> {
    let axes: &[usize] = match world.dimension {
        Dimension::Two => &[0, 2],
        Dimension::Three => &[0, 1, 2],
    };
    let places = world.particles.position.iter().map(to_f64);
    let none = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
    let [low, high] = places.fold(none, |[low, high], x| {
        [0, 1].map(|side| {
            std::array::from_fn(|a| if side == 0 { low[a].min(x[a]) } else { high[a].max(x[a]) })
        })
    });
    let domain = &world.solids.domain;
    let (min, max) = (to_f64(&domain.min), to_f64(&domain.max));
    let filled = axes.iter().map(|&a| high[a] - low[a] + d).collect();
    let sides = axes.iter().map(|&a| max[a] - min[a]).collect();
    let [filled, sides] = [filled, sides].map(|lengths: Vec<f64>| whole(&lengths, d));
    if filled.is_empty() { sides } else { filled }
}

/// Those lengths that are whole layers, freed from rounding.
fn whole(lengths: &[f64], d: f64) -> Vec<f64> {
    let layers = lengths.iter().map(|length| length / d).filter(|layers| layers.is_finite());
    let is_whole = |layers: &f64| *layers > 0.5 && (layers - layers.round()).abs() < ROUNDING;
    layers.filter(is_whole).map(|layers| layers.round() * d).collect()
}

/// The spacing \[m\] near `target` \[m\] that leaves the least gaps along these lengths \[m\]; of
/// several the one nearest to it.
pub(super) fn fitting(lengths: &[f64], target: f64) -> f64 {
    let gap = |d: f64| {
        let layers = lengths.iter().map(|length| length / d + ROUNDING);
        layers.map(|layers| (layers - layers.floor() - ROUNDING).max(0.0)).sum::<f64>()
    };
    let divisors = lengths.iter().flat_map(|length| {
        let most = (length / (target * (1.0 - NEAR))).floor() as u32;
        let least = (length / (target * (1.0 + NEAR))).ceil() as u32;
        (least.max(1)..=most).map(move |layers| length / f64::from(layers))
    });
    let farness = |d: f64| (d / target).ln().abs();
    let better = |best: f64, d: f64| {
        let change = gap(d) - gap(best);
        let is_better = change < -ROUNDING || change < ROUNDING && farness(d) < farness(best);
        if is_better { d } else { best }
    };
    divisors.fold(target, better)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::find;
    use std::f64::consts::SQRT_2;

    fn lengths(case: &str, d: f64) -> Vec<f64> {
        let world = find(case).unwrap().prepare(&[]).unwrap().world;
        let layers = whole_lengths(&world, d).into_iter().map(|length| length / d);
        layers.map(f64::round).collect()
    }

    #[test]
    fn sides_of_the_fluid_count_and_those_of_the_domain_if_it_is_jittered() {
        assert_eq!(lengths("standing_wave", 0.05), [40.0, 20.0]);
        assert_eq!(lengths("vortex_in_a_box", 0.04), [25.0, 25.0]);
    }

    #[test]
    fn blocks_are_filled_by_whole_layers() {
        let near = |found: f64, expected: f64| {
            assert!((found / expected - 1.0).abs() < 1e-12, "{found} for {expected}");
        };
        let wave = [2.0, 1.0];
        near(fitting(&wave, 0.1), 0.1);
        near(fitting(&wave, 0.05 * SQRT_2), 1.0 / 14.0);
        near(fitting(&wave, 0.025), 0.025);
        near(fitting(&[1.0, 1.0], 0.04 * SQRT_2), 1.0 / 18.0);
        near(fitting(&[1.0, 1.0], 0.08), 1.0 / 13.0);
        // 33, 27 and 15 layers become 22, 18 and 10.
        near(fitting(&[3.3, 2.7, 1.5], 0.1 * SQRT_2), 0.15);
    }

    #[test]
    fn nothing_to_fit_is_what_was_asked_for() {
        assert_eq!(fitting(&[], 0.0707), 0.0707);
        assert_eq!(whole(&[0.3, 0.33, f64::NEG_INFINITY], 0.1), [0.1 * 3.0]);
    }
}
