//! Interpolation in a cubic cell from values and gradients at its corners.
//!
//! Source: Adini & Clough, Analysis of plate bending by the finite element method (1960), in its
//! form for bricks: of the products of powers of the coordinates all cubics and twelve more, as
//! many as a cell has values and slopes. Cubics are met exactly, so that the error of the value
//! falls with the fourth power of the cell's edge and that of the gradient with the third; the
//! value continues continuously from cell to cell.
//!
//! Corner k of a cell lies at high x if k & 1, at high y if k & 2, at high z if k & 4.

use crate::integral::Flux;
use hashfall_geometry::Point;

/// What is interpolated at a corner: the value, and the slopes times the edge of a cell.
pub(super) type Corner = [f64; 4];

/// The value at `place` in a cell of this `edge` \[m\], each coordinate from 0 to 1, and its
/// gradient.
pub(super) fn interpolate(corners: &[Corner; 8], place: &Point, edge: f64) -> Flux {
    let at = place.map(|t| 2.0 * t - 1.0);
    let bend = 2.0 - at.norm_squared();
    let (mut value, mut gradient) = (0.0, Point::zeros());
    for (k, [own, slopes @ ..]) in corners.iter().enumerate() {
        let side = Point::from_fn(|a, _| if k >> a & 1 == 1 { 1.0 } else { -1.0 });
        // 1 + ξ₀ for each axis, with ξ₀ = ± ξ.
        let rise = at.component_mul(&side).add_scalar(1.0);
        let others = Point::new(rise.y * rise.z, rise.z * rise.x, rise.x * rise.y);
        let product = others.x * rise.x;
        let whole = bend + rise.sum() - 3.0;
        value += own * product * whole;
        for a in 0..3 {
            gradient[a] += own * (side[a] * others[a] * whole + product * (side[a] - 2.0 * at[a]));
        }
        for (a, slope) in slopes.iter().enumerate() {
            // ± (1 + ξ₀)² (ξ₀ − 1) of its own axis, half a cell for each unit.
            let own = 0.5 * slope * side[a];
            let (fall, along) = (rise[a] - 2.0, rise[a]);
            value += own * product * along * fall;
            for b in 0..3 {
                let change = if a == b {
                    others[a] * along * (2.0 * fall + along)
                } else {
                    // The third axis and the own.
                    rise[3 - a - b] * along * along * fall
                };
                gradient[b] += own * side[b] * change;
            }
        }
    }
    Flux { fraction: value / 16.0, gradient: gradient * (1.0 / (8.0 * edge)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    /// A polynomial of third degree with all its terms, and its gradient.
    fn cubic(weights: &[f64; 20], p: &Point) -> (f64, Point) {
        let powers = (0..4)
            .flat_map(|i| (0..4 - i).flat_map(move |j| (0..4 - i - j).map(move |k| [i, j, k])));
        let (mut value, mut gradient) = (0.0, Point::zeros());
        for (weight, powers) in weights.iter().zip(powers) {
            let term = |powers: [i32; 3]| (0..3).map(|a| p[a].powi(powers[a])).product::<f64>();
            value += weight * term(powers);
            for a in 0..3 {
                if powers[a] > 0 {
                    let mut lower = powers;
                    lower[a] -= 1;
                    gradient[a] += weight * f64::from(powers[a]) * term(lower);
                }
            }
        }
        (value, gradient)
    }

    #[test]
    fn cubics_are_met_exactly_and_values_are_continuous() {
        let mut random = Random::new(3);
        let edge = 0.3;
        for _ in 0..50 {
            let weights = std::array::from_fn(|_| random.number(-1.0, 1.0));
            let corner = |k: usize| {
                let at = Point::from_fn(|a, _| if k >> a & 1 == 1 { edge } else { 0.0 });
                let (value, gradient) = cubic(&weights, &at);
                [value, gradient.x * edge, gradient.y * edge, gradient.z * edge]
            };
            let corners = std::array::from_fn(corner);
            let place = random.point(0.0, 1.0);
            let found = interpolate(&corners, &place, edge);
            let (value, gradient) = cubic(&weights, &(place * edge));
            assert!((found.fraction - value).abs() < 1e-13, "{found:?} {value}");
            assert!((found.gradient - gradient).norm() < 1e-12, "{found:?} {gradient}");
            // On a face, only its corners count.
            let mut others = corners;
            (0..8).filter(|k| k & 2 == 0).for_each(|k| others[k] = [1.0, -2.0, 3.0, 0.5]);
            let on_face = Point::new(place.x, 1.0, place.z);
            let [a, b] = [corners, others].map(|all| interpolate(&all, &on_face, edge).fraction);
            assert!((a - b).abs() < 1e-13, "{a} {b}");
        }
    }
}
