//! Kernel sums at batches of eight vertices: Σ V W, its gradient, and the weight of each particle.

use crate::field::anisotropic_metric::Metric;
use crate::field::lanes::LANES;
use crate::field::profile;
use crate::field::surroundings::Surroundings;
use hashfall_core::simd::{F32x8, Simd};
use hashfall_core::{Real, Vec3};

/// A gradient this small, relative to φ/h, says nothing about a direction.
const FLAT_GRADIENT: Real = 1e-4;

/// One number for each vertex of a batch.
pub(crate) type Batch = [Real; LANES];

/// Sums over the particles around each vertex of a batch.
pub(crate) struct Sums {
    /// φ = Σ V W.
    pub weight: Batch,
    /// h ∇φ.
    gradient: [Batch; 3],
}

#[inline(always)]
fn least(batch: &Batch) -> Real {
    batch.iter().fold(batch[0], |least, &x| if x < least { x } else { least })
}

#[inline(always)]
fn most(batch: &Batch) -> Real {
    batch.iter().fold(batch[0], |most, &x| if x > most { x } else { most })
}

impl Sums {
    /// The sums, and with `NORMALS` the gradient; `weights` becomes the particles within reach with
    /// their terms.
    #[inline(always)]
    pub fn over<I: Simd, S: Metric, const NORMALS: bool>(
        on: I,
        around: &Surroundings,
        indices: &[u32],
        [xs, ys, zs]: &[Batch; 3],
        weights: &mut Vec<(u32, Batch)>,
    ) -> Self {
        weights.clear();
        let (px, py, pz) = (on.load(xs), on.load(ys), on.load(zs));
        let zero = on.splat(0.0);
        let (mut phi, mut gx, mut gy, mut gz) = (zero, zero, zero, zero);
        let (low, high) = ([xs, ys, zs].map(least), [xs, ys, zs].map(most));
        let reach = on.splat(1.0);
        let mut i = 0;
        while i < around.all().end {
            let square = S::squares_to_box(on, around, i, low, high);
            let mut bits = reach.mask_above(square);
            while bits != 0 {
                let j = i + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let [x, y, z, w] = around.one(j);
                let (dx, dy, dz) = (px - on.splat(x), py - on.splat(y), pz - on.splat(z));
                let (square, [ux, uy, uz]) = S::measure(S::parameters(around, j), [dx, dy, dz]);
                let (value, slope) = profile::value_and_slope(square.sqrt());
                let value = value * on.splat(w);
                phi += value;
                if NORMALS {
                    let slope = slope * on.splat(w);
                    gx += slope * ux;
                    gy += slope * uy;
                    gz += slope * uz;
                }
                weights.push((indices[j], value.to_array()));
            }
            i += LANES;
        }
        Sums { weight: phi.to_array(), gradient: [gx.to_array(), gy.to_array(), gz.to_array()] }
    }

    /// The unit normal, or zero where the gradient vanishes.
    #[inline(always)]
    pub fn normal(&self, lane: usize) -> Vec3 {
        let gradient = Vec3::from(self.gradient.map(|g| g[lane]));
        let length = gradient.norm();
        if length > FLAT_GRADIENT * self.weight[lane] { gradient / -length } else { Vec3::zeros() }
    }
}
