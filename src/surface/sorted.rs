//! Plain particles made ready for extraction: sorted by cells, with the volumes that their own
//! density gives them.
//!
//! Vⱼ = m/ρⱼ with ρᵢ = Σⱼ m W(|xᵢ − xⱼ|, h), so Vⱼ = 1/Σₖ W(|xⱼ − xₖ|, h): the mass falls out.

use super::Splats;
use crate::base::cell::{cell_key, cell_of};
use crate::base::{Attribute, Dimension, Real, Vec3};
use crate::kernel::{CubicSpline, SmoothingKernel};

/// Particles that own what [`Splats`] borrow.
#[derive(Clone, Debug)]
pub struct SortedParticles<'a> {
    positions: Vec<Vec3>,
    volumes: Vec<Real>,
    attributes: Vec<Attribute<'a>>,
    support_radius: Real,
}

impl<'a> SortedParticles<'a> {
    /// Sorts particles and sums their densities.
    pub fn new(positions: &[Vec3], attributes: &[Attribute<'_>], support_radius: Real) -> Self {
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        order.sort_by_key(|&i| cell_key(cell_of(&positions[i as usize], support_radius)));
        let indices = || order.iter().map(|&i| i as usize);
        let positions: Vec<Vec3> = indices().map(|i| positions[i]).collect();
        let attributes = attributes
            .iter()
            .map(|a| Attribute::new(a.name.clone().into_owned(), a.values.at(indices())))
            .collect();
        let kernel = CubicSpline::new(Dimension::Three, support_radius);
        let volume = |x: &Vec3| {
            let near = positions.iter().map(|y| (x - y).norm()).filter(|&r| r < support_radius);
            1.0 / near.map(|r| kernel.value(r)).sum::<Real>()
        };
        let volumes = positions.iter().map(volume).collect();
        SortedParticles { positions, volumes, attributes, support_radius }
    }

    /// What [`super::extract`] takes.
    pub fn splats(&self) -> Splats<'_> {
        Splats {
            positions: &self.positions,
            volumes: &self.volumes,
            attributes: &self.attributes,
            support_radius: self.support_radius,
        }
    }
}
