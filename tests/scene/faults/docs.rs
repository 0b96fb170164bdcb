//! The tables of keys in `docs/scene.md` are those that the model gives.
//!
//! A table stands between `<!-- keys: PARENT VARIANT -->` and `<!-- end of keys -->`; both names may
//! be left out. `UPDATE=1 cargo test --test scene faults::docs` writes the tables.

use hashfall_scene::schema::{keys, markdown_table};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const START: &str = "<!-- keys:";
const END: &str = "<!-- end of keys -->";

#[test]
fn tables_of_keys_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scene.md");
    let page = fs::read_to_string(&path).unwrap();
    let keys = keys();
    let (mut updated, mut rest, mut tables) = (String::new(), page.as_str(), BTreeSet::new());
    while let Some((before, after)) = rest.split_once(START) {
        let (names, after) = after.split_once("-->").unwrap();
        let (_, after) = after.split_once(END).expect("a table has an end");
        let mut parts = names.split_whitespace();
        let (parent, variant) = (parts.next().unwrap_or(""), parts.next());
        let parent = if parent == "scene" { "" } else { parent };
        let table = markdown_table(&keys, parent, variant);
        assert!(table.lines().count() > 2, "no keys under `{parent}`");
        updated += &format!("{before}{START}{names}-->\n{table}{END}");
        tables.insert(parent);
        rest = after;
    }
    updated += rest;
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &updated).unwrap();
    } else {
        let hint = "run UPDATE=1 cargo test --test scene faults::docs";
        assert!(page == updated, "docs/scene.md is not up to date: {hint}");
    }
    for parent in ["", "fluids", "solids", "solver", "surface", "limits", "emitters"] {
        assert!(tables.contains(parent), "no table of `{parent}`");
    }
}
