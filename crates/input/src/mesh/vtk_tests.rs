//! What is read of legacy VTK files, and what is refused.

use super::{Place, parse};

const TEXT: &str = include_str!("../../../../tests/mesh_files/vtk_ascii_v42.vtk");
const TEXT_51: &str = include_str!("../../../../tests/mesh_files/vtk_ascii_v51.vtk");
const GRID: &str = include_str!("../../../../tests/mesh_files/vtk_grid_ascii_v42.vtk");
const BINARY: &[u8] = include_bytes!("../../../../tests/mesh_files/vtk_binary_v51.vtk");

#[track_caller]
fn assert_is_the_l(bytes: &[u8]) {
    let mesh = parse(bytes).unwrap_or_else(|error| panic!("{error}"));
    assert!((mesh.signed_volume() - 0.054).abs() < 1e-7);
}

#[test]
fn other_layouts_and_broken_attributes_do_not_matter() {
    assert_is_the_l(TEXT.as_bytes());
    assert_is_the_l(TEXT.replace('\n', "\r\n").as_bytes());
    assert_is_the_l(TEXT_51.replace("vtktypeint64", "vtktypeint32").as_bytes());
    let (shape, _) = TEXT.split_once("POINT_DATA").unwrap();
    assert_is_the_l(format!("{shape}POINT_DATA 7\nSCALARS broken\n").as_bytes());
    let words = shape.split_once("POINTS").unwrap();
    let loose = format!("{}POINTS{}", words.0, words.1.replace(' ', "\n  "));
    let loose = loose.replacen("POINTS\n  12\n  double", "POINTS 12 double", 1);
    assert_is_the_l(loose.replacen("POLYGONS\n  8\n  44", "POLYGONS 8 44", 1).as_bytes());
}

#[test]
fn pixels_are_read_and_lines_left_out() {
    let grid = |types: &str, cells: &str, size: usize| {
        format!(
            "# vtk DataFile Version 3.0\nbox\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 float\n\
             0 0 0 1 0 0 0 1 0 1 1 0\n0 0 1 1 0 1 0 1 1 1 1 1\nCELLS 7 {size}\n{cells}\n\
             CELL_TYPES 7\n{types}\n"
        )
    };
    let sides = "4 0 2 1 3 4 4 5 6 7 4 0 1 4 5 4 2 6 3 7 4 0 4 2 6 4 1 3 5 7";
    let mesh = parse(grid("8 8 8 8 8 8 3", &format!("{sides} 2 0 7"), 33).as_bytes()).unwrap();
    assert!((mesh.signed_volume() - 1.0).abs() < 1e-9);
    let hexahedron = grid("8 8 8 8 8 8 12", &format!("{sides} 8 0 1 3 2 4 5 7 6"), 39);
    let error = parse(hexahedron.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("a cell of type 12"), "{error}");
    assert!(error.place.is_some(), "{error}");
}

#[test]
fn points_may_be_whole_numbers() {
    let corners = [0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 3_i64];
    let polygons = [3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 0, 3, 2_i32];
    let head = |format: &str, number_type: &str| {
        format!(
            "# vtk DataFile Version 3.0\nby hand\n{format}\nDATASET POLYDATA\nPOINTS 4 \
             {number_type}\n"
        )
    };
    let join = |numbers: &[i64]| numbers.iter().map(|x| format!(" {x}")).collect::<String>();
    for (number_type, size) in [("char", 1), ("short", 2), ("int", 4), ("vtktypeint64", 8)] {
        let text = head("ASCII", number_type) + &join(&corners) + "\nPOLYGONS 4 16\n";
        let text = text + &join(&polygons.map(i64::from));
        assert!((parse(text.as_bytes()).unwrap().signed_volume() - 4.5).abs() < 1e-9);
        let mut binary = head("BINARY", number_type).into_bytes();
        binary.extend(corners.iter().flat_map(|x| x.to_be_bytes()[8 - size..].to_vec()));
        binary.extend(b"\nPOLYGONS 4 16\n");
        binary.extend(polygons.iter().flat_map(|k| k.to_be_bytes()));
        assert!((parse(&binary).unwrap().signed_volume() - 4.5).abs() < 1e-9, "{number_type}");
    }
    for number_type in ["bit", "string"] {
        let text = head("ASCII", number_type) + &join(&corners) + "\nPOLYGONS 0 0\n";
        let error = parse(text.as_bytes()).unwrap_err();
        let message = format!("such as `float` or `double`, found `{number_type}`");
        assert!(error.to_string().contains(&message), "{error}");
        let place = error.place.and_then(|place| place.line_and_column());
        assert_eq!(place.map(|(line, _)| line), Some(5));
    }
}

#[test]
fn faults_of_text_are_told_at_their_words() {
    let cases = [
        (TEXT, "4 1 0 6 7", "4 1 0 6 12", "there is no vertex 12: the file has 12"),
        (TEXT, "4 1 0 6 7", "4 1 0 6 x", "expected a number of cells, found `x`"),
        (TEXT, "POLYGONS 8 44", "POLYGONS 8 43", "expected a section"),
        (TEXT, "POLYGONS 8 44", "POLYGONS 9 44", "wrong number of cells in a section"),
        (TEXT, "6 0 1 2", "60 0 1 2", "expected the number of a cell's corners, found `60`"),
        (TEXT, "0.6 0.2 0.1", "0.6 nan 0.1", "coordinate y of point 1"),
        (TEXT_51, "0 6 12 16", "0 6 2 16", "expected an offset that is no smaller, found `2`"),
        (GRID, "CELL_TYPES 8", "CELL_TYPES 7", "expected a section such as `POINTS`"),
        (TEXT, "POLYDATA", "STRUCTURED_GRID", "expected `POLYDATA` or `UNSTRUCTURED_GRID`"),
    ];
    for (text, old, new, message) in cases {
        let changed = text.replacen(old, new, 1);
        assert_ne!(changed, text, "{old}");
        let error = parse(changed.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(message), "{old}: {error}");
    }
    let wrong = TEXT.replacen("0.6 0.2 0.1", "0.6 nan 0.1", 1);
    let error = parse(wrong.as_bytes()).unwrap_err();
    assert_eq!(error.place.and_then(|place| place.line_and_column()).map(|it| it.0), Some(9));
}

#[test]
fn faults_of_binary_files_are_told_at_their_bytes() {
    assert_is_the_l(BINARY);
    let find = |word: &[u8]| BINARY.windows(word.len()).position(|part| part == word).unwrap();
    let corners = find(b"CONNECTIVITY vtktypeint64\n") + 26;
    let mut bytes = BINARY.to_vec();
    bytes[corners..corners + 8].copy_from_slice(&77_i64.to_be_bytes());
    let error = parse(&bytes).unwrap_err();
    assert_eq!(error.place, Some(Place::Byte(corners)), "{error}");
    assert!(error.to_string().contains("there is no vertex 77"), "{error}");
    let cut = parse(&BINARY[..corners + 100]).unwrap_err();
    assert!(cut.to_string().contains("unexpected end of file"), "{cut}");
}
