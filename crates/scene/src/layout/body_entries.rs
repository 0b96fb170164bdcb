//! The bodies of a scene's solids: one for each solid, in their order, then one for each further
//! ball of a field that moves freely, as there each ball is a body of its own.

use crate::model::{BodyMotion, Model, SolidModel};
use hashfall_fill::sphere_field::Ball;

/// A body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyEntry {
    /// The solid of which it is.
    pub solid: usize,
    /// The ball that it is, of a field whose balls move freely.
    pub ball: Option<usize>,
}

/// All bodies, with the balls of each solid given.
pub fn body_entries(model: &Model, balls: &[Vec<Ball>]) -> Vec<BodyEntry> {
    let free_balls = |solid: usize| match &model.solids[solid] {
        it @ SolidModel::SphereField(_) if matches!(it.motion(), BodyMotion::Free(_)) => {
            balls[solid].len()
        }
        _ => 0,
    };
    let solids = 0..model.solids.len();
    let first = |solid| BodyEntry { solid, ball: (free_balls(solid) > 0).then_some(0) };
    let further =
        |solid| (1..free_balls(solid)).map(move |ball| BodyEntry { solid, ball: Some(ball) });
    solids.clone().map(first).chain(solids.flat_map(further)).collect()
}

impl BodyEntry {
    /// Of the balls of each solid, those of the body.
    pub fn balls<'a>(&self, balls: &'a [Vec<Ball>]) -> &'a [Ball] {
        let all = &balls[self.solid];
        self.ball.map_or(all, |ball| &all[ball..=ball])
    }

    /// What it is called: by the solid, and the number of the ball.
    pub fn name(&self, model: &Model) -> String {
        let solid = self.solid_name(model);
        self.ball.map_or_else(|| solid.clone(), |ball| format!("{solid} ball {ball}"))
    }

    /// The name of its solid, or the solid's key path.
    pub fn solid_name(&self, model: &Model) -> String {
        let name = model.solids[self.solid].name();
        name.map_or_else(|| format!("solids[{}]", self.solid), str::to_owned)
    }
}
