//! The elastic bodies of a world: what they are, where they are, and how they are advanced.
//!
//! They feel the body forces that the fluid feels, and the solids; the fluid does not act on them.

use hashfall_elastic::{
    ElasticState, ElasticSystem, ImplicitSettings, SpatialHashSettings, SymplecticSettings,
};
use std::sync::Arc;

/// Elastic bodies.
#[derive(Clone, Debug)]
pub struct Elastic {
    /// What never changes of them, shared by all copies of a world.
    pub system: Arc<ElasticSystem>,
    /// Where their nodes are, and how fast they move.
    pub state: ElasticState,
    /// How they are advanced within a step.
    pub solver: ElasticSolver,
    /// How their contact is found and kept; `None` for no contact.
    pub contact: Option<ContactMode>,
}

/// How elastic bodies are advanced within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ElasticSolver {
    /// In explicit substeps.
    Symplectic(SymplecticSettings),
    /// By TR-BDF2, and implicit Euler where contact acts.
    Implicit(ImplicitSettings),
}

/// How contact of elastic bodies is found and kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactMode {
    /// Nothing passes through anything.
    Full,
    /// Vertices are hashed and triangles rasterised (Ahmad), which misses some.
    SpatialHash(SpatialHashSettings),
}

/// Two are equal that have the same bodies in the same state.
impl PartialEq for Elastic {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&*self.system, &*other.system);
        let has_same_bodies = Arc::ptr_eq(&self.system, &other.system)
            || (a.bodies() == b.bodies() && a.mass() == b.mass() && a.fixings() == b.fixings());
        let has_same_settings = (self.solver, self.contact) == (other.solver, other.contact);
        has_same_bodies && has_same_settings && self.state == other.state
    }
}

impl Elastic {
    /// Bodies at the start, in symplectic substeps, with full contact.
    pub fn new(system: Arc<ElasticSystem>) -> Self {
        let state = system.start().clone();
        let solver = ElasticSolver::Symplectic(SymplecticSettings::default());
        Elastic { system, state, solver, contact: Some(ContactMode::Full) }
    }

    /// The mean length of all edges \[m\]; 0 if there is none.
    pub fn mean_edge(&self) -> f64 {
        let edges = || self.system.bodies().iter().flat_map(|body| &body.edges);
        let x = &self.state.position;
        let length = |[a, b]: &[u32; 2]| (x[*b as usize] - x[*a as usize]).norm();
        edges().map(length).sum::<f64>() / edges().count().max(1) as f64
    }
}
