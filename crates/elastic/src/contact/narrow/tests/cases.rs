//! Random pairs of elements that move: easy ones, and those that rounding finds hard.

use super::impact::Elements;
use hashfall_core::rng::RandomStream;
use hashfall_geometry::Point;

/// Kinds of pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Corners anywhere in a cube at the start and at the end.
    Generic,
    /// Motions of a tenth of the size, as within a step.
    SmallMotion,
    /// Impacts on a point that is exact in doubles, often on edges and corners, often within the
    /// plane.
    KnownImpact,
    /// The same, one coordinate off by one rounding or by 1e-12.
    NearImpact,
    /// Triangles and pairs of edges that are 1e-2 to 1e-12 wide.
    Needle,
    /// Motions in one plane, in coordinates of few digits.
    Coplanar,
    /// Edges that are parallel or of no length, triangles of no area.
    Degenerate,
    /// Sliding at gaps of 1e-12 to 1e-2.
    Resting,
    /// Coordinates in single precision, far from the origin.
    FarAway,
}

impl Kind {
    pub const ALL: [Kind; 9] = [
        Kind::Generic,
        Kind::SmallMotion,
        Kind::KnownImpact,
        Kind::NearImpact,
        Kind::Needle,
        Kind::Coplanar,
        Kind::Degenerate,
        Kind::Resting,
        Kind::FarAway,
    ];
}

/// Where four corners are at the start and at the end.
pub type Pair = ([Point; 4], [Point; 4]);

pub struct Cases(RandomStream);

impl Cases {
    pub fn new(seed: u64) -> Self {
        Cases(RandomStream::new(seed))
    }

    pub fn pair(&mut self, kind: Kind, elements: Elements) -> Pair {
        match kind {
            Kind::Generic => (self.corners(1.0), self.corners(1.0)),
            Kind::SmallMotion => {
                let start = self.corners(1.0);
                let mut end = start;
                end.iter_mut().for_each(|x| *x += self.point(0.1));
                (start, end)
            }
            Kind::KnownImpact => self.known_impact(elements),
            Kind::NearImpact => self.near_impact(elements),
            Kind::Needle => self.needle(elements),
            Kind::Coplanar => self.coplanar(),
            Kind::Degenerate => self.degenerate(elements),
            Kind::Resting => self.resting(elements),
            Kind::FarAway => {
                let kinds = [Kind::Generic, Kind::SmallMotion, Kind::Resting, Kind::Needle];
                let kind = kinds[self.0.below(4)];
                let (start, end) = self.pair(kind, elements);
                let place = self.point(1.0) * self.order(1.0, 1e4);
                let single = |x: Point| (x + place).map(|c| f64::from(c as f32));
                (start.map(single), end.map(single))
            }
        }
    }

    fn point(&mut self, most: f64) -> Point {
        Point::from_fn(|_, _| self.0.between(-most, most))
    }

    fn corners(&mut self, most: f64) -> [Point; 4] {
        std::array::from_fn(|_| self.point(most))
    }

    /// Uniform by orders of magnitude.
    fn order(&mut self, low: f64, high: f64) -> f64 {
        libm::exp(self.0.between(libm::log(low), libm::log(high)))
    }

    fn happens(&mut self, probability: f64) -> bool {
        self.0.number() < probability
    }

    /// A multiple of 1/64 from −1 to 1.
    fn coarse(&mut self) -> f64 {
        (self.0.below(129) as f64 - 64.0) / 64.0
    }

    fn coarse_point(&mut self) -> Point {
        Point::from_fn(|_, _| self.coarse())
    }

    /// Shares that add up to 1, multiples of 1/8, 0 now and then.
    fn shares<const N: usize>(&mut self) -> [f64; N] {
        let mut shares = [0.0; N];
        (0..8).for_each(|_| shares[self.0.below(N)] += 0.125);
        if self.happens(0.3) {
            shares = [0.0; N];
            shares[self.0.below(N)] = 1.0;
        }
        shares
    }

    /// All numbers have so few digits that the elements share a point at the time of impact to the
    /// bit.
    fn known_impact(&mut self, elements: Elements) -> Pair {
        let mut x: [Point; 4] = std::array::from_fn(|_| self.coarse_point());
        match elements {
            Elements::VertexTriangle => {
                let [a, b, c] = self.shares();
                x[0] = x[1] * a + x[2] * b + x[3] * c;
            }
            Elements::EdgeEdge => {
                let ([a, b], s) = (self.shares(), self.0.below(9) as f64 * 0.125);
                // The first edge goes through a point of the second.
                let (on, along) = (x[2] * a + x[3] * b, x[1]);
                (x[0], x[1]) = (on - along * s, on + along * (1.0 - s));
            }
        }
        let within = self.happens(0.3).then(|| [x[2] - x[1], x[3] - x[2]]);
        let time = (1 + self.0.below(64)) as f64 / 64.0;
        let common = self.coarse_point();
        let mut pair = (x, x);
        for (k, at) in x.iter().enumerate() {
            let own = match within {
                Some([u, v]) => u * self.coarse() + v * self.coarse(),
                None => self.coarse_point(),
            };
            let velocity = common + own;
            pair.0[k] = at - velocity * time;
            pair.1[k] = at + velocity * (1.0 - time);
        }
        pair
    }

    fn near_impact(&mut self, elements: Elements) -> Pair {
        let mut pair = self.known_impact(elements);
        let (corner, axis) = (self.0.below(4), self.0.below(3));
        let side = if self.happens(0.5) { &mut pair.0 } else { &mut pair.1 };
        let x = &mut side[corner][axis];
        *x = match self.0.below(4) {
            0 => x.next_up(),
            1 => x.next_down(),
            2 => *x + 1e-12,
            _ => *x - 1e-12,
        };
        pair
    }

    fn needle(&mut self, elements: Elements) -> Pair {
        let width = self.order(1e-12, 1e-2);
        let needle = |cases: &mut Self| {
            let mut x = cases.corners(1.0);
            let share = cases.0.between(-0.5, 1.5);
            match elements {
                Elements::VertexTriangle => {
                    x[3] = x[1] + (x[2] - x[1]) * share + cases.point(width);
                }
                Elements::EdgeEdge => {
                    let along = (x[1] - x[0]) * cases.0.between(-2.0, 2.0);
                    x[3] = x[2] + along + cases.point(width);
                }
            }
            x
        };
        let mut start = needle(self);
        let end = if self.happens(0.5) { start.map(|x| x + self.point(0.3)) } else { needle(self) };
        if self.happens(0.5) {
            // Near it, so that it has something to hit.
            let near = if self.happens(0.5) { 0.1 } else { 2.0 * width };
            start[0] = (start[1] + start[2]) / 2.0 + self.point(near);
        }
        (start, end)
    }

    fn coplanar(&mut self) -> Pair {
        let (u, v) = (self.coarse_point(), self.coarse_point());
        let origin = self.coarse_point();
        let is_axial = self.happens(0.3);
        let mut corner = || match is_axial {
            true => Point::new(self.coarse(), self.coarse(), origin.z),
            false => origin + u * self.coarse() + v * self.coarse(),
        };
        let start = std::array::from_fn(|_| corner());
        let mut end = std::array::from_fn(|_| corner());
        if self.happens(0.3) {
            // A common way out of the plane.
            let way = self.coarse_point();
            end.iter_mut().for_each(|x: &mut Point| *x += way);
        }
        (start, end)
    }

    fn degenerate(&mut self, elements: Elements) -> Pair {
        let line = |cases: &mut Self| {
            let (u, share) = (cases.coarse_point(), cases.coarse());
            let mut x: [Point; 4] = std::array::from_fn(|_| cases.coarse_point());
            match elements {
                Elements::VertexTriangle => (x[2], x[3]) = (x[1] + u, x[1] + u * share),
                Elements::EdgeEdge => (x[1], x[3]) = (x[0] + u, x[2] + u * share),
            }
            x
        };
        let (mut start, mut end) = (line(self), line(self));
        if self.happens(0.3) {
            // On one line all the time.
            let (from, u, way) = (self.coarse_point(), self.coarse_point(), self.coarse_point());
            start.iter_mut().for_each(|x| *x = from + u * self.coarse());
            end.iter_mut().for_each(|x| *x = from + way + u * self.coarse());
        }
        if self.happens(0.3) {
            let (i, j) = (self.0.below(4), self.0.below(4));
            (start[i], end[i]) = (start[j], if self.happens(0.5) { end[j] } else { end[i] });
        }
        (start, end)
    }

    /// Nearly at rest on each other: the gap is small at the start, and changes by as much.
    fn resting(&mut self, elements: Elements) -> Pair {
        let mut start = self.corners(1.0);
        let gap = self.order(1e-12, 1e-2);
        let normal = match elements {
            Elements::VertexTriangle => {
                let [a, b, c] = self.shares();
                start[0] = start[1] * a + start[2] * b + start[3] * c;
                (start[2] - start[1]).cross(&(start[3] - start[1]))
            }
            Elements::EdgeEdge => {
                let ([a, b], s) = (self.shares(), self.0.number());
                let way = start[2] * a + start[3] * b - (start[0] * (1.0 - s) + start[1] * s);
                (start[0], start[1]) = (start[0] + way, start[1] + way);
                (start[1] - start[0]).cross(&(start[3] - start[2]))
            }
        };
        let lift = normal.normalize() * gap;
        let first = elements.first();
        start[..first].iter_mut().for_each(|x| *x += lift);
        let slide = (start[3] - start[2]) * self.0.between(-0.2, 0.2);
        let fall = lift * self.0.between(-2.0, 1.0);
        let mut end = start;
        end[..first].iter_mut().for_each(|x| *x += slide + fall);
        if self.happens(0.5) {
            end.iter_mut().for_each(|x| *x += self.point(gap));
        }
        (start, end)
    }
}
