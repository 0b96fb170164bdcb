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
}

impl<'a> Guess<'a> {
    /// The known name that other programs call `found`, or the nearest one.
    pub fn new(found: &str, known: &[&'a str]) -> Option<Guess<'a>> {
        let (name, remark) = match translated(found, known.iter().copied()) {
            Some(translated) => translated,
            None => (nearest(found, known.iter().copied())?, ""),
        };
        let remark = if remark.is_empty() { String::new() } else { format!(" ({remark})") };
        Some(Guess { help: format!("did you mean `{name}`{remark}?"), name })
    }
}

/// Help for an unknown key that is near to none of the `free` ones: where a key of this name
/// stands, keys of which it is a part, or the one that begins with it.
pub fn instead<T: Document>(found: &str, free: &[&str]) -> Option<String> {
    let mut places = T::places(found);
    if places.len() > MAX_PLACES {
        places.clear();
    }
    places.extend(with_word(found, free.iter().copied()).into_iter().map(str::to_owned));
    if places.is_empty() {
        places.extend(completed(found, free).map(str::to_owned));
    }
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    match places.len() {
        0 => elsewhere(found).map(str::to_owned),
        _ => Some(format!("did you mean {}?", listed(&places))),
    }
}
