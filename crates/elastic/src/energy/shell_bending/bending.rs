//! Bending of a shell: the energy of its [plate](super::plate) in the angles at its edges.
//!
//! W = θᵀ H θ/2, where θ are the angles less those at rest, and the forces are −(H θ)ₑ ∂θₑ/∂x. An
//! element is a triangle with the corners that face its edges from outside: six corners, or fewer
//! at the rim, whose places are taken by its own corners without force.
//!
//! What a triangle can tell alone is its energy at δ = 0, which is above: its Gauss–Newton matrix
//! JᵀKJ, J = ∂θ/∂x, is the stiffness that implicit integrators use, above the true one by up to the
//! share that δ takes. So is the matrix of damping; the forces of damping themselves are those of H
//! θ̇: with K they would damp up to twice too much, as plates are too stiff at δ = 0.
//!
//! Symbols as in [plate](super::plate); β damping time \[s\].

use super::hinge;
use super::plate::{Plate, PlateMemory, Side, triangle_stiffness};
use super::topology::{Edge, edges};
use crate::energy::elements::{CornerBound, Energy};
use hashfall_core::parallel;
use hashfall_geometry::Point;
use nalgebra::Matrix3;
use std::sync::Mutex;

/// Corners of an element.
const CORNERS: usize = 6;

/// What a shell resists bending with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendingLaw {
    /// D \[N·m\].
    pub rigidity: f64,
    /// ν.
    pub poisson_ratio: f64,
    /// β.
    pub damping_time: f64,
}

/// An edge between two triangles.
#[derive(Clone, Copy, Debug)]
struct Hinge {
    /// a, b, c and d.
    nodes: [u32; 4],
    /// The angle at rest.
    rest: f64,
}

/// A side of a triangle, where a hinge is.
#[derive(Clone, Copy, Debug)]
struct Joint {
    hinge: u32,
    /// The element's corners at which a, b, c and d of the hinge are.
    corners: [u8; 4],
    /// Whether this triangle writes the hinge's forces.
    is_owner: bool,
}

/// An element.
#[derive(Clone, Debug)]
struct Triangle {
    joints: [Option<Joint>; 3],
    /// K at δ = 0: of the angles of its joints.
    stiffness: Matrix3<f64>,
}

/// The bending energy of a body's triangles.
#[derive(Debug)]
pub struct ShellBending {
    nodes: Vec<[u32; CORNERS]>,
    triangles: Vec<Triangle>,
    hinges: Vec<Hinge>,
    /// Its first edges are the hinges.
    plate: Plate,
    edge_count: usize,
    damping_time: f64,
    memory: Mutex<Memory>,
}

#[derive(Debug, Default)]
struct Memory {
    plate: PlateMemory,
    /// Of all edges; zero at those that are no hinges.
    theta: Vec<f64>,
    moments: Vec<f64>,
    /// Of hinges.
    gradients: Vec<[Point; 4]>,
}

impl ShellBending {
    /// Of triangles that have areas. Those whose nodes are all `held` are rigid.
    ///
    /// # Errors
    /// The nodes of an edge of three triangles or more.
    pub fn new(
        triangles: &[[u32; 3]],
        rest: &[Point],
        held: &[bool],
        law: BendingLaw,
    ) -> Result<Self, [u32; 2]> {
        let mut edges = edges(triangles)?;
        // Hinges first.
        edges.sort_by_key(|edge| edge.second.is_none());
        let is_rigid =
            |triangle: u32| triangles[triangle as usize].iter().all(|node| held[*node as usize]);
        let mut stiffness: Vec<Matrix3<f64>> = vec![];
        for (index, nodes) in (0..).zip(triangles) {
            let x = nodes.map(|node| rest[node as usize]);
            let k = triangle_stiffness(&x, law.rigidity, law.poisson_ratio);
            stiffness.push(if is_rigid(index) { Matrix3::zeros() } else { k });
        }
        let mut sides = vec![[Side::default(); 3]; triangles.len()];
        let mut out = ShellBending {
            nodes: triangles.iter().map(|&[a, b, c]| [a, b, c, a, b, c]).collect(),
            triangles: vec![],
            hinges: vec![],
            plate: Plate::new(&[], &[], 0),
            edge_count: edges.len(),
            damping_time: law.damping_time,
            memory: Mutex::default(),
        };
        let mut joints = vec![[None; 3]; triangles.len()];
        for (number, edge) in (0_u32..).zip(&edges) {
            out.add_edge(triangles, rest, edge, number, &mut joints);
            let set = |half: super::topology::HalfEdge,
                       weight: f64,
                       share: f64,
                       sides: &mut [[Side; 3]]| {
                sides[half.triangle as usize][half.corner] = Side { edge: number, weight, share };
            };
            let Some(second) = edge.second else {
                set(edge.first, 0.0, 1.0, &mut sides);
                continue;
            };
            let sign = if is_alike(triangles, edge) { 1.0 } else { -1.0 };
            let (weight, share) = match (is_rigid(edge.first.triangle), is_rigid(second.triangle)) {
                (false, false) => (0.5, 1.0),
                _ => (1.0, 0.0),
            };
            set(edge.first, weight, share, &mut sides);
            set(second, sign * weight, -sign * share, &mut sides);
        }
        out.plate = Plate::new(&stiffness, &sides, edges.len());
        for ((k, sides), joints) in stiffness.iter().zip(&sides).zip(joints) {
            let stiffness = Matrix3::from_fn(|i, j| sides[i].weight * k[(i, j)] * sides[j].weight);
            out.triangles.push(Triangle { joints, stiffness });
        }
        Ok(out)
    }

    /// Adds the hinge at an edge, if it is one.
    fn add_edge(
        &mut self,
        triangles: &[[u32; 3]],
        rest: &[Point],
        edge: &Edge,
        hinge: u32,
        joints: &mut [[Option<Joint>; 3]],
    ) {
        let Some(second) = edge.second else { return };
        let (i, j) = (edge.first.corner, second.corner);
        let (t, u) = (edge.first.triangle as usize, second.triangle as usize);
        let nodes = [
            triangles[t][(i + 1) % 3],
            triangles[t][(i + 2) % 3],
            triangles[t][i],
            triangles[u][j],
        ];
        self.nodes[t][3 + i] = nodes[3];
        self.nodes[u][3 + j] = nodes[2];
        let at = |corners: [usize; 4]| corners.map(|corner| corner as u8);
        let [next, last] = if is_alike(triangles, edge) { [2, 1] } else { [1, 2] };
        joints[t][i] = Some(Joint {
            hinge,
            corners: at([(i + 1) % 3, (i + 2) % 3, i, 3 + i]),
            is_owner: true,
        });
        joints[u][j] = Some(Joint {
            hinge,
            corners: at([(j + next) % 3, (j + last) % 3, 3 + j, j]),
            is_owner: false,
        });
        let rest = hinge::angle(&nodes.map(|node| rest[node as usize]));
        self.hinges.push(Hinge { nodes, rest });
    }

    /// Numbers the nodes as the system does.
    pub fn shifted(mut self, first_node: u32) -> Self {
        self.nodes.iter_mut().flatten().for_each(|node| *node += first_node);
        self.hinges.iter_mut().for_each(|h| h.nodes.iter_mut().for_each(|n| *n += first_node));
        self
    }

    /// Works with the memory, or, while another thread has it, with its own.
    fn with_memory<T>(&self, work: impl FnOnce(&mut Memory) -> T) -> T {
        match self.memory.try_lock() {
            Ok(mut memory) => work(&mut memory),
            Err(_) => work(&mut Memory::default()),
        }
    }

    /// Angles and moments at `x`.
    fn update_moments(&self, x: &[Point], memory: &mut Memory) {
        memory.theta.resize(self.edge_count, 0.0);
        parallel::fill(&mut memory.theta[..self.hinges.len()], |k, theta| {
            *theta = self.angle(k, x);
        });
        self.set_moments(memory);
    }

    /// θ of a hinge.
    fn angle(&self, hinge: usize, x: &[Point]) -> f64 {
        let Hinge { nodes, rest } = &self.hinges[hinge];
        hinge::wrap(hinge::angle(&nodes.map(|node| x[node as usize])) - rest)
    }

    /// The moments of the angles in the memory.
    fn set_moments(&self, memory: &mut Memory) {
        let Memory { plate, theta, moments, .. } = memory;
        moments.resize(self.edge_count, 0.0);
        self.plate.moments(theta, plate, moments);
    }

    fn gradient(&self, hinge: u32, x: &[Point]) -> [Point; 4] {
        hinge::gradient(&self.hinges[hinge as usize].nodes.map(|node| x[node as usize]))
    }

    /// ∂θ/∂x of a triangle's joints, for its corners.
    fn jacobian(&self, triangle: &Triangle, x: &[Point]) -> [[Point; CORNERS]; 3] {
        triangle.joints.map(|joint| {
            let mut row = [Point::zeros(); CORNERS];
            if let Some(joint) = joint {
                let gradient = self.gradient(joint.hinge, x);
                joint.corners.iter().zip(gradient).for_each(|(c, g)| row[*c as usize] += g);
            }
            row
        })
    }

    /// JᵀKJ of a triangle, times a factor.
    fn write_blocks(&self, x: &[Point], factor: f64, blocks: &mut [Matrix3<f64>]) {
        let out = blocks.as_chunks_mut::<{ CORNERS * CORNERS }>().0;
        parallel::fill(&mut out[..self.triangles.len()], |k, blocks| {
            let triangle = &self.triangles[k];
            let jacobian = self.jacobian(triangle, x);
            let scaled: [[Point; CORNERS]; 3] = std::array::from_fn(|i| {
                std::array::from_fn(|c| {
                    (0..3).fold(Point::zeros(), |sum, j| {
                        sum + jacobian[j][c] * (factor * triangle.stiffness[(i, j)])
                    })
                })
            });
            for (at, block) in blocks.iter_mut().enumerate() {
                let (row, column) = (at / CORNERS, at % CORNERS);
                *block = (0..3).fold(Matrix3::zeros(), |sum, i| {
                    sum + jacobian[i][row] * scaled[i][column].transpose()
                });
            }
        });
    }
}

/// Whether the triangles of an edge have normals on one side.
fn is_alike(triangles: &[[u32; 3]], edge: &Edge) -> bool {
    let start =
        |half: super::topology::HalfEdge| triangles[half.triangle as usize][(half.corner + 1) % 3];
    edge.second.is_some_and(|second| start(edge.first) != start(second))
}

impl Energy for ShellBending {
    fn element_name(&self) -> &'static str {
        "bending triangle"
    }

    fn corner_count(&self) -> usize {
        CORNERS
    }

    fn is_damped(&self) -> bool {
        self.damping_time > 0.0
    }

    fn nodes(&self) -> &[u32] {
        self.nodes.as_flattened()
    }

    fn energy(&self, x: &[Point]) -> f64 {
        self.with_memory(|memory| {
            self.update_moments(x, memory);
            let product = |k: usize| [0.5 * memory.theta[k] * memory.moments[k]];
            parallel::sum(self.hinges.len(), product)[0]
        })
    }

    /// The moments of θ + β θ̇: damping is of the plate as a whole, as elasticity is.
    fn forces(&self, x: &[Point], v: &[Point], slots: &mut [Point]) {
        self.with_memory(|memory| {
            let Memory { theta, gradients, .. } = memory;
            gradients.resize(self.hinges.len(), [Point::zeros(); 4]);
            theta.resize(self.edge_count, 0.0);
            let of_hinges = &mut theta[..self.hinges.len()];
            parallel::fill_both(gradients, of_hinges, |k, gradient, theta| {
                *gradient = self.gradient(k as u32, x);
                *theta = self.angle(k, x);
                if self.damping_time > 0.0 {
                    let nodes = self.hinges[k].nodes.iter().zip(&*gradient);
                    let rate: f64 = nodes.map(|(node, g)| g.dot(&v[*node as usize])).sum();
                    *theta += self.damping_time * rate;
                }
            });
            self.set_moments(memory);
            let Memory { moments, gradients, .. } = memory;
            let slots = &mut slots.as_chunks_mut::<CORNERS>().0[..self.triangles.len()];
            parallel::fill(slots, |k, slots| {
                *slots = [Point::zeros(); CORNERS];
                for joint in self.triangles[k].joints.iter().flatten().filter(|j| j.is_owner) {
                    let moment = moments[joint.hinge as usize];
                    let corners = joint.corners.iter().zip(&gradients[joint.hinge as usize]);
                    corners.for_each(|(c, g)| slots[*c as usize] -= g * moment);
                }
            });
        });
    }

    fn stiffness(&self, x: &[Point], blocks: &mut [Matrix3<f64>]) {
        self.write_blocks(x, 1.0, blocks);
    }

    fn damping(&self, x: &[Point], blocks: &mut [Matrix3<f64>]) {
        self.write_blocks(x, self.damping_time, blocks);
    }

    /// That of JᵀKJ, by rows of |K|, and of the moments on the second slopes of the angles.
    fn bounds(&self, x: &[Point], is_damped: bool, slots: &mut [CornerBound]) {
        let damping_time = if is_damped { self.damping_time } else { 0.0 };
        self.with_memory(|memory| {
            self.update_moments(x, memory);
            let slots = &mut slots.as_chunks_mut::<CORNERS>().0[..self.triangles.len()];
            parallel::fill(slots, |k, slots| {
                *slots = [CornerBound::new(&Matrix3::zeros(), damping_time); CORNERS];
                let triangle = &self.triangles[k];
                for (i, joint) in triangle.joints.iter().enumerate() {
                    let Some(joint) = joint else { continue };
                    let row: f64 = triangle.stiffness.row(i).iter().map(|k| k.abs()).sum();
                    let gradient = self.gradient(joint.hinge, x);
                    let sum: f64 = gradient.iter().map(Point::norm).sum();
                    let corners = self.hinges[joint.hinge as usize].nodes;
                    let second = if joint.is_owner {
                        let slope = hinge::second_slope(&corners.map(|node| x[node as usize]));
                        memory.moments[joint.hinge as usize].abs() * slope
                    } else {
                        0.0
                    };
                    for (c, g) in joint.corners.iter().zip(gradient) {
                        let (slot, norm) = (&mut slots[*c as usize], g.norm());
                        let along = if norm > 0.0 { row * sum / norm } else { 0.0 };
                        let stiffness = g * g.transpose() * along;
                        slot.add(&(stiffness + Matrix3::from_diagonal_element(second)));
                    }
                }
            });
        });
    }

    /// The stress of output is that of the membrane.
    fn stress(&self, _element: usize, _x: &[Point]) -> (f64, f64) {
        (0.0, 0.0)
    }

    fn first_invalid(&self, _x: &[Point]) -> Option<usize> {
        None
    }
}
