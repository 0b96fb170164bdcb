//! The elastic catenary (Irvine 1981, *Cable Structures*, §1.3.2): a cable of
//! length L₀, weight w per length at rest and tensile stiffness EA has at its point p ∈ \[0, L₀\],
//! with V = w L₀/2 − w p the upward part of its tension and H the other,
//!
//! x = H p/EA + H/w (arsinh(V₀/H) − arsinh(V/H)),
//! z = −(V₀² − V²)/(2 w EA) − (√(H² + V₀²) − √(H² + V²))/w,
//!
//! and x(L₀) is the span. EA → ∞ gives the catenary.

/// L₀ \[m\].
pub const LENGTH: f64 = 1.0;
/// Between the supports \[m\].
pub const SPAN: f64 = 0.7;

/// A cable of one metre at rest between supports at (0, 0) and (0.7 m, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticCatenary {
    /// EA \[N\].
    stiffness: f64,
    /// w \[N/m\].
    weight: f64,
    /// H \[N\].
    horizontal: f64,
}

impl ElasticCatenary {
    /// That of a cable with a stiffness EA \[N\] and a weight per length at rest \[N/m\]. H by
    /// bisection: the cable spans more the more it pulls.
    pub fn new(stiffness: f64, weight: f64) -> Self {
        let mut cable = ElasticCatenary { stiffness, weight, horizontal: 0.0 };
        let (mut low, mut high) = (0.0, 1e3 * weight * LENGTH);
        for _ in 0..200 {
            cable.horizontal = 0.5 * (low + high);
            let end = if cable.place(LENGTH)[0] < SPAN { &mut low } else { &mut high };
            *end = cable.horizontal;
        }
        cable
    }

    /// x and z \[m\] of the point that is `p` \[m\] from its first end at rest.
    pub fn place(&self, p: f64) -> [f64; 2] {
        let ElasticCatenary { stiffness, weight, horizontal: h } = *self;
        let start = 0.5 * weight * LENGTH;
        let v = start - weight * p;
        let tension = |v: f64| (h * h + v * v).sqrt();
        let x = h * p / stiffness + h / weight * (libm::asinh(start / h) - libm::asinh(v / h));
        let stretched = (start * start - v * v) / (2.0 * weight * stiffness);
        [x, -stretched - (tension(start) - tension(v)) / weight]
    }
}
