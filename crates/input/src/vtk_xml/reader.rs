//! VTK's XML files of points: `.vtp` (PolyData) and `.vtu` (UnstructuredGrid).
//!
//! Source: *VTK File Formats* (Kitware), "XML File Formats". Each piece has its points and their
//! attributes; arrays stand as text, as base64 in their elements (`binary`), or by their offsets
//! in a block at the file's end (`appended`). Raw appended data is no XML: the head before it is
//! read as a document of its own. The cells of particle files are skipped; those of meshes are
//! read apart (`faces`).

use super::element::{child, components, element_type, elements, name_of, unexpected, whole};
use crate::array::{Array, AttributeFilter, Collector};
use crate::chosen_arrays::{self, ArrayNames};
use crate::cloud::Cloud;
use crate::data_block::{Compression, Packing, UnpackBudget, UnpackError, from_base64};
use crate::error::{InputError, Place, Problem};
use crate::format::FileFormat;
use crate::legacy::TIME_NAMES;
use crate::numbers::{ByteOrder, ElementType, NumberType, Numbers, TextNumbers};
use crate::xml::{self, line_of};
use roxmltree::Node;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeSet, HashMap};

const FILE_START: &[u8] = b"<VTKFile";
const FILE_END: &[u8] = b"</VTKFile>";
const APPENDED_START: &[u8] = b"<AppendedData";
const APPENDED_END: &[u8] = b"</AppendedData>";

/// The format.
pub(crate) const FORMAT: FileFormat = FileFormat {
    extensions: &["vtp", "vtu"],
    may_be_gzip: false,
    read: |bytes, choice, filter| {
        chosen_arrays::read(|filter| read(bytes, filter), &ArrayNames::PARAVIEW, choice, filter)
    },
};

/// Reads the points of all pieces and their attributes.
fn read(bytes: &[u8], attributes: &AttributeFilter) -> Result<Cloud, InputError> {
    read_with(bytes, |reader, root| reader.cloud(root, attributes))
}

/// Reads a mesh of triangles: its vertices, and their numbers for each triangle.
pub(crate) fn read_mesh(bytes: &[u8]) -> Result<(Cloud, Vec<[u32; 3]>), InputError> {
    read_with(bytes, |reader, root| {
        Ok((reader.cloud(root, &AttributeFilter::All)?, reader.triangles(root)?))
    })
}

/// Parses a file and applies a reader to its root.
pub(super) fn read_with<T>(
    bytes: &[u8],
    read: impl FnOnce(&Reader, Node) -> Result<T, InputError>,
) -> Result<T, InputError> {
    let (head, appended) = split(bytes)?;
    let text = xml::decode(&head)?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    let budget = Cell::new(UnpackBudget::new(bytes.len()));
    read(&Reader { packing: packing(root)?, offsets: offsets(root), appended, budget }, root)
}

/// The document without its appended data, and that data.
fn split(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Option<Appended<'_>>), InputError> {
    let end = bytes.windows(FILE_END.len()).rposition(|part| part == FILE_END);
    let content = &bytes[..end.ok_or_else(|| without_end(bytes))?];
    let Some(start) = find(content, APPENDED_START) else {
        return Ok((bytes.into(), None));
    };
    let missing = |what| Problem::ends_early(format!("{what} of `AppendedData` is missing"));
    let element = content[start..].trim_ascii_end().strip_suffix(APPENDED_END);
    let element = element.ok_or_else(|| missing("the end"))?;
    let mark = find(element, b"_").ok_or_else(|| missing("the `_`"))?;
    let (tag, data) = (&element[..mark], &element[mark + 1..]);
    let is_raw = find(tag, b"encoding=\"raw\"").is_some();
    // The parser checks what follows the end tag.
    let rest = &bytes[content.len()..];
    Ok(([&content[..start], rest].concat().into(), Some(Appended { is_raw, data })))
}

/// The error for a file without an end tag.
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
fn offsets(root: Node) -> Vec<usize> {
    let arrays = root.descendants().filter(|node| node.attribute("format") == Some("appended"));
    // A wrong offset is reported when its array is read.
    let offsets: BTreeSet<usize> = arrays.filter_map(|node| whole(node, "offset").ok()).collect();
    offsets.into_iter().collect()
}

/// The data of arrays at the end of a file.
struct Appended<'a> {
    is_raw: bool,
    data: &'a [u8],
}

pub(super) struct Reader<'a> {
    pub(super) packing: Packing,
    appended: Option<Appended<'a>>,
    offsets: Vec<usize>,
    budget: Cell<UnpackBudget>,
}

impl Reader<'_> {
    /// The data set and its pieces, of which there is one at least.
    pub(super) fn pieces<'a, 'input>(
        root: Node<'a, 'input>,
    ) -> Result<(Node<'a, 'input>, Vec<Piece<'a, 'input>>), InputError> {
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
        let pieces: Vec<Piece> =
            elements(data_set, "Piece").map(Piece::read).collect::<Result<_, _>>()?;
        match pieces.is_empty() {
            true => Err(Problem::ends_early("there is no `Piece`").at(line_of(data_set))),
            false => Ok((data_set, pieces)),
        }
    }

    fn cloud(&self, root: Node, attributes: &AttributeFilter) -> Result<Cloud, InputError> {
        let (data_set, pieces) = Self::pieces(root)?;
        let mut points = Numbers::Real(Vec::new());
        for piece in pieces.iter().filter(|piece| piece.count > 0) {
            points.append(self.points(piece)?);
        }
        let mut collector = Collector::new(attributes);
        let mut full: Vec<&Piece> = pieces.iter().filter(|piece| piece.count > 0).collect();
        if full.is_empty() {
            full.extend(pieces.first());
        }
        self.attributes(&full, &mut collector)?;
        reject_cell_data(&full, &mut collector);
        let time = self.time(data_set).or_else(|| self.time(root));
        Ok(Cloud { positions: points.into_vectors(), time, ..collector.finish().into() })
    }

    /// The coordinates of a piece.
    pub(super) fn points(&self, piece: &Piece) -> Result<Numbers, InputError> {
        let node = child(child(piece.node, "Points")?, "DataArray")?;
        let components = components(node)?;
        if components != 3 {
            let what = "components of the points".to_owned();
            let problem = Problem::WrongCount { what, expected: 3, found: components };
            return Err(problem.at(line_of(node)));
        }
        let points = self.numbers(node, components.saturating_mul(piece.count))?;
        match points.first_invalid() {
            Some(k) => Err(Problem::not_finite(k).at(line_of(node))),
            None => Ok(points),
        }
    }

    /// Reads the arrays that all pieces have and the filter includes.
    fn attributes(&self, pieces: &[&Piece], collector: &mut Collector) -> Result<(), InputError> {
        let Some((first, others)) = pieces.split_first() else { return Ok(()) };
        let of_pieces: Vec<HashMap<&str, Node>> = others
            .iter()
            .map(|piece| piece.arrays().map(|it| (name_of(it), it)).collect())
            .collect();
        let mut read = BTreeSet::new();
        for node in first.arrays() {
            let name = name_of(node);
            if !read.insert(name) {
                collector.reject(name, "another array has the same name");
                continue;
            }
            let parts: Option<Vec<Node>> =
                of_pieces.iter().map(|arrays| arrays.get(name).copied()).collect();
            let Some(parts) = parts else {
                collector.reject(name, "a piece of the file lacks it");
                continue;
            };
            self.attribute(first, node, others.iter().copied().zip(parts), collector)?;
        }
        for name in of_pieces.iter().flat_map(|arrays| arrays.keys()) {
            if read.insert(name) {
                collector.reject(name, "a piece of the file lacks it");
            }
        }
        Ok(())
    }

    /// Reads an array, whose parts in further pieces follow.
    fn attribute<'n>(
        &self,
        first: &Piece,
        node: Node,
        others: impl Iterator<Item = (&'n Piece<'n, 'n>, Node<'n, 'n>)>,
        collector: &mut Collector,
    ) -> Result<(), InputError> {
        let name = name_of(node);
        if !node.has_tag_name("DataArray") || element_type(node) == Some(ElementType::Strings) {
            collector.reject(name, "it holds text");
            return Ok(());
        }
        if element_type(node).is_none() {
            let number_type = node.attribute("type").unwrap_or_default();
            collector.reject(name, format!("numbers of type `{number_type}` are not read"));
            return Ok(());
        }
        let components = components(node)?;
        if !collector.includes(name, components) {
            return Ok(());
        }
        let mut numbers = self.numbers(node, components.saturating_mul(first.count))?;
        for (piece, part) in others {
            if element_type(part).is_none() || self::components(part)? != components {
                collector
                    .reject(name, "pieces of the file have it with different types or components");
                return Ok(());
            }
            numbers.append(self.numbers(part, components.saturating_mul(piece.count))?);
        }
        collector.add(Array { name: name.to_owned(), components, numbers });
        Ok(())
    }

    /// The time among the arrays of the whole data set.
    fn time(&self, parent: Node) -> Option<f64> {
        let field = elements(parent, "FieldData").next()?;
        let is_time = |node: &Node| TIME_NAMES.contains(&&*name_of(*node).to_ascii_lowercase());
        let node = elements(field, "DataArray").find(is_time)?;
        let time = match node.attribute("format") {
            Some("ascii") | None => text_of(node).split_ascii_whitespace().next()?.parse().ok()?,
            _ => {
                let content =
                    element_type(node).filter(|&content| content != ElementType::Strings)?;
                let bytes = self.bytes(node, content, 1).ok()?;
                content.first_double(&bytes, self.packing.order)?
            }
        };
        f64::is_finite(time).then_some(time)
    }

    /// The first `count` numbers of an array.
    pub(super) fn numbers(&self, node: Node, count: usize) -> Result<Numbers, InputError> {
        let Some(content) = element_type(node).filter(|&content| content != ElementType::Strings)
        else {
            let name = node.attribute("type").unwrap_or_default();
            return Err(unexpected("a number type such as `Float32`", name, node));
        };
        if matches!(node.attribute("format"), Some("ascii") | None) {
            return text_numbers(node, content.text_type(), count);
        }
        let bytes = self.bytes(node, content, count)?;
        Ok(content.decode(&bytes, count, self.packing.order))
    }

    /// The bytes of the first `count` numbers of an array that is not text.
    pub(super) fn bytes(
        &self,
        node: Node,
        content: ElementType,
        count: usize,
    ) -> Result<Vec<u8>, InputError> {
        let length = content.byte_length(count);
        let data = match node.attribute("format") {
            Some("binary") => from_base64(text_of(node).as_bytes()).map(Cow::Owned),
            Some("appended") => self.appended(whole(node, "offset")?),
            other => {
                let found = other.unwrap_or_default();
                return Err(unexpected("`ascii`, `binary` or `appended`", found, node));
            }
        };
        // Arrays may also be many by sharing their data.
        let mut budget = self.budget.get();
        budget.take(length).map_err(|problem| problem.at(line_of(node)))?;
        self.budget.set(budget);
        let bytes = data.and_then(|data| self.packing.unpack(&data, length).map(Cow::into_owned));
        bytes.map_err(|error| {
            let array = format!("`{}`", name_of(node));
            Problem::Packed { array, reason: error.to_string() }.at(line_of(node))
        })
    }

    /// The appended data from an offset on, as far as the next array.
    fn appended(&self, offset: usize) -> Result<Cow<'_, [u8]>, UnpackError> {
        let appended = self.appended.as_ref().ok_or(UnpackError::NoAppendedData)?;
        let beyond = UnpackError::Offset { offset, length: appended.data.len() };
        let data = appended.data.get(offset..).ok_or(beyond)?;
        let next = self.offsets.get(self.offsets.partition_point(|&next| next <= offset));
        let length = next.map_or(data.len(), |next| (next - offset).min(data.len()));
        let data = &data[..length];
        if appended.is_raw { Ok(data.into()) } else { from_base64(data).map(Cow::Owned) }
    }
}

/// A part of the points, with its arrays.
pub(super) struct Piece<'a, 'input> {
    pub(super) node: Node<'a, 'input>,
    pub(super) count: usize,
}

impl<'a, 'input> Piece<'a, 'input> {
    fn read(node: Node<'a, 'input>) -> Result<Self, InputError> {
        Ok(Piece { node, count: whole(node, "NumberOfPoints")? })
    }

    /// The arrays of its points; those of text come as `Array`.
    fn arrays(&self) -> impl Iterator<Item = Node<'a, 'input>> {
        let data = elements(self.node, "PointData").flat_map(|data| data.children());
        data.filter(|node| node.has_tag_name("DataArray") || node.has_tag_name("Array"))
    }
}

/// Records the arrays of cells, which no particle has, as unreadable.
fn reject_cell_data(pieces: &[&Piece], collector: &mut Collector) {
    let mut seen = BTreeSet::new();
    let data = pieces.iter().flat_map(|piece| elements(piece.node, "CellData"));
    for node in data.flat_map(|data| data.children()).filter(Node::is_element) {
        if seen.insert(name_of(node)) {
            collector.reject(name_of(node), "it belongs to cells, not to points");
        }
    }
}

/// The text of an array, beside which elements with metadata may stand.
pub(super) fn text_of<'a>(node: Node<'a, '_>) -> &'a str {
    let texts = node.children().filter_map(|child| child.text().filter(|_| child.is_text()));
    texts.max_by_key(|text| text.len()).unwrap_or_default()
}

/// The numbers of an array that stand as text.
fn text_numbers(
    node: Node,
    number_type: NumberType,
    expected: usize,
) -> Result<Numbers, InputError> {
    let mut numbers = TextNumbers::with_capacity(0, number_type);
    for word in text_of(node).split_ascii_whitespace() {
        let pushed = numbers.push(word);
        let problem = || Problem::not_a_number("a number", word.as_bytes()).at(line_of(node));
        pushed.ok_or_else(problem)?;
    }
    let numbers = numbers.finish();
    if numbers.len() != expected {
        let what = format!("values of `{}`", node.attribute("Name").unwrap_or("Points"));
        let problem = Problem::WrongCount { what, expected, found: numbers.len() };
        return Err(problem.at(line_of(node)));
    }
    Ok(numbers)
}
