//! Bodies that move: whom they push, what their clones share, and how states restore them.

use super::kinematic_law::KinematicLaw;
use super::states::DriveError;
use crate::precision::{to_point, to_vec3};
use crate::solids::Solids;
use crate::surfaces::SurfaceId;
use crate::{AxisAngle, BodySpec, Keyframe, Sphere, SweepBuffer};
use hashfall_core::{Real, Vec3, vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point};
use std::sync::Arc;

const R: Real = 0.02;

fn far_walls() -> Aabb {
    Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0))
}

/// In a second by `shift` and `degrees` about an axis.
fn leap(shift: [f64; 3], axis: [f64; 3], degrees: f64) -> KinematicLaw {
    let key = |time, shift, degrees| Keyframe { time, shift, turn: AxisAngle { axis, degrees } };
    KinematicLaw::through(
        [0.0; 3],
        &[key(0.0, [0.0; 3], 0.0), key(1.0, shift, degrees)],
        false,
        false,
    )
}

fn pushed_out(solids: &Solids, x: &Vec3) -> Vec3 {
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    let mut buffer = SweepBuffer::default();
    let (place, short) = solids.push_out(&objects, x, R, &mut buffer);
    assert_eq!(short, 0.0);
    place
}

#[test]
fn a_plate_that_leaps_over_many_radii_has_everyone_on_the_side_where_they_were() {
    let plate = || box_mesh(&Aabb::new(Vec3::new(-5.0, -5.0, -0.005), Vec3::new(5.0, 5.0, 0.005)));
    let mut random = Random::new(17);
    let (mut pushed, mut stayed) = (0, 0);
    for leap_number in 0..40 {
        let axis: [f64; 3] = random.direction().into();
        let shift: [f64; 3] = (random.direction() * random.number(0.0, 0.5)).into();
        let motion = leap(shift, axis, random.number(-40.0, 40.0));
        let mut solids = Solids::new(far_walls(), vec![], vec![plate()])
            .with_kinematic_laws(vec![Some(motion.clone())]);
        solids.move_to(1.0);
        let (pose, _) = motion.at(1.0);
        for _ in 0..100 {
            let x = to_vec3(&random.point(-0.6, 0.6));
            if x.z.abs() < 0.006 + R {
                continue;
            }
            let place = pushed_out(&solids, &x);
            let seen = pose.turn.transpose() * (to_point(&place) - pose.shift);
            let height = seen.z * f64::from(x.z).signum() - 0.005;
            assert!(height > 0.9999 * f64::from(R), "{leap_number}: {x} is at {height}");
            if place == x { stayed += 1 } else { pushed += 1 }
        }
    }
    assert!(pushed > 500 && stayed > 500, "{pushed} {stayed}");
}

#[test]
fn round_bodies_that_leap_push_everyone_out() {
    let mut random = Random::new(18);
    let centre = vec3([0.1, 0.0, -0.1]);
    let ball = Sphere { centre, radius: 0.15 };
    for is_mesh in [false, true] {
        let (balls, meshes) = if is_mesh {
            (vec![], vec![sphere_mesh(&centre, 0.15, 3)])
        } else {
            (vec![ball], vec![])
        };
        let obstacle =
            BodySpec { spheres: balls.len(), meshes: meshes.len(), ..BodySpec::default() };
        let motion = leap([0.2, 0.1, 0.4], [0.0, 1.0, 0.0], 70.0);
        let mut solids = Solids::new(far_walls(), balls, meshes)
            .with_bodies(&[obstacle])
            .with_kinematic_laws(vec![Some(motion.clone())]);
        solids.move_to(1.0);
        assert!(solids.max_displacement() > 0.4);
        let now = motion.at(1.0).0.apply(&to_point(&centre));
        let mut pushed = 0;
        for _ in 0..3000 {
            let x = to_vec3(&random.point(-0.6, 0.6));
            if (x - centre).norm() < 0.16 + R {
                continue;
            }
            let place = pushed_out(&solids, &x);
            let gap = (to_point(&place) - now).norm() - 0.15 - f64::from(R);
            assert!(gap > if is_mesh { -0.002 } else { -1e-6 }, "{x}: {gap}");
            pushed += u32::from(place != x);
        }
        assert!(pushed > 50, "{pushed}");
    }
}

#[test]
fn a_step_there_and_back_leaves_geometry_and_bounds_as_they_were() {
    let mesh = sphere_mesh(&vec3([0.3, 0.2, 0.1]), 0.2, 2);
    let motion = leap([0.5, 0.0, 0.0], [1.0, 1.0, 0.0], 100.0);
    let mut solids =
        Solids::new(far_walls(), vec![], vec![mesh]).with_kinematic_laws(vec![Some(motion)]);
    let start = solids.object_boxes();
    solids.move_to(0.7);
    assert_ne!(solids.object_boxes(), start);
    assert_eq!(solids.moving_boxes().collect::<Vec<_>>(), solids.object_boxes());
    solids.move_to(0.0);
    assert_eq!(solids.object_boxes(), start);
}

#[test]
fn clones_share_what_never_changes_and_what_stands() {
    let ball = Sphere { centre: Vec3::zeros(), radius: 0.1 };
    let meshes = [0.0, 1.0].map(|x| sphere_mesh(&Vec3::new(x, 1.0, 0.0), 0.1, 1));
    let motion = leap([0.5, 0.0, 0.0], [1.0, 1.0, 0.0], 100.0);
    let solids = Solids::new(far_walls(), vec![ball], meshes.to_vec()).with_kinematic_laws(vec![
        None,
        None,
        Some(motion),
    ]);
    let mut other = solids.clone();
    assert_eq!(other, solids);
    other.move_to(0.5);
    assert_ne!(other, solids);
    assert!(Arc::ptr_eq(&other.shapes, &solids.shapes));
    assert!(Arc::ptr_eq(&other.spheres, &solids.spheres));
    assert!(Arc::ptr_eq(&other.meshes[0], &solids.meshes[0]));
    assert!(other.meshes[1] != solids.meshes[1] && other.triangles != solids.triangles);
}

#[test]
fn states_take_bodies_back_to_where_they_were() {
    let mesh = sphere_mesh(&vec3([0.3, 0.2, 0.1]), 0.2, 2);
    let motion = KinematicLaw::spin([0.1, 0.2, 0.0], [0.0, 1.0, 1.0], 60.0);
    let mut solids =
        Solids::new(far_walls(), vec![], vec![mesh]).with_kinematic_laws(vec![Some(motion)]);
    solids.move_to(0.3);
    let (before, states, digest) =
        (solids.clone(), solids.body_states().to_vec(), solids.body_digest());
    solids.begin_step(0.4, 0.1);
    solids.move_bodies();
    solids.end_step();
    assert_ne!(solids.body_digest(), digest);
    let mut direct = before.clone();
    direct.move_to(0.4);
    assert_eq!(solids, direct, "a step sets the state by the motion");
    solids.restore(&states);
    let x = Point::new(0.2, 0.3, 0.1);
    let at = |solids: &Solids| solids.velocity(SurfaceId::from_entry(0), &x);
    assert_eq!((&solids, solids.object_boxes()), (&before, before.object_boxes()));
    assert_eq!((at(&solids), solids.body_digest()), (at(&before), digest));
}

#[test]
fn a_driven_body_moves_by_the_velocity_that_it_is_given() {
    let ball = |x: Real| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.1 };
    let of = BodySpec { spheres: 1, ..BodySpec::default() };
    let mut solids = Solids::new(far_walls(), vec![ball(0.0), ball(1.0)], vec![])
        .with_bodies(&[of, of])
        .with_kinematic_laws(vec![None, Some(KinematicLaw::driven([1.0, 0.0, 0.0]))]);
    let (velocity, spin) = (Point::new(0.5, 0.0, -1.0), Point::zeros());
    assert_eq!(solids.set_body_velocity(1, velocity, spin), Err(DriveError::NotDriven(1)));
    assert_eq!(
        solids.set_body_velocity(2, velocity * f64::NAN, spin),
        Err(DriveError::NotFinite(2))
    );
    solids.set_body_velocity(2, velocity, spin).unwrap();
    assert_eq!(solids.max_speed(0.0, 1.0), velocity.norm());
    for step in 1..=4 {
        solids.begin_step(0.25 * f64::from(step), 0.25);
        solids.move_bodies();
        solids.end_step();
    }
    assert_eq!(solids.body_state(2).unwrap().position, Point::new(1.5, 0.0, -1.0));
    assert_eq!(solids.spheres()[1].centre, Vec3::new(1.5, 0.0, -1.0));
    assert_eq!(solids.spheres()[0], ball(0.0));
    let mut mirrored = *solids.body_state(2).unwrap();
    mirrored.orientation = (-mirrored.orientation.matrix()).into();
    assert_eq!(solids.set_body_state(2, mirrored), Err(DriveError::NotARotation(2)));
}

#[test]
fn who_moves_is_told_by_objects_meshes_and_balls() {
    let ball = |x: Real| Sphere { centre: Vec3::new(x, 0.0, 0.0), radius: 0.1 };
    let meshes = [0.0, 1.0, 2.0].map(|x| sphere_mesh(&Vec3::new(x, 1.0, 0.0), 0.1, 0));
    let of = |spheres, meshes| BodySpec { spheres, meshes, ..BodySpec::default() };
    let still = || Some(leap([0.0; 3], [0.0, 0.0, 1.0], 0.0));
    let solids = Solids::new(far_walls(), vec![ball(0.0), ball(1.0), ball(2.0)], meshes.to_vec())
        .with_bodies(&[of(0, 1), of(1, 0), of(2, 0), of(0, 2)])
        .with_kinematic_laws(vec![None, still(), None, still()]);
    assert_eq!(solids.moving_obstacles().collect::<Vec<_>>(), [1, 3]);
    let expected: Vec<u32> = [0].into_iter().chain(3 + 20..3 + 60).collect();
    assert_eq!(solids.moving_objects().collect::<Vec<_>>(), expected);
    assert_eq!([0, 1, 2].map(|mesh| solids.is_moving_mesh(mesh)), [false, true, true]);
    assert!(solids.has_moving_balls());
}

/// A plate over the floor, which comes down to the height `gap` \[m\]; below 0 it goes through.
fn pressed(gap: Real) -> Solids {
    let far = far_walls();
    let floor = Aabb::new(Vec3::new(far.min.x, far.min.y, 0.0), far.max);
    let plate = box_mesh(&Aabb::new(Vec3::new(-5.0, -5.0, 0.1), Vec3::new(5.0, 5.0, 0.2)));
    let mut solids = Solids::new(floor, vec![], vec![plate]).with_kinematic_laws(vec![Some(leap(
        [0.0, 0.0, f64::from(gap) - 0.1],
        [0.0, 0.0, 1.0],
        0.0,
    ))]);
    solids.move_to(1.0);
    solids
}

#[test]
fn a_particle_stays_halfway_between_a_plate_and_a_wall_that_leave_it_no_room() {
    let mut buffer = SweepBuffer::default();
    for gap in [1.5 * R, R, 0.2 * R] {
        let solids = pressed(gap);
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        for from in [R, 2.0 * R, 0.04] {
            let x = Vec3::new(0.3, -0.1, from);
            let (place, _) = solids.push_out(&objects, &x, R, &mut buffer);
            assert!((place.z - 0.5 * gap).abs() < 1e-3 * R, "{gap}: {place}");
            assert!((place - x).xy().norm() < 1e-6, "{place}");
            // A sweep leaves it there, and tells how deep it is in both.
            let contact = solids.sweep(&objects, &place, &place, &Vec3::zeros(), R, &mut buffer);
            assert!((contact.position - place).norm() < 1e-3 * R, "{contact:?}");
            assert!((contact.penetration - (R - 0.5 * gap)).abs() < 1e-3 * R, "{contact:?}");
        }
    }
}

#[test]
fn a_plate_that_goes_through_a_wall_holds_a_particle_in_front_of_it() {
    let solids = pressed(-0.05);
    let place = {
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        let x = Vec3::new(0.3, -0.1, R);
        solids.push_out(&objects, &x, R, &mut SweepBuffer::default()).0
    };
    assert!(place.z < -0.05 && place.z > -0.05 - 0.1 * R, "{place}");
    // Nothing gets past the plate where it stands in the wall.
    for gap in [-0.05, 0.0] {
        let (solids, x) = (pressed(gap), Vec3::new(0.3, -0.1, gap - 0.01 * R));
        let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
        for way in [Vec3::z() * R, Vec3::new(0.1, 0.0, 3.0 * R), Vec3::new(0.1, 0.0, 0.0)] {
            let to = x + way;
            let contact = solids.sweep(&objects, &x, &to, &way, R, &mut SweepBuffer::default());
            assert!(contact.position.z < gap, "{gap} {way}: {contact:?}");
        }
    }
    assert!(solids.is_near_moving(&place, R) && !solids.is_near_moving(&(place * 2.0), R));
    let balls = vec![Sphere { centre: Vec3::repeat(0.5), radius: 0.1 }];
    assert!(!Solids::new(far_walls(), balls, vec![]).is_near_moving(&Vec3::repeat(0.5), R));
}

#[test]
fn a_particle_deep_in_a_wall_comes_out_as_far_as_a_mesh_lets_it() {
    let far = far_walls();
    let floor = Aabb::new(Vec3::new(far.min.x, far.min.y, 0.0), far.max);
    let plate = box_mesh(&Aabb::new(Vec3::new(-5.0, -5.0, -0.03), Vec3::new(5.0, 5.0, 0.2)));
    let solids = Solids::new(floor, vec![], vec![plate]);
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    let x = Vec3::new(0.3, -0.1, -0.09);
    let contact = solids.sweep(&objects, &x, &x, &Vec3::zeros(), R, &mut SweepBuffer::default());
    assert!(contact.position.z > -0.05 && contact.position.z < -0.03, "{contact:?}");
}
