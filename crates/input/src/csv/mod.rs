//! Tables, `.csv` and `.tsv`: their rows, the names of their columns, and their quotes.

mod names;
mod quotes;
mod table;

pub(super) use table::read;
