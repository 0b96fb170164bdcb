//! What is read of STL files, and what is refused.

use super::{MeshError, Place, parse, read};

const TEXT: &[u8] = include_bytes!("../../../../tests/cases/files/stl_ascii.stl");
const BINARY: &[u8] = include_bytes!("../../../../tests/cases/files/stl_binary.stl");

/// The box of both files has edges of 0.4.
fn assert_is_the_box(bytes: &[u8]) {
    let mesh = read(bytes).unwrap();
    assert_eq!((mesh.format, mesh.open, mesh.shells), ("STL", None, 1));
    assert_eq!((mesh.mesh.vertices.len(), mesh.mesh.triangles.len()), (8, 12));
    assert!((mesh.mesh.signed_volume() - 0.064).abs() < 1e-8);
    assert_eq!(mesh.warnings, []);
}

fn error(bytes: &[u8]) -> MeshError {
    parse(bytes).unwrap_err()
}

#[test]
fn corners_of_facets_are_welded() {
    assert_is_the_box(TEXT);
    assert_is_the_box(BINARY);
}

#[test]
fn a_binary_file_may_say_that_it_is_solid() {
    let mut bytes = BINARY.to_vec();
    bytes[..80].fill(b' ');
    bytes[..20].copy_from_slice(b"solid facet exported");
    assert_is_the_box(&bytes);
}

#[test]
fn text_may_be_in_any_layout_case_and_number_of_solids() {
    let text = std::str::from_utf8(TEXT).unwrap();
    assert_is_the_box(text.to_uppercase().as_bytes());
    assert_is_the_box(text.replace('\n', "\r\n").as_bytes());
    assert_is_the_box(text.replace("\nvertex", "\tvertex ").as_bytes());
    assert_is_the_box(format!("\u{feff}{text}").as_bytes());
    let half = text.match_indices("facet normal").nth(6).unwrap().0;
    let two = format!("{}endsolid box\n\nsolid outer loop\n{}", &text[..half], &text[half..]);
    assert_is_the_box(two.as_bytes());
    assert_is_the_box(text.replace("normal 0 0 -1", "normal nan nan nan").as_bytes());
}

#[test]
fn faults_of_text_are_told_at_their_words() {
    let text = std::str::from_utf8(TEXT).unwrap();
    for (old, new, place, message) in [
        ("vertex 0.1 0.5 0.1", "vertex 0.1 0,5 0.1", (5, 12), "`0,5` is not a number"),
        ("vertex 0.1 0.5 0.1", "vertex 0.1 nan 0.1", (5, 12), "coordinate `nan` is not finite"),
        ("vertex 0.1 0.5 0.1", "vertex 0.1 1e39 0.1", (5, 12), "coordinate `1e39` is not finite"),
        ("vertex 0.1 0.5 0.1\n", "", (6, 1), "expected `vertex`, found `endloop`"),
        ("endloop", "vertex 1 2 3\nendloop", (7, 1), "expected `endloop`, found `vertex`"),
        ("outer loop", "loop", (3, 1), "expected `outer`, found `loop`"),
    ] {
        let error = error(text.replacen(old, new, 1).as_bytes());
        assert_eq!(error.place.as_ref().unwrap().line_and_column(), Some(place), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
    let cut = &TEXT[..text.match_indices("endloop").nth(6).unwrap().0];
    assert!(error(cut).to_string().starts_with("unexpected end of file: "), "{}", error(cut));
}

#[test]
fn a_text_without_its_last_word_is_read_and_told() {
    let text = std::str::from_utf8(TEXT).unwrap();
    let unended = text.replace("endsolid", "");
    let mesh = read(unended.trim_end_matches(" box\n").as_bytes()).unwrap();
    assert_eq!((mesh.open, mesh.mesh.triangles.len()), (None, 12));
    assert!(mesh.warnings[0].to_string().contains("has no `endsolid`"), "{:?}", mesh.warnings);
}

#[test]
fn a_head_that_was_written_first_lets_the_length_tell() {
    for count in [0, u32::MAX] {
        let mut bytes = BINARY.to_vec();
        bytes[80..84].copy_from_slice(&count.to_le_bytes());
        let mesh = read(&bytes).unwrap();
        assert_eq!((mesh.open, mesh.mesh.triangles.len()), (None, 12));
        let warning = mesh.warnings[0].to_string();
        let told = format!("its head counts {count} facets; by its length it has 12");
        assert_eq!(warning, told);
        bytes.pop();
        assert!(read(&bytes).is_err(), "a part of a facet");
    }
}

#[test]
fn faults_of_binary_files_are_told_at_their_bytes() {
    let cut = error(&BINARY[..BINARY.len() - 60]);
    assert_eq!(cut.place, Some(Place::Byte(BINARY.len() - 60)));
    let message = "its head counts 12 facets, and facet 10 is cut off";
    assert!(cut.to_string().ends_with(message), "{cut}");
    let longer = error(&[BINARY, b"more"].concat());
    assert_eq!(longer.place, Some(Place::Byte(BINARY.len())));
    assert!(longer.to_string().contains("found `4 bytes more`"), "{longer}");
    let mut nan = BINARY.to_vec();
    let at = 84 + 3 * 50 + 12 + 12 + 8;
    nan[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    let nan = error(&nan);
    let message = format!("byte {at}: coordinate z of corner 1 of facet 3 (counted from 0)");
    assert!(nan.to_string().starts_with(&message), "{nan}");
}

#[test]
fn open_meshes_are_told_by_their_facets() {
    let mut five_sides = BINARY.to_vec();
    five_sides.truncate(BINARY.len() - 100);
    five_sides[80] = 10;
    let open = error(&five_sides);
    assert_eq!(open.place, None);
    assert!(open.to_string().contains("4 edges lack a second triangle"), "{open}");
    assert!(open.to_string().ends_with("(counted from 0)"), "{open}");
}
