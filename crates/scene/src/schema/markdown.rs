//! Tables of keys for the documentation.

use super::key_list::Key;

/// A Markdown table of the keys directly under `parent`, which is empty for those of the scene
/// itself; of a variant alone if one is given. Variants show in a column of their own where the
/// keys belong to several.
pub fn markdown_table(keys: &[Key], parent: &str, variant: Option<&str>) -> String {
    let of_variant = |key: &&Key| {
        let has = |variants: &Vec<String>| variants.iter().any(|name| Some(&**name) == variant);
        variant.is_none() || key.kinds.iter().any(has)
    };
    let is_child = |key: &&Key| key.path.rsplit_once('.').map_or("", |(group, _)| group) == parent;
    let rows: Vec<&Key> = keys.iter().filter(is_child).filter(of_variant).collect();
    let has_variants = variant.is_none() && rows.iter().any(|key| !variants(key).is_empty());
    let (head, rule) = if has_variants { (" of |", "---|") } else { ("", "") };
    let mut table = format!("| key |{head} value | default | meaning |\n|---|{rule}---|---|---|\n");
    for key in rows {
        let name = key.path.rsplit('.').next().unwrap_or_default();
        let of = if has_variants { format!(" {} |", variants(key)) } else { String::new() };
        let default = key.default.as_ref().map_or("required".to_owned(), |it| format!("`{it}`"));
        let description = key.description.replace('|', "\\|");
        table += &format!("| `{name}` |{of} {} | {default} | {description} |\n", value(key));
    }
    table
}

/// The variants that have a key: `Box`, `Ball`.
fn variants(key: &Key) -> String {
    let names = key.kinds.iter().filter_map(|variants| variants.last());
    let mut quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    quoted.dedup();
    quoted.join(", ")
}

/// Type, unit and bounds of a key's value.
fn value(key: &Key) -> String {
    // A list is one piece of code; so is each of several choices.
    let or = if key.value_type.starts_with('[') { " or " } else { "` or `" };
    let choices = key.value_type.replace(" | ", or);
    let is_plain = ["number", "whole number", "text", "true or false"]
        .iter()
        .any(|plain| key.value_type.trim_end_matches(" or None") == *plain);
    let value_type = if is_plain { key.value_type.clone() } else { format!("`{choices}`") };
    let parts = [Some(value_type), key.unit.clone(), key.bounds.clone()];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
