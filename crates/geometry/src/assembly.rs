//! From the polygons of a file to a welded mesh whose outermost shells face outwards.
//!
//! Polygons are cut by [`polygon`](super::polygon). Vertices in one place are welded, triangles
//! that collapse or repeat others are dropped, corners that differ by rounding are joined
//! ([`joining`](super::joining)), and outermost shells that face inwards are turned outwards
//! ([`shells`](super::shells)).
//!
//! Coordinates come in double precision. Those of a mesh far from the origin become offsets from a
//! corner of the box around it, so that rounding them takes nothing from its shape.

use super::closure::{Edges, OpenMesh, open_edges};
use super::joining::{Joining, join_corners};
use super::polygon::{fan, split_at_crossing, triangulate};
use super::shells::{Oriented, count_shells, encloses_nothing, orient};
use super::warning::ShapeWarning;
use super::{Point, TriangleMesh};
use hashfall_core::vec3;
use thiserror::Error;

/// A mesh with coordinates beyond this many of its longest edges has an origin of its own.
const FAR_IN_EXTENTS: f64 = 4.0;
/// Triangles at an open edge whose polygons a message names, at most.
const MAX_REPORTED_FACES: usize = 6;

/// Polygons over vertices of their own or shared ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polygons {
    /// Corner positions, in any unit.
    pub vertices: Vec<Point>,
    /// The vertices of each polygon, one polygon after the other.
    pub corners: Vec<u32>,
    /// The number of corners of each polygon, three or more.
    pub arities: Vec<u32>,
}

/// What polygons make.
#[derive(Clone, Debug, PartialEq)]
pub struct Assembled {
    /// The mesh, welded and, if it is closed, facing outwards, relative to `origin`.
    pub mesh: TriangleMesh,
    /// What its coordinates are relative to; zero unless the mesh lies far away.
    pub origin: [f64; 3],
    /// Why it is not closed, if it is not.
    pub open: Option<OpenPolygons>,
    /// What was put right, and what can hardly be meant, by the number of the polygon.
    pub warnings: Vec<ShapeWarning<u32>>,
    /// The number of its shells: connected surfaces.
    pub shells: usize,
}

/// Why polygons enclose no volume.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenPolygons {
    /// What is open.
    pub open: OpenMesh,
    /// Numbers of the polygons at the edge that `open` names; the first is most likely to be wrong.
    pub polygons: Vec<u32>,
    /// Each corner at the open edges has another within this distance, in the unit of the polygons.
    pub near: Option<f64>,
}

/// Why polygons make no mesh at all.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PolygonError {
    /// A polygon that no triangles cover once.
    #[error("polygon {polygon} of {corners} corners crosses itself and cannot be triangulated")]
    Crossing {
        /// Its number.
        polygon: u32,
        /// Its corners.
        corners: usize,
    },
    /// No triangle with three different corners.
    #[error("there are no faces")]
    Empty,
}

impl Polygons {
    /// Adds a polygon.
    pub fn push(&mut self, corners: impl IntoIterator<Item = u32>) {
        let before = self.corners.len();
        self.corners.extend(corners);
        self.arities.push((self.corners.len() - before) as u32);
    }

    /// Cuts, welds, joins and turns the polygons.
    ///
    /// # Errors
    /// A polygon that crosses itself, or no polygon with an extent. A mesh that is not closed is no
    /// error here: see [`Assembled::open`].
    pub fn assemble(self) -> Result<Assembled, PolygonError> {
        let mut warnings = Vec::new();
        let raw = self.cut(&mut warnings)?;
        let welded = raw.shape.welded();
        if welded.mesh.triangles.is_empty() {
            return Err(PolygonError::Empty);
        }
        Ok(close(raw, welded, warnings))
    }

    /// Cuts every polygon into triangles.
    fn cut(mut self, warnings: &mut Vec<ShapeWarning<u32>>) -> Result<Cut, PolygonError> {
        let origin = self.origin();
        self.vertices.iter_mut().for_each(|v| *v -= Point::from(origin));
        let mut cut = Faced::default();
        cut.mesh.vertices = self.vertices.iter().map(|v| vec3((*v).into())).collect();
        let count = self.corners.len().saturating_sub(2 * self.arities.len());
        cut.mesh.triangles.reserve(count);
        cut.faces.reserve(count);
        let (mut crossing, mut first_crossing) = (0, None);
        let mut added: Vec<Point> = Vec::new();
        let mut rest = &self.corners[..];
        for (face, &arity) in self.arities.iter().enumerate() {
            let (corners, others) = rest.split_at(arity as usize);
            rest = others;
            let face = face as u32;
            // A triangle is one as it is.
            if let &[a, b, c] = corners {
                cut.faces.push(face);
                cut.mesh.triangles.push([a, b, c]);
                continue;
            }
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
                (None, corners) => return Err(PolygonError::Crossing { polygon: face, corners }),
            };
            cut.faces.extend(triangles.iter().map(|_| face));
            cut.mesh.triangles.extend(triangles.iter().map(|t| t.map(|k| corners[k])));
        }
        cut.mesh.vertices.extend(added.iter().map(|v| vec3((*v).into())));
        let warning = |first| ShapeWarning::Crossing { count: crossing, first };
        warnings.extend(first_crossing.map(warning));
        Ok(Cut { shape: cut, origin })
    }

    /// The triangles of a polygon by its corners.
    fn triangles(&self, corners: &[u32]) -> Option<Vec<[usize; 3]>> {
        let points: Vec<Point> = corners.iter().map(|&v| self.vertices[v as usize]).collect();
        triangulate(&points)
    }

    /// The corners of a polygon of four.
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

/// A mesh with the polygon that each of its triangles belongs to.
#[derive(Default)]
struct Faced {
    mesh: TriangleMesh,
    faces: Vec<u32>,
}

impl Faced {
    /// Another mesh of these triangles, by the number of each among them.
    fn with(&self, mesh: TriangleMesh, mut sources: Vec<u32>) -> Faced {
        sources.iter_mut().for_each(|t| *t = self.faces[*t as usize]);
        Faced { mesh, faces: sources }
    }

    fn welded(&self) -> Faced {
        let (mesh, sources) = self.mesh.welded_with_sources();
        self.with(mesh, sources)
    }

    /// Bodies that touch along a face have it twice, in opposite directions. Where one body faces
    /// inwards, one of both would be dropped as a repeat of the other; so such bodies are turned
    /// first. `None` unless that closes the mesh.
    fn turned_before_welding(&self) -> Option<(Faced, Vec<ShapeWarning<u32>>)> {
        let (mesh, sources) = self.mesh.weld(true);
        let all = self.with(mesh, sources);
        let edges = Edges::new(&all.mesh);
        if edges.explain(&all.mesh).is_some() {
            return None;
        }
        let oriented = orient(all.mesh, edges);
        let warnings = orientation(&oriented, &all.faces);
        let turned = Faced { mesh: oriented.mesh, faces: all.faces }.welded();
        open_edges(&turned.mesh).is_empty().then_some((turned, warnings))
    }
}

/// The triangles of some polygons.
struct Cut {
    /// Relative to the origin.
    shape: Faced,
    origin: [f64; 3],
}

/// Closes a welded mesh if rounding alone keeps it open, and turns it outwards.
fn close(raw: Cut, welded: Faced, mut warnings: Vec<ShapeWarning<u32>>) -> Assembled {
    let origin = raw.origin;
    let edges = Edges::new(&welded.mesh);
    let (Faced { mesh, faces }, edges) = match edges.explain(&welded.mesh) {
        None => (welded, edges),
        Some(open) => {
            let closed = match (raw.shape.turned_before_welding(), join_corners(&welded.mesh)) {
                (Some((closed, orientation_warnings)), _) => {
                    warnings.extend(orientation_warnings);
                    closed
                }
                (None, Joining::Closed { mesh, sources, corners, distance }) => {
                    warnings.push(ShapeWarning::Joined { corners, distance });
                    welded.with(mesh, sources)
                }
                (None, joining) => {
                    let near = if let Joining::Near(near) = joining { Some(near) } else { None };
                    let Faced { mesh, faces } = welded;
                    let shells = count_shells(&mesh);
                    let open = Some(open_polygons(open, near, &origin, &faces));
                    return Assembled { mesh, origin, open, warnings, shells };
                }
            };
            let edges = Edges::new(&closed.mesh);
            (closed, edges)
        }
    };
    drop(raw);
    let oriented = orient(mesh, edges);
    warnings.extend(orientation(&oriented, &faces));
    let Oriented { mesh, shells, .. } = oriented;
    if encloses_nothing(&mesh) {
        warnings.push(ShapeWarning::NoVolume);
    }
    Assembled { mesh, origin, open: None, warnings, shells }
}

/// Warnings about shells that were turned, or may be meant to face the other way.
fn orientation(oriented: &Oriented, faces: &[u32]) -> Vec<ShapeWarning<u32>> {
    let Oriented { shells, turned, all_turned, united, .. } = oriented;
    let shells = *shells;
    let face = |triangles: &[usize]| triangles.first().map(|&t| faces[t]);
    let turning = face(turned).map(|first| match all_turned {
        true => ShapeWarning::AllTurned,
        false => ShapeWarning::Turned { turned: turned.len(), shells, first },
    });
    let uniting =
        face(united).map(|first| ShapeWarning::United { united: united.len(), shells, first });
    turning.into_iter().chain(uniting).collect()
}

/// An open mesh, with the polygons at the edge that messages name.
fn open_polygons(
    mut open: OpenMesh,
    near: Option<f64>,
    origin: &[f64; 3],
    faces: &[u32],
) -> OpenPolygons {
    let reported = open.triangles.iter().take(MAX_REPORTED_FACES);
    let polygons = reported.map(|&t| faces[t]).collect();
    open.shift(origin);
    OpenPolygons { open, polygons, near }
}
