//! Keys that were renamed. A scene may still use the old name: it is read as the new one, with a
//! warning.

/// A key that has a new name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenamedKey {
    /// Path of the group that holds it, without indices and variants.
    pub parent: &'static str,
    /// The name before.
    pub old: &'static str,
    /// The name now.
    pub new: &'static str,
}

/// All renamed keys.
const RENAMED: [RenamedKey; 4] = [
    RenamedKey { parent: "surface", old: "together", new: "merge_fluids" },
    RenamedKey { parent: "surface", old: "smallest_body", new: "min_component_volume" },
    RenamedKey { parent: "fluids.shapes", old: "motion", new: "initial_velocity" },
    RenamedKey { parent: "solver", old: "interface_repulsion", new: "interface_sharpening" },
];

impl RenamedKey {
    /// Whether a text has a word that is one of the old names.
    pub fn may_be_in(text: &[char]) -> bool {
        let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
        let mut words = text.split(|c| !is_name(c)).filter(|word| word.len() > 1);
        words.any(|word| RENAMED.iter().any(|key| word.iter().copied().eq(key.old.chars())))
    }

    /// The renamed key of this old name in the group at `parent`.
    pub fn find(parent: &str, old: &str) -> Option<RenamedKey> {
        RENAMED.into_iter().find(|key| key.parent == parent && key.old == old)
    }

    /// The renamed key at a path that ends with the old name; the path may be the old name alone
    /// where no other key has it.
    pub fn find_path(path: &str) -> Option<RenamedKey> {
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        let is_only = parent.is_empty() && name != "motion";
        Self::find(parent, name)
            .or_else(|| RENAMED.into_iter().find(|key| is_only && key.old == name))
    }

    /// The name now of a key that had this name in any group.
    pub fn new_name(old: &str) -> Option<&'static str> {
        RENAMED.into_iter().find(|key| key.old == old).map(|key| key.new)
    }

    /// What a user is told who types the old name.
    pub fn message(&self) -> String {
        format!("`{}` is now called `{}`", self.old, self.new)
    }

    /// What the user should do.
    pub fn help(&self) -> String {
        format!("write `{}`", self.new)
    }
}
