//! A swing that decays: its frequency and its decay, fitted to samples.
//!
//! q = e^(−γ t) cos(ω_d t + φ) at times s apart obeys qₙ₊₁ = 2 e^(−γ s) cos(ω_d s) qₙ −
//! e^(−2γ s) qₙ₋₁ (Prony), whose two coefficients are those of least squares.

/// How a mode swings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Swing {
    /// ω_d \[1/s\].
    pub angular_frequency: f64,
    /// γ \[1/s\].
    pub decay: f64,
}

impl Swing {
    /// Of samples so far apart \[s\].
    pub fn fit(q: &[f64], sample: f64) -> Self {
        let mut sums = [0.0; 5];
        for w in q.windows(3) {
            let terms = [w[1] * w[1], w[1] * w[0], w[0] * w[0], w[1] * w[2], w[0] * w[2]];
            sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
        }
        let [aa, ab, bb, ac, bc] = sums;
        let determinant = aa * bb - ab * ab;
        let first = (ac * bb - bc * ab) / determinant;
        let second = (bc * aa - ac * ab) / determinant;
        let decay = -0.5 * libm::log(-second) / sample;
        let cosine = 0.5 * first * libm::exp(decay * sample);
        Swing { angular_frequency: libm::acos(cosine) / sample, decay }
    }
}
