//! The columns of a table by their names.
//!
//! A vector has three columns, named as programs name them: `x`, `y`, `z`; `position.x`;
//! `position_x`; `position[0]`; `Points:0` (ParaView); `vx`; `x_coord`. What is in brackets at the
//! end is a unit, as in `x [m]`. Upper and lower case are one. Positions are the vector without a
//! name, or called position, point or coordinate; a vector called velocity, `v` or `u v w` becomes
//! `velocity` ([`crate::field_names`]).

use crate::error::Problem;
use crate::field_names::{UVW, VELOCITIES, is_label, plain, without_unit};
use std::collections::BTreeMap;

/// Names of a vector of positions, in [plain](plain) words.
const POSITIONS: [&str; 11] = [
    "",
    "position",
    "positions",
    "pos",
    "point",
    "points",
    "coord",
    "coordinate",
    "coordinates",
    "coords",
    "p",
];
/// What a coordinate is called after its axis: `x_coord`.
const COORDINATES: [&str; 5] = ["coord", "coordinate", "position", "pos", "centre"];

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The positions of the particles.
    Position,
    /// Anything else.
    Attribute,
}

/// A column, or three that are a vector.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub name: String,
    /// The cells of a row that it takes.
    pub cells: Vec<usize>,
    pub role: Role,
    /// Whether its whole numbers name something.
    pub is_label: bool,
}

/// The columns of a header, and what of them is doubtful.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// Vectors first.
    pub columns: Vec<Column>,
    /// Why another vector than was meant may be the velocity.
    pub doubt: Option<String>,
}

impl Columns {
    /// Finds the columns by their names.
    ///
    /// # Errors
    /// No column, or two, of a coordinate.
    pub(super) fn from_names(names: &[String]) -> Result<Columns, Problem> {
        let vectors = vectors(names)?;
        // Of several names of positions the first of the list is meant, as of velocities; the
        // others are attributes.
        let position = best(&vectors, &POSITIONS).ok_or_else(|| no_positions(names))?;
        let velocity = best(&vectors, &VELOCITIES);
        let mut all = Columns::default();
        let mut is_scalar = vec![true; names.len()];
        for (k, vector) in vectors.iter().enumerate() {
            let name = match velocity {
                Some(velocity) if k == velocity => "velocity".to_owned(),
                _ => vector.attribute_name(&names[vector.cells[0]]),
            };
            let is_other = k != position && Some(k) != velocity;
            if let (true, Some(velocity)) = (is_other && vector.is_velocity(), velocity) {
                let first = |vector: &Vector| names[vector.cells[0]].clone();
                let (read, other) = (first(&vectors[velocity]), first(vector));
                all.doubt = Some(format!(
                    "two vectors of the table are velocities: that of `{read}` is read as such, \
                     that of `{other}` as the attribute `{name}`"
                ));
            }
            vector.cells.iter().for_each(|&cell| is_scalar[cell] = false);
            let role = if k == position { Role::Position } else { Role::Attribute };
            all.columns.push(Column { name, cells: vector.cells.to_vec(), role, is_label: false });
        }
        let scalars = names.iter().enumerate().filter(|(k, _)| is_scalar[*k]);
        all.columns.extend(scalars.filter_map(|(k, name)| Column::scalar(name, k)));
        Ok(all)
    }
}

impl Column {
    /// A column by itself; none without a name, as an index that other programs put in front.
    fn scalar(name: &str, cell: usize) -> Option<Column> {
        let name = without_unit(name);
        let is_label = is_label(name);
        let (name, cells) = (name.to_owned(), vec![cell]);
        (!name.is_empty()).then_some(Column { name, cells, role: Role::Attribute, is_label })
    }
}

/// Three columns that are a vector.
struct Vector {
    /// Its name, as in [`Part`].
    base: String,
    cells: [usize; 3],
}

impl Vector {
    fn is_velocity(&self) -> bool {
        is_velocity(&self.base)
    }

    /// Its name as an attribute, by that of its first column.
    fn attribute_name(&self, first: &str) -> String {
        if self.base == UVW { UVW.to_owned() } else { vector_name(first) }
    }
}

/// The vectors of a header, in the order of their first columns.
///
/// # Errors
/// Two columns of one coordinate of the positions.
fn vectors(names: &[String]) -> Result<Vec<Vector>, Problem> {
    // The columns of four components, since those of a vector of four are no vector here.
    let mut parts: BTreeMap<String, [Vec<usize>; 4]> = BTreeMap::new();
    for (k, name) in names.iter().enumerate() {
        if let Some(Part { base, axis: axis @ 0..4 }) = part(name) {
            parts.entry(base).or_default()[axis].push(k);
        }
    }
    let mut vectors = Vec::new();
    for (base, [x, y, z, w]) in parts {
        let (&[first, ..], &[second, ..], &[third, ..]) = (&x[..], &y[..], &z[..]) else {
            continue;
        };
        let twice = [x, y, z].iter().find_map(|cells| cells.get(1).copied());
        match twice {
            Some(twice) if is_position(&base) => {
                let message = format!("two columns are called `{}`", names[twice]);
                return Err(Problem::Missing(message));
            }
            None if w.is_empty() => vectors.push(Vector { base, cells: [first, second, third] }),
            _ => {}
        }
    }
    vectors.sort_unstable_by_key(|vector| vector.cells[0]);
    Ok(vectors)
}

/// The vector whose name stands first in a list.
fn best(vectors: &[Vector], names: &[&str]) -> Option<usize> {
    names.iter().find_map(|name| vectors.iter().position(|vector| plain(&vector.base) == *name))
}

/// A component of a vector.
#[derive(Debug, PartialEq)]
struct Part {
    /// The vector's name in lower case, with what separates the component from it left out.
    base: String,
    /// Its number.
    axis: usize,
}

/// Reads the name of a column as that of a component.
fn part(name: &str) -> Option<Part> {
    let name = without_index_brackets(without_unit(name)).to_lowercase();
    if let Some(axis) = ["u", "v", "w"].iter().position(|it| *it == name) {
        return Some(Part { base: UVW.to_owned(), axis });
    }
    if let Some(axis) = coordinate(&name) {
        return Some(Part { base: String::new(), axis });
    }
    let last = name.chars().next_back()?;
    let axis = match last {
        'x' | 'y' | 'z' => last as usize - 'x' as usize,
        '0'..='9' => last as usize - '0' as usize,
        _ => return None,
    };
    let base = &name[..name.len() - 1];
    let trimmed = base.trim_end_matches(['.', ':', '_', ' ', '-', '[', '(']);
    let is_separated = trimmed.len() < base.len();
    // `vx` and `x` are components without a separator, `max` is none.
    let is_short = base.len() <= 1 && last.is_alphabetic();
    let is_known = last.is_alphabetic() && (is_position(trimmed) || is_velocity(trimmed));
    (is_separated || is_short || is_known).then(|| Part { base: trimmed.to_owned(), axis })
}

/// The axis of a coordinate whose name begins with it: `x_coord`.
fn coordinate(name: &str) -> Option<usize> {
    let axis = ["x", "y", "z"].iter().position(|axis| name.starts_with(axis))?;
    COORDINATES.contains(&&*plain(&name[1..])).then_some(axis)
}

fn is_position(base: &str) -> bool {
    POSITIONS.contains(&&*plain(base))
}

fn is_velocity(base: &str) -> bool {
    VELOCITIES.contains(&&*plain(base))
}

/// `position[0]` as `position[0`.
fn without_index_brackets(name: &str) -> &str {
    let inner = name.strip_suffix(']').or_else(|| name.strip_suffix(')'));
    inner
        .filter(|inner| inner.ends_with(|c: char| c.is_ascii_digit() || "xyzXYZ".contains(c)))
        .unwrap_or(name)
}

/// The name of a vector by that of its first component.
fn vector_name(first: &str) -> String {
    let name = without_index_brackets(without_unit(first));
    let base = &name[..name.len() - name.chars().next_back().map_or(0, char::len_utf8)];
    let base = base.trim_end_matches(['.', ':', '_', ' ', '-', '[', '(']);
    if base.is_empty() { "position".to_owned() } else { base.to_owned() }
}

/// A header without positions.
fn no_positions(names: &[String]) -> Problem {
    let is_number = |name: &String| name.replace(',', ".").parse::<f64>().is_ok();
    if !names.is_empty() && names.iter().all(is_number) {
        let message = "the first line holds numbers, not the names of the columns; put a line such \
                       as x,y,z before it";
        return Problem::Missing(message.to_owned());
    }
    let listed: Vec<String> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 12 { " …" } else { "" };
    Problem::Missing(format!(
        "no position columns, such as x,y,z or Points:0,Points:1,Points:2; there are {}{more}",
        listed.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(header: &str) -> Result<Vec<(String, Vec<usize>)>, String> {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        let columns = Columns::from_names(&names).map_err(|problem| problem.to_string())?.columns;
        assert_eq!(columns.iter().filter(|it| it.role == Role::Position).count(), 1, "{header}");
        Ok(columns.into_iter().map(|it| (it.name, it.cells)).collect())
    }

    #[test]
    fn positions_and_velocities_are_found_under_the_names_of_many_programs() {
        for (header, position, velocity) in [
            ("x,y,z", [0, 1, 2], None),
            ("X,Y,Z,vx,vy,vz", [0, 1, 2], Some([3, 4, 5])),
            ("id,position.x,position.y,position.z,v.x,v.y,v.z", [1, 2, 3], Some([4, 5, 6])),
            ("velocity:0,velocity:1,velocity:2,Points:0,Points:1,Points:2", [3, 4, 5], {
                Some([0, 1, 2])
            }),
            ("Points_0,Points_1,Points_2,Velocity_X,Velocity_Y,Velocity_Z", [0, 1, 2], {
                Some([3, 4, 5])
            }),
            ("pos[0],pos[1],pos[2],vel[0],vel[1],vel[2]", [0, 1, 2], Some([3, 4, 5])),
            ("x [m],y [m],z [m],u,v,w", [0, 1, 2], Some([3, 4, 5])),
            ("z,y,x", [2, 1, 0], None),
            ("Px,Py,Pz", [0, 1, 2], None),
            ("X Coord,Y Coord,Z Coord,velx,vely,velz", [0, 1, 2], Some([3, 4, 5])),
            ("xcoord,ycoord,zcoord,Ux,Uy,Uz", [0, 1, 2], Some([3, 4, 5])),
            ("Pos.x [m],Pos.y [m],Pos.z [m],Vel.x [m/s],Vel.y [m/s],Vel.z [m/s]", [0, 1, 2], {
                Some([3, 4, 5])
            }),
            ("Velocity (m/s):0,Velocity (m/s):1,Velocity (m/s):2,x,y,z", [3, 4, 5], {
                Some([0, 1, 2])
            }),
            (
                "coordx,coordy,coordz,particle_velocity_x,particle_velocity_y,particle_velocity_z",
                { [0, 1, 2] },
                Some([3, 4, 5]),
            ),
        ] {
            let columns = found(header).unwrap_or_else(|error| panic!("{header}: {error}"));
            assert!(columns.iter().any(|(_, cells)| cells == &position), "{header}: {columns:?}");
            if let Some(velocity) = velocity {
                assert!(columns.contains(&("velocity".into(), velocity.to_vec())), "{columns:?}");
            }
        }
    }

    #[test]
    fn other_columns_are_attributes() {
        let columns = found(",x,y,z,max,Normals:0,Normals:1,Normals:2,s:0,s:1,s:2,s:3").unwrap();
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["position", "Normals", "max", "s:0", "s:1", "s:2", "s:3"]);
    }

    #[test]
    fn a_header_without_positions_says_what_there_is() {
        assert!(found("a,b").unwrap_err().contains("there are `a`, `b`"));
        assert!(found("1.0,2.5,-3").unwrap_err().contains("holds numbers"));
        assert!(found("x,y,z,x").unwrap_err().contains("two columns are called `x`"));
        assert!(found("x,y").unwrap_err().contains("no position columns"));
    }
}
