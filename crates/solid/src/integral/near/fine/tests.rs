//! Fine meshes by their hierarchies, against a look at every triangle.

use crate::integral::{NearSolids, PlaneTable, SolidFraction, SolidLayers};
use crate::{
    AxisAngle, BodySpec, Keyframe, KinematicLaw, Solids, SweepBuffer, UnionBoundary, sweep_box,
    sweep_reach,
};
use hashfall_core::kernel::{Kernel, KernelKind};
use hashfall_core::{Dimension, Real, Vec3, vec3};
use hashfall_geometry::random::Random;
use hashfall_geometry::shape::{box_mesh, sphere_mesh};
use hashfall_geometry::{Aabb, TriangleMesh};

const H: f64 = 0.04;

fn layers() -> SolidLayers {
    SolidLayers::new(
        Kernel::new(KernelKind::CubicSpline, Dimension::Three, H as Real),
        (0.5 * H) as Real,
    )
}

/// A ball with bumps of about h, turned inside out or not.
fn bumpy(subdivisions: u32, radius: f64, centre: [f64; 3], is_cavity: bool) -> TriangleMesh {
    let mut mesh = sphere_mesh(&Vec3::zeros(), 1.0, subdivisions);
    for v in &mut mesh.vertices {
        let [x, y, z] = [0, 1, 2].map(|a| f64::from(v[a]));
        let wave = (7.0 * x).sin() * (8.0 * y).sin() * (6.0 * z).cos();
        let size = radius * (1.0 + 0.15 * wave);
        *v = vec3([x, y, z].map(|c| c * size)) + vec3(centre);
    }
    if is_cavity { mesh.flipped() } else { mesh }
}

/// A bumpy solid in a corner of walls, with a box that cuts into it and a cavity around both.
fn worlds() -> Vec<(&'static str, Solids)> {
    let far = Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(1.0));
    let alone = Solids::new(far, vec![], vec![bumpy(4, 2.5 * H, [0.0; 3], false)]);
    let block = Aabb::new(vec3([0.0, -H, -H]), vec3([4.0 * H, H, H]));
    let meshes = vec![bumpy(4, 2.5 * H, [0.0; 3], false), box_mesh(&block)];
    let specs = [BodySpec { meshes: 1, ..BodySpec::default() }; 2];
    let cut = Solids::new(far, vec![], meshes).with_bodies(&specs);
    let close = Aabb::new(vec3([-9.0 * H, -9.0 * H, -1.5 * H]), Vec3::repeat((9.0 * H) as Real));
    let sunk = Solids::new(close, vec![], vec![bumpy(4, 2.5 * H, [0.0; 3], false)]);
    let sheet =
        Solids::new(far, vec![], vec![bumpy(3, 2.5 * H, [0.0; 3], true)]).with_hollow(vec![true]);
    let pair = [[-1.4 * H, 0.0, 0.0], [1.7 * H, 0.1 * H, 0.0]];
    let pair = pair.map(|centre| bumpy(3, 1.4 * H, centre, false)).to_vec();
    let pair = Solids::new(far, vec![], pair);
    vec![("alone", alone), ("cut", cut), ("sunk", sunk), ("sheet", sheet), ("pair", pair)]
}

/// How far λ by hierarchies is from that of all triangles, a radius and more from the surface.
#[derive(Default)]
struct Errors {
    queries: usize,
    worst: f64,
}

impl Errors {
    fn compare(&mut self, [found, expected]: [&NearSolids; 2], place: &str) {
        let (layers, reach) = (layers(), H as Real);
        let nearest = expected.surfaces().iter().fold(reach, |d, s| d.min(s.distance));
        if (0.25 * reach..reach).contains(&nearest) {
            self.queries += 1;
            let [a, b] =
                [found, expected].map(|near| SolidFraction::from_near(&layers, near, |_, _, _| ()));
            self.worst = self.worst.max(f64::from((a.fraction - b.fraction).abs()));
            let turned = (a.gradient - b.gradient).norm() * reach;
            assert!(turned < 4e-3, "{place}: {a:?} {b:?}");
        }
    }
}

#[test]
fn faces_are_those_of_all_triangles_and_the_part_is_theirs() {
    let (layers, reach) = (layers(), H as Real);
    for (name, solids) in worlds() {
        let table = PlaneTable::new(&layers);
        let mut union = UnionBoundary::new(&solids);
        union.find_thin(&solids, layers.reach());
        solids.make_trees();
        let mut fine = UnionBoundary::new(&solids);
        fine.find_thin(&solids, layers.reach());
        fine.keep_fields(&solids, reach);
        assert_eq!(fine.has_opaque(), union.has_opaque(), "{name}");
        let all: Vec<u32> = (0..solids.object_count() as u32).collect();
        let indexed = solids.indexed_objects();
        assert!(indexed.len() < all.len(), "{name}");
        let [mut expected, mut found] = [NearSolids::default(), NearSolids::default()];
        let mut random = Random::new(8);
        let (mut errors, mut several) = (Errors::default(), 0);
        for _ in 0..600 {
            let x = vec3(random.point(-5.0 * H, 5.0 * H).into());
            solids.near(&all, &x, reach, &union, &table, &mut expected);
            solids.near(&indexed, &x, reach, &fine, &table, &mut found);
            assert_eq!(found.surfaces(), expected.surfaces(), "{name} {x}");
            several += usize::from(expected.surfaces().len() > 1);
            errors.compare([&found, &expected], &format!("{name} {x}"));
        }
        let Errors { queries, worst } = errors;
        println!(
            "{name}: {queries} asked, {several} with more than one face, λ within {worst:.1e}"
        );
        assert!(worst < 3e-4 && queries > 50, "{name}: {worst} {queries}");
    }
}

#[test]
fn sweeps_end_where_they_end_among_all_triangles() {
    let r = (0.25 * H) as Real;
    for (name, solids) in worlds() {
        solids.make_trees();
        let all: Vec<u32> = (0..solids.object_count() as u32).collect();
        let indexed = solids.indexed_objects();
        let (mut random, mut hits) = (Random::new(3), 0);
        for _ in 0..300 {
            let from = vec3(random.point(-4.0 * H, 4.0 * H).into());
            if !solids.domain.contains(&from) {
                continue;
            }
            let way = vec3((random.direction() * random.number(0.0, 2.0 * H)).into());
            let to = from + way;
            let overlaps = |id: &u32| solids.object_box(*id).overlaps(&sweep_box(&from, &to, r));
            let offered: Vec<u32> = all.iter().copied().filter(overlaps).collect();
            let mut objects: Vec<u32> = indexed.iter().copied().filter(overlaps).collect();
            let deep = (r - solids.distance(&offered, &from)).max(0.0);
            let reach = sweep_reach(way.norm(), r, deep);
            solids.add_fine_triangles(&from, reach, &mut objects);
            let mut buffer = SweepBuffer::default();
            let expected = solids.sweep(&offered, &from, &to, &way, r, &mut buffer);
            let found = solids.sweep(&objects, &from, &to, &way, r, &mut buffer);
            assert_eq!(found, expected, "{name} {from} {to}");
            hits += usize::from(found.hits > 0);
        }
        assert!(hits > 20, "{name}: {hits}");
    }
}

/// Two triangles for each cell of a grid whose nodes are at these places.
fn grid(rows: u32, columns: u32, place: impl Fn(u32, u32) -> [f64; 3]) -> TriangleMesh {
    let mut mesh = TriangleMesh::default();
    for column in 0..=columns {
        mesh.vertices.extend((0..=rows).map(|row| vec3(place(row, column))));
    }
    for (row, column) in (0..rows * columns).map(|k| (k % rows, k / rows)) {
        let first = column * (rows + 1) + row;
        let next = first + rows + 1;
        mesh.triangles.extend([[first, first + 1, next], [next, first + 1, next + 1]]);
    }
    mesh
}

/// A groove along y whose sides are this steep, and a lid at a height in it: sheets of triangles
/// far smaller than a particle.
fn groove(half_angle: f64, lid: f64) -> Solids {
    let (cell, (sin, cos)) = (0.06 * H, half_angle.sin_cos());
    let from_middle = |k: u32, count: u32| (f64::from(k) - 0.5 * f64::from(count)) * cell;
    let sides = grid(96, 60, |row, column| {
        let along = from_middle(row, 96);
        [along * sin, from_middle(column, 60), along.abs() * cos]
    });
    let lid = grid(12, 12, |row, column| [from_middle(row, 12), from_middle(column, 12), lid]);
    let far = Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(1.0));
    Solids::new(far, vec![], vec![sides, lid]).with_hollow(vec![true; 2])
}

/// Each push off one side of a groove leads into the other, and farther up: to the lid.
#[test]
fn who_is_pushed_out_of_a_groove_meets_what_is_above_it() {
    let r = (0.25 * H) as Real;
    let mut random = Random::new(12);
    for degrees in [15.0_f64, 20.0, 25.0] {
        for deep in [0.2, 0.5, 0.7] {
            let half_angle = degrees.to_radians();
            let height = 0.25 * H * (1.0 - deep) / half_angle.sin();
            let solids = groove(half_angle, height + 0.25 * H * (1.06 + 2.0 * deep));
            solids.make_trees();
            let all: Vec<u32> = (0..solids.object_count() as u32).collect();
            let mut buffer = SweepBuffer::default();
            for _ in 0..5 {
                let [aside, along] = [0, 1].map(|_| random.number(-0.01, 0.01) * H);
                let from = vec3([aside, along, height]);
                let way = vec3((random.direction() * random.number(0.0, 0.01 * H)).into());
                let to = from + way;
                let deep = (r - solids.distance(&all, &from)).max(0.0);
                let mut objects = vec![];
                solids.add_fine_triangles(&from, sweep_reach(way.norm(), r, deep), &mut objects);
                let expected = solids.sweep(&all, &from, &to, &way, r, &mut buffer);
                let found = solids.sweep(&objects, &from, &to, &way, r, &mut buffer);
                assert_eq!(found, expected, "{degrees}° {from} {to}");
                assert!((found.position - from).norm() > 0.8 * deep, "{degrees}° {from}");
            }
        }
    }
}

/// What is near is found far from the origin, too, where a place has few digits left.
#[test]
fn of_many_fine_meshes_those_are_found_that_are_near() {
    let mut random = Random::new(6);
    for origin in [0.0, 1000.0] {
        let centres: Vec<_> =
            (0..60).map(|_| random.point(origin - 6.0 * H, origin + 6.0 * H)).collect();
        let pebble = |c: &hashfall_geometry::Point| bumpy(1, 0.5 * H, (*c).into(), false);
        let meshes = centres.iter().map(pebble).collect();
        let far = Aabb::new(Vec3::repeat(-2000.0), Vec3::repeat(2000.0));
        let solids = Solids::new(far, vec![], meshes);
        solids.make_trees();
        assert!(solids.indexed_objects().is_empty());
        let all: Vec<u32> = (0..solids.object_count() as u32).collect();
        let mut near = 0;
        for _ in 0..500 {
            let x = vec3(random.point(origin - 7.0 * H, origin + 7.0 * H).into());
            let reach = (random.number(0.1, 2.0) * H) as Real;
            let expected = solids.distance_to_objects(&all, &x);
            let found = solids.distance_to_fine(&x, reach);
            let is_near = expected < reach;
            assert_eq!(found, if is_near { expected } else { Real::INFINITY }, "{x}");
            let mut objects = vec![];
            solids.add_fine_triangles(&x, reach, &mut objects);
            let is_within = |id: &u32| solids.distance_to_objects(&[*id], &x) <= reach;
            let within: Vec<u32> = all.iter().copied().filter(is_within).collect();
            assert!(objects.is_sorted() && within.iter().all(|id| objects.contains(id)), "{x}");
            near += usize::from(is_near);
        }
        assert!(near > 100, "{near}");
    }
}

/// A box that goes through a fine mesh and leaves it again.
#[test]
fn a_fine_mesh_that_a_moving_one_meets_is_cut_while_they_meet() {
    let (layers, reach) = (layers(), H as Real);
    let block = box_mesh(&Aabb::new(vec3([4.0 * H, -H, -H]), vec3([8.0 * H, H, H])));
    let none = AxisAngle { axis: [0.0, 0.0, 1.0], degrees: 0.0 };
    let frame = |time: f64, x: f64| Keyframe { time, shift: [x * H, 0.0, 0.0], turn: none };
    let frames = [frame(0.0, 0.0), frame(1.0, -4.0), frame(2.0, 0.0)];
    let law = KinematicLaw::through([0.0; 3], &frames, false, false);
    let far = Aabb::new(Vec3::repeat(-1.0), Vec3::repeat(1.0));
    let meshes = vec![bumpy(4, 2.5 * H, [0.0; 3], false), block];
    let mut solids = Solids::new(far, vec![], meshes).with_kinematic_laws(vec![None, Some(law)]);
    let table = PlaneTable::new(&layers);
    solids.make_trees();
    let mut union = UnionBoundary::new(&solids);
    union.find_thin(&solids, layers.reach());
    let mut fine = union.clone();
    fine.keep_fields(&solids, reach);
    let all: Vec<u32> = (0..solids.object_count() as u32).collect();
    let indexed = solids.indexed_objects();
    assert_eq!(indexed.len(), 12);
    let mut random = Random::new(21);
    for (time, meets) in [(0.0, false), (1.0, true), (0.8, true), (1.3, true), (2.0, false)] {
        solids.move_to(time);
        union.update(&solids);
        fine.update(&solids);
        let is_cut =
            |union: &UnionBoundary| union.field(0).is_some_and(|it| !it.cut_nodes.is_empty());
        assert_eq!((is_cut(&fine), fine.member(0).is_cut), (meets, meets), "at {time} s");
        let [mut expected, mut found] = [NearSolids::default(), NearSolids::default()];
        let mut errors = Errors::default();
        for _ in 0..400 {
            let x = vec3(random.point(-3.0 * H, 4.0 * H).into());
            solids.near(&all, &x, reach, &union, &table, &mut expected);
            solids.near(&indexed, &x, reach, &fine, &table, &mut found);
            assert_eq!(found.surfaces(), expected.surfaces(), "{x} at {time} s");
            errors.compare([&found, &expected], &format!("{x} at {time} s"));
        }
        let Errors { queries, worst } = errors;
        println!("at {time} s: {queries} asked, λ within {worst:.1e}");
        assert!(worst < 3e-4 && queries > 50, "at {time} s: {worst} {queries}");
    }
}
