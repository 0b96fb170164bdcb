//! What is wrong with elastic bodies when a step of theirs fails, and which are near.

use crate::world::{Elastic, World};
use hashfall_core::to_f64;
use hashfall_elastic::{ContactError, Fixing, StepError};
use hashfall_geometry::Point;
use std::fmt;

/// The walls, as scenes call them.
const WALLS: [[&str; 2]; 3] = [["x_min", "x_max"], ["y_min", "y_max"], ["z_min", "z_max"]];

/// A step of elastic bodies that failed.
#[derive(Clone, Debug, PartialEq)]
pub struct ElasticFault {
    /// Why.
    pub error: StepError,
    /// The nearest node, what holds it, and the walls that are there; none if the error names the
    /// body itself.
    pub nearest: Option<String>,
}

impl ElasticFault {
    /// Of a world in whose step that has begun the elastic bodies failed.
    pub(in crate::step) fn new(world: &World, error: StepError) -> Self {
        let nearest = match &error {
            StepError::Contact(
                ContactError::Pinched { place, .. } | ContactError::Intersecting { place, .. },
            ) => nearest(world, &Point::from(*place)),
            _ => None,
        };
        ElasticFault { error, nearest }
    }
}

impl fmt::Display for ElasticFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.nearest {
            Some(nearest) => write!(f, "{}; nearest: {nearest}", self.error),
            None => self.error.fmt(f),
        }
    }
}

/// The elastic node nearest to a place, what holds it, and the walls that it is at.
fn nearest(world: &World, place: &Point) -> Option<String> {
    let Elastic { system, state, .. } = world.elastic.as_ref()?;
    let distance = |node: &usize| (state.position[*node] - place).norm();
    let node = (0..system.node_count()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    let (body, number) = system.locate(node);
    let held = system.fixings().iter().find(|(held, _)| *held as usize == node);
    let held = match held.map(|(_, fixing)| fixing) {
        Some(Fixing::Fixed) => ", which is fixed".to_owned(),
        Some(Fixing::Tied { body, .. }) => {
            let solid = world.solids.moving_obstacles().nth(*body as usize);
            solid.map_or_else(String::new, |solid| format!(", tied to `solids[{solid}]`"))
        }
        None => String::new(),
    };
    let (low, high) = (to_f64(&world.solids.domain.min), to_f64(&world.solids.domain.max));
    let reach = body.thickness + distance(&node);
    let mut walls = String::new();
    for a in (0..3).filter(|&a| !world.solids.open[a]) {
        let gaps = [place[a] - low[a], high[a] - place[a]];
        for (gap, name) in gaps.into_iter().zip(WALLS[a]).filter(|(gap, _)| *gap <= reach) {
            let beyond = if gap < 0.0 { "beyond" } else { "at" };
            walls += &format!(", {beyond} the wall {name}");
        }
    }
    Some(format!("node {number} of \"{}\"{held}{walls}", body.name))
}
