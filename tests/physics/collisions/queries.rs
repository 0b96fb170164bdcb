//! Motions that are hard for a swept test, drawn on purpose.
//!
//! A query is a few shapes, and a motion that is aimed at one of them: at a point of a face, an
//! edge, a corner or a ball, seen under a normal. Where a centre touches that point it is *in
//! contact*, up to an ulp or a part of the skin either way. The motion runs through there, past it
//! square to the normal (grazing, parallel), from there, to there, or not at all. Shapes are single
//! or meet in fans, wedges, plates and closed tetrahedra; triangles may be needles or have no area;
//! sizes run from 1e-3 r to 1e5 r, and coordinates up to 1000 m from the origin.
//!
//! Symbols: r particle radius \[m\].

use super::draw::Draw;
use super::oracle::Shape;
use hashfall_core::{Real, Vec3, to_f64, vec3};
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use hashfall_solid::{Solids, Sphere};
use std::f64::consts::{PI, TAU};

/// The centre ends above a surface by a part of this, in r: what [`hashfall_solid`] calls skin.
pub const SKIN: f64 = 1e-4;
/// ScriptPaths are at most so many radii from the origin, as scenes are \[–\].
const FARTHEST_IN_RADII: f64 = 65_536.0;
const FARTHEST: f64 = 1000.0;

/// A motion among shapes.
#[derive(Clone, Debug)]
pub struct Query {
    pub radius: Real,
    pub spheres: Vec<Sphere>,
    pub triangles: Vec<[Vec3; 3]>,
    pub from: Vec3,
    pub to: Vec3,
}

impl Query {
    /// All shapes, as the oracle has them.
    pub fn shapes(&self) -> Vec<Shape> {
        let balls = self.spheres.iter().map(|s| Shape::ball(&s.centre, f64::from(s.radius)));
        balls.chain(self.triangles.iter().map(Shape::triangle)).collect()
    }

    /// All shapes, as the product has them; no walls.
    pub fn solids(&self) -> Solids {
        let vertices = self.triangles.concat();
        let triangles = (0..self.triangles.len() as u32).map(|t| [0, 1, 2].map(|k| 3 * t + k));
        let mesh = TriangleMesh { vertices, triangles: triangles.collect() };
        let domain = Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(1.0));
        Solids::new(domain, self.spheres.clone(), vec![mesh]).with_open_axes([true; 3])
    }

    /// More than the rounding of places takes: half an ulp along each axis \[m\].
    pub fn rounding(&self) -> f64 {
        let farthest = self.from.amax().max(self.to.amax());
        f64::from(Real::EPSILON) * f64::from(farthest)
    }

    /// So near to a shape no centre may come \[m\].
    pub fn nearest_allowed(&self) -> f64 {
        f64::from(self.radius) * (1.0 - SKIN) - self.rounding()
    }

    /// Draws one; `None` where it would start in a shape, or where places are too coarse.
    pub fn drawn(seed: u64) -> Option<Self> {
        let mut draw = Draw::new(seed);
        let query = Making::new(&mut draw).query();
        let from = to_f64(&query.from);
        let farthest = f64::from(query.from.amax().max(query.to.amax()));
        let is_fine = farthest <= FARTHEST_IN_RADII * f64::from(query.radius);
        let starts_clear = |shape: &Shape| !shape.is_neared(&from, &from, query.nearest_allowed());
        (is_fine && query.shapes().iter().all(starts_clear)).then_some(query)
    }
}

/// A query in the making.
struct Making<'a> {
    draw: &'a mut Draw,
    r: f64,
    /// Typical size of the shapes \[m\].
    size: f64,
    offset: Point,
    balls: Vec<(Point, f64)>,
    triangles: Vec<[Point; 3]>,
}

impl<'a> Making<'a> {
    fn new(draw: &'a mut Draw) -> Self {
        let r = draw.choice(&[0.008, 0.0125, 0.02, 0.25]) * draw.choice(&[1.0, 1.0, 0.1, 1.7]);
        let size = r * match draw.happens(0.6) {
            true => draw.order(0.3, 30.0),
            false => draw.order(1e-3, 1e5),
        };
        let farthest = FARTHEST.min(0.9 * FARTHEST_IN_RADII * r);
        let most = match draw.below(4) {
            0 | 1 => 0.0,
            2 => draw.order(r, 100.0 * r),
            _ => draw.order(0.01 * farthest, farthest),
        };
        let offset = draw.within(most);
        Making { draw, r, size, offset, balls: vec![], triangles: vec![] }
    }

    fn query(mut self) -> Query {
        self.shapes();
        // Where and from where a shape is met.
        let (place, normal) = self.place();
        let exactness = match self.draw.below(5) {
            0 | 1 => 0.0,
            2 => self.draw.number(-4.0, 4.0) * f64::from(Real::EPSILON),
            3 => self.draw.number(0.0, 2.0 * SKIN),
            _ => self.draw.order(1e-6, 1.0),
        };
        let contact = place + normal * (self.r * (1.0 + exactness));
        let (from, to) = self.motion(contact, place, normal);
        let nudge = self.draw.happens(0.3);
        let mut rounded = |p: Point| {
            let rounded = vec3((p + self.offset).into());
            if nudge { rounded.map(|c| beside(c, self.draw.below(3))) } else { rounded }
        };
        let (from, to) = (rounded(from), rounded(to));
        let is_still = self.draw.happens(0.05);
        let ball = |&(centre, radius): &(Point, f64)| Sphere {
            centre: vec3((centre + self.offset).into()),
            radius: vec3([radius; 3]).x,
        };
        let corners = |t: &[Point; 3]| t.map(|c| vec3((c + self.offset).into()));
        Query {
            radius: vec3([self.r; 3]).x,
            spheres: self.balls.iter().map(ball).collect(),
            triangles: self.triangles.iter().map(corners).collect(),
            from,
            to: if is_still { from } else { to },
        }
    }

    fn shapes(&mut self) {
        match self.draw.below(10) {
            0 => self.ball(),
            1 => self.any_triangle(),
            2 => self.needle(),
            3 => self.without_area(),
            4 => self.fan(),
            5 => self.wedge(),
            6 => self.plates(),
            7 => self.tetrahedron(),
            8 => {
                self.ball();
                self.any_triangle();
            }
            _ => self.level_triangle(),
        }
    }

    fn ball(&mut self) {
        let centre = self.draw.within(self.size);
        self.balls.push((centre, self.size));
    }

    fn any_triangle(&mut self) {
        let corners = [(); 3].map(|()| self.draw.within(self.size));
        self.triangles.push(corners);
    }

    /// A triangle with a height or an edge that is next to nothing.
    fn needle(&mut self) {
        let [a, b] = [(); 2].map(|()| self.draw.within(self.size));
        let along = if self.draw.happens(0.7) { self.draw.number(-0.5, 1.5) } else { 0.0 };
        let aside = self.size * self.draw.order(1e-14, 1e-1);
        let c = a + (b - a) * along + self.draw.direction() * aside;
        let k = self.draw.below(3);
        self.triangles.push([[a, b, c], [b, c, a], [c, b, a]][k]);
    }

    /// Corners on a line or in one place, exactly.
    fn without_area(&mut self) {
        let a = self.draw.within(self.size);
        let step = self.draw.direction() * self.size;
        let corners = match self.draw.below(4) {
            0 => [a, a, a],
            1 => [a, a, a + step],
            2 => [a, a + step, a],
            _ => [a, a + step, a + step * 2.0],
        };
        self.triangles.push(corners);
    }

    /// Triangles around a corner: flat, a cone from outside or from inside.
    fn fan(&mut self) {
        let tip = self.draw.within(self.size);
        let axis = self.draw.direction();
        let side = self.draw.across(&axis);
        let height = self.draw.choice(&[0.0, 1e-3, -1e-3, 0.3, -0.3, 3.0, -3.0]);
        let count = 3 + self.draw.below(12);
        let rim = |k: usize| {
            let turn = TAU * (k % count) as f64 / count as f64;
            let out = side * turn.cos() + axis.cross(&side) * turn.sin();
            tip + (out + axis * height) * self.size
        };
        self.triangles.extend((0..count).map(|k| [tip, rim(k), rim(k + 1)]));
    }

    /// Two triangles with a common edge.
    fn wedge(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.draw.within(self.size));
        let along = (b - a).normalize();
        let out = (c - a) - along * along.dot(&(c - a));
        let angle = self.draw.choice(&[0.0, 1e-5, 1e-2, 0.3, 1.0, 2.0, 3.0, PI - 6e-4]);
        let turned = out * f64::cos(angle) + along.cross(&out) * f64::sin(angle);
        self.triangles.extend([[a, b, a + out], [b, a, a + turned]]);
    }

    /// A doubled sheet, or two that lie as near as a particle is wide, or nearer.
    fn plates(&mut self) {
        self.any_triangle();
        let [a, b, c] = self.triangles[0];
        let normal = (b - a).cross(&(c - a)).normalize();
        let gap = if self.draw.happens(0.4) { 0.0 } else { self.draw.order(1e-6, 4.0) * self.r };
        self.triangles.push([a, c, b].map(|corner| corner + normal * gap));
    }

    fn tetrahedron(&mut self) {
        let [a, b, c, d] = [(); 4].map(|()| self.draw.within(self.size));
        self.triangles.extend([[a, b, c], [a, c, d], [a, d, b], [b, d, c]]);
    }

    /// A triangle square to an axis, of numbers that are short in binary: distances are exact.
    fn level_triangle(&mut self) {
        self.r = 2f64.powi(self.draw.below(6) as i32 - 8);
        self.offset = self.offset.map(|c| (c / self.r).round() * self.r);
        let size = self.r * f64::from(1 << self.draw.below(8));
        self.size = size;
        let axis = self.draw.below(3);
        let corners = [[0.0, 0.0], [1.0, 0.0], [0.25, 0.5]].map(|[u, v]| {
            let mut p = Point::zeros();
            p[(axis + 1) % 3] = u * size;
            p[(axis + 2) % 3] = v * size;
            p
        });
        self.triangles.push(corners);
    }

    /// A point of a shape, and a direction away from it.
    fn place(&mut self) -> (Point, Point) {
        let k = self.draw.below(self.balls.len() + self.triangles.len());
        if let Some((centre, radius)) = self.balls.get(k) {
            let normal = self.draw.direction();
            return (centre + normal * *radius, normal);
        }
        let corners = self.triangles[k - self.balls.len()];
        let first = self.draw.below(3);
        let [a, b, c] = [0, 1, 2].map(|k| corners[(first + k) % 3]);
        let face = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Point::z);
        let face = face * self.draw.choice(&[1.0, -1.0]);
        let u = self.draw.number(0.0, 1.0);
        match self.draw.below(6) {
            0 | 1 => {
                let v = self.draw.number(0.0, 1.0 - u);
                (a + (b - a) * u + (c - a) * v, face)
            }
            // At an edge: square to the face, in its plane, or any way.
            which @ (2 | 3) => {
                let along = (b - a).try_normalize(0.0).unwrap_or_else(Point::x);
                let outwards = along.cross(&face).try_normalize(0.0).unwrap_or(face);
                let any = self.draw.across(&along);
                let normal = if which == 2 { outwards } else { any };
                (a + (b - a) * u, normal)
            }
            4 => (a, (a * 2.0 - b - c).try_normalize(0.0).unwrap_or(face)),
            _ => (a, self.draw.direction()),
        }
    }

    /// From where to where, for a centre that would touch `place` at `contact`.
    fn motion(&mut self, contact: Point, place: Point, normal: Point) -> (Point, Point) {
        let mut length = || match self.draw.below(8) {
            0 => self.r * self.draw.order(1e-6, 1e-2),
            1 => self.r * self.draw.order(1e3, 3e4),
            2 => self.size * self.draw.number(0.0, 3.0),
            _ => self.r * self.draw.order(1e-2, 1e2),
        };
        let [before, after] = [length(), length()];
        let side = self.draw.across(&normal);
        let any = self.draw.direction();
        let open = if any.dot(&normal) < 0.0 { -any } else { any };
        match self.draw.below(8) {
            // Through, straight or slanting.
            0 => (contact + normal * before, place - normal * after),
            1 => (contact + open * before, place - open * after),
            // Past: grazing, or parallel to a face.
            2 => (contact - side * before, contact + side * after),
            // Almost past.
            3 => {
                let tilt = normal * self.draw.order(1e-9, 1e-1) * self.draw.choice(&[1.0, -1.0]);
                let along = side + tilt;
                (contact - along * before, contact + along * after)
            }
            // From contact: any way, along, and in.
            4 => (contact, contact + any * after),
            5 => (contact, contact + side * after - normal * self.r * self.draw.number(0.0, 2.0)),
            // To contact.
            6 => (contact + open * before, contact),
            _ => (contact + self.draw.within(before), place + self.draw.within(after)),
        }
    }
}

/// The number below, the number itself, or the one above.
fn beside(c: Real, which: usize) -> Real {
    match which {
        0 => c.next_down(),
        1 => c,
        _ => c.next_up(),
    }
}
