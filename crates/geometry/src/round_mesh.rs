//! Solids of revolution as meshes, to be looked at, and to be touched by elastic bodies.

use crate::{Meridian, Point, RoundSolid, TriangleMesh};
use hashfall_bodies::sin_cos;
use hashfall_core::{Vec3, vec3};

/// Corners of a ring: no corner's chord is farther than 6e-4 of the radius below the surface.
const AROUND: u32 = 96;
/// Steps over the quarter of a circle.
const QUARTER: u32 = 24;

/// A point of the meridian (z, ρ) with the unit normal there.
type MeridianPoint = ([f64; 2], [f64; 2]);

/// A mesh of a solid of revolution that faces outwards, and a unit normal for each vertex. Vertices
/// on sharp edges are there once for each side.
pub fn round_mesh(solid: &RoundSolid) -> (TriangleMesh, Vec<Vec3>) {
    let (mut mesh, mut normals) = (TriangleMesh::default(), Vec::new());
    let [start, _] = solid.axis_ends();
    let axis = *solid.direction();
    let (_, _, radial) = solid.coordinates(&start);
    let across = axis.cross(&radial);
    for strip in strips(&solid.meridian()) {
        for (number, (at, normal)) in strip.iter().enumerate() {
            let first = mesh.vertices.len() as u32;
            for k in 0..AROUND {
                let (sin, cos) = sin_cos(f64::from(k) / f64::from(AROUND) * 360.0);
                let away: Point = radial * cos + across * sin;
                mesh.vertices.push(vec3((start + axis * at[0] + away * at[1]).into()));
                normals.push(vec3((axis * normal[0] + away * normal[1]).into()));
            }
            if number > 0 {
                let before = first - AROUND;
                add_band(&mut mesh, [before, first], [strip[number - 1].0[1], at[1]]);
            }
        }
    }
    (mesh, normals)
}

/// How many vertices and triangles the mesh of a solid has.
pub fn round_mesh_size(solid: &RoundSolid) -> (usize, usize) {
    let strips = strips(&solid.meridian());
    let bands = strips.iter().flat_map(|strip| strip.windows(2));
    let around = AROUND as usize;
    let triangles = bands.flat_map(|ends| ends.iter().filter(|(at, _)| at[1] > 0.0)).count();
    (strips.iter().map(Vec::len).sum::<usize>() * around, triangles * around)
}

/// The triangles between two rings of these radii; none on a ring that is a point.
fn add_band(mesh: &mut TriangleMesh, [low, high]: [u32; 2], radii: [f64; 2]) {
    for k in 0..AROUND {
        let next = (k + 1) % AROUND;
        if radii[0] > 0.0 {
            mesh.triangles.push([low + k, low + next, high + k]);
        }
        if radii[1] > 0.0 {
            mesh.triangles.push([low + next, high + next, high + k]);
        }
    }
}

/// The smooth parts of a meridian, from one end of the axis to the other.
fn strips(meridian: &Meridian) -> Vec<Vec<MeridianPoint>> {
    match *meridian {
        Meridian::Capsule { length, radius } => {
            let arc = |step: u32, center: f64| -> MeridianPoint {
                let (sin, cos) = sin_cos(f64::from(step) / f64::from(QUARTER) * 90.0);
                let normal = [-cos, sin];
                let normal = if step == 0 { [-1.0, 0.0] } else { normal };
                let normal = if step == 2 * QUARTER { [1.0, 0.0] } else { normal };
                ([center + radius * normal[0], radius * normal[1]], normal)
            };
            let low = (0..=QUARTER).map(|step| arc(step, 0.0));
            vec![low.chain((QUARTER..=2 * QUARTER).map(|step| arc(step, length))).collect()]
        }
        Meridian::Frustum { length, radius, tip_radius } => {
            let narrowing = radius - tip_radius;
            let slant = (narrowing * narrowing + length * length).sqrt();
            let side = [(radius - tip_radius) / slant, length / slant];
            let ends = [[0.0, radius], [length, tip_radius]];
            let mut strips = vec![ends.map(|at| (at, side)).to_vec()];
            if radius > 0.0 {
                strips.push([[0.0, 0.0], ends[0]].map(|at| (at, [-1.0, 0.0])).to_vec());
            }
            if tip_radius > 0.0 {
                strips.push([ends[1], [length, 0.0]].map(|at| (at, [1.0, 0.0])).to_vec());
            }
            strips
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::to_f64;

    #[test]
    fn meshes_enclose_the_volume_and_lie_on_the_surface() {
        let (from, to) = (Point::new(0.2, -0.4, 1.0), Point::new(1.0, 0.3, 0.4));
        for solid in [
            RoundSolid::cylinder(from, to, 0.3),
            RoundSolid::capsule(from, to, 0.3),
            RoundSolid::cone(from, to, 0.3, 0.0),
            RoundSolid::cone(from, to, 0.0, 0.3),
            RoundSolid::cone(from, to, 0.2, 0.5),
        ] {
            let (mesh, normals) = round_mesh(&solid);
            assert_eq!((mesh.vertices.len(), mesh.triangles.len()), round_mesh_size(&solid));
            let missing = 1.0 - mesh.signed_volume() / solid.volume();
            assert!((0.0..2e-3).contains(&missing), "{solid:?}: {missing}");
            for (x, normal) in mesh.vertices.iter().zip(&normals) {
                let (x, normal) = (Point::from(to_f64(x)), Point::from(to_f64(normal)));
                assert!(solid.signed_distance(&x).abs() < 1e-6);
                let beside = solid.nearest(&(x + normal * 0.01));
                assert!((beside.distance - 0.01).abs() < 1e-6, "{solid:?} {x} {normal}");
            }
        }
    }
}
