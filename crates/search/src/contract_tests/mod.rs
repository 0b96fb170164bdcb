//! The contract that every structure keeps, tested for all kinds at once against brute force:
//! [`points`] for neighbour searches, [`boxes`] for broad phases, [`incremental`] for those that
//! follow objects one by one, [`pairs`] for pairs of boxes.

pub(crate) mod boxes;
mod case;
mod incremental;
mod pairs;
mod points;

use hashfall_core::{Real, Vec3};

/// `side`³ points, `spacing` apart, from `low` on.
fn lattice(low: Real, side: usize, spacing: Real) -> Vec<Vec3> {
    let place = |n: usize| low + n as Real * spacing;
    (0..side.pow(3))
        .map(|n| Vec3::new(place(n % side), place(n / side % side), place(n / side.pow(2))))
        .collect()
}
