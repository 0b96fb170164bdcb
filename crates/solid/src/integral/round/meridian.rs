//! The meridian of a solid of revolution, from pole to pole, and what is outside of each part.
//!
//! A convex meridian has sides, arcs, and corners, which are arcs of no radius. Its outward normal
//! (−cos θ, sin θ) turns from θ = 0, against the axis, to θ = π. The places outside whose nearest
//! point is on a part are that part's *patch*, with the coordinates u along the part (the length
//! along a side, the angle θ on an arc) and t, the distance. Patches meet along normals, and fill
//! all that is outside.
//!
//! Symbols: z along the axis, ρ away from it, t distance from the surface \[m\], θ angle of the
//! normal \[–\].

use hashfall_geometry::Meridian;
use std::f64::consts::{FRAC_PI_2, PI};

/// A part of a meridian.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub shape: Shape,
    /// First and last u.
    pub range: [f64; 2],
    /// Whether each end lies on the axis, where all is even about it.
    pub is_on_axis: [bool; 2],
}

#[derive(Clone, Copy, Debug)]
pub enum Shape {
    Side {
        /// Where u is 0.
        origin: [f64; 2],
        /// Unit vector along it.
        along: [f64; 2],
    },
    Arc {
        center: [f64; 2],
        /// 0 of a corner.
        radius: f64,
    },
}

/// A place in a patch.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub u: f64,
    pub t: f64,
}

/// The outward normal at an angle.
pub fn normal_at(theta: f64) -> [f64; 2] {
    [-libm::cos(theta), libm::sin(theta)]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

impl Part {
    fn side(origin: [f64; 2], end: [f64; 2], is_on_axis: [bool; 2]) -> Option<Self> {
        let way = [end[0] - origin[0], end[1] - origin[1]];
        let length = dot(way, way).sqrt();
        let shape = Shape::Side { origin, along: way.map(|c| c / length) };
        (length > 0.0).then_some(Part { shape, range: [0.0, length], is_on_axis })
    }

    fn arc(center: [f64; 2], radius: f64, range: [f64; 2]) -> Self {
        let is_on_axis = [range[0] == 0.0 && center[1] == 0.0, range[1] == PI && center[1] == 0.0];
        Part { shape: Shape::Arc { center, radius }, range, is_on_axis }
    }

    /// The unit vectors along the part, with u, and out of the solid.
    pub fn frame(&self, u: f64) -> ([f64; 2], [f64; 2]) {
        match self.shape {
            Shape::Side { along, .. } => (along, [-along[1], along[0]]),
            Shape::Arc { .. } => {
                let normal = normal_at(u);
                ([normal[1], -normal[0]], normal)
            }
        }
    }

    /// Where (u, t) is.
    pub fn point(&self, Place { u, t }: Place) -> [f64; 2] {
        let (_, normal) = self.frame(u);
        match self.shape {
            Shape::Side { origin, along } => {
                [0, 1].map(|k| origin[k] + along[k] * u + normal[k] * t)
            }
            Shape::Arc { center, radius } => [0, 1].map(|k| center[k] + normal[k] * (radius + t)),
        }
    }

    /// How far a place moves with u \[m\], or 1 of a side.
    pub fn metric(&self, t: f64) -> f64 {
        match self.shape {
            Shape::Side { .. } => 1.0,
            Shape::Arc { radius, .. } => radius + t,
        }
    }

    /// The coordinates of (z, ρ), whether or not it is in the patch.
    pub fn place(&self, at: [f64; 2]) -> Place {
        match self.shape {
            Shape::Side { origin, along } => {
                let from = [at[0] - origin[0], at[1] - origin[1]];
                Place { u: dot(from, along), t: dot(from, [-along[1], along[0]]) }
            }
            Shape::Arc { center, radius } => {
                let from = [at[0] - center[0], at[1] - center[1]];
                Place { u: libm::atan2(from[1], -from[0]), t: dot(from, from).sqrt() - radius }
            }
        }
    }

    /// Whether it has a surface, and is no corner.
    pub fn has_surface(&self) -> bool {
        !matches!(self.shape, Shape::Arc { radius: 0.0, .. })
    }
}

/// The parts of a meridian, from pole to pole.
pub fn parts_of(meridian: &Meridian) -> Vec<Part> {
    match *meridian {
        Meridian::Capsule { length, radius } => {
            let side = Part::side([0.0, radius], [length, radius], [false; 2]);
            let ends = [
                Part::arc([0.0, 0.0], radius, [0.0, FRAC_PI_2]),
                Part::arc([length, 0.0], radius, [FRAC_PI_2, PI]),
            ];
            [Some(ends[0]), side, Some(ends[1])].into_iter().flatten().collect()
        }
        Meridian::Frustum { length, radius, tip_radius } => {
            let rims = [[0.0, radius], [length, tip_radius]];
            let turned = libm::atan2(length, tip_radius - radius);
            let parts = [
                Part::side([0.0, 0.0], rims[0], [true, false]),
                Some(Part::arc(rims[0], 0.0, [0.0, turned])),
                Part::side(rims[0], rims[1], [false; 2]),
                Some(Part::arc(rims[1], 0.0, [turned, PI])),
                Part::side(rims[1], [length, 0.0], [false, true]),
            ];
            parts.into_iter().flatten().collect()
        }
    }
}

/// A place in a patch may be this part of its length beyond its ends: rounding.
const ROUNDING: f64 = 1e-9;

/// The number of the patch of (z, ρ) among `parts`, and the place in it; inside the solid that of
/// the nearest side.
pub fn find(parts: &[Part], at: [f64; 2]) -> (usize, Place) {
    let mut nearest = (0, Place { u: 0.0, t: f64::NEG_INFINITY });
    for (number, part) in parts.iter().enumerate() {
        let place = part.place(at);
        let [first, last] = part.range;
        let slack = ROUNDING * (last - first);
        let inside = Place { u: place.u.clamp(first, last), t: place.t };
        if place.t >= 0.0 && (first - slack..=last + slack).contains(&place.u) {
            return (number, inside);
        }
        if part.has_surface() && place.t > nearest.1.t {
            nearest = (number, inside);
        }
    }
    nearest
}
