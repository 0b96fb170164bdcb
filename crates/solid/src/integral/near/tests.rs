//! What is near: faces of meshes are told as walls are.

use crate::integral::testing::NearQuery;
use crate::mesh_tree::by_distance;
use crate::precision::to_vec3;
use crate::{PlaneTable, Solids, Sphere};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::{Aabb, TriangleMesh};

const REACH: Real = 0.1;

/// The unit cube's surface, each face cut into `n`×`n` squares, facing outwards.
fn cube(n: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for (face, axis) in (0..6).map(|f| (f, f / 2)) {
        let place = |i: u32, j: u32| {
            let mut p = Vec3::zeros();
            p[axis] = (face % 2) as Real;
            p[(axis + 1) % 3] = i as Real / n as Real;
            p[(axis + 2) % 3] = j as Real / n as Real;
            p
        };
        for (i, j) in (0..n * n).map(|k| (k % n, k / n)) {
            let first = mesh.vertices.len() as u32;
            mesh.vertices.extend([
                place(i, j),
                place(i + 1, j),
                place(i + 1, j + 1),
                place(i, j + 1),
            ]);
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| first + k);
            let pair = [[a, b, c], [a, c, d]];
            let flip = |[a, b, c]: [u32; 3]| [a, c, b];
            mesh.triangles.extend(if face % 2 == 1 { pair } else { pair.map(flip) });
        }
    }
    mesh
}

fn far_walls() -> Aabb {
    Aabb::new(Vec3::new(-9.0, -9.0, -9.0), Vec3::new(9.0, 9.0, 9.0))
}

fn near_query(solids: &Solids) -> NearQuery<'_> {
    NearQuery::new(solids, PlaneTable::with_cubic_spline(REACH), REACH)
}

#[test]
fn inside_a_mesh_box_the_faces_are_what_walls_are() {
    let walls = Solids::new(Aabb::new(Vec3::zeros(), Vec3::new(1.0, 1.0, 1.0)), vec![], vec![]);
    let (walls, mut random) = (near_query(&walls), Random::new(5));
    for n in [1, 2, 9] {
        let mesh = Solids::new(far_walls(), vec![], vec![cube(n)]);
        let mesh = near_query(&mesh);
        for _ in 0..500 {
            // Up to three faces are near: the corners matter.
            let x = to_vec3(&random.point(0.9, 0.999));
            let mut expected = walls.near(&x).surfaces;
            expected.sort_by(by_distance);
            let found = mesh.near(&x).surfaces;
            assert_eq!(found.len(), expected.len(), "{x} {found:?}");
            for (a, b) in found.iter().zip(&expected) {
                assert!((a.distance - b.distance).abs() < 1e-6);
                assert!((a.normal - b.normal).norm() < 1e-6 && a.curvature == 0.0);
            }
        }
    }
}

#[test]
fn outside_a_convex_mesh_there_is_one_face() {
    let mut random = Random::new(6);
    for n in [1, 8] {
        let solids = Solids::new(far_walls(), vec![], vec![cube(n)]);
        let query = near_query(&solids);
        for _ in 0..1000 {
            let x = to_vec3(&random.point(-0.1, 1.1));
            let outside = x - x.map(|c| c.clamp(0.0, 1.0));
            let distance = outside.norm();
            if (1e-3..0.99 * REACH).contains(&distance) {
                let found = query.near(&x).surfaces;
                assert_eq!(found.len(), 1, "{x} {found:?}");
                assert!((found[0].distance - distance).abs() < 1e-6);
                assert!((found[0].normal - outside / distance).norm() < 1e-4);
            }
        }
    }
}

#[test]
fn spheres_bring_their_curvature_and_the_reach_counts_from_the_surface() {
    let at = |x| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.5 };
    let solids = Solids::new(far_walls(), vec![at(0.0), at(1.16)], vec![]);
    let query = near_query(&solids);
    let found = query.near(&Vec3::new(0.55, 0.0, 0.0)).surfaces;
    assert_eq!(found.len(), 1);
    assert!((found[0].distance - 0.05).abs() < 1e-6 && found[0].curvature == 2.0);
    assert_eq!(found[0].normal, Vec3::x());
    assert_eq!(query.near(&Vec3::new(0.575, 0.0, 0.0)).surfaces.len(), 2);
}

#[test]
fn on_and_in_a_solid_normals_are_unit_vectors() {
    let sphere = Sphere { centre: Vec3::new(3.0, 0.0, 0.0), radius: 0.5 };
    let solids = Solids::new(far_walls(), vec![sphere], vec![cube(3)]);
    let query = near_query(&solids);
    for x in [[0.5, 0.2, 1.0], [1.0, 1.0, 1.0], [1.0, 0.5, 1.0], [3.0, 0.0, 0.0], [9.5; 3]] {
        let found = query.near(&Vec3::from(x)).surfaces;
        assert!(!found.is_empty());
        assert!(found.iter().all(|s| (s.normal.norm() - 1.0).abs() < 1e-6), "{found:?}");
    }
}
