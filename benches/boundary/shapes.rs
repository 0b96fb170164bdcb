//! Solids of known shape, and where around them the kernel's integral is asked for.

use hashfall_bodies::AxisRotation;
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Interior, Point, TriangleMesh};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Support radius \[m\].
pub const H: f64 = 0.04;
/// Spacing \[m\].
pub const D: f64 = 0.5 * H;

/// A mesh, and a ball of places around one of its features.
pub struct Case {
    pub name: &'static str,
    pub mesh: TriangleMesh,
    /// Whether fluid is inside, and all else is solid.
    pub is_cavity: bool,
    /// Middle of the feature \[m\].
    centre: Point,
    /// How far from it places are drawn \[m\].
    reach: f64,
}

impl Case {
    fn new(name: &'static str, mesh: TriangleMesh, centre: [f64; 3], reach: f64) -> Self {
        Case { name, mesh, is_cavity: false, centre: Point::from(centre), reach }
    }

    fn cavity(self) -> Self {
        Case { is_cavity: true, ..self }
    }

    /// Turned about an oblique axis, so that nothing lies along the axes.
    fn tilted(mut self) -> Self {
        let rotation = AxisRotation::from_radians(&Point::new(0.36, 0.48, 0.8), 0.7);
        let turn = |p: Point| rotation.apply(&p);
        let turned = |v: &Vec3| vec3(turn(v.map(f64::from)).into());
        self.mesh.vertices = self.mesh.vertices.iter().map(turned).collect();
        self.centre = turn(self.centre);
        self
    }

    /// `count` places in the fluid, 0.3 d to h from the surface.
    pub fn places(&self, count: usize) -> Vec<Vec3> {
        let interior = Interior::new(&self.mesh);
        let mut random = Pcg64Mcg::seed_from_u64(7);
        let mut places = Vec::new();
        while places.len() < count {
            let offset = Point::from_fn(|_, _| 2.0 * uniform(&mut random) - 1.0);
            let x = vec3((self.centre + offset * self.reach).into());
            if offset.norm() < 1.0
                && interior.contains(&x) == self.is_cavity
                && (0.3 * D..H).contains(&self.distance(&x))
            {
                places.push(x);
            }
        }
        places
    }

    /// Distance to the surface \[m\].
    pub fn distance(&self, x: &Vec3) -> f64 {
        let at = x.map(f64::from);
        let to = |t: usize| {
            let corners = self.mesh.corners(t).map(|c| c.map(f64::from));
            hashfall_geometry::triangle::offset_to_triangle(&at, &corners).norm()
        };
        (0..self.mesh.triangles.len()).map(to).fold(f64::INFINITY, f64::min)
    }
}

/// Uniform in [0, 1).
fn uniform(random: &mut Pcg64Mcg) -> f64 {
    f64::from(random.next_u32()) / 4_294_967_296.0
}

/// A unit vector of no preferred direction.
pub fn direction(random: &mut Pcg64Mcg) -> Point {
    loop {
        let p = Point::from_fn(|_, _| 2.0 * uniform(random) - 1.0);
        if (0.01..1.0).contains(&p.norm()) {
            return p.normalize();
        }
    }
}

/// A box about the origin whose faces are cut into n × n squares.
fn block(size: [f64; 3], n: u32) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for (axis, is_high) in (0..3).flat_map(|axis| [(axis, false), (axis, true)]) {
        let place = |i: u32, j: u32| {
            let part = |k: u32| f64::from(k) / f64::from(n) - 0.5;
            let mut p = [0.0; 3];
            p[axis] = if is_high { 0.5 } else { -0.5 } * size[axis];
            p[(axis + 1) % 3] = part(i) * size[(axis + 1) % 3];
            p[(axis + 2) % 3] = part(j) * size[(axis + 2) % 3];
            vec3(p)
        };
        for (i, j) in (0..n * n).map(|k| (k % n, k / n)) {
            let first = mesh.vertices.len() as u32;
            let corners = [place(i, j), place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
            mesh.vertices.extend(corners);
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| first + k);
            mesh.triangles.extend(match is_high {
                true => [[a, b, c], [a, c, d]],
                false => [[a, c, b], [a, d, c]],
            });
        }
    }
    mesh
}

/// A wedge of this opening angle whose edge lies on the y axis; it opens downwards.
fn wedge(degrees: f64) -> TriangleMesh {
    let (sin, cos) = (0.5 * degrees).to_radians().sin_cos();
    let length = 8.0 * H;
    let corner = |x: f64, y: f64, z: f64| vec3([x, y, z]);
    let side = |y: f64| {
        [
            corner(0.0, y, 0.0),
            corner(-length * sin, y, -length * cos),
            corner(length * sin, y, -length * cos),
        ]
    };
    let vertices = [side(-4.0 * H), side(4.0 * H)].concat();
    let triangles = vec![
        [0, 2, 1],
        [3, 4, 5],
        [0, 1, 4],
        [0, 4, 3],
        [1, 2, 5],
        [1, 5, 4],
        [2, 0, 3],
        [2, 3, 5],
    ];
    turned_outwards(TriangleMesh { vertices, triangles })
}

/// A pyramid on a square whose tip is the origin; it opens downwards.
fn spike(width: f64, height: f64) -> TriangleMesh {
    let w = 0.5 * width;
    let base = [[-w, -w], [w, -w], [w, w], [-w, w]];
    let mut vertices = vec![Vec3::zeros()];
    vertices.extend(base.map(|[x, y]| vec3([x, y, -height])));
    let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [1, 3, 2], [1, 4, 3]];
    turned_outwards(TriangleMesh { vertices, triangles })
}

fn turned_outwards(mesh: TriangleMesh) -> TriangleMesh {
    if mesh.signed_volume() < 0.0 { mesh.flipped() } else { mesh }
}

/// A box with these half sizes, in h, about a centre.
fn cuboid(half: [f64; 3]) -> TriangleMesh {
    let corner = vec3(half.map(|c| c * H));
    box_mesh(&Aabb::new(-corner, corner))
}

/// The shipped column, about as large for h as in its scene.
fn column() -> TriangleMesh {
    let bytes = include_bytes!("../../meshes/column.obj");
    hashfall_input::mesh::parse(bytes).expect("the shipped mesh is sound")
}

/// All solids of the table.
pub fn cases() -> Vec<Case> {
    let large = 5.0 * H;
    let ball = |radius: f64, n: u32| sphere_mesh(&Vec3::zeros(), radius as Real, n);
    let fine = block([5.0 * H; 3], 40);
    let plate = cuboid([5.0, 5.0, 0.5 * 0.4 * D / H]);
    vec![
        Case::new("flat, 2 triangles", cuboid([5.0; 3]), [0.0, 0.0, large], 1.5 * H).tilted(),
        Case::new("flat, edges d/4", fine, [0.0, 0.0, 2.5 * H], H).tilted(),
        Case::new("convex edge 90°", wedge(90.0), [0.0; 3], H).tilted(),
        Case::new("convex edge 60°", wedge(60.0), [0.0; 3], H).tilted(),
        Case::new("convex edge 30°", wedge(30.0), [0.0; 3], H).tilted(),
        Case::new("concave edge 90°", wedge(90.0), [0.0; 3], 1.4 * H).cavity().tilted(),
        Case::new("concave edge 60°", wedge(60.0), [0.0; 3], 1.7 * H).cavity().tilted(),
        Case::new("concave edge 120°", wedge(120.0), [0.0; 3], 1.2 * H).cavity().tilted(),
        Case::new("concave edge 150°", wedge(150.0), [0.0; 3], 1.1 * H).cavity().tilted(),
        Case::new("convex corner", cuboid([5.0; 3]), [large; 3], H).tilted(),
        Case::new("concave corner", cuboid([5.0; 3]), [large; 3], 1.6 * H).cavity().tilted(),
        Case::new("ball R = 3 h, 80 triangles", ball(3.0 * H, 1), [0.0; 3], 4.0 * H),
        Case::new("ball R = 3 h, 5120", ball(3.0 * H, 4), [0.0; 3], 4.0 * H),
        Case::new("ball R = 0.3 d, 320", ball(0.3 * D, 2), [0.0; 3], 1.2 * H),
        Case::new("cavity R = 2 h, 80", ball(2.0 * H, 1), [0.0; 3], 2.0 * H).cavity(),
        Case::new("twisted column", column(), [0.0, 0.0, 0.5], 0.22),
        Case::new("plate 0.4 d thick", plate.clone(), [0.0; 3], H).tilted(),
        Case::new("its rim", plate, [large, 0.0, 0.0], H).tilted(),
        Case::new("spike d/2 wide", spike(0.5 * D, 4.0 * D), [0.0; 3], H).tilted(),
    ]
}
