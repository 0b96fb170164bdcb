//! Gmsh's meshes, `.msh` 4.1 and 2, ASCII and binary.
//!
//! Source: Gmsh Reference Manual, "MSH file format" (version 4.1). Nodes and elements come in
//! blocks, one for each geometric entity; physical groups are lists of entities, and become groups
//! of nodes. Sections for other purposes are skipped. What differs in version 2 is in
//! [`msh_v2`](super::msh_v2).
//!
//! The reader is our own: the crate mshio (0.4.2, of 2020) reads no physical groups and no
//! parametric nodes, drops the numbers of nodes if they have no gaps, so that nodes in another
//! order than their numbers make another mesh in silence, and panics on a file without nodes.

use super::super::error::{MeshError, located};
use super::super::place::Place;
use super::super::text::{place_of_line, text};
use super::assembly::{ElementMesh, FileCell, FileElements, Shape};
use super::msh_numbers::MshNumbers;
use crate::error::{InputError, Problem};
use crate::numbers::ByteOrder;
use crate::scanner::Scanner;
use hashfall_geometry::Point;
use std::collections::{BTreeMap, HashMap};

pub(in super::super) const FORMAT: &str = "Gmsh";

/// Versions that are as 2.2.
const V2: [&str; 4] = ["2", "2.0", "2.1", "2.2"];

/// Dimension and tag of a geometric entity or of a physical group.
type Tag = (i64, i64);

/// Reads a file.
pub(in super::super) fn read(bytes: &[u8]) -> Result<ElementMesh, MeshError> {
    let is_binary = bytes.split(|byte| *byte == b'\n').nth(1).is_some_and(is_binary_head);
    let text = if is_binary { "".into() } else { text(bytes) };
    let bytes = if is_binary { bytes } else { text.as_bytes() };
    let mut msh = Msh {
        numbers: MshNumbers { scanner: Scanner::new(bytes), binary: None },
        names: BTreeMap::new(),
        entities: BTreeMap::new(),
        index: HashMap::new(),
        groups: BTreeMap::new(),
        sets: BTreeMap::new(),
        is_v2: false,
        elements: FileElements { sets: vec![vec![]], ..FileElements::default() },
    };
    msh.read().map_err(|error| located(FORMAT, error, &text))?;
    msh.elements.assemble(FORMAT, &|at, problem| {
        problem.at(match is_binary {
            true => Place::Byte(at),
            false => place_of_line(&text, 1 + text[..at].matches('\n').count()),
        })
    })
}

/// Whether the line after `$MeshFormat` says that the file is binary.
fn is_binary_head(line: &[u8]) -> bool {
    let words = line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty());
    words.into_iter().nth(1) == Some(b"1")
}

/// A file as far as it has been read.
pub(super) struct Msh<'a> {
    pub(super) numbers: MshNumbers<'a>,
    /// Names of physical groups.
    names: BTreeMap<Tag, String>,
    /// Physical groups of entities.
    entities: BTreeMap<Tag, Vec<Tag>>,
    /// Indices of nodes by their tags.
    index: HashMap<u64, u32>,
    /// Numbers of groups by their names.
    groups: BTreeMap<String, usize>,
    /// Numbers of the sets of groups of entities.
    sets: BTreeMap<Tag, usize>,
    /// Whether the file is of version 2, not 4.1.
    is_v2: bool,
    pub(super) elements: FileElements,
}

impl Msh<'_> {
    fn read(&mut self) -> Result<(), InputError> {
        let mut found: Vec<&str> = Vec::new();
        while !self.numbers.scanner.is_at_end() {
            let at = self.numbers.scanner.at();
            let line = String::from_utf8_lossy(self.numbers.line("a section")?).into_owned();
            let known = ["MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements"];
            let place = |msh: &Self| msh.numbers.scanner.place_of(at);
            let Some(name) = line.strip_prefix('$') else {
                let expected = "a section such as `$Nodes`";
                return Err(Problem::unexpected(expected, line.as_bytes()).at(place(self)));
            };
            if let Some(&known) = known.iter().find(|known| **known == name) {
                if found.contains(&known) {
                    let feature = format!("a second section `${name}`");
                    return Err(unsupported(feature, "save one mesh in a file").at(place(self)));
                }
                found.push(known);
            }
            match name {
                "MeshFormat" => self.format()?,
                "PhysicalNames" => self.physical_names()?,
                "PartitionedEntities" => {
                    let instead = "save it without partitions (Mesh.NbPartitions = 0)";
                    return Err(
                        unsupported("a mesh in partitions".to_owned(), instead).at(place(self))
                    );
                }
                "Entities" => self.entities()?,
                "Nodes" if self.is_v2 => self.nodes_v2()?,
                "Elements" if self.is_v2 => self.elements_v2()?,
                "Nodes" => self.nodes()?,
                "Elements" => self.elements()?,
                _ => {
                    self.skip(name)?;
                    continue;
                }
            }
            self.end_of(name)?;
        }
        for section in ["Nodes", "Elements"] {
            if !found.contains(&section) {
                let missing = format!("the section `${section}` is missing");
                return Err(Problem::ends_early(missing).into());
            }
        }
        Ok(())
    }

    fn end_of(&mut self, section: &str) -> Result<(), InputError> {
        let end = format!("$End{section}");
        let word = self.numbers.scanner.word(&format!("`{end}`"))?;
        if word != end {
            let place = self.numbers.scanner.place_of(self.numbers.scanner.at() - word.len());
            return Err(Problem::unexpected(format!("`{end}`"), word.as_bytes()).at(place));
        }
        Ok(())
    }

    /// Skips a section of another purpose.
    fn skip(&mut self, section: &str) -> Result<(), InputError> {
        let end = format!("$End{section}");
        while self.numbers.line(&format!("`{end}`"))? != end.as_bytes() {}
        Ok(())
    }

    /// The head: version, whether the file is binary, and the size of its counts.
    fn format(&mut self) -> Result<(), InputError> {
        let place = self.numbers.scanner.place();
        let version = self.numbers.scanner.word("the version")?;
        self.is_v2 = V2.contains(&version);
        if version != "4.1" && !self.is_v2 {
            let feature = format!("version {version} of the format");
            let instead = "save it as version 4.1 (Mesh.MshFileVersion = 4.1, or -format msh41)";
            return Err(unsupported(feature, instead).at(place));
        }
        let is_binary = self.numbers.scanner.word("0 or 1, for ASCII or binary")?;
        let size = self.numbers.scanner.count("the size of counts")?;
        self.numbers.line("the head")?;
        if is_binary == "1" {
            if size != 4 && size != 8 {
                let found = size.to_string();
                return Err(
                    Problem::unexpected("counts of 4 or 8 bytes", found.as_bytes()).at(place)
                );
            }
            self.numbers.scanner.expect_binary();
            let one = self.numbers.scanner.take(4, "the number 1 in binary")?;
            let order = match one {
                [1, 0, 0, 0] => ByteOrder::Little,
                [0, 0, 0, 1] => ByteOrder::Big,
                _ => return Err(Problem::unexpected("the number 1 in binary", one).at(place)),
            };
            self.numbers.binary = Some((order, size));
        }
        Ok(())
    }

    /// Names of physical groups: text in binary files too.
    fn physical_names(&mut self) -> Result<(), InputError> {
        let count = self.numbers.scanner.count("the number of physical groups")?;
        self.numbers.line("the physical groups")?;
        for _ in 0..count {
            let at = self.numbers.scanner.at();
            let line = self.numbers.line("the name of a physical group")?;
            let text = String::from_utf8_lossy(line);
            let mut words = text.splitn(3, ' ');
            let mut number = || words.next().and_then(|word| word.parse().ok());
            let tag = number().zip(number());
            let name = words.next().map(|name| name.trim().trim_matches('"').to_owned());
            let Some((tag, name)) = tag.zip(name) else {
                let expected = "a dimension, a number and a name, as in `2 1 \"clamped\"`";
                let place = self.numbers.scanner.place_of(at);
                return Err(Problem::unexpected(expected, line).at(place));
            };
            self.names.insert(tag, name);
        }
        Ok(())
    }

    /// Which physical groups entities belong to.
    fn entities(&mut self) -> Result<(), InputError> {
        let numbers = &mut self.numbers;
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = numbers.size("the number of entities")?;
        }
        for (dimension, count) in (0..).zip(counts) {
            for _ in 0..count {
                let tag = numbers.int("the tag of an entity")?;
                for _ in 0..if dimension == 0 { 3 } else { 6 } {
                    numbers.real("the box of an entity")?;
                }
                let groups = numbers.size("the number of an entity's physical groups")?;
                for _ in 0..groups {
                    // The sign tells an orientation.
                    let group = numbers.int("a physical group of an entity")?.abs();
                    self.entities.entry((dimension, tag)).or_default().push((dimension, group));
                }
                let bounding = match dimension {
                    0 => 0,
                    _ => numbers.size("the number of an entity's bounding entities")?,
                };
                for _ in 0..bounding {
                    numbers.int("a bounding entity")?;
                }
            }
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), InputError> {
        let [blocks, count] = self.head("nodes")?;
        for _ in 0..blocks {
            let numbers = &mut self.numbers;
            let dimension = numbers.int("the dimension of a block of nodes")?;
            numbers.int("the entity of a block of nodes")?;
            let is_parametric = numbers.int("whether nodes are parametric")? != 0;
            let in_block = numbers.size("the number of nodes in a block")?;
            let first = self.elements.nodes.len() as u64;
            for node in first..first.saturating_add(in_block) {
                self.node_tag(node)?;
            }
            let further = if is_parametric { dimension.clamp(0, 3) } else { 0 };
            for node in first..first.saturating_add(in_block) {
                let x = self.node(node)?;
                for _ in 0..further {
                    self.numbers.real("a parameter of a node")?;
                }
                self.elements.nodes.push(x);
            }
        }
        check_count("nodes", count, self.elements.nodes.len())
    }

    /// The tag of the node of this index, of which a file has fewer than 2³².
    fn node_tag(&mut self, node: u64) -> Result<(), InputError> {
        let at = self.numbers.scanner.at();
        let tag = self.numbers.size("the tag of a node")?;
        self.know_node(tag, node, at)
    }

    /// Takes the tag of a node that begins at a byte.
    pub(super) fn know_node(&mut self, tag: u64, node: u64, at: usize) -> Result<(), InputError> {
        if self.index.insert(tag, node as u32).is_some() {
            let found = format!("{tag} a second time");
            let problem = Problem::unexpected("the tag of another node", found.as_bytes());
            return Err(problem.at(self.numbers.place_of_last(at)));
        }
        Ok(())
    }

    /// The coordinates of a node.
    pub(super) fn node(&mut self, node: u64) -> Result<Point, InputError> {
        let mut x = Point::zeros();
        for axis in 0..3 {
            let at = self.numbers.scanner.at();
            x[axis] = self.numbers.real("a coordinate of a node")?;
            // Also those that are too large for the simulation's precision.
            if !(x[axis] as f32).is_finite() {
                let (particle, axis) = (node as usize, ['x', 'y', 'z'][axis]);
                let problem = Problem::NotFinite { particle, axis };
                return Err(problem.at(self.numbers.place_of_last(at)));
            }
        }
        Ok(x)
    }

    /// The numbers of blocks and of what they hold.
    fn head(&mut self, what: &str) -> Result<[u64; 2], InputError> {
        let blocks = self.numbers.size(&format!("the number of blocks of {what}"))?;
        let count = self.numbers.size(&format!("the number of {what}"))?;
        self.numbers.size(&format!("the lowest tag of {what}"))?;
        self.numbers.size(&format!("the highest tag of {what}"))?;
        Ok([blocks, count])
    }

    fn elements(&mut self) -> Result<(), InputError> {
        let [blocks, count] = self.head("elements")?;
        let mut read = 0;
        for _ in 0..blocks {
            let dimension = self.numbers.int("the dimension of a block of elements")?;
            let entity = self.numbers.int("the entity of a block of elements")?;
            let at = self.numbers.scanner.at();
            let kind = self.numbers.int("the type of elements")?;
            let kind = kind_of(kind).map_err(|it| it.at(self.numbers.place_of_last(at)))?;
            let in_block = self.numbers.size("the number of elements in a block")?;
            let set = self.set((dimension, entity));
            for _ in 0..in_block {
                self.element(kind, set)?;
                read += 1;
            }
        }
        check_count("elements", count, read)
    }

    /// An element of this kind.
    fn element(&mut self, kind: ElementKind, set: usize) -> Result<(), InputError> {
        let at = self.numbers.scanner.at();
        // In text the white space before it belongs to the line before.
        let number = self.numbers.size("the tag of an element")?;
        let at = if self.numbers.binary.is_some() { at } else { self.numbers.scanner.at() - 1 };
        self.corners(kind, at, number, set)
    }

    /// The nodes of an element with a tag, which begins at a byte.
    pub(super) fn corners(
        &mut self,
        ElementKind { shape, count }: ElementKind,
        at: usize,
        number: u64,
        set: usize,
    ) -> Result<(), InputError> {
        let mut corners = [0; 4];
        for corner in &mut corners[..count] {
            let at = self.numbers.scanner.at();
            let what = "a node of an element";
            let tag = match self.is_v2 {
                true => self.numbers.int(what)? as u64,
                false => self.numbers.size(what)?,
            };
            let Some(&node) = self.index.get(&tag) else {
                let found = format!("{tag}, which no node has");
                let problem = Problem::unexpected("the tag of a node", found.as_bytes());
                return Err(problem.at(self.numbers.place_of_last(at)));
            };
            *corner = node;
        }
        let first = corners[0];
        let quad = corners;
        corners[count..].fill(first);
        let cell = FileCell { shape, corners, number, at, set };
        match (shape, count) {
            (Shape::Triangle, 4) => self.elements.add_quad(quad, cell),
            _ => self.elements.cells.push(cell),
        }
        Ok(())
    }

    /// The set of one physical group.
    pub(super) fn set_of_group(&mut self, group: Tag) -> usize {
        self.entities.entry(group).or_insert_with(|| vec![group]);
        self.set(group)
    }

    /// The set of groups of an entity.
    fn set(&mut self, entity: Tag) -> usize {
        let Some(tags) = self.entities.get(&entity) else { return 0 };
        let elements = &mut self.elements;
        *self.sets.entry(entity).or_insert_with(|| {
            let mut set = Vec::new();
            for tag in tags {
                let name = self.names.get(tag).cloned().unwrap_or_else(|| tag.1.to_string());
                let next = self.groups.len();
                set.push(*self.groups.entry(name.clone()).or_insert(next));
                if self.groups.len() > next {
                    elements.groups.push(name);
                }
            }
            elements.sets.push(set);
            elements.sets.len() - 1
        })
    }
}

/// The shape and the nodes of a type of elements.
#[derive(Clone, Copy)]
pub(super) struct ElementKind {
    /// What its nodes span.
    pub shape: Shape,
    /// The number of its nodes: a quadrilateral, which is two triangles, has four.
    pub count: usize,
}

/// What a type of elements is, by its number in files.
pub(super) fn kind_of(number: i64) -> Result<ElementKind, Problem> {
    let (shape, count) = match number {
        15 => (Shape::Vertex, 1),
        1 => (Shape::Segment, 2),
        2 => (Shape::Triangle, 3),
        3 => (Shape::Triangle, 4),
        4 => (Shape::Tetrahedron, 4),
        _ => return Err(not_read(number)),
    };
    Ok(ElementKind { shape, count })
}

pub(super) fn check_count(what: &str, expected: u64, found: usize) -> Result<(), InputError> {
    match expected == found as u64 {
        true => Ok(()),
        false => {
            let (what, expected) =
                (what.to_owned(), usize::try_from(expected).unwrap_or(usize::MAX));
            Err(Problem::WrongCount { what, expected, found }.into())
        }
    }
}

fn unsupported(feature: String, instead: &'static str) -> Problem {
    Problem::Unsupported { feature, instead }
}

/// A type of elements that is not read.
fn not_read(kind: i64) -> Problem {
    let (name, instead) = match kind {
        5 => ("hexahedra", "mesh it with tetrahedra (Mesh.Recombine3DAll = 0)"),
        6 => ("prisms", "mesh it with tetrahedra, without recombined layers"),
        7 => ("pyramids", "mesh it with tetrahedra (Mesh.Recombine3DAll = 0)"),
        8..=14 | 16..=19 => ("of second order", "save it with Mesh.ElementOrder = 1"),
        20..=31 => ("of higher order", "save it with Mesh.ElementOrder = 1"),
        _ => ("", "save lines, triangles, quadrilaterals or tetrahedra of first order"),
    };
    let feature =
        format!("elements of type {kind}{}{name}", if name.is_empty() { "" } else { ", " });
    unsupported(feature, instead)
}
