//! Why a run cannot be exported.

use crate::cli::console::{Console, Verdict, report_file_error};
use hashfall_output::FileError;
use std::io;
use std::path::PathBuf;

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A folder or file cannot be used.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file has not what it should.
    #[error("`{}`: {reason}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The run has nothing of what was asked for.
    #[error("`{}` has no {what}, which `{format}` is made of", folder.display())]
    NoParts {
        /// The folder of the run.
        folder: PathBuf,
        /// The parts.
        what: String,
        /// The format.
        format: &'static str,
    },
    /// No frame is in the requested range.
    #[error("`{}` has no frame from --from to --to; the last is {last}", folder.display())]
    NoFrame {
        /// The folder of the run.
        folder: PathBuf,
        /// The last frame.
        last: u32,
    },
    /// Options that contradict each other or a format.
    #[error("{0}")]
    Options(String),
    /// The folder for a format is a file.
    #[error("`{}` is a file; name a folder for the export", .0.display())]
    NoFolder(PathBuf),
    /// The folder for a format holds files.
    #[error(
        "`{}` exists; pass --overwrite to replace what is exported there, or another --out",
        .0.display()
    )]
    Exists(PathBuf),
    /// Another process exports into the folder.
    #[error("another process exports into `{}`; wait for its end", .0.display())]
    InUse(PathBuf),
    /// The run has what the format cannot hold.
    #[error("{0}")]
    Unfit(io::Error),
    /// Something that is no fault of a file.
    #[error("cannot write the export: {0}")]
    System(io::Error),
}

impl ExportError {
    /// The error of a writer, which passes on that of a file.
    pub fn from_writer(error: io::Error) -> ExportError {
        match error.downcast::<FileError>() {
            Ok(error) => ExportError::File(error),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => ExportError::Unfit(error),
            Err(error) => ExportError::System(error),
        }
    }

    /// Prints the error; returns the verdict that follows.
    pub fn report(&self, console: Console) -> Verdict {
        match self {
            ExportError::File(error) => report_file_error(error, console),
            ExportError::System(_) => {
                console.error(self);
                Verdict::Failed
            }
            _ => {
                console.error(self);
                Verdict::WrongInput
            }
        }
    }
}
