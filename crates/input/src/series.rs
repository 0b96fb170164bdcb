//! Index files of a series, with the path and time of each file: ParaView's `.pvd`, and its
//! `.series` in JSON, such as `frames.vtp.series`.
//!
//! Source: the ParaView documentation, "Data formats" (PVD) and "Metadata file series".

use super::error::{InputError, Problem};
use super::{content, xml};
use serde::Deserialize;

/// A file of a series.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesEntry {
    /// Its path, relative to that of the series.
    pub file: String,
    /// Its time \[s\].
    pub time: f64,
}

/// A format of index files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesFormat {
    /// ParaView's XML, `.pvd`.
    Pvd,
    /// ParaView's JSON, `.series`.
    Json,
}

impl SeriesFormat {
    /// The format of files with this extension, in lower or upper case.
    pub fn from_extension(extension: &str) -> Option<SeriesFormat> {
        match extension.to_ascii_lowercase().as_str() {
            "pvd" => Some(SeriesFormat::Pvd),
            "series" => Some(SeriesFormat::Json),
            _ => None,
        }
    }
}

/// Reads the files of a series, in their order.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read(bytes: &[u8], format: SeriesFormat) -> Result<Vec<SeriesEntry>, InputError> {
    content::reject_foreign(bytes)?;
    let bytes = content::strip_bom(bytes);
    match format {
        SeriesFormat::Pvd => read_pvd(bytes),
        SeriesFormat::Json => read_json(bytes),
    }
}

fn read_pvd(bytes: &[u8]) -> Result<Vec<SeriesEntry>, InputError> {
    let text = xml::decode(bytes)?;
    let document = xml::parse(&text)?;
    let data_sets = document.descendants().filter(|node| node.has_tag_name("DataSet"));
    data_sets
        .map(|node| {
            let attribute = |name: &str| {
                let missing = || Problem::ends_early(format!("`DataSet` lacks `{name}`"));
                node.attribute(name).ok_or_else(|| missing().at(xml::line_of(node)))
            };
            let (file, time) = (attribute("file")?, attribute("timestep")?);
            let wrong = |_| Problem::not_a_number("a time", time.as_bytes());
            let time = time.trim().parse().map_err(|why| wrong(why).at(xml::line_of(node)))?;
            Ok(SeriesEntry { file: file.to_owned(), time })
        })
        .collect()
}

fn read_json(bytes: &[u8]) -> Result<Vec<SeriesEntry>, InputError> {
    #[derive(Deserialize)]
    struct Series {
        files: Vec<File>,
    }
    #[derive(Deserialize)]
    struct File {
        name: String,
        time: f64,
    }
    let series: Series = serde_json::from_slice(bytes).map_err(|error| {
        let instead = "a series is written as {\"files\": [{\"name\": …, \"time\": …}]}".to_owned();
        Problem::OtherContent { found: format!("this is not a series in JSON: {error}"), instead }
    })?;
    Ok(series
        .files
        .into_iter()
        .map(|File { name, time }| SeriesEntry { file: name, time })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_of_series_give_their_files_and_times() {
        let entry = |file: &str, time| SeriesEntry { file: file.to_owned(), time };
        let expected = [entry("a b/f_0.vtp", 0.0), entry("f_1.vtp", 0.1)];
        let pvd = "<VTKFile type=\"Collection\"><Collection>\
                   <DataSet timestep=\"0\" part=\"0\" file=\"a b/f_0.vtp\"/>\
                   <DataSet timestep=\"0.1\" file=\"f_1.vtp\"/></Collection></VTKFile>";
        assert_eq!(read(pvd.as_bytes(), SeriesFormat::Pvd).unwrap(), expected);
        let json = r#"{"file-series-version": "1.0", "files": [
            {"name": "a b/f_0.vtp", "time": 0}, {"name": "f_1.vtp", "time": 0.1}]}"#;
        assert_eq!(read(json.as_bytes(), SeriesFormat::Json).unwrap(), expected);
    }

    #[test]
    fn wrong_series_are_refused() {
        let pvd = "<VTKFile>\n<DataSet timestep=\"now\" file=\"f.vtp\"/></VTKFile>";
        let error = read(pvd.as_bytes(), SeriesFormat::Pvd).unwrap_err().to_string();
        assert_eq!(error, "line 2: expected a time, found `now`");
        let error = read(b"{\"files\": [{}]}", SeriesFormat::Json).unwrap_err().to_string();
        assert!(error.contains("missing field `name`"), "{error}");
    }
}
