//! What lies around each vertex: its triangles, as the sides opposite to it.
//!
//! In a closed, oriented mesh the triangle (v, a, b) leads around v from a to b, and each neighbour
//! of v is the start of exactly one such side. So one list serves those who ask for neighbours and
//! those who ask for triangles. All lists stand in one array (compressed rows), in the order of
//! the triangles: the same for any number of threads.

use crate::base::{Real, Vec3};

/// The sides opposite to each vertex.
pub(super) struct Rings {
    starts: Vec<u32>,
    sides: Vec<[u32; 2]>,
}

impl Rings {
    /// The rings of `vertices` vertices.
    pub fn of(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut starts = vec![0; vertices + 1];
        triangles.iter().flatten().for_each(|&v| starts[v as usize + 1] += 1);
        (0..vertices).for_each(|v| starts[v + 1] += starts[v]);
        let mut next = starts.clone();
        let mut sides = vec![[0; 2]; 3 * triangles.len()];
        for &[a, b, c] in triangles {
            for (v, side) in [(a, [b, c]), (b, [c, a]), (c, [a, b])] {
                let place = &mut next[v as usize];
                sides[*place as usize] = side;
                *place += 1;
            }
        }
        Rings { starts, sides }
    }

    /// The sides opposite to a vertex; their starts are its neighbours.
    #[inline(always)]
    pub fn of_vertex(&self, v: usize) -> &[[u32; 2]] {
        &self.sides[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    /// Twice the summed area vectors of the triangles around a vertex \[m²\]: six times the
    /// gradient of the enclosed volume.
    #[inline(always)]
    pub fn area_vector(&self, positions: &[Vec3], v: usize) -> Vec3 {
        let at = positions[v];
        let sides = self.of_vertex(v).iter();
        sides.fold(Vec3::zeros(), |sum, side| {
            let [a, b] = side.map(|v| positions[v as usize] - at);
            sum + a.cross(&b)
        })
    }

    /// The mean of a vertex's neighbours \[m\].
    #[inline(always)]
    pub fn mean_of_neighbors(&self, positions: &[Vec3], v: usize) -> Vec3 {
        let sides = self.of_vertex(v);
        let sum = sides.iter().fold(Vec3::zeros(), |sum, side| sum + positions[side[0] as usize]);
        sum / sides.len() as Real
    }
}
