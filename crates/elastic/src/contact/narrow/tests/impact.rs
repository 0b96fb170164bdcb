//! Whether a vertex meets a triangle, or an edge an edge, while their corners move straight:
//! decided without rounding.
//!
//! They can meet only when the four points are in one plane: at the roots of a cubic (Provot,
//! Collision and self-collision handling in cloth model (1997), §3.3). There, signs of areas in one
//! of the three coordinate planes, where the triangle has an area, or the edges are not parallel,
//! tell whether they do. Where there is no such plane all is on a line, and intervals tell. If the
//! four points stay in one plane, all times are tried at which one of these signs changes: the
//! first contact is at such a time or at the start, as the times of contact are closed.

use super::exact::{digits, exact, last_digit};
use super::polynomial::{Dyadic, Polynomial, Time, roots};
use super::rough::{are_boxes_apart, are_never_coplanar};
use hashfall_geometry::Point;
use std::cell::RefCell;
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// What meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Elements {
    /// The first point and the triangle of the others.
    VertexTriangle,
    /// The edges of the first two points and the last two.
    EdgeEdge,
}

impl Elements {
    /// How many points are those of the first element.
    pub fn first(self) -> usize {
        match self {
            Elements::VertexTriangle => 1,
            Elements::EdgeEdge => 2,
        }
    }

    /// Whether they share a point at some time from 0 to `last`.
    pub fn meet(self, start: &[Point; 4], end: &[Point; 4], last: f64) -> bool {
        let is_apart = are_boxes_apart(self.first(), start, end) || are_never_coplanar(start, end);
        !is_apart && Paths::new(start, end).meet(self, last)
    }
}

type Vector = [Polynomial; 3];

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| a[k].minus(&b[k]))
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [(1, 2), (2, 0), (0, 1)].map(|(k, l)| a[k].times(&b[l]).minus(&a[l].times(&b[k])))
}

/// The points over time.
struct Paths([Vector; 4]);

impl Paths {
    fn new(start: &[Point; 4], end: &[Point; 4]) -> Self {
        let unit = last_digit(start.iter().chain(end).flat_map(|p| p.iter()));
        Paths([0, 1, 2, 3].map(|k| {
            let (from, to) = (exact(&start[k], unit), exact(&end[k], unit));
            [0, 1, 2].map(|axis| {
                let way = &to[axis] - &from[axis];
                Polynomial::new([from[axis].clone(), way])
            })
        }))
    }

    fn meet(&self, elements: Elements, last: f64) -> bool {
        let (first, last) = (Dyadic::new(0, 0), dyadic(last));
        let mut times = vec![Time::Dyadic(first.clone()), Time::Dyadic(last.clone())];
        let volume = self.volume();
        if volume.is_zero() {
            let changes = RefCell::new(vec![]);
            let all = Signs {
                paths: self,
                sign: &|polynomial| {
                    changes.borrow_mut().push(polynomial.clone());
                    Equal
                },
            };
            all.of_all(elements);
            let changes = changes.into_inner();
            let changes = changes.iter().filter(|polynomial| !polynomial.is_zero());
            times.extend(changes.flat_map(|polynomial| roots(polynomial, &first, &last)));
        } else {
            times.extend(roots(&volume, &first, &last));
        }
        times.into_iter().any(|time| {
            let time = RefCell::new(time);
            let sign = |polynomial: &Polynomial| time.borrow_mut().sign_of(polynomial);
            sign(&volume) == Equal && Signs { paths: self, sign: &sign }.meet(elements)
        })
    }

    /// Six times the volume of the four points.
    fn volume(&self) -> Polynomial {
        let [a, b, c] = [1, 2, 3].map(|k| minus(&self.0[k], &self.0[0]));
        let [x, y, z] = cross(&b, &c);
        a[0].times(&x).plus(&a[1].times(&y)).plus(&a[2].times(&z))
    }
}

fn dyadic(t: f64) -> Dyadic {
    match digits(t) {
        (0, _) => Dyadic::new(0, 0),
        (digits, exponent) if exponent > 0 => Dyadic::new(digits << exponent, 0),
        (digits, exponent) => Dyadic::new(digits, exponent.unsigned_abs()),
    }
}

/// The signs at one time of what decides.
struct Signs<'a> {
    paths: &'a Paths,
    sign: &'a dyn Fn(&Polynomial) -> Ordering,
}

impl Signs<'_> {
    /// Of four points in one plane.
    fn meet(&self, elements: Elements) -> bool {
        let plane = (0..3).find(|axis| self.extent(elements, *axis) != Equal);
        match (elements, plane) {
            (Elements::VertexTriangle, Some(axis)) => self.is_inside(axis),
            (Elements::EdgeEdge, Some(axis)) => self.is_crossing(axis),
            (_, None) => self.is_on_line(elements) && (0..3).all(|k| self.overlap(elements, k)),
        }
    }

    /// Asks for every sign that may be asked for.
    fn of_all(&self, elements: Elements) {
        for axis in 0..3 {
            self.extent(elements, axis);
            let [p, a, b, c] = [0, 1, 2, 3];
            for [i, j, k] in [[p, a, b], [p, b, c], [p, c, a], [a, b, c]] {
                self.turn([i, j, k], axis);
            }
            for (i, j) in (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))) {
                self.order(i, j, axis);
            }
        }
    }

    /// The component of the triangle's normal, or of the edges' common perpendicular.
    fn extent(&self, elements: Elements, axis: usize) -> Ordering {
        match elements {
            Elements::VertexTriangle => self.turn([1, 2, 3], axis),
            Elements::EdgeEdge => {
                let x = &self.paths.0;
                (self.sign)(&cross(&minus(&x[1], &x[0]), &minus(&x[3], &x[2]))[axis])
            }
        }
    }

    /// Which way three points turn, seen along an axis.
    fn turn(&self, [i, j, k]: [usize; 3], axis: usize) -> Ordering {
        let x = &self.paths.0;
        (self.sign)(&cross(&minus(&x[j], &x[i]), &minus(&x[k], &x[i]))[axis])
    }

    /// How the coordinates of two points compare.
    fn order(&self, i: usize, j: usize, axis: usize) -> Ordering {
        let x = &self.paths.0;
        (self.sign)(&x[i][axis].minus(&x[j][axis]))
    }

    fn is_inside(&self, axis: usize) -> bool {
        let area = self.turn([1, 2, 3], axis);
        let turns = [[0, 1, 2], [0, 2, 3], [0, 3, 1]];
        turns.into_iter().all(|three| [Equal, area].contains(&self.turn(three, axis)))
    }

    fn is_crossing(&self, axis: usize) -> bool {
        let are_apart = |one: [usize; 3], other: [usize; 3]| {
            let turns = (self.turn(one, axis), self.turn(other, axis));
            turns == (Less, Less) || turns == (Greater, Greater)
        };
        !are_apart([0, 1, 2], [0, 1, 3]) && !are_apart([0, 2, 3], [1, 2, 3])
    }

    /// Whether a vertex is on the line of a triangle without area, or parallel edges are on one.
    fn is_on_line(&self, elements: Elements) -> bool {
        let threes = match elements {
            Elements::VertexTriangle => vec![[0, 1, 2], [0, 2, 3], [0, 3, 1]],
            Elements::EdgeEdge => vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]],
        };
        threes.into_iter().all(|three| (0..3).all(|axis| self.turn(three, axis) == Equal))
    }

    /// Whether the intervals of the elements along an axis share a point.
    fn overlap(&self, elements: Elements, axis: usize) -> bool {
        let first = elements.first();
        let pairs = || (0..first).flat_map(|i| (first..4).map(move |j| (i, j)));
        let all = |side: Ordering| pairs().all(|(i, j)| self.order(i, j, axis) == side);
        !all(Less) && !all(Greater)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(x: [[f64; 3]; 4]) -> [Point; 4] {
        x.map(Point::from)
    }

    #[test]
    fn what_just_touches_meets_and_one_bit_decides() {
        let triangle = |p: [f64; 3]| points([p, [0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
        let vertex = |from, to| Elements::VertexTriangle.meet(&triangle(from), &triangle(to), 1.0);
        // Onto a face, an edge, a corner, the slanted edge; in the plane; with the end.
        for [x, y] in [[0.25, 0.25], [0.0, 0.5], [1.0, 0.0], [0.5, 0.5]] {
            assert!(vertex([x, y, 1.0], [x, y, -2.0]), "{x} {y}");
            assert!(vertex([x, y, 1.0], [x, y, 0.0]) && !vertex([x, y, 1.0], [x, y, 1e-300]));
        }
        assert!(!vertex([0.5, 0.5_f64.next_up(), 1.0], [0.5, 0.5_f64.next_up(), -1.0]));
        assert!(!vertex([0.0_f64.next_down(), 0.5, 1.0], [0.0_f64.next_down(), 0.5, -1.0]));
        assert!(vertex([-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]));
        assert!(!vertex([0.0, 2.0, 0.0], [2.0, 0.0, 0.0]), "x + y = 2");
        assert!(vertex([-1.0, 2.0, 0.0], [2.0, -1.0, 0.0]), "x + y = 1, along the edge");
        let up = 2.0_f64.next_up();
        assert!(!vertex([-1.0, up, 0.0], [up, -1.0, 0.0]), "just past it");
    }

    #[test]
    fn parallel_edges_and_points_meet_where_they_are_one() {
        let edges =
            |a: f64, b: f64, y: f64| points([[a, y, 0.0], [b, y, 0.0], [0.0; 3], [1.0, 0.0, 0.0]]);
        let meet = |from, to| Elements::EdgeEdge.meet(&from, &to, 1.0);
        assert!(meet(edges(-1.0, 0.0, 1.0), edges(-1.0, 0.0, -1.0)), "end to end");
        assert!(!meet(edges(-1.0, -1e-300, 1.0), edges(-1.0, -1e-300, -1.0)));
        assert!(meet(edges(0.5, 0.5, 1.0), edges(0.5, 0.5, -1.0)), "a point");
        assert!(meet(edges(-2.0, -1.0, 0.0), edges(-1.0, 0.0, 0.0)), "along the line");
        assert!(!meet(edges(-2.0, -1.0, 0.0), edges(-1.0, -1e-9, 0.0)));
        // Times count: they meet at a third of the way.
        let (from, to) = (edges(0.25, 0.75, 1.0), edges(0.25, 0.75, -2.0));
        assert!(!Elements::EdgeEdge.meet(&from, &to, 1.0 / 3.0), "1/3 is rounded down");
        assert!(Elements::EdgeEdge.meet(&from, &to, (1.0_f64 / 3.0).next_up()));
    }
}
