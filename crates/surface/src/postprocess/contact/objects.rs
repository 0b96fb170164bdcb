//! The objects that a surface may lie against: balls, solids of revolution, triangles of meshes.

use hashfall_core::geometry::triangle::offset_to_triangle;
use hashfall_core::geometry::{Aabb, ContactGeometry, Point, RoundSolid, Sphere};
use hashfall_core::{Real, Vec3, to_f64, vec3};
use hashfall_search::{BroadPhase, HierarchicalHash};

/// One of the objects.
enum Object<'a> {
    Ball(&'a Sphere),
    Round(&'a RoundSolid),
    Triangle(&'a [Point; 3]),
}

/// All objects, numbered: balls, then solids of revolution, then triangles.
pub(crate) struct ContactObjects<'a> {
    spheres: &'a [Sphere],
    rounds: &'a [RoundSolid],
    /// The corners of all meshes' triangles.
    triangles: Vec<[Point; 3]>,
    boxes: HierarchicalHash,
    /// No point lies deeper in a ball that attracts it \[m\].
    max_depth: Real,
}

impl<'a> ContactObjects<'a> {
    /// The objects of `solids`, asked for points within `reach` \[m\]; balls attract points down to
    /// `max_depth` in them \[m\].
    pub fn new(solids: &'a dyn ContactGeometry, reach: Real, max_depth: Real) -> Self {
        let (spheres, corners) = (solids.spheres(), solids.triangles());
        let triangles = corners.iter().map(|t| t.map(|v| Point::from(to_f64(&v)))).collect();
        let balls = spheres.iter().map(|ball| Aabb::of_ball(&ball.centre, ball.radius));
        let rounds = solids.rounds();
        let of_rounds = rounds.iter().map(RoundSolid::aabb);
        let all: Vec<Aabb> =
            balls.chain(of_rounds).chain(corners.iter().map(Aabb::around)).collect();
        let mut boxes = HierarchicalHash::default();
        boxes.rebuild(&all, 2.0 * reach);
        ContactObjects { spheres, rounds, triangles, boxes, max_depth }
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty() && self.rounds.is_empty() && self.triangles.is_empty()
    }

    /// The object nearest to a point and its distance, if that is at most `reach`; no ball in which
    /// the point lies deeper than a particle can.
    pub fn nearest(&self, x: &Vec3, reach: Real) -> Option<(Real, u32)> {
        if self.is_empty() {
            return None;
        }
        let mut nearest = None;
        self.boxes.candidates(&Aabb::of_ball(x, reach), |id| {
            let distance = self.distance_to(id, x);
            // Of equal ones the first, in whatever order they come.
            let is_near = (-self.max_depth..=reach).contains(&distance);
            if is_near && nearest.is_none_or(|other| (distance, id) < other) {
                nearest = Some((distance, id));
            }
        });
        nearest
    }

    /// The distance to an object \[m\]; negative in a ball or a solid of revolution.
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn distance_to(&self, id: u32, x: &Vec3) -> Real {
        match self.object(id) {
            Object::Ball(ball) => (x - ball.centre).norm() - ball.radius,
            Object::Round(round) => round.signed_distance(&Point::from(to_f64(x))) as Real,
            Object::Triangle(_) => self.offset_to(id, x).norm(),
        }
    }

    /// An object by its number.
    fn object(&self, id: u32) -> Object<'_> {
        let id = id as usize;
        if let Some(ball) = self.spheres.get(id) {
            return Object::Ball(ball);
        }
        let id = id - self.spheres.len();
        match self.rounds.get(id) {
            Some(round) => Object::Round(round),
            None => Object::Triangle(&self.triangles[id - self.rounds.len()]),
        }
    }

    /// The vector from a point to the nearest one of an object's surface \[m\].
    pub fn offset_to(&self, id: u32, x: &Vec3) -> Vec3 {
        let at = Point::from(to_f64(x));
        let offset = match self.object(id) {
            Object::Triangle(corners) => offset_to_triangle(&at, corners),
            Object::Round(round) => round.nearest(&at).point - at,
            Object::Ball(ball) => {
                let out = at - Point::from(to_f64(&ball.centre));
                let direction = out.try_normalize(0.0).unwrap_or_else(Point::z);
                direction * f64::from(ball.radius) - out
            }
        };
        vec3(offset.into())
    }

    /// The ball or solid of revolution itself; of a mesh, the nearest triangle, as a vertex slides
    /// from one to the next.
    pub fn nearest_like(&self, object: u32, x: &Vec3) -> u32 {
        let first_triangle = (self.spheres.len() + self.rounds.len()) as u32;
        if object < first_triangle {
            return object;
        }
        let mut nearest = (self.offset_to(object, x).norm(), object);
        self.boxes.candidates(&Aabb::of_ball(x, nearest.0), |id| {
            if id >= first_triangle {
                let distance = self.offset_to(id, x).norm();
                if (distance, id) < nearest {
                    nearest = (distance, id);
                }
            }
        });
        nearest.1
    }
}
