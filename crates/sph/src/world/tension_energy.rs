//! A bound of the energy that surfaces with tension hold.
//!
//! A surface of area A holds σ A. Particles fill cells with edges of 1.25 d, in which no lattice
//! leaves a hole; the faces between cells with a fluid and cells without it are more than its
//! surface, by up to a half. Interfaces count from both sides, and walls count as well: a bound is
//! what is asked for.
//!
//! Symbols: σ tension \[N/m\], A area \[m²\], d spacing \[m\].

use super::World;
use hashfall_core::Dimension;
use hashfall_core::cell::cell_of;

/// The edge of a cell, in spacings.
const EDGE: f64 = 1.25;

impl World {
    /// No less than the energy of all surfaces and interfaces with tension \[J\].
    pub fn tension_energy_bound(&self) -> f64 {
        let tensions: Vec<f64> =
            (0..self.fluids.len()).map(|phase| self.max_tension(phase)).collect();
        if tensions.iter().all(|tension| *tension == 0.0) {
            return 0.0;
        }
        let edge = EDGE * f64::from(self.spacing());
        let (axes, face): (&[usize], f64) = match self.dimension {
            Dimension::Two => (&[0, 2], edge),
            Dimension::Three => (&[0, 1, 2], edge * edge),
        };
        let p = &self.particles;
        let in_cell = |(x, phase): (&_, &u8)| (*phase, cell_of(x, edge as hashfall_core::Real));
        let mut cells: Vec<_> = p.position.iter().zip(&p.phase).map(in_cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let faces = |(phase, cell): &(u8, [i32; 3])| {
            let beside = axes.iter().flat_map(|&axis| [(axis, -1), (axis, 1)]);
            let open = beside.filter(|&(axis, side)| {
                let mut next = *cell;
                next[axis] += side;
                cells.binary_search(&(*phase, next)).is_err()
            });
            open.count() as f64 * tensions[usize::from(*phase)]
        };
        face * cells.iter().map(faces).sum::<f64>()
    }

    /// The largest tension of a fluid against air or another fluid \[N/m\].
    pub fn max_tension(&self, phase: usize) -> f64 {
        let with_air = f64::from(self.fluids[phase].surface_tension);
        let of_phase = |fluids: &[u8; 2]| fluids.iter().any(|&it| usize::from(it) == phase);
        let between = self.interfaces.iter().filter(|it| of_phase(&it.fluids));
        between.map(|it| f64::from(it.tension)).fold(with_air, f64::max)
    }
}
