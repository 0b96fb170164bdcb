//! Which attributes of a file's particles a surface carries, and which one tells fluids apart.

use super::error::ReconstructionError;
use hashfall_core::attribute::{Attribute, Values, is_named_after};
use hashfall_input::{AttributeFilter, Cloud, UnreadableAttribute};
use hashfall_scene::suggest;

/// Names that a message lists at the most.
const MAX_LISTED: usize = 20;

/// The value of each particle in the attribute of a name, if one is given.
pub(super) fn labels(
    name: Option<&str>,
    cloud: &Cloud,
) -> Result<Option<Vec<u32>>, ReconstructionError> {
    let Some(name) = name else { return Ok(None) };
    match cloud.attributes.iter().find(|attribute| attribute.name == name) {
        Some(Attribute { values: Values::Labels(labels), .. }) => Ok(Some(labels.to_vec())),
        Some(_) => Err(ReconstructionError::NotWhole(name.to_owned())),
        None => {
            let Cloud { attributes, skipped, unreadable, .. } = cloud;
            let known = attributes.iter().map(|attribute| &*attribute.name);
            let known: Vec<&str> = known.chain(skipped.iter().map(String::as_str)).collect();
            Err(missing(name, &known, unreadable))
        }
    }
}

/// Those attributes that are asked for, in the order of the file.
pub(super) fn chosen(
    filter: &AttributeFilter,
    attributes: Vec<Attribute<'static>>,
    skipped: &[String],
    unreadable: &[UnreadableAttribute],
) -> Result<Vec<Attribute<'static>>, ReconstructionError> {
    if let AttributeFilter::Named(names) = filter {
        let known: Vec<&str> = attributes.iter().map(|attribute| &*attribute.name).collect();
        let is_there = |name: &&String| known.iter().any(|it| is_named_after(it, name));
        if let Some(name) = names.iter().find(|name| !is_there(name)) {
            let known: Vec<&str> =
                known.into_iter().chain(skipped.iter().map(String::as_str)).collect();
            return Err(missing(name, &known, unreadable));
        }
    }
    let is_chosen = |attribute: &str| match filter {
        AttributeFilter::All => true,
        AttributeFilter::Named(names) => names.iter().any(|name| is_named_after(attribute, name)),
    };
    attributes.into_iter().filter(|attribute| is_chosen(&attribute.name)).map(finite).collect()
}

/// The attribute, if all its values are finite.
fn finite(attribute: Attribute<'static>) -> Result<Attribute<'static>, ReconstructionError> {
    let is_broken = |&i: &usize| attribute.values.at(std::iter::once(i)).count_invalid() > 0;
    let broken = match attribute.values.count_invalid() {
        0 => None,
        _ => (0..attribute.values.len()).find(is_broken),
    };
    match broken {
        None => Ok(attribute),
        Some(particle) => {
            let name = attribute.name.into_owned();
            Err(ReconstructionError::NotFinite { name, particle })
        }
    }
}

/// Why a file gives no attribute of a name: it cannot be read, or there is none.
fn missing(name: &str, known: &[&str], unreadable: &[UnreadableAttribute]) -> ReconstructionError {
    let name = name.to_owned();
    if let Some(UnreadableAttribute { reason, .. }) =
        unreadable.iter().find(|unreadable| unreadable.name == name)
    {
        return ReconstructionError::Unreadable { name, reason: reason.clone() };
    }
    let hint = match suggest::nearest(&name, known.iter().copied()) {
        Some(suggestion) => format!("did you mean `{suggestion}`? The file has {}", listed(known)),
        None => format!("the file has {}", listed(known)),
    };
    ReconstructionError::NoAttribute { name, hint }
}

fn listed(names: &[&str]) -> String {
    let quoted = names.iter().take(MAX_LISTED).map(|name| format!("`{name}`"));
    let mut text = quoted.collect::<Vec<_>>().join(", ");
    if names.is_empty() {
        text = "none".to_owned();
    } else if names.len() > MAX_LISTED {
        text += &format!(" and {} more", names.len() - MAX_LISTED);
    }
    text
}
