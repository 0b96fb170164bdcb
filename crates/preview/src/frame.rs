//! The frame files of a run as balls and meshes.
//!
//! The colour range is fixed over a whole run, so that a colour means the same in every frame.

use super::camera::single;
use super::colour_map::{FLUIDS, Fluids, viridis, water};
use super::samples::{Material, Paint};
use super::scene::{Ball, RenderMesh};
use hashfall_core::{Attribute, Real, Values, Vec3, parallel};
use hashfall_geometry::{Point, TriangleMesh, triangle};
use hashfall_input::{self as input, AttributeFilter, Cloud, Format, InputError};
use std::collections::BTreeSet;

/// Drawn radius of a particle in particle radii: balls touch along the diagonals of their
/// lattice, so that a body of fluid looks closed.
const BALL_SCALE: f32 = 1.25;
/// Colour of solids (sRGB): neutral, so that water keeps its own.
const SOLID_COLOUR: [u8; 3] = [196, 190, 180];
/// Colours of elastic bodies, in the order of the scene (sRGB).
const ELASTIC_COLOURS: [[u8; 3]; 4] =
    [[184, 62, 48], [54, 104, 166], [201, 154, 60], [78, 136, 88]];
/// Faces with normals of at least this cosine are shaded smoothly: 35°.
const CREASE: f64 = 0.82;

/// The quantity that colours show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Speed \[m/s\].
    Speed,
    /// Density \[kg/m³\].
    Density,
    /// The index of the fluid.
    Phase,
    /// A uniform colour.
    Uniform,
}

/// How values of a fluid become colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colouring {
    /// The quantity shown.
    pub quantity: Quantity,
    /// The values at the ends of the scale.
    pub range: [f32; 2],
    /// The colours of fluids.
    pub fluids: Fluids,
    /// Whether surfaces are drawn as clear water, whatever their values are.
    pub is_water: bool,
}

impl Colouring {
    /// A colouring with the default colours of fluids.
    pub const fn new(quantity: Quantity, range: [f32; 2]) -> Colouring {
        Colouring { quantity, range, fluids: FLUIDS, is_water: false }
    }

    /// The colour of a fluid (sRGB).
    pub fn phase_colour(&self, phase: u32) -> [u8; 3] {
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
        match self.quantity {
            Quantity::Speed => water(part),
            Quantity::Density => viridis(part),
            Quantity::Phase | Quantity::Uniform => self.phase_colour(0),
        }
    }
}

/// Positions of a fluid with values to colour.
#[derive(Clone, Debug, PartialEq)]
pub struct FluidFrame {
    /// Positions \[m\].
    pub positions: Vec<Vec3>,
    /// The value at each position, or the index of a fluid.
    pub values: Vec<f32>,
    /// Of a surface: unit normals and triangles.
    pub faces: Option<Faces>,
}

/// Normals and triangles that make a surface of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Faces {
    /// A unit normal for each position.
    pub normals: Vec<nalgebra::Vector3<f32>>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

/// Reads the particles of a frame from a file in a format.
///
/// # Errors
/// The problem of the file.
pub fn particles(
    bytes: &[u8],
    format: Format,
    quantity: Quantity,
) -> Result<FluidFrame, InputError> {
    let cloud = input::read(bytes, format, &AttributeFilter::All)?;
    let values = values(&cloud, quantity, None);
    Ok(FluidFrame { positions: cloud.positions, values, faces: None })
}

/// Reads a surface of a frame, from a `.ply` or a `.vtp`; of the fluid with this number, or of
/// all, and then the file tells which is where.
///
/// # Errors
/// The problem of the file.
pub fn surface(
    bytes: &[u8],
    quantity: Quantity,
    phase: Option<u32>,
) -> Result<FluidFrame, InputError> {
    let is_ply = bytes.starts_with(b"ply");
    let read = if is_ply { input::read_ply_mesh(bytes) } else { input::read_vtk_mesh(bytes) };
    let (cloud, triangles) = read?;
    let normals = ["Normals", "normal"].iter().find_map(|name| vectors(&cloud, name));
    let normals = match normals {
        Some(normals) => normals.iter().map(single).collect(),
        None => smooth_normals(&cloud.positions, &triangles),
    };
    let values = values(&cloud, quantity, phase);
    let faces = Some(Faces { normals, triangles });
    Ok(FluidFrame { positions: cloud.positions, values, faces })
}

/// Reads the mesh of an elastic body, which has this number among those of the scene, from a `.ply`
/// or a `.vtp`. Sheets are seen from both sides and have a thickness \[m\]: each triangle has a
/// twin that faces the other way, half of it out on either side, and open edges are closed.
///
/// # Errors
/// The problem of the file.
pub fn elastic_mesh(bytes: &[u8], number: usize, thickness: f32) -> Result<RenderMesh, InputError> {
    let FluidFrame { positions, faces, .. } = surface(bytes, Quantity::Uniform, None)?;
    let Faces { normals, triangles } =
        faces.unwrap_or(Faces { normals: Vec::new(), triangles: Vec::new() });
    let count = positions.len() as u32;
    let side = |sign: f32| {
        let out = move |(x, normal): (&Vec3, &nalgebra::Vector3<f32>)| {
            let n = normal * (0.5 * sign * thickness);
            x + hashfall_core::vec3([n.x, n.y, n.z].map(f64::from))
        };
        positions.iter().zip(&normals).map(out)
    };
    let both: Vec<Vec3> = side(1.0).chain(side(-1.0)).collect();
    let edges = open_edges(&triangles).into_iter();
    let rim = edges.flat_map(|[a, b]| [[b, a, a + count], [b, a + count, b + count]]);
    let twins = triangles.iter().map(|&[a, b, c]| [a + count, c + count, b + count]);
    let all = triangles.iter().copied().chain(twins).chain(rim).collect();
    Ok(RenderMesh {
        normals: normals.iter().copied().chain(normals.iter().map(|normal| -normal)).collect(),
        colours: vec![ELASTIC_COLOURS[number % ELASTIC_COLOURS.len()]; both.len()],
        positions: both,
        triangles: all,
        material: Material::Solid,
    })
}

/// The edges of a mesh that have a triangle on one side alone, in its sense.
fn open_edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = || triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let all: BTreeSet<_> = sides().collect();
    sides().filter(|&[a, b]| !all.contains(&[b, a])).collect()
}

impl FluidFrame {
    /// The least and the largest value; none if there are no numbers.
    pub fn range(&self) -> Option<[f32; 2]> {
        let finite = self.values.iter().filter(|value| value.is_finite());
        finite.fold(None, |range, &value| {
            let [low, high] = range.unwrap_or([value; 2]);
            Some([low.min(value), high.max(value)])
        })
    }

    /// Particles of this radius \[m\] as balls.
    pub fn balls(&self, colouring: &Colouring, radius: f32) -> Vec<Ball> {
        parallel::map(self.positions.len(), |i| {
            let paint = Paint::new(Material::Particles, colour(colouring, self.values[i]));
            Ball { centre: self.positions[i], radius: BALL_SCALE * radius, paint }
        })
    }

    /// A surface as a mesh; `None` for particles.
    pub fn mesh(self, colouring: &Colouring) -> Option<RenderMesh> {
        let Faces { normals, triangles } = self.faces?;
        let colours = parallel::map(self.values.len(), |i| colour(colouring, self.values[i]));
        Some(RenderMesh {
            positions: self.positions,
            normals,
            colours,
            triangles,
            material: if colouring.is_water { Material::Water } else { Material::Surface },
        })
    }
}

/// The colour of a value (sRGB).
fn colour(colouring: &Colouring, value: f32) -> [u8; 3] {
    match colouring.quantity {
        Quantity::Phase => colouring.phase_colour(value as u32),
        Quantity::Speed | Quantity::Density | Quantity::Uniform => {
            colouring.colour(colouring.part(value))
        }
    }
}

/// A sphere of the scene as a ball.
pub fn solid_ball(centre: Vec3, radius: f32) -> Ball {
    Ball { centre, radius, paint: Paint::new(Material::Solid, SOLID_COLOUR) }
}

/// A mesh of the scene as a skin: smooth, but for its creases.
pub fn solid_mesh(mesh: &TriangleMesh) -> RenderMesh {
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
            let similar = around[v as usize].iter().map(|&other| normals[other]);
            let similar = similar.filter(|normal| normal.dot(&normals[k]) > CREASE);
            let sum = similar.fold(normals[k] * 1e-9, |sum, normal| sum + normal);
            positions.push(mesh.vertices[v as usize]);
            smooth.push((sum / sum.norm().max(f64::MIN_POSITIVE)).cast());
        }
    }
    let count = positions.len() as u32;
    let triangles = (0..count / 3).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let colours = vec![SOLID_COLOUR; positions.len()];
    RenderMesh { positions, normals: smooth, colours, triangles, material: Material::Solid }
}

/// The values of a quantity at each position; 0 where the file has none.
fn values(cloud: &Cloud, quantity: Quantity, phase: Option<u32>) -> Vec<f32> {
    let attribute = |name: &str| cloud.attributes.iter().find(|a| a.name == name);
    let scalars = |attribute: Option<&Attribute>| match attribute.map(|a| &a.values) {
        Some(Values::Scalars(values)) => Some(values.iter().map(real).collect()),
        Some(Values::Labels(labels)) => Some(labels.iter().map(|&x| x as f32).collect()),
        Some(Values::Integers(integers)) => Some(integers.iter().map(|&x| x as f32).collect()),
        _ => None,
    };
    let found: Option<Vec<f32>> = match (quantity, phase) {
        (Quantity::Speed, _) => {
            vectors(cloud, "velocity").map(|v| parallel::map(v.len(), |i| single(&v[i]).norm()))
        }
        (Quantity::Density, _) => scalars(attribute("density")),
        (Quantity::Phase, Some(phase)) => Some(vec![phase as f32; cloud.positions.len()]),
        (Quantity::Phase, None) => scalars(attribute("phase")),
        (Quantity::Uniform, _) => None,
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
