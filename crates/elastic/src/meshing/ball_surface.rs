//! The surface of a ball as a shell.

use super::error::{MeshingError, check_length, check_place};
use crate::mesh::ElasticMesh;
use hashfall_geometry::{Point, shape::unit_sphere};

/// The most times that edges are halved: 20·4⁹ triangles.
pub const MAX_SUBDIVISIONS: u32 = 9;

/// A closed shell of 20·4ⁿ triangles for n `subdivisions`, facing outwards: an icosahedron whose
/// edges are halved n times, with every node on the sphere of this centre and radius \[m\].
///
/// # Errors
/// If the centre is not finite, the radius not positive, or n above [`MAX_SUBDIVISIONS`].
pub fn ball_surface(
    centre: Point,
    radius: f64,
    subdivisions: u32,
) -> Result<ElasticMesh, MeshingError> {
    check_place("the centre of the ball", &centre)?;
    check_length("the radius of the ball", radius)?;
    if subdivisions > MAX_SUBDIVISIONS {
        let nodes = 4_u64.saturating_pow(subdivisions).saturating_mul(10);
        return Err(MeshingError::TooLarge { nodes });
    }
    let (directions, triangles) = unit_sphere(subdivisions);
    let nodes = directions.iter().map(|direction| centre + direction * radius).collect();
    Ok(ElasticMesh { nodes, triangles, ..ElasticMesh::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_closed_and_faces_outwards() {
        let centre = Point::new(1.0, -2.0, 0.5);
        let mesh = ball_surface(centre, 0.3, 3).unwrap();
        assert_eq!((mesh.nodes.len(), mesh.triangles.len()), (642, 1280));
        assert!(mesh.nodes.iter().all(|x| ((x - centre).norm() - 0.3).abs() < 2e-15));
        assert_eq!(642 + 1280 - mesh.edges().len(), 2);
        for t in &mesh.triangles {
            let [a, b, c] = t.map(|node| mesh.nodes[node as usize] - centre);
            assert!(a.dot(&b.cross(&c)) > 0.0);
        }
        assert!(ball_surface(centre, -0.3, 3).is_err());
        assert!(ball_surface(centre, 0.3, 40).is_err());
    }
}
