//! Solids: the domain's walls, spheres and triangle meshes, by their exact geometry. Some move
//! ([`Solids::move_to`]).
//!
//! The broad phase offers *objects* (spheres first, then the triangles of each mesh, numbered
//! through); the narrow phase here finds distances ([`Solids::near`]), contacts
//! ([`Solids::sweep`]) and the solid's part of the density ([`SolidFraction`]), that of meshes by
//! an integral over their triangles. How each surface acts on the fluid a [`ContactLaw`] says.
//!
//! - Walls are few and are always looked at.
//! - Distances to triangles are unsigned: a particle's centre never comes closer than its radius,
//!   so the side it is on is the side it started on, and a thin plate may have fluid on both.
//! - Lists of objects ascend, so that no result depends on the order in which a structure visits.
//! - Distances and contacts are computed in double precision; only their results are rounded.

mod blocked;
mod bodies;
mod boundary_integral;
mod carry;
mod cone;
mod contact;
#[cfg(test)]
mod contact_tests;
mod fall;
mod impact;
mod law;
mod layers;
mod mesh_integral;
mod motion;
mod movers;
mod near;
mod piece;
mod plane_table;
mod touching;
mod union;

pub use blocked::Occupied;
pub use bodies::{Obstacle, SurfaceId};
pub use boundary_integral::SolidFraction;
pub use contact::{Contact, Impulse, SweepBuffer, sweep_box};
pub use fall::Fall;
pub use law::{ContactLaw, Slip};
pub use layers::{LayerSums, SolidLayers};
pub use motion::{Key, Motion, Pace, Turn, looks};
pub use near::NearSolids;
pub use plane_table::PlaneTable;
pub use union::UnionBoundary;

use bodies::Laws;
pub use hashfall_core::geometry::Sphere;
use hashfall_core::{Real, Vec3};
use hashfall_geometry::{Aabb, ContactGeometry, TriangleMesh};
use movers::Mover;

/// All solids of a scene; those that move stand where they are at the present time.
#[derive(Clone, Debug, PartialEq)]
pub struct Solids {
    /// The fluid stays inside this box.
    pub domain: Aabb,
    /// Axes along which there are no walls: those of a periodic world, and y in the plane.
    pub open: [bool; 3],
    /// Solid balls, in the order of the scene.
    pub spheres: Vec<Sphere>,
    /// Solid meshes, placed in the world.
    pub meshes: Vec<TriangleMesh>,
    /// The corners of all meshes' triangles, so that an object is found in one look.
    triangles: Vec<[Vec3; 3]>,
    /// Of each mesh that has triangles, the first object after them, and the box around it.
    mesh_ends: Vec<(u32, Aabb)>,
    /// By mesh: whether it is a sheet, which encloses nothing.
    hollow: Vec<bool>,
    laws: Laws,
    /// In the order of the obstacles.
    movers: Vec<Mover>,
}

impl Solids {
    /// Solids inside the walls of `domain`. All balls are one body, and each mesh is one; fluid
    /// slides along all of them, and along the walls.
    pub fn new(domain: Aabb, spheres: Vec<Sphere>, meshes: Vec<TriangleMesh>) -> Self {
        let balls = Obstacle { spheres: spheres.len(), ..Obstacle::default() };
        let mesh = Obstacle { meshes: 1, ..Obstacle::default() };
        let all_balls = Some(balls).filter(|balls| balls.spheres > 0);
        let obstacles: Vec<_> = all_balls.into_iter().chain(meshes.iter().map(|_| mesh)).collect();
        let triangles =
            meshes.iter().flat_map(|m| (0..m.triangles.len()).map(|t| m.corners(t))).collect();
        let laws = Laws::new(&obstacles, meshes.iter().map(|mesh| mesh.triangles.len()));
        let mesh_ends = ends(spheres.len(), &meshes);
        Solids {
            domain,
            open: [false; 3],
            hollow: vec![false; meshes.len()],
            spheres,
            meshes,
            triangles,
            mesh_ends,
            laws,
            movers: Vec::new(),
        }
    }

    /// The same with walls that act like this: low x, high x, low y, …
    pub fn with_walls(mut self, walls: [ContactLaw; 6]) -> Self {
        self.laws.set_walls(walls);
        self
    }

    /// The same, its balls and meshes shared out to these obstacles in their order.
    pub fn with_obstacles(mut self, obstacles: &[Obstacle]) -> Self {
        let total = |count: fn(&Obstacle) -> usize| obstacles.iter().map(count).sum::<usize>();
        assert_eq!(total(|o| o.spheres), self.spheres.len(), "each ball belongs to one obstacle");
        assert_eq!(total(|o| o.meshes), self.meshes.len(), "each mesh belongs to one obstacle");
        let triangles = self.meshes.iter().map(|mesh| mesh.triangles.len());
        let walls = self.laws.walls();
        self.laws = Laws::new(obstacles, triangles);
        self.with_walls(walls)
    }

    /// The same, of which these meshes are sheets: fluid may be on both sides.
    pub fn with_hollow(mut self, hollow: Vec<bool>) -> Self {
        assert_eq!(hollow.len(), self.meshes.len(), "each mesh is a sheet, or is none");
        self.hollow = hollow;
        self
    }

    /// Whether the box around a mesh overlaps another.
    pub fn has_mesh_in(&self, bounds: &Aabb) -> bool {
        self.mesh_ends.iter().any(|(_, own)| own.overlaps(bounds))
    }

    /// Whether a mesh is a sheet, by its number.
    fn is_hollow(&self, mesh: usize) -> bool {
        self.hollow[mesh]
    }

    /// How a surface acts on fluid.
    pub fn law(&self, surface: SurfaceId) -> &ContactLaw {
        self.laws.of(surface)
    }

    /// How each surface acts on fluid.
    pub fn laws(&self) -> &[ContactLaw] {
        self.laws.all()
    }

    /// The number of bodies that forces are summed over: the walls, then each obstacle.
    pub fn body_count(&self) -> usize {
        self.laws.bodies()
    }

    /// The same without walls along these axes.
    pub fn with_open_axes(self, open: [bool; 3]) -> Self {
        Solids { open, ..self }
    }

    /// The walls that there are: low x, high x, low y, …
    fn walls(&self) -> impl Iterator<Item = usize> {
        let open = self.open;
        (0..6).filter(move |wall| !open[wall / 2])
    }

    /// The number of objects of the broad phase.
    pub fn object_count(&self) -> usize {
        self.spheres.len() + self.triangles.len()
    }

    /// The box of each object, in the order of their ids.
    pub fn object_boxes(&self) -> Vec<Aabb> {
        let balls = self.spheres.iter().map(|s| Aabb::of_ball(&s.centre, s.radius));
        balls.chain(self.triangles.iter().map(Aabb::around)).collect()
    }
}

impl ContactGeometry for Solids {
    fn domain(&self) -> Aabb {
        self.domain
    }

    fn open_axes(&self) -> [bool; 3] {
        self.open
    }

    fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    fn triangles(&self) -> &[[Vec3; 3]] {
        &self.triangles
    }
}

/// The first object after each mesh that has triangles, and the box around the mesh.
fn ends(mut object: usize, meshes: &[TriangleMesh]) -> Vec<(u32, Aabb)> {
    let with_triangles = meshes.iter().filter(|mesh| !mesh.triangles.is_empty());
    let end = |mesh: &TriangleMesh| {
        object += mesh.triangles.len();
        (object as u32, mesh.bounds())
    };
    with_triangles.map(end).collect()
}

/// The nearest point of one solid, seen from a particle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearSolid {
    /// Unit vector from the solid to the particle's centre.
    pub normal: Vec3,
    /// Distance from the surface to the particle's centre \[m\]; negative inside walls and spheres.
    pub distance: Real,
    /// 1/R of a sphere \[1/m\]; 0 where the solid is taken for flat.
    pub curvature: Real,
    /// What it is the surface of.
    pub surface: SurfaceId,
}
