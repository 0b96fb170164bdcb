//! What is read of an OBJ file, and what is refused.

use super::{Place, parse, text};
use hashfall_core::geometry::random::Random;

const CUBE: &str = "\u{feff}# A cube, with all that a modelling program adds.
mtllib missing.mtl
o Cube
v 0 0 0 1.0
v 1 0 0 0.5 0.5 0.5
v 1 1 0 # corner
v 0 1 0
v 0 0 1e0
v 1 0 1
v 1.0 +1 1.
v 0 1 1
vn 0 0 oops
vt
usemtl none
s off
l 1 2 3
p 1
f 1//1 4//1 3//1 2//1
f -4 -3 -2 -1
g sides
f 1/9/9 2/9 6 5
f 2 3 7 6
f 3 4 8 7\r
f 4 1 5 8
f 1 1 2
";

fn error_of(text: impl AsRef<[u8]>) -> (Option<(usize, usize)>, String) {
    let error = parse(text.as_ref()).unwrap_err();
    (error.place.as_ref().and_then(Place::line_and_column), error.to_string())
}

#[test]
fn a_cube_is_read_whatever_stands_around_it() {
    let mesh = parse(CUBE.as_bytes()).unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
    assert!((mesh.signed_volume() - 1.0).abs() < 1e-12);
}

#[test]
fn lines_may_end_in_any_way_and_be_continued() {
    let continued = "v 0 0\\\n 0\nv 1 0 0\nv 0 1 \\ \r\n0\nv 0 0 1 # no \\\n\
                     f 1 \\\n3 \\\n2\nf 1 2 4\nf 1 4 3\nf 2 3 4\\";
    assert_eq!(parse(continued.as_bytes()).unwrap().triangles.len(), 4);
    for end in ["\r", "\r\n"] {
        let mesh = parse(CUBE.replace('\r', "").replace('\n', end).as_bytes()).unwrap();
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (8, 12));
    }
}

#[test]
fn a_mesh_that_faces_inwards_is_turned() {
    let turned = CUBE.lines().map(|line| match line.strip_prefix("f ") {
        Some(corners) => {
            format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" "))
        }
        None => format!("{line}\n"),
    });
    let mesh = parse(turned.collect::<String>().as_bytes()).unwrap();
    assert!((mesh.signed_volume() - 1.0).abs() < 1e-12);
}

#[test]
fn every_fault_names_its_place() {
    let cases = [
        ("v 0 0", Some((1, 1)), "a vertex needs three coordinates, found 2"),
        ("# ü\n  v 0 x 0", Some((2, 7)), "`x` is not a number"),
        ("v 0 0 nan", Some((1, 7)), "coordinate `nan` is not finite"),
        ("v 0 1e999 0", Some((1, 5)), "coordinate `1e999` is not finite"),
        ("v 0 0 0\nf 1 1", Some((2, 1)), "a face needs at least three corners, found 2"),
        ("v 0 0 0\r\nf 1 1 0", Some((2, 7)), "there is no vertex 0: the file has 1"),
        ("v 0 0 0\nf 1 2/1 1", Some((2, 5)), "there is no vertex 2: the file has 1"),
        ("f -1 1 1\nv 0 0 0", Some((1, 3)), "there is no vertex -1: the file has 0"),
        ("v 0 0 0\nf 1 1.5 1", Some((2, 5)), "`1.5` is not a vertex number"),
        ("v 0 0 0\nf 1 //2 1", Some((2, 5)), "`//2` is not a vertex number"),
        ("f 99999999999999999999 1 1", Some((1, 3)), "is not a vertex number"),
        ("v 0 0 0\rf 1 1 0\r", Some((2, 7)), "there is no vertex 0: the file has 1"),
        ("v 0 0 0\nf 1 \\\n\\\n 1 7", Some((4, 4)), "there is no vertex 7: the file has 1"),
        ("", None, "this is an empty file"),
        ("o nothing", None, "the file has no faces"),
        ("v 0 0 0\nsurf 0 1 0 1 1", None, "free-form curves and surfaces (`surf`)"),
        ("v 0 0 0\nv 1 0 0\nf 1 2 2", None, "the file has no faces"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", Some((4, 1)), "3 edges lack a second triangle"),
    ];
    for (text, place, message) in cases {
        let (found_place, found) = error_of(text);
        assert_eq!(found_place, place, "{text}: {found}");
        assert!(found.contains(message), "{text}: {found}");
    }
}

#[test]
fn the_span_is_the_word() {
    let bytes = "\u{feff}v 0 0 0 # ü\nv 1 zwei 3".as_bytes();
    let span = parse(bytes).unwrap_err().place.unwrap().span().unwrap();
    assert_eq!(&text(bytes)[span], "zwei");
}

#[test]
fn an_open_edge_is_told_with_its_faces() {
    let cases = [
        ("f 2 3 7 6\n", "", 18, "4 edges lack a second triangle", "of the face at line 18"),
        ("f 2 3 7 6", "f 6 7 3 2", 22, "4 edges join triangles of opposite orientation", " and 22"),
        ("f 1 1 2", "f 1 2 7 8", 25, "which do not pair up", " and 25"),
        ("f 2 3 7 6", "v 1 0.5 0\nf 2 9 3 7 6", 23, "[1.0, 0.5, 0.0] lies on an edge", "18 and 23"),
    ];
    for (old, new, line, message, faces) in cases {
        let (place, found) = error_of(CUBE.replace(old, new));
        assert!(found.contains(message) && found.contains(faces), "{found}");
        assert_eq!(place, Some((line, 1)), "{found}");
    }
}

#[test]
fn names_may_be_of_any_encoding() {
    let mut bytes = b"# Gr\xf6\xdfe\no W\xfcrfel\n".to_vec();
    bytes.extend(CUBE.trim_start_matches('\u{feff}').bytes());
    assert_eq!(parse(&bytes).unwrap(), parse(CUBE.as_bytes()).unwrap());
    bytes.extend(b"v 1 \xfc 3");
    let error = parse(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "`ü` is not a number");
    assert_eq!(&text(&bytes)[error.place.unwrap().span().unwrap()], "ü");
}

#[test]
fn broken_bytes_never_panic() {
    let mut random = Random::new(11);
    let mut pick = |n: usize| random.number(0.0, n as f64) as usize;
    let (mut good, mut bad) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = CUBE.as_bytes().to_vec();
        for _ in 0..1 + pick(4) {
            let at = pick(bytes.len());
            match pick(5) {
                0 => bytes[at] = pick(256) as u8,
                1 => bytes[at] = b" \n/-+.e0123456789fv#\\"[pick(21)],
                2 if bytes.len() > 1 => drop(bytes.remove(at)),
                3 => bytes.insert(at, b" \n/-9fv"[pick(7)]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        match parse(&bytes) {
            Ok(mesh) => {
                assert_eq!(mesh.check_closed(), Ok(()));
                good += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 1000 && bad > 1000, "{good} {bad}");
}
