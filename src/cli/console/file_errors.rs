//! What a failed file or folder means for a command.

use super::streams::Console;
use super::verdict::Verdict;
use hashfall_output::FileError;

/// Tells why a folder could not be had or written.
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
        | FileError::InTheWay(_)
        | FileError::LeadsOut(_) => Verdict::WrongInput,
    }
}
