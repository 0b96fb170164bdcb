//! What loops over pairs read of each particle and of its ghosts, once.
//!
//! Each particle has up to three blocks of four numbers, as many as a loop asks for, so that a
//! neighbour costs one place in memory for each block. Loops read blocks as rows
//! ([`super::row_sum`]), or transpose those of eight neighbours into lanes ([`super::pair_sum`]).
//!
//! - *points*: x, y, z, and a scalar;
//! - *vectors*: a vector, in most loops the velocity, and a scalar;
//! - *extras*: four numbers more.
//!
//! Positions are written when particles have moved. Before its loop a scheme or term sets the
//! columns that the loop reads; what it needs later it keeps itself, as the next loop overwrites
//! them. Ghosts stand behind the particles in each block, and take the columns of the particle that
//! they are images of.

use crate::step::pairs::ghosts::Ghosts;
use crate::world::World;
use hashfall_core::{Real, parallel};

/// Four numbers of a particle.
pub type Block = [Real; 4];

/// The columns of all particles and ghosts.
#[derive(Debug, Default)]
pub struct PairData {
    ghosts: Ghosts,
    /// Particles; ghosts stand behind them.
    count: usize,
    points: Vec<Block>,
    vectors: Vec<Block>,
    extras: Vec<Block>,
}

impl PairData {
    /// Takes the positions of all particles, and finds their ghosts.
    pub fn update(&mut self, world: &World) {
        let positions = &world.particles.position;
        if world.is_periodic() {
            self.ghosts.find(world);
        }
        self.count = positions.len();
        self.points.resize(self.count + self.ghosts.offsets().len(), Block::default());
        let (points, images) = self.points.split_at_mut(self.count);
        parallel::fill(points, |i, [x, y, z, _]| [*x, *y, *z] = positions[i].into());
        let offsets = self.ghosts.offsets();
        parallel::fill(images, |k, [x, y, z, _]| {
            let (source, offset) = offsets[k];
            [*x, *y, *z] = (positions[source as usize] + offset).into();
        });
    }

    /// Sets the scalar of the points.
    pub fn set_scalars(&mut self, value: impl Fn(usize) -> Real + Sync) {
        let (points, images) = self.points.split_at_mut(self.count);
        parallel::fill(points, |i, [.., scalar]| *scalar = value(i));
        let offsets = self.ghosts.offsets();
        parallel::fill(images, |k, [.., scalar]| *scalar = points[offsets[k].0 as usize][3]);
    }

    /// Sets the vectors, each with its scalar.
    pub fn set_vectors(&mut self, value: impl Fn(usize) -> Block + Sync) {
        set(&mut self.vectors, self.count, &self.ghosts, value);
    }

    /// Sets the vectors by `write(i, &mut items[i], &mut vectors[i])`.
    pub fn set_vectors_with<T: Send>(
        &mut self,
        items: &mut [T],
        write: impl Fn(usize, &mut T, &mut Block) + Sync,
    ) {
        self.vectors.resize(self.points.len(), Block::default());
        let (vectors, images) = self.vectors.split_at_mut(self.count);
        parallel::fill_both(items, vectors, write);
        copy_to_ghosts(vectors, images, &self.ghosts);
    }

    /// Sets vectors and extras.
    pub fn set_both(&mut self, value: impl Fn(usize) -> [Block; 2] + Sync) {
        for blocks in [&mut self.vectors, &mut self.extras] {
            blocks.resize(self.points.len(), Block::default());
        }
        let (vectors, vectors_of_images) = self.vectors.split_at_mut(self.count);
        let (extras, extras_of_images) = self.extras.split_at_mut(self.count);
        parallel::fill_both(vectors, extras, |i, vector, extra| [*vector, *extra] = value(i));
        copy_to_ghosts(vectors, vectors_of_images, &self.ghosts);
        copy_to_ghosts(extras, extras_of_images, &self.ghosts);
    }

    /// Gives the ghosts behind rows of all particles what those have.
    pub fn copy_to_ghosts(&self, rows: &mut [Block]) {
        let (rows, images) = rows.split_at_mut(self.count);
        copy_to_ghosts(rows, images, &self.ghosts);
    }

    /// Sets the extras.
    pub fn set_extras(&mut self, value: impl Fn(usize) -> Block + Sync) {
        set(&mut self.extras, self.count, &self.ghosts, value);
    }

    /// x, y, z \[m\] and the scalar of a particle.
    #[inline(always)]
    pub fn point(&self, i: usize) -> Block {
        self.points[i]
    }

    /// The vector of a particle and its scalar.
    #[inline(always)]
    pub fn vector(&self, i: usize) -> Block {
        self.vectors[i]
    }

    /// The extras of a particle.
    #[inline(always)]
    pub fn extra(&self, i: usize) -> Block {
        self.extras[i]
    }

    /// Particles, and the ghosts behind them.
    pub fn row_count(&self) -> usize {
        self.points.len()
    }

    /// All blocks: points, vectors, extras.
    pub fn blocks(&self) -> [&[Block]; 3] {
        [&self.points, &self.vectors, &self.extras]
    }

    /// The images of particles across periodic sides.
    pub fn ghosts(&self) -> &Ghosts {
        &self.ghosts
    }

    /// These blocks, without ghosts.
    #[cfg(test)]
    pub fn from_blocks(points: Vec<Block>, vectors: Vec<Block>) -> Self {
        PairData { count: points.len(), points, vectors, ..PairData::default() }
    }
}

/// Sets a column of blocks.
fn set(
    blocks: &mut Vec<Block>,
    count: usize,
    ghosts: &Ghosts,
    value: impl Fn(usize) -> Block + Sync,
) {
    blocks.resize(count + ghosts.offsets().len(), Block::default());
    let (blocks, images) = blocks.split_at_mut(count);
    parallel::fill(blocks, |i, block| *block = value(i));
    copy_to_ghosts(blocks, images, ghosts);
}

/// Gives ghosts what their particles have.
fn copy_to_ghosts(blocks: &[Block], images: &mut [Block], ghosts: &Ghosts) {
    let offsets = ghosts.offsets();
    parallel::fill(images, |k, image| *image = blocks[offsets[k].0 as usize]);
}
