//! A JSON text as a tree, with the characters of each part.

use std::ops::Range;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its characters, with its brackets or quotes.
    pub span: Range<usize>,
    /// What it holds.
    pub body: Body,
}

/// What a value holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// `null`.
    Null,
    /// A number, `true` or `false`: the same in RON.
    Word,
    /// A text.
    Text(Text),
    /// `[ … ]`.
    List(Vec<Value>),
    /// `{ … }`.
    Object(Vec<Member>),
}

/// A text: each character, and where it or its escape begins.
pub type Text = Vec<(char, usize)>;

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The key.
    pub key: Text,
    /// The characters of the key, with its quotes.
    pub span: Range<usize>,
    /// The value.
    pub value: Value,
}

/// The characters of a text as they are meant.
pub fn plain(text: &Text) -> String {
    text.iter().map(|&(c, _)| c).collect()
}

/// What keeps a text from being a scene in JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Characters in question.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right.
    pub help: String,
}

impl Fault {
    pub fn new(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Fault {
        Fault { span, message: message.into(), help: help.into() }
    }
}
