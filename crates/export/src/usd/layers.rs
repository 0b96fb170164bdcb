//! The layers of a run: a frame's clip, the manifest of what clips hold, the solids, and the root.
//!
//! Idea: a value clip is a layer with the values of one frame. The root names for each prim the
//! clips of the frames that have it, and declares its attributes; what reads it opens a clip when
//! its frame is shown. So the root stays small, each frame is a file of its own, and the number of
//! vertices may change.
//!
//! Source: OpenUSD's documentation, *Sequencable, Re-timeable Animated Value Clips*; the schemas
//! of `UsdGeom`. Time codes are numbers of frames.

use super::material;
use super::prim::{Prim, Property, TOP};
use super::text::{identifier, quoted, tuple};
use crate::frame::{Mesh, Pose, Run};
use crate::label::Label;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the clips of a prim hold, and which frames have one.
#[derive(Default)]
pub struct ClipSet {
    kind: &'static str,
    fixed: String,
    properties: Vec<Property>,
    frames: Vec<u32>,
    /// Whether `fixed` is of a frame with points; without any there is no radius, for example.
    has_points: bool,
}

impl ClipSet {
    /// Adds the prim of a frame.
    pub fn add(&mut self, frame: u32, prim: &Prim) {
        if self.frames.is_empty() || prim.has_points && !self.has_points {
            (self.kind, self.fixed) = (prim.kind, prim.fixed.clone());
            self.has_points = prim.has_points;
        }
        self.frames.push(frame);
        for (property, _) in &prim.values {
            if !self.properties.contains(property) {
                self.properties.push(property.clone());
            }
        }
    }
}

/// The file of a frame's clip.
pub fn clip_name(frame: u32) -> String {
    format!("frame_{frame:05}.usda")
}

/// The head of a layer: metadata in lines.
fn head(run: &Run, more: &str) -> String {
    format!(
        "#usda 1.0\n(\n    defaultPrim = \"{TOP}\"\n    doc = {}\n    metersPerUnit = 1\n    \
         upAxis = \"Z\"\n    timeCodesPerSecond = {rate}\n    \
         framesPerSecond = {rate}\n{more})\n\n",
        quoted(&format!("{} of {}", run.name, run.program)),
        rate = run.rate,
    )
}

/// The first and the last frame, as metadata.
fn range(run: &Run) -> String {
    let (first, last) = (run.frames.first(), run.frames.last());
    let (first, last) = (first.copied().unwrap_or_default(), last.copied().unwrap_or_default());
    format!("    startTimeCode = {first}\n    endTimeCode = {last}\n")
}

/// The clip of a frame.
pub fn clip(run: &Run, frame: u32, prims: &[Prim]) -> String {
    let values = |prim: &Prim| prim.values.iter().map(|(_, value)| value.len() + 80).sum::<usize>();
    let mut text = String::with_capacity(1000 + prims.iter().map(values).sum::<usize>());
    text += &head(run, &format!("    startTimeCode = {frame}\n    endTimeCode = {frame}\n"));
    let _ = writeln!(text, "def Xform \"{TOP}\"\n{{");
    for prim in prims {
        let _ = writeln!(text, "    def {} \"{}\"\n    {{", prim.kind, prim.name);
        for (property, value) in &prim.values {
            let _ = write!(text, "        {}.timeSamples = {{{frame}: ", property.declaration);
            text += value;
            text += "}\n";
        }
        text += "    }\n";
    }
    text += "}\n";
    text
}

/// The manifest: which attributes clips may hold.
pub fn manifest(run: &Run, sets: &BTreeMap<String, ClipSet>) -> String {
    let mut text = head(run, "");
    let _ = writeln!(text, "def Xform \"{TOP}\"\n{{");
    for (name, set) in sets {
        let _ = writeln!(text, "    def {} \"{name}\"\n    {{", set.kind);
        for property in &set.properties {
            let _ = writeln!(text, "        {}", property.declaration);
        }
        text += "    }\n";
    }
    text + "}\n"
}

/// The root, which stands above the solids.
pub fn root(run: &Run, sets: &BTreeMap<String, ClipSet>, solids: &str, manifest: &str) -> String {
    let sublayers = format!("{}    subLayers = [@./{solids}@]\n", range(run));
    let mut text = head(run, &sublayers);
    let _ = writeln!(text, "def Xform \"{TOP}\" (\n    kind = \"component\"\n)\n{{");
    for (name, set) in sets {
        let _ = writeln!(text, "    def {} \"{name}\" (", set.kind);
        let label = run.labels.iter().find(|(of, _)| identifier(of) == *name).map(|(_, it)| it);
        titles(label).iter().for_each(|line| {
            let _ = writeln!(text, "        {line}");
        });
        text += "        clips = {\n";
        text += "            dictionary default = {\n";
        let list = |item: &dyn Fn(usize, u32) -> String| {
            let items = set.frames.iter().enumerate().map(|(k, frame)| item(k, *frame));
            items.collect::<Vec<_>>().join(", ")
        };
        let files = list(&|_, frame| format!("@./{}@", clip_name(frame)));
        let active = list(&|k, frame| format!("({frame}, {k})"));
        let times = list(&|_, frame| format!("({frame}, {frame})"));
        let _ = writeln!(text, "                asset[] assetPaths = [{files}]");
        let _ = writeln!(text, "                string primPath = \"/{TOP}/{name}\"");
        let _ = writeln!(text, "                asset manifestAssetPath = @./{manifest}@");
        let _ = writeln!(text, "                double2[] active = [{active}]");
        let _ = writeln!(text, "                double2[] times = [{times}]");
        text += "            }\n        }\n    )\n    {\n";
        set.fixed.lines().for_each(|line| {
            let _ = writeln!(text, "        {line}");
        });
        for Property { declaration, metadata } in &set.properties {
            let _ = writeln!(text, "        {declaration}{metadata}");
        }
        if let Some(material) = label.and_then(|label| label.material.as_ref()) {
            let _ = writeln!(text, "        {}", material::binding(material));
        }
        text += "    }\n";
    }
    text + &material::materials(run) + "}\n"
}

/// Metadata of a prim that has a label.
fn titles(label: Option<&Label>) -> Vec<String> {
    let name = label.map(|label| format!("displayName = {}", quoted(&label.title)));
    let has_material = label.is_some_and(|label| label.material.is_some());
    let api = has_material.then(|| material::API.to_owned());
    api.into_iter().chain(name).collect()
}

/// The metadata of a prim in parentheses, if it has a label.
fn titled(run: &Run, name: &str) -> String {
    let lines = titles(run.labels.get(name));
    if lines.is_empty() { String::new() } else { format!(" ({})", lines.join("; ")) }
}

/// Where bodies are, by their names, with the frames.
pub type Poses = BTreeMap<String, Vec<(u32, Pose)>>;

/// The layer of solids: those that stand, and bodies with their poses.
pub fn solids(run: &Run, poses: &Poses, bits: Option<u32>) -> String {
    let mut text = head(run, &range(run));
    let _ = writeln!(text, "def Xform \"{TOP}\"\n{{");
    if !run.standing.is_empty() {
        text += "    def Scope \"solids\"\n    {\n";
        run.standing.iter().for_each(|mesh| {
            let title = titled(run, &mesh.name);
            text += &still_mesh(mesh, &identifier(&mesh.name), &title, bits);
        });
        text += "    }\n";
    }
    if !run.bodies.is_empty() {
        text += "    def Scope \"bodies\"\n    {\n";
        for mesh in &run.bodies {
            let (name, title) = (identifier(&mesh.name), titled(run, &mesh.name));
            let _ = writeln!(text, "        def Xform \"{name}\"{title}\n        {{");
            text += &motion(poses.get(&mesh.name).map_or(&[], Vec::as_slice));
            text += &still_mesh(mesh, &format!("{name}_mesh"), &title, bits);
            text += "        }\n";
        }
        text += "    }\n";
    }
    text + "}\n"
}

/// A mesh that does not change, under a name and with metadata.
fn still_mesh(mesh: &Mesh, name: &str, metadata: &str, bits: Option<u32>) -> String {
    let prim = Prim::from_mesh(mesh, None, bits);
    let mut text = format!("            def Mesh \"{name}\"{metadata}\n            {{\n");
    prim.fixed.lines().for_each(|line| {
        let _ = writeln!(text, "                {line}");
    });
    for (Property { declaration, metadata }, value) in &prim.values {
        let _ = writeln!(text, "                {declaration} = {value}{metadata}");
    }
    text + "            }\n"
}

/// The operations that move a body.
fn motion(poses: &[(u32, Pose)]) -> String {
    let samples = |value: &dyn Fn(&Pose) -> String| {
        let sample = |(frame, pose): &(u32, Pose)| format!("{frame}: {}", value(pose));
        poses.iter().map(sample).collect::<Vec<_>>().join(", ")
    };
    let places = samples(&|pose| tuple(&pose.position));
    let turns = samples(&|pose| tuple(&pose.quaternion));
    format!(
        "            double3 xformOp:translate.timeSamples = {{{places}}}\n            \
         quatd xformOp:orient.timeSamples = {{{turns}}}\n            \
         uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]\n"
    )
}
