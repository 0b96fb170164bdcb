//! What an unknown name was meant to be.

use super::document::Document;
use crate::text::foreign_names::{elsewhere, translated};
use crate::text::suggest::{completed, listed, nearest, with_word};

/// Upper bound of the places that are named of a key that stands elsewhere.
const MAX_PLACES: usize = 3;

/// A known name in place of an unknown one.
pub struct Guess<'a> {
    /// What the user is told.
    pub help: String,
    pub name: &'a str,
    /// Whether the value means something else under that name, as a spacing is no radius.
    pub differs: bool,
}

impl<'a> Guess<'a> {
    /// The known name that other programs call `found`, or the nearest one.
    pub fn new(found: &str, known: &[&'a str]) -> Option<Guess<'a>> {
        let (name, remark) = match translated(found, known.iter().copied()) {
            Some(translated) => translated,
            None => (nearest(found, known.iter().copied())?, ""),
        };
        let differs = !remark.is_empty();
        let remark = if differs { format!(" ({remark})") } else { String::new() };
        Some(Guess { help: format!("did you mean `{name}`{remark}?"), name, differs })
    }
}

/// Help for an unknown key that is near to none of the `free` ones: what takes its place; keys here
/// of which it is a part, or the one that begins with it, and where a key of this name stands.
pub fn instead<T: Document>(found: &str, free: &[&str]) -> Option<String> {
    if let Some(help) = elsewhere(found) {
        return Some(help.to_owned());
    }
    let mut here: Vec<&str> = with_word(found, free.iter().copied());
    if here.is_empty() {
        here.extend(completed(found, free));
    }
    let mut places = T::places(found);
    if places.len() > MAX_PLACES {
        places.clear();
    }
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    match (here.is_empty(), places.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("did you mean {}?", listed(&places))),
        (false, true) => Some(format!("did you mean {}?", listed(&here))),
        (false, false) => {
            let (here, places) = (listed(&here), listed(&places));
            Some(format!("did you mean {here} here, or {places}?"))
        }
    }
}
