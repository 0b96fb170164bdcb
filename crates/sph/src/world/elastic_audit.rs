//! Sums over the elastic bodies of a world.

use super::{ContactMode, Elastic, World};
use hashfall_core::{parallel, to_f64};
use hashfall_elastic::body_intersections;

/// What must be conserved of elastic bodies, summed in fixed point.
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
