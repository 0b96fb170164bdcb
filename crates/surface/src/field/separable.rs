//! A lower bound of the kernel that can be summed axis by axis.
//!
//! The sum φ(x) = Σⱼ wⱼ f(|x − xⱼ|) is expensive because f is radial: each point sums over a whole
//! ball of particles. A product K(x, y, z) = f(0) L(x) L(y) L(z) is summed in three one-dimensional
//! passes over all points at once. Here L is the polygon through *taps* at whole grid steps,
//! L(ic) = (1 − (ic/S)²)₊ᵖ: a particle is distributed linearly over the eight points around it, and
//! the taps are applied along each axis.
//!
//! If K ≤ f + B where K > 0, then, since f ≥ 0,
//!
//! φ(x) ≥ Σⱼ wⱼ K(x − xⱼ) − B Σⱼ wⱼ, the second sum over the box in which K(x − xⱼ) > 0.
//!
//! B follows from a one-dimensional problem: let ln L(x) ≤ g(x²) with g concave. By Jensen's
//! inequality ln L(x) + ln L(y) + ln L(z) ≤ 3 g(q²/3) with q² = x² + y² + z², so that
//! B = max over q of f(0) exp(3 g(q²/3)) − f(q). The concave hull of ln L is such a g.
//!
//! Symbols: lengths in units of the support radius h; c distance of grid points, S and p shape.

/// Shapes S, p that do well on some grid.
const SHAPES: [[f64; 2]; 6] =
    [[0.55, 1.5], [0.65, 2.0], [0.7, 2.5], [0.75, 3.0], [0.8, 3.5], [0.85, 3.75]];

/// ∫ f over all space.
const VOLUME: f64 = std::f64::consts::PI / 16.0;

/// What K may exceed the product of hulls by between the samples, relative to it, where it counts.
const MARGIN: f64 = 1e-3;

/// The number that stands for a tap of one.
const ONE: f64 = 65535.0;

/// f(0).
pub(crate) const PEAK: f64 = 0.5;

/// Places at which functions of one dimension are compared.
const SAMPLES: usize = 8192;

/// What K − B leaves of the field is worth summing if it is more than this.
const MIN_YIELD: f64 = 0.5;

/// The bound K − B on a grid.
pub(crate) struct Separable {
    /// L at whole steps from zero on, in units of 1/[`ONE`], rounded down; beyond it is zero.
    pub taps: Vec<u16>,
    /// B.
    pub excess: f64,
}

impl Separable {
    /// The best bound for grid points `step` \[h\] apart, if one is of use. `box_steps` tells the
    /// edge of the boxes in which particles are counted, given how many taps there are.
    pub fn new(step: f64, box_steps: impl Fn(usize) -> usize) -> Option<Self> {
        let best = SHAPES.map(|shape| {
            let taps = taps(shape, step);
            let excess = excess(&taps, step);
            let integral = step * (2.0 * taps.iter().sum::<f64>() - taps[0]);
            let counted = (box_steps(taps.len()) as f64 * step).powi(3);
            let left = (PEAK * integral.powi(3) - excess * counted) / VOLUME;
            (left, taps, excess)
        });
        let best = best.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        best.filter(|&(left, ..)| left > MIN_YIELD).map(|(_, taps, excess)| {
            let taps = taps.into_iter().map(|tap| (tap * ONE) as u16).collect();
            Separable { taps, excess }
        })
    }
}

/// L at whole steps, without zeros.
fn taps([support, power]: [f64; 2], step: f64) -> Vec<f64> {
    let tap = |i: u32| (1.0 - (f64::from(i) * step / support).powi(2)).max(0.0).powf(power);
    (0..).map(tap).take_while(|&tap| tap > 0.0).collect()
}

/// B, the most by which K exceeds f.
fn excess(taps: &[f64], step: f64) -> f64 {
    let hull = Hull::new(taps, step);
    let end = taps.len() as f64 * step * 3_f64.sqrt();
    let at = |i: usize| end * i as f64 / SAMPLES as f64;
    // K falls along q and so does f: between two samples, K of the nearer and f of the farther.
    let excess = |i: usize| {
        PEAK * (1.0 + MARGIN) * (3.0 * hull.at(at(i).powi(2) / 3.0)).exp() - profile(at(i + 1))
    };
    (0..SAMPLES).map(excess).fold(0.0, f64::max)
}

/// f(q) in double precision.
fn profile(q: f64) -> f64 {
    let (a, b) = ((1.0 - q).max(0.0), (0.5 - q).max(0.0));
    a * a * a - 4.0 * b * b * b
}

/// The concave hull of ln L over x²: corners of a polygon.
struct Hull(Vec<(f64, f64)>);

impl Hull {
    fn new(taps: &[f64], step: f64) -> Self {
        let mut hull: Vec<(f64, f64)> = Vec::new();
        for i in 0..SAMPLES {
            let steps = taps.len() as f64 * i as f64 / SAMPLES as f64;
            let (low, part) = (steps as usize, steps.fract());
            let next = taps.get(low + 1).copied().unwrap_or(0.0);
            let value = taps[low] + part * (next - taps[low]);
            let point = ((steps * step).powi(2), value.ln());
            let slope = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
            while let [.., before, last] = hull[..]
                && slope(before, last) <= slope(last, point)
            {
                hull.pop();
            }
            hull.push(point);
        }
        Hull(hull)
    }

    fn at(&self, square: f64) -> f64 {
        let next = self.0.partition_point(|corner| corner.0 <= square).clamp(1, self.0.len() - 1);
        let [(x0, y0), (x1, y1)] = [self.0[next - 1], self.0[next]];
        y0 + (square - x0) / (x1 - x0) * (y1 - y0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random;

    #[test]
    fn the_bound_is_below_the_kernel_everywhere() {
        let mut random = random(11);
        for steps in [3.0, 4.0, 16.0 / 3.0, 8.0, 12.0, 32.0] {
            let step = 1.0 / steps;
            for shape in SHAPES {
                let taps = taps(shape, step);
                let excess = excess(&taps, step);
                let polygon = |x: f64| {
                    let (low, part) = ((x / step) as usize, (x / step).fract());
                    let tap = |i: usize| taps.get(i).copied().unwrap_or(0.0);
                    tap(low) + part * (tap(low + 1) - tap(low))
                };
                let mut most: f64 = 0.0;
                for _ in 0..20_000 {
                    let at = [0; 3].map(|_| random() * taps.len() as f64 * step);
                    let q = at.iter().map(|x| x * x).sum::<f64>().sqrt();
                    let product = PEAK * at.map(polygon).iter().product::<f64>();
                    most = most.max(product - profile(q));
                }
                assert!(most <= excess, "{steps} {shape:?}: {most} > {excess}");
                assert!(excess < most + 6e-3, "{steps} {shape:?}: {most} << {excess}");
            }
        }
    }

    #[test]
    fn a_coarse_grid_has_none() {
        let box_steps = |taps: usize| 2 * taps + 4;
        assert!(Separable::new(0.5, box_steps).is_none());
        assert!(Separable::new(0.125, box_steps).is_some());
        assert!(Separable::new(1.0 / 32.0, box_steps).is_some());
    }
}
