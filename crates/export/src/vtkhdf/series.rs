//! The steps of one set of points or of one mesh, as polygonal data.
//!
//! Each step is one part. Its vertices, lines, polygons and strips are counted apart, and each of
//! the four has an entry for every step, of zeros where there are none: without them the reader
//! fails at the second step. Points are one cell of all, as ParaView shows nothing without cells;
//! as the indices of that cell are the same in all steps, they stand there once.
//!
//! Source: Kitware, *VTKHDF File Format*, version 2.

use crate::format::{Options, Target};
use crate::frame::{Attribute, Points, Values};
use crate::hdf5::{AttributeValue, File, Group, GrowingArray, Node, NumberType};
use crate::quantise::{power_of_two_step, range, round_to};
use std::io;

/// The kinds of cells, in the order of the format, and where vertices and polygons are in it.
const CELLS: [&str; 4] = ["Vertices", "Lines", "Polygons", "Strips"];
const VERTICES: usize = 0;
const POLYGONS: usize = 2;

/// Cells of a kind.
struct Cells {
    counts: GrowingArray,
    index_counts: GrowingArray,
    offsets: GrowingArray,
    indices: GrowingArray,
}

/// What stands for each step, in the order of the format.
struct Steps {
    values: GrowingArray,
    part_counts: GrowingArray,
    part_offsets: GrowingArray,
    point_offsets: GrowingArray,
    cell_offsets: GrowingArray,
    index_offsets: GrowingArray,
    data_offsets: GrowingArray,
}

/// The least number of points or triangles that a step is expected to have.
const MIN_ROWS: usize = 4096;

/// Arrays of a file that grow with each step.
pub struct Series {
    file: File,
    options: Options,
    point_counts: GrowingArray,
    points: GrowingArray,
    cells: [Cells; 4],
    /// Names and arrays of what points carry.
    data: Vec<(String, GrowingArray)>,
    steps: Steps,
    /// Cells and indices of each kind so far.
    cell_counts: [u64; 4],
    index_counts: [u64; 4],
    /// The most points of a step, where points are cells.
    most_points: Option<usize>,
}

impl Series {
    /// The series of a file, of points like these, with triangles or without.
    pub fn new(name: String, like: &Points, triangles: Option<usize>, options: Options) -> Series {
        // Emitters, spray and foam begin with few points or none.
        let rows = like.positions.len().max(MIN_ROWS);
        let level = options.level;
        let array = |kind, width, rows| GrowingArray::new(kind, width, rows, level);
        let number = || array(NumberType::I64, None, 1);
        let cells = |cells: usize, indices: usize| Cells {
            counts: number(),
            index_counts: number(),
            offsets: array(NumberType::I64, None, cells),
            indices: array(NumberType::I64, None, indices),
        };
        let of_triangles = triangles.map_or(1, |count| count.max(MIN_ROWS));
        let data = like.attributes.iter().map(|it| (it.name.clone(), column(it, rows, level)));
        Series {
            file: File::new(name),
            options,
            point_counts: number(),
            points: array(NumberType::F32, Some(3), rows),
            cells: [
                cells(1, if triangles.is_none() { rows } else { 1 }),
                cells(1, 1),
                cells(of_triangles, 3 * of_triangles),
                cells(1, 1),
            ],
            data: data.collect(),
            steps: Steps {
                values: array(NumberType::F64, None, 1),
                part_counts: number(),
                part_offsets: number(),
                point_offsets: number(),
                cell_offsets: array(NumberType::I64, Some(4), 1),
                index_offsets: array(NumberType::I64, Some(4), 1),
                data_offsets: number(),
            },
            cell_counts: [0; 4],
            index_counts: [0; 4],
            most_points: triangles.is_none().then_some(0),
        }
    }

    /// Adds a step at a time \[s\].
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(
        &mut self,
        time: f64,
        points: &Points,
        triangles: &[[u32; 3]],
        target: &mut dyn Target,
    ) -> io::Result<()> {
        let count = points.positions.len();
        self.step(time, target)?;
        let bits = self.options.quantise;
        let positions = vectors(&points.positions, bits);
        self.point_counts.append(&whole([count]), &mut self.file, target)?;
        self.points.append(&positions, &mut self.file, target)?;
        for (name, column) in &mut self.data {
            let attribute = points.attributes.iter().find(|it| it.name == *name);
            let bytes = match attribute.map(|it| &it.values) {
                Some(Values::Floats(values)) => floats(values, bits),
                Some(Values::Vectors(values)) => vectors(values, bits),
                Some(Values::Labels(values)) => {
                    values.iter().flat_map(|value| value.to_le_bytes()).collect()
                }
                Some(Values::Ids(values)) => {
                    values.iter().flat_map(|value| value.to_le_bytes()).collect()
                }
                // A later frame without it has zeros.
                None => vec![0; count * column.row_size()],
            };
            column.append(&bytes, &mut self.file, target)?;
        }
        if let Some(most) = &mut self.most_points {
            *most = count.max(*most);
        }
        let point_cells = usize::from(self.most_points.is_some() && count > 0);
        for (kind, cells) in self.cells.iter_mut().enumerate() {
            let (cell_count, size) = match kind {
                VERTICES => (point_cells, count),
                POLYGONS => (triangles.len(), 3),
                _ => (0, 0),
            };
            let ends = (0..=cell_count).map(|cell| cell * size);
            cells.counts.append(&whole([cell_count]), &mut self.file, target)?;
            cells.index_counts.append(&whole([cell_count * size]), &mut self.file, target)?;
            cells.offsets.append(&whole(ends), &mut self.file, target)?;
            self.cell_counts[kind] += cell_count as u64;
            if kind == POLYGONS {
                let indices = triangles.as_flattened().iter().map(|index| *index as usize);
                cells.indices.append(&whole(indices), &mut self.file, target)?;
                self.index_counts[kind] += (cell_count * size) as u64;
            }
        }
        Ok(())
    }

    /// Adds where a step begins.
    fn step(&mut self, time: f64, target: &mut dyn Target) -> io::Result<()> {
        let (file, steps) = (&mut self.file, &mut self.steps);
        let part = steps.values.rows() as usize;
        let point = self.points.rows() as usize;
        let [cells, indices] =
            [self.cell_counts, self.index_counts].map(|counts| whole(counts.map(|it| it as usize)));
        steps.values.append(&time.to_le_bytes(), file, target)?;
        steps.part_counts.append(&whole([1]), file, target)?;
        steps.part_offsets.append(&whole([part]), file, target)?;
        steps.point_offsets.append(&whole([point]), file, target)?;
        steps.cell_offsets.append(&cells, file, target)?;
        steps.index_offsets.append(&indices, file, target)?;
        steps.data_offsets.append(&whole([point]), file, target)
    }

    /// Ends the file. Without steps, it holds for all times.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, has_steps: bool, target: &mut dyn Target) -> io::Result<()> {
        let indices = whole(0..self.most_points.unwrap_or_default());
        self.cells[VERTICES].indices.append(&indices, &mut self.file, target)?;
        let mut top = Group::new(vec![
            ("Version", AttributeValue::Numbers(vec![2, 0])),
            ("Type", AttributeValue::Text("PolyData")),
        ]);
        top.add("NumberOfPoints", Node::Array(self.point_counts));
        top.add("Points", Node::Array(self.points));
        for (name, cells) in CELLS.into_iter().zip(self.cells) {
            let mut group = Group::default();
            group.add("NumberOfCells", Node::Array(cells.counts));
            group.add("NumberOfConnectivityIds", Node::Array(cells.index_counts));
            group.add("Offsets", Node::Array(cells.offsets));
            group.add("Connectivity", Node::Array(cells.indices));
            top.add(name, Node::Group(group));
        }
        let names: Vec<String> = self.data.iter().map(|(name, _)| vtk_name(name)).collect();
        let mut data = Group::default();
        for (name, (_, column)) in names.iter().zip(self.data) {
            data.add(name.clone(), Node::Array(column));
        }
        top.add("PointData", Node::Group(data));
        if has_steps {
            let count = self.steps.values.rows() as i64;
            let group = self.steps.group(count, &names, &mut self.file, target)?;
            top.add("Steps", Node::Group(group));
        }
        let mut root = Group::default();
        root.add("VTKHDF", Node::Group(top));
        self.file.finish(root, target)
    }
}

impl Steps {
    /// The group of steps of points that carry data of these names.
    fn group(
        self,
        count: i64,
        names: &[String],
        file: &mut File,
        target: &mut dyn Target,
    ) -> io::Result<Group> {
        let mut group = Group::new(vec![("NSteps", AttributeValue::Number(count))]);
        group.add("Values", Node::Array(self.values));
        group.add("NumberOfParts", Node::Array(self.part_counts));
        group.add("PartOffsets", Node::Array(self.part_offsets));
        group.add("PointOffsets", Node::Array(self.point_offsets));
        group.add("CellOffsets", Node::Array(self.cell_offsets));
        group.add("ConnectivityIdOffsets", Node::Array(self.index_offsets));
        // All data begin where the points do: one array under several names.
        let mut data = Group::default();
        data.add_shared(names, self.data_offsets, file, target)?;
        group.add("PointDataOffsets", Node::Group(data));
        Ok(group)
    }
}

/// An empty array for an attribute.
fn column(attribute: &Attribute, rows: usize, level: u32) -> GrowingArray {
    let (kind, width) = match attribute.values {
        Values::Floats(_) => (NumberType::F32, None),
        Values::Vectors(_) => (NumberType::F32, Some(3)),
        Values::Labels(_) => (NumberType::I32, None),
        Values::Ids(_) => (NumberType::I64, None),
    };
    GrowingArray::new(kind, width, rows, level)
}

/// What VTK calls an attribute.
fn vtk_name(name: &str) -> String {
    if name == "normal" { "Normals".to_owned() } else { name.replace('/', "_") }
}

/// Counts as bytes.
fn whole(numbers: impl IntoIterator<Item = usize>) -> Vec<u8> {
    numbers.into_iter().flat_map(|number| (number as i64).to_le_bytes()).collect()
}

/// Numbers as bytes, quantised to bits or as they are.
fn floats(values: &[f32], bits: Option<u32>) -> Vec<u8> {
    let step = bits.and_then(|bits| power_of_two_step(range(values.as_chunks::<1>().0), bits));
    bytes(values, step)
}

/// Vectors as bytes, quantised to bits or as they are.
fn vectors(values: &[[f32; 3]], bits: Option<u32>) -> Vec<u8> {
    let step = bits.and_then(|bits| power_of_two_step(range(values), bits));
    bytes(values.as_flattened(), step)
}

fn bytes(values: &[f32], step: Option<f64>) -> Vec<u8> {
    match step {
        None => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Some(step) => values.iter().flat_map(|x| round_to(*x, step).to_le_bytes()).collect(),
    }
}
