//! What meshes are to the union: their frames, their groups, and what bodies that meet leave.

use super::cutting::Visible;
use crate::solids::Solids;
use hashfall_bodies::Pose;
use hashfall_geometry::Interior;
use std::collections::BTreeMap;

/// What a mesh is to the union.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Its frame; `None` of `Hollow` ones, which are not cut.
    pub frame: Option<u32>,
    /// The first mesh of those in its frame that it meets, itself among them.
    pub home: u32,
    /// The first mesh of all that it meets.
    pub first: u32,
    /// Whether a triangle of its own is cut.
    pub is_cut: bool,
    /// Whether one of those meshes has a triangle that is cut.
    pub is_grouped: bool,
    /// Whether it is so thin somewhere that particles would see through it.
    pub is_thin: bool,
    /// Whether what it hides counts as solid: it is thin, or in a group with one that is.
    pub is_opaque: bool,
}

/// Meshes that keep their places to each other.
#[derive(Clone, Debug)]
pub struct Frame {
    /// How they move.
    pub motion: FrameMotion,
    /// Numbers of their triangles, with the mesh of each.
    pub triangles: Vec<(u32, u32)>,
    /// The shell of each.
    pub shells: Vec<u32>,
    /// What of each is visible.
    pub visible: Vec<Visible>,
    /// Whether all of all is.
    pub is_uncut: bool,
    /// What is inside, where bodies of other frames may come.
    pub interior: Option<Interior>,
}

/// How the meshes of a frame move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrameMotion {
    /// They stand.
    Stands,
    /// With a body, by its number among those that move as a whole.
    Moves(usize),
    /// It is one mesh, which deforms, by its number among all.
    Deforms(usize),
}

impl FrameMotion {
    /// Whether they stand.
    pub fn stands(self) -> bool {
        self == FrameMotion::Stands
    }

    /// Where what was cut in the frame of the scene is now, if it moves as a whole.
    pub fn pose(self, solids: &Solids) -> Option<&Pose> {
        match self {
            FrameMotion::Moves(body) => Some(solids.pose_of(body)),
            FrameMotion::Stands | FrameMotion::Deforms(_) => None,
        }
    }
}

impl Member {
    /// Whether all that it shares with other such meshes and with walls is taken off.
    pub fn is_solid(&self) -> bool {
        self.frame.is_some()
    }

    /// The group that its flux is part of, with what it takes off walls.
    pub fn group(&self) -> Option<u32> {
        (self.is_grouped || self.is_opaque).then_some(self.first)
    }
}

/// What bodies that meet leave of their triangles.
#[derive(Clone, Debug, Default)]
pub struct Crossing {
    /// By triangle, where it is now.
    pub visible: BTreeMap<u32, Visible>,
    /// Pairs of meshes that meet.
    pub meeting: Vec<[u32; 2]>,
}

impl Crossing {
    /// Whether nothing meets.
    pub fn is_empty(&self) -> bool {
        self.visible.is_empty()
    }
}
