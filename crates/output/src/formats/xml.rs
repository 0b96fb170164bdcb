//! Text that stands between the quotes of an XML attribute.
//!
//! Source: *Extensible Markup Language (XML) 1.0*, §2.2 (characters), §2.4 (markup) and §3.3.3
//! (a reader turns a bare tab or line break in an attribute into a space).

use std::borrow::Cow;

/// The text with `&`, `<`, `>`, quotes and white space other than spaces as references.
///
/// A character that XML 1.0 has no way to write, such as U+0001, becomes U+FFFD.
pub(crate) fn escape_attribute(text: &str) -> Cow<'_, str> {
    if !text.contains(needs_reference) && !text.contains(is_forbidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if needs_reference(c) => escaped.push_str(&format!("&#{};", u32::from(c))),
            c if is_forbidden(c) => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

fn needs_reference(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'' | '\t' | '\n' | '\r')
}

/// Whether a character is none of XML's, and does not become one by a reference.
fn is_forbidden(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_read_back_by_an_xml_parser() {
        let names = ["plain", "ü 温度", "a<b>&\"c\"'", "tab\tline\nreturn\r", "&amp;", ""];
        for name in names {
            let text = format!("<a Name=\"{}\"/>", escape_attribute(name));
            let document = roxmltree::Document::parse(&text).unwrap();
            assert_eq!(document.root_element().attribute("Name"), Some(name), "{text}");
        }
    }

    #[test]
    fn characters_outside_xml_are_replaced() {
        let text = format!("<a Name=\"{}\"/>", escape_attribute("a\u{1}b\u{ffff}"));
        let document = roxmltree::Document::parse(&text).unwrap();
        assert_eq!(document.root_element().attribute("Name"), Some("a\u{fffd}b\u{fffd}"));
    }
}
