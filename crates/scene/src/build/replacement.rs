//! Shapes with `replaces` take the lattice sites of other shapes inside them, in the order of the
//! scene: a site belongs to the last such shape that contains it.
//!
//! A few shapes test every site. Thousands of shapes, such as bubbles, find nearby sites with a
//! tree.

use crate::layout::filled_shape::FilledShape;
use hashfall_fill::rounded_box_tree::{RoundedBox, RoundedBoxTree};

/// Up to this number of shapes it is faster to look at every place than to make a tree.
const MAX_REPLACERS_WITHOUT_TREE: usize = 8;

/// A place of a particle, and the shape that owns it.
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
pub fn replace_particles(filled_shapes: &mut [FilledShape], d: f64) {
    let replacers: Vec<usize> =
        (0..filled_shapes.len()).filter(|&k| filled_shapes[k].shape.start().replaces).collect();
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
        let candidates = match replacers.len() {
            0..=MAX_REPLACERS_WITHOUT_TREE => (0..sites.len()).collect(),
            _ => tree.touching(&grown(&filled_shapes[replacer].bounds, d)),
        };
        let is_in = |site: &usize| filled_shapes[replacer].contains(&sites[*site].at);
        let mut taken: Vec<usize> = candidates.into_iter().filter(is_in).collect();
        taken.sort_unstable_by_key(|&site| (sites[site].owner, sites[site].rank));
        filled_shapes[replacer].laid = taken.len();
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
        filled_shape.indices.clear();
    }
    for site in sites {
        let filled_shape = &mut filled_shapes[site.owner];
        filled_shape.points.push(site.at);
        if filled_shape.shape.start().replaces {
            filled_shape.sources.push(site.source);
        }
        if filled_shape.given.is_some() {
            // Nobody took it over: its rank is that among those of its own.
            filled_shape.indices.push(site.rank as u32);
        }
    }
}

/// The box of a shape, grown by `margin` \[m\] on every side.
fn grown([low, high]: &[[f64; 3]; 2], margin: f64) -> RoundedBox {
    RoundedBox::cuboid(low.map(|x| x - margin), high.map(|x| x + margin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::velocity_field::Field;
    use crate::model::{BallShape, BoxShape, FluidShape, StartPressure, VelocityField};
    use hashfall_core::Dimension;
    use hashfall_core::rng::RandomStream;
    use hashfall_fill::region::{Ball, Cuboid, Region};

    const D: f64 = 0.1;

    fn shape(rng: &mut RandomStream, replaces: bool) -> FluidShape {
        let (velocity, initial_velocity, jitter) = ([0.0; 3], VelocityField::Still, None);
        let centre = [0; 3].map(|_| rng.number());
        let radius = rng.between(0.05, 0.4);
        if rng.number() < 0.5 {
            let ball = BallShape { centre, radius, velocity, initial_velocity, jitter, replaces };
            return FluidShape::Ball(ball);
        }
        let (min, max) = (centre.map(|x| x - radius), centre.map(|x| x + radius));
        let pressure = StartPressure::Zero;
        let shape = BoxShape { min, max, pressure, velocity, initial_velocity, jitter, replaces };
        FluidShape::Box(shape)
    }

    fn region(shape: &FluidShape) -> Box<dyn Region> {
        match shape {
            FluidShape::Box(shape) => {
                Box::new(Cuboid::new(Dimension::Three, [shape.min, shape.max]))
            }
            FluidShape::Ball(shape) => {
                Box::new(Ball::new(Dimension::Three, shape.centre, shape.radius))
            }
            other => panic!("{other:?}"),
        }
    }

    fn filled_shapes(shapes: &[FluidShape]) -> Vec<FilledShape<'_>> {
        let filled_shape = |shape| {
            let region = region(shape);
            let points = if shape.start().replaces { Vec::new() } else { region.points(D) };
            FilledShape {
                path: String::new(),
                phase: 0,
                shape,
                bounds: region.bounds(),
                region: Some(region),
                laid: points.len(),
                points,
                sources: Vec::new(),
                indices: Vec::new(),
                field: Field::new(shape.start().initial_velocity),
                given: None,
                filling: Default::default(),
                max_speed_squared: 0.0,
            }
        };
        shapes.iter().map(filled_shape).collect()
    }

    /// Each shape that replaces others asks all of these for their places, one after the other.
    fn by_brute_force(shapes: &[FluidShape]) -> Vec<Vec<([f64; 3], u32)>> {
        let laid = filled_shapes(shapes).into_iter().enumerate();
        let mut all: Vec<Vec<([f64; 3], u32)>> = laid
            .map(|(k, filled_shape)| filled_shape.points.iter().map(|x| (*x, k as u32)).collect())
            .collect();
        for replacer in (0..shapes.len()).filter(|&k| shapes[k].start().replaces) {
            let mut taken = Vec::new();
            for other in (0..shapes.len()).filter(|&k| k != replacer) {
                let region = region(&shapes[replacer]);
                let is_in = |(x, _): &([f64; 3], u32)| region.contains(x);
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
            replace_particles(&mut found, D);
            for (filled_shape, expected) in found.iter().zip(by_brute_force(&shapes)) {
                let (points, sources): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
                assert_eq!(filled_shape.points, points, "{round}");
                let is_taker = filled_shape.shape.start().replaces;
                assert_eq!(filled_shape.sources, if is_taker { sources } else { Vec::new() });
                taken += usize::from(is_taker) * filled_shape.points.len();
            }
        }
        assert!(taken > 1000, "{taken}");
    }
}
