//! Normals and attributes at the vertices, interpolated from the particles.
//!
//! - Normal: −∇φ/|∇φ| of the particles' field, not of the grid's. Where the gradient vanishes (the
//!   saddle between two drops), the area-weighted mean of the triangles around the vertex.
//! - Attributes: Σ Vⱼ W aⱼ / Σ Vⱼ W (Shepard 1968). A label or another integer is that of the
//!   particle with the largest V W, the first of equal ones.
//!
//! Vertices may be anywhere, so smoothing may move them first. Both sums run over batches of eight
//! neighbouring vertices: one particle is weighted for a whole batch at a time.

use crate::field::anisotropic_metric::{Anisotropic, Isotropic, Metric};
use crate::field::lanes::LANES;
use crate::field::surroundings::Surroundings;
use crate::field::volume_fraction::Field;
use crate::kernel_sums::{Batch, Sums};
use crate::mesh::SurfaceMesh;
use crate::slices::split;
use hashfall_core::cell::{Cell, cell_key};
use hashfall_core::simd::{Simd, WithSimd};
use hashfall_core::{Attribute, Real, Values, Vec3, parallel, to_f64};
use std::marker::PhantomData;

/// Vertices that a task takes.
const CHUNK: usize = 2048;

/// Where a chunk of vertices takes its values.
struct Slots<'a> {
    positions: &'a [Vec3],
    /// Empty if normals are not requested.
    normals: &'a mut [Vec3],
    attributes: Vec<ValueSlots<'a>>,
}

/// Where vertices take one attribute.
enum ValueSlots<'a> {
    Scalars(&'a mut [Real]),
    Vectors(&'a mut [Vec3]),
    Labels(&'a mut [u32]),
    Integers(&'a mut [i128]),
}

/// Values at and beyond which it does not matter what they are, so that no mean is formed where all
/// particles around are on one side.
#[derive(Clone, Copy)]
pub(crate) struct Plateaus {
    pub low: Real,
    pub high: Real,
}

/// Interpolates the attributes of the field's particles, and on request its normals, to a mesh.
pub(crate) fn interpolate_mesh(field: &Field, mesh: &mut SurfaceMesh, with_normals: bool) {
    let SurfaceMesh { positions, normals, .. } = mesh;
    if with_normals {
        *normals = vec![Vec3::zeros(); positions.len()];
    }
    let normals = if with_normals { normals.as_mut_slice() } else { &mut [] };
    if with_normals || !field.attributes().is_empty() {
        let quantities = Quantities { attributes: field.attributes(), plateaus: None };
        mesh.attributes = interpolate_at(field, positions, normals, &quantities);
    }
    if with_normals {
        fill_missing_normals(mesh);
    }
}

/// Scalars of the field's particles at some points within reach of one; zero where there are none
/// around. Where all particles around a point are on a plateau, it gets the bound.
pub(crate) fn scalars_at(
    field: &Field,
    positions: &[Vec3],
    scalars: &[Real],
    plateaus: Plateaus,
) -> Vec<Real> {
    let scalars = [Attribute::scalars("", scalars)];
    let quantities = Quantities { attributes: &scalars, plateaus: Some(plateaus) };
    let at_points = interpolate_at(field, positions, &mut [], &quantities).pop();
    match at_points.map(|attribute| attribute.values) {
        Some(Values::Scalars(scalars)) => scalars.into_owned(),
        _ => unreachable!("scalars stay scalars"),
    }
}

/// What is interpolated.
struct Quantities<'a> {
    attributes: &'a [Attribute<'a>],
    /// Those of one attribute of scalars.
    plateaus: Option<Plateaus>,
}

/// Attributes at some points, and normals where there is room for them.
fn interpolate_at(
    field: &Field,
    positions: &[Vec3],
    normals: &mut [Vec3],
    quantities: &Quantities,
) -> Vec<Attribute<'static>> {
    let total = positions.len();
    let counts = || (0..total.div_ceil(CHUNK)).map(|i| CHUNK.min(total - i * CHUNK));
    let mut at_points: Vec<_> = quantities.attributes.iter().map(|a| empty(a, total)).collect();
    let has_normals = !normals.is_empty();
    let mut normals = normals.chunks_mut(CHUNK);
    let mut slots: Vec<Slots> = positions
        .chunks(CHUNK)
        .map(|positions| Slots {
            positions,
            normals: normals.next().unwrap_or_default(),
            attributes: Vec::new(),
        })
        .collect();
    for attribute in &mut at_points {
        let parts = slots_of(attribute, counts());
        slots.iter_mut().zip(parts).for_each(|(slots, part)| slots.attributes.push(part));
    }
    match (field.cells.is_isotropic(), has_normals) {
        (true, false) => interpolate_all::<Isotropic, false>(field, &mut slots, quantities),
        (true, true) => interpolate_all::<Isotropic, true>(field, &mut slots, quantities),
        (false, false) => interpolate_all::<Anisotropic, false>(field, &mut slots, quantities),
        (false, true) => interpolate_all::<Anisotropic, true>(field, &mut slots, quantities),
    }
    at_points
}

/// An attribute of the same name and type, for `count` vertices.
fn empty(like: &Attribute, count: usize) -> Attribute<'static> {
    let values = match like.values {
        Values::Scalars(_) => Values::Scalars(vec![0.0; count].into()),
        Values::Vectors(_) => Values::Vectors(vec![Vec3::zeros(); count].into()),
        Values::Labels(_) => Values::Labels(vec![0; count].into()),
        Values::Integers(_) => Values::Integers(vec![0; count].into()),
    };
    Attribute::new(like.name.clone().into_owned(), values)
}

/// The consecutive parts of an attribute.
fn slots_of<'m>(
    attribute: &'m mut Attribute<'static>,
    counts: impl Iterator<Item = usize>,
) -> Vec<ValueSlots<'m>> {
    match &mut attribute.values {
        Values::Scalars(all) => {
            split(all.to_mut(), counts).into_iter().map(ValueSlots::Scalars).collect()
        }
        Values::Vectors(all) => {
            split(all.to_mut(), counts).into_iter().map(ValueSlots::Vectors).collect()
        }
        Values::Labels(all) => {
            split(all.to_mut(), counts).into_iter().map(ValueSlots::Labels).collect()
        }
        Values::Integers(all) => {
            split(all.to_mut(), counts).into_iter().map(ValueSlots::Integers).collect()
        }
    }
}

/// Fills all slots, with kernels of a shape, and with `NORMALS` those.
fn interpolate_all<S: Metric, const NORMALS: bool>(
    field: &Field,
    slots: &mut [Slots],
    quantities: &Quantities,
) {
    let shape = PhantomData::<S>;
    parallel::fill_pieces(slots, &|_, slots| {
        field.isa.run(InterpolateVertices::<S, NORMALS> { field, slots, quantities, shape });
    });
}

/// Normals and attributes of a chunk of vertices.
struct InterpolateVertices<'a, 's, S, const NORMALS: bool> {
    field: &'a Field<'a>,
    slots: &'a mut Slots<'s>,
    quantities: &'a Quantities<'a>,
    shape: PhantomData<S>,
}

impl<S: Metric, const NORMALS: bool> WithSimd for InterpolateVertices<'_, '_, S, NORMALS> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, on: I) {
        let InterpolateVertices { field, slots, quantities, .. } = self;
        let Quantities { attributes, plateaus } = *quantities;
        let mut around = Surroundings::default();
        let mut indices = Vec::new();
        let mut weights = Vec::new();
        let order = by_blocks(field, slots.positions);
        for of_block in order.chunk_by(|a, b| a.0 == b.0) {
            let block = of_block[0].0;
            around.gather(&field.cells, &field.grid, block);
            if let Some(plateaus) = plateaus
                && let Some(value) = plateaus.bound_of(&attributes[0].values, &around)
            {
                of_block.iter().for_each(|&(_, v)| slots.attributes[0].put(v, value));
                continue;
            }
            around.list_indices(&mut indices);
            for batch in of_block.chunks(LANES) {
                let local = local_points(field, block, batch, slots.positions);
                let sums = Sums::over::<I, S, NORMALS>(on, &around, &indices, &local, &mut weights);
                if NORMALS {
                    let lanes = batch.iter().enumerate();
                    lanes.for_each(|(lane, &(_, v))| slots.normals[v as usize] = sums.normal(lane));
                }
                for (to, from) in slots.attributes.iter_mut().zip(attributes) {
                    to.fill(batch, &from.values, &weights, &sums.weight);
                }
            }
        }
    }
}

/// A vertex of a chunk, by the block that holds it.
type InBlock = (u64, u32);

/// The vertices of a chunk, those of a block together.
#[inline(always)]
fn by_blocks(field: &Field, positions: &[Vec3]) -> Vec<InBlock> {
    let key = |point: &Vec3| cell_key(block_of(field, point));
    let mut order: Vec<InBlock> = positions.iter().map(key).zip(0..).collect();
    if !order.is_sorted() {
        order.sort_unstable();
    }
    order
}

/// The block that holds a point.
#[inline(always)]
fn block_of(field: &Field, point: &Vec3) -> Cell {
    let edge = field.grid.block_edge();
    to_f64(point).map(|x| (x / edge).floor() as i32)
}

/// Up to eight points relative to a block's lowest corner \[h\]; the first again in lanes without.
#[inline(always)]
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn local_points(field: &Field, block: u64, batch: &[InBlock], points: &[Vec3]) -> [Batch; 3] {
    let origin = field.grid.origin(block);
    let mut local = [[0.0; LANES]; 3];
    for (a, column) in local.iter_mut().enumerate() {
        for (lane, x) in column.iter_mut().enumerate() {
            let (_, v) = batch.get(lane).unwrap_or(&batch[0]);
            let point = to_f64(&points[*v as usize]);
            *x = ((point[a] - origin[a]) / field.grid.h) as Real;
        }
    }
    local
}

impl Plateaus {
    /// The bound that the values of all particles around are at or beyond; none without particles.
    #[inline(always)]
    fn bound_of(&self, values: &Values, around: &Surroundings) -> Option<Real> {
        let Values::Scalars(values) = values else { return None };
        let mut of_all = around.places().map(|i| values[i]);
        let first = of_all.next()?;
        let (least, most) = of_all.fold((first, first), |(l, m), x| (l.min(x), m.max(x)));
        if least >= self.high {
            return Some(self.high);
        }
        (most <= self.low).then_some(self.low)
    }
}

impl ValueSlots<'_> {
    /// Gives a vertex a scalar.
    fn put(&mut self, vertex: u32, value: Real) {
        if let ValueSlots::Scalars(to) = self {
            to[vertex as usize] = value;
        }
    }

    /// The values of a batch of vertices from those of the particles around it.
    fn fill(&mut self, batch: &[InBlock], from: &Values, weights: &[(u32, Batch)], total: &Batch) {
        match (self, from) {
            (ValueSlots::Scalars(to), Values::Scalars(from)) => {
                mean(to, batch, from, weights, total, 0.0);
            }
            (ValueSlots::Vectors(to), Values::Vectors(from)) => {
                mean(to, batch, from, weights, total, Vec3::zeros());
            }
            (ValueSlots::Labels(to), Values::Labels(from)) => {
                heaviest(to, batch, from, weights);
            }
            (ValueSlots::Integers(to), Values::Integers(from)) => {
                heaviest(to, batch, from, weights);
            }
            _ => unreachable!("a mesh is made with the attributes of its input"),
        }
    }
}

/// The value of the particle with the largest weight at each vertex of a batch.
fn heaviest<T: Copy>(to: &mut [T], batch: &[InBlock], from: &[T], weights: &[(u32, Batch)]) {
    for (lane, &(_, v)) in batch.iter().enumerate() {
        let mut largest = 0.0;
        for &(i, weight) in weights {
            if weight[lane] > largest {
                (largest, to[v as usize]) = (weight[lane], from[i as usize]);
            }
        }
    }
}

/// Shepard's mean of the particles' values at each vertex of a batch; zero where nothing weighs.
fn mean<T>(
    to: &mut [T],
    batch: &[InBlock],
    from: &[T],
    weights: &[(u32, Batch)],
    total: &Batch,
    zero: T,
) where
    T: Copy + std::ops::AddAssign + std::ops::Mul<Real, Output = T>,
{
    let mut sums = [zero; LANES];
    for &(i, weight) in weights {
        let value = from[i as usize];
        sums.iter_mut().zip(weight).for_each(|(sum, weight)| *sum += value * weight);
    }
    for (lane, &(_, v)) in batch.iter().enumerate() {
        let weight = total[lane];
        to[v as usize] = if weight > 0.0 { sums[lane] * (1.0 / weight) } else { zero };
    }
}

/// Replaces missing normals by the area-weighted mean of the triangles around the vertex.
pub(crate) fn fill_missing_normals(mesh: &mut SurfaceMesh) {
    let is_missing: Vec<bool> = mesh.normals.iter().map(|n| *n == Vec3::zeros()).collect();
    if !is_missing.contains(&true) {
        return;
    }
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| mesh.positions[v as usize]);
        let normal = (b - a).cross(&(c - a));
        for v in triangle.map(|v| v as usize).into_iter().filter(|&v| is_missing[v]) {
            mesh.normals[v] += normal;
        }
    }
    for (normal, _) in mesh.normals.iter_mut().zip(is_missing).filter(|(_, missing)| *missing) {
        // Triangles can cancel out only at a saddle seen alike from both sides: any axis serves.
        *normal = normal.try_normalize(0.0).unwrap_or_else(Vec3::z);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_without_gradient_takes_the_mean_of_its_triangles() {
        let x = |x: f64, y: f64, z: f64| hashfall_core::vec3([x, y, z]);
        let mut mesh = SurfaceMesh {
            positions: vec![x(0., 0., 0.), x(1., 0., 0.), x(0., 1., 0.), x(0., 0., 1.)],
            normals: vec![Vec3::zeros(), Vec3::x(), Vec3::x(), Vec3::x()],
            attributes: vec![],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        fill_missing_normals(&mut mesh);
        let expected = x(1., 0., 1.).normalize();
        assert!((mesh.normals[0] - expected).norm() < 1e-6, "{:?}", mesh.normals[0]);
        assert_eq!(mesh.normals[1], Vec3::x());
    }
}
