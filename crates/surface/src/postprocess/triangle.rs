//! The quality of a triangle.

use hashfall_core::{Real, Vec3, parallel};

/// A triangle's shape.
pub(crate) struct TriangleShape {
    /// Twice the area vector \[m²\].
    pub normal: Vec3,
    /// q = 4√3 · area / Σ edge²: 1 if equilateral, 0 without area \[–\].
    pub quality: Real,
}

impl TriangleShape {
    /// The shape of the triangle with these corners.
    #[inline(always)]
    pub fn new([a, b, c]: [Vec3; 3]) -> Self {
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let normal = ab.cross(&ac);
        let squares = ab.norm_squared() + ac.norm_squared() + bc.norm_squared();
        let twice_sqrt_3 = 3.464_101_6;
        let quality = if squares > 0.0 { twice_sqrt_3 * normal.norm() / squares } else { 0.0 };
        TriangleShape { normal, quality }
    }
}

impl TriangleShape {
    /// Whether a triangle's quality is below some bound, or no number.
    #[inline(always)]
    pub fn is_worse([a, b, c]: [Vec3; 3], bound: Real) -> bool {
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let squares = ab.norm_squared() + ac.norm_squared() + bc.norm_squared();
        let least = bound * squares;
        let is_better = 12.0 * ab.cross(&ac).norm_squared() >= least * least;
        !is_better || squares == 0.0
    }
}

/// The triangles that `keep` accepts, in their order.
pub(crate) fn filtered(
    triangles: &[[u32; 3]],
    keep: impl Fn(&[u32; 3]) -> bool + Sync,
) -> Vec<[u32; 3]> {
    parallel::filter_map(triangles.len(), |k| Some(triangles[k]).filter(&keep))
}
