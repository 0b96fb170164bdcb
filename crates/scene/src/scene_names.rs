//! What a scene calls its fluids and bodies.

use crate::layout::round_solid::round_solid;
use crate::model::{Model, SolidModel};
use hashfall_core::Dimension;

/// The names of a scene's fluids and bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SceneNames {
    /// Of the fluids, in their order.
    pub fluids: Vec<String>,
    /// Of the elastic bodies, in their order.
    pub elastic: Vec<String>,
    /// Of the solids, in their order.
    pub solids: Vec<SolidName>,
}

/// The name of a solid, and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidName {
    /// The name, if it has one.
    pub name: Option<String>,
    /// Its number among all meshes and, after these, all solids of revolution.
    pub mesh: Option<usize>,
    /// Whether it has balls.
    pub has_balls: bool,
}

impl SceneNames {
    pub(crate) fn new(model: &Model) -> Self {
        let is_mesh = |solid: &SolidModel| {
            matches!(solid, SolidModel::Box(_) | SolidModel::Mesh(_) | SolidModel::Polygon(_))
        };
        let is_round = |solid: &SolidModel| {
            model.dimensions == Dimension::Three && round_solid(solid).is_some()
        };
        let mut next_mesh = 0..;
        let mut next_round = model.solids.iter().filter(|solid| is_mesh(solid)).count()..;
        let solid = |solid: &SolidModel| {
            let mesh = match (is_mesh(solid), is_round(solid)) {
                (true, _) => next_mesh.next(),
                // Surfaces of elastic bodies may be numbered before these.
                (_, true) => next_round.next().filter(|_| model.elastic.is_empty()),
                _ => None,
            };
            let has_balls = !is_mesh(solid) && !is_round(solid);
            SolidName { name: solid.name().map(str::to_owned), mesh, has_balls }
        };
        SceneNames {
            solids: model.solids.iter().map(solid).collect(),
            fluids: model.fluids.iter().map(|fluid| fluid.name.clone()).collect(),
            elastic: model.elastic.iter().map(|body| body.name.clone()).collect(),
        }
    }
}
