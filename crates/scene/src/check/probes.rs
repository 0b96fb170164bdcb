//! Checks of the probes: unique names, positions inside the domain, faces, and solids that they
//! move with.

use super::checks::Checks;
use super::printable::unprintable;
use crate::model::Domain;
use crate::problem::Problem;
use hashfall_sph::world::{Face, Probe};
use std::collections::HashMap;

/// The column of the times, which no probe may be called.
const TIME: &str = "time";

impl Checks<'_> {
    pub(super) fn probes(&mut self, domain_is_sound: bool) {
        let probes = &self.model.probes;
        let mut names = HashMap::new();
        for (i, probe) in probes.list.iter().enumerate() {
            let path = format!("probes.list[{i}]");
            let columns = probe.columns();
            let first = columns.into_iter().map(|column| *names.entry(column.name).or_insert(i));
            self.probe_name(i, first.min().unwrap_or(i));
            match probe {
                Probe::MeanPressure { over, .. } | Probe::Force { over, .. } => {
                    self.face(&format!("{path}.over"), over);
                }
                _ => {}
            }
            let rides = self.carrier(&path, probe);
            if domain_is_sound && !rides {
                let places = places(&path, probe);
                places.iter().for_each(|(path, x, axis)| self.probe_in_domain(path, *x, *axis));
            }
        }
    }

    /// The face of a sensor; in the plane its normal lies in it.
    fn face(&mut self, path: &str, face: &Face) {
        self.direction(&format!("{path}.normal"), &face.normal());
        if let Face::Rectangle { size: (a, b), .. } = *face {
            self.edges(&format!("{path}.size"), [a, b]);
        }
    }

    /// The solid that a probe moves with; whether it names one.
    fn carrier(&mut self, path: &str, probe: &Probe) -> bool {
        let Some(solid) = probe.carrier() else { return false };
        self.solid_reference(&format!("{path}.on"), solid);
        if let Some(point) = probe.point() {
            let path = format!("{path}.{}", point_key(probe));
            if self.point(&path, &point) && self.is_plane() {
                self.in_plane(&path, point[1]);
            }
        }
        true
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

/// The key of the point of a probe, or of the centre of its face.
pub fn point_key(probe: &Probe) -> &'static str {
    match probe {
        Probe::MeanPressure { .. } | Probe::Force { .. } => "over.centre",
        _ => "at",
    }
}

/// The places that a probe stands at, each with its key path and axis.
fn places(path: &str, probe: &Probe) -> Vec<(String, f64, usize)> {
    match probe {
        Probe::Height { x, y, .. } => {
            vec![(format!("{path}.x"), *x, 0), (format!("{path}.y"), *y, 1)]
        }
        Probe::Front { below, .. } => {
            below.iter().map(|z| (format!("{path}.below"), *z, 2)).collect()
        }
        _ => {
            let key = point_key(probe);
            let point = probe.point().unwrap_or_default();
            (0..3).map(|a| (format!("{path}.{key}[{a}]"), point[a], a)).collect()
        }
    }
}
