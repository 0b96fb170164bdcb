//! A box filled with particles on a cubic lattice of spacing d: centres at `min + (i + ½) d`, as
//! many as fit, so that the first layer of a box flush with a wall is at distance d/2 = r from it.
//! In two dimensions there is one layer, at y = 0.

use hashfall_core::Dimension;

/// Part of a spacing by which a box may fall short of a layer through rounding.
const ROUNDING: f64 = 1e-6;

/// Layers along each axis of the box from `min` to `max`, at spacing `d`.
pub fn counts(dimension: Dimension, min: &[f64; 3], max: &[f64; 3], d: f64) -> [u64; 3] {
    std::array::from_fn(|a| match (dimension, a) {
        (Dimension::Two, 1) => 1,
        // Casts of floats saturate, so that an absurd box counts as too many, not as few.
        _ => ((max[a] - min[a]) / d + ROUNDING).floor() as u64,
    })
}

/// The centres, x fastest, then y, then z.
pub fn centres(
    dimension: Dimension,
    min: [f64; 3],
    max: [f64; 3],
    d: f64,
) -> impl Iterator<Item = [f64; 3]> {
    let [nx, ny, nz] = counts(dimension, &min, &max, d);
    let at = move |a: usize, i: u64| match (dimension, a) {
        (Dimension::Two, 1) => 0.0,
        _ => min[a] + (i as f64 + 0.5) * d,
    };
    (0..nz).flat_map(move |k| {
        (0..ny).flat_map(move |j| (0..nx).map(move |i| [at(0, i), at(1, j), at(2, k)]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACE: Dimension = Dimension::Three;

    #[test]
    fn a_box_of_whole_layers_is_full_in_spite_of_rounding() {
        // 0.3 / 0.1 is a little below 3 in binary.
        let points: Vec<_> = centres(SPACE, [0.0; 3], [0.3, 0.2, 0.1], 0.1).collect();
        assert_eq!(points.len(), 3 * 2);
        assert!(points.iter().all(|p| (p[2] - 0.05).abs() < 1e-15));
        assert_eq!(points[1], [0.15000000000000002, 0.05, 0.05]);
    }

    #[test]
    fn the_plane_has_one_layer() {
        let points: Vec<_> = centres(Dimension::Two, [0.0; 3], [0.3, 0.0, 0.2], 0.1).collect();
        assert_eq!(points.len(), 3 * 2);
        assert!(points.iter().all(|p| p[1] == 0.0));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(counts(SPACE, &[0.0; 3], &[0.39, 0.1, 0.05], 0.1), [3, 1, 0]);
        assert_eq!(counts(SPACE, &[0.0; 3], &[1e300, 1.0, 1.0], 0.1)[0], u64::MAX);
    }
}
