//! The columns of a table by their names.
//!
//! A vector has three columns, named as programs name them: `x`, `y`, `z`; `position.x`;
//! `position_x`; `position[0]`; `Points:0` (ParaView); `vx`. What is in brackets at the end is a
//! unit, as in `x [m]`. Upper and lower case are one. Places are the vector without a name, or
//! called position, point or coordinate; a vector called velocity, `v` or `u v w` becomes
//! `velocity`.

use super::error::Problem;

/// Names of a vector of places.
const POSITIONS: [&str; 10] = [
    "",
    "position",
    "positions",
    "pos",
    "point",
    "points",
    "coordinate",
    "coordinates",
    "coords",
    "p",
];
/// Names of a vector of velocities.
const VELOCITIES: [&str; 4] = ["velocity", "velocities", "vel", "v"];
/// Words in the name of a column whose numbers name something.
const LABELS: [&str; 7] = ["id", "ids", "index", "phase", "type", "label", "material"];

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// The places of the particles.
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

/// The columns of a header, places first.
///
/// # Errors
/// No column, or two, of a coordinate.
pub(super) fn columns(names: &[String]) -> Result<Vec<Column>, Problem> {
    let parts: Vec<Option<Part>> = names.iter().map(|name| part(name)).collect();
    let mut taken = vec![false; names.len()];
    let mut columns = Vec::new();
    for (k, part) in parts.iter().enumerate() {
        let Some(Part { base, axis: 0, .. }) = part else { continue };
        let cell = |axis: usize| {
            let is_it = |other: &Option<Part>| {
                other.as_ref().is_some_and(|it| it.base == *base && it.axis == axis)
            };
            let mut found = (0..parts.len()).filter(|&k| is_it(&parts[k]));
            found.next().map(|first| (first, found.next()))
        };
        let (Some(first), Some(second), Some(third)) = (cell(0), cell(1), cell(2)) else {
            continue;
        };
        let is_more = cell(3).is_some();
        let twice = [first, second, third].iter().find_map(|(_, second)| *second);
        let is_position = POSITIONS.contains(&base.as_str());
        if let (Some(twice), true) = (twice, is_position) {
            let message = format!("two columns are called `{}`", names[twice]);
            return Err(Problem::Missing(message));
        }
        if is_more || twice.is_some() || taken[k] {
            continue;
        }
        let cells = vec![first.0, second.0, third.0];
        cells.iter().for_each(|&cell| taken[cell] = true);
        let role = if is_position { Role::Position } else { Role::Attribute };
        let is_velocity = VELOCITIES.contains(&base.as_str());
        let name = if is_velocity { "velocity".to_owned() } else { vector_name(&names[k]) };
        columns.push(Column { name, cells, role, is_label: false });
    }
    let places = columns.iter().filter(|column| column.role == Role::Position).count();
    if places == 0 {
        return Err(no_places(names));
    }
    // Of several names of places the first of the list is meant; the others are attributes.
    let rank = |column: &Column| {
        let base = part(&names[column.cells[0]]).map(|part| part.base);
        POSITIONS.iter().position(|name| Some(*name) == base.as_deref())
    };
    let best = columns.iter().filter_map(rank).min();
    for column in columns.iter_mut().filter(|column| column.role == Role::Position) {
        if rank(column) != best {
            column.role = Role::Attribute;
        }
    }
    for (k, name) in names.iter().enumerate() {
        let name = without_unit(name);
        // An index without a name, as tables of other programs have it in front.
        if !taken[k] && !name.is_empty() {
            let is_label = is_label(name);
            let (name, cells) = (name.to_owned(), vec![k]);
            columns.push(Column { name, cells, role: Role::Attribute, is_label });
        }
    }
    Ok(columns)
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
        return Some(Part { base: "velocity".to_owned(), axis });
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
    (is_separated || is_short).then(|| Part { base: trimmed.to_owned(), axis })
}

/// `position[0]` as `position[0`.
fn without_index_brackets(name: &str) -> &str {
    let inner = name.strip_suffix(']').or_else(|| name.strip_suffix(')'));
    inner
        .filter(|inner| inner.ends_with(|c: char| c.is_ascii_digit() || "xyzXYZ".contains(c)))
        .unwrap_or(name)
}

/// A name without a unit in brackets after a blank: `x [m]`.
fn without_unit(name: &str) -> &str {
    let opened = name.trim_end().strip_suffix([']', ')']);
    let cut = opened.and_then(|inner| inner.rfind([' ']).map(|at| (inner, at)));
    match cut {
        Some((inner, at)) if inner[at + 1..].starts_with(['[', '(']) => inner[..at].trim_end(),
        _ => name.trim(),
    }
}

/// The name of a vector by that of its first component.
fn vector_name(first: &str) -> String {
    let name = without_index_brackets(without_unit(first));
    let base = &name[..name.len() - name.chars().next_back().map_or(0, char::len_utf8)];
    let base = base.trim_end_matches(['.', ':', '_', ' ', '-', '[', '(']);
    if base.is_empty() { "position".to_owned() } else { base.to_owned() }
}

/// Whether whole numbers under this name name something.
fn is_label(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.any(|word| LABELS.contains(&word)) || name.ends_with("id") || name.ends_with("ids")
}

/// A header without places.
fn no_places(names: &[String]) -> Problem {
    let is_number = |name: &String| name.replace(',', ".").parse::<f64>().is_ok();
    if !names.is_empty() && names.iter().all(is_number) {
        let message = "the first line holds numbers, not the names of the columns; put a line such \
                       as x,y,z before it";
        return Problem::Missing(message.to_owned());
    }
    let listed: Vec<String> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > 12 { " …" } else { "" };
    Problem::Missing(format!(
        "no columns of places, such as x,y,z or Points:0,Points:1,Points:2; there are {}{more}",
        listed.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(header: &str) -> Result<Vec<(String, Vec<usize>)>, String> {
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        let columns = columns(&names).map_err(|problem| problem.to_string())?;
        assert_eq!(columns.iter().filter(|it| it.role == Role::Position).count(), 1, "{header}");
        Ok(columns.into_iter().map(|it| (it.name, it.cells)).collect())
    }

    #[test]
    fn places_and_velocities_are_found_under_the_names_of_many_programs() {
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
        assert!(is_label("particle_id") && is_label("Phase") && is_label("vtkOriginalPointIds"));
        assert!(!is_label("density") && !is_label("fluidity"));
    }

    #[test]
    fn a_header_without_places_says_what_there_is() {
        assert!(found("a,b").unwrap_err().contains("there are `a`, `b`"));
        assert!(found("1.0,2.5,-3").unwrap_err().contains("holds numbers"));
        assert!(found("x,y,z,x").unwrap_err().contains("two columns are called `x`"));
        assert!(found("x,y").unwrap_err().contains("no columns of places"));
    }
}
