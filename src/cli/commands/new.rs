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
    /// A scene would be replaced.
    #[error("`{}` exists; choose another name, or pass `--overwrite` to replace it", .0.display())]
    Exists(PathBuf),
    /// A mesh would be replaced, which another scene may name.
    #[error(
        "`{}` exists and is another mesh than the scene needs; move it, or write the scene into \
         another folder: sim new FOLDER/NAME",
        .0.display()
    )]
    OtherMesh(PathBuf),
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
    let files = scene.files.iter().map(|(name, bytes)| NewFile {
        path: folder.join(beside(name)),
        bytes,
        kind: FileKind::Mesh,
    });
    let text = scene.text.replace(&format!("\"{BUILT_IN_MESHES}"), &format!("\"{MESHES}"));
    let (text, schema) = if is_json { in_json(scene.name, text) } else { (text, None) };
    let schema = schema.iter().map(|schema| NewFile {
        path: folder.join(SCHEMA),
        bytes: schema.as_bytes(),
        kind: FileKind::Schema,
    });
    let itself = NewFile { path: path.clone(), bytes: text.as_bytes(), kind: FileKind::Scene };
    // The scene last: a scene without its meshes would be refused.
    let all: Vec<NewFile> = files.chain(schema).chain([itself]).collect();
    all.iter().try_for_each(|file| file.check(args.overwrite))?;
    for file in &all {
        if file.kind == FileKind::Scene || !file.is_written() {
            files::write(&file.path, file.bytes, Write::Replace)?;
            console.message(format_args!("wrote {}", file.path.display()));
        }
    }
    console.message(format_args!("from `{}`: {}", scene.name, scene.title()));
    console.message(format_args!("run it: sim {}", shell_path(&path)));
    Ok(())
}

/// What a file of a new scene is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    Scene,
    Mesh,
    Schema,
}

/// A file of a new scene.
struct NewFile<'a> {
    path: PathBuf,
    bytes: &'a [u8],
    kind: FileKind,
}

impl NewFile<'_> {
    /// Whether the file is there with this content.
    fn is_written(&self) -> bool {
        files::read_regular(&self.path).is_ok_and(|bytes| bytes == self.bytes)
    }

    /// Checks that nothing of the user's is lost: a schema is nobody's, a scene is replaced if
    /// asked, and a mesh may belong to other scenes.
    fn check(&self, overwrite: bool) -> Result<(), NewError> {
        let is_other = || self.path.symlink_metadata().is_ok() && !self.is_written();
        match self.kind {
            FileKind::Scene if !overwrite && is_other() => Err(NewError::Exists(self.path.clone())),
            FileKind::Mesh if is_other() => Err(NewError::OtherMesh(self.path.clone())),
            FileKind::Scene | FileKind::Mesh | FileKind::Schema => Ok(()),
        }
    }
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
    let language = if is_json { JSON } else { EXTENSION };
    match name.extension() {
        None => Ok((name.with_extension(language), is_json)),
        Some(extension) if extension == language => Ok((name.to_path_buf(), is_json)),
        Some(_) => Err(NewError::Extension(name.to_path_buf(), language)),
    }
}

/// The built-in scene to start from: the one that is asked for, that of the new scene's name, or
/// the default.
fn start(path: &Path, requested: Option<&str>) -> Result<&'static BuiltIn, UnknownName> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = match requested {
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
