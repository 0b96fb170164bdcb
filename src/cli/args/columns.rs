//! Columns of particle files as an argument: `x=Points:0,y=Points:1,density=4`.

use super::values::ValueError;
use hashfall_core::similar_names::nearest;
use hashfall_input::{ColumnChoice, ColumnRef, Quantity};

/// Parses a choice of columns: whole numbers count them, other texts are their names. A comma that
/// no `KEY=` follows is part of a name.
///
/// # Errors
/// For an unknown key, one that stands twice, and one without a column.
pub(super) fn columns(text: &str) -> Result<ColumnChoice, ValueError> {
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for part in text.split(',') {
        match (part.split_once('='), pairs.last_mut()) {
            (Some((key, column)), _) => pairs.push((key.trim(), column.to_owned())),
            (None, Some((_, column))) => *column += &format!(",{part}"),
            (None, None) => return Err(ValueError::new("columns such as x=Points:0,y=3")),
        }
    }
    let mut choice = ColumnChoice::default();
    for (key, column) in pairs {
        let quantity = Quantity::from_name(key).ok_or_else(|| unknown(key))?;
        let column = match column.trim().parse() {
            Ok(number) => ColumnRef::Number(number),
            Err(_) if column.trim().is_empty() => {
                return Err(ValueError::new(format!("a column after `{key}=`")));
            }
            Err(_) => ColumnRef::Name(column),
        };
        if !choice.insert(quantity, column) {
            return Err(ValueError::new(format!("one column for `{key}`")));
        }
    }
    Ok(choice)
}

fn unknown(key: &str) -> ValueError {
    let names = Quantity::ALL.map(Quantity::name);
    ValueError::new(match nearest(key, names) {
        Some(name) => format!("`{name}` where `{key}` stands"),
        None => format!("{} where `{key}` stands", names.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_names_or_numbers_of_quantities() {
        let choice = columns("x=Points:0,y=3,density=rho, kg,phase= 2 ").unwrap();
        let name = |name: &str| ColumnRef::Name(name.to_owned());
        for (quantity, column) in [
            (Quantity::X, Some(name("Points:0"))),
            (Quantity::Y, Some(ColumnRef::Number(3))),
            (Quantity::Z, None),
            (Quantity::Density, Some(name("rho, kg"))),
            (Quantity::Phase, Some(ColumnRef::Number(2))),
        ] {
            assert_eq!(choice.get(quantity), column.as_ref(), "{}", quantity.name());
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for (text, part) in [
            ("Points:0", "columns such as x=Points:0"),
            ("x=a,presure=b", "`pressure` where `presure` stands"),
            ("temperature=T", "x, y, z, u, v, w, density, pressure, phase where `temperature`"),
            ("x=a,x=b", "one column for `x`"),
            ("x=,y=b", "a column after `x=`"),
        ] {
            let message = columns(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
