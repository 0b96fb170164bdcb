//! Solids that move freely: their masses, centres and inertias by exact integrals over their
//! shapes, and how they begin to move.

use crate::layout::body_entries::{BodyEntry, body_entries};
use crate::layout::round_solid::round_solid;
use crate::model::{BodyMotion, BoxModel, FreeMotion, LockedAxis, Model, SolidModel};
use crate::problem::Problem;
use hashfall_bodies::Twist;
use hashfall_core::Dimension;
use hashfall_fill::sphere_field::Ball;
use hashfall_geometry::{Meridian, RoundSolid, TriangleMesh, prism};
use hashfall_rigid::{
    Amount, MassError, MassProperties, ball_mass, capsule_mass, cone_mass, cuboid_mass,
    cylinder_mass, disc_mass, frustum_mass, mesh_mass, section_mass,
};
use hashfall_sph::world::{FreeBody, PLANE_LOCKS, World};
use nalgebra::{Isometry3, Matrix3, Vector3};
use std::sync::Arc;

/// Mass, centre and inertia of a body, and the volume that they fill.
#[derive(Clone, Copy, Debug)]
pub struct FreeMass {
    /// As it is placed.
    pub properties: MassProperties,
    /// In the plane of a metre of depth \[m³\].
    pub volume: f64,
}

/// That of each [body](BodyEntry) that moves freely.
///
/// # Errors
/// Solids that have no volume, each with why.
pub fn masses(
    model: &Model,
    balls: &[Vec<Ball>],
    from_files: &[Arc<TriangleMesh>],
) -> Result<Vec<Option<FreeMass>>, Vec<Problem>> {
    let mut from_files = from_files.iter();
    let takes_file = |solid| matches!(solid, &SolidModel::Mesh(_) | &SolidModel::Polygon(_));
    let meshes: Vec<Option<&Arc<TriangleMesh>>> = (model.solids.iter())
        .map(|solid| if takes_file(solid) { from_files.next() } else { None })
        .collect();
    let (mut masses, mut problems) = (Vec::new(), Vec::new());
    for entry in body_entries(model, balls) {
        let solid = &model.solids[entry.solid];
        let BodyMotion::Free(free) = solid.motion() else {
            masses.push(None);
            continue;
        };
        let (balls, mesh) = (entry.balls(balls), meshes[entry.solid]);
        let of_amount = |amount| match model.dimensions {
            Dimension::Two => in_plane(solid, balls, mesh, amount),
            Dimension::Three => in_space(solid, balls, mesh, amount),
        };
        let found = of_amount(amount(free)).and_then(|properties| {
            let volume = of_amount(Amount::Density(1.0))?.mass;
            Ok(FreeMass { properties, volume })
        });
        masses.push(found.as_ref().ok().copied());
        problems.extend(found.err().map(|error| {
            let message = format!("this solid has no mass: {error}");
            let help = "a closed shape that encloses a volume";
            let i = entry.solid;
            Problem::error(format!("solids[{i}].motion"), message, help)
                .also_at(format!("solids[{i}]"))
        }));
    }
    if problems.is_empty() { Ok(masses) } else { Err(problems) }
}

/// The bodies that the fluid moves, in the order of all bodies.
pub fn free_bodies(
    model: &Model,
    entries: &[BodyEntry],
    masses: &[Option<FreeMass>],
) -> Vec<FreeBody> {
    let body = |(i, (entry, mass)): (usize, (&BodyEntry, &Option<FreeMass>))| {
        let BodyMotion::Free(free) = model.solids[entry.solid].motion() else { return None };
        let MassProperties { mass, inertia, .. } = (*mass)?.properties;
        let body = FreeBody::new(i + 1, mass, inertia).with_locks(locks(model, free));
        Some(body.with_release(free.from, twist(free)))
    };
    entries.iter().zip(masses).enumerate().filter_map(body).collect()
}

/// Gives bodies that are free from the start their velocities.
pub fn set_velocities(world: &mut World) {
    for free in &world.free_bodies {
        let Twist { velocity, spin } = free.unlocked(&free.release_twist);
        if !free.is_held(world.time) {
            // The check has held both to be finite, and the law is one that is driven.
            let _ = world.solids.set_body_velocity(free.body, velocity, spin);
        }
    }
}

fn amount(free: &FreeMotion) -> Amount {
    match (free.density, free.mass) {
        (Some(density), _) => Amount::Density(density),
        (None, mass) => Amount::Mass(mass.unwrap_or(f64::NAN)),
    }
}

fn twist(free: &FreeMotion) -> Twist {
    Twist { velocity: free.velocity.into(), spin: free.spin.into() }
}

fn locks(model: &Model, free: &FreeMotion) -> [bool; 6] {
    let all = [
        LockedAxis::X,
        LockedAxis::Y,
        LockedAxis::Z,
        LockedAxis::AboutX,
        LockedAxis::AboutY,
        LockedAxis::AboutZ,
    ];
    let is_plane = model.dimensions == Dimension::Two;
    std::array::from_fn(|k| free.locked.contains(&all[k]) || (is_plane && PLANE_LOCKS[k]))
}

/// Of a metre of depth.
fn in_plane(
    solid: &SolidModel,
    balls: &[Ball],
    mesh: Option<&Arc<TriangleMesh>>,
    amount: Amount,
) -> Result<MassProperties, MassError> {
    if let Some(disc) = balls.first() {
        return Ok(moved(disc_mass(disc.radius, amount)?, disc.centre.into()));
    }
    if let SolidModel::Box(BoxModel { min, max, .. }) = solid {
        let [[a, _, b], [c, _, d]] = [min, max];
        let corners = [[*a, *b], [*c, *b], [*c, *d], [*a, *d]];
        let corners = corners.map(|corner| corner.map(hashfall_core::to_real));
        return section_mass(&prism::polygon_segments(&corners), amount);
    }
    let segments = mesh.map(|mesh| prism::section(mesh)).unwrap_or_default();
    section_mass(&segments, amount)
}

fn in_space(
    solid: &SolidModel,
    balls: &[Ball],
    mesh: Option<&Arc<TriangleMesh>>,
    amount: Amount,
) -> Result<MassProperties, MassError> {
    if let Some(ball) = balls.first() {
        return Ok(moved(ball_mass(ball.radius, amount)?, ball.centre.into()));
    }
    if let Some(round) = round_solid(solid) {
        return round_mass(&round, amount);
    }
    match (solid, mesh) {
        (SolidModel::Box(BoxModel { min, max, .. }), _) => {
            let [low, high] = [min, max].map(|corner| Vector3::from(*corner));
            Ok(moved(cuboid_mass((high - low) * 0.5, amount)?, (low + high) * 0.5))
        }
        (_, Some(mesh)) => mesh_mass(mesh, amount),
        (_, None) => Err(MassError::Empty { what: "volume" }),
    }
}

/// Along its axis, from the closed forms along z.
fn round_mass(solid: &RoundSolid, amount: Amount) -> Result<MassProperties, MassError> {
    let upright = match solid.meridian() {
        Meridian::Capsule { length, radius } => capsule_mass(0.5 * length, radius, amount),
        Meridian::Frustum { length, radius, tip_radius } if radius == tip_radius => {
            cylinder_mass(0.5 * length, radius, amount)
        }
        Meridian::Frustum { length, radius, tip_radius: 0.0 } => {
            cone_mass(0.5 * length, radius, amount)
        }
        Meridian::Frustum { length, radius, tip_radius } => {
            frustum_mass(0.5 * length, [radius, tip_radius], amount)
        }
    }?;
    let [from, to] = solid.axis_ends().map(|end| Vector3::new(end.x, end.y, end.z));
    let axis = (to - from).normalize();
    let [across, along] = [upright.inertia[(0, 0)], upright.inertia[(2, 2)]];
    let inertia =
        Matrix3::from_diagonal_element(across) + axis * axis.transpose() * (along - across);
    let center = 0.5 * (from + to) + axis * upright.center.z;
    Ok(MassProperties { mass: upright.mass, center, inertia })
}

fn moved(mass: MassProperties, by: Vector3<f64>) -> MassProperties {
    mass.placed(&Isometry3::translation(by.x, by.y, by.z))
}
