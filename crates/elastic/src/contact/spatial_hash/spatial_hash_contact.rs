//! A substep: move and enter, detect, respond, count.

use super::detection::{Detection, Scene};
use super::error::SpatialHashError;
use super::passages::Passages;
use super::settings::SpatialHashSettings;
use super::vertex_table::VertexTable;
use super::vertex_test::Ways;
use crate::contact::full::obstacles::{ObstaclePoint, Obstacles};
use crate::contact::full::primitives::Primitives;
use crate::contact::{Collisions, ContactCounts, ContactError, Drift, NodeMotion, SolidMotion};
use crate::system::ElasticSystem;
use hashfall_bodies::RigidMotion;
use hashfall_geometry::Point;
use hashfall_solid::Solids;

/// Contact by hashed vertices and rasterised triangles.
#[derive(Clone, Debug)]
pub struct SpatialHashContact {
    pub(super) settings: SpatialHashSettings,
    pub(super) primitives: Primitives,
    pub(super) obstacles: Obstacles,
    /// Edges of obstacles with a radius.
    pub(super) rounds: Vec<[u32; 2]>,
    /// Edges of elastic bodies, whose mean length is a cell.
    edges: Vec<[u32; 2]>,
    /// The largest radius of a node \[m\].
    vertex_radius: f64,
    pub(super) points: Points,
    pub(super) table: VertexTable,
    pub(super) detection: Detection,
    passages: Passages,
    counts: ContactCounts,
}

/// All points: nodes, then those of obstacles.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    pub start: Vec<Point>,
    pub end: Vec<Point>,
    velocity: Vec<Point>,
    inverse_mass: Vec<f64>,
    /// ω of moving bodies \[rad/s\].
    angular_velocity: Vec<Point>,
}

impl SpatialHashContact {
    /// Of elastic bodies, with solids as obstacles.
    ///
    /// # Errors
    /// If a body has no thickness, or a setting is of no use.
    pub fn new(
        system: &ElasticSystem,
        solids: &Solids,
        settings: SpatialHashSettings,
    ) -> Result<Self, SpatialHashError> {
        check(&settings)?;
        let is_thin = |thickness: f64| thickness.is_nan() || thickness <= 0.0;
        if let Some(body) = system.bodies().iter().find(|body| is_thin(body.thickness)) {
            return Err(SpatialHashError::NoThickness { body: body.name.clone() });
        }
        let obstacles = Obstacles::new(solids);
        let primitives = Primitives::new(system, &obstacles);
        let nodes = primitives.nodes;
        let is_elastic = |edge: &&[u32; 2]| (edge[0] as usize) < nodes;
        let is_round =
            |edge: &&[u32; 2]| !is_elastic(edge) && primitives.radius[edge[0] as usize] > 0.0;
        Ok(SpatialHashContact {
            settings,
            rounds: primitives.edges.iter().filter(is_round).copied().collect(),
            edges: primitives.edges.iter().filter(is_elastic).copied().collect(),
            vertex_radius: primitives.radius[..nodes].iter().copied().fold(0.0, f64::max),
            points: Points::default(),
            table: VertexTable::new(&primitives, settings),
            detection: Detection::default(),
            passages: Passages::default(),
            counts: ContactCounts::default(),
            primitives,
            obstacles,
        })
    }

    /// Edge of a cell \[m\].
    pub fn cell_size(&self) -> f64 {
        self.table.cell_size()
    }

    /// Bytes that the table of vertices holds.
    pub fn table_bytes(&self) -> usize {
        self.table.bytes()
    }

    fn detect(&mut self) {
        self.counts.tested += self.detection.find(&Scene {
            primitives: &self.primitives,
            walls: &self.obstacles.walls,
            rounds: &self.rounds,
            vertex_radius: self.vertex_radius,
            ways: self.points.ways(),
            angular_velocity: &self.points.angular_velocity,
            table: &self.table,
            depth: self.settings.depth * self.table.cell_size(),
        });
    }

    fn respond(&mut self) {
        let Points { end, velocity, inverse_mass, .. } = &mut self.points;
        let contacts = self.detection.contacts();
        let acted = contacts.filter(|contact| contact.respond(inverse_mass, end, velocity));
        self.counts.contacts += acted.count() as u64;
    }
}

impl Collisions for SpatialHashContact {
    /// Leaves velocities as they are: what collides is found when it has moved.
    fn resolve(
        &mut self,
        _motion: &NodeMotion<'_>,
        _velocity: &mut [Point],
    ) -> Result<f64, ContactError> {
        Ok(1.0)
    }

    fn drift(&mut self, drift: &Drift<'_>, position: &mut [Point], velocity: &mut [Point]) {
        self.points.begin(drift, position, velocity, &self.obstacles.points);
        let Points { start, end, velocity: along, .. } = &mut self.points;
        let (start, along, nodes) = (&start[..], &along[..], position.len());
        self.table.move_and_enter(end, &self.edges, |k, x| {
            if k < nodes {
                *x = start[k] + along[k] * drift.dt;
            }
        });
        self.detect();
        self.respond();
        if self.settings.counts_passages {
            let cell = self.table.cell_size();
            let ways = self.points.ways();
            self.counts.passages += self.passages.count(&self.primitives, &ways, cell);
        }
        position.copy_from_slice(&self.points.end[..nodes]);
        velocity.copy_from_slice(&self.points.velocity[..nodes]);
    }

    fn take_counts(&mut self) -> ContactCounts {
        std::mem::take(&mut self.counts)
    }
}

impl Points {
    /// Takes all points as they are at the start, and those of obstacles at the end.
    fn begin(
        &mut self,
        drift: &Drift<'_>,
        position: &[Point],
        velocity: &[Point],
        obstacles: &[ObstaclePoint],
    ) {
        self.start.clear();
        self.start.extend_from_slice(position);
        self.velocity.clear();
        self.velocity.extend_from_slice(velocity);
        self.inverse_mass.clear();
        self.inverse_mass.extend_from_slice(drift.inverse_mass);
        self.end.clear();
        self.end.extend_from_slice(position);
        let Drift { dt, solids, .. } = *drift;
        let turn = |motion: &RigidMotion| match dt > 0.0 {
            true => motion.angular_velocity(solids.parts, dt),
            false => Point::zeros(),
        };
        self.angular_velocity.clear();
        self.angular_velocity.extend(solids.motions.iter().map(turn));
        for point in obstacles {
            let [from, to] = drift.solids.parts.map(|part| place(point, &drift.solids, part));
            let along = if drift.dt > 0.0 { (to - from) / drift.dt } else { Point::zeros() };
            self.start.push(from);
            self.end.push(to);
            self.velocity.push(along);
            self.inverse_mass.push(0.0);
        }
    }

    fn ways(&self) -> Ways<'_> {
        Ways { start: &self.start, end: &self.end }
    }
}

/// Where a point of an obstacle is at a part of the step, from 0 to 1.
fn place(point: &ObstaclePoint, solids: &SolidMotion<'_>, part: f64) -> Point {
    match point.part.checked_sub(1).and_then(|body| solids.motions.get(body as usize)) {
        Some(motion) => motion.at(part).apply(&point.rest),
        None => point.rest,
    }
}

/// Refuses settings of no use: cells that are no numbers, and tables beyond all memory.
fn check(settings: &SpatialHashSettings) -> Result<(), SpatialHashError> {
    let checks = [
        ("cell_ratio", settings.cell_ratio, [0.01, 100.0]),
        ("table_ratio", settings.table_ratio, [1e-3, 1e3]),
        ("depth", settings.depth, [0.0, 10.0]),
    ];
    let wrong = checks.into_iter().find(|(_, value, [low, high])| !(low..=high).contains(&value));
    wrong.map_or(Ok(()), |(name, value, range)| {
        Err(SpatialHashError::Setting { name, value, range })
    })
}
