//! The columns of a table by their names.
//!
//! A vector has three columns, named as programs name them: `x`, `y`, `z`; `position.x`;
//! `position_x`; `position[0]`; `Points:0` (ParaView); `vx`; `x_coord`. What is in brackets at the
//! end is a unit, as in `x [m]`. Upper and lower case are one. Positions are the vector without a
//! name, or called position, point or coordinate; a vector called velocity, `v` or `u v w` becomes
//! `velocity` ([`crate::field_names`]). Columns that the user chooses ([`crate::columns`]) are what
//! they are chosen for, and nothing else.

use crate::columns::{Chosen, ColumnChoice, ColumnNames};
use crate::error::{ColumnProblem, Problem};
use crate::field_names::{UVW, VELOCITIES, is_label, plain, without_unit};
use crate::quantity::Quantity;
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
    /// What the user chooses it for.
    Chosen,
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
    /// Finds the columns that are chosen, and others by their names.
    ///
    /// # Errors
    /// A choice that the table does not have; no column, or two, of a coordinate.
    pub(super) fn new(names: &ColumnNames, choice: &ColumnChoice) -> Result<Columns, Problem> {
        let chosen = choice.resolve(names)?;
        // A chosen column is known by no name.
        let known: Vec<&str> = names
            .names
            .iter()
            .enumerate()
            .map(|(k, name)| if chosen.contains(k) { "" } else { name.as_str() })
            .collect();
        let parts = parts(&known);
        let vectors = vectors(&parts, &known, &chosen)?;
        let choose =
            |quantities, words: &[&str]| complete(&chosen, quantities, &parts, words, names);
        let by_name = |words: &[&str]| best(&vectors, words).map(|k| vectors[k].cells);
        let position = match choose(Quantity::POSITION, &POSITIONS)? {
            Some(cells) => cells,
            // Of several names of positions the first of the list is meant, as of velocities; the
            // others are attributes.
            None => by_name(&POSITIONS).ok_or_else(|| no_positions(names))?,
        };
        let chosen_velocity = choose(Quantity::VELOCITY, &VELOCITIES)?;
        let known_velocity = by_name(&VELOCITIES).filter(|_| chosen_velocity.is_none());
        let mut columns = vec![Column::vector("position", position, Role::Position)];
        let velocity = |role| move |cells| Column::vector("velocity", cells, role);
        columns.extend(chosen_velocity.map(velocity(Role::Chosen)));
        columns.extend(known_velocity.map(velocity(Role::Attribute)));
        columns.extend(Quantity::SCALARS.into_iter().filter_map(|quantity| {
            let (cells, name) = (vec![chosen.get(quantity)?], quantity.name().to_owned());
            let is_label = quantity == Quantity::Phase;
            Some(Column { name, cells, role: Role::Chosen, is_label })
        }));
        let mut all = Columns { columns, doubt: None };
        // The names of a table without any are no attributes.
        if names.is_named {
            all.add_others(&known, &vectors, known_velocity);
        }
        Ok(all)
    }

    /// Adds the vectors and the columns that are nothing so far.
    fn add_others(&mut self, names: &[&str], vectors: &[Vector], velocity: Option<[usize; 3]>) {
        let mut is_taken = vec![false; names.len()];
        self.columns.iter().flat_map(|it| &it.cells).for_each(|&cell| is_taken[cell] = true);
        for vector in vectors {
            if vector.cells.iter().any(|&cell| is_taken[cell]) {
                continue;
            }
            let first = names[vector.cells[0]];
            let name = vector.attribute_name(first);
            if let (true, Some([read, ..])) = (vector.is_velocity(), velocity) {
                self.doubt = Some(format!(
                    "two vectors of the table are velocities: that of `{}` is read as such, \
                     that of `{first}` as the attribute `{name}`",
                    names[read]
                ));
            }
            vector.cells.iter().for_each(|&cell| is_taken[cell] = true);
            self.columns.push(Column::vector(&name, vector.cells, Role::Attribute));
        }
        let scalars = names.iter().enumerate().filter(|(k, _)| !is_taken[*k]);
        self.columns.extend(scalars.filter_map(|(k, name)| Column::scalar(name, k)));
    }
}

impl Column {
    fn vector(name: &str, cells: [usize; 3], role: Role) -> Column {
        Column { name: name.to_owned(), cells: cells.to_vec(), role, is_label: false }
    }

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

/// The columns of four components of each name, since those of a vector of four are no vector here.
type Parts = BTreeMap<String, [Vec<usize>; 4]>;

fn parts(names: &[&str]) -> Parts {
    let mut parts = Parts::new();
    for (k, name) in names.iter().enumerate() {
        if let Some(Part { base, axis: axis @ 0..4 }) = part(name) {
            parts.entry(base).or_default()[axis].push(k);
        }
    }
    parts
}

/// The vectors of a header, in the order of their first columns.
///
/// # Errors
/// Two columns of one coordinate of the positions, where none of these is chosen.
fn vectors(parts: &Parts, names: &[&str], chosen: &Chosen) -> Result<Vec<Vector>, Problem> {
    let mut vectors = Vec::new();
    for (base, [x, y, z, w]) in parts {
        let (&[first, ..], &[second, ..], &[third, ..]) = (&x[..], &y[..], &z[..]) else {
            continue;
        };
        let twice = [x, y, z].iter().find_map(|cells| cells.get(1).copied());
        match twice {
            Some(twice) if is_position(base) && chosen.vector(Quantity::POSITION).is_none() => {
                let message = format!("two columns are called `{}`", names[twice]);
                return Err(Problem::Missing(message));
            }
            None if w.is_empty() => {
                vectors.push(Vector { base: base.clone(), cells: [first, second, third] });
            }
            _ => {}
        }
    }
    vectors.sort_unstable_by_key(|vector| vector.cells[0]);
    Ok(vectors)
}

/// The columns of a vector of which some are chosen; the others are those of the likeliest name
/// that has them. `None` if none is chosen.
///
/// # Errors
/// A column that is neither chosen nor known by its name.
fn complete(
    chosen: &Chosen,
    quantities: [Quantity; 3],
    parts: &Parts,
    words: &[&str],
    names: &ColumnNames,
) -> Result<Option<[usize; 3]>, Problem> {
    let Some(columns) = chosen.vector(quantities) else { return Ok(None) };
    let filled = |known: &dyn Fn(usize) -> Option<usize>| {
        let [x, y, z] = [0, 1, 2].map(|axis| columns[axis].or_else(|| known(axis)));
        Some([x?, y?, z?])
    };
    let only = |cells: &Vec<usize>| if let [cell] = cells[..] { Some(cell) } else { None };
    let by_name = |word: &&str| {
        let mut vectors = parts.iter().filter(|(base, _)| plain(base) == **word);
        vectors.find_map(|(_, axes)| filled(&|axis| only(&axes[axis])))
    };
    match filled(&|_| None).or_else(|| words.iter().find_map(by_name)) {
        Some(cells) => Ok(Some(cells)),
        None => {
            let missing = columns.iter().position(Option::is_none).unwrap_or_default();
            Err(ColumnProblem::not_known(quantities[missing], names.list()).into())
        }
    }
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
fn no_positions(names: &ColumnNames) -> Problem {
    if names.names.iter().all(String::is_empty) {
        let message = "the first line holds numbers, not the names of the columns; put a line such \
                       as x,y,z before it, or choose the columns by their numbers";
        return Problem::Missing(message.to_owned());
    }
    Problem::Missing(format!(
        "no position columns, such as x,y,z or Points:0,Points:1,Points:2, and none are chosen; {}",
        names.list()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(header: &str) -> Result<Vec<(String, Vec<usize>)>, String> {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        let names = ColumnNames { names: &names, is_named: true, is_table: true };
        let columns = Columns::new(&names, &ColumnChoice::default());
        let columns = columns.map_err(|problem| problem.to_string())?.columns;
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
        assert!(found(",,").unwrap_err().contains("holds numbers"));
        assert!(found("x,y,z,x").unwrap_err().contains("two columns are called `x`"));
        assert!(found("x,y").unwrap_err().contains("no position columns"));
    }
}
