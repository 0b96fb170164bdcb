//! Particles that deforming surfaces carry: as rigid ones do, in slits, and on folds.

use crate::precision::{to_point, to_vec3};
use crate::{AxisAngle, BodySpec, Keyframe, KinematicLaw, Solids, Sphere, SurfaceId, SweepBuffer};
use hashfall_core::{Real, Vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, Point, TriangleMesh};

const R: Real = 0.02;
/// More than the skin that a centre keeps.
const SKIN: Real = 1.5e-4 * R;

fn far_walls() -> Aabb {
    Aabb::new(Vec3::repeat(-9.0), Vec3::repeat(9.0))
}

/// A square sheet at z = 0 of `n` × `n` cells, `half` to each side.
fn sheet(n: u32, half: Real) -> TriangleMesh {
    let at = |k: u32| half * (2.0 * k as Real / n as Real - 1.0);
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| Vec3::new(at(i), at(j), 0.0)));
    let mut triangles = Vec::new();
    for (j, i) in (0..n).flat_map(|j| (0..n).map(move |i| (j, i))) {
        let a = j * (n + 1) + i;
        let [b, c, d] = [a + 1, a + n + 2, a + n + 1];
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    TriangleMesh { vertices: vertices.collect(), triangles }
}

/// Moves the vertices of the first deforming mesh as a step of `dt` \[s\] does.
fn deform(solids: &mut Solids, dt: f64, to: impl Fn(&Point) -> Point) {
    let mesh = solids.deforming_meshes().next().unwrap();
    let start = solids.deforming_positions(mesh).unwrap().to_vec();
    let end: Vec<Point> = start.iter().map(to).collect();
    let velocity: Vec<Point> = start.iter().zip(&end).map(|(a, b)| (b - a) / dt).collect();
    solids.begin_step(dt, dt);
    solids.set_deforming(mesh, &end, &velocity).unwrap();
    solids.move_bodies();
}

fn pushed(solids: &Solids, x: &Vec3) -> Vec3 {
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    solids.push_out(&objects, x, R, &mut SweepBuffer::default()).0
}

fn distance(solids: &Solids, x: &Vec3) -> Real {
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    solids.distance(&objects, x)
}

#[test]
fn a_body_that_is_moved_vertex_by_vertex_pushes_as_the_same_body_does() {
    let mut random = Random::new(31);
    let mut moved = 0;
    for case in 0..40 {
        let mesh = match case % 2 {
            0 => box_mesh(&Aabb::new(Vec3::new(-5.0, -5.0, -0.005), Vec3::new(5.0, 5.0, 0.005))),
            _ => sphere_mesh(&Vec3::zeros(), 0.2, 3),
        };
        // A ball turns away whom it pushes far, here on one straight way and there on many.
        let farthest = if case % 2 == 0 { 0.5 } else { 0.5 * f64::from(R) };
        let way: Point = random.direction() * random.number(0.0, farthest);
        let still = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
        let key = |time, shift: Point| Keyframe { time, shift: shift.into(), turn: still };
        let keys = [key(0.0, Point::zeros()), key(1.0, way)];
        let law = KinematicLaw::through([0.0; 3], &keys, false, false);
        let mut rigid = Solids::new(far_walls(), vec![], vec![mesh.clone()])
            .with_kinematic_laws(vec![Some(law)]);
        rigid.begin_step(1.0, 1.0);
        rigid.move_bodies();
        let mut soft = Solids::new(far_walls(), vec![], vec![mesh]).with_deforming(&[true]);
        deform(&mut soft, 1.0, |x| x + way);
        assert_eq!(soft.meshes()[0], rigid.meshes()[0]);
        for _ in 0..100 {
            let near = if case % 2 == 0 { 0.5 } else { 0.15 };
            let x = to_vec3(&random.point(-near, near));
            if (case % 2 == 0 && x.z.abs() < 0.005 + R) || (case % 2 == 1 && x.norm() < 0.2 + R) {
                continue;
            }
            let [a, b] = [pushed(&rigid, &x), pushed(&soft, &x)];
            let off = if case % 2 == 0 { SKIN } else { 0.1 * R };
            assert!((a - b).norm() <= off, "{case}: {x} to {a} and {b}");
            assert!(distance(&soft, &b) > R - SKIN, "{case}: {x} to {b}");
            moved += u32::from(b != x);
        }
    }
    assert!(moved > 200, "{moved}");
}

#[test]
fn between_a_sheet_and_a_wall_or_a_plate_a_particle_stays_halfway() {
    let far = far_walls();
    let floor = Aabb::new(Vec3::new(far.min.x, far.min.y, 0.0), far.max);
    let plate = || box_mesh(&Aabb::new(Vec3::new(-5.0, -5.0, -0.1), Vec3::new(5.0, 5.0, 0.0)));
    let high = |mut mesh: TriangleMesh| {
        mesh.vertices.iter_mut().for_each(|x| x.z += 0.1);
        mesh
    };
    let on_floor = || Solids::new(floor, vec![], vec![high(sheet(8, 0.4))]).with_hollow(vec![true]);
    let on_plate = || {
        Solids::new(far, vec![], vec![plate(), high(sheet(8, 0.4))]).with_hollow(vec![false, true])
    };
    for gap in [1.5, 1.0, 0.2, 0.05].map(|gap| gap * f64::from(R)) {
        for from in [0.02, 0.03, 0.07] {
            for (k, solids) in [on_floor(), on_plate()].into_iter().enumerate() {
                let mut solids = solids.with_deforming(&[k == 0, k == 1]);
                deform(&mut solids, 0.1, |x| Point::new(x.x, x.y, gap));
                let x = Vec3::new(0.013, -0.021, from);
                let at = pushed(&solids, &x);
                assert!((at.z - 0.5 * gap as Real).abs() < 2e-3 * R, "{gap} {k}: {at}");
                assert!((at - x).xy().norm() < 1e-5, "{at}");
            }
        }
        // A sheet that goes into the floor keeps who is under it there.
        let mut solids = on_floor().with_deforming(&[true]);
        deform(&mut solids, 0.1, |x| Point::new(x.x, x.y, -gap));
        let at = pushed(&solids, &Vec3::new(0.013, -0.021, 0.03));
        assert!(f64::from(at.z) < -gap && f64::from(at.z) > -gap - f64::from(R), "{gap}: {at}");
    }
}

#[test]
fn a_sheet_that_folds_takes_along_who_lies_on_it() {
    // The half x > 0 turns up about the y axis, in steps, by 160 degrees in all.
    let mut solids = Solids::new(far_walls(), vec![], vec![sheet(16, 0.4)])
        .with_hollow(vec![true])
        .with_deforming(&[true]);
    let (steps, rest) = (40, solids.meshes()[0].clone());
    let mut all: Vec<Vec3> = (-9..10)
        .flat_map(|i| {
            (-9..10).map(move |j| {
                Vec3::new(0.04, 0.04, 0.0).component_mul(&Vec3::new(i as Real, j as Real, 0.0))
            })
        })
        .flat_map(|x| [x + Vec3::z() * 0.021, x - Vec3::z() * 0.021])
        .collect();
    let side: Vec<bool> = all.iter().map(|x| x.z > 0.0).collect();
    for step in 1..=steps {
        let (sin, cos) = (160_f64.to_radians() * f64::from(step) / f64::from(steps)).sin_cos();
        let mesh = solids.deforming_meshes().next().unwrap();
        let end: Vec<Point> = rest
            .vertices
            .iter()
            .map(to_point)
            .map(|x| if x.x > 0.0 { Point::new(x.x * cos, x.y, x.x * sin) } else { x })
            .collect();
        solids.begin_step(f64::from(step), 1.0);
        solids.set_deforming(mesh, &end, &vec![Point::zeros(); end.len()]).unwrap();
        solids.move_bodies();
        for x in &mut all {
            *x = pushed(&solids, x);
        }
    }
    // Those that were over the sheet are within the fold or out of its mouth.
    let (sin, cos) = 160_f64.to_radians().sin_cos();
    for (x, over) in all.iter().zip(side) {
        let x = to_point(x);
        if x.y.abs() > 0.35 || x.xz().norm() > 0.35 {
            continue;
        }
        // Seen from the hinge, the fold is the wedge between 160 and 180 degrees.
        let over_left = x.z > 0.0;
        let over_right = x.z * cos - x.x * sin > 0.0;
        assert_eq!(over_left && over_right, over, "{x}");
    }
}

#[test]
fn a_surface_that_deforms_moves_as_its_nearest_point() {
    let of = BodySpec { meshes: 1, ..BodySpec::default() };
    let mut solids = Solids::new(far_walls(), vec![], vec![sheet(1, 1.0), sheet(4, 0.5)])
        .with_bodies(&[of, of])
        .with_hollow(vec![true, true])
        .with_deforming(&[false, true]);
    let surface = SurfaceId::from_entry(1);
    // A stretch, in which the velocity is a field; x doubles within half a second.
    deform(&mut solids, 0.5, |x| Point::new(2.0 * x.x, x.y, 0.1 * x.y));
    let objects: Vec<u32> = (0..solids.object_count() as u32).collect();
    let along = solids.surface_velocity(&objects, surface, &Point::new(0.3, 0.2, 0.02));
    assert!((along - Point::new(0.3, 0.0, 0.04)).norm() < 1e-7, "{along}");
    // Past the rim the rim counts; other surfaces do not.
    let beyond = solids.surface_velocity(&objects, surface, &Point::new(7.0, 0.0, 0.0));
    assert!((beyond - Point::new(1.0, 0.0, 0.0)).norm() < 1e-7, "{beyond}");
    let other = SurfaceId::from_entry(0);
    assert_eq!(solids.surface_velocity(&objects, other, &Point::zeros()), Point::zeros());
    assert!(solids.has_moved(surface) && !solids.has_moved(other));
    assert!((solids.max_displacement() - 0.5_f64.hypot(0.05)).abs() < 1e-7);
    let rest = vec![Point::zeros(); 25];
    let back: Vec<Point> = sheet(4, 0.5).vertices.iter().map(to_point).collect();
    solids.place_deforming(1, &back, &rest).unwrap();
    assert!(!solids.has_moved(surface) && solids.max_displacement() == 0.0);
    assert!(solids.set_deforming(0, &back, &rest).is_err());
    assert!(solids.set_deforming(1, &back[1..], &rest[1..]).is_err());
    let message = solids.set_deforming(1, &back, &rest[1..]).unwrap_err().to_string();
    assert!(message.contains("25 vertices, but 24"), "{message}");
}

#[test]
fn a_ball_that_moves_pushes_through_a_sheet_what_the_sheet_lets_go() {
    // A ball rises under a sheet that rises with it; those between stay between.
    let ball = Sphere { centre: Vec3::new(0.0, 0.0, -0.1), radius: 0.05 };
    let still = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
    let key = |time, z| Keyframe { time, shift: [0.0, 0.0, z], turn: still };
    let law = KinematicLaw::through([0.0; 3], &[key(0.0, 0.0), key(1.0, 0.3)], false, false);
    let of = |spheres, meshes| BodySpec { spheres, meshes, ..BodySpec::default() };
    let mut solids = Solids::new(far_walls(), vec![ball], vec![sheet(8, 0.4)])
        .with_bodies(&[of(1, 0), of(0, 1)])
        .with_hollow(vec![true])
        .with_kinematic_laws(vec![Some(law)])
        .with_deforming(&[false, true]);
    deform(&mut solids, 1.0, |x| x + Point::new(0.0, 0.0, 0.3));
    let x = Vec3::new(0.003, 0.002, -0.025);
    let at = pushed(&solids, &x);
    assert!(at.z < 0.3 - R + SKIN && distance(&solids, &at) > R - SKIN, "{at}");
    // And over the sheet everyone is over it.
    let at = pushed(&solids, &Vec3::new(0.1, 0.0, 0.15));
    assert!((at.z - 0.3 - R).abs() < 2.0 * SKIN, "{at}");
}
