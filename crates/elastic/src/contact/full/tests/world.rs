//! Elastic bodies with contact and solids that may move.

use super::super::obstacles::{ObstaclePoint, Obstacles};
use super::super::primitives::Primitives;
use crate::ElasticAccount;
use crate::contact::narrow::edge_meets_triangle;
use crate::contact::{ContactCounts, FullContact};
use crate::material::{Material, SpringMass, SpringStiffness, Springs};
use crate::mesh::ElasticMesh;
use crate::state::ElasticState;
use crate::stepper::{
    Acceleration, ElasticStep, ElasticStepper, StepError, Symplectic, SymplecticSettings,
};
use crate::system::{BodySpec, ElasticSystem};
use hashfall_bodies::RigidMotion;
use hashfall_core::Vec3;
use hashfall_geometry::{Aabb, Point};
use hashfall_search::BroadPhaseKind;
use hashfall_solid::Solids;
use std::sync::Arc;

/// Bodies, solids, a state and a time.
pub struct World {
    pub stepper: ElasticStepper,
    pub state: ElasticState,
    pub solids: Solids,
    pub gravity: Point,
    /// Towards the origin \[1/s²\].
    pub pull: f64,
    pub time: f64,
    pub counts: ContactCounts,
    pub substeps: u64,
    pub high_order: u64,
}

/// Springs along all edges.
pub fn springs(stiffness: f64, damping_time: f64, thickness: f64) -> Material {
    Material::Springs(Springs {
        stiffness: SpringStiffness::PerSpring(stiffness),
        across: 0.1,
        mass: SpringMass::Density(1000.0),
        thickness,
        damping_time,
    })
}

/// A body of springs.
pub fn body(name: &str, mesh: ElasticMesh, material: &Material, friction: f64) -> BodySpec {
    BodySpec { friction, ..BodySpec::new(name, mesh, material.clone()) }
}

/// No solids.
pub fn empty() -> Solids {
    let domain = Aabb::new(Vec3::repeat(-10.0), Vec3::repeat(10.0));
    Solids::new(domain, vec![], vec![]).with_open_axes([true; 3])
}

impl World {
    pub fn new(bodies: Vec<BodySpec>, solids: Solids, gravity: f64) -> Self {
        World::with_broad_phase(bodies, solids, gravity, BroadPhaseKind::default())
    }

    pub fn with_broad_phase(
        bodies: Vec<BodySpec>,
        solids: Solids,
        gravity: f64,
        kind: BroadPhaseKind,
    ) -> Self {
        let system = ElasticSystem::new(bodies).unwrap();
        let collisions = FullContact::new(&system, &solids, kind);
        let state = system.start().clone();
        let integrator = Box::new(Symplectic::new(SymplecticSettings::default()));
        let stepper = ElasticStepper::new(Arc::new(system), integrator, Box::new(collisions));
        World {
            stepper,
            state,
            solids,
            gravity: Point::new(0.0, 0.0, -gravity),
            pull: 0.0,
            time: 0.0,
            counts: ContactCounts::default(),
            substeps: 0,
            high_order: 0,
        }
    }

    pub fn try_step(&mut self, dt: f64) -> Result<(), StepError> {
        self.solids.begin_step(self.time + dt, dt);
        let poses = self.solids.step_poses();
        let motions: Vec<_> = poses.map(|(start, end)| RigidMotion::new(start, end)).collect();
        let (gravity, pull) = (self.gravity, self.pull);
        let field = |x: &Point, _: f64| gravity - x * pull;
        let acceleration = Acceleration::Field(&field);
        let step = ElasticStep { time: self.time, dt, acceleration, motions: &motions };
        let report = self.stepper.advance(&mut self.state, &step)?;
        self.counts += report.contact;
        self.substeps += report.substeps;
        self.high_order += report.high_order_substeps;
        self.solids.move_bodies();
        self.solids.end_step();
        self.time += dt;
        Ok(())
    }

    pub fn step(&mut self, dt: f64) {
        self.try_step(dt).unwrap();
    }

    pub fn account(&self) -> ElasticAccount {
        ElasticAccount::new(self.stepper.system(), &self.state, &self.gravity)
    }
}

/// How many edges of all bodies and obstacles cross a triangle of them, by brute force over all
/// that can meet.
pub fn crossings(world: &World) -> usize {
    let obstacles = Obstacles::new(&world.solids);
    let primitives = Primitives::new(world.stepper.system(), &obstacles);
    let poses: Vec<_> = world.solids.step_poses().map(|(start, _)| start).collect();
    let place = |point: &ObstaclePoint| match (point.part as usize).checked_sub(1) {
        Some(body) => poses[body].apply(&point.rest),
        None => point.rest,
    };
    let places = obstacles.points.iter().map(place);
    let x: Vec<Point> = world.state.position.iter().copied().chain(places).collect();
    let (nodes, mut count) = (primitives.nodes, 0);
    // By their low ends along x.
    let range = |edge: &[u32; 2]| {
        let [a, b] = edge.map(|p| x[p as usize].x);
        [a.min(b), a.max(b)]
    };
    let mut edges = primitives.edges.clone();
    edges.sort_unstable_by(|a, b| range(a)[0].total_cmp(&range(b)[0]));
    let longest = edges.iter().map(|edge| range(edge)[1] - range(edge)[0]).fold(0.0, f64::max);
    for (number, triangle) in primitives.triangles.iter().enumerate() {
        let corners = triangle.map(|p| x[p as usize]);
        let [low, high] =
            [Point::inf, Point::sup].map(|f| f(&f(&corners[0], &corners[1]), &corners[2]));
        let first = edges.partition_point(|edge| range(edge)[0] < low.x - 1.01 * longest);
        for edge in edges[first..].iter().take_while(|edge| range(edge)[0] <= high.x) {
            let [a, b] = edge.map(|p| x[p as usize]);
            let is_apart = (0..3).any(|k| a[k].max(b[k]) < low[k] || a[k].min(b[k]) > high[k]);
            let are_obstacles = number >= primitives.elastic_triangles && edge[0] as usize >= nodes;
            if is_apart || are_obstacles || edge.iter().any(|p| triangle.contains(p)) {
                continue;
            }
            count += usize::from(edge_meets_triangle(&[a, b], &corners));
        }
    }
    count
}
