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
        (CUBE.replace("f 5 6 7 8\n", ""), None, "4 edges"),
        (CUBE.replace("f 5 6 7 8", "f 8 7 6 5"), None, "edges"),
        (String::new(), None, "no faces"),
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
