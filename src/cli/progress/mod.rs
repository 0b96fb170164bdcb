//! How far a run or a command is, while it goes.

mod display;
mod event_lines;
mod file_bar;
mod interval;
mod observer;
mod status_line;
mod waiting;

pub use file_bar::FileBar;
pub use interval::Interval;
pub use observer::{for_programs, observer};
pub use waiting::{PREPARING, Waiting};
