//! Colour for terminals, and nothing for files.

/// Whether text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// With ANSI escapes.
    Coloured,
    /// As it is.
    Plain,
}

/// The colours in use, as ANSI codes.
#[derive(Clone, Copy, Debug)]
pub enum Ink {
    /// Errors.
    Red = 31,
    /// Warnings.
    Yellow = 33,
    /// The frame around a shown line.
    Blue = 34,
}

impl Paint {
    /// Text in a colour.
    pub fn ink(self, ink: Ink, text: &str) -> String {
        self.escape(&format!("1;{}", ink as u8), text)
    }

    /// Text that stands out.
    pub fn bold(self, text: &str) -> String {
        self.escape("1", text)
    }

    fn escape(self, code: &str, text: &str) -> String {
        match self {
            Paint::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
            Paint::Plain => text.to_owned(),
        }
    }
}
