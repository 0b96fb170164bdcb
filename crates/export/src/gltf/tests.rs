//! Files taken apart.

use super::Gltf;
use crate::format::{Format, Options};
use crate::frame::{Frame, Run};
use crate::testing::{Memory, odd_labels, run};
use serde_json::Value;

/// The document and the numbers of a file.
fn parts(glb: &[u8]) -> (Value, &[u8]) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
    let length = word(12);
    let document = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let rest = &glb[20 + length..];
    (document, rest.get(8..).unwrap_or_default())
}

fn glb(frame: &Frame, quantise: Option<u32>) -> Vec<u8> {
    let options = Options { level: 1, quantise, voxel: 0.1, half: false };
    let mut target = Memory::default();
    let mut writer = Gltf.writer(&run(&[0]).0, &options);
    writer.add(frame, &mut target).unwrap();
    writer.finish(&mut target).unwrap();
    target.files.pop_first().unwrap().1
}

#[test]
fn whole_numbers_keep_positions_within_their_bound() {
    let (_, frames) = run(&[3]);
    let (plain, quantised) = (glb(&frames[0], None), glb(&frames[0], Some(16)));
    let (document, bytes) = parts(&quantised);
    let node = document["nodes"].as_array().unwrap().iter().find(|it| it["name"] == "surface");
    let number = |value: &Value| value.as_f64().unwrap();
    let (step, origin) = (number(&node.unwrap()["scale"][0]), &node.unwrap()["translation"]);
    let mesh = &frames[0].meshes[0];
    // The range is 2.
    assert!((step - 2.0 / 65535.0).abs() < 1e-9);
    let view = &document["bufferViews"][0];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    for (k, x) in mesh.points.positions.iter().enumerate() {
        for axis in 0..3 {
            let at = start + 8 * k + 2 * axis;
            let whole = u16::from_le_bytes(bytes[at..at + 2].try_into().unwrap());
            let read = number(&origin[axis]) + step * f64::from(whole);
            assert!((read - f64::from(x[axis])).abs() <= 0.5 * step + 1e-7);
        }
    }
    let length = bytes.len();
    let (document, bytes) = parts(&plain);
    let first = f32::from_le_bytes(bytes[..4].try_into().unwrap());
    assert_eq!(first, mesh.points.positions[0][0]);
    assert!(document["extensionsRequired"].is_null());
    let names = document["nodes"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
    let names: Vec<&str> = names.collect();
    assert_eq!(names, ["run", "surface", "mesh_00", "body_01", "body_01_pose"]);
    assert_eq!(document["nodes"][4]["translation"][2], 1.5);
    assert!(length < bytes.len(), "{length}");
}

#[test]
fn a_frame_of_nothing_is_a_scene_of_nothing() {
    let mut frame = Frame { number: 7, ..Frame::default() };
    let options = Options { level: 1, quantise: None, voxel: 0.1, half: false };
    let mut target = Memory::default();
    let (mut all, _) = run(&[7]);
    all.standing.clear();
    frame.meshes.push(crate::frame::Mesh {
        part: crate::frame::FramePart::Spray,
        name: "spray".into(),
        points: Default::default(),
        triangles: Vec::new(),
    });
    Gltf.writer(&all, &options).add(&frame, &mut target).unwrap();
    let (document, bytes) = parts(&target.files["frame_00007.glb"]);
    assert!(bytes.is_empty() && document["buffers"].is_null() && document["meshes"].is_null());
    assert_eq!(document["scenes"][0]["extras"]["frame"], 7);
}

#[test]
fn nodes_and_materials_are_called_as_in_the_scene() {
    let (run, frames) = run(&[3]);
    let run = Run { labels: odd_labels(), ..run };
    let options = Options { level: 1, quantise: None, voxel: 0.1, half: false };
    let mut target = Memory::default();
    Gltf.writer(&run, &options).add(&frames[0], &mut target).unwrap();
    let (document, _) = parts(&target.files["frame_00003.glb"]);
    let names = |key: &str| -> Vec<String> {
        let all = document[key].as_array().unwrap().iter();
        all.map(|it| it["name"].as_str().unwrap().to_owned()).collect()
    };
    let (oil, body) = ("2. öl & <gas>", "größe \"a\" 1/2");
    assert_eq!(names("nodes"), ["run", oil, "wall; x=1", body, &format!("{body}_pose")]);
    assert_eq!(names("meshes"), [oil, "wall; x=1", body]);
    assert_eq!(names("materials"), [oil, "solid"]);
    let colour = &document["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
    assert_eq!(*colour, serde_json::json!([0.7913, 0.3467, 0.0452, 1.0]));
    let material = |mesh: usize| &document["meshes"][mesh]["primitives"][0]["material"];
    assert_eq!([0, 1, 2].map(|mesh| material(mesh).as_u64().unwrap()), [0, 1, 1]);
}
