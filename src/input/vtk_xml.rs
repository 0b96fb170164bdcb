//! VTK's XML files of points: `.vtp` (PolyData) and `.vtu` (UnstructuredGrid).
//!
//! Source: *VTK File Formats* (Kitware), "XML File Formats". Each piece has its points and their
//! attributes; arrays stand as text, as base64 in their elements (`binary`), or by their offsets
//! in a block at the file's end (`appended`). Raw appended data is no XML: the head before it is
//! read as a document of its own. Of particles' files the cells are passed over; of a mesh they
//! must be triangles.

use super::Cloud;
use super::data_block::{Compression, Packing, from_base64};
use super::error::{InputError, Place, Problem};
use super::numbers::{Array, ByteOrder, NumberType, Numbers};
use roxmltree::{Document, Node};
use std::borrow::Cow;
use std::collections::BTreeSet;

const FILE_START: &[u8] = b"<VTKFile";
const FILE_END: &[u8] = b"</VTKFile>";
const APPENDED_START: &[u8] = b"<AppendedData";
const APPENDED_END: &[u8] = b"</AppendedData>";

/// Reads the points of all pieces and their attributes.
pub(super) fn read(bytes: &[u8]) -> Result<Cloud, InputError> {
    read_with(bytes, |reader, root| reader.cloud(root))
}

/// Reads a mesh of triangles in one piece: its vertices, and their numbers for each triangle.
pub(super) fn read_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    read_with(bytes, |reader, root| Ok((reader.cloud(root)?, reader.triangles(root)?)))
}

/// Reads what is wanted of a file.
fn read_with<T>(
    bytes: &[u8],
    wanted: impl FnOnce(&Reader, Node) -> Result<T, InputError>,
) -> Result<T, InputError> {
    let (head, appended) = split(bytes)?;
    let head = std::str::from_utf8(&head).map_err(|error| {
        let at = error.valid_up_to();
        Problem::unexpected("UTF-8 text", &head[at..]).at(Place::Byte(at))
    })?;
    let document = Document::parse(head).map_err(|error| {
        let line = error.pos().row as usize;
        Problem::Xml(error.to_string()).at(Place::Line(line))
    })?;
    let root = document.root_element();
    wanted(&Reader { packing: packing(root)?, offsets: offsets(root)?, appended }, root)
}

/// The document without its appended data, and that data.
fn split(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Option<Appended<'_>>), InputError> {
    let content =
        bytes.trim_ascii_end().strip_suffix(FILE_END).ok_or_else(|| without_end(bytes))?;
    let Some(start) = find(content, APPENDED_START) else {
        return Ok((bytes.into(), None));
    };
    let missing = |what| Problem::ends_early(format!("{what} of `AppendedData` is missing"));
    let element = content[start..].trim_ascii_end().strip_suffix(APPENDED_END);
    let element = element.ok_or_else(|| missing("the end"))?;
    let mark = find(element, b"_").ok_or_else(|| missing("the `_`"))?;
    let (tag, data) = (&element[..mark], &element[mark + 1..]);
    let is_raw = find(tag, b"encoding=\"raw\"").is_some();
    Ok(([&content[..start], FILE_END].concat().into(), Some(Appended { is_raw, data })))
}

/// What a file is that does not end as it should.
fn without_end(bytes: &[u8]) -> InputError {
    if find(&bytes[..bytes.len().min(4096)], FILE_START).is_some() {
        return Problem::ends_early("`</VTKFile>` is missing").into();
    }
    let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    Problem::unexpected("an XML file of VTK, with `<VTKFile`", line).at(Place::Line(1))
}

fn find(bytes: &[u8], part: &[u8]) -> Option<usize> {
    let first = *part.first()?;
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|&byte| byte == first)?;
        if bytes[at..].starts_with(part) {
            return Some(at);
        }
        at += 1;
    }
}

/// How the arrays of a file are packed.
fn packing(root: Node) -> Result<Packing, InputError> {
    let order = match root.attribute("byte_order") {
        None | Some("LittleEndian") => ByteOrder::Little,
        Some("BigEndian") => ByteOrder::Big,
        Some(other) => return Err(unexpected("`LittleEndian` or `BigEndian`", other, root)),
    };
    let header_size = match root.attribute("header_type") {
        None | Some("UInt32") => 4,
        Some("UInt64") => 8,
        Some(other) => return Err(unexpected("`UInt32` or `UInt64`", other, root)),
    };
    let compression = match root.attribute("compressor") {
        None | Some("") => Compression::None,
        Some("vtkZLibDataCompressor") => Compression::Zlib,
        Some("vtkLZ4DataCompressor") => Compression::Lz4,
        Some("vtkLZMADataCompressor") => Compression::Lzma,
        Some(other) => return Err(unexpected("a compressor of VTK", other, root)),
    };
    Ok(Packing { order, header_size, compression })
}

/// Where arrays begin in the appended data, ascending.
fn offsets(root: Node) -> Result<Vec<usize>, InputError> {
    let arrays = root.descendants().filter(|node| node.attribute("format") == Some("appended"));
    let mut offsets = BTreeSet::new();
    for node in arrays {
        let offset = whole(node, "offset")?;
        // A little compressed data, unpacked for one array after the other, would fill any memory.
        if !offsets.insert(offset) {
            let feature = format!("data of two arrays at offset {offset}");
            let instead = "write the data of each array";
            return Err(Problem::Unsupported { feature, instead }.at(line_of(node)));
        }
    }
    Ok(offsets.into_iter().collect())
}

/// The data of arrays at the end of a file.
struct Appended<'a> {
    is_raw: bool,
    data: &'a [u8],
}

struct Reader<'a> {
    packing: Packing,
    appended: Option<Appended<'a>>,
    offsets: Vec<usize>,
}

/// The points of a piece, and their attributes.
struct Piece {
    points: Numbers,
    arrays: Vec<Array>,
}

impl Reader<'_> {
    fn cloud(&self, root: Node) -> Result<Cloud, InputError> {
        let kind = root.attribute("type").unwrap_or_default();
        if !["PolyData", "UnstructuredGrid"].contains(&kind) {
            return Err(match kind.strip_prefix('P') {
                Some("PolyData" | "UnstructuredGrid") => Problem::Unsupported {
                    feature: "an index of the files of parallel processes".to_owned(),
                    instead: "give the files that it names",
                }
                .at(line_of(root)),
                _ => unexpected("`PolyData` or `UnstructuredGrid`", kind, root),
            });
        }
        let data_set = child(root, kind)?;
        let mut joined: Option<Piece> = None;
        for node in data_set.children().filter(|node| node.has_tag_name("Piece")) {
            let piece = self.piece(node)?;
            joined = Some(match joined {
                Some(before) => before.join(piece, node)?,
                None => piece,
            });
        }
        let missing = || Problem::ends_early("there is no `Piece`").at(line_of(data_set));
        let Piece { points, arrays } = joined.ok_or_else(missing)?;
        let attributes = arrays.into_iter().flat_map(Array::into_attributes).collect();
        Ok(Cloud { positions: points.into_vectors(), attributes })
    }

    fn piece(&self, node: Node) -> Result<Piece, InputError> {
        let count = whole(node, "NumberOfPoints")?;
        let points = if count == 0 {
            Numbers::Real(Vec::new())
        } else {
            let node = child(child(node, "Points")?, "DataArray")?;
            let points = self.array(node, count)?;
            if points.components != 3 {
                let (what, found) = ("the components of the points".to_owned(), points.components);
                return Err(Problem::WrongCount { what, expected: 3, found }.at(line_of(node)));
            }
            if let Some(k) = points.numbers.first_invalid() {
                return Err(Problem::not_finite(k).at(line_of(node)));
            }
            points.numbers
        };
        let data = node.children().find(|node| node.has_tag_name("PointData"));
        // Text comes as `Array`, and is no attribute.
        let arrays = data.into_iter().flat_map(|data| data.children());
        let arrays = arrays.filter(|node| node.has_tag_name("DataArray"));
        let arrays = arrays.map(|node| self.array(node, count)).collect::<Result<_, _>>()?;
        Ok(Piece { points, arrays })
    }

    /// The triangles of the one piece.
    fn triangles(&self, root: Node) -> Result<Vec<[u32; 3]>, InputError> {
        let pieces = root.descendants().filter(|node| node.has_tag_name("Piece"));
        let pieces: Vec<Node> = pieces.collect();
        let [piece] = pieces.as_slice() else {
            let feature = "a mesh of several pieces".to_owned();
            let problem = Problem::Unsupported { feature, instead: "write it as one" };
            return Err(problem.at(line_of(root)));
        };
        let (points, count) = (whole(*piece, "NumberOfPoints")?, whole(*piece, "NumberOfPolys")?);
        if count == 0 {
            return Ok(Vec::new());
        }
        let polys = child(*piece, "Polys")?;
        let array = |name: &str| {
            let named = |node: &Node| node.attribute("Name") == Some(name);
            let missing = || Problem::ends_early(format!("`Polys` lacks `{name}`"));
            let found = polys.children().find(named);
            found.ok_or_else(|| missing().at(line_of(polys)))
        };
        // Three corners each, or the numbers are not as many as they should be.
        let corners = self.array(array("connectivity")?, count.saturating_mul(3))?.numbers;
        let ends = self.array(array("offsets")?, count)?.numbers;
        let is_end = |(k, &end): (usize, &u32)| end as usize == 3 * (k + 1);
        match (corners, ends) {
            (Numbers::Whole(corners), Numbers::Whole(ends))
                if ends.iter().enumerate().all(is_end)
                    && corners.iter().all(|&vertex| (vertex as usize) < points) =>
            {
                Ok(corners.as_chunks().0.to_vec())
            }
            _ => Err(unexpected("triangles of the points", "others", polys)),
        }
    }

    fn array(&self, node: Node, tuples: usize) -> Result<Array, InputError> {
        let name = node.attribute("Name").unwrap_or("unnamed").to_owned();
        let components = match node.attribute("NumberOfComponents") {
            None | Some("") => 1,
            Some(_) => whole(node, "NumberOfComponents")?,
        };
        let number_type = number_type(node)?;
        let count = components.saturating_mul(tuples);
        let length = count.saturating_mul(number_type.size());
        let data = match node.attribute("format") {
            Some("ascii") | None => {
                let numbers = text_numbers(node, number_type, count)?;
                return Array::new(name, components, numbers).map_err(|why| why.at(line_of(node)));
            }
            Some("binary") => from_base64(text_of(node).as_bytes()).map(Cow::Owned),
            Some("appended") => self.appended(whole(node, "offset")?),
            Some(other) => {
                return Err(unexpected("`ascii`, `binary` or `appended`", other, node));
            }
        };
        let numbers = data.and_then(|data| {
            let bytes = self.packing.unpack(&data, length)?;
            Ok(Numbers::decode(&bytes, number_type, self.packing.order))
        });
        let packed = |reason| Problem::Packed { array: format!("`{name}`"), reason };
        let numbers = numbers.map_err(|reason| packed(reason).at(line_of(node)))?;
        Array::new(name, components, numbers).map_err(|problem| problem.at(line_of(node)))
    }

    /// The appended data from an offset on, as far as the next array.
    fn appended(&self, offset: usize) -> Result<Cow<'_, [u8]>, String> {
        let appended = self.appended.as_ref().ok_or("the file has no `AppendedData`")?;
        let beyond = || format!("its offset {offset} is beyond the {} bytes", appended.data.len());
        let data = appended.data.get(offset..).ok_or_else(beyond)?;
        let next = self.offsets.iter().find(|&&next| next > offset);
        let length = next.map_or(data.len(), |next| (next - offset).min(data.len()));
        let data = &data[..length];
        if appended.is_raw { Ok(data.into()) } else { from_base64(data).map(Cow::Owned) }
    }
}

impl Piece {
    /// This piece and the next, which must have the same arrays unless one is empty.
    fn join(mut self, next: Piece, node: Node) -> Result<Piece, InputError> {
        if self.points.len() == 0 {
            return Ok(next);
        }
        if next.points.len() == 0 {
            return Ok(self);
        }
        self.points.append(next.points);
        for array in &mut self.arrays {
            let same =
                |other: &&Array| other.name == array.name && other.components == array.components;
            let Some(other) = next.arrays.iter().find(same) else {
                let missing = format!("a piece lacks array `{}`, which others have", array.name);
                return Err(Problem::ends_early(missing).at(line_of(node)));
            };
            array.numbers.append(other.numbers.clone());
        }
        Ok(self)
    }
}

/// The text of an array, beside which elements with metadata may stand.
fn text_of<'a>(node: Node<'a, '_>) -> &'a str {
    let texts = node.children().filter_map(|child| child.text().filter(|_| child.is_text()));
    texts.max_by_key(|text| text.len()).unwrap_or_default()
}

/// The numbers of an array that stand as text.
fn text_numbers(
    node: Node,
    number_type: NumberType,
    expected: usize,
) -> Result<Numbers, InputError> {
    let words = text_of(node).split_ascii_whitespace();
    let number = |word: &str| word.parse().map_err(|_| unexpected("a number", word, node));
    let numbers = words.map(number).collect::<Result<Vec<f64>, _>>()?;
    if numbers.len() != expected {
        let what = format!("the numbers of `{}`", node.attribute("Name").unwrap_or("Points"));
        let problem = Problem::WrongCount { what, expected, found: numbers.len() };
        return Err(problem.at(line_of(node)));
    }
    Ok(Numbers::from_text(numbers, number_type))
}

fn number_type(node: Node) -> Result<NumberType, InputError> {
    let name = node.attribute("type").unwrap_or_default();
    Ok(match name {
        "Int8" => NumberType::I8,
        "UInt8" => NumberType::U8,
        "Int16" => NumberType::I16,
        "UInt16" => NumberType::U16,
        "Int32" => NumberType::I32,
        "UInt32" => NumberType::U32,
        "Int64" => NumberType::I64,
        "UInt64" => NumberType::U64,
        "Float32" => NumberType::F32,
        "Float64" => NumberType::F64,
        _ => return Err(unexpected("a number type such as `Float32`", name, node)),
    })
}

/// The first child of a name.
fn child<'a, 'input>(node: Node<'a, 'input>, name: &str) -> Result<Node<'a, 'input>, InputError> {
    let missing = || {
        let parent = node.tag_name().name();
        Problem::ends_early(format!("`{parent}` lacks `{name}`")).at(line_of(node))
    };
    node.children().find(|child| child.has_tag_name(name)).ok_or_else(missing)
}

/// An XML attribute that is a whole number.
fn whole(node: Node, name: &str) -> Result<usize, InputError> {
    let value = node.attribute(name).unwrap_or_default();
    value
        .trim()
        .parse()
        .map_err(|_| unexpected(&format!("a whole number as `{name}`"), value, node))
}

fn unexpected(expected: &str, found: &str, node: Node) -> InputError {
    Problem::unexpected(expected, found.as_bytes()).at(line_of(node))
}

fn line_of(node: Node) -> Place {
    Place::Line(node.document().text_pos_at(node.range().start).row as usize)
}
