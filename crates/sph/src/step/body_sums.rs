//! Sums of wrenches by body over the particles near them, in
//! [fixed point](hashfall_core::fixed_sum): the same for any order and any split of the particles.
//!
//! Two rounds over the wrenches, each over chunks of particles in parallel: the first finds, for
//! each body, how many wrenches there are and the largest numbers of their forces and torques, by
//! which the second rounds them. Wrenches are stored or computed twice by who gives them.

use hashfall_bodies::Wrench;
use hashfall_core::fixed_sum::{FixedPoint, FixedSums};
use hashfall_core::parallel;

/// Wrenches on bodies, in chunks.
pub trait WrenchSource: Sync {
    /// The number of chunks.
    fn chunks(&self) -> usize;

    /// The bodies of a chunk, each once; a place in this list is a *slot*.
    fn bodies(&self, chunk: usize) -> &[u32];

    /// Calls `give(slot, wrench)` for all wrenches of a chunk.
    fn for_each(&self, chunk: usize, give: impl FnMut(usize, &[f64; 6]));
}

/// Sums wrenches; keeps its buffers.
#[derive(Debug, Default)]
pub struct BodySums {
    /// Of each chunk, by slot.
    chunks: Vec<Vec<Part>>,
    /// Bodies on which there are wrenches.
    bodies: Vec<Body>,
    /// Of each body, its place among those, or [`NOWHERE`]: few of many solids are met.
    places: Vec<u32>,
}

/// The place of a body on which there is no wrench.
const NOWHERE: u32 = u32::MAX;

/// What a chunk has of one body.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    count: usize,
    /// Of forces and of torques.
    largest: [f64; 2],
    sums: FixedSums<6>,
}

/// All of one body.
#[derive(Clone, Copy, Debug)]
struct Body {
    number: u32,
    part: Part,
    format: FixedPoint<6>,
}

impl Part {
    fn note(&mut self, wrench: &[f64; 6]) {
        self.count += 1;
        for (k, x) in wrench.iter().enumerate() {
            let largest = &mut self.largest[k / 3];
            *largest = if x.abs() > *largest { x.abs() } else { *largest };
        }
    }
}

impl BodySums {
    /// Adds the sum of all wrenches on each body to its item of `wrenches`.
    pub fn add_to(&mut self, wrenches: &mut [Wrench], source: &impl WrenchSource) {
        self.chunks.resize_with(source.chunks(), Vec::new);
        parallel::fill_pieces(&mut self.chunks, &|chunk, parts| {
            parts.clear();
            parts.resize(source.bodies(chunk).len(), Part::default());
            source.for_each(chunk, |slot, wrench| parts[slot].note(wrench));
        });
        self.choose_formats(wrenches.len(), source);
        let (bodies, places) = (&self.bodies, &self.places);
        parallel::fill_pieces(&mut self.chunks, &|chunk, parts| {
            let numbers = source.bodies(chunk);
            source.for_each(chunk, |slot, wrench| {
                let Body { format, .. } = &bodies[places[numbers[slot] as usize] as usize];
                parts[slot].sums.add(format, *wrench);
            });
        });
        for (chunk, parts) in self.chunks.iter().enumerate() {
            for (&body, part) in source.bodies(chunk).iter().zip(parts) {
                if part.count > 0 {
                    let place = self.places[body as usize] as usize;
                    self.bodies[place].part.sums.merge(&part.sums);
                }
            }
        }
        for Body { number, part, format } in &self.bodies {
            let sums = format.values(&part.sums).unwrap_or_else(|| sum_extremes(*number, source));
            wrenches[*number as usize] += Wrench::from(sums);
        }
    }

    /// Finds how the wrenches on each body are rounded.
    fn choose_formats(&mut self, count: usize, source: &impl WrenchSource) {
        let BodySums { chunks, bodies, places } = self;
        places.clear();
        places.resize(count, NOWHERE);
        bodies.clear();
        for (chunk, parts) in chunks.iter().enumerate() {
            let parts = source.bodies(chunk).iter().zip(parts);
            for (&number, part) in parts.filter(|(_, part)| part.count > 0) {
                let place = &mut places[number as usize];
                if *place == NOWHERE {
                    *place = bodies.len() as u32;
                    let format = FixedPoint::new([0.0; 6], 0);
                    bodies.push(Body { number, part: Part::default(), format });
                }
                let all = &mut bodies[*place as usize].part;
                all.count += part.count;
                for (all, of_chunk) in all.largest.iter_mut().zip(part.largest) {
                    *all = all.max(of_chunk);
                }
            }
        }
        for Body { part: Part { count, largest: [force, torque], .. }, format, .. } in bodies {
            let bounds = [*force, *force, *force, *torque, *torque, *torque];
            *format = FixedPoint::new(bounds, *count);
        }
    }
}

/// The sum of the wrenches on a body of which some are not finite, or nearly.
#[cold]
fn sum_extremes(body: u32, source: &impl WrenchSource) -> [f64; 6] {
    let mut wrenches = Vec::new();
    for chunk in 0..source.chunks() {
        let bodies = source.bodies(chunk);
        source.for_each(chunk, |slot, wrench| {
            if bodies[slot] == body {
                wrenches.push(*wrench);
            }
        });
    }
    parallel::sum(wrenches.len(), |k| wrenches[k])
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::parallel::with_threads;
    use hashfall_geometry::random::Random;

    /// Chunks of wrenches.
    struct Lists(Vec<List>);

    struct List {
        bodies: Vec<u32>,
        /// With their slots.
        wrenches: Vec<(usize, [f64; 6])>,
    }

    impl Lists {
        /// In chunks of these lengths, over and over.
        fn new(all: &[(u32, [f64; 6])], lengths: &[usize]) -> Self {
            let (mut rest, mut lists) = (all, Vec::new());
            for &length in lengths.iter().cycle() {
                if rest.is_empty() {
                    break;
                }
                let (chunk, others) = rest.split_at(length.min(rest.len()));
                rest = others;
                let mut bodies = Vec::new();
                let slot = |&(body, wrench): &(u32, [f64; 6])| {
                    let known = bodies.iter().position(|known| *known == body);
                    let slot = known.unwrap_or_else(|| {
                        bodies.push(body);
                        bodies.len() - 1
                    });
                    (slot, wrench)
                };
                let wrenches = chunk.iter().map(slot).collect();
                lists.push(List { bodies, wrenches });
            }
            Lists(lists)
        }
    }

    impl WrenchSource for Lists {
        fn chunks(&self) -> usize {
            self.0.len()
        }

        fn bodies(&self, chunk: usize) -> &[u32] {
            &self.0[chunk].bodies
        }

        fn for_each(&self, chunk: usize, mut give: impl FnMut(usize, &[f64; 6])) {
            self.0[chunk].wrenches.iter().for_each(|(slot, wrench)| give(*slot, wrench));
        }
    }

    /// Sums in chunks of these lengths, on three threads.
    fn sums(all: &[(u32, [f64; 6])], lengths: &[usize]) -> Vec<[u64; 6]> {
        let mut wrenches = vec![Wrench::default(); 7];
        let lists = Lists::new(all, lengths);
        with_threads(3, || BodySums::default().add_to(&mut wrenches, &lists));
        wrenches.iter().map(|wrench| wrench.to_array().map(f64::to_bits)).collect()
    }

    #[test]
    fn sums_by_body_are_the_same_for_any_order_and_any_split() {
        let mut random = Random::new(5);
        let mut all: Vec<(u32, [f64; 6])> = (0..3000)
            .map(|i| {
                let size = [1.0, 1e-9, 1e6][i % 3];
                ((i % 6) as u32, [0; 6].map(|_| random.number(-size, size)))
            })
            .collect();
        let right = sums(&all, &[512]);
        for (body, right) in right.iter().enumerate() {
            let of_body = all.iter().filter(|(of, _)| *of == body as u32);
            let [size, sum] = of_body.fold([0.0_f64; 2], |[size, sum], (_, wrench)| {
                [size.max(wrench[4].abs()), sum + wrench[4]]
            });
            let found = f64::from_bits(right[4]);
            assert!((found - sum).abs() <= 1e-11 * size, "{body}: {found} for {sum}");
        }
        for k in (1..all.len()).rev() {
            all.swap(k, random.number(0.0, k as f64 + 0.999) as usize);
        }
        for lengths in [&[3000][..], &[512], &[1, 700, 13]] {
            assert_eq!(sums(&all, lengths), right, "{lengths:?}");
        }
        all[1234].1[5] = f64::NAN;
        let (faulty, body) = (sums(&all, &[100]), all[1234].0 as usize);
        assert!(f64::from_bits(faulty[body][5]).is_nan());
        assert_eq!(faulty[body][..5], right[body][..5]);
        assert_eq!(faulty[(body + 1) % 6], right[(body + 1) % 6]);
    }
}
