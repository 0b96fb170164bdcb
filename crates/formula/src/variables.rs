//! What a formula may be of: the time, or the place.

/// The variables of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Variables {
    /// Their names, in their order.
    pub names: &'static [&'static str],
    /// What they are together, after "a formula of".
    pub what: &'static str,
    /// What they mean, for the help of a name that is none of them.
    pub meaning: &'static str,
}

/// The time.
pub(crate) const TIME: Variables =
    Variables { names: &["t"], what: "the time", meaning: "the time is `t` in s" };

/// The place.
pub(crate) const PLACE: Variables = Variables {
    names: &["x", "y", "z"],
    what: "the place",
    meaning: "the place is `x`, `y`, `z` in m",
};

impl Variables {
    /// The number of a variable.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|variable| *variable == name)
    }

    /// One of them, for examples.
    pub fn example(&self) -> &'static str {
        self.names[0]
    }

    /// All of them, as a help lists them: `` `x`, `y`, `z` ``.
    pub fn list(&self) -> String {
        self.names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    }

    /// What is right where an operator is missing.
    pub fn product_help(&self) -> String {
        format!("such as `*`: 2*{}", self.example())
    }
}
