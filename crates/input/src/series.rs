//! Index files: of a series, with the files and the time of each of its members, ParaView's `.pvd`
//! and its `.series` in JSON, such as `frames.vtp.series`; and of one data set in several files,
//! VTK's `.vtm`, `.pvtp` and `.pvtu`.
//!
//! Source: the ParaView documentation, "Data formats" (PVD) and "Metadata file series"; *VTK File
//! Formats* (Kitware), "Parallel File Formats". Data sets of a `.pvd` that have one time are the
//! parts of one member.

use super::error::{InputError, Problem};
use super::registry::Format;
use super::{content, xml};
use roxmltree::Node;
use serde::Deserialize;
use std::collections::HashMap;

/// A member of a series: the particles of one time.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesEntry {
    /// The paths of its files, relative to that of the index.
    pub files: Vec<String>,
    /// Its time \[s\], if the index tells it.
    pub time: Option<f64>,
}

/// A format of index files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesFormat {
    /// ParaView's XML, `.pvd`.
    Pvd,
    /// ParaView's JSON, `.series`.
    Json,
    /// VTK's data sets of several blocks, `.vtm`.
    Blocks,
    /// VTK's data sets of parallel processes, `.pvtp` and `.pvtu`.
    Pieces,
}

impl SeriesFormat {
    /// The format of files with this extension, in lower or upper case.
    pub fn from_extension(extension: &str) -> Option<SeriesFormat> {
        match extension.to_ascii_lowercase().as_str() {
            "pvd" => Some(SeriesFormat::Pvd),
            "series" => Some(SeriesFormat::Json),
            "vtm" => Some(SeriesFormat::Blocks),
            "pvtp" | "pvtu" => Some(SeriesFormat::Pieces),
            _ => None,
        }
    }
}

/// Reads the members of a series, in their order; of one data set there is one.
///
/// # Errors
/// The problem of the file, and its place.
pub fn read(bytes: &[u8], format: SeriesFormat) -> Result<Vec<SeriesEntry>, InputError> {
    content::reject_foreign(bytes, Format::list_extensions)?;
    let bytes = content::strip_bom(bytes);
    match format {
        SeriesFormat::Pvd => read_pvd(bytes),
        SeriesFormat::Json => read_json(bytes),
        SeriesFormat::Blocks => read_parts(bytes, "DataSet", "file"),
        SeriesFormat::Pieces => read_parts(bytes, "Piece", "Source"),
    }
}

/// The value of an attribute that an element must have.
fn attribute<'n>(node: Node<'n, '_>, name: &str) -> Result<&'n str, InputError> {
    let missing = || {
        let element = node.tag_name().name();
        Problem::ends_early(format!("`{element}` lacks `{name}`")).at(xml::line_of(node))
    };
    node.attribute(name).ok_or_else(missing)
}

fn read_pvd(bytes: &[u8]) -> Result<Vec<SeriesEntry>, InputError> {
    let text = xml::decode(bytes)?;
    let document = xml::parse(&text)?;
    let mut members: Vec<SeriesEntry> = Vec::new();
    let mut by_time: HashMap<u64, usize> = HashMap::new();
    for node in document.descendants().filter(|node| node.has_tag_name("DataSet")) {
        let (file, time) = (attribute(node, "file")?, attribute(node, "timestep")?);
        let wrong = |_| Problem::not_a_number("a time", time.as_bytes());
        let time: f64 = time.trim().parse().map_err(|why| wrong(why).at(xml::line_of(node)))?;
        let member = *by_time.entry(time.to_bits()).or_insert(members.len());
        if member == members.len() {
            members.push(SeriesEntry { files: Vec::new(), time: Some(time) });
        }
        members[member].files.push(file.to_owned());
    }
    Ok(members)
}

/// The one data set whose files are named by an attribute of these elements.
fn read_parts(bytes: &[u8], element: &str, name: &str) -> Result<Vec<SeriesEntry>, InputError> {
    let text = xml::decode(bytes)?;
    let document = xml::parse(&text)?;
    let parts = document.descendants().filter(|node| node.has_tag_name(element));
    let file = |node: Node| attribute(node, name).map(str::to_owned);
    let files: Vec<String> = parts.map(file).collect::<Result<_, _>>()?;
    Ok(if files.is_empty() { Vec::new() } else { vec![SeriesEntry { files, time: None }] })
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
    let member = |File { name, time }| SeriesEntry { files: vec![name], time: Some(time) };
    Ok(series.files.into_iter().map(member).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(files: &[&str], time: Option<f64>) -> SeriesEntry {
        SeriesEntry { files: files.iter().map(|&file| file.to_owned()).collect(), time }
    }

    #[test]
    fn both_kinds_of_series_give_their_files_and_times() {
        let expected = [member(&["a b/f_0.vtp"], Some(0.0)), member(&["f_1.vtp"], Some(0.1))];
        let pvd = "<VTKFile type=\"Collection\"><Collection>\
                   <DataSet timestep=\"0\" part=\"0\" file=\"a b/f_0.vtp\"/>\
                   <DataSet timestep=\"0.1\" file=\"f_1.vtp\"/></Collection></VTKFile>";
        assert_eq!(read(pvd.as_bytes(), SeriesFormat::Pvd).unwrap(), expected);
        let json = r#"{"file-series-version": "1.0", "files": [
            {"name": "a b/f_0.vtp", "time": 0}, {"name": "f_1.vtp", "time": 0.1}]}"#;
        assert_eq!(read(json.as_bytes(), SeriesFormat::Json).unwrap(), expected);
    }

    #[test]
    fn parts_of_one_time_and_of_one_data_set_are_one_member() {
        let pvd = "<VTKFile><DataSet timestep=\"0\" part=\"0\" file=\"a.vtp\"/>\
                   <DataSet timestep=\"1\" part=\"0\" file=\"c.vtp\"/>\
                   <DataSet timestep=\"0.0\" part=\"1\" file=\"b.vtp\"/></VTKFile>";
        let expected = [member(&["a.vtp", "b.vtp"], Some(0.0)), member(&["c.vtp"], Some(1.0))];
        assert_eq!(read(pvd.as_bytes(), SeriesFormat::Pvd).unwrap(), expected);
        let vtm = "<VTKFile type=\"vtkMultiBlockDataSet\"><vtkMultiBlockDataSet>\
                   <Block index=\"0\"><DataSet index=\"0\" file=\"a.vtp\"/></Block>\
                   <DataSet index=\"1\" file=\"b.vtp\"/></vtkMultiBlockDataSet></VTKFile>";
        let parts = [member(&["a.vtp", "b.vtp"], None)];
        assert_eq!(read(vtm.as_bytes(), SeriesFormat::Blocks).unwrap(), parts);
        let pvtp = "<VTKFile type=\"PPolyData\"><PPolyData><Piece Source=\"a.vtp\"/>\
                    <Piece Source=\"b.vtp\"/></PPolyData></VTKFile>";
        assert_eq!(read(pvtp.as_bytes(), SeriesFormat::Pieces).unwrap(), parts);
        assert_eq!(read(b"<VTKFile/>", SeriesFormat::Pieces).unwrap(), []);
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
