//! Warnings about meshes of solids that are probably misplaced: outside the domain, hollow without
//! a wall in the domain, in another unit of length, or with another vertical axis; with hints that
//! correct them.

use crate::lints::Bounds;
use crate::model::limits::SLACK;
use crate::model::{
    BodyMotion, Domain, Inside, MeshModel, MeshShape, Model, Rotation, SolidModel, Up,
};
use crate::problem::Problem;
use hashfall_core::to_f64;
use hashfall_fill::region::{MeshRegion, Region};
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use hashfall_solid::Solids;

/// A unit of length.
#[derive(Clone, Copy)]
struct Unit {
    /// As messages name it.
    name: &'static str,
    /// What it is \[m\].
    metres: f64,
}

/// A mesh outside the domain that is this many times as long may be in another unit.
const UNIT_RATIO: f64 = 10.0;
/// Units of length smaller than a metre that files are in.
const UNITS: [Unit; 3] = [
    Unit { name: "millimetres", metres: 1e-3 },
    Unit { name: "centimetres", metres: 1e-2 },
    Unit { name: "inches", metres: 0.0254 },
];
/// A mesh that is meant is no smaller a share of the domain \[–\].
const MEANT: f64 = 0.02;
/// A mesh in the domain may be this many times as long: a ground, or the walls of a room.
const TOO_LONG: f64 = 100.0;
/// The length of the domain over that of a mesh that can be meant, at the most.
const TOO_SHORT: f64 = 500.0;

/// How a scene places a mesh.
#[derive(Clone, Copy)]
struct PlacedMesh<'a> {
    /// The axis that points up in its file.
    up: Up,
    /// Factor on all lengths.
    scale: f64,
    /// Its rotation.
    rotate: &'a Rotation,
    /// Its displacement \[m\].
    translate: &'a [f64; 3],
    /// The box around it, placed \[m\].
    bounds: Bounds,
}

/// Warnings of the meshes of solids that stand still; `solids` has those of boxes too.
pub fn mesh_lints(model: &Model, solids: &Solids) -> Vec<Problem> {
    let has_mesh = |solid: &&(usize, &SolidModel)| solid.1.has_mesh();
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

/// The key of a solid mesh around the whole domain that is probably in another unit, and the hint
/// that puts it right.
pub fn swallowing_mesh(model: &Model, solids: &Solids) -> Option<(String, String)> {
    let Domain::Box { min, max, .. } = model.domain;
    let with_meshes = model.solids.iter().enumerate().filter(|solid| solid.1.has_mesh());
    with_meshes.zip(solids.meshes()).find_map(|((i, solid), mesh)| {
        let SolidModel::Mesh(said) = solid else { return None };
        let bounds: Bounds = MeshRegion::new(model.dimensions, mesh).bounds().into();
        let MeshModel { up, scale, rotate, translate, .. } = said;
        let up = up.unwrap_or_default();
        let placed = PlacedMesh { up, scale: *scale, rotate, translate, bounds };
        let is_around = holds(&bounds, &(min, max)) && placed.is_large_for(&(min, max));
        is_around.then(|| (format!("solids[{i}].scale"), placed.unit_hint(UNITS[0])))
    })
}

fn odd_mesh(model: &Model, path: &str, said: &MeshModel, mesh: &TriangleMesh) -> Option<Problem> {
    let Domain::Box { min, max, .. } = model.domain;
    let [low, high] = MeshRegion::new(model.dimensions, mesh).bounds();
    let MeshModel { up, scale, rotate, translate, .. } = said;
    let placed = PlacedMesh {
        up: up.unwrap_or_default(),
        scale: *scale,
        rotate,
        translate,
        bounds: (low, high),
    };
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
    } else if ratio < 1.0 / TOO_SHORT || is_below_radius(model, length(&(low, high))) {
        let longest = length(&(low, high));
        let message = format!("this mesh is {} m long: few particles can touch it", brief(longest));
        let help =
            format!("is it in other units? `scale: {}`, 1000 times as large", brief(1e3 * scale));
        (".scale", message, help)
    } else {
        let fitting = placed.fitting_hint(&(min, max))?;
        let message = "this mesh reaches out of the domain, and would lie in it otherwise placed";
        ("", message.to_owned(), fitting)
    };
    Some(Problem::warning(format!("{path}{key}"), message, &help))
}

/// Whether a length is shorter than the radius of particles, where there are some.
fn is_below_radius(model: &Model, length: f64) -> bool {
    model.particle_radius.is_some_and(|radius| length < radius)
}

/// As [`placement_hint`], of a mesh of fluid that is placed in the box `bounds` \[m\].
pub fn fluid_mesh_hint(model: &Model, shape: &MeshShape, bounds: Bounds) -> Option<String> {
    let MeshShape { up, scale, rotate, translate, .. } = shape;
    let (up, scale) = (up.unwrap_or_default(), *scale);
    placement_hint(model, &PlacedMesh { up, scale, rotate, translate, bounds })
}

/// What may be wrong with a mesh that reaches out of the domain: its unit, the axis that points up
/// in it, or both.
fn placement_hint(model: &Model, placed: &PlacedMesh) -> Option<String> {
    let Domain::Box { min, max, .. } = model.domain;
    let domain = (min, max);
    // Where no unit makes it fit, it may still be in the most usual one.
    let usual = placed.is_large_for(&domain).then(|| placed.unit_hint(UNITS[0]));
    placed.fitting_hint(&domain).or(usual)
}

impl PlacedMesh<'_> {
    fn is_large_for(&self, domain: &Bounds) -> bool {
        length(&self.bounds) > UNIT_RATIO * length(domain)
    }

    /// The unit or axis with which it lies in the domain, in which it does not lie as it is.
    fn fitting_hint(&self, domain: &Bounds) -> Option<String> {
        if holds(domain, &self.bounds) {
            return None;
        }
        let units = match self.is_large_for(domain) {
            true => UNITS.map(Some).to_vec(),
            false => vec![None],
        };
        // With a rotation of its own it is not turned otherwise.
        let turns = if self.rotate.degrees == 0.0 { &[false, true][..] } else { &[false] };
        let both = units.into_iter().flat_map(|unit| turns.iter().map(move |turn| (unit, *turn)));
        let (unit, is_turned) = { both }.find(|&(unit, is_turned)| {
            let bounds = self.with(unit.map_or(1.0, |unit| unit.metres), is_turned);
            holds(domain, &bounds) && length(&bounds) >= MEANT * length(domain)
        })?;
        let axis = is_turned.then(|| match self.up {
            Up::Y => "is z up in it? `up: Z` leaves it upright".to_owned(),
            Up::Z => "is y up in it? `up: Y` turns it to z, which is up here".to_owned(),
        });
        let unit = unit.map(|unit| self.unit_hint(unit));
        Some(unit.into_iter().chain(axis).collect::<Vec<_>>().join("; "))
    }

    fn unit_hint(&self, Unit { name, metres }: Unit) -> String {
        let scale = brief(metres * self.scale);
        format!("is it in {name}? `scale: {scale}` makes it metres")
    }

    /// The box around it with another unit and, if it is turned, the other axis up.
    fn with(&self, unit: f64, is_turned: bool) -> Bounds {
        let (low, high) = self.bounds;
        let in_file = |x: [f64; 3]| [0, 1, 2].map(|a| unit * (x[a] - self.translate[a]));
        let (low, high) = (in_file(low), in_file(high));
        let (low, high) = match (is_turned, self.up) {
            (false, _) => (low, high),
            // A quarter turn about x takes y to z, and z to −y; the other one takes it back.
            (true, Up::Y) => ([low[0], low[2], -high[1]], [high[0], high[2], -low[1]]),
            (true, _) => ([low[0], -high[2], low[1]], [high[0], -low[2], high[1]]),
        };
        let placed = |x: [f64; 3]| [0, 1, 2].map(|a| x[a] + self.translate[a]);
        (placed(low), placed(high))
    }
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
