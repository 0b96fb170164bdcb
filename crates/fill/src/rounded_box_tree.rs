//! Nearest and overlapping bodies: a kd-tree over the coordinates of rounded boxes.
//!
//! A body is a box that is rounded by a radius; a ball is a point with a radius. It has seven
//! coordinates: the lowest corner, the highest corner and the radius. The tree splits the bodies at
//! the median of the coordinate with the largest spread (Bentley 1975, in the coordinates of the
//! boxes instead of points), and each node holds the range of every coordinate. The ranges bound
//! the gap between a query and any body of a node from below and above:
//!
//! - a node is skipped if its lower bound is no better than the best gap so far;
//! - a node is skipped if all of its bodies certainly touch the query. A few tests thus exclude
//!   thousands of bodies in a heap, each of which a tree of boxes would visit.
//!
//! Differences, maxima, sums of squares and roots are monotonic in floating point as well, so that
//! the bounds hold to the bit: results equal those of brute force.
//!
//! Symbols: lengths and gaps in m.

use std::borrow::Cow;

/// Maximum number of bodies of a leaf.
const MAX_LEAF_BODIES: usize = 8;
/// Coordinates of a body.
const COORDINATES: usize = 7;

/// A box rounded by a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedBox {
    /// The lowest corner of the box.
    pub low: [f64; 3],
    /// The highest corner of the box.
    pub high: [f64; 3],
    /// Rounding radius.
    pub radius: f64,
}

impl RoundedBox {
    /// A ball.
    pub fn ball(centre: [f64; 3], radius: f64) -> Self {
        RoundedBox { low: centre, high: centre, radius }
    }

    /// A box.
    pub fn cuboid(low: [f64; 3], high: [f64; 3]) -> Self {
        RoundedBox { low, high, radius: 0.0 }
    }

    /// The gap to another body; zero or negative if they touch.
    pub fn gap(&self, other: &RoundedBox) -> f64 {
        let apart = |a: usize| (self.low[a] - other.high[a]).max(other.low[a] - self.high[a]);
        length([0, 1, 2].map(apart)) - self.radius - other.radius
    }

    /// Whether the boxes share more than `slack` along each of these axes.
    pub fn overlaps_by(&self, other: &RoundedBox, axes: &[usize], slack: f64) -> bool {
        axes.iter()
            .all(|&a| self.low[a].max(other.low[a]) < self.high[a].min(other.high[a]) - slack)
    }

    fn coordinate(&self, number: usize) -> f64 {
        match number {
            0..3 => self.low[number],
            3..6 => self.high[number - 3],
            _ => self.radius,
        }
    }
}

/// The length of a vector whose negative components count as zero.
fn length(apart: [f64; 3]) -> f64 {
    apart.map(|x| x.max(0.0)).map(|x| x * x).iter().sum::<f64>().sqrt()
}

/// Bodies, numbered in their order, in a kd-tree.
#[derive(Debug)]
pub struct RoundedBoxTree<'a> {
    bodies: Cow<'a, [RoundedBox]>,
    /// Numbers of the bodies; each node has a range of them.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

/// Bodies `start..end` of the order; its left child is the next node.
#[derive(Debug)]
struct Node {
    start: usize,
    end: usize,
    /// The right child; `None` for a leaf.
    right: Option<usize>,
    /// The smallest index of its bodies.
    first: usize,
    /// Lower and upper bounds of each coordinate, as bodies.
    lower: RoundedBox,
    upper: RoundedBox,
}

/// The best gap so far, and the number of tests.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Best {
    gap: f64,
    body: usize,
    tests: usize,
}

impl<'a> RoundedBoxTree<'a> {
    /// Builds the tree of bodies with finite coordinates.
    pub fn new(bodies: impl Into<Cow<'a, [RoundedBox]>>) -> Self {
        let bodies = bodies.into();
        let count = bodies.len();
        let order = (0..count as u32).collect();
        let mut tree = RoundedBoxTree { bodies, order, nodes: Vec::new() };
        if count > 0 {
            tree.add(0, count);
        }
        tree
    }

    /// Adds the node of a range and those below it.
    fn add(&mut self, start: usize, end: usize) {
        let at = self.nodes.len();
        let node = self.node(start, end);
        let spread = |k: &usize| node.upper.coordinate(*k) - node.lower.coordinate(*k);
        let widest = (0..COORDINATES).max_by(|a, b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
        self.nodes.push(node);
        if end - start <= MAX_LEAF_BODIES {
            return;
        }
        let middle = start + (end - start) / 2;
        let bodies = &self.bodies;
        let coordinate = |body: u32| bodies[body as usize].coordinate(widest);
        self.order[start..end].select_nth_unstable_by(middle - start, |&a, &b| {
            coordinate(a).total_cmp(&coordinate(b)).then(a.cmp(&b))
        });
        self.add(start, middle);
        self.nodes[at].right = Some(self.nodes.len());
        self.add(middle, end);
    }

    fn node(&self, start: usize, end: usize) -> Node {
        let seed = self.bodies[self.order[start] as usize];
        let mut node =
            Node { start, end, right: None, first: usize::MAX, lower: seed, upper: seed };
        for &number in &self.order[start..end] {
            let body = &self.bodies[number as usize];
            node.first = node.first.min(number as usize);
            for a in 0..3 {
                node.lower.low[a] = node.lower.low[a].min(body.low[a]);
                node.lower.high[a] = node.lower.high[a].min(body.high[a]);
                node.upper.low[a] = node.upper.low[a].max(body.low[a]);
                node.upper.high[a] = node.upper.high[a].max(body.high[a]);
            }
            node.lower.radius = node.lower.radius.min(body.radius);
            node.upper.radius = node.upper.radius.max(body.radius);
        }
        node
    }

    /// The narrowest gap between a body and one of those before it, and the number of that one, of
    /// gaps above `least` and below `most`; of equal gaps that to the first body.
    pub fn nearest_before(&self, body: usize, (lower, upper): (f64, f64)) -> Option<(f64, usize)> {
        let best = self.search_gap(body, (lower, upper));
        (best.gap < upper).then_some((best.gap, best.body))
    }

    fn search_gap(&self, body: usize, (lower, upper): (f64, f64)) -> Best {
        let query = Query { body: &self.bodies[body], number: body, lower };
        let mut best = Best { gap: upper, body: 0, tests: 0 };
        if !self.nodes.is_empty() {
            self.descend(0, &query, &mut best);
        }
        best
    }

    fn descend(&self, at: usize, query: &Query, best: &mut Best) {
        best.tests += 1;
        let node = &self.nodes[at];
        if !query.may_better(node, best) {
            return;
        }
        let Some(right) = node.right else {
            for &number in &self.order[node.start..node.end] {
                best.tests += 1;
                query.test(number as usize, &self.bodies[number as usize], best);
            }
            return;
        };
        let left = at + 1;
        let rank = |at: usize| (query.least_gap(&self.nodes[at]), self.nodes[at].first);
        let children = if rank(right) < rank(left) { [right, left] } else { [left, right] };
        children.into_iter().for_each(|child| self.descend(child, query, best));
    }

    /// The bodies whose boxes share a point with that of the query.
    pub fn touching(&self, query: &RoundedBox) -> Vec<usize> {
        let touches = |low: &[f64; 3], high: &[f64; 3]| {
            (0..3).all(|a| low[a] <= query.high[a] && high[a] >= query.low[a])
        };
        let (mut found, mut pending) = (Vec::new(), vec![0]);
        while let Some(at) = pending.pop() {
            let Some(node) = self.nodes.get(at) else { continue };
            if !touches(&node.lower.low, &node.upper.high) {
                continue;
            }
            if let Some(right) = node.right {
                pending.extend([right, at + 1]);
                continue;
            }
            let numbers = self.order[node.start..node.end].iter().map(|&number| number as usize);
            let body = |number: &usize| &self.bodies[*number];
            found.extend(numbers.filter(|it| touches(&body(it).low, &body(it).high)));
        }
        found
    }

    /// The least distance of a place \[m\] to what lies in the boxes of the bodies, by that to
    /// what lies in one; infinite if there are no bodies.
    pub fn nearest(&self, place: &[f64; 3], distance: impl Fn(usize) -> f64) -> f64 {
        let place = RoundedBox::ball(*place, 0.0);
        let least = |at: usize| {
            let node = &self.nodes[at];
            place.gap(&RoundedBox::cuboid(node.lower.low, node.upper.high))
        };
        let mut best = f64::INFINITY;
        let mut pending: Vec<(f64, usize)> = Vec::new();
        pending.extend((!self.nodes.is_empty()).then(|| (least(0), 0)));
        while let Some((bound, at)) = pending.pop() {
            if bound >= best {
                continue;
            }
            let node = &self.nodes[at];
            let Some(right) = node.right else {
                let numbers = self.order[node.start..node.end].iter();
                best = numbers.map(|&number| distance(number as usize)).fold(best, f64::min);
                continue;
            };
            let mut children = [(least(right), right), (least(at + 1), at + 1)];
            // The last is looked into first.
            children.sort_by(|a, b| b.0.total_cmp(&a.0));
            pending.extend(children);
        }
        best
    }

    /// The first of those before a body whose box shares more than `slack` with that of the body
    /// along each of these axes.
    pub fn first_overlap(&self, body: usize, axes: &[usize], slack: f64) -> Option<usize> {
        let (mut first, mut pending) = (body, if self.nodes.is_empty() { vec![] } else { vec![0] });
        let query = &self.bodies[body];
        while let Some(at) = pending.pop() {
            let node = &self.nodes[at];
            // The largest box that has each side of a body of the node.
            let largest = RoundedBox { low: node.lower.low, high: node.upper.high, radius: 0.0 };
            if node.first >= first || !query.overlaps_by(&largest, axes, slack) {
                continue;
            }
            if let Some(right) = node.right {
                // The last element is visited first.
                let is_left_first = self.nodes[at + 1].first < self.nodes[right].first;
                pending.extend(if is_left_first { [right, at + 1] } else { [at + 1, right] });
                continue;
            }
            let shares = |&number: &usize| {
                number < first && query.overlaps_by(&self.bodies[number], axes, slack)
            };
            let numbers = self.order[node.start..node.end].iter().map(|&number| number as usize);
            first = numbers.filter(shares).min().unwrap_or(first);
        }
        (first < body).then_some(first)
    }
}

/// A body whose narrowest gap is searched.
struct Query<'a> {
    body: &'a RoundedBox,
    number: usize,
    /// Gaps up to this are ignored.
    lower: f64,
}

impl Query<'_> {
    /// The least gap to any body of a node.
    fn least_gap(&self, node: &Node) -> f64 {
        let nearest =
            RoundedBox { low: node.lower.low, high: node.upper.high, radius: node.upper.radius };
        self.body.gap(&nearest)
    }

    /// The greatest gap to any body of a node.
    fn greatest_gap(&self, node: &Node) -> f64 {
        let farthest =
            RoundedBox { low: node.upper.low, high: node.lower.high, radius: node.lower.radius };
        self.body.gap(&farthest)
    }

    /// Whether a body of a node may have a narrower gap, or the same and a lower number.
    fn may_better(&self, node: &Node, best: &Best) -> bool {
        node.first < self.number
            && (self.least_gap(node), node.first) < (best.gap, best.body)
            && self.greatest_gap(node) > self.lower
    }

    fn test(&self, number: usize, body: &RoundedBox, best: &mut Best) {
        if number >= self.number {
            return;
        }
        let gap = self.body.gap(body);
        if gap > self.lower && (gap, number) < (best.gap, best.body) {
            (best.gap, best.body) = (gap, number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::rng::RandomStream;

    /// Boxes and balls, some of them at places of a coarse lattice, so that gaps are equal.
    fn random_bodies(rng: &mut RandomStream, count: usize, size: f64) -> Vec<RoundedBox> {
        let is_coarse = rng.number() < 0.5;
        let number = |rng: &mut RandomStream, upper: f64| {
            let x = upper * rng.number();
            if is_coarse { (8.0 * x).round() / 8.0 } else { x }
        };
        let body = |rng: &mut RandomStream| {
            let low = [0; 3].map(|_| number(rng, 4.0));
            if rng.number() < 0.5 {
                return RoundedBox::ball(low, 0.125 + number(rng, size));
            }
            RoundedBox::cuboid(low, low.map(|x| x + 0.125 + number(rng, size)))
        };
        (0..count).map(|_| body(rng)).collect()
    }

    #[test]
    fn answers_are_those_of_brute_force() {
        let mut rng = RandomStream::new(28);
        let (mut near, mut shared) = (0, 0);
        for round in 0..200 {
            let size = [0.1, 0.5, 3.0][round % 3];
            let bodies = random_bodies(&mut rng, 1 + round, size);
            let tree = RoundedBoxTree::new(&bodies);
            let window = (0.01, 0.4);
            for (i, body) in bodies.iter().enumerate() {
                let gaps = bodies[..i].iter().map(|other| body.gap(other)).zip(0..);
                let narrow = gaps.filter(|(gap, _)| *gap > window.0 && *gap < window.1);
                let nearest = narrow.min_by(|a, b| a.0.total_cmp(&b.0));
                assert_eq!(tree.nearest_before(i, window), nearest);
                near += usize::from(nearest.is_some());
                let mut touching = tree.touching(body);
                touching.sort_unstable();
                let boxes_touch = |other: &RoundedBox| {
                    RoundedBox { radius: 0.0, ..*other }.gap(&RoundedBox { radius: 0.0, ..*body })
                        == 0.0
                };
                let expected = (0..bodies.len()).filter(|&k| boxes_touch(&bodies[k]));
                assert_eq!(touching, expected.collect::<Vec<_>>());
                for axes in [&[0, 1, 2][..], &[0, 2]] {
                    let first =
                        bodies[..i].iter().position(|other| body.overlaps_by(other, axes, 0.01));
                    assert_eq!(tree.first_overlap(i, axes, 0.01), first);
                    shared += usize::from(first.is_some());
                }
            }
        }
        assert!(near > 1000 && shared > 1000, "{near} {shared}");
    }

    /// Tests that all gaps of so many bodies take.
    fn tests(body: impl Fn(f64) -> RoundedBox, count: usize) -> usize {
        let bodies: Vec<RoundedBox> = (0..count).map(|i| body(i as f64 / count as f64)).collect();
        let tree = RoundedBoxTree::new(&bodies);
        (0..count).map(|i| tree.search_gap(i, (1e-9, 0.4)).tests).sum()
    }

    #[test]
    fn cost_grows_with_the_number_of_bodies_and_not_with_its_square() {
        let row = |x: f64| RoundedBox::cuboid([8.0 * x, 5.0, 5.0], [8.0 * x + 0.1, 5.1, 5.1]);
        let heap = |x: f64| RoundedBox::cuboid([x, 0.0, 0.0], [2.0 + x, 1.0, 1.0]);
        let pile = |x: f64| RoundedBox::cuboid([0.0, 0.0, x], [1.0 - x, 1.0, 1.0 + x]);
        let same = |_: f64| RoundedBox::ball([0.5; 3], 0.1);
        let balls =
            |x: f64| RoundedBox::ball([8.0 * x, (900.0 * x).sin(), (700.0 * x).cos()], 0.05);
        let families: [&dyn Fn(f64) -> RoundedBox; 5] = [&row, &heap, &pile, &same, &balls];
        for (number, family) in families.into_iter().enumerate() {
            let [few, many] = [1000, 8000].map(|count| tests(family, count));
            assert!(many < 20 * few, "{number}: {few} tests of 1000 bodies, {many} of 8000");
        }
    }
}
