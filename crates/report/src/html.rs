//! HTML, escaped, and a page put together from its parts.
//!
//! Names of the user's may hold anything. In text and attributes they are escaped, in JSON too, so
//! that nothing can end the element. Should something slip through all the same, the page's policy
//! (Content Security Policy, level 3) lets only our own scripts run, which it knows by their
//! SHA-256, and lets nothing be loaded.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// The style of every page.
const STYLE: &str = include_str!("page/style.css");
/// The scripts that every page has, in order: the later use the earlier.
const COMMON: [&str; 4] = [
    include_str!("page/scales.js"),
    include_str!("page/quantities.js"),
    include_str!("page/elements.js"),
    include_str!("page/charts.js"),
];

/// What pages differ in.
pub struct Page<'a> {
    /// Its title, as text.
    pub title: &'a str,
    /// What it shows, as HTML.
    pub body: &'a str,
    /// What its scripts draw, as JSON.
    pub data: &'a str,
    /// Scripts of its own.
    pub scripts: &'a [&'a str],
}

impl Page<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let script = COMMON.iter().chain(self.scripts).copied().collect::<Vec<_>>().join("\n");
        // Browsers hash what they have read, with bare line feeds.
        let (script, style) = (script.replace('\r', ""), STYLE.replace('\r', ""));
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; \
             form-action 'none'",
            hash(&script),
            hash(&style)
        );
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n\
             <noscript><p>The charts need JavaScript.</p></noscript>\n\
             <script type=\"application/json\" id=\"data\">{data}</script>\n\
             <script>{script}</script>\n</body>\n</html>\n",
            title = escape(self.title),
            body = self.body,
            data = self.data,
        )
    }
}

/// A source as a policy names it.
fn hash(source: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(source)))
}

/// Text, for the inside of an element or of a quoted attribute.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // HTML has no way to write these.
            c if c.is_control() && !c.is_whitespace() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A value as JSON that may stand inside a script element.
pub fn json(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("plain data: strings as keys, and it is memory");
    // Outside of strings JSON has none of these.
    text.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// A picture (PNG) as an address.
pub fn picture(png: &[u8]) -> String {
    format!("data:image/png;base64,{}", STANDARD.encode(png))
}

/// A whole number with its thousands apart.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        let hostile = "a</script><b c='d' e=\"f\">&amp;\u{7}é\n";
        let shown = escape(hostile);
        let quoted = "a&lt;/script&gt;&lt;b c=&#39;d&#39; e=&quot;f&quot;&gt;&amp;amp;\u{fffd}é\n";
        assert_eq!(shown, quoted);
        let embedded = json(&hostile);
        assert!(!embedded.contains(['<', '>', '&']), "{embedded}");
        assert_eq!(serde_json::from_str::<String>(&embedded).unwrap(), hostile);
    }

    #[test]
    fn the_policy_names_the_scripts_and_styles_of_the_page_and_nothing_else() {
        let page = Page { title: "<t>", body: "<p>b</p>", data: "{}", scripts: &["let x = 1;"] };
        let html = page.html();
        let between = |start: &str, end: &str| {
            let rest = &html[html.find(start).unwrap() + start.len()..];
            &rest[..rest.find(end).unwrap()]
        };
        let script = between("<script>", "</script>");
        assert!(script.ends_with("let x = 1;") && html.contains("<title>&lt;t&gt;</title>"));
        for (directive, source) in
            [("script-src", script), ("style-src", between("<style>", "</style>"))]
        {
            let allowed = format!("{directive} '{}';", hash(source));
            assert!(html.contains(&allowed), "no {allowed}");
        }
        assert!(!html.contains("://"), "the page names another");
        assert!(between("<style>", "</style>").len() > 1000);
    }

    #[test]
    fn the_hash_is_that_of_the_standard() {
        // `printf 'alert(1)' | openssl dgst -sha256 -binary | base64`
        assert_eq!(hash("alert(1)"), "sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=");
    }

    #[test]
    fn long_numbers_are_grouped() {
        let shown = [0, 9999, 12_345, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "9999", "12\u{202f}345", "1\u{202f}234\u{202f}567"]);
    }
}
