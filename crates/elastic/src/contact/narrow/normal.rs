//! The cross product without cancellation.
//!
//! Of edges that are almost parallel the plain cross product is the difference of products that are
//! almost the same: at an angle σ its direction is wrong by u/σ. Where that matters the products'
//! rounding errors are taken along (Dekker, A floating-point technique for extending the available
//! precision (1971), §5), which leaves u + u²/σ; u = 2⁻⁵³. No fused multiply-add is used.

use hashfall_geometry::Point;

/// Below this sin²σ of the angle between two edges, products are split.
pub(super) const NEARLY_PARALLEL: f64 = 1e-3;

/// u × v, each component to about u of itself as long as σ > u.
pub(super) fn cross(u: &Point, v: &Point) -> Point {
    let plain = u.cross(v);
    if plain.norm_squared() > NEARLY_PARALLEL * u.norm_squared() * v.norm_squared() {
        return plain;
    }
    let component = |k: usize, l: usize| difference_of_products(u[k], v[l], u[l], v[k]);
    Point::new(component(1, 2), component(2, 0), component(0, 1))
}

/// ab − cd.
fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let ([ab, ab_error], [cd, cd_error]) = (two_product(a, b), two_product(c, d));
    (ab - cd) + (ab_error - cd_error)
}

/// The product rounded, and what is missing.
fn two_product(a: f64, b: f64) -> [f64; 2] {
    let product = a * b;
    let ([a, a_low], [b, b_low]) = (split(a), split(b));
    [product, ((a * b - product) + a * b_low + a_low * b) + a_low * b_low]
}

/// Two numbers of 26 bits each that add up to `a`.
fn split(a: f64) -> [f64; 2] {
    let scaled = 134_217_729.0 * a; // 2²⁷ + 1
    let high = scaled - (scaled - a);
    [high, a - high]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_that_are_almost_parallel_have_an_exact_normal() {
        // (2³⁰ + 1)(2³⁰ − 1) = 2⁶⁰ − 1, of which the plain product keeps 2⁶⁰.
        let big = f64::from(1 << 30);
        let (u, v) = (Point::new(big + 1.0, big, 0.0), Point::new(big, big - 1.0, 0.0));
        assert_eq!(u.cross(&v).z, 0.0, "the plain one");
        assert_eq!(cross(&u, &v), Point::new(0.0, 0.0, -1.0));
    }
}
