//! Checks of surface tension, with the air and between fluids.

use super::checks::Checks;
use crate::problem::Problem;
use crate::text::suggest;
use hashfall_sph::world::Feature;
use std::collections::HashMap;

impl Checks<'_> {
    /// The surface tension of a fluid with the air.
    pub(super) fn tension(&mut self, fluid: usize) {
        let tension = self.model.fluids[fluid].surface_tension;
        let path = format!("fluids[{fluid}].surface_tension");
        if self.is_sound(&path) && tension > 0.0 {
            self.needs(Feature::SurfaceTension, &path);
        }
    }

    /// Tensions between fluids.
    pub(super) fn interfaces(&mut self) {
        let model = self.model;
        let mut pairs = HashMap::new();
        for (i, interface) in model.interfaces.iter().enumerate() {
            let path = format!("interfaces[{i}]");
            let (a, b) = (&interface.between.0, &interface.between.1);
            let both = [a, b].into_iter().enumerate();
            let known = both.fold(true, |known, (k, name)| {
                self.names_fluid(&format!("{path}.between[{k}]"), name) && known
            });
            self.needs(Feature::SurfaceTension, &path);
            let first = *pairs.entry((a.min(b), a.max(b))).or_insert(i);
            if known && a == b {
                let message = format!("\"{a}\" has no interface with itself");
                let help = "two fluids; with the air it is `surface_tension` of the fluid";
                self.push(Problem::error(format!("{path}.between"), message, help));
            } else if first < i {
                let message = format!("interfaces[{first}] is already between these two");
                let help = "give each pair of fluids one tension";
                self.push(Problem::error(format!("{path}.between"), message, help));
            }
        }
    }

    /// Returns whether a fluid has this name.
    fn names_fluid(&mut self, path: &str, name: &str) -> bool {
        let is_known = self.model.fluids.iter().any(|fluid| fluid.name == name);
        if !is_known {
            self.push(self.unknown_fluid(path, name));
        }
        is_known
    }

    /// No fluid has this name.
    pub(super) fn unknown_fluid(&self, path: &str, name: &str) -> Problem {
        let names = || self.model.fluids.iter().map(|fluid| fluid.name.as_str());
        let message = format!("there is no fluid \"{name}\"");
        let help = match suggest::nearest(name, names()) {
            Some(suggestion) => format!("did you mean \"{suggestion}\"?"),
            None => self.known_fluids(),
        };
        Problem::error(path, message, &help)
    }

    /// The names of the fluids, in prose.
    pub(super) fn known_fluids(&self) -> String {
        let quoted = self.model.fluids.iter().map(|fluid| format!("\"{}\"", fluid.name));
        format!("the fluids are {}", quoted.collect::<Vec<_>>().join(", "))
    }
}
