//! All formats together: told apart by content, and never a panic.

use super::{MeshError, Place, parse, read, read_with_files, text, with_renamed_files};
use hashfall_core::file_kind::FileKind;
use hashfall_core::geometry::random::Random;

/// One solid in each format, by other programs.
const FILES: [(&str, &[u8]); 9] = [
    ("STL", include_bytes!("../../../../tests/mesh_files/blender_ascii.stl")),
    ("STL", include_bytes!("../../../../tests/mesh_files/trimesh.stl")),
    ("PLY", include_bytes!("../../../../tests/mesh_files/vtk_ascii.ply")),
    ("PLY", include_bytes!("../../../../tests/mesh_files/blender.ply")),
    ("glTF", include_bytes!("../../../../tests/mesh_files/blender.glb")),
    ("legacy VTK", include_bytes!("../../../../tests/mesh_files/vtk_ascii_v42.vtk")),
    ("legacy VTK", include_bytes!("../../../../tests/mesh_files/vtk_grid_binary_v51.vtk")),
    ("legacy VTK", include_bytes!("../../../../tests/mesh_files/vtk_strips_ascii.vtk")),
    ("OBJ", include_bytes!("../../../../tests/mesh_files/blender.obj")),
];

#[test]
fn each_format_is_told_by_its_content() {
    for (format, bytes) in FILES {
        let mesh = read(bytes).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((mesh.format, mesh.shells, mesh.open), (format, 1, None));
        assert!((mesh.mesh.signed_volume() - 0.054).abs() < 1e-7, "{format}");
        assert_eq!(mesh.warnings, [], "{format}");
    }
    let foreign = parse(b"Kaydara FBX Binary  \0").unwrap_err();
    let message = "this is an FBX file; meshes are read from STL, PLY, glTF, legacy VTK, \
                   VTK XML, Gmsh and OBJ files";
    assert_eq!(foreign.to_string(), message);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    const MARK: &[u8] = b"\xef\xbb\xbf";
    for (format, bytes) in FILES {
        let marked = [MARK, bytes].concat();
        if FileKind::from_content(bytes) == Some(FileKind::StlBinary) {
            // Which begins with a name of 80 bytes.
            let named = [MARK, &bytes[3..]].concat();
            assert_eq!(read(&named).unwrap().mesh, read(bytes).unwrap().mesh);
            continue;
        }
        let mesh = read(&marked).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((mesh.format, mesh.mesh), (format, read(bytes).unwrap().mesh));
        assert_eq!(text(&marked), text(bytes));
        // Words are those of the text, and bytes those of the file.
        let cut = bytes.len() / 2;
        let shift = |error: &MeshError| match error.place {
            Some(Place::Byte(byte)) => Some(Place::Byte(byte + MARK.len())),
            _ => error.place.clone(),
        };
        if let (Err(bare), Err(marked)) = (parse(&bytes[..cut]), parse(&marked[..cut + 3])) {
            assert_eq!(marked.place, shift(&bare), "{format}: {bare}");
        }
    }
    let json = include_bytes!("../../../../tests/mesh_files/blender.gltf");
    let marked = [MARK, json].concat();
    let buffer = include_bytes!("../../../../tests/mesh_files/blender.bin");
    assert!(read_with_files(&marked, &mut |_| Ok(buffer.to_vec())).is_ok());
    assert!(with_renamed_files(&marked, &|_| None).is_ok());
}

#[test]
fn broken_bytes_never_panic() {
    let mut random = Random::new(17);
    let mut pick = |n: usize| random.number(0.0, n as f64) as usize;
    for (format, bytes) in FILES {
        let (mut good, mut bad) = (0, 0);
        for _ in 0..4000 {
            let mut bytes = bytes.to_vec();
            for _ in 0..1 + pick(3) {
                let at = pick(bytes.len());
                match pick(6) {
                    0 => bytes[at] = pick(256) as u8,
                    1 => bytes[at] ^= 1 << pick(8),
                    2 => bytes[at] = b" \n/-+.e0123456789fv[]{},:\""[pick(26)],
                    3 if bytes.len() > 1 => drop(bytes.remove(at)),
                    4 => bytes.insert(at, b" \n-19\xff\0"[pick(7)]),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            match read_with_files(&bytes, &mut |_| Ok(vec![0; 64])) {
                Ok(mesh) => {
                    assert!(mesh.mesh.vertices.iter().flatten().all(|x| x.is_finite()));
                    good += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    bad += 1;
                }
            }
        }
        assert!(good > 50 && bad > 50, "{format}: {good} {bad}");
    }
}
