//! The surfaces in a cell by the labels of its corners.
//!
//! A cell with two labels has the triangles of [`CASES`](crate::marching::cases::CASES), with the
//! corners of the greater label as the inside, so that a single fluid has the mesh of marching
//! cubes. A cell with more labels is a *junction*. Its surfaces are found in two steps.
//!
//! **Faces** are divided by segments between vertices on their edges, by a rule that reads only the
//! four labels, so that both cells of a face draw the same segments.
//!
//! 1. Two labels: runs of corners of the greater label are cut off, as in `cases`.
//! 2. Three labels, one of which has two corners on a diagonal: the other two corners are cut off.
//! 3. Otherwise a point in the face is joined with all vertices on its edges. Labels around it
//!    differ.
//!
//! **Inside**, each connected component of segments is closed on its own.
//!
//! 4. Without a face point it is a loop, cut into triangles as in `cases`.
//! 5. With face points, it divides the cell's surface into discs of one label each, because it is
//!    connected. If no two discs have the same label, a cone over its rim closes each disc, all
//!    with one apex C: a triple line runs through C from face point to face point.
//! 6. If a label has several discs, C would be a point at which its mesh touches itself. Then the
//!    middle of the cell belongs to the label L with the most discs: the component is copied half
//!    way to C, walls join the segments with their copies, and a lid with an apex of its own closes
//!    each disc of another label over its copied rim.
//!
//! Why the mesh of each label is a closed 2-manifold for *any* labels: a segment belongs to one
//! triangle in each of its two cells. At a vertex on a grid edge the four cells have one fan each;
//! at a face point both cells have one fan for each label, because labels there differ. Apexes lie
//! in one cell: that of 5 has one fan for each label, those of 6 lie in one disc. The copies of 6
//! have a ring of walls and lids for each label. Discs of one label have no point in common and no
//! chord lies in a face, so no side belongs to two patches of the same labels. A test cuts each
//! loop of 4: a loop separates two labels, and its faces have at most one other, so the patterns of
//! three labels contain all loops.
//!
//! Idea: Hege, Seebaß, Stalling & Zöckler 1997; Wu & Sullivan 2003 (multi-material marching cubes).
//! Deviations: they subdivide cells or use tables, and leave points where a material touches
//! itself; rules 2 and 6 are our own.

use crate::marching::cases::{edge_between, face_corners, triangulate};
use crate::phases::label::{AIR, Label, Sides};

/// A vertex on the surface of a cell: that on an edge, from 0 on, or from [`FACE`] on, the point in
/// a face.
pub(crate) type Node = usize;
/// The node of the first face.
pub(crate) const FACE: Node = 12;
/// How many nodes there may be.
pub(crate) const NODES: usize = 18;

/// A corner of a triangle: a node, or from [`NODES`] on a point in the cell.
pub(crate) type Place = usize;

/// Weights of the nodes, of which a point in the cell is the mean.
pub(crate) type Weights = [f32; NODES];

/// The surfaces of a junction.
#[derive(Default)]
pub(crate) struct JunctionPattern {
    /// The faces that have a point.
    pub faces: Vec<usize>,
    /// Points in the cell.
    pub inner: Vec<Weights>,
    /// Triangles, counter-clockwise seen from the side of the lesser label.
    pub triangles: Vec<([Place; 3], Sides)>,
}

/// Which nodes of a face are joined.
pub(crate) enum FaceRule {
    /// Corners of which runs are cut off.
    CutOff([bool; 4]),
    /// All vertices are joined with a point in the face.
    Point,
}

impl FaceRule {
    /// The rule for the labels of a face's corners, in turn.
    pub fn new(labels: [Label; 4]) -> FaceRule {
        let mut sorted = labels;
        sorted.sort_unstable();
        let distinct = 1 + sorted.windows(2).filter(|pair| pair[0] != pair[1]).count();
        match distinct {
            1 | 2 => FaceRule::CutOff(labels.map(|label| label > sorted[0])),
            3 if labels[0] == labels[2] => FaceRule::CutOff([false, true, false, true]),
            3 if labels[1] == labels[3] => FaceRule::CutOff([true, false, true, false]),
            _ => FaceRule::Point,
        }
    }
}

/// A segment in a face, and the labels to its right and left, seen from outside the cell.
#[derive(Clone, Copy)]
struct Segment {
    from: Node,
    to: Node,
    right: Label,
    left: Label,
}

/// The segments of all faces of a cell.
fn segments(labels: &[Label; 8]) -> Vec<Segment> {
    let mut segments = Vec::new();
    for face in 0..6 {
        let corners = face_corners(face / 2, face % 2);
        let label = |k: usize| labels[corners[k % 4]];
        let edge = |k: usize| edge_between(corners[k % 4], corners[(k + 1) % 4]);
        match FaceRule::new([0, 1, 2, 3].map(label)) {
            FaceRule::CutOff(is_cut) => {
                let is_cut = |k: usize| is_cut[k % 4];
                for before in (0..4).filter(|&k| !is_cut(k) && is_cut(k + 1)) {
                    let after = (before + 1..before + 4).find(|&k| is_cut(k) && !is_cut(k + 1));
                    segments.extend(after.map(|after| Segment {
                        from: edge(before),
                        to: edge(after),
                        right: label(before + 1),
                        left: label(before),
                    }));
                }
            }
            FaceRule::Point => {
                let crossed = (0..4).filter(|&k| label(k) != label(k + 1));
                segments.extend(crossed.map(|k| Segment {
                    from: FACE + face,
                    to: edge(k),
                    right: label(k),
                    left: label(k + 1),
                }));
            }
        }
    }
    segments
}

/// The segments that each are connected with the first of them.
fn components(segments: Vec<Segment>) -> Vec<Vec<Segment>> {
    let mut groups: Vec<Vec<Segment>> = Vec::new();
    for segment in segments {
        let nodes = [segment.from, segment.to];
        let touches = |group: &Vec<Segment>| {
            group.iter().any(|s| nodes.contains(&s.from) || nodes.contains(&s.to))
        };
        let (joined, apart): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        let mut joined = joined.concat();
        joined.push(segment);
        groups = apart;
        groups.push(joined);
    }
    groups
}

/// The rim of a disc of a cell's surface: nodes in turn, with the disc to the right.
struct Disc {
    label: Label,
    rim: Vec<Node>,
}

/// The discs that a connected component divides a cell's surface into.
fn discs(component: &[Segment]) -> Vec<Disc> {
    let mut labels: Vec<Label> = component.iter().flat_map(|s| [s.right, s.left]).collect();
    labels.sort_unstable();
    labels.dedup();
    let mut discs = Vec::new();
    for label in labels {
        let mut next = [None; NODES];
        for &Segment { from, to, right, left } in component {
            if right == label {
                next[from] = Some(to);
            } else if left == label {
                next[to] = Some(from);
            }
        }
        for first in 0..NODES {
            let mut rim = Vec::new();
            let mut node = first;
            while let Some(after) = next[node].take() {
                rim.push(node);
                node = after;
            }
            if !rim.is_empty() {
                discs.push(Disc { label, rim });
            }
        }
    }
    discs
}

impl JunctionPattern {
    /// The surfaces of a cell with these labels.
    pub fn new(labels: &[Label; 8]) -> JunctionPattern {
        let mut pattern = JunctionPattern::default();
        for component in components(segments(labels)) {
            let mut faces: Vec<usize> =
                component.iter().filter(|s| s.from >= FACE).map(|s| s.from - FACE).collect();
            faces.sort_unstable();
            faces.dedup();
            let discs = discs(&component);
            let has_twice =
                |disc: &Disc| discs.iter().filter(|d| d.label == disc.label).count() > 1;
            if faces.is_empty() {
                pattern.add_loop(&discs);
            } else if discs.iter().any(has_twice) {
                pattern.add_chamber(&component, &discs, centre(&component, &faces));
            } else {
                let apex = pattern.add_point(centre(&component, &faces));
                for &Segment { from, to, right, left } in &component {
                    pattern.add([from, to, apex], right, left);
                }
            }
            pattern.faces.extend(faces);
        }
        pattern
    }

    fn add_point(&mut self, weights: Weights) -> Place {
        self.inner.push(weights);
        NODES + self.inner.len() - 1
    }

    /// Adds a triangle that turns its back on `inside`, seen counter-clockwise.
    fn add(&mut self, [a, b, c]: [Place; 3], inside: Label, outside: Label) {
        let corners = if inside > outside { [a, b, c] } else { [b, a, c] };
        self.triangles.push((corners, Sides::new(inside, outside)));
    }

    /// Closes a loop, which has a disc on either side.
    fn add_loop(&mut self, discs: &[Disc]) {
        let [one, other] = discs else { unreachable!("a loop has two sides") };
        let cut = triangulate(&one.rim).expect("a test cuts every loop of all labels");
        for triangle in cut {
            self.add(triangle.map(usize::from), one.label, other.label);
        }
    }

    /// Closes a component around a chamber in the middle of the cell.
    fn add_chamber(&mut self, component: &[Segment], discs: &[Disc], centre: Weights) {
        let count = |label: Label| discs.iter().filter(|disc| disc.label == label).count();
        // The first of those that have the most.
        let most = discs.iter().rev().max_by_key(|disc| count(disc.label));
        let chamber = most.map_or(AIR, |disc| disc.label);
        let mut copies = [0; NODES];
        let mut halfway = [[0.0; NODES]; NODES];
        for node in component.iter().flat_map(|s| [s.from, s.to]) {
            if copies[node] == 0 {
                halfway[node] = centre.map(|weight| weight / 2.0);
                halfway[node][node] += 0.5;
                copies[node] = self.add_point(halfway[node]);
            }
        }
        for &Segment { from, to, right, left } in component {
            // `to` is on an edge: all triangles have a vertex that is on no triple line.
            self.add([from, to, copies[from]], right, left);
            self.add([to, copies[to], copies[from]], right, left);
        }
        for Disc { label, rim } in discs.iter().filter(|disc| disc.label != chamber) {
            let mut mean = [0.0; NODES];
            for &node in rim {
                let share = 1.0 / rim.len() as f32;
                mean.iter_mut().zip(halfway[node]).for_each(|(sum, w)| *sum += w * share);
            }
            let apex = self.add_point(mean);
            for (k, &node) in rim.iter().enumerate() {
                let next = rim[(k + 1) % rim.len()];
                self.add([copies[node], copies[next], apex], *label, chamber);
            }
        }
    }
}

/// The apex of a component: the mean of its face points, which lie on different faces, or of all
/// nodes if it is one.
fn centre(component: &[Segment], faces: &[usize]) -> Weights {
    let mut nodes: Vec<Node> = faces.iter().map(|face| FACE + face).collect();
    if nodes.len() == 1 {
        nodes = component.iter().flat_map(|s| [s.from, s.to]).collect();
        nodes.sort_unstable();
        nodes.dedup();
    }
    let mut weights = [0.0; NODES];
    nodes.iter().for_each(|&node| weights[node] = 1.0 / nodes.len() as f32);
    weights
}
