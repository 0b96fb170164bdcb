//! The shipped meshes: closed, fine enough, and what their generator writes.

use hashfall_input::mesh;

#[path = "../examples/make_column.rs"]
#[allow(dead_code, reason = "the example's main is not called")]
mod make_column;

#[path = "../examples/make_impeller.rs"]
#[allow(dead_code, reason = "the example's main is not called")]
mod make_impeller;

const IMPELLER: &str = include_str!("../meshes/impeller.obj");
const COLUMN: &str = include_str!("../meshes/column.obj");

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
