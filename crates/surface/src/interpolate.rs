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
use crate::field::profile;
use crate::field::surroundings::Surroundings;
use crate::field::volume_fraction::Field;
use crate::mesh::SurfaceMesh;
use crate::slices::split;
use hashfall_core::cell::{Cell, cell_key};
use hashfall_core::simd::{F32x8, Simd, WithSimd};
use hashfall_core::{Attribute, Real, Values, Vec3, to_f64};
use rayon::prelude::*;
use std::marker::PhantomData;
use std::ops::Range;

/// Vertices that a task takes.
const CHUNK: usize = 2048;

/// A gradient this small, relative to φ/h, says nothing about a direction.
const FLAT_GRADIENT: Real = 1e-4;

/// One number for each vertex of a batch.
type Batch = [Real; LANES];

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

/// Interpolates the attributes of the field's particles, and on request its normals, to a mesh.
pub(crate) fn interpolate_mesh(field: &Field, mesh: &mut SurfaceMesh, with_normals: bool) {
    let SurfaceMesh { positions, normals, .. } = mesh;
    if with_normals {
        *normals = vec![Vec3::zeros(); positions.len()];
    }
    let normals = if with_normals { normals.as_mut_slice() } else { &mut [] };
    if with_normals || !field.attributes().is_empty() {
        mesh.attributes = interpolate_at(field, positions, normals, field.attributes());
    }
    if with_normals {
        fill_missing_normals(mesh);
    }
}

/// Attributes of the field's particles at some points near them.
pub(crate) fn attributes_at(
    field: &Field,
    positions: &[Vec3],
    attributes: &[Attribute],
) -> Vec<Attribute<'static>> {
    interpolate_at(field, positions, &mut [], attributes)
}

/// Attributes at some points, and normals where there is room for them.
fn interpolate_at(
    field: &Field,
    positions: &[Vec3],
    normals: &mut [Vec3],
    attributes: &[Attribute],
) -> Vec<Attribute<'static>> {
    let total = positions.len();
    let counts = || (0..total.div_ceil(CHUNK)).map(|i| CHUNK.min(total - i * CHUNK));
    let mut at_points: Vec<_> = attributes.iter().map(|a| empty(a, total)).collect();
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
    if field.cells.is_isotropic() {
        interpolate_all::<Isotropic>(field, slots, attributes);
    } else {
        interpolate_all::<Anisotropic>(field, slots, attributes);
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

/// Fills all slots, with kernels of a shape.
fn interpolate_all<S: Metric>(field: &Field, slots: Vec<Slots>, attributes: &[Attribute]) {
    let shape = PhantomData::<S>;
    let interpolate =
        |slots| field.isa.run(InterpolateVertices { field, slots, attributes, shape });
    slots.into_par_iter().for_each(interpolate);
}

/// Normals and attributes of a chunk of vertices.
struct InterpolateVertices<'a, S> {
    field: &'a Field<'a>,
    slots: Slots<'a>,
    attributes: &'a [Attribute<'a>],
    shape: PhantomData<S>,
}

impl<S: Metric> WithSimd for InterpolateVertices<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run<I: Simd>(self, on: I) {
        let InterpolateVertices { field, mut slots, attributes, .. } = self;
        let mut around = Surroundings::default();
        let mut indices = Vec::new();
        let mut weights = Vec::new();
        let mut begin = 0;
        while begin < slots.positions.len() {
            let block = block_of(field, &slots.positions[begin]);
            let alike = |p: &&Vec3| block_of(field, p) == block;
            let count = slots.positions[begin..].iter().take_while(alike).count();
            around.gather(&field.cells, &field.grid, cell_key(block));
            around.list_indices(&mut indices);
            let end = begin + count;
            while begin < end {
                let batch = begin..end.min(begin + LANES);
                let local = local_points(field, block, &slots.positions[batch.clone()]);
                let sums = Sums::over::<I, S>(on, &around, &indices, &local, &mut weights);
                let normals = slots.normals.iter_mut().skip(batch.start).take(batch.len());
                normals.enumerate().for_each(|(lane, normal)| *normal = sums.normal(lane));
                for (to, from) in slots.attributes.iter_mut().zip(attributes) {
                    to.fill(batch.clone(), &from.values, &weights, &sums.weight);
                }
                begin = batch.end;
            }
        }
    }
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
fn local_points(field: &Field, block: Cell, points: &[Vec3]) -> [Batch; 3] {
    let origin = field.grid.origin(cell_key(block));
    let mut local = [[0.0; LANES]; 3];
    for (a, column) in local.iter_mut().enumerate() {
        for (lane, x) in column.iter_mut().enumerate() {
            let point = to_f64(points.get(lane).unwrap_or(&points[0]));
            *x = ((point[a] - origin[a]) / field.grid.h) as Real;
        }
    }
    local
}

/// Sums over the particles around each vertex of a batch.
struct Sums {
    /// φ = Σ V W.
    weight: Batch,
    /// h ∇φ.
    gradient: [Batch; 3],
}

#[inline(always)]
fn least(batch: &Batch) -> Real {
    batch.iter().fold(batch[0], |least, &x| if x < least { x } else { least })
}

#[inline(always)]
fn most(batch: &Batch) -> Real {
    batch.iter().fold(batch[0], |most, &x| if x > most { x } else { most })
}

impl Sums {
    #[inline(always)]
    fn over<I: Simd, S: Metric>(
        on: I,
        around: &Surroundings,
        indices: &[u32],
        [xs, ys, zs]: &[Batch; 3],
        weights: &mut Vec<(u32, Batch)>,
    ) -> Self {
        weights.clear();
        let (px, py, pz) = (on.load(xs), on.load(ys), on.load(zs));
        let zero = on.splat(0.0);
        let (mut phi, mut gx, mut gy, mut gz) = (zero, zero, zero, zero);
        let (low, high) = ([xs, ys, zs].map(least), [xs, ys, zs].map(most));
        let reach = on.splat(1.0);
        let mut i = 0;
        while i < around.all().end {
            let square = S::squares_to_box(on, around, i, low, high);
            let mut bits = reach.mask_above(square);
            while bits != 0 {
                let j = i + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let [x, y, z, w] = around.one(j);
                let (dx, dy, dz) = (px - on.splat(x), py - on.splat(y), pz - on.splat(z));
                let (square, [ux, uy, uz]) = S::measure(S::parameters(around, j), [dx, dy, dz]);
                let (value, slope) = profile::value_and_slope(square.sqrt());
                let (value, slope) = (value * on.splat(w), slope * on.splat(w));
                phi += value;
                gx += slope * ux;
                gy += slope * uy;
                gz += slope * uz;
                weights.push((indices[j], value.to_array()));
            }
            i += LANES;
        }
        Sums { weight: phi.to_array(), gradient: [gx.to_array(), gy.to_array(), gz.to_array()] }
    }

    /// The unit normal, or zero where the gradient vanishes.
    #[inline(always)]
    fn normal(&self, lane: usize) -> Vec3 {
        let gradient = Vec3::from(self.gradient.map(|g| g[lane]));
        let length = gradient.norm();
        if length > FLAT_GRADIENT * self.weight[lane] { gradient / -length } else { Vec3::zeros() }
    }
}

impl ValueSlots<'_> {
    /// The values of a batch of vertices from those of the particles around it.
    fn fill(
        &mut self,
        vertices: Range<usize>,
        from: &Values,
        weights: &[(u32, Batch)],
        total: &Batch,
    ) {
        match (self, from) {
            (ValueSlots::Scalars(to), Values::Scalars(from)) => {
                mean(&mut to[vertices], from, weights, total, 0.0);
            }
            (ValueSlots::Vectors(to), Values::Vectors(from)) => {
                mean(&mut to[vertices], from, weights, total, Vec3::zeros());
            }
            (ValueSlots::Labels(to), Values::Labels(from)) => {
                heaviest(&mut to[vertices], from, weights);
            }
            (ValueSlots::Integers(to), Values::Integers(from)) => {
                heaviest(&mut to[vertices], from, weights);
            }
            _ => unreachable!("a mesh is made with the attributes of its input"),
        }
    }
}

/// The value of the particle with the largest weight at each vertex of a batch.
fn heaviest<T: Copy>(to: &mut [T], from: &[T], weights: &[(u32, Batch)]) {
    for (lane, value) in to.iter_mut().enumerate() {
        let mut largest = 0.0;
        for &(i, weight) in weights {
            if weight[lane] > largest {
                (largest, *value) = (weight[lane], from[i as usize]);
            }
        }
    }
}

/// Shepard's mean of the particles' values at each vertex of a batch; zero where nothing weighs.
fn mean<T>(to: &mut [T], from: &[T], weights: &[(u32, Batch)], total: &Batch, zero: T)
where
    T: Copy + std::ops::AddAssign + std::ops::Mul<Real, Output = T>,
{
    for (lane, value) in to.iter_mut().enumerate() {
        let mut sum = zero;
        for &(i, weight) in weights {
            sum += from[i as usize] * weight[lane];
        }
        *value = if total[lane] > 0.0 { sum * (1.0 / total[lane]) } else { zero };
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
