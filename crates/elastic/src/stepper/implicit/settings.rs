//! What a user may set of the implicit integrator.

/// How implicit substeps are solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImplicitSettings {
    /// Substeps in a step.
    pub substeps: u32,
    /// The last step of Newton's method over the way of the nodes in the substep; in rounds with
    /// contact 1e-4 at the least.
    pub tolerance: f64,
    /// The most steps of Newton's method.
    pub max_newton: u32,
    /// The most iterations of conjugate gradients in each of them.
    pub max_conjugate_gradients: u32,
    /// The most rounds of elasticity and contact in a substep.
    pub contact_rounds: u32,
}

impl Default for ImplicitSettings {
    fn default() -> Self {
        ImplicitSettings {
            substeps: 1,
            tolerance: 1e-6,
            max_newton: 100,
            max_conjugate_gradients: 5000,
            contact_rounds: 12,
        }
    }
}
