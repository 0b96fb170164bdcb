//! The scanner behind [`Node`]: one pass over the characters, brackets inside brackets, past
//! comments (which nest), strings (plain and raw), characters and attributes.

use crate::spans::{Content, Entry, Node};

/// Deeper brackets than ron itself would follow.
const MAX_DEPTH: usize = 120;

/// The start of a block comment that is never closed, if there is one.
pub fn open_comment(chars: &[char]) -> Option<usize> {
    let mut scanner = Scanner::new(chars);
    scanner.text();
    scanner.skip_blanks();
    scanner.open_comment
}

/// Whether a text is nothing but blanks, comments and attributes.
pub fn is_blank(chars: &[char]) -> bool {
    let mut scanner = Scanner::new(chars);
    scanner.skip_attributes();
    scanner.at >= chars.len() && scanner.open_comment.is_none()
}

/// A place in the text, on its way through it.
pub struct Scanner<'a> {
    chars: &'a [char],
    at: usize,
    open_comment: Option<usize>,
}

impl<'a> Scanner<'a> {
    /// At the start of a text.
    pub fn new(chars: &'a [char]) -> Self {
        Scanner { chars, at: 0, open_comment: None }
    }

    /// Reads the value of the whole text; `None` when there is none.
    pub fn text(&mut self) -> Option<Node> {
        self.skip_attributes();
        self.value(0)
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Moves past blanks and comments.
    fn skip_blanks(&mut self) {
        loop {
            match (self.peek(0), self.peek(1)) {
                (Some(c), _) if c.is_whitespace() => self.at += 1,
                (Some('/'), Some('/')) => self.skip_until(|c| c == '\n'),
                (Some('/'), Some('*')) => self.skip_block_comment(),
                _ => return,
            }
        }
    }

    fn skip_until(&mut self, stop: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(|c| !stop(c)) {
            self.at += 1;
        }
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0;
        while let Some(c) = self.peek(0) {
            match (c, self.peek(1)) {
                ('/', Some('*')) => depth += 1,
                ('*', Some('/')) => depth -= 1,
                _ => {
                    self.at += 1;
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return;
            }
        }
        self.open_comment = Some(start);
    }

    /// Moves past `#![enable(…)]`.
    fn skip_attributes(&mut self) {
        self.skip_blanks();
        while self.peek(0) == Some('#') && self.peek(1) == Some('!') {
            self.skip_until(|c| c == ']');
            self.at += 1;
            self.skip_blanks();
        }
    }

    /// Reads a value; `None` when something else stands here.
    fn value(&mut self, depth: usize) -> Option<Node> {
        self.skip_blanks();
        let start = self.at;
        if depth > MAX_DEPTH || matches!(self.peek(0)?, ')' | ']' | '}' | ',' | ':') {
            return None;
        }
        if !matches!(self.peek(0), Some('(' | '[' | '{')) {
            self.leaf();
            let end = self.at;
            self.skip_blanks();
            let word = &self.chars[start..end];
            let is_name = word.iter().all(|c| c.is_alphanumeric() || *c == '_');
            if self.peek(0) != Some('(') || !is_name {
                self.at = end;
                return Some(Node { span: start..end, name: None, body: Content::Leaf });
            }
            let body = self.bracket(depth);
            let name = Some(word.iter().collect());
            return Some(Node { span: start..self.at, name, body });
        }
        let body = self.bracket(depth);
        Some(Node { span: start..self.at, name: None, body })
    }

    /// Reads from an opening bracket to its closing one.
    fn bracket(&mut self, depth: usize) -> Content {
        let open = self.at;
        let closing = match self.chars[open] {
            '(' => ')',
            '[' => ']',
            _ => '}',
        };
        self.at += 1;
        let mut entries = Vec::new();
        while let Some(entry) = self.entry(depth + 1) {
            entries.push(entry);
            self.skip_blanks();
            if self.peek(0) == Some(',') {
                self.at += 1;
            }
        }
        self.skip_blanks();
        let closed = self.peek(0) == Some(closing);
        self.at += usize::from(closed);
        Content::Bracket { open, closed, entries }
    }

    fn entry(&mut self, depth: usize) -> Option<Entry> {
        let first = self.value(depth)?;
        let end = self.at;
        self.skip_blanks();
        if self.peek(0) != Some(':') || first.body != Content::Leaf {
            self.at = end;
            return Some(Entry { key: None, value: first });
        }
        self.at += 1;
        let key = self.chars[first.span.clone()].iter().collect();
        let value = self.value(depth)?;
        Some(Entry { key: Some((key, first.span)), value })
    }

    /// Moves past a number, string, character or bare name.
    fn leaf(&mut self) {
        let ends = |c: char| c.is_whitespace() || ",:()[]{}".contains(c);
        while let Some(c) = self.peek(0).filter(|&c| !ends(c)) {
            match (c, self.peek(1)) {
                ('/', Some('/' | '*')) => return,
                ('"', _) => return self.string(),
                ('r', Some('"' | '#')) if self.is_raw_string() => return self.raw_string(),
                ('\'', Some('\\')) => self.at += 4,
                ('\'', _) if self.peek(2) == Some('\'') => self.at += 3,
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.chars.len());
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(c) = self.peek(0) {
            self.at += if c == '\\' { 2 } else { 1 };
            if c == '"' {
                break;
            }
        }
        self.at = self.at.min(self.chars.len());
    }

    fn is_raw_string(&self) -> bool {
        let hashes = self.chars[self.at + 1..].iter().take_while(|&&c| c == '#').count();
        self.peek(1 + hashes) == Some('"')
    }

    fn raw_string(&mut self) {
        self.at += 1;
        let hashes = self.chars[self.at..].iter().take_while(|&&c| c == '#').count();
        self.at += hashes + 1;
        while let Some(c) = self.peek(0) {
            self.at += 1;
            let tail = &self.chars[self.at..];
            if c == '"' && tail.iter().take_while(|&&c| c == '#').count() >= hashes {
                self.at += hashes;
                return;
            }
        }
    }
}

impl Node {
    /// Reads the value of a whole text; `None` when there is none.
    pub fn of_text(chars: &[char]) -> Option<Node> {
        Scanner::new(chars).text()
    }
}
