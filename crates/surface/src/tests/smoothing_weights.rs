//! Smoothing weights: plateaus save means and change nothing.

use super::*;
use crate::field::neighbors;
use crate::interpolate::{Plateaus, scalars_at};
use crate::postprocess::smoothing::weights::{plateaus, smoothing_weights};
use crate::reconstruct::single::Reconstruction;

/// A block, a sheet beside it, and drops of single particles.
fn fluid() -> Particles {
    let mut points = lattice([20, 20, 8], 0.1);
    points.extend(lattice([20, 20, 1], 0.1).into_iter().map(|[x, y, z]| [x, y, z - 2.0]));
    points.extend((0..40).map(|i| [f64::from(i) * 0.5, -3.0, 0.01 * f64::from(i)]));
    Particles::at(&points)
}

#[test]
fn weights_are_those_of_the_means_everywhere() {
    let (particles, radius) = (fluid(), vec3([RADIUS; 3]).x);
    for anisotropy in [1.0, 2.0] {
        let settings = SurfaceSettings { anisotropy, ..SurfaceSettings::default() };
        let field = Reconstruction::new(&particles.input(), &settings, radius);
        let places = field.mesh().positions;
        let inside = neighbors::inside(vec3([SUPPORT; 3]).x / (2.0 * radius));
        let counts = neighbors::weighted_counts(field.0.isa, &field.0.cells);
        let usual = scalars_at(&field.0, &places, &counts, plateaus(inside));
        let nowhere = Plateaus { low: Real::MIN, high: Real::MAX };
        let means = scalars_at(&field.0, &places, &counts, nowhere);
        let Plateaus { low, high } = plateaus(inside);
        let share =
            |of: Real| usual.iter().filter(|x| **x == of).count() as f64 / usual.len() as f64;
        println!("plateaus of {:.3} and {:.3} of the vertices", share(low), share(high));
        assert!(share(low) > 0.05 && share(high) > 0.05, "{} {}", share(low), share(high));
        for (x, mean) in usual.iter().zip(&means).filter(|(x, _)| **x != low && **x != high) {
            assert_eq!(x.to_bits(), mean.to_bits());
        }
        let expected = smoothing_weights(&means, inside);
        let weights = field.smoothing_weights(&places, radius);
        for (weight, expected) in weights.iter().zip(&expected) {
            assert!((weight - expected).abs() < 1e-5, "{weight} is not {expected}");
        }
    }
}

#[test]
fn there_is_no_weight_where_there_are_no_particles() {
    let (particles, radius) = (fluid(), vec3([RADIUS; 3]).x);
    let field = Reconstruction::new(&particles.input(), &SurfaceSettings::default(), radius);
    let at = |place| field.smoothing_weights(&[vec3(place)], radius)[0];
    assert_eq!((at([50.0; 3]), at([1.25, 1.25, 0.5])), (0.0, 1.0));
}
