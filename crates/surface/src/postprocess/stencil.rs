//! The neighbours of each vertex in rows of one width, which loops read without branches.
//!
//! A row has eight places; where a vertex has fewer neighbours, it stands in the rest itself, which
//! adds nothing to a sum of differences. The few vertices with more neighbours have them in the
//! [`Rings`].

use crate::postprocess::rings::{Padded, Rings};
use hashfall_core::{Real, Vec3, parallel};
use std::ops::{Add, Mul, Sub};

/// Places of a row: 97 of 100 vertices have no more neighbours.
const WIDTH: usize = 8;

/// What a vertex has: a number or a vector, zero by default.
pub(crate) trait Value: Copy + Default + Send + Sync
where
    Self: Add<Output = Self> + Sub<Output = Self> + Mul<Real, Output = Self>,
{
}

impl Value for Real {}
impl Value for Vec3 {}
impl Value for Padded {}

/// The neighbours of one vertex.
type Row = [u32; WIDTH];

/// The neighbours of all vertices.
#[derive(Clone)]
pub(crate) struct Stencil<'a> {
    pub rings: &'a Rings,
    rows: Vec<Row>,
    /// One over the number of neighbours \[–\]; less than 0 where a row does not hold them.
    shares: Vec<Real>,
}

impl<'a> Stencil<'a> {
    pub fn new(rings: &'a Rings) -> Self {
        let mut rows = vec![[0; WIDTH]; rings.vertices()];
        let mut shares = vec![0.0; rows.len()];
        parallel::fill_both(&mut rows, &mut shares, |v, row, share| {
            let around = rings.neighbors(v);
            *share = 1.0 / around.len().max(1) as Real;
            if around.len() > WIDTH {
                *share = -*share;
            }
            *row = [v as u32; WIDTH];
            row.iter_mut().zip(around).for_each(|(to, &u)| *to = u);
        });
        Stencil { rings, rows, shares }
    }

    /// The same with other neighbours for some of the vertices.
    pub fn with(&self, others: &[(usize, [u32; 2])]) -> Self {
        let mut changed = self.clone();
        for &(v, around) in others {
            changed.rows[v] = [v as u32; WIDTH];
            changed.rows[v][..around.len()].copy_from_slice(&around);
            changed.shares[v] = 1.0 / around.len() as Real;
        }
        changed
    }

    /// The mean difference of a vertex's neighbours from its own value.
    #[inline(always)]
    pub fn mean_difference<T: Value>(&self, values: &[T], v: usize) -> T {
        self.sum_of_differences(values, v) * self.shares[v].abs()
    }

    /// One over the number of a vertex's neighbours, and one more.
    #[inline(always)]
    pub fn share_with_itself(&self, v: usize) -> Real {
        let share = self.shares[v].abs();
        share / (1.0 + share)
    }

    /// The sum of the differences of a vertex's neighbours from its own value.
    #[inline(always)]
    pub fn sum_of_differences<T: Value>(&self, values: &[T], v: usize) -> T {
        let centre = values[v];
        if self.shares[v] < 0.0 {
            let around = self.rings.neighbors(v);
            return around.iter().fold(T::default(), |sum, &u| sum + (values[u as usize] - centre));
        }
        let row = &self.rows[v];
        let pair = |k: usize| {
            let [u, w] = [row[k], row[k + 1]];
            (values[u as usize] - centre) + (values[w as usize] - centre)
        };
        (pair(0) + pair(2)) + (pair(4) + pair(6))
    }
}
