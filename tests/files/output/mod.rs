//! What a run leaves on disk: frames that other programs' readers take in, and a folder that
//! holds a whole run or the user's own files, never a mixture or a part.

mod bgeo;
mod blob;
mod checkpoint;
mod folder;
mod frame_files;
mod records;
