//! A frame of a run in memory, as the writers take it, and what holds for the whole run.
//!
//! Lengths are metres, times seconds; z is up. Numbers are in single precision, as in the frames
//! that a run writes.

use crate::label::Label;
use std::collections::BTreeMap;
use std::fmt;

/// What a part of a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FramePart {
    /// The fluid's particles.
    Particles,
    /// Spray, foam and bubbles.
    Foam,
    /// The fluid's surface.
    Surface,
    /// The surface of bodies of fluid too small for it.
    Spray,
    /// Elastic bodies.
    Elastic,
    /// Obstacles that stand or move by a law.
    Solids,
    /// Rigid bodies that move freely: meshes about their centres, and poses.
    Bodies,
}

impl FramePart {
    /// All parts.
    pub const ALL: [FramePart; 7] = [
        FramePart::Particles,
        FramePart::Foam,
        FramePart::Surface,
        FramePart::Spray,
        FramePart::Elastic,
        FramePart::Solids,
        FramePart::Bodies,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            FramePart::Particles => "particles",
            FramePart::Foam => "foam",
            FramePart::Surface => "surface",
            FramePart::Spray => "spray",
            FramePart::Elastic => "elastic",
            FramePart::Solids => "solids",
            FramePart::Bodies => "bodies",
        }
    }
}

impl fmt::Display for FramePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Values, one for each point or vertex.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers, such as densities.
    Floats(Vec<f32>),
    /// Vectors, such as velocities.
    Vectors(Vec<[f32; 3]>),
    /// Whole numbers that name something, such as a fluid.
    Labels(Vec<i32>),
    /// Whole numbers that tell one from another.
    Ids(Vec<i64>),
}

impl Values {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Floats(values) => values.len(),
            Values::Vectors(values) => values.len(),
            Values::Labels(values) => values.len(),
            Values::Ids(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps the values at which `keep` is true.
    fn retain(&mut self, keep: &[bool]) {
        match self {
            Values::Floats(values) => retain(values, keep),
            Values::Vectors(values) => retain(values, keep),
            Values::Labels(values) => retain(values, keep),
            Values::Ids(values) => retain(values, keep),
        }
    }
}

/// Named values.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// The name, such as `velocity`.
    pub name: String,
    /// The values.
    pub values: Values,
}

/// Points or vertices with attributes. `velocity` \[m/s\], `normal`, `radius` \[m\] and `id` are
/// known by these names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Points {
    /// Places \[m\].
    pub positions: Vec<[f32; 3]>,
    /// Attributes, each of as many values.
    pub attributes: Vec<Attribute>,
}

impl Points {
    /// The vectors of an attribute, if there is one of vectors.
    pub fn vectors(&self, name: &str) -> Option<&[[f32; 3]]> {
        match self.values(name)? {
            Values::Vectors(vectors) => Some(vectors),
            _ => None,
        }
    }

    /// The numbers of an attribute, if there is one of numbers.
    pub fn floats(&self, name: &str) -> Option<&[f32]> {
        match self.values(name)? {
            Values::Floats(floats) => Some(floats),
            _ => None,
        }
    }

    /// The ids, if there are some.
    pub fn ids(&self) -> Option<&[i64]> {
        match self.values("id")? {
            Values::Ids(ids) => Some(ids),
            _ => None,
        }
    }

    /// Attributes but those of these names.
    pub fn others<'a>(&'a self, known: &'a [&str]) -> impl Iterator<Item = &'a Attribute> {
        self.attributes.iter().filter(|it| !known.contains(&it.name.as_str()))
    }

    fn values(&self, name: &str) -> Option<&Values> {
        self.attributes.iter().find(|it| it.name == name).map(|it| &it.values)
    }

    /// The least and the largest coordinates \[m\]; zeros if there are no points.
    pub fn bounds(&self) -> [[f32; 3]; 2] {
        bounds(&self.positions)
    }

    /// Keeps the points within a box, borders included.
    pub fn clip(&mut self, [min, max]: [[f32; 3]; 2]) {
        let is_within = |x: &[f32; 3]| (0..3).all(|k| min[k] <= x[k] && x[k] <= max[k]);
        let keep: Vec<bool> = self.positions.iter().map(is_within).collect();
        retain(&mut self.positions, &keep);
        self.attributes.iter_mut().for_each(|it| it.values.retain(&keep));
    }
}

/// The least and the largest of each coordinate; zeros if there are none.
pub(crate) fn bounds(vectors: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let Some(&first) = vectors.first() else { return [[0.0; 3]; 2] };
    vectors.iter().fold([first; 2], |[mut min, mut max], x| {
        for k in 0..3 {
            min[k] = min[k].min(x[k]);
            max[k] = max[k].max(x[k]);
        }
        [min, max]
    })
}

fn retain<T>(values: &mut Vec<T>, keep: &[bool]) {
    let mut flags = keep.iter();
    values.retain(|_| flags.next().copied().unwrap_or_default());
}

/// A cloud of points.
#[derive(Clone, Debug, PartialEq)]
pub struct Cloud {
    /// What it shows.
    pub part: FramePart,
    /// Its name, unique in a frame and the same in all: letters, digits, `_` and `-`.
    pub name: String,
    /// Its points.
    pub points: Points,
}

/// A mesh of triangles, counterclockwise as seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// What it shows.
    pub part: FramePart,
    /// Its name, unique in a frame and the same in all: letters, digits, `_` and `-`.
    pub name: String,
    /// Its vertices.
    pub points: Points,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

/// Where a body is that moves freely.
#[derive(Clone, Debug, PartialEq)]
pub struct Pose {
    /// The name of its mesh.
    pub name: String,
    /// Its centre of mass \[m\].
    pub position: [f64; 3],
    /// Its orientation as a unit quaternion, the scalar first.
    pub quaternion: [f64; 4],
    /// The velocity of its centre \[m/s\].
    pub velocity: [f64; 3],
    /// Its angular velocity \[1/s\].
    pub spin: [f64; 3],
}

impl Pose {
    /// The name of its mesh.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where a point of its mesh is \[m\], and its velocity \[m/s\].
    pub fn carry(&self, point: [f64; 3]) -> ([f64; 3], [f64; 3]) {
        let [w, u @ ..] = self.quaternion;
        // R x = x + 2 u × (u × x + w x).
        let inner = cross(u, point);
        let inner = [0, 1, 2].map(|k| inner[k] + w * point[k]);
        let turn = cross(u, inner);
        let arm = [0, 1, 2].map(|k| point[k] + 2.0 * turn[k]);
        let around = cross(self.spin, arm);
        let place = [0, 1, 2].map(|k| self.position[k] + arm[k]);
        (place, [0, 1, 2].map(|k| self.velocity[k] + around[k]))
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its number; frame n stands at n / rate.
    pub number: u32,
    /// Its time \[s\].
    pub time: f64,
    /// Particles and foam.
    pub clouds: Vec<Cloud>,
    /// Surfaces, elastic bodies, and obstacles that move by a law.
    pub meshes: Vec<Mesh>,
    /// Where bodies are that move freely.
    pub poses: Vec<Pose>,
}

/// What holds for all frames of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Its name.
    pub name: String,
    /// The program that made it, with its version.
    pub program: String,
    /// Frames per second of simulated time \[1/s\].
    pub rate: f64,
    /// The radius of particles \[m\].
    pub radius: f64,
    /// The numbers of the frames that are exported, ascending.
    pub frames: Vec<u32>,
    /// Obstacles that stand.
    pub standing: Vec<Mesh>,
    /// Bodies that move freely, about their centres and turned as the scene places them.
    pub bodies: Vec<Mesh>,
    /// What the scene calls things, by their names here; some have none.
    pub labels: BTreeMap<String, Label>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_takes_positions_and_attributes_alike() {
        let mut points = Points {
            positions: vec![[0.0; 3], [1.0, 2.0, 3.0], [0.5; 3], [0.5, 0.5, 0.6]],
            attributes: vec![
                Attribute { name: "id".into(), values: Values::Ids(vec![1, 2, 3, 4]) },
                Attribute { name: "age".into(), values: Values::Floats(vec![0.1, 0.2, 0.3, 0.4]) },
            ],
        };
        assert_eq!(points.bounds(), [[0.0; 3], [1.0, 2.0, 3.0]]);
        points.clip([[0.1; 3], [0.5, 0.5, 0.6]]);
        assert_eq!(points.positions, [[0.5; 3], [0.5, 0.5, 0.6]]);
        assert_eq!(points.ids(), Some(&[3, 4][..]));
        assert_eq!(points.floats("age"), Some(&[0.3, 0.4][..]));
        assert_eq!(Points::default().bounds(), [[0.0; 3]; 2]);
    }

    #[test]
    fn a_pose_turns_a_point_and_moves_it() {
        // A quarter about z: x goes to y.
        let half = 0.5_f64.sqrt();
        let pose = Pose {
            name: "body_00".into(),
            position: [1.0, 2.0, 3.0],
            quaternion: [half, 0.0, 0.0, half],
            velocity: [0.0, 0.0, 5.0],
            spin: [0.0, 0.0, 2.0],
        };
        let (place, velocity) = pose.carry([1.0, 0.0, 0.5]);
        let is_close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-15);
        assert!(
            is_close(place, [1.0, 3.0, 3.5]) && is_close(velocity, [-2.0, 0.0, 5.0]),
            "{place:?}"
        );
    }
}
