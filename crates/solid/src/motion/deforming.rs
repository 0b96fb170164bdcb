//! Meshes that deform: their vertices go where a caller says, as those of elastic bodies do.
//!
//! Of each such mesh the caller gives, after [`Solids::begin_step`], where its vertices are at the
//! end of the step and how fast they are then ([`Solids::set_deforming`]); else they go on with the
//! velocities that they have. Within the step each vertex goes straight and evenly. Places and
//! velocities are in double precision; to the fluid, contact and the density a vertex is where its
//! place rounds to in the state's precision.
//!
//! A surface that deforms has no field of velocities. At a place it moves as the nearest point of
//! its triangles does, between whose corners velocities are interpolated
//! ([`Solids::surface_velocity`]): along the step (end − start)/dt, at the instant as the caller
//! says.
//!
//! Nothing is kept of the steps before, so that what a caller holds is all the state there is:
//! [`Solids::place_deforming`] brings it back to the bit.

use super::deformation::{Deformation, DeformingMesh};
use super::states::DriveError;
use crate::mesh_tree::MeshTrees;
use crate::precision::to_vec3;
use crate::solids::{Solids, ends};
use crate::surfaces::SurfaceId;
use crate::{BodySpec, ContactLaw};
use hashfall_core::{Vec3, has_real_square};
use hashfall_geometry::{Point, TriangleMesh};
use std::sync::Arc;

impl Solids {
    /// The same, of whose entries ([`Solids::with_bodies`]) these deform, in their order; the last
    /// need not be told. Their vertices rest where the scene has them until they are
    /// [set](Solids::set_deforming).
    ///
    /// # Panics
    /// If an entry that deforms has balls or solids of revolution, or moves by a kinematic law.
    pub fn with_deforming(mut self, deforms: &[bool]) -> Self {
        let (mut first, mut triangle, mut end) = (0, 0, 0);
        let mut deforming = Vec::new();
        for (entry, spec) in self.shapes.laws.specs().iter().enumerate() {
            let meshes = first..first + spec.meshes;
            first = meshes.end;
            let surface = SurfaceId::from_entry(entry);
            let is_deforming = deforms.get(entry).is_some_and(|deforms| *deforms);
            let is_of_meshes = spec.spheres + spec.rounds == 0 && !self.moves(surface);
            assert!(is_of_meshes || !is_deforming, "entry {entry} is of meshes that deform alone");
            for mesh in meshes {
                let count = self.shapes.meshes[mesh].triangles.len();
                let triangles = triangle..triangle + count;
                triangle = triangles.end;
                if is_deforming {
                    deforming.push(DeformingMesh { surface, mesh, end, triangles });
                }
                end += usize::from(count > 0);
            }
        }
        let rest = |it: &DeformingMesh| Deformation::at_rest(&self.shapes.meshes[it.mesh].vertices);
        self.deformations = deforming.iter().map(rest).collect();
        let shapes = Arc::make_mut(&mut self.shapes);
        shapes.deforming = deforming;
        shapes.note_moving();
        self.note_step_start();
        self
    }

    /// The same with further entries after all others, each of which is one mesh that deforms: a
    /// sheet if fluid may be on both sides, and how it acts.
    pub fn with_deforming_meshes(mut self, meshes: Vec<(TriangleMesh, bool, ContactLaw)>) -> Self {
        let mut specs = self.shapes.laws.specs().to_vec();
        let mut deforms: Vec<bool> = (0..specs.len())
            .map(|entry| self.first_of(SurfaceId::from_entry(entry)).is_some())
            .collect();
        let states: Vec<_> = self.deforming_states().map(|it| it.map(<[Point]>::to_vec)).collect();
        let mut hollow = self.shapes.hollow.clone();
        let mut rest = self.shapes.meshes.clone();
        for (mesh, is_sheet, contact) in meshes {
            specs.push(BodySpec { meshes: 1, contact, ..BodySpec::default() });
            deforms.push(true);
            hollow.push(is_sheet);
            rest.push(Arc::new(mesh));
            self.meshes.push(rest[rest.len() - 1].clone());
        }
        self.triangles =
            self.meshes.iter().flat_map(|m| (0..m.triangles.len()).map(|t| m.corners(t))).collect();
        self.mesh_ends = ends(self.first_triangle(), &self.meshes);
        let shapes = Arc::make_mut(&mut self.shapes);
        shapes.trees = MeshTrees::new(&rest);
        shapes.meshes = rest;
        let mut solids = self.with_bodies(&specs).with_hollow(hollow).with_deforming(&deforms);
        for (at, [position, velocity]) in states.iter().enumerate() {
            solids.place_at(at, position, velocity);
        }
        solids.note_step_start();
        solids
    }

    /// Whether any mesh deforms.
    pub fn has_deforming(&self) -> bool {
        !self.deformations.is_empty()
    }

    /// The meshes that deform, by their numbers, ascending.
    pub fn deforming_meshes(&self) -> impl Iterator<Item = usize> {
        self.shapes.deforming.iter().map(|it| it.mesh)
    }

    /// The meshes that do not deform; they come first.
    pub fn rigid_meshes(&self) -> &[Arc<TriangleMesh>] {
        let meshes = self.meshes();
        &meshes[..meshes.len() - self.deforming_meshes().count()]
    }

    /// Whether a mesh deforms, by its number.
    pub fn is_deforming_mesh(&self, mesh: usize) -> bool {
        self.deforming_index(mesh).is_some()
    }

    /// Whether a surface deforms.
    pub fn deforms(&self, surface: SurfaceId) -> bool {
        self.has_deforming() && self.first_of(surface).is_some()
    }

    /// The first of the deforming meshes that are of a surface.
    pub(super) fn first_of(&self, surface: SurfaceId) -> Option<usize> {
        let all = &self.shapes.deforming;
        let at = all.partition_point(|it| it.surface < surface);
        all.get(at).filter(|it| it.surface == surface).map(|_| at)
    }

    fn deforming_index(&self, mesh: usize) -> Option<usize> {
        self.shapes.deforming.binary_search_by_key(&mesh, |it| it.mesh).ok()
    }

    /// Tells where the vertices of a mesh that deforms are at the end of the step that
    /// [began](Solids::begin_step) last \[m\], and how fast they are then \[m/s\]. Until the
    /// [end](Solids::end_step) of the step their velocities are those along it. A mesh that is not
    /// told of goes on with the velocities that it has.
    ///
    /// ```
    /// use hashfall_core::Vec3;
    /// use hashfall_geometry::shape::sphere_mesh;
    /// use hashfall_geometry::{Aabb, Point};
    /// use hashfall_solid::Solids;
    ///
    /// let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(1.0));
    /// let ball = sphere_mesh(&Vec3::repeat(0.5), 0.2, 2);
    /// let mut solids = Solids::new(domain, vec![], vec![ball]).with_deforming(&[true]);
    /// // In 0.1 s the ball becomes flatter by a half.
    /// solids.begin_step(0.1, 0.1);
    /// let start: Vec<Point> = solids.deforming_positions(0).unwrap().to_vec();
    /// let flat = |x: &Point| Point::new(x.x, x.y, 0.5 + 0.5 * (x.z - 0.5));
    /// let end: Vec<Point> = start.iter().map(flat).collect();
    /// let speed: Vec<Point> = start.iter().zip(&end).map(|(a, b)| (b - a) / 0.1).collect();
    /// solids.set_deforming(0, &end, &speed)?;
    /// solids.move_bodies();
    /// solids.end_step();
    /// let above = Vec3::new(0.5, 0.5, 0.75);
    /// let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    /// assert!((solids.distance(&objects, &above) - 0.15).abs() < 1e-6);
    /// # Ok::<(), hashfall_solid::DriveError>(())
    /// ```
    ///
    /// # Errors
    /// If the mesh does not deform, a number is not finite, or there are more or fewer than it has
    /// vertices.
    pub fn set_deforming(
        &mut self,
        mesh: usize,
        end: &[Point],
        velocity: &[Point],
    ) -> Result<(), DriveError> {
        let at = self.checked_deforming(mesh, end, velocity)?;
        let (dt, it) = (self.step_length, &mut self.deformations[at]);
        it.next.copy_from_slice(end);
        it.next_velocity.copy_from_slice(velocity);
        for ((v, start), (end, last)) in
            it.velocity.iter_mut().zip(&it.position).zip(end.iter().zip(velocity))
        {
            *v = if dt > 0.0 { (end - start) / dt } else { *last };
        }
        it.note_motion(&self.shapes.meshes[mesh].vertices);
        Ok(())
    }

    /// Puts the vertices of a mesh that deforms into these places \[m\] with these velocities
    /// \[m/s\], as if no step were under way. With these velocities they go on in the next steps.
    ///
    /// # Errors
    /// As [`Solids::set_deforming`].
    pub fn place_deforming(
        &mut self,
        mesh: usize,
        position: &[Point],
        velocity: &[Point],
    ) -> Result<(), DriveError> {
        let at = self.checked_deforming(mesh, position, velocity)?;
        self.place_at(at, position, velocity);
        self.note_step_start();
        Ok(())
    }

    /// Puts the vertices of a mesh into these places, as if no step were under way.
    fn place_at(&mut self, at: usize, position: &[Point], velocity: &[Point]) {
        let it = &mut self.deformations[at];
        for own in [&mut it.position, &mut it.next] {
            own.copy_from_slice(position);
        }
        for own in [&mut it.velocity, &mut it.next_velocity] {
            own.copy_from_slice(velocity);
        }
        it.way = 0.0;
        it.note_motion(&self.shapes.meshes[self.shapes.deforming[at].mesh].vertices);
        self.place_vertices(at);
    }

    /// Puts all meshes that deform into these states, see [`Solids::deforming_states`], as if no
    /// step were under way.
    ///
    /// # Panics
    /// If they are not as many, or not of as many vertices.
    pub fn restore_deforming(&mut self, states: &[[Vec<Point>; 2]]) {
        assert_eq!(states.len(), self.deformations.len(), "a state for each mesh that deforms");
        for (at, [position, velocity]) in states.iter().enumerate() {
            self.place_at(at, position, velocity);
        }
        self.note_step_start();
    }

    /// Where the vertices of a mesh that deforms are at present \[m\]; `None` if it does not.
    pub fn deforming_positions(&self, mesh: usize) -> Option<&[Point]> {
        self.deforming_index(mesh).map(|at| &self.deformations[at].position[..])
    }

    fn checked_deforming(
        &self,
        mesh: usize,
        positions: &[Point],
        velocities: &[Point],
    ) -> Result<usize, DriveError> {
        let at = self.deforming_index(mesh).ok_or(DriveError::NotDeforming(mesh))?;
        let count = self.deformations[at].position.len();
        if positions.len() != count || velocities.len() != count {
            let found = if positions.len() == count { velocities.len() } else { positions.len() };
            return Err(DriveError::WrongCount { mesh, count, found });
        }
        let mut numbers = positions.iter().chain(velocities).flat_map(|v| v.iter());
        match numbers.all(|x| has_real_square(*x)) {
            true => Ok(at),
            false => Err(DriveError::NotFinite(self.shapes.deforming[at].surface.body())),
        }
    }

    /// The state of each mesh that deforms, in their order: where its vertices are \[m\], and how
    /// fast \[m/s\], which between steps is that at the instant.
    pub fn deforming_states(&self) -> impl Iterator<Item = [&[Point]; 2]> {
        self.deformations.iter().map(|it| [&it.position[..], &it.velocity[..]])
    }

    /// Meshes that deform go on as they do, unless they are set.
    pub(super) fn begin_deforming(&mut self, dt: f64) {
        self.step_length = dt;
        for it in &mut self.deformations {
            it.next_velocity.copy_from_slice(&it.velocity);
            for (next, (x, v)) in it.next.iter_mut().zip(it.position.iter().zip(&it.velocity)) {
                *next = x + v * dt;
            }
        }
    }

    /// Puts the vertices of meshes that deform where the step ends.
    pub(super) fn move_deforming(&mut self) {
        for at in 0..self.deformations.len() {
            let it = &mut self.deformations[at];
            let ways = it.position.iter().zip(&it.next).map(|(a, b)| (b - a).norm_squared());
            it.way = ways.fold(0.0, f64::max).sqrt();
            if it.way > 0.0 {
                it.position.copy_from_slice(&it.next);
                self.place_vertices(at);
            }
        }
    }

    /// The velocities of meshes that deform are those at the instant.
    pub(super) fn end_deforming(&mut self) {
        for (shape, it) in self.shapes.deforming.iter().zip(&mut self.deformations) {
            it.velocity.copy_from_slice(&it.next_velocity);
            it.note_motion(&self.shapes.meshes[shape.mesh].vertices);
        }
    }

    /// Puts the triangles of a mesh where its vertices are.
    fn place_vertices(&mut self, at: usize) {
        let (shape, it) = (&self.shapes.deforming[at], &self.deformations[at]);
        let mesh = Arc::make_mut(&mut self.meshes[shape.mesh]);
        mesh.vertices.iter_mut().zip(&it.position).for_each(|(x, place)| *x = to_vec3(place));
        if shape.triangles.is_empty() {
            return;
        }
        let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t));
        let triangles = &mut Arc::make_mut(&mut self.triangles)[shape.triangles.clone()];
        triangles.iter_mut().zip(corners).for_each(|(own, corners)| *own = corners);
        Arc::make_mut(&mut self.mesh_ends)[shape.end].1 = mesh.bounds();
    }

    /// Notes where all that moves is at the start of a step, if a mesh deforms.
    pub(super) fn note_step_start(&mut self) {
        if !self.has_deforming() {
            return;
        }
        let (all, start) = (&self.triangles, &mut self.step_start);
        if start.triangles.len() == all.len() && start.centres.len() == self.spheres.len() {
            for range in self.shapes.moving_triangles.iter().cloned() {
                start.triangles[range.clone()].copy_from_slice(&all[range]);
            }
        } else {
            start.triangles = all.to_vec();
            start.centres.resize(self.spheres.len(), Vec3::zeros());
        }
        let centres = self.spheres.iter().map(|ball| ball.centre);
        start.centres.iter_mut().zip(centres).for_each(|(own, centre)| *own = centre);
    }

    /// How far a vertex of a mesh that deforms went in the last step, at the most \[m\].
    pub(super) fn deforming_way(&self) -> f64 {
        self.deformations.iter().map(|it| it.way).fold(0.0, f64::max)
    }

    /// The speed of the fastest vertex of a mesh that deforms \[m/s\].
    pub(super) fn deforming_speed(&self) -> f64 {
        self.deformations.iter().map(|it| it.speed).fold(0.0, f64::max)
    }

    /// Whether a surface that deforms is not where the scene has it, or on its way.
    pub(super) fn has_deformed(&self, surface: SurfaceId) -> bool {
        let all = self.shapes.deforming.iter().zip(&self.deformations);
        all.into_iter().any(|(shape, it)| shape.surface == surface && it.has_moved)
    }
}
