//! From the bytes of an OBJ file to a welded mesh whose outermost shells face outwards.

use super::error::{ObjError, ObjProblem, ObjWarning, Place};
use super::scan::{Scanned, place_of, scan};
use crate::closure::{OpenMesh, open_edges};
use crate::joining::{Joining, join_corners};
use crate::polygon::{fan, split_at_crossing, triangulate};
use crate::shells::{Oriented, count_shells, encloses_nothing, orient};
use crate::{Point, TriangleMesh};
use hashfall_core::file_kind::FileKind;
use hashfall_core::vec3;
use std::borrow::Cow;

/// A mesh with coordinates beyond this many of its longest edges has an origin of its own.
const FAR_IN_EXTENTS: f64 = 4.0;
/// Triangles at an open edge whose faces are told.
const MAX_FACES_TOLD: usize = 6;

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjMesh {
    /// The mesh, welded and, if it is closed, facing outwards, in the units of the file, relative
    /// to `origin`.
    pub mesh: TriangleMesh,
    /// What its coordinates are relative to; zero unless the mesh lies far away.
    pub origin: [f64; 3],
    /// Why it is not closed, if it is not.
    pub open: Option<ObjError>,
    /// What was put right, and what can hardly be meant.
    pub warnings: Vec<ObjWarning>,
    /// The number of its shells: connected surfaces.
    pub shells: usize,
}

/// Reads a closed mesh near the origin, welded and facing outwards, in the units of the file.
pub fn parse(bytes: &[u8]) -> Result<TriangleMesh, ObjError> {
    let ObjMesh { mesh, open, .. } = read(bytes)?;
    open.map_or(Ok(mesh), Err)
}

/// Reads a mesh, closed or not.
pub fn read(bytes: &[u8]) -> Result<ObjMesh, ObjError> {
    if let Some(kind) = FileKind::from_content(bytes) {
        return Err(ObjProblem::Foreign(kind).into());
    }
    let text = text(bytes);
    let scanned = scan(&text)
        .map_err(|(span, problem)| ObjError { place: Some(place_of(&text, span)), problem })?;
    let places = Places { text: &text, faces: &scanned.faces };
    let mut warnings = Vec::new();
    let raw = Polygons::load(&scanned)?.cut(&places, &mut warnings)?;
    let welded = raw.shape.welded();
    if welded.mesh.triangles.is_empty() {
        return Err(scanned.free_form.map_or(ObjProblem::Empty, free_form).into());
    }
    Ok(close(&raw, welded, &places, warnings))
}

fn free_form(keyword: String) -> ObjProblem {
    ObjProblem::FreeForm { keyword }
}

/// The text of a file: UTF-8 or else Latin-1, with a newline for each lone CR, by which old
/// programs end lines.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    };
    let is_alone = |(at, _): (usize, &str)| !text[at + 1..].starts_with('\n');
    if !text.match_indices('\r').any(is_alone) {
        return text;
    }
    let parts: Vec<String> = text.split("\r\n").map(|part| part.replace('\r', "\n")).collect();
    Cow::Owned(parts.join("\r\n"))
}

/// Where the faces of a text are.
struct Places<'a> {
    text: &'a str,
    faces: &'a [usize],
}

impl Places<'_> {
    /// The place of a face's keyword.
    fn of(&self, face: u32) -> Place {
        let start = self.faces[face as usize];
        let length = self.text[start..].find(char::is_whitespace).unwrap_or(1);
        place_of(self.text, start..start + length)
    }

    fn line(&self, face: u32) -> usize {
        self.of(face).line
    }
}

/// A mesh with the face that each of its triangles belongs to.
#[derive(Default)]
struct Faced {
    mesh: TriangleMesh,
    faces: Vec<u32>,
}

impl Faced {
    /// Another mesh of these triangles, by the number of each among them.
    fn with(&self, (mesh, sources): (TriangleMesh, Vec<usize>)) -> Faced {
        Faced { mesh, faces: sources.iter().map(|&t| self.faces[t]).collect() }
    }

    fn welded(&self) -> Faced {
        self.with(self.mesh.welded_with_sources())
    }

    /// Bodies that touch along a face have it twice, in opposite directions. Where one body faces
    /// inwards, one of both would be dropped as a repeat of the other; so such bodies are turned
    /// first. `None` unless that closes the mesh.
    fn turned_before_welding(&self, places: &Places) -> Option<(Faced, Vec<ObjWarning>)> {
        let all = self.with(self.mesh.weld(true));
        if !open_edges(&all.mesh).is_empty() {
            return None;
        }
        let oriented = orient(all.mesh);
        let warnings = orientation(&oriented, &all.faces, places);
        let turned = Faced { mesh: oriented.mesh, faces: all.faces }.welded();
        open_edges(&turned.mesh).is_empty().then_some((turned, warnings))
    }
}

/// The polygons of a file.
struct Polygons {
    /// Corner positions.
    vertices: Vec<Point>,
    /// The vertices of each face, one face after the other.
    corners: Vec<u32>,
    /// The number of corners of each face.
    arities: Vec<u32>,
}

impl Polygons {
    /// Reads checked text through tobj.
    fn load(scanned: &Scanned) -> Result<Self, ObjError> {
        let options = tobj::LoadOptions { single_index: true, ..Default::default() };
        // Materials are of no use here.
        let no_materials = |_: &_| Err(tobj::LoadError::OpenFileFailed);
        let shape = &mut scanned.shape.as_bytes();
        let (models, _) = tobj::load_obj_buf(shape, &options, no_materials)
            .map_err(|error| ObjProblem::Unreadable(error.to_string()))?;
        let mut polygons =
            Polygons { vertices: Vec::new(), corners: Vec::new(), arities: Vec::new() };
        for mesh in models.into_iter().map(|model| model.mesh) {
            let first = polygons.vertices.len() as u32;
            let positions = mesh.positions.chunks_exact(3);
            polygons.vertices.extend(positions.map(Point::from_row_slice));
            polygons.corners.extend(mesh.indices.iter().map(|v| v + first));
            // tobj leaves the numbers out where all are 3.
            let are_triangles = mesh.face_arities.is_empty();
            let triangles = if are_triangles { mesh.indices.len() / 3 } else { 0 };
            polygons.arities.extend(mesh.face_arities);
            polygons.arities.extend(std::iter::repeat_n(3, triangles));
        }
        Ok(polygons)
    }

    /// Cuts every face into triangles.
    fn cut(mut self, places: &Places, warnings: &mut Vec<ObjWarning>) -> Result<Cut, ObjError> {
        let origin = self.origin();
        self.vertices.iter_mut().for_each(|v| *v -= Point::from(origin));
        let mut cut = Faced::default();
        cut.mesh.vertices = self.vertices.iter().map(|v| vec3((*v).into())).collect();
        let (mut crossing, mut first_crossing) = (0, None);
        let mut added: Vec<Point> = Vec::new();
        let mut rest = &self.corners[..];
        for (face, &arity) in self.arities.iter().enumerate() {
            let (corners, others) = rest.split_at(arity as usize);
            rest = others;
            let face = face as u32;
            let mut corners = corners.to_vec();
            let triangles = match (self.triangles(&corners), corners.len()) {
                (Some(triangles), _) => triangles,
                (None, 4) => {
                    crossing += 1;
                    first_crossing.get_or_insert(face);
                    let split = split_at_crossing(&self.quad(&corners));
                    split.map_or(fan(4), |(point, triangles)| {
                        corners.push((self.vertices.len() + added.len()) as u32);
                        added.push(point);
                        triangles.to_vec()
                    })
                }
                (None, corners) => {
                    let problem = ObjProblem::Crossing { corners };
                    return Err(ObjError { place: Some(places.of(face)), problem });
                }
            };
            cut.faces.extend(triangles.iter().map(|_| face));
            cut.mesh.triangles.extend(triangles.iter().map(|t| t.map(|k| corners[k])));
        }
        cut.mesh.vertices.extend(added.iter().map(|v| vec3((*v).into())));
        warnings.extend(first_crossing.map(|face| {
            let line = places.line(face);
            ObjWarning::Crossing { count: crossing, line }
        }));
        Ok(Cut { shape: cut, origin })
    }

    /// The triangles of a face by its corners; those of a triangle need no look.
    fn triangles(&self, corners: &[u32]) -> Option<Vec<[usize; 3]>> {
        if corners.len() == 3 {
            return Some(fan(3));
        }
        let points: Vec<Point> = corners.iter().map(|&v| self.vertices[v as usize]).collect();
        triangulate(&points)
    }

    /// The corners of a face of four.
    fn quad(&self, corners: &[u32]) -> [Point; 4] {
        [0, 1, 2, 3].map(|k| self.vertices[corners[k] as usize])
    }

    /// Zero, or the lowest corner of the box around a mesh that is far from zero.
    fn origin(&self) -> [f64; 3] {
        let Some(first) = self.vertices.first() else { return [0.0; 3] };
        let start = (*first, *first);
        let (low, high) = self.vertices.iter().fold(start, |(l, h), v| (l.inf(v), h.sup(v)));
        let farthest = low.abs().max().max(high.abs().max());
        if farthest > FAR_IN_EXTENTS * (high - low).max() { low.into() } else { [0.0; 3] }
    }
}

/// The triangles of a file.
struct Cut {
    /// Relative to the origin.
    shape: Faced,
    origin: [f64; 3],
}

/// Closes a welded mesh if rounding alone keeps it open, and turns it outwards.
fn close(raw: &Cut, welded: Faced, places: &Places, mut warnings: Vec<ObjWarning>) -> ObjMesh {
    let origin = raw.origin;
    let Faced { mesh, faces } = match welded.mesh.check_closed() {
        Ok(()) => welded,
        Err(open) => match (raw.shape.turned_before_welding(places), join_corners(&welded.mesh)) {
            (Some((closed, told)), _) => {
                warnings.extend(told);
                closed
            }
            (None, Joining::Closed { mesh, sources, corners, distance }) => {
                warnings.push(ObjWarning::Joined { corners, distance });
                welded.with((mesh, sources))
            }
            (None, joining) => {
                let near = if let Joining::Near(near) = joining { Some(near) } else { None };
                let Faced { mesh, faces } = welded;
                let shells = count_shells(&mesh);
                let open = Some(told(open, near, &origin, &faces, places));
                return ObjMesh { mesh, origin, open, warnings, shells };
            }
        },
    };
    let oriented = orient(mesh);
    warnings.extend(orientation(&oriented, &faces, places));
    let Oriented { mesh, shells, .. } = oriented;
    if encloses_nothing(&mesh) {
        warnings.push(ObjWarning::NoVolume);
    }
    ObjMesh { mesh, origin, open: None, warnings, shells }
}

/// What is told of shells that were turned, or may be meant to face the other way.
fn orientation(oriented: &Oriented, faces: &[u32], places: &Places) -> Vec<ObjWarning> {
    let Oriented { shells, turned, all_turned, united, .. } = oriented;
    let shells = *shells;
    let line = |triangles: &[usize]| triangles.first().map(|&t| places.line(faces[t]));
    let turning = line(turned).map(|line| match all_turned {
        true => ObjWarning::AllTurned,
        false => ObjWarning::Turned { turned: turned.len(), shells, line },
    });
    let uniting =
        line(united).map(|line| ObjWarning::United { united: united.len(), shells, line });
    turning.into_iter().chain(uniting).collect()
}

/// An error about an open mesh, at the face that is most likely to be wrong.
fn told(
    mut open: OpenMesh,
    near: Option<f64>,
    origin: &[f64; 3],
    faces: &[u32],
    places: &Places,
) -> ObjError {
    let place = open.triangles.first().map(|&t| places.of(faces[t]));
    let told = open.triangles.iter().take(MAX_FACES_TOLD);
    let mut lines: Vec<usize> = told.map(|&t| places.line(faces[t])).collect();
    lines.sort_unstable();
    lines.dedup();
    open.shift(origin);
    let open = Box::new(open);
    ObjError { place, problem: ObjProblem::Open { open, lines, near } }
}
