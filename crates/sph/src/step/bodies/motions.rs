//! How free bodies move while an equation is solved for their twists: in place of the velocities
//! that the solids have.

use crate::world::World;
use hashfall_bodies::{Twist, Wrench};
use hashfall_core::{Real, Vec3, to_f64};
use hashfall_geometry::Point;
use hashfall_solid::SurfaceId;
use nalgebra::Matrix6;
use std::sync::Arc;

/// Stands for a body that is not free.
const NOT_FREE: u32 = u32::MAX;

/// Which bodies are free, with their numbers among these.
#[derive(Clone, Debug, Default)]
pub struct FreeIndex(Arc<[u32]>);

impl FreeIndex {
    /// That of a world.
    pub fn new(world: &World) -> Self {
        let mut numbers = vec![NOT_FREE; world.solids.body_count()];
        for (number, free) in world.free_bodies.iter().enumerate() {
            numbers[free.body] = number as u32;
        }
        FreeIndex(numbers.into())
    }

    /// The number of the body of a surface among the free ones.
    #[inline]
    pub fn get(&self, surface: SurfaceId) -> Option<usize> {
        let number = self.0[surface.body()];
        (number != NOT_FREE).then_some(number as usize)
    }

    /// Whether a body, by its number among all, is free.
    pub fn is_free(&self, body: usize) -> bool {
        self.0[body] != NOT_FREE
    }
}

/// The motions of all free bodies.
#[derive(Clone, Debug, Default)]
pub struct BodyMotions {
    pub(super) index: FreeIndex,
    /// Centres of mass \[m\].
    pub(super) centres: Vec<Point>,
    /// \[m/s, 1/s\]
    pub twists: Vec<Twist>,
}

impl BodyMotions {
    /// The number of the body of a surface among the free ones.
    #[inline]
    pub fn body(&self, surface: SurfaceId) -> Option<usize> {
        self.index.get(surface)
    }

    /// The velocity of a surface at a place \[m/s\], if its body is free.
    #[inline]
    pub fn velocity(&self, surface: SurfaceId, x: &Vec3) -> Option<Vec3> {
        let body = self.body(surface)?;
        let velocity = self.twists[body].velocity_at(&self.arm(body, x));
        #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
        Some(velocity.map(|v| v as Real))
    }

    /// From the centre of a body to a place \[m\].
    #[inline]
    pub fn arm(&self, body: usize, x: &Vec3) -> Point {
        Point::from(to_f64(x)) - self.centres[body]
    }

    /// The wrench of a force at a place.
    #[inline]
    pub fn wrench(&self, body: usize, x: &Vec3, force: &Vec3) -> Wrench {
        Wrench::from_force_at(Point::from(to_f64(force)), &self.arm(body, x))
    }
}

/// What acts on each free body, with how it changes with its twist; summed over items in chunks of
/// a fixed length and then over these in their order, which is the same for any number of threads.
#[derive(Clone, Debug)]
pub struct BodyResponse {
    /// The body.
    pub body: u32,
    /// Impulse on it.
    pub impulse: Wrench,
    /// −∂impulse/∂twist, about.
    pub resistance: Matrix6<f64>,
}

impl BodyResponse {
    /// The entry of a body in a list, which is short.
    pub fn entry(list: &mut Vec<BodyResponse>, body: usize) -> &mut BodyResponse {
        let known = list.iter().position(|it| it.body as usize == body);
        let at = known.unwrap_or_else(|| {
            let (impulse, resistance) = (Wrench::default(), Matrix6::zeros());
            list.push(BodyResponse { body: body as u32, impulse, resistance });
            list.len() - 1
        });
        &mut list[at]
    }
}
