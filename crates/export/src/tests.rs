//! All formats: what they promise together.

use super::*;
use crate::testing::{Memory, odd_labels, run};

fn options() -> Options {
    Options { level: 4, quantise: None, voxel: 0.1, half: false }
}

fn exported(format: &dyn Format, frames: &[u32], options: &Options) -> Memory {
    let (run, frames) = run(frames);
    let mut target = Memory::default();
    let mut writer = format.writer(&run, options);
    for frame in &frames {
        writer.add(frame, &mut target).unwrap();
    }
    writer.finish(&mut target).unwrap();
    target
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    for format in FORMATS {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| exported(format, &[0, 1, 5], &options()).files)
        };
        let one = on(1);
        assert!(!one.is_empty(), "{}", format.name());
        for threads in [2, 5] {
            assert!(on(threads) == one, "{} on {threads} threads", format.name());
        }
    }
}

#[test]
fn each_format_has_a_name_and_parts_of_its_own() {
    let mut names = FORMATS.map(|format| format.name());
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
    assert!(FORMATS.iter().all(|format| !format.parts().is_empty()));
}

#[test]
fn clips_stand_for_the_frames_that_have_them() {
    let files = exported(&usd::Usd, &[2, 4, 7], &options()).files;
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "frame_00002.usda",
            "frame_00004.usda",
            "frame_00007.usda",
            "manifest.usda",
            "run.usda",
            "solids.usda"
        ]
    );
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let root = text("run.usda");
    for part in [
        "startTimeCode = 2",
        "endTimeCode = 7",
        "timeCodesPerSecond = 50",
        "double2[] active = [(2, 0), (4, 1), (7, 2)]",
        "double2[] times = [(2, 2), (4, 4), (7, 7)]",
        "@./frame_00007.usda@]",
        "primPath = \"/run/particles\"",
        "normal3f[] normals (interpolation = \"vertex\")",
    ] {
        assert!(root.contains(part), "no `{part}` in\n{root}");
    }
    assert!(text("solids.usda").contains("2: (0, 0, 1), 4: (0, 0, 2), 7: (0, 0, 3.5)"));
    assert!(
        text("frame_00004.usda").contains("int64[] ids.timeSamples = {4: [0,1,2,3,4,5,6,7,8]}")
    );
    assert!(!text("manifest.usda").contains("timeSamples"));
}

/// A run whose things have names with characters that not all formats take.
fn with_odd_names(format: &dyn Format) -> Memory {
    let (run, frames) = run(&[2]);
    let run = Run { labels: odd_labels(), ..run };
    let mut target = Memory::default();
    let mut writer = format.writer(&run, &options());
    frames.iter().for_each(|frame| writer.add(frame, &mut target).unwrap());
    writer.finish(&mut target).unwrap();
    target
}

#[test]
fn usd_displays_names_as_they_are_given() {
    let files = with_odd_names(&usd::Usd).files;
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let root = text("run.usda");
    for part in [
        "def Mesh \"surface\" (",
        "displayName = \"2. öl & <gas>\"",
        "prepend apiSchemas = [\"MaterialBindingAPI\"]",
        "rel material:binding = </run/materials/m_2_2e__20__f6_l_20__26__20__3c_gas_3e_>",
        "color3f inputs:diffuseColor = (0.7913, 0.3467, 0.0452)",
        "color3f[] primvars:displayColor = [(0.7913, 0.3467, 0.0452)]",
    ] {
        assert!(root.contains(part), "no `{part}` in\n{root}");
    }
    let solids = text("solids.usda");
    let body = "def Xform \"body_01\" (displayName = \"größe \\\"a\\\" 1/2\")";
    assert!(solids.contains(body), "{solids}");
    assert!(solids.contains("def Mesh \"mesh_00\" (displayName = \"wall; x=1\")"), "{solids}");
}

#[test]
fn alembic_has_names_as_far_as_they_may_be() {
    let files = with_odd_names(&alembic::Alembic).files;
    let file = &files["run.abc"];
    let has = |text: &str| file.windows(text.len()).any(|part| part == text.as_bytes());
    for text in [
        "2. öl & <gas>_shape",
        ";displayName=2. öl & <gas>",
        "größe \"a\" 1_2_shape",
        ";displayName=größe \"a\" 1/2",
        "wall; x=1_shape",
    ] {
        assert!(has(text), "{text}");
    }
    assert!(!has("displayName=wall") && !has("surface_shape") && has("particles_shape"));
}

#[test]
fn a_series_holds_each_frame_where_its_steps_say() {
    let (_, frames) = run(&[1, 3, 8]);
    let files = exported(&vtkhdf::VtkHdf, &[1, 3, 8], &options()).files;
    let read = hdf5_pure::File::from_bytes(files["particles.vtkhdf"].clone()).unwrap();
    let numbers = |name: &str| read.dataset(&format!("VTKHDF/{name}")).unwrap().read_i64().unwrap();
    assert_eq!(numbers("NumberOfPoints"), [6, 8, 13]);
    assert_eq!(numbers("Steps/PointOffsets"), [0, 6, 14]);
    assert_eq!(numbers("Steps/PointDataOffsets/density"), [0, 6, 14]);
    assert_eq!(numbers("Vertices/NumberOfConnectivityIds"), [6, 8, 13]);
    assert_eq!(numbers("Vertices/Connectivity"), (0..13).collect::<Vec<_>>());
    assert_eq!(numbers("Polygons/NumberOfCells"), [0; 3]);
    let times = read.dataset("VTKHDF/Steps/Values").unwrap().read_f64().unwrap();
    assert_eq!(times, [0.02, 0.06, 0.16]);
    let velocity = read.dataset("VTKHDF/PointData/velocity").unwrap().read_f32().unwrap();
    let points = frames[1].clouds[0].points.vectors("velocity").unwrap();
    assert_eq!(velocity[18..42], *points.as_flattened());
    let read = hdf5_pure::File::from_bytes(files["bodies.vtkhdf"].clone()).unwrap();
    let points = read.dataset("VTKHDF/Points").unwrap().read_f32().unwrap();
    // The second frame's second vertex: 0.2 m to −x, 1.5 m up.
    assert_eq!(points[21..24], [-0.2, 0.0, 1.5]);
    let solids = hdf5_pure::File::from_bytes(files["solids.vtkhdf"].clone()).unwrap();
    assert!(solids.group("VTKHDF/Steps").is_err(), "what stands has no times");
}

/// A mesh as often as is asked for.
fn repeated(mesh: &Mesh, count: usize) -> Mesh {
    let (vertices, points) = (mesh.points.positions.len() as u32, &mesh.points);
    let attributes = points.attributes.iter().map(|attribute| {
        let Values::Vectors(vectors) = &attribute.values else { panic!("no vectors") };
        Attribute { values: Values::Vectors(vectors.repeat(count)), ..attribute.clone() }
    });
    let copy = |k: u32| mesh.triangles.iter().map(move |it| it.map(|v| v + k * vertices));
    let triangles = (0..count as u32).flat_map(copy).collect();
    let positions = points.positions.repeat(count);
    let points = Points { positions, attributes: attributes.collect() };
    Mesh { points, triangles, ..mesh.clone() }
}

#[test]
fn fewer_bits_take_fewer_bytes() {
    for format in FORMATS.into_iter().filter(|format| format.quantises()) {
        let bytes = |quantise| -> usize {
            let options = Options { quantise, ..options() };
            let (run, mut frames) = run(&[60]);
            // As small as it is, names would be most of it.
            frames[0].meshes[0] = repeated(&frames[0].meshes[0], 300);
            let mut target = Memory::default();
            let mut writer = format.writer(&run, &options);
            writer.add(&frames[0], &mut target).unwrap();
            writer.finish(&mut target).unwrap();
            target.files.values().map(Vec::len).sum()
        };
        assert!(bytes(Some(12)) < bytes(None), "{}", format.name());
    }
}

#[test]
fn a_mesh_that_is_not_closed_has_no_level_set() {
    let (run, mut frames) = run(&[3]);
    frames[0].meshes[0].triangles.pop();
    let error = vdb::Vdb.writer(&run, &options()).add(&frames[0], &mut Memory::default());
    let said = error.unwrap_err().to_string();
    assert_eq!(said, "`surface` of frame 3 is not closed: it has no inside");
}

#[test]
fn voxels_that_are_too_small_are_refused_with_the_least_that_will_do() {
    let (run, mut frames) = run(&[3]);
    let mut added = |voxel, moved: f32| {
        let points = &mut frames[0].meshes[0].points.positions;
        points.iter_mut().for_each(|x| x[2] += moved);
        let options = Options { voxel, ..options() };
        vdb::Vdb.writer(&run, &options).add(&frames[0], &mut Memory::default())
    };
    let said = added(1e-12, 0.0).unwrap_err().to_string();
    assert!(said.contains("is too large for voxels of 0.000000000001 m: take "), "{said}");
    assert!(added(0.05, 0.0).is_ok());
    let far = added(0.1, 1e6).unwrap_err().to_string();
    assert!(far.contains("take 1.25"), "{far}");
}

#[test]
fn particles_that_come_later_have_their_width() {
    let (run, mut frames) = run(&[2, 4]);
    let radius = frames[1].clouds[0].points.floats("radius").unwrap()[0];
    for cloud in &mut frames[0].clouds {
        cloud.points.positions.clear();
        for attribute in &mut cloud.points.attributes {
            match &mut attribute.values {
                Values::Floats(values) => values.clear(),
                Values::Vectors(values) => values.clear(),
                Values::Labels(values) => values.clear(),
                Values::Ids(values) => values.clear(),
            }
        }
    }
    let mut target = Memory::default();
    let mut writer = usd::Usd.writer(&run, &options());
    frames.iter().for_each(|frame| writer.add(frame, &mut target).unwrap());
    writer.finish(&mut target).unwrap();
    let root = String::from_utf8(target.files["run.usda"].clone()).unwrap();
    let width = format!("float[] widths = [{}] (interpolation", 2.0 * f64::from(radius));
    assert!(root.contains(&width), "no `{width}` in\n{root}");
}
