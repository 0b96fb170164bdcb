//! The region of each shape of fluid. A shape is a file here, and a line of [`region_of`].

use super::ball::Ball;
use super::composition::{Composition, Operation};
use super::cuboid::Cuboid;
use super::mesh::MeshRegion;
use super::region::Region;
use super::round::Round;
use crate::model::limits::MAX_PARTICLES;
use crate::model::{Domain, FluidShape, Model};
use hashfall_core::Dimension;
use hashfall_geometry::TriangleMesh;
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
        FluidShape::Box(shape) => Box::new(Cuboid::new(dimension, shape)),
        FluidShape::Ball(shape) => Box::new(Ball::new(dimension, shape)),
        FluidShape::Cylinder(shape) => Box::new(Round::cylinder(dimension, shape)),
        FluidShape::Capsule(shape) => Box::new(Round::capsule(dimension, shape)),
        FluidShape::Cone(shape) => Box::new(Round::cone(dimension, shape)),
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

/// The volume of a particle \[m³\], in the plane its area \[m²\].
pub fn particle_volume(dimension: Dimension, d: f64) -> f64 {
    match dimension {
        Dimension::Two => d * d,
        Dimension::Three => d * d * d,
    }
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
