//! The world's order: particles sorted by cells of the support radius, ties by id.
//!
//! Neighbours in space become neighbours in memory, and the order, and with it every sum, is the
//! same whatever search structure or thread count is used. Few particles change their cell in a
//! step: those are sorted by themselves and merged with the others, which still are in order.

use crate::world::Particles;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::parallel::{self, CHUNK};
use hashfall_core::{Real, Vec3};
use rayon::slice::ParallelSliceMut;

/// A larger part of the particles than one in this many is not merged but sorted anew.
const FEW: usize = 8;

/// Sorts particles; keeps its buffers between steps.
#[derive(Debug, Default)]
pub struct Order {
    places: Vec<Place>,
    /// The cell of each particle when they were sorted last.
    cells: Vec<u64>,
    /// Of each chunk of particles.
    pieces: Vec<Piece>,
    moved: Vec<Place>,
    reals: Vec<Real>,
    vectors: Vec<Vec3>,
    ids: Vec<u32>,
    bytes: Vec<u8>,
}

/// Where a particle belongs, and where it is.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    cell: u64,
    id: u32,
    index: u32,
}

/// A chunk of particles before they are sorted.
#[derive(Debug, Default)]
struct Piece {
    /// Whether they are in order.
    is_sorted: bool,
    /// Who changed the cell since they were sorted last, and who did not.
    moved: Vec<Place>,
    stayed: Vec<Place>,
    /// Whether those who did not are in order.
    is_rest_sorted: bool,
}

impl Piece {
    /// Takes the places of a chunk, and the cells of the same particles before.
    fn take(&mut self, places: &[Place], cells: &[u64]) {
        self.is_sorted = places.is_sorted_by_key(Place::rank);
        self.moved.clear();
        self.stayed.clear();
        for (place, &cell) in places.iter().zip(cells) {
            let list = if place.cell == cell { &mut self.stayed } else { &mut self.moved };
            list.push(*place);
        }
        self.is_rest_sorted = self.is_sorted || self.stayed.is_sorted_by_key(Place::rank);
    }
}

impl Place {
    /// What the order goes by; unique.
    fn rank(&self) -> (u64, u32) {
        (self.cell, self.id)
    }
}

impl Order {
    /// Sorts by cell of size `support_radius`, then by id; returns whether anything moved.
    pub fn sort(&mut self, particles: &mut Particles, support_radius: Real) -> bool {
        let n = particles.len();
        self.places.resize(n, Place::default());
        self.pieces.resize_with(n.div_ceil(CHUNK), Piece::default);
        let known = if self.cells.len() == n { &self.cells[..] } else { &[] };
        parallel::fill_chunks_with(&mut self.places, &mut self.pieces, &|chunk, places, piece| {
            let first = chunk * CHUNK;
            for (i, place) in (first..).zip(&mut *places) {
                let cell = cell_key(cell_of(&particles.position[i], support_radius));
                *place = Place { cell, id: particles.id[i], index: i as u32 };
            }
            piece.take(places, known.get(first..).unwrap_or_default());
        });
        let places = &self.places;
        let mut seams = (CHUNK..n).step_by(CHUNK);
        let is_new = !(self.pieces.iter().all(|piece| piece.is_sorted)
            && seams.all(|seam| places[seam - 1].rank() < places[seam].rank()));
        if is_new {
            if !self.merge_moved() {
                // Ranks are unique: an unstable sort has one outcome, and needs no second buffer.
                self.places.par_sort_unstable_by_key(Place::rank);
            }
            self.gather_all(particles);
        }
        let places = &self.places;
        self.cells.resize(n, 0);
        parallel::fill(&mut self.cells, |i, cell| *cell = places[i].cell);
        is_new
    }

    /// Brings what stood in the order before the last sort, which moved something, into the new,
    /// through a buffer that is swapped with it.
    pub fn gather<T>(&self, values: &mut Vec<T>, buffer: &mut Vec<T>)
    where
        T: Copy + Default + Send + Sync,
    {
        gather(&self.places, values, buffer);
    }

    /// Merges the particles that changed their cell with those that did not; false if they are
    /// many, or if the others are not in order, and nothing is changed.
    fn merge_moved(&mut self) -> bool {
        if self.cells.len() != self.places.len() {
            return false;
        }
        self.moved.clear();
        for piece in &self.pieces {
            self.moved.extend_from_slice(&piece.moved);
        }
        if self.moved.len() * FEW > self.places.len() || !self.is_rest_sorted() {
            return false;
        }
        self.moved.sort_unstable_by_key(Place::rank);
        merge(&self.pieces, &self.moved, &mut self.places);
        true
    }

    /// Whether those who kept their cell are in order.
    fn is_rest_sorted(&self) -> bool {
        let mut last = None;
        self.pieces.iter().all(|Piece { stayed, is_rest_sorted, .. }| {
            let is_behind = stayed.first().is_none_or(|first| last < Some(first.rank()));
            last = stayed.last().map(Place::rank).or(last);
            is_behind && *is_rest_sorted
        })
    }

    /// Brings all arrays into the order, as many at once as there are buffers.
    fn gather_all(&mut self, particles: &mut Particles) {
        let Order { places, vectors, reals, ids, bytes, .. } = self;
        parallel::together(&mut [
            &mut || gather(places, &mut particles.position, vectors),
            &mut || gather(places, &mut particles.density, reals),
            &mut || gather(places, &mut particles.id, ids),
            &mut || gather(places, &mut particles.phase, bytes),
        ]);
        parallel::together(&mut [
            &mut || gather(places, &mut particles.velocity, vectors),
            &mut || gather(places, &mut particles.fluid_fraction, reals),
            &mut || gather(places, &mut particles.in_nozzle, bytes),
        ]);
        parallel::together(&mut [
            &mut || gather(places, &mut particles.acceleration, vectors),
            &mut || gather(places, &mut particles.pressure, reals),
        ]);
        gather(places, &mut particles.birth, reals);
    }
}

/// Writes those who stayed in all pieces and those who moved to `out`, both of which are in order.
fn merge(pieces: &[Piece], moved: &[Place], out: &mut [Place]) {
    let piece = match pieces {
        [] => return,
        [piece] => piece,
        _ => {
            let (left, right) = pieces.split_at(pieces.len() / 2);
            let first = right.iter().find_map(|piece| piece.stayed.first());
            let is_left = |place: &Place| first.is_none_or(|first| place.rank() < first.rank());
            let (moved_left, moved_right) = moved.split_at(moved.partition_point(is_left));
            let stayed = left.iter().map(|piece| piece.stayed.len()).sum::<usize>();
            let (out_left, out_right) = out.split_at_mut(stayed + moved_left.len());
            parallel::join(
                || merge(left, moved_left, out_left),
                || merge(right, moved_right, out_right),
            );
            return;
        }
    };
    let (mut stayed, mut out) = (&piece.stayed[..], out);
    for place in moved {
        let before = stayed.partition_point(|other| other.rank() < place.rank());
        out[..before].copy_from_slice(&stayed[..before]);
        out[before] = *place;
        (stayed, out) = (&stayed[before..], &mut out[before + 1..]);
    }
    out.copy_from_slice(stayed);
}

/// Puts `values` into the order of `places`, through a buffer that is swapped with it.
fn gather<T>(places: &[Place], values: &mut Vec<T>, buffer: &mut Vec<T>)
where
    T: Copy + Default + Send + Sync,
{
    buffer.resize(values.len(), T::default());
    parallel::fill(buffer, |i, value| *value = values[places[i].index as usize]);
    std::mem::swap(values, buffer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_geometry::random::Random;

    #[test]
    fn particles_that_move_a_little_or_much_come_in_the_same_order_as_when_sorted_anew() {
        let mut random = Random::new(3);
        let mut particles = Particles::default();
        for _ in 0..3000 {
            let place = random.point(-3.0, 3.0).map(|x| x as Real);
            particles.push(place, Vec3::zeros(), 0, 1.0);
        }
        let mut order = Order::default();
        for (step, stride) in [0, 40, 2, 0, 9, 3000, 1].into_iter().enumerate() {
            let some = particles.position.iter_mut().step_by(stride.max(1));
            let shift = if stride == 0 { 0.0 } else { 0.7 };
            some.for_each(|x| *x += random.point(-shift, shift).map(|x| x as Real));
            let mut anew = particles.clone();
            order.sort(&mut particles, 1.0);
            Order::default().sort(&mut anew, 1.0);
            assert_eq!(particles, anew, "step {step}");
        }
    }

    /// Ids as a plain sort by cells and ids has them.
    fn sorted_ids(particles: &Particles) -> Vec<u32> {
        let rank = |i: usize| (cell_key(cell_of(&particles.position[i], 1.0)), particles.id[i]);
        let mut ranks: Vec<_> = (0..particles.len()).map(rank).collect();
        ranks.sort();
        ranks.into_iter().map(|(_, id)| id).collect()
    }

    #[test]
    fn one_cell_ties_across_seams_and_no_particles_come_as_by_a_plain_sort() {
        let n = 3 * CHUNK + 7;
        // All in one cell; few cells, so that ties lie across seams; each in a cell of its own.
        for cells in [1, 5, n] {
            let mut particles = Particles::default();
            let place = |k: usize| Vec3::x() * ((k % cells) as Real + 0.5);
            (0..n).for_each(|k| particles.push(place(k), Vec3::zeros(), 0, 1.0));
            particles.id.reverse();
            let mut order = Order::default();
            // Those that move: none, one to either end, across a seam, almost a whole chunk.
            for moves in [0..0, 0..1, n - 1..n, CHUNK - 3..CHUNK + 3, 2 * CHUNK..2 * CHUNK + 190] {
                for x in [-2.5, n as Real + 2.5, 0.5] {
                    moves.clone().for_each(|i| particles.position[i].x = x);
                    let (before, expected) = (particles.id.clone(), sorted_ids(&particles));
                    let is_new = order.sort(&mut particles, 1.0);
                    assert_eq!(particles.id, expected, "{cells} cells, {moves:?} to {x}");
                    assert_eq!(is_new, before != expected);
                    assert!(!order.sort(&mut particles, 1.0));
                }
            }
            // Each chunk is in order, but not across their seam.
            particles.id.swap(CHUNK - 1, CHUNK);
            let expected = sorted_ids(&particles);
            order.sort(&mut particles, 1.0);
            assert_eq!(particles.id, expected, "{cells} cells");
        }
        let (mut order, mut none) = (Order::default(), Particles::default());
        assert!(!order.sort(&mut none, 1.0) && !order.sort(&mut none, 1.0));
    }

    #[test]
    fn a_world_in_another_order_than_before_is_sorted_all_the_same() {
        let mut particles = Particles::default();
        (0..100).for_each(|k| particles.push(Vec3::x() * k as Real, Vec3::zeros(), 0, 1.0));
        let mut order = Order::default();
        order.sort(&mut particles, 1.0);
        particles.position.reverse();
        particles.id.reverse();
        particles.position[7].x += 3.0;
        let mut anew = particles.clone();
        order.sort(&mut particles, 1.0);
        Order::default().sort(&mut anew, 1.0);
        assert_eq!(particles, anew);
    }

    #[test]
    fn particles_come_in_order_of_cells_and_ties_of_id_with_all_their_arrays() {
        let mut particles = Particles::default();
        let xs: [Real; 5] = [2.5, 0.5, -0.5, 0.25, 2.25];
        for (k, x) in xs.into_iter().enumerate() {
            particles.push(Vec3::new(x, 0.0, 0.0), Vec3::new(0.0, x, 0.0), k as u8, x);
        }
        let mut order = Order::default();
        for _ in 0..2 {
            order.sort(&mut particles, 1.0);
            assert_eq!(particles.id, [2, 1, 3, 0, 4]);
            assert_eq!(particles.phase, [2, 1, 3, 0, 4]);
            for i in 0..5 {
                let x = xs[particles.id[i] as usize];
                assert_eq!(particles.position[i].x, x);
                assert_eq!(particles.velocity[i].y, x);
                assert_eq!(particles.density[i], x);
            }
        }
    }
}
