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
//!   ([`junction_curves`](crate::postprocess::smoothing::junction_curves)); their vertices move in
//!   even steps, and the surfaces between follow.
//! - Vertices on a solid slide along it, with w = 1, which does not change the volume. Those at the
//!   rim of the contact move along the rim; otherwise the contact would shrink.

use crate::postprocess::contact::flat::{Contact, ContactSolids};
use crate::postprocess::rings::{Padded, Rings, pad, unpad};
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use hashfall_core::{Real, Vec3, parallel, vec3};

/// Largest cell edge with a full Laplacian step, in particle radii.
const REFERENCE_CELL: f64 = 0.5;

/// How vertices may move.
pub(crate) struct VertexMotion<'a> {
    /// Smoothing weights, from 0 to 1; on solids they count at rims only.
    pub weights: &'a [Real],
    /// Relaxation factor of a vertex of weight 1.
    pub relaxation: Real,
    /// What each vertex lies on.
    pub contacts: &'a [Contact],
    /// The solids of the contacts, if there are any.
    pub contact_solids: Option<&'a ContactSolids<'a>>,
    /// The junction curves, if there are several fluids.
    pub curves: Option<&'a JunctionCurves>,
}

/// The relaxation factor on cells of this edge, in particle radii.
pub(crate) fn relaxation(cell: f64) -> Real {
    vec3([(REFERENCE_CELL / cell).powi(2).min(1.0); 3]).x
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
    pub fn smooth(&self, positions: &mut [Vec3], rings: &Rings, iterations: u32) {
        let rim: Vec<bool> = (0..self.contacts.len()).map(|v| self.is_rim(rings, v)).collect();
        let mut now = pad(positions);
        let mut next = now.clone();
        let steps = self.curve_steps(positions, iterations);
        for _ in 0..iterations {
            parallel::fill(&mut next, |v, place| {
                *place = if self.is_on_curve(v) {
                    now[v] + steps[v]
                } else if self.is_in_contact(v) {
                    self.slide(&now, rings, v, &rim)
                } else {
                    let mean = rings.mean_of_neighbors(&now, v);
                    now[v] + (mean - now[v]) * (self.relaxation * self.weights[v])
                };
            });
            std::mem::swap(&mut now, &mut next);
        }
        unpad(&now, positions);
    }

    /// The step of vertices on junction curves in each iteration, towards the smoothed curves;
    /// empty if there are no curves.
    fn curve_steps(&self, positions: &[Vec3], iterations: u32) -> Vec<Padded> {
        let Some(curves) = self.curves.filter(|_| iterations > 0) else { return Vec::new() };
        let part = |v: usize| self.relaxation * self.weights[v];
        let project = |v: usize, place: &mut Vec3| self.project(v, place);
        let mut steps = vec![Padded::zeros(); positions.len()];
        for (v, place) in curves.smoothed(positions, iterations, part, project) {
            steps[v] = ((place - positions[v]) / iterations as Real).push(0.0);
        }
        steps
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

    /// The next place of a vertex on a solid.
    fn slide(&self, positions: &[Padded], rings: &Rings, v: usize, rim: &[bool]) -> Padded {
        let mut place = positions[v];
        if rim[v] {
            let (sum, count) = self
                .along_rim(rings, v)
                .fold((Padded::zeros(), 0), |(s, n), u| (s + positions[u], n + 1));
            if count == 2 {
                place += (sum / 2.0 - place) * (self.relaxation * self.weights[v] / 2.0);
            }
        } else {
            place = rings.mean_of_neighbors(positions, v);
        }
        let mut place = place.xyz();
        if let Some(contact_solids) = self.contact_solids {
            contact_solids.project(&mut place, &self.contacts[v]);
        }
        place.push(0.0)
    }

    /// The neighbours of a vertex along the rim: a side is on it if just one of its two triangles
    /// lies on solids.
    fn along_rim(&self, rings: &Rings, v: usize) -> impl Iterator<Item = usize> {
        let is_in_contact =
            move |corners: [u32; 3]| corners.iter().all(|&u| self.is_in_contact(u as usize));
        let contact = move || rings.triangles(v).filter(move |&t| is_in_contact(t));
        let all = rings.neighbors(v).iter().copied();
        let is_on_rim = move |u: &u32| contact().filter(|t| t[1..].contains(u)).count() == 1;
        all.filter(is_on_rim).map(|u| u as usize)
    }
}
