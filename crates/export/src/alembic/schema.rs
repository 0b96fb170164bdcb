//! Meshes, points and transforms as objects whose samples come frame by frame.
//!
//! Faces are clockwise as seen from outside, so that corners stand in reverse.
//!
//! Source: Alembic 1.8.12, `AbcGeom/OPolyMesh.cpp`, `OPoints.cpp`, `OXform.cpp`, and files that it
//! wrote.

use super::object::Object;
use super::ogawa::Ogawa;
use super::property::{Compound, Pod, Property};
use super::time::Times;
use crate::format::Target;
use crate::frame::{Mesh, Points, Pose, Values};
use std::io;

/// Operations of a transform: a shift, a turn about an axis by degrees, and a matrix.
const SHIFT: u8 = 0x10;
const TURN: u8 = 0x20;
const MATRIX: u8 = 0x30;

/// The kinds of geometry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    PolyMesh,
    Points,
}

impl Kind {
    fn schema(self) -> &'static str {
        match self {
            Kind::PolyMesh => "AbcGeom_PolyMesh_v1",
            Kind::Points => "AbcGeom_Points_v1",
        }
    }
}

/// A mesh or points whose samples come frame by frame.
pub struct Geometry {
    name: String,
    kind: Kind,
    frames: Vec<u32>,
    bounds: Property,
    positions: Property,
    /// Of a mesh the corners and sizes of faces.
    faces: Option<[Property; 2]>,
    ids: Option<Property>,
    velocities: Option<Property>,
    normals: Option<Property>,
    widths: Option<Property>,
    others: Vec<Property>,
}

impl Geometry {
    /// A mesh like this one.
    pub fn from_mesh(mesh: &Mesh) -> Geometry {
        let point = "geoScope=vtx;interpretation=point";
        let mut geometry = Geometry::new(&mesh.name, Kind::PolyMesh, &mesh.points, point);
        geometry.faces = Some(
            [".faceIndices", ".faceCounts"].map(|name| Property::array(name, "", Pod::I32, 1)),
        );
        let normal = parameter("vtx", "interpretation=normal;", 3, Pod::F32);
        let normals = mesh.points.vectors("normal");
        geometry.normals = normals.map(|_| Property::array("N", &normal, Pod::F32, 3));
        geometry.others = others(&mesh.points, &["velocity", "normal"], "vtx");
        geometry
    }

    /// Points like these.
    pub fn from_points(name: &str, points: &Points) -> Geometry {
        let point = "geoScope=var;interpretation=point";
        let mut geometry = Geometry::new(name, Kind::Points, points, point);
        geometry.ids = Some(Property::array(".pointIds", "geoScope=var", Pod::U64, 1));
        let width = parameter("var", "", 1, Pod::F32);
        let radii = points.floats("radius");
        geometry.widths = radii.map(|_| Property::array(".widths", &width, Pod::F32, 1));
        geometry.others = others(points, &["velocity", "radius", "id"], "var");
        geometry
    }

    fn new(name: &str, kind: Kind, points: &Points, place: &str) -> Geometry {
        let velocity = "interpretation=vector";
        let velocities = points.vectors("velocity");
        Geometry {
            name: name.to_owned(),
            kind,
            frames: Vec::new(),
            bounds: Property::scalar(".selfBnds", "interpretation=box", Pod::F64, 6),
            positions: Property::array("P", place, Pod::F32, 3),
            faces: None,
            ids: None,
            velocities: velocities.map(|_| Property::array(".velocities", velocity, Pod::F32, 3)),
            normals: None,
            widths: None,
            others: Vec::new(),
        }
    }

    /// Adds a sample; points have no triangles.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(
        &mut self,
        frame: u32,
        points: &Points,
        triangles: &[[u32; 3]],
        file: &mut Ogawa,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        let count = points.positions.len();
        self.frames.push(frame);
        let [min, max] = points.bounds();
        let bounds = min.into_iter().chain(max).flat_map(|x| f64::from(x).to_le_bytes());
        self.bounds.push(&bounds.collect::<Vec<u8>>(), file, target)?;
        self.positions.push(&vectors(Some(&points.positions), count), file, target)?;
        if let Some([corners, counts]) = &mut self.faces {
            let turned = triangles.iter().flat_map(|&[a, b, c]| [a, c, b]);
            let turned: Vec<u8> = turned.flat_map(|v| (v as i32).to_le_bytes()).collect();
            corners.push(&turned, file, target)?;
            counts.push(&3_i32.to_le_bytes().repeat(triangles.len()), file, target)?;
        }
        if let Some(ids) = &mut self.ids {
            let bytes: Vec<u8> = match points.ids() {
                Some(all) => all.iter().flat_map(|id| id.to_le_bytes()).collect(),
                // The format asks for ids.
                None => (0..count as u64).flat_map(|id| id.to_le_bytes()).collect(),
            };
            ids.push(&bytes, file, target)?;
        }
        if let Some(velocities) = &mut self.velocities {
            velocities.push(&vectors(points.vectors("velocity"), count), file, target)?;
        }
        if let Some(normals) = &mut self.normals {
            normals.push(&vectors(points.vectors("normal"), count), file, target)?;
        }
        if let Some(widths) = &mut self.widths {
            let radii = points.floats("radius").unwrap_or_default();
            let bytes: Vec<u8> = radii.iter().flat_map(|r| (2.0 * r).to_le_bytes()).collect();
            widths.push(&padded(bytes, 4 * count), file, target)?;
        }
        for property in &mut self.others {
            let attribute = points.attributes.iter().find(|it| it.name == property.name());
            let bytes: Vec<u8> = match attribute.map(|it| &it.values) {
                Some(Values::Floats(all)) => all.iter().flat_map(|x| x.to_le_bytes()).collect(),
                Some(Values::Vectors(all)) => vectors(Some(all), count),
                Some(Values::Labels(all)) => all.iter().flat_map(|x| x.to_le_bytes()).collect(),
                Some(Values::Ids(all)) => all.iter().flat_map(|x| x.to_le_bytes()).collect(),
                None => Vec::new(),
            };
            property.push(&padded(bytes, count * property.element_size()), file, target)?;
        }
        Ok(())
    }

    /// The object.
    pub fn into_object(self, times: &mut Times) -> Object {
        let number = times.number(&self.frames);
        let mut properties = vec![self.bounds, self.positions];
        properties.extend(self.faces.into_iter().flatten());
        properties.extend(self.ids);
        properties.extend(self.velocities);
        properties.extend(self.normals);
        properties.extend(self.widths);
        let with_times = |all: Vec<Property>| all.into_iter().map(|it| (it, number)).collect();
        let others = Compound {
            name: ".arbGeomParams".to_owned(),
            properties: with_times(self.others),
            ..Compound::default()
        };
        let metadata = format!("schema={};schemaBaseType=AbcGeom_GeomBase_v1", self.kind.schema());
        let title = format!("{metadata};schemaObjTitle={}:.geom", self.kind.schema());
        let compounds = if others.properties.is_empty() { Vec::new() } else { vec![others] };
        let properties = with_times(properties);
        let geometry = Compound { name: ".geom".to_owned(), metadata, properties, compounds };
        Object {
            name: self.name,
            metadata: title,
            properties: Some(geometry),
            children: Vec::new(),
        }
    }
}

/// The metadata of a parameter of points.
fn parameter(scope: &str, interpretation: &str, extent: usize, pod: Pod) -> String {
    let name = pod.name();
    format!(
        "arrayExtent=1;geoScope={scope};{interpretation}isGeomParam=true;podExtent={extent};\
         podName={name}"
    )
}

/// Properties of the other attributes.
fn others(points: &Points, known: &[&str], scope: &str) -> Vec<Property> {
    let property = |(name, values): (&str, &Values)| {
        let (pod, extent, interpretation) = match values {
            Values::Floats(_) => (Pod::F32, 1, ""),
            Values::Vectors(_) => (Pod::F32, 3, "interpretation=vector;"),
            Values::Labels(_) => (Pod::I32, 1, ""),
            Values::Ids(_) => (Pod::U64, 1, ""),
        };
        Property::array(name, &parameter(scope, interpretation, extent, pod), pod, extent)
    };
    points.others(known).map(|it| property((&it.name, &it.values))).collect()
}

/// Vectors as bytes; zeros where there are none.
fn vectors(vectors: Option<&[[f32; 3]]>, count: usize) -> Vec<u8> {
    let all = vectors.unwrap_or_default().as_flattened();
    padded(all.iter().flat_map(|x| x.to_le_bytes()).collect(), 12 * count)
}

/// Bytes of a length; what is missing is 0.
fn padded(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.resize(length, 0);
    bytes
}

/// A transform whose samples come frame by frame.
pub struct Transform {
    name: String,
    operation: u8,
    frames: Vec<u32>,
    inherits: Property,
    operations: Property,
    values: Property,
}

impl Transform {
    /// The turn of z up, as here, to y up, as there: by −90° about x.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn upright(name: &str, file: &mut Ogawa, target: &mut dyn Target) -> io::Result<Transform> {
        let mut transform = Transform::new(name, TURN, 4);
        transform.push(0, &[1.0, 0.0, 0.0, -90.0], file, target)?;
        Ok(transform)
    }

    /// No motion: importers call geometry by the transform above it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn still(name: &str, file: &mut Ogawa, target: &mut dyn Target) -> io::Result<Transform> {
        let mut transform = Transform::new(name, SHIFT, 3);
        transform.push(0, &[0.0; 3], file, target)?;
        Ok(transform)
    }

    /// The poses of a body.
    pub fn of_poses(name: &str) -> Transform {
        Transform::new(name, MATRIX, 16)
    }

    fn new(name: &str, operation: u8, channels: usize) -> Transform {
        Transform {
            name: name.to_owned(),
            operation,
            frames: Vec::new(),
            inherits: Property::scalar(".inherits", "", Pod::Bool, 1),
            operations: Property::scalar(".ops", "", Pod::U8, 1),
            values: Property::scalar(".vals", "", Pod::F64, channels),
        }
    }

    /// Adds where a body is.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(
        &mut self,
        frame: u32,
        pose: &Pose,
        file: &mut Ogawa,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        // Rows are where the axes go; vectors stand before the matrix.
        let place = |point: [f64; 3]| pose.carry(point).0;
        let origin = pose.position;
        let mut matrix = [0.0; 16];
        for axis in 0..3 {
            let mut unit = [0.0; 3];
            unit[axis] = 1.0;
            let image = place(unit);
            (0..3).for_each(|k| matrix[4 * axis + k] = image[k] - origin[k]);
        }
        matrix[12..15].copy_from_slice(&origin);
        matrix[15] = 1.0;
        self.push(frame, &matrix, file, target)
    }

    fn push(
        &mut self,
        frame: u32,
        values: &[f64],
        file: &mut Ogawa,
        target: &mut dyn Target,
    ) -> io::Result<()> {
        self.frames.push(frame);
        self.inherits.push(&[1], file, target)?;
        self.operations.push(&[self.operation], file, target)?;
        let values: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.values.push(&values, file, target)
    }

    /// The object, above others.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn into_object(
        self,
        children: Vec<Object>,
        times: &mut Times,
        file: &mut Ogawa,
        target: &mut dyn Target,
    ) -> io::Result<Object> {
        let number = times.number(&self.frames);
        let mut properties =
            vec![(self.inherits, number), (self.operations, number), (self.values, number)];
        let mut moves = Property::scalar("isNotConstantIdentity", "", Pod::Bool, 1);
        moves.push(&[1], file, target)?;
        properties.push((moves, 0));
        if self.operation == MATRIX {
            let channels: Vec<u8> = (0..16_u32).flat_map(|k| k.to_le_bytes()).collect();
            let mut animated = Property::array(".animChans", "", Pod::U32, 1);
            animated.push(&channels, file, target)?;
            properties.push((animated, 0));
        }
        let schema = "schema=AbcGeom_Xform_v3";
        let properties = Compound {
            name: ".xform".to_owned(),
            metadata: schema.to_owned(),
            properties,
            compounds: Vec::new(),
        };
        let metadata = format!("{schema};schemaObjTitle=AbcGeom_Xform_v3:.xform");
        Ok(Object { name: self.name, metadata, properties: Some(properties), children })
    }
}
