//! The page: an interactive player, as files that need no server.
//!
//! `index.html` holds style, program and settings. Each frame is a separate script that passes its
//! data to the player, because browsers let a local page load scripts, but not data. So frames are
//! loaded on demand and dropped when there are many.
//!
//! A frame's data is compressed (RFC 1950) and in base64 (RFC 4648). It starts with the numbers of
//! positions n, of triangles m and of points of foam (u32, little endian), followed by planes of
//! bytes: the lower bytes of all x, then the upper ones, then those of y and z; one byte for each
//! value; for a surface the two bytes of all normals, and the four of all corners; then x, y, z of
//! foam as before, with a byte for each radius. Each number is the difference from the previous
//! one, modulo its range, which is mostly small; those of corners are zigzag encoded (0, −1, 1,
//! −2 … as 0, 1, 2, 3 …). Positions are in 65536ths of a box, values in 255ths of the colour
//! scale, radii in 255ths of that of particles, normals on an octahedron (Meyer et al. 2010).

use super::camera::ViewDirection;
use super::foam::FoamPoint;
use super::frame::{Colouring, FluidFrame, Quantity};
use super::scene::SolidShapes;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hashfall_core::{parallel, to_f64};
use hashfall_geometry::Aabb;
use serde::Serialize;
use std::io::Write as _;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");
/// The player's scripts, in order: the later use the earlier.
const SCRIPTS: [&str; 7] = [
    include_str!("page/view.js"),
    include_str!("page/programs.js"),
    include_str!("page/data.js"),
    include_str!("page/drawing.js"),
    include_str!("page/time.js"),
    include_str!("page/hands.js"),
    include_str!("page/beginning.js"),
];

/// The finest step of places in a box.
const STEPS: f64 = 65_535.0;
/// Maximum particles of a page, and points of foam; of more, every second, third … is shown.
pub const MAX_PARTICLES: usize = 400_000;

/// Data of a run for the page.
#[derive(Debug, Serialize)]
pub struct Run {
    /// The scene's name.
    pub name: String,
    /// The frames: numbers and times \[s\].
    pub frames: Vec<(u32, f64)>,
    /// Frames of a second.
    pub rate: f64,
    /// The lowest and the highest corner of the domain \[m\].
    pub domain: [[f64; 3]; 2],
    /// Whether there is a floor below it.
    pub floor: bool,
    /// Those of the box that places are given in \[m\].
    pub quantised: [[f64; 3]; 2],
    /// The radius of particles \[m\].
    pub radius: f32,
    /// Initial view: azimuth and elevation \[degrees\].
    pub view: [f64; 2],
    /// The colour scale.
    pub scale: Scale,
}

/// A colour scale.
#[derive(Debug, Serialize)]
pub struct Scale {
    /// The quantity with its unit; `None` for a uniform colour.
    pub title: Option<&'static str>,
    /// The values at its ends.
    pub range: [f32; 2],
    /// Its colours (sRGB).
    pub colours: Vec<[u8; 3]>,
    /// Of fluids: their names.
    pub names: Vec<String>,
}

impl Scale {
    /// The scale of a colouring; for several fluids with these names.
    pub fn new(colouring: &Colouring, names: &[String]) -> Scale {
        let title = match colouring.quantity {
            Quantity::Speed => Some("speed, m/s"),
            Quantity::Density => Some("density, kg/m³"),
            Quantity::Phase => Some("fluid"),
            Quantity::Uniform => None,
        };
        let by_name = colouring.quantity == Quantity::Phase;
        let colours = (0..=255_u16).map(|k| match colouring.quantity {
            Quantity::Phase => colouring.phase_colour(u32::from(k)),
            _ => colouring.colour(f32::from(k) / 255.0),
        });
        let names = if by_name { names.to_vec() } else { Vec::new() };
        Scale { title, range: colouring.range, colours: colours.collect(), names }
    }
}

/// The box in which positions are quantised: the domain and a margin.
pub fn quantised(domain: &Aabb) -> Aabb {
    domain.grown(0.05 * domain.extent().max())
}

impl Run {
    /// The corners of a box, for `domain` and `quantised`.
    pub fn corners(bounds: &Aabb) -> [[f64; 3]; 2] {
        [to_f64(&bounds.min), to_f64(&bounds.max)]
    }

    /// The angles of a view, for `view`.
    pub fn view(view: ViewDirection) -> [f64; 2] {
        [view.azimuth, view.elevation]
    }

    /// The page of the run.
    pub fn page(&self) -> String {
        let run = serde_json::to_string(self).expect("numbers, strings and lists are plain data");
        // In a script `</` could end it; in a string of JSON `\u003c` is the same.
        let run = run.replace('<', "\\u003c");
        let page = PAGE.replacen("/*STYLE*/", STYLE, 1);
        page.replacen("/*PROGRAM*/", &SCRIPTS.join("\n"), 1).replacen("/*RUN*/null", &run, 1)
    }
}

/// What a frame shows.
#[derive(Clone, Copy, Debug)]
pub struct PageFrame<'a> {
    /// Its number.
    pub number: u32,
    /// The fluids.
    pub fluids: &'a [FluidFrame],
    /// Spray, foam and bubbles.
    pub foam: &'a [FoamPoint],
    /// The obstacles that move, if any do.
    pub moving: Option<&'a SolidShapes>,
}

/// How the numbers of a frame become whole ones.
#[derive(Clone, Copy, Debug)]
pub struct Quantisation<'a> {
    /// The colour scale.
    pub colouring: &'a Colouring,
    /// The box of positions.
    pub bounds: &'a Aabb,
    /// The radius of particles \[m\].
    pub radius: f32,
}

/// The script of a frame: its number, its data, and the obstacles that move, if any do.
pub fn frame(shown: &PageFrame, quantisation: &Quantisation) -> String {
    let encoded = |bytes: &[u8]| BASE64.encode(compressed(bytes));
    let data = encoded(&data(shown, quantisation));
    let moving = shown.moving.map(|moving| format!(",\"{}\"", encoded(&obstacles(moving))));
    format!("hashfallFrame({},\"{data}\"{});\n", shown.number, moving.unwrap_or_default())
}

/// The script of the obstacles that stand.
pub fn solids(standing: &SolidShapes) -> String {
    format!("hashfallSolids(\"{}\");\n", BASE64.encode(compressed(&obstacles(standing))))
}

/// Obstacles: balls, each with its radius, and triangles with normals.
fn obstacles(SolidShapes { balls, meshes }: &SolidShapes) -> Vec<u8> {
    let corners = meshes.iter().map(|mesh| mesh.triangles.len() * 3).sum::<usize>();
    let mut bytes = Vec::new();
    bytes.extend((balls.len() as u32).to_le_bytes());
    bytes.extend((corners as u32).to_le_bytes());
    let mut put = |x: f64| bytes.extend((x as f32).to_le_bytes());
    for ball in balls {
        to_f64(&ball.centre).into_iter().for_each(&mut put);
        put(f64::from(ball.radius));
    }
    for mesh in meshes {
        for &v in mesh.triangles.as_flattened() {
            to_f64(&mesh.positions[v as usize]).into_iter().for_each(&mut put);
            mesh.normals[v as usize].iter().for_each(|&x| put(f64::from(x)));
        }
    }
    bytes
}

/// The data of a frame, whose fluids become one.
fn data(shown: &PageFrame, quantisation: &Quantisation) -> Vec<u8> {
    let fluids = shown.fluids;
    let triangles: Vec<u32> = corners(fluids);
    let has_faces = !triangles.is_empty();
    let count: usize = fluids.iter().map(|fluid| fluid.positions.len()).sum();
    let step = if has_faces { 1 } else { count.div_ceil(MAX_PARTICLES).max(1) };
    let value = |value: f32| match quantisation.colouring.quantity {
        Quantity::Phase => value as u8,
        _ => (quantisation.colouring.part(value) * 255.0).round() as u8,
    };
    // Triangles count on all of their corners; of particles those are shown that are somewhere.
    let points: Vec<([f64; 3], u8)> = fluids
        .iter()
        .filter(|fluid| has_faces || fluid.faces.is_none())
        .flat_map(|fluid| fluid.positions.iter().zip(&fluid.values))
        .step_by(step)
        .map(|(p, &of_point)| (to_f64(p), value(of_point)))
        .filter(|(p, _)| has_faces || is_in(quantisation.bounds, p))
        .collect();
    let foam: Vec<([f64; 3], u8)> = shown
        .foam
        .iter()
        .step_by(shown.foam.len().div_ceil(MAX_PARTICLES).max(1))
        .map(|point| (point.position.map(f64::from).into(), point.radius / quantisation.radius))
        .filter(|(p, _)| is_in(quantisation.bounds, p))
        .map(|(p, size)| (p, (size * 255.0).round() as u8))
        .collect();
    let mut bytes = Vec::new();
    for count in [points.len(), triangles.len() / 3, foam.len()] {
        bytes.extend((count as u32).to_le_bytes());
    }
    bytes.extend(point_planes(&points, quantisation.bounds));
    if has_faces {
        let normals = fluids.iter().flat_map(|fluid| &fluid.faces).flat_map(|f| &f.normals);
        let normals: Vec<[u8; 2]> = normals.map(on_octahedron).collect();
        for k in 0..2 {
            let one = normals.iter().map(|normal| normal[k]);
            bytes.extend(planes(one, |now, before| [now.wrapping_sub(before)]));
        }
        bytes.extend(planes(triangles.iter().copied(), |now, before| {
            let step = now.wrapping_sub(before).cast_signed();
            (step << 1 ^ step >> 31).to_le_bytes()
        }));
    }
    bytes.extend(point_planes(&foam, quantisation.bounds));
    bytes
}

fn is_in(bounds: &Aabb, p: &[f64; 3]) -> bool {
    let (low, high) = (to_f64(&bounds.min), to_f64(&bounds.max));
    (0..3).all(|axis| (low[axis]..=high[axis]).contains(&p[axis]))
}

/// Points and a byte for each.
fn point_planes(points: &[([f64; 3], u8)], bounds: &Aabb) -> Vec<u8> {
    let (low, high) = (to_f64(&bounds.min), to_f64(&bounds.max));
    let axes = parallel::map_pieces(3, &|axis| {
        let place = |(p, _): &([f64; 3], u8)| {
            let part = (p[axis] - low[axis]) / (high[axis] - low[axis]);
            // What is not a number becomes 0.
            (part * STEPS).round().clamp(0.0, STEPS) as u16
        };
        planes(points.iter().map(place), |now, before| now.wrapping_sub(before).to_le_bytes())
    });
    let mut bytes = axes.concat();
    let values = points.iter().map(|&(_, value)| value);
    bytes.extend(planes(values, |now, before| [now.wrapping_sub(before)]));
    bytes
}

/// The corners of all triangles, numbered through all fluids.
fn corners(fluids: &[FluidFrame]) -> Vec<u32> {
    let (mut first, mut corners) = (0, Vec::new());
    for fluid in fluids {
        if let Some(faces) = &fluid.faces {
            corners.extend(faces.triangles.iter().flatten().map(|v| first + v));
        }
        first += fluid.positions.len() as u32;
    }
    corners
}

/// Numbers as planes of bytes, each as the difference from the previous one.
fn planes<T: Copy + Default, const N: usize>(
    numbers: impl Iterator<Item = T>,
    bytes_of: impl Fn(T, T) -> [u8; N],
) -> Vec<u8> {
    let mut before = T::default();
    let all: Vec<[u8; N]> =
        numbers.map(|now| bytes_of(now, std::mem::replace(&mut before, now))).collect();
    (0..N).flat_map(|k| all.iter().map(move |bytes| bytes[k])).collect()
}

/// A unit vector in two bytes: its place on an octahedron, folded open.
fn on_octahedron(n: &nalgebra::Vector3<f32>) -> [u8; 2] {
    let sum = (n.x.abs() + n.y.abs() + n.z.abs()).max(f32::MIN_POSITIVE);
    let (x, y) = (n.x / sum, n.y / sum);
    let sign = |x: f32| if x < 0.0 { -1.0 } else { 1.0 };
    let (x, y) = match n.z < 0.0 {
        true => ((1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y)),
        false => (x, y),
    };
    [x, y].map(|x| ((x * 0.5 + 0.5) * 255.0).round() as u8)
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}
