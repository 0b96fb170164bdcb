//! The columns of a file that a user chooses for what a particle has, and which of the file's
//! columns these are.
//!
//! A column is chosen by its name, exactly as the file has it, or in a table by its number. Arrays
//! are columns by their names, and components of vectors by `NAME:0`. What is not chosen is found
//! by the names that are known ([`crate::field_names`]).

use super::error::{ColumnProblem, Problem};
use super::field_names::plain;
use super::quantity::Quantity;
use hashfall_core::similar_names::nearest;
use std::collections::BTreeMap;
use std::fmt;

/// Names that a message lists at most.
const MAX_LISTED: usize = 12;

/// A column of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnRef {
    /// By its name in the file.
    Name(String),
    /// By its number in a table, from 1.
    Number(usize),
}

impl fmt::Display for ColumnRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnRef::Name(name) => write!(f, "`{name}`"),
            ColumnRef::Number(number) => write!(f, "column {number}"),
        }
    }
}

/// The columns that a user chooses; what has none is found by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColumnChoice {
    columns: BTreeMap<Quantity, ColumnRef>,
}

impl ColumnChoice {
    /// Whether nothing is chosen.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Chooses a column; false if one has been chosen for the quantity before.
    pub fn insert(&mut self, quantity: Quantity, column: ColumnRef) -> bool {
        self.columns.insert(quantity, column).is_none()
    }

    /// The column of a quantity, if one is chosen.
    pub fn get(&self, quantity: Quantity) -> Option<&ColumnRef> {
        self.columns.get(&quantity)
    }

    /// The quantities for which columns are chosen.
    pub fn quantities(&self) -> impl Iterator<Item = Quantity> {
        self.columns.keys().copied()
    }

    /// The names of the columns that are chosen by name.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.values().filter_map(|column| match column {
            ColumnRef::Name(name) => Some(name.as_str()),
            ColumnRef::Number(_) => None,
        })
    }

    /// The numbers of the columns that are chosen by number.
    pub(super) fn numbers(&self) -> impl Iterator<Item = usize> {
        self.columns.values().filter_map(|column| match column {
            ColumnRef::Name(_) => None,
            ColumnRef::Number(number) => Some(*number),
        })
    }

    /// Whether a column is chosen for a part of the velocity.
    pub fn has_velocity(&self) -> bool {
        Quantity::VELOCITY.iter().any(|quantity| self.columns.contains_key(quantity))
    }

    /// The chosen columns among those of a file.
    ///
    /// # Errors
    /// A column that the file does not have, or that is chosen twice.
    pub(super) fn resolve(&self, names: &ColumnNames) -> Result<Chosen, Problem> {
        let mut chosen = Chosen::default();
        for (&quantity, column) in &self.columns {
            let index = names.find(quantity, column)?;
            let other = chosen.indices.iter().find(|(_, at)| **at == index);
            if let Some((other, _)) = other {
                let message = format!("{column} is the column of `{}` already", other.name());
                return Err(ColumnProblem::new(quantity, message, names.list()).into());
            }
            chosen.indices.insert(quantity, index);
        }
        Ok(chosen)
    }
}

/// Which columns of a file have been chosen, by their indices.
#[derive(Clone, Debug, Default)]
pub(super) struct Chosen {
    indices: BTreeMap<Quantity, usize>,
}

impl Chosen {
    /// The column of a quantity.
    pub(super) fn get(&self, quantity: Quantity) -> Option<usize> {
        self.indices.get(&quantity).copied()
    }

    /// Whether a column is chosen for anything.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.indices.values().any(|&at| at == index)
    }

    /// The columns of three quantities that are a vector, if any of them is chosen.
    pub(super) fn vector(&self, quantities: [Quantity; 3]) -> Option<[Option<usize>; 3]> {
        let columns = quantities.map(|quantity| self.get(quantity));
        columns.iter().any(Option::is_some).then_some(columns)
    }
}

/// The columns of a file, as users choose them.
pub(super) struct ColumnNames<'a> {
    /// The name of each column.
    pub(super) names: &'a [String],
    /// Whether the file itself names them.
    pub(super) is_named: bool,
    /// Whether they can be counted.
    pub(super) is_table: bool,
}

impl ColumnNames<'_> {
    /// The index of a column that is chosen for a quantity.
    fn find(&self, quantity: Quantity, column: &ColumnRef) -> Result<usize, Problem> {
        let problem = |message: String, help: String| {
            Err(Problem::from(ColumnProblem::new(quantity, message, help)))
        };
        match column {
            ColumnRef::Number(number) if !self.is_table => {
                let message = format!("{number} is the number of a column");
                let help = "numbers choose columns of tables only; choose an array by its name";
                problem(message, format!("{help}; {}", self.list()))
            }
            ColumnRef::Number(number) => match number.checked_sub(1) {
                Some(index) if index < self.names.len() => Ok(index),
                _ => {
                    let message = format!("there is no column {number}");
                    problem(message, format!("columns have numbers from 1 to {}", self.names.len()))
                }
            },
            ColumnRef::Name(name) if !self.is_named => {
                let message = format!("this table has no column names, but `{name}` is chosen");
                problem(message, format!("choose one by its number, 1 to {}", self.names.len()))
            }
            ColumnRef::Name(name) => {
                let is_it = |(_, other): &(usize, &String)| *other == name;
                let mut found = self.names.iter().enumerate().filter(is_it).map(|(at, _)| at);
                match (found.next(), found.next()) {
                    (Some(index), None) => Ok(index),
                    (Some(_), Some(_)) if !self.is_table => {
                        let message = format!("two arrays or components are called `{name}`");
                        problem(message, "they cannot be told apart; rename one".to_owned())
                    }
                    (Some(first), Some(second)) => {
                        let message = format!("two columns are called `{name}`");
                        let (first, second) = (first + 1, second + 1);
                        problem(message, format!("choose one by its number: {first} or {second}"))
                    }
                    (None, _) => {
                        let message = format!("the file has no column `{name}`");
                        let meant = self.similar(name).map(|it| format!("did you mean `{it}`? "));
                        problem(message, meant.unwrap_or_default() + &self.list())
                    }
                }
            }
        }
    }

    /// The name that was meant by one that no column has.
    fn similar(&self, name: &str) -> Option<&str> {
        let mut names = self.names.iter().map(String::as_str).filter(|name| !name.is_empty());
        let is_alike = |other: &&str| plain(other) == plain(name);
        nearest(name, names.clone()).or_else(|| names.find(is_alike))
    }

    /// The names in a sentence: ``there are `a`, `b` …``.
    pub(super) fn list(&self) -> String {
        let names = self.names.iter().filter(|name| !name.is_empty());
        let listed: Vec<String> =
            names.clone().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
        let more = if names.count() > MAX_LISTED { " …" } else { "" };
        match listed.is_empty() {
            true => format!("there are {} without names", self.names.len()),
            false => format!("there are {}{more}", listed.join(", ")),
        }
    }
}
