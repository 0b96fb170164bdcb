//! What queries cost: the choice of the root cells' size, and of the cells to split.
//!
//! The unit is the test of one record. Queries are taken as points, since their size is already in
//! the footprints of the objects: half of them come from anywhere in the bounds, half to an object,
//! lest a single far one make roots so large that all others lie deep in one of them.

use super::lattice::{DOUBLINGS, Footprint, Position};

/// Doublings from a subcell to its cell: 4 × 4 × 4 of them.
pub(crate) const DOUBLINGS_PER_LEVEL: u32 = 2;

/// The most levels of cells below and with the roots.
pub(crate) const LEVELS: usize = (DOUBLINGS / DOUBLINGS_PER_LEVEL) as usize + 1;

/// An object goes no farther down than to cells of which it touches this number.
const MAX_CELLS: u64 = 27;

/// From this number on boxes are packed into blocks, as their copies no longer fit a cache.
pub(crate) const MIN_TO_PACK: usize = 1 << 14;

/// An object that touches more root cells than this belongs to all of space.
const MAX_ROOTS: u64 = 64;

/// The step down to a node.
const STEP: f32 = 4.0;

/// Finding a root in a table instead of an array.
const TABLE_LOOKUP: f32 = 4.0;

/// Objects that stand for all when the size of roots is chosen.
const SAMPLES: usize = 256;

/// Whether root cells over all of the bounds, rather than a table of the ones that hold something,
/// are few enough.
pub(crate) fn can_be_dense(roots: f64, objects: usize) -> bool {
    roots <= 16.0 * objects as f64 + 4096.0
}

/// Whether an object touches too many of the root cells of 2^`shift` finest cells.
pub(crate) fn is_everywhere(footprint: &Footprint, shift: u32) -> bool {
    footprint.coarsened(shift).cells() > MAX_ROOTS
}

/// The smallest cells below roots of 2^`root_shift` finest cells that an object may go down to.
pub(crate) fn lowest_shift(footprint: &Footprint, root_shift: u32) -> u32 {
    let mut shift = root_shift;
    while shift >= DOUBLINGS_PER_LEVEL
        && footprint.coarsened(shift - DOUBLINGS_PER_LEVEL).cells() <= MAX_CELLS
    {
        shift -= DOUBLINGS_PER_LEVEL;
    }
    shift
}

/// Whether an object that touches `touched` of the `subcells` of its cell is better off in them:
/// if it spares at least half of the queries in the cell.
pub(crate) fn is_worth_copying(touched: u32, subcells: u32) -> bool {
    2 * touched <= subcells
}

/// Whether splitting a cell pays: `spared` counts, over the objects that would go down, the
/// subcells that they do not touch; `occupied` of all subcells would hold something.
pub(crate) fn does_split_pay(spared: u32, occupied: u32) -> bool {
    spared as f32 > STEP * occupied as f32
}

/// The size of root cells that makes queries cheapest, as doublings of the finest, for objects in
/// the finest cells up to `last`.
pub(crate) fn root_shift(footprints: &[Footprint], last: Position) -> u32 {
    let step = footprints.len().div_ceil(SAMPLES).max(1);
    let extent = |f: &Footprint| std::array::from_fn(|a| (f.high[a] - f.low[a]) as f32);
    let sample = footprints.iter().step_by(step).map(extent);
    let cost = |shift: u32| cost_of_query(sample.clone(), footprints.len(), last, shift);
    let cheaper = |best: (u32, f32), shift: u32| {
        let cost = cost(shift);
        if cost < best.1 { (shift, cost) } else { best }
    };
    (0..=DOUBLINGS).rev().fold((DOUBLINGS, f32::INFINITY), cheaper).0
}

/// The expected cost of a query, from the extents of a sample of `objects` and the size of roots.
fn cost_of_query(
    sample: impl ExactSizeIterator<Item = [f32; 3]>,
    objects: usize,
    last: Position,
    root_shift: u32,
) -> f32 {
    let (bounds, sampled) = (last.map(|l| l as f32 + 1.0), sample.len().max(1) as f32);
    // Footprints of an extent, placed at random, touch so many cells, and so large a share of them.
    let cells = |e: &[f32; 3], s: f32| (0..3).map(|a| e[a] / s + 1.0).product::<f32>();
    let share = |e: &[f32; 3], s: f32| (0..3).map(|a| ((e[a] + s) / bounds[a]).min(1.0)).product();
    let mut tests = 0.0;
    // How likely a query from anywhere steps down to each level, while that is below one; and how
    // many steps lead to the objects.
    let (mut steps, mut steps_to_objects) = ([0.0f32; LEVELS], 0);
    for extent in sample {
        let mut size = (1u64 << root_shift) as f32;
        if cells(&extent, size) > MAX_ROOTS as f32 {
            tests += 1.0;
            continue;
        }
        let mut depth = 0;
        let ratio = (1 << DOUBLINGS_PER_LEVEL) as f32;
        while size >= ratio && cells(&extent, size / ratio) <= MAX_CELLS as f32 {
            size /= ratio;
            depth += 1;
        }
        let share: f32 = share(&extent, size);
        tests += share;
        steps[..depth].iter_mut().for_each(|step| *step += share);
        steps_to_objects += depth;
    }
    let scale = objects as f32 / sampled;
    let roots: f64 = last.iter().map(|&l| f64::from(l >> root_shift) + 1.0).product();
    let lookup = if can_be_dense(roots, objects) { 0.0 } else { TABLE_LOOKUP };
    let steps: f32 = steps.iter().map(|step| (step * scale).min(1.0)).sum();
    let steps_to_object = steps_to_objects as f32 / sampled;
    tests * scale + 0.5 * (steps + steps_to_object) * STEP + lookup
}
