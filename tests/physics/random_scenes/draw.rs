//! Draws numbers, choices and places of a scene by a seed.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// What a seed draws.
pub struct Draw {
    chance: Pcg32,
    /// In the plane.
    pub flat: bool,
    /// Spacing \[m\].
    pub d: f64,
    /// Of the domain, in spacings.
    pub size: [u32; 3],
    pub periodic: [bool; 3],
}

impl Draw {
    /// Uniform in `[low, high)`.
    pub fn number(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * f64::from(self.chance.next_u32()) / 4_294_967_296.0
    }

    /// The same by orders of magnitude.
    pub fn order(&mut self, low: f64, high: f64) -> f64 {
        self.number(low.ln(), high.ln()).exp()
    }

    /// A whole number from `low` to `high`.
    pub fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + (self.number(0.0, f64::from(high + 1 - low)) as u32).min(high - low)
    }

    pub fn happens(&mut self, probability: f64) -> bool {
        self.number(0.0, 1.0) < probability
    }

    pub fn choice<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.whole(0, of.len() as u32 - 1) as usize]
    }

    /// A vector of components up to `most` either way; none across the plane.
    pub fn vector(&mut self, most: f64) -> [f64; 3] {
        let mut v = [0; 3].map(|_| self.number(-most, most));
        if self.flat {
            v[1] = 0.0;
        }
        v
    }

    /// A point of the lattice \[m\], at least so many spacings from all sides where there is room.
    pub fn place(&mut self, margin: u32) -> [f64; 3] {
        let counts = self.size.map(|n| {
            let margin = margin.min(n / 2);
            self.whole(margin, n - margin)
        });
        self.metres(counts)
    }

    pub fn metres(&self, counts: [u32; 3]) -> [f64; 3] {
        counts.map(|n| f64::from(n) * self.d)
    }

    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let chance = Pcg32::new(seed, 0x0a02_bdbf_7bb3_c0a7);
        Draw { chance, flat: false, d: 0.0, size: [0; 3], periodic: [false; 3] }
    }
}

/// As scenes write it.
pub fn vector(v: [f64; 3]) -> String {
    format!("({:?}, {:?}, {:?})", v[0], v[1], v[2])
}
