//! Hashfall's contact, which finds these pairs in each substep.

use super::{Closing, Cloth, Substep, THICKNESS};
use crate::measure::{Failure, Subject};
use hashfall_core::{Real, Vec3};
use hashfall_elastic::{
    BodySpec, ElasticMesh, ElasticSystem, FullContact, Material, NodeMotion, SolidMotion,
    SpringMass, SpringStiffness, Springs,
};
use hashfall_geometry::Aabb;
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;
use std::sync::Arc;

/// The full mode of contact of one elastic body.
pub struct Contact {
    system: ElasticSystem,
    kind: BroadPhaseKind,
    contact: Option<FullContact>,
}

impl Contact {
    pub fn new(cloth: &Cloth, kind: BroadPhaseKind) -> Result<Self, Failure> {
        let mesh = ElasticMesh {
            nodes: cloth.rest.clone(),
            triangles: cloth.topology.triangles.clone(),
            ..ElasticMesh::default()
        };
        let springs = Springs {
            stiffness: SpringStiffness::Modulus(1e6),
            across: 0.0,
            mass: SpringMass::Density(1000.0),
            thickness: THICKNESS,
            damping_time: 0.0,
        };
        let spec = BodySpec::new("cloth", mesh, Material::Springs(springs));
        Ok(Contact { system: ElasticSystem::new(vec![spec])?, kind, contact: None })
    }
}

impl Subject for Contact {
    type Side = Arc<Substep>;
    type Answer = Closing;

    fn build(&mut self, substep: &Arc<Substep>) -> Result<(), Failure> {
        let Contact { system, kind, contact } = self;
        let contact = contact.get_or_insert_with(|| {
            let nowhere = Aabb::new(Vec3::repeat(-1e6 as Real), Vec3::repeat(1e6 as Real));
            let solids = Solids::new(nowhere, vec![], vec![]).with_open_axes([true; 3]);
            FullContact::new(system, &solids, *kind)
        });
        let (inverse_mass, solids) = (system.inverse_mass(), SolidMotion::default());
        let position = &substep.start;
        let motion = NodeMotion { position, inverse_mass, time: 0.0, dt: 1.0, solids };
        Ok(contact.follow(&motion, &substep.motion)?)
    }

    fn search(&mut self, substep: &Arc<Substep>) -> Closing {
        let mut closing = Closing::default();
        for pair in self.contact.iter_mut().flat_map(FullContact::pairs) {
            let moves = substep.motion_of(&pair.points);
            closing.add(pair.first_count, &pair.points, &pair.nearest, &moves);
        }
        closing
    }
}
