//! What is wrong in a mesh file.

use super::support::{CUBE, GOOD, faults_of};

/// Broken mesh file, line and column of the fault if it has a place, part of its message.
#[test]
fn each_broken_mesh_has_its_one_error_at_its_place() {
    let cases = [
        (CUBE.replace("v 1 1 1", "v 1 one 1"), Some((7, 5)), "`one` is not a number"),
        (CUBE.replace("v 1 1 1", "v 1 NaN 1"), Some((7, 5)), "not finite"),
        (CUBE.replace("v 1 1 1", "v 1 1"), Some((7, 1)), "three coordinates"),
        (CUBE.replace("f 5 6 7 8", "f 5 6 7 9"), Some((10, 9)), "no vertex 9"),
        (CUBE.replace("f 5 6 7 8", "f 5 6 7 x"), Some((10, 9)), "not a vertex number"),
        (CUBE.replace("f 5 6 7 8", "f 5 6"), Some((10, 1)), "three corners"),
        (CUBE.replace("f 5 6 7 8\n", ""), Some((10, 1)), "4 edges"),
        (CUBE.replace("f 5 6 7 8", "f 8 7 6 5"), Some((10, 1)), "edges"),
        (String::new(), None, "an empty file"),
        ("this is no mesh".to_owned(), None, "no faces"),
    ];
    for (mesh, place, message) in cases {
        let faults = faults_of(GOOD, &[], &mesh);
        let [fault] = &faults[..] else { panic!("{message}: {faults:?}") };
        let found = fault.span.as_ref().map(|_| (fault.line(), fault.column()));
        assert_eq!(found, place, "{fault}");
        assert!(fault.message.contains(message), "{fault}");
        assert_eq!((&fault.source_name, &fault.source_text), (&"box.obj".to_owned(), &mesh));
    }
}

#[test]
fn old_line_ends_and_continued_lines_keep_their_places() {
    let broken = CUBE.replace("v 1 1 1", "v 1 one 1");
    for (mesh, place) in [
        (broken.replace('\n', "\r"), (7, 5)),
        (broken.replace('\n', "\r\n"), (7, 5)),
        (broken.replace("v 1 one", "v 1 \\\none"), (8, 1)),
        (broken.replace("v 1 one", "v 1 \\\r one").replace('\n', "\r"), (8, 2)),
    ] {
        let faults = faults_of(GOOD, &[], &mesh);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert_eq!((fault.line(), fault.column()), place, "{fault}");
        assert!(fault.message.contains("`one` is not a number"), "{fault}");
        let shown = fault.source_text.lines().nth(place.0 - 1).unwrap_or_default();
        assert!(shown.contains("one") && !shown.contains('v') || place.0 == 7, "{shown}");
    }
    for mesh in [CUBE.replace('\n', "\r"), CUBE.replace("f 1 4 3", "f 1 4 \\\r\n3")] {
        assert_eq!(faults_of(GOOD, &[], &mesh), []);
    }
}

#[test]
fn a_mesh_beyond_all_bounds_is_refused_at_its_scale() {
    for (coordinate, scale) in [("1e31", "1e9"), ("1e31", "1"), ("-3e38", "1e9"), ("1e5", "1e3")] {
        let mesh = CUBE.replace('1', "@").replace("f @", "f 1").replace('@', coordinate);
        let mesh: String = mesh
            .lines()
            .zip(CUBE.lines())
            .map(|(vertex, face)| if face.starts_with('v') { vertex } else { face })
            .flat_map(|line| [line, "\n"])
            .collect();
        let faults = faults_of(&GOOD.replace("scale: 0.1", &format!("scale: {scale}")), &[], &mesh);
        let [fault] = &faults[..] else { panic!("{coordinate} {scale}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (14, 38), "{fault}");
        assert!(fault.message.contains("reaches farther than 1e6 m"), "{fault}");
        assert_eq!(fault.source_name, "test.ron");
    }
}
