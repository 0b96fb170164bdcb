//! The lengths that glibc has anew since 2.35: defined here, the program needs no such version.
//!
//! Charts, previews and validation ask for them, some by crates of others; what computes the state
//! does not (`tests/equality/maths_symbols.sh`).

/// √(x² + y²), without overflow.
#[unsafe(no_mangle)]
pub extern "C" fn hypot(x: f64, y: f64) -> f64 {
    libm::hypot(x, y)
}

/// √(x² + y²), without overflow.
#[unsafe(no_mangle)]
pub extern "C" fn hypotf(x: f32, y: f32) -> f32 {
    libm::hypotf(x, y)
}
