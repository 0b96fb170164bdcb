//! A block of fluid that starts in balance with its own weight.
//!
//! A lattice at rest density has no pressure, so a tank filled with it first falls together and
//! then rings like a spring, for seconds. Under the pressure p = ρ₀ g D at depth D, Tait's equation
//! p = (ρ₀c²/γ)((ρ/ρ₀)^γ − 1) asks for ρ/ρ₀ = (1 + γ g D/c²)^(1/γ), and layers stand d·ρ₀/ρ
//! apart.
//! The first stays where the lattice has it, d/2 above the box's floor, clear of a wall there.
//!
//! Symbols: D depth below the box's top \[m\], d spacing \[m\], g gravity \[m/s²\], c speed of
//! sound \[m/s\], γ Tait's exponent \[–\].

/// What the layers stand under.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Spacing d \[m\].
    pub spacing: f64,
    /// g, straight down \[m/s²\].
    pub gravity: f64,
    /// c \[m/s\].
    pub sound_speed: f64,
    /// γ, a whole number \[–\].
    pub exponent: u32,
}

impl Column {
    /// The height of each of `count` layers above the floor of its box \[m\].
    pub fn heights(&self, count: usize) -> Vec<f64> {
        let thickness = |k: usize| self.spacing / self.compression((count - k) as f64 - 0.5);
        let mut height = 0.5 * self.spacing;
        let mut heights = Vec::with_capacity(count);
        for k in 0..count {
            if k > 0 {
                height += 0.5 * (thickness(k - 1) + thickness(k));
            }
            heights.push(height);
        }
        heights
    }

    /// ρ/ρ₀ under `layers` layers of fluid.
    fn compression(&self, layers: f64) -> f64 {
        let c2 = self.sound_speed * self.sound_speed;
        let power = 1.0 + f64::from(self.exponent) * self.gravity * layers * self.spacing / c2;
        root(power, self.exponent)
    }
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

    #[test]
    fn roots_are_roots() {
        for (power, n) in [(1.0, 7), (1.05, 7), (128.0, 7), (2.0, 1), (9.0, 2)] {
            let x = root(power, n);
            assert!((x.powi(n as i32) / power - 1.0).abs() < 1e-13, "{power}, {n}: {x}");
        }
    }

    #[test]
    fn layers_close_up_downwards_as_their_weight_demands() {
        let column = Column { spacing: 0.025, gravity: 9.81, sound_speed: 40.0, exponent: 7 };
        let heights = column.heights(40);
        assert_eq!(heights[0], 0.0125);
        let gaps: Vec<f64> = heights.windows(2).map(|w| w[1] - w[0]).collect();
        assert!(gaps.is_sorted(), "the deeper, the closer");
        // Half way down p = ρ₀ g · 0.5 m; for a small compression ρ/ρ₀ − 1 = g D/c².
        let compression = 0.025 / gaps[19] - 1.0;
        assert!((compression / (9.81 * 0.5 / 1600.0) - 1.0).abs() < 0.05, "{compression}");
        let weightless = Column { gravity: 0.0, ..column }.heights(3);
        let lattice = [0.0125, 0.0375, 0.0625];
        assert!(weightless.iter().zip(lattice).all(|(z, at)| (z - at).abs() < 1e-15));
    }
}
