//! Regions against brute force and closed forms.

use super::ball::Ball;
use super::composition::{Composition, Operation};
use super::cuboid::Cuboid;
use super::mesh::MeshRegion;
use super::quadrature::{self, Answers};
use super::region::Region;
use super::round::Round;
use crate::lattice;
use hashfall_core::rng::RandomStream;
use hashfall_core::{Dimension, Vec3, to_f64, vec3};
use hashfall_geometry::prism::{polygon_segments, prism};
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{RoundSolid, TriangleMesh};
use std::f64::consts::PI;

const SPACE: Dimension = Dimension::Three;
const PLANE: Dimension = Dimension::Two;
const FAR: [[f64; 3]; 2] = [[-100.0; 3], [100.0; 3]];

fn ball(dimension: Dimension, centre: [f64; 3], radius: f64) -> Box<dyn Region> {
    Box::new(Ball::new(dimension, centre, radius))
}

fn cuboid(dimension: Dimension, min: [f64; 3], max: [f64; 3]) -> Box<dyn Region> {
    Box::new(Cuboid::new(dimension, [min, max]))
}

fn cylinder(dimension: Dimension, from: [f64; 3], to: [f64; 3], radius: f64) -> Box<dyn Region> {
    Box::new(Round::new(dimension, RoundSolid::cylinder(from.into(), to.into(), radius)))
}

fn capsule(dimension: Dimension, from: [f64; 3], to: [f64; 3], radius: f64) -> Box<dyn Region> {
    Box::new(Round::new(dimension, RoundSolid::capsule(from.into(), to.into(), radius)))
}

fn cone(dimension: Dimension, from: [f64; 3], to: [f64; 3], radii: [f64; 2]) -> Box<dyn Region> {
    let [radius, tip_radius] = radii;
    let solid = RoundSolid::cone(from.into(), to.into(), radius, tip_radius);
    Box::new(Round::new(dimension, solid))
}

fn composed<'a>(
    operation: Operation,
    dimension: Dimension,
    parts: Vec<Box<dyn Region + 'a>>,
) -> Composition<'a> {
    Composition { operation, dimension, parts, walls: FAR }
}

fn cuboid_mesh(min: [f64; 3], max: [f64; 3]) -> TriangleMesh {
    let corner = |n: usize| [0, 1, 2].map(|a| if n >> a & 1 == 0 { min[a] } else { max[a] });
    let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2]];
    let faces = faces.into_iter().chain([[1, 3, 7, 5]]);
    let mesh = TriangleMesh {
        vertices: (0..8).map(|n| vec3(corner(n))).collect(),
        triangles: faces.flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
    };
    assert_eq!(mesh.check_closed(), Ok(()));
    mesh
}

fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum::<f64>().sqrt()
}

#[test]
fn a_ball_is_symmetric_about_its_centre_and_full() {
    let (centre, d) = ([0.5, -2.0, 1.25], 0.125);
    for radius in [0.11, 0.25, 0.4, 1.0] {
        let region = ball(SPACE, centre, radius);
        let points = region.points(d);
        // Centre and spacing are exact in binary, so that mirrored places are, too.
        for point in &points {
            for axis in 0..3 {
                let mut mirrored = *point;
                mirrored[axis] = 2.0 * centre[axis] - point[axis];
                assert!(points.contains(&mirrored), "{radius}: {point:?}");
            }
            let half_steps = (point[0] - centre[0]) / (0.5 * d);
            assert_eq!(half_steps.rem_euclid(2.0), 1.0, "the centre lies between places");
        }
        let farthest = points.iter().map(|p| distance(p, &centre)).fold(0.0, f64::max);
        assert!(farthest < radius && farthest > radius - d, "{radius}: {farthest}");
        let share = points.len() as f64 * d * d * d / region.volume();
        assert!(radius < 0.2 || (share - 1.0).abs() < 0.2, "{radius}: {share}");
    }
    assert_eq!(ball(SPACE, centre, 0.11).points(d).len(), 8);
    assert!(ball(SPACE, centre, 0.1).points(d).is_empty());
}

#[test]
fn in_the_plane_a_ball_is_a_disc() {
    let (region, d) = (ball(PLANE, [0.5, 0.0, 1.0], 1.0), 0.05);
    let points = region.points(d);
    assert!(points.iter().all(|p| p[1] == 0.0 && distance(p, &[0.5, 0.0, 1.0]) < 1.0));
    let share = points.len() as f64 * d * d / region.volume();
    assert!((share - 1.0).abs() < 0.01, "{share}");
}

#[test]
fn a_cuboid_of_triangles_is_filled_as_the_box_is() {
    let d = 0.125;
    for layers in [4.0, 5.0, 5.0 - 1e-4] {
        let (min, max) = ([0.5, -1.0, 0.25], [0.5 + layers * d, -0.5, 0.25 + 3.0 * d]);
        let filled = MeshRegion::new(SPACE, &cuboid_mesh(min, max)).points(d);
        let full = [min[0] + layers.round() * d, max[1], max[2]];
        let boxed: Vec<_> = lattice::centres(SPACE, min, full, d).collect();
        assert_eq!(filled.len(), boxed.len(), "{layers} layers");
        assert!(filled.iter().zip(&boxed).all(|(a, b)| distance(a, b) < 1e-4 * d));
    }
    // What does not fit is shared by both sides.
    let filled = MeshRegion::new(SPACE, &cuboid_mesh([0.0; 3], [2.9 * d, d, d])).points(d);
    assert_eq!(filled.len(), 2);
    assert!((filled[0][0] - 0.95 * d).abs() < 1e-7, "{filled:?}");
}

#[test]
fn the_places_in_a_mesh_are_those_inside() {
    let (centre, d) = (Vec3::new(0.3, 0.2, -0.1), 0.1);
    let mesh = sphere_mesh(&centre, 0.72, 4);
    let region = MeshRegion::new(SPACE, &mesh);
    let points = region.points(d);
    assert!(points.iter().all(|p| distance(p, &to_f64(&centre)) < 0.72));
    let expected = region.volume() / (d * d * d);
    assert!((points.len() as f64 / expected - 1.0).abs() < 0.05, "{expected}");
}

/// Regions, with their volumes; two share a face, others overlap or lie apart.
fn regions(mesh: &TriangleMesh) -> Vec<(&'static str, Box<dyn Region + '_>, f64)> {
    use Operation::{Difference, Intersection, Union};
    let unit = || cuboid(SPACE, [0.0; 3], [1.0; 3]);
    let shifted = || cuboid(SPACE, [0.517, 0.003, 0.005], [1.5, 1.0, 1.0]);
    let ball_at = |x: f64, radius: f64| ball(SPACE, [x, 0.5, 0.5], radius);
    let lens = PI / 12.0 * (4.0 + 0.6) * (2.0f64 - 0.6).powi(2);
    let all = |operation, parts| Box::new(composed(operation, SPACE, parts)) as Box<dyn Region>;
    let two = 2.0 / 3.0 * PI * 0.125;
    let (from, to) = ([0.1, -0.2, 0.3], [0.4, 0.2, 1.5]);
    let length = distance(&from, &to);
    vec![
        ("box", unit(), 1.0),
        ("ball", ball_at(0.5, 0.5), 4.0 / 3.0 * PI * 0.125),
        ("cylinder", cylinder(SPACE, from, to, 0.3), PI * 0.09 * length),
        ("capsule", capsule(SPACE, from, to, 0.3), PI * 0.09 * length + 4.0 / 3.0 * PI * 0.027),
        ("cone", cone(SPACE, from, to, [0.3, 0.1]), PI * length / 3.0 * (0.09 + 0.03 + 0.01)),
        ("mesh", Box::new(MeshRegion::new(SPACE, mesh)), 0.5 * 0.25 * 0.75),
        ("overlapping boxes", all(Union, vec![unit(), shifted()]), {
            1.0 + (1.5 - 1.0) * 0.997 * 0.995
        }),
        (
            "boxes with a face in common",
            all(Union, vec![unit(), { cuboid(SPACE, [1.0, 0.0, 0.0], [1.7, 1.0, 1.0]) }]),
            1.7,
        ),
        ("boxes apart", all(Union, vec![unit(), cuboid(SPACE, [3.0; 3], [4.0; 3])]), 2.0),
        // Two unit balls 0.6 apart: V = π (4r + s)(2r − s)²/12.
        ("lens", all(Intersection, vec![ball_at(0.0, 1.0), ball_at(0.6, 1.0)]), lens),
        ("two balls", all(Union, vec![ball_at(0.0, 1.0), ball_at(0.6, 1.0)]), {
            8.0 / 3.0 * PI - lens
        }),
        ("box without a ball in it", all(Difference, vec![unit(), ball_at(0.5, 0.4)]), {
            1.0 - 4.0 / 3.0 * PI * 0.064
        }),
        ("box without half a ball", all(Difference, vec![unit(), ball_at(1.0, 0.5)]), 1.0 - two),
        (
            "pipe",
            all(
                Difference,
                vec![
                    cylinder(SPACE, [0.0; 3], [0.0, 0.0, 1.0], 0.5),
                    cylinder(SPACE, [0.0, 0.0, -1.0], [0.0, 0.0, 2.0], 0.4),
                ],
            ),
            PI * (0.25 - 0.16),
        ),
        ("nothing", all(Intersection, vec![unit(), cuboid(SPACE, [3.0; 3], [4.0; 3])]), 0.0),
    ]
}

#[test]
fn volumes_are_those_of_closed_forms() {
    let mesh = cuboid_mesh([0.5, 0.0, 0.25], [1.0, 0.25, 1.0]);
    for (name, region, expected) in regions(&mesh) {
        let volume = region.volume();
        assert!((volume - expected).abs() <= 1e-3 * expected, "{name}: {volume}, not {expected}");
        let answers = Answers {
            signed_distance: &|x| region.signed_distance(x),
            contains: &|x| region.contains(x),
        };
        let by_distances = quadrature::volume(region.bounds(), answers);
        let error = (by_distances - expected).abs();
        assert!(error <= 1e-3 * expected, "{name}: {by_distances}, not {expected}");
    }
}

#[test]
fn areas_of_the_plane_are_those_of_closed_forms() {
    use Operation::{Difference, Union};
    let (from, to) = ([0.1, 0.0, 0.3], [0.4, 0.0, 0.7]);
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let triangle = prism(&polygon_segments(&corners), 0.4, false);
    let disc = |x: f64| ball(PLANE, [x, 0.0, 0.5], 0.5);
    let square = || cuboid(PLANE, [0.0; 3], [1.0, 0.0, 1.0]);
    let regions: Vec<(Box<dyn Region + '_>, f64)> = vec![
        (square(), 1.0),
        (disc(0.5), 0.25 * PI),
        (cylinder(PLANE, from, to, 0.2), 0.5 * 0.4),
        (capsule(PLANE, from, to, 0.2), 0.5 * 0.4 + PI * 0.04),
        (cone(PLANE, from, to, [0.2, 0.1]), 0.5 * 0.3),
        (Box::new(MeshRegion::new(PLANE, &triangle)), 0.5),
        (Box::new(composed(Difference, PLANE, vec![square(), disc(0.5)])), 1.0 - 0.25 * PI),
        (Box::new(composed(Union, PLANE, vec![square(), disc(1.0)])), 1.0 + 0.125 * PI),
    ];
    for (k, (region, expected)) in regions.iter().enumerate() {
        let area = region.volume();
        assert!((area - expected).abs() < 1e-3, "{k}: {area}, not {expected}");
        let points = region.points(0.01);
        let share = points.len() as f64 * 1e-4 / expected;
        assert!((share - 1.0).abs() < 0.02 && points.iter().all(|x| x[1] == 0.0), "{k}: {share}");
    }
}

/// The distance to the boundary is at least `s`: no place so near is on the other side.
#[test]
fn nothing_changes_within_the_signed_distance_and_bounds_hold_all() {
    let mesh = cuboid_mesh([0.5, 0.0, 0.25], [1.0, 0.25, 1.0]);
    let mut rng = RandomStream::new(31);
    for (name, region, _) in regions(&mesh) {
        let [low, high] = region.bounds();
        let (mut inside, mut near) = (0, 0);
        for _ in 0..2000 {
            let place = [0, 1, 2].map(|a| rng.between(low[a] - 0.4, high[a] + 0.4));
            let (distance, is_in) = (region.signed_distance(&place), region.contains(&place));
            assert_eq!(distance < 0.0, is_in, "{name} {place:?}: {distance}");
            let is_around = (0..3).all(|a| place[a] >= low[a] && place[a] <= high[a]);
            assert!(!is_in || is_around, "{name} {place:?}");
            inside += usize::from(is_in);
            for _ in 0..20 {
                let way = [0; 3].map(|_| rng.between(-1.0, 1.0));
                let length = way.iter().map(|x| x * x).sum::<f64>().sqrt();
                let reach = 0.999 * distance.abs() * rng.number() / length;
                let other = [0, 1, 2].map(|a| place[a] + reach * way[a]);
                assert_eq!(region.contains(&other), is_in, "{name} {place:?} {other:?}");
                near += 1;
            }
        }
        assert!(name == "nothing" || (inside > 20 && near > 1000), "{name}: {inside}");
    }
}

#[test]
fn the_distance_to_a_mesh_is_that_to_its_nearest_triangle() {
    let mesh = sphere_mesh(&Vec3::new(0.3, 0.2, -0.1), 0.72, 3);
    let region = MeshRegion::new(SPACE, &mesh);
    let mut rng = RandomStream::new(7);
    for _ in 0..500 {
        let place = [0; 3].map(|_| rng.between(-1.0, 1.0));
        let nearest = (0..mesh.triangles.len())
            .map(|t| mesh.corners(t).map(|v| hashfall_geometry::Point::from(to_f64(&v))))
            .map(|t| hashfall_geometry::triangle::offset_to_triangle(&place.into(), &t).norm())
            .fold(f64::INFINITY, f64::min);
        assert_eq!(region.signed_distance(&place).abs(), nearest);
    }
}

#[test]
fn in_the_plane_the_faces_of_a_prism_across_it_are_no_boundary() {
    let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
    let mesh = prism(&polygon_segments(&corners), 0.1, false);
    let region = MeshRegion::new(PLANE, &mesh);
    assert_eq!(region.signed_distance(&[1.0, 0.0, 1.0]), -1.0);
    assert_eq!(region.signed_distance(&[1.0, 0.0, 0.25]), -0.25);
    assert_eq!(region.signed_distance(&[5.0, 0.0, 6.0]), 5.0);
}

#[test]
fn united_boxes_share_one_lattice_that_is_flush_with_the_walls() {
    let d = 0.02;
    let parts = || {
        vec![
            cuboid(SPACE, [0.0; 3], [0.4, 0.3, 0.3]),
            cuboid(SPACE, [0.207, 0.003, 0.005], [0.6, 0.3, 0.3]),
        ]
    };
    let union = composed(Operation::Union, SPACE, parts());
    let points = union.points(d);
    // The whole of the box around both but for what lies below y = 0.003 and z = 0.005 at the
    // right, where no site is: the first sites are at 0.01.
    assert_eq!(points.len(), 30 * 15 * 15);
    let share = points.len() as f64 * d * d * d / union.volume();
    assert!((share - 1.0).abs() < 0.01, "{share}");
    for x in &points {
        let steps = x.map(|x| (x - 0.01) / d);
        assert!(steps.iter().all(|s| (s - s.round()).abs() < 1e-9), "{x:?}");
    }
    // Flush with the upper wall along x alone.
    let walls = [[-1.0, 0.0, 0.0], [0.6, 0.3, 0.3]];
    let parts = vec![cuboid(SPACE, [0.015, 0.0, 0.0], [0.6, 0.3, 0.3])];
    let flush = Composition { walls, ..composed(Operation::Union, SPACE, parts) };
    let most = flush.points(d).iter().map(|x| x[0]).fold(0.0, f64::max);
    assert!((most - 0.59).abs() < 1e-9, "{most}");
}
