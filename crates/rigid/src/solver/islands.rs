//! Islands: sets of bodies that contacts join, each a problem of its own.
//!
//! Bodies that no wrench moves (walls, prescribed bodies) join nothing. Islands are numbered by
//! their first body, and bodies and contacts inside keep their order: the same for any search
//! structure and number of threads. An island's tolerance is relative to what happens in it, so a
//! heap at rest does not become less exact by what happens elsewhere.

use std::ops::Range;

/// Marks a body that no wrench moves.
pub(crate) const IMMOBILE: u32 = u32::MAX;

/// Bodies and contacts in the order of their islands.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    /// Bodies that move and have contacts, by island.
    pub(crate) bodies: Vec<u32>,
    /// Contacts with a body that moves, by island.
    pub(crate) contacts: Vec<u32>,
    /// Parts of both lists.
    pub(crate) ranges: Vec<(Range<usize>, Range<usize>)>,
    /// Of each body its place in its island, or [`IMMOBILE`].
    pub(crate) local: Vec<u32>,
    parent: Vec<u32>,
    island_of: Vec<u32>,
    counts: Vec<[u32; 2]>,
}

impl Islands {
    /// Finds the islands of contacts between these pairs of bodies.
    pub(crate) fn update(
        &mut self,
        pairs: impl ExactSizeIterator<Item = [u32; 2]> + Clone,
        is_movable: impl Fn(u32) -> bool,
        body_count: usize,
    ) {
        self.join(pairs.clone(), &is_movable, body_count);
        self.number(pairs.clone(), &is_movable, body_count);
        self.fill(pairs, &is_movable, body_count);
    }

    /// Joins the bodies of each contact (union–find; the smallest index is the root).
    fn join(
        &mut self,
        pairs: impl Iterator<Item = [u32; 2]>,
        is_movable: &impl Fn(u32) -> bool,
        body_count: usize,
    ) {
        self.parent.clear();
        self.parent.extend(0..body_count as u32);
        for [a, b] in pairs.filter(|pair| pair.iter().all(|&body| is_movable(body))) {
            let [a, b] = [self.root(a), self.root(b)];
            self.parent[a.max(b) as usize] = a.min(b);
        }
    }

    /// The smallest body of an island; halves the paths on its way.
    fn root(&mut self, mut body: u32) -> u32 {
        while self.parent[body as usize] != body {
            let above = self.parent[body as usize];
            self.parent[body as usize] = self.parent[above as usize];
            body = self.parent[body as usize];
        }
        body
    }

    /// Numbers the islands that have contacts, and counts their bodies and contacts.
    fn number(
        &mut self,
        pairs: impl Iterator<Item = [u32; 2]>,
        is_movable: &impl Fn(u32) -> bool,
        body_count: usize,
    ) {
        self.local.clear();
        self.local.resize(body_count, IMMOBILE);
        self.island_of.clear();
        self.island_of.resize(body_count, IMMOBILE);
        // For now, of each root the count of contacts, kept in `local`.
        for [a, b] in pairs {
            if let Some(body) = [a, b].into_iter().find(|&body| is_movable(body)) {
                let root = self.root(body) as usize;
                self.local[root] = self.local[root].wrapping_add(1);
            }
        }
        self.counts.clear();
        for body in 0..body_count as u32 {
            let root = self.root(body);
            if self.local[root as usize] == IMMOBILE {
                continue;
            }
            if root == body {
                self.island_of[body as usize] = self.counts.len() as u32;
                self.counts.push([0, self.local[body as usize].wrapping_add(1)]);
            }
            let island = self.island_of[root as usize];
            self.island_of[body as usize] = island;
            self.counts[island as usize][0] += 1;
        }
    }

    /// Fills the lists, island by island.
    fn fill(
        &mut self,
        pairs: impl ExactSizeIterator<Item = [u32; 2]>,
        is_movable: &impl Fn(u32) -> bool,
        body_count: usize,
    ) {
        self.ranges.clear();
        let mut end = [0, 0];
        for count in &mut self.counts {
            let start = end;
            end = [end[0] + count[0] as usize, end[1] + count[1] as usize];
            self.ranges.push((start[0]..end[0], start[1]..end[1]));
            *count = start.map(|k| k as u32);
        }
        self.bodies.resize(end[0], 0);
        self.contacts.resize(end[1], 0);
        for body in 0..body_count {
            self.local[body] = IMMOBILE;
            let island = self.island_of[body];
            if island != IMMOBILE {
                let next = &mut self.counts[island as usize][0];
                self.bodies[*next as usize] = body as u32;
                self.local[body] = *next - self.ranges[island as usize].0.start as u32;
                *next += 1;
            }
        }
        for (contact, pair) in pairs.enumerate() {
            if let Some(body) = pair.into_iter().find(|&body| is_movable(body)) {
                let next = &mut self.counts[self.island_of[body as usize] as usize][1];
                self.contacts[*next as usize] = contact as u32;
                *next += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::geometry::random::Random;

    #[test]
    fn islands_are_the_connected_components_of_the_bodies_that_move() {
        let mut random = Random::new(12);
        let mut islands = Islands::default();
        let mut joined = 0;
        for _ in 0..100 {
            let n = 30;
            let mut any = || random.number(0.0, f64::from(n)) as u32;
            let pairs: Vec<[u32; 2]> =
                (0..20).map(|_| [any(), any()]).filter(|[a, b]| a != b).collect();
            // Every fifth body is a wall.
            let is_movable = |body: u32| !body.is_multiple_of(5);
            islands.update(pairs.iter().copied(), is_movable, n as usize);
            // Labels spread over contacts until nothing changes.
            let mut label: Vec<u32> = (0..n).collect();
            for _ in 0..n {
                for &[a, b] in pairs.iter().filter(|pair| pair.iter().all(|&k| is_movable(k))) {
                    let least = label[a as usize].min(label[b as usize]);
                    [label[a as usize], label[b as usize]] = [least; 2];
                }
            }
            let touched =
                |body: &u32| is_movable(*body) && pairs.iter().any(|pair| pair.contains(body));
            let mut roots: Vec<u32> =
                (0..n).filter(touched).map(|body| label[body as usize]).collect();
            roots.sort_unstable();
            roots.dedup();
            let ranges = islands.ranges.clone();
            assert_eq!(ranges.len(), roots.len());
            for (root, (bodies, contacts)) in roots.iter().zip(ranges) {
                let members: Vec<u32> =
                    (0..n).filter(|b| is_movable(*b) && label[*b as usize] == *root).collect();
                assert_eq!(islands.bodies[bodies.clone()], members);
                for (place, &body) in members.iter().enumerate() {
                    assert_eq!(islands.local[body as usize], place as u32);
                }
                let inside = |pair: &[u32; 2]| pair.iter().any(|body| members.contains(body));
                let expected: Vec<u32> =
                    (0..pairs.len() as u32).filter(|&k| inside(&pairs[k as usize])).collect();
                assert_eq!(islands.contacts[contacts], expected);
                joined += usize::from(members.len() > 2);
            }
        }
        assert!(joined > 100, "{joined} islands of several bodies");
    }
}
