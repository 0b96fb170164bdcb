//! What is read of Gmsh's files as surfaces, and of their version 2.

use super::{MeshProblem, parse, read, read_elements};

const BEAM: &str = include_str!("../../../../tests/element_files/gmsh_beam_ascii.msh");
const BEAM_BINARY: &[u8] = include_bytes!("../../../../tests/element_files/gmsh_beam_binary.msh");
const BEAM_V22: &[u8] = include_bytes!("../../../../tests/element_files/gmsh_beam_v22.msh");

/// The nodes of a box of 0.4 m × 0.4 m × 0.3 m.
const NODES: [[f64; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [0.4, 0.0, 0.0],
    [0.4, 0.4, 0.0],
    [0.0, 0.4, 0.0],
    [0.0, 0.0, 0.3],
    [0.4, 0.0, 0.3],
    [0.4, 0.4, 0.3],
    [0.0, 0.4, 0.3],
];
/// Its sides, the first four as quadrilaterals, the others as pairs of triangles.
const QUADS: [[i32; 4]; 4] = [[1, 4, 3, 2], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6]];
const TRIANGLES: [[i32; 3]; 4] = [[3, 4, 8], [3, 8, 7], [4, 1, 5], [4, 5, 8]];

/// The box in version 2.2 as text.
fn box_v22() -> String {
    let mut text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 7 \"shell\"\n\
                    $EndPhysicalNames\n$Nodes\n8\n"
        .to_owned();
    for (k, [x, y, z]) in NODES.iter().enumerate() {
        text += &format!("{} {x} {y} {z}\n", k + 1);
    }
    text += "$EndNodes\n$Elements\n9\n1 15 2 0 1 1\n";
    for (k, [a, b, c, d]) in QUADS.iter().enumerate() {
        text += &format!("{} 3 2 7 1 {a} {b} {c} {d}\n", k + 2);
    }
    for (k, [a, b, c]) in TRIANGLES.iter().enumerate() {
        text += &format!("{} 2 2 0 1 {a} {b} {c}\n", k + 6);
    }
    text + "$EndElements\n"
}

/// The same in binary, of one order of bytes.
fn binary_box(word: fn(i32) -> [u8; 4], real: fn(f64) -> [u8; 8]) -> Vec<u8> {
    let mut bytes = b"$MeshFormat\n2.2 1 8\n".to_vec();
    bytes.extend(word(1));
    bytes.extend(b"\n$EndMeshFormat\n$Nodes\n8\n");
    for (k, x) in NODES.iter().enumerate() {
        bytes.extend(word(k as i32 + 1));
        x.iter().for_each(|x| bytes.extend(real(*x)));
    }
    bytes.extend(b"\n$EndNodes\n$Elements\n8\n");
    let mut block = |kind: i32, elements: &[&[i32]], first: i32| {
        [kind, elements.len() as i32, 2].iter().for_each(|it| bytes.extend(word(*it)));
        for (k, corners) in (0..).zip(elements) {
            [first + k, 7, 1].iter().chain(*corners).for_each(|it| bytes.extend(word(*it)));
        }
    };
    block(3, &QUADS.each_ref().map(|it| &it[..]), 1);
    block(2, &TRIANGLES.each_ref().map(|it| &it[..]), 5);
    bytes.extend(b"\n$EndElements\n");
    bytes
}

#[test]
fn surfaces_of_version_2_are_read_as_text_and_binary() {
    let files = [
        box_v22().into_bytes(),
        box_v22().replace('\n', "\r\n").into_bytes(),
        box_v22().replace("2.2 0 8", "2 0 8").into_bytes(),
        binary_box(i32::to_le_bytes, f64::to_le_bytes),
        binary_box(i32::to_be_bytes, f64::to_be_bytes),
    ];
    for (k, file) in files.iter().enumerate() {
        let mesh = parse(file).unwrap_or_else(|error| panic!("file {k}: {error}"));
        assert_eq!(mesh.triangles.len(), 12);
        assert!((mesh.signed_volume() - 0.048).abs() < 1e-8, "file {k}");
        assert_eq!(read(file).unwrap().format, "Gmsh");
        let elements = read_elements(file).unwrap();
        assert_eq!((elements.nodes.len(), elements.triangles.len()), (8, 12));
    }
    let elements = read_elements(files[0].as_slice()).unwrap();
    assert_eq!(elements.group("shell").map(<[u32]>::len), Some(8));
}

/// The surface of a volume is the sides that no two tetrahedra share.
#[test]
fn volumes_have_their_outer_sides() {
    for bytes in [BEAM.as_bytes(), BEAM_BINARY, BEAM_V22] {
        let mesh = parse(bytes).unwrap();
        assert!((mesh.signed_volume() - 2.0).abs() < 1e-6);
    }
}

#[test]
fn the_beam_of_version_2_has_the_groups_of_the_other() {
    let [old, new] = [BEAM_V22, BEAM.as_bytes()].map(|bytes| read_elements(bytes).unwrap());
    assert_eq!(old.tetrahedra.len(), new.tetrahedra.len());
    let groups = |mesh: &super::ElementMesh| -> Vec<(String, usize)> {
        let all = mesh.groups.iter().map(|group| (group.name.clone(), group.nodes.len()));
        let mut all: Vec<_> = all.collect();
        all.sort();
        all
    };
    assert_eq!(groups(&old), groups(&new));
}

#[test]
fn faults_of_version_2_have_their_lines() {
    let error = |from: &str, to: &str| {
        let text = box_v22();
        assert!(text.contains(from));
        let error = read(text.replacen(from, to, 1).as_bytes()).unwrap_err();
        let line = error.place.clone().and_then(|place| Some(place.line_and_column()?.0));
        (error.to_string(), line)
    };
    let (text, line) = error("6 2 2 0 1 3 4 8", "6 2 2 0 1 3 4 9");
    assert!(text.contains("9, which no node has"), "{text}");
    assert_eq!(line, Some(26));
    let (text, _) = error("6 2 2 0 1 3 4 8", "6 5 2 0 1 3 4 8");
    assert!(text.contains("hexahedra"), "{text}");
    let (text, _) = error("2.2 0 8", "1.0 0 8");
    assert!(text.contains("version 1.0 of the format is not supported"), "{text}");
    let (text, line) = error("2 0.4 0 0\n", "1 0.4 0 0\n");
    assert!(text.contains("1 a second time"), "{text}");
    assert_eq!(line, Some(11));
    let lines = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n2\n1 0 0 0\n2 1 0 0\n$EndNodes\n\
                 $Elements\n1\n1 1 0 1 2\n$EndElements\n";
    assert_eq!(read_elements(lines.as_bytes()).unwrap().segments, [[0, 1]]);
    let problem = read(lines.as_bytes()).unwrap_err().problem;
    assert!(matches!(problem, MeshProblem::Format { format: "Gmsh", .. }), "{problem:?}");
}

#[test]
fn cut_and_changed_files_of_version_2_cause_no_panic() {
    for bytes in [box_v22().into_bytes(), binary_box(i32::to_le_bytes, f64::to_le_bytes)] {
        (0..bytes.len()).for_each(|length| drop(read(&bytes[..length])));
        let mut state = 9_u64;
        for _ in 0..3000 {
            let mut mutant = bytes.clone();
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = (state >> 33) as usize % mutant.len();
            mutant[at] = (state >> 20) as u8;
            drop(read(&mutant));
        }
    }
}
