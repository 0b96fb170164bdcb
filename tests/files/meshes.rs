//! The shipped meshes: closed, fine enough, and what their generator writes; and one solid as other
//! programs write it.

use hashfall_core::to_f64;
use hashfall_geometry::Placement;
use hashfall_input::mesh::{self, UpAxis};
use std::fs;
use std::path::Path;

#[path = "../../examples/make_column.rs"]
#[allow(dead_code, reason = "the example's main is not called")]
mod make_column;

#[path = "../../examples/make_impeller.rs"]
#[allow(dead_code, reason = "the example's main is not called")]
mod make_impeller;

const IMPELLER: &str = include_str!("../../meshes/impeller.obj");
const COLUMN: &str = include_str!("../../meshes/column.obj");

#[test]
fn the_column_is_what_its_example_writes() {
    assert!(make_column::column() == COLUMN, "run the example again and check the file in");
}

#[test]
fn the_column_is_closed_and_stands_on_the_floor() {
    let mesh = mesh::parse(COLUMN.as_bytes()).unwrap();
    assert!(mesh.triangles.len() >= 10_000);
    let bounds = mesh.bounds();
    assert_eq!((bounds.min.z, bounds.max.z), (0.0, 1.0));
    assert!((0.03..0.08).contains(&mesh.signed_volume()), "{} m³", mesh.signed_volume());
}

#[test]
fn the_impeller_is_what_its_example_writes_and_is_closed() {
    assert!(make_impeller::impeller() == IMPELLER, "run the example again and check the file in");
    let mesh = mesh::parse(IMPELLER.as_bytes()).unwrap();
    let bounds = mesh.bounds();
    assert!(bounds.min.z == 0.0 && bounds.max.x < 0.14);
    // Three blades of 28 mm by 80 mm, 13 cm long, and a shaft.
    assert!((8e-4..1.1e-3).contains(&mesh.signed_volume()), "{} m³", mesh.signed_volume());
}

#[test]
fn one_solid_is_the_same_in_every_file_of_other_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mesh_files");
    let mut read = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if [".bin", ".md"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        let mesh = mesh::read_with_files(&bytes, &mut |beside| fs::read(folder.join(beside)));
        let mesh = mesh.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((mesh.open, mesh.shells, &mesh.warnings[..]), (None, 1, &[][..]), "{name}");
        // Blender turns y up in OBJ and glTF; trimesh writes axes as they are.
        let is_of_blender = name.starts_with("blender.");
        let is_y_up = is_of_blender && (name.ends_with(".obj") || mesh.up == Some(UpAxis::Y));
        let placed = Placement { is_y_up, ..Placement::IDENTITY }.apply(&mesh.mesh);
        assert!((placed.signed_volume() - 0.054).abs() < 1e-6, "{name}");
        let bounds = placed.bounds();
        let found = [to_f64(&bounds.min), to_f64(&bounds.max)].concat();
        let expected = [0.1, 0.2, 0.1, 0.6, 0.5, 0.7];
        let is_near = |(a, b): (&f64, f64)| (a - b).abs() < 1e-6;
        assert!(found.iter().zip(expected).all(is_near), "{name}: {found:?}");
        read += 1;
    }
    assert_eq!(read, 29, "files of VTK, trimesh and Blender");
}
