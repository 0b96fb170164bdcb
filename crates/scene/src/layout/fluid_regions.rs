//! The region of each shape of fluid: a line of [`region_of`].

use crate::model::limits::MAX_PARTICLES;
use crate::model::{Domain, FluidShape, Model};
use hashfall_fill::region::{
    Ball, Composition, Cuboid, MeshRegion, Operation, Region, Round, particle_volume,
};
use hashfall_geometry::{Point, RoundSolid, TriangleMesh};
use std::slice::Iter;

/// The placed meshes of the fluids of a scene, in the order in which shapes name them.
pub type FluidMeshes<'a> = Iter<'a, TriangleMesh>;

/// The region of a shape, which takes its meshes from the next ones; `None` for particles without
/// a region, and for what fills a vessel.
pub fn region_of<'a>(
    model: &Model,
    shape: &FluidShape,
    meshes: &mut FluidMeshes<'a>,
) -> Option<Box<dyn Region + 'a>> {
    let dimension = model.dimensions;
    Some(match shape {
        FluidShape::Box(it) => Box::new(Cuboid::new(dimension, [it.min, it.max])),
        FluidShape::Ball(it) => Box::new(Ball::new(dimension, it.centre, it.radius)),
        FluidShape::Cylinder(it) => {
            let (from, to) = (Point::from(it.from), Point::from(it.to));
            Box::new(Round::new(dimension, RoundSolid::cylinder(from, to, it.radius)))
        }
        FluidShape::Capsule(it) => {
            let (from, to) = (Point::from(it.from), Point::from(it.to));
            Box::new(Round::new(dimension, RoundSolid::capsule(from, to, it.radius)))
        }
        FluidShape::Cone(it) => {
            let (from, to) = (Point::from(it.from), Point::from(it.to));
            let solid = RoundSolid::cone(from, to, it.radius, it.tip_radius);
            Box::new(Round::new(dimension, solid))
        }
        FluidShape::Mesh(_) | FluidShape::Polygon(_) => {
            Box::new(MeshRegion::new(dimension, meshes.next()?))
        }
        FluidShape::Union(_) => composed(Operation::Union, model, shape, meshes)?,
        FluidShape::Intersection(_) => composed(Operation::Intersection, model, shape, meshes)?,
        FluidShape::Difference(_) => composed(Operation::Difference, model, shape, meshes)?,
        // What a vessel holds is known when its solids stand.
        FluidShape::Fill(_) | FluidShape::Particles(_) | FluidShape::Random(_) => return None,
    })
}

/// The number of particles of a region at spacing `d` \[m\]: that of a box is exact, that of
/// another is its volume over that of a particle. A composition whose lattice is small enough
/// counts with all of it, which is no fewer.
pub fn expected_count(model: &Model, shape: &FluidShape, region: &dyn Region, d: f64) -> f64 {
    let sites = || region.sites(d).count();
    let is_composed = !shape.parts().is_empty();
    if matches!(shape, FluidShape::Box(_)) || (is_composed && sites() <= MAX_PARTICLES) {
        return sites();
    }
    region.volume() / particle_volume(model.dimensions, d)
}

fn composed<'a>(
    operation: Operation,
    model: &Model,
    shape: &FluidShape,
    meshes: &mut FluidMeshes<'a>,
) -> Option<Box<dyn Region + 'a>> {
    let regions = shape.parts().into_iter().map(|(_, part)| region_of(model, part, meshes));
    let parts = regions.collect::<Option<Vec<_>>>()?;
    let Domain::Box { min, max, .. } = model.domain;
    let dimension = model.dimensions;
    Some(Box::new(Composition { operation, dimension, parts, walls: [min, max] }))
}
