//! Finding the tables of λ around solids of revolution.
//!
//! The grid of a patch has entries a tenth of a spacing apart up to where nothing is left, along
//! the surface only where λ changes with it: within h of corners and poles of tips. Farther off
//! entries get sparse geometrically, as a cone's curvature does.
//!
//! Symbols: λ part of the kernel in the solid \[–\], u, t place in a patch, d spacing, h support
//! radius \[m\].

use super::flux::Quadrature;
use super::grid::{EndSlopes, Grid, Knots};
use super::meridian::{Part, Place, Shape, parts_of};
use super::table::{RoundTable, RoundTables};
use crate::integral::layers::SolidLayers;
use crate::integral::plane_table::PlaneTable;
use crate::solids::Solids;
use hashfall_core::parallel;
use hashfall_geometry::{Meridian, Point, RoundSolid};

/// Distance between entries, in spacings.
const STEP: f64 = 0.1;
/// How much farther apart entries may be, from one to the next, where λ hardly changes.
const GROWTH: f64 = 1.25;
/// On an arc entries are as far apart as on a circle of this much more radius, in spacings.
const OFFSET: f64 = 0.9;
/// Step of the differences that slopes at the ends are found by, in spacings.
const DIFFERENCE: f64 = 0.01;

impl PlaneTable {
    /// The same with tables of the solids of revolution among `solids`, for particles to which
    /// solids are these layers: [`Solids::near`] asks for them.
    pub fn with_rounds(mut self, layers: &SolidLayers, solids: &Solids) -> Self {
        let rounds = RoundTables::new(layers, &self, solids.rounds());
        self.set_rounds(rounds);
        self
    }
}

impl RoundTables {
    /// Of these solids, for particles to which solids are these layers.
    pub fn new(layers: &SolidLayers, table: &PlaneTable, solids: &[RoundSolid]) -> Self {
        let mut all = RoundTables::default();
        for meridian in solids.iter().map(RoundSolid::meridian) {
            let known = all.tables.iter().position(|known| known.meridian == meridian);
            let number = known.unwrap_or(all.tables.len());
            if known.is_none() {
                all.tables.push(RoundTable::new(layers, table, meridian));
            }
            all.table_of.push(number as u32);
        }
        all
    }
}

impl RoundTable {
    fn new(layers: &SolidLayers, table: &PlaneTable, meridian: Meridian) -> Self {
        let (d, reach) = (f64::from(layers.spacing()), table.reach());
        let parts = parts_of(&meridian);
        let is_opaque = is_thin(&parts, &meridian, reach);
        let quadrature = Quadrature::new(table, &parts, is_opaque);
        let steps = ((reach - STEP * d) / (STEP * d)).ceil().max(2.0) as usize;
        let step = (reach - STEP * d) / steps as f64;
        let t: Knots = (0..=steps).map(|k| STEP * d + step * k as f64).collect();
        let grids = parts.iter().map(|part| grid_of(&quadrature, part, d, reach, &t)).collect();
        RoundTable { meridian, grids, nearest: STEP * d, is_opaque, layers: *layers, parts }
    }
}

/// The entries around one part.
fn grid_of(quadrature: &Quadrature<'_>, part: &Part, d: f64, reach: f64, t: &Knots) -> Grid {
    let u = knots_of(part, d, reach);
    let fraction = |u: f64, t: f64, way: [f64; 2]| {
        let at = part.point(Place { u, t });
        quadrature.fraction([at[0] + way[0], at[1] + way[1]])
    };
    // Of fourth order, along a unit vector.
    let slope = |u: f64, t: f64, along: [f64; 2]| {
        let at = |k: f64| fraction(u, t, along.map(|c| c * k * DIFFERENCE * d));
        (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * DIFFERENCE * d)
    };
    let last = t.len() - 1;
    let of_column = |u: &f64| -> (Vec<f64>, f64) {
        let value = |(k, t): (usize, &f64)| if k < last { fraction(*u, *t, [0.0; 2]) } else { 0.0 };
        let values = t.iter().enumerate().map(value).collect();
        (values, slope(*u, t[0], part.frame(*u).1))
    };
    let columns = parallel::map(u.len(), |k| of_column(&u[k]));
    let at_end = |end: usize| -> Vec<f64> {
        let place = part.range[end];
        let tangent = part.frame(place).0;
        parallel::map(t.len(), |k| match part.is_on_axis[end] || k == last {
            true => 0.0,
            false => slope(place, t[k], tangent) * part.metric(t[k]),
        })
    };
    let in_u = [at_end(0), at_end(1)];
    let in_t = columns.iter().map(|(_, slope)| *slope).collect();
    let values: Vec<f64> = columns.into_iter().flat_map(|(values, _)| values).collect();
    Grid::new(u, t.clone(), &values, &EndSlopes { in_u, in_t })
}

/// Where a part has entries: dense within `reach` of ends that are not on the axis.
fn knots_of(part: &Part, d: f64, reach: f64) -> Knots {
    let [first, last] = part.range;
    let (step, dense) = match part.shape {
        Shape::Side { .. } => (STEP * d, reach),
        Shape::Arc { radius, .. } => {
            let around = radius + OFFSET * d;
            (STEP * d / around, reach / around)
        }
    };
    let is_corner = !part.has_surface();
    let dense_end = |end: usize| is_corner || !part.is_on_axis[end];
    // How far apart entries may be at a place.
    let allowed = |u: f64| {
        let from = |is_dense: bool, away: f64| {
            let beyond = if is_dense { (away - dense).max(0.0) } else { f64::INFINITY };
            step + (GROWTH - 1.0) * beyond
        };
        from(dense_end(0), u - first).min(from(dense_end(1), last - u))
    };
    let mut knots = vec![first];
    let mut at = first;
    while at < last {
        // No farther than what is allowed where the interval ends.
        let way = allowed(at);
        at += way.min(allowed((at + way).min(last)));
        knots.push(at.min(last));
    }
    // The same share off each interval takes the overshoot away.
    let (end, count) = (at, knots.len() - 1);
    let scale = (last - first) / (end - first);
    knots[count] = end;
    let mut knots: Knots = knots.iter().map(|knot| first + (knot - first) * scale).collect();
    knots[count] = last;
    if knots.len() < 3 {
        knots.insert(1, 0.5 * (first + last));
    }
    knots
}

/// Whether below a middle of the surface the far side is less than `depth` \[m\] away.
fn is_thin(parts: &[Part], meridian: &Meridian, depth: f64) -> bool {
    let solid = solid_of(meridian);
    parts.iter().filter(|part| part.has_surface()).any(|part| {
        let [first, last] = part.range;
        let u = match part.is_on_axis {
            [true, _] => first,
            [_, true] => last,
            _ => 0.5 * (first + last),
        };
        let [z, rho] = part.point(Place { u, t: -depth * (1.0 - 1e-4) });
        solid.signed_distance(&Point::new(rho, 0.0, z)) > 0.0
    })
}

/// The solid of a shape whose axis goes up from the origin.
fn solid_of(meridian: &Meridian) -> RoundSolid {
    match *meridian {
        Meridian::Capsule { length, radius } => {
            RoundSolid::capsule(Point::zeros(), Point::z() * length, radius)
        }
        Meridian::Frustum { length, radius, tip_radius } => {
            RoundSolid::cone(Point::zeros(), Point::z() * length, radius, tip_radius)
        }
    }
}
