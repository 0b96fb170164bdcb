//! Writes frames as value clips, then manifest, solids and root.

use super::layers::{self, ClipSet, Poses};
use super::prim::Prim;
use crate::format::{Format, Options, Target, Writer};
use crate::frame::{Frame, FramePart, Run};
use hashfall_core::parallel::map_pieces;
use std::collections::BTreeMap;
use std::io;

/// USD as text: `run.usda` and a clip for each frame.
pub struct Usd;

const ROOT: &str = "run.usda";
const MANIFEST: &str = "manifest.usda";
const SOLIDS: &str = "solids.usda";

impl Format for Usd {
    fn name(&self) -> &'static str {
        "usd"
    }

    fn parts(&self) -> &'static [FramePart] {
        &FramePart::ALL
    }

    fn quantises(&self) -> bool {
        true
    }

    fn writer(&self, run: &Run, options: &Options) -> Box<dyn Writer> {
        let run = Run { frames: Vec::new(), ..run.clone() };
        Box::new(Clips { run, bits: options.quantise, sets: BTreeMap::new(), poses: Poses::new() })
    }
}

struct Clips {
    /// The run, with the frames so far.
    run: Run,
    bits: Option<u32>,
    sets: BTreeMap<String, ClipSet>,
    poses: Poses,
}

impl Writer for Clips {
    fn add(&mut self, frame: &Frame, target: &mut dyn Target) -> io::Result<()> {
        let bits = self.bits;
        let clouds = frame.clouds.len();
        let prims = map_pieces(clouds + frame.meshes.len(), &|k| match frame.clouds.get(k) {
            Some(cloud) => Prim::from_cloud(cloud, bits),
            None => {
                let mesh = &frame.meshes[k - clouds];
                Prim::from_mesh(mesh, self.run.labels.get(&mesh.name), bits)
            }
        });
        self.run.frames.push(frame.number);
        if !prims.is_empty() {
            let clip = layers::clip(&self.run, frame.number, &prims);
            target.put(&layers::clip_name(frame.number), clip.as_bytes())?;
        }
        for prim in &prims {
            self.sets.entry(prim.name.clone()).or_default().add(frame.number, prim);
        }
        for pose in &frame.poses {
            let poses = self.poses.entry(pose.name.clone()).or_default();
            poses.push((frame.number, pose.clone()));
        }
        Ok(())
    }

    fn finish(self: Box<Self>, target: &mut dyn Target) -> io::Result<()> {
        let Clips { run, bits, sets, poses } = *self;
        target.put(MANIFEST, layers::manifest(&run, &sets).as_bytes())?;
        target.put(SOLIDS, layers::solids(&run, &poses, bits).as_bytes())?;
        target.put(ROOT, layers::root(&run, &sets, SOLIDS, MANIFEST).as_bytes())
    }
}
