//! Products against the definitions.

use super::*;
use crate::step::pairs::moments::Moments;
use crate::step::tests::{DFSPH, neighborhood, splash};
use hashfall_core::Vec3;
use hashfall_geometry::random::Random;

/// A x by the definitions, in doubles, of a world of two fluids over a ball.
#[test]
fn products_are_those_of_the_definitions_and_of_a_symmetric_matrix() {
    let mut world = splash(DFSPH);
    let (neighborhood, mut pairs) = neighborhood(&mut world);
    let isa = Isa::current();
    let mut moments = Moments::new(isa);
    moments.update(&world, &neighborhood, &mut pairs);
    let (x, phase) = (&world.particles.position, &world.particles.phase);
    let n = x.len();
    let density = |i: usize| world.fluids[usize::from(phase[i])].rest_density;
    let all = &moments.all;
    let mut random = Random::new(7);
    let mut arguments =
        [0; 2].map(|_| (0..n).map(|_| random.number(-1.0, 1.0) as Real).collect::<Vec<_>>());
    let mut results = [vec![0.0; n], vec![0.0; n]];
    for isa in Isa::available() {
        let mut coefficients = PressureMatrix::new(isa);
        for (argument, result) in arguments.iter_mut().zip(&mut results) {
            let before = result.clone();
            let (world, neighborhood, pairs) = (&world, &neighborhood, &mut pairs);
            let (coefficients, moments) = (&mut coefficients, &all[..]);
            let (yielding, bodies) = (0.25, None);
            let mut matrix =
                Matrix { coefficients, world, neighborhood, pairs, moments, yielding, bodies };
            matrix.set_argument(argument, |_, items, x| x.copy_from_slice(items));
            matrix.multiply(result, &mut vec![(); n.div_ceil(CHUNK)], |_, _| ());
            assert!(isa.name() == "baseline" || *result == before, "{isa:?}");
        }
    }
    let [p, q] = &arguments;
    let slope = |r: Real| world.kernel().slope_over_r(r);
    let weight = |i: usize, j: usize| neighborhood.volume * slope((x[i] - x[j]).norm());
    let neighbors = |i: usize| neighborhood.lists.of(i).iter().map(|&j| j as usize);
    let walls = |i: usize| neighborhood.boundary.gradient[i] * 2.0;
    let push = |i: usize| -> Vec3 {
        let of_pair = |j: usize| all[j].correction * (x[i] - x[j]) * (weight(i, j) * p[j]);
        let self_term = all[i].correction * (all[i].fluid + walls(i)) * p[i];
        (neighbors(i).map(of_pair).sum::<Vec3>() + self_term) / -density(i)
    };
    let pushes: Vec<Vec3> = (0..n).map(push).collect();
    let largest = results[0].iter().fold(0.0, |most: Real, x| most.max(x.abs()));
    for i in 0..n {
        let of_pair = |j: usize| {
            let gradient = all[i].correction * (x[i] - x[j]) * weight(i, j);
            let mean = 2.0 / (density(i) + density(j));
            let jump = STABILISATION * weight(i, j) * mean * (p[i] - p[j]);
            (pushes[j] - pushes[i]).dot(&gradient) - jump
        };
        let solids = -(all[i].correction * walls(i)).dot(&pushes[i]);
        let wanted = neighbors(i).map(of_pair).sum::<Real>() + solids + 0.25 * p[i];
        let error = (wanted - results[0][i]).abs();
        assert!(error < 1e-4 * largest, "{i}: {} for {wanted}", results[0][i]);
    }
    let dot = |a: &[Real], b: &[Real]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    let [ab, ba] = [dot(&results[0], q), dot(&results[1], p)];
    let size = (dot(&results[0], &results[0]) * dot(q, q)).sqrt();
    assert!((ab - ba).abs() < 1e-6 * size, "{ab} and {ba} of {size}");
    assert!(dot(&results[0], p) > 0.0);
}
