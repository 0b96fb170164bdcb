//! Shapes that replace others take over the places of these that lie in them, in the order of the
//! scene: so a place belongs to the last shape that holds it.
//!
//! A few such shapes look at every place. Thousands of them, such as bubbles, find those near them
//! in a tree.

use crate::layout::piece::Piece;
use crate::layout::rounded_box_tree::{Body, BodyTree};
use crate::layout::shape::{grown, replaces, square};
use crate::model::FluidShape;
use hashfall_core::vec3;
use hashfall_geometry::{Interior, TriangleMesh};

/// So many shapes look at every place sooner than a tree is made.
const FEW: usize = 8;

/// A place of a particle, and whose it is.
struct Place {
    at: [f64; 3],
    /// The shape that laid it.
    source: u32,
    /// The shape that has it.
    owner: usize,
    /// Its number among those of its owner.
    rank: usize,
}

/// Gives the places that lie in shapes that replace others to these; `d` is the spacing \[m\].
pub fn take_over(pieces: &mut [Piece], meshes: &[Option<&TriangleMesh>], d: f64) {
    let takers: Vec<usize> = (0..pieces.len()).filter(|&k| replaces(pieces[k].shape)).collect();
    if takers.is_empty() {
        return;
    }
    let mut places = places(pieces);
    let bodies: Vec<Body> = match takers.len() {
        0..=FEW => Vec::new(),
        _ => places.iter().map(|place| Body::ball(place.at, 0.0)).collect(),
    };
    let tree = BodyTree::new(&bodies);
    for &taker in &takers {
        let near = match takers.len() {
            0..=FEW => (0..places.len()).collect(),
            _ => tree.touching(&grown(&pieces[taker].bounds, d)),
        };
        let interior = meshes[taker].map(Interior::new);
        let holds = |place: usize| holds(pieces[taker].shape, interior.as_ref(), &places[place].at);
        let mut taken: Vec<usize> = near.into_iter().filter(|&place| holds(place)).collect();
        taken.sort_unstable_by_key(|&place| (places[place].owner, places[place].rank));
        for (rank, place) in taken.into_iter().enumerate() {
            (places[place].owner, places[place].rank) = (taker, rank);
        }
    }
    give(places, pieces);
}

/// The places of all shapes, in their order.
fn places(pieces: &[Piece]) -> Vec<Place> {
    let of_piece = |(owner, piece): (usize, &'_ Piece)| -> Vec<Place> {
        let place =
            |(rank, at): (usize, &[f64; 3])| Place { at: *at, source: owner as u32, owner, rank };
        piece.points.iter().enumerate().map(place).collect()
    };
    pieces.iter().enumerate().flat_map(of_piece).collect()
}

/// Gives every shape its places.
fn give(mut places: Vec<Place>, pieces: &mut [Piece]) {
    places.sort_unstable_by_key(|place| (place.owner, place.rank));
    for piece in pieces.iter_mut() {
        piece.points.clear();
        piece.sources.clear();
    }
    for place in places {
        let piece = &mut pieces[place.owner];
        piece.points.push(place.at);
        if replaces(piece.shape) {
            piece.sources.push(place.source);
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
    use crate::model::{Motion, StartPressure};
    use hashfall_core::Dimension;
    use hashfall_core::rng::RandomStream;

    const D: f64 = 0.1;

    fn shape(rng: &mut RandomStream, replaces: bool) -> FluidShape {
        let (velocity, motion, jitter) = ([0.0; 3], Motion::Still, None);
        let centre = [0; 3].map(|_| rng.number());
        let radius = rng.between(0.05, 0.4);
        if rng.number() < 0.5 {
            return FluidShape::Ball { centre, radius, velocity, motion, jitter, replaces };
        }
        let (min, max) = (centre.map(|x| x - radius), centre.map(|x| x + radius));
        let pressure = StartPressure::Zero;
        FluidShape::Box { min, max, velocity, motion, jitter, pressure, replaces }
    }

    fn pieces(shapes: &[FluidShape]) -> Vec<Piece<'_>> {
        let piece = |shape| {
            let all = points(Dimension::Three, shape, None, D);
            let points = if replaces(shape) { Vec::new() } else { all };
            let (path, bounds, laid) = (String::new(), bounds(shape, None), points.len());
            let (phase, sources, fastest_squared) = (0, Vec::new(), 0.0);
            Piece { path, phase, shape, bounds, points, sources, laid, fastest_squared }
        };
        shapes.iter().map(piece).collect()
    }

    /// Each shape that replaces others asks all of these for their places, one after the other.
    fn by_brute_force(shapes: &[FluidShape]) -> Vec<Vec<([f64; 3], u32)>> {
        let laid = pieces(shapes).into_iter().enumerate();
        let mut all: Vec<Vec<([f64; 3], u32)>> =
            laid.map(|(k, piece)| piece.points.iter().map(|x| (*x, k as u32)).collect()).collect();
        for taker in (0..shapes.len()).filter(|&k| replaces(&shapes[k])) {
            let mut taken = Vec::new();
            for other in (0..shapes.len()).filter(|&k| k != taker) {
                let is_in = |(x, _): &([f64; 3], u32)| holds(&shapes[taker], None, x);
                taken.extend(all[other].iter().copied().filter(is_in));
                all[other].retain(|place| !is_in(place));
            }
            all[taker] = taken;
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
            let mut found = pieces(&shapes);
            take_over(&mut found, &vec![None; count], D);
            for (piece, expected) in found.iter().zip(by_brute_force(&shapes)) {
                let (points, sources): (Vec<_>, Vec<_>) = expected.into_iter().unzip();
                assert_eq!(piece.points, points, "{round}");
                let is_taker = replaces(piece.shape);
                assert_eq!(piece.sources, if is_taker { sources } else { Vec::new() });
                taken += usize::from(is_taker) * piece.points.len();
            }
        }
        assert!(taken > 1000, "{taken}");
    }
}
