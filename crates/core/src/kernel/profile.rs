//! Shapes of kernels as polynomials in pieces, and what is integrated of them.
//!
//! W(r) = σ w(q), q = r/h, with w a polynomial on each piece of 0 ≤ q ≤ 1. Then the kernel's first
//! moment over the distance, M(a) = ∫ₐʰ s W(s) ds = σ h² ∫ q w(q) dq, is a polynomial as well.
//!
//! Symbols: r distance \[m\], h support radius \[m\], σ normalisation \[1/mᴰ\] in D dimensions.

/// A piece of a profile: w(q) up to an end, from the end of the piece before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Where the piece ends \[–\].
    pub end: f64,
    /// w(q) = Σ cₖ qᵏ there.
    pub shape: [f64; 7],
}

impl Piece {
    /// An antiderivative of q w(q).
    #[inline]
    fn first_moment(&self, q: f64) -> f64 {
        let terms = self.shape.iter().enumerate().rev();
        q * q * terms.fold(0.0, |sum, (k, c)| sum * q + c / (k + 2) as f64)
    }
}

/// ∫ q w(q) dq from `q` ≥ 0 to 1.
#[inline]
pub fn first_moment_from(profile: &[Piece], q: f64) -> f64 {
    let (mut sum, mut start) = (0.0, q);
    for piece in profile {
        if start < piece.end {
            sum += piece.first_moment(piece.end) - piece.first_moment(start);
            start = piece.end;
        }
    }
    sum
}
