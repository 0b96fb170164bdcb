//! Names of attributes in meshes, where files of meshes have columns of their own.
//!
//! A PLY has a column for each component: `x y z nx ny nz` of the vertices themselves, `vx vy vz`
//! of the `velocity`, `A_x A_y A_z` of another vector `A`. VTK calls the first two `Points` and
//! `Normals`; readers of both call the normals `normal`. An attribute whose name would be there
//! twice is kept under another: a file with two columns of one name is read differently by each
//! program. The names are the same in all formats.

use hashfall_core::attribute::{Attribute, Values};
use std::collections::BTreeSet;

/// Names that meshes in files use for the vertices themselves.
const OWN: [&str; 9] = ["x", "y", "z", "nx", "ny", "nz", "Points", "Normals", "normal"];
/// The vector whose columns have short names.
const VELOCITY: &str = "velocity";
/// What an attribute is called whose own name is taken.
const PREFIX: &str = "particle_";

/// An attribute that has another name in the mesh than in the file of particles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedAttribute {
    /// Its name in the file.
    pub from: String,
    /// Its name in the mesh.
    pub to: String,
}

/// Renames attributes whose columns the mesh already has: its own, those of `velocity`, or those of
/// an attribute before.
pub(super) fn make_unique(attributes: &mut [Attribute<'static>]) -> Vec<RenamedAttribute> {
    let mut taken: BTreeSet<String> = OWN.iter().map(|&name| name.to_owned()).collect();
    let velocity =
        attributes.iter().position(|it| it.name == VELOCITY && columns(it, VELOCITY).len() == 3);
    let others = (0..attributes.len()).filter(|&i| Some(i) != velocity);
    let order: Vec<usize> = velocity.into_iter().chain(others).collect();
    let mut renamed = Vec::new();
    for i in order {
        let attribute = &mut attributes[i];
        let is_free = |name: &str, taken: &BTreeSet<String>| {
            columns(attribute, name).iter().all(|column| !taken.contains(column))
        };
        let from = attribute.name.clone().into_owned();
        let mut to = from.clone();
        while !is_free(&to, &taken) {
            to.insert_str(0, PREFIX);
        }
        taken.extend(columns(attribute, &to));
        if to != from {
            attribute.name = to.clone().into();
            renamed.push(RenamedAttribute { from, to });
        }
    }
    renamed
}

/// The columns of an attribute under a name, and the name itself as readers join them.
fn columns(attribute: &Attribute, name: &str) -> Vec<String> {
    // A name in a PLY ends at the first space.
    let name = name.replace(char::is_whitespace, "_");
    match &attribute.values {
        Values::Vectors(_) if name == VELOCITY => ["vx", "vy", "vz"].map(str::to_owned).into(),
        Values::Vectors(_) => {
            let parts = ["_x", "_y", "_z"].map(|part| name.clone() + part);
            parts.into_iter().chain([name]).collect()
        }
        Values::Scalars(_) | Values::Labels(_) | Values::Integers(_) => vec![name],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::{Real, Vec3};

    /// Names and new names of attributes, of which those with a `*` are vectors.
    fn names(of: &[&str]) -> Vec<String> {
        let attribute = |name: &&str| match name.strip_suffix('*') {
            Some(name) => {
                Attribute::new(name.to_owned(), Values::Vectors(vec![Vec3::x(); 2].into()))
            }
            None => {
                Attribute::new((*name).to_owned(), Values::Scalars(vec![0.0 as Real, 1.0].into()))
            }
        };
        let mut attributes: Vec<Attribute<'static>> = of.iter().map(attribute).collect();
        let renamed = make_unique(&mut attributes);
        let changed = attributes.iter().zip(of).filter(|(it, of)| it.name != of.trim_matches('*'));
        assert_eq!(changed.count(), renamed.len());
        attributes.into_iter().map(|it| it.name.into_owned()).collect()
    }

    #[test]
    fn names_of_the_mesh_itself_get_a_prefix() {
        assert_eq!(
            names(&["x", "nz", "Normals*", "Points*", "normal*", "T", "v*", "velocity*"]),
            [
                "particle_x",
                "particle_nz",
                "particle_Normals",
                "particle_Points",
                "particle_normal",
                "T",
                "v",
                "velocity"
            ]
        );
        assert_eq!(names(&["X", "normals*", "points"]), ["X", "normals", "points"]);
        assert_eq!(names(&["x", "particle_x"]), ["particle_x", "particle_particle_x"]);
    }

    #[test]
    fn columns_of_other_attributes_are_not_doubled() {
        assert_eq!(names(&["vx", "velocity*"]), ["particle_vx", "velocity"]);
        assert_eq!(names(&["vx", "velocity"]), ["vx", "velocity"]);
        assert_eq!(names(&["s*", "s_x"]), ["s", "particle_s_x"]);
        assert_eq!(names(&["s_y", "s*"]), ["s_y", "particle_s"]);
        assert_eq!(names(&["a b", "a_b"]), ["a b", "particle_a_b"]);
        assert_eq!(names(&["T", "T"]), ["T", "particle_T"]);
    }
}
