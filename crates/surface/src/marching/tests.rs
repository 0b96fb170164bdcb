//! Label fields on dense grids: all patterns of a cell, random ones, and what every mesh must be.

use crate::marching::cases::{CASES, EDGES};
use crate::marching::complex::{Complex, fluid_mesh, triangle_sides};
use crate::marching::patterns::{FACE, JunctionPattern, NODES};
use crate::mesh::SurfaceMesh;
use crate::mesh_audit::MeshAudit;
use crate::phases::label::{AIR, Label, Sides};
use crate::tests::random;
use hashfall_core::{Real, Vec3, vec3};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// What the corners of a cell have.
enum Corners {
    /// One label: no surface.
    One,
    /// Two labels: a case of marching cubes.
    Two { case: u8, sides: Sides },
    /// A junction.
    More,
}

impl Corners {
    fn new(labels: &[Label; 8]) -> Corners {
        let greater = labels.iter().copied().fold(AIR, Label::max);
        let lesser = labels.iter().copied().fold(Label::MAX, Label::min);
        if greater == lesser {
            return Corners::One;
        }
        if labels.iter().any(|&label| label != greater && label != lesser) {
            return Corners::More;
        }
        let bit = |(k, &label): (usize, &Label)| u8::from(label == greater) << k;
        let case = labels.iter().enumerate().map(bit).sum();
        Corners::Two { case, sides: Sides { greater, lesser } }
    }
}

/// Labels at the points of a cube of a grid.
struct Grid {
    edge: usize,
    labels: Vec<Label>,
}

impl Grid {
    /// Labels of the inner points, with others around them.
    fn padded(inner: usize, padding: Label, mut label: impl FnMut() -> Label) -> Self {
        let edge = inner + 2;
        let is_inner = |i: usize| (1..=inner).contains(&i);
        let at = |i: usize| [i % edge, i / edge % edge, i / edge / edge];
        let of = |i| if at(i).into_iter().all(is_inner) { label() } else { padding };
        Grid { edge, labels: (0..edge.pow(3)).map(of).collect() }
    }

    fn index(&self, at: [usize; 3]) -> usize {
        (at[2] * self.edge + at[1]) * self.edge + at[0]
    }

    /// All surfaces, of cells taken one by one; vertices stand on edges where `part` says.
    fn complex(&self, mut part: impl FnMut() -> f64) -> Complex {
        let mut complex = Complex::default();
        let mut edges = BTreeMap::new();
        let mut faces = BTreeMap::new();
        let cells = (self.edge - 1).pow(3);
        for cell in 0..cells {
            let side = self.edge - 1;
            let at = [cell % side, cell / side % side, cell / side / side];
            let corner = |k: usize| std::array::from_fn::<_, 3, _>(|a| at[a] + (k >> a & 1));
            let labels: [Label; 8] = std::array::from_fn(|k| self.labels[self.index(corner(k))]);
            let mut nodes = [u32::MAX; NODES];
            for (e, edge) in EDGES.iter().enumerate() {
                let end = edge.corner | 1 << edge.axis;
                if labels[edge.corner] == labels[end] {
                    continue;
                }
                let start = corner(edge.corner);
                nodes[e] = *edges.entry((start, edge.axis)).or_insert_with(|| {
                    let mut place = start.map(|i| i as f64);
                    place[edge.axis] += part();
                    complex.positions.push(vec3(place));
                    complex.positions.len() as u32 - 1
                });
            }
            match Corners::new(&labels) {
                Corners::One => {}
                Corners::Two { case, sides } => {
                    for triangle in CASES.triangles(case.into()) {
                        complex.triangles.push(triangle.map(|e| nodes[usize::from(e)]));
                        complex.sides.push(sides);
                    }
                }
                Corners::More => {
                    let pattern = JunctionPattern::new(&labels);
                    for &face in &pattern.faces {
                        let mut key = at;
                        key[face / 2] += face % 2;
                        nodes[FACE + face] = *faces.entry((key, face / 2)).or_insert_with(|| {
                            let mut place = key.map(|i| i as f64 + 0.5);
                            place[face / 2] = key[face / 2] as f64;
                            complex.positions.push(vec3(place));
                            complex.positions.len() as u32 - 1
                        });
                    }
                    let inner: Vec<Vec3> = pattern
                        .inner
                        .iter()
                        .map(|weights| {
                            let weighed = weights.iter().zip(nodes).filter(|(w, _)| **w > 0.0);
                            weighed.fold(Vec3::zeros(), |sum, (w, v)| {
                                sum + complex.positions[v as usize] * Real::from(*w)
                            })
                        })
                        .collect();
                    let first = complex.positions.len() as u32;
                    complex.positions.extend(inner);
                    for &(places, sides) in &pattern.triangles {
                        complex.triangles.push(places.map(|place| match place {
                            inner if inner >= NODES => first + (inner - NODES) as u32,
                            node => nodes[node],
                        }));
                        complex.sides.push(sides);
                    }
                }
            }
        }
        complex
    }
}

/// The mesh of each label; the first is that of the air, which is open at the grid's end only if
/// the padding is.
fn meshes(complex: &Complex, labels: Label) -> Vec<SurfaceMesh> {
    let vertex_sides = complex.vertex_sides();
    let of = |label| fluid_mesh(&complex.positions, &complex.triangles, &vertex_sides, label).mesh;
    (0..labels).map(of).collect()
}

fn faults(mesh: &SurfaceMesh) -> Option<MeshAudit> {
    let audit = mesh.audit();
    (!audit.is_sound()).then_some(audit)
}

/// Checks the meshes of all labels.
fn assert_sound(complex: &Complex, labels: Label, what: &dyn std::fmt::Debug) {
    let vertex_sides = complex.vertex_sides();
    for (triangle, sides) in complex.triangles.iter().zip(&complex.sides) {
        assert_eq!(
            triangle_sides(triangle, &vertex_sides),
            *sides,
            "{what:?}: a triangle of lines alone"
        );
    }
    for (label, mesh) in meshes(complex, labels).iter().enumerate() {
        assert_eq!(faults(mesh), None, "{what:?}: label {label}");
    }
}

/// Checks all patterns of this number of labels in a cell, within others.
fn assert_patterns_are_sound(labels: Label, paddings: &[Label]) {
    let count = usize::from(labels).pow(8);
    for &padding in paddings {
        (0..count).into_par_iter().for_each(|pattern| {
            let mut rest = pattern;
            let grid = Grid::padded(2, padding, || {
                let label = rest % usize::from(labels);
                rest /= usize::from(labels);
                label as Label
            });
            assert_sound(&grid.complex(|| 0.5), labels, &(padding, pattern));
        });
    }
}

#[test]
fn all_patterns_of_three_labels_are_sound() {
    assert_patterns_are_sound(3, &[0, 2]);
}

/// In air alone, as they are many.
#[test]
fn all_patterns_of_four_labels_are_sound() {
    assert_patterns_are_sound(4, &[0]);
}

#[test]
fn random_labels_are_sound() {
    for seed in 0..400 {
        let mut random = random(seed);
        let labels = 2 + (random() * 7.0) as Label;
        let edge = 3 + (random() * 5.0) as usize;
        let padding = if random() < 0.5 { AIR } else { labels - 1 };
        let grid = Grid::padded(edge, padding, || (random() * f64::from(labels)) as Label);
        let mut at = crate::tests::random(seed + 1000);
        let complex = grid.complex(|| 1.0 / 256.0 + at() * 254.0 / 256.0);
        assert_sound(&complex, labels, &seed);
    }
}

#[test]
fn all_eight_labels_of_a_cell_may_differ() {
    let mut next = 0;
    let grid = Grid::padded(2, 9, || {
        next += 1;
        next
    });
    assert_sound(&grid.complex(|| 0.5), 10, &"eight labels");
}

#[test]
fn one_fluid_has_the_triangles_of_marching_cubes() {
    let mut random = random(4);
    let grid = Grid::padded(6, AIR, || u8::from(random() < 0.5));
    let complex = grid.complex(|| 0.5);
    let [_, fluid] = &meshes(&complex, 2)[..] else { panic!("two labels") };
    assert_eq!(fluid.triangles, complex.triangles);
    assert_eq!(fluid.positions, complex.positions);
}
