//! Tables: a row for each particle, formats by the heads before them.
//!
//! A format ([`csv`], [`dat`], [`pts`], [`xyz`]) finds the head, which makes a [`head::Table`]; the
//! rows of all are read alike (`read`), from columns that are chosen or known by their names
//! (`names`).

pub(super) mod csv;
pub(super) mod dat;
mod first_line;
mod head;
mod names;
pub(super) mod pts;
mod quotes;
mod read;
mod rows;
mod tecplot;
pub(super) mod xyz;
