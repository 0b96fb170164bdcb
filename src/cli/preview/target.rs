//! Where previews are written: into the run's folder, or the folder that the user names.

use super::own_folder::OwnFolder;
use super::subject::PreviewError;
use crate::cli::args::PreviewArgs;
use hashfall_output::files::{self, Write};
use hashfall_output::{FileError, RunFolder, layout};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::PathBuf;

/// A folder for previews, locked while this value lives: another process would remove them. Their
/// names are those in a run's folder, such as `preview/index.html`.
pub enum Target<'a> {
    /// `preview/` in the folder of the run.
    Run { run: &'a RunFolder, _lock: Option<File> },
    /// A folder of its own, without `preview/`.
    Own(OwnFolder),
}

impl<'a> Target<'a> {
    /// The folder that the user names, or that of the run, for previews of these frames.
    ///
    /// # Errors
    /// If another process makes previews there, or the named folder holds files that are not ours.
    pub fn new(
        args: &PreviewArgs,
        frames: &[u32],
        run: &'a RunFolder,
    ) -> Result<Target<'a>, PreviewError> {
        match &args.out {
            Some(folder) => {
                let planned = planned(args, frames);
                Ok(Target::Own(OwnFolder::take(folder, &planned, args.overwrite)?))
            }
            None => Ok(Target::Run { run, _lock: run.lock_previews()? }),
        }
    }

    /// The path of a preview.
    pub fn path(&self, name: &str) -> PathBuf {
        match self {
            Target::Run { run, .. } => run.path().join(name),
            Target::Own(folder) => folder.path(name),
        }
    }

    /// Writes a preview.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), FileError> {
        match self {
            Target::Run { run, .. } => run.write(name, bytes, Write::Replace),
            Target::Own(folder) => files::write(&folder.path(name), bytes, Write::Replace),
        }
    }

    /// Removes the previews of earlier calls other than `current`.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove_old(&self, current: &BTreeSet<String>) -> Result<(), FileError> {
        match self {
            Target::Run { run, .. } => run.remove_old_previews(current),
            Target::Own(folder) => folder.remove_old(current),
        }
    }
}

/// The files that are asked for, of these frames.
fn planned(args: &PreviewArgs, frames: &[u32]) -> BTreeSet<String> {
    let films = [(args.no_gif, layout::PREVIEW_GIF), (args.no_mp4, layout::PREVIEW_MP4)];
    let films = films.into_iter().filter(|(is_left_out, _)| !is_left_out);
    let mut names: BTreeSet<String> = films.map(|(_, name)| name.to_owned()).collect();
    names.extend(frames.iter().map(|&frame| layout::preview(frame)));
    if !args.no_page {
        names.extend([layout::PREVIEW_PAGE, layout::PREVIEW_SOLIDS].map(str::to_owned));
        names.extend(frames.iter().map(|&frame| layout::preview_script(frame)));
    }
    names
}
