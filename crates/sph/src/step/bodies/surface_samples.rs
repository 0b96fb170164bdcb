//! Points on the surfaces of free bodies, with their parts of the surface.
//!
//! They stand in the frame of the body, so that they are found once. Large triangles are cut, and
//! small ones of about one direction that lie in one cell of a grid are one sample: pressure does
//! not change over less than a spacing, and a body costs by its surface and not by its triangles.
//! All are scaled so that the volume ∮ x·n dA/3 is that of the solid; in the plane the surface is
//! cut by y = 0 and counts a metre of depth.

use crate::step::bodies::film::SampleGraph;
use crate::step::bodies::motions::FreeIndex;
use crate::world::World;
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Dimension, Real};
use hashfall_geometry::{Point, TriangleMesh, round_mesh, shape::sphere_mesh};
use hashfall_search::CellRows;
use hashfall_solid::Slip;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// The length of edges between samples, in spacings.
const LENGTH: f64 = 0.75;

/// Samples within this many such lengths are side by side.
const REACH: f64 = 1.5;

/// A part of the surface of a body.
#[derive(Clone, Copy, Debug)]
pub struct SurfaceSample {
    /// From the centre of mass, in the frame of the body \[m\].
    pub place: Point,
    /// The unit normal out of it times the area \[m²\].
    pub area: Point,
}

/// The surface of a free body.
#[derive(Clone, Debug)]
pub struct BodySurface {
    /// Its parts.
    pub samples: Vec<SurfaceSample>,
    /// Which of them are side by side.
    pub graph: SampleGraph,
    /// Whether viscous fluid sticks to it.
    pub sticks: bool,
}

/// The surface of each free body of a world: by its shape where the scene places it, so that a run
/// that is resumed has the same.
pub fn body_surfaces(world: &World) -> Vec<BodySurface> {
    let reach = REACH * LENGTH * f64::from(world.spacing());
    let surface = |(samples, sticks): (Vec<SurfaceSample>, bool)| {
        let places: Vec<Point> = samples.iter().map(|it| it.place).collect();
        let normals: Vec<Point> = samples.iter().map(|it| it.area.normalize()).collect();
        BodySurface { graph: SampleGraph::new(&places, &normals, reach), samples, sticks }
    };
    surface_samples(world).into_iter().map(surface).collect()
}

/// The parts of each, and whether fluid sticks to them.
fn surface_samples(world: &World) -> Vec<(Vec<SurfaceSample>, bool)> {
    let length = LENGTH * f64::from(world.spacing());
    let (solids, dimension) = (&world.solids, world.dimension);
    let index = FreeIndex::new(world);
    let mut by_body = vec![(Vec::new(), false); world.free_bodies.len()];
    let mut add = |object: usize, samples: Vec<SurfaceSample>| {
        let surface = solids.surface_of(object as u32);
        let (number, body) = (index.get(surface), surface.body());
        let (Some(number), Some(centre)) = (number, solids.rest_position(body)) else { return };
        let about_centre = |it: SurfaceSample| SurfaceSample { place: it.place - centre, ..it };
        let (parts, sticks) = &mut by_body[number];
        // Of a triangle with a corner in the plane the cut has no length.
        let samples = samples.into_iter().filter(|it| it.area != Point::zeros());
        parts.extend(samples.map(about_centre));
        *sticks |= solids.contact_law(surface).slip == Slip::No;
    };
    let is_free = |object: usize| index.get(solids.surface_of(object as u32)).is_some();
    let volume_of =
        |inside: Point, volume: f64| (dimension == Dimension::Three).then_some((inside, volume));
    let balls = solids.rest_spheres().len();
    for (object, ball) in solids.rest_spheres().iter().enumerate().filter(|it| is_free(it.0)) {
        let volume = 4.0 / 3.0 * PI * f64::from(ball.radius).powi(3);
        let mesh = sphere_mesh(&ball.centre, ball.radius, 4);
        let scale = volume_of(ball.centre.map(f64::from), volume);
        add(object, scaled(of_mesh(&mesh, length, dimension), scale));
    }
    for (k, round) in solids.rest_rounds().iter().enumerate().filter(|it| is_free(balls + it.0)) {
        let [from, to] = round.axis_ends();
        let scale = volume_of((from + to) * 0.5, round.volume());
        add(balls + k, scaled(of_mesh(&round_mesh(round).0, length, dimension), scale));
    }
    let mut first = balls + solids.rest_rounds().len();
    for mesh in solids.rest_meshes() {
        if !mesh.triangles.is_empty() && is_free(first) {
            let inside = mesh.vertices[0].map(f64::from);
            let scale = volume_of(inside, mesh.signed_volume());
            add(first, scaled(of_mesh(mesh, length, dimension), scale));
        }
        first += mesh.triangles.len();
    }
    by_body
}

/// Samples whose parts enclose this volume \[m³\] about a point inside.
fn scaled(samples: Vec<SurfaceSample>, volume: Option<(Point, f64)>) -> Vec<SurfaceSample> {
    let Some((inside, volume)) = volume else { return samples };
    let enclosed = samples.iter().map(|it| it.area.dot(&(it.place - inside))).sum::<f64>() / 3.0;
    let scale = if enclosed > 0.0 { volume / enclosed } else { 1.0 };
    let scaled = samples.into_iter().map(|it| SurfaceSample { area: it.area * scale, ..it });
    scaled.collect()
}

/// Samples of a closed mesh that are about `length` \[m\] apart.
fn of_mesh(mesh: &TriangleMesh, length: f64, dimension: Dimension) -> Vec<SurfaceSample> {
    let (mut samples, mut small) = (Vec::new(), Vec::new());
    for triangle in 0..mesh.triangles.len() {
        let corners = mesh.corners(triangle).map(|x| x.map(f64::from));
        match dimension {
            Dimension::Two => add_cut(&corners, length, &mut samples),
            Dimension::Three if is_small(&corners, length) => {
                add_triangle(&corners, length, &mut small);
            }
            Dimension::Three => add_triangle(&corners, length, &mut samples),
        }
    }
    samples.extend(merged(&small, length));
    samples
}

/// Whether a triangle is a fraction of a sample.
fn is_small(corners: &[Point; 3], length: f64) -> bool {
    let [a, b, c] = corners;
    let longest = (c - b).norm().max((a - c).norm()).max((b - a).norm());
    longest <= 0.5 * length
}

/// Sums over samples: of places by size, of areas, and of sizes.
#[derive(Default)]
struct SampleSums {
    places: Point,
    area: Point,
    size: f64,
}

/// Samples in one cell of a grid, and with one of the six directions along axes, made one.
fn merged(small: &[SurfaceSample], length: f64) -> impl Iterator<Item = SurfaceSample> {
    let mut groups = BTreeMap::<_, SampleSums>::new();
    for SurfaceSample { place, area } in small {
        let cell: [i64; 3] = std::array::from_fn(|axis| (place[axis] / length).floor() as i64);
        let axis = area.iamax();
        let group = groups.entry((cell, axis, area[axis] > 0.0)).or_default();
        let size = area.norm();
        group.places += place * size;
        group.area += area;
        group.size += size;
    }
    let groups = groups.into_values().filter(|sums| sums.size > 0.0);
    groups.map(|sums| SurfaceSample { place: sums.places / sums.size, area: sums.area })
}

/// Halves a triangle until its edges are short.
fn add_triangle(corners: &[Point; 3], length: f64, samples: &mut Vec<SurfaceSample>) {
    let [a, b, c] = corners;
    let edges = [(c - b).norm(), (a - c).norm(), (b - a).norm()];
    let longest = (0..3).fold(0, |most, k| if edges[k] > edges[most] { k } else { most });
    if edges[longest] <= length {
        let area = (b - a).cross(&(c - a)) * 0.5;
        return samples.push(SurfaceSample { place: (a + b + c) / 3.0, area });
    }
    let [from, to] = [(longest + 1) % 3, (longest + 2) % 3];
    let middle = (corners[from] + corners[to]) * 0.5;
    for end in [from, to] {
        let mut half = *corners;
        half[end] = middle;
        add_triangle(&half, length, samples);
    }
}

/// The cut of a triangle by y = 0, in pieces.
fn add_cut(corners: &[Point; 3], length: f64, samples: &mut Vec<SurfaceSample>) {
    let crossing = |k: usize| {
        let (a, b) = (&corners[k], &corners[(k + 1) % 3]);
        // Corners in the plane count as above it.
        let crosses = (a.y < 0.0) != (b.y < 0.0);
        crosses.then(|| a + (b - a) * (a.y / (a.y - b.y)))
    };
    let ends: Vec<Point> = (0..3).filter_map(crossing).collect();
    let [from, to] = ends[..] else { return };
    let mut normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    normal.y = 0.0;
    let (way, size) = (to - from, normal.norm());
    if size == 0.0 {
        return;
    }
    let count = (way.norm() / length).ceil().max(1.0);
    let area = normal * (way.norm() / count / size);
    let at = |k: usize| from + way * ((k as f64 + 0.5) / count);
    samples.extend((0..count as usize).map(|k| SurfaceSample { place: at(k), area }));
}

/// Something of each sample, in pieces, of which each has its own rows.
pub fn by_sample<T, F>(count: usize, find: &F) -> Vec<T>
where
    T: Send + Clone,
    F: Fn(usize, &mut CellRows) -> T + Sync,
{
    let pieces = parallel::map_pieces(count.div_ceil(CHUNK), &|chunk| {
        let mut rows = CellRows::default();
        let samples = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
        samples.map(|k| find(k, &mut rows)).collect::<Vec<_>>()
    });
    pieces.concat()
}

/// The precision of the state.
pub fn to_real(x: &Point) -> hashfall_core::Vec3 {
    x.map(|x| x as Real)
}
