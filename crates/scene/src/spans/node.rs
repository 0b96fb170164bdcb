//! Where things stand in a RON text: a key path such as `fluids[0].shapes[1].min` to its span.
//!
//! serde tells no place for a value once it is read, so a small scanner keeps the text's tree of
//! brackets, keys and values. It judges nothing and takes any text: what it cannot follow ends
//! the tree there. In a path, names of variants and `Some(…)` may be left out: `solids[0].count`
//! reaches into `SphereField(Random(count: …))`.

use super::path::{Step, parse_path};
use std::ops::Range;

/// A value in the text, with everything in its brackets.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Characters of the value, with its name and brackets.
    pub span: Range<usize>,
    /// The name before the bracket, as in `Box(…)`.
    pub name: Option<String>,
    /// What is inside.
    pub body: Content,
}

/// What a value holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A number, string or bare name.
    Leaf,
    /// What is between brackets.
    Bracket {
        /// Offset of the opening bracket.
        open: usize,
        /// Whether the closing bracket was found.
        closed: bool,
        /// The parts, in order.
        entries: Vec<Entry>,
    },
}

/// A part of a bracket: `key: value`, or a value alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key and its span.
    pub key: Option<(String, Range<usize>)>,
    /// The value.
    pub value: Node,
}

impl Entry {
    /// Characters of key and value.
    pub fn span(&self) -> Range<usize> {
        let start = self.key.as_ref().map_or(self.value.span.start, |(_, span)| span.start);
        start..self.value.span.end
    }
}

impl Node {
    /// Whether `chars` is one value and nothing else (blanks apart, comments not).
    pub fn is_all_of(&self, chars: &[char]) -> bool {
        let blank = |part: &[char]| part.iter().all(|c| c.is_whitespace());
        blank(&chars[..self.span.start])
            && blank(&chars[self.span.end..])
            && self.unclosed().is_none()
            && !(self.body == Content::Leaf && is_open_string(&chars[self.span.clone()]))
    }

    /// The parts between the brackets; none for a leaf.
    pub fn entries(&self) -> &[Entry] {
        match &self.body {
            Content::Bracket { entries, .. } => entries,
            Content::Leaf => &[],
        }
    }

    /// The start of the value: its name and opening bracket, or all of a leaf.
    pub fn head(&self) -> Range<usize> {
        match self.body {
            Content::Bracket { open, .. } => self.span.start..open + 1,
            Content::Leaf => self.span.clone(),
        }
    }

    /// The content of a named wrapper of one value, such as `Some(…)` or `SphereField(…)`.
    fn wrapped(&self) -> Option<&Node> {
        match (self.name.as_ref(), self.entries()) {
            (Some(_), [Entry { key: None, value }]) => Some(value),
            _ => None,
        }
    }

    /// One step down; `None` when there is no such part.
    fn step(&self, step: &Step) -> Option<&Node> {
        match step {
            Step::Key(key) if self.name.as_ref() == Some(key) => Some(self),
            Step::Key(key) => self
                .entry(key)
                .map(|entry| &entry.value)
                .or_else(|| self.wrapped().and_then(|inner| inner.step(step))),
            Step::Index(index) => match self.wrapped() {
                Some(inner) => inner.step(step),
                None => self.entries().get(*index).map(|entry| &entry.value),
            },
        }
    }

    /// The entry with a key.
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries().iter().find(|e| e.key.as_ref().is_some_and(|(key, _)| key == name))
    }

    /// Follows steps as far as they lead; returns the last node and the number of steps taken.
    pub fn follow<'a>(&self, steps: impl IntoIterator<Item = &'a Step>) -> (&Node, usize) {
        let mut node = self;
        let mut taken = 0;
        for step in steps {
            match node.step(step) {
                Some(next) => node = next,
                None => break,
            }
            taken += 1;
        }
        (node, taken)
    }

    /// The bracket that a new key joins: the innermost of named wrappers.
    pub fn innermost_wrapped(&self) -> &Node {
        self.wrapped().map_or(self, Node::innermost_wrapped)
    }

    /// The value at a path, or at as much of it as the text holds.
    pub fn nearest(&self, path: &str) -> &Node {
        let steps = parse_path(path).unwrap_or_default();
        self.follow(steps.iter().map(|(step, _)| step)).0
    }

    /// A path with the names of variants on its way, as far as the text has them:
    /// `solids[0].count` gives `solids[0].SphereField.Random.count`.
    pub fn with_variants(&self, path: &str) -> String {
        let mut full = String::new();
        let mut node = Some(self);
        for (step, _) in parse_path(path).unwrap_or_default() {
            match &step {
                Step::Key(key) => {
                    // The name of the whole text is no variant.
                    let holder = node.filter(|_| !full.is_empty());
                    for name in holder.into_iter().flat_map(Node::variants) {
                        full += &format!(".{name}");
                    }
                    full += &format!(".{key}");
                }
                Step::Index(index) => full += &format!("[{index}]"),
            }
            node = node.and_then(|node| node.step(&step));
        }
        full.trim_start_matches('.').to_owned()
    }

    /// The names of nested wrappers, outermost first.
    fn variants(&self) -> impl Iterator<Item = &str> {
        let wrappers = std::iter::successors(Some(self), |node| node.wrapped());
        wrappers.filter_map(|node| node.name.as_deref()).filter(|name| *name != "Some")
    }

    /// Whether it is a nameless bracket of plain values, such as `(0.0, 0.0, -9.81)`.
    pub fn is_vector(&self) -> bool {
        let is_plain = |entry: &Entry| entry.key.is_none() && entry.value.body == Content::Leaf;
        self.name.is_none() && self.body != Content::Leaf && self.entries().iter().all(is_plain)
    }

    /// The nodes around an offset, outermost first, each with the path to it.
    pub fn around(&self, at: usize) -> Vec<(&Node, String)> {
        let mut trail = vec![(self, String::new())];
        while let Some((node, path)) = trail.last() {
            let holds = |entry: &Entry| entry.span().start <= at && at < entry.span().end;
            let Some(index) = node.entries().iter().position(holds) else { break };
            let entry = &node.entries()[index];
            let below = match &entry.key {
                Some((key, _)) if path.is_empty() => key.clone(),
                Some((key, _)) => format!("{path}.{key}"),
                None if node.wrapped().is_some() => path.clone(),
                None => format!("{path}[{index}]"),
            };
            trail.push((&entry.value, below));
        }
        trail
    }

    /// The innermost bracket that is never closed.
    pub fn unclosed(&self) -> Option<&Node> {
        let inner = self.entries().iter().find_map(|entry| entry.value.unclosed());
        let open = matches!(self.body, Content::Bracket { closed: false, .. });
        inner.or(open.then_some(self))
    }
}

/// Whether a leaf begins as a string and lacks the closing quote.
fn is_open_string(leaf: &[char]) -> bool {
    leaf.contains(&'"')
        && (leaf.last() != Some(&'"') && leaf.last() != Some(&'#') || leaf.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spans::{is_blank, open_comment};

    const TEXT: &str = r##"#![enable(implicit_some)]
// a comment with (brackets
Scene( /* /* nested */ ) */
    name: "a \" ) quote", raw: r#"(" "#,
    fluids: [(shapes: [Box(min: (0, 1, -2.5)), Box(min: (3, 4, 5),),],)],
    solids: [SphereField(Random(count: 7)), SphereField(List([(radius: 9)]))],
    surface: Some((cell: 0.5)),
)"##;

    fn chars() -> Vec<char> {
        TEXT.chars().collect()
    }

    fn text_at(path: &str) -> String {
        let chars = chars();
        let node = Node::of_text(&chars).expect("the text holds a value");
        let steps = parse_path(path).expect("a path");
        assert_eq!(node.follow(steps.iter().map(|(step, _)| step)).1, steps.len(), "{path}");
        chars[node.nearest(path).head()].iter().collect()
    }

    #[test]
    fn paths_lead_to_their_values() {
        assert_eq!(text_at("name"), r#""a \" ) quote""#);
        assert_eq!(text_at("raw"), r##"r#"(" "#"##);
        assert_eq!(text_at("fluids[0].shapes[0].min[2]"), "-2.5");
        assert_eq!(text_at("fluids[0].shapes[1]"), "Box(");
        assert_eq!(text_at("solids[0].count"), "7");
        assert_eq!(text_at("solids[0].SphereField.Random.count"), "7");
        assert_eq!(text_at("solids[1][0].radius"), "9");
        assert_eq!(text_at("surface.cell"), "0.5");
    }

    #[test]
    fn a_path_that_leads_nowhere_shows_how_far_it_led() {
        let chars = chars();
        let node = Node::of_text(&chars).expect("the text holds a value");
        assert_eq!(node.nearest("fluids[0].shapes[7].min"), node.nearest("fluids[0].shapes"));
        assert_eq!(node.nearest("fluids[0].colour"), node.nearest("fluids[0]"));
    }

    #[test]
    fn an_offset_leads_back_to_its_path() {
        let chars = chars();
        let node = Node::of_text(&chars).expect("the text holds a value");
        for path in ["fluids[0].shapes[1].min[1]", "solids[0].count", "surface.cell", "name"] {
            let trail = node.around(node.nearest(path).span.start);
            assert_eq!(trail.last().map(|(_, path)| path.as_str()), Some(path));
        }
    }

    #[test]
    fn variants_on_the_way_of_a_path_are_those_of_the_text() {
        let chars = chars();
        let node = Node::of_text(&chars).expect("the text holds a value");
        for (path, full) in [
            ("fluids[0].shapes[1].min[1]", "fluids[0].shapes[1].Box.min[1]"),
            ("fluids[0].shapes[1].radius", "fluids[0].shapes[1].Box.radius"),
            ("solids[0].count", "solids[0].SphereField.Random.count"),
            ("surface.cell", "surface.cell"),
            ("colour.hue", "colour.hue"),
            ("", ""),
        ] {
            assert_eq!(node.with_variants(path), full);
        }
    }

    #[test]
    fn broken_text_ends_the_tree_and_nothing_else() {
        let scan = |text: &str| Node::of_text(&text.chars().collect::<Vec<_>>());
        let open = scan("S(a: [1, 2").expect("a value");
        assert_eq!(open.unclosed().map(|node| node.span.start), Some(5));
        assert_eq!(scan(""), None);
        assert_eq!(scan("  // only a comment"), None);
        for text in ["(", "(((", "a: b", "\"open", "'\\", "r#\"x", "/* open", "(a:", "(a:)", "]"] {
            scan(text);
        }
        assert!(scan(&"(".repeat(100_000)).is_some(), "depth is bounded");
    }

    #[test]
    fn a_comment_left_open_is_found_at_its_start() {
        let open = |text: &str| open_comment(&text.chars().collect::<Vec<_>>());
        assert_eq!(open("(a: 1, /* b: 2, // c */ d: \"/*\")"), None);
        assert_eq!(open("(a: 1, /* /* */ b: \"x/y\")"), Some(7));
    }

    #[test]
    fn a_text_is_blank_when_it_holds_comments_alone() {
        let blank = |text: &str| is_blank(&text.chars().collect::<Vec<_>>());
        assert!(["", " \n", "// a", "/* a */ // b\n", "#![enable(x)]"].into_iter().all(blank));
        assert!(!["a", ")", "/* a", "// a\n("].into_iter().any(blank));
    }

    #[test]
    fn paths_are_read_with_their_places() {
        let steps = parse_path("fluids[10].name").expect("a path");
        assert_eq!(steps[1], (Step::Index(10), 6..10));
        assert_eq!(steps[2], (Step::Key("name".to_owned()), 11..15));
        for bad in
            ["", "a..b", "a[", "a[x]", "a[1", "[", "a.", ".a", "a b", "a[99999999999999999999]"]
        {
            assert!(parse_path(bad).is_err(), "{bad}");
        }
    }
}
