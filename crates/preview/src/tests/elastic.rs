//! Elastic bodies in pictures, and water that lies on them.

use super::super::frame;
use super::super::{Camera, Material, RenderMesh, Scene, ViewDirection, render};
use super::unit_box;
use hashfall_core::{to_f64, vec3};
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, Point};
use nalgebra::Vector3;

/// A file of a square of two triangles, 2 m by 1 m.
fn square() -> Vec<u8> {
    let head = "ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\n\
        property float y\nproperty float z\nelement face 2\n\
        property list uchar int vertex_indices\nend_header\n";
    let places = [[0.0_f32, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let places = places.as_flattened().iter().flat_map(|x| x.to_le_bytes());
    let face = |[a, b, c]: [i32; 3]| [vec![3], [a, b, c].map(i32::to_le_bytes).concat()].concat();
    head.bytes().chain(places).chain(face([0, 1, 2])).chain(face([0, 2, 3])).collect()
}

fn volume(mesh: &RenderMesh) -> f64 {
    let corner = |v: &u32| Point::from(to_f64(&mesh.positions[*v as usize]));
    let cone = |[a, b, c]: &[u32; 3]| corner(a).dot(&corner(b).cross(&corner(c))) / 6.0;
    mesh.triangles.iter().map(cone).sum()
}

#[test]
fn a_sheet_is_drawn_as_thick_as_it_is_with_its_edges_closed() {
    let mesh = frame::elastic_mesh(&square(), 0, 0.25).unwrap();
    assert!((volume(&mesh) - 2.0 * 0.25).abs() < 1e-6, "{}", volume(&mesh));
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let edges: Vec<_> = mesh.triangles.iter().flat_map(sides).collect();
    assert!(edges.iter().all(|[a, b]| edges.contains(&[*b, *a])), "a closed surface");
    assert_eq!(mesh.triangles.len(), 2 + 2 + 2 * 4);
}

/// A box to draw, in a colour.
pub fn cuboid(low: [f64; 3], high: [f64; 3], colour: [u8; 3], material: Material) -> RenderMesh {
    let mut mesh = frame::solid_mesh(&box_mesh(&Aabb::new(vec3(low), vec3(high))));
    mesh.colours.fill(colour);
    mesh.material = material;
    mesh
}

#[test]
fn water_on_a_red_plate_shows_the_plate_and_not_the_floor_far_below() {
    let plate = cuboid([0.1, 0.1, 0.7], [0.9, 0.9, 0.72], [255, 40, 20], Material::Solid);
    // Its upper face has normals that lean to the eye, as a wave has: they shift what is behind
    // over the edge of the plate.
    let mut water = cuboid([0.1, 0.1, 0.72], [0.9, 0.9, 0.84], [0; 3], Material::Water);
    let normals = water.normals.iter_mut().filter(|normal| normal.z > 0.9);
    normals.for_each(|normal| *normal = Vector3::new(0.0, -0.97, 0.24));
    let view = ViewDirection { azimuth: 0.0, elevation: 85.0 };
    let camera = Camera::fit(&unit_box(), view, [480, 360], 1.0);
    let scene = Scene {
        bounds: unit_box(),
        has_floor: true,
        balls: Vec::new(),
        meshes: vec![&plate, &water],
        foam: Vec::new(),
    };
    let picture = render(&scene, &camera);
    for millimetres in [106, 110, 114, 150, 300, 500, 850] {
        let eye = camera.eye(&vec3([0.5, f64::from(millimetres) / 1000.0, 0.84]));
        let [x, y] = camera.pixel(&eye).map(|at| at as usize);
        let at = 3 * (y * 480 + x);
        let (red, blue) = (picture.rgb[at], picture.rgb[at + 2]);
        assert!(red > blue, "at {millimetres} mm: red {red}, blue {blue}");
    }
}

#[test]
fn from_below_one_sees_through_the_floor() {
    let ball = cuboid([0.2; 3], [0.8; 3], [200, 30, 20], Material::Solid);
    let view = ViewDirection { azimuth: 20.0, elevation: -30.0 };
    let camera = Camera::fit(&unit_box(), view, [64, 48], 1.0);
    let scene = |has_floor| Scene {
        bounds: unit_box(),
        has_floor,
        balls: Vec::new(),
        meshes: vec![&ball],
        foam: vec![],
    };
    assert_eq!(render(&scene(true), &camera).rgb, render(&scene(false), &camera).rgb);
}
