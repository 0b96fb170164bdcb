//! The contract that every structure keeps, tested for all kinds at once against brute force:
//! [`points`] for neighbour searches, [`boxes`] for broad phases.

mod boxes;
mod points;

use crate::base::{Real, Vec3};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Random numbers in ranges.
struct Random(Pcg32);

impl Random {
    fn new(seed: u64) -> Self {
        Random(Pcg32::seed_from_u64(seed))
    }

    fn real(&mut self, low: Real, high: Real) -> Real {
        low + (high - low) * (self.0.next_u32() >> 8) as Real / (1 << 24) as Real
    }

    fn vec3(&mut self, low: Real, high: Real) -> Vec3 {
        Vec3::from_fn(|_, _| self.real(low, high))
    }
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// `side`³ points, `spacing` apart, from `low` on.
fn lattice(low: Real, side: usize, spacing: Real) -> Vec<Vec3> {
    let place = |n: usize| low + n as Real * spacing;
    (0..side.pow(3))
        .map(|n| Vec3::new(place(n % side), place(n / side % side), place(n / side.pow(2))))
        .collect()
}
