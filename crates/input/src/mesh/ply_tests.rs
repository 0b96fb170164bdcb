//! What is read of PLY files, and what is refused.

use super::{Place, parse, read};

const TEXT: &str = include_str!("../../../../tests/mesh_files/blender_ascii.ply");
const BINARY: &[u8] = include_bytes!("../../../../tests/mesh_files/vtk_binary.ply");

fn volume(bytes: &[u8]) -> f64 {
    parse(bytes).unwrap_or_else(|error| panic!("{error}")).signed_volume()
}

#[track_caller]
fn assert_is_the_l(bytes: &[u8]) {
    assert!((volume(bytes) - 0.054).abs() < 1e-7);
}

#[test]
fn text_may_have_any_layout_numbers_and_further_properties() {
    assert_is_the_l(TEXT.as_bytes());
    assert_is_the_l(TEXT.replace('\n', "\r\n").as_bytes());
    assert_is_the_l(TEXT.replace('\n', "\r").as_bytes());
    assert_is_the_l(TEXT.replace("0.1 ", ".1\n").as_bytes());
    assert_is_the_l(TEXT.replace("vertex_indices", "vertex_index").as_bytes());
    let marked =
        TEXT.replace("property float x", "property int64 signed-distance(1)\nproperty float x");
    let rows = marked.split_once("end_header\n").unwrap();
    let vertices = rows.1.lines().take(12).map(|line| format!("9000000000 {line}\n"));
    let faces = rows.1.lines().skip(12).map(|line| format!("{line}\n"));
    let rows = [rows.0, "end_header\n", &vertices.chain(faces).collect::<String>()].concat();
    assert_is_the_l(rows.as_bytes());
    let latin = [b"ply\ncomment Gr\xf6\xdfe", &TEXT.as_bytes()[3..]].concat();
    assert_is_the_l(&latin);
}

/// Old programs end lines by a CR alone; what follows the head of a binary file are its numbers,
/// also one that begins as a newline.
#[test]
fn lines_of_heads_may_end_with_a_cr_alone() {
    let end = BINARY.windows(11).position(|part| part == b"end_header\n").unwrap() + 11;
    let head = BINARY[..end].iter().map(|&byte| if byte == b'\n' { b'\r' } else { byte });
    let mut old: Vec<u8> = head.chain(BINARY[end..].iter().copied()).collect();
    assert_is_the_l(&old);
    let lines = String::from_utf8_lossy(&BINARY[..end]).replace('\n', "\r\n");
    assert_is_the_l(&[lines.as_bytes(), &BINARY[end..]].concat());
    old.truncate(end);
    assert!(read(&old).is_err());
}

#[test]
fn strips_of_triangles_are_read() {
    let text = "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\nproperty double y\n\
                property double z\nelement tristrips 1\nproperty list int int vertex_indices\n\
                end_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n9 1 0 2 3 -1 0 1 3 2\n";
    assert!((volume(text.as_bytes()).abs() - 1.0 / 6.0).abs() < 1e-9);
}

#[test]
fn faults_of_text_are_told_at_their_words() {
    for (old, new, place, message) in [
        ("0.6 0.2 0.1", "0.6 0,2 0.1", (12, 5), "`0,2` is not a number"),
        ("0.6 0.2 0.1", "0.6 nan 0.1", (12, 5), "coordinate `nan` is not finite"),
        (
            "4 1 0 6 7",
            "4 1 0 6 12",
            (25, 9),
            "there is no vertex 12: the file has 12, counted from 0",
        ),
        ("4 1 0 6 7", "4 1 0 -6 7", (25, 7), "there is no vertex -6"),
        ("4 1 0 6 7", "2 1 0", (25, 1), "a face needs at least three corners, found 2"),
        ("4 1 0 6 7", "4 1 0 6 7.5", (25, 9), "`7.5` is not a vertex number"),
        ("property float z", "property float w", (0, 0), "no property `z`"),
        ("vertex_indices", "corners", (0, 0), "`face` has no list `vertex_indices`"),
        ("4 1 0 6 7", "-4 1 0 6 7", (25, 1), "`-4` is not a number"),
        ("4 1 0 6 7", "1000000000 1 0 6 7", (25, 1), "1000000000 words of"),
        ("element face 8", "element face 9", (31, 1), "unexpected end of file"),
        ("element face 8", "element face 800000000", (22, 1), "800000000 words of `face`"),
        ("element face 8", "element face 7", (30, 1), "expected the end of the file"),
        ("format ascii 1.0", "format asci 1.0", (2, 1), "expected a line of a PLY head"),
    ] {
        let text = TEXT.replacen(old, new, 1);
        assert_ne!(text, TEXT, "{old}");
        let error = parse(text.as_bytes()).unwrap_err();
        let found = error.place.as_ref().and_then(Place::line_and_column).unwrap_or_default();
        assert!(error.to_string().contains(message), "{old}: {error}");
        assert_eq!(found, place, "{old}: {error}");
    }
}

#[test]
fn faults_of_binary_files_are_told_at_their_bytes() {
    assert_is_the_l(BINARY);
    let rows = BINARY.windows(11).position(|part| part == b"end_header\n").unwrap() + 11;
    let changed = |at: usize, new: &[u8]| {
        let mut bytes = BINARY.to_vec();
        bytes[at..at + new.len()].copy_from_slice(new);
        parse(&bytes).unwrap_err()
    };
    let error = changed(rows + 12 + 4, &f32::INFINITY.to_le_bytes());
    assert_eq!(error.place, Some(Place::Byte(rows + 16)), "{error}");
    assert!(error.to_string().contains("coordinate y of vertex 1 (counted from 0)"), "{error}");
    let face = rows + 12 * 12;
    let error = changed(face + 1, &99_u32.to_le_bytes());
    assert_eq!(error.place, Some(Place::Byte(face + 1)), "{error}");
    assert!(error.to_string().contains("there is no vertex 99"), "{error}");
    for cut in [rows + 5, face, face + 1, face + 3, BINARY.len() - 1] {
        let error = parse(&BINARY[..cut]).unwrap_err();
        assert!(matches!(error.place, Some(Place::Byte(_))), "{cut}: {error}");
    }
    let cloud = [
        b"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\n",
        &b"property float y\nproperty float z\nend_header\n"[..],
        &[0; 12],
    ]
    .concat();
    assert!(read(&cloud).unwrap_err().to_string().contains("a cloud of points"));
}

/// A tetrahedron of 4.5 m³ with coordinates, lengths and corners of these types, in this order.
fn tetrahedron(types: [&str; 3], encode: impl Fn(&str, f64) -> Vec<u8>, order: &str) -> Vec<u8> {
    let [coordinate, length, corner] = types;
    let mut file = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty {coordinate} z\n\
         property uchar other\nproperty {coordinate} y\nproperty {coordinate} x\n\
         element edge 1\nproperty list {length} {corner} ends\n\
         element face 4\nproperty list {length} {corner} vertex_indices\nproperty int64 id\n\
         end_header\n"
    )
    .into_bytes();
    for [x, y, z] in [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]] {
        file.extend([encode(coordinate, z), vec![7], encode(coordinate, y)].concat());
        file.extend(encode(coordinate, x));
    }
    file.extend([encode(length, 2.0), encode(corner, 0.0), encode(corner, 1.0)].concat());
    for corners in [[0.0, 2.0, 1.0], [0.0, 1.0, 3.0], [1.0, 2.0, 3.0], [0.0, 3.0, 2.0]] {
        file.extend(encode(length, 3.0));
        file.extend(corners.iter().flat_map(|&c| encode(corner, c)));
        file.extend([0; 8]);
    }
    file
}

fn little(number_type: &str, x: f64) -> Vec<u8> {
    match number_type {
        "uchar" => vec![x as u8],
        "short" => (x as i16).to_le_bytes().to_vec(),
        "int" => (x as i32).to_le_bytes().to_vec(),
        "uint64" | "int64" => (x as i64).to_le_bytes().to_vec(),
        "float" => (x as f32).to_le_bytes().to_vec(),
        _ => x.to_le_bytes().to_vec(),
    }
}

#[test]
fn binary_numbers_may_be_of_any_type() {
    let big = |number_type: &str, x: f64| little(number_type, x).into_iter().rev().collect();
    for types in [
        ["int64", "uchar", "int"],
        ["uint64", "int64", "uint64"],
        ["short", "uint64", "int64"],
        ["float", "uchar", "float"],
        ["double", "int", "double"],
    ] {
        for file in [tetrahedron(types, little, "little"), tetrahedron(types, big, "big")] {
            assert!((volume(&file) - 4.5).abs() < 1e-9, "{types:?}");
        }
    }
    let mut file = tetrahedron(["int64", "uchar", "float"], little, "little");
    let last = file.len() - 8 - 4;
    file[last..last + 4].copy_from_slice(&2.5_f32.to_le_bytes());
    let error = parse(&file).unwrap_err();
    assert_eq!(error.place, Some(Place::Byte(last)));
    assert!(error.to_string().contains("`2.5` is not a vertex number"), "{error}");
}

#[test]
fn lengths_that_no_list_has_are_refused_after_them() {
    let big = |number_type: &str, x: f64| little(number_type, x).into_iter().rev().collect();
    for (types, length) in [
        (["float", "int", "int"], -3.0),
        (["float", "int", "double"], 1e9),
        (["float", "short", "uchar"], -1.0),
        (["float", "int64", "int"], 9e18),
    ] {
        let assert_refused = |encode: &dyn Fn(&str, f64) -> Vec<u8>, order| {
            let mut file = tetrahedron(types, encode, order);
            let [size, corner] = [types[1], types[2]].map(|it| encode(it, 0.0).len());
            let last = file.len() - 8 - 3 * corner - size;
            file[last..last + size].copy_from_slice(&encode(types[1], length));
            let error = parse(&file).unwrap_err();
            assert_eq!(error.place, Some(Place::Byte(last + size)), "{types:?} {length}: {error}");
        };
        assert_refused(&little, "little");
        assert_refused(&big, "big");
    }
}
