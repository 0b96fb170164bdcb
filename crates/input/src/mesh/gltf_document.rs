//! The parts of a glTF file: its JSON, checked, and the bytes of its buffers.

use super::error::{MeshError, MeshProblem};
use super::format::Beside;
use super::place::Place;
use super::text::{place_of, text};
use super::uri::scheme;
use crate::content::strip_bom;
use crate::error::Problem;
use crate::percent::percent_decoded;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::binary::Glb;
use gltf::{Document, buffer, json};

/// The name of the format.
pub(super) const NAME: &str = "glTF";
/// Bytes before the JSON of a binary file: its own head, and that of the first chunk.
const GLB_HEAD: usize = 20;

/// Extensions by which meshes are compressed: their names, and what they are.
const COMPRESSIONS: [(&str, &str); 4] = [
    ("KHR_draco_mesh_compression", "Draco compression"),
    ("EXT_meshopt_compression", "meshopt compression"),
    ("KHR_meshopt_compression", "meshopt compression"),
    ("MESHOPT_compression", "meshopt compression"),
];
/// Beginnings of the names of extensions that change the look, the light or the history of a scene,
/// but no mesh; and one that [`super::gltf_numbers`] reads.
const HARMLESS: [&str; 14] = [
    "KHR_mesh_quantization",
    "KHR_materials_",
    "EXT_materials_",
    "ADOBE_materials_",
    "KHR_texture_",
    "EXT_texture_",
    "MSFT_texture_",
    "MSFT_packing_",
    "KHR_lights_",
    "EXT_lights_",
    "KHR_animation_pointer",
    "KHR_xmp",
    "FB_ngon_encoding",
    "EXT_mesh_gpu_instancing",
];

/// A fault of the file, told by a path in its JSON.
pub(super) fn fault(message: String) -> MeshError {
    MeshProblem::Format { format: NAME, problem: Problem::Missing(message) }.into()
}

/// A file, ready to be read.
pub(super) struct Source {
    pub(super) document: Document,
    /// The bytes of each buffer.
    pub(super) buffers: Vec<Vec<u8>>,
}

/// Reads the JSON and the buffers.
pub(super) fn open(bytes: &[u8], beside: &mut Beside) -> Result<Source, MeshError> {
    let is_binary = bytes.starts_with(b"glTF");
    let (json, blob) = if is_binary { chunks(bytes)? } else { (bytes.to_vec(), None) };
    // Not the generic reader, which would be compiled here once more.
    let mut root = json::Root::from_slice(&json).map_err(|error| {
        let text = text(&json);
        let line: usize =
            text.split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
        let mut at = (line + error.column().saturating_sub(1)).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let place = match is_binary {
            true => Place::Byte(GLB_HEAD + at),
            false => place_of(&text, at..at + text[at..].chars().next().map_or(0, char::len_utf8)),
        };
        // What serde says ends with the place.
        let reason = error.to_string();
        let reason = reason.split(" at line ").next().unwrap_or(&reason).to_owned();
        MeshProblem::Unreadable { format: NAME, reason }.at(place)
    })?;
    refuse_extensions(&root)?;
    // The crate would refuse those that it was built without.
    root.extensions_required.clear();
    check_attributes(&root)?;
    let document = Document::from_json(root).map_err(|error| match error {
        gltf::Error::Validation(faults) => {
            let first = faults.first().map(|(path, error)| format!("`{path}`: {error}"));
            fault(first.unwrap_or_default())
        }
        error => MeshProblem::Unreadable { format: NAME, reason: error.to_string() }.into(),
    })?;
    let buffers =
        document.buffers().map(|buffer| load(&buffer, blob.as_deref(), is_binary, beside));
    let buffers = buffers.collect::<Result<_, _>>()?;
    Ok(Source { document, buffers })
}

/// The JSON and the buffer of a binary file.
fn chunks(bytes: &[u8]) -> Result<(Vec<u8>, Option<Vec<u8>>), MeshError> {
    let ends_early = |missing: String| {
        let problem = Problem::ends_early(missing);
        MeshProblem::Format { format: NAME, problem }.at(Place::Byte(bytes.len()))
    };
    let number = |at: usize| bytes.get(at..at + 4).and_then(|it| it.first_chunk::<4>()).copied();
    let (Some(version), Some(length)) = (number(4), number(8)) else {
        return Err(ends_early(format!("its head takes {GLB_HEAD} bytes")));
    };
    let (version, length) = (u32::from_le_bytes(version), u32::from_le_bytes(length) as usize);
    if version != 2 {
        let problem = Problem::Unsupported {
            feature: format!("version {version} of glTF"),
            instead: "export it as glTF 2.0",
        };
        return Err(MeshProblem::Format { format: NAME, problem }.at(Place::Byte(4)));
    }
    if length > bytes.len() || length < GLB_HEAD {
        return Err(ends_early(format!("its head says that it has {length} bytes")));
    }
    let glb = Glb::from_slice(bytes).map_err(|error| {
        let reason = error.to_string();
        MeshProblem::Unreadable { format: NAME, reason }
    })?;
    Ok((glb.json.into_owned(), glb.bin.map(|bin| bin.into_owned())))
}

/// Refuses a file that cannot be read rightly without an extension which is not known here.
fn refuse_extensions(root: &json::Root) -> Result<(), MeshError> {
    let is_harmless = |name: &String| HARMLESS.iter().any(|start| name.starts_with(start));
    let Some(name) = root.extensions_required.iter().find(|name| !is_harmless(name)) else {
        return Ok(());
    };
    let (feature, instead) = match COMPRESSIONS.iter().find(|(of, _)| of == name) {
        Some((_, what)) => (format!("{what} (`{name}`)"), "export it uncompressed"),
        None => (
            format!("the extension `{name}`, which the file requires,"),
            "export it without that extension",
        ),
    };
    let problem = Problem::Unsupported { feature, instead };
    Err(MeshProblem::Format { format: NAME, problem }.into())
}

/// Checks that attributes are accessors, before the crate takes that for granted.
fn check_attributes(root: &json::Root) -> Result<(), MeshError> {
    for (m, mesh) in root.meshes.iter().enumerate() {
        for (p, primitive) in mesh.primitives.iter().enumerate() {
            let accessors = root.accessors.len();
            if let Some(index) = primitive.attributes.values().find(|it| it.value() >= accessors) {
                let message = format!(
                    "an attribute of `meshes[{m}].primitives[{p}]` is `accessors[{index}]`, of \
                     {accessors} (counted from 0)"
                );
                return Err(fault(message));
            }
        }
    }
    Ok(())
}

/// The bytes of a buffer.
fn load(
    buffer: &buffer::Buffer,
    blob: Option<&[u8]>,
    is_binary: bool,
    beside: &mut Beside,
) -> Result<Vec<u8>, MeshError> {
    let index = buffer.index();
    let bytes = match buffer.source() {
        buffer::Source::Bin => blob.map(<[u8]>::to_vec).ok_or_else(|| {
            fault(format!("`buffers[{index}]` has no `uri`, and the file no binary chunk"))
        })?,
        buffer::Source::Uri(uri) if scheme(uri) == Some("data") => {
            let base64 = uri.split_once(";base64,").map(|(_, base64)| base64);
            let decoded = base64.and_then(|base64| STANDARD.decode(base64).ok());
            decoded.ok_or_else(|| fault(format!("`buffers[{index}].uri` is no base64 data")))?
        }
        buffer::Source::Uri(uri) => {
            let reason = match scheme(uri) {
                Some(_) => Err("it is not a file beside the mesh".to_owned()),
                None if is_binary => Err("a .glb is read alone".to_owned()),
                None => beside(&percent_decoded(uri)).map_err(|error| error.to_string()),
            };
            let uri = uri.to_owned();
            reason.map_err(|reason| MeshProblem::Beside { uri, reason })?
        }
    };
    match bytes.len() >= buffer.length() {
        true => Ok(bytes),
        false => {
            let (found, length) = (bytes.len(), buffer.length());
            Err(fault(format!("`buffers[{index}]` has {found} bytes, not {length}")))
        }
    }
}

/// The names of the files beside a `.gltf` whose numbers it has there, each once; none of a file of
/// another format.
pub fn files_beside(bytes: &[u8]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let Ok(mut root) = serde_json::from_slice(strip_bom(bytes)) else { return names };
    for uri in uris_beside(&mut root) {
        let name = percent_decoded(uri);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The same `.gltf` with other names of the files beside it.
///
/// # Errors
/// When the bytes are no JSON.
pub fn with_renamed_files(
    bytes: &[u8],
    rename: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<u8>, serde_json::Error> {
    let mut root: serde_json::Value = serde_json::from_slice(strip_bom(bytes))?;
    for uri in uris_beside(&mut root) {
        if let Some(name) = rename(&percent_decoded(uri)) {
            *uri = super::uri::percent_encoded(&name);
        }
    }
    serde_json::to_vec_pretty(&root)
}

/// The addresses of buffers that are files beside the mesh.
fn uris_beside(root: &mut serde_json::Value) -> impl Iterator<Item = &mut String> {
    let buffers = root.get_mut("buffers").and_then(|buffers| buffers.as_array_mut());
    buffers.into_iter().flatten().filter_map(|buffer| match buffer.get_mut("uri") {
        Some(serde_json::Value::String(uri)) if scheme(uri).is_none() => Some(uri),
        _ => None,
    })
}
