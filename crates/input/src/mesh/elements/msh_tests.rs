//! What is read of Gmsh's files, and what is refused.

use super::super::{MeshProblem, Place};
use super::{ElementMesh, read_elements};
use hashfall_geometry::Point;

const ASCII: &str = include_str!("../../../../../tests/element_files/gmsh_beam_ascii.msh");
const BINARY: &[u8] = include_bytes!("../../../../../tests/element_files/gmsh_beam_binary.msh");
const QUADS: &str = include_str!("../../../../../tests/element_files/gmsh_quads.msh");
const PARAMETRIC: &[u8] = include_bytes!("../../../../../tests/element_files/gmsh_parametric.msh");
const ORDER2: &[u8] = include_bytes!("../../../../../tests/element_files/gmsh_order2.msh");
const MESHIO: [&[u8]; 2] = [
    include_bytes!("../../../../../tests/element_files/meshio_ascii.msh"),
    include_bytes!("../../../../../tests/element_files/meshio_binary.msh"),
];

/// Volumes of tetrahedra, positive if they are not inverted.
pub(super) fn volumes(mesh: &ElementMesh) -> Vec<f64> {
    let corners = mesh.tetrahedra.iter().map(|t| t.map(|node| mesh.nodes[node as usize]));
    corners.map(|[a, b, c, d]| (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0).collect()
}

/// Checks that a mesh is the beam.
#[track_caller]
pub(super) fn assert_is_the_beam(mesh: &ElementMesh) {
    assert!((volumes(mesh).iter().sum::<f64>() - 2.0).abs() < 1e-12);
    assert!(volumes(mesh).iter().all(|volume| *volume > 0.0));
    assert!(mesh.triangles.is_empty() && mesh.segments.is_empty());
    assert_eq!(mesh.nodes.len(), 22);
}

/// A file of two tetrahedra by hand; the nodes' tags have gaps and no order.
fn by_hand() -> String {
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 5 3 90\n3 1 0 3\n90\n3\n40\n0 0 0\n1 0 0\n\
     0 1 0\n0 1 0 2\n7\n8\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n1 2 1 2\n3 1 4 2\n\
     1 90 3 40 7\n2 3 40 7 8\n$EndElements\n"
        .to_owned()
}

fn error(text: &str) -> super::super::MeshError {
    read_elements(text.as_bytes()).unwrap_err()
}

/// The error in a file in which something is replaced, and its line.
#[track_caller]
fn error_with(from: &str, to: &str) -> (String, usize) {
    let text = by_hand();
    assert!(text.contains(from));
    let error = error(&text.replacen(from, to, 1));
    assert!(!error.problem.help().is_empty());
    (error.to_string(), error.place.unwrap().line_and_column().unwrap().0)
}

#[test]
fn beams_of_gmsh_and_meshio_are_read() {
    for bytes in [ASCII.as_bytes(), BINARY, ASCII.replace('\n', "\r\n").as_bytes()] {
        let mesh = read_elements(bytes).unwrap();
        assert_is_the_beam(&mesh);
        assert_eq!(mesh.warnings, []);
        let names: Vec<&str> = mesh.groups.iter().map(|group| &*group.name).collect();
        assert_eq!(names, ["clamped", "8", "beam body"]);
        for (name, x) in [("clamped", 0.0), ("8", 2.0)] {
            let group = mesh.group(name).unwrap();
            let at_end = (0..22).filter(|node| mesh.nodes[*node as usize].x == x);
            assert_eq!(group, at_end.collect::<Vec<u32>>());
        }
        assert_eq!(mesh.group("beam body").unwrap().len(), 22);
        assert_eq!(mesh.group("Clamped"), None);
    }
    assert_eq!(read_elements(ASCII.as_bytes()), read_elements(BINARY));
    for bytes in MESHIO {
        let mesh = read_elements(bytes).unwrap();
        assert_is_the_beam(&mesh);
        assert!(mesh.groups.is_empty());
    }
}

#[test]
fn binary_files_of_the_other_byte_order_are_read() {
    // One line for each number of a file by hand: its bytes, and the number.
    let numbers: &[(u8, f64)] = &[
        (0, 1.0),
        (8, 1.0),
        (8, 4.0),
        (8, 1.0),
        (8, 4.0),
        (4, 3.0),
        (4, 1.0),
        (4, 0.0),
        (8, 4.0),
        (8, 1.0),
        (8, 2.0),
        (8, 3.0),
        (8, 4.0),
    ];
    let coordinates = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0_f64];
    let elements = [
        (8, 1),
        (8, 1),
        (8, 1),
        (8, 1),
        (4, 3),
        (4, 1),
        (4, 4),
        (8, 1),
        (8, 1),
        (8, 1),
        (8, 2),
        (8, 3),
        (8, 4_u64),
    ];
    let whole = |(size, value): (u8, u64)| match size {
        4 => (value as u32).to_be_bytes().to_vec(),
        _ => value.to_be_bytes().to_vec(),
    };
    let mut bytes = b"$MeshFormat\n4.1 1 8\n\0\0\0\x01\n$EndMeshFormat\n$Nodes\n".to_vec();
    for &(size, value) in numbers.iter().filter(|(size, _)| *size > 0) {
        bytes.extend(whole((size, value as u64)));
    }
    coordinates.iter().for_each(|x| bytes.extend(x.to_be_bytes()));
    bytes.extend(b"\n$EndNodes\n$Elements\n");
    elements.iter().for_each(|number| bytes.extend(whole(*number)));
    bytes.extend(b"\n$EndElements\n");
    let mesh = read_elements(&bytes).unwrap();
    assert_eq!(volumes(&mesh), [1.0 / 6.0]);
}

#[test]
fn quadrilaterals_are_cut_and_parameters_skipped() {
    for bytes in [QUADS.as_bytes(), PARAMETRIC] {
        let mesh = read_elements(bytes).unwrap();
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|node| mesh.nodes[node as usize]);
            0.5 * (b - a).cross(&(c - a)).z
        };
        assert!((mesh.triangles.iter().map(area).sum::<f64>() - 1.0).abs() < 1e-12);
        // The curves of the boundary are edges of triangles, and no segments.
        assert!(mesh.segments.is_empty() && mesh.tetrahedra.is_empty());
    }
}

#[test]
fn nodes_are_found_by_their_tags() {
    let mesh = read_elements(by_hand().as_bytes()).unwrap();
    assert_eq!(mesh.tetrahedra, [[0, 1, 2, 3], [1, 2, 3, 4]]);
    assert_eq!(mesh.nodes[1], Point::x());
    assert!((volumes(&mesh).iter().sum::<f64>() - 0.5).abs() < 1e-15);
}

#[test]
fn what_can_be_put_right_is_told() {
    let warnings = |text: &str| {
        let mesh = read_elements(text.as_bytes()).unwrap();
        assert!(volumes(&mesh).iter().all(|volume| *volume > 0.0));
        mesh.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert!(warnings(&by_hand()).is_empty());
    assert_eq!(
        warnings(&by_hand().replace("90 3 40 7", "3 90 40 7")),
        ["inverted tetrahedra, which are turned: 1 of 2"]
    );
    assert_eq!(
        warnings(&by_hand().replace("3 40 7 8", "90 40 7 3")),
        [
            "elements that are there twice, and are read once: 1",
            "nodes of no element, which are left out: 1"
        ]
    );
    let twice = by_hand().replace("1 1 1\n", "0 0 1\n").replace("90 3 40 7", "90 3 40 8");
    assert_eq!(
        warnings(&twice.replace("2 3 40 7 8", "2 90 3 40 7")),
        ["nodes in the place of another one, to which they are not joined: 1"]
    );
}

#[test]
fn faults_are_told_with_their_lines() {
    assert_eq!(
        error_with("4.1 0 8", "4.0 0 8"),
        (
            "version 4.0 of the format is not supported: save it as version 4.1 \
             (Mesh.MshFileVersion = 4.1, or -format msh41)"
                .to_owned(),
            2
        )
    );
    let (text, line) = error_with("2 3 40 7 8", "2 3 40 7 9");
    assert_eq!((&*text, line), ("expected the tag of a node, found `9, which no node has`", 23));
    let (text, line) = error_with("1 0 0\n", "1 wet 0\n");
    assert_eq!((&*text, line), ("expected a coordinate of a node, found `wet`", 11));
    let (text, line) = error_with("1 0 0\n", "1 1e39 0\n");
    assert_eq!((&*text, line), ("coordinate y of point 1 (counted from 0) is not finite", 11));
    let (text, line) = error_with("90\n3\n", "90\n90\n");
    assert_eq!((&*text, line), ("expected the tag of another node, found `90 a second time`", 8));
    let (text, line) = error_with("2 3 40 7 8", "2 3 40 7 7");
    assert_eq!((&*text, line), ("tetrahedron 2 has no volume: its nodes lie in one plane", 23));
    let (text, line) = error_with("3 1 4 2\n", "3 1 5 2\n");
    assert!(
        text.contains("elements of type 5, hexahedra is not supported: mesh it with"),
        "{text}"
    );
    assert_eq!(line, 21);
    let (text, line) = error_with("$Elements\n1 2", "$PartitionedEntities\n1 2");
    assert!(text.contains("a mesh in partitions") && line == 19);
    let order2 = read_elements(ORDER2).unwrap_err().to_string();
    assert!(order2.contains("second order") && order2.contains("Mesh.ElementOrder = 1"));
    let version = read_elements(by_hand().replace("4.1 0 8", "4.0 0 8").as_bytes()).unwrap_err();
    assert!(version.to_string().contains("version 4.1"), "{version}");
    let counts = error(&by_hand().replace("1 2 1 2", "1 3 1 2")).to_string();
    assert_eq!(counts, "wrong number of elements: expected 3, found 2");
    let none = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n0 0 0 0\n$EndNodes\n$Elements\n\
                0 0 0 0\n$EndElements\n";
    assert_eq!(error(none).problem, MeshProblem::NoElements);
    let (head, _) = none.split_once("$Elements").unwrap();
    assert!(error(head).to_string().contains("the section `$Elements` is missing"));
}

#[test]
fn huge_counts_take_no_memory() {
    for (from, to) in [
        ("3 1 0 3\n", "3 1 0 9000000000000000000\n"),
        ("3 1 4 2\n", "3 1 4 18446744073709551615\n"),
        ("2 5 3 90", "18446744073709551615 5 3 90"),
    ] {
        assert!(read_elements(by_hand().replace(from, to).as_bytes()).is_err(), "{to}");
    }
}

#[test]
fn cut_and_changed_files_are_refused_or_read_without_a_panic() {
    for bytes in [ASCII.as_bytes(), BINARY, QUADS.as_bytes(), by_hand().as_bytes()] {
        let mut refused = 0;
        for length in 0..bytes.len().min(6000) {
            refused += usize::from(read_elements(&bytes[..length]).is_err());
        }
        // A last newline may be missing.
        assert!(refused + 2 >= bytes.len().min(6000));
        let mut state = 1_u64;
        for _ in 0..3000 {
            let mut mutant = bytes.to_vec();
            for _ in 0..3 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = (state >> 33) as usize % mutant.len();
                let digits = b"0123456789 -.\n$e\0\xff";
                mutant[at] = digits[(state >> 20) as usize % digits.len()];
            }
            check(&mutant);
        }
    }
}

/// What holds for every file: an error with a place in it, or elements of finite nodes.
fn check(bytes: &[u8]) {
    match read_elements(bytes) {
        Ok(mesh) => {
            assert!(mesh.nodes.iter().flatten().all(|x| x.is_finite()));
            let count = mesh.nodes.len() as u32;
            assert!(mesh.tetrahedra.iter().flatten().all(|node| *node < count));
            assert!(mesh.triangles.iter().flatten().all(|node| *node < count));
            assert!(volumes(&mesh).iter().all(|volume| *volume >= 0.0));
        }
        Err(error) => match error.place {
            Some(Place::Byte(byte)) => assert!(byte <= bytes.len()),
            Some(Place::Word { line, column, .. }) => assert!(line > 0 && column > 0),
            None => {}
        },
    }
}
