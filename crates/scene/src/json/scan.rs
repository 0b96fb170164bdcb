//! Reads JSON (RFC 8259) into a tree; beyond it comments and a comma after the last value, as
//! editors take in JSON with comments. A text that is neither is refused at the place in question.

use super::tree::{Body, Fault, Member, Text, Value};
use std::ops::Range;

/// Deeper brackets than the reader of RON would follow.
const MAX_DEPTH: usize = 100;
/// What a scene in JSON is, for a text that is none.
const SYNTAX: &str = "a scene in JSON is one object, { \"frames\": … }";
/// The values there are.
const VALUES: &str = "a value is a number, a name or text in double quotes, true, false, null, \
                      a list [ ] or an object { }";

/// Whether a text is meant as JSON: its first bracket is an object's, which no RON scene begins
/// with.
pub fn is_json(chars: &[char]) -> bool {
    let mut scanner = Scanner { chars, at: 0 };
    scanner.skip_blanks().is_ok() && scanner.peek(0) == Some('{')
}

/// Reads a text of one value.
///
/// # Errors
/// The first place that is not JSON.
pub fn scan(chars: &[char]) -> Result<Value, Fault> {
    let mut scanner = Scanner { chars, at: 0 };
    let value = scanner.value(0)?;
    scanner.skip_blanks()?;
    if scanner.at < chars.len() {
        let help = "a file holds one scene; look for a bracket too many above";
        return Err(Fault::new(scanner.word(), "more text after the end", help));
    }
    Ok(value)
}

/// A place in the text, on its way through it.
struct Scanner<'a> {
    chars: &'a [char],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Moves past blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(c), _) if c.is_whitespace() => self.at += 1,
                (Some('/'), Some('/')) => {
                    self.at += self.chars[self.at..].iter().take_while(|&&c| c != '\n').count();
                }
                (Some('/'), Some('*')) => {
                    let rest = &self.chars[self.at + 2..];
                    let Some(length) = rest.windows(2).position(|pair| pair == ['*', '/']) else {
                        let message = "a comment that starts with /* is never closed";
                        let help = "close it with */, or use // for a comment of one line";
                        return Err(Fault::new(self.at..self.at + 1, message, help));
                    };
                    self.at += length + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    /// The run of word characters here, or one character.
    fn word(&self) -> Range<usize> {
        let is_part = |c: &&char| c.is_alphanumeric() || "_+-.".contains(**c);
        let length = self.chars[self.at..].iter().take_while(is_part).count();
        self.at..(self.at + length.max(1)).min(self.chars.len())
    }

    fn slice(&self, span: &Range<usize>) -> String {
        self.chars[span.clone()].iter().collect()
    }

    fn value(&mut self, depth: usize) -> Result<Value, Fault> {
        self.skip_blanks()?;
        let start = self.at;
        let body = match self.peek(0) {
            None => return Err(Fault::new(start..start, "the text ends too soon", SYNTAX)),
            Some('{' | '[') if depth > MAX_DEPTH => {
                let help = format!("a scene has less than {MAX_DEPTH}");
                return Err(Fault::new(start..start + 1, "too many brackets in brackets", help));
            }
            Some('{') => Body::Object(self.parts('}', |it| it.member(depth + 1))?),
            Some('[') => Body::List(self.parts(']', |it| it.value(depth + 1))?),
            Some('"') => Body::Text(self.text()?),
            Some(_) => self.bare()?,
        };
        Ok(Value { span: start..self.at, body })
    }

    /// The parts of a bracket, from its start to its end.
    fn parts<T>(
        &mut self,
        closing: char,
        part: impl Fn(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let open = self.at;
        self.at += 1;
        let mut parts = Vec::new();
        let mut is_first_or_after_comma = true;
        loop {
            self.skip_blanks()?;
            match self.peek(0) {
                None => {
                    let help = "the text ends before it; add the closing bracket where it belongs";
                    return Err(Fault::new(open..open + 1, "this bracket is never closed", help));
                }
                Some(c) if c == closing => {
                    self.at += 1;
                    return Ok(parts);
                }
                Some(other @ ('}' | ']' | ')')) => {
                    let opened = self.chars[open];
                    let message = format!("this `{other}` does not close the `{opened}` before it");
                    let help = format!("close it with `{closing}`");
                    return Err(Fault::new(self.at..self.at + 1, message, help));
                }
                Some(_) if !is_first_or_after_comma => {
                    let help = "values and `\"key\": value` pairs are parted by commas";
                    return Err(Fault::new(self.word(), "a comma is missing before this", help));
                }
                Some(_) => parts.push(part(self)?),
            }
            self.skip_blanks()?;
            is_first_or_after_comma = self.peek(0) == Some(',');
            self.at += usize::from(is_first_or_after_comma);
        }
    }

    fn member(&mut self, depth: usize) -> Result<Member, Fault> {
        let start = self.at;
        if self.peek(0) != Some('"') {
            let word = self.word();
            let (found, message) = (self.slice(&word), "expected a key in double quotes");
            let is_name = found.chars().all(|c| c.is_alphanumeric() || c == '_');
            let help = if is_name {
                format!("write \"{found}\"")
            } else {
                "a key and its value are written `\"key\": value`".to_owned()
            };
            return Err(Fault::new(word, message, help));
        }
        let key = self.text()?;
        let span = start..self.at;
        self.skip_blanks()?;
        if self.peek(0) != Some(':') {
            let help = "a key and its value are written `\"key\": value`";
            let at = if self.at < self.chars.len() { self.word() } else { span };
            return Err(Fault::new(at, "a colon is missing before this", help));
        }
        self.at += 1;
        Ok(Member { key, span, value: self.value(depth)? })
    }

    /// A text in quotes, with its escapes resolved.
    fn text(&mut self) -> Result<Text, Fault> {
        let open = self.at;
        self.at += 1;
        let mut text = Text::new();
        loop {
            let at = self.at;
            match self.peek(0) {
                Some('"') => {
                    self.at += 1;
                    return Ok(text);
                }
                None | Some('\n' | '\r') => {
                    let message = "this text is not closed on its line";
                    let help = "close it with a double quote \"";
                    return Err(Fault::new(open..open + 1, message, help));
                }
                Some('\\') => text.push((self.escape()?, at)),
                Some(c) if c < ' ' => {
                    let help = format!("write \\u{:04x}", u32::from(c));
                    return Err(Fault::new(at..at + 1, "a control character in a text", help));
                }
                Some(c) => {
                    text.push((c, at));
                    self.at += 1;
                }
            }
        }
    }

    /// The character that an escape stands for.
    fn escape(&mut self) -> Result<char, Fault> {
        let start = self.at;
        self.at += 2;
        let c = match self.chars.get(start + 1) {
            Some(&same @ ('"' | '\\' | '/')) => same,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let unit = self.code_unit(start)?;
                return self.character(unit, start);
            }
            _ => {
                let span = start..self.at.min(self.chars.len());
                let message = format!("`{}` is no escape of JSON", self.slice(&span));
                return Err(Fault::new(span, message, "a backslash is written \\\\"));
            }
        };
        Ok(c)
    }

    /// The four digits of `\u0000` that began at `start`.
    fn code_unit(&mut self, start: usize) -> Result<u32, Fault> {
        let digits: String = self.chars[self.at..].iter().take(4).collect();
        let is_whole = digits.len() == 4 && digits.bytes().all(|c| c.is_ascii_hexdigit());
        match u32::from_str_radix(&digits, 16) {
            Ok(unit) if is_whole => {
                self.at += 4;
                Ok(unit)
            }
            _ => Err(Fault::new(start..start + 2, "`\\u` without four digits", "as in \\u00e9")),
        }
    }

    /// The character of a code unit, or of a pair of them.
    fn character(&mut self, unit: u32, start: usize) -> Result<char, Fault> {
        let is_first_half = (0xd800..0xdc00).contains(&unit);
        if is_first_half && self.peek(0) == Some('\\') && self.peek(1) == Some('u') {
            self.at += 2;
            let second = self.code_unit(self.at - 2)?;
            if let Some(low) = second.checked_sub(0xdc00).filter(|low| *low < 0x400) {
                let code = 0x10000 + ((unit - 0xd800) << 10) + low;
                return char::from_u32(code).ok_or_else(|| self.half(start));
            }
        }
        char::from_u32(unit).ok_or_else(|| self.half(start))
    }

    fn half(&self, start: usize) -> Fault {
        let help = "characters beyond \\uffff are a pair such as \\ud83d\\ude00";
        Fault::new(start..self.at, "half of a character", help)
    }

    /// A number, `true`, `false` or `null`.
    fn bare(&mut self) -> Result<Body, Fault> {
        let span = self.word();
        let word = self.slice(&span);
        self.at = span.end;
        match word.as_str() {
            "null" => return Ok(Body::Null),
            "true" | "false" => return Ok(Body::Word),
            number if is_number(number) => return Ok(Body::Word),
            _ => {}
        }
        let help = match word.chars().next() {
            Some('(') => "round brackets are RON's; JSON has lists [ ] and objects { }".to_owned(),
            Some('\'') => "texts are in double quotes".to_owned(),
            _ if word.parse::<f64>().is_ok_and(f64::is_finite) => {
                "a number is written with digits on both sides of its point, such as 0.5 or -1e3"
                    .to_owned()
            }
            Some(c) if c.is_alphabetic() && !["NaN", "Infinity"].contains(&&*word) => {
                format!("write \"{word}\"")
            }
            _ => VALUES.to_owned(),
        };
        Err(Fault::new(span, format!("cannot read `{word}`"), help))
    }
}

/// Whether a word is a number of JSON: `-`, digits without a leading zero, `.` and digits, `e` and
/// a whole number.
fn is_number(word: &str) -> bool {
    let unsigned = word.strip_prefix('-').unwrap_or(word);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let is_whole = is_digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let exponent = exponent.map(|text| text.strip_prefix(['+', '-']).unwrap_or(text));
    is_whole && fraction.is_none_or(is_digits) && exponent.is_none_or(is_digits)
}

#[cfg(test)]
mod tests {
    use super::super::tree::plain;
    use super::*;

    fn read(text: &str) -> Result<Value, Fault> {
        scan(&text.chars().collect::<Vec<_>>())
    }

    #[test]
    fn what_is_json_is_what_serde_takes() {
        let texts = [
            "{}",
            "[]",
            "0",
            "-0",
            "01",
            "1.",
            ".5",
            "1.5e+3",
            "1e",
            "+1",
            "0x1",
            "NaN",
            "1E5",
            "\"a\\u00e9\\n\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "\"\\x\"",
            "\"a",
            "tru",
            "null",
            "[1 2]",
            "[1,, 2]",
            "[,]",
            "{\"a\" 1}",
            "{a: 1}",
            "{\"a\": 1, \"b\": [true, null]}",
            "[1}",
            "[",
            "]",
            "{\"a\":}",
            "1 2",
            "\"\t\"",
            "'a'",
            "[1]]",
            "",
            " ",
            "-",
            "{1: 2}",
        ];
        for text in texts {
            let other = serde_json::from_str::<serde_json::Value>(text);
            assert_eq!(read(text).is_ok(), other.is_ok(), "{text}: {:?}", read(text));
        }
    }

    #[test]
    fn comments_and_a_last_comma_are_taken_as_editors_do() {
        let text = "// a { comment\n{ /* and * one */ \"a\": [1, 2,], } // end";
        assert!(is_json(&text.chars().collect::<Vec<_>>()));
        assert!(read(text).is_ok());
        let open = read("{\"a\": 1} /* open").unwrap_err();
        assert_eq!((open.span, open.message.contains("never closed")), (9..10, true));
    }

    #[test]
    fn escapes_are_resolved_and_keep_their_places() {
        let value = read(r#""a\u00e9\ud83d\ude00\n!""#).expect("a text");
        let Body::Text(text) = value.body else { panic!("{value:?}") };
        assert_eq!(plain(&text), "aé😀\n!");
        let places: Vec<usize> = text.iter().map(|&(_, at)| at).collect();
        assert_eq!(places, [1, 2, 8, 20, 22]);
    }

    #[test]
    fn any_torn_text_is_refused_with_a_place_and_no_panic() {
        let text =
            r#"{"a": [1, -2.5e3, {"B": {"c\u00e9\ud83d\ude00": null}}, /* x */ true, "t"],}"#;
        let chars: Vec<char> = text.chars().collect();
        assert!(scan(&chars).is_ok());
        for end in 0..chars.len() {
            let fault = scan(&chars[..end]).expect_err("the end is missing");
            assert!(fault.span.start <= end && !fault.help.is_empty(), "{fault:?}");
            let mut without = chars.clone();
            without.remove(end);
            let _ = scan(&without);
        }
        assert!(read(&"[".repeat(100_000)).is_err(), "depth is bounded");
    }
}
