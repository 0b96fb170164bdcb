//! The nodes, meshes and materials of a frame.

use super::glb::Buffer;
use crate::frame::{FramePart, Mesh, Pose};
use crate::label::{FluidMaterial, Label, linear};
use crate::quantise::range;
use serde_json::{Map, Value, json};

/// The extension by which positions and normals may be whole numbers.
const QUANTISED: &str = "KHR_mesh_quantization";
/// Those of clear water.
const TRANSMISSION: &str = "KHR_materials_transmission";
const IOR: &str = "KHR_materials_ior";

/// Clear water (linear).
const WATER: [f64; 3] = [0.6, 0.82, 0.95];

/// The material of a part, or of a fluid that has its own.
fn material(part: FramePart, fluid: Option<&FluidMaterial>) -> Value {
    let surface = |[r, g, b]: [f64; 3], roughness: f64| {
        json!({
            "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": roughness
        })
    };
    match part {
        FramePart::Particles | FramePart::Foam | FramePart::Surface | FramePart::Spray => json!({
            "name": fluid.map_or("water", |fluid| &fluid.name),
            "pbrMetallicRoughness":
                surface(fluid.and_then(|fluid| fluid.colour).map_or(WATER, linear), 0.03),
            "extensions": { TRANSMISSION: { "transmissionFactor": 0.9 }, IOR: { "ior": 1.333 } }
        }),
        FramePart::Solids | FramePart::Bodies => json!({
            "name": "solid", "pbrMetallicRoughness": surface([0.55, 0.51, 0.46], 0.7)
        }),
        FramePart::Elastic => json!({
            "name": "elastic",
            "doubleSided": true,
            "pbrMetallicRoughness": surface([0.48, 0.05, 0.03], 0.6)
        }),
    }
}

/// A scene that is put together.
#[derive(Default)]
pub struct Scene {
    buffer: Buffer,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    materials: Vec<Value>,
    is_quantised: bool,
}

impl Scene {
    /// A scene without nodes; quantised to whole numbers of 16 bits or not.
    pub fn new(is_quantised: bool) -> Scene {
        // The first node turns z up, as here, to y up, as there: by −90° about x.
        let half = 0.5_f64.sqrt();
        let top = json!({ "name": "run", "rotation": [-half, 0.0, 0.0, half], "children": [] });
        Scene { nodes: vec![top], is_quantised, ..Scene::default() }
    }

    /// Adds a mesh, where a pose says or where its vertices are, called as its label says; nothing
    /// for one without triangles.
    pub fn add(&mut self, mesh: &Mesh, label: Option<&Label>, pose: Option<&Pose>) {
        if mesh.triangles.is_empty() {
            return;
        }
        let mut attributes = Map::new();
        let points = &mesh.points;
        let mut place = None;
        let bounds = points.bounds();
        let step = range(&points.positions) / f64::from(u16::MAX);
        if self.is_quantised && step > 0.0 {
            let whole = |x: &[f32; 3]| {
                let part = |k: usize| (f64::from(x[k]) - f64::from(bounds[0][k])) / step;
                [0, 1, 2].map(|k| part(k).round() as u16)
            };
            let positions: Vec<[u16; 3]> = points.positions.iter().map(whole).collect();
            attributes.insert("POSITION".into(), self.buffer.whole_positions(&positions).into());
            place = Some(json!({ "translation": bounds[0], "scale": [step, step, step] }));
        } else {
            let accessor = self.buffer.positions(&points.positions, bounds);
            attributes.insert("POSITION".into(), accessor.into());
        }
        if let Some(normals) = points.vectors("normal").map(units) {
            let accessor = match self.is_quantised {
                true => self.buffer.whole_normals(&normals),
                false => self.buffer.vectors(&normals),
            };
            attributes.insert("NORMAL".into(), accessor.into());
        }
        // No other attribute: Blender 5.0 takes several of them for each other.
        if let Some(velocities) = points.vectors("velocity") {
            attributes.insert("_VELOCITY".into(), self.buffer.vectors(velocities).into());
        }
        let indices = self.buffer.triangles(&mesh.triangles, points.positions.len());
        let material = self.material(mesh.part, label.and_then(|label| label.material.as_ref()));
        let primitive =
            json!({ "attributes": attributes, "indices": indices, "material": material });
        let title = label.map_or(&mesh.name, |label| &label.title);
        self.meshes.push(json!({ "name": title, "primitives": [primitive] }));
        let mut node = json!({ "name": title, "mesh": self.meshes.len() - 1 });
        extend(&mut node, place);
        let Some(Pose { position, quaternion: [w, x, y, z], .. }) = pose else {
            self.child(node);
            return;
        };
        // What is quantised has a place of its own within the body's.
        self.nodes.push(node);
        let inner = self.nodes.len() - 1;
        self.child(json!({
            "name": format!("{title}_pose"),
            "translation": position,
            "rotation": [x, y, z, w],
            "children": [inner]
        }));
    }

    /// The number of a material, which is added if it is new.
    fn material(&mut self, part: FramePart, fluid: Option<&FluidMaterial>) -> usize {
        let material = material(part, fluid);
        let known = self.materials.iter().position(|it| *it == material);
        known.unwrap_or_else(|| {
            self.materials.push(material);
            self.materials.len() - 1
        })
    }

    fn child(&mut self, node: Value) {
        self.nodes.push(node);
        let number = self.nodes.len() - 1;
        if let Some(children) = self.nodes[0]["children"].as_array_mut() {
            children.push(number.into());
        }
    }

    /// The file, with a note of the program and of the frame.
    pub fn into_glb(mut self, program: &str, extras: Value) -> Vec<u8> {
        if self.meshes.is_empty() {
            // A list of children has one at least.
            self.nodes[0] = json!({ "name": "run" });
        }
        let mut document = json!({
            "asset": { "version": "2.0", "generator": program },
            "scene": 0,
            "scenes": [{ "name": "run", "nodes": [0], "extras": extras }],
            "nodes": self.nodes
        });
        if !self.meshes.is_empty() {
            let is_clear = self.materials.iter().any(|it| it["extensions"].is_object());
            let mut used = if is_clear { vec![TRANSMISSION, IOR] } else { Vec::new() };
            if self.is_quantised {
                used.push(QUANTISED);
                document["extensionsRequired"] = json!([QUANTISED]);
            }
            if !used.is_empty() {
                document["extensionsUsed"] = json!(used);
            }
            document["materials"] = Value::Array(self.materials);
            document["meshes"] = Value::Array(self.meshes);
        }
        self.buffer.into_glb(document)
    }
}

fn extend(node: &mut Value, more: Option<Value>) {
    if let (Value::Object(node), Some(Value::Object(more))) = (node, more) {
        node.extend(more);
    }
}

/// Vectors of length 1, as the format asks for; those without a direction point up.
fn units(normals: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let unit = |normal: &[f32; 3]| {
        let wide = normal.map(f64::from);
        let length = wide.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 0.0 && length.is_finite() {
            wide.map(|x| (x / length) as f32)
        } else {
            [0.0, 0.0, 1.0]
        }
    };
    normals.iter().map(unit).collect()
}
