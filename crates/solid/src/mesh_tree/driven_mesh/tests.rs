//! Driven meshes by what is kept in their frames, against all triangles where they are.

use crate::integral::{NearSolids, PlaneTable, SolidFraction, SolidLayers};
use crate::{BodySpec, BodyState, KinematicLaw, Solids, UnionBoundary};
use hashfall_bodies::AxisRotation;
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Dimension, Real, Vec3, vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::sphere_mesh;
use hashfall_geometry::{Aabb, Point, TriangleMesh};
use std::sync::Arc;

const H: f64 = 0.04;

/// A ball of 320 triangles, with bumps that make it concave or without, moved.
fn stone(radius: f64, bumps: f64, centre: [f64; 3]) -> TriangleMesh {
    let mut mesh = sphere_mesh(&Vec3::zeros(), 1.0, 2);
    for v in &mut mesh.vertices {
        let [x, y, z] = [0, 1, 2].map(|a| f64::from(v[a]));
        let wave = (7.0 * x).sin() * (8.0 * y).sin() * (6.0 * z).cos();
        let size = radius * (1.0 + bumps * wave);
        *v = vec3([0, 1, 2].map(|a| [x, y, z][a] * size + centre[a]));
    }
    mesh
}

/// Driven stones in a box, each a body about its centre.
fn driven(stones: &[(f64, f64, [f64; 3])]) -> Solids {
    let meshes = stones.iter().map(|(radius, bumps, c)| stone(*radius, *bumps, *c)).collect();
    let far = Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(1.0));
    let specs = vec![BodySpec { meshes: 1, ..BodySpec::default() }; stones.len()];
    let laws = stones.iter().map(|(.., centre)| Some(KinematicLaw::driven(*centre)));
    Solids::new(far, vec![], meshes).with_bodies(&specs).with_kinematic_laws(laws.collect())
}

/// Puts a body at a place, turned.
fn put(solids: &mut Solids, body: usize, position: [f64; 3], degrees: f64) {
    let axis = Point::new(0.48, 0.6, 0.64);
    let orientation = AxisRotation::from_degrees(&axis, degrees).matrix().into();
    let state = BodyState { orientation, ..BodyState::at_rest(position.into()) };
    solids.set_body_state(body, state).unwrap();
}

/// Two stones beside each other, of one shape but for where they are.
fn pair(radius: f64, bumps: f64, gap: f64) -> Solids {
    let far = 2.0 * radius + gap;
    let mut solids = driven(&[(radius, bumps, [0.3, 0.1, 0.0]), (radius, bumps, [-0.5, 0.2, 0.4])]);
    solids.make_trees();
    put(&mut solids, 1, [0.0; 3], 50.0);
    put(&mut solids, 2, [far, 0.3 * H, 0.0], -20.0);
    solids
}

#[test]
fn particles_see_what_all_triangles_are() {
    let kernel = Kernel::new(KernelKind::CubicSpline, Dimension::Three, H as Real);
    let layers = SolidLayers::new(kernel, (0.5 * H) as Real);
    let (table, reach) = (PlaneTable::new(&layers), H as Real);
    for (name, bumps, radius) in [("round", 0.0, H), ("large", 0.0, 3.0 * H), ("bumpy", 0.2, H)] {
        let solids = pair(radius, bumps, 0.7 * H);
        let mut union = UnionBoundary::new(&solids);
        union.find_thin(&solids, layers.reach());
        assert!(!union.has_opaque());
        let mut fine = union.clone();
        fine.keep_fields(&solids, reach);
        assert!(solids.indexed_objects().is_empty());
        let all: Vec<u32> = (0..solids.object_count() as u32).collect();
        let [mut expected, mut found] = [NearSolids::default(), NearSolids::default()];
        let mut random = Random::new(5);
        let (mut queries, mut several) = (0, 0);
        let (mut worst, mut turned, mut square) = (0.0_f64, 0.0_f64, 0.0);
        while queries < 1500 {
            let middle = Point::new(0.5 * (2.0 * radius + 0.7 * H), 0.0, 0.0);
            let wide = radius + 1.5 * H;
            let x = vec3((middle + random.point(-wide, wide)).into());
            solids.near(&all, &x, reach, &union, &table, &mut expected);
            let nearest = expected.surfaces().iter().fold(reach, |d, s| d.min(s.distance));
            if !(0.25 * reach..reach).contains(&nearest) {
                continue;
            }
            queries += 1;
            solids.near(&[], &x, reach, &fine, &table, &mut found);
            assert_eq!(found.surfaces().len(), expected.surfaces().len(), "{name} {x}");
            several += usize::from(expected.surfaces().len() > 1);
            for (a, b) in found.surfaces().iter().zip(expected.surfaces()) {
                assert!((a.distance - b.distance).abs() < 1e-5 * reach, "{name} {x}");
                // Of triangles as near but for rounding, either may be told.
                assert!((a.normal - b.normal).norm() < 1e-3, "{name} {x}: {a:?} {b:?}");
                assert_eq!(a.surface, b.surface, "{name} {x}");
            }
            let [a, b] = [&found, &expected]
                .map(|near| SolidFraction::from_near(&layers, near, |_, _, _| ()));
            let error = f64::from((a.fraction - b.fraction).abs());
            (worst, square) = (worst.max(error), square + error * error);
            turned = turned.max(f64::from((a.gradient - b.gradient).norm()) * H);
        }
        let (rms, bytes) = ((square / 1500.0).sqrt(), fine.bytes_of_fields());
        println!(
            "{name}: λ {worst:.1e} (rms {rms:.1e}), h∇λ {turned:.1e}, {several} with more faces \
             than one, {bytes} bytes for both"
        );
        assert!(worst < 3e-4 && turned < 4e-3 && several > 20, "{name}: {worst} {turned}");
    }
}

#[test]
fn meshes_of_one_shape_share_what_is_kept_of_it() {
    let stones = [
        (H, 0.1, [0.3, 0.1, 0.0]),
        (H, 0.1, [-0.5, 0.2, 0.4]),
        (1.01 * H, 0.1, [0.0, 0.4, 0.0]),
        (H, 0.12, [0.0, 0.0, 0.7]),
    ];
    let solids = driven(&stones);
    solids.make_trees();
    let kept = |mesh: usize| &solids.driven_mesh(mesh).unwrap().fine;
    let is_shared = |a, b| Arc::ptr_eq(kept(a), kept(b));
    assert!(is_shared(0, 1));
    // What no other has is not fine.
    assert!(solids.driven_mesh(2).is_none() && solids.driven_mesh(3).is_none());
    let of_others = 2 * solids.meshes()[2].triangles.len();
    assert_eq!(solids.moving_objects().count(), of_others);
    assert_eq!(solids.indexed_objects(), solids.moving_objects().collect::<Vec<_>>());
}

#[test]
fn of_a_convex_mesh_all_is_behind_its_nearest_face_and_of_others_it_is_not_said() {
    let closed = |bumps: f64| {
        let mesh = stone(H, bumps, [0.2; 3]);
        (0..mesh.triangles.len()).map(|t| mesh.corners(t)).collect::<Vec<_>>()
    };
    let protrusion =
        |triangles: Vec<[Vec3; 3]>| super::FineMesh::new(&triangles).protrusion(&triangles);
    assert!(protrusion(closed(0.0)).unwrap() < 1e-5 * H);
    assert!(protrusion(closed(0.2)).unwrap() > 0.05 * H);
    let open = closed(0.0).into_iter().take(300).collect();
    assert_eq!(protrusion(open), None);
}

/// As bodies do that a solver of contacts left in each other, or apart.
#[test]
fn bodies_that_touch_are_not_cut_and_those_that_overlap_are() {
    for (gap, meets) in [(0.01, false), (-0.0004, false), (-0.05, true), (-0.5, true)] {
        let mut solids = driven(&[(H, 0.0, [0.3, 0.1, 0.0]), (H, 0.0, [-0.5, 0.2, 0.4])]);
        solids.make_trees();
        put(&mut solids, 1, [0.0; 3], 0.0);
        let far = |axis: usize| {
            let mesh = &solids.meshes()[0].bounds();
            f64::from(mesh.extent()[axis])
        };
        // Balls of triangles have corners on the axes: tip to tip.
        let place = [far(0) + gap * H, 0.0, 0.0];
        put(&mut solids, 2, place, 0.0);
        let mut union = UnionBoundary::new(&solids);
        union.keep_fields(&solids, H as Real);
        assert_eq!(union.member(0).is_cut, meets, "{gap}");
        // In any order of time.
        put(&mut solids, 2, [5.0 * H, 0.0, 0.0], 0.0);
        union.update(&solids);
        assert!(!union.member(0).is_cut);
        put(&mut solids, 2, place, 0.0);
        union.update(&solids);
        assert_eq!(union.member(0).is_cut, meets, "{gap}");
    }
}

#[test]
fn the_broad_phase_knows_no_triangle_of_theirs_and_places_near_them_are_told() {
    let mut solids = driven(&[(H, 0.1, [0.3, 0.1, 0.0]), (H, 0.1, [-0.3, 0.1, 0.0])]);
    assert_eq!((solids.moving_objects().count(), solids.moving_boxes().count()), (0, 0));
    put(&mut solids, 1, [0.0; 3], 30.0);
    let place = |x: f64| vec3([x * H, 0.0, 0.0]);
    let reach = (0.5 * H) as Real;
    assert!(
        solids.is_near_moving(&place(1.2), reach) && !solids.is_near_moving(&place(2.0), reach)
    );
    put(&mut solids, 1, [H, 0.0, 0.0], 30.0);
    assert!(
        solids.is_near_moving(&place(2.2), reach) && !solids.is_near_moving(&place(-0.8), reach)
    );
}
