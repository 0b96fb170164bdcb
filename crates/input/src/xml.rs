//! XML as text for the parser: its encoding, and limits within which the parser's work is linear.
//!
//! The parser compares each attribute of an element with all before it, and hands namespaces down
//! from element to element; an element's depth costs memory wherever it is walked. Files of VTK
//! have some ten attributes an element, ten levels and no namespaces, so limits far above that
//! refuse nothing that is meant.

use super::error::{InputError, Place, Problem};
use roxmltree::{Document, Node, ParsingOptions};
use std::borrow::Cow;

/// More attributes than any element of VTK has.
const MAX_ATTRIBUTES: usize = 256;
/// More levels than any file of VTK has.
const MAX_DEPTH: usize = 64;
/// Declarations of namespaces in all.
const MAX_NAMESPACES: usize = 16;
/// Elements, texts and comments in all.
const MAX_NODES: u32 = 4 << 20;
/// Bytes at the start in which the encoding is declared.
const DECLARATION: usize = 256;

/// The text of a document, by the encoding that it declares.
pub(super) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, InputError> {
    let declared = declared_encoding(bytes).unwrap_or_default();
    match declared.to_ascii_lowercase().as_str() {
        "iso-8859-1" | "latin1" | "latin-1" => {
            // Its characters are the first 256 of Unicode.
            Ok(bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into())
        }
        "" | "utf-8" | "utf8" | "us-ascii" | "ascii" => {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                let at = error.valid_up_to();
                Problem::unexpected("UTF-8 text", &bytes[at..]).at(Place::Byte(at))
            })?;
            Ok(text.into())
        }
        _ => {
            let feature = format!("text in the encoding `{declared}`");
            let instead = "write the file in UTF-8";
            Err(Problem::Unsupported { feature, instead }.at(Place::Line(1)))
        }
    }
}

/// The name of the encoding in `<?xml version="1.0" encoding="NAME"?>`.
fn declared_encoding(bytes: &[u8]) -> Option<String> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(DECLARATION)]);
    let declaration = start.strip_prefix("<?xml")?.split("?>").next()?;
    let value = declaration.split("encoding").nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| ['"', '\''].contains(c))?;
    value[1..].split(quote).next().map(str::to_owned)
}

/// Parses a document.
pub(super) fn parse(text: &str) -> Result<Document<'_>, InputError> {
    check_limits(text)?;
    let options = ParsingOptions { nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        let line = error.pos().row as usize;
        Problem::Xml(error.to_string()).at(Place::Line(line))
    })
}

/// The line of an element.
pub(super) fn line_of(node: Node) -> Place {
    Place::Line(node.document().text_pos_at(node.range().start).row as usize)
}

/// Refuses a document that would cost the parser more than linear work.
fn check_limits(text: &str) -> Result<(), InputError> {
    let mut rest = text;
    let (mut depth, mut namespaces) = (0usize, 0usize);
    let too_many = |rest: &str, what: String| {
        let line = 1 + text[..text.len() - rest.len()].matches('\n').count();
        let instead = "no file of VTK has so many";
        Err(Problem::Unsupported { feature: what, instead }.at(Place::Line(line)))
    };
    while let Some(start) = rest.find('<') {
        rest = &rest[start..];
        if let Some((open, close)) = passed_over(rest) {
            // An end that is missing is the parser's to tell.
            let Some(end) = rest[open.len()..].find(close) else { return Ok(()) };
            rest = &rest[open.len() + end + close.len()..];
            continue;
        }
        let tag = Tag::at_start_of(rest);
        namespaces += tag.namespaces;
        if tag.attributes > MAX_ATTRIBUTES {
            return too_many(
                rest,
                format!("an element with more than {MAX_ATTRIBUTES} attributes"),
            );
        }
        if namespaces > MAX_NAMESPACES {
            return too_many(rest, format!("more than {MAX_NAMESPACES} namespaces"));
        }
        if rest.starts_with("</") {
            depth = depth.saturating_sub(1);
        } else if !tag.is_empty_element {
            depth += 1;
        }
        if depth > MAX_DEPTH {
            return too_many(rest, format!("nesting of more than {MAX_DEPTH} elements"));
        }
        rest = &rest[tag.length..];
    }
    Ok(())
}

/// The start and the end of markup that is no element, if the text begins with such.
fn passed_over(text: &str) -> Option<(&'static str, &'static str)> {
    let kinds = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")];
    kinds.into_iter().find(|(open, _)| text.starts_with(open))
}

/// A tag, as far as its size goes; not read beyond one attribute too many.
struct Tag {
    attributes: usize,
    namespaces: usize,
    is_empty_element: bool,
    /// Bytes of the tag, from `<` to `>`.
    length: usize,
}

impl Tag {
    /// The tag with which the text begins.
    fn at_start_of(text: &str) -> Tag {
        let mut tag =
            Tag { attributes: 0, namespaces: 0, is_empty_element: false, length: text.len() };
        let bytes = text.as_bytes();
        let mut quote = None;
        // Where the last name begins, after which blanks may stand, and whether the next begins.
        let (mut name_start, mut is_after_name) = (0, true);
        for (at, &byte) in bytes.iter().enumerate() {
            match (quote, byte) {
                (Some(open), _) if open == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => {
                    tag.attributes += 1;
                    tag.namespaces += usize::from(bytes[name_start..].starts_with(b"xmlns"));
                    if tag.attributes > MAX_ATTRIBUTES {
                        break;
                    }
                    is_after_name = true;
                }
                (None, b'>') => {
                    tag.is_empty_element = bytes[..at].ends_with(b"/");
                    tag.length = at + 1;
                    break;
                }
                (None, _) if byte.is_ascii_whitespace() => is_after_name = true,
                (None, _) if is_after_name => (name_start, is_after_name) = (at, false),
                _ => {}
            }
        }
        tag
    }
}
