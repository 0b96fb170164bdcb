//! A file of all frames: `run.abc`.

use super::object::Object;
use super::ogawa::{EMPTY_DATA, Ogawa};
use super::schema::{Geometry, Transform};
use super::time::Times;
use crate::format::{Format, Options, Target, Writer};
use crate::frame::{Frame, FramePart, Run};
use crate::label::Label;
use std::collections::BTreeMap;
use std::io;

/// Alembic: `run.abc`.
pub struct Alembic;

const FILE: &str = "run.abc";
/// The version of the layout, and that of the library which would write it.
const LAYOUT: i32 = 0;
const LIBRARY: i32 = 10_812;

impl Format for Alembic {
    fn name(&self) -> &'static str {
        "alembic"
    }

    fn parts(&self) -> &'static [FramePart] {
        &FramePart::ALL
    }

    fn writer(&self, run: &Run, _: &Options) -> Box<dyn Writer> {
        Box::new(Archive {
            run: run.clone(),
            file: Ogawa::new(FILE),
            geometry: BTreeMap::new(),
            bodies: BTreeMap::new(),
        })
    }
}

struct Archive {
    run: Run,
    file: Ogawa,
    geometry: BTreeMap<String, Geometry>,
    bodies: BTreeMap<String, Transform>,
}

impl Writer for Archive {
    fn add(&mut self, frame: &Frame, target: &mut dyn Target) -> io::Result<()> {
        let Archive { file, geometry, bodies, .. } = self;
        for cloud in &frame.clouds {
            let begin = || Geometry::from_points(&cloud.name, &cloud.points);
            let series = geometry.entry(cloud.name.clone()).or_insert_with(begin);
            series.add(frame.number, &cloud.points, &[], file, target)?;
        }
        for mesh in &frame.meshes {
            let begin = || Geometry::from_mesh(mesh);
            let series = geometry.entry(mesh.name.clone()).or_insert_with(begin);
            series.add(frame.number, &mesh.points, &mesh.triangles, file, target)?;
        }
        for pose in &frame.poses {
            let begin = || Transform::of_poses(&pose.name);
            let series = bodies.entry(pose.name.clone()).or_insert_with(begin);
            series.add(frame.number, pose, file, target)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, target: &mut dyn Target) -> io::Result<()> {
        let Archive { run, mut file, geometry, mut bodies } = *self;
        let mut times = Times::new(run.rate);
        let mut below: Vec<Object> = Vec::new();
        for (name, series) in geometry {
            let transform = Transform::still(&name, &mut file, target)?;
            let shape = shape(series, &mut times);
            let object = transform.into_object(vec![shape], &mut times, &mut file, target)?;
            below.push(titled(object, &run, &below));
        }
        for mesh in run.standing.iter().chain(&run.bodies) {
            let transform = match mesh.part {
                FramePart::Bodies => bodies.remove(&mesh.name),
                _ => Some(Transform::still(&mesh.name, &mut file, target)?),
            };
            // A body without poses is nowhere.
            let Some(transform) = transform else { continue };
            let mut still = Geometry::from_mesh(mesh);
            still.add(0, &mesh.points, &mesh.triangles, &mut file, target)?;
            let shape = shape(still, &mut times);
            let object = transform.into_object(vec![shape], &mut times, &mut file, target)?;
            below.push(titled(object, &run, &below));
        }
        let upright = Transform::upright("run", &mut file, target)?;
        let top = upright.into_object(below, &mut times, &mut file, target)?;
        let root = Object { children: vec![top], ..Object::default() };
        let (objects, _) = root.write(&mut file, target)?;
        let metadata = format!("_ai_Application={};_ai_Description={}", run.program, run.name);
        let children = [
            file.data(&[&LAYOUT.to_le_bytes()], target)?,
            file.data(&[&LIBRARY.to_le_bytes()], target)?,
            objects,
            file.data(&[metadata.as_bytes()], target)?,
            file.data(&[&times.to_bytes()], target)?,
            // No list of frequent metadata.
            EMPTY_DATA,
        ];
        let root = file.group(&children, target)?;
        file.finish(root, target)
    }
}

/// An object under what the scene calls it, as far as the format takes that: a name has no `/`,
/// which parts those of a path, and is unlike those beside it. Metadata have the whole, unless it
/// has one of the characters that part them.
fn titled(mut object: Object, run: &Run, beside: &[Object]) -> Object {
    let Some(Label { title, .. }) = run.labels.get(&object.name) else { return object };
    let plain = title.replace(|c: char| c == '/' || c.is_control(), "_");
    let longer = (2..).map(|n| format!("{plain}_{n}"));
    let is_free = |name: &String| !name.is_empty() && beside.iter().all(|it| it.name != *name);
    let name = std::iter::once(plain.clone()).chain(longer).find(is_free).unwrap_or_default();
    if !title.contains([';', '=']) {
        object.metadata += &format!(";displayName={title}");
    }
    object.children.iter_mut().for_each(|child| child.name = format!("{name}_shape"));
    Object { name, ..object }
}

/// The object of some geometry, to stand below a transform of its name.
fn shape(geometry: Geometry, times: &mut Times) -> Object {
    let mut shape = geometry.into_object(times);
    shape.name.push_str("_shape");
    shape
}
