//! What the program says: on stderr to people, on stdout as data and as events to programs.

mod events;
mod fields;
mod file_errors;
mod shell_path;
mod streams;
mod verdict;

pub use events::{BodyEvent, Event, Events, Moment, RunExtent, Start};
pub use fields::Fields;
pub use file_errors::report_file_error;
pub use shell_path::shell_path;
pub use streams::Console;
pub use verdict::Verdict;
