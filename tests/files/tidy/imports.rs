//! No two files import from each other, nor do more in a circle: each can be read, changed and
//! tested with nothing but what is below it.
//!
//! The graph is read from the sources of a crate: a file imports from the file that defines an item
//! which it names by `use` or by a path, whatever re-exports are between the two. Tests may name
//! what they like. Methods are not seen, for they have no path: an `impl` may be spread over files.

use super::sources::{SourceFile, assert_none, blank_out, product_sources};
use std::collections::{BTreeMap, BTreeSet};

/// The most re-exports between a name and its definition.
const MAX_REEXPORTS: usize = 32;

/// A module of a crate: a file, or a part of one between braces.
#[derive(Default)]
struct Module {
    /// The number of its file.
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    items: BTreeSet<String>,
    /// What names in scope stand for.
    imports: BTreeMap<String, Vec<String>>,
}

/// What a path names.
enum Target {
    Module(usize),
    /// An item, and the number of the file that defines it.
    Item(usize, String),
}

/// The modules of a crate, and each path that its files name.
#[derive(Default)]
struct Crate {
    files: Vec<String>,
    modules: Vec<Module>,
    /// Paths, each with the module in which it stands.
    paths: Vec<(usize, Vec<String>)>,
}

/// Which items a file imports from another, by the numbers of both.
type Imports = BTreeMap<(usize, usize), BTreeSet<String>>;

impl Crate {
    /// Reads the crate whose root is the file at `root`.
    fn read(root: &str, files: &BTreeMap<&str, &SourceFile>) -> Self {
        let mut all = Self::default();
        all.modules.push(Module::default());
        all.read_file(0, root, files);
        all
    }

    /// Reads the file of a module, and those of the modules that it declares.
    fn read_file(&mut self, module: usize, path: &str, files: &BTreeMap<&str, &SourceFile>) {
        self.modules[module].file = self.files.len();
        self.files.push(path.to_owned());
        let stem = path.trim_end_matches(".rs");
        let folder = ["/mod", "/lib"].iter().find_map(|end| stem.strip_suffix(end));
        let folder = folder.unwrap_or(stem);
        for (name, child) in Reader::new(&files[path].text).read(self, module) {
            let paths = [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")];
            if let Some(path) = paths.iter().find(|path| files.contains_key(path.as_str())) {
                self.read_file(child, path, files);
            }
        }
    }

    /// Adds a module within another, and returns its number.
    fn add_module(&mut self, parent: usize, name: &str) -> usize {
        let file = self.modules[parent].file;
        self.modules.push(Module { file, parent: Some(parent), ..Module::default() });
        let child = self.modules.len() - 1;
        self.modules[parent].children.insert(name.to_owned(), child);
        child
    }

    /// What `path` names in `module`; `None` for what is not of this crate.
    fn resolve(&self, module: usize, path: &[String], depth: usize) -> Option<Target> {
        let mut module = module;
        if depth > MAX_REEXPORTS {
            return None;
        }
        let mut is_anchored = false;
        for (i, name) in path.iter().enumerate() {
            let rest = &path[i + 1..];
            let at = &self.modules[module];
            match name.as_str() {
                "crate" => module = 0,
                "self" => {}
                "super" => module = at.parent?,
                _ => {
                    let child = at.children.get(name);
                    if let Some(&child) = child.filter(|_| !rest.is_empty()) {
                        module = child;
                    } else if at.items.contains(name) {
                        return Some(Target::Item(at.file, name.clone()));
                    } else if let Some(import) = at.imports.get(name).filter(|to| *to != path) {
                        let target = self.resolve(module, import, depth + 1)?;
                        let Target::Module(to) = target else { return Some(target) };
                        module = to;
                    } else if let Some(&child) = child {
                        module = child;
                    } else {
                        // A macro defines it.
                        return is_anchored.then(|| Target::Item(at.file, name.clone()));
                    }
                }
            }
            is_anchored = true;
        }
        Some(Target::Module(module))
    }

    /// What each file imports from others.
    fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (module, path) in &self.paths {
            let from = self.modules[*module].file;
            if let Some(Target::Item(to, item)) = self.resolve(*module, path, 0)
                && to != from
            {
                imports.entry((from, to)).or_default().insert(item);
            }
        }
        // They hold re-exports alone.
        imports.retain(|(from, _), _| !is_index(&self.files[*from]));
        imports
    }

    /// Complains about each import within a circle.
    fn circles(&self) -> Vec<String> {
        let imports = self.imports();
        let is_in_circle = |from: usize, to: usize| reached_from(to, &imports).contains(&from);
        let in_circle = imports.iter().filter(|((from, to), _)| is_in_circle(*from, *to));
        let complaint = |((from, to), items): (&(usize, usize), &BTreeSet<String>)| {
            let items: Vec<&str> = items.iter().map(String::as_str).collect();
            let (from, to) = (&self.files[*from], &self.files[*to]);
            format!("{from} imports from {to}, which leads back: {}", items.join(", "))
        };
        in_circle.map(complaint).collect()
    }
}

/// Whether a file holds `mod` and `pub use` only.
fn is_index(path: &str) -> bool {
    path.ends_with("/mod.rs") || path.ends_with("/lib.rs")
}

/// The files from which `file` imports, directly or by way of others.
fn reached_from(file: usize, imports: &Imports) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(from) = open.pop() {
        let next = imports.range((from, 0)..=(from, usize::MAX)).map(|((_, to), _)| *to);
        open.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

/// Reads the text of a file, word by word.
struct Reader {
    tokens: Vec<String>,
    at: usize,
}

impl Reader {
    fn new(text: &str) -> Self {
        Self { tokens: tokens(&blank_out(text)), at: 0 }
    }

    fn peek(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }

    /// Reads what stands in the file of `module`; returns the modules that have files of their own.
    fn read(&mut self, all: &mut Crate, module: usize) -> Vec<(String, usize)> {
        let mut files = Vec::new();
        // The modules around, and the depth of braces within each.
        let mut around = vec![(module, 0)];
        while self.at < self.tokens.len() {
            let Some((module, depth)) = around.last_mut() else { break };
            let (name, is_named) = (self.peek(1).to_owned(), is_identifier(self.peek(1)));
            match self.peek(0) {
                "#" if self.is_for_tests() => self.skip_item(),
                "{" => *depth += 1,
                "}" if *depth > 0 => *depth -= 1,
                "}" => {
                    around.pop();
                }
                "mod" if *depth == 0 && is_named => {
                    let child = all.add_module(*module, &name);
                    match self.peek(2) {
                        ";" => files.push((name, child)),
                        _ => around.push((child, 0)),
                    }
                    self.at += 2;
                }
                "use" if is_named => {
                    let module = *module;
                    self.at += 1;
                    self.read_use(&mut Vec::new(), all, module);
                }
                "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static"
                    if *depth == 0 && is_named =>
                {
                    all.modules[*module].items.insert(name);
                }
                "macro_rules" if *depth == 0 => {
                    all.modules[*module].items.insert(self.peek(2).to_owned());
                }
                word if is_identifier(word) && name == "::" => {
                    let path = self.read_path();
                    all.paths.push((*module, path));
                }
                _ => {}
            }
            self.at += 1;
        }
        files
    }

    /// Whether an attribute begins here that keeps what follows for tests.
    fn is_for_tests(&self) -> bool {
        ["#", "[", "cfg", "(", "test", ")", "]"].iter().enumerate().all(|(i, t)| self.peek(i) == *t)
    }

    /// Goes to the last word of the item that follows an attribute.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.peek(0) {
                "{" | "(" | "[" => depth += 1,
                "}" if depth == 1 => return,
                "}" | ")" | "]" => depth -= 1,
                ";" if depth == 0 => return,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads a path, and stands at its last word.
    fn read_path(&mut self) -> Vec<String> {
        let mut path = vec![self.peek(0).to_owned()];
        while self.peek(1) == "::" && is_identifier(self.peek(2)) {
            path.push(self.peek(2).to_owned());
            self.at += 2;
        }
        path
    }

    /// Reads a tree of imports below `path`, and stands behind it.
    fn read_use(&mut self, path: &mut Vec<String>, all: &mut Crate, module: usize) {
        let length = path.len();
        loop {
            match self.peek(0) {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while self.peek(0) != "}" && self.at < self.tokens.len() {
                        self.read_use(path, all, module);
                        self.at += usize::from(self.peek(0) == ",");
                    }
                    self.at += 1;
                    break;
                }
                "*" => {
                    self.at += 1;
                    break;
                }
                name => {
                    if name != "self" || path.is_empty() {
                        path.push(name.to_owned());
                    }
                    self.at += 1;
                    if self.peek(0) == "::" {
                        continue;
                    }
                    let mut name = path[path.len() - 1].clone();
                    if self.peek(0) == "as" {
                        name = self.peek(1).to_owned();
                        self.at += 2;
                    }
                    all.modules[module].imports.insert(name, path.clone());
                    all.paths.push((module, path.clone()));
                    break;
                }
            }
        }
        path.truncate(length);
    }
}

fn is_identifier(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The words and signs of a text without comments and strings; `::` is one.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            character_length(rest).unwrap_or(first.len_utf8())
        };
        if !first.is_whitespace() {
            tokens.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    tokens
}

/// Bytes of the literal of one character that `text` begins with, quotes included.
fn character_length(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    let length = match inside.strip_prefix('\\') {
        Some(escape) => 1 + escape.char_indices().nth(1)?.0 + escape[1..].find('\'')?,
        None => inside.chars().next()?.len_utf8(),
    };
    inside[length..].starts_with('\'').then_some(length + 2)
}

/// The crates that these files are of.
fn crates(files: &[SourceFile]) -> Vec<Crate> {
    let by_path: BTreeMap<&str, &SourceFile> =
        files.iter().map(|file| (file.path.as_str(), file)).collect();
    let roots = by_path.keys().filter(|path| path.ends_with("src/lib.rs"));
    roots.map(|root| Crate::read(root, &by_path)).collect()
}

#[test]
fn no_files_import_from_each_other() {
    let crates = crates(&product_sources());
    let imports: usize = crates.iter().map(|it| it.imports().len()).sum();
    assert!(imports > 3000, "only {imports} imports were found");
    let circles = crates.iter().flat_map(Crate::circles);
    assert_none(circles.collect());
}

#[test]
fn circles_are_found_through_re_exports_and_paths() {
    let file = |path: &str, text: &str| SourceFile {
        path: format!("crates/x/src/{path}.rs"),
        text: text.to_owned(),
    };
    let root = file("lib", "mod a;\nmod b;\n#[cfg(test)]\nmod c;\npub use a::{A, f as g};\n");
    let a = file("a/mod", "mod deep;\npub use self::deep::{A, f};\n");
    let deep = |uses: &str| file("a/deep", &format!("{uses}\npub struct A;\npub fn f() {{}}\n"));
    let b = |uses: &str| file("b", &format!("{uses}\npub enum B {{ C }}\n"));
    let count = |deep: SourceFile, b: SourceFile| {
        let found = crates(&[root.clone(), a.clone(), deep, b]);
        found.iter().flat_map(Crate::circles).count()
    };
    assert_eq!(count(deep("use crate::b::B;"), b("use crate::{A, b::B as Own};")), 2);
    assert_eq!(count(deep("use crate::b::B;"), b("fn h() { crate::g() }")), 2);
    assert_eq!(count(deep("use crate::b;\nconst C: b::B = b::B::C;"), b("use super::A;")), 2);
    assert_eq!(count(deep(""), b("use super::A;")), 0);
    assert_eq!(count(deep("#[cfg(test)]\nuse crate::b::B;"), b("use super::A;")), 0);
    assert_eq!(count(deep("// use crate::b::B;\nconst C: char = '{';"), b("use super::A;")), 0);
}
