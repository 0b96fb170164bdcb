//! The elastic bodies of a world: what they are, where they are, and how they are advanced.
//!
//! They feel the body forces that the fluid feels, and the solids; the fluid does not act on them.

use super::World;
use hashfall_core::{parallel, to_f64};
use hashfall_elastic::{
    ElasticState, ElasticSystem, ImplicitSettings, SpatialHashSettings, SymplecticSettings,
    body_intersections,
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

/// What must be conserved of elastic bodies, summed exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ElasticAudit {
    /// Mass \[kg\].
    pub mass: f64,
    /// Momentum \[kg m/s\].
    pub momentum: [f64; 3],
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Elastic energy \[J\]: 0 at rest.
    pub elastic_energy: f64,
    /// Potential energy in gravity and central forces \[J\], as of the fluid.
    pub potential_energy: f64,
    /// Largest speed \[m/s\].
    pub max_speed: f64,
}

impl ElasticAudit {
    /// Kinetic, elastic and potential energy \[J\].
    pub fn energy(&self) -> f64 {
        self.kinetic_energy + self.elastic_energy + self.potential_energy
    }
}

impl World {
    /// Sums over the elastic bodies; `None` if there are none.
    pub fn elastic_audit(&self) -> Option<ElasticAudit> {
        let Elastic { system, state, .. } = self.elastic.as_ref()?;
        let (masses, gravity) = (system.mass(), to_f64(&self.gravity));
        let [mass, x, y, z, kinetic, potential] = parallel::sum(masses.len(), |node| {
            let (m, v) = (masses[node], &state.velocity[node]);
            let place = <[f64; 3]>::from(state.position[node]);
            let springs: f64 = self.forces.iter().map(|force| force.potential(&place)).sum();
            let height: f64 = -(0..3).map(|a| gravity[a] * place[a]).sum::<f64>();
            [m, m * v.x, m * v.y, m * v.z, 0.5 * m * v.norm_squared(), m * (springs + height)]
        });
        let fastest = parallel::max(masses.len(), 0.0, |i| state.velocity[i].norm_squared());
        Some(ElasticAudit {
            mass,
            momentum: [x, y, z],
            kinetic_energy: kinetic,
            elastic_energy: system.energies().energy(&state.position),
            potential_energy: potential,
            max_speed: fastest.sqrt(),
        })
    }

    /// How many edges of elastic bodies go through triangles of these, each triangle counted;
    /// `None` if there are no bodies.
    pub fn elastic_intersections(&self) -> Option<usize> {
        let Elastic { system, state, .. } = self.elastic.as_ref()?;
        Some(body_intersections(system, &state.position).len())
    }

    /// Whether elastic bodies collide by a hash of their vertices, in Ahmad's mode.
    pub(crate) fn hashes_vertices(&self) -> bool {
        let contact = self.elastic.as_ref().and_then(|elastic| elastic.contact);
        matches!(contact, Some(ContactMode::SpatialHash(_)))
    }

    /// Positions and velocities of all elastic nodes, to the bit; `None` if there are none.
    pub fn elastic_digest(&self) -> Option<u64> {
        self.elastic.as_ref().map(|elastic| elastic.state.digest())
    }
}
