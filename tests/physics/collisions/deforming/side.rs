//! On which side of a closed surface a point is, without rounding.
//!
//! A ray along an axis crosses triangles; crossings count +1 or −1 by the side from which they
//! come, and their sum is the winding number. Which triangles the ray meets is a question of signs
//! of determinants, which [`Rough`] numbers answer mostly and [`Exact`] ones always. A ray that
//! meets an edge or a corner tells nothing; then another axis is asked.

use super::super::number::{Exact, Number, Rough};
use hashfall_core::{Vec3, to_f64};
use hashfall_geometry::TriangleMesh;
use std::cmp::Ordering::{self, Equal, Greater, Less};

/// The winding number of a closed mesh around a point; `None` if rays along all axes meet edges.
pub fn winding_number(mesh: &TriangleMesh, x: &Vec3) -> Option<i32> {
    (0..3).flat_map(|axis| [(axis, 1.0), (axis, -1.0)]).find_map(|ray| by_ray(mesh, x, ray))
}

fn by_ray(mesh: &TriangleMesh, x: &Vec3, (axis, way): (usize, f64)) -> Option<i32> {
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let mut winding = 0;
    for t in 0..mesh.triangles.len() {
        let corners = mesh.corners(t);
        let misses =
            |k: usize| corners.iter().all(|c| c[k] < x[k]) || corners.iter().all(|c| c[k] > x[k]);
        let is_behind = corners.iter().all(|c| way * f64::from(c[axis]) < way * f64::from(x[axis]));
        if misses(u) || misses(v) || is_behind {
            continue;
        }
        let from = to_f64(x);
        let corners = corners.map(|c| to_f64(&c));
        let flat = |k: usize| [corners[k][u], corners[k][v]];
        let sides =
            [(0, 1), (1, 2), (2, 0)].map(|(a, b)| turn(flat(a), flat(b), [from[u], from[v]]));
        if sides.contains(&Less) && sides.contains(&Greater) {
            continue;
        }
        if sides.contains(&Equal) {
            return None;
        }
        // Counter-clockwise along the axis means that its normal points along it, too.
        let along = if sides[0] == Greater { 1 } else { -1 };
        let height = orientation(&corners, &from);
        if height == Equal {
            return None;
        }
        let is_over = height == if along == 1 { Less } else { Greater };
        // The surface lies on the ray if x is under it along the ray.
        if is_over == (way > 0.0) {
            winding += along * way as i32;
        }
    }
    Some(winding)
}

fn decided(by: impl Fn(bool) -> Option<Ordering>) -> Ordering {
    by(false).or_else(|| by(true)).unwrap()
}

/// How a → b → x turns in a plane.
fn turn(a: [f64; 2], b: [f64; 2], x: [f64; 2]) -> Ordering {
    fn sign<N: Number>(a: [f64; 2], b: [f64; 2], x: [f64; 2]) -> Option<Ordering> {
        let [a, b, x] = [a, b, x].map(|p| p.map(N::of));
        let [bu, bv] = [0, 1].map(|k| b[k].minus(&a[k]));
        let [xu, xv] = [0, 1].map(|k| x[k].minus(&a[k]));
        bu.times(&xv).minus(&bv.times(&xu)).sign()
    }
    decided(|exactly| if exactly { sign::<Exact>(a, b, x) } else { sign::<Rough>(a, b, x) })
}

/// On which side of a triangle a point lies: `Greater` where its normal points to.
fn orientation(corners: &[[f64; 3]; 3], x: &[f64; 3]) -> Ordering {
    fn sign<N: Number>(corners: &[[f64; 3]; 3], x: &[f64; 3]) -> Option<Ordering> {
        let [a, b, c, x] = [&corners[0], &corners[1], &corners[2], x].map(|p| p.map(N::of));
        let from_a = |p: &[N; 3]| [0, 1, 2].map(|k| p[k].minus(&a[k]));
        let [b, c, x] = [from_a(&b), from_a(&c), from_a(&x)];
        let minor = |k: usize, l: usize| b[k].times(&c[l]).minus(&b[l].times(&c[k]));
        let [i, j, k] = [minor(1, 2), minor(2, 0), minor(0, 1)];
        i.times(&x[0]).plus(&j.times(&x[1])).plus(&k.times(&x[2])).sign()
    }
    decided(|exactly| if exactly { sign::<Exact>(corners, x) } else { sign::<Rough>(corners, x) })
}

#[test]
fn winding_numbers_are_those_of_solid_angles() {
    use super::super::draw::Draw;
    use super::super::{shapes, winding};
    let mut draw = Draw::new(3);
    let meshes = [
        shapes::star(5, 0.4, 0.15, 0.2),
        shapes::revolved(-0.3, &[(0.2, -0.2), (0.3, 0.1)], 0.3, 9),
    ];
    let (mut inside, mut known) = (0, 0);
    for k in 0..2000 {
        let (mesh, x) = (&meshes[k % 2], hashfall_core::vec3(draw.within(0.5).into()));
        let Some(number) = winding_number(mesh, &x) else { continue };
        assert_eq!(f64::from(number), winding::winding_number(mesh, &x).round(), "{x}");
        (inside, known) = (inside + number, known + 1);
    }
    assert!(known > 1990 && inside > 100, "{known} {inside}");
}
