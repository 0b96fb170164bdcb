//! The place of the vertex that replaces an edge, and the cost of the collapse.
//!
//! The planes of the old triangles i around the edge make a quadric (Garland & Heckbert, Surface
//! simplification using quadric error metrics, 1997). As in Lindstrom & Turk, Fast and memory
//! efficient polygonal simplification (1998), it is that of the present mesh, not of all that there
//! was, and weighted by squared areas; the place is that which keeps the enclosed volume exactly.
//! With area vectors nᵢ (twice the area), dᵢ = nᵢ·x on the plane, and the m neighbours bⱼ,
//!
//! cost(w) = Σᵢ (nᵢ·w − dᵢ)² + μ Σᵢ nᵢ² · (1/m) Σⱼ |w − bⱼ|²   is least, where Σᵢ (nᵢ·w − dᵢ) = 0:
//!
//! w = A⁻¹ (b + λ g), with A = Σ nᵢ nᵢᵀ + μ Σ nᵢ² 1, b = Σ dᵢ nᵢ + μ Σ nᵢ² b̄ and g = Σ nᵢ.
//!
//! Deviation: they look at the shape of triangles only where planes leave the place open. The term
//! with μ = [`ROUND`] does so where the surface is flat, and hardly anything elsewhere.

use hashfall_core::geometry::Point;
use nalgebra::Matrix3;

/// Weight of the distances to the neighbours.
const ROUND: f64 = 1e-3;

/// A place to which an edge may collapse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    /// The place \[m\].
    pub at: Point,
    /// Cost of the collapse \[m⁶\].
    pub cost: f64,
    /// Twice the summed area vectors of the triangles \[m²\].
    pub normal: Point,
}

impl Placement {
    /// The best place, given the triangles around the edge and its neighbours; `None` if the
    /// triangles do not tell one.
    pub fn best(
        triangles: impl Iterator<Item = [Point; 3]>,
        neighbors: impl Iterator<Item = Point>,
    ) -> Option<Self> {
        let (mut a, mut b, mut constant) = (Matrix3::zeros(), Point::zeros(), 0.0);
        let (mut gradient, mut volume) = (Point::zeros(), 0.0);
        for [p, q, r] in triangles {
            let normal = (q - p).cross(&(r - p));
            let distance = normal.dot(&p);
            a += normal * normal.transpose();
            b += normal * distance;
            constant += distance * distance;
            gradient += normal;
            volume += distance;
        }
        let (mut mean, mut squares, mut count) = (Point::zeros(), 0.0, 0.0);
        for neighbor in neighbors {
            mean += neighbor;
            squares += neighbor.norm_squared();
            count += 1.0;
        }
        let round = ROUND * a.trace();
        a += Matrix3::from_diagonal_element(round);
        b += mean * (round / count);
        constant += squares * (round / count);
        let inverse = a.try_inverse()?;
        let (free, along) = (inverse * b, inverse * gradient);
        let lambda = (volume - gradient.dot(&free)) / gradient.dot(&along);
        let at = free + along * lambda;
        let cost = at.dot(&(a * at)) - 2.0 * at.dot(&b) + constant;
        cost.is_finite().then_some(Placement { at, cost: cost.max(0.0), normal: gradient })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triangles around the edge from `u` to `v` in the middle of a hexagonal ring.
    fn around(u: Point, v: Point, ring: [Point; 6]) -> Vec<[Point; 3]> {
        let [a, b, c, d, e, f] = ring;
        let of_u = [[u, c, d], [u, d, e], [u, e, f], [u, f, v]];
        let of_v = [[v, f, a], [v, a, b], [v, b, c], [v, c, u]];
        [of_u, of_v].concat()
    }

    fn ring(height: impl Fn(f64, f64) -> f64) -> [Point; 6] {
        let at = |(x, y): (f64, f64)| Point::new(x, y, height(x, y));
        [(3.0, 0.0), (2.0, 2.0), (0.5, 2.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -2.0)].map(at)
    }

    #[test]
    fn in_a_plane_it_is_the_middle_of_the_neighbors() {
        let height = |x: f64, y: f64| 0.3 * x - 0.2 * y + 5.0;
        let ring = ring(height);
        let at = |x, y| Point::new(x, y, height(x, y));
        let old = around(at(0.0, 0.0), at(1.0, 0.3), ring);
        let best = Placement::best(old.into_iter(), ring.into_iter()).unwrap();
        let mean = ring.iter().sum::<Point>() / 6.0;
        assert!((best.at - mean).norm() < 1e-9, "{best:?}");
    }

    #[test]
    fn on_a_ridge_it_keeps_the_ridge_and_the_volume() {
        // The ridge of a roof runs along x; the edge lies on it, its neighbours partly.
        let roof = |_: f64, y: f64| -y.abs();
        let mut ring = ring(roof);
        ring[3].y = 0.0;
        ring[3].z = 0.0;
        let (u, v) = (Point::zeros(), Point::new(1.0, 0.0, 0.0));
        let old = around(u, v, ring);
        let best = Placement::best(old.iter().copied(), ring.into_iter()).unwrap();
        assert!(best.at.y.abs() < 0.05 && best.at.z.abs() < 0.05, "{best:?}");
        let holds =
            |t: [Point; 3]| (t[0] - best.at).dot(&(t[1] - best.at).cross(&(t[2] - best.at)));
        assert!(old.into_iter().map(holds).sum::<f64>().abs() < 1e-9);
    }
}
