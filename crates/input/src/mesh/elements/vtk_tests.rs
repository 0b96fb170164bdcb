//! Elements of VTK's legacy files, and of surfaces.

use super::msh_tests::{assert_is_the_beam, volumes};
use super::read_elements;

const GMSH: &str = include_str!("../../../../../tests/element_files/gmsh_beam.vtk");
const MESHIO: [&[u8]; 2] = [
    include_bytes!("../../../../../tests/element_files/meshio_tetrahedra_ascii.vtk"),
    include_bytes!("../../../../../tests/element_files/meshio_tetrahedra_binary.vtk"),
];
const SURFACES: [&[u8]; 3] = [
    include_bytes!("../../../../../tests/mesh_files/blender.stl"),
    include_bytes!("../../../../../tests/mesh_files/blender.ply"),
    include_bytes!("../../../../../tests/mesh_files/trimesh.glb"),
];

/// A grid of eight corners of a cube and a node above it, with some cells.
fn grid(cells: &[(u8, &[u32])]) -> String {
    let list = cells.iter().map(|(_, corners)| {
        let words = corners.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        format!("{} {words}\n", corners.len())
    });
    let size: usize = cells.iter().map(|(_, corners)| corners.len() + 1).sum();
    let types: String = cells.iter().map(|(kind, _)| format!("{kind}\n")).collect();
    format!(
        "# vtk DataFile Version 3.0\nby hand\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 double\n\
         0 0 0 1 0 0 0 1 0 1 1 0\n0 0 1 1 0 1 0 1 1 1 1 1\n0 0 2\nCELLS {} {size}\n{}\
         CELL_TYPES {}\n{types}",
        cells.len(),
        list.collect::<String>(),
        cells.len()
    )
}

#[test]
fn beams_of_gmsh_and_meshio_are_read() {
    for bytes in [GMSH.as_bytes(), MESHIO[0], MESHIO[1]] {
        let mesh = read_elements(bytes).unwrap();
        assert_eq!(mesh.format, "legacy VTK");
        assert_is_the_beam(&mesh);
    }
}

#[test]
fn kinds_of_cells_are_told_apart() {
    let cells: [(u8, &[u32]); 6] = [
        (10, &[0, 1, 2, 4]),
        // A side of the tetrahedron, one of its edges, and a rope from it.
        (5, &[0, 1, 2]),
        (3, &[1, 4]),
        (4, &[4, 8, 7]),
        (8, &[1, 3, 5, 7]),
        (1, &[6]),
    ];
    let mesh = read_elements(grid(&cells).as_bytes()).unwrap();
    assert_eq!(volumes(&mesh), [1.0 / 6.0]);
    // 6 is of a vertex alone.
    assert_eq!((mesh.nodes.len(), mesh.segments.len(), mesh.triangles.len()), (8, 2, 2));
    let ends = mesh.segments.concat();
    assert_eq!(ends.len(), 4);
    assert_eq!(mesh.nodes[ends[1] as usize].z, 2.0);
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|node| mesh.nodes[node as usize]);
        assert_eq!((b - a).cross(&(c - a)).norm(), 1.0);
    }
}

#[test]
fn lines_of_polygon_files_are_ropes() {
    let text = "# vtk DataFile Version 3.0\nrope\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n\
                0 0 0 1 0 0 2 0 0\nLINES 1 4\n3 0 1 2\n";
    assert_eq!(read_elements(text.as_bytes()).unwrap().segments, [[0, 1], [1, 2]]);
}

#[test]
fn other_cells_are_refused_at_their_lines() {
    let error = |cells: &[(u8, &[u32])]| {
        let error = read_elements(grid(cells).as_bytes()).unwrap_err();
        let line = error.place.clone().and_then(|place| Some(place.line_and_column()?.0));
        (error.to_string(), line)
    };
    let (text, line) = error(&[(10, &[0, 1, 2, 4]), (12, &[0, 1, 3, 2, 4, 5, 7, 6])]);
    assert!(text.contains("a cell of type 12 is not supported: save"), "{text}");
    assert_eq!(line, Some(11));
    let (text, _) = error(&[(7, &[0, 1, 3, 2, 4])]);
    assert!(text.contains("a cell of type 7 with 5 corners"), "{text}");
    let (text, line) = error(&[(10, &[0, 1, 2, 3])]);
    assert_eq!(text, "tetrahedron 0 has no volume: its nodes lie in one plane");
    assert_eq!(line, Some(10));
    let (text, _) = error(&[(3, &[2, 2])]);
    assert_eq!(text, "line 0 has no length: its nodes lie in one point");
    assert!(error(&[(1, &[2])]).0.contains("no elements"));
    assert!(error(&[(10, &[0, 1, 2, 9])]).0.contains("there is no vertex 9"));
}

#[test]
fn surfaces_are_shells() {
    for bytes in SURFACES {
        let mesh = read_elements(bytes).unwrap();
        let volume = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|node| mesh.nodes[node as usize]);
            a.dot(&b.cross(&c)) / 6.0
        };
        assert!((mesh.triangles.iter().map(volume).sum::<f64>() - 0.054).abs() < 1e-7);
        assert_eq!(mesh.nodes.len() + mesh.triangles.len(), 2 + 3 * mesh.triangles.len() / 2);
    }
    let open = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    assert_eq!(read_elements(open.as_bytes()).unwrap().triangles.len(), 1);
    assert!(read_elements(b"").unwrap_err().to_string().contains("an empty file"));
}

#[test]
fn cut_and_changed_files_cause_no_panic() {
    for bytes in [GMSH.as_bytes(), MESHIO[1]] {
        (0..bytes.len()).for_each(|length| drop(read_elements(&bytes[..length])));
        let mut state = 7_u64;
        for _ in 0..3000 {
            let mut mutant = bytes.to_vec();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % mutant.len();
            mutant[at] = (state >> 20) as u8;
            let _ = read_elements(&mutant);
        }
    }
}
