//! A file for each set of points and each mesh; bodies, which move, as one mesh.

use super::series::Series;
use crate::format::{Format, Options, Target, Writer};
use crate::frame::{Attribute, Frame, FramePart, Mesh, Points, Pose, Run, Values};
use std::collections::BTreeMap;
use std::io;

/// VTKHDF: `particles.vtkhdf`, `surface.vtkhdf` and so on.
pub struct VtkHdf;

/// What meshes of obstacles that stand, that move by a law, and of bodies are called.
const STANDING: &str = "solids";
const MOVING: &str = "moving";
const BODIES: &str = "bodies";

impl Format for VtkHdf {
    fn name(&self) -> &'static str {
        "vtkhdf"
    }

    fn parts(&self) -> &'static [FramePart] {
        &FramePart::ALL
    }

    fn quantises(&self) -> bool {
        true
    }

    fn writer(&self, run: &Run, options: &Options) -> Box<dyn Writer> {
        let (standing, bodies) = (run.standing.clone(), run.bodies.clone());
        Box::new(Files { standing, bodies, options: *options, files: BTreeMap::new() })
    }
}

struct Files {
    standing: Vec<Mesh>,
    bodies: Vec<Mesh>,
    options: Options,
    files: BTreeMap<String, Series>,
}

impl Files {
    /// Adds a step to the file of this name.
    fn step(
        &mut self,
        name: &str,
        time: f64,
        points: &Points,
        triangles: Option<&[[u32; 3]]>,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        let options = self.options;
        let begin = || Series::new(file_name(name), points, triangles.map(<[_]>::len), options);
        let series = self.files.entry(name.to_owned()).or_insert_with(begin);
        series.add(time, points, triangles.unwrap_or_default(), target)
    }
}

fn file_name(name: &str) -> String {
    format!("{name}.vtkhdf")
}

impl Writer for Files {
    fn add(&mut self, frame: &Frame, target: &mut dyn Target) -> io::Result<()> {
        for cloud in &frame.clouds {
            self.step(&cloud.name, frame.time, &cloud.points, None, target)?;
        }
        let (moving, others): (Vec<&Mesh>, Vec<&Mesh>) =
            frame.meshes.iter().partition(|mesh| mesh.part == FramePart::Solids);
        for mesh in others {
            let triangles = Some(mesh.triangles.as_slice());
            self.step(&mesh.name, frame.time, &mesh.points, triangles, target)?;
        }
        if !moving.is_empty() {
            let (points, triangles) = together(moving.into_iter().map(|mesh| (mesh, None)));
            self.step(MOVING, frame.time, &points, Some(&triangles), target)?;
        }
        if !frame.poses.is_empty() {
            let of = |pose| {
                let find = |mesh: &&Mesh| mesh.name == Pose::name(pose);
                self.bodies.iter().find(find).map(|mesh| (mesh, Some(pose)))
            };
            let (points, triangles) = together(frame.poses.iter().filter_map(of));
            self.step(BODIES, frame.time, &points, Some(&triangles), target)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>, target: &mut dyn Target) -> io::Result<()> {
        for series in self.files.into_values() {
            series.finish(true, target)?;
        }
        if self.standing.is_empty() {
            return Ok(());
        }
        let (points, triangles) = together(self.standing.iter().map(|mesh| (mesh, None)));
        let mut series =
            Series::new(file_name(STANDING), &points, Some(triangles.len()), self.options);
        series.add(0.0, &points, &triangles, target)?;
        series.finish(false, target)
    }
}

/// Several meshes as one, each where its pose says; with the number of the mesh, and the velocity
/// of its points where there are poses.
fn together<'a>(
    meshes: impl Iterator<Item = (&'a Mesh, Option<&'a Pose>)>,
) -> (Points, Vec<[u32; 3]>) {
    let (mut positions, mut velocities, mut labels) = (Vec::new(), Vec::new(), Vec::new());
    let mut triangles = Vec::new();
    let mut has_poses = false;
    for (number, (mesh, pose)) in meshes.enumerate() {
        let first = positions.len() as u32;
        triangles.extend(mesh.triangles.iter().map(|it| it.map(|corner| first + corner)));
        labels.resize(labels.len() + mesh.points.positions.len(), number as i32);
        match pose {
            None => positions.extend(&mesh.points.positions),
            Some(pose) => {
                has_poses = true;
                for point in &mesh.points.positions {
                    let (place, velocity) = pose.carry(point.map(f64::from));
                    positions.push(place.map(|x| x as f32));
                    velocities.push(velocity.map(|v| v as f32));
                }
            }
        }
    }
    let mut attributes =
        vec![Attribute { name: "solid".to_owned(), values: Values::Labels(labels) }];
    if has_poses {
        let values = Values::Vectors(velocities);
        attributes.push(Attribute { name: "velocity".to_owned(), values });
    }
    (Points { positions, attributes }, triangles)
}
