//! λ of unions of boxes against rays, ∇λ against differences of λ, and who bears what.

use super::boundary::UnionBoundary;
use crate::precision::{to_point, to_vec3};
use crate::{AxisAngle, Keyframe, KinematicLaw, NearSolids, SolidFraction, Solids};
use blocks::{Block, H, beside, by_rays, layers, pairs, random_turn, table};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::TriangleMesh;
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::box_mesh;
use hashfall_geometry::{Aabb, Point};
use hashfall_input::mesh;
use nalgebra::{Rotation3, Unit};

mod blocks;

fn one_mesh(meshes: &[TriangleMesh]) -> TriangleMesh {
    let mut one = TriangleMesh::default();
    meshes.iter().for_each(|mesh| one.append(mesh));
    one.welded()
}

fn far_walls() -> Aabb {
    Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0))
}

/// What is near a place, and what each body is told to add to the slope.
fn fraction_and_slopes(solids: &Solids, x: &Vec3) -> (SolidFraction, Vec<(usize, f64)>) {
    let union = UnionBoundary::new(solids);
    told_of(solids, &union, x)
}

fn told_of(solids: &Solids, union: &UnionBoundary, x: &Vec3) -> (SolidFraction, Vec<(usize, f64)>) {
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    let mut near = NearSolids::default();
    solids.near(&objects, x, H as Real, union, &table(), &mut near);
    let mut slopes = vec![];
    let whole = SolidFraction::from_near(&layers(), &near, |solid, sums, share| {
        slopes.push((solid.surface.body(), f64::from(sums.slope * share)));
    });
    (whole, slopes)
}

#[test]
fn unions_of_boxes_are_what_rays_find_as_meshes_and_as_shells_of_one() {
    let (table, mut random) = (table(), Random::new(28));
    let mut worst = [0.0; 2];
    for round in 0..2 {
        for (name, blocks) in pairs(&mut random) {
            let meshes: Vec<TriangleMesh> = blocks.iter().map(Block::mesh).collect();
            let apart = Solids::new(far_walls(), vec![], meshes.clone());
            let as_one = Solids::new(far_walls(), vec![], vec![one_mesh(&meshes)]);
            let unions = [&apart, &as_one].map(|solids| (solids, UnionBoundary::new(solids)));
            for _ in 0..3 {
                let x = to_vec3(&beside(&mut random, &blocks));
                let expected = by_rays(&table, &blocks, &to_point(&x));
                for (solids, union) in &unions {
                    let (found, _) = told_of(solids, union, &x);
                    let error = (f64::from(found.fraction) - expected).abs();
                    worst[0] = f64::max(worst[0], error);
                    assert!(error < 5e-4, "{round} {name} {x}: {found:?}, by rays {expected}");
                    let step = 1e-3 * H as Real;
                    for axis in 0..3 {
                        let at = |side: Real| {
                            let mut x = x;
                            x[axis] += side * step;
                            (told_of(solids, union, &x).0.fraction, x[axis])
                        };
                        let ((high, there), (low, here)) = (at(1.0), at(-1.0));
                        let slope = f64::from(high - low) / f64::from(there - here);
                        let error = (slope - f64::from(found.gradient[axis])).abs() * H;
                        worst[1] = f64::max(worst[1], error);
                        assert!(error < 5e-3, "{round} {name} {x}: {error}");
                    }
                }
            }
        }
    }
    println!("largest error of λ {:.1e}, of h∇λ {:.1e}", worst[0], worst[1]);
}

/// A floor at z = 0 and a wall at x = 0; far from all other walls.
fn floor_and_wall() -> Aabb {
    Aabb::new(Vec3::new(0.0, -9.0, 0.0), Vec3::repeat(9.0))
}

/// What is solid beyond them.
fn beyond(wall: bool) -> Vec<Block> {
    let floor = Block::new([-300.0, -300.0, -300.0], [300.0, 300.0, 0.0]);
    let side = Block::new([-300.0, -300.0, -300.0], [0.0, 300.0, 300.0]);
    if wall { vec![floor, side] } else { vec![floor] }
}

/// Blocks at the floor, far from the wall unless they are in the corner.
fn at_walls(random: &mut Random) -> Vec<(&'static str, Block)> {
    let turn = random_turn(random);
    let mut sunk = Block::new([-1.0, -0.6, -1.2], [1.0, 0.6, 1.2]);
    (sunk.centre, sunk.turn) = (Point::new(5.0, 0.0, 0.1) * H, turn);
    let mut leaning = sunk;
    leaning.centre = Point::new(0.5, 0.2, 0.3) * H;
    vec![
        ("standing", Block::new([4.0, -1.0, 0.0], [6.0, 1.0, 1.5])),
        ("a thin plate", Block::new([4.0, -3.0, 0.0], [9.0, 3.0, 0.05])),
        ("a column through", Block::new([4.0, -1.0, -2.0], [6.0, 1.0, 1.5])),
        ("flush from outside", Block::new([4.0, -3.0, -1.0], [9.0, 3.0, 0.0])),
        ("outside", Block::new([4.0, -3.0, -1.0], [9.0, 3.0, -0.2])),
        ("half sunk", sunk),
        ("in the corner", Block::new([0.0, -1.0, 0.0], [1.0, 1.0, 0.8])),
        ("through the corner", Block::new([-1.0, -1.0, -1.0], [1.0, 1.0, 0.8])),
        ("leaning in the corner", leaning),
    ]
}

/// A block elsewhere, and the motion that brings and turns it to where it is at 1 s.
fn brought(block: &Block, shift: Point) -> (TriangleMesh, KinematicLaw) {
    let axis = Unit::new_normalize(Point::new(0.3, -0.5, 0.8));
    let turn = AxisAngle { axis: axis.into_inner().into(), degrees: 40.0 };
    let rotation = Rotation3::from_axis_angle(&axis, turn.degrees.to_radians());
    let rest = Block { centre: block.centre - shift, ..*block }.turned(&rotation.inverse());
    let there = Keyframe { time: 1.0, shift: shift.into(), turn };
    let start = Keyframe { time: 0.0, shift: [0.0; 3], turn: AxisAngle { degrees: 0.0, ..turn } };
    (rest.mesh(), KinematicLaw::through([0.0; 3], &[start, there], false, false))
}

#[test]
fn bodies_that_move_against_each_other_count_once_while_they_meet() {
    let (table, mut random) = (table(), Random::new(30));
    let mut worst = 0.0;
    for (name, blocks) in pairs(&mut random) {
        let far = random.direction() * (20.0 * H);
        let brought: Vec<_> = blocks[1..].iter().map(|block| brought(block, far)).collect();
        let (rest, motions): (Vec<_>, Vec<_>) =
            brought.into_iter().map(|(rest, motion)| (rest, Some(motion))).unzip();
        let meshes = [&[blocks[0].mesh()], &rest[..]].concat();
        let motions = [&[None], &motions[..]].concat();
        let mut solids = Solids::new(far_walls(), vec![], meshes).with_kinematic_laws(motions);
        let mut union = UnionBoundary::new(&solids);
        assert!(!union.is_cut[..12].contains(&true), "{name} begins apart");
        solids.move_to(1.0);
        union.update(&solids);
        for _ in 0..3 {
            let x = to_vec3(&beside(&mut random, &blocks));
            let expected = by_rays(&table, &blocks, &to_point(&x));
            let found = told_of(&solids, &union, &x).0;
            let error = (f64::from(found.fraction) - expected).abs();
            worst = f64::max(worst, error);
            assert!(error < 5e-4, "{name} {x}: {found:?}, by rays {expected}");
        }
        solids.move_to(0.0);
        union.update(&solids);
        assert!(!union.is_cut[..12].contains(&true), "{name} is apart again");
    }
    println!("largest error of λ in relative motion {worst:.1e}");
}

#[test]
fn at_walls_a_mesh_adds_what_of_it_is_in_the_domain_standing_and_moving() {
    let (table, mut random) = (table(), Random::new(29));
    let mut worst = 0.0;
    for _ in 0..3 {
        for (name, block) in at_walls(&mut random) {
            let is_corner = name.contains("corner");
            let standing = Solids::new(floor_and_wall(), vec![], vec![block.mesh()]);
            let (rest, motion) = brought(&block, random.direction() * (2.0 * H));
            let mut moving = Solids::new(floor_and_wall(), vec![], vec![rest])
                .with_kinematic_laws(vec![Some(motion)]);
            let mut union_of_moving = UnionBoundary::new(&moving);
            moving.move_to(1.0);
            union_of_moving.update(&moving);
            let walls = Solids::new(floor_and_wall(), vec![], vec![]);
            let union = UnionBoundary::new(&standing);
            let solid = [&beyond(is_corner)[..], &[block]].concat();
            for _ in 0..4 {
                let x = loop {
                    let x = block.centre + random.point(-2.5 * H, 2.5 * H);
                    let least = solid.iter().map(|b| b.distance(&x)).fold(f64::INFINITY, f64::min);
                    if x.z < 0.7 * H && least > 0.15 * H && (!is_corner || x.x < 0.7 * H) {
                        break to_vec3(&x);
                    }
                };
                let (of_walls, _) = fraction_and_slopes(&walls, &x);
                let within = by_rays(&table, &solid, &to_point(&x))
                    - by_rays(&table, &beyond(is_corner), &to_point(&x));
                let expected = f64::from(of_walls.fraction) + within;
                let found = told_of(&standing, &union, &x).0;
                let error = (f64::from(found.fraction) - expected).abs();
                worst = f64::max(worst, error);
                assert!(error < 5e-4, "{name} {x}: {found:?}, expected {expected}");
                let moved = told_of(&moving, &union_of_moving, &x).0;
                let error = (moved.fraction - found.fraction).abs();
                assert!(error < 2e-5, "{name} {x}: {moved:?} moving, {found:?} standing");
            }
        }
    }
    println!("largest error of λ at walls {worst:.1e}");
}

/// Part of the slope that each body is told to add.
fn bears(solids: &Solids, x: [f64; 3]) -> Vec<f64> {
    let (_, slopes) = fraction_and_slopes(solids, &to_vec3(&(Point::from(x) * H)));
    let sum: f64 = slopes.iter().map(|(_, slope)| slope).sum();
    let of = |body: usize| slopes.iter().filter(move |(b, _)| *b == body).map(|(_, slope)| slope);
    (0..solids.body_count()).map(|body| of(body).sum::<f64>() / sum).collect()
}

#[test]
fn a_plate_bears_what_lies_on_it_on_a_wall_and_on_a_mesh() {
    let plate = Block::new([-9.0, -9.0, 0.0], [9.0, 9.0, 0.2]);
    let under = Block::new([-9.0, -9.0, -0.2], [9.0, 9.0, 0.0]);
    let block = Block::new([-20.0, -20.0, -5.0], [20.0, 20.0, 0.0]);
    let floor = Aabb::new(Vec3::new(-9.0, -9.0, 0.0), Vec3::repeat(9.0));
    for (name, domain, meshes, expected) in [
        ("on a wall", floor, vec![plate], vec![0.0, 1.0]),
        ("flush with a wall from outside", floor, vec![under], vec![0.0, 1.0]),
        (
            "outside, flush with a wall, beside another",
            floor,
            vec![under, plate],
            vec![0.0, 0.0, 1.0],
        ),
        ("on a mesh", far_walls(), vec![block, plate], vec![0.0, 0.0, 1.0]),
        (
            "on a mesh that holds another",
            far_walls(),
            vec![plate, under, block],
            vec![0.0, 1.0, 0.0, 0.0],
        ),
    ] {
        let meshes = meshes.iter().map(Block::mesh).collect();
        let solids = Solids::new(domain, vec![], meshes);
        for height in [0.25, 0.3, 0.45] {
            let top = if name.starts_with("on") { 0.2 } else { 0.0 };
            let found = bears(&solids, [0.3, -0.2, top + height]);
            let is_right = |(found, expected): (&f64, &f64)| (found - expected).abs() < 1e-3;
            assert!(found.iter().zip(&expected).all(is_right), "{name}: {found:?}");
        }
    }
}

#[test]
fn what_touches_nothing_keeps_its_triangles_and_a_sheet_its_faces() {
    let blocks = [
        Block::new([-1.0; 3], [1.0; 3]),
        Block::new([1.1, -1.0, -1.0], [2.0, 1.0, 1.0]),
        Block::new([-2.0; 3], [-1.2; 3]).turned(&Rotation3::new(Point::new(0.1, 0.2, 0.3))),
    ];
    let meshes: Vec<TriangleMesh> = blocks.iter().map(Block::mesh).collect();
    let apart = UnionBoundary::new(&Solids::new(far_walls(), vec![], meshes.clone()));
    assert!(apart.standing.list.is_empty() && apart.is_cut.iter().all(|cut| !cut));
    let twice = [meshes[0].clone(), meshes[0].clone()].to_vec();
    let hollow = Solids::new(far_walls(), vec![], twice.clone()).with_hollow(vec![true, true]);
    assert!(UnionBoundary::new(&hollow).is_cut.iter().all(|cut| !cut), "sheets are not cut");
    let solid = UnionBoundary::new(&Solids::new(far_walls(), vec![], twice));
    assert_eq!(solid.is_cut.iter().filter(|cut| **cut).count(), 12, "one of two counts");
}

/// Boxes between corners that single precision holds as well 1024 m away, whose λ is compared.
fn solids_at(boxes: &[[[Real; 3]; 2]], shift: Real) -> Solids {
    let at = |corner: [Real; 3]| Vec3::from(corner).add_scalar(shift);
    let mesh = |[min, max]: &[[Real; 3]; 2]| box_mesh(&Aabb::new(at(*min), at(*max)));
    let domain = Aabb::new(at([-9.0, -9.0, 0.0]), at([9.0; 3]));
    Solids::new(domain, vec![], boxes.iter().map(mesh).collect())
}

#[test]
fn thin_plates_count_far_from_the_origin_as_they_do_there() {
    const THIN: Real = 1.0 / 512.0;
    let plate = |z: Real| [[-0.375, -0.375, z], [0.375, 0.375, z + THIN]];
    let block = [[-0.5, -0.5, 0.75], [0.5, 0.5, 1.0]];
    for (name, boxes, top) in [
        ("alone", vec![plate(1.0)], 1.0 + THIN),
        ("on a block", vec![block, plate(1.0)], 1.0 + THIN),
        ("on another", vec![plate(1.0), plate(1.0 + THIN)], 1.0 + 2.0 * THIN),
        ("above another", vec![plate(1.0), plate(1.0 + 2.0 * THIN)], 1.0 + 3.0 * THIN),
        ("on the floor", vec![plate(0.0)], THIN),
    ] {
        let [here, there] = [0.0, 1024.0].map(|shift| {
            let solids = solids_at(&boxes, shift);
            let x = Vec3::new(0.0625, 0.03125, top + 8.0 * THIN).add_scalar(shift);
            fraction_and_slopes(&solids, &x).0.fraction
        });
        assert!(here > 0.01, "{name}: {here:?}");
        assert!((here - there).abs() < 1e-4, "{name}: {here:?} here, {there:?} there");
    }
}

#[test]
fn a_solid_without_thickness_adds_nothing_wherever_it_is() {
    for shift in [0.0, 1024.0] {
        let solids = solids_at(&[[[-0.375, -0.375, 1.0], [0.375, 0.375, 1.0]]], shift);
        let (found, _) = fraction_and_slopes(
            &solids,
            &Vec3::new(0.0625, 0.03125, 1.0 + 1.0 / 64.0).add_scalar(shift),
        );
        assert!(found.fraction.abs() < 1e-6, "at {shift}: {found:?}");
    }
}

#[test]
fn uncut_solids_are_those_where_none_is_near() {
    let near = [[-0.5, -0.5, 1.0], [0.5, 0.5, 1.25]];
    let solids = solids_at(&[near, near], 0.0);
    let (cut, uncut) = (UnionBoundary::new(&solids), UnionBoundary::uncut(&solids));
    let at = |union: &UnionBoundary, z: Real| told_of(&solids, union, &Vec3::new(0.0, 0.0, z)).0;
    assert_eq!(at(&cut, 2.0).fraction, at(&uncut, 2.0).fraction, "far from both");
    assert_ne!(at(&cut, 1.26).fraction, at(&uncut, 1.26).fraction, "two count twice");
}

/// Written by hand after public reports: two boxes that overlap by half, and their union.
#[test]
fn two_shells_that_overlap_are_what_their_boolean_union_is() {
    let read = |bytes: &[u8]| mesh::read(bytes).unwrap().mesh;
    let [shells, united, touching] = [
        &include_bytes!("../../../../tests/cases/files/obj_overlap_low.obj")[..],
        &include_bytes!("../../../../tests/cases/files/obj_overlap_low_united.obj")[..],
        &include_bytes!("../../../../tests/cases/files/obj_touching_boxes.obj")[..],
    ]
    .map(read);
    let mut random = Random::new(31);
    let floor = Aabb::new(Vec3::new(-9.0, -9.0, 0.0), Vec3::repeat(9.0));
    let bounds = touching.bounds();
    let beside = box_mesh(&bounds);
    for (pair, one, min) in [(shells, united, [0.0; 3]), (touching, beside, bounds.min.into())] {
        let solids = [pair, one].map(|mesh| Solids::new(floor, vec![], vec![mesh]));
        let unions = solids.each_ref().map(UnionBoundary::new);
        let top = solids[0].meshes[0].bounds().max;
        let mut worst: [f64; 2] = [0.0; 2];
        for _ in 0..200 {
            let over = Point::from_fn(|a, _| random.number(f64::from(min[a]), f64::from(top[a])));
            let height = f64::from(top.z) + random.number(0.2, 0.7) * H;
            let x = to_vec3(&Point::new(over.x, over.y, height));
            let [a, b] = [0, 1].map(|k| told_of(&solids[k], &unions[k], &x).0);
            worst[0] = worst[0].max(f64::from((a.fraction - b.fraction).abs()));
            worst[1] = worst[1].max(f64::from((a.gradient - b.gradient).norm()) * H);
        }
        println!("two shells against their union: λ {:.1e}, h∇λ {:.1e}", worst[0], worst[1]);
        assert!(worst[0] < 1e-4 && worst[1] < 1e-3, "{worst:?}");
    }
}
