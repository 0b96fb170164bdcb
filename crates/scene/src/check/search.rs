//! Checks that the chosen neighbour search supports the parameters that the scene gives.

use super::checks::Checks;
use crate::problem::Problem;
use crate::text::suggest::listed;
use hashfall_search::{NeighborKind, SearchSettings};

impl Checks<'_> {
    pub(super) fn search(&mut self) {
        let usual = SearchSettings::default();
        let given = self.model.search;
        let of_masks = NeighborKind::takes_subdivision;
        let of_tables = NeighborKind::takes_table;
        self.taken("subdivision", given.subdivision == usual.subdivision, of_masks);
        self.taken("table_size", given.table_size == usual.table_size, of_tables);
        self.taken("hash_function", given.hash_function == usual.hash_function, of_tables);
    }

    /// Refuses a setting that is not as usual and that the chosen structure does not take.
    fn taken(&mut self, key: &str, is_usual: bool, takes: fn(NeighborKind) -> bool) {
        let kind = self.model.neighbors;
        if is_usual || takes(kind) {
            return;
        }
        let takers = NeighborKind::ALL.into_iter().filter(|&kind| takes(kind));
        let takers: Vec<String> = takers.map(|kind| format!("{kind:?}")).collect();
        let takers = listed(&takers.iter().map(String::as_str).collect::<Vec<_>>());
        let message = format!("`{kind:?}` has no `{key}`");
        let help = format!("`neighbors` with a `{key}` are {takers}");
        self.push(Problem::error(format!("search.{key}"), message, &help).also_at("neighbors"));
    }
}
