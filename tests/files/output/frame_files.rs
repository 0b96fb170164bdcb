//! Frames read back by readers that are not ours: vtkio and ply-rs-bw.
//!
//! vtkio 0.7.0-rc2 knows appended data only as base64 (its raw variant hides behind a feature that
//! its manifest lacks), so the block is put into base64 before it reads our head, offsets and
//! values. VTK reads the files as they are: `tests/interop`.

use super::blob;
use hashfall_bodies::Wrench;
use hashfall_core::{Attribute as Carried, Real, Values, Vec3};
use hashfall_geometry::Point;
use hashfall_input::{self as input, AttributeFilter, Cloud, Format};
use hashfall_output::{BodyRow, ParticleFrame, body_poses, obstacles, ply, vtk, vtp};
use hashfall_solid::{BodySpec, BodyState, DrivenBody, KinematicLaw};
use hashfall_sph::world::World;
use hashfall_surface::SurfaceMesh;
use ply_rs_bw::parser::Parser;
use ply_rs_bw::ply::{DefaultElement, Property};
use vtkio::model::{Attribute, DataSet, Piece, PolyDataPiece, VertexNumbers, Vtk};

fn read_vtp(bytes: &[u8]) -> PolyDataPiece {
    let vtk = Vtk::parse_xml(in_base64(bytes).as_bytes()).unwrap();
    let DataSet::PolyData { mut pieces, .. } = vtk.data else { panic!("not PolyData") };
    assert_eq!(pieces.len(), 1);
    let Piece::Inline(piece) = pieces.remove(0) else { panic!("data elsewhere") };
    *piece
}

/// The same file with each appended array in base64, and the offsets that follow from it.
fn in_base64(bytes: &[u8]) -> String {
    let start = b"<AppendedData encoding=\"raw\">\n";
    let at = bytes.windows(start.len()).position(|window| window == start).unwrap();
    let padding = bytes[at + start.len()..].iter().take_while(|&&byte| byte == b' ').count();
    let block = bytes[at + start.len() + padding..].strip_prefix(b"_").unwrap();
    let head = str::from_utf8(&bytes[..at]).unwrap();
    let (mut new_head, mut new_block, mut end) = (String::new(), String::new(), 0);
    for (number, part) in head.split("offset=\"").enumerate() {
        if number == 0 {
            new_head.push_str(part);
            continue;
        }
        let (offset, rest) = part.split_once('"').unwrap();
        let offset: usize = offset.parse().unwrap();
        assert_eq!(offset, end, "arrays follow each other");
        let length = u64::from_le_bytes(block[offset..offset + 8].try_into().unwrap()) as usize;
        end = offset + 8 + length;
        new_head.push_str(&format!("offset=\"{}\"{rest}", new_block.len()));
        new_block.push_str(&base64(&block[offset..end]));
    }
    assert_eq!(&block[end..], b"\n</AppendedData>\n</VTKFile>\n");
    format!("{new_head}<AppendedData encoding=\"base64\">_{new_block}</AppendedData></VTKFile>")
}

/// Base64 with padding (RFC 4648 §4).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = |group: &[u8]| -> String {
        let byte = |i: usize| u32::from(group.get(i).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        (0..4)
            .map(|i| match i <= group.len() {
                true => DIGITS[(bits >> (18 - 6 * i)) as usize & 63] as char,
                false => '=',
            })
            .collect()
    };
    bytes.chunks(3).map(digits).collect()
}

/// The numbers of a point attribute, and how many there are per point.
fn attribute(piece: &PolyDataPiece, name: &str) -> (Vec<f64>, u32) {
    let found = piece.data.point.iter().find_map(|attribute| match attribute {
        Attribute::DataArray(array) if array.name == name => Some(array),
        _ => None,
    });
    let array = found.unwrap_or_else(|| panic!("no array {name}"));
    (array.data.clone().cast_into().unwrap(), array.num_comp() as u32)
}

fn cells(cells: &Option<VertexNumbers>) -> (Vec<u64>, Vec<u64>) {
    match cells {
        Some(VertexNumbers::XML { connectivity, offsets }) => {
            (connectivity.clone(), offsets.clone())
        }
        other => panic!("no cells: {other:?}"),
    }
}

/// The particles of a world, of a radius of their own.
fn frame(world: &World) -> ParticleFrame<'_> {
    ParticleFrame { particles: &world.particles, radius: 0.125, time: world.time }
}

fn flat(vectors: &[Vec3]) -> Vec<f64> {
    vectors.iter().flat_map(|v| v.iter().map(|&x| f64::from(x)).collect::<Vec<_>>()).collect()
}

#[test]
fn particles_come_back_in_order_of_id() {
    let world = blob::world(3);
    let count = world.particles.len();
    let bytes = vtp::particles(&frame(&world)).into_bytes();
    assert!(String::from_utf8_lossy(&bytes).contains("Name=\"TimeValue\""));
    assert!(
        String::from_utf8_lossy(&bytes).contains(">0.1</DataArray>"),
        "3 frames at 30 a second"
    );

    let piece = read_vtp(&bytes);
    let mut positions = world.particles.position.clone();
    positions.reverse();
    assert_eq!(piece.points.clone().cast_into::<f64>().unwrap(), flat(&positions));
    assert_eq!(attribute(&piece, "velocity"), (flat(&world.particles.velocity), 3));
    let numbers: Vec<f64> = (0..count).map(|i| i as f64).collect();
    assert_eq!(attribute(&piece, "id"), (numbers.clone(), 1));
    assert_eq!(attribute(&piece, "pressure"), (numbers, 1), "the blob's pressure is its id");
    assert_eq!(attribute(&piece, "density"), (vec![1000.0; count], 1));
    assert_eq!(attribute(&piece, "phase"), (vec![0.0; count], 1));
    assert_eq!(attribute(&piece, "radius"), (vec![0.125; count], 1));
    let one_cell = ((0..count as u64).collect(), vec![count as u64]);
    assert_eq!(cells(&piece.verts), one_cell);
}

#[test]
fn a_world_without_particles_is_a_whole_file_without_cells() {
    let mut world = blob::world(0);
    world.particles = Default::default();
    let piece = read_vtp(&vtp::particles(&frame(&world)).into_bytes());
    assert_eq!(piece.num_points(), 0);
    assert_eq!(attribute(&piece, "velocity").0, Vec::<f64>::new());
}

/// By the reader of the project, too, which `sim audit` uses.
#[test]
fn particles_come_back_from_every_format() {
    let world = blob::world(3);
    let frame = frame(&world);
    let read = |bytes: &[u8], format| input::read(bytes, format, &AttributeFilter::All).unwrap();
    let of = |cloud: &Cloud, name: &str| {
        cloud.attributes.iter().find(|attribute| attribute.name == name).cloned()
    };
    let expected = read(&vtp::particles(&frame).into_bytes(), Format::VtkXml);
    let ply = read(&ply::particles(&frame).into_bytes(), Format::Ply);
    let legacy = read(&vtk::particles(&frame), Format::VtkLegacy);
    assert_eq!(
        (ply.positions.len(), &legacy.positions),
        (world.particles.len(), &expected.positions)
    );
    assert_eq!(legacy.time, Some(world.time));
    for name in ["velocity", "id", "phase", "radius", "density", "pressure", "age"] {
        let values = of(&expected, name).unwrap().values;
        assert_eq!(of(&legacy, name).unwrap().values, values, "{name}");
        let is_in_ply = !["density", "pressure", "age"].contains(&name);
        assert_eq!(of(&ply, name).is_some(), is_in_ply, "{name}");
    }
    let single = |all: &[Vec3]| flat(all).iter().map(|&x| x as f32).collect::<Vec<_>>();
    assert_eq!(single(&ply.positions), single(&expected.positions));
    assert_eq!(of(&ply, "id"), of(&expected, "id"));
}

#[test]
fn a_legacy_file_is_read_by_the_crate_that_wrote_it() {
    let mesh = SurfaceMesh {
        attributes: vec![Carried::new("a \"b\" %", Values::Integers(vec![-7; 642].into()))],
        ..blob::surface(0)
    };
    let bytes = vtk::surface(&mesh, None);
    let DataSet::PolyData { mut pieces, .. } = Vtk::parse_legacy_be(&*bytes).unwrap().data else {
        panic!("not PolyData")
    };
    let Piece::Inline(piece) = pieces.remove(0) else { panic!("data elsewhere") };
    assert_eq!(piece.points.clone().cast_into::<f64>().unwrap(), flat(&mesh.positions));
    assert_eq!(piece.polys.map(|polys| polys.num_cells()), Some(mesh.triangles.len()));
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("a%20%22b%22%20%25 1 642 ") && !text.contains("TIME"), "{text:.300}");
    let timed = vtk::surface(&mesh, Some(0.1));
    let read = input::read(&timed, Format::VtkLegacy, &AttributeFilter::All).unwrap();
    assert_eq!((read.time, read.positions), (Some(0.1), mesh.positions));
}

#[test]
fn a_surface_comes_back_from_vtp() {
    let mesh = blob::surface(1);
    let piece = read_vtp(&vtp::surface(&mesh, Some(0.5)).into_bytes());
    assert_eq!(piece.points.clone().cast_into::<f64>().unwrap(), flat(&mesh.positions));
    assert_eq!(attribute(&piece, "Normals"), (flat(&mesh.normals), 3));
    assert_eq!(
        attribute(&piece, "velocity"),
        (flat(&vec![blob::VELOCITY; mesh.positions.len()]), 3)
    );
    let corners: Vec<u64> = mesh.triangles.iter().flatten().map(|&v| u64::from(v)).collect();
    let ends: Vec<u64> = (1..=mesh.triangles.len() as u64).map(|n| 3 * n).collect();
    assert_eq!(cells(&piece.polys), (corners, ends));
}

#[test]
fn a_surface_comes_back_from_ply() {
    let mesh = blob::surface(1);
    let read = Parser::<DefaultElement>::new()
        .read_ply(&mut ply::surface(&mesh).into_bytes().as_slice())
        .unwrap();
    let vertices = &read.payload["vertex"];
    let vectors = |names: [&str; 3]| -> Vec<Vec3> {
        let component = |vertex: &DefaultElement, name: &str| match vertex[name] {
            Property::Float(x) => Real::from(x),
            ref other => panic!("{name} is {other:?}"),
        };
        vertices.iter().map(|v| Vec3::from(names.map(|name| component(v, name)))).collect()
    };
    let single = |v: &Vec<Vec3>| flat(v).iter().map(|&x| x as f32).collect::<Vec<_>>();
    assert_eq!(single(&vectors(["x", "y", "z"])), single(&mesh.positions));
    assert_eq!(single(&vectors(["nx", "ny", "nz"])), single(&mesh.normals));
    assert_eq!(
        single(&vectors(["vx", "vy", "vz"])),
        single(&vec![blob::VELOCITY; mesh.positions.len()])
    );
    let faces: Vec<Property> =
        read.payload["face"].iter().map(|face| face["vertex_indices"].clone()).collect();
    let expected: Vec<Property> =
        mesh.triangles.iter().map(|t| Property::ListUShort(t.map(|v| v as u16).into())).collect();
    assert_eq!(faces, expected);
}

/// Corners have 16 bits in a mesh of up to 65 536 vertices, phases 8 up to 255, other labels 32.
#[test]
fn numbers_of_a_ply_come_back_where_their_types_change() {
    for count in [65_536_u32, 65_537] {
        for phase in [255, 256] {
            let positions: Vec<Vec3> = (0..count).map(|v| Vec3::x() * v as Real).collect();
            let triangles: Vec<[u32; 3]> = (0..count - 2).map(|v| [v, v + 1, v + 2]).collect();
            let labels = |label| Values::Labels(vec![label; positions.len()].into());
            let mesh = SurfaceMesh {
                normals: vec![Vec3::z(); positions.len()],
                attributes: vec![
                    Carried::new("phase", labels(phase)),
                    Carried::new("id", labels(phase)),
                ],
                positions,
                triangles,
            };
            let read = Parser::<DefaultElement>::new()
                .read_ply(&mut ply::surface(&mesh).into_bytes().as_slice())
                .unwrap();
            let narrow = u8::try_from(phase).map(Property::UChar);
            let vertices = &read.payload["vertex"];
            assert_eq!(vertices.len(), count as usize);
            for (v, vertex) in vertices.iter().enumerate() {
                assert_eq!(vertex["x"], Property::Float(v as f32));
                assert_eq!(vertex["phase"], narrow.clone().unwrap_or(Property::UInt(phase)));
                assert_eq!(vertex["id"], Property::UInt(phase));
            }
            let faces = &read.payload["face"];
            assert_eq!(faces.len(), mesh.triangles.len());
            for (face, corners) in faces.iter().zip(&mesh.triangles) {
                let read: Vec<u32> = match &face["vertex_indices"] {
                    Property::ListUShort(read) if count == 65_536 => {
                        read.iter().map(|&v| v.into()).collect()
                    }
                    Property::ListUInt(read) if count == 65_537 => read.clone(),
                    other => panic!("corners are {other:?}"),
                };
                assert_eq!(read, corners);
            }
        }
    }
}

/// Few particles and many have the same types.
#[test]
fn a_series_of_particles_in_ply_keeps_its_types() {
    let properties = |count: u32| -> Vec<String> {
        let mut world = blob::world(0);
        world.particles = Default::default();
        (0..count).for_each(|_| world.particles.push(Vec3::zeros(), Vec3::zeros(), 0, 1000.0));
        assert_eq!(world.particles.id.last(), Some(&(count - 1)));
        let bytes = ply::particles(&frame(&world)).into_bytes();
        let head = String::from_utf8_lossy(&bytes);
        head.lines().filter(|line| line.starts_with("property")).map(Into::into).collect()
    };
    assert_eq!(properties(3), properties(300));
    assert!(properties(3).contains(&"property uint id".to_owned()));
    assert!(properties(3).contains(&"property uchar phase".to_owned()));
}

#[test]
fn one_triangle_in_ply_is_these_bytes() {
    let mesh = SurfaceMesh {
        positions: vec![Vec3::new(1.0, 0.0, 0.0), Vec3::zeros(), Vec3::new(0.0, 0.0, 2.0)],
        normals: vec![Vec3::y(); 3],
        attributes: vec![
            Carried::new("velocity", Values::Vectors(vec![Vec3::new(0.0, -0.5, 0.0); 3].into())),
            Carried::new("fluid id", Values::Labels(vec![7, 8, 9].into())),
            Carried::new("phase", Values::Labels(vec![0, 1, 255].into())),
            Carried::new("curl", Values::Vectors(vec![Vec3::x(); 3].into())),
            Carried::new("depth", Values::Scalars(vec![0.25; 3].into())),
        ],
        triangles: vec![[0, 1, 2]],
    };
    let mut expected = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\n".to_vec();
    for name in ["x", "y", "z", "nx", "ny", "nz", "vx", "vy", "vz"] {
        expected.extend(format!("property float {name}\n").bytes());
    }
    expected.extend(b"property uint fluid_id\nproperty uchar phase\n");
    for name in ["curl_x", "curl_y", "curl_z", "depth"] {
        expected.extend(format!("property float {name}\n").bytes());
    }
    expected.extend(b"element face 1\nproperty list uchar ushort vertex_indices\nend_header\n");
    for (x, z, id, phase) in [(1f32, 0f32, 7u32, 0u8), (0.0, 0.0, 8, 1), (0.0, 2.0, 9, 255)] {
        for number in [x, 0.0, z, 0.0, 1.0, 0.0, 0.0, -0.5, 0.0] {
            expected.extend(number.to_le_bytes());
        }
        expected.extend(id.to_le_bytes());
        expected.push(phase);
        for number in [1f32, 0.0, 0.0, 0.25] {
            expected.extend(number.to_le_bytes());
        }
    }
    expected.extend(*b"\x03\0\0\x01\0\x02\0");
    assert_eq!(ply::surface(&mesh).into_bytes(), expected);
}

#[test]
fn obstacles_are_one_mesh_of_all_spheres_and_one_per_mesh() {
    let world = blob::world(0);
    let all = obstacles::all(&world.solids);
    let names: Vec<&str> = all.iter().map(|o| o.name.as_str()).collect();
    assert_eq!(names, ["spheres", "mesh_00"]);

    let piece = read_vtp(&vtp::obstacle(&all[0], None).into_bytes());
    let normals = attribute(&piece, "Normals").0;
    let points = piece.points.cast_into::<f64>().unwrap();
    assert_eq!(points.len(), 3 * 2 * 642);
    for (point, normal) in points.chunks(3).zip(normals.chunks(3)) {
        let on_surface = |sphere: &hashfall_solid::Sphere| {
            (0..3).all(|a| {
                let expected = f64::from(sphere.centre[a]) + f64::from(sphere.radius) * normal[a];
                (point[a] - expected).abs() < 1e-6
            })
        };
        assert!(world.solids.spheres().iter().any(on_surface), "{point:?} on no sphere");
    }
    let prism = read_vtp(&vtp::obstacle(&all[1], None).into_bytes());
    assert_eq!(prism.num_points(), 6);
    assert_eq!(cells(&prism.polys).1.len(), 8);
    let ply = ply::obstacle(&all[1]).into_bytes();
    assert!(ply.ends_with(b"\x03\x02\0\x03\0\x05\0"), "the prism's last face");
}

#[test]
fn bodies_are_meshes_about_their_centres_and_points_where_they_are() {
    let mut solids = blob::world(0).solids;
    let one = |spheres, meshes| BodySpec { spheres, meshes, ..BodySpec::default() };
    let (ball, prism) = ([1.7, 0.7, 0.2], [1.2, 0.1, 0.25]);
    let laws = vec![None, Some(KinematicLaw::driven(ball)), Some(KinematicLaw::driven(prism))];
    solids = solids.with_bodies(&[one(1, 0), one(1, 0), one(0, 1)]).with_kinematic_laws(laws);
    let spin = Point::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let start = *solids.body_state(3).unwrap();
    let moving = BodyState { velocity: Point::x(), angular_velocity: spin, ..start };
    solids.set_body_state(3, moving.advanced(1.0)).unwrap();

    let others = obstacles::all(&solids);
    assert_eq!(others.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["spheres"]);
    assert!(!others[0].moves && others[0].drawing().vertices() == 642);
    let bodies = obstacles::bodies(&solids);
    assert_eq!(
        bodies.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
        ["body_01", "body_02"]
    );
    let (drawn_ball, drawn) = (bodies[0].drawing(), bodies[1].drawing());
    let radii = (0..drawn_ball.vertices()).map(|k| f64::from(drawn_ball.vertex(k).norm()));
    assert!(radii.into_iter().all(|radius| (radius - 0.2).abs() < 1e-6) && drawn_ball.is_smooth());
    assert!(!drawn.is_smooth() && drawn.triangles() == 8);
    // A mesh and a pose make what the solids show.
    let row = |body: DrivenBody| BodyRow {
        solid: body.body - 1,
        state: body.state,
        fluid: Wrench::from([1.0; 6]),
        contact: Wrench::from([2.0; 6]),
    };
    let rows: Vec<BodyRow> = solids.driven_bodies().map(row).collect();
    let piece = read_vtp(&body_poses::vtp(&rows, 0.5).into_bytes());
    let (turns, parts) = attribute(&piece, "orientation");
    assert_eq!((turns.len(), parts), (8, 4));
    assert!((turns[4] - turns[7]).abs() < 1e-12 && turns[..4] == [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(attribute(&piece, "body").0, [1.0, 2.0]);
    let points = piece.points.cast_into::<f64>().unwrap();
    let place = |k: usize| {
        let [x, y, z] = [0, 1, 2].map(|axis| f64::from(drawn.vertex(k)[axis]));
        // A quarter turn about z.
        [points[3] - y, points[4] + x, points[5] + z]
    };
    for (k, shown) in solids.meshes()[0].vertices.iter().enumerate() {
        assert!((0..3).all(|axis| (place(k)[axis] - f64::from(shown[axis])).abs() < 1e-6));
    }
}
