//! What a user chooses among the arrays of a file.
//!
//! Each array of single numbers is a column, and so is each component of a vector, and each
//! coordinate of the positions ([`ArrayNames`]). Components of other arrays are attributes `NAME_0`
//! … by themselves.

use super::array::AttributeFilter;
use super::cloud::{Cloud, UnreadableAttribute};
use super::columns::{Chosen, ColumnChoice, ColumnNames, ColumnRef};
use super::error::{ColumnProblem, InputError, Problem};
use super::field_names::{VELOCITIES, plain};
use super::numbers::Numbers;
use super::quantity::Quantity;
use hashfall_core::{Attribute, Real, Values, Vec3};

/// What users call the arrays of a file.
pub(super) struct ArrayNames<'a> {
    /// The coordinates of positions.
    pub(super) positions: [&'a str; 3],
    /// The components of a vector of this name.
    pub(super) components: &'a dyn Fn(&str) -> [String; 3],
}

impl ArrayNames<'_> {
    /// Those of ParaView: `Points:0`, `NAME:0` …
    pub(super) const PARAVIEW: ArrayNames<'static> = ArrayNames {
        positions: ["Points:0", "Points:1", "Points:2"],
        components: &|name| [0, 1, 2].map(|k| format!("{name}:{k}")),
    };
}

/// Reads a file by its reader of arrays, of which all are read if any is chosen.
///
/// # Errors
/// Those of the reader; a choice that the file does not have, or of a coordinate that is not
/// finite.
pub(super) fn read(
    read: impl Fn(&AttributeFilter) -> Result<Cloud, InputError>,
    names: &ArrayNames,
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, InputError> {
    match choice.is_empty() {
        true => read(filter),
        false => Ok(choose(read(&AttributeFilter::All)?, names, choice, filter)?),
    }
}

/// Takes what is chosen from the arrays of a file; the filter then decides which attributes remain.
fn choose(
    cloud: Cloud,
    names: &ArrayNames,
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, Problem> {
    let columns = Columns::new(&cloud, names);
    let names = ColumnNames { names: &columns.names, is_named: true, is_table: false };
    check_readable(&cloud, choice, &names)?;
    let chosen = choice.resolve(&names)?;
    let positions = columns.positions(&chosen)?;
    let (velocity, replaced) = match columns.velocity(&chosen, &names)? {
        Some((velocities, replaced)) => (Some(Values::Vectors(velocities.into())), replaced),
        None => (None, None),
    };
    let velocity = velocity.map(|values| Attribute::new("velocity", values));
    let made = velocity.into_iter().chain(columns.scalars(&chosen)).collect();
    let is_used = |at: usize| replaced == Some(at) || columns.are_all_chosen(&chosen, at);
    let is_used: Vec<bool> = (0..cloud.attributes.len()).map(is_used).collect();
    Ok(filtered(replace_attributes(Cloud { positions, ..cloud }, made, &is_used), filter))
}

/// Refuses to choose an array that cannot be read.
fn check_readable(
    cloud: &Cloud,
    choice: &ColumnChoice,
    names: &ColumnNames,
) -> Result<(), Problem> {
    for quantity in choice.quantities() {
        let Some(ColumnRef::Name(name)) = choice.get(quantity) else { continue };
        if let Some(unreadable) = cloud.unreadable.iter().find(|it| it.name == *name) {
            let message = format!("`{name}` cannot be read: {}", unreadable.reason);
            return Err(ColumnProblem::new(quantity, message, names.list()).into());
        }
    }
    Ok(())
}

/// The numbers that are a column.
#[derive(Clone, Copy)]
enum Source {
    /// A coordinate of the positions.
    Position(usize),
    /// An attribute of single numbers.
    Attribute(usize),
    /// A component of an attribute.
    Component(usize, usize),
}

impl Source {
    /// Whether the numbers are, or belong to, an attribute.
    fn is_of(self, attribute: usize) -> bool {
        match self {
            Source::Position(_) => false,
            Source::Attribute(at) | Source::Component(at, _) => at == attribute,
        }
    }
}

/// Velocities of which a part is chosen, and the attribute that has the other parts.
type Velocities = (Vec<Vec3>, Option<usize>);

/// The columns of a file of arrays.
struct Columns<'a> {
    names: Vec<String>,
    /// For each name.
    sources: Vec<Source>,
    positions: &'a [Vec3],
    attributes: &'a [Attribute<'static>],
}

impl<'a> Columns<'a> {
    fn new(cloud: &'a Cloud, names: &ArrayNames) -> Self {
        let mut columns = Columns {
            names: names.positions.map(str::to_owned).to_vec(),
            sources: [0, 1, 2].map(Source::Position).to_vec(),
            positions: &cloud.positions,
            attributes: &cloud.attributes,
        };
        for (at, Attribute { name, values }) in cloud.attributes.iter().enumerate() {
            if matches!(values, Values::Vectors(_)) {
                columns.names.extend((names.components)(name));
                columns.sources.extend([0, 1, 2].map(|k| Source::Component(at, k)));
            } else {
                columns.names.push(name.clone().into_owned());
                columns.sources.push(Source::Attribute(at));
            }
        }
        columns
    }

    /// The numbers of a column.
    fn reals(&self, column: usize) -> Vec<Real> {
        let component = |vectors: &[Vec3], k: usize| vectors.iter().map(|v| v[k]).collect();
        let (at, k) = match self.sources[column] {
            Source::Position(k) => return component(self.positions, k),
            Source::Attribute(at) => (at, 0),
            Source::Component(at, k) => (at, k),
        };
        match &self.attributes[at].values {
            Values::Scalars(scalars) => scalars.to_vec(),
            Values::Labels(labels) => labels.iter().map(|&x| x as Real).collect(),
            Values::Integers(integers) => integers.iter().map(|&x| x as Real).collect(),
            Values::Vectors(vectors) => component(vectors, k),
        }
    }

    /// Vectors with the chosen columns in place of their components.
    fn replaced(&self, mut vectors: Vec<Vec3>, columns: [Option<usize>; 3]) -> Vec<Vec3> {
        for (axis, column) in columns.into_iter().enumerate() {
            let reals = column.map(|column| self.reals(column)).unwrap_or_default();
            vectors.iter_mut().zip(reals).for_each(|(vector, x)| vector[axis] = x);
        }
        vectors
    }

    /// The positions, with the coordinates that are chosen.
    fn positions(&self, chosen: &Chosen) -> Result<Vec<Vec3>, Problem> {
        let columns = chosen.vector(Quantity::POSITION).unwrap_or_default();
        let positions = self.replaced(self.positions.to_vec(), columns);
        match positions.iter().flatten().position(|x| !x.is_finite()) {
            Some(k) => Err(Problem::not_finite(k)),
            None => Ok(positions),
        }
    }

    /// The velocities, if a part of them is chosen, and the attribute that has the other parts.
    fn velocity(
        &self,
        chosen: &Chosen,
        names: &ColumnNames,
    ) -> Result<Option<Velocities>, Problem> {
        let Some(columns) = chosen.vector(Quantity::VELOCITY) else { return Ok(None) };
        let Some(missing) = columns.iter().position(Option::is_none) else {
            let velocities = vec![Vec3::zeros(); self.positions.len()];
            return Ok(Some((self.replaced(velocities, columns), None)));
        };
        let vectors = self.attributes.iter().enumerate().filter_map(|(at, it)| match &it.values {
            Values::Vectors(vectors) => Some((at, plain(&it.name), vectors)),
            _ => None,
        });
        let known = |word: &&str| vectors.clone().find(|(_, name, _)| name == word);
        match VELOCITIES.iter().find_map(known) {
            Some((at, _, vectors)) => {
                Ok(Some((self.replaced(vectors.to_vec(), columns), Some(at))))
            }
            None => {
                let quantity = Quantity::VELOCITY[missing];
                Err(ColumnProblem::not_known(quantity, names.list()).into())
            }
        }
    }

    /// The attributes of single numbers that are chosen.
    fn scalars(&self, chosen: &Chosen) -> impl Iterator<Item = Attribute<'static>> {
        Quantity::SCALARS.into_iter().filter_map(|quantity| {
            let numbers = Numbers::Real(self.reals(chosen.get(quantity)?));
            let is_phase = quantity == Quantity::Phase;
            let numbers = if is_phase { numbers.into_labels() } else { numbers };
            Some(Attribute::new(quantity.name(), numbers.into_values()))
        })
    }

    /// Whether all columns of an attribute are chosen.
    fn are_all_chosen(&self, chosen: &Chosen, attribute: usize) -> bool {
        let sources = self.sources.iter().enumerate();
        sources.filter(|(_, source)| source.is_of(attribute)).all(|(at, _)| chosen.contains(at))
    }
}

/// Puts what was made in place of the attributes that were used; others of the same names cannot
/// be told from it.
fn replace_attributes(mut cloud: Cloud, made: Vec<Attribute<'static>>, is_used: &[bool]) -> Cloud {
    let is_made: Vec<String> = made.iter().map(|it| it.name.clone().into_owned()).collect();
    let others = std::mem::replace(&mut cloud.attributes, made);
    for (attribute, _) in others.into_iter().zip(is_used).filter(|(_, is_used)| !**is_used) {
        let name = attribute.name.clone().into_owned();
        match is_made.contains(&name) {
            true => {
                let reason = "other columns are chosen for it".to_owned();
                cloud.unreadable.push(UnreadableAttribute { name, reason });
            }
            false => cloud.attributes.push(attribute),
        }
    }
    cloud
}

/// The particles with the attributes that a filter includes.
fn filtered(mut cloud: Cloud, filter: &AttributeFilter) -> Cloud {
    let all = std::mem::take(&mut cloud.attributes);
    let (included, others): (Vec<Attribute>, Vec<Attribute>) =
        all.into_iter().partition(|attribute| filter.includes_attribute(&attribute.name));
    cloud.attributes = included;
    cloud.skipped.extend(others.into_iter().map(|attribute| attribute.name.into_owned()));
    cloud.unreadable.retain(|unreadable| filter.includes(&unreadable.name));
    cloud
}
