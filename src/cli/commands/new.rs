//! `sim new`: writes a scene to start from, with the meshes that it needs.

use crate::cli::args::NewArgs;
use crate::cli::args::select::UnknownName;
use crate::cli::console::{Console, Verdict, shell_path};
use crate::cli::files::built_in::{self, BuiltIn};
use hashfall_output::FileError;
use hashfall_output::files::{self, Write};
use hashfall_scene::{Source, convert, schema};
use std::path::{Path, PathBuf};

/// The scene to start from if the user names none.
const DEFAULT: &str = "dam_break";
/// The extensions of scenes.
const EXTENSION: &str = "ron";
const JSON: &str = "json";
/// The schema by which an editor checks a scene in JSON.
const SCHEMA: &str = "scene.schema.json";
/// Where the meshes of a new scene lie, and where those of the built-in ones do.
const MESHES: &str = "meshes/";
const BUILT_IN_MESHES: &str = "../meshes/";

/// Why a scene cannot be written.
#[derive(Debug, thiserror::Error)]
enum NewError {
    /// No such scene is built in.
    #[error(transparent)]
    Unknown(#[from] UnknownName),
    /// The name has another extension.
    #[error("scenes are written in RON or JSON; name it `{}`", .0.with_extension(.1).display())]
    Extension(PathBuf, &'static str),
    /// The name is that of a folder.
    #[error("`{dir}` is a folder; name a file in it, such as `{dir}/splash`", dir = .0.display())]
    Folder(PathBuf),
    /// A file would be replaced.
    #[error("`{}` exists; choose another name, or pass `--overwrite` to replace it", .0.display())]
    Exists(PathBuf),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Writes a scene.
pub fn new(args: &NewArgs, console: Console) -> Verdict {
    match try_new(args, console) {
        Ok(()) => Verdict::Done,
        Err(error) => {
            console.error(&error);
            match error {
                NewError::File(error) if error.is_disk_full() => Verdict::Failed,
                _ => Verdict::WrongInput,
            }
        }
    }
}

fn try_new(args: &NewArgs, console: Console) -> Result<(), NewError> {
    let (path, is_json) = scene_path(&args.name, args.json)?;
    let scene = start(&path, args.from.as_deref())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = scene.files.iter().map(|(name, bytes)| (folder.join(beside(name)), *bytes));
    let text = scene.text.replace(&format!("\"{BUILT_IN_MESHES}"), &format!("\"{MESHES}"));
    let (text, schema) = if is_json { in_json(scene.name, text) } else { (text, None) };
    let schema = schema.iter().map(|schema| (folder.join(SCHEMA), schema.as_bytes()));
    let files = files.chain(schema);
    // The scene last: a scene without its meshes would be refused.
    let all: Vec<(PathBuf, &[u8])> = files.chain([(path.clone(), text.as_bytes())]).collect();
    let is_there = |file: &&(PathBuf, &[u8])| {
        let has_content = files::read_regular(&file.0).is_ok_and(|bytes| bytes == file.1);
        file.0.symlink_metadata().is_ok() && !has_content
    };
    if let Some((path, _)) = all.iter().find(is_there).filter(|_| !args.overwrite) {
        return Err(NewError::Exists(path.clone()));
    }
    for (path, bytes) in &all {
        files::write(path, bytes, Write::Replace)?;
        console.message(format_args!("wrote {}", path.display()));
    }
    console.message(format_args!("from `{}`: {}", scene.name, scene.title()));
    console.message(format_args!("run it: sim {}", shell_path(&path)));
    Ok(())
}

/// A scene as JSON that names its schema, and the schema.
fn in_json(name: &str, text: String) -> (String, Option<String>) {
    let converted = convert(&Source { name: name.to_owned(), text });
    let json = converted.expect("scenes that are built in are valid").text;
    let json = json.replacen('{', &format!("{{\n    \"$schema\": \"{SCHEMA}\","), 1);
    (json, Some(format!("{:#}\n", schema::for_editors())))
}

/// The path of a scene's file, with its extension, and whether it is to be JSON.
fn scene_path(name: &Path, json: bool) -> Result<(PathBuf, bool), NewError> {
    if name.is_dir() {
        return Err(NewError::Folder(name.to_path_buf()));
    }
    let is_json = json || name.extension().is_some_and(|extension| extension == JSON);
    let wanted = if is_json { JSON } else { EXTENSION };
    match name.extension() {
        None => Ok((name.with_extension(wanted), is_json)),
        Some(extension) if extension == wanted => Ok((name.to_path_buf(), is_json)),
        Some(_) => Err(NewError::Extension(name.to_path_buf(), wanted)),
    }
}

/// The built-in scene to start from: the one that is asked for, that of the new scene's name, or
/// the default.
fn start(path: &Path, asked: Option<&str>) -> Result<&'static BuiltIn, UnknownName> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = match asked {
        Some(name) => name,
        None if built_in::named(stem).is_some() => stem,
        None => DEFAULT,
    };
    let unknown = || UnknownName::new("built-in scene", name, &built_in::names());
    built_in::named(name).ok_or_else(unknown)
}

/// The path of a mesh beside the new scene.
fn beside(path: &str) -> String {
    match path.strip_prefix(BUILT_IN_MESHES) {
        Some(name) => format!("{MESHES}{name}"),
        None => path.to_owned(),
    }
}
