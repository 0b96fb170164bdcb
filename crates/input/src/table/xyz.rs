//! `.xyz`: three coordinates per particle.
//!
//! Two kinds of file have this name: text with a particle per line, whose further columns are
//! ignored unless they are chosen, and raw little-endian `f32` triples, as splashsurf reads them.
//! [`content::is_text`] decides by the whole content. Neither kind has a count of particles, so
//! only a cut within a particle is noticed.

use super::head::Table;
use crate::array::AttributeFilter;
use crate::cloud::Cloud;
use crate::columns::ColumnChoice;
use crate::content;
use crate::error::{ColumnProblem, InputError, Place, Problem};
use crate::format::FileFormat;
use crate::numbers::{ByteOrder, NumberType, Numbers};
use crate::raw;

/// The format.
pub(crate) const FORMAT: FileFormat = FileFormat { extensions: &["xyz"], may_be_gzip: false, read };

/// Bytes of a raw particle.
const TRIPLE: usize = 12;

fn read(
    bytes: &[u8],
    choice: &ColumnChoice,
    filter: &AttributeFilter,
) -> Result<Cloud, InputError> {
    if content::is_text(bytes) {
        return Table::without_head(&content::with_newlines(bytes), b"#").read(choice, filter);
    }
    if let Some(quantity) = choice.quantities().next() {
        let message = "raw numbers have no columns".to_owned();
        let help = "they are coordinates alone; choose none".to_owned();
        return Err(Problem::from(ColumnProblem::new(quantity, message, help)).into());
    }
    read_raw(bytes)
}

fn read_raw(bytes: &[u8]) -> Result<Cloud, InputError> {
    raw::check_triples(bytes)?;
    let extra = bytes.len() % TRIPLE;
    if extra != 0 {
        let missing = format!("the last particle has {extra} of its {TRIPLE} bytes");
        return Err(Problem::ends_early(missing).at(Place::Byte(bytes.len() - extra)));
    }
    let numbers = Numbers::decode(bytes, NumberType::F32, ByteOrder::Little);
    if let Some(k) = numbers.first_invalid() {
        return Err(Problem::not_finite(k).at(Place::Byte(k * size_of::<f32>())));
    }
    Ok(Cloud { positions: numbers.into_vectors(), ..Cloud::default() })
}
