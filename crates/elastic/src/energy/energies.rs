//! The energies of all bodies together: what they hold, and their forces at the nodes.
//!
//! Every energy writes into its own slots; then each node adds up its slots, in the order of the
//! energies, their elements and their corners. Nothing is allocated but in [`Buffers`], once.

use super::elements::{CornerBound, Energy, NodeBound};
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::ops::AddAssign;

/// Energies over common nodes.
#[derive(Debug)]
pub struct Energies {
    all: Vec<Box<dyn Energy>>,
    /// Of each node, where its part of `slots` begins; one more at the end.
    starts: Vec<u32>,
    /// The slots of each node, ascending.
    slots: Vec<u32>,
}

/// Slots for the corners of all elements. Cleared by nobody: each pass writes all of them.
#[derive(Clone, Debug, Default)]
pub struct SlotBuffer<T>(Vec<T>);

impl Energies {
    /// Of `node_count` nodes.
    ///
    /// # Panics
    /// If a corner is not among them, or there are 2³² corners.
    pub fn new(all: Vec<Box<dyn Energy>>, node_count: usize) -> Self {
        let corners = || all.iter().flat_map(|energy| energy.nodes());
        let mut starts = vec![0_u32; node_count + 1];
        corners().for_each(|&node| starts[node as usize + 1] += 1);
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut slots = vec![0; starts[node_count] as usize];
        for (slot, &node) in (0_u32..).zip(corners()) {
            let place = &mut next[node as usize];
            slots[*place as usize] = slot;
            *place += 1;
        }
        Energies { all, starts, slots }
    }

    /// One after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &dyn Energy> {
        self.all.iter().map(|energy| &**energy)
    }

    /// Corners of all elements.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Blocks of the matrices of all elements.
    pub fn block_count(&self) -> usize {
        self.all.iter().map(|energy| energy.block_count()).sum()
    }

    /// The elastic energy \[J\].
    pub fn energy(&self, x: &[Point]) -> f64 {
        let energies: Vec<f64> = self.all.iter().map(|energy| energy.energy(x)).collect();
        let [sum] = parallel::sum(energies.len(), |k| [energies[k]]);
        sum
    }

    /// The forces on the nodes \[N\], those of damping with them.
    pub fn forces(
        &self,
        x: &[Point],
        v: &[Point],
        buffer: &mut SlotBuffer<Point>,
        out: &mut [Point],
    ) {
        let slots = buffer.resized(self.slot_count());
        write_slots(&self.all, slots, &|energy, slots| energy.forces(x, v, slots));
        self.gather(slots, out);
    }

    /// The blocks of ∂²W/∂x² of all elements \[N/m\], energy by energy.
    pub fn stiffness(&self, x: &[Point], blocks: &mut [Matrix3<f64>]) {
        write_blocks(&self.all, blocks, &|energy, blocks| energy.stiffness(x, blocks));
    }

    /// The blocks of −∂f/∂v of all elements \[N·s/m\], energy by energy.
    pub fn damping(&self, x: &[Point], blocks: &mut [Matrix3<f64>]) {
        write_blocks(&self.all, blocks, &|energy, blocks| energy.damping(x, blocks));
    }

    /// What bounds stiffness at each node, and damping, if that counts: the whole matrices are at
    /// most the block-diagonal ones of these.
    pub fn bounds(
        &self,
        x: &[Point],
        is_damped: bool,
        buffer: &mut SlotBuffer<CornerBound>,
        out: &mut [NodeBound],
    ) {
        let slots = buffer.resized(self.slot_count());
        write_slots(&self.all, slots, &|energy, slots| energy.bounds(x, is_damped, slots));
        self.gather(slots, out);
    }

    /// The mean stress of the elements at each node \[Pa\], weighted by their volumes, and that of
    /// elements without volume beside it.
    pub fn node_stress(&self, x: &[Point]) -> Vec<f64> {
        let mut sums = vec![[(0.0, 0.0); 2]; self.starts.len() - 1];
        for energy in &self.all {
            let n = energy.corner_count();
            for (element, corners) in energy.nodes().chunks_exact(n).enumerate() {
                let (volume, stress) = energy.stress(element, x);
                let (kind, weight) = if volume > 0.0 { (0, volume) } else { (1, 1.0) };
                for &node in corners {
                    let (weights, sum): &mut (f64, f64) = &mut sums[node as usize][kind];
                    *weights += weight;
                    *sum += weight * stress;
                }
            }
        }
        let mean = |(weights, sum): (f64, f64)| if weights > 0.0 { sum / weights } else { 0.0 };
        sums.into_iter().map(|[of_volume, beside]| mean(of_volume) + mean(beside)).collect()
    }

    /// Adds up the slots of each node.
    fn gather<T, U>(&self, slots: &[T], out: &mut [U])
    where
        T: Sync,
        U: Default + for<'a> AddAssign<&'a T> + Send,
    {
        parallel::fill(out, |node, out| {
            let own = self.starts[node] as usize..self.starts[node + 1] as usize;
            *out = U::default();
            for &slot in &self.slots[own] {
                *out += &slots[slot as usize];
            }
        });
    }
}

impl<T: Clone + Default> SlotBuffer<T> {
    /// The number of slots.
    fn resized(&mut self, count: usize) -> &mut [T] {
        self.0.resize(count, T::default());
        &mut self.0
    }
}

/// What an energy writes into its part of an array.
type Write<'a, T> = &'a (dyn Fn(&dyn Energy, &mut [T]) + Sync);

/// The number of items below which handing a half to another thread costs more than it saves.
const MIN_SHARED: usize = 4096;

/// Does both, at the same time if there is enough to do.
fn join(items: usize, first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    if items < MIN_SHARED {
        first();
        second();
    } else {
        parallel::join(first, second);
    }
}

/// Lets each energy write into its slots, all in parallel.
fn write_slots<T: Send>(all: &[Box<dyn Energy>], slots: &mut [T], write: Write<'_, T>) {
    split(all, slots, &|energy| energy.nodes().len(), write);
}

/// Lets each energy write into its blocks, all in parallel.
fn write_blocks<T: Send>(all: &[Box<dyn Energy>], blocks: &mut [T], write: Write<'_, T>) {
    split(all, blocks, &|energy| energy.block_count(), write);
}

/// Halves the energies, and what they write into with them.
fn split<T: Send>(
    all: &[Box<dyn Energy>],
    out: &mut [T],
    size: &(dyn Fn(&dyn Energy) -> usize + Sync),
    write: Write<'_, T>,
) {
    match all {
        [] => {}
        [energy] => write(&**energy, out),
        _ => {
            let (left, right) = all.split_at(all.len() / 2);
            let (out_left, out_right) =
                out.split_at_mut(left.iter().map(|energy| size(&**energy)).sum());
            join(
                out_left.len() + out_right.len(),
                || split(left, out_left, size, write),
                || split(right, out_right, size, write),
            );
        }
    }
}
