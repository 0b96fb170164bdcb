//! What users of other programs write by habit: the one error says what is meant here.

use super::support::{CUBE, GOOD, faults_of, help};
use hashfall_scene::{Diagnostic, Source, prepare};

/// The one fault of the good scene with a piece of text replaced.
#[track_caller]
fn one_fault(old: &str, new: &str) -> Diagnostic {
    assert_eq!(GOOD.matches(old).count(), 1, "{old} is unique");
    let faults = faults_of(&GOOD.replace(old, new), &[], CUBE);
    let [fault] = <[Diagnostic; 1]>::try_from(faults)
        .unwrap_or_else(|faults| panic!("{old} -> {new}: {faults:?}"));
    fault
}

#[test]
fn keys_of_other_programs_are_told_by_what_they_mean_here() {
    let solver = "solver: Wcsph(sound_speed: 30.0, courant: 0.4)";
    for (new, part) in [
        ("solver: Dfsph(time_step: 1e-4)", "the run chooses its time steps"),
        ("solver: Dfsph(dt: 1e-4)", "the run chooses its time steps"),
    ] {
        assert!(help(solver, new).contains(part), "{new}: {}", help(solver, new));
    }
    let ball = "SphereField(List([(centre: (0.8, 0.8, 0.2), radius: 0.1)])),";
    let cylinder = "Cylinder(centre: (0.8, 0.8, 0.2), radius: 0.1, height: 0.4),";
    let told = help(ball, cylinder);
    assert!(told.contains("`from` and `to` are the ends of the axis"), "{told}");
    let emitters = |keys: &str| help("solver: ", &format!("emitters: [({keys})],\n    solver: "));
    let told = emitters("position: (0, 0, 0), speed: 1.0");
    assert!(told.contains("`from` is the opening"), "{told}");
    let told = emitters("velocity: (1, 0, 0), from: Disc(centre: (0, 0, 0))");
    assert!(told.contains("did you mean `speed`") && told.contains("`direction`"), "{told}");
    let told = help("scale: 0.1, ", "scale: 0.1, boundary: NoSlip, ");
    assert!(told.contains("`contact: (slip: No)`"), "{told}");
}

/// A number that means something else under its right name is not judged as if it were that.
#[test]
fn a_spacing_is_no_radius_of_128_m() {
    let fault = one_fault("particle_radius: 0.025", "resolution: 128");
    let told = fault.help.unwrap_or_default();
    assert!(told.contains("`particle_radius` (half the spacing)"), "{told}");
}

#[test]
fn a_path_of_windows_is_told_as_an_escape() {
    let fault = one_fault("\"box.obj\"", r#""C:\Users\me\box.obj""#);
    assert!(fault.message.contains("a backslash begins an escape"), "{fault}");
    let told = fault.help.unwrap_or_default();
    assert!(told.contains("write `/` in paths"), "{told}");
    // A tab is an escape, and no part of a name.
    let told = help("\"box.obj\"", r#""C:\tank.obj""#);
    assert!(told.contains("a backslash begins an escape"), "{told}");
}

#[test]
fn a_decimal_comma_is_told() {
    let fault = one_fault("particle_radius: 0.025", "particle_radius: 0,025");
    assert!(fault.help.as_deref() == Some("numbers have a decimal point: `0.025`"), "{fault}");
}

#[test]
fn scenes_of_other_programs_are_told_by_their_names() {
    for (path, what) in [
        ("tank.blend", "this is a scene of Blender"),
        ("tank.ABC", "this is an Alembic file"),
        ("tank.vtu", "this is VTK's XML format of grids"),
        ("tank.node", "this is a file of TetGen"),
    ] {
        let text = GOOD.replace("box.obj", path);
        let source = Source { name: "test.ron".to_owned(), text };
        let faults = prepare(&source, &[], &mut |_| Ok(b"\x28\xb5\x2f\xfd 1 2 3".to_vec()));
        let faults = faults.map(|_| ()).unwrap_err();
        assert!(faults[0].message.starts_with(what), "{}", faults[0]);
        let told = faults[0].help.as_deref().unwrap_or_default();
        assert!(told.contains("STL, PLY, OBJ or glTF") || told.contains("meshio"), "{told}");
    }
}

/// A box of 1 m around the water in the file's millimetres.
#[test]
fn a_mesh_in_millimetres_around_the_whole_tank_is_told_by_its_unit() {
    let water = "solids: [Mesh(path: \"box.obj\", scale: 161.0, translate: (-80, -80, -80))],";
    let solids = GOOD.find("solids: [").unwrap()..GOOD.find("    solver:").unwrap();
    let text = format!("{}{water}\n{}", &GOOD[..solids.start], &GOOD[solids.end..]);
    let faults = faults_of(&text, &[], CUBE);
    assert!(faults[0].message.contains("no particle remains"), "{faults:?}");
    let told = faults[0].help.as_deref().unwrap_or_default();
    assert!(told.contains("is it in millimetres? `scale: 0.161`"), "{told}");
}
