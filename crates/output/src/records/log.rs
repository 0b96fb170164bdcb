//! `log.csv`: a row per frame, to plot a run or to find where it went wrong.
//!
//! Rows are appended, so that a long run neither holds the table in memory nor rewrites it. A row
//! that does not fit on the disk is removed again.

use super::digest_text::hexadecimal;
use super::energy::EnergyAccount;
use super::exchanged::Exchanged;
use super::table::{Table, complete_rows, number};
use hashfall_bodies::Wrench;
use hashfall_core::timer::{Stage, StageTimes};
use hashfall_sph::world::ElasticAudit;
use std::collections::HashMap;

/// Column suffixes of the force and torque on a body.
const FORCES: [&str; 6] = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"];

/// Columns of the contact of free bodies.
const CONTACT: [&str; 3] = ["contact_points", "contact_rounds", "inexact_contacts"];

/// A frame, and the steps since the frame before it.
#[derive(Clone, Debug)]
pub struct FrameRow {
    /// Number of the frame; 0 is the start.
    pub frame: u32,
    /// Simulated time \[s\].
    pub time: f64,
    /// Steps since the frame before.
    pub steps: u64,
    /// Steps since the start.
    pub total_steps: u64,
    /// Mean time step since the frame before \[s\]; 0 for the first frame.
    pub dt_mean: f64,
    /// Smallest time step since the frame before \[s\]; 0 for the first frame.
    pub dt_min: f64,
    /// The limit that set most of these time steps; empty for the first frame.
    pub limited_by: &'static str,
    /// Steps since the frame before that were rejected and repeated.
    pub rejected: u64,
    /// Largest density error (ρ − ρ₀)/ρ₀ of any particle after any step since the frame before,
    /// where compressed \[–\].
    pub density_error_max: f64,
    /// Its mean over all particles, largest of these steps; one that is not compressed counts as 0
    /// \[–\].
    pub density_error_mean: f64,
    /// Mean iterations per step since the frame before: of the density solve, and of the divergence
    /// solve.
    pub iterations: [f64; 2],
    /// Steps since the frame before in which these solves hit the iteration limit.
    pub capped: [u64; 2],
    /// Mean iterations per step of the viscosity solve, and steps in which it hit the iteration
    /// limit; `None` where viscosity is explicit.
    pub viscosity: Option<(f64, u64)>,
    /// Most contact points of free bodies in a step, rounds in which pressures were found again for
    /// them, and steps that left their contact inexact; `None` without such contact.
    pub contact: Option<[u64; 3]>,
    /// Total mass \[kg\].
    pub mass: f64,
    /// Inflow and outflow; `None` without emitters and sinks.
    pub exchanged: Option<Exchanged>,
    /// Energy without what was supplied, and works since the start.
    pub energy: EnergyAccount,
    /// Total momentum \[kg·m/s\].
    pub momentum: [f64; 3],
    /// Kinetic energy \[J\].
    pub kinetic_energy: f64,
    /// Potential energy in gravity \[J\].
    pub potential_energy: f64,
    /// Speed of the fastest particle \[m/s\].
    pub max_speed: f64,
    /// Deepest penetration into a solid since the frame before, in particle spacings d.
    pub deepest_penetration: f64,
    /// Particles outside the domain.
    pub outside: usize,
    /// Triangles of the surface.
    pub surface_triangles: usize,
    /// Volume that the surface encloses \[m³\].
    pub surface_volume: f64,
    /// Digest of the world.
    pub digest: u64,
    /// Digest of the states of the bodies that move, for the manifest; `None` if none moves.
    pub body_digest: Option<u64>,
    /// Mass, momentum, energies and digest of the elastic bodies; `None` if there are none.
    pub elastic: Option<ElasticRow>,
    /// Force \[N\] and torque about the origin \[N m\] on the walls, then on each entry of the
    /// scene's solids: means since the frame before, 0 for the first frame.
    pub forces: Vec<Wrench>,
    /// Wall-clock time since the frame before; its output part belongs to that frame.
    pub stages: StageTimes,
}

/// What a frame tells of the elastic bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElasticRow {
    /// Sums over all of them.
    pub audit: ElasticAudit,
    /// Mean substeps per step since the frame before.
    pub substeps: f64,
    /// Contacts that acted since the frame before.
    pub contacts: u64,
    /// Vertices that went through a triangle since the frame before.
    pub passages: u64,
    /// Edges of the bodies that go through triangles of these, each triangle counted.
    pub intersections: u64,
    /// Digest of their state.
    pub digest: u64,
}

impl ElasticRow {
    fn columns(&self) -> impl Iterator<Item = (String, String)> {
        let ElasticAudit {
            mass, momentum, kinetic_energy, elastic_energy, potential_energy, ..
        } = self.audit;
        let columns = [
            ("elastic_mass", number(mass)),
            ("elastic_momentum_x", number(momentum[0])),
            ("elastic_momentum_y", number(momentum[1])),
            ("elastic_momentum_z", number(momentum[2])),
            ("elastic_kinetic_energy", number(kinetic_energy)),
            ("elastic_energy", number(elastic_energy)),
            ("elastic_potential_energy", number(potential_energy)),
            ("elastic_max_speed", number(self.audit.max_speed)),
            ("elastic_substeps", number(self.substeps)),
            ("elastic_contacts", self.contacts.to_string()),
            ("elastic_passages", self.passages.to_string()),
            ("elastic_intersections", self.intersections.to_string()),
            ("elastic_digest", hexadecimal(self.digest)),
        ];
        columns.into_iter().map(|(name, value)| (name.to_owned(), value))
    }
}

impl FrameRow {
    /// The columns, in order: name and value. The names of a run never change.
    fn columns(&self) -> Vec<(String, String)> {
        let mut columns: Vec<(String, String)> = vec![
            ("frame".into(), self.frame.to_string()),
            ("time".into(), number(self.time)),
            ("steps".into(), self.steps.to_string()),
            ("total_steps".into(), self.total_steps.to_string()),
            ("dt_mean".into(), number(self.dt_mean)),
            ("dt_min".into(), number(self.dt_min)),
            ("limited_by".into(), self.limited_by.into()),
            ("rejected_steps".into(), self.rejected.to_string()),
            ("density_error_max".into(), number(self.density_error_max)),
            ("density_error_mean".into(), number(self.density_error_mean)),
            ("density_iterations".into(), number(self.iterations[0])),
            ("divergence_iterations".into(), number(self.iterations[1])),
            ("density_capped".into(), self.capped[0].to_string()),
            ("divergence_capped".into(), self.capped[1].to_string()),
            ("mass".into(), number(self.mass)),
            ("momentum_x".into(), number(self.momentum[0])),
            ("momentum_y".into(), number(self.momentum[1])),
            ("momentum_z".into(), number(self.momentum[2])),
            ("kinetic_energy".into(), number(self.kinetic_energy)),
            ("potential_energy".into(), number(self.potential_energy)),
            ("max_speed".into(), number(self.max_speed)),
            ("deepest_penetration".into(), number(self.deepest_penetration)),
            ("outside".into(), self.outside.to_string()),
            ("surface_triangles".into(), self.surface_triangles.to_string()),
            ("surface_volume".into(), number(self.surface_volume)),
            ("digest".into(), hexadecimal(self.digest)),
        ];
        if let Some((iterations, capped)) = self.viscosity {
            columns.extend([
                ("viscosity_iterations".into(), number(iterations)),
                ("viscosity_capped".into(), capped.to_string()),
            ]);
        }
        if let Some(contact) = self.contact {
            columns.extend(
                CONTACT
                    .iter()
                    .zip(contact)
                    .map(|(name, count)| ((*name).into(), count.to_string())),
            );
        }
        if let Some(Exchanged { particles, emitted, removed, masses, energy }) = self.exchanged {
            columns.extend([
                ("particles".into(), particles.to_string()),
                ("emitted".into(), emitted.to_string()),
                ("removed".into(), removed.to_string()),
                ("emitted_mass".into(), number(masses[0])),
                ("removed_mass".into(), number(masses[1])),
                ("exchanged_energy".into(), number(energy)),
            ]);
        }
        columns.extend(self.energy.columns());
        columns.extend(self.elastic.iter().flat_map(ElasticRow::columns));
        for (body, wrench) in self.forces.iter().enumerate() {
            let name = match body.checked_sub(1) {
                None => "walls".to_owned(),
                Some(solid) => format!("solids[{solid}]"),
            };
            let parts = FORCES.iter().zip(wrench.to_array());
            columns.extend(parts.map(|(part, x)| (format!("{name}_{part}"), number(x))));
        }
        let has_elastic = self.elastic.is_some();
        let stages = Stage::ALL.iter().filter(|&&stage| stage != Stage::Elastic || has_elastic);
        columns.extend(stages.map(|&stage| {
            (
                format!("{}_ms", stage.name()),
                format!("{:.3}", self.stages.of(stage).as_secs_f64() * 1e3),
            )
        }));
        columns
    }
}

/// The meaning of a column of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The state at the frame.
    State,
    /// The steps since the frame before; the first frame has none.
    SinceLastFrame,
    /// A count that only grows.
    Count,
    /// A name.
    Name,
    /// The digest of the world.
    Digest,
    /// Wall-clock time since the frame before.
    WallTime,
}

/// The meaning of the column with this name.
pub fn meaning(column: &str) -> Meaning {
    let has_end = |ends: &[&str]| ends.iter().any(|end| column.ends_with(end));
    match column {
        "frame" | "time" | "total_steps" => Meaning::Count,
        "limited_by" => Meaning::Name,
        "digest" | "elastic_digest" => Meaning::Digest,
        "elastic_substeps" | "elastic_contacts" | "elastic_passages" => Meaning::SinceLastFrame,
        _ if CONTACT.contains(&column) => Meaning::SinceLastFrame,
        "steps" | "dt_mean" | "dt_min" | "rejected_steps" | "deepest_penetration" => {
            Meaning::SinceLastFrame
        }
        _ if column.ends_with("_ms") => Meaning::WallTime,
        _ if column.starts_with("density_error") || has_end(&["_iterations", "_capped"]) => {
            Meaning::SinceLastFrame
        }
        _ if has_end(&FORCES) => Meaning::SinceLastFrame,
        _ => Meaning::State,
    }
}

/// The log; it has no table before the first frame.
#[derive(Debug, Default)]
pub struct Log {
    table: Option<Table>,
    /// The columns of a file that was begun before, perhaps by a program that had others.
    begun: Option<Vec<String>>,
}

impl Log {
    /// The log whose file holds this; nothing before the first frame.
    pub fn after(written: &[u8]) -> Self {
        if written.is_empty() {
            return Log::default();
        }
        let (header, _) = complete_rows(written);
        Log { table: Some(Table::after(written.len() as u64)), begun: Some(header) }
    }

    /// Adds a row, under a header if it is the first. In a file that was begun before it has the
    /// columns of that header, empty where there is nothing of the name.
    pub fn push(&mut self, row: &FrameRow) -> &mut Table {
        let columns = row.columns();
        let table = self.table.get_or_insert_with(|| Table::new(columns.iter().map(|it| &it.0)));
        match &self.begun {
            None => table.push(columns.into_iter().map(|(_, value)| value)),
            Some(header) => table.push(arranged(columns, header)),
        }
        table
    }

    /// Bytes of its file.
    pub fn written(&self) -> u64 {
        self.table.as_ref().map_or(0, Table::written)
    }
}

/// The values of columns in the order of a header, empty where there is none of the name.
fn arranged(columns: Vec<(String, String)>, header: &[String]) -> Vec<String> {
    let mut values: HashMap<String, String> = columns.into_iter().collect();
    header.iter().map(|name| values.remove(name).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_another_version_began_keeps_its_columns() {
        let log = Log::after(b"frame,gone,digest\n0,7,aa\n");
        let header = log.begun.unwrap();
        assert_eq!((header.len(), log.table.unwrap().written()), (3, 25));
        let new = [("frame", "1"), ("digest", "bb"), ("net_energy", "2.5")];
        let new = new.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(arranged(new.into(), &header), ["1", "", "bb"]);
        assert!(Log::after(b"").begun.is_none());
    }
}
