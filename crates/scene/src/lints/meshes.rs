//! Warnings about meshes of solids that are probably misplaced: outside the domain, hollow without
//! a wall in the domain, in another unit of length, or with another vertical axis; with hints that
//! correct them.

use crate::layout::region::{MeshRegion, Region};
use crate::lints::Bounds;
use crate::model::limits::SLACK;
use crate::model::{BodyMotion, Domain, Inside, MeshModel, Model, Rotation, SolidModel};
use crate::problem::Problem;
use hashfall_core::to_f64;
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use hashfall_solid::Solids;

/// A mesh outside the domain that is so many times as long may be in millimetres.
const MILLIMETRE_RATIO: f64 = 10.0;
/// A mesh in the domain may be so many times as long: a ground, or the walls of a room.
const TOO_LONG: f64 = 100.0;
/// The domain is so many times as long as a mesh that can be meant.
const TOO_SHORT: f64 = 500.0;

/// How a scene places a mesh.
#[derive(Clone, Copy)]
pub struct PlacedMesh<'a> {
    /// Factor on all lengths.
    pub scale: f64,
    /// Its rotation.
    pub rotate: &'a Rotation,
    /// Its displacement \[m\].
    pub translate: &'a [f64; 3],
    /// The box around it, placed \[m\].
    pub bounds: Bounds,
}

/// Warnings of the meshes of solids that stand still; `solids` has those of boxes too.
pub fn mesh_lints(model: &Model, solids: &Solids) -> Vec<Problem> {
    let has_mesh = |solid: &&(usize, &SolidModel)| !matches!(solid.1, SolidModel::SphereField(_));
    let numbered: Vec<_> = model.solids.iter().enumerate().collect();
    let with_meshes = numbered.iter().filter(has_mesh).zip(solids.meshes());
    with_meshes
        .filter_map(|(&(i, solid), mesh)| match solid {
            SolidModel::Mesh(said) if said.motion == BodyMotion::Still => {
                odd_mesh(model, &format!("solids[{i}]"), said, mesh)
            }
            _ => None,
        })
        .collect()
}

fn odd_mesh(model: &Model, path: &str, said: &MeshModel, mesh: &TriangleMesh) -> Option<Problem> {
    let Domain::Box { min, max, .. } = model.domain;
    let [low, high] = MeshRegion::new(model.dimensions, mesh).bounds();
    let MeshModel { scale, rotate, translate, .. } = said;
    let placed = PlacedMesh { scale: *scale, rotate, translate, bounds: (low, high) };
    let placement_hint = placement_hint(model, &placed);
    let usual = || "check `scale` and `translate`, and the mesh's own units".to_owned();
    let is_outside = (0..3).any(|a| high[a] < min[a] || low[a] > max[a]);
    let ratio = length(&(low, high)) / length(&(min, max));
    let (key, message, help) = if is_outside {
        let message = "this mesh lies outside the domain: nothing can touch it".to_owned();
        ("", message, placement_hint.unwrap_or_else(usual))
    } else if said.inside == Inside::Hollow && !has_wall_in(mesh, &min, &max) {
        let message = "this hollow has no wall in the domain: nothing can touch it".to_owned();
        ("", message, placement_hint.unwrap_or_else(usual))
    } else if ratio > TOO_LONG {
        let message = format!("this mesh is {ratio:.0} times as long as the domain");
        (".scale", message, placement_hint.unwrap_or_else(usual))
    } else if ratio < 1.0 / TOO_SHORT || length(&(low, high)) < model.particle_radius {
        let longest = length(&(low, high));
        let message = format!("this mesh is {} m long: few particles can touch it", brief(longest));
        let help =
            format!("is it in other units? `scale: {}`, 1000 times as large", brief(1e3 * scale));
        (".scale", message, help)
    } else {
        let turned = placement_hint?;
        let message = "this mesh reaches out of the domain, and would lie in it if turned";
        (".rotate", message.to_owned(), turned)
    };
    Some(Problem::warning(format!("{path}{key}"), message, &help))
}

/// What may be wrong with a mesh that reaches out of the domain.
pub fn placement_hint(model: &Model, placed: &PlacedMesh) -> Option<String> {
    let Domain::Box { min, max, .. } = model.domain;
    let domain = (min, max);
    let ratio = length(&placed.bounds) / length(&domain);
    if holds(&domain, &placed.bounds) {
        return None;
    }
    if ratio > MILLIMETRE_RATIO {
        let scale = brief(1e-3 * placed.scale);
        return Some(format!("is it in millimetres? `scale: {scale}` makes it metres"));
    }
    let (low, high) = placed.bounds;
    let offset = placed.translate;
    // A quarter turn about x takes y to z, and z to −y.
    let turned = |y: f64, z: f64| [offset[1] - (z - offset[2]), offset[2] + (y - offset[1])];
    let ([y, z], [other_y, other_z]) = (turned(low[1], high[2]), turned(high[1], low[2]));
    let turned = ([low[0], y, z], [high[0], other_y, other_z]);
    (placed.rotate.degrees == 0.0 && holds(&domain, &turned)).then(|| {
        "is y up in it? `rotate: (axis: (1.0, 0.0, 0.0), degrees: 90.0)` turns it to z, which is \
         up here"
            .to_owned()
    })
}

/// Whether a box lies in another, but for rounding.
fn holds((min, max): &Bounds, (low, high): &Bounds) -> bool {
    let slack = SLACK * length(&(*min, *max));
    (0..3).all(|a| low[a] >= min[a] - slack && high[a] <= max[a] + slack)
}

/// The longest edge of a box \[m\].
fn length((low, high): &Bounds) -> f64 {
    (0..3).map(|a| high[a] - low[a]).fold(0.0, f64::max)
}

/// Whether a triangle of a mesh has a point in a box.
fn has_wall_in(mesh: &TriangleMesh, min: &[f64; 3], max: &[f64; 3]) -> bool {
    (0..mesh.triangles.len()).any(|t| {
        let corners = mesh.corners(t);
        let around = Aabb::around(&corners);
        let (low, high) = (to_f64(&around.min), to_f64(&around.max));
        let may = (0..3).all(|a| low[a] <= max[a] && high[a] >= min[a]);
        let mut part: Vec<Point> = corners.iter().map(|c| Point::from(to_f64(c))).collect();
        // What the planes of the box cut off one by one (Sutherland & Hodgman 1974).
        for a in if may { 0..3 } else { 0..0 } {
            part = above(&part, |p| p[a] - min[a]);
            part = above(&part, |p| max[a] - p[a]);
        }
        may && !part.is_empty()
    })
}

/// The part of a convex polygon where a linear function is not negative.
fn above(polygon: &[Point], height: impl Fn(&Point) -> f64) -> Vec<Point> {
    let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let mut part = Vec::new();
    for (p, q) in edges {
        let (from, to) = (height(p), height(q));
        if from >= 0.0 {
            part.push(*p);
        }
        if (from < 0.0) != (to < 0.0) {
            part.push(p + (q - p) * (from / (from - to)));
        }
    }
    part
}

fn brief(x: f64) -> String {
    hashfall_core::format_significant(x, 3)
}
