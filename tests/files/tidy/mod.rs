//! Keeps the promises of `src/lib.rs` and the README by reading the sources: who may touch paths
//! and who may print, and how a file looks. Which crate may use which is cargo's to hold.

mod arguments;
mod imports;
mod sources;

use hashfall_search::{BroadPhaseKind, NeighborKind, OTHERS, PairKind};
use sources::{
    SourceFile, assert_none, blank_out, product_sources, read, root, sources, sources_in,
};
use std::fs;
use std::path::PathBuf;

/// The most lines in a file, and characters in a line.
const MAX_LINES: usize = 500;
const MAX_COLUMNS: usize = 100;

/// Folders with sources beside `src/`, which must look as those there do.
const BESIDE: [&str; 3] = ["fuzz/src", "fuzz/fuzz_targets", "python/src"];

fn identifier(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// Words that no source holds: the left column of the glossary, where it is unambiguous, and what
/// messages said once.
const BANNED: [&str; 28] = [
    "take_back",
    "look_around",
    "LookAround",
    "struct Kept",
    "enum Part ",
    "Splats",
    "last_words",
    "oddities",
    "trait Look",
    "InTheWay",
    "is_for_want_of_room",
    "NoRoom",
    "struct Crew",
    "struct Eight",
    "HotLoop",
    "struct Caution",
    "struct Mover",
    "Pressures::",
    "where_negative",
    "this room",
    " house",
    "without a word",
    "gave up at the most",
    "is there and no page",
    "as they are in all",
    "one has a number to come",
    "choose another folder",
    "went beyond its limits",
];
/// Words of limits and constructors that are no standard names.
const BANNED_NAMES: [&str; 4] = ["MOST_", "LEAST_", "Self::of(", "Told"];

/// Complains about each banned word in a source, comments and strings included.
fn banned_words(file: &SourceFile) -> Vec<String> {
    let words = BANNED.iter().chain(&BANNED_NAMES);
    let found = words.filter(|word| file.text.contains(**word));
    let constructor = file.text.lines().any(|line| {
        let line = line.trim_start().trim_start_matches("pub ");
        (line.starts_with("fn of(") || line.starts_with("fn on(")) && line.contains("-> Self")
    });
    let found = found.copied().chain(constructor.then_some("a constructor `of` or `on`"));
    found.map(|word| format!("{}: `{word}` is a banned word", file.path)).collect()
}

#[test]
fn no_source_holds_a_banned_word() {
    assert_none(sources().iter().flat_map(banned_words).collect());
    let text = "//! A page.\nconst MOST_PAGES: u32 = 3; // goes on without a word\n".to_owned();
    let bad = SourceFile { path: "crates/report/src/page.rs".to_owned(), text };
    assert_eq!(banned_words(&bad).len(), 2, "the test can fail");
}

#[test]
fn comments_and_the_insides_of_strings_do_not_count() {
    let hidden = blank_out("a // crate::cli\n\"crate::run \\\" \" b '\"' c r#\"crate::x\"# d");
    assert_eq!(hidden.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "d"]);
}

#[test]
fn only_the_file_layer_and_the_command_line_touch_paths() {
    let words = ["std::fs", "fs::", "std::path", "env::var", "env::args"];
    let sealed = product_sources().into_iter().filter(|file| {
        let is_file_layer = ["disk/files.rs", "disk/file_error.rs", "folder/run_folder.rs"]
            .iter()
            .any(|name| file.path == format!("crates/output/src/{name}"));
        !file.is_top() && !is_file_layer
    });
    assert_none(sealed.flat_map(|file| file.lines_with(&words)).collect());
}

#[test]
fn only_the_command_line_prints_and_nothing_panics_on_a_closed_pipe() {
    let panicking = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];
    let streams = ["stdout()", "stderr()", "process::exit"];
    let mut complaints = Vec::new();
    for file in product_sources() {
        complaints.extend(file.lines_with(&panicking));
        if !file.is_top() {
            complaints.extend(file.lines_with(&streams));
        }
    }
    assert_none(complaints);
}

#[test]
fn product_code_does_not_unwrap_and_leaves_nothing_for_later() {
    let unfinished = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"]].map(|parts| parts.concat());
    let mut complaints = Vec::new();
    for file in product_sources() {
        complaints.extend(file.lines_with(&[".unwrap()", "todo!", "unimplemented!"]));
        for (i, line) in file.text.lines().enumerate() {
            let marks = unfinished.iter().filter(|mark| line.contains(mark.as_str()));
            complaints.extend(marks.map(|mark| format!("{}:{}: {mark}", file.path, i + 1)));
        }
    }
    assert_none(complaints);
}

/// The file that defines the solvers, and all that may choose by them.
const SOLVERS: &str = "crates/sph/src/world/solvers.rs";
const MAY_CHOOSE: [&str; 2] = [SOLVERS, "crates/sph/src/step/schemes/registry.rs"];

/// The solvers that a text defines.
fn solver_names(text: &str) -> Vec<String> {
    let (_, rest) = text.split_once("pub enum Solver {\n").unwrap();
    let (variants, _) = rest.split_once("\n}").unwrap();
    let lines = variants.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    lines.map(identifier).filter(|name| !name.is_empty()).collect()
}

/// Lines of code that name a solver, import all of them or give their type another name.
fn choices_by_solver(file: &SourceFile, solvers: &[String]) -> Vec<String> {
    let mut words: Vec<String> = solvers.iter().map(|name| format!("Solver::{name}")).collect();
    words.extend(["Solver::*", "Solver::{", "Solver as "].map(str::to_owned));
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    // Other types end in `Solver`, too.
    let text =
        file.text.replace("ElasticSolver", "Elastic").replace("ViscositySolver", "Viscosity");
    SourceFile { path: file.path.clone(), text }.lines_with(&words)
}

/// A new solver would silently get what another has.
#[test]
fn only_the_registry_of_schemes_chooses_by_solver() {
    let files = product_sources();
    let solvers = solver_names(&files.iter().find(|file| file.path == SOLVERS).unwrap().text);
    assert!(solvers.len() >= 4 && solvers.contains(&"Dfsph".to_owned()), "{solvers:?}");
    let (may, others): (Vec<_>, Vec<_>) =
        files.iter().partition(|file| MAY_CHOOSE.contains(&&*file.path));
    assert!(may.iter().all(|file| !choices_by_solver(file, &solvers).is_empty()));
    assert_none(others.iter().flat_map(|file| choices_by_solver(file, &solvers)).collect());
    for code in ["match solver { Solver::Dfsph(_) => 0.5, _ => 1.0 }", "use Solver::*;"] {
        let file = SourceFile { path: "src/x.rs".to_owned(), text: format!("//! X.\n{code}\n") };
        assert_eq!(choices_by_solver(&file, &solvers).len(), 1, "the test can fail");
    }
    let elastic = "//! X.\nuse ElasticSolver as Solver;\nlet a = ElasticSolver::Symplectic(b);\n";
    let file = SourceFile { path: "src/x.rs".to_owned(), text: elastic.to_owned() };
    assert!(choices_by_solver(&file, &solvers).is_empty());
}

#[test]
fn every_file_opens_with_what_it_is_and_stays_readable() {
    let mut complaints = Vec::new();
    for file in sources().into_iter().chain(BESIDE.into_iter().flat_map(sources_in)) {
        if !file.text.starts_with("//! ") {
            complaints.push(format!("{}: does not begin with `//! `", file.path));
        }
        let lines = file.text.lines().count();
        if lines > MAX_LINES {
            complaints.push(format!("{}: {lines} lines", file.path));
        }
        for (i, line) in file.text.lines().enumerate() {
            if line.chars().count() > MAX_COLUMNS {
                complaints.push(format!("{}:{}: too long", file.path, i + 1));
            }
        }
    }
    let main = sources().into_iter().find(|file| file.path == "src/main.rs").unwrap();
    if main.text.lines().count() > 30 {
        complaints.push("src/main.rs: more than 30 lines".to_owned());
    }
    assert_none(complaints);
}

#[test]
fn scripts_and_styles_look_as_sources_do() {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["crates/report/src/page", "crates/preview/src/page"] {
        let pages = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        // What HTML is, it says in its title.
        paths.extend(pages.filter(|path| path.extension().is_none_or(|end| end != "html")));
    }
    assert!(paths.len() > 12, "{paths:?}");
    let mut complaints = Vec::new();
    for path in paths {
        let (text, path) = (read(&path), path.display());
        if !text.starts_with("// ") && !text.starts_with("/* ") {
            complaints.push(format!("{path}: does not begin with what it is"));
        }
        if text.lines().count() > MAX_LINES {
            complaints.push(format!("{path}: {} lines", text.lines().count()));
        }
        let is_long = |line: &&str| line.chars().count() > MAX_COLUMNS;
        complaints.extend(text.lines().filter(is_long).map(|line| format!("{path}: {line}")));
    }
    assert_none(complaints);
}

#[test]
fn the_crates_that_the_readme_names_are_those_that_exist() {
    let readme = read(&root().join("README.md"));
    for member in fs::read_dir(root().join("crates")).unwrap() {
        let name = member.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&format!("`{name}`")), "the README's map lacks {name}");
    }
}

#[test]
fn what_the_readme_names_is_there() {
    let readme = read(&root().join("README.md"));
    for command in ["cargo run --release -- scenes/spheres.ron", "cargo test"] {
        assert!(readme.contains(command), "the README does not show `{command}`");
    }
    let words = readme.split(|c: char| c.is_whitespace() || "()`\"<>,".contains(c));
    let paths = words.filter(|word| {
        ["scenes/", "docs/", "meshes/", "tests/", ".ci/"].iter().any(|f| word.starts_with(f))
            && !word.contains('*')
    });
    for path in paths {
        let path = path.trim_end_matches(['.', ':', ';']);
        assert!(root().join(path).exists(), "the README names {path}, which is not there");
    }
}

#[test]
fn every_search_structure_is_in_the_documentation_as_it_is_listed() {
    let page = read(&root().join("docs/structures.md"));
    let of_kinds = NeighborKind::ALL.map(|kind| (kind.name(), kind.about())).into_iter();
    let of_kinds = of_kinds
        .chain(BroadPhaseKind::ALL.map(|kind| (kind.name(), kind.about())))
        .chain(PairKind::ALL.map(|kind| (kind.name(), kind.about())))
        .chain(OTHERS);
    let (mut rows, mut listed) = (0, vec![]);
    for (name, about) in of_kinds {
        let row = format!("| `{name}` | {about} |");
        assert!(page.contains(&row), "docs/structures.md lacks\n{row}");
        rows += page.matches(&row).count();
        listed.push(row);
    }
    assert_eq!(page.lines().filter(|line| line.starts_with("| `")).count(), listed.len());
    assert_eq!(rows, listed.len(), "each once");
}

#[test]
fn every_key_of_a_scene_is_in_its_documentation() {
    let documentation = read(&root().join("docs/scene.md"));
    let words: Vec<&str> =
        documentation.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    let mut keys = 0;
    for file in sources() {
        let of_keys = [
            "crates/scene/src/model/scene.rs",
            "crates/scene/src/model/solids.rs",
            "crates/scene/src/settings.rs",
            "crates/solid/src/law.rs",
            "crates/sph/src/world/settings.rs",
            "crates/sph/src/world/solvers.rs",
            "crates/sph/src/world/probes.rs",
            "crates/surface/src/settings.rs",
        ];
        if !of_keys.contains(&&*file.path) {
            continue;
        }
        for (number, line) in file.code() {
            let line = line.trim_start().trim_start_matches("pub ");
            let key = identifier(line);
            if !key.is_empty() && line[key.len()..].starts_with(": ") {
                keys += 1;
                let place = format!("{}:{number}", file.path);
                assert!(words.contains(&key.as_str()), "docs/scene.md lacks `{key}` of {place}");
            }
        }
    }
    assert!(keys > 30, "only {keys} keys were found");
}
