//! The simplices of which bodies are made: gradients of their shape functions, and quadrature.
//!
//! Linear triangles and tetrahedra have one point. The tetrahedron of ten nodes has straight edges
//! at rest, quadratic shape functions, and four points (exact to the second degree): at each, one
//! barycentric coordinate is (5 + 3√5)/20, the others (5 − √5)/20. Its nodes are the four corners,
//! then those on the edges [`EDGES`](crate::mesh::EDGES). Nᵢ = ξᵢ (2 ξᵢ − 1) and N_ij = 4 ξᵢ ξⱼ.
//!
//! Quadratic, as linear tetrahedra are far too stiff in bending: `docs/elastic.md` has the figures.
//!
//! Masses are those of the diagonal of the consistent mass matrix, scaled to the whole (Hinton,
//! Rock & Zienkiewicz 1976): 1/36 for a corner, 4/27 for a node on an edge.

use super::continuum_element::QuadraturePoint;
use crate::mesh::EDGES;
use hashfall_geometry::Point;
use nalgebra::{Matrix3, SVector, Vector2, Vector3};

/// Shares of a quadratic tetrahedron's mass: of a corner, and of a node on an edge.
pub const MASS_SHARES: [f64; 2] = [1.0 / 36.0, 4.0 / 27.0];

/// A triangle of such a thickness \[m\]; none without an area.
pub fn triangle(x: &[Point; 3], thickness: f64) -> Option<[QuadraturePoint<3, 2>; 1]> {
    let [u, v] = [x[1] - x[0], x[2] - x[0]];
    let twice_area = u.cross(&v).norm();
    // In the frame of the first edge.
    let length = u.norm();
    let (along, across) = (u.dot(&v) / length, twice_area / length);
    let gradients = [
        Vector2::new(-1.0 / length, (along - length) / twice_area),
        Vector2::new(1.0 / length, -along / twice_area),
        Vector2::new(0.0, 1.0 / across),
    ];
    let is_finite = twice_area > 0.0 && all_finite(&gradients);
    is_finite.then_some([QuadraturePoint { weight: 0.5 * twice_area * thickness, gradients }])
}

/// The gradients of barycentric coordinates, and the volume, positive if the corners are in order.
fn barycentric(x: &[Point; 4]) -> Option<([Point; 4], f64)> {
    let edges = Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]);
    let volume = edges.determinant() / 6.0;
    let rows = edges.try_inverse()?;
    let [b, c, d] = [0, 1, 2].map(|k| rows.row(k).transpose());
    let gradients = [-(b + c + d), b, c, d];
    (volume > 0.0 && all_finite(&gradients)).then_some((gradients, volume))
}

/// A linear tetrahedron; none unless its volume is positive.
pub fn tetrahedron(x: &[Point; 4]) -> Option<[QuadraturePoint<4, 3>; 1]> {
    let (gradients, weight) = barycentric(x)?;
    Some([QuadraturePoint { weight, gradients }])
}

/// A quadratic tetrahedron with these corners; none unless its volume is positive.
pub fn quadratic_tetrahedron(x: &[Point; 4]) -> Option<[QuadraturePoint<10, 3>; 4]> {
    let (g, volume) = barycentric(x)?;
    let root = 5.0_f64.sqrt();
    let (near, far) = ((5.0 + 3.0 * root) / 20.0, (5.0 - root) / 20.0);
    Some(std::array::from_fn(|point| {
        let xi: [f64; 4] = std::array::from_fn(|k| if k == point { near } else { far });
        let mut gradients = [Vector3::zeros(); 10];
        for k in 0..4 {
            gradients[k] = g[k] * (4.0 * xi[k] - 1.0);
        }
        for (out, [i, j]) in gradients[4..].iter_mut().zip(EDGES) {
            *out = (g[i] * xi[j] + g[j] * xi[i]) * 4.0;
        }
        QuadraturePoint { weight: 0.25 * volume, gradients }
    }))
}

fn all_finite<const D: usize>(vectors: &[SVector<f64, D>]) -> bool {
    vectors.iter().all(|vector| vector.iter().all(|x| x.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::super::{ContinuumElement, NeoHookeanMembrane, NeoHookeanSolid};
    use super::*;
    use crate::energy::Element;
    use crate::energy::testing::{assert_forces, assert_matrices, random_vector};
    use hashfall_core::rng::RandomStream;

    const CORNERS: [[f64; 3]; 4] =
        [[0.1, 0.0, 0.2], [1.2, 0.1, 0.0], [0.3, 0.9, 0.1], [0.2, 0.3, 1.1]];

    fn corners() -> [Point; 4] {
        CORNERS.map(Point::from)
    }

    fn with_edges(x: &[Point; 4]) -> [Point; 10] {
        std::array::from_fn(|k| match k {
            0..4 => x[k],
            _ => (x[EDGES[k - 4][0]] + x[EDGES[k - 4][1]]) * 0.5,
        })
    }

    fn check<E: Element<N>, const N: usize>(element: &E, rest: [Point; N], stiffness: f64) {
        let mut rng = RandomStream::new(8);
        assert!(element.energy(&rest).abs() < 1e-15 * stiffness);
        for shake in [0.01, 0.2, 0.6] {
            let x = rest.map(|x| x * 1.15 + random_vector(&mut rng) * shake);
            assert_forces(element, &x, 1.0, stiffness);
            assert_matrices(element, &x, 1.0, shake == 0.01);
        }
    }

    #[test]
    fn forces_and_matrices_are_those_of_the_energies() {
        let x = corners();
        let [modulus, damping_time] = [7.0, 0.02];
        let material = NeoHookeanSolid::new(modulus, 0.35);
        let points = tetrahedron(&x).unwrap();
        check(&ContinuumElement { material, points, damping_time }, x, 20.0);
        let points = quadratic_tetrahedron(&x).unwrap();
        check(&ContinuumElement { material, points, damping_time }, with_edges(&x), 20.0);
        let material = NeoHookeanMembrane::new(modulus, 0.35);
        let x = [x[0], x[1], x[2]];
        let points = triangle(&x, 0.3).unwrap();
        check(&ContinuumElement { material, points, damping_time }, x, 5.0);
    }

    #[test]
    fn gradients_are_exact_and_weights_the_volume() {
        let x = corners();
        let f = Matrix3::new(1.0, 0.2, 0.1, -0.3, 0.9, 0.4, 0.2, 0.0, 1.3);
        let (volume, points) = (0.5 * 1.0 / 3.0, quadratic_tetrahedron(&x).unwrap());
        let exact = Matrix3::from_columns(&[x[1] - x[0], x[2] - x[0], x[3] - x[0]]).determinant();
        let total: f64 = points.iter().map(|point| point.weight).sum();
        assert!((total - exact / 6.0).abs() < 1e-15 && total > 0.5 * volume);
        let moved = with_edges(&x.map(|x| f * x));
        for point in &points {
            let terms = moved.iter().zip(&point.gradients);
            let found = terms.fold(Matrix3::zeros(), |sum, (x, g)| sum + x * g.transpose());
            assert!((found - f).norm() < 1e-14);
        }
        assert!((4.0 * MASS_SHARES[0] + 6.0 * MASS_SHARES[1] - 1.0).abs() < 1e-15);
        // The volume is negative, or nothing.
        assert!(tetrahedron(&[x[1], x[0], x[2], x[3]]).is_none());
        assert!(tetrahedron(&[x[0], x[0], x[2], x[3]]).is_none());
        assert!(triangle(&[x[0], x[1], x[1]], 1.0).is_none());
    }
}
