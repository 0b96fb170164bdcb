//! Checks the particle radius against the spacing of the particles in a file.
//!
//! The spacing is the median distance to the nearest neighbour of a sample of particles. On a
//! lattice of spacing d = 2r that is d, in a flow between 0.8 d and d. A radius that is far off
//! makes a lump of everything, or a ball of each particle.

use super::error::RadiusMismatch;
use super::files::Job;
use crate::cli::files::load;
use hashfall_core::{Real, Vec3, parallel};
use hashfall_input::{self as input, AttributeFilter, ColumnChoice};

/// Particles whose neighbours are looked for.
const SAMPLE: usize = 24;
/// With fewer particles, as of spray, distances tell nothing of the radius.
const MIN_PARTICLES: usize = 100;
/// Ratio of 2r to the spacing, or of the spacing to 2r, above which the radius is refused.
const MAX_RATIO: f64 = 3.0;

/// Checks a radius \[m\] against the first or the last of the files that has enough particles.
/// Files that cannot be read pass: their own errors follow.
///
/// # Errors
/// If it is far too large or too small.
pub fn check(jobs: &[Job], columns: &ColumnChoice, radius: f64) -> Result<(), RadiusMismatch> {
    let ends = jobs.first().into_iter().chain(jobs.last().filter(|_| jobs.len() > 1));
    let Some(spacing) = ends.filter_map(|job| spacing_of(job, columns)).next() else {
        return Ok(());
    };
    let ratio = 2.0 * radius / spacing;
    let fits = (1.0 / MAX_RATIO..=MAX_RATIO).contains(&ratio);
    if fits { Ok(()) } else { Err(RadiusMismatch { given: radius, spacing }) }
}

/// The spacing of the particles in a file \[m\].
fn spacing_of(job: &Job, columns: &ColumnChoice) -> Option<f64> {
    let part = job.parts.first()?;
    let bytes = load::particles(&part.path).ok()?;
    let none = AttributeFilter::Named(Vec::new());
    let cloud = input::read_columns(&bytes, part.format, columns, &none).ok()?;
    spacing(&cloud.positions)
}

/// The median distance from particles of a sample to their nearest neighbours \[m\]; `None` of few
/// particles, or where particles lie on one another.
fn spacing(positions: &[Vec3]) -> Option<f64> {
    let count = positions.len();
    if count < MIN_PARTICLES {
        return None;
    }
    let sample = SAMPLE.min(count);
    let mut distances = parallel::map(sample, |k| to_nearest(positions, k * count / sample));
    distances.sort_by(f64::total_cmp);
    Some(distances[distances.len() / 2]).filter(|median| *median > 0.0 && median.is_finite())
}

/// The distance from a particle to the nearest other one \[m\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn to_nearest(positions: &[Vec3], i: usize) -> f64 {
    let at = positions[i];
    let nearest = |others: &[Vec3]| {
        // Several minima at once, so that none waits for the last.
        let mut least = [Real::INFINITY; 8];
        let chunks = others.chunks_exact(least.len());
        let rest = chunks.remainder().iter().map(|other| (other - at).norm_squared());
        let rest = rest.fold(Real::INFINITY, Real::min);
        for chunk in chunks {
            for (least, other) in least.iter_mut().zip(chunk) {
                let square = (other - at).norm_squared();
                *least = if square < *least { square } else { *least };
            }
        }
        least.into_iter().fold(rest, Real::min)
    };
    (nearest(&positions[..i]).min(nearest(&positions[i + 1..])) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spacing_of_a_lattice_is_its_constant() {
        let along = |k: usize| (k % 6) as Real * 0.125;
        let place = |k: usize| Vec3::new(along(k), along(k / 6), along(k / 36));
        let lattice: Vec<Vec3> = (0..216).map(place).collect();
        assert_eq!(spacing(&lattice), Some(0.125));
        assert_eq!(spacing(&lattice[..50]), None);
        assert_eq!(spacing(&vec![lattice[0]; 200]), None);
    }

    #[test]
    fn a_mismatch_tells_the_radius_that_fits() {
        let message = RadiusMismatch { given: 20.0, spacing: 0.04 }.to_string();
        assert!(message.contains("too large") && message.contains("about 0.0200;"), "{message}");
        let message = RadiusMismatch { given: 1e-4, spacing: 0.04 }.to_string();
        assert!(message.contains("too small"), "{message}");
    }
}
