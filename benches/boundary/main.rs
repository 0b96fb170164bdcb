//! A mesh's part of the kernel's integral, against brute force: `cargo bench --bench boundary`.
//!
//! For solids of known shape, and places 0.3 d to h from them: the errors of λ (root mean square
//! and largest) and of ∇λ (times h), the largest jump of λ over a move of 0.01 d, and the time a
//! query takes. Cubic spline, h = 2d. The second table has solids that a lattice fits: there λ is
//! known as the sum over the lattice in the solid.

mod reference;
mod shapes;

use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Dimension, Real, Vec3};
use hashfall_geometry::{Aabb, TriangleMesh};
use hashfall_solid::{NearSolids, PlaneTable, SolidFraction, SolidLayers, Solids, UnionBoundary};
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::SeedableRng;
use reference::{Integral, Profile, integral};
use shapes::{Case, D, H, cases, direction};
use std::hint::black_box;
use std::time::Instant;

/// ScriptPaths a case is measured at.
const PLACES: usize = 150;
/// Rays of the reference, and of the one that tells its error.
const RAYS: [usize; 2] = [20_000, 14_142];
/// More faces than are near any place here.
const MAX_FACES: usize = 16;
/// Length of a move, and moves a place \[–\].
const MOVE: f64 = 0.01 * D;
const MOVES: usize = 60;

/// A way to find λ and ∇λ near solids.
struct Method {
    name: &'static str,
    /// Whether it needs the sums over triangles.
    integrates: bool,
    find: fn(&Layers, &NearSolids) -> SolidFraction,
}

const METHODS: [Method; 2] = [
    Method { name: "planes", integrates: false, find: by_planes },
    Method { name: "integral", integrates: true, find: by_integral },
];

/// The layers, the table of them, and one that leaves triangles out.
struct Layers {
    sums: SolidLayers,
    table: PlaneTable,
    nothing: PlaneTable,
}

impl Layers {
    fn new(spacing: f64) -> Self {
        let sums = SolidLayers::new(kernel(H), spacing as Real);
        let nothing = PlaneTable::new(&SolidLayers::new(kernel(1e-6), 1e-7));
        Layers { table: PlaneTable::new(&sums), nothing, sums }
    }
}

/// What the simulator takes: an integral over triangles.
fn by_integral(layers: &Layers, near: &NearSolids) -> SolidFraction {
    SolidFraction::from_near(&layers.sums, near, |_, _, _| ())
}

/// What it took before: faces as planes, less what they are taken to share.
fn by_planes(layers: &Layers, near: &NearSolids) -> SolidFraction {
    let mut total = SolidFraction::NONE;
    let mut known = [(Vec3::zeros(), SolidFraction::NONE); MAX_FACES];
    for (count, face) in near.surfaces().iter().enumerate() {
        let sums = layers.sums.sums(face.distance, 0.0);
        let own = SolidFraction { fraction: sums.fraction, gradient: face.normal * sums.slope };
        let (mut left, mut left_gradient) = (1.0, Vec3::zeros());
        for (normal, part) in &known[..count] {
            let overlap = 1.0 + normal.dot(&face.normal);
            let weight = overlap * overlap;
            let uncovered = (1.0 - weight * part.fraction).max(0.0);
            left_gradient = left_gradient * uncovered - part.gradient * (weight * left);
            left *= uncovered;
        }
        total.fraction += own.fraction * left;
        total.gradient += own.gradient * left + left_gradient * own.fraction;
        known[count] = (face.normal, own);
    }
    total
}

/// A case's solids, with the objects near a place as the broad phase gives them.
struct Scene {
    solids: Solids,
    union: UnionBoundary,
    boxes: Vec<Aabb>,
}

impl Scene {
    fn of(mesh: TriangleMesh) -> Self {
        let far = Vec3::repeat(100.0 * H as Real);
        let solids = Solids::new(Aabb::new(-far, far), vec![], vec![mesh]);
        Scene { union: UnionBoundary::new(&solids), boxes: solids.object_boxes(), solids }
    }

    fn near(&self, layers: &Layers, x: &Vec3) -> NearSolids {
        let mut near = NearSolids::default();
        let objects = self.objects(x);
        self.solids.near(&objects, x, H as Real, &self.union, &layers.table, &mut near);
        near
    }

    fn objects(&self, x: &Vec3) -> Vec<u32> {
        let ball = Aabb::of_ball(x, H as Real);
        (0..self.boxes.len() as u32).filter(|&k| self.boxes[k as usize].overlaps(&ball)).collect()
    }
}

/// What is measured of a method on a case.
struct Measured {
    rms: f64,
    largest: f64,
    gradient_rms: f64,
    gradient_largest: f64,
    jump: f64,
    nanoseconds: f64,
}

fn measure(
    method: &Method,
    layers: &Layers,
    case: &Case,
    places: &[Vec3],
    exact: &[Integral],
) -> Measured {
    let scene = Scene::of(case.mesh.clone());
    let find = |x: &Vec3| (method.find)(layers, &scene.near(layers, x));
    let (mut squares, mut largest) = ([0.0; 2], [0.0, 0.0]);
    for (x, (fraction, gradient)) in places.iter().zip(exact) {
        let found = find(x);
        let errors = [
            (f64::from(found.fraction) - fraction).abs(),
            (found.gradient.map(f64::from) - gradient).norm() * H,
        ];
        for (k, error) in errors.into_iter().enumerate() {
            squares[k] += error * error;
            largest[k] = f64::max(largest[k], error);
        }
    }
    let [rms, gradient_rms] = squares.map(|sum| f64::sqrt(sum / places.len() as f64));
    Measured {
        rms,
        largest: largest[0],
        gradient_rms,
        gradient_largest: largest[1],
        jump: largest_jump(case, places, |x| f64::from(find(x).fraction)),
        nanoseconds: time_of_a_query(method, layers, &scene, places),
    }
}

/// The largest second difference of λ along straight walks: of a jump, the jump.
fn largest_jump(case: &Case, places: &[Vec3], fraction: impl Fn(&Vec3) -> f64) -> f64 {
    let mut random = Pcg64Mcg::seed_from_u64(11);
    let mut jump: f64 = 0.0;
    for x in places {
        let step = direction(&mut random) * MOVE;
        let at = |k: usize| x + (step * k as f64).map(|c| c as Real);
        let walk = (0..MOVES).map(at).take_while(|x| case.distance(x) > 0.3 * D);
        let values: Vec<f64> = walk.map(|x| fraction(&x)).collect();
        let bend = |w: &[f64]| (w[0] - 2.0 * w[1] + w[2]).abs();
        jump = values.windows(3).map(bend).fold(jump, f64::max);
    }
    jump
}

fn time_of_a_query(method: &Method, layers: &Layers, scene: &Scene, places: &[Vec3]) -> f64 {
    let queries: Vec<_> = places.iter().map(|x| (x, scene.objects(x))).collect();
    let table = if method.integrates { &layers.table } else { &layers.nothing };
    let (repetitions, mut near) = (40, NearSolids::default());
    let mut round = || {
        let start = Instant::now();
        for _ in 0..repetitions {
            for (x, objects) in &queries {
                scene.solids.near(objects, x, H as Real, &scene.union, table, &mut near);
                black_box((method.find)(layers, &near));
            }
        }
        start.elapsed().as_nanos() as f64 / (repetitions * queries.len()) as f64
    };
    (0..5).map(|_| round()).fold(f64::INFINITY, f64::min)
}

fn table(title: &str, layers: &Layers) {
    let profile = Profile::new(&layers.sums);
    println!("\n{title}\n");
    println!("| solid | method | λ rms | λ max | h∇λ rms | h∇λ max | jump | ns |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut own_error: f64 = 0.0;
    for case in cases() {
        let places = case.places(PLACES);
        let exact: Vec<_> = places.iter().map(|x| integral(&profile, &case, x, RAYS[0])).collect();
        for (x, (fraction, _)) in places.iter().zip(&exact).step_by(5) {
            own_error = own_error.max((integral(&profile, &case, x, RAYS[1]).0 - fraction).abs());
        }
        for method in METHODS {
            let m = measure(&method, layers, &case, &places, &exact);
            println!(
                "| {} | {} | {:.4} | {:.4} | {:.3} | {:.3} | {:.4} | {:.0} |",
                case.name,
                method.name,
                m.rms,
                m.largest,
                m.gradient_rms,
                m.gradient_largest,
                m.jump,
                m.nanoseconds
            );
        }
    }
    println!("\nThe reference is off by up to {own_error:.0e} in λ.");
}

/// A solid that the lattice of spacing d fills.
struct Filled {
    name: &'static str,
    /// A box, in d; fluid is around it, or in it if it is a cavity.
    min: [i32; 3],
    max: [i32; 3],
    is_cavity: bool,
}

const FAR: i32 = 6;
const FILLED: [Filled; 7] = {
    const fn filled(name: &'static str, max: [i32; 3], min: i32, is_cavity: bool) -> Filled {
        Filled { name, min: [-FAR, -FAR, min], max, is_cavity }
    }
    [
        filled("flat", [FAR, FAR, 0], -FAR, false),
        filled("convex edge 90°", [0, FAR, 0], -FAR, false),
        filled("convex corner", [0, 0, 0], -FAR, false),
        filled("concave edge 90°", [0, FAR, 0], -FAR, true),
        filled("concave corner", [0, 0, 0], -FAR, true),
        filled("plate d thick", [FAR, FAR, 0], -1, false),
        filled("its rim", [0, FAR, 0], -1, false),
    ]
};

/// λ at the places of the lattice within 3 d of a box's high corner, against the lattice in it.
fn lattice_table(kernel: &Kernel, layers: &Layers) {
    println!(
        "\nPlaces of a lattice that goes on in the solid\n\n| solid | method | λ rms | λ max |"
    );
    println!("|---|---|---|---|");
    let volume = f64::from(kernel.rest_volume(D as Real));
    for filled in FILLED {
        let metres = |p: [i32; 3]| Vec3::from(p.map(|k| (f64::from(k) * D) as Real));
        let solid = Aabb::new(metres(filled.min), metres(filled.max));
        let mesh = hashfall_geometry::shape::box_mesh(&solid);
        let scene = Scene::of(mesh);
        let is_solid = |p: [i32; 3]| {
            let inside = (0..3).all(|a| (filled.min[a]..filled.max[a]).contains(&p[a]));
            inside != filled.is_cavity
        };
        let cube = |r: std::ops::Range<i32>| {
            let n = r.len() as i32;
            let low = r.start;
            (0..n * n * n).map(move |k| [k % n, k / n % n, k / n / n].map(|c| c + low))
        };
        for method in METHODS {
            let (mut squares, mut largest, mut count) = (0.0, 0.0, 0);
            for p in cube(-3..2).filter(|p| !is_solid(*p)) {
                let near = cube(-3..4).filter(|o| is_solid([0, 1, 2].map(|a| p[a] + o[a])));
                let weight = |o: [i32; 3]| {
                    let square: i32 = o.iter().map(|c| c * c).sum();
                    f64::from(kernel.value((f64::from(square).sqrt() * D) as Real))
                };
                let exact = near.map(weight).sum::<f64>() * volume;
                let x = Vec3::from(p.map(|k| ((f64::from(k) + 0.5) * D) as Real));
                let found = f64::from((method.find)(layers, &scene.near(layers, &x)).fraction);
                if exact > 0.0 || found > 0.0 {
                    let error: f64 = (found - exact).abs();
                    squares += error * error;
                    largest = f64::max(largest, error);
                    count += 1;
                }
            }
            let rms = f64::sqrt(squares / f64::from(count));
            println!("| {} | {} | {rms:.4} | {largest:.4} |", filled.name, method.name);
        }
    }
}

fn kernel(h: f64) -> Kernel {
    Kernel::new(KernelKind::CubicSpline, Dimension::Three, h as Real)
}

fn main() {
    let layers = Layers::new(D);
    table("Layers d apart, as the simulator has them", &layers);
    table("Layers d/50 apart: the kernel's integral", &Layers::new(0.01 * H));
    lattice_table(&kernel(H), &layers);
}
