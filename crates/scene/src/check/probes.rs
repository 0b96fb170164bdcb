//! Checks of the probes: unique names, and positions inside the domain.

use super::checks::Checks;
use super::printable::unprintable;
use crate::model::Domain;
use crate::problem::Problem;
use hashfall_sph::world::Probe;
use std::collections::HashMap;

/// The column of the times, which no probe may be called.
const TIME: &str = "time";

impl Checks<'_> {
    pub(super) fn probes(&mut self, domain_is_sound: bool) {
        let probes = &self.model.probes;
        let mut names = HashMap::new();
        for (i, probe) in probes.list.iter().enumerate() {
            let path = format!("probes.list[{i}]");
            let first = *names.entry(probe.name()).or_insert(i);
            self.probe_name(i, first);
            // The places that a probe stands at, each with its axis.
            let places: Vec<(String, f64, usize)> = match probe {
                Probe::Pressure { at, .. } => {
                    (0..3).map(|a| (format!("{path}.at[{a}]"), at[a], a)).collect()
                }
                Probe::Height { x, y, .. } => {
                    vec![(format!("{path}.x"), *x, 0), (format!("{path}.y"), *y, 1)]
                }
                Probe::Front { below, .. } => {
                    below.iter().map(|z| (format!("{path}.below"), *z, 2)).collect()
                }
            };
            if domain_is_sound {
                places.iter().for_each(|(path, x, axis)| self.probe_in_domain(path, *x, *axis));
            }
        }
    }

    fn probe_in_domain(&mut self, path: &str, x: f64, axis: usize) {
        let Domain::Box { min, max, .. } = &self.model.domain;
        if (min[axis]..=max[axis]).contains(&x) {
            return;
        }
        let name = ["x", "y", "z"][axis];
        let message = format!("a probe outside the domain: {name} is {x}");
        let help = format!("from {} to {} m", min[axis], max[axis]);
        self.push(Problem::error(path, message, &help).also_at("domain"));
    }

    /// The name of a probe, which another probe may have had `first`.
    fn probe_name(&mut self, i: usize, first: usize) {
        let list = &self.model.probes.list;
        let (name, path) = (list[i].name(), format!("probes.list[{i}].name"));
        if name.trim().is_empty() {
            self.push(Problem::error(path, "a probe without a name", "such as \"P1\""));
        } else if name == TIME {
            let message = format!("no probe can be called \"{TIME}\"");
            self.push(Problem::error(path, message, "that is the column of the sample's time"));
        } else if let Some(problem) = unprintable(&path, name) {
            self.push(problem);
        } else if first < i {
            let message = format!("probes.list[{first}] is already called \"{name}\"");
            self.push(Problem::error(path, message, "give each probe a name of its own"));
        }
    }
}
