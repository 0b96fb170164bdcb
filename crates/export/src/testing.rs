//! What tests share: random numbers, a target in memory, and a small run.

use super::{Attribute, Cloud, FluidMaterial, Frame, FramePart, Label};
use super::{Mesh, Points, Pose, Run, Target, Values};
use rand_pcg::Pcg64;
use rand_pcg::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::io;

/// Names of a fluid and of a body with characters that some formats do not take.
pub fn odd_labels() -> BTreeMap<String, Label> {
    let material = FluidMaterial { name: "2. öl & <gas>".into(), colour: Some([230, 159, 60]) };
    let oil = Label { title: material.name.clone(), material: Some(material) };
    let body = Label { title: "größe \"a\" 1/2".into(), material: None };
    let standing = Label { title: "wall; x=1".into(), material: None };
    [("surface", oil), ("body_01", body), ("mesh_00", standing)]
        .map(|(name, label)| (name.to_owned(), label))
        .into()
}

/// Random numbers from −1 to 1.
pub fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut random = Pcg64::seed_from_u64(seed);
    move || random.next_u64() as f64 / u64::MAX as f64 * 2.0 - 1.0
}

/// Files in memory.
#[derive(Default)]
pub struct Memory {
    pub files: BTreeMap<String, Vec<u8>>,
    growing: BTreeMap<String, Vec<u8>>,
}

impl Target for Memory {
    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let earlier = self.files.insert(name.to_owned(), bytes.to_vec());
        assert!(earlier.is_none(), "`{name}` is written twice");
        Ok(())
    }

    fn append(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.growing.entry(name.to_owned()).or_default().extend_from_slice(bytes);
        Ok(())
    }

    fn complete(&mut self, name: &str, head: &[u8]) -> io::Result<()> {
        let mut bytes = self.growing.remove(name).unwrap();
        bytes[..head.len()].copy_from_slice(head);
        self.put(name, &bytes)
    }
}

/// A closed octahedron about a centre, its vertices at a radius.
pub fn octahedron(part: FramePart, name: &str, centre: [f32; 3], radius: f32) -> Mesh {
    let mut positions = Vec::new();
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let mut x = centre;
            x[k] += sign * radius;
            positions.push(x);
        }
    }
    let normal = positions.iter().map(|x| [0, 1, 2].map(|k| (x[k] - centre[k]) / radius)).collect();
    let velocity = positions.iter().map(|x| [x[1], -x[0], 0.5]).collect();
    let triangles = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    let attributes = vec![
        Attribute { name: "normal".into(), values: Values::Vectors(normal) },
        Attribute { name: "velocity".into(), values: Values::Vectors(velocity) },
    ];
    Mesh { part, name: name.into(), points: Points { positions, attributes }, triangles }
}

/// Particles at random.
pub fn particles(count: usize, seed: u64) -> Points {
    let mut next = random(seed);
    let mut vectors = || (0..count).map(|_| [0; 3].map(|_| next() as f32)).collect::<Vec<_>>();
    let (positions, velocity) = (vectors(), vectors());
    let density = positions.iter().map(|x| 1000.0 + x[0]).collect();
    Points {
        positions,
        attributes: vec![
            Attribute { name: "velocity".into(), values: Values::Vectors(velocity) },
            Attribute { name: "density".into(), values: Values::Floats(density) },
            Attribute { name: "id".into(), values: Values::Ids((0..count as i64).collect()) },
            Attribute { name: "phase".into(), values: Values::Labels(vec![0; count]) },
            Attribute { name: "radius".into(), values: Values::Floats(vec![0.02; count]) },
        ],
    }
}

/// A run of frames with particles, of numbers that change, a surface, and a body that moves.
pub fn run(frames: &[u32]) -> (Run, Vec<Frame>) {
    let run = Run {
        name: "small".into(),
        program: "hashfall 0".into(),
        rate: 50.0,
        radius: 0.02,
        frames: frames.to_vec(),
        standing: vec![octahedron(FramePart::Solids, "mesh_00", [2.0, 0.0, 0.0], 0.3)],
        bodies: vec![octahedron(FramePart::Bodies, "body_01", [0.0; 3], 0.2)],
        labels: BTreeMap::new(),
    };
    let frame = |&number: &u32| {
        let points = particles(5 + number as usize, u64::from(number));
        let at = number as f32;
        Frame {
            number,
            time: f64::from(number) / run.rate,
            clouds: vec![Cloud { part: FramePart::Particles, name: "particles".into(), points }],
            meshes: vec![octahedron(FramePart::Surface, "surface", [0.1 * at, 0.0, 0.0], 1.0)],
            poses: vec![Pose {
                name: "body_01".into(),
                position: [0.0, 0.0, 0.5 * f64::from(number)],
                quaternion: [1.0, 0.0, 0.0, 0.0],
                velocity: [0.0, 0.0, 25.0],
                spin: [0.0; 3],
            }],
        }
    };
    let frames = frames.iter().map(frame).collect();
    (run, frames)
}
