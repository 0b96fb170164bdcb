//! The container: a chunk of JSON and one of numbers, with views and accessors of these.
//!
//! Source: Khronos, *glTF 2.0 Specification*, 3.6 and 4.

use serde_json::{Value, json};

/// Types of components, and what a view is for.
const I16: u32 = 5122;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// Numbers with their views and accessors.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds positions with their least and largest coordinates; returns the accessor.
    pub fn positions(&mut self, positions: &[[f32; 3]], [min, max]: [[f32; 3]; 2]) -> usize {
        let bytes = positions.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        let bounds = json!({ "min": min, "max": max });
        self.accessor(bytes, F32, positions.len(), "VEC3", None, bounds)
    }

    /// Adds vectors; returns the accessor.
    pub fn vectors(&mut self, vectors: &[[f32; 3]]) -> usize {
        let bytes = vectors.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor(bytes, F32, vectors.len(), "VEC3", None, json!({}))
    }

    /// Adds positions as whole numbers; returns the accessor. Rows are padded to 8 bytes.
    pub fn whole_positions(&mut self, positions: &[[u16; 3]]) -> usize {
        let start = positions.first().copied().unwrap_or_default();
        let [min, max] = positions.iter().fold([start; 2], |[min, max], x| {
            [[0, 1, 2].map(|k| min[k].min(x[k])), [0, 1, 2].map(|k| max[k].max(x[k]))]
        });
        let row = |[x, y, z]: &[u16; 3]| [*x, *y, *z, 0].map(u16::to_le_bytes);
        let bytes = positions.iter().flat_map(row).flatten().collect();
        let bounds = json!({ "min": min, "max": max });
        self.accessor(bytes, U16, positions.len(), "VEC3", Some(8), bounds)
    }

    /// Adds unit vectors as whole numbers of which 32767 is 1; returns the accessor.
    pub fn whole_normals(&mut self, normals: &[[f32; 3]]) -> usize {
        let whole = |x: f32| (x.clamp(-1.0, 1.0) * 32767.0).round() as i16;
        let row = |[x, y, z]: &[f32; 3]| [whole(*x), whole(*y), whole(*z), 0].map(i16::to_le_bytes);
        let bytes = normals.iter().flat_map(row).flatten().collect();
        let more = json!({ "normalized": true });
        self.accessor(bytes, I16, normals.len(), "VEC3", Some(8), more)
    }

    /// Adds the vertices of triangles, in as few bytes as these take; returns the accessor.
    pub fn triangles(&mut self, triangles: &[[u32; 3]], vertices: usize) -> usize {
        let all = triangles.as_flattened().iter();
        // The largest number of a type is no vertex: it would restart a strip.
        let (kind, bytes) = if vertices <= usize::from(u16::MAX) {
            (U16, all.flat_map(|v| (*v as u16).to_le_bytes()).collect())
        } else {
            (U32, all.flat_map(|v| v.to_le_bytes()).collect())
        };
        let view = self.view(bytes, INDICES, None);
        let count = 3 * triangles.len();
        let accessor =
            json!({ "bufferView": view, "componentType": kind, "count": count, "type": "SCALAR" });
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn accessor(
        &mut self,
        bytes: Vec<u8>,
        kind: u32,
        count: usize,
        shape: &str,
        stride: Option<u32>,
        more: Value,
    ) -> usize {
        let view = self.view(bytes, VERTICES, stride);
        let mut accessor =
            json!({ "bufferView": view, "componentType": kind, "count": count, "type": shape });
        if let (Value::Object(accessor), Value::Object(more)) = (&mut accessor, more) {
            accessor.extend(more);
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, bytes: Vec<u8>, target: u32, stride: Option<u32>) -> usize {
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({
            "buffer": 0, "byteOffset": offset, "byteLength": length, "target": target
        });
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// The file of a document with these numbers.
    pub fn into_glb(self, mut document: Value) -> Vec<u8> {
        if !self.bytes.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
            document["bufferViews"] = Value::Array(self.views);
            document["accessors"] = Value::Array(self.accessors);
        }
        let mut text = document.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut chunks = chunk(b"JSON", &text);
        if !self.bytes.is_empty() {
            chunks.extend(chunk(b"BIN\0", &self.bytes));
        }
        let mut glb = b"glTF".to_vec();
        glb.extend(2_u32.to_le_bytes());
        glb.extend((12 + chunks.len() as u32).to_le_bytes());
        glb.extend(chunks);
        glb
    }
}

fn chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut bytes = (data.len() as u32).to_le_bytes().to_vec();
    bytes.extend(kind);
    bytes.extend(data);
    bytes
}
