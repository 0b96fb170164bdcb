//! What materials add to a body: masses of its nodes, and energies.

use crate::energy::{Element, Elements, Energy};
use crate::error::MaterialError;

/// Masses and energies of a body while it is built.
#[derive(Debug)]
pub struct BodyParts {
    /// Of each node of the body \[kg\].
    pub mass: Vec<f64>,
    /// Whether a node is fixed or tied.
    pub held: Vec<bool>,
    pub(crate) energies: Vec<Box<dyn Energy>>,
    /// The number of the body's first node among those of all bodies.
    pub(super) first_node: u32,
}

impl BodyParts {
    /// Of a body with this number of nodes, none of which has mass.
    pub(crate) fn new(first_node: u32, held: Vec<bool>) -> Self {
        BodyParts { mass: vec![0.0; held.len()], held, energies: vec![], first_node }
    }

    /// Adds elements between nodes of the body.
    pub fn add_elements<E, const N: usize>(&mut self, nodes: Vec<[u32; N]>, elements: Vec<E>)
    where
        E: Element<N> + 'static,
    {
        if elements.is_empty() {
            return;
        }
        let nodes = nodes.into_iter().map(|corners| corners.map(|node| node + self.first_node));
        self.energies.push(Box::new(Elements::new(nodes.collect(), elements)));
    }

    /// Shares the mass of an element \[kg\] equally among its corners.
    pub fn add_mass(&mut self, corners: &[u32], mass: f64) {
        let share = mass / corners.len() as f64;
        corners.iter().for_each(|&node| self.mass[node as usize] += share);
    }
}

/// A parameter that must be a finite number above zero.
pub fn positive(name: &'static str, value: f64) -> Result<f64, MaterialError> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(MaterialError::Parameter { name, value, range: "a finite number above 0" })
}

/// A parameter that must be a finite number, zero or above.
pub fn not_negative(name: &'static str, value: f64) -> Result<f64, MaterialError> {
    if value >= 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(MaterialError::Parameter { name, value, range: "a finite number, 0 or above" })
}
