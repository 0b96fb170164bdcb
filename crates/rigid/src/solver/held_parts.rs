//! Sets of bodies that held contacts join, cut so that none has too many.
//!
//! Contacts that are open join nothing, so that an island falls apart into sets that answer
//! wrenches each for itself. A set with more bodies than are allowed is cut into parts along its
//! contacts, and what holds between two parts is left out: with fewer constraints bodies answer by
//! more, never by less. Parts grow breadth first from their first body, in the order of bodies and
//! contacts: the same for any number of threads.

use super::islands::IMMOBILE;
use super::rows::Row;
use std::collections::VecDeque;

/// A contact that holds, and whether it sticks; else it slides.
pub(crate) type Held = (Row, bool);

/// Bodies that contacts hold together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    /// Their places in the island, in the order of the part.
    pub(crate) bodies: Vec<u32>,
    /// With the places of bodies in the part.
    pub(crate) held: Vec<Held>,
}

/// The parts of an island of `count` bodies that have contacts that hold, of at most `max_bodies`.
pub(crate) fn parts(count: usize, held: &[Held], max_bodies: usize) -> Vec<Part> {
    let mut contacts: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (number, (row, _)) in held.iter().enumerate() {
        for body in row.bodies.into_iter().filter(|body| *body != IMMOBILE) {
            contacts[body as usize].push(number as u32);
        }
    }
    // Of each body its part, and its place there.
    let mut places: Vec<Option<[u32; 2]>> = vec![None; count];
    let mut found: Vec<Part> = Vec::new();
    for start in (0..count).filter(|body| !contacts[*body].is_empty()) {
        if places[start].is_some() {
            continue;
        }
        let number = found.len() as u32;
        let mut part = Part::default();
        let mut next = VecDeque::from([start as u32]);
        while let Some(body) = next.pop_front() {
            if places[body as usize].is_some() || part.bodies.len() == max_bodies {
                continue;
            }
            places[body as usize] = Some([number, part.bodies.len() as u32]);
            part.bodies.push(body);
            let joined = contacts[body as usize].iter().flat_map(|c| held[*c as usize].0.bodies);
            next.extend(joined.filter(|other| *other != IMMOBILE));
        }
        found.push(part);
    }
    let place = |body: u32| if body == IMMOBILE { None } else { places[body as usize] };
    for (row, sticks) in held {
        let [a, b] = row.bodies.map(place);
        let Some([number, _]) = a.or(b) else { continue };
        if [a, b].iter().flatten().all(|[other, _]| *other == number) {
            let bodies = [a, b].map(|it| it.map_or(IMMOBILE, |[_, at]| at));
            found[number as usize].held.push((Row { bodies, ..*row }, *sticks));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    fn row(a: u32, b: u32) -> Held {
        let arms = [Vector3::zeros(); 2];
        (Row { bodies: [a, b], normal: Vector3::z(), arms, friction: 0.0, metric: 1.0 }, true)
    }

    #[test]
    fn sets_are_what_contacts_join_and_large_ones_are_cut() {
        let held = [row(IMMOBILE, 0), row(0, 2), row(2, 3), row(3, 5), row(1, 4)];
        let whole = parts(7, &held, usize::MAX);
        let bodies: Vec<_> = whole.iter().map(|part| part.bodies.clone()).collect();
        assert_eq!(bodies, [vec![0, 2, 3, 5], vec![1, 4]]);
        assert_eq!(whole.iter().map(|part| part.held.len()).sum::<usize>(), held.len());
        assert_eq!(whole[0].held[3].0.bodies, [2, 3]);
        let cut = parts(7, &held, 2);
        let bodies: Vec<_> = cut.iter().map(|part| part.bodies.clone()).collect();
        assert_eq!(bodies, [vec![0, 2], vec![1, 4], vec![3, 5]]);
        // The contact of 2 and 3 is left out.
        assert_eq!(cut.iter().map(|part| part.held.len()).collect::<Vec<_>>(), [2, 1, 1]);
    }
}
