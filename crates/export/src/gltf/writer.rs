//! A file for each frame.

use super::scene::Scene;
use crate::format::{Format, Options, Target, Writer};
use crate::frame::{Frame, FramePart, Mesh, Run};
use serde_json::json;
use std::io;

/// glTF: `frame_00000.glb` and so on, with surfaces, elastic bodies and solids.
pub struct Gltf;

/// The most bits that positions can have.
const MAX_BITS: u32 = 16;

impl Format for Gltf {
    fn name(&self) -> &'static str {
        "gltf"
    }

    fn parts(&self) -> &'static [FramePart] {
        &[
            FramePart::Surface,
            FramePart::Spray,
            FramePart::Elastic,
            FramePart::Solids,
            FramePart::Bodies,
        ]
    }

    fn quantises(&self) -> bool {
        true
    }

    fn writer(&self, run: &Run, options: &Options) -> Box<dyn Writer> {
        let is_quantised = options.quantise.is_some_and(|bits| bits <= MAX_BITS);
        Box::new(Scenes { run: run.clone(), is_quantised })
    }
}

struct Scenes {
    run: Run,
    is_quantised: bool,
}

impl Writer for Scenes {
    fn add(&mut self, frame: &Frame, target: &mut dyn Target) -> io::Result<()> {
        let mut scene = Scene::new(self.is_quantised);
        let label = |mesh: &Mesh| self.run.labels.get(&mesh.name);
        let in_place = frame.meshes.iter().chain(&self.run.standing);
        in_place.for_each(|mesh| scene.add(mesh, label(mesh), None));
        for pose in &frame.poses {
            let body = self.run.bodies.iter().find(|mesh| mesh.name == pose.name);
            body.into_iter().for_each(|mesh| scene.add(mesh, label(mesh), Some(pose)));
        }
        let extras = json!({ "frame": frame.number, "time": frame.time, "scene": self.run.name });
        let glb = scene.into_glb(&self.run.program, extras);
        target.put(&format!("frame_{:05}.glb", frame.number), &glb)
    }

    fn finish(self: Box<Self>, _: &mut dyn Target) -> io::Result<()> {
        Ok(())
    }
}
