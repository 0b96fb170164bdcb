//! A report of lines with a key and a value, each of which stays one line whatever a name holds.

use hashfall_scene::escape_unprintable;
use std::fmt::{self, Write};

/// The lines of a report.
pub struct Fields {
    text: String,
    indent: usize,
    /// Width of keys, with the blanks behind them \[characters\].
    width: usize,
}

impl Fields {
    /// No lines yet; keys begin after `indent` blanks and take `width` characters.
    pub fn new(indent: usize, width: usize) -> Fields {
        Fields { text: String::new(), indent, width }
    }

    /// Lines below the name of a scene or a folder.
    pub fn under(name: impl fmt::Display, width: usize) -> Fields {
        let text = format!("{}\n", escape_unprintable(&name.to_string()));
        Fields { text, indent: 2, width }
    }

    /// Adds a line; unprintable characters of the value are escaped, line breaks among them.
    pub fn add(&mut self, key: &str, value: impl fmt::Display) {
        let (indent, width) = (self.indent, self.width);
        let value = escape_unprintable(&value.to_string());
        // Writing to memory does not fail.
        let _ = writeln!(self.text, "{:indent$}{key:<width$}{value}", "");
    }

    /// The lines.
    pub fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_add_a_line() {
        let mut fields = Fields::under("a\nb", 5);
        fields.add("key", "\u{1b}[2J\u{202e}ü\t");
        assert_eq!(fields.into_text(), "a\\nb\n  key  \\u{1b}[2J\\u{202e}ü\\t\n");
    }
}
