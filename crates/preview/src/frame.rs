//! A run's files as things to draw: bytes to balls and skins.
//!
//! Colours have a fixed range over a whole run, so that a colour means the same in every frame.

use super::camera::single;
use super::colour_map::{FLUIDS, Fluids, viridis, water};
use super::{Ball, Matter, Paint, Skin};
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_geometry::{Point, TriangleMesh, triangle};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format, InputError};
use rayon::prelude::*;

/// Particles are drawn so many times as large as they are: as balls that touch along the
/// diagonals of their lattice, so that a body of fluid is closed.
const SWOLLEN: f32 = 1.25;
/// Obstacles (sRGB).
const STONE: [u8; 3] = [201, 139, 90];
/// Faces that meet at less than this are shaded as one smooth surface: the cosine of 35°.
const CREASE: f64 = 0.82;

/// What colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Showing {
    /// How fast the fluid is \[m/s\].
    Speed,
    /// How dense it is \[kg/m³\].
    Density,
    /// Which fluid it is.
    Phase,
    /// Nothing.
    Nothing,
}

/// How fluid is coloured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dye {
    /// What the colours show.
    pub showing: Showing,
    /// The values at the ends of the scale.
    pub range: [f32; 2],
    /// The colours of fluids.
    pub fluids: Fluids,
}

impl Dye {
    /// With the usual colours of fluids.
    pub const fn new(showing: Showing, range: [f32; 2]) -> Dye {
        Dye { showing, range, fluids: FLUIDS }
    }

    /// The colour of a fluid (sRGB).
    pub fn of_phase(&self, phase: u32) -> [u8; 3] {
        self.fluids[phase as usize % self.fluids.len()]
    }

    /// The place of a value on the scale, from 0 to 1; NaN is at 0.
    pub fn part(&self, value: f32) -> f32 {
        let [low, high] = self.range;
        let part = (value - low) / (high - low).max(f32::MIN_POSITIVE);
        if part > 0.0 { part.min(1.0) } else { 0.0 }
    }

    /// The colour of a place on the scale (sRGB).
    pub fn colour(&self, part: f32) -> [u8; 3] {
        match self.showing {
            Showing::Speed => water(part),
            Showing::Density => viridis(part),
            Showing::Phase | Showing::Nothing => self.of_phase(0),
        }
    }
}

/// Values along a fluid, which colours show.
#[derive(Clone, Debug, PartialEq)]
pub struct Fluid {
    /// Places \[m\].
    pub positions: Vec<Vec3>,
    /// What the colours show at each: a value, or the number of a fluid.
    pub values: Vec<f32>,
    /// Of a surface: unit normals and triangles.
    pub faces: Option<Faces>,
}

/// What makes a surface of places.
#[derive(Clone, Debug, PartialEq)]
pub struct Faces {
    /// A unit normal for each place.
    pub normals: Vec<nalgebra::Vector3<f32>>,
    /// Their numbers.
    pub triangles: Vec<[u32; 3]>,
}

/// Reads the particles of a frame.
///
/// # Errors
/// What is wrong with the file.
pub fn particles(bytes: &[u8], showing: Showing) -> Result<Fluid, InputError> {
    let cloud = input::read(bytes, Format::VtkXml, &AttributeFilter::All)?;
    let values = values(&cloud, showing, None);
    Ok(Fluid { positions: cloud.positions, values, faces: None })
}

/// Reads a surface of a frame, from a `.ply` or a `.vtp`; of the fluid with this number, or of
/// all, and then the file tells which is where.
///
/// # Errors
/// What is wrong with the file.
pub fn surface(bytes: &[u8], showing: Showing, phase: Option<u32>) -> Result<Fluid, InputError> {
    let is_ply = bytes.starts_with(b"ply");
    let read = if is_ply { input::read_ply_mesh(bytes) } else { input::read_vtk_mesh(bytes) };
    let (cloud, triangles) = read?;
    let normals = ["Normals", "normal"].iter().find_map(|name| vectors(&cloud, name));
    let normals = match normals {
        Some(normals) => normals.iter().map(single).collect(),
        None => smooth_normals(&cloud.positions, &triangles),
    };
    let values = values(&cloud, showing, phase);
    let faces = Some(Faces { normals, triangles });
    Ok(Fluid { positions: cloud.positions, values, faces })
}

impl Fluid {
    /// The least and the largest value; none if there are no numbers.
    pub fn range(&self) -> Option<[f32; 2]> {
        let finite = self.values.iter().filter(|value| value.is_finite());
        finite.fold(None, |range, &value| {
            let [low, high] = range.unwrap_or([value; 2]);
            Some([low.min(value), high.max(value)])
        })
    }

    /// Particles of this radius \[m\] as balls.
    pub fn balls(&self, dye: &Dye, radius: f32) -> Vec<Ball> {
        let ball = |(&centre, &value): (&Vec3, &f32)| {
            let paint = Paint::new(Matter::Grains, colour(dye, value));
            Ball { centre, radius: SWOLLEN * radius, paint }
        };
        self.positions.par_iter().zip(&self.values).map(ball).collect()
    }

    /// A surface as a skin; none of particles.
    pub fn skin(self, dye: &Dye) -> Option<Skin> {
        let Faces { normals, triangles } = self.faces?;
        let colours = self.values.par_iter().map(|&value| colour(dye, value)).collect();
        Some(Skin { positions: self.positions, normals, colours, triangles, matter: Matter::Water })
    }
}

/// The colour of a value (sRGB).
fn colour(dye: &Dye, value: f32) -> [u8; 3] {
    match dye.showing {
        Showing::Phase => dye.of_phase(value as u32),
        Showing::Speed | Showing::Density | Showing::Nothing => dye.colour(dye.part(value)),
    }
}

/// A sphere of the scene as a ball.
pub fn obstacle_ball(centre: Vec3, radius: f32) -> Ball {
    Ball { centre, radius, paint: Paint::new(Matter::Solid, STONE) }
}

/// A mesh of the scene as a skin: smooth, but for its creases.
pub fn obstacle_skin(mesh: &TriangleMesh) -> Skin {
    let wide = |k: usize| mesh.corners(k).map(|v| Point::from(hashfall_core::to_f64(&v)));
    let normals: Vec<Point> = (0..mesh.triangles.len())
        .map(|k| triangle::unit_normal(&wide(k)).unwrap_or_else(Point::zeros))
        .collect();
    let mut around = vec![Vec::new(); mesh.vertices.len()];
    for (k, t) in mesh.triangles.iter().enumerate() {
        t.iter().for_each(|&v| around[v as usize].push(k));
    }
    let (mut positions, mut smooth) = (Vec::new(), Vec::new());
    for (k, t) in mesh.triangles.iter().enumerate() {
        for &v in t {
            let near = around[v as usize].iter().map(|&other| normals[other]);
            let near = near.filter(|normal| normal.dot(&normals[k]) > CREASE);
            let sum = near.fold(normals[k] * 1e-9, |sum, normal| sum + normal);
            positions.push(mesh.vertices[v as usize]);
            smooth.push((sum / sum.norm().max(f64::MIN_POSITIVE)).cast());
        }
    }
    let count = positions.len() as u32;
    let triangles = (0..count / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let colours = vec![STONE; positions.len()];
    Skin { positions, normals: smooth, colours, triangles, matter: Matter::Solid }
}

/// What colours show at each place; 0 where the file does not tell.
fn values(cloud: &Cloud, showing: Showing, phase: Option<u32>) -> Vec<f32> {
    let attribute = |name: &str| cloud.attributes.iter().find(|a| a.name == name);
    let scalars = |attribute: Option<&Attribute>| match attribute.map(|a| &a.values) {
        Some(Values::Scalars(values)) => Some(values.iter().map(real).collect()),
        Some(Values::Labels(labels)) => Some(labels.iter().map(|&x| x as f32).collect()),
        Some(Values::Integers(integers)) => Some(integers.iter().map(|&x| x as f32).collect()),
        _ => None,
    };
    let found: Option<Vec<f32>> = match (showing, phase) {
        (Showing::Speed, _) => vectors(cloud, "velocity")
            .map(|velocities| velocities.par_iter().map(|v| single(v).norm()).collect()),
        (Showing::Density, _) => scalars(attribute("density")),
        (Showing::Phase, Some(phase)) => Some(vec![phase as f32; cloud.positions.len()]),
        (Showing::Phase, None) => scalars(attribute("phase")),
        (Showing::Nothing, _) => None,
    };
    found.unwrap_or_else(|| vec![0.0; cloud.positions.len()])
}

fn vectors<'a>(cloud: &'a Cloud, name: &str) -> Option<&'a [Vec3]> {
    let found = cloud.attributes.iter().find(|attribute| attribute.name == name)?;
    match &found.values {
        Values::Vectors(vectors) => Some(vectors),
        _ => None,
    }
}

#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
fn real(x: &Real) -> f32 {
    *x as f32
}

/// Normals of a mesh whose file has none: of the triangles around, by their areas.
fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<nalgebra::Vector3<f32>> {
    let mut sums = vec![nalgebra::Vector3::zeros(); positions.len()];
    for t in triangles {
        let [a, b, c] = t.map(|v| single(&positions[v as usize]));
        let area = (b - a).cross(&(c - a));
        t.iter().for_each(|&v| sums[v as usize] += area);
    }
    sums.iter().map(|sum| sum / sum.norm().max(f32::MIN_POSITIVE)).collect()
}
