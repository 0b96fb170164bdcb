//! A solid's part of a particle's density: the kernel summed over layers of the solid.
//!
//! Idea: Fujisawa & Miura, An efficient boundary handling with a modified density calculation for
//! SPH (2015), and Winchenbach et al., Semi-analytic boundary handling (2020), integrate the kernel
//! over the solid. But the fluid is no continuum: an integral makes the rows of a lattice at a wall
//! up to 4 % too dense. So the solid is taken for layers as the fluid has them, d apart, the first
//! d/2 below the surface, each spread evenly: with S(t) the integral of W over the surface at depth
//! t and V the volume with which particles count,
//!
//! - λ = V/dᴰ Σₖ d S((k + ½) d)
//!
//! Then a lattice flush with a wall has rest density to within 0.4 % in all rows, for every kernel
//! and ratio h/d from 2 to 4 (the tests hold it), and so have forces and viscosity, which are made
//! of the same sums. A shell of radius ρ = R − t at distance D = R + distance of its centre:
//!
//! - space: S = 2π (ρ/D) [M(ζ) − M(ζ′)], ζ = D − ρ, ζ′ = D + ρ, M(a) = ∫ₐʰ s W ds
//! - plane: S = √(ρ/D) ∫ W(√(ζ² + w²)) (1 − w²/(4Dρ))^(−½) dw over |w| ≤ 2√(Dρ), by the midpoint
//!   rule
//!
//! What grows evenly with depth ζ adds ∫ ζ² W′/r to a gradient, that is Σ V/dᴰ d ζ dS/dD.
//!
//! A flat solid has R = ∞. What is left in the middle of a ball, of radius c ≤ d, is a shell of
//! radius c/√3 and thickness c, which has its volume.
//!
//! Symbols: λ part of the kernel's mass in the solid \[–\], h support radius, d spacing \[m\].

use hashfall_core::kernel::{Kernel, Shape, SmoothingKernel};
use hashfall_core::{Dimension, PI, Real};

/// The layers of solids, as particles of spacing d see them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidLayers {
    kernel: Kernel,
    spacing: Real,
    /// V/dᴰ \[–\].
    weight: Real,
}

/// What one solid adds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerSums {
    /// λ \[–\].
    pub fraction: Real,
    /// dλ over the distance; not positive \[1/m\].
    pub slope: Real,
    /// ∫ ζ² W′/r over the solid; not positive \[–\].
    pub moment: Real,
}

/// One layer: a shell, or a plane.
#[derive(Clone, Copy, Debug)]
struct Layer {
    /// Its nearest distance ζ \[m\].
    nearest: Real,
    /// ρ/D; 1 of a plane \[–\].
    ratio: Real,
    /// 1/D; 0 of a plane \[1/m\].
    inverse: Real,
}

impl SolidLayers {
    /// Layers for particles of spacing `d` \[m\].
    pub fn new(kernel: Kernel, d: Real) -> Self {
        SolidLayers { kernel, spacing: d, weight: kernel.rest_volume(d) / kernel.dimension.cube(d) }
    }

    /// d \[m\].
    pub fn spacing(&self) -> Real {
        self.spacing
    }

    /// The distance from which on a solid adds nothing: h, less half a layer \[m\].
    pub fn reach(&self) -> Real {
        self.kernel.support_radius() - 0.5 * self.spacing
    }

    /// What a solid of curvature `curvature` = 1/R \[1/m\] (0: flat) adds whose surface is at
    /// `distance` \[m\]; beyond the first layer, half a spacing deep, a particle counts as in it.
    pub fn sums(&self, distance: Real, curvature: Real) -> LayerSums {
        let (d, h) = (self.spacing, self.kernel.support_radius());
        let distance = distance.max(-0.5 * d);
        let inverse = curvature / (1.0 + curvature * distance);
        let (mut sums, mut top) = (LayerSums::default(), 0.0);
        while distance + top < h {
            let left = if curvature > 0.0 { 1.0 / curvature - top } else { Real::INFINITY };
            let (thickness, depth) = match left {
                left if left <= 0.0 => break,
                left if left <= d => (left, top + left * (1.0 - 1.0 / Real::sqrt(3.0))),
                _ => (d, top + 0.5 * d),
            };
            let nearest = distance + depth;
            let ratio = (1.0 - curvature * depth) / (1.0 + curvature * distance);
            let layer = Layer { nearest, ratio: ratio.max(Real::EPSILON), inverse };
            let (area, rise) = match self.kernel.dimension {
                Dimension::Two => self.arc(&layer),
                Dimension::Three => self.shell(&layer),
            };
            let weight = self.weight * thickness;
            sums.fraction += weight * area;
            sums.slope += weight * rise;
            sums.moment += weight * rise * nearest;
            top += d;
        }
        LayerSums { slope: sums.slope.min(0.0), moment: sums.moment.min(0.0), ..sums }
    }

    /// Σ ζ of what makes up λ of a flat solid at `distance` ≥ 0 \[m\]: as far, times 1 − λ, the
    /// fluid that it leaves open is off a particle there, in the mean over the kernel.
    pub fn first_moment(&self, distance: Real) -> Real {
        let (d, h) = (self.spacing, self.kernel.support_radius());
        let (mut sum, mut nearest) = (0.0, distance + 0.5 * d);
        while nearest < h {
            let layer = Layer { nearest, ratio: 1.0, inverse: 0.0 };
            let (area, _) = match self.kernel.dimension {
                Dimension::Two => self.arc(&layer),
                Dimension::Three => self.shell(&layer),
            };
            sum += self.weight * d * area * nearest;
            nearest += d;
        }
        sum
    }

    /// S \[1/m\] and dS/dD \[1/m²\] of a shell in space.
    fn shell(&self, layer: &Layer) -> (Real, Real) {
        let Layer { nearest, ratio, inverse } = *layer;
        let (h, kernel) = (self.kernel.support_radius(), &self.kernel);
        if nearest >= h {
            return (0.0, 0.0);
        }
        let mut area = kernel.first_moment_from(nearest);
        let mut sloping = kernel.sloping_first_moment_from(nearest);
        let mut rise = -nearest * kernel.sloping_value(nearest);
        // D + ρ = 2D − ζ.
        if 2.0 < (nearest + h) * inverse {
            let farthest = 2.0 / inverse - nearest;
            area -= kernel.first_moment_from(farthest);
            sloping -= kernel.sloping_first_moment_from(farthest);
            rise += farthest * kernel.sloping_value(farthest);
        }
        let scale = 2.0 * PI * ratio;
        (scale * area, scale * (rise - inverse * sloping))
    }

    /// S \[–\] and dS/dD \[1/m\] of a circle in the plane.
    fn arc(&self, layer: &Layer) -> (Real, Real) {
        match self.kernel.shape {
            Shape::CubicSpline(kernel) => arc_of(kernel, layer),
            Shape::WendlandC2(kernel) => arc_of(kernel, layer),
            Shape::Mueller(kernel) => arc_of(kernel, layer),
        }
    }
}

/// Points of the midpoint rule on half a circle.
const POINTS: usize = 24;

fn arc_of<K: SmoothingKernel>(kernel: K, layer: &Layer) -> (Real, Real) {
    let Layer { nearest, ratio, inverse } = *layer;
    let h = kernel.support_radius();
    if nearest >= h {
        return (0.0, 0.0);
    }
    // 1/(4Dρ): 0 of a line.
    let bend = inverse * inverse / (4.0 * ratio);
    let reach = h * h - nearest * nearest;
    let is_whole = bend * reach > 1.0;
    let end = if is_whole { 1.0 / bend } else { reach }.sqrt();
    let (mut length, mut rise) = (0.0, 0.0);
    for k in 0..POINTS {
        // w = end · u (3 − u²)/2: steps vanish at the end, where a whole circle turns back.
        let u = (k as Real + 0.5) / POINTS as Real;
        let w = end * 0.5 * u * (3.0 - u * u);
        let step = end * 1.5 * (1.0 - u * u) / POINTS as Real;
        let turned = (1.0 - bend * w * w).max(Real::EPSILON).sqrt();
        let s = (nearest * nearest + w * w).sqrt();
        let part = step / turned;
        length += part * kernel.value(s);
        rise += part * kernel.slope_over_r(s) * (nearest + 0.5 * w * w * inverse);
    }
    let scale = 2.0 * ratio.sqrt();
    (scale * length, scale * rise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::kernel::KernelKind;

    const H: Real = 0.04;

    fn layers(kind: KernelKind, dimension: Dimension, d: Real) -> SolidLayers {
        SolidLayers::new(Kernel::new(kind, dimension, H), d)
    }

    /// Layers so thin that they are the whole solid; the kernel's lattice sum is 1 there.
    fn fine(kind: KernelKind, dimension: Dimension) -> SolidLayers {
        SolidLayers { weight: 1.0, ..layers(kind, dimension, 0.02 * H) }
    }

    fn all() -> impl Iterator<Item = (KernelKind, Dimension)> {
        let both = |kind| [Dimension::Two, Dimension::Three].map(|dimension| (kind, dimension));
        KernelKind::ALL.into_iter().flat_map(both)
    }

    #[test]
    fn all_rows_of_a_lattice_flush_with_a_wall_are_at_rest_density_and_balanced() {
        for (kind, dimension) in all() {
            for ratio in [2.0, 2.5, 3.0, 4.0] {
                let (d, kernel) = (H / ratio, Kernel::new(kind, dimension, H));
                let rows = ratio.ceil() as i32;
                let sum = |k: i32| -> Real {
                    let row = |j: i32| -> Real {
                        let squares = (-rows..=rows).map(|i| (i * i + j * j + k * k) as Real);
                        squares.map(|square| kernel.value(d * square.sqrt())).sum()
                    };
                    match dimension {
                        Dimension::Two => row(0),
                        Dimension::Three => (-rows..=rows).map(row).sum(),
                    }
                };
                for row in 0..rows {
                    let fluid: Real = (-row..=rows).map(sum).sum::<Real>() * kernel.rest_volume(d);
                    let distance = (row as Real + 0.5) * d;
                    let layers = layers(kind, dimension, d);
                    let solid = layers.sums(distance, 0.0).fraction;
                    // A whole lattice is as heavy on either side.
                    let heights = (-row..=rows).map(|k| sum(k) * k as Real * d).sum::<Real>();
                    let moment = heights * kernel.rest_volume(d) - layers.first_moment(distance);
                    assert!(
                        moment.abs() < 4e-3 * H,
                        "{kind:?} {dimension:?} h = {ratio} d, row {row}: off by {moment} m"
                    );
                    let density = fluid + solid;
                    assert!(
                        (density - 1.0).abs() < 4e-3,
                        "{kind:?} {dimension:?} h = {ratio} d, row {row}: {density}"
                    );
                }
            }
        }
    }

    /// The kernel over a ball or a half space, in space or plane, by a fine grid of the plane
    /// through the centres, each point turned about the line between them.
    fn by_grid(kernel: &Kernel, distance: f64, radius: f64) -> f64 {
        let (h, n) = (f64::from(H), 240);
        let step = 2.0 * h / f64::from(n);
        let at = |k: i32| (f64::from(k) + 0.5) * step - h;
        // Half of them, each for two.
        let points = (n / 2..n).flat_map(|i| (0..n).map(move |k| (at(i), at(k))));
        let is_solid = |&(x, z): &(f64, f64)| {
            let below = -z - distance;
            if radius.is_finite() { x.hypot(below - radius) < radius } else { below > 0.0 }
        };
        let share = |x: f64| match kernel.dimension {
            Dimension::Two => 2.0 * step * step,
            Dimension::Three => 2.0 * std::f64::consts::PI * x * step * step,
        };
        let value = |(x, z): (f64, f64)| f64::from(kernel.value(x.hypot(z) as Real)) * share(x);
        points.filter(is_solid).map(value).sum()
    }

    #[test]
    fn fine_layers_are_the_integral_of_the_kernel() {
        for (kind, dimension) in all() {
            let kernel = Kernel::new(kind, dimension, H);
            for radius_in_h in [0.05, 0.2, 0.5, 1.0, 3.0, f64::INFINITY] {
                let radius = radius_in_h * f64::from(H);
                for distance_in_h in [0.1, 0.3, 0.5, 0.9, 1.0, 1.5] {
                    let d = distance_in_h * f64::from(H);
                    let sums = fine(kind, dimension).sums(d as Real, (1.0 / radius) as Real);
                    let error = f64::from(sums.fraction) - by_grid(&kernel, d, radius);
                    let case =
                        format!("{kind:?} {dimension:?} R {radius_in_h} h, {distance_in_h} h");
                    assert!(error.abs() < 1e-3, "{case}: {error}");
                    assert!(distance_in_h < 1.0 || sums == LayerSums::default(), "{case}");
                }
            }
        }
    }

    #[test]
    fn the_slope_is_the_derivative_and_the_moment_belongs_to_it() {
        let step = 0.01 * H;
        for (kind, dimension) in all().filter(|(kind, _)| *kind != KernelKind::Mueller) {
            for layers in [fine(kind, dimension), layers(kind, dimension, 0.5 * H)] {
                for curvature in [0.0, 0.1, 1.0, 3.0, 5.0, 20.0].map(|k: Real| k / H) {
                    for k in (2..98).step_by(6) {
                        let d = k as Real * 0.01 * H;
                        let at = |d| layers.sums(d, curvature).fraction;
                        let difference = (at(d + step) - at(d - step)) / (2.0 * step);
                        let sums = layers.sums(d, curvature);
                        let error = (difference - sums.slope) * H;
                        assert!(error.abs() < 6e-3, "{kind:?} {d} {curvature}: {error}");
                        // Layers lie between the surface and the end of the kernel.
                        let [low, high] = [d, H].map(|depth| depth * -sums.slope);
                        let slack = 1e-6;
                        assert!((low - slack..=high + slack).contains(&-sums.moment));
                    }
                }
            }
        }
    }

    #[test]
    fn over_fine_layers_the_moment_is_by_parts_what_it_should_be() {
        for (kind, dimension) in all().filter(|(kind, _)| *kind != KernelKind::Mueller) {
            for d in [0.1, 0.3, 0.6].map(|d: Real| d * H) {
                let sums = fine(kind, dimension).sums(d, 0.0);
                let expected = d * sums.slope - sums.fraction;
                assert!((sums.moment - expected).abs() < 4e-3, "{kind:?} {d}: {sums:?}");
            }
        }
    }
}
