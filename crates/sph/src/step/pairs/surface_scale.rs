//! What makes the adjoint gradient exact up to flat surfaces.
//!
//! In the layers below a flat surface, G of the linear pressure
//! ([`crate::step::schemes::pressure_operator`]) is off by up to a quarter, by nothing in the sum.
//! Where the consistent gradient takes the place of G in a part of these layers only, pressure is
//! as if the surface lay 0.14 to 0.24 d deeper, and fluid that starts in balance rings. So G p is
//! scaled by s, with which it is exact for that pressure in a lattice under a flat surface, layer
//! by layer, told apart by their asymmetry. In spray s = 1.
//!
//! Symbols: d spacing \[m\], h support radius \[m\].

use crate::world::World;
use hashfall_core::{Dimension, Real};

/// s by asymmetry.
#[derive(Debug, Default)]
pub struct SurfaceScale {
    /// Asymmetries, ascending, and s.
    table: Vec<[Real; 2]>,
}

impl SurfaceScale {
    /// Of a world's kernel and spacing.
    pub fn new(world: &World) -> Self {
        SurfaceScale { table: tabulate(world) }
    }

    /// s where a flat surface leaves this asymmetry \[–\].
    pub fn at(&self, asymmetry: Real) -> Real {
        interpolate(&self.table, asymmetry)
    }
}

/// What makes G p exact for the linear pressure in a lattice below a flat surface, layer by layer,
/// by the asymmetry that the surface leaves in each.
fn tabulate(world: &World) -> Vec<[Real; 2]> {
    let (kernel, d, h) = (world.kernel(), world.spacing(), world.support_radius);
    let layers = (h / d) as usize + 1;
    let width = layers as isize;
    let across = if world.dimension == Dimension::Two { 0..=0 } else { -width..=width };
    // Σ V s over the lattice in a layer `k` below or above.
    let sums: Vec<Real> = (0..=layers)
        .map(|k| {
            let mut sum = 0.0;
            for y in across.clone() {
                for x in -width..=width {
                    let square = (x * x + y * y) as Real + (k * k) as Real;
                    if square > 0.0 {
                        sum += kernel.slope_over_r(d * square.sqrt());
                    }
                }
            }
            sum * world.particle_volume()
        })
        .collect();
    let rows = 0..2 * layers;
    let over = |k: usize, term: &dyn Fn(usize, Real) -> Real| -> Real {
        let around = k.saturating_sub(layers)..=k + layers;
        around.map(|l| sums[k.abs_diff(l)] * term(l, (l as Real - k as Real) * d)).sum()
    };
    let corrections: Vec<Real> =
        (0..3 * layers + 1).map(|k| -1.0 / over(k, &|_, x| x * x)).collect();
    let pressure = |k: usize| (k as Real + 0.5) * d * corrections[k];
    let mut table = vec![[0.0, 1.0]];
    for k in rows.take(layers + 1).rev() {
        let asymmetry = over(k, &|_, x| x).abs() * h;
        let gradient = over(k, &|l, x| (pressure(k) + pressure(l)) * x);
        if table.last().is_some_and(|[last, _]| asymmetry > *last) {
            table.push([asymmetry, -1.0 / gradient]);
        }
    }
    table
}

/// Of a table with ascending arguments.
fn interpolate(table: &[[Real; 2]], x: Real) -> Real {
    let above = table.iter().position(|[at, _]| *at > x);
    match above {
        Some(above) if above > 0 => {
            let ([a, low], [b, high]) = (table[above - 1], table[above]);
            low + (high - low) * ((x - a) / (b - a))
        }
        _ => table.last().map_or(1.0, |[_, value]| *value),
    }
}
