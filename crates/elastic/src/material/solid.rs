//! Solids of tetrahedra: stable neo-Hookean, with quadratic elements unless linear ones are asked
//! for.

use super::parts::{BodyParts, not_negative, positive};
use crate::energy::continuum::simplex::{MASS_SHARES, quadratic_tetrahedron, tetrahedron};
use crate::energy::{ContinuumElement, NeoHookeanSolid, QuadraturePoint};
use crate::error::{MaterialError, place};
use crate::mesh::ElasticMesh;

/// Shape functions of tetrahedra.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ElementOrder {
    /// Of four nodes: far too stiff in bending, unless there are very many.
    Linear,
    /// Of ten nodes, six of which are added in the middles of edges.
    #[default]
    Quadratic,
}

/// What a solid is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// E \[Pa\].
    pub modulus: f64,
    /// ν, from 0 to below 1/2.
    pub poisson_ratio: f64,
    /// \[kg/m³\]
    pub density: f64,
    /// β: of damping by the rate of strain \[s\].
    pub damping_time: f64,
    /// Shape functions.
    pub order: ElementOrder,
}

impl Solid {
    /// Without damping, of quadratic elements.
    pub fn new(modulus: f64, poisson_ratio: f64, density: f64) -> Self {
        let order = ElementOrder::default();
        Solid { modulus, poisson_ratio, density, damping_time: 0.0, order }
    }

    /// Adds an element for each tetrahedron of a mesh, and their masses.
    pub(super) fn add_to(
        &self,
        mesh: &ElasticMesh,
        parts: &mut BodyParts,
    ) -> Result<(), MaterialError> {
        self.check()?;
        if mesh.tetrahedra.is_empty() {
            return Err(MaterialError::NoElements { elements: "tetrahedra", material: "solids" });
        }
        if mesh.edge_nodes.is_empty() {
            let nodes = mesh.tetrahedra.clone();
            return self.add_elements(mesh, parts, nodes, tetrahedron, |_| 0.25);
        }
        let all = mesh.tetrahedra.iter().zip(&mesh.edge_nodes);
        let ten = all.map(|(corners, middles)| {
            std::array::from_fn(|k| if k < 4 { corners[k] } else { middles[k - 4] })
        });
        let share = |corner: usize| MASS_SHARES[usize::from(corner >= 4)];
        self.add_elements(mesh, parts, ten.collect(), quadratic_tetrahedron, share)
    }

    fn check(&self) -> Result<(), MaterialError> {
        positive("modulus", self.modulus)?;
        positive("density", self.density)?;
        not_negative("damping_time", self.damping_time)?;
        let (name, value) = ("poisson_ratio", self.poisson_ratio);
        if (0.0..0.5).contains(&value) {
            return Ok(());
        }
        Err(MaterialError::Parameter { name, value, range: "from 0 to below 0.5" })
    }

    /// Adds elements of one kind, with masses shared out among their corners.
    fn add_elements<const N: usize, const Q: usize>(
        &self,
        mesh: &ElasticMesh,
        parts: &mut BodyParts,
        nodes: Vec<[u32; N]>,
        quadrature: impl Fn(&[hashfall_geometry::Point; 4]) -> Option<[QuadraturePoint<N, 3>; Q]>,
        share: impl Fn(usize) -> f64,
    ) -> Result<(), MaterialError> {
        let material = NeoHookeanSolid::new(self.modulus, self.poisson_ratio);
        let mut elements = Vec::with_capacity(nodes.len());
        for (index, corners) in nodes.iter().enumerate() {
            let x = std::array::from_fn(|k| mesh.nodes[corners[k] as usize]);
            let Some(points) = quadrature(&x) else {
                let (element, extent, place) = ("tetrahedron", "positive volume", place(&x[0]));
                return Err(MaterialError::Degenerate { element, index, extent, place });
            };
            let volume: f64 = points.iter().map(|point| point.weight).sum();
            for (corner, &node) in corners.iter().enumerate() {
                parts.mass[node as usize] += self.density * volume * share(corner);
            }
            elements.push(ContinuumElement { material, points, damping_time: self.damping_time });
        }
        parts.add_elements(nodes, elements);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;
    use crate::fixing::Fixing;
    use crate::meshing::{BoxPattern, box_tetrahedra};
    use crate::system::{BodySpec, ElasticSystem};
    use hashfall_geometry::Point;

    fn block(solid: Solid) -> BodySpec {
        let edges = [Point::x() * 2.0, Point::y(), Point::z()];
        let mesh = box_tetrahedra(Point::zeros(), edges, [2, 1, 1], BoxPattern::Five).unwrap();
        BodySpec::new("block", mesh, Material::Solid(solid))
    }

    #[test]
    fn both_orders_have_the_mass_and_the_energy_of_a_homogeneous_strain() {
        let solid = Solid::new(2e6, 0.3, 500.0);
        for order in [ElementOrder::Linear, ElementOrder::Quadratic] {
            let system = ElasticSystem::new(vec![block(Solid { order, ..solid })]).unwrap();
            let mass: f64 = system.mass().iter().sum();
            assert!((mass - 1000.0).abs() < 1e-10 && system.mass().iter().all(|m| *m > 0.0));
            let strain = 1e-5;
            let moved = |x: &Point| {
                Point::new(
                    x.x * (1.0 + strain),
                    x.y * (1.0 - 0.3 * strain),
                    x.z * (1.0 - 0.3 * strain),
                )
            };
            let x: Vec<_> = system.start().position.iter().map(moved).collect();
            let exact = 0.5 * 2e6 * strain * strain * 2.0;
            let energy = system.energies().energy(&x);
            assert!((energy / exact - 1.0).abs() < 1e-4, "{order:?}: {energy} J, exact {exact} J");
            let stress = system.energies().node_stress(&x);
            assert!(stress.iter().all(|s| (s / (2e6 * strain) - 1.0).abs() < 1e-4));
        }
    }

    #[test]
    fn nodes_on_edges_are_held_where_both_ends_are() {
        let mut spec = block(Solid::new(1.0, 0.3, 1.0));
        let held: Vec<u32> =
            (0_u32..).zip(&spec.mesh.nodes).filter(|(_, x)| x.x == 0.0).map(|(k, _)| k).collect();
        spec.fixings = held.iter().map(|&node| (node, Fixing::Fixed)).collect();
        let system = ElasticSystem::new(vec![spec]).unwrap();
        let is_held = |node: usize| system.inverse_mass()[node] == 0.0;
        let places = &system.start().position;
        assert!((0..system.node_count()).all(|node| is_held(node) == (places[node].x == 0.0)));
        assert_eq!(system.fixings().len(), 4 + 5);
    }

    #[test]
    fn bad_solids_are_refused_with_what_is_wrong() {
        let message = |spec: BodySpec| ElasticSystem::new(vec![spec]).unwrap_err().to_string();
        let found = message(block(Solid::new(1.0, 0.5, 1.0)));
        assert_eq!(
            found,
            "elastic body `block`: `poisson_ratio` is 0.5; it must be from 0 to below 0.5"
        );
        let mut spec = block(Solid::new(1.0, 0.3, 1.0));
        spec.mesh.tetrahedra[3].swap(0, 1);
        let found = message(spec);
        assert!(found.contains("tetrahedron 3 of the mesh has no positive volume"), "{found}");
        let mut spec = block(Solid::new(1.0, 0.3, 1.0));
        spec.mesh.tetrahedra.clear();
        assert!(message(spec).contains("the mesh has no tetrahedra, of which solids are made"));
    }
}
