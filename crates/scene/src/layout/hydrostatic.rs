//! Hydrostatic equilibrium of a box of fluid at the start.
//!
//! A lattice at rest density has no pressure: a tank filled with it first collapses and then
//! oscillates like a spring for seconds. At depth D the pressure must be p = ρ₀ g D. How it arises
//! depends on the solver:
//!
//! - Divergence-free SPH: the pressure is an initial guess of the solver.
//! - Densities by continuity: they start from ρ/ρ₀ = (1 + γ g D/c²)^(1/γ), by Tait's equation p =
//!   (ρ₀c²/γ)((ρ/ρ₀)^γ − 1).
//! - Several fluids: all have the stiffness of the densest (see [`hashfall_sph::step`]), ρ₀ₘₐₓc²/γ.
//! - Densities by summation: layers are d·ρ₀/ρ apart to have them. The first layer stays where the
//!   lattice has it, d/2 above the floor of the box, clear of a wall there.
//!
//! Symbols: D depth below the top of the box \[m\], d spacing \[m\], g gravity \[m/s²\], c speed of
//! sound \[m/s\], γ Tait's exponent \[–\].

use hashfall_sph::world::{SolverSettings, Tait};

/// One layer of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Its height above the floor of its box \[m\].
    pub height: f64,
    /// ρ/ρ₀ \[–\].
    pub compression: f64,
    /// p/ρ₀ \[m²/s²\].
    pub potential: f64,
}

impl Layer {
    /// Under nothing, wherever it is.
    pub const AT_REST: Layer = Layer { height: 0.0, compression: 1.0, potential: 0.0 };
}

/// The layers of a box of fluid, the lowest first.
#[derive(Clone, Debug)]
pub struct Column(Vec<Layer>);

/// What a column of fluid is made of and carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// p/ρ₀ on its top, of other fluid there \[m²/s²\].
    pub above: f64,
    /// ρ₀ₘₐₓ/ρ₀, with ρ₀ₘₐₓ that of the densest fluid, whose stiffness all have \[–\].
    pub lightness: f64,
}

impl Column {
    /// `count` layers of spacing `d` \[m\] that stand under `gravity` g \[m/s²\], straight down.
    pub fn new(
        solver: &dyn SolverSettings,
        d: f64,
        gravity: f64,
        count: usize,
        load: Load,
    ) -> Self {
        let tait = solver.tait();
        let mut layers: Vec<Layer> = (0..count)
            .map(|k| {
                let potential = load.above + gravity * ((count - k) as f64 - 0.5) * d;
                let compression =
                    tait.map_or(1.0, |tait| compression(tait, potential / load.lightness));
                Layer { height: (k as f64 + 0.5) * d, compression, potential }
            })
            .collect();
        if solver.has_compressed_layers() {
            for k in 1..count {
                let thickness = |k: usize| d / layers[k].compression;
                let rise = 0.5 * (thickness(k - 1) + thickness(k));
                layers[k].height = layers[k - 1].height + rise;
            }
        }
        Column(layers)
    }

    /// What a place at a height \[m\] has, between layers of spacing `d` \[m\]: where particles do
    /// not lie in layers.
    pub fn at(&self, height: f64, d: f64) -> Layer {
        let Column(layers) = self;
        let place = height / d - 0.5;
        let below = (place.max(0.0) as usize).min(layers.len().saturating_sub(2));
        let [a, b] = [below, below + 1].map(|k| self.layer(k));
        let part = if layers.len() < 2 { 0.0 } else { place - below as f64 };
        let between = |a: f64, b: f64| a + (b - a) * part;
        let rise = |k: usize, layer: Layer| layer.height - (k as f64 + 0.5) * d;
        Layer {
            height: height + between(rise(below, a), rise(below + 1, b)),
            compression: between(a.compression, b.compression),
            potential: between(a.potential, b.potential),
        }
    }

    /// The layer of this number; beyond the last one, the last.
    pub fn layer(&self, number: usize) -> Layer {
        self.0[number.min(self.0.len() - 1)]
    }
}

/// ρ/ρ₀ under this p, over the density of the densest fluid \[m²/s²\].
fn compression(tait: Tait, potential: f64) -> f64 {
    let c2 = tait.sound_speed * tait.sound_speed;
    root(1.0 + f64::from(tait.exponent) * potential / c2, tait.exponent)
}

/// The n-th root of a number of at least 1, by Newton's method from above: multiplications and
/// divisions alone, so that it has the same bits everywhere.
fn root(power: f64, n: u32) -> f64 {
    let mut x = power;
    loop {
        let lower = (1..n).fold(1.0, |product, _| product * x);
        let next = x - (x - power / lower) / f64::from(n);
        if next >= x {
            return x;
        }
        x = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_sph::world::{Density, Wcsph};

    fn settings(density: Density) -> Wcsph {
        Wcsph { sound_speed: Some(40.0), density: Some(density), ..Wcsph::default() }
    }

    const ALONE: Load = Load { above: 0.0, lightness: 1.0 };

    #[test]
    fn a_light_fluid_is_compressed_as_a_dense_one_is_under_the_same_pressure() {
        let solver = settings(Density::Summation);
        let water = Column::new(&solver, 0.1, 10.0, 1, Load { above: 4.0, ..ALONE }).layer(0);
        // Its own weight and what is above it are 1/10 of the water's, on 1/10 of the density.
        let oil =
            Column::new(&solver, 0.1, 10.0, 1, Load { above: 49.5, lightness: 10.0 }).layer(0);
        assert!((oil.potential - 50.0).abs() < 1e-12 && (water.potential - 4.5).abs() < 1e-12);
        let same = Column::new(&solver, 0.1, 10.0, 1, Load { above: 4.5, ..ALONE }).layer(0);
        assert!((oil.compression - same.compression).abs() < 1e-15, "{oil:?} {same:?}");
    }

    #[test]
    fn roots_are_roots() {
        for (power, n) in [(1.0, 7), (1.05, 7), (128.0, 7), (2.0, 1), (9.0, 2)] {
            let x = root(power, n);
            assert!((x.powi(n as i32) / power - 1.0).abs() < 1e-13, "{power}, {n}: {x}");
        }
    }

    #[test]
    fn layers_close_up_downwards_as_their_weight_demands() {
        let solver = settings(Density::Summation);
        let Column(layers) = Column::new(&solver, 0.025, 9.81, 40, ALONE);
        assert_eq!(layers[0].height, 0.0125);
        let gaps: Vec<f64> = layers.windows(2).map(|w| w[1].height - w[0].height).collect();
        assert!(gaps.is_sorted(), "the deeper, the closer");
        // Half way down p = ρ₀ g · 0.5 m; for a small compression ρ/ρ₀ − 1 = g D/c².
        let compression = 0.025 / gaps[19] - 1.0;
        assert!((compression / (9.81 * 0.5 / 1600.0) - 1.0).abs() < 0.05, "{compression}");
        let Column(weightless) = Column::new(&solver, 0.025, 0.0, 3, ALONE);
        let lattice = [0.0125, 0.0375, 0.0625];
        assert!(weightless.iter().zip(lattice).all(|(l, at)| (l.height - at).abs() < 1e-15));
    }

    #[test]
    fn between_layers_pressure_grows_with_depth_as_in_them() {
        let solver = settings(Density::Summation);
        let column = Column::new(&solver, 0.1, 10.0, 5, ALONE);
        for k in 0..5 {
            let (layer, at) = (column.layer(k), column.at((k as f64 + 0.5) * 0.1, 0.1));
            assert!((layer.height - at.height).abs() < 1e-12, "{layer:?} {at:?}");
            assert!((layer.potential - at.potential).abs() < 1e-12, "{layer:?} {at:?}");
        }
        let [between, top] = [0.2, 0.5].map(|height| column.at(height, 0.1).potential);
        assert!((between - 3.0).abs() < 1e-12 && top.abs() < 1e-12, "{between} {top}");
        let single = Column::new(&solver, 0.1, 10.0, 1, ALONE);
        assert!((single.at(0.05, 0.1).potential - 0.5).abs() < 1e-12);
    }

    #[test]
    fn where_densities_go_with_the_flow_layers_stay_on_the_lattice() {
        let solver = settings(Density::Continuity { diffusion: 0.1 });
        let Column(layers) = Column::new(&solver, 0.1, 10.0, 2, ALONE);
        assert!((layers[0].height - 0.05).abs() < 1e-15 && (layers[1].height - 0.15).abs() < 1e-15);
        assert!((layers[0].potential - 1.5).abs() < 1e-12);
        assert!((layers[0].compression - (1.0 + 1.5 / 1600.0)).abs() < 1e-5);
    }
}
