//! What is wrong with elastic bodies.

use super::support::{CUBE, faults_of};
use hashfall_scene::{Severity, Source, prepare};

/// A good scene, of a cloth above a box; the cases break it.
const GOOD: &str = "Scene(
    frames: (count: 1, rate: 10.0),
    domain: Box(min: (0, 0, 0), max: (1, 1, 1)),
    particle_radius: 0.05,
    solids: [Box(min: (0, 0, 0), max: (1, 1, 0.1))],
    elastic: [(
        name: \"cloth\",
        shape: Sheet(origin: (0.2, 0.2, 0.5), u: (0.4, 0, 0), v: (0, 0.4, 0), cells: (4, 4)),
        material: Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3),
        fixings: [Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))],
    )],
)
";

/// Old text, new text, what the line says from the fault on, part of its message.
const CASES: &[(&str, &str, &str, &str)] = &[
    ("name: \"cloth\"", "name: \"\"", "\"\"", "an elastic body without a name"),
    ("u: (0.4, 0, 0)", "u: (0, 2, 0)", "(0, 0.4", "a sheet without area"),
    ("cells: (4, 4)", "cells: (4, 0)", "0)),", "`cells[1]` must be positive, not 0"),
    ("density: 300", "density: -1", "-1,", "`density` must be positive, not -1"),
    ("0.3)", "0.7)", "0.7", "`poisson_ratio` is too large: 0.7"),
    ("young_modulus: 1e5, ", "", "Shell(", "missing key `young_modulus` in `Shell`"),
    (
        "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)",
        "Rope(density: 300, diameter: 1e-3, young_modulus: 1e5)",
        "Rope(",
        "`Sheet` has no elements of the material `Rope`",
    ),
    (
        "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)",
        "Springs(density: 300, stiffness: 1, young_modulus: 1e5)",
        "1, young",
        "both `stiffness` and `young_modulus` are given",
    ),
    (
        "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)",
        "Springs(stiffness: 1)",
        "Springs(",
        "springs without a mass",
    ),
    (
        "Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))",
        "Tied(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01), to: 1)",
        "1)]",
        "there is no solid 1",
    ),
    ("centre: (0.2, 0.2, 0.5)", "centre: (0, 0, 0)", "Ball(", "no node of this body lies there"),
    ("Ball(centre: (0.2, 0.2, 0.5), radius: 0.01)", "Indices([25])", "Indices(", "no node 25"),
    (
        "fixings: [",
        "fixings: [Fixed(nodes: Indices([0])), ",
        "Ball(",
        "node 0 is held by `fixings[0]` already",
    ),
    ("origin: (0.2, 0.2, 0.5)", "origin: (0.2, 0.2, 1.5)", "Ball(", "no node of this body"),
    ("v: (0, 0.4, 0)", "v: (0, 0.9, 0)", "Sheet(", "begins outside the domain, at (0.2, 1.1, 0.5)"),
    (
        "v: (0, 0.4, 0)",
        "v: (0, 0.1, -0.47)",
        "Sheet(",
        "begins inside `solids[0]` (Box), at (0.2, 0.3, 0.03)",
    ),
    (
        "solids: [Box(min: (0, 0, 0), max: (1, 1, 0.1))]",
        "solids: [Box(min: (0.44, 0.44, 0.4), max: (0.46, 0.46, 0.6))]",
        "Sheet(",
        "\"cloth\" begins through `solids[0]` (Box), at (0.4",
    ),
    (
        "Ball(centre: (0.2, 0.2, 0.5), radius: 0.01)",
        "Group(\"clamped\")",
        "Group(",
        "`Sheet` has no groups of nodes",
    ),
    (
        "    elastic: [",
        "    elastic_solver: Implicit(substeps: 0),\n    elastic: [",
        "0)",
        "`substeps` must be positive, not 0",
    ),
    (
        "    elastic: [",
        "    elastic_solver: Implicit(substep: 4),\n    elastic: [",
        "substep:",
        "unknown key `substep` in `Implicit`",
    ),
    (
        "    elastic: [",
        "    elastic_solver: BackwardEuler(),\n    elastic: [",
        "BackwardEuler",
        "unknown name `BackwardEuler`",
    ),
    (
        "fixings: [",
        "fluid_contact: (restitution: 1.5), fixings: [",
        "1.5",
        "`restitution` is too large: 1.5",
    ),
    (
        "fixings: [",
        "fluid_contact: (velocity: (1, 0, 0)), fixings: [",
        "(1, 0, 0)",
        "the surface of an elastic body moves with its nodes alone",
    ),
    ("frames: (", "dimensions: Two, frames: (", "[(", "elastic bodies are for three dimensions"),
    (
        "max: (1, 1, 1)",
        "max: (1, 1, 1), periodic: (true, false, false)",
        "true",
        "elastic bodies do not go across periodic sides",
    ),
    (
        "elastic: [(",
        "elastic_solver: Symplectic(order: Sixth), elastic: [(",
        "Sixth)",
        "order Sixth does not support contact",
    ),
    (
        "elastic: [(",
        "elastic_solver: Symplectic(order: Fourth), elastic_contact: None,
        elastic: [(damping: (time: 1e-4),",
        "Fourth)",
        "order Fourth does not support damping",
    ),
    (
        "elastic: [(",
        "reference_frame: Spin(rpm: 1), elastic_solver: Symplectic(order: Sixth),
        elastic_contact: None, elastic: [(",
        "Sixth)",
        "order Sixth does not support a reference frame that turns",
    ),
    (
        "solids: [Box(",
        "solids: [Ball(name: \"egg\", centre: (0.6, 0.6, 0.5), radius: 0.05), Box(",
        "Sheet(",
        "node 24 of \"cloth\" begins inside `solids[0]` (\"egg\"), at (0.6, 0.6, 0.5)",
    ),
    (
        "solids: [Box(",
        "solids: [Cylinder(from: (0.5, 0.6, 0.4), to: (0.5, 0.6, 0.6), radius: 0.02), Box(",
        "Sheet(",
        "node 23 of \"cloth\" begins inside `solids[0]` (Cylinder), at (0.5, 0.6, 0.5)",
    ),
    (
        "Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))",
        "Tied(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01), to: \"hub\")",
        "\"hub\")]",
        "no solid is called \"hub\"",
    ),
    (
        "Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))",
        "Tied(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01), to: -1)",
        "-1)]",
        "expected the index or the name of a solid, found `-1`",
    ),
    (
        "fixings: [",
        "damping: (time: 1000), fixings: [",
        "Shell(",
        "of \"cloth\": too many for any run",
    ),
    ("solids: [Box(", "solids: [Box(name: \" \", ", "\" \"", "a solid with an empty name"),
    (
        "solids: [Box(",
        "solids: [Ball(name: \"floor\", centre: (0.1, 0.9, 0.9), radius: 0.05),
            Box(name: \"floor\", ",
        "\"floor\", min",
        "`solids[0]` is already called \"floor\"",
    ),
];

#[test]
fn faults_of_elastic_bodies_are_told_at_their_place() {
    assert_eq!(faults_of(GOOD, &[], CUBE), []);
    for &(old, new, at, message) in CASES {
        assert_eq!(GOOD.matches(old).count(), 1, "{old} is unique");
        let text = GOOD.replace(old, new);
        let faults = faults_of(&text, &[], CUBE);
        let fault = faults.iter().find(|fault| fault.message.contains(message));
        let fault = fault.unwrap_or_else(|| panic!("{new}: {faults:?}"));
        assert_eq!(fault.severity, Severity::Error, "{new}");
        let start = fault.span.as_ref().map_or(0, |span| span.start);
        let rest: String = text.chars().skip(start).collect();
        assert!(rest.starts_with(at), "{new}: {fault}");
    }
}

#[test]
fn nodes_are_tied_to_a_solid_by_its_name_or_index() {
    let fixed = "Fixed(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01))";
    let solids = "solids: [Box(name: \"floor\", min: (0, 0, 0), max: (1, 1, 0.1)),
        Ball(name: \"hand\", centre: (0.2, 0.2, 0.8), radius: 0.05, motion: Spin(rpm: 10)),";
    let tied = |to: &str| {
        let tied = format!("Tied(nodes: Ball(centre: (0.2, 0.2, 0.5), radius: 0.01), to: {to})");
        let text = GOOD.replace(fixed, &tied).replace("solids: [", &format!("{solids}\n//"));
        text.replace("\n//Box(min: (0, 0, 0), max: (1, 1, 0.1))]", "]")
    };
    let world = |to: &str| {
        let source = Source { name: String::new(), text: tied(to) };
        let scene = prepare(&source, &[], &mut |_| unreachable!("no file"));
        let scene = scene.unwrap_or_else(|faults| panic!("{faults:?}"));
        let again = Source { name: String::new(), text: scene.resolved };
        let again = prepare(&again, &[], &mut |_| unreachable!("no file")).unwrap();
        assert_eq!(again.world, scene.world);
        scene.world
    };
    let by_name = world("\"hand\"");
    assert_eq!(by_name, world("1"));
    assert_eq!(by_name.elastic.unwrap().system.tied_bodies(), 1);
    // What stands holds a node where it is.
    assert_eq!(world("\"floor\"").elastic.unwrap().system.tied_bodies(), 0);
    let faults = faults_of(&tied("\"hnd\""), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!(fault.message, "no solid is called \"hnd\"");
    assert_eq!(fault.help.as_deref(), Some("did you mean `hand`?"));
    let faults = faults_of(&tied("\"1\""), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.help.as_deref().unwrap().ends_with("from 0 to 1, without quotes"), "{fault:?}");
}

#[test]
fn orders_above_two_are_for_reference_frames_that_do_not_turn() {
    let in_frame = |frame: &str| {
        let solver = format!(
            "reference_frame: {frame}, elastic_solver: Symplectic(order: Sixth),
            elastic_contact: None, elastic: [("
        );
        faults_of(&GOOD.replace("elastic: [(", &solver), &[], CUBE)
    };
    for frame in [
        "Formula(translate: (\"0.1*sin(3*t)\", \"0\", \"0\"))",
        "Formula(translate: (\"t^2\", \"0\", \"0\"), degrees: \"30\")",
        "Keyframes(between: Smooth, keys: [(time: 0), (time: 1, translate: (0.2, 0, 0))])",
    ] {
        assert_eq!(in_frame(frame), [], "{frame}");
    }
    for frame in [
        "Formula(translate: (\"t^2\", \"0\", \"0\"), degrees: \"30*t\")",
        "Keyframes(between: Smooth, keys: [(time: 0), (time: 1, rotate: (degrees: 5))])",
    ] {
        let faults = in_frame(frame);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        assert!(fault.message.contains("a reference frame that turns"), "{fault}");
    }
}

/// A beam of 2 m along x with groups at one end and in all, of Gmsh.
const BEAM: &str = include_str!("../../element_files/gmsh_beam_ascii.msh");

/// A scene of that beam, whose file is `box.obj`: content tells the format, not the name.
fn beam() -> String {
    let sheet = "Sheet(origin: (0.2, 0.2, 0.5), u: (0.4, 0, 0), v: (0, 0.4, 0), cells: (4, 4))";
    let shell = "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)";
    let ball = "Ball(centre: (0.2, 0.2, 0.5), radius: 0.01)";
    let mesh = "Mesh(path: \"box.obj\", scale: 0.1, translate: (0.3, 0.3, 0.5))";
    let solid = "Solid(density: 300, young_modulus: 1e5, poisson_ratio: 0.3, elements: Linear)";
    let text = GOOD.replace(sheet, mesh).replace(shell, solid);
    text.replace(ball, "Group(\"clamped\")").replace("    particle_radius: 0.05,\n", "")
}

#[test]
fn elements_of_a_file_and_its_groups_are_used_as_they_are() {
    let source = Source { name: String::new(), text: beam() };
    let scene = prepare(&source, &[], &mut |_| Ok(BEAM.into())).unwrap();
    assert_eq!(scene.warnings, []);
    let elastic = scene.world.elastic.as_ref().unwrap();
    let body = &elastic.system.bodies()[0];
    let energy = elastic.system.energies().iter().next().unwrap();
    assert_eq!((body.nodes.len(), energy.element_count()), (22, 43));
    // The beam has 2 m³ in its file.
    let mass: f64 = elastic.system.mass().iter().sum();
    assert!((mass - 300.0 * 2e-3).abs() < 1e-12, "{mass}");
    let held = |node: &usize| elastic.system.inverse_mass()[*node] == 0.0;
    let clamped: Vec<usize> = body.nodes.clone().filter(held).collect();
    let at_end: Vec<usize> =
        body.nodes.clone().filter(|&node| elastic.state.position[node].x == 0.3).collect();
    assert_eq!((clamped.len(), clamped), (5, at_end));
    let summary = scene.mesh_summaries[0].elements.as_ref().unwrap();
    // One group has a number alone.
    assert_eq!(summary.groups, ["clamped", "8", "beam body"]);
    // The scene that a run keeps is the same, and names its copy.
    assert!(scene.resolved.contains("meshes/box.obj") && scene.meshes.len() == 1);
    let again = Source { name: String::new(), text: scene.resolved.clone() };
    let again = prepare(&again, &[], &mut |_| Ok(scene.meshes[0].bytes.clone())).unwrap();
    assert_eq!((again.world, again.resolved), (scene.world, scene.resolved));
}

#[test]
fn vtk_files_hold_elements_and_may_be_solids_as_well() {
    let vtk = include_str!("../../element_files/gmsh_beam.vtk");
    let fixing = "fixings: [Fixed(nodes: Group(\"clamped\"))],\n";
    let text = beam().replace(fixing, "");
    assert_eq!(faults_of(&text, &[], vtk), []);
    // One file is a shell and a solid here, and one copy of it is kept.
    let solid = "solids: [Mesh(path: \"box.obj\", scale: 0.1, translate: (0.3, 0.3, 0.2))], //";
    let surface = "# vtk DataFile Version 2.0\n\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n\
                   0 0 0 1 0 0 0 1 0 0 0 1\nPOLYGONS 4 16\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
    let text = text.replace("solids: [", &format!("{solid}\n    // ["));
    let shell = "Shell(density: 300, thickness: 1e-3, young_modulus: 1e5, poisson_ratio: 0.3)";
    let material = "Solid(density: 300, young_modulus: 1e5, poisson_ratio: 0.3, elements: Linear)";
    let text = text.replace(material, shell);
    let source = Source { name: String::new(), text };
    let scene = prepare(&source, &[], &mut |_| Ok(surface.into())).unwrap();
    assert_eq!(scene.meshes.len(), 1);
    let system = &scene.world.elastic.as_ref().unwrap().system;
    assert_eq!((system.bodies()[0].surface.len(), scene.world.solids.meshes().len()), (4, 1));
}

#[test]
fn faults_of_element_files_are_told_at_their_place() {
    let fault = |text: &str, file: &str| {
        let faults = faults_of(text, &[], file);
        let [fault] = &faults[..] else { panic!("{faults:?}") };
        fault.clone()
    };
    assert_eq!(faults_of(&beam(), &[], BEAM), []);
    let unknown = fault(&beam().replace("clamped", "clampd"), BEAM);
    assert_eq!(unknown.message, "the mesh file has no group `clampd`");
    assert_eq!(unknown.help.as_deref(), Some("did you mean `clamped`?"));
    assert_eq!(unknown.source_name, "test.ron");
    let rope = "Rope(density: 300, diameter: 1e-3, young_modulus: 1e5)";
    let solid = "Solid(density: 300, young_modulus: 1e5, poisson_ratio: 0.3, elements: Linear)";
    let other = fault(&beam().replace(solid, rope), BEAM);
    assert_eq!(other.message, "the file has 43 tetrahedra, of which `Rope` makes nothing");
    assert_eq!(other.help.as_deref(), Some("Solid(…) or Springs(…)"));
    let broken = fault(&beam(), &BEAM.replace("4.1 0 8", "4.0 0 8"));
    assert_eq!((broken.source_name.as_str(), broken.line()), ("box.obj", 2), "{broken}");
    let far = fault(&beam().replace("scale: 0.1", "scale: 1e9"), BEAM);
    assert!(far.message.contains("reaches farther than 1e6 m"), "{far}");
}

#[test]
fn particles_need_a_radius_only_if_there_are_some() {
    let without = GOOD.replace("    particle_radius: 0.05,\n", "");
    assert_eq!(faults_of(&without, &[], CUBE), []);
    let fluid = "fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0.6), max: (0.2, 0.2, 0.8))])],\n    solids: [";
    let faults = faults_of(&without.replace("solids: [", fluid), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert_eq!(fault.message, "missing key `particle_radius` in `Scene`");
    assert_eq!((fault.line(), fault.column()), (1, 1));
}

#[test]
fn bodies_that_begin_through_each_other_or_themselves_are_refused() {
    let two = GOOD.replace(
        "    )],\n",
        "    ), (
        name: \"rope\",
        shape: Line(from: (0.45, 0.45, 0.3), to: (0.45, 0.45, 0.7), segments: 3),
        material: Rope(density: 900, diameter: 1e-3, young_modulus: 1e6),
    )],\n",
    );
    let faults = faults_of(&two, &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    let message = "\"rope\" begins through \"cloth\", at (0.45, 0.45, 0.5)";
    assert_eq!(fault.message, message);
    let apart = two.replace("    elastic: [", "    elastic_contact: None,\n    elastic: [");
    assert_eq!(faults_of(&apart, &[], CUBE), []);
}

#[test]
fn a_scene_of_elastic_bodies_alone_is_built_as_it_says() {
    let source = Source { name: String::new(), text: GOOD.to_owned() };
    let scene = prepare(&source, &[], &mut |_| unreachable!("no file")).unwrap();
    let elastic = scene.world.elastic.as_ref().unwrap();
    assert_eq!(elastic.system.node_count(), 25);
    let held = elastic.system.inverse_mass().iter().filter(|m| **m == 0.0).count();
    let mass: f64 = elastic.system.mass().iter().sum();
    assert_eq!(held, 1);
    assert!((mass - 300.0 * 1e-3 * 0.16).abs() < 1e-12, "{mass}");
    assert!(scene.world.particles.is_empty() && scene.surface.is_none());
    // What was resolved is the same scene.
    let again = Source { name: String::new(), text: scene.resolved.clone() };
    let again = prepare(&again, &[], &mut |_| unreachable!("no file")).unwrap();
    assert_eq!((again.world, again.resolved), (scene.world, scene.resolved));
}

#[test]
fn a_contact_with_fluid_that_a_rope_from_a_file_cannot_have_is_warned_of() {
    let rope = "# vtk DataFile Version 2.0\nrope\nASCII\nDATASET UNSTRUCTURED_GRID\n\
                POINTS 3 double\n0 0 0 1 0 0 2 0 0\nCELLS 2 6\n2 0 1\n2 1 2\n\
                CELL_TYPES 2\n3 3\n";
    let solid = "Solid(density: 300, young_modulus: 1e5, poisson_ratio: 0.3, elements: Linear)";
    let water = "particle_radius: 0.05,
    fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6,
        shapes: [Box(min: (0, 0, 0.6), max: (0.2, 0.2, 0.8))])],\n    solids: [";
    let text = beam().replace(solid, "Rope(density: 900, diameter: 0.01, young_modulus: 1e6)");
    let text =
        text.replace("fixings: [Fixed(nodes: Group(\"clamped\"))]", "fluid_contact: (friction: 1)");
    let message = |text: &str| {
        let source = Source { name: String::new(), text: text.to_owned() };
        let scene = prepare(&source, &[], &mut |_| Ok(rope.into())).unwrap();
        scene.warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    let no_effect = "this contact has no effect: ";
    assert_eq!(message(&text), [format!("{no_effect}there is no fluid")]);
    let none = format!("{no_effect}fluid meets triangles, and this body has none");
    assert_eq!(message(&text.replace("solids: [", water)), [none]);
}

#[test]
fn bodies_as_thick_as_wide_are_warned_of() {
    let warnings = |text: &str| {
        let source = Source { name: String::new(), text: text.to_owned() };
        let scene = prepare(&source, &[], &mut |_| unreachable!("no file")).unwrap();
        scene.warnings.into_iter().map(|it| (it.line(), it.message)).collect::<Vec<_>>()
    };
    assert_eq!(warnings(GOOD), []);
    let thick = warnings(&GOOD.replace("thickness: 1e-3", "thickness: 0.2"));
    assert_eq!(thick, [(9, "\"cloth\" is 0.200 m thick, and 0.566 m across".to_owned())]);
    let contact = GOOD.replace("fixings: [", "contact: (thickness: 0.3),\nfixings: [");
    assert_eq!(warnings(&contact)[0].0, 10);
}

#[test]
fn gaps_that_are_narrow_for_particles_are_told_with_fluid_alone() {
    let warnings = |text: &str| {
        let source = Source { name: String::new(), text: text.to_owned() };
        let scene = prepare(&source, &[], &mut |_| unreachable!("no file")).unwrap();
        scene.warnings.into_iter().map(|warning| warning.message).collect::<Vec<_>>()
    };
    let narrow = GOOD.replace("(0, 0, 0), max: (1, 1, 0.1)", "(0, 0.1, 0), max: (1, 1, 0.1)");
    assert_eq!(warnings(&narrow), [""; 0]);
    let water = "fluids: [(name: \"water\", rest_density: 1000, viscosity: 1e-6, shapes: [
        Box(min: (0, 0.1, 0.7), max: (1, 1, 0.9)),
    ])],\n    elastic: [";
    let found = warnings(&narrow.replace("elastic: [", water));
    assert!(
        matches!(&found[..], [_, it] if it.contains("a gap of 0.1 m to the wall")),
        "{found:?}"
    );
}
