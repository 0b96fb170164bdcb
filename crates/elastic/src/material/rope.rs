//! Ropes and lines of segments: tension, and bending at the nodes between two of them.
//!
//! A segment is a spring of k = EA/L; a node at which just two segments meet resists bending with
//! EI, as a rod that has no stress in its rest shape. Mass per length is density times the area of
//! the round section. EA and EI are those of the solid section, E A and E π r⁴/4, unless given:
//! a rope of fibres resists bending far less than a rod. Two neighbouring nodes that are fixed, or
//! tied to one solid, clamp the rope in the middle between them.
//!
//! Symbols: E modulus \[Pa\], A section \[m²\], I its second moment \[m⁴\], r radius \[m\].

use super::parts::{BodyParts, not_negative, positive};
use crate::energy::{RodBending, Spring};
use crate::error::{MaterialError, place};
use crate::mesh::ElasticMesh;
use std::f64::consts::PI;

/// What a rope is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rope {
    /// EA: its tension over its strain \[N\].
    pub tensile_stiffness: f64,
    /// EI: its bending moment over its curvature \[N·m²\]; 0 if it bends freely.
    pub bending_stiffness: f64,
    /// Of its mass \[kg/m³\].
    pub density: f64,
    /// Of its round section \[m\].
    pub diameter: f64,
    /// β: of damping by the rates of stretching and bending \[s\].
    pub damping_time: f64,
}

impl Rope {
    /// A round rod of a modulus \[Pa\], density \[kg/m³\] and diameter \[m\].
    pub fn rod(modulus: f64, density: f64, diameter: f64) -> Self {
        let square = diameter * diameter;
        Rope {
            tensile_stiffness: modulus * PI * square / 4.0,
            bending_stiffness: modulus * PI * square * square / 64.0,
            density,
            diameter,
            damping_time: 0.0,
        }
    }

    /// A \[m²\].
    fn area(&self) -> f64 {
        PI * self.diameter * self.diameter / 4.0
    }

    /// Adds the segments of a mesh, and the nodes between two of them.
    pub(super) fn add_to(
        &self,
        mesh: &ElasticMesh,
        parts: &mut BodyParts,
    ) -> Result<(), MaterialError> {
        positive("tensile_stiffness", self.tensile_stiffness)?;
        not_negative("bending_stiffness", self.bending_stiffness)?;
        positive("density", self.density)?;
        positive("diameter", self.diameter)?;
        not_negative("damping_time", self.damping_time)?;
        if mesh.segments.is_empty() {
            return Err(MaterialError::NoElements { elements: "segments", material: "ropes" });
        }
        self.add_tension(mesh, parts)?;
        if self.bending_stiffness > 0.0 {
            self.add_bending(mesh, parts);
        }
        Ok(())
    }

    fn add_tension(&self, mesh: &ElasticMesh, parts: &mut BodyParts) -> Result<(), MaterialError> {
        let mut springs = Vec::with_capacity(mesh.segments.len());
        for (index, corners) in mesh.segments.iter().enumerate() {
            let [a, b] = corners.map(|node| mesh.nodes[node as usize]);
            let length = (b - a).norm();
            if length <= 0.0 {
                let (element, extent, place) = ("segment", "length", place(&a));
                return Err(MaterialError::Degenerate { element, index, extent, place });
            }
            parts.add_mass(corners, self.density * self.area() * length);
            springs.push(Spring {
                stiffness: self.tensile_stiffness / length,
                length,
                area: self.area(),
                damping_time: self.damping_time,
            });
        }
        parts.add_elements(mesh.segments.clone(), springs);
        Ok(())
    }

    fn add_bending(&self, mesh: &ElasticMesh, parts: &mut BodyParts) {
        let joints = joints(mesh);
        let bending = joints.iter().map(|corners| {
            let rest = corners.map(|node| mesh.nodes[node as usize]);
            let (stiffness, radius) = (self.bending_stiffness, 0.5 * self.diameter);
            RodBending::new(&rest, stiffness, radius, self.damping_time)
        });
        let bending = bending.collect();
        parts.add_elements(joints, bending);
    }
}

/// The nodes at which just two segments meet, between their others, ascending.
fn joints(mesh: &ElasticMesh) -> Vec<[u32; 3]> {
    let mut ends: Vec<[u32; 2]> =
        mesh.segments.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
    ends.sort_unstable();
    let of_nodes = ends.chunk_by(|a, b| a[0] == b[0]);
    of_nodes.filter(|at| at.len() == 2).map(|at| [at[0][1], at[0][0], at[1][1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;
    use crate::system::{BodySpec, ElasticSystem};
    use hashfall_geometry::Point;

    #[test]
    fn joints_are_where_just_two_segments_meet() {
        let nodes = (0..5).map(|k| Point::x() * f64::from(k)).collect();
        let segments = vec![[1, 0], [1, 2], [2, 3], [2, 4]];
        let mesh = ElasticMesh { nodes, segments, ..ElasticMesh::default() };
        assert_eq!(joints(&mesh), [[0, 1, 2]]);
        let rope = Rope::rod(1e6, 1000.0, 0.02);
        let spec = BodySpec::new("rope", mesh, Material::Rope(rope));
        let system = ElasticSystem::new(vec![spec]).unwrap();
        let mass: f64 = system.mass().iter().sum();
        let exact = 1000.0 * PI * 1e-4 * 5.0;
        assert!((mass / exact - 1.0).abs() < 1e-14, "{mass} kg for {exact}");
        // Stretched by a tenth, with a tension of EA/10.
        let x: Vec<_> = system.start().position.iter().map(|x| x * 1.1).collect();
        let energy = 0.5 * rope.tensile_stiffness * 0.01 * 5.0;
        assert!((system.energies().energy(&x) / energy - 1.0).abs() < 1e-12);
        let stress = system.energies().node_stress(&x);
        assert!((stress[0] / 1e5 - 1.0).abs() < 1e-12, "{} Pa", stress[0]);
    }
}
