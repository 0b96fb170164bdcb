//! Weighted Laplacian smoothing, also of surfaces that lie against solids.
//!
//! x ← x + w (mean of the neighbours − x), all vertices at once (Jacobi), about 30 times: bumps of
//! the size of a particle vanish, and the mesh becomes even.
//!
//! Source: Löschner, Böttcher, Rhys Jeske & Bender, Weighted Laplacian Smoothing for Surface
//! Reconstruction of Particle-based Fluids (2023), with β = 1: the weight w is small where little
//! fluid is near ([`weights`](crate::postprocess::smoothing::weights)), so that spray and thin
//! sheets keep their shape.
//!
//! Deviations:
//!
//! - n iterations reach as far as √n edges, so on large cells they would remove strands, not bumps.
//!   There vertices move a part of the way, so that the reach in particle radii is the same.
//! - Junction curves are smoothed separately
//!   ([`junction_curves`](crate::postprocess::smoothing::junction_curves)); the surfaces between
//!   follow.
//! - Vertices on a solid slide along it, with w = 1, which does not change the volume. Those at the
//!   rim of the contact move along the rim; otherwise the contact would shrink. A wall takes part
//!   in each iteration, as no weight across it; on other solids vertices are put in the end.
//! - Each step is linear, so a polynomial does what many do
//!   ([`walk`](crate::postprocess::smoothing::walk)). What is iterated are the vertices' ways from
//!   their old places, so that no digits are lost far from the origin.

use crate::postprocess::contact::flat::{Contact, ContactSolids};
use crate::postprocess::rings::{Padded, Rings};
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use crate::postprocess::smoothing::walk::WalkPolynomial;
use crate::postprocess::stencil::Stencil;
use hashfall_core::{Real, Vec3, parallel, vec3};

/// Largest cell edge with a full Laplacian step, in particle radii.
const REFERENCE_CELL: f64 = 0.5;

/// How vertices may move.
pub(crate) struct VertexMotion<'a> {
    /// Smoothing weights, from 0 to 1; on solids they count at rims only.
    pub weights: &'a [Real],
    /// Relaxation factor of a vertex of weight 1.
    pub relaxation: f64,
    /// What each vertex lies on.
    pub contacts: &'a [Contact],
    /// The solids of the contacts, if there are any.
    pub contact_solids: Option<&'a ContactSolids<'a>>,
    /// The junction curves, if there are several fluids.
    pub curves: Option<&'a JunctionCurves>,
}

/// The relaxation factor on cells of this edge, in particle radii.
pub(crate) fn relaxation(cell: f64) -> f64 {
    (REFERENCE_CELL / cell).powi(2).min(1.0)
}

impl VertexMotion<'_> {
    /// Whether a vertex lies on a solid.
    pub fn is_in_contact(&self, v: usize) -> bool {
        self.contacts[v].is_any()
    }

    /// Whether a vertex is on a junction curve.
    #[inline(always)]
    pub fn is_on_curve(&self, v: usize) -> bool {
        self.curves.is_some_and(|curves| curves.has(v))
    }

    /// Smooths positions `iterations` times.
    pub fn smooth(&self, positions: &mut [Vec3], stencil: &Stencil, iterations: u32) {
        let (parts, rims) = self.parts(stencil.rings);
        let with_rims = (!rims.is_empty()).then(|| stencil.with(&rims));
        let stencil = with_rims.as_ref().unwrap_or(stencil);
        let along_curves = self.steps_along_curves(positions, iterations);
        let mut first = vec![Padded::zeros(); positions.len()];
        parallel::fill(&mut first, |v, step| {
            *step = match along_curves.get(v) {
                Some(&way) if self.is_on_curve(v) => way,
                _ => stencil.mean_difference(positions, v).push(0.0).component_mul(&parts[v]),
            };
        });
        let mut ways = vec![Padded::zeros(); positions.len()];
        WalkPolynomial::new(iterations, self.relaxation).apply(&mut ways, |ways, v| {
            let towards = stencil.mean_difference(ways, v);
            // On a curve the way is what it is, whatever the last one was.
            let kept = if self.is_on_curve(v) { Padded::zeros() } else { ways[v] };
            kept + towards.component_mul(&parts[v]) + first[v]
        });
        parallel::fill(positions, |v, place| {
            let on_curve = along_curves.get(v).filter(|_| self.is_on_curve(v));
            *place += on_curve.unwrap_or(&ways[v]).xyz();
            if self.contacts[v].is_on_object() {
                self.project(v, place);
            }
        });
    }

    /// The part of the way to the mean of its neighbours that each vertex goes along each axis; and
    /// the vertices at rims, whose neighbours are those along the rim.
    fn parts(&self, rings: &Rings) -> (Vec<Padded>, Vec<(usize, [u32; 2])>) {
        let mut parts = vec![Padded::zeros(); self.weights.len()];
        parallel::fill(&mut parts, |v, part| {
            if !self.is_on_curve(v) {
                let weight = if self.is_in_contact(v) { 1.0 } else { self.weights[v] };
                *part = Vec3::repeat(weight).push(0.0);
                self.contacts[v].axes().for_each(|axis| part[axis] = 0.0);
            }
        });
        let is_rim = |&v: &usize| self.is_rim(rings, v) && !self.is_on_curve(v);
        let mut rims = Vec::new();
        for v in (0..parts.len()).filter(is_rim) {
            let along: Vec<u32> = self.along_rim(rings, v).collect();
            if let Ok(along) = along.try_into() {
                rims.push((v, along));
                parts[v] *= 0.5 * self.weights[v];
            } else {
                parts[v] = Padded::zeros();
            }
        }
        (parts, rims)
    }

    /// The ways of vertices on junction curves; empty if there are no curves.
    fn steps_along_curves(&self, positions: &[Vec3], iterations: u32) -> Vec<Padded> {
        let Some(curves) = self.curves.filter(|_| iterations > 0) else { return Vec::new() };
        let relaxation = vec3([self.relaxation; 3]).x;
        let part = |v: usize| relaxation * self.weights[v];
        let project = |v: usize, place: &mut Vec3| self.project(v, place);
        let mut ways = vec![Padded::zeros(); positions.len()];
        for (v, place) in curves.smoothed(positions, iterations, part, project) {
            ways[v] = (place - positions[v]).push(0.0);
        }
        ways
    }

    /// Projects a vertex at a new place onto its contacts, or pushes it out of solids.
    pub fn project(&self, v: usize, place: &mut Vec3) {
        match self.contact_solids {
            Some(contact_solids) if self.is_in_contact(v) => {
                contact_solids.project(place, &self.contacts[v])
            }
            Some(contact_solids) => contact_solids.push_one_out(place),
            None => {}
        }
    }

    /// Whether a vertex on a solid has neighbours that are not.
    fn is_rim(&self, rings: &Rings, v: usize) -> bool {
        self.is_in_contact(v) && rings.neighbors(v).iter().any(|&u| !self.is_in_contact(u as usize))
    }

    /// The neighbours of a vertex along the rim: a side is on it if just one of its two triangles
    /// lies on solids.
    fn along_rim(&self, rings: &Rings, v: usize) -> impl Iterator<Item = u32> {
        let is_in_contact =
            move |corners: [u32; 3]| corners.iter().all(|&u| self.is_in_contact(u as usize));
        let contact = move || rings.triangles(v).filter(move |&t| is_in_contact(t));
        let all = rings.neighbors(v).iter().copied();
        let is_on_rim = move |u: &u32| contact().filter(|t| t[1..].contains(u)).count() == 1;
        all.filter(is_on_rim)
    }
}
