//! What is read of glTF files, and what is refused.

use super::{ImportedMesh, MeshError, MeshWarning, Place, UpAxis, parse, read, read_with_files};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const GLB: &[u8] = include_bytes!("../../../../tests/mesh_files/blender.glb");
const JSON: &str = include_str!("../../../../tests/mesh_files/blender.gltf");
const BUFFER: &[u8] = include_bytes!("../../../../tests/mesh_files/blender.bin");

/// A tetrahedron of 1/6 m³: corners, and indices of 8 bits.
fn tetrahedron() -> Vec<u8> {
    let corners = [[0.0_f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let corners = corners.iter().flatten().flat_map(|x| x.to_le_bytes());
    corners.chain([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]).collect()
}

/// A file of one mesh, by its nodes, its primitive and further keys.
fn file(nodes: &str, primitive: &str, more: &str) -> String {
    let data = STANDARD.encode(tetrahedron());
    format!(
        "{{\"asset\": {{\"version\": \"2.0\"}}, \"scene\": 0, \"scenes\": [{{\"nodes\": [0]}}],
        \"nodes\": [{nodes}],
        \"meshes\": [{{\"name\": \"T\", \"primitives\": [{{{primitive}}}]}}],
        \"buffers\": [{{\"byteLength\": 60, \"uri\": \"data:;base64,{data}\"}}],
        \"bufferViews\": [{{\"buffer\": 0, \"byteLength\": 48}},
            {{\"buffer\": 0, \"byteOffset\": 48, \"byteLength\": 12}}],
        \"accessors\": [
            {{\"bufferView\": 0, \"componentType\": 5126, \"count\": 4, \"type\": \"VEC3\",
              \"min\": [0, 0, 0], \"max\": [1, 1, 1]}},
            {{\"bufferView\": 1, \"componentType\": 5121, \"count\": 12, \"type\": \"SCALAR\"}}]
        {more}}}"
    )
}

const TRIANGLES: &str = "\"attributes\": {\"POSITION\": 0}, \"indices\": 1";

fn mesh(text: &str) -> ImportedMesh {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn error(text: &str) -> MeshError {
    read(text.as_bytes()).unwrap_err()
}

#[test]
fn a_buffer_is_in_the_file_in_its_json_or_beside_it() {
    let glb = read(GLB).unwrap();
    assert_eq!((glb.format, glb.up, &glb.open), ("glTF", Some(UpAxis::Y), &None));
    let mut names = Vec::new();
    let beside = read_with_files(JSON.as_bytes(), &mut |name| {
        names.push(name.to_owned());
        Ok(BUFFER.to_vec())
    });
    assert_eq!(
        (beside.unwrap().mesh, &names[..]),
        (glb.mesh.clone(), &["blender.bin".to_owned()][..])
    );
    let data = format!("data:application/octet-stream;base64,{}", STANDARD.encode(BUFFER));
    assert_eq!(mesh(&JSON.replace("blender.bin", &data)).mesh, glb.mesh);
    let error = read(JSON.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("cannot read `blender.bin`"), "{error}");
}

#[test]
fn meshes_stand_where_their_nodes_put_them() {
    let alone = mesh(&file("{\"mesh\": 0}", TRIANGLES, ""));
    assert!((alone.mesh.signed_volume() - 1.0 / 6.0).abs() < 1e-9);
    let nodes = "{\"children\": [1, 2], \"translation\": [10, 0, 0]},
        {\"mesh\": 0, \"scale\": [2, 2, 2], \"rotation\": [0, 0, 0.70710678, 0.70710678]},
        {\"mesh\": 0, \"matrix\": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]}";
    let placed = mesh(&file(nodes, TRIANGLES, ""));
    assert_eq!((placed.shells, placed.warnings, placed.open), (2, vec![], None));
    let volume = placed.mesh.signed_volume();
    assert!((volume - (8.0 + 1.0) / 6.0).abs() < 1e-5, "a mirrored mesh is turned: {volume}");
    let bounds = placed.mesh.bounds();
    let expected = [8.0, 0.0, 0.0, 10.0, 6.0, 2.0];
    let found =
        [bounds.min.x, bounds.min.y, bounds.min.z, bounds.max.x, bounds.max.y, bounds.max.z];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-5), "{found:?}");
}

#[test]
fn strips_fans_and_bare_vertices_are_triangles() {
    let strip = "\"attributes\": {\"POSITION\": 0}, \"mode\": 5";
    assert_eq!(mesh(&file("{\"mesh\": 0}", strip, "")).mesh.triangles.len(), 2);
    let fan = "\"attributes\": {\"POSITION\": 0}, \"mode\": 6";
    assert_eq!(mesh(&file("{\"mesh\": 0}", fan, "")).mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
    let lines = "\"attributes\": {\"POSITION\": 0}, \"mode\": 1";
    let none = error(&file("{\"mesh\": 0}", lines, ""));
    assert!(none.to_string().contains("no triangles in its default scene"), "{none}");
}

#[test]
fn sparse_accessors_move_some_vertices() {
    let sparse = "\"sparse\": {\"count\": 1, \"indices\": {\"bufferView\": 1, \"byteOffset\": 1,
        \"componentType\": 5121}, \"values\": {\"bufferView\": 0, \"byteOffset\": 36}},
        \"bufferView\": 0, \"componentType\": 5126";
    let text = file("{\"mesh\": 0}", TRIANGLES, "");
    let text = text.replacen("\"bufferView\": 0, \"componentType\": 5126", sparse, 1);
    // Vertex 2 becomes the fourth: the tetrahedron falls flat.
    let flat = mesh(&text);
    assert!(flat.warnings.iter().any(MeshWarning::is_of_no_volume) || flat.open.is_some());
}

#[test]
fn what_is_not_read_is_told_or_refused() {
    let morphed =
        "\"attributes\": {\"POSITION\": 0}, \"indices\": 1, \"targets\": [{\"POSITION\": 0}]";
    let warnings = mesh(&file("{\"mesh\": 0}", morphed, "")).warnings;
    assert!(
        warnings[0].to_string().contains("morph targets of mesh `T` are not read"),
        "{warnings:?}"
    );
    let skinned = file(
        "{\"mesh\": 0, \"skin\": 0, \"translation\": [7, 0, 0]}",
        TRIANGLES,
        ", \"skins\": [{\"joints\": [0]}]",
    );
    let skinned = mesh(&skinned);
    assert!(skinned.warnings[0].to_string().contains("the skin of mesh `T`"));
    assert_eq!(skinned.mesh.bounds().max.x, 1.0);
    for (extension, what) in [
        ("KHR_draco_mesh_compression", "Draco compression"),
        ("EXT_meshopt_compression", "meshopt compression"),
    ] {
        let more = format!(", \"extensionsRequired\": [\"{extension}\"]");
        let error = error(&file("{\"mesh\": 0}", TRIANGLES, &more));
        let message = format!("{what} (`{extension}`) is not supported: export it uncompressed");
        assert_eq!(error.to_string(), message);
    }
    let unknown = ", \"extensionsRequired\": [\"KHR_materials_ior\", \"ACME_bent_meshes\"]";
    let message = "the extension `ACME_bent_meshes`, which the file requires, is not supported: \
                   export it without that extension";
    assert_eq!(error(&file("{\"mesh\": 0}", TRIANGLES, unknown)).to_string(), message);
    for harmless in ["KHR_materials_ior", "EXT_texture_webp", "KHR_mesh_quantization"] {
        let look = format!(", \"extensionsRequired\": [\"{harmless}\"]");
        assert_eq!(mesh(&file("{\"mesh\": 0}", TRIANGLES, &look)).open, None);
    }
}

/// The extension may be used without being required, for programs that know it.
#[test]
fn copies_by_an_extension_are_refused_at_the_node_that_has_them() {
    let copied = |node: &str| {
        let instancing = "\"extensions\": {\"EXT_mesh_gpu_instancing\": {\"attributes\": {}}}";
        let nodes = format!("{{\"children\": [1]}}, {{{node} {instancing}}}");
        file(&nodes, TRIANGLES, ", \"extensionsUsed\": [\"EXT_mesh_gpu_instancing\"]")
    };
    let error = error(&copied("\"mesh\": 0,"));
    let message = "`EXT_mesh_gpu_instancing`, by which `nodes[1]` copies its mesh, is not \
                   supported: export each copy as an object of its own";
    assert!(error.to_string().starts_with(message), "{error}");
    // A scene that only mentions it has nothing that is copied.
    let used = ", \"extensionsUsed\": [\"EXT_mesh_gpu_instancing\"]";
    assert_eq!(mesh(&file("{\"mesh\": 0}", TRIANGLES, used)).shells, 1);
}

/// A few bytes place a mesh once more, of any size.
#[test]
fn meshes_are_not_placed_without_bound() {
    let count = 1 << 16;
    let data = STANDARD.encode([tetrahedron(), vec![0; count - 12]].concat());
    let place = |times: usize| {
        let children: Vec<String> = (1..=times).map(|k| k.to_string()).collect();
        let nodes = format!("{{\"children\": [{}]}}", children.join(", "));
        let nodes = nodes + &", {\"mesh\": 0}".repeat(times);
        let text =
            file(&nodes, "\"attributes\": {\"POSITION\": 0}, \"mode\": 5, \"indices\": 1", "");
        let text = text.replace(&STANDARD.encode(tetrahedron()), &data);
        let text = text.replace("\"count\": 12", &format!("\"count\": {count}"));
        let text = text.replace("\"byteLength\": 12", &format!("\"byteLength\": {count}"));
        text.replace("\"byteLength\": 60", &format!("\"byteLength\": {}", 48 + count))
    };
    assert_eq!(mesh(&place(3)).open.map(|open| open.place), Some(None));
    let error = error(&place(512)).to_string();
    let parts = ["`nodes[512]` places `meshes[0]` once too often", "33554432 vertices and corners"];
    assert!(parts.iter().all(|part| error.contains(part)), "{error}");
}

#[test]
fn faults_are_told_by_their_path_in_the_json() {
    let whole = file("{\"mesh\": 0}", TRIANGLES, "");
    for (old, new, message) in [
        ("\"byteLength\": 60", "\"byteLength\": 61", "`buffers[0]` has 60 bytes, not 61"),
        (
            "\"byteLength\": 48",
            "\"byteLength\": 4800",
            "`bufferViews[0]` reaches beyond its buffer",
        ),
        ("\"count\": 4", "\"count\": 40", "`accessors[0]` reaches beyond `bufferViews[0]` of 48"),
        ("\"count\": 12", "\"count\": 11", "the 11 corners of `meshes[0].primitives[0]`"),
        ("\"count\": 4", "\"count\": 3", "`meshes[0].primitives[0]`: there is no vertex 3"),
        ("\"count\": 4", "\"count\": 0", "`accessors[0]` has no items"),
        ("\"VEC3\"", "\"VEC2\"", "`accessors[0]` has no positions: it is no VEC3"),
        ("5126", "5125", "`accessors[0]` has no positions: it is of type U32"),
        ("\"indices\": 1", "\"indices\": 0", "has no vertex numbers"),
        ("\"indices\": 1", "\"indices\": 7", "Index out of bounds"),
        ("\"POSITION\": 0", "\"POSITION\": 9", "`meshes[0].primitives[0]` is `accessors[9]`, of 2"),
        ("\"POSITION\": 0", "\"NORMAL\": 0", "attributes[\"POSITION\"]`: Missing data"),
        ("data:;base64,", "data:;base64,?", "is no base64 data"),
        ("{\"mesh\": 0}", "{\"children\": [0]}", "`nodes[0]` has two parents, or is its own"),
    ] {
        let text = whole.replacen(old, new, 1);
        assert_ne!(text, whole, "{old}");
        let error = error(&text);
        assert!(error.to_string().contains(message), "{old}: {error}");
    }
    let unread = error(&whole.replacen("\"meshes\"", "meshes", 1));
    assert_eq!(
        unread.place.as_ref().and_then(Place::line_and_column).map(|it| it.0),
        Some(3),
        "{unread}"
    );
}

/// As programs write them that save space: whole numbers, which stand for themselves or for parts
/// of the largest, scaled by the node.
#[test]
fn quantised_positions_are_read() {
    for (kind, size, largest, is_normalised) in [
        (5120, 1, 127.0, true),
        (5121, 1, 255.0, true),
        (5122, 2, 32767.0, true),
        (5123, 2, 65535.0, true),
        (5120, 1, 100.0, false),
        (5123, 2, 60000.0, false),
    ] {
        let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|corner: [i32; 3]| {
            let bytes =
                corner.map(|x| (x * largest as i32).to_le_bytes()[..size].to_vec()).concat();
            // Each vertex begins at a multiple of four bytes.
            [bytes, vec![0; if size == 1 { 1 } else { 2 }]].concat()
        });
        let stride = corners[0].len();
        let indices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
        let data = [&corners.concat()[..], &indices].concat();
        let scale = if is_normalised { 2.0 } else { 2.0 / largest };
        let text = format!(
            "{{\"asset\": {{\"version\": \"2.0\"}}, \"scenes\": [{{\"nodes\": [0]}}],
            \"extensionsRequired\": [\"KHR_mesh_quantization\"],
            \"nodes\": [{{\"mesh\": 0, \"scale\": [{scale}, {scale}, {scale}]}}],
            \"meshes\": [{{\"primitives\": [{{{TRIANGLES}}}]}}],
            \"buffers\": [{{\"byteLength\": {}, \"uri\": \"data:;base64,{}\"}}],
            \"bufferViews\": [
                {{\"buffer\": 0, \"byteLength\": {}, \"byteStride\": {stride}}},
                {{\"buffer\": 0, \"byteOffset\": {}, \"byteLength\": 12}}],
            \"accessors\": [
                {{\"bufferView\": 0, \"componentType\": {kind}, \"count\": 4, \"type\": \"VEC3\",
                  \"normalized\": {is_normalised}, \"min\": [0, 0, 0], \"max\": [1, 1, 1]}},
                {{\"bufferView\": 1, \"componentType\": 5121, \"count\": 12,
                  \"type\": \"SCALAR\"}}]}}",
            data.len(),
            STANDARD.encode(&data),
            4 * stride,
            4 * stride,
        );
        let volume = mesh(&text).mesh.signed_volume();
        assert!((volume - 8.0 / 6.0).abs() < 1e-6, "{kind}, {is_normalised}: {volume}");
    }
}

#[test]
fn damaged_binary_files_are_told_at_their_bytes() {
    let cut = parse(&GLB[..GLB.len() - 5]).unwrap_err();
    assert_eq!(cut.place, Some(Place::Byte(GLB.len() - 5)));
    let mut old = GLB.to_vec();
    old[4] = 1;
    assert!(parse(&old).unwrap_err().to_string().contains("version 1 of glTF"));
    let mut short = GLB.to_vec();
    short[8..12].copy_from_slice(&3_u32.to_le_bytes());
    assert!(parse(&short).is_err());
    let mut json = GLB.to_vec();
    json[20] = b'!';
    assert_eq!(parse(&json).unwrap_err().place, Some(Place::Byte(20)));
}

#[test]
fn files_beside_a_mesh_are_renamed() {
    let renamed = super::with_renamed_files(JSON.as_bytes(), &|name| {
        (name == "blender.bin").then(|| "my tank-2.bin".to_owned())
    });
    let renamed = renamed.unwrap();
    assert_eq!(super::files_beside(JSON.as_bytes()), ["blender.bin"]);
    assert_eq!(super::files_beside(&renamed), ["my tank-2.bin"], "decoded");
    assert!([GLB, b"v 0 0 0\n", b"[1]", b""].iter().all(|it| super::files_beside(it).is_empty()));
    let read = read_with_files(&renamed, &mut |name| {
        assert_eq!(name, "my tank-2.bin");
        Ok(BUFFER.to_vec())
    });
    assert_eq!(read.unwrap().mesh, read_with_files(GLB, &mut |_| unreachable!()).unwrap().mesh);
}
