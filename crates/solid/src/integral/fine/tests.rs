//! Fine meshes by their hierarchies, against a look at every triangle.

use crate::integral::{NearSolids, PlaneTable, SolidFraction, SolidLayers};
use crate::{BodySpec, Solids, SweepBuffer, UnionBoundary, sweep_box};
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
        let (mut asked, mut several, mut worst) = (0, 0, 0.0_f64);
        for _ in 0..600 {
            let x = vec3(random.point(-5.0 * H, 5.0 * H).into());
            solids.near(&all, &x, reach, &union, &table, &mut expected);
            solids.near(&indexed, &x, reach, &fine, &table, &mut found);
            assert_eq!(found.surfaces(), expected.surfaces(), "{name} {x}");
            let nearest = expected.surfaces().iter().fold(reach, |d, s| d.min(s.distance));
            several += usize::from(expected.surfaces().len() > 1);
            if (0.25 * reach..reach).contains(&nearest) {
                asked += 1;
                let [a, b] = [&found, &expected]
                    .map(|near| SolidFraction::from_near(&layers, near, |_, _, _| ()));
                worst = worst.max(f64::from((a.fraction - b.fraction).abs()));
                let turned = (a.gradient - b.gradient).norm() * reach;
                assert!(turned < 4e-3, "{name} {x}: {a:?} {b:?}");
            }
        }
        println!("{name}: {asked} asked, {several} with more than one face, λ within {worst:.1e}");
        assert!(worst < 3e-4 && asked > 50, "{name}: {worst} {asked}");
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
            let reach = 1.02 * (way.norm() + r) + 2.0 * deep;
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
