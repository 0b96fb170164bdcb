//! The triangles around each vertex, as the sides opposite to it.
//!
//! In a closed, oriented mesh the triangle (v, a, b) leads around v from a to b, and each neighbour
//! of v is the start of exactly one such side. So one list gives both neighbours and triangles. All
//! lists are stored in one array (compressed rows), in the order of the triangles: the same for any
//! number of threads.

use hashfall_core::{Real, Vec3, parallel};
use nalgebra::Vector4;

/// A vector padded with a zero, so that loops load it at once.
pub(crate) type Padded = Vector4<Real>;

/// Pads vectors with zeros.
pub(crate) fn pad(vectors: &[Vec3]) -> Vec<Padded> {
    let mut padded = vec![Padded::zeros(); vectors.len()];
    parallel::fill(&mut padded, |v, to| *to = vectors[v].push(0.0));
    padded
}

/// The sides opposite to each vertex, their starts and ends apart: smoothing reads the starts only.
pub(crate) struct Rings {
    first: Vec<u32>,
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Rings {
    /// The rings of `vertices` vertices.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut first = vec![0; vertices + 1];
        triangles.iter().flatten().for_each(|&v| first[v as usize + 1] += 1);
        (0..vertices).for_each(|v| first[v + 1] += first[v]);
        let mut next = first.clone();
        let (mut starts, mut ends) = (vec![0; 3 * triangles.len()], vec![0; 3 * triangles.len()]);
        for &[a, b, c] in triangles {
            for [v, start, end] in [[a, b, c], [b, c, a], [c, a, b]] {
                let place = next[v as usize] as usize;
                (starts[place], ends[place]) = (start, end);
                next[v as usize] += 1;
            }
        }
        Rings { first, starts, ends }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.first.len() - 1
    }

    /// The neighbours of a vertex.
    #[inline(always)]
    pub fn neighbors(&self, v: usize) -> &[u32] {
        &self.starts[self.first[v] as usize..self.first[v + 1] as usize]
    }

    /// The sides opposite to a vertex: their starts and their ends.
    #[inline(always)]
    pub fn sides(&self, v: usize) -> (&[u32], &[u32]) {
        let range = self.first[v] as usize..self.first[v + 1] as usize;
        (&self.starts[range.clone()], &self.ends[range])
    }

    /// The triangles around a vertex, which is their first corner.
    #[inline(always)]
    pub fn triangles(&self, v: usize) -> impl Iterator<Item = [u32; 3]> {
        let range = self.first[v] as usize..self.first[v + 1] as usize;
        let sides = self.starts[range.clone()].iter().zip(&self.ends[range]);
        sides.map(move |(&a, &b)| [v as u32, a, b])
    }

    /// Twice the summed area vectors of the triangles around a vertex \[m²\]: six times the
    /// gradient of the enclosed volume.
    #[inline(always)]
    pub fn area_vector(&self, positions: &[Vec3], v: usize) -> Vec3 {
        let at = positions[v];
        self.triangles(v).fold(Vec3::zeros(), |sum, [_, a, b]| {
            sum + (positions[a as usize] - at).cross(&(positions[b as usize] - at))
        })
    }

    /// The area vectors of all vertices.
    pub fn area_vectors(&self, positions: &[Vec3]) -> Vec<Vec3> {
        let mut vectors = vec![Vec3::zeros(); positions.len()];
        parallel::fill(&mut vectors, |v, vector| *vector = self.area_vector(positions, v));
        vectors
    }
}
