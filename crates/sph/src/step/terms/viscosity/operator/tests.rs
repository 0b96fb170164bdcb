//! Symmetry, rigid motion and shear.

use super::*;
use crate::step::pairs::moments::Moments;
use crate::step::tests::{box_of_one, neighborhood};
use crate::world::Particles;
use hashfall_core::Dimension;
use hashfall_geometry::Aabb;
use hashfall_geometry::random::Random;
use hashfall_solid::{BodySpec, ContactLaw, Slip, Solids};

/// A heap of one fluid, or two, in the corner of a box whose walls hold it, with spray above.
fn heap(is_mixed: bool) -> World {
    let mut random = Random::new(5);
    let mut particles = Particles::default();
    for _ in 0..600 {
        particles.push(random.point(0.0, 0.2).map(|x| x as Real), Vec3::zeros(), 0, 1000.0);
    }
    for _ in 0..40 {
        particles.push(random.point(0.2, 0.6).map(|x| x as Real), Vec3::zeros(), 0, 1000.0);
    }
    let solids = Solids::new(Aabb::new(Vec3::zeros(), Vec3::repeat(1.0)), vec![], vec![]);
    let law = ContactLaw { slip: Slip::No, ..ContactLaw::default() };
    let mut world = World { particles, ..box_of_one(Vec3::zeros()) };
    world.solids = solids.with_walls([law; 6]).with_bodies(&[] as &[BodySpec]);
    for (k, fluid) in world.fluids.iter_mut().enumerate() {
        fluid.viscosity = [0.01, 2.0][k];
    }
    let fluids = world.particles.phase.iter_mut().enumerate();
    fluids.for_each(|(i, phase)| *phase = u8::from(is_mixed && i % 3 == 0));
    world
}

fn forces(world: &mut World, velocity: impl Fn(&Vec3) -> Vec3) -> (Vec<Vec3>, Vec<Vec3>) {
    let (neighborhood, mut pairs) = neighborhood(world);
    let mut operator = ViscousOperator::new(Isa::current());
    operator.update(world, &neighborhood, &mut pairs, false);
    let velocities: Vec<Vec3> = world.particles.position.iter().map(velocity).collect();
    let mut forces = vec![Vec3::zeros(); velocities.len()];
    let field = ViscousVelocities { particles: &velocities, walls: WallMotion::OF_SOLIDS };
    operator.apply(world, &neighborhood, &mut pairs, field, &mut forces);
    (velocities, forces)
}

fn power(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a.dot(b))).sum()
}

/// Velocities that differ from particle to particle.
fn noise(seed: Real) -> impl Fn(&Vec3) -> Vec3 {
    move |x| {
        let part = |k: Real| {
            let t = (x.x * 91.7 + x.y * 67.3 + x.z * 83.9) * k * seed;
            t - t.floor() - 0.5
        };
        Vec3::new(part(17.0), part(29.0), part(41.0))
    }
}

#[test]
fn the_operator_is_symmetric_and_takes_energy() {
    for is_mixed in [false, true] {
        let mut world = heap(is_mixed);
        let (u, of_u) = forces(&mut world, noise(1.0));
        let (v, of_v) = forces(&mut world, noise(2.0));
        let (left, right) = (power(&u, &of_v), power(&v, &of_u));
        let scale = (power(&u, &of_u) * power(&v, &of_v)).sqrt();
        assert!((left - right).abs() < 1e-4 * scale, "{left} {right} of {scale}");
        for smooth in [0.01, 0.1] {
            let (w, of_w) = forces(&mut world, noise(smooth));
            assert!(power(&w, &of_w) < 0.0, "{smooth}");
        }
        assert!(power(&u, &of_u) < 0.0);
    }
}

#[test]
fn nothing_acts_on_what_turns_as_a_whole() {
    let domain = Aabb::new(Vec3::repeat(-2.0), Vec3::repeat(2.0));
    for is_mixed in [false, true] {
        let mut world = heap(is_mixed);
        world.solids = Solids::new(domain, vec![], vec![]);
        let spin = |x: &Vec3| Vec3::new(1.0, 2.0, -0.5).cross(&(x - Vec3::repeat(0.1)));
        let (_, of_spin) = forces(&mut world, spin);
        let (_, of_shear) = forces(&mut world, |x| Vec3::new(2.0 * x.z, 0.0, 0.0));
        let largest = |forces: &[Vec3]| forces.iter().map(|f| f.norm()).fold(0.0, Real::max);
        let (turning, shearing) = (largest(&of_spin), largest(&of_shear));
        assert!(turning < 1e-3 * shearing, "{turning} {shearing}");
    }
}

#[test]
fn rows_that_slide_feel_the_viscosity() {
    for dimension in [Dimension::Two, Dimension::Three] {
        for shift in [0.0, 0.2, 0.5] {
            let mut world = box_of_one(Vec3::zeros());
            world.dimension = dimension;
            world.fluids[0].viscosity = 0.01;
            world.solids = world.solids.with_open_axes([true; 3]);
            let d = world.spacing();
            let layers: std::ops::Range<i32> =
                if dimension == Dimension::Two { 0..1 } else { 0..9 };
            let mut particles = Particles::default();
            for (i, k) in (0..16).flat_map(|i| (0..9).map(move |k| (i, k))) {
                for j in layers.clone() {
                    let x = Vec3::new(i as Real + shift * k as Real, j as Real, k as Real) * d;
                    particles.push(x, Vec3::zeros(), 0, 1000.0);
                }
            }
            world.particles = particles;
            // A parabola: its force is 2μ c in the middle.
            let curve = |x: &Vec3| Vec3::new((x.z - 4.0 * d) * (x.z - 4.0 * d), 0.0, 0.0);
            let (_, forces) = forces(&mut world, curve);
            let middle =
                Vec3::new(8.0 + 4.0 * shift, if layers.len() > 1 { 4.0 } else { 0.0 }, 4.0) * d;
            let nearest = |x: &Vec3| (x - middle).norm();
            let p = &world.particles.position;
            let at =
                (0..p.len()).min_by(|&a, &b| nearest(&p[a]).total_cmp(&nearest(&p[b]))).unwrap();
            let found = f64::from(forces[at].x) / (2.0 * 10.0);
            assert!((found - 1.0).abs() < 0.04, "{dimension:?}, {shift}: {found} ν");
        }
    }
}

/// In one pass by moments, and in three by places: the same, at walls and in spray, too.
#[test]
fn by_moments_forces_are_the_same() {
    let mut world = heap(false);
    let positions = world.particles.position.clone();
    world.particles.velocity = positions.iter().map(noise(0.3)).collect();
    let velocity = noise(0.3);
    let (_, by_places) = forces(&mut world, |x| velocity(x));
    let (neighborhood, mut pairs) = neighborhood(&mut world);
    let mut moments = Moments::new(Isa::current());
    moments.update(&world, &neighborhood, &mut pairs);
    let largest = by_places.iter().map(|f| f.norm()).fold(0.0, Real::max);
    let mut first: Option<Vec<Vec3>> = None;
    for isa in Isa::available() {
        let mut by_moments = vec![Vec3::zeros(); by_places.len()];
        let mut operator = ViscousOperator::new(isa);
        let (neighborhood, pairs, all) = (&neighborhood, &mut pairs, &moments.all);
        operator.apply_by_moments(&world, neighborhood, pairs, all, &mut by_moments);
        for (i, (a, b)) in by_moments.iter().zip(&by_places).enumerate() {
            assert!((a - b).norm() < 1e-4 * largest, "{isa:?}, {i}: {a} for {b}");
        }
        assert_eq!(*first.get_or_insert_with(|| by_moments.clone()), by_moments, "{isa:?}");
    }
}
