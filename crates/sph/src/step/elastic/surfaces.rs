//! The surfaces of elastic bodies as solids: where the stage has taken their nodes, the fluid meets
//! them.
//!
//! Each body that has triangles is an entry of the solids that deforms, after all others
//! ([`World::add_elastic_surfaces`]). Its vertices are the nodes of its surface, ascending. Nothing
//! of it is state: nodes tell it all, at the start, in each step and after a resumption.

use crate::world::{Elastic, World};
use hashfall_core::{Vec3, vec3};
use hashfall_elastic::{ElasticBody, ElasticSystem};
use hashfall_geometry::{Point, TriangleMesh};
use hashfall_solid::{ContactLaw, Solids};

/// Whether a body has a surface that fluid can meet.
fn has_surface(body: &&ElasticBody) -> bool {
    !body.surface.is_empty()
}

/// The nodes of a body's surface, ascending.
fn surface_nodes(body: &ElasticBody) -> Vec<u32> {
    let mut nodes = body.surface.concat();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// The surface of a body whose nodes are there.
fn surface_mesh(body: &ElasticBody, positions: &[Point]) -> TriangleMesh {
    let nodes = surface_nodes(body);
    let vertex = |node: u32| nodes.partition_point(|known| *known < node) as u32;
    let place = |node: &u32| -> Vec3 { vec3(positions[*node as usize].into()) };
    TriangleMesh {
        vertices: nodes.iter().map(place).collect(),
        triangles: body.surface.iter().map(|corners| corners.map(vertex)).collect(),
    }
}

impl World {
    /// Lets the fluid meet the elastic bodies: adds an entry to the solids for each that has
    /// triangles, in their order, where its nodes are now. `contacts` tells how each body acts,
    /// with or without triangles; those whose surface is not closed are sheets.
    ///
    /// # Panics
    /// If there are more or fewer of them than elastic bodies, or meshes deform already.
    pub fn add_elastic_surfaces(&mut self, contacts: &[ContactLaw]) {
        let Some(Elastic { system, state, .. }) = &self.elastic else { return };
        assert_eq!(contacts.len(), system.bodies().len(), "how each elastic body acts");
        assert!(!self.solids.has_deforming(), "the surfaces of elastic bodies are added once");
        let bodies = system.bodies().iter().zip(contacts).filter(|(body, _)| has_surface(body));
        let meshes = bodies.map(|(body, contact)| {
            let mesh = surface_mesh(body, &state.position);
            let is_sheet = mesh.check_closed().is_err();
            (mesh, is_sheet, *contact)
        });
        let meshes = meshes.collect();
        let solids = self.solids.clone();
        self.solids = solids.with_deforming_meshes(meshes);
        self.place_elastic_surfaces();
    }

    /// Puts the surfaces of elastic bodies where their nodes are, as if no step were under way.
    pub(in crate::step) fn place_elastic_surfaces(&mut self) {
        let World { elastic: Some(Elastic { system, state, .. }), solids, .. } = self else {
            return;
        };
        let mut surfaces = ElasticSurfaces::new(system);
        surfaces.each(solids, [&state.position, &state.velocity], |solids, mesh, places| {
            // A node that is not a number is found by the stage that advances it.
            let _ = solids.place_deforming(mesh, places[0], places[1]);
        });
    }
}

/// Takes nodes to the vertices of surfaces; its buffers are reused.
#[derive(Debug)]
pub(super) struct ElasticSurfaces {
    /// Of each body that has triangles, the nodes of its surface.
    nodes: Vec<Vec<u32>>,
    places: [Vec<Point>; 2],
}

impl ElasticSurfaces {
    pub fn new(system: &ElasticSystem) -> Self {
        let bodies = system.bodies().iter().filter(has_surface);
        ElasticSurfaces { nodes: bodies.map(surface_nodes).collect(), places: Default::default() }
    }

    /// Tells the solids where vertices are at the end of the step, with their velocities.
    pub fn set(&mut self, solids: &mut Solids, state: [&[Point]; 2]) {
        self.each(solids, state, |solids, mesh, [end, velocity]| {
            // The stage has refused nodes that are not finite.
            let _ = solids.set_deforming(mesh, end, velocity);
        });
    }

    /// Calls `put` for each surface that is one of the solids, with its places and velocities.
    fn each(
        &mut self,
        solids: &mut Solids,
        state: [&[Point]; 2],
        put: impl Fn(&mut Solids, usize, [&[Point]; 2]),
    ) {
        if !solids.has_deforming() {
            return;
        }
        let first = solids.meshes().len() - self.nodes.len();
        for (mesh, nodes) in (first..).zip(&self.nodes) {
            for (buffer, all) in self.places.iter_mut().zip(state) {
                buffer.clear();
                buffer.extend(nodes.iter().map(|node| all[*node as usize]));
            }
            let [places, velocities] = &self.places;
            put(solids, mesh, [places, velocities]);
        }
    }
}
