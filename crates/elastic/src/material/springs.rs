//! Bodies of masses and springs: a spring along each edge of the mesh, as in Ahmad's deformable
//! objects.
//!
//! The stiffness is that of each spring, k, or follows from a modulus: k = E V/L², where V is the
//! volume of all elements at the edge, E A/L with the cross-section A = V/L (Van Gelder 1998,
//! *Approximate Simulation of Elastic Membranes by Triangulated Spring Meshes*, eq. 8). Over
//! directions that are evenly spread this gives Young's modulus E. But forces between pairs fix
//! Poisson's ratio (Cauchy's relation): 1/3 of sheets in their plane, and 1/4 of solids, whatever
//! the mesh; shells and solids have the one that the material has.
//!
//! In a tetrahedron the volumes of its springs sum to 6 V. Those of a cell of a lattice do, too,
//! shared by the weights of Lebedev's rule of 26 points, which is exact for polynomials of degree
//! 7: so a lattice of cubes is isotropic, and has the modulus E. Its segments and triangles then
//! stand for no volume of their own.
//!
//! Sheets of springs along edges bend freely. Springs across each inner edge, between the corners
//! that face it, resist that a little, and stiffen the sheet in its plane too.
//!
//! Symbols: k stiffness \[N/m\], E modulus \[Pa\], L length \[m\], V volume \[m³\].

use super::parts::{BodyParts, not_negative, positive};
use crate::energy::Spring;
use crate::error::{MaterialError, place};
use crate::mesh::ElasticMesh;
use hashfall_geometry::Point;
use std::collections::BTreeMap;

/// How stiff springs are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringStiffness {
    /// k of each spring \[N/m\].
    PerSpring(f64),
    /// E \[Pa\].
    Modulus(f64),
}

/// How heavy the nodes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpringMass {
    /// Of what segments, triangles, tetrahedra and cells stand for, shared among their corners
    /// \[kg/m³\].
    Density(f64),
    /// Of each node, as in Ahmad's objects \[kg\].
    PerNode(f64),
}

/// Springs along the edges of segments, triangles and tetrahedra.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// How stiff they are.
    pub stiffness: SpringStiffness,
    /// The stiffness of springs across inner edges of triangles, over that of the edges; 0 of none.
    pub across: f64,
    /// How heavy its nodes are.
    pub mass: SpringMass,
    /// Of the sheet that triangles stand for, and the diameter of segments \[m\].
    pub thickness: f64,
    /// β: the damping of a spring over its stiffness \[s\].
    pub damping_time: f64,
}

/// Weights of Lebedev's rule of 26 points (1976), of directions along edges, diagonals of faces and
/// diagonals of cells.
const LEBEDEV: [f64; 3] = [1.0 / 21.0, 4.0 / 105.0, 9.0 / 280.0];

/// How many cells share such a pair of corners within a lattice.
const SHARED: [f64; 3] = [4.0, 2.0, 1.0];

/// The volumes of the elements at each edge, the lower node first.
type EdgeVolumes = BTreeMap<[u32; 2], f64>;

impl Springs {
    /// Adds a spring for each edge, and the masses of all elements.
    pub(super) fn add_to(
        &self,
        mesh: &ElasticMesh,
        parts: &mut BodyParts,
    ) -> Result<(), MaterialError> {
        self.check()?;
        let of_cells = self.add_cells(mesh, parts)?;
        let mut volumes = of_cells.clone();
        self.add_all(mesh, &mesh.segments, parts, &of_cells, &mut volumes)?;
        self.add_all(mesh, &mesh.triangles, parts, &of_cells, &mut volumes)?;
        self.add_all(mesh, &mesh.tetrahedra, parts, &of_cells, &mut volumes)?;
        let edges = volumes.iter().map(|(&edge, &volume)| self.spring(mesh, edge, volume, 1.0));
        let mut springs = edges.collect::<Result<Vec<_>, _>>()?;
        if springs.is_empty() {
            let elements = "segments, triangles or tetrahedra";
            return Err(MaterialError::NoElements { elements, material: "springs" });
        }
        if self.across > 0.0 {
            for (edge, opposite) in mesh.inner_edges() {
                // Two triangles on one another face their edge with one corner.
                if opposite[0] != opposite[1] {
                    springs.push(self.spring(mesh, opposite, volumes[&edge], self.across)?);
                }
            }
        }
        if let SpringMass::PerNode(mass) = self.mass {
            parts.mass.iter_mut().for_each(|of_node| *of_node += mass);
        }
        let (nodes, springs) = springs.into_iter().unzip();
        parts.add_elements(nodes, springs);
        Ok(())
    }

    /// Refuses parameters that are out of range.
    fn check(&self) -> Result<(), MaterialError> {
        match self.stiffness {
            SpringStiffness::PerSpring(k) => positive("stiffness", k)?,
            SpringStiffness::Modulus(modulus) => positive("modulus", modulus)?,
        };
        not_negative("across", self.across)?;
        match self.mass {
            SpringMass::Density(density) => positive("density", density)?,
            SpringMass::PerNode(mass) => positive("node_mass", mass)?,
        };
        positive("thickness", self.thickness)?;
        not_negative("damping_time", self.damping_time)?;
        Ok(())
    }

    /// Adds the masses of elements of a kind, and their volumes at their edges, but for those whose
    /// edges are of cells.
    fn add_all<const N: usize>(
        &self,
        mesh: &ElasticMesh,
        elements: &[[u32; N]],
        parts: &mut BodyParts,
        of_cells: &EdgeVolumes,
        volumes: &mut EdgeVolumes,
    ) -> Result<(), MaterialError> {
        for (index, corners) in elements.iter().enumerate() {
            if !of_cells.is_empty() && pairs(corners).all(|edge| of_cells.contains_key(&edge)) {
                continue;
            }
            let x = corners.map(|node| mesh.nodes[node as usize]);
            let volume = self.volume(&x);
            if volume.is_nan() || volume <= 0.0 {
                let (element, extent) = [("segment", "length"), ("triangle", "area")]
                    .get(N - 2)
                    .copied()
                    .unwrap_or(("tetrahedron", "volume"));
                let place = place(&x[0]);
                return Err(MaterialError::Degenerate { element, index, extent, place });
            }
            if let SpringMass::Density(density) = self.mass {
                parts.add_mass(corners, density * volume);
            }
            pairs(corners).for_each(|edge| *volumes.entry(edge).or_insert(0.0) += volume);
        }
        Ok(())
    }

    /// Adds the masses of the cells of a lattice; returns their volumes at all pairs of their
    /// corners.
    fn add_cells(
        &self,
        mesh: &ElasticMesh,
        parts: &mut BodyParts,
    ) -> Result<EdgeVolumes, MaterialError> {
        // Of edges, diagonals of faces and diagonals of cells; a direction has two of the rule's
        // points.
        let weights: [f64; 3] = std::array::from_fn(|kind| 2.0 * LEBEDEV[kind] / SHARED[kind]);
        let kind = |a: usize, b: usize| (a ^ b).count_ones() as usize - 1;
        let kinds = (0..8).flat_map(|a| (a + 1..8).map(move |b| kind(a, b)));
        let weights: Vec<f64> = kinds.map(|kind| weights[kind]).collect();
        let mut volumes = EdgeVolumes::new();
        for (index, corners) in mesh.cells.iter().enumerate() {
            let x = corners.map(|node| mesh.nodes[node as usize]);
            let [u, v, w] = [1, 2, 4].map(|k| x[k] - x[0]);
            let volume = u.cross(&v).dot(&w).abs();
            if volume.is_nan() || volume <= 0.0 {
                let (element, extent, place) = ("cell", "volume", place(&x[0]));
                return Err(MaterialError::Degenerate { element, index, extent, place });
            }
            if let SpringMass::Density(density) = self.mass {
                parts.add_mass(corners, density * volume);
            }
            for (edge, weight) in pairs(corners).zip(&weights) {
                *volumes.entry(edge).or_insert(0.0) += 6.0 * weight * volume;
            }
        }
        Ok(volumes)
    }

    /// The volume of a segment, triangle or tetrahedron \[m³\].
    fn volume(&self, x: &[Point]) -> f64 {
        let side = |k: usize| x[k] - x[0];
        match x.len() {
            2 => 0.25 * std::f64::consts::PI * self.thickness * self.thickness * side(1).norm(),
            3 => 0.5 * self.thickness * side(1).cross(&side(2)).norm(),
            _ => side(1).cross(&side(2)).dot(&side(3)).abs() / 6.0,
        }
    }

    /// The spring between two nodes, a multiple of one along an edge of elements of such a volume.
    fn spring(
        &self,
        mesh: &ElasticMesh,
        nodes: [u32; 2],
        volume: f64,
        multiple: f64,
    ) -> Result<([u32; 2], Spring), MaterialError> {
        let [a, b] = nodes.map(|node| mesh.nodes[node as usize]);
        let length = (b - a).norm();
        if length.is_nan() || length <= 0.0 {
            let (element, extent, place) = ("the spring at node", "length", place(&a));
            let index = nodes[0] as usize;
            return Err(MaterialError::Degenerate { element, index, extent, place });
        }
        let area = multiple * volume / length;
        let stiffness = match self.stiffness {
            SpringStiffness::PerSpring(k) => multiple * k,
            SpringStiffness::Modulus(modulus) => modulus * area / length,
        };
        Ok((nodes, Spring { stiffness, length, area, damping_time: self.damping_time }))
    }
}

/// All pairs of corners of an element, the lower node first.
fn pairs(corners: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let all = corners.iter().enumerate();
    let with_later =
        move |(k, &a): (usize, &u32)| corners[k + 1..].iter().map(move |&b| [a.min(b), a.max(b)]);
    all.flat_map(with_later)
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;
    use crate::energy::Energy;
    use crate::meshing::spring_lattice;
    use crate::system::{BodySpec, ElasticSystem};
    use nalgebra::Matrix3;

    fn springs(stiffness: SpringStiffness) -> Springs {
        let mass = SpringMass::Density(500.0);
        Springs { stiffness, across: 0.0, mass, thickness: 0.01, damping_time: 0.0 }
    }

    fn system(mesh: ElasticMesh, springs: Springs) -> ElasticSystem {
        ElasticSystem::new(vec![BodySpec::new("body", mesh, Material::Springs(springs))]).unwrap()
    }

    /// The energy of a homogeneous strain over the volume of the body \[J/m³\].
    fn energy_density(system: &ElasticSystem, strain: &Matrix3<f64>) -> f64 {
        let moved = |x: &Point| x + strain * x;
        let x: Vec<_> = system.start().position.iter().map(moved).collect();
        let volume: f64 = system.mass().iter().sum::<f64>() / 500.0;
        system.energies().energy(&x) / volume
    }

    #[test]
    fn a_hexagon_of_springs_has_the_modulus_and_a_poisson_ratio_of_a_third() {
        let mut mesh = ElasticMesh { nodes: vec![Point::zeros()], ..ElasticMesh::default() };
        for k in 0..6_u32 {
            let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_3).sin_cos();
            mesh.nodes.push(Point::new(cos, sin, 0.0));
            mesh.triangles.push([0, 1 + k, 1 + (k + 1) % 6]);
        }
        // The rim has one triangle at each edge: half a spring, whose other half is outside.
        let system = system(mesh, springs(SpringStiffness::Modulus(2e6)));
        let (modulus, e) = (2e6, 1e-5);
        let energy = |xx: f64, yy: f64, xy: f64| {
            let strain = Matrix3::new(xx, xy, 0.0, xy, yy, 0.0, 0.0, 0.0, 0.0);
            energy_density(&system, &(strain * e)) / (0.5 * e * e)
        };
        // Plane stress: E/(1 − ν²) with ν = 1/3, and 4G = 2E/(1 + ν).
        let (stretch, shear) = (modulus / (1.0 - 1.0 / 9.0), 2.0 * modulus / (1.0 + 1.0 / 3.0));
        for (found, exact) in [
            (energy(1.0, 0.0, 0.0), stretch),
            (energy(0.0, 1.0, 0.0), stretch),
            (energy(1.0, 1.0, 0.0), 2.0 * stretch * (1.0 + 1.0 / 3.0)),
            (energy(0.0, 0.0, 1.0), shear),
        ] {
            assert!((found / exact - 1.0).abs() < 1e-4, "{found} for {exact}");
        }
    }

    #[test]
    fn a_lattice_weighs_what_its_box_does_and_has_the_modulus_and_a_poisson_ratio_of_a_quarter() {
        let edges = [Point::x() * 0.3, Point::y() * 0.3, Point::z() * 0.2];
        let mesh = spring_lattice(Point::zeros(), edges, [6, 6, 4]).unwrap();
        let cell = 0.05_f64.powi(3);
        let system = system(mesh, springs(SpringStiffness::Modulus(2e6)));
        let mass: f64 = system.mass().iter().sum();
        assert!((mass / (500.0 * 0.3 * 0.3 * 0.2) - 1.0).abs() < 1e-14, "{mass} kg");
        let corner = system.mass()[0];
        assert!((corner / (500.0 * cell / 8.0) - 1.0).abs() < 1e-14, "{corner} kg");
        let (modulus, nu, e) = (2e6, 0.25, 1e-6);
        let energy = |strain: Matrix3<f64>| energy_density(&system, &(strain * e)) / (0.5 * e * e);
        let stretch = modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let shear = 4.0 * modulus / (2.0 * (1.0 + nu));
        let along = |n: Point| n * n.transpose();
        let diagonal = Point::new(1.0, 1.0, 0.0) / 2.0_f64.sqrt();
        for (strain, exact) in [
            (along(Point::x()), stretch),
            (along(Point::z()), stretch),
            (along(diagonal), stretch),
            (along(Point::repeat(1.0 / 3.0_f64.sqrt())), stretch),
            (Matrix3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0), shear),
            (Matrix3::identity(), 3.0 * modulus / (1.0 - 2.0 * nu)),
        ] {
            let found = energy(strain);
            assert!((found / exact - 1.0).abs() < 1e-4, "{found} for {exact}");
        }
    }

    #[test]
    fn masses_are_those_of_the_elements_and_springs_their_edges() {
        let nodes = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(Point::from);
        let triangles = vec![[0, 1, 2], [1, 3, 2]];
        let mesh = ElasticMesh { nodes: nodes.to_vec(), triangles, ..ElasticMesh::default() };
        let all = Springs { across: 0.5, ..springs(SpringStiffness::PerSpring(40.0)) };
        let system = system(mesh, all);
        let mass: f64 = system.mass().iter().sum();
        assert!((mass - 500.0 * 0.01).abs() < 1e-12, "{mass} kg");
        assert_eq!(system.mass()[1], 2.0 * system.mass()[0], "of two triangles");
        let energies: Vec<&dyn Energy> = system.energies().iter().collect();
        assert_eq!(energies[0].element_count(), 6, "five edges, and one across the inner one");
        // Only the spring from 0 to 3 and two edges are longer.
        let mut x = system.start().position.clone();
        x[3] += Point::new(0.1, 0.1, 0.0);
        let across = 0.5 * 20.0 * (0.1 * 2.0_f64.sqrt()).powi(2);
        let edge = 0.5 * 40.0 * ((1.1_f64.powi(2) + 0.01).sqrt() - 1.0).powi(2);
        assert!((system.energies().energy(&x) - across - 2.0 * edge).abs() < 1e-12);
    }

    #[test]
    fn bad_springs_and_meshes_are_refused_with_what_is_wrong() {
        let bad = |mesh: ElasticMesh, springs: Springs| {
            let spec = BodySpec::new("net", mesh, Material::Springs(springs));
            ElasticSystem::new(vec![spec]).unwrap_err().to_string()
        };
        let good = springs(SpringStiffness::PerSpring(1.0));
        let nodes = vec![Point::zeros(), Point::x(), Point::x()];
        let mesh = ElasticMesh { nodes, segments: vec![[0, 1]], ..ElasticMesh::default() };
        let message = bad(mesh.clone(), Springs { damping_time: f64::NAN, ..good });
        let range = "it must be a finite number, 0 or above";
        assert_eq!(message, format!("elastic body `net`: `damping_time` is NaN; {range}"));
        let message = bad(mesh.clone(), good);
        assert!(message.contains("node 2 at [1.0, 0.0, 0.0] has no mass"), "{message}");
        let short = ElasticMesh { segments: vec![[0, 1], [1, 2]], ..mesh.clone() };
        let message = bad(short, good);
        assert!(message.contains("segment 1 of the mesh has no length"), "{message}");
        let message = bad(ElasticMesh { segments: vec![[0, 7]], ..mesh }, good);
        assert!(
            message.contains("segment 0 of its mesh names node 7, but there are 3"),
            "{message}"
        );
    }
}
