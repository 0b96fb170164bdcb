//! Finds the neighbours of random points with every structure, and compares them with brute force:
//! `cargo run --release --example neighbors [POINTS]`.

use hashfall::core::rng::RandomStream;
use hashfall::core::vec3;
use hashfall::search::{NeighborChoice, NeighborKind, NeighborLists, Vec3};
use std::error::Error;
use std::time::Instant;

/// The radius within which points are neighbours \[m\]: about 40 each.
fn radius(count: usize) -> f64 {
    (10.0 / count as f64).cbrt()
}

fn find(kind: NeighborKind, points: &[Vec3], radius: f64) -> NeighborLists {
    let mut lists = NeighborLists::default();
    NeighborChoice::from(kind).structure().find(points, radius as _, &mut lists);
    lists.sort_as(points);
    lists
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(5000), |count| count.parse())?;
    let mut random = RandomStream::new(1);
    let points: Vec<Vec3> = (0..count).map(|_| vec3([0; 3].map(|_| random.number()))).collect();
    let expected = find(NeighborKind::Brute, &points, radius(count));
    println!("{count} points with {} pairs of neighbors", expected.pairs() / 2);
    for kind in NeighborKind::ALL {
        let start = Instant::now();
        let lists = find(kind, &points, radius(count));
        let time = start.elapsed();
        if (0..count).any(|i| lists.of(i) != expected.of(i)) {
            return Err(format!("{} differs from brute force", kind.name()).into());
        }
        println!("{:16} {:8.3} ms", kind.name(), 1e3 * time.as_secs_f64());
    }
    Ok(())
}
