//! Copies of glTF files with their buffers, and the axis that points up.

use crate::{Prepared, Source, prepare};
use std::io;

const GLTF: &str = include_str!("../../../../tests/mesh_files/blender.gltf");
const BUFFER: &[u8] = include_bytes!("../../../../tests/mesh_files/blender.bin");

fn scene(text: &str, read: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>) -> Prepared {
    let source = Source { name: "ell.ron".into(), text: text.to_owned() };
    prepare(&source, &[], read).unwrap_or_else(|faults| panic!("{}", faults[0]))
}

/// A scene with fluid in the shape of these meshes.
fn filled(shapes: &str) -> String {
    format!(
        "Scene(
            frames: (count: 1, rate: 10.0),
            domain: Box(min: (0, 0, 0), max: (2, 1, 1)),
            particle_radius: 0.05,
            fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [{shapes}])],
        )"
    )
}

#[test]
fn a_run_keeps_the_buffers_of_meshes_under_names_of_their_own() {
    let mut paths = Vec::new();
    let text =
        filled("Mesh(path: \"a/ell.gltf\"), Mesh(path: \"b/ell.gltf\", translate: (1, 0, 0))");
    let first = scene(&text, &mut |path| {
        paths.push(path.to_owned());
        Ok(if path.ends_with(".gltf") { GLTF.into() } else { BUFFER.to_vec() })
    });
    assert_eq!(paths, ["a/ell.gltf", "a/blender.bin", "b/ell.gltf", "b/blender.bin"]);
    let names: Vec<&str> = first.meshes.iter().map(|file| file.name.as_str()).collect();
    assert_eq!(names, ["blender.bin", "ell.gltf", "blender-2.bin", "ell-2.gltf"]);
    assert_eq!(first.meshes[1].bytes, GLTF.as_bytes(), "what needs no change has none");
    // What the run keeps is enough to run it again.
    let again = scene(&first.resolved, &mut |path| {
        let name = path.strip_prefix("meshes/").unwrap_or(path);
        let file = first.meshes.iter().find(|file| file.name == name);
        file.map(|file| file.bytes.clone()).ok_or(io::ErrorKind::NotFound.into())
    });
    assert_eq!(again.world.particles.position, first.world.particles.position);
    assert_eq!(again.resolved, first.resolved);
}

#[test]
fn y_points_up_in_gltf_and_elsewhere_where_the_scene_says_so() {
    let extent = |shapes: &str| {
        let prepared = scene(&filled(shapes), &mut |path| {
            Ok(if path.ends_with(".gltf") { GLTF.into() } else { BUFFER.to_vec() })
        });
        let extent = prepared.mesh_summaries[0].extent.map(|x| (100.0 * x).round() / 100.0);
        (extent, prepared.resolved)
    };
    let (upright, resolved) = extent("Mesh(path: \"ell.gltf\")");
    assert_eq!(upright, [0.5, 0.3, 0.6]);
    assert!(resolved.contains("up: Y"), "{resolved}");
    let (lying, resolved) = extent("Mesh(path: \"ell.gltf\", up: Z, translate: (0, 0, 0.5))");
    assert_eq!(lying, [0.5, 0.6, 0.3]);
    assert!(resolved.contains("up: Z"), "{resolved}");
}
