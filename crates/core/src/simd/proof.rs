//! Values that exist only where the CPU has an instruction set of x86.

/// Proof that this CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof that this CPU has AVX-512 F, BW, DQ and VL, and what [`Avx2`] proves.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        let has_it = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        has_it.then_some(Avx2(()))
    }
}

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let has_it = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        has_it.then_some(Avx512(()))
    }

    /// AVX2, which CPUs with AVX-512 have, too.
    #[inline(always)]
    pub fn avx2(self) -> Avx2 {
        Avx2(())
    }
}
