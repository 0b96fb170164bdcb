//! Elastic bodies as meshes, with the velocity and the stress at each vertex.
//!
//! A body is drawn as its surface. One without triangles (ropes, nets) is drawn as tubes around
//! its segments, as thick as others feel it: each a hexagonal prism with a round cap at both ends,
//! so that bends are closed. The vertices of a body are as many, and in the same order, in each
//! frame, which Blender's motion blur and ParaView's filters over time take for granted.
//!
//! The stress is the mean of the elements at a node, weighted by their volumes: the tension of what
//! is one-dimensional, else the equivalent stress of von Mises, of the elastic part alone.

use hashfall_core::{Attribute, Real, Values, Vec3, vec3};
use hashfall_elastic::{ElasticBody, ElasticState};
use hashfall_geometry::Point;
use hashfall_sph::world::Elastic;
use hashfall_surface::SurfaceMesh;

/// The sides of a tube.
const SIDES: usize = 6;
/// Of a ring of a tube, from one end to the other: the end of the segment that it is about, how far
/// beyond that end in radii, and its radius in radii.
const RINGS: [(usize, f64, f64); 6] = [
    (0, 1.0, 0.0),
    (0, 0.707, 0.707),
    (0, 0.0, 1.0),
    (1, 0.0, 1.0),
    (1, 0.707, 0.707),
    (1, 1.0, 0.0),
];

/// Points with what they get from nodes.
#[derive(Default)]
struct Vertices {
    position: Vec<Vec3>,
    normal: Vec<Vec3>,
    /// The node whose velocity and stress each has.
    node: Vec<u32>,
}

/// The mesh of each body.
pub fn all(elastic: &Elastic) -> Vec<SurfaceMesh> {
    let bodies = elastic.system.bodies();
    if bodies.is_empty() {
        return Vec::new();
    }
    let stress = elastic.system.energies().node_stress(&elastic.state.position);
    bodies.iter().map(|body| mesh(body, &elastic.state, &stress)).collect()
}

/// The mesh of a body.
fn mesh(body: &ElasticBody, state: &ElasticState, stress: &[f64]) -> SurfaceMesh {
    let (vertices, triangles) = match body.surface.is_empty() {
        false => surface(body, &state.position),
        true => tubes(body, &state.position),
    };
    let nodes = || vertices.node.iter().map(|&node| node as usize);
    let velocities = nodes().map(|node| rounded(&state.velocity[node])).collect::<Vec<_>>();
    let stresses = nodes().map(|node| vec3([stress[node], 0.0, 0.0]).x).collect::<Vec<Real>>();
    SurfaceMesh {
        attributes: vec![
            Attribute::new("velocity", Values::Vectors(velocities.into())),
            Attribute::new("stress", Values::Scalars(stresses.into())),
        ],
        positions: vertices.position,
        normals: vertices.normal,
        triangles,
    }
}

/// The surface, of the nodes that it has.
fn surface(body: &ElasticBody, x: &[Point]) -> (Vertices, Vec<[u32; 3]>) {
    let first = body.nodes.start;
    let mut vertex_of = vec![u32::MAX; body.nodes.len()];
    for node in body.surface.iter().flatten() {
        vertex_of[*node as usize - first] = 0;
    }
    let mut vertices = Vertices::default();
    for (vertex, node) in vertex_of.iter_mut().zip(body.nodes.clone()) {
        if *vertex == 0 {
            *vertex = vertices.node.len() as u32;
            vertices.node.push(node as u32);
            vertices.position.push(rounded(&x[node]));
        }
    }
    let mut normals = vec![Point::zeros(); body.nodes.len()];
    for triangle in &body.surface {
        let [a, b, c] = triangle.map(|node| x[node as usize]);
        let normal = (b - a).cross(&(c - a));
        triangle.iter().for_each(|node| normals[*node as usize - first] += normal);
    }
    let unit = |node: &u32| {
        let normal = normals[*node as usize - first].try_normalize(0.0);
        rounded(&normal.unwrap_or_else(Point::z))
    };
    vertices.normal = vertices.node.iter().map(unit).collect();
    let corners = |triangle: &[u32; 3]| triangle.map(|node| vertex_of[node as usize - first]);
    let triangles = body.surface.iter().map(corners).collect();
    (vertices, triangles)
}

/// A tube around each segment.
fn tubes(body: &ElasticBody, x: &[Point]) -> (Vertices, Vec<[u32; 3]>) {
    let mut vertices = Vertices::default();
    let mut triangles = Vec::new();
    for segment in &body.edges {
        let first = vertices.node.len() as u32;
        add_tube(*segment, x, 0.5 * body.thickness, &mut vertices);
        for ring in 0..RINGS.len() as u32 - 1 {
            let at = |ring: u32, side: usize| first + ring * SIDES as u32 + (side % SIDES) as u32;
            for side in 0..SIDES {
                let (a, b) = (at(ring, side), at(ring, side + 1));
                let (c, d) = (at(ring + 1, side), at(ring + 1, side + 1));
                // The first and the last ring are points.
                let is_tip = |ring: u32| RINGS[ring as usize].2 == 0.0;
                triangles.extend((!is_tip(ring)).then_some([a, b, d]));
                triangles.extend((!is_tip(ring + 1)).then_some([a, d, c]));
            }
        }
    }
    (vertices, triangles)
}

/// The rings of a tube.
fn add_tube(segment: [u32; 2], x: &[Point], radius: f64, vertices: &mut Vertices) {
    let ends = segment.map(|node| x[node as usize]);
    let along = (ends[1] - ends[0]).try_normalize(0.0).unwrap_or_else(Point::z);
    let least = along.abs().imin();
    let mut across = Point::zeros();
    across[least] = 1.0;
    let across = along.cross(&across).normalize();
    let (u, v) = (across, along.cross(&across));
    for (end, beyond, wide) in RINGS {
        let outwards = if end == 0 { -along } else { along } * beyond;
        for side in 0..SIDES {
            let (sin, cos) = hashfall_bodies::sin_cos(360.0 * side as f64 / SIDES as f64);
            let normal = outwards + (u * cos + v * sin) * wide;
            vertices.position.push(rounded(&(ends[end] + normal * radius)));
            vertices.normal.push(rounded(&normal.normalize()));
            vertices.node.push(segment[end]);
        }
    }
}

/// Rounded to the precision of files.
fn rounded(p: &Point) -> Vec3 {
    vec3((*p).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_elastic::{BodySpec, ElasticMesh, ElasticSystem, Material, Rope, Shell};
    use std::sync::Arc;

    /// A body that flies along x.
    fn flying(mesh: ElasticMesh, material: Material) -> Elastic {
        let spec = BodySpec { velocity: Point::x(), ..BodySpec::new("body", mesh, material) };
        Elastic::new(Arc::new(ElasticSystem::new(vec![spec]).unwrap()))
    }

    fn scalars<'a>(mesh: &'a SurfaceMesh, name: &str) -> &'a [Real] {
        let attribute = mesh.attributes.iter().find(|attribute| attribute.name == name).unwrap();
        let Values::Scalars(scalars) = &attribute.values else { panic!("no scalars") };
        scalars
    }

    #[test]
    fn a_rope_is_a_closed_tube_with_its_tension() {
        let rope = hashfall_elastic::rope(Point::zeros(), Point::x(), 1).unwrap();
        let rod = Rope { bending_stiffness: 0.0, ..Rope::rod(1e6, 1000.0, 0.1) };
        let mut elastic = flying(rope, Material::Rope(rod));
        elastic.state.position[1].x = 1.01;
        let [mesh] = &all(&elastic)[..] else { panic!("one body") };
        // A prism of six sides with the caps' cones: between its inscribed and the round capsule.
        let volume = mesh.volume();
        assert!((0.0060..0.0085).contains(&volume), "{volume}");
        let stress = scalars(mesh, "stress");
        assert!(stress.iter().all(|&stress| (stress / 1e4 - 1.0).abs() < 1e-5));
        assert_eq!(stress.len(), mesh.positions.len());
        assert_eq!(mesh.normals.len(), mesh.positions.len());
    }

    #[test]
    fn a_sheet_has_a_vertex_for_each_node_with_its_velocity_and_normal() {
        let [u, v] = [Point::x(), Point::y()];
        let sheet = hashfall_elastic::sheet(Point::zeros(), u, v, [3, 2]).unwrap();
        let shell = Shell::new(1e6, 0.3, 300.0, 1e-3);
        let elastic = flying(sheet.clone(), Material::Shell(shell));
        let [mesh] = &all(&elastic)[..] else { panic!("one body") };
        assert_eq!(mesh.positions.len(), sheet.nodes.len());
        assert_eq!(mesh.triangles, sheet.triangles);
        assert!(mesh.normals.iter().all(|normal| normal.z.abs() == 1.0));
        let Values::Vectors(velocities) = &mesh.attributes[0].values else { panic!("no vectors") };
        assert!(velocities.iter().all(|velocity| *velocity == Vec3::x()));
        assert!(scalars(mesh, "stress").iter().all(|&stress| stress.abs() < 1e-3));
    }
}
