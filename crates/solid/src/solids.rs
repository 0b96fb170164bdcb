//! All solids of a scene: shapes that never change, the states of the bodies that move, and where
//! both place each object at present.
//!
//! Clones share the shapes, and what stands; places of what moves are copied when it moves.

use crate::contact_law::ContactLaw;
use crate::mesh_tree::{MeshTrees, TopLevel};
use crate::motion::{BodyStep, Deformation, StepStart};
use crate::shapes::Shapes;
use crate::surfaces::{BodySpec, SurfaceId, SurfaceLaws};
use hashfall_bodies::BodyState;
use hashfall_core::Vec3;
use hashfall_core::geometry::{RoundSolid, Sphere};
use hashfall_geometry::{Aabb, ContactGeometry, TriangleMesh};
use std::sync::{Arc, OnceLock};

/// All solids of a scene; those that move stand where they are at the present time.
#[derive(Clone, Debug)]
pub struct Solids {
    /// The fluid stays inside this box.
    pub domain: Aabb,
    /// Axes along which there are no walls: those of a periodic world, and y in the plane.
    pub open: [bool; 3],
    pub(crate) shapes: Arc<Shapes>,
    /// By moving body.
    pub(crate) states: Vec<BodyState>,
    /// By moving body, what follows from the states and the step under way.
    pub(crate) steps: Vec<BodyStep>,
    /// By mesh that deforms.
    pub(crate) deformations: Vec<Deformation>,
    /// What moves at the start of the last step, if a mesh deforms.
    pub(crate) step_start: StepStart,
    /// Of the step that began last \[s\].
    pub(crate) step_length: f64,
    /// Solid balls where they are now.
    pub(crate) spheres: Arc<[Sphere]>,
    /// Solids of revolution where they are now.
    pub(crate) rounds: Arc<[RoundSolid]>,
    /// Solid meshes where they are now.
    pub(crate) meshes: Vec<Arc<TriangleMesh>>,
    /// The corners of all meshes' triangles, so that an object is found in one look.
    pub(crate) triangles: Arc<[[Vec3; 3]]>,
    /// Of each mesh that has triangles, the first object after them, and the box around it.
    pub(crate) mesh_ends: Arc<[(u32, Aabb)]>,
    /// Over the boxes around fine meshes that move, once it is asked for.
    pub(crate) driven_boxes: OnceLock<Arc<TopLevel>>,
}

/// Two are equal that have the same shapes in the same states: all else follows.
impl PartialEq for Solids {
    fn eq(&self, other: &Self) -> bool {
        let has_same_shapes =
            Arc::ptr_eq(&self.shapes, &other.shapes) || self.shapes == other.shapes;
        let has_same_walls = (self.domain, self.open) == (other.domain, other.open);
        let has_same_states =
            self.states == other.states && self.deformations == other.deformations;
        has_same_shapes && has_same_walls && has_same_states
    }
}

impl Solids {
    /// Solids inside the walls of `domain`. All balls are one body, and each mesh is one; fluid
    /// slides along all of them, and along the walls.
    pub fn new(domain: Aabb, spheres: Vec<Sphere>, meshes: Vec<TriangleMesh>) -> Self {
        Solids::from_shared(domain, spheres, meshes.into_iter().map(Arc::new).collect())
    }

    /// The same of meshes that others may hold too.
    pub fn from_shared(domain: Aabb, spheres: Vec<Sphere>, meshes: Vec<Arc<TriangleMesh>>) -> Self {
        let triangles =
            meshes.iter().flat_map(|m| (0..m.triangles.len()).map(|t| m.corners(t))).collect();
        Solids::from_triangles(domain, spheres, meshes, triangles)
    }

    /// As [`Solids::new`], of meshes that `others` may have too, as they stood at the start. What
    /// others with the same meshes in the same order keep of those that stand is shared.
    pub fn new_beside(
        others: &Solids,
        domain: Aabb,
        spheres: Vec<Sphere>,
        meshes: Vec<Arc<TriangleMesh>>,
    ) -> Self {
        let theirs = &others.shapes.meshes;
        let is_same = |(a, b): (&Arc<TriangleMesh>, _)| Arc::ptr_eq(a, b) || a == b;
        if theirs.len() != meshes.len() || !theirs.iter().zip(&meshes).all(is_same) {
            return Solids::from_shared(domain, spheres, meshes);
        }
        let mut solids = if others.has_moving_bodies() {
            Solids::from_shared(domain, spheres, meshes)
        } else {
            Solids::from_triangles(domain, spheres, meshes, Arc::clone(&others.triangles))
        };
        solids.share_fine_meshes(others);
        solids
    }

    /// Of meshes and the corners of their triangles.
    fn from_triangles(
        domain: Aabb,
        spheres: Vec<Sphere>,
        meshes: Vec<Arc<TriangleMesh>>,
        triangles: Arc<[[Vec3; 3]]>,
    ) -> Self {
        let balls = BodySpec { spheres: spheres.len(), ..BodySpec::default() };
        let mesh = BodySpec { meshes: 1, ..BodySpec::default() };
        let all_balls = Some(balls).filter(|balls| balls.spheres > 0);
        let specs: Vec<_> = all_balls.into_iter().chain(meshes.iter().map(|_| mesh)).collect();
        let laws = SurfaceLaws::new(&specs, meshes.iter().map(|mesh| mesh.triangles.len()));
        let mesh_ends = ends(spheres.len(), &meshes);
        let spheres: Arc<[Sphere]> = spheres.into();
        let shapes = Shapes {
            spheres: spheres.clone(),
            rounds: Arc::default(),
            meshes: meshes.clone(),
            trees: MeshTrees::new(&meshes),
            hollow: vec![false; meshes.len()],
            laws,
            bodies: Vec::new(),
            moving_numbers: Vec::new(),
            deforming: Vec::new(),
            moving_triangles: Vec::new(),
        };
        Solids {
            domain,
            open: [false; 3],
            shapes: Arc::new(shapes),
            states: Vec::new(),
            steps: Vec::new(),
            deformations: Vec::new(),
            step_start: StepStart::default(),
            step_length: 0.0,
            spheres,
            rounds: Arc::default(),
            meshes,
            triangles,
            mesh_ends,
            driven_boxes: OnceLock::new(),
        }
    }

    /// The same with solids of revolution, each a body of its own after the balls.
    pub fn with_rounds(mut self, rounds: Vec<RoundSolid>) -> Self {
        let balls = BodySpec { spheres: self.spheres.len(), ..BodySpec::default() };
        let all_balls = Some(balls).filter(|balls| balls.spheres > 0);
        let round = BodySpec { rounds: 1, ..BodySpec::default() };
        let mesh = BodySpec { meshes: 1, ..BodySpec::default() };
        let of_rounds = rounds.iter().map(|_| round);
        let of_meshes = self.meshes.iter().map(|_| mesh);
        let specs: Vec<_> = all_balls.into_iter().chain(of_rounds).chain(of_meshes).collect();
        self.mesh_ends = ends(self.spheres.len() + rounds.len(), &self.meshes);
        self.rounds = rounds.into();
        Arc::make_mut(&mut self.shapes).rounds = self.rounds.clone();
        self.with_bodies(&specs)
    }

    /// The same with walls that act like this: low x, high x, low y, …
    pub fn with_walls(mut self, walls: [ContactLaw; 6]) -> Self {
        Arc::make_mut(&mut self.shapes).laws.set_walls(walls);
        self
    }

    /// The same, its balls, solids of revolution and meshes distributed to these bodies in their
    /// order.
    pub fn with_bodies(mut self, specs: &[BodySpec]) -> Self {
        let total = |count: fn(&BodySpec) -> usize| specs.iter().map(count).sum::<usize>();
        assert_eq!(total(|o| o.spheres), self.spheres.len(), "each ball belongs to one body");
        assert_eq!(total(|o| o.rounds), self.rounds.len(), "each round solid belongs to one body");
        assert_eq!(total(|o| o.meshes), self.meshes.len(), "each mesh belongs to one body");
        let triangles = self.meshes.iter().map(|mesh| mesh.triangles.len());
        let mut laws = SurfaceLaws::new(specs, triangles);
        laws.set_walls(self.surface_laws().walls());
        Arc::make_mut(&mut self.shapes).laws = laws;
        self
    }

    /// The same, of which these meshes are sheets: fluid may be on both sides.
    pub fn with_hollow(mut self, hollow: Vec<bool>) -> Self {
        assert_eq!(hollow.len(), self.meshes.len(), "each mesh is a sheet, or is none");
        Arc::make_mut(&mut self.shapes).hollow = hollow;
        self
    }

    /// Solid balls where they are now, in the order of the scene.
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres
    }

    /// Solids of revolution where they are now, in the order of the scene.
    pub fn rounds(&self) -> &[RoundSolid] {
        &self.rounds
    }

    /// Solid meshes where they are now, in the order of the scene.
    pub fn meshes(&self) -> &[Arc<TriangleMesh>] {
        &self.meshes
    }

    /// Whether the box around a mesh overlaps another.
    pub fn has_mesh_in(&self, bounds: &Aabb) -> bool {
        self.mesh_ends.iter().any(|(_, own)| own.overlaps(bounds))
    }

    /// Whether a mesh is a sheet, by its number.
    pub fn is_hollow(&self, mesh: usize) -> bool {
        self.shapes.hollow[mesh]
    }

    /// The law of every surface, and the surface of every object.
    pub(crate) fn surface_laws(&self) -> &SurfaceLaws {
        &self.shapes.laws
    }

    /// How a surface acts on fluid.
    pub fn contact_law(&self, surface: SurfaceId) -> &ContactLaw {
        self.shapes.laws.get(surface)
    }

    /// How each surface acts on fluid.
    pub fn contact_laws(&self) -> &[ContactLaw] {
        self.shapes.laws.all()
    }

    /// The number of bodies that forces are summed over: the walls, then one for each [`BodySpec`].
    pub fn body_count(&self) -> usize {
        self.shapes.laws.bodies()
    }

    /// The same without walls along these axes.
    pub fn with_open_axes(self, open: [bool; 3]) -> Self {
        Solids { open, ..self }
    }

    /// The walls that there are: low x, high x, low y, …
    pub(crate) fn walls(&self) -> impl Iterator<Item = usize> {
        let open = self.open;
        (0..6).filter(move |wall| !open[wall / 2])
    }

    /// The number of objects of the broad phase.
    pub fn object_count(&self) -> usize {
        self.first_triangle() + self.triangles.len()
    }

    /// The first object that is a triangle: balls and solids of revolution come before.
    pub(crate) fn first_triangle(&self) -> usize {
        self.spheres.len() + self.rounds.len()
    }

    /// The box of each object, in the order of their ids.
    pub fn object_boxes(&self) -> Vec<Aabb> {
        (0..self.object_count() as u32).map(|object| self.object_box(object)).collect()
    }

    /// The box of an object.
    ///
    /// # Panics
    /// If there is no such object.
    pub fn object_box(&self, object: u32) -> Aabb {
        let object = object as usize;
        let round = || object - self.spheres.len();
        match self.spheres.get(object) {
            Some(ball) => Aabb::of_ball(&ball.centre, ball.radius),
            None => match self.rounds.get(round()) {
                Some(round) => round.aabb(),
                None => Aabb::around(&self.triangles[object - self.first_triangle()]),
            },
        }
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

    fn rounds(&self) -> &[RoundSolid] {
        &self.rounds
    }

    fn triangles(&self) -> &[[Vec3; 3]] {
        &self.triangles
    }
}

/// The first object after each mesh that has triangles, and the box around the mesh.
pub(crate) fn ends(mut object: usize, meshes: &[Arc<TriangleMesh>]) -> Arc<[(u32, Aabb)]> {
    let with_triangles = meshes.iter().filter(|mesh| !mesh.triangles.is_empty());
    let end = |mesh: &Arc<TriangleMesh>| {
        object += mesh.triangles.len();
        (object as u32, mesh.bounds())
    };
    with_triangles.map(end).collect()
}
