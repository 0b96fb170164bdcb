//! Searches keep their memory: once it is large enough, finding neighbours allocates nothing.

use hashfall_core::allocations::{CountingAllocator, allocation_count};
use hashfall_core::{Real, Vec3};
use hashfall_search::{NeighborLists, NeighborSearch, SortedCells};

#[global_allocator]
static COUNTING: CountingAllocator = CountingAllocator;

/// A lattice whose points stand in the order of their cells, or against it.
fn lattice(shift: Real, backwards: bool) -> Vec<Vec3> {
    let point = |n: u32| Vec3::new((n % 20) as Real, (n / 20 % 20) as Real, (n / 400) as Real);
    let mut points: Vec<Vec3> = (0..8000).map(|n| point(n).add_scalar(shift)).collect();
    points.sort_by_key(|p| [p.z, p.y, p.x].map(|x| (x / 2.0).floor() as i32));
    if backwards {
        points.reverse();
    }
    points
}

#[test]
fn the_third_search_and_the_fourth_allocate_nothing() {
    // The thread itself is the pool: handing work over to another allocates at times.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.expect("a pool of one").install(|| {
        let mut cells = SortedCells::default();
        let mut lists = [NeighborLists::default(), NeighborLists::with_squares()];
        for backwards in [false, true] {
            let worlds = [0.0, 0.5, 0.0, 0.5].map(|shift| lattice(shift, backwards));
            let mut allocated = Vec::new();
            for points in &worlds {
                let before = allocation_count();
                cells.rebuild(points, 2.0);
                lists.iter_mut().for_each(|lists| lists.build(&cells, points, 2.0));
                allocated.push(allocation_count() - before);
            }
            assert!(lists[0].pairs() > 100_000 && lists[0].pairs() == lists[1].pairs());
            assert!(allocated[0] > 0, "the counter counts");
            assert_eq!(allocated[2..], [0, 0], "in all {allocated:?}, backwards: {backwards}");
        }
    });
}
