//! Where the bricks of a field are: around a small mesh each has its place in a table, which is
//! read without a lock; around a large one only those are kept that particles came to.

use super::brick::{Brick, EDGE};
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock, PoisonError, RwLock, RwLockReadGuard};

/// Parts of the bricks of a large mesh, each under a lock of its own.
const SHARDS: usize = 64;

/// A table has no more places.
const MAX_PLACES: usize = 4096;

type Shard = RwLock<HashMap<[i32; 3], Arc<Brick>>>;

/// The bricks of a field.
#[derive(Debug)]
pub(super) struct Bricks {
    /// The first brick of the table along each axis, and how many there are.
    first: [i32; 3],
    counts: [i32; 3],
    table: Vec<OnceLock<Box<Brick>>>,
    /// Those that are not in the table.
    shards: Vec<Shard>,
}

/// A brick, held while it is used.
pub(super) enum BrickRef<'a> {
    InTable(&'a Brick),
    Shared(Arc<Brick>),
}

impl Deref for BrickRef<'_> {
    type Target = Brick;

    #[inline]
    fn deref(&self) -> &Brick {
        match self {
            BrickRef::InTable(brick) => brick,
            BrickRef::Shared(brick) => brick,
        }
    }
}

impl Bricks {
    /// None yet, of a mesh that cells in these ranges are near to.
    pub fn new(cells: [Range<f64>; 3]) -> Self {
        let edge = f64::from(EDGE);
        let [low, high] = [|r: &Range<f64>| r.start, |r: &Range<f64>| r.end];
        let first = cells.each_ref().map(|range| (low(range) / edge).floor());
        let last = cells.each_ref().map(|range| (high(range) / edge).floor());
        let counts: [f64; 3] = std::array::from_fn(|axis| last[axis] - first[axis] + 1.0);
        let places = counts.iter().product::<f64>();
        let (first, counts) = match places <= MAX_PLACES as f64 {
            true => (first.map(|k| k as i32), counts.map(|k| k as i32)),
            false => ([0; 3], [0; 3]),
        };
        let places = counts.iter().map(|count| *count as usize).product();
        Bricks {
            first,
            counts,
            table: (0..places).map(|_| OnceLock::new()).collect(),
            shards: (0..SHARDS).map(|_| RwLock::default()).collect(),
        }
    }

    /// The brick of a cell or corner.
    #[inline]
    pub fn get(&self, cell: [i32; 3]) -> BrickRef<'_> {
        let key = brick_of(cell);
        let at: [i32; 3] = std::array::from_fn(|axis| key[axis].wrapping_sub(self.first[axis]));
        if (0..3).all(|axis| (0..self.counts[axis]).contains(&at[axis])) {
            let place = (at[2] * self.counts[1] + at[1]) * self.counts[0] + at[0];
            let brick = self.table[place as usize].get_or_init(|| Box::new(Brick::new()));
            return BrickRef::InTable(brick);
        }
        BrickRef::Shared(self.shared(key))
    }

    fn shared(&self, key: [i32; 3]) -> Arc<Brick> {
        let mixed = key
            .iter()
            .fold(0_u32, |sum, k| (sum ^ *k as u32).wrapping_mul(0x9E37_79B1).rotate_left(13));
        let shard = &self.shards[mixed as usize % SHARDS];
        if let Some(brick) = read(shard).get(&key) {
            return Arc::clone(brick);
        }
        let mut bricks = shard.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(bricks.entry(key).or_insert_with(|| Arc::new(Brick::new())))
    }

    /// What they take of memory \[bytes\].
    pub fn bytes(&self) -> usize {
        let per_entry = size_of::<([i32; 3], Arc<Brick>)>() + 2 * size_of::<usize>();
        let in_shards = self.shards.iter().flat_map(|shard| {
            read(shard).values().map(|brick| brick.bytes() + per_entry).collect::<Vec<_>>()
        });
        let in_table = self.table.iter().filter_map(OnceLock::get).map(|brick| brick.bytes());
        in_shards.chain(in_table).sum::<usize>() + size_of_val(&self.table[..])
    }
}

fn read(shard: &Shard) -> RwLockReadGuard<'_, HashMap<[i32; 3], Arc<Brick>>> {
    shard.read().unwrap_or_else(PoisonError::into_inner)
}

/// The brick of a cell.
#[inline]
pub(super) fn brick_of(cell: [i32; 3]) -> [i32; 3] {
    cell.map(|c| c.div_euclid(EDGE))
}
