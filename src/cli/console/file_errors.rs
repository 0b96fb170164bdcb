//! Errors of files and folders: printed, and turned into a verdict.

use super::streams::Console;
use super::verdict::Verdict;
use hashfall_output::FileError;

/// Prints an error of a file or folder; returns the verdict that follows.
pub fn report_file_error(error: &FileError, console: Console) -> Verdict {
    console.error(error);
    match error {
        error if error.is_disk_full() => Verdict::DiskFull(Verdict::Failed.code()),
        FileError::System { .. } | FileError::NoCheckpoint(_) => Verdict::Failed,
        FileError::ExistingRun(_)
        | FileError::UnfinishedRun { .. }
        | FileError::NoRun { .. }
        | FileError::Changed(_)
        | FileError::InUse(_)
        | FileError::ForeignFile(_)
        | FileError::LeadsOut(_) => Verdict::WrongInput,
    }
}
