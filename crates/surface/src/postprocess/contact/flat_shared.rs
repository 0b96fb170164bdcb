//! Flat contact of several fluids: the outer surface moves onto solids, and interfaces follow.
//!
//! Solids do not attract interfaces, which would otherwise lie on the wall beside the curve where
//! they meet it. Interfaces follow their rim: each vertex moves by the mean displacement of its
//! neighbours, repeatedly. What is still beyond a solid then is put on it.

use crate::marching::complex::{VertexSides, triangle_sides};
use crate::mesh::SurfaceMesh;
use crate::phases::label::AIR;
use crate::postprocess::contact::flat::{Contact, ContactSolids};
use crate::postprocess::rings::Rings;
use crate::postprocess::smoothing::junction_curves::JunctionCurves;
use hashfall_core::{Real, Vec3, parallel};

/// Rounds in which interfaces follow the outer surface.
const FOLLOWED: usize = 8;

/// Attracts the outer surface to the solids near it; interfaces follow. Returns the contact of
/// each vertex.
pub(crate) fn flatten(
    contact_solids: &ContactSolids,
    mesh: &mut SurfaceMesh,
    vertex_sides: &[VertexSides],
) -> Vec<Contact> {
    let SurfaceMesh { positions, triangles, .. } = mesh;
    let is_outer = |t: &&[u32; 3]| triangle_sides(t, vertex_sides).lesser == AIR;
    let outer: Vec<[u32; 3]> = triangles.iter().filter(is_outer).copied().collect();
    let mut is_on_outer = vec![false; positions.len()];
    outer.iter().flatten().for_each(|&v| is_on_outer[v as usize] = true);
    let old = positions.clone();
    let mut contacts = contact_solids.flatten(positions, &outer);
    spread(&JunctionCurves::new(triangles, vertex_sides), positions, &mut contacts);
    let mut moves = vec![Vec3::zeros(); positions.len()];
    for v in (0..positions.len()).filter(|&v| !is_on_outer[v]) {
        contacts[v] = Contact::default();
    }
    for v in (0..positions.len()).filter(|&v| is_on_outer[v]) {
        moves[v] = positions[v] - old[v];
    }
    // The triangles of interfaces alone: theirs are all neighbours that are asked for.
    let inner: Vec<u32> =
        (0..positions.len() as u32).filter(|&v| !is_on_outer[v as usize]).collect();
    let touches = |t: &&[u32; 3]| t.iter().any(|&v| !is_on_outer[v as usize]);
    let beside: Vec<[u32; 3]> = triangles.iter().filter(touches).copied().collect();
    let rings = Rings::new(&beside, positions.len());
    let mut next = vec![Vec3::zeros(); inner.len()];
    for _ in 0..FOLLOWED {
        parallel::fill(&mut next, |i, step| {
            let around = rings.neighbors(inner[i] as usize);
            let sum = around.iter().fold(Vec3::zeros(), |sum, &u| sum + moves[u as usize]);
            *step = sum / around.len() as Real;
        });
        inner.iter().zip(&next).for_each(|(&v, step)| moves[v as usize] = *step);
    }
    parallel::fill(&mut next, |i, place| {
        let v = inner[i] as usize;
        *place = old[v] + moves[v];
        contact_solids.push_one_out(place);
    });
    inner.iter().zip(&next).for_each(|(&v, place)| positions[v as usize] = *place);
    contacts
}

/// Spreads vertices of a junction curve that lie on one edge between walls: they do not merge, so
/// one stays there, and the others stand in even steps up to the next vertex of the curve.
fn spread(curves: &JunctionCurves, positions: &mut [Vec3], contacts: &mut [Contact]) {
    let mut is_done = vec![false; positions.len()];
    for v in (0..positions.len()).filter(|&v| curves.has(v)) {
        if is_done[v] || !contacts[v].is_on_edge() {
            continue;
        }
        let mut ways = curves.neighbors(v);
        let [before, behind] =
            [ways.next(), ways.next()].map(|next| follow(curves, contacts, v, next));
        let run: Vec<usize> = before.iter().rev().copied().chain([v]).chain(behind).collect();
        let is_end = |u: &usize| contacts[*u] != contacts[v];
        let (first, last) =
            (run.iter().position(|u| !is_end(u)), run.iter().rposition(|u| !is_end(u)));
        let (Some(first), Some(last)) = (first, last) else { continue };
        run[first..=last].iter().for_each(|&u| is_done[u] = true);
        let middle = (first + last) / 2;
        let corner = (positions[run[middle]], contacts[run[middle]]);
        for (side, end) in
            [(first..middle, first.checked_sub(1)), (middle + 1..last + 1, Some(last + 1))]
        {
            let Some(&end) = end.and_then(|end| run.get(end)) else { continue };
            let steps = side.len() as Real + 1.0;
            for i in side {
                let part = i.abs_diff(middle) as Real / steps;
                positions[run[i]] = corner.0.lerp(&positions[end], part);
                contacts[run[i]] = corner.1.common_walls(&contacts[end]);
            }
        }
    }
}

/// The vertices along a curve from one on, up to the first on other walls.
fn follow(
    curves: &JunctionCurves,
    contacts: &[Contact],
    from: usize,
    next: Option<usize>,
) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut last, mut next) = (from, next);
    while let Some(v) = next.filter(|&v| v != from) {
        found.push(v);
        let ahead = curves.neighbors(v).find(|&u| u != last);
        next = ahead.filter(|_| contacts[v] == contacts[from]);
        last = v;
    }
    found
}
