//! Reports: a run, or many runs of a sweep, as one page to look at.
//!
//! A page is a single HTML file with all that it needs: style, scripts, pictures and numbers. It
//! opens from a disk, loads nothing, and may be sent or put into a supplement as it is. Facts and
//! tables stand in the HTML itself; charts are drawn by the scripts in `page/` from the numbers,
//! which are embedded as JSON just as the tables have them.
//!
//! [`RunPage`] is made from the bytes of a run's files, [`SweepPage`] from the table of a sweep;
//! `html` escapes and assembles, `table` embeds, `body_paths` takes apart where bodies went.

mod body_paths;
mod html;
mod run_page;
mod sweep_page;
mod table;

pub use run_page::RunPage;
pub use sweep_page::SweepPage;
