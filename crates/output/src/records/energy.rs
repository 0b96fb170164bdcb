//! The account of energy of a frame: what the fluid and the free bodies have, and what brought it.

use super::table::number;
use hashfall_sph::world::{OutsideWork, World};

/// Energies and works since the start \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyAccount {
    /// Kinetic and potential energy of the fluid and the free bodies, less all that came in with
    /// particles and the work from outside.
    pub net: f64,
    /// All that was brought from outside, without what was taken.
    pub supplied: f64,
    /// Work of accelerations without a potential, of periodic sides and of callers.
    pub forces: f64,
    /// Work of solids that move on the fluid; `None` where none moves.
    pub solids: Option<f64>,
    /// Of free bodies; `None` if there are none.
    pub bodies: Option<BodyEnergy>,
    /// Work of nozzles; `None` without emitters.
    pub nozzles: Option<f64>,
}

/// What free bodies have, and what was done with them \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyEnergy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy in gravity and central forces, as of the fluid.
    pub potential: f64,
    /// Their part of the work of solids on the fluid.
    pub on_fluid: f64,
    /// Work of contact with solids that move by a law, and of what lets them go.
    pub by_contact: f64,
}

impl EnergyAccount {
    /// That of a world.
    pub fn from_world(world: &World) -> Self {
        let budget = &world.open_boundaries.budget;
        let OutsideWork { solids, bodies, forces, nozzles, flow, supplied } = budget.outside;
        let [kinetic, potential] = world.free_body_energy();
        let on_fluid = budget.work - solids;
        let of_bodies = BodyEnergy { kinetic, potential, on_fluid, by_contact: bodies };
        let has_emitters = !world.open_boundaries.emitters.is_empty();
        EnergyAccount {
            net: world.net_energy(),
            supplied,
            forces,
            solids: world.work_of_solids(),
            bodies: (!world.free_bodies.is_empty()).then_some(of_bodies),
            nozzles: has_emitters.then_some(nozzles + flow),
        }
    }

    /// Its columns in the log: name and value.
    pub(super) fn columns(&self) -> impl Iterator<Item = (String, String)> {
        let of_bodies = |BodyEnergy { kinetic, potential, on_fluid, by_contact }| {
            [
                ("bodies_kinetic_energy", kinetic),
                ("bodies_potential_energy", potential),
                ("work_of_free_bodies", on_fluid),
                ("work_of_contact", by_contact),
            ]
        };
        let always = [
            ("net_energy", self.net),
            ("supplied_energy", self.supplied),
            ("work_of_forces", self.forces),
        ];
        let solids = self.solids.map(|work| ("work_of_solids", work));
        let nozzles = self.nozzles.map(|work| ("work_of_nozzles", work));
        let bodies = self.bodies.map(of_bodies);
        let all = always.into_iter().chain(solids).chain(nozzles);
        all.chain(bodies.into_iter().flatten()).map(|(name, x)| (name.to_owned(), number(x)))
    }
}
