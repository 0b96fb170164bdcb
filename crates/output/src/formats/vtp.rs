//! Frames and obstacles as `.vtp`, for ParaView and other readers of VTK.
//!
//! Numbers keep the precision of the state (Float32; Float64 with the `f64` feature). The caller
//! vouches that they are finite: a run stops before it writes a NaN.

use super::obstacles::{Drawing, Obstacle};
use super::particle_arrays::ParticleFrame;
use super::vtk_xml::{Cells, DataArray, PolyData};
use crate::disk::content::Content;
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_surface::SurfaceMesh;
use std::rc::Rc;

/// The particles in order of id: position \[m\], `velocity` \[m/s\], `density` \[kg/m³\],
/// `pressure` \[Pa\], `id`, `phase` (which fluid), `age` \[s\] and `radius` \[m\], and their time
/// \[s\] as `TimeValue`.
///
/// The radius is the same for all. It stands at each point, as ParaView scales points and glyphs
/// by nothing else.
pub fn particles<'a>(frame: &ParticleFrame<'a>) -> Content<'a> {
    let ParticleFrame { particles, radius, time } = *frame;
    let order: Rc<[u32]> = particles.order_by_id().into();
    let in_order = || {
        let order = order.clone();
        (0..order.len()).map(move |k| order[k] as usize)
    };
    PolyData {
        time: Some(time),
        points: vectors("Points", in_order().map(|i| &particles.position[i])),
        point_data: vec![
            vectors("velocity", in_order().map(|i| &particles.velocity[i])),
            DataArray::scalars("density", in_order().map(|i| particles.density[i])),
            DataArray::scalars("pressure", in_order().map(|i| particles.pressure[i])),
            DataArray::scalars("id", in_order().map(|i| particles.id[i])),
            DataArray::scalars("phase", in_order().map(|i| particles.phase[i])),
            DataArray::scalars("age", in_order().map(move |i| particles.age(i, time))),
            DataArray::scalars("radius", in_order().map(move |_| radius)),
        ],
        cells: Cells::OnePolyVertex,
    }
    .into_content()
}

/// The fluid's surface, with `Normals` and its attributes; at a time \[s\], if that is known.
pub fn surface(mesh: &SurfaceMesh, time: Option<f64>) -> Content<'_> {
    PolyData {
        time,
        points: vectors("Points", mesh.positions.iter()),
        point_data: std::iter::once(vectors("Normals", mesh.normals.iter()))
            .chain(mesh.attributes.iter().map(attribute))
            .collect(),
        cells: Cells::triangles(mesh.triangles.iter().copied()),
    }
    .into_content()
}

/// An obstacle, with `Normals` where it is smooth; at a time \[s\], if it moves.
pub fn obstacle<'a>(obstacle: &Obstacle<'a>, time: Option<f64>) -> Content<'a> {
    let drawing = Rc::new(obstacle.drawing());
    let of_vertices = |name, of: fn(&Drawing<'a>, usize) -> Vec3| {
        let drawing = drawing.clone();
        let vectors = (0..drawing.vertices()).map(move |k| of(&drawing, k).into());
        DataArray::tuples::<Real, 3>(name, vectors)
    };
    let normals = drawing.is_smooth().then(|| of_vertices("Normals", Drawing::normal));
    let points = of_vertices("Points", Drawing::vertex);
    let cells = (0..drawing.triangles()).map(move |k| drawing.triangle(k));
    let cells = Cells::triangles(cells);
    PolyData { time, points, point_data: normals.into_iter().collect(), cells }.into_content()
}

fn attribute<'a>(attribute: &'a Attribute) -> DataArray<'a> {
    match &attribute.values {
        Values::Scalars(scalars) => DataArray::scalars(&attribute.name, scalars.iter().copied()),
        Values::Vectors(all) => vectors(&attribute.name, all.iter()),
        Values::Labels(labels) => DataArray::scalars(&attribute.name, labels.iter().copied()),
        Values::Integers(integers) => whole_numbers(&attribute.name, integers),
    }
}

/// Whole numbers in the smallest type of 32 or 64 bits that holds them all.
fn whole_numbers<'a>(name: &'a str, integers: &'a [i128]) -> DataArray<'a> {
    let least = integers.iter().copied().min().unwrap_or(0);
    let largest = integers.iter().copied().max().unwrap_or(0);
    let fits = |low: i128, high: i128| low <= least && largest <= high;
    if fits(i32::MIN.into(), i32::MAX.into()) {
        DataArray::scalars(name, integers.iter().map(|&x| x as i32))
    } else if fits(i64::MIN.into(), i64::MAX.into()) {
        DataArray::scalars(name, integers.iter().map(|&x| x as i64))
    } else {
        DataArray::scalars(name, integers.iter().map(|&x| x as u64))
    }
}

fn vectors<'a>(
    name: &'a str,
    vectors: impl ExactSizeIterator<Item = &'a Vec3> + 'a,
) -> DataArray<'a> {
    DataArray::tuples::<Real, 3>(name, vectors.map(|v| [v.x, v.y, v.z]))
}
