//! What is put right in the shape of a mesh, and what is told of it.

use super::{FaceName, FaceUnit, MeshWarning, Place, parse, read};
use hashfall_core::geometry::random::Random;
use hashfall_geometry::ShapeWarning;
use std::f64::consts::TAU;

/// The face at a line.
fn line(number: usize) -> FaceName {
    FaceName { part: "".into(), unit: FaceUnit::Line, number }
}

/// Warnings that are all about the shape.
fn shape(warnings: Vec<MeshWarning>) -> Vec<ShapeWarning<FaceName>> {
    let shape = |warning| match warning {
        MeshWarning::Shape(warning) => warning,
        MeshWarning::Ignored { .. } => panic!("{warning}"),
    };
    warnings.into_iter().map(shape).collect()
}

/// A cube from `low` to `high` whose vertices follow `before` others; `shift` moves it along x.
fn cube(low: f64, high: f64, before: usize, shift: f64) -> String {
    let corner = |k: usize| {
        let [x, y, z] = [0, 1, 2].map(|a| if k >> a & 1 == 0 { low } else { high });
        format!("v {} {y} {z}\n", x + shift)
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let face = |f: [usize; 4]| {
        let [a, b, c, d] = f.map(|k| k + before + 1);
        format!("f {a} {b} {c} {d}\n")
    };
    (0..8).map(corner).chain(faces.map(face)).collect()
}

/// The same with each face turned around.
fn turned(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("f ") {
        Some(corners) => {
            format!("f {}\n", corners.split(' ').rev().collect::<Vec<_>>().join(" "))
        }
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn shells_are_turned_one_by_one_and_cavities_stay() {
    let outer = cube(0.0, 4.0, 0, 0.0);
    let (inner, beside) = (cube(1.0, 2.0, 8, 0.0), cube(5.0, 6.0, 8, 0.0));
    let cavity = [&outer[..], &turned(&inner)].concat();
    let last = cube(5.0, 6.0, 16, 0.0);
    let cases = [
        (outer.clone(), 64.0, 1, vec![]),
        (turned(&outer), 64.0, 1, vec![ShapeWarning::AllTurned]),
        (cavity.clone(), 63.0, 2, vec![]),
        (turned(&cavity), 63.0, 2, vec![ShapeWarning::AllTurned]),
        (
            [&outer[..], &inner].concat(),
            65.0,
            2,
            vec![ShapeWarning::United { united: 1, shells: 2, first: line(23) }],
        ),
        ([&outer[..], &beside].concat(), 65.0, 2, vec![]),
        (
            [&outer[..], &turned(&beside)].concat(),
            65.0,
            2,
            vec![ShapeWarning::Turned { turned: 1, shells: 2, first: line(23) }],
        ),
        (
            [&turned(&cavity)[..], &last].concat(),
            64.0,
            3,
            vec![ShapeWarning::Turned { turned: 1, shells: 3, first: line(9) }],
        ),
    ];
    for (text, volume, shells, warnings) in cases {
        let read = read(text.as_bytes()).unwrap();
        assert!((read.mesh.signed_volume() - volume).abs() < 1e-9, "{text}");
        assert_eq!((read.shells, read.open), (shells, None), "{text}");
        assert_eq!(shape(read.warnings), warnings, "{text}");
    }
}

#[test]
fn bodies_that_touch_along_an_edge_are_shells_of_their_own() {
    let first = cube(0.0, 1.0, 0, 0.0);
    let up = |line: &str| match numbers(line)[..] {
        [x, y, z] => format!("v {x} {} {z}\n", y + 1.0),
        _ => format!("{line}\n"),
    };
    let second: String = cube(0.0, 1.0, 8, 1.0).lines().map(up).collect();
    for (other, warnings) in [
        (second.clone(), vec![]),
        (turned(&second), vec![ShapeWarning::Turned { turned: 1, shells: 2, first: line(23) }]),
    ] {
        let read = read([&first[..], &other].concat().as_bytes()).unwrap();
        assert_eq!((read.mesh.vertices.len(), read.shells), (14, 2), "an edge is shared");
        assert_eq!(shape(read.warnings), warnings);
        assert!((read.mesh.signed_volume() - 2.0).abs() < 1e-12);
    }
}

#[test]
fn bodies_that_touch_along_a_face_are_turned_before_that_counts_as_a_repeat() {
    let (first, second) = (cube(0.0, 1.0, 0, 0.0), cube(0.0, 1.0, 8, 1.0));
    let warnings = || vec![ShapeWarning::Turned { turned: 1, shells: 2, first: line(23) }];
    // Turned in this order, faces keep their diagonal, and the shared one is a repeat.
    let same_diagonal: String = second
        .lines()
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            ["f", a, b, c, d] => format!("f {a} {d} {c} {b}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let others =
        [(second.clone(), vec![]), (turned(&second), warnings()), (same_diagonal, warnings())];
    for (other, warnings) in others {
        let read = read([&first[..], &other].concat().as_bytes()).unwrap();
        assert_eq!((read.mesh.triangles.len(), read.open), (24, None));
        assert_eq!(shape(read.warnings), warnings);
        assert!((read.mesh.signed_volume() - 2.0).abs() < 1e-12);
    }
}

/// The numbers after a line's first word.
fn numbers(line: &str) -> Vec<f64> {
    line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect()
}

/// A cube with corners of its own for each face, each coordinate off by up to `by`.
fn apart(random: &mut Random, by: f64) -> String {
    let (mut text, whole) = (String::new(), cube(0.1, 0.5, 0, 0.0));
    let vertices: Vec<Vec<f64>> = whole.lines().take(8).map(numbers).collect();
    for face in whole.lines().skip(8).map(numbers) {
        for corner in face {
            text.push('v');
            for c in &vertices[corner as usize - 1] {
                text += &format!(" {:.9}", c + random.number(-by, by));
            }
            text.push('\n');
        }
        text += "f -4 -3 -2 -1\n";
    }
    text
}

#[test]
fn corners_that_differ_by_rounding_are_joined_aloud() {
    let mut random = Random::new(4);
    for by in [2e-7, 1e-6] {
        let read = read(apart(&mut random, by).as_bytes()).unwrap();
        let warnings = shape(read.warnings);
        let [ShapeWarning::Joined { corners: 16, distance }] = warnings[..] else {
            panic!("{warnings:?}")
        };
        assert!(distance < 4.0 * by && read.open.is_none(), "{distance}");
        assert!((read.mesh.signed_volume() - 0.064).abs() < by);
    }
    let error = parse(apart(&mut random, 1e-4).as_bytes()).unwrap_err();
    assert!(error.problem.help().contains("e-4 of each other"), "{}", error.problem.help());
}

#[test]
fn features_as_small_as_the_gaps_are_not_joined_and_holes_stay() {
    let mut random = Random::new(4);
    let blade = "v 0.1 0.1 0.6\nv 0.1 0.100001 0.6\nv 0.1 0.1 0.7\nf 1 2 3\nf 3 2 1\n";
    assert!(parse([blade, &apart(&mut random, 1e-6)].concat().as_bytes()).is_err());
    let lines = apart(&mut random, 2e-7);
    let five_faces: String = lines.lines().take(25).map(|line| format!("{line}\n")).collect();
    assert!(parse(five_faces.as_bytes()).is_err());
}

#[test]
fn meshes_far_from_the_origin_keep_their_shape() {
    let text = cube(0.0, 0.02, 0, 0.0);
    let near = read(text.as_bytes()).unwrap();
    let far = text.replace("v 0 ", "v 345678.9 ").replace("v 0.02 ", "v 345678.92 ");
    let far = read(far.as_bytes()).unwrap();
    assert_eq!((near.origin, far.origin), ([0.0; 3], [345_678.9, 0.0, 0.0]));
    assert_eq!((far.mesh.triangles, far.open, far.warnings), (near.mesh.triangles, None, vec![]));
    let both = far.mesh.vertices.iter().zip(&near.mesh.vertices);
    assert!(both.clone().count() == 8 && both.into_iter().all(|(a, b)| (a - b).norm() < 1e-9));
}

#[test]
fn what_encloses_nothing_is_told() {
    let sheet = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n";
    assert_eq!(shape(read(sheet.as_bytes()).unwrap().warnings), [ShapeWarning::NoVolume]);
    // A prism over a bow-tie has halves of opposite orientation, which do enclose something.
    let corners = ["0 0", "1 1", "1 0", "0 1"];
    let vertices = ["0", "1"].map(|z| corners.map(|xy| format!("v {xy} {z}\n")).concat()).concat();
    let faces = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    let read = read([&vertices[..], faces].concat().as_bytes()).unwrap();
    assert_eq!(shape(read.warnings), [ShapeWarning::Crossing { count: 2, first: line(9) }]);
}

#[test]
fn a_face_that_no_triangles_cover_is_refused_at_its_place() {
    let corner = |k: usize| {
        let angle = TAU * k as f64 / 5.0;
        format!("v {} {} 0\n", angle.cos(), angle.sin())
    };
    let star: String = (0..5).map(corner).chain(["  f 1 3 5 2 4\n".to_owned()]).collect();
    let error = parse(star.as_bytes()).unwrap_err();
    assert_eq!(error.place.as_ref().and_then(Place::line_and_column), Some((6, 3)));
    assert!(error.to_string().contains("this face of 5 corners crosses itself"), "{error}");
}
