//! Shapes of bodies.

use super::bounds::Bounds;
use super::convex_hull::ConvexHull;
use super::error::ShapeError;
use super::geometry::{Geometry, Surface};
use super::motion::Motion;
use super::scaled::{exponent_of, parry_frame, parry_shape};
use hashfall_core::to_f64;
use hashfall_geometry::TriangleMesh;
use nalgebra::{Isometry3, Vector3};
use parry3d_f64::shape::SharedShape;
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The shape of a body, in the body's frame. Copies share what it holds.
#[derive(Clone, Debug)]
pub struct Shape {
    inner: Arc<Inner>,
    /// From the geometry's frame to the body's.
    local: Isometry3<f64>,
    max_radius: f64,
}

/// What copies of a shape share.
#[derive(Debug)]
struct Inner {
    geometry: Geometry,
    /// Of the geometry about its origin \[m\]; of a half space infinite.
    radius: f64,
    /// 2ᵏ m is its size, or a little less.
    exponent: i32,
    /// As parry holds it, in units of 2ᵏ m.
    scaled: RwLock<BTreeMap<i32, SharedShape>>,
}

impl Shape {
    /// A ball about the origin, by its radius \[m\].
    ///
    /// # Errors
    /// If a length is not positive and finite, as of all shapes.
    pub fn ball(radius: f64) -> Result<Self, ShapeError> {
        Self::new(Geometry::Ball { radius })
    }

    /// A box about the origin, by half its extents \[m\].
    ///
    /// # Errors
    /// See [`Shape::ball`].
    pub fn cuboid(half_extents: Vector3<f64>) -> Result<Self, ShapeError> {
        Self::new(Geometry::Cuboid { half: half_extents })
    }

    /// A cylinder along z about the origin \[m\].
    ///
    /// # Errors
    /// See [`Shape::ball`].
    pub fn cylinder(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::new(Geometry::Cylinder { half_height, radius })
    }

    /// A capsule about the origin: all points within `radius` of a segment along z, which has half
    /// the length `half_height` \[m\].
    ///
    /// # Errors
    /// See [`Shape::ball`].
    pub fn capsule(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::new(Geometry::Capsule { half_height, radius })
    }

    /// A cone along z: the tip at +`half_height`, the base at −`half_height` \[m\]. Its centre of
    /// mass is half of `half_height` below the origin: see [`Shape::placed`].
    ///
    /// # Errors
    /// See [`Shape::ball`].
    pub fn cone(half_height: f64, radius: f64) -> Result<Self, ShapeError> {
        Self::new(Geometry::Cone { half_height, radius })
    }

    /// The convex hull of points \[m\].
    ///
    /// # Errors
    /// If a point is not finite, or they enclose no volume.
    pub fn convex_hull(points: &[Vector3<f64>]) -> Result<Self, ShapeError> {
        Self::new(Geometry::Hull(ConvexHull::new(points)?))
    }

    /// All points on the side of the origin's plane that `normal` does not point to.
    ///
    /// # Errors
    /// If the normal is zero or not finite.
    pub fn half_space(normal: Vector3<f64>) -> Result<Self, ShapeError> {
        let normal = normal.try_normalize(0.0).filter(|n| n.iter().all(|x| x.is_finite()));
        Self::new(Geometry::HalfSpace { normal: normal.ok_or(ShapeError::Direction)? })
    }

    /// The surface of walls and vessels, of a body that is not free: concave or not, closed or not.
    /// The boundary of a volume keeps bodies on its front, an open surface on both sides. Triangles
    /// without area are left out.
    ///
    /// # Errors
    /// If a corner is not finite, or no triangle has an area.
    pub fn surface(mesh: &TriangleMesh) -> Result<Self, ShapeError> {
        Self::new(Geometry::Surface(surface_of(mesh)?))
    }

    /// A solid of convex parts.
    pub(crate) fn decomposed(parts: Vec<ConvexHull>) -> Result<Self, ShapeError> {
        Self::new(Geometry::Decomposed { parts })
    }

    fn new(geometry: Geometry) -> Result<Self, ShapeError> {
        geometry.check_lengths()?;
        let radius = geometry.radius();
        let size = if radius.is_finite() { radius } else { 1.0 };
        let exponent = exponent_of(size);
        let corners = geometry.corners().map_or(0, <[_]>::len);
        let unit = libm::ldexp(1.0, -exponent);
        let own = parry_shape(&geometry, unit).ok_or(ShapeError::Hull { corners })?;
        let scaled = RwLock::new(BTreeMap::from([(exponent, own)]));
        let inner = Arc::new(Inner { geometry, radius, exponent, scaled });
        Ok(Shape { inner, local: Isometry3::identity(), max_radius: radius })
    }

    /// The shape moved by a pose within the body's frame, whose origin is best the centre of mass.
    pub fn placed(&self, pose: &Isometry3<f64>) -> Self {
        let local = pose * self.local;
        let max_radius = self.radius_about(&local);
        Shape { inner: self.inner.clone(), local, max_radius }
    }

    /// The greatest distance of a point of it from the body's origin, or a little more \[m\]; of a
    /// half space, infinite.
    pub fn max_radius(&self) -> f64 {
        self.max_radius
    }

    /// Its size about its own centre \[m\], for what has to be relative to it; of a half space
    /// infinite.
    pub fn size(&self) -> f64 {
        self.inner.radius
    }

    /// Whether it is of a kind that only fixed or prescribed bodies may have.
    pub fn is_fixed_only(&self) -> bool {
        matches!(self.inner.geometry, Geometry::HalfSpace { .. } | Geometry::Surface(_))
    }

    /// How many convex parts it has; of a surface, how many triangles.
    pub fn part_count(&self) -> usize {
        match &self.inner.geometry {
            Geometry::Surface(surface) => surface.triangles.len(),
            Geometry::Decomposed { parts } => parts.len(),
            _ => 1,
        }
    }

    /// The box of the shape with its body at `pose`.
    pub fn bounding_box(&self, pose: &Isometry3<f64>) -> Bounds {
        if let Geometry::HalfSpace { .. } = self.inner.geometry {
            return Bounds::UNBOUNDED;
        }
        let frame = pose * self.local;
        let rotation = frame.rotation.to_rotation_matrix();
        let support = |axis: usize, sign: f64| {
            let direction = rotation.matrix().row(axis).transpose() * sign;
            frame.translation.vector[axis] + sign * self.inner.geometry.support(&direction)
        };
        let min = Vector3::from_fn(|axis, _| support(axis, -1.0));
        let max = Vector3::from_fn(|axis, _| support(axis, 1.0));
        // Rounding: of the place, and of lengths.
        let farthest = frame.translation.vector.abs().max() + self.inner.radius;
        Bounds { min, max }.grown(4.0 * f64::EPSILON * farthest)
    }

    /// A box of all places from one pose to another, by the shorter turn.
    pub fn swept_box(&self, start: &Isometry3<f64>, end: &Isometry3<f64>) -> Bounds {
        let turn = Motion::between(start, end, 1.0).spin.norm();
        self.box_of_turn(start, end, turn)
    }

    /// A box of all places of a motion from `from` to `to` \[s\], with any number of turns.
    pub fn motion_box(&self, motion: &Motion, [from, to]: [f64; 2]) -> Bounds {
        let turn = motion.spin.norm() * (to - from).abs();
        self.box_of_turn(&motion.pose_at(from), &motion.pose_at(to), turn)
    }

    /// The boxes of both ends, grown by what a turn leaves the chord: an arc of the angle θ and the
    /// radius ρ rises ρ(1 − cos θ/2) ≤ ρθ²/8 above it, and 2ρ at most.
    fn box_of_turn(&self, start: &Isometry3<f64>, end: &Isometry3<f64>, turn: f64) -> Bounds {
        let both = self.bounding_box(start).union(&self.bounding_box(end));
        if turn == 0.0 || !self.max_radius.is_finite() {
            return both;
        }
        both.grown(self.max_radius * (0.125 * turn * turn).min(2.0))
    }

    /// The greatest distance from the body's origin, of the geometry placed there.
    fn radius_about(&self, local: &Isometry3<f64>) -> f64 {
        let farthest = |corners: &[Vector3<f64>]| {
            let norm = |p: &Vector3<f64>| (local.rotation * p + local.translation.vector).norm();
            corners.iter().map(norm).fold(0.0, f64::max)
        };
        match &self.inner.geometry {
            Geometry::Hull(hull) => farthest(&hull.vertices),
            Geometry::Surface(surface) => farthest(&surface.vertices),
            Geometry::Decomposed { parts } => {
                parts.iter().map(|part| farthest(&part.vertices)).fold(0.0, f64::max)
            }
            _ => self.inner.radius + local.translation.vector.norm(),
        }
    }

    /// The height of a point above a half space with its body at `pose` \[m\]; none of others.
    pub(crate) fn height_above(&self, pose: &Isometry3<f64>, point: &Vector3<f64>) -> Option<f64> {
        let Geometry::HalfSpace { normal } = &self.inner.geometry else { return None };
        let frame = pose * self.local;
        Some((frame.rotation * normal).dot(&(point - frame.translation.vector)))
    }

    /// What it is, in the geometry's frame.
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.inner.geometry
    }

    /// From the geometry's frame to the body's.
    pub(crate) fn local(&self) -> &Isometry3<f64> {
        &self.local
    }

    /// From parry's frame to the body's.
    pub(crate) fn parry_local(&self) -> Isometry3<f64> {
        self.local * parry_frame(&self.inner.geometry)
    }

    /// The k of the unit 2ᵏ m that suits it; of a half space, none.
    pub(crate) fn exponent(&self) -> Option<i32> {
        (!matches!(self.inner.geometry, Geometry::HalfSpace { .. })).then_some(self.inner.exponent)
    }

    /// As parry holds it, in units of 2ᵏ m.
    pub(crate) fn in_units(&self, exponent: i32) -> Option<SharedShape> {
        let scaled = self.inner.scaled.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(shape) = scaled.get(&exponent) {
            return Some(shape.clone());
        }
        drop(scaled);
        let made = parry_shape(&self.inner.geometry, libm::ldexp(1.0, -exponent))?;
        let mut scaled = self.inner.scaled.write().unwrap_or_else(PoisonError::into_inner);
        Some(scaled.entry(exponent).or_insert(made).clone())
    }
}

/// The triangles of a mesh that have an area.
fn surface_of(mesh: &TriangleMesh) -> Result<Surface, ShapeError> {
    let vertices: Vec<Vector3<f64>> =
        mesh.vertices.iter().map(|v| Vector3::from(to_f64(v))).collect();
    if let Some(number) = vertices.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(ShapeError::NotFinite(number));
    }
    for (triangle, corners) in mesh.triangles.iter().enumerate() {
        if let Some(&corner) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(ShapeError::Index { triangle, corner, corners: vertices.len() });
        }
    }
    let has_area = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| vertices[v as usize]);
        (b - a).cross(&(c - a)).norm_squared() > 0.0
    };
    let triangles: Vec<_> = mesh.triangles.iter().copied().filter(has_area).collect();
    if triangles.is_empty() {
        return Err(ShapeError::NoTriangles);
    }
    let is_two_sided = mesh.check_closed().is_err();
    Ok(Surface { vertices, triangles, is_two_sided })
}
