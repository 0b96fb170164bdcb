//! Shapes with `replaces` take the lattice sites of other shapes inside them, in the order of the
//! scene: a site belongs to the last such shape that contains it.
//!
//! A few shapes test every site. Thousands of shapes, such as bubbles, find nearby sites with a
//! tree.

use crate::layout::filled_shape::FilledShape;
use crate::layout::rounded_box_tree::{RoundedBox, RoundedBoxTree};
use crate::layout::shape::{grown, replaces, square};
use crate::model::FluidShape;
use hashfall_core::vec3;
use hashfall_geometry::{Interior, TriangleMesh};

/// So many shapes look at every place sooner than a tree is made.
const MAX_REPLACERS_WITHOUT_TREE: usize = 8;

/// A place of a particle, and whose it is.
struct Site {
    at: [f64; 3],
    /// The shape that laid it.
    source: u32,
    /// The shape that has it.
    owner: usize,
    /// Its number among those of its owner.
    rank: usize,
}

/// Gives the places that lie in shapes that replace others to these; `d` is the spacing \[m\].
pub fn replace_particles(
    filled_shapes: &mut [FilledShape],
    meshes: &[Option<&TriangleMesh>],
    d: f64,
) {
    let replacers: Vec<usize> =
        (0..filled_shapes.len()).filter(|&k| replaces(filled_shapes[k].shape)).collect();
    if replacers.is_empty() {
        return;
    }
    let mut sites = sites(filled_shapes);
    let bodies: Vec<RoundedBox> = match replacers.len() {
        0..=MAX_REPLACERS_WITHOUT_TREE => Vec::new(),
        _ => sites.iter().map(|site| RoundedBox::ball(site.at, 0.0)).collect(),
    };
    let tree = RoundedBoxTree::new(&bodies);
    for &replacer in &replacers {
        let near = match replacers.len() {
            0..=MAX_REPLACERS_WITHOUT_TREE => (0..sites.len()).collect(),
            _ => tree.touching(&grown(&filled_shapes[replacer].bounds, d)),
        };
        let interior = meshes[replacer].map(Interior::new);
        let holds =
            |site: usize| holds(filled_shapes[replacer].shape, interior.as_ref(), &sites[site].at);
        let mut taken: Vec<usize> = near.into_iter().filter(|&site| holds(site)).collect();
        taken.sort_unstable_by_key(|&site| (sites[site].owner, sites[site].rank));
        for (rank, site) in taken.into_iter().enumerate() {
            (sites[site].owner, sites[site].rank) = (replacer, rank);
        }
    }
    assign(sites, filled_shapes);
}

/// The places of all shapes, in their order.
fn sites(filled_shapes: &[FilledShape]) -> Vec<Site> {
    let of_shape = |(owner, filled_shape): (usize, &'_ FilledShape)| -> Vec<Site> {
        let site =
            |(rank, at): (usize, &[f64; 3])| Site { at: *at, source: owner as u32, owner, rank };
        filled_shape.points.iter().enumerate().map(site).collect()
    };
    filled_shapes.iter().enumerate().flat_map(of_shape).collect()
}

/// Gives every shape its places.
fn assign(mut sites: Vec<Site>, filled_shapes: &mut [FilledShape]) {
    sites.sort_unstable_by_key(|site| (site.owner, site.rank));
    for filled_shape in filled_shapes.iter_mut() {
        filled_shape.points.clear();
        filled_shape.sources.clear();
    }
    for site in sites {
        let filled_shape = &mut filled_shapes[site.owner];
        filled_shape.points.push(site.at);
        if replaces(filled_shape.shape) {
            filled_shape.sources.push(site.source);
        }
    }
}

/// Whether a place lies in a shape.
fn holds(shape: &FluidShape, interior: Option<&Interior>, x: &[f64; 3]) -> bool {
    match shape {
        FluidShape::Box { min, max, .. } => (0..3).all(|a| (min[a]..=max[a]).contains(&x[a])),
        FluidShape::Ball { centre, radius, .. } => {
            [0, 1, 2].map(|a| square(x[a] - centre[a])).iter().sum::<f64>() < radius * radius
        }
        _ => interior.is_some_and(|interior| interior.contains(&vec3(*x))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::shape::{bounds, points};
    use crate::model::{StartPressure, VelocityField};
    use hashfall_core::Dimension;
    use hashfall_core::rng::RandomStream;

    const D: f64 = 0.1;

    fn shape(rng: &mut RandomStream, replaces: bool) -> FluidShape {
        let (velocity, initial_velocity, jitter) = ([0.0; 3], VelocityField::Still, None);
        let centre = [0; 3].map(|_| rng.number());
        let radius = rng.between(0.05, 0.4);
        if rng.number() < 0.5 {
            return FluidShape::Ball {
                centre,
                radius,
                velocity,
                initial_velocity,
                jitter,
                replaces,
            };
        }
        let (min, max) = (centre.map(|x| x - radius), centre.map(|x| x + radius));
        let pressure = StartPressure::Zero;
        FluidShape::Box { min, max, velocity, initial_velocity, jitter, pressure, replaces }
    }

    fn filled_shapes(shapes: &[FluidShape]) -> Vec<FilledShape<'_>> {
        let filled_shape = |shape| {
            let all = points(Dimension::Three, shape, None, D);
            let points = if replaces(shape) { Vec::new() } else { all };
            let (path, bounds, laid) =
                (String::new(), bounds(Dimension::Three, shape, None), points.len());
            let (phase, sources, max_speed_squared) = (0, Vec::new(), 0.0);
            FilledShape { path, phase, shape, bounds, points, sources, laid, max_speed_squared }
        };
        shapes.iter().map(filled_shape).collect()
    }

    /// Each shape that replaces others asks all of these for their places, one after the other.
    fn by_brute_force(shapes: &[FluidShape]) -> Vec<Vec<([f64; 3], u32)>> {
        let laid = filled_shapes(shapes).into_iter().enumerate();
        let mut all: Vec<Vec<([f64; 3], u32)>> = laid
            .map(|(k, filled_shape)| filled_shape.points.iter().map(|x| (*x, k as u32)).collect())
            .collect();
        for replacer in (0..shapes.len()).filter(|&k| replaces(&shapes[k])) {
            let mut taken = Vec::new();
            for other in (0..shapes.len()).filter(|&k| k != replacer) {
                let is_in = |(x, _): &([f64; 3], u32)| holds(&shapes[replacer], None, x);
                taken.extend(all[other].iter().copied().filter(is_in));
                all[other].retain(|site| !is_in(site));
            }
            all[replacer] = taken;
        }
        all
    }

    #[test]
    fn every_shape_has_the_places_that_brute_force_gives_it_in_the_same_order() {
        let mut rng = RandomStream::new(5);
        let mut taken = 0;
        for round in 0..60 {
            let count = 2 + rng.below(if round % 2 == 0 { 6 } else { 30 });
            let shapes: Vec<FluidShape> = (0..count)
                .map(|_| {
                    let replaces = rng.number() < 0.7;
                    shape(&mut rng, replaces)
                })
                .collect();
            let mut found = filled_shapes(&shapes);
            replace_particles(&mut found, &vec![None; count], D);
            for (filled_shape, expected) in found.iter().zip(by_brute_force(&shapes)) {
                let (points, sources): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
                assert_eq!(filled_shape.points, points, "{round}");
                let is_taker = replaces(filled_shape.shape);
                assert_eq!(filled_shape.sources, if is_taker { sources } else { Vec::new() });
                taken += usize::from(is_taker) * filled_shape.points.len();
            }
        }
        assert!(taken > 1000, "{taken}");
    }
}
