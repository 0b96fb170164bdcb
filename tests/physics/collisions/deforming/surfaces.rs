//! Surfaces and how they deform within a step, such that they pass through themselves at no time.
//!
//! Vertices go straight, so a surface on its way is the mean of where it starts and where it ends:
//!
//! - *closed*: a ball, a star, a box, a plate, a needle, taken to where an affine map leads (it is
//!   stretched, sheared, flattened, spun, shifted) whose means with the identity keep the volume's
//!   sign; or swollen and dented along rays from a point inside;
//! - *rolled*: a closed plate that rolls up or unrolls by a small angle, near or far from closing
//!   upon who is in it;
//! - *heights*: a sheet whose heights go up and down, each vertex as it likes, that is stretched
//!   and shifted;
//! - *creased*: a flat sheet whose vertices go anywhere in its plane, so that triangles turn over
//!   and lie on each other, while all of it goes up or down.
//!
//! Ways are from a thousandth of the particle's radius to sixty of it.

use super::super::draw::Draw;
use super::super::shapes::star;
use hashfall_core::{Vec3, to_f64, vec3};
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use nalgebra::{Matrix3, Rotation3, Unit};
use std::fmt;

/// Instants at which the volume of a mean is looked at.
const INSTANTS: u32 = 32;
/// The least volume on the way, over that at the start.
const MIN_VOLUME: f64 = 0.02;

/// A kind of surface with its motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Affine,
    Swollen,
    Rolled,
    Heights,
    Creased,
}

/// A surface with its motion.
pub struct Surface {
    pub kind: Kind,
    pub r: f64,
    /// Where all of it is \[m\].
    pub offset: Point,
    /// At the start, as the solids have it.
    pub mesh: TriangleMesh,
    /// The same in double precision, about the origin.
    vertices: Vec<Point>,
    /// About how far vertices go \[m\].
    way: f64,
    /// Half the size of a sheet \[m\].
    half: f64,
    /// Cells of a sheet or plate along x and y.
    cells: [u32; 2],
    /// Of a plate that rolls: half its thickness \[m\] and its curvature at both ends \[1/m\].
    rolls: (f64, [f64; 2]),
    /// Of a sheet: by how many axes its coordinates are permuted.
    turn: usize,
}

impl fmt::Display for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Surface { kind, r, way, half, .. } = self;
        write!(f, "{kind:?}, r {r}, ways about {way}, half {half}")
    }
}

impl Surface {
    pub fn drawn(draw: &mut Draw) -> Option<Self> {
        let r = draw.choice(&[0.008, 0.0125, 0.02, 0.25]) * draw.choice(&[1.0, 1.0, 0.1, 1.7]);
        let r = f64::from(r as hashfall_core::Real);
        let kind = draw.choice(&[
            Kind::Affine,
            Kind::Affine,
            Kind::Swollen,
            Kind::Rolled,
            Kind::Heights,
            Kind::Creased,
        ]);
        let most = if draw.happens(0.5) { 0.0 } else { draw.order(r, 2e4 * r) };
        let offset = draw.within(most);
        let way = r * if draw.happens(0.7) { draw.order(1e-3, 2.0) } else { draw.order(2.0, 60.0) };
        let mut surface = Surface {
            kind,
            r,
            offset,
            mesh: TriangleMesh::default(),
            vertices: Vec::new(),
            way,
            half: 0.0,
            cells: [0; 2],
            rolls: (0.0, [0.0; 2]),
            turn: 0,
        };
        let triangles = match kind {
            Kind::Affine | Kind::Swollen => surface.make_closed(draw),
            Kind::Rolled => surface.make_plate(draw),
            Kind::Heights | Kind::Creased => surface.make_sheet(draw),
        };
        let vertices = surface.vertices.iter().map(|x| vec3((x + offset).into()));
        surface.mesh = TriangleMesh { vertices: vertices.collect(), triangles };
        // Places so coarse that a closed one has no volume are of no use.
        let is_sound = surface.is_sheet() || surface.mesh.signed_volume() > 0.0;
        is_sound.then_some(surface)
    }

    fn make_closed(&mut self, draw: &mut Draw) -> Vec<[u32; 3]> {
        let size = self.r * draw.order(0.5, 30.0);
        let mesh = match draw.below(if self.kind == Kind::Swollen { 2 } else { 4 }) {
            0 => sphere_mesh(&Vec3::zeros(), 1.0, draw.below(3) as u32),
            1 => star(3 + draw.below(4) as u32, 1.0, draw.number(0.3, 0.9), draw.number(0.2, 1.0)),
            2 => box_mesh(&Aabb::new(Vec3::repeat(-0.7), Vec3::repeat(0.7))),
            _ => sphere_mesh(&Vec3::zeros(), 1.0, 0),
        };
        let thin = |draw: &mut Draw| if draw.happens(0.2) { draw.order(0.02, 1.0) } else { 1.0 };
        let scale = Point::new(thin(draw), thin(draw), 1.0) * size;
        let turn = rotation(draw, 3.0);
        let place = |x: &Vec3| turn * Point::from(to_f64(x)).component_mul(&scale);
        self.vertices = mesh.vertices.iter().map(place).collect();
        self.half = size;
        mesh.triangles
    }

    /// A closed plate that is bent about the y axis.
    fn make_plate(&mut self, draw: &mut Draw) -> Vec<[u32; 3]> {
        self.half = self.r * draw.order(4.0, 40.0);
        self.cells = [8 + draw.below(16) as u32, 3];
        let thickness = self.half * draw.order(2e-3, 0.05);
        // Angles to which half the plate is bent; at π its ends meet.
        let angle = |draw: &mut Draw| draw.number(-2.9, 2.9);
        let from = angle(draw);
        let turned = (self.way / self.half).min(0.3) * draw.choice(&[1.0, -1.0]);
        let to = (from + turned).clamp(-2.95, 2.95);
        self.rolls = (thickness, [from, to].map(|angle| angle / self.half));
        self.vertices = self.rolled(self.rolls.1[0]);
        let [n, m] = self.cells;
        let sheet = grid(n, m, 0);
        let count = (n + 1) * (m + 1);
        let mut triangles = grid(n, m, count);
        triangles.extend(sheet.into_iter().map(|[a, b, c]| [a, c, b]));
        // The rim, counter-clockwise seen from above.
        let rim = rim(n, m);
        for (k, a) in rim.iter().enumerate() {
            let b = rim[(k + 1) % rim.len()];
            triangles.extend([[*a, b, b + count], [*a, b + count, a + count]]);
        }
        triangles
    }

    /// The lower and the upper face of the plate, bent with this curvature.
    fn rolled(&self, curvature: f64) -> Vec<Point> {
        let (thickness, _) = self.rolls;
        let [n, m] = self.cells;
        let bend = |x: f64, y: f64, z: f64| {
            if curvature.abs() < 1e-6 / self.half {
                return Point::new(x, y, z);
            }
            let (sin, cos) = (curvature * x).sin_cos();
            let radius = 1.0 / curvature;
            Point::new((radius - z) * sin, y, radius - (radius - z) * cos)
        };
        let at = |k: u32, n: u32| self.half * (2.0 * f64::from(k) / f64::from(n) - 1.0);
        let face =
            |z: f64| (0..=m).flat_map(move |j| (0..=n).map(move |i| (at(i, n), at(j, m), z)));
        face(-thickness).chain(face(thickness)).map(|(x, y, z)| bend(x, y, z)).collect()
    }

    fn make_sheet(&mut self, draw: &mut Draw) -> Vec<[u32; 3]> {
        let n = 3 + draw.below(10) as u32;
        // So large that most particles are far from the rim.
        self.half = 8.0 * (self.r + self.way) + self.r * draw.order(1.0, 10.0);
        self.cells = [n, n];
        let cell = 2.0 * self.half / f64::from(n);
        let (is_flat, rough) = (self.kind == Kind::Creased, draw.order(1e-3, 1.0) * cell);
        let turn = draw.below(3);
        for (j, i) in (0..=n).flat_map(|j| (0..=n).map(move |i| (j, i))) {
            let [x, y] = [i, j].map(|k| cell * (f64::from(k) - 0.5 * f64::from(n)));
            let z = if is_flat { 0.0 } else { draw.number(-rough, rough) };
            self.vertices.push(turned(&Point::new(x, y, z), turn));
        }
        self.turn = turn;
        grid(n, n, 0)
    }

    pub fn is_sheet(&self) -> bool {
        matches!(self.kind, Kind::Heights | Kind::Creased)
    }

    /// The axis to which a sheet is square.
    fn normal_axis(&self) -> usize {
        (2 + self.turn) % 3
    }

    /// Where vertices are at the end of the step.
    pub fn end(&self, draw: &mut Draw) -> Vec<Point> {
        let end: Vec<Point> = match self.kind {
            Kind::Affine => {
                let (map, shift) = self.affine(draw);
                self.vertices.iter().map(|x| map * x + shift).collect()
            }
            Kind::Swollen => {
                let (shift, most) =
                    (draw.direction() * self.way, 0.9 * (self.way / self.half).min(1.0));
                let swell = |x: &Point| x * (1.0 + draw.number(-most, most)) + shift;
                self.vertices.iter().map(swell).collect()
            }
            Kind::Rolled => {
                let shift = draw.direction() * draw.number(0.0, self.way);
                self.rolled(self.rolls.1[1]).iter().map(|x| x + shift).collect()
            }
            Kind::Heights | Kind::Creased => self.end_of_sheet(draw),
        };
        end.iter().map(|x| x + self.offset).collect()
    }

    /// An affine map whose means with the identity keep the sign of volumes.
    fn affine(&self, draw: &mut Draw) -> (Matrix3<f64>, Point) {
        let strain = self.way / self.half;
        let shift = draw.direction() * draw.number(0.0, self.way);
        loop {
            let map = match draw.below(4) {
                0 => Matrix3::identity(),
                1 => rotation(draw, strain.min(1.9)),
                2 => {
                    let axis = draw.direction();
                    let share = 1.0 - draw.number(0.0, strain.min(0.97));
                    Matrix3::identity() + axis * axis.transpose() * (share - 1.0)
                }
                _ => {
                    let any = Matrix3::from_fn(|_, _| draw.number(-1.0, 1.0));
                    rotation(draw, strain.min(1.5)) * (Matrix3::identity() + any * strain.min(1.5))
                }
            };
            let volume = |k: u32| {
                let t = f64::from(k) / f64::from(INSTANTS);
                (Matrix3::identity() * (1.0 - t) + map * t).determinant()
            };
            if (0..=INSTANTS).all(|k| volume(k) > MIN_VOLUME) {
                return (map, shift);
            }
        }
    }

    fn end_of_sheet(&self, draw: &mut Draw) -> Vec<Point> {
        let up = self.normal_axis();
        let sideways = self.way.min(0.3 * self.half);
        let [a, b] = [0, 1].map(|_| draw.number(-sideways, sideways));
        let lift = draw.number(-self.way, self.way);
        let stretch = 1.0 + draw.number(-0.5, 0.5) * (self.way / self.half).min(0.3);
        let (is_creased, most) = (self.kind == Kind::Creased, draw.number(0.0, self.way));
        let is_rim = |k: usize| {
            let n = self.cells[0] as usize + 1;
            let (i, j) = (k % n, k / n);
            i == 0 || j == 0 || i == n - 1 || j == n - 1
        };
        let moved = |(k, x): (usize, &Point)| {
            let mut to = x * stretch;
            to[up] = x[up] + lift;
            to[(up + 1) % 3] += a;
            to[(up + 2) % 3] += b;
            if is_creased {
                if !is_rim(k) {
                    let anywhere = draw.within(1.5 * most);
                    to[(up + 1) % 3] += anywhere.x;
                    to[(up + 2) % 3] += anywhere.y;
                }
            } else {
                to[up] += draw.number(-most, most);
            }
            to
        };
        self.vertices.iter().enumerate().map(moved).collect()
    }

    /// A place beside the surface, in its way as it goes to `end`, or anywhere.
    pub fn place(&self, end: &[Point], draw: &mut Draw) -> Point {
        if draw.happens(0.1) {
            return draw.within(self.half + self.r + self.way) + self.offset;
        }
        let time = if draw.happens(0.5) { 0.0 } else { draw.number(0.0, 1.0) };
        let at = |v: u32| {
            let (from, to) = (self.vertices[v as usize] + self.offset, end[v as usize]);
            from + (to - from) * time
        };
        let [a, b, c] = draw.choice(&self.mesh.triangles).map(at);
        let (s, t) = (draw.number(0.0, 1.0), draw.number(0.0, 1.0));
        let (s, t) = if s + t > 1.0 { (1.0 - s, 1.0 - t) } else { (s, t) };
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Point::z);
        let side = draw.choice(&[1.0, -1.0]);
        let height = match draw.below(3) {
            0 => self.r * (1.0 + 1e-4),
            1 => self.r * draw.number(0.0, 2.0),
            _ => self.r + draw.number(0.0, self.way.min(3.0 * self.r)),
        };
        a + (b - a) * s + (c - a) * t + normal * (side * height)
    }

    /// The surface with what closes it for the judge: a far tip over the rim of a sheet.
    pub fn closed(&self, mesh: &TriangleMesh) -> TriangleMesh {
        let mut closed = mesh.clone();
        if self.is_sheet() {
            let tip = closed.vertices.len() as u32;
            let mut place = self.offset;
            place[self.normal_axis()] += 1e3 * (self.half + self.way);
            closed.vertices.push(vec3(place.into()));
            let rim = rim(self.cells[0], self.cells[1]);
            let next = |k: usize| rim[(k + 1) % rim.len()];
            closed.triangles.extend(rim.iter().enumerate().map(|(k, a)| [next(k), *a, tip]));
        }
        closed
    }

    /// Whether a particle that was at `x` and is at `at` has been so far from the rim of a sheet,
    /// and from what closes it, that no way of all by `way` \[m\] leads around it.
    pub fn is_far_from_rim(&self, x: &Vec3, at: &Vec3, way: f64) -> bool {
        let up = self.normal_axis();
        let (x, at) = (Point::from(to_f64(x)) - self.offset, Point::from(to_f64(at)) - self.offset);
        let most = self.half - 3.0 * way - 2.0 * self.r;
        let is_over = |x: &Point| (1..3).all(|k| x[(up + k) % 3].abs() < most);
        !self.is_sheet() || (is_over(&x) && is_over(&at))
    }

    /// Whether a particle with this winding number always has a free way out, so that nothing
    /// squeezes it.
    pub fn has_clearance(&self, winding: i32) -> bool {
        let is_outside = winding == 0;
        match self.kind {
            // A box stays convex.
            Kind::Affine => is_outside && self.mesh.triangles.len() == 12,
            Kind::Creased => true,
            Kind::Swollen | Kind::Rolled | Kind::Heights => false,
        }
    }
}

/// A turn about any axis by up to so much \[rad\].
fn rotation(draw: &mut Draw, most: f64) -> Matrix3<f64> {
    let axis = Unit::new_normalize(draw.direction());
    *Rotation3::from_axis_angle(&axis, draw.number(-most, most)).matrix()
}

/// The coordinates in another order.
fn turned(x: &Point, by: usize) -> Point {
    Point::from_fn(|k, _| x[(k + 3 - by) % 3])
}

/// The triangles of a grid of n × m cells whose vertices begin at `first`, facing up.
fn grid(n: u32, m: u32, first: u32) -> Vec<[u32; 3]> {
    let cells = (0..m).flat_map(|j| (0..n).map(move |i| first + j * (n + 1) + i));
    let cut = |a: u32| [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]];
    cells.flat_map(cut).collect()
}

/// The vertices around a grid, counter-clockwise seen from above.
fn rim(n: u32, m: u32) -> Vec<u32> {
    let row = n + 1;
    let low = 0..n;
    let right = (0..m).map(|j| j * row + n);
    let high = (1..=n).rev().map(|i| m * row + i);
    let left = (1..=m).rev().map(|j| j * row);
    low.chain(right).chain(high).chain(left).collect()
}
