//! The angle between two triangles at their edge, and its slope.
//!
//! Corners: the ends a, b of the edge, and c, d that face it, with a, b, c counter-clockwise. The
//! angle is that between the normals, from −π to π, zero if flat, and positive if the surface
//! curves towards the normal of a, b, c. It grows by 1/h with the distance that a facing corner at
//! height h goes along the normal n of its triangle: ∂θ/∂c = n/h; the ends take minus that, shared
//! as the foot of the height divides the edge, so that rigid motions change nothing.

use hashfall_geometry::Point;
use std::f64::consts::PI;

/// θ at such corners; zero where a triangle has no area.
pub fn angle([a, b, c, d]: &[Point; 4]) -> f64 {
    let edge = b - a;
    let (first, second) = (edge.cross(&(c - a)), (d - a).cross(&edge));
    let sine = second.cross(&first).dot(&edge);
    libm::atan2(sine, first.dot(&second) * edge.norm())
}

/// A difference of angles as one from −π to π.
pub fn wrap(angle: f64) -> f64 {
    match angle {
        angle if angle > PI => angle - 2.0 * PI,
        angle if angle < -PI => angle + 2.0 * PI,
        _ => angle,
    }
}

/// ∂θ/∂a to ∂θ/∂d \[1/m\]; zeros where a triangle has no area.
pub fn gradient([a, b, c, d]: &[Point; 4]) -> [Point; 4] {
    let edge = b - a;
    let square = edge.norm_squared();
    let length = square.sqrt();
    // n/h: h is twice the area over the length.
    let over_height = |normal: Point| {
        let area2 = normal.norm_squared();
        if area2 > 0.0 { normal * (length / area2) } else { Point::zeros() }
    };
    let (of_c, of_d) = (over_height(edge.cross(&(c - a))), over_height((d - a).cross(&edge)));
    let foot = |x: &Point| if square > 0.0 { edge.dot(&(x - a)) / square } else { 0.0 };
    let (s, t) = (foot(c), foot(d));
    [-of_c * (1.0 - s) - of_d * (1.0 - t), -of_c * s - of_d * t, of_c, of_d]
}

/// At least the spectral norm of ∂²θ/∂x² \[1/m²\]: [`CURVATURE`] over the square of the smallest
/// height of either triangle.
pub fn second_slope([a, b, c, d]: &[Point; 4]) -> f64 {
    let of = |u: &Point, v: &Point, w: &Point| {
        let twice_area = (v - u).cross(&(w - u)).norm();
        let longest = (v - u).norm().max((w - v).norm()).max((u - w).norm());
        let over_height = longest / twice_area;
        CURVATURE * over_height * over_height
    };
    of(a, b, c).max(of(a, b, d))
}

/// Found by trying: the largest of random pairs of triangles of any shape have 2.9.
const CURVATURE: f64 = 4.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::energy::testing::random_vector;
    use hashfall_core::rng::RandomStream;
    use nalgebra::DMatrix;

    fn random(rng: &mut RandomStream) -> [Point; 4] {
        let mut x = [(); 4].map(|()| random_vector(rng));
        // Of any shape, long ones too.
        let stretch = rng.between(0.05, 1.0);
        x.iter_mut().for_each(|x| x.y *= stretch);
        x
    }

    #[test]
    fn the_angle_of_a_valley_is_positive() {
        let [a, b] = [Point::zeros(), Point::y()];
        for theta in [-3.0_f64, -1.0, 0.0, 0.5, 2.0, 3.1] {
            let (s, c) = theta.sin_cos();
            // Counter-clockwise from above: the first lies where x < 0.
            let x = [a, b, -Point::x(), Point::new(c, 0.4, s)];
            assert!((angle(&x) - theta).abs() < 1e-14, "{} for {theta}", angle(&x));
        }
    }

    #[test]
    fn slopes_are_those_of_the_angle_and_bounded() {
        let mut rng = RandomStream::new(17);
        let mut largest: f64 = 0.0;
        for _ in 0..3000 {
            let x = random(&mut rng);
            let limit = second_slope(&x);
            let h = 1e-3 / limit.sqrt();
            if !limit.is_finite() || limit > 1e6 || (angle(&x).abs() - PI).abs() < 0.05 {
                continue;
            }
            let moved = |i: usize, k: usize, h: f64| {
                let mut x = x;
                x[i][k] += h;
                x
            };
            let slope = gradient(&x);
            let second = DMatrix::from_fn(12, 12, |row, column| {
                let at = |h: f64| gradient(&moved(column / 3, column % 3, h))[row / 3][row % 3];
                (at(h) - at(-h)) / (2.0 * h)
            });
            for (i, slope) in slope.iter().enumerate() {
                for k in 0..3 {
                    let at = |h: f64| angle(&moved(i, k, h));
                    let found = wrap(at(h) - at(-h)) / (2.0 * h);
                    assert!((found - slope[k]).abs() < 1e-5 * limit.sqrt(), "{found}, {slope}");
                }
            }
            let norm = second.symmetric_eigenvalues().amax();
            largest = largest.max(CURVATURE * norm / limit);
        }
        assert!(largest < CURVATURE, "{largest}");
        assert!(largest > 2.0, "the bound is far from what is found, {largest}");
    }
}
