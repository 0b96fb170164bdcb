//! Plain particles prepared for extraction: sorted by cells, with volumes from their own density.
//!
//! Vⱼ = m/ρⱼ with ρᵢ = Σⱼ m W(|xᵢ − xⱼ|, h), so Vⱼ = 1/Σₖ W(|xⱼ − xₖ|, h): the mass cancels.

use crate::field::cells::Cells;
use crate::field::neighbors;
use crate::input::SurfaceInput;
use hashfall_core::cell::{cell_key, cell_of};
use hashfall_core::simd::Isa;
use hashfall_core::{Attribute, Real, Vec3, parallel};
use hashfall_search::CellSort;

/// Owned particles, sorted by cells, from which a [`SurfaceInput`] borrows.
#[derive(Clone, Debug)]
pub struct SortedParticles {
    positions: Vec<Vec3>,
    volumes: Vec<Real>,
    attributes: Vec<Attribute<'static>>,
    support_radius: Real,
}

impl SortedParticles {
    /// Sorts particles, those of a cell in the order given, and sums their densities.
    pub fn new(positions: &[Vec3], attributes: &[Attribute], support_radius: Real) -> Self {
        let mut keys = vec![0; positions.len()];
        parallel::fill(&mut keys, |i, key| *key = cell_key(cell_of(&positions[i], support_radius)));
        let mut order = CellSort::default();
        order.sort(&keys);
        drop(keys);
        let place = |i: usize| order.at(i).1 as usize;
        let mut sorted = vec![Vec3::zeros(); positions.len()];
        parallel::fill(&mut sorted, |i, to| *to = positions[place(i)]);
        let attributes = in_order(attributes, &order, positions.len());
        drop(order);
        let volumes = volumes(&sorted, support_radius);
        SortedParticles { positions: sorted, volumes, attributes, support_radius }
    }

    /// The particles as [`extract`](crate::extract) takes them.
    pub fn input(&self) -> SurfaceInput<'_> {
        SurfaceInput {
            positions: &self.positions,
            volumes: &self.volumes,
            attributes: &self.attributes,
            support_radius: self.support_radius,
        }
    }
}

/// The attributes of `count` particles in an order.
pub(crate) fn in_order(
    attributes: &[Attribute],
    order: &CellSort,
    count: usize,
) -> Vec<Attribute<'static>> {
    let of = |a: &Attribute| {
        let places = (0..count).map(|i| order.at(i).1 as usize);
        Attribute::new(a.name.clone().into_owned(), a.values.at(places))
    };
    attributes.iter().map(of).collect()
}

/// The volumes of sorted particles \[m³\].
fn volumes(positions: &[Vec3], h: Real) -> Vec<Real> {
    let cells = Cells::scan(positions, h, |_| 1.0);
    let mut volumes = neighbors::densities(Isa::current(), &cells);
    volumes.iter_mut().for_each(|volume| *volume = 1.0 / *volume);
    volumes
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::kernel::{CubicSpline, SmoothingKernel};
    use hashfall_core::{Dimension, Values, to_f64, vec3};

    #[test]
    fn particles_are_sorted_with_what_they_carry_and_weighed() {
        let mut random = crate::tests::random(5);
        let h = 0.25;
        let mut points: Vec<_> =
            (0..400).map(|_| vec3([0; 3].map(|_| (random() - 0.5) * 2.0))).collect();
        points.push(points[7]);
        points.push(vec3([50.0, -3.0, 0.0]));
        let ids = Attribute::new("id", Values::Labels((0..402).collect()));
        let sorted = SortedParticles::new(&points, &[ids], h);
        let input = sorted.input();
        let Values::Labels(ids) = &input.attributes[0].values else { panic!("a label") };
        let kernel = CubicSpline::new(Dimension::Three, h);
        for (i, x) in input.positions.iter().enumerate() {
            assert_eq!(*x, points[ids[i] as usize]);
            let weight = |y: &Vec3| f64::from(kernel.value((x - y).norm()));
            let volume = 1.0 / points.iter().map(weight).sum::<f64>();
            assert!((f64::from(input.volumes[i]) / volume - 1.0).abs() < 1e-5, "{:?}", to_f64(x));
        }
        let keys: Vec<_> = input.positions.iter().map(|x| cell_key(cell_of(x, h))).collect();
        assert!(keys.is_sorted());
        assert!(SortedParticles::new(&[], &[], h).input().positions.is_empty());
    }
}
