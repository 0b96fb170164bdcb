//! Vertices: where the field passes iso along each crossing edge, with normal and attributes.
//!
//! - Position: linear interpolation of φ along the edge, kept [`EDGE_MARGIN`] of the edge away from
//!   its ends, so that a grid point with φ = iso to the bit gives small triangles, not flat ones.
//! - Normal: −∇φ/|∇φ| of the particles' field, not of the grid's. Where the gradient vanishes (the
//!   saddle between two drops), the area-weighted mean of the triangles around the vertex.
//! - Attributes: Σ Vⱼ W aⱼ / Σ Vⱼ W (Shepard 1968); a label is that of the particle with the
//!   largest V W, the first of equal ones.
//!
//! Both sums run over batches of vertices, which lie side by side in their block, so that one
//! particle is weighed against a whole batch at a time.
//!
//! Deviation from splashsurf: its linear interpolation goes up to the ends of the edge.

use super::SurfaceMesh;
use super::blocks::NearParticles;
use super::field::{Block, Field};
use super::grid::{LANES, absolute};
use super::marching::{Patch, split};
use crate::base::{Attribute, Real, Values, Vec3};
use crate::kernel::SmoothingKernel;
use rayon::prelude::*;
use std::ops::Range;

/// Least distance of a vertex from the ends of its edge, in edge lengths.
const EDGE_MARGIN: Real = 1.0 / 256.0;

/// A gradient this small, relative to φ/h, says nothing about a direction.
const FLAT_GRADIENT: Real = 1e-4;

/// One number for each vertex of a batch.
type Batch = [Real; LANES];

/// Where a block's vertices go.
struct Slots<'a> {
    positions: &'a mut [Vec3],
    normals: &'a mut [Vec3],
    attributes: Vec<ValueSlots<'a>>,
}

/// Where a block's vertices take one attribute.
enum ValueSlots<'a> {
    Scalars(&'a mut [Real]),
    Vectors(&'a mut [Vec3]),
    Labels(&'a mut [u32]),
}

/// Reused buffers of a thread.
#[derive(Default)]
struct Scratch {
    near: NearParticles,
    /// Vertices relative to the block \[m\].
    local: Vec<Vec3>,
    /// The particles that reach a batch of vertices, with V W at each vertex.
    weights: Vec<(u32, Batch)>,
}

/// Writes positions, normals (zero where the gradient vanishes) and attributes of all vertices.
pub(super) fn place(field: &Field, blocks: &[Block], patches: &[Patch], mesh: &mut SurfaceMesh) {
    let counts = || patches.iter().map(|p| p.vertices);
    let total = counts().sum();
    mesh.positions.resize(total, Vec3::zeros());
    mesh.normals.resize(total, Vec3::zeros());
    mesh.attributes = field.splats.attributes.iter().map(|a| empty(a, total)).collect();
    let mut slots: Vec<Slots> = split(&mut mesh.positions, counts())
        .into_iter()
        .zip(split(&mut mesh.normals, counts()))
        .map(|(positions, normals)| Slots { positions, normals, attributes: Vec::new() })
        .collect();
    for attribute in &mut mesh.attributes {
        let parts = slots_of(attribute, counts());
        slots.iter_mut().zip(parts).for_each(|(slots, part)| slots.attributes.push(part));
    }
    blocks
        .par_iter()
        .zip(patches)
        .zip(slots)
        .filter(|((_, patch), _)| patch.vertices > 0)
        .for_each_init(Scratch::default, |scratch, ((block, patch), slots)| {
            scratch.near.gather(&field.splats, &field.grid, &field.cells, block.key);
            find_vertices(field, blocks, patch, scratch);
            write(field, block.key, scratch, slots);
        });
}

/// An attribute like this one, for so many vertices.
fn empty(like: &Attribute, count: usize) -> Attribute<'static> {
    let values = match like.values {
        Values::Scalars(_) => Values::Scalars(vec![0.0; count].into()),
        Values::Vectors(_) => Values::Vectors(vec![Vec3::zeros(); count].into()),
        Values::Labels(_) => Values::Labels(vec![0; count].into()),
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
    }
}

/// Finds the vertices of a patch, in their order.
fn find_vertices(field: &Field, blocks: &[Block], patch: &Patch, scratch: &mut Scratch) {
    let grid = &field.grid;
    let Scratch { near, local, .. } = scratch;
    local.clear();
    for (i, row) in patch.rows.iter().enumerate() {
        for (axis, mut crossing) in row.along.into_iter().enumerate() {
            while crossing != 0 {
                let start = [crossing.trailing_zeros() as usize, i % grid.n, i / grid.n];
                crossing &= crossing - 1;
                let mut end = start;
                end[axis] += 1;
                let [a, b] = [start, end].map(|at| value(field, blocks, patch, near, at));
                let t = (grid.iso - a) / (b - a);
                // Values summed anew may differ from those that chose the edge by a rounding.
                let t = if t.is_finite() { t } else { 0.5 };
                let t = t.clamp(EDGE_MARGIN, 1.0 - EDGE_MARGIN);
                let mut vertex = grid.local(start);
                vertex[axis] += t * grid.spacing;
                local.push(vertex);
            }
        }
    }
}

/// The field at a corner of a block's cells: kept, or summed anew where no value was kept.
fn value(
    field: &Field,
    blocks: &[Block],
    patch: &Patch,
    near: &NearParticles,
    at: [usize; 3],
) -> Real {
    let n = field.grid.n;
    let corner = (0..3).fold(0, |corner, a| corner | usize::from(at[a] == n) << a);
    patch.corners[corner]
        .and_then(|i| blocks[i as usize].value(&field.grid, at.map(|i| i % n)))
        .unwrap_or_else(|| near.field_at(&field.grid, &field.grid.local(at)))
}

/// Writes the vertices of one block.
fn write(field: &Field, key: u64, scratch: &mut Scratch, mut slots: Slots) {
    let origin = field.grid.origin(key);
    for (slot, local) in slots.positions.iter_mut().zip(&scratch.local) {
        *slot = absolute(local, &origin);
    }
    let Scratch { near, local, weights } = scratch;
    for (batch, points) in local.chunks(LANES).enumerate() {
        let sums = Sums::over(field, near, points, weights);
        let vertices = batch * LANES..batch * LANES + points.len();
        for (lane, normal) in slots.normals[vertices.clone()].iter_mut().enumerate() {
            *normal = sums.normal(lane, field.grid.h);
        }
        for (to, from) in slots.attributes.iter_mut().zip(field.splats.attributes) {
            to.fill(vertices.clone(), &from.values, weights, &sums.weight);
        }
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
                for (lane, label) in to[vertices].iter_mut().enumerate() {
                    let mut largest = 0.0;
                    for &(i, weight) in weights {
                        if weight[lane] > largest {
                            (largest, *label) = (weight[lane], from[i as usize]);
                        }
                    }
                }
            }
            _ => unreachable!("a mesh is made with the attributes of its splats"),
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

/// Sums over the particles around each vertex of a batch.
#[derive(Default)]
struct Sums {
    /// φ = Σ V W.
    weight: Batch,
    /// ∇φ \[1/m\].
    gradient: [Batch; 3],
}

impl Sums {
    fn over(
        field: &Field,
        near: &NearParticles,
        points: &[Vec3],
        weights: &mut Vec<(u32, Batch)>,
    ) -> Self {
        let reach = field.grid.h * field.grid.h;
        weights.clear();
        // A last, smaller batch repeats its first vertex.
        let lane = |l: usize| points.get(l).unwrap_or(&points[0]);
        let at: [Batch; 3] = std::array::from_fn(|a| std::array::from_fn(|l| lane(l)[a]));
        let low = points.iter().fold(points[0], |low, p| low.inf(p));
        let high = points.iter().fold(points[0], |high, p| high.sup(p));
        let mut sums = Sums::default();
        let particles = near.positions.iter().zip(&near.volumes).zip(&near.indices);
        for ((x, &volume), &i) in particles {
            if (x.sup(&low).inf(&high) - x).norm_squared() < reach {
                weights.push((i, sums.add(field, &at, x, volume)));
            }
        }
        sums
    }

    #[inline(always)]
    fn add(&mut self, field: &Field, at: &[Batch; 3], x: &Vec3, volume: Real) -> Batch {
        let kernel = field.grid.kernel;
        let offset: [Batch; 3] = std::array::from_fn(|a| at[a].map(|p| p - x[a]));
        let [dx, dy, dz] = &offset;
        let distance: Batch =
            std::array::from_fn(|l| (dx[l] * dx[l] + dy[l] * dy[l] + dz[l] * dz[l]).sqrt());
        let weight = distance.map(|r| volume * kernel.value(r));
        let slope = distance.map(|r| volume * kernel.slope_over_r(r));
        add(&mut self.weight, |l| weight[l]);
        for (sum, offset) in self.gradient.iter_mut().zip(&offset) {
            add(sum, |l| slope[l] * offset[l]);
        }
        weight
    }

    /// The unit normal, or zero where the gradient vanishes.
    fn normal(&self, lane: usize, h: Real) -> Vec3 {
        let gradient = Vec3::from(self.gradient.map(|g| g[lane]));
        let length = gradient.norm();
        if length * h > FLAT_GRADIENT * self.weight[lane] {
            gradient / -length
        } else {
            Vec3::zeros()
        }
    }
}

/// Adds a term to each lane of a sum.
#[inline(always)]
fn add(sums: &mut Batch, term: impl Fn(usize) -> Real) {
    sums.iter_mut().enumerate().for_each(|(l, sum)| *sum += term(l));
}

/// Gives vertices without a normal the area-weighted mean of the triangles around them.
pub(super) fn mend_normals(mesh: &mut SurfaceMesh) {
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
        let x = |x: f64, y: f64, z: f64| crate::base::vec3([x, y, z]);
        let mut mesh = SurfaceMesh {
            positions: vec![x(0., 0., 0.), x(1., 0., 0.), x(0., 1., 0.), x(0., 0., 1.)],
            normals: vec![Vec3::zeros(), Vec3::x(), Vec3::x(), Vec3::x()],
            attributes: vec![],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        };
        mend_normals(&mut mesh);
        let expected = x(1., 0., 1.).normalize();
        assert!((mesh.normals[0] - expected).norm() < 1e-6, "{:?}", mesh.normals[0]);
        assert_eq!(mesh.normals[1], Vec3::x());
    }
}
