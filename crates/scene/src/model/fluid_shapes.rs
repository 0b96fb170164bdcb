//! Initial shapes of fluid.
//!
//! A shape is a struct of its own keys, to which [`shape!`] adds those that every shape has, and a
//! line of [`FluidShape`]. What it is in space stands in `hashfall_fill::region`.

use super::start::{Jitter, Start, StartPressure, VelocityField};
use crate::model::{GivenParticles, ParticleColumns, Region, Rotation, Up};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A struct of these keys and of those that every shape has.
macro_rules! shape {
    (
        $(#[$about:meta])*
        $name:ident as $called:literal { $($(#[$meta:meta])* $key:ident: $type:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename = $called, deny_unknown_fields)]
        pub struct $name {
            $($(#[$meta])* pub $key: $type,)*
            /// Uniform initial velocity \[m/s\].
            #[serde(default)]
            pub velocity: [f64; 3],
            /// Velocity field that is added to `velocity`.
            #[serde(default)]
            pub initial_velocity: VelocityField,
            /// Random displacements of the particles; `None` for none.
            #[serde(default)]
            pub jitter: Option<Jitter>,
            /// Whether the shape takes the particles of other shapes inside it instead of a
            /// lattice of its own.
            #[serde(default)]
            pub replaces: bool,
        }

        impl $name {
            fn start(&self) -> Start<'_> {
                let (velocity, initial_velocity) = (self.velocity, &self.initial_velocity);
                Start { velocity, initial_velocity, jitter: self.jitter, replaces: self.replaces }
            }
        }
    };
}

shape! {
    /// An axis-aligned box.
    BoxShape as "Box" {
        /// Lowest corner \[m\].
        min: [f64; 3],
        /// Highest corner \[m\].
        max: [f64; 3],
        /// Initial pressure.
        #[serde(default)]
        pressure: StartPressure,
    }
}

shape! {
    /// A ball.
    BallShape as "Ball" {
        /// Centre \[m\].
        centre: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    }
}

shape! {
    /// A cylinder between two places.
    CylinderShape as "Cylinder" {
        /// One end of its axis \[m\].
        from: [f64; 3],
        /// The other end of its axis \[m\].
        to: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    }
}

shape! {
    /// All that is within a radius of the line between two places.
    CapsuleShape as "Capsule" {
        /// One end of its axis \[m\].
        from: [f64; 3],
        /// The other end of its axis \[m\].
        to: [f64; 3],
        /// Radius \[m\].
        #[schemars(range(min = 1e-6, max = 1e6))]
        radius: f64,
    }
}

shape! {
    /// A cone, or a part of one.
    ConeShape as "Cone" {
        /// The middle of its base \[m\].
        from: [f64; 3],
        /// Its tip, or the middle of its other end \[m\].
        to: [f64; 3],
        /// Radius of the base \[m\].
        #[schemars(range(min = 0.0, max = 1e6))]
        radius: f64,
        /// Radius of the other end; 0 for a tip \[m\].
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1e6))]
        tip_radius: f64,
    }
}

shape! {
    /// The interior of a closed triangle mesh from a file, scaled, then rotated, then
    /// translated.
    MeshShape as "Mesh" {
        /// Mesh file, STL, PLY, OBJ, glTF, VTK (`.vtk`, `.vtp`, `.vtu`) or Gmsh (`.msh`), relative
        /// to the scene file.
        path: String,
        /// Axis of the file that points up, turned onto z first; `None` for that of its format: y
        /// of glTF, z of all others.
        #[serde(default)]
        up: Option<Up>,
        /// Scale factor, applied first \[–\].
        #[serde(default = "super::domain::one")]
        #[schemars(range(min = 1e-9, max = 1e9))]
        scale: f64,
        /// Rotation about the origin, applied second.
        #[serde(default)]
        rotate: Rotation,
        /// Translation, applied last \[m\].
        #[serde(default)]
        translate: [f64; 3],
    }
}

shape! {
    /// The interior of a polygon of the plane; in two dimensions only.
    PolygonShape as "Polygon" {
        /// Corners (x, z) in order around it, in either sense \[m\].
        points: Vec<[f64; 2]>,
    }
}

shape! {
    /// What lies in any of several shapes, filled as one: their particles share one lattice.
    UnionShape as "Union" {
        /// The shapes; they may overlap.
        of: Vec<FluidShape>,
    }
}

shape! {
    /// What lies in each of several shapes.
    IntersectionShape as "Intersection" {
        /// The shapes.
        of: Vec<FluidShape>,
    }
}

shape! {
    /// What lies in a shape, but in none of others.
    DifferenceShape as "Difference" {
        /// The shape.
        of: Box<FluidShape>,
        /// What is taken away from it.
        minus: Vec<FluidShape>,
    }
}

/// Particles from a file, scaled, then rotated, then translated, with their velocities; densities
/// and pressures if the file has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Particles", deny_unknown_fields)]
pub struct ParticlesShape {
    /// A .vtp, .vtu, .vtk, .ply, .bgeo, .csv, .dat, .pts or .xyz file, relative to the scene file.
    pub path: String,
    /// Columns of the file for what is not found by its name, or not under the right one.
    #[serde(default)]
    pub columns: Box<ParticleColumns>,
    /// The `phase` whose particles are taken; `None` for all of a file of one fluid.
    #[serde(default)]
    pub phase: Option<u32>,
    /// Axis of the file that points up.
    #[serde(default)]
    pub up: Up,
    /// Scale factor of places and velocities, applied after `up` \[–\].
    #[serde(default = "super::domain::one")]
    #[schemars(range(min = 1e-9, max = 1e9))]
    pub scale: f64,
    /// Rotation about the origin of places and velocities, applied then.
    #[serde(default)]
    pub rotate: Rotation,
    /// Translation, applied last \[m\].
    #[serde(default)]
    pub translate: [f64; 3],
    /// Uniform initial velocity \[m/s\].
    #[serde(default)]
    pub velocity: [f64; 3],
    /// Velocity field that is added to `velocity`.
    #[serde(default)]
    pub initial_velocity: VelocityField,
    /// Random displacements of the particles; `None` for none.
    #[serde(default)]
    pub jitter: Option<Jitter>,
    /// The particles, once the file is read.
    #[serde(skip)]
    pub given: Option<Arc<GivenParticles>>,
}

impl ParticlesShape {
    fn start(&self) -> Start<'_> {
        let (velocity, initial_velocity) = (self.velocity, &self.initial_velocity);
        Start { velocity, initial_velocity, jitter: self.jitter, replaces: false }
    }
}

shape! {
    /// The space between solids that is connected with a place, up to a level.
    FillShape as "Fill" {
        /// Place that is filled first, between the solids and below the level \[m\].
        from: [f64; 3],
        /// Height of the level \[m\]; `None` where `volume` gives it.
        #[serde(default)]
        level: Option<f64>,
        /// Volume, from which the level follows; `None` where `level` is given \[m³, in the plane
        /// m²\].
        #[serde(default)]
        #[schemars(range(min = 1e-18, max = 1e18))]
        volume: Option<f64>,
        /// Initial pressure.
        #[serde(default)]
        pressure: StartPressure,
    }
}

/// Particles at random positions in a box, for the solver `Ballistic` only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename = "Random", deny_unknown_fields)]
pub struct RandomShape {
    /// Seed of the random positions.
    pub seed: u64,
    /// Number of particles before those in solids are removed.
    pub count: u32,
    /// Box that contains the particles.
    pub region: Region,
    /// Uniform initial velocity \[m/s\].
    #[serde(default)]
    pub velocity: [f64; 3],
}

impl RandomShape {
    fn start(&self) -> Start<'_> {
        let initial_velocity = &VelocityField::Still;
        Start { velocity: self.velocity, initial_velocity, jitter: None, replaces: false }
    }
}

/// An enum of shapes, each a struct with a start.
macro_rules! shapes {
    ($($(#[$about:meta])* $name:ident($type:ty),)*) => {
        /// An initial shape of fluid.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        pub enum FluidShape {
            $($(#[$about])* $name($type),)*
        }

        impl FluidShape {
            /// How its fluid starts.
            pub fn start(&self) -> Start<'_> {
                match self { $(FluidShape::$name(shape) => shape.start(),)* }
            }

            /// What it is called in a scene.
            pub fn name(&self) -> &'static str {
                match self { $(FluidShape::$name(_) => stringify!($name),)* }
            }
        }
    };
}

shapes! {
    /// An axis-aligned box.
    Box(BoxShape),
    /// A ball.
    Ball(BallShape),
    /// A cylinder between two places.
    Cylinder(CylinderShape),
    /// All that is within a radius of the line between two places.
    Capsule(CapsuleShape),
    /// A cone, or a part of one.
    Cone(ConeShape),
    /// The interior of a closed triangle mesh from a file, scaled, then rotated, then
    /// translated.
    Mesh(MeshShape),
    /// The interior of a polygon of the plane; in two dimensions only.
    Polygon(PolygonShape),
    /// What lies in any of several shapes, filled as one: their particles share one lattice.
    Union(UnionShape),
    /// What lies in each of several shapes.
    Intersection(IntersectionShape),
    /// What lies in a shape, but in none of others.
    Difference(DifferenceShape),
    /// Particles from a file, with their velocities.
    Particles(ParticlesShape),
    /// The space between solids that is connected with a place, up to a level.
    Fill(FillShape),
    /// Particles at random positions in a box, for the solver `Ballistic` only.
    Random(RandomShape),
}

impl FluidShape {
    /// The shapes that it is composed of, each with the end of its key path: `.of[0]`.
    pub fn parts(&self) -> Vec<(String, &FluidShape)> {
        let listed = |key: &str, shapes: &'_ [FluidShape]| -> Vec<String> {
            (0..shapes.len()).map(|k| format!(".{key}[{k}]")).collect()
        };
        match self {
            FluidShape::Union(UnionShape { of, .. })
            | FluidShape::Intersection(IntersectionShape { of, .. }) => {
                listed("of", of).into_iter().zip(of).collect()
            }
            FluidShape::Difference(DifferenceShape { of, minus, .. }) => {
                let minus = listed("minus", minus).into_iter().zip(minus);
                [(".of".to_owned(), &**of)].into_iter().chain(minus).collect()
            }
            _ => Vec::new(),
        }
    }

    /// It and all that it is composed of, itself first, each with its key path.
    pub fn tree(&self, path: &str) -> Vec<(String, &FluidShape)> {
        let parts = self.parts();
        let below = parts.iter().flat_map(|(end, part)| part.tree(&format!("{path}{end}")));
        [(path.to_owned(), self)].into_iter().chain(below).collect()
    }

    /// As [`Self::tree`], to be changed.
    pub fn for_each_mut(&mut self, change: &mut dyn FnMut(&mut FluidShape)) {
        change(self);
        match self {
            FluidShape::Union(UnionShape { of, .. })
            | FluidShape::Intersection(IntersectionShape { of, .. }) => {
                of.iter_mut().for_each(|part| part.for_each_mut(change));
            }
            FluidShape::Difference(DifferenceShape { of, minus, .. }) => {
                of.for_each_mut(change);
                minus.iter_mut().for_each(|part| part.for_each_mut(change));
            }
            _ => {}
        }
    }
}
