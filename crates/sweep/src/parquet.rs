//! `results.parquet`: the results in columns with types, for data frames.
//!
//! A column of numbers alone is of doubles, the point's number of whole numbers, any other of text;
//! what is empty is null. One row group, no compression: tables are small.
//!
//! Source: Apache Parquet format 2; the crate `parquet` writes it.

use super::manifest::is_of_names;
use super::results::Results;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// A column with its values; what is empty is none.
enum Column {
    Whole(Vec<Option<i64>>),
    Numbers(Vec<Option<f64>>),
    Texts(Vec<Option<ByteArray>>),
}

impl Results {
    /// `results.parquet`.
    ///
    /// # Errors
    /// What the writer has against the table.
    pub fn parquet(&self) -> Result<Vec<u8>, ParquetError> {
        let columns: Vec<Column> = (0..self.header.len()).map(|i| self.column(i)).collect();
        let fields = self.header.iter().zip(&columns).map(|(name, column)| column.field(name));
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("results").with_fields(fields).build()?;
        let properties = Arc::new(WriterProperties::builder().build());
        let mut bytes = Vec::new();
        let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), properties)?;
        let mut group = file.next_row_group()?;
        columns.iter().try_for_each(|column| column.write(&mut group))?;
        group.close()?;
        file.close()?;
        Ok(bytes)
    }

    fn column(&self, index: usize) -> Column {
        let cells = || self.rows.iter().map(|row| row[index].as_str());
        let is_text =
            |name: &str| ["status", "reason", "digest_last"].contains(&name) || is_of_names(name);
        if index == 0 {
            return Column::Whole(cells().map(|cell| cell.parse().ok()).collect());
        }
        let numbers: Vec<Option<f64>> = cells().map(|cell| cell.parse().ok()).collect();
        let all_are = numbers.iter().zip(cells()).all(|(x, cell)| x.is_some() || cell.is_empty());
        if all_are && !is_text(&self.header[index]) {
            return Column::Numbers(numbers);
        }
        let text = |cell: &str| (!cell.is_empty()).then(|| ByteArray::from(cell));
        Column::Texts(cells().map(text).collect())
    }
}

impl Column {
    fn field(&self, name: &str) -> Result<Arc<Type>, ParquetError> {
        let (physical, logical) = match self {
            Column::Whole(_) => (Physical::INT64, None),
            Column::Numbers(_) => (Physical::DOUBLE, None),
            Column::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let field = Type::primitive_type_builder(name, physical);
        let field = field.with_repetition(Repetition::OPTIONAL).with_logical_type(logical);
        field.build().map(Arc::new)
    }

    fn write<W: std::io::Write + Send>(
        &self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else { return Ok(()) };
        match self {
            Column::Whole(cells) => {
                let (values, levels) = present(cells);
                column.typed::<Int64Type>().write_batch(&values, Some(&levels), None)?;
            }
            Column::Numbers(cells) => {
                let (values, levels) = present(cells);
                column.typed::<DoubleType>().write_batch(&values, Some(&levels), None)?;
            }
            Column::Texts(cells) => {
                let (values, levels) = present(cells);
                column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)?;
            }
        }
        column.close()
    }
}

/// The values that are there, and for each cell whether it is: Parquet's definition levels.
fn present<T: Clone>(cells: &[Option<T>]) -> (Vec<T>, Vec<i16>) {
    let levels = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    (cells.iter().flatten().cloned().collect(), levels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::{Field, Row};
    use std::io::Write;

    #[test]
    fn numbers_texts_and_what_is_missing_come_back_with_their_types() {
        let texts = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
        let header = ["point", "case", "radius", "kernel", "status", "reason", "digest_last"];
        let rows = [
            texts(&["0", "1", "1e-3", "WendlandC2", "finished", "", "0123456789012345"]),
            texts(&["1", "2", "", "Mueller", "failed", "t = 0.1 s: ", ""]),
        ];
        let results = Results { header: texts(&header), rows: rows.to_vec() };
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&results.parquet().unwrap()).unwrap();
        let read = SerializedFileReader::new(file).unwrap();
        let rows: Vec<Row> = read.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let cells = |row: &Row| {
            row.get_column_iter().map(|(name, field)| (name.clone(), field.clone())).collect()
        };
        let text = |text: &str| Field::Str(text.to_owned());
        let expected = |fields: [Field; 7]| -> Vec<(String, Field)> {
            header.iter().map(|&name| name.to_owned()).zip(fields).collect()
        };
        let first: Vec<(String, Field)> = cells(&rows[0]);
        assert_eq!(
            first,
            expected([
                Field::Long(0),
                text("1"),
                Field::Double(1e-3),
                text("WendlandC2"),
                text("finished"),
                Field::Null,
                text("0123456789012345"),
            ])
        );
        let second: Vec<(String, Field)> = cells(&rows[1]);
        assert_eq!(
            second,
            expected([
                Field::Long(1),
                text("2"),
                Field::Null,
                text("Mueller"),
                text("failed"),
                text("t = 0.1 s: "),
                Field::Null,
            ])
        );
    }
}
