//! Where the surfaces of free bodies are covered: another body, a solid or a wall is so near in
//! front of them that no particle fits between.

use crate::world::from_z;
use hashfall_geometry::Point;
use hashfall_rigid::{Bounds, RigidSystem, Shape};
use nalgebra::{Isometry3, Vector3};

/// The radius of the needles that are held out, over their length \[–\].
const THICKNESS: f64 = 0.05;

/// The narrowest gap that holds particles, in spacings.
const GAP: f64 = 0.9;

/// How far needles begin below the surface, over their length: of meshes only the surface is met,
/// and bodies that touch may be in each other by rounding \[–\].
const DEPTH: f64 = 0.1;

/// What is near each free body.
pub struct Covers<'a> {
    system: &'a RigidSystem,
    /// By free body: the others of the system, with boxes that hold all that they may cover.
    others: Vec<Vec<(u32, Bounds)>>,
    /// Along z about its middle.
    needle: Shape,
    /// How wide gaps are at most \[m\].
    length: f64,
}

impl<'a> Covers<'a> {
    /// Those of the first `count` bodies of a system in fluid of this spacing \[m\]; none if
    /// nothing is near anything.
    pub fn new(system: &'a mut RigidSystem, count: usize, spacing: f64) -> Option<Self> {
        let length = GAP * spacing;
        let pairs = system.pairs_within(length).ok()?;
        if pairs.is_empty() {
            return None;
        }
        let mut others = vec![Vec::new(); count];
        let around = |body: u32| system.bounds(body as usize).grown((1.0 + DEPTH) * length);
        for [a, b] in pairs {
            for (body, other) in [(a, b), (b, a)] {
                if let Some(others) = others.get_mut(body as usize) {
                    others.push((other, around(other)));
                }
            }
        }
        let radius = THICKNESS * length;
        let needle = Shape::capsule(0.5 * (1.0 + DEPTH) * length - radius, radius).ok()?;
        Some(Covers { system, others, needle, length })
    }

    /// How wide gaps are at most \[m\].
    pub fn gap(&self) -> f64 {
        self.length
    }

    /// Whether anything is near a body.
    pub fn has_any(&self, body: usize) -> bool {
        !self.others[body].is_empty()
    }

    /// Whether the surface of a body is covered at a place with this unit normal.
    pub fn is_covered(&self, body: usize, place: &Point, normal: &Point) -> bool {
        let middle = Vector3::from(place + normal * (0.5 * (1.0 - DEPTH) * self.length));
        let at = Isometry3::from_parts(middle.into(), from_z(&Vector3::from(*normal)));
        let place = Vector3::from(*place);
        let place = Bounds { min: place, max: place };
        let meets = |(other, around): &(u32, Bounds)| {
            around.overlaps(&place) && self.system.meets(*other as usize, &self.needle, &at)
        };
        self.others[body].iter().any(meets)
    }
}
