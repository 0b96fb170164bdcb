//! RON as JSON, the obvious way: `(a: 1)` is an object, `(1, 2)` and `[1, 2]` are arrays,
//! `Kind(a: 1)` is `{"Kind": {"a": 1}}`, `Kind(1)` is `{"Kind": 1}`, a bare name a text, and `None`
//! null.

use serde_json::{Map, Value, json};

/// The value that a scene is; its own name, `Scene`, is left out.
pub fn to_json(text: &str) -> Value {
    let mut reader = Reader { rest: text };
    reader.skip();
    if reader.rest.starts_with("Scene") {
        reader.name();
    }
    let value = reader.group();
    reader.skip();
    assert_eq!(reader.rest, "", "the text goes on");
    value
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    /// Passes over blanks and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix("//") {
                Some(comment) => self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
                None => return,
            }
        }
    }

    /// Whether this comes next; then it is passed over.
    fn takes(&mut self, mark: char) -> bool {
        self.skip();
        let after = self.rest.strip_prefix(mark);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn name(&mut self) -> &'a str {
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        let end = self.rest.find(is_end).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        name
    }

    fn value(&mut self) -> Value {
        self.skip();
        match self.rest.chars().next().unwrap() {
            '(' => self.group(),
            '[' => {
                self.rest = &self.rest[1..];
                Value::Array(self.items(']'))
            }
            '"' => {
                let (text, rest) = self.rest[1..].split_once('"').unwrap();
                self.rest = rest;
                text.into()
            }
            c if c.is_ascii_alphabetic() => self.named(),
            _ => self.number(),
        }
    }

    /// A number; `1` is whole, `1.0` and `1e0` are not.
    fn number(&mut self) -> Value {
        let is_end = |c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c));
        let (number, rest) = self.rest.split_at(self.rest.find(is_end).unwrap());
        self.rest = rest;
        match number.parse::<i64>() {
            Ok(whole) => whole.into(),
            Err(_) => number.parse::<f64>().unwrap().into(),
        }
    }

    fn named(&mut self) -> Value {
        let name = self.name();
        match name {
            "true" | "false" => (name == "true").into(),
            "None" => Value::Null,
            _ if !self.rest.starts_with('(') => name.into(),
            _ => match self.group() {
                Value::Array(mut items) if items.len() == 1 => json!({ name: items.remove(0) }),
                held => json!({ name: held }),
            },
        }
    }

    /// What stands in round brackets.
    fn group(&mut self) -> Value {
        assert!(self.takes('('), "no group at {:?}", self.rest);
        self.skip();
        let before = self.rest;
        let has_keys = !self.name().is_empty() && self.takes(':');
        self.rest = before;
        if !has_keys && !before.starts_with(')') {
            return Value::Array(self.items(')'));
        }
        let mut keys = Map::new();
        while !self.takes(')') {
            self.skip();
            let key = self.name();
            assert!(self.takes(':'), "no key at {:?}", self.rest);
            let value = self.value();
            assert!(keys.insert(key.to_owned(), value).is_none(), "{key} twice");
            self.takes(',');
        }
        Value::Object(keys)
    }

    fn items(&mut self, end: char) -> Vec<Value> {
        let mut items = Vec::new();
        while !self.takes(end) {
            items.push(self.value());
            self.takes(',');
        }
        items
    }
}
