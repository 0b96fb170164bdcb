//! Vertex normals of a mesh whose vertices have moved.
//!
//! The normal is the mean of the normals of the triangles around a vertex, weighted by area.
//! Smoothing replaces n by the mean of n and the neighbours' n, which evens the shading and moves
//! no vertex; the last means are brought to length 1.

use crate::postprocess::rings::pad;
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use crate::postprocess::smoothing::walk::WalkPolynomial;
use crate::postprocess::stencil::Stencil;
use hashfall_core::{Vec3, parallel};

/// Gives a mesh without normals those of its triangles.
pub(crate) fn begin(normals: &mut Vec<Vec3>, positions: &[Vec3], triangles: &[[u32; 3]]) {
    if normals.len() == positions.len() {
        return;
    }
    let mut sums = vec![Vec3::zeros(); positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        let area = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| sums[v as usize] += area);
    }
    // Triangles that cancel out say nothing: any axis serves.
    parallel::fill(&mut sums, |_, sum| *sum = sum.try_normalize(0.0).unwrap_or_else(Vec3::z));
    *normals = sums;
}

/// Computes the normals from the vertices' area vectors.
pub(crate) fn compute(normals: &mut [Vec3], areas: &[Vec3]) {
    parallel::fill(normals, |v, normal| {
        // Triangles that cancel out leave the normal that the fluid's field had.
        *normal = areas[v].try_normalize(0.0).unwrap_or(*normal);
    });
}

/// Smooths normals `iterations` times with a relaxation factor; those on junction curves stay.
pub(crate) fn smooth(
    normals: &mut [Vec3],
    stencil: &Stencil,
    curves: Option<&JunctionCurves>,
    iterations: u32,
    relaxation: f64,
) {
    if iterations == 0 {
        return;
    }
    let mut means = pad(normals);
    WalkPolynomial::new(iterations, relaxation).apply(&mut means, |normals, v| {
        if curves.is_some_and(|curves| curves.has(v)) {
            return normals[v];
        }
        normals[v] + stencil.sum_of_differences(normals, v) * stencil.share_with_itself(v)
    });
    parallel::fill(normals, |v, normal| {
        *normal = means[v].xyz().try_normalize(0.0).unwrap_or(*normal);
    });
}
