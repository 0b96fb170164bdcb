//! Scenes that tests share.

use crate::body::{Material, RigidBody};
use crate::mass::{Amount, ball_mass, cuboid_mass};
use crate::shape::Shape;
use crate::system::{DriftReport, RigidSettings, RigidSystem};
use hashfall_bodies::{BodyState, Wrench};
use nalgebra::{Isometry3, Vector3};

/// What the tests are about; 2⁻ⁿ so that other units are exact.
pub(super) const GRAVITY: f64 = 9.8125;
pub(super) const DENSITY: f64 = 1024.0;

/// Bodies and states before they are a system.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) bodies: Vec<RigidBody>,
    pub(super) states: Vec<BodyState>,
}

impl Scene {
    pub(super) fn add(&mut self, body: RigidBody, pose: Isometry3<f64>) -> usize {
        self.states.push(body.state_at(&pose));
        self.bodies.push(body);
        self.bodies.len() - 1
    }

    pub(super) fn ball(&mut self, radius: f64, at: Vector3<f64>, material: Material) -> usize {
        let mass = ball_mass(radius, Amount::Density(DENSITY)).unwrap();
        let shape = Shape::ball(radius).unwrap();
        let body = RigidBody::free(&mass, &shape, material).unwrap();
        self.add(body, Isometry3::translation(at.x, at.y, at.z))
    }

    pub(super) fn cuboid(
        &mut self,
        half: Vector3<f64>,
        pose: Isometry3<f64>,
        material: Material,
    ) -> usize {
        let mass = cuboid_mass(half, Amount::Density(DENSITY)).unwrap();
        let shape = Shape::cuboid(half).unwrap();
        self.add(RigidBody::free(&mass, &shape, material).unwrap(), pose)
    }

    /// The ground z ≤ 0.
    pub(super) fn ground(&mut self, material: Material) -> usize {
        let shape = Shape::half_space(Vector3::z()).unwrap();
        self.add(RigidBody::fixed(&shape, material), Isometry3::identity())
    }

    pub(super) fn system(self) -> RigidSystem {
        self.system_with(RigidSettings::default())
    }

    pub(super) fn system_with(self, settings: RigidSettings) -> RigidSystem {
        RigidSystem::new(self.bodies, self.states, settings).unwrap()
    }
}

/// The weights of all bodies in a field of gravity.
pub(super) fn weights(system: &RigidSystem, gravity: &Vector3<f64>) -> Vec<Wrench> {
    let bodies = system.bodies().iter();
    let weight = |body: &RigidBody| {
        let mass = if body.mass().is_finite() { body.mass() } else { 0.0 };
        Wrench { force: gravity * mass, torque: Vector3::zeros() }
    };
    bodies.map(weight).collect()
}

/// A step under gravity, as the fluid takes it.
pub(super) fn step(system: &mut RigidSystem, dt: f64, gravity: &Vector3<f64>) -> DriftReport {
    let wrenches = weights(system, gravity);
    system.begin_step(dt).unwrap();
    system.kick(0.5 * dt, &wrenches).unwrap();
    let report = system.drift(dt).unwrap();
    system.solve_contacts(0.5 * dt, &wrenches).unwrap();
    system.accept();
    report
}

/// Gravity along a plane that falls by an angle towards x, whose normal is z.
pub(super) fn tilted(angle: f64) -> Vector3<f64> {
    Vector3::new(libm::sin(angle), 0.0, -libm::cos(angle)) * GRAVITY
}

pub(super) fn down() -> Vector3<f64> {
    -Vector3::z() * GRAVITY
}

pub(super) fn rough(friction: f64) -> Material {
    Material { friction, restitution: 0.0 }
}

pub(super) fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}
