//! The experiments, a file each; `docs/papers.md` has what the papers found.

mod ahmad_cells;
mod ahmad_misses;
mod ahmad_raster;
mod broad_phase;
mod elastic_contact;
mod moving;
mod neighbors;
mod onderik;
mod pairs;
mod poirrier;
mod poirrier_table1;
mod pouchol_fig4;
mod pouchol_fig5;
mod pouchol_fig6;
mod radii;
mod triangles;

use crate::experiment::Experiment;

/// Every experiment, in the order in which all are run.
pub const ALL: [Experiment; 19] = [
    pouchol_fig4::EXPERIMENT,
    pouchol_fig5::EXPERIMENT,
    pouchol_fig6::EXPERIMENT,
    onderik::EXPERIMENT,
    poirrier_table1::EXPERIMENT,
    poirrier::FIG11,
    poirrier::FIG12,
    poirrier::TABLE2,
    poirrier::TABLE3,
    ahmad_raster::EXPERIMENT,
    ahmad_cells::EXPERIMENT,
    ahmad_misses::EXPERIMENT,
    elastic_contact::EXPERIMENT,
    neighbors::EXPERIMENT,
    broad_phase::EXPERIMENT,
    pairs::EXPERIMENT,
    moving::EXPERIMENT,
    radii::EXPERIMENT,
    triangles::EXPERIMENT,
];

/// The experiment of this name.
pub fn find(name: &str) -> Option<&'static Experiment> {
    ALL.iter().find(|experiment| experiment.name == name)
}
