//! The elastic bodies of a world: what never changes of them. Only their
//! [state](crate::ElasticState) does.
//!
//! Nodes of all bodies are numbered through, body by body. Each has the mass of its shares of the
//! elements at rest (lumped), and nodes that are fixed or tied do not feel forces.

use crate::energy::Energies;
use crate::error::{BuildError, MaterialError, place};
use crate::fixing::Fixing;
use crate::material::{BodyParts, Material, not_negative};
use crate::mesh::ElasticMesh;
use crate::quadratic_mesh::add_between;
use crate::state::ElasticState;
use hashfall_geometry::Point;
use std::ops::Range;

/// What a body is to be.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// What messages and files call it.
    pub name: String,
    /// Its rest shape, where it stands at the start.
    pub mesh: ElasticMesh,
    /// What its segments, triangles and tetrahedra are made of.
    pub materials: Vec<Material>,
    /// Nodes that are held, by their numbers in the mesh.
    pub fixings: Vec<(u32, Fixing)>,
    /// How thick it is where others touch it \[m\]; that of its first material if none.
    pub thickness: Option<f64>,
    /// Coefficient of friction of its surface \[–\].
    pub friction: f64,
    /// α: velocities decay by e^(−α t) in the world's frame, as in thin air \[1/s\].
    pub damping_rate: f64,
    /// At the start \[m/s\].
    pub velocity: Point,
}

/// A body of a system. Nodes are those of the system.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticBody {
    /// What messages and files call it.
    pub name: String,
    /// Its nodes.
    pub nodes: Range<usize>,
    /// Its energies.
    pub energies: Range<usize>,
    /// The triangles that others can touch: see [`ElasticMesh::surface`].
    pub surface: Vec<[u32; 3]>,
    /// The edges of these and of its segments: see [`ElasticMesh::edges`].
    pub edges: Vec<[u32; 2]>,
    /// How thick it is where others touch it \[m\].
    pub thickness: f64,
    /// Coefficient of friction \[–\].
    pub friction: f64,
    /// α \[1/s\].
    pub damping_rate: f64,
}

/// All elastic bodies.
#[derive(Debug)]
pub struct ElasticSystem {
    bodies: Vec<ElasticBody>,
    mass: Vec<f64>,
    inverse_mass: Vec<f64>,
    damping_rate: Vec<f64>,
    energies: Energies,
    fixings: Vec<(u32, Fixing)>,
    start: ElasticState,
}

impl BodySpec {
    /// A body of one material, free and at rest, without friction.
    pub fn new(name: impl Into<String>, mesh: ElasticMesh, material: Material) -> Self {
        BodySpec {
            name: name.into(),
            mesh,
            materials: vec![material],
            fixings: vec![],
            thickness: None,
            friction: 0.0,
            damping_rate: 0.0,
            velocity: Point::zeros(),
        }
    }
}

impl ElasticSystem {
    /// Builds bodies in their order.
    ///
    /// # Errors
    /// If a mesh, a material or a fixing is of no use, or a node has no mass.
    pub fn new(specs: Vec<BodySpec>) -> Result<Self, BuildError> {
        let mut system = Builder::default();
        for spec in specs {
            system.add(spec)?;
        }
        system.finish()
    }

    /// The bodies, in their order.
    pub fn bodies(&self) -> &[ElasticBody] {
        &self.bodies
    }

    /// The mass of each node \[kg\], that of fixed and tied ones too.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// 1/mass of each node \[1/kg\]; 0 of those that are fixed or tied.
    pub fn inverse_mass(&self) -> &[f64] {
        &self.inverse_mass
    }

    /// α of each node \[1/s\].
    pub fn damping_rates(&self) -> &[f64] {
        &self.damping_rate
    }

    /// Whether anything damps.
    pub fn is_damped(&self) -> bool {
        self.damping_rate.iter().any(|&rate| rate > 0.0)
            || self.energies.iter().any(|energy| energy.is_damped())
    }

    /// The energies of all bodies.
    pub fn energies(&self) -> &Energies {
        &self.energies
    }

    /// Nodes that are held, ascending.
    pub fn fixings(&self) -> &[(u32, Fixing)] {
        &self.fixings
    }

    /// The state at the start: all bodies in their rest shapes.
    pub fn start(&self) -> &ElasticState {
        &self.start
    }

    /// How many nodes there are.
    pub fn node_count(&self) -> usize {
        self.mass.len()
    }

    /// The body that a node is part of.
    pub fn body_of(&self, node: usize) -> usize {
        self.bodies.partition_point(|body| body.nodes.end <= node)
    }

    /// The same body, and the node's number in it.
    pub fn locate(&self, node: usize) -> (&ElasticBody, usize) {
        let body = &self.bodies[self.body_of(node)];
        (body, node - body.nodes.start)
    }

    /// How many moving solids the fixings name: one more than the largest number.
    pub fn tied_bodies(&self) -> usize {
        let tied = self.fixings.iter().map(|(_, fixing)| match fixing {
            Fixing::Fixed => 0,
            Fixing::Tied { body, .. } => *body as usize + 1,
        });
        tied.max().unwrap_or(0)
    }
}

/// A system while bodies are added.
#[derive(Default)]
struct Builder {
    bodies: Vec<ElasticBody>,
    mass: Vec<f64>,
    energies: Vec<Box<dyn crate::energy::Energy>>,
    fixings: Vec<(u32, Fixing)>,
    start: ElasticState,
}

impl Builder {
    fn add(&mut self, mut spec: BodySpec) -> Result<(), BuildError> {
        let name = spec.name.clone();
        let body = || name.clone();
        spec.mesh.check().map_err(|error| BuildError::Mesh { body: body(), error })?;
        check_fixings(&spec)?;
        if spec.materials.iter().any(Material::needs_edge_nodes) {
            add_edge_nodes(&mut spec);
        }
        spec.fixings.sort_by_key(|(node, _)| *node);
        let first = u32::try_from(self.mass.len()).map_err(|_| BuildError::TooMany)?;
        let count = u32::try_from(spec.mesh.nodes.len()).map_err(|_| BuildError::TooMany)?;
        first.checked_add(count).ok_or(BuildError::TooMany)?;
        check_surface(&spec).map_err(|error| BuildError::Material { body: body(), error })?;
        let parts = parts_of(&spec, first)?;
        let held = spec.fixings.iter().map(|(node, fixing)| (node + first, *fixing));
        self.fixings.extend(held);

        let nodes = self.mass.len()..self.mass.len() + spec.mesh.nodes.len();
        let energies = self.energies.len()..self.energies.len() + parts.energies.len();
        let default = spec.materials.first().map_or(0.0, Material::thickness);
        self.bodies.push(ElasticBody {
            surface: spec.mesh.surface().into_iter().map(|t| t.map(|node| node + first)).collect(),
            edges: spec.mesh.edges().into_iter().map(|e| e.map(|node| node + first)).collect(),
            thickness: spec.thickness.unwrap_or(default),
            friction: spec.friction,
            damping_rate: spec.damping_rate,
            name: spec.name,
            nodes,
            energies,
        });
        self.mass.extend(parts.mass);
        self.energies.extend(parts.energies);
        self.start.velocity.extend(spec.mesh.nodes.iter().map(|_| spec.velocity));
        self.start.position.extend(spec.mesh.nodes);
        Ok(())
    }

    fn finish(mut self) -> Result<ElasticSystem, BuildError> {
        let mut inverse_mass: Vec<f64> = self.mass.iter().map(|mass| 1.0 / mass).collect();
        for &(node, _) in &self.fixings {
            inverse_mass[node as usize] = 0.0;
            self.start.velocity[node as usize] = Point::zeros();
        }
        let corners: usize = self.energies.iter().map(|energy| energy.nodes().len()).sum();
        u32::try_from(corners).map_err(|_| BuildError::TooMany)?;
        Ok(ElasticSystem {
            energies: Energies::new(self.energies, self.mass.len()),
            damping_rate: damping_rates(&self.bodies),
            bodies: self.bodies,
            mass: self.mass,
            inverse_mass,
            fixings: self.fixings,
            start: self.start,
        })
    }
}

/// Refuses fixings of nodes that are not there, and two of one node.
fn check_fixings(spec: &BodySpec) -> Result<(), BuildError> {
    let count = spec.mesh.nodes.len();
    let mut nodes: Vec<u32> = spec.fixings.iter().map(|(node, _)| *node).collect();
    nodes.sort_unstable();
    if let Some(&node) = nodes.iter().find(|node| **node as usize >= count) {
        return Err(BuildError::FixedNode { body: spec.name.clone(), node, count });
    }
    if let Some(pair) = nodes.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(BuildError::FixedTwice { body: spec.name.clone(), node: pair[0] });
    }
    Ok(())
}

/// Adds nodes in the middles of the edges of tetrahedra, and holds those between nodes that are
/// held.
fn add_edge_nodes(spec: &mut BodySpec) {
    let first = spec.mesh.nodes.len() as u32;
    let (mesh, parents) = std::mem::take(&mut spec.mesh).with_edge_nodes();
    spec.mesh = mesh;
    add_between(&mut spec.fixings, &parents, first);
}

/// α of each node.
fn damping_rates(bodies: &[ElasticBody]) -> Vec<f64> {
    let of_body = |body: &ElasticBody| body.nodes.clone().map(|_| body.damping_rate).collect();
    bodies.iter().flat_map(|body| -> Vec<f64> { of_body(body) }).collect()
}

/// Refuses parameters of a body that are out of range.
fn check_surface(spec: &BodySpec) -> Result<(), MaterialError> {
    let numbers = [
        ("thickness", spec.thickness.unwrap_or(0.0)),
        ("friction", spec.friction),
        ("damping_rate", spec.damping_rate),
        ("velocity", spec.velocity.norm()),
    ];
    numbers.into_iter().try_for_each(|(name, value)| not_negative(name, value).map(drop))
}

/// Masses and energies of a body.
fn parts_of(spec: &BodySpec, first_node: u32) -> Result<BodyParts, BuildError> {
    let mut held = vec![false; spec.mesh.nodes.len()];
    spec.fixings.iter().for_each(|(node, _)| held[*node as usize] = true);
    let mut parts = BodyParts::new(first_node, held);
    for material in &spec.materials {
        let added = material.add_to(&spec.mesh, &mut parts);
        added.map_err(|error| BuildError::Material { body: spec.name.clone(), error })?;
    }
    if let Some(node) = parts.mass.iter().position(|&mass| mass.is_nan() || mass <= 0.0) {
        let (body, place) = (spec.name.clone(), place(&spec.mesh.nodes[node]));
        return Err(BuildError::NoMass { body, node, place });
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::Rope;
    use crate::meshing::rope;

    fn spec(name: &str) -> BodySpec {
        let mesh = rope(Point::zeros(), Point::x(), 4).unwrap();
        BodySpec::new(name, mesh, Material::Rope(Rope::rod(1e6, 1000.0, 0.01)))
    }

    #[test]
    fn nodes_of_all_bodies_are_numbered_through() {
        let held = BodySpec {
            fixings: vec![(4, Fixing::Fixed), (0, Fixing::Tied { body: 2, local: Point::zeros() })],
            damping_rate: 2.0,
            velocity: Point::y(),
            thickness: Some(0.03),
            ..spec("held")
        };
        let system = ElasticSystem::new(vec![spec("free"), held]).unwrap();
        assert_eq!((system.node_count(), system.tied_bodies()), (10, 3));
        let (body, node) = system.locate(7);
        assert_eq!((body.name.as_str(), node), ("held", 2));
        assert_eq!(system.bodies()[1].edges[0], [5, 6]);
        assert_eq!(
            system.bodies().iter().map(|body| body.thickness).collect::<Vec<_>>(),
            [0.01, 0.03]
        );
        let held: Vec<u32> = system.fixings().iter().map(|(node, _)| *node).collect();
        assert_eq!(held, [5, 9], "ascending");
        for node in 0..10 {
            let is_held = [5, 9].contains(&node);
            assert_eq!(system.inverse_mass()[node] == 0.0, is_held);
            let velocity = if node < 5 || is_held { Point::zeros() } else { Point::y() };
            assert_eq!(system.start().velocity[node], velocity);
            assert_eq!(system.damping_rates()[node], if node < 5 { 0.0 } else { 2.0 });
        }
    }

    #[test]
    fn bad_fixings_and_surfaces_are_refused() {
        let message = |spec| ElasticSystem::new(vec![spec]).unwrap_err().to_string();
        let fixed = |nodes: &[u32]| nodes.iter().map(|&node| (node, Fixing::Fixed)).collect();
        let found = message(BodySpec { fixings: fixed(&[1, 5]), ..spec("rope") });
        assert_eq!(found, "elastic body `rope`: node 5 is fixed, but it has 5 nodes, from 0");
        let found = message(BodySpec { fixings: fixed(&[1, 3, 1]), ..spec("rope") });
        assert_eq!(found, "elastic body `rope`: node 1 is fixed twice");
        let found = message(BodySpec { friction: -0.5, ..spec("rope") });
        assert!(
            found.starts_with("elastic body `rope`: `friction` is -0.5; it must be"),
            "{found}"
        );
    }
}
