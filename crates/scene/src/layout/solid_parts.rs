//! The parts of each solid of a scene among the solids that are built of it.

use crate::model::{Model, SolidModel};
use hashfall_core::{Dimension, to_f64, vec3};
use hashfall_geometry::{Interior, Point, RoundSolid, Sphere, TriangleMesh};
use hashfall_solid::Solids;

/// What a solid of a scene is made of.
#[derive(Clone, Copy, Debug)]
pub enum SolidParts<'a> {
    /// Balls; in the plane a solid of revolution is a disc.
    Balls(&'a [Sphere]),
    /// A cylinder, a capsule or a cone.
    Round(&'a RoundSolid),
    /// A mesh, and whether it is hollow.
    Mesh(&'a TriangleMesh, bool),
}

/// The parts of all solids of a scene, in its order.
pub fn solid_parts<'a>(model: &Model, solids: &'a Solids) -> Vec<SolidParts<'a>> {
    let is_plane = model.dimensions == Dimension::Two;
    let mut balls = solids.spheres();
    let (mut rounds, mut meshes) = (solids.rounds().iter(), solids.meshes().iter());
    let mut next = |solid: &SolidModel| {
        if let Some(is_hollow) = solid.is_hollow() {
            return meshes.next().map(|mesh| SolidParts::Mesh(mesh, is_hollow));
        }
        if solid.is_round() && !is_plane {
            return rounds.next().map(SolidParts::Round);
        }
        let count = if solid.is_round() { 1 } else { solid.ball_count() as usize };
        let (own, rest) = balls.split_at(count.min(balls.len()));
        balls = rest;
        Some(SolidParts::Balls(own))
    };
    model.solids.iter().map_while(&mut next).collect()
}

impl SolidParts<'_> {
    /// Whether a point lies in it.
    pub fn contains(&self, x: &Point) -> bool {
        match self {
            SolidParts::Balls(balls) => balls.iter().any(|ball| {
                (x - Point::from(to_f64(&ball.centre))).norm() <= f64::from(ball.radius)
            }),
            SolidParts::Round(round) => round.signed_distance(x) <= 0.0,
            SolidParts::Mesh(mesh, is_hollow) => {
                !is_hollow && Interior::new(mesh).contains(&vec3((*x).into()))
            }
        }
    }
}
