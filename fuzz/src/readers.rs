//! Readers of meshes and of particles: all that they give is finite and agrees in number. A scene
//! that names the mesh is begun, or its faults are shown.

use super::plan::begin;
use super::scene::{refused, show};
use hashfall_core::{Attribute, Values};
use hashfall_input::mesh::{self, ImportedMesh, MeshError};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format, InputError, Place};
use hashfall_run::Plan;
use hashfall_scene::{Checked, Source};

/// Triangles of a mesh that particles are to meet.
const MAX_TRIANGLES: usize = 100;

/// A mesh in a Wavefront file.
pub fn obj(bytes: &[u8]) -> bool {
    mesh(bytes)
}

/// A mesh in an STL file.
pub fn stl(bytes: &[u8]) -> bool {
    mesh(bytes)
}

/// A mesh in a glTF file; a file beside it holds the same bytes.
pub fn gltf(bytes: &[u8]) -> bool {
    mesh(bytes)
}

/// Elements in a Gmsh file, in a legacy one of VTK, or of a surface.
pub fn elements(bytes: &[u8]) -> bool {
    match mesh::read_elements_with_files(bytes, &mut |_| Ok(bytes.to_vec())) {
        Ok(read) => {
            assert!(read.nodes.iter().flatten().all(|x| x.is_finite()));
            let is_there = |&node: &u32| (node as usize) < read.nodes.len();
            assert!(read.segments.iter().flatten().all(is_there));
            assert!(read.triangles.iter().flatten().all(is_there));
            assert!(read.tetrahedra.iter().flatten().all(is_there));
            let count = read.segments.len() + read.triangles.len() + read.tetrahedra.len();
            assert!(count > 0);
            for group in &read.groups {
                assert!(group.nodes.iter().all(is_there) && group.nodes.is_sorted());
            }
            true
        }
        Err(error) => {
            check_error(&error, bytes);
            false
        }
    }
}

/// A mesh in whatever format it has, as a solid, a shell and a shape of fluid.
fn mesh(bytes: &[u8]) -> bool {
    for purpose in [
        "solids: [Mesh(PLACE)], fluids: [(FLUID, shapes: [BOX])]",
        "solids: [Mesh(PLACE, inside: Hollow)], fluids: [(FLUID, shapes: [BOX])]",
        "fluids: [(FLUID, shapes: [Mesh(PLACE)])]",
    ] {
        place(bytes, purpose);
    }
    read_mesh(bytes)
}

/// A mesh alone.
fn read_mesh(bytes: &[u8]) -> bool {
    check_mesh(mesh::read_with_files(bytes, &mut |_| Ok(bytes.to_vec())), bytes)
}

/// What holds for every mesh, and for every error.
fn check_mesh(read: Result<ImportedMesh, MeshError>, bytes: &[u8]) -> bool {
    match read {
        Ok(read) => {
            let mesh = &read.mesh;
            assert!(mesh.vertices.iter().flatten().all(|x| x.is_finite()));
            assert!(!mesh.triangles.is_empty());
            let is_there = |&vertex: &u32| (vertex as usize) < mesh.vertices.len();
            assert!(mesh.triangles.iter().flatten().all(is_there));
            assert_eq!(mesh.check_closed().is_err(), read.open.is_some());
            true
        }
        Err(error) => {
            check_error(&error, bytes);
            false
        }
    }
}

/// What holds for every error of a mesh.
fn check_error(error: &MeshError, bytes: &[u8]) {
    assert!(!error.to_string().is_empty());
    match &error.place {
        Some(mesh::Place::Word { line, column, span }) => {
            assert!(*line > 0 && *column > 0);
            let length = mesh::text(bytes).len();
            assert!(span.start <= span.end && span.end <= length);
        }
        Some(mesh::Place::Byte(byte)) => assert!(*byte <= bytes.len()),
        None => {}
    }
}

/// Begins a scene with the file for this purpose.
fn place(bytes: &[u8], purpose: &str) {
    let parts = purpose
        .replace("PLACE", "path: \"mesh.obj\", scale: 0.4, translate: (0.3, 0.3, 0.1)")
        .replace("FLUID", "name: \"water\", rest_density: 1000, viscosity: 1e-6")
        .replace("BOX", "Box(min: (0, 0, 0), max: (0.8, 0.8, 0.3))");
    let text = format!(
        "(frames: (count: 1, rate: 50), domain: Box(min: (0, 0, 0), max: (0.8, 0.8, 0.8)), \
         particle_radius: 0.05, surface: None, {parts})"
    );
    let source = Source { name: "mesh.ron".to_owned(), text };
    match Checked::from_source(&source, &[], &mut |_| Ok(bytes.to_vec())) {
        Ok(scene) if scene.size().triangles > MAX_TRIANGLES => {}
        Ok(scene) => match scene.build() {
            Ok(scene) => {
                show(&scene.warnings);
                begin(Plan::from(&scene));
            }
            Err(faults) => refused(&faults),
        },
        Err(faults) => refused(&faults),
    }
}

/// Particles, or a mesh, in a polygon file.
pub fn ply(bytes: &[u8]) -> bool {
    let is_cloud = check(read(bytes, Format::Ply), bytes);
    let mesh = input::read_ply_mesh(bytes);
    if let Ok((cloud, triangles)) = &mesh {
        let is_there = |&vertex: &u32| (vertex as usize) < cloud.positions.len();
        assert!(triangles.iter().flatten().all(is_there));
    }
    check(mesh.map(|(cloud, _)| cloud), bytes) | is_cloud | read_mesh(bytes)
}

/// Particles in one of VTK's files, the legacy or the XML ones; or a mesh in a legacy one.
pub fn vtk(bytes: &[u8]) -> bool {
    let is_legacy = check(read(bytes, Format::VtkLegacy), bytes);
    check(read(bytes, Format::VtkXml), bytes) | is_legacy | read_mesh(bytes)
}

/// Particles with all their attributes.
fn read(bytes: &[u8], format: Format) -> Result<Cloud, InputError> {
    input::read(bytes, format, &AttributeFilter::All)
}

/// Particles as coordinates alone, or as points of a scanner.
pub fn xyz(bytes: &[u8]) -> bool {
    check(read(bytes, Format::Pts), bytes) | check(read(bytes, Format::Xyz), bytes)
}

/// Particles as Houdini's geometry.
pub fn bgeo(bytes: &[u8]) -> bool {
    check(read(bytes, Format::Bgeo), bytes)
}

/// Particles in a table, with a head or without. A scene begins with them, or its faults are shown.
pub fn csv(bytes: &[u8]) -> bool {
    check(read(bytes, Format::Dat), bytes);
    place(bytes, "fluids: [(FLUID, shapes: [Particles(path: \"particles.csv\", scale: 0.4)])]");
    check(read(bytes, Format::Csv), bytes)
}

/// What holds for every cloud, and for every error.
fn check(read: Result<Cloud, InputError>, bytes: &[u8]) -> bool {
    match read {
        Ok(cloud) => {
            let count = cloud.positions.len();
            assert!(cloud.positions.iter().flatten().all(|x| x.is_finite()));
            assert!(cloud.attributes.iter().all(|attribute| length(attribute) == count));
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            match error.place {
                Some(Place::Line(line)) => assert!((1..=bytes.len() + 1).contains(&line)),
                Some(Place::Byte(byte)) => assert!(byte <= bytes.len()),
                None => {}
            }
            false
        }
    }
}

fn length(attribute: &Attribute) -> usize {
    match &attribute.values {
        Values::Scalars(values) => values.len(),
        Values::Vectors(values) => values.len(),
        Values::Labels(values) => values.len(),
        Values::Integers(values) => values.len(),
    }
}
