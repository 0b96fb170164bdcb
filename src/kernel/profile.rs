//! Shapes of kernels as polynomials in pieces, and their moments.
//!
//! W(r) = σ w(q), q = r/h, with w a polynomial on each piece of 0 ≤ q ≤ 1. A kernel's moments over
//! the distance, Mₙ(a) = ∫ₐʰ sⁿ W(s) ds = σ hⁿ⁺¹ ∫ qⁿ w(q) dq, are polynomials as well; the
//! integral over a solid is made of them.
//!
//! Symbols: r distance \[m\], h support radius \[m\], σ normalisation \[1/mᴰ\] in D dimensions.

/// A polynomial of degree six: Σ cₖ qᵏ.
pub type Polynomial = [f64; 7];

/// A piece of a profile: w(q) up to an end, from the end of the piece before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Where the piece ends \[–\].
    pub end: f64,
    /// w(q) there.
    pub shape: Polynomial,
}

/// ∫ qⁿ w(q) dq from `q` to 1, for n = 1, 2, 3.
#[inline]
pub fn moments_from(profile: &[Piece], q: f64) -> [f64; 3] {
    let mut moments = [0.0; 3];
    let mut start = q.max(0.0);
    for Piece { end, shape } in profile {
        if start < *end {
            let [near, far] = [start, *end].map(|q| powers(shape, q));
            for n in 0..3 {
                moments[n] += far[n] - near[n];
            }
            start = *end;
        }
    }
    moments
}

/// The antiderivatives of q w, q² w and q³ w, without the constant.
#[inline]
fn powers(shape: &Polynomial, q: f64) -> [f64; 3] {
    let mut sums = [0.0; 3];
    for (k, c) in shape.iter().enumerate().rev() {
        let order = (k + 2) as f64;
        for (n, sum) in sums.iter_mut().enumerate() {
            *sum = *sum * q + c / (order + n as f64);
        }
    }
    let square = q * q;
    [sums[0] * square, sums[1] * square * q, sums[2] * square * square]
}
