//! Level sets against closed forms and against every triangle.

use super::level_set::{HALF_WIDTH, LevelSet, level_set, offset};
use super::winding::{NotClosed, Rows};
use crate::frame::{Mesh, Part};
use crate::testing::{octahedron, random};

fn wide(mesh: &Mesh) -> Vec<[f64; 3]> {
    mesh.points.positions.iter().map(|x| x.map(f64::from)).collect()
}

/// Two meshes as one, the triangles of the second turned inwards.
fn with_cavity(mesh: &Mesh, cavity: &Mesh) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let first = mesh.points.positions.len() as u32;
    let vertices = wide(mesh).into_iter().chain(wide(cavity)).collect();
    let turned = cavity.triangles.iter().map(|&[a, b, c]| [first + a, first + c, first + b]);
    (vertices, mesh.triangles.iter().copied().chain(turned).collect())
}

/// The distance to the plane of an octahedron's faces, below 0 inside.
fn plane_distance(x: [f64; 3], centre: [f64; 3], radius: f64) -> f64 {
    let sum: f64 = (0..3).map(|k| (x[k] - centre[k]).abs()).sum();
    (sum - radius) / 3_f64.sqrt()
}

/// The distance to a triangle: the least over its plane, if the foot is within, and its edges.
fn by_parts(p: plain::V, [a, b, c]: [plain::V; 3]) -> f64 {
    use plain::{cross, dot, minus, to_segment};
    let edges = [(a, b), (b, c), (c, a)];
    let to_edges =
        edges.map(|(a, b)| to_segment(p, a, b)).into_iter().fold(f64::INFINITY, f64::min);
    let normal = cross(minus(b, a), minus(c, a));
    let is_above = |(a, b)| dot(cross(minus(b, a), minus(p, a)), normal) >= 0.0;
    if edges.into_iter().all(is_above) {
        return dot(minus(p, a), normal).abs() / dot(normal, normal).sqrt();
    }
    to_edges
}

/// A few operations on vectors, apart from those that are tested.
mod plain {
    pub type V = [f64; 3];

    pub fn minus(a: V, b: V) -> V {
        std::array::from_fn(|k| a[k] - b[k])
    }

    pub fn dot(a: V, b: V) -> f64 {
        (0..3).map(|k| a[k] * b[k]).sum()
    }

    pub fn cross(a: V, b: V) -> V {
        std::array::from_fn(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            a[i] * b[j] - a[j] * b[i]
        })
    }

    pub fn to_segment(p: V, a: V, b: V) -> f64 {
        let (ab, ap) = (minus(b, a), minus(p, a));
        let t = (dot(ab, ap) / dot(ab, ab)).clamp(0.0, 1.0);
        let rest: V = std::array::from_fn(|k| ap[k] - t * ab[k]);
        dot(rest, rest).sqrt()
    }
}

#[test]
fn each_voxel_has_its_distance_to_the_nearest_of_all_triangles() {
    let mut next = random(21);
    for _ in 0..3 {
        let centre = [0; 3].map(|_| (3.0 * next()) as f32);
        let mesh = octahedron(Part::Surface, "surface", centre, 11.3);
        let cavity = octahedron(Part::Surface, "surface", centre, 5.2);
        let (vertices, triangles) = with_cavity(&mesh, &cavity);
        let LevelSet { blocks, rows } = level_set(&vertices, &triangles, None).unwrap();
        let mut in_band = 0;
        for x in -20..20_i64 {
            for y in -20..20 {
                for z in -20..20 {
                    let voxel = [x, y, z];
                    let place = voxel.map(|x| x as f64);
                    let corners = triangles.iter().map(|it| it.map(|v| vertices[v as usize]));
                    let nearest =
                        corners.map(|it| by_parts(place, it)).fold(f64::INFINITY, f64::min);
                    let centre = centre.map(f64::from);
                    let outer = plane_distance(place, centre, f64::from(11.3_f32));
                    let inner = plane_distance(place, centre, f64::from(5.2_f32));
                    let is_inside = outer < 0.0 && inner > 0.0;
                    if outer.abs().min(inner.abs()) > 1e-5 {
                        assert_eq!(rows.is_inside(voxel), is_inside, "{voxel:?}");
                    }
                    let origin = voxel.map(|x| x.div_euclid(8) * 8);
                    let block = blocks.iter().find(|block| block.origin == origin);
                    let at = offset(voxel);
                    let is_active = block.is_some_and(|it| it.mask[at / 64] >> (at % 64) & 1 == 1);
                    if (nearest - HALF_WIDTH).abs() > 1e-9 {
                        assert_eq!(is_active, nearest < HALF_WIDTH, "{voxel:?} {nearest}");
                    }
                    if let Some(block) = block.filter(|_| is_active) {
                        in_band += 1;
                        let distance = f64::from(block.distances[at]);
                        assert!((distance.abs() - nearest).abs() < 1e-5, "{distance} {nearest}");
                        assert_eq!(distance < 0.0, is_inside || nearest < 1e-5 && distance < 0.0);
                    }
                }
            }
        }
        assert!(in_band > 2000, "{in_band}");
    }
}

#[test]
fn rows_through_corners_and_edges_cross_once() {
    // All corners and half of the edges are on voxels.
    let mesh = octahedron(Part::Surface, "surface", [0.0; 3], 8.0);
    let rows = Rows::new(&wide(&mesh), &mesh.triangles).unwrap();
    for x in -10..=10_i64 {
        for y in -10..=10 {
            for z in -10..=10 {
                let sum = [x, y, z].map(i64::abs).iter().sum::<i64>();
                if sum != 8 {
                    assert_eq!(rows.is_inside([x, y, z]), sum < 8, "{x} {y} {z}");
                }
            }
        }
    }
    let open = &mesh.triangles[1..];
    assert_eq!(Rows::new(&wide(&mesh), open).err(), Some(NotClosed));
    let nothing = level_set(&[], &[], None).unwrap();
    assert!(nothing.blocks.is_empty() && !nothing.rows.is_inside([0; 3]));
}

#[test]
fn velocities_are_those_of_the_nearest_point() {
    let mesh = octahedron(Part::Surface, "surface", [0.3, 0.2, 0.1], 10.0);
    let vertices = wide(&mesh);
    // Linear in the place, so that at a point x it is the same function of x.
    let field = |x: [f64; 3]| [x[0] - 2.0 * x[1], 0.5 * x[2], 3.0 - x[0]];
    let velocities: Vec<[f32; 3]> = vertices.iter().map(|x| field(*x).map(|v| v as f32)).collect();
    let LevelSet { blocks, .. } = level_set(&vertices, &mesh.triangles, Some(&velocities)).unwrap();
    let mut checked = 0;
    for block in blocks {
        for (at, velocity) in block.velocities.iter().enumerate() {
            let at_voxel = [at >> 6, (at >> 3) & 7, at & 7].map(|x| x as i64);
            let voxel: [f64; 3] = std::array::from_fn(|k| (block.origin[k] + at_voxel[k]) as f64);
            let d = f64::from(block.distances[at]);
            let relative: [f64; 3] = std::array::from_fn(|k| voxel[k] - [0.3, 0.2, 0.1][k]);
            // Next to the middle of a face the nearest point is along its normal.
            let is_active = block.mask[at / 64] >> (at % 64) & 1 == 1;
            if !is_active || relative.iter().any(|x| x.abs() < 2.5) {
                continue;
            }
            let foot = std::array::from_fn(|k| voxel[k] - d * relative[k].signum() / 3_f64.sqrt());
            let error = (0..3).map(|k| (field(foot)[k] - f64::from(velocity[k])).abs());
            assert!(error.fold(0.0, f64::max) < 1e-4, "{voxel:?}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");
}
