//! Cloths on one another, creased: elastic bodies that collide with each other and themselves.

use crate::lab::Halt;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Vec3, vec3};
use hashfall_elastic::{
    BodySpec, ElasticSystem, Material, SpringMass, SpringStiffness, Springs, sheet,
};
use hashfall_geometry::Point;

/// The height of a cloth above the next, in edges of a cell.
const GAP: f64 = 0.4;
/// How far nodes are off along each axis, in edges.
const CREASE: f64 = 0.25;
/// How far they are elsewhere a little later.
const MOTION: f64 = 0.1;
/// How thick a cloth is, in edges.
pub const THICKNESS: f64 = 0.2;
/// How many cloths there are.
const LAYERS: u32 = 4;

/// Square cloths of cells with an edge of 1 m, before and after.
pub struct ClothStack {
    /// The bodies.
    pub system: ElasticSystem,
    /// Where their nodes are \[m\].
    pub positions: [Vec<Point>; 2],
}

impl ClothStack {
    /// Of about this number of triangles.
    ///
    /// # Errors
    /// If there can be no such bodies.
    pub fn new(triangles: usize, rng: &mut RandomStream) -> Result<Self, Halt> {
        let cells = (triangles as f64 / f64::from(2 * LAYERS)).sqrt().ceil().max(1.0) as u32;
        let edge = f64::from(cells);
        let cloth = |layer: u32| {
            let origin = Point::new(0.0, 0.0, GAP * f64::from(layer));
            body(&format!("cloth {layer}"), origin, edge, cells)
        };
        let cloths = (0..LAYERS).map(cloth).collect::<Result<Vec<_>, _>>()?;
        let system = ElasticSystem::new(cloths).map_err(|error| wrong(&error))?;
        let mut off = |by: f64| Point::from([(); 3].map(|()| rng.between(-by, by)));
        let start = system.start().position.iter();
        let before: Vec<Point> = start.map(|x| x + off(CREASE)).collect();
        let after = before.iter().map(|x| x + off(MOTION)).collect();
        Ok(ClothStack { system, positions: [before, after] })
    }

    /// The corners of all triangles.
    pub fn corners(&self) -> Vec<[u32; 3]> {
        self.system.bodies().iter().flat_map(|body| body.surface.iter().copied()).collect()
    }

    /// The nodes in the precision of structures.
    pub fn points(&self) -> [Vec<Vec3>; 2] {
        self.positions.each_ref().map(|nodes| nodes.iter().map(|x| vec3((*x).into())).collect())
    }
}

/// A square cloth of springs with an edge of `edge` \[m\].
///
/// # Errors
/// If there can be no such body.
pub fn body(name: &str, origin: Point, edge: f64, cells: u32) -> Result<BodySpec, Halt> {
    let (u, v) = (Point::x() * edge, Point::y() * edge);
    let mesh = sheet(origin, u, v, [cells, cells]).map_err(|error| wrong(&error))?;
    let springs = Springs {
        stiffness: SpringStiffness::Modulus(1e6),
        across: 0.0,
        mass: SpringMass::Density(1000.0),
        thickness: THICKNESS * edge / f64::from(cells),
        damping_time: 0.0,
    };
    Ok(BodySpec::new(name, mesh, Material::Springs(springs)))
}

/// What is wrong with an input.
pub fn wrong(error: &dyn std::error::Error) -> Halt {
    Halt::Wrong(error.to_string())
}
