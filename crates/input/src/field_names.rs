//! What the names of arrays and columns mean, however programs write them: `Velocity (m/s)`,
//! `particle_velocity` and `Vel.` are one.

/// Words before a name that tell whose it is.
const SUBJECTS: [&str; 5] = ["particle", "particles", "fluid", "point", "points"];
/// Words after a name that tell what kind of array it is.
const KINDS: [&str; 3] = ["vector", "vectors", "field"];

/// The name by which three arrays or columns `u`, `v` and `w` are one vector.
pub(crate) const UVW: &str = "uvw";
/// Plain names of velocities, the likeliest first.
pub const VELOCITIES: [&str; 7] = ["velocity", "velocities", "vel", "velo", "v", UVW, "u"];

/// The last words in the name of an array whose whole numbers name something, as DualSPHysics
/// (`Idp`, `Mk`), SPlisHSPlasH, PySPH, LAMMPS (`mol`), OpenFOAM (`origProcId`) and others write
/// them.
const LABELS: [&str; 34] = [
    "id",
    "ids",
    "idp",
    "index",
    "indices",
    "idx",
    "number",
    "num",
    "nr",
    "phase",
    "type",
    "kind",
    "label",
    "material",
    "mat",
    "mk",
    "mkbound",
    "mkfluid",
    "mol",
    "tag",
    "group",
    "body",
    "cell",
    "rank",
    "proc",
    "process",
    "part",
    "parcel",
    "region",
    "zone",
    "block",
    "injection",
    "state",
    "iset",
];
/// Endings of such names, and words in them.
const IDS: [&str; 3] = ["id", "ids", "idp"];

/// A name in lower case without its unit, separators, and words that only tell whose it is.
pub fn plain(name: &str) -> String {
    let name = without_unit(name).to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let mut words: &[&str] = &words.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>();
    while let [subject, rest @ ..] = words
        && !rest.is_empty()
        && SUBJECTS.contains(subject)
    {
        words = rest;
    }
    while let [rest @ .., kind] = words
        && !rest.is_empty()
        && KINDS.contains(kind)
    {
        words = rest;
    }
    words.concat()
}

/// A name without a unit in brackets at its end: `x [m]`, `Velocity(m/s)`. The number or the letter
/// of a component, as in `position[0]`, is none.
pub(crate) fn without_unit(name: &str) -> &str {
    let name = name.trim();
    let Some(inner) = name.strip_suffix([']', ')']) else { return name };
    let Some(start) = inner.rfind(['[', '(']) else { return name };
    let (before, unit) = (inner[..start].trim_end(), inner[start + 1..].trim());
    let is_component = unit.len() == 1 && unit.contains(|c| "0123456789xyzXYZ".contains(c));
    let is_apart = before.len() < start;
    match is_component && !is_apart {
        true => name,
        false => before,
    }
}

/// Whether whole numbers under this name name something, so that a mean of them means nothing.
pub(crate) fn is_label(name: &str) -> bool {
    let name = without_unit(name).to_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    let is_number = |word: &&&str| word.chars().all(|c| c.is_ascii_digit());
    let last = words.iter().rfind(|word| !is_number(word));
    last.is_some_and(|last| LABELS.contains(last))
        || words.iter().any(|word| IDS.contains(word))
        || IDS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_without_unit_subject_and_separators() {
        for (name, expected) in [
            ("Velocity (m/s)", "velocity"),
            ("Velocity [m/s]", "velocity"),
            ("velocity(m s^-1)", "velocity"),
            ("particle_velocity", "velocity"),
            ("Fluid Velocity Vector", "velocity"),
            ("Vel.", "vel"),
            ("U", "u"),
            ("x [m]", "x"),
            ("position[0]", "position0"),
            ("Particles", "particles"),
            ("density", "density"),
            ("", ""),
            (" [m] ", ""),
        ] {
            assert_eq!(plain(name), expected, "{name}");
        }
    }

    #[test]
    fn numbers_of_things_are_known_by_their_names() {
        for name in
            ["Idp", "particle_id", "Phase", "vtkOriginalPointIds", "Mk", "Type", "origProcId"]
        {
            assert!(is_label(name), "{name}");
        }
        for name in
            ["density", "Rhop [kg/m^3]", "Vel", "number density", "phase fraction", "fluidity"]
        {
            assert!(!is_label(name), "{name}");
        }
    }
}
