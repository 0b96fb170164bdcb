//! Meshes as solids, shapes of fluid and openings.
//!
//! What bodies that overlap or stand close do to the density around them is measured elsewhere;
//! here they are read, checked and filled.

use super::case;
use crate::support::{Ended, Place};
use hashfall_core::{to_f64, vec3};
use hashfall_geometry::{Interior, Point};
use hashfall_input::mesh;
use std::collections::BTreeSet;
use std::fs;

/// The spacing of particles in most rows \[m\].
const D: f64 = 0.05;

/// Read without a word: file, volume \[m³\], shells, triangles. All faces lie at multiples of
/// [`D`], so that a fluid of this shape has as many particles as the volume has room for.
const READ: [(&str, f64, usize, usize); 27] = [
    ("bom_crlf", 0.064, 1, 12),
    ("cavity_inward", 0.448, 2, 24),
    ("concave_ngon", 0.184, 1, 44),
    ("concave_ngon_two_starts", 0.184, 1, 44),
    ("continued_lines", 0.064, 1, 12),
    ("degenerate", 0.064, 1, 12),
    ("dos_eof_tabs", 0.064, 1, 12),
    ("double_faces", 0.064, 2, 24),
    ("homogeneous_w", 0.512, 1, 12),
    ("latin1_name", 0.064, 1, 12),
    ("loose_geometry", 0.064, 1, 12),
    ("negative_interleaved", 0.091, 2, 24),
    ("no_final_newline", 0.064, 1, 12),
    ("old_fo_faces", 0.064, 1, 12),
    ("overlap", 0.242, 2, 24),
    ("overlap_low", 0.006, 2, 24),
    ("overlap_low_united", 0.006, 1, 12),
    ("parts_groups", 0.064, 4, 48),
    ("touching_boxes", 0.112, 2, 24),
    ("trailing_slashes", 0.064, 1, 12),
    ("trough_cut", 0.021, 1, 28),
    ("two_bodies_near_right", 0.004, 2, 24),
    ("unwelded_exact", 0.064, 1, 12),
    ("vertex_colours", 0.064, 1, 12),
    ("gltf_quantized.glb", 0.048, 1, 12),
    ("stl_ascii.stl", 0.064, 1, 12),
    ("stl_binary.stl", 0.064, 1, 12),
];

/// Read with a warning: file, volume \[m³\], what is told.
const WARNED: [(&str, f64, &str); 5] = [
    ("bowtie", 0.032, "faces of four corners cross themselves"),
    ("cavity_outward", 0.512, "no cavities; the first has the face at line 23"),
    ("two_bodies_near_turned", 0.004, "turned outwards; the first has the face at line 23"),
    ("two_bodies_one_turned", 0.091, "turned outwards; the first has the face at line 25"),
    ("unwelded_last_digit", 0.064, "16 vertices lie within 3.8e-7 of others and were merged"),
];

/// Refused: file, its place, what is told.
const REFUSED: [(&str, &str, &str); 12] = [
    ("gltf_unknown_required.glb", "", "which the file requires, is not supported"),
    ("obj_decimal_comma.obj", ":1:3", "`0,1` is not a number"),
    ("obj_fortran_d.obj", ":1:3", "is not a number"),
    ("obj_freeform_only.obj", "", "free-form curves and surfaces (`surf`) are not read"),
    ("obj_index_too_large.obj", ":14:9", "there is no vertex 99"),
    ("obj_internal_wall.obj", ":15:1", "of the faces at lines 15, 18 and 22"),
    ("obj_nan_unused.obj", ":15:3", "not finite"),
    ("obj_nan_used.obj", ":7:7", "not a number"),
    ("obj_one_face_turned.obj", ":9:1", "of opposite orientation"),
    ("obj_open_top.obj", ":10:1", "4 edges lack a second triangle"),
    ("obj_t_junction.obj", ":10:1", "a vertex at [0.3, 0.1, 0.1] lies on an edge"),
    ("obj_utf16.obj", "", "UTF-16"),
];

/// Openings of emitters: file, particles a layer.
const OPENINGS: [(&str, usize); 5] = [
    ("opening_l_bad_start", 51),
    ("opening_l_cut", 51),
    ("opening_l_fan_fails", 51),
    ("opening_ring_keyhole", 84),
    ("opening_ring_quads", 84),
];

/// Those with a test of their own.
const ALONE: [&str; 7] = [
    "map_coordinates",
    "map_coordinates_thin_wall",
    "millimetres",
    "nonplanar_quads",
    "plate_hole_keyhole",
    "plate_hole_quads",
    "y_up_vessel",
];

/// The file of a case named by its middle.
fn file(name: &str) -> String {
    if name.contains('.') { name.to_owned() } else { format!("obj_{name}.obj") }
}

/// The cases that this module covers.
pub fn names() -> Vec<String> {
    let rows = READ.iter().map(|row| row.0).chain(WARNED.iter().map(|row| row.0));
    let rows = rows.chain(REFUSED.iter().map(|row| row.0)).chain(OPENINGS.iter().map(|row| row.0));
    rows.chain(ALONE).map(|name| format!("files/{}", file(name))).collect()
}

/// A unit box of water and a mesh, by the text of a fluid's shapes, of solids and of other keys.
fn scene(shapes: &str, solids: &str, more: &str) -> String {
    format!(
        "Scene(
            frames: (count: 1, rate: 10.0),
            domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
            particle_radius: {},
            fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [{shapes}])],
            solids: [{solids}],
            {more}
        )",
        0.5 * D
    )
}

/// Little water in two corners of the domain, one of which is free of each mesh.
const DROPS: &str = "Box(min: (0, 0, 0), max: (0.06, 0.06, 0.06)), \
                     Box(min: (0.94, 0.94, 0.94), max: (1, 1, 1))";

/// `sim check` of a scene with the mesh of a case beside it.
fn check(name: &str, scene: &str) -> Ended {
    let place = Place::new();
    fs::copy(case(&format!("files/{}", file(name))), place.path(&file(name))).unwrap();
    place.write("scene.ron", scene);
    place.sim(["check", "scene.ron"])
}

fn as_fluid(name: &str) -> Ended {
    check(name, &scene(&format!("Mesh(path: \"{}\")", file(name)), "", ""))
}

/// As a solid with these keys, among particles so small that no gap is narrow for them.
fn as_solid(name: &str, keys: &str) -> Ended {
    let text = scene(DROPS, &format!("Mesh(path: \"{}\", {keys})", file(name)), "");
    check(name, &text.replace("particle_radius: 0.025", "particle_radius: 0.01"))
}

/// The line of the report about the mesh.
fn measures(ended: &Ended) -> &str {
    let line = ended.stdout.lines().find(|line| line.trim_start().starts_with("meshes "));
    line.unwrap_or_else(|| panic!("{ended:?}"))
}

#[track_caller]
fn assert_filled(name: &str, ended: &Ended, volume: f64) {
    ended.assert_done();
    let particles = (volume / D.powi(3)).round();
    let line = ended.stdout.lines().find(|line| line.trim_start().starts_with("particles"));
    let found = line.and_then(|line| line.split_whitespace().last());
    assert_eq!(found, Some(&*particles.to_string()), "{name}");
    let volume = hashfall_core::units::three_figures(volume);
    assert!(measures(ended).contains(&format!(" m, {volume} m³, ")), "{name}: {ended:?}");
}

#[test]
fn sound_files_are_read_without_a_word() {
    for (name, volume, shells, triangles) in READ {
        let ended = as_fluid(name);
        assert_filled(name, &ended, volume);
        let plural = if shells == 1 { "" } else { "s" };
        let counts = format!("{shells} shell{plural}, {triangles} triangles");
        assert!(measures(&ended).ends_with(&counts), "{name}: {ended:?}");
        assert_eq!(ended.stderr, "", "{name}");
        let solid = as_solid(name, "");
        solid.assert_done();
        assert_eq!(solid.stderr, "", "{name}");
    }
}

#[test]
fn what_is_put_right_is_told() {
    for (name, volume, warning) in WARNED {
        let ended = as_fluid(name);
        assert_filled(name, &ended, volume);
        for ended in [ended, as_solid(name, "")] {
            ended.assert_done();
            assert!(ended.stderr.starts_with("warning: "), "{name}: {ended:?}");
            assert!(ended.stderr.contains(warning), "{name}: {ended:?}");
            assert_eq!(ended.stderr.matches("warning: ").count(), 1, "{name}: {ended:?}");
        }
    }
}

#[test]
fn broken_files_are_refused_at_their_place() {
    for (name, place, message) in REFUSED {
        let place = format!("--> {name}{place}\n");
        as_fluid(name).assert_refused(&[message, &place, "= help: "]);
        as_solid(name, "").assert_refused(&[message, &place, "= help: "]);
    }
}

#[test]
fn openings_of_any_shape_give_whole_layers() {
    for (name, particles) in OPENINGS {
        let emitter = format!("emitters: [(from: Mesh(path: \"{}\"), speed: 1.0)],", file(name));
        let text = scene("", "", &emitter);
        let text = text.replace("particle_radius: 0.025", "particle_radius: 0.01");
        let ended = check(name, &text.replace("shapes: []", ""));
        ended.assert_done();
        let line = format!("{particles} particles per layer of \"water\"");
        assert!(ended.stdout.contains(&line), "{name}: {ended:?}");
    }
}

#[test]
fn faces_that_are_not_flat_keep_their_first_diagonal() {
    let ended = as_fluid("nonplanar_quads");
    ended.assert_done();
    assert!(measures(&ended).contains("0.0482 m³, 1 shell, 12 triangles"), "{ended:?}");
}

#[test]
fn map_coordinates_are_placed_in_double_precision() {
    let moved = "translate: (-345678.71, -412345.60, -120.5)";
    let ended = as_solid("map_coordinates_thin_wall", moved);
    ended.assert_done();
    let wall = "0.0200 × 0.400 × 0.400 m, 0.00320 m³, 1 shell, 12 triangles";
    assert!(measures(&ended).ends_with(wall), "{ended:?}");
    assert_eq!(ended.stderr, "");
    let away = as_solid("map_coordinates", "");
    away.assert_refused(&["farther than 1e6 m from the origin", "scene.ron:"]);
    let moved = "translate: (-512345.58, -5412345.02, -120.4)";
    let ended = as_solid("map_coordinates", moved);
    ended.assert_done();
    assert!(measures(&ended).contains("0.430 × 0.370 × 0.410 m, 0.0652 m³"), "{ended:?}");
    let fluid = format!("Mesh(path: \"obj_map_coordinates.obj\", {moved})");
    let ended = check("map_coordinates", &scene(&fluid, "", ""));
    ended.assert_done();
    // No whole number of layers along any axis: packed, as many as the volume asks for.
    let count = (0.43 * 0.37 * 0.41 / D.powi(3)).round();
    assert!(ended.stdout.contains(&format!("particles        {count}\n")), "{ended:?}");
}

#[test]
fn other_units_and_axes_are_hinted_at() {
    let unit = "is it in millimetres? `scale: 0.001` makes it metres";
    let axis = "is y up in it? `up: Y` turns it to z";
    for (name, hint, keys) in
        [("millimetres", unit, "scale: 0.001"), ("y_up_vessel", axis, "up: Y")]
    {
        let ended = as_solid(name, "");
        ended.assert_done();
        assert!(ended.stderr.contains("this mesh lies outside the domain"), "{ended:?}");
        assert!(ended.stderr.contains(hint), "{ended:?}");
        let refused = as_fluid(name);
        assert!(refused.code == Some(2) && refused.stderr.contains(hint), "{refused:?}");
        // What the hint says is right.
        let followed = as_solid(name, keys);
        followed.assert_done();
        assert_eq!(followed.stderr, "", "{name}");
    }
    let small = as_solid("bom_crlf", "scale: 0.001");
    assert!(small.stderr.contains("`scale: 1`, 1000 times as large"), "{small:?}");
}

#[test]
fn a_hollow_without_a_wall_in_the_domain_is_warned_of() {
    let around = as_solid("bom_crlf", "inside: Hollow, scale: 10.0, translate: (-2.5, -2.5, -2.5)");
    around.assert_done();
    assert!(around.stderr.contains("this hollow has no wall in the domain"), "{around:?}");
    let through =
        as_solid("bom_crlf", "inside: Hollow, scale: 10.0, translate: (-0.5, -2.5, -2.5)");
    through.assert_done();
    assert_eq!(through.stderr, "");
}

/// On the two sides of every triangle one is inside and the other is not: no membrane stands in the
/// open, and none inside.
#[test]
fn no_face_is_a_membrane() {
    let names = ["concave_ngon", "concave_ngon_two_starts", "plate_hole_keyhole"];
    let others = ["plate_hole_quads", "trough_cut", "cavity_inward", "bowtie", "t_junction"];
    let mut seen = BTreeSet::new();
    for name in names.into_iter().chain(others) {
        let bytes = fs::read(case(&format!("files/{}", file(name)))).unwrap();
        let Ok(mesh) = mesh::parse(&bytes) else { continue };
        let interior = Interior::new(&mesh);
        for t in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(t).map(|v| Point::from(to_f64(&v)));
            let normal = (b - a).cross(&(c - a));
            if normal.norm() > 1e-6 {
                let at = |side: f64| {
                    vec3(((a + b + c) / 3.0 + normal.normalize() * (side * 1e-4)).into())
                };
                let both = [-1.0, 1.0].map(|side| interior.contains(&at(side)));
                assert!(both[0] != both[1], "{name}: triangle {t}");
            }
        }
        seen.insert(name);
    }
    assert_eq!(seen.len(), 7, "the T-junction alone is refused: {seen:?}");
}

/// Balls that do not feel each other fall onto a plate with a hole; a sink takes what gets through.
#[test]
fn as_much_falls_through_a_keyhole_as_through_the_same_hole_of_quads() {
    let fallen = ["plate_hole_quads", "plate_hole_keyhole"].map(|name| {
        let place = Place::new();
        fs::copy(case(&format!("files/{}", file(name))), place.path("plate.obj")).unwrap();
        let text = "Scene(
            frames: (count: 3, rate: 10.0),
            domain: Box(min: (0, 0, 0), max: (0.4, 0.4, 0.5)),
            particle_radius: 0.02,
            fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
                Box(min: (0, 0, 0.28), max: (0.4, 0.4, 0.4)),
            ])],
            solids: [Mesh(path: \"plate.obj\")],
            sinks: [Box(min: (0, 0, 0), max: (0.4, 0.4, 0.15))],
            solver: Ballistic(), surface: None, output: (particles: false),
        )";
        place.write("scene.ron", text);
        place.sim(["scene.ron"]).assert_done();
        place.manifest("out/scene")["progress"]["exchanged"]["removed"].as_u64().unwrap()
    });
    // The columns of three whose axes are a radius or more from the edges of the hole: 4 × 4.
    assert_eq!(fallen, [3 * 16; 2], "of {} over the plate", 3 * 100);
}

/// The densities between two bodies are the same whether one of them faces inwards in its file.
#[test]
fn a_body_that_is_turned_acts_as_one_that_needs_no_turn() {
    let starts = ["two_bodies_near_right", "two_bodies_near_turned"].map(|name| {
        let place = Place::new();
        fs::copy(case(&format!("files/{}", file(name))), place.path("bodies.obj")).unwrap();
        let text = "Scene(
            frames: (count: 1, rate: 1e4),
            domain: Box(min: (0, 0, 0), max: (0.43, 0.3, 0.3)),
            particle_radius: 0.01,
            fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
                Box(min: (0, 0, 0), max: (0.43, 0.3, 0.26)),
            ])],
            solids: [Mesh(path: \"bodies.obj\")],
            surface: None,
        )";
        place.write("scene.ron", text);
        place.sim(["scene.ron"]).assert_done();
        fs::read(place.path("out/scene/particles/particles_00000.vtp")).unwrap()
    });
    assert!(starts[0] == starts[1], "the frames at t = 0 differ");
}
