//! The page: what its scripts hold.

use super::*;
use crate::foam::FoamPoint;

/// The script of a frame in the unit box, with particles of radius 0.1.
fn script(number: u32, fluids: &[FluidFrame], foam: &[FoamPoint], colouring: &Colouring) -> String {
    let bounds = page::quantised(&unit_box());
    let shown = page::PageFrame { number, fluids, foam, moving: None };
    page::frame(&shown, &page::Quantisation { colouring, bounds: &bounds, radius: 0.1 })
}

/// What the script of a frame holds, unpacked.
fn unpacked(script: &str) -> Vec<u8> {
    use base64::Engine as _;
    use std::io::Read as _;
    let text = script.split('"').nth(1).unwrap();
    let packed = base64::engine::general_purpose::STANDARD.decode(text).unwrap();
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(&*packed).read_to_end(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_data_of_a_page_are_places_values_and_triangles() {
    let mut random = random();
    let n = 500;
    let mut positions: Vec<Vec3> = (0..n).map(|_| vec3([0; 3].map(|_| random()))).collect();
    positions[3] = Vec3::repeat(Real::NAN);
    positions[4] = Vec3::repeat(1e9);
    let values: Vec<f32> = (0..n).map(|k| k as f32 / 100.0).collect();
    let triangles: Vec<[u32; 3]> =
        (0..900).map(|_| [0; 3].map(|_| (random() * n as f64) as u32)).collect();
    let normals: Vec<Eye> =
        (0..n).map(|_| Eye::from([0; 3].map(|_| random() as f32 - 0.5)).normalize()).collect();
    let faces = Some(frame::Faces { normals: normals.clone(), triangles: triangles.clone() });
    let fluid = FluidFrame { positions: positions.clone(), values: values.clone(), faces };
    let colouring = Colouring::new(Quantity::Speed, [0.0, 5.0]);
    let bounds = page::quantised(&unit_box());
    let script = script(12, &[fluid.clone(), fluid], &[], &colouring);
    assert!(script.starts_with("hashfallFrame(12,\"") && script.ends_with("\");\n"));
    let bytes = unpacked(&script);
    let head = |k: usize| u32::from_le_bytes(bytes[4 * k..][..4].try_into().unwrap()) as usize;
    assert_eq!([0, 1, 2].map(head), [2 * n, 2 * triangles.len(), 0]);
    let mut rest = &bytes[12..];
    let mut plane = |count: usize| {
        let (plane, after) = rest.split_at(count);
        rest = after;
        plane
    };
    for axis in 0..3 {
        let (lower, upper) = (plane(2 * n), plane(2 * n));
        let mut now = 0_u16;
        let (low, extent) = (to_f64(&bounds.min)[axis], to_f64(&bounds.extent())[axis]);
        for k in 0..2 * n {
            now = now.wrapping_add(u16::from_le_bytes([lower[k], upper[k]]));
            let place = low + f64::from(now) / 65535.0 * extent;
            let given = to_f64(&positions[k % n])[axis];
            match k % n {
                3 => assert_eq!(now, 0, "what is no place is at a corner"),
                4 => assert_eq!(now, u16::MAX, "what is far off is at the edge"),
                _ => assert!((place - given).abs() <= 0.51 * extent / 65535.0, "{place} {given}"),
            }
        }
    }
    let mut now = 0_u8;
    for (k, step) in plane(2 * n).iter().enumerate() {
        now = now.wrapping_add(*step);
        assert!((f32::from(now) / 255.0 - values[k % n] / 5.0).abs() < 0.003);
    }
    let (u, v) = (plane(2 * n), plane(2 * n));
    let (mut at_u, mut at_v) = (0_u8, 0_u8);
    for k in 0..2 * n {
        (at_u, at_v) = (at_u.wrapping_add(u[k]), at_v.wrapping_add(v[k]));
        let [x, y] = [at_u, at_v].map(|at| f32::from(at) / 127.5 - 1.0);
        let z = 1.0 - x.abs() - y.abs();
        let sign = |x: f32| if x < 0.0 { -1.0 } else { 1.0 };
        let folded = Eye::new((1.0 - y.abs()) * sign(x), (1.0 - x.abs()) * sign(y), z);
        let normal = if z < 0.0 { folded } else { Eye::new(x, y, z) }.normalize();
        assert!((normal - normals[k % n]).norm() < 0.03);
    }
    let corners: Vec<&[u8]> = (0..4).map(|_| plane(6 * triangles.len())).collect();
    let mut now = 0_i64;
    let numbers = (0..6 * triangles.len()).map(|k| [0, 1, 2, 3].map(|byte| corners[byte][k]));
    for (k, bytes) in numbers.enumerate() {
        let folded = u32::from_le_bytes(bytes);
        now += if folded & 1 == 1 { -i64::from(folded >> 1) - 1 } else { i64::from(folded >> 1) };
        let first = if k < 3 * triangles.len() { 0 } else { n as i64 };
        let given = i64::from(triangles.as_flattened()[k % (3 * triangles.len())]);
        assert_eq!(now, first + given);
    }
    assert!(plane(0).is_empty() && rest.is_empty(), "nothing more");
}

#[test]
fn particles_that_are_nowhere_are_not_on_the_page() {
    let places = [[0.2, 0.5, 0.5], [Real::NAN; 3], [1e9, 0.5, 0.5], [0.7, 0.5, 0.5]];
    let positions: Vec<Vec3> = places.map(|[x, y, z]| Vec3::new(x, y, z)).to_vec();
    let fluid = FluidFrame { positions, values: vec![0.0, 1.0, 2.0, 4.0], faces: None };
    let colouring = Colouring::new(Quantity::Speed, [0.0, 4.0]);
    let bounds = page::quantised(&unit_box());
    let bytes = unpacked(&script(0, &[fluid], &[], &colouring));
    assert_eq!(bytes[..12], [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "two places, nothing else");
    assert_eq!(bytes.len(), 12 + 2 * 7);
    assert_eq!(bytes[24..], [0, 255], "the values of the first and the last");
    let step = u16::from_le_bytes([bytes[13], bytes[15]]);
    assert!((f64::from(step) / 65535.0 * to_f64(&bounds.extent())[0] - 0.5).abs() < 1e-4);
}

#[test]
fn a_page_holds_what_it_is_told_and_no_script_of_others() {
    let colouring = Colouring::new(Quantity::Phase, [0.0, 1.0]);
    let names = ["water".to_owned(), "</script><b>oil".to_owned()];
    let run = page::Run {
        name: "</script><script>alert(1)".to_owned(),
        frames: vec![(0, 0.0), (5, 0.1)],
        rate: 50.0,
        domain: page::Run::corners(&unit_box()),
        floor: true,
        quantised: page::Run::corners(&page::quantised(&unit_box())),
        radius: 0.01,
        view: page::Run::view(ViewDirection::default()),
        scale: page::Scale::new(&colouring, &names),
    };
    let html = run.page();
    assert_eq!(html.matches("</script>").count(), 2, "those of the page itself");
    assert!(html.contains(r#""frames":[[0,0.0],[5,0.1]]"#));
    assert!(!html.contains("http://") && !html.contains("https://"));
    let (balls, meshes) = still_life();
    let standing = SolidShapes { balls: balls[3001..].to_vec(), meshes: meshes[1..].to_vec() };
    let solids = unpacked(&page::solids(&standing));
    let number = |k: usize| f32::from_le_bytes(solids[4 * k..][..4].try_into().unwrap());
    assert_eq!(u32::from_le_bytes(solids[..4].try_into().unwrap()), 1);
    assert_eq!(u32::from_le_bytes(solids[4..8].try_into().unwrap()), 36, "corners of a box");
    assert_eq!([2, 3, 4, 5].map(number), [0.8, 0.8, 0.2, 0.2]);
    assert_eq!(solids.len(), 8 + 16 + 36 * 24);
}

#[test]
fn foam_follows_the_fluid_with_its_radii() {
    let colouring = Colouring::new(Quantity::Speed, [0.0, 4.0]);
    let positions = vec![Vec3::repeat(0.5)];
    let fluid = FluidFrame { positions, values: vec![1.0], faces: None };
    let point = |x: f32, radius: f32| FoamPoint { position: Eye::new(x, 0.25, 0.75), radius };
    let foam = [point(0.1, 0.02), point(9.0, 0.02), point(0.6, 0.05), point(0.6, 9.0)];
    let bytes = unpacked(&script(0, &[fluid], &foam, &colouring));
    assert_eq!(bytes[..12], [1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0], "one is not in the box");
    let foam = &bytes[12 + 7..];
    assert_eq!(foam.len(), 3 * 7);
    let steps = |k: usize| f64::from(u16::from_le_bytes([foam[k], foam[3 + k]])) / 65535.0;
    let extent = to_f64(&page::quantised(&unit_box()).extent())[0];
    assert!((steps(0) * extent - 0.05 - 0.1).abs() < 1e-4, "the margin of the box is 0.05");
    assert!((steps(1) * extent - 0.5).abs() < 1e-4, "half a metre further");
    let radii = &foam[18..];
    assert_eq!(radii[0], 51, "a fifth of a particle's");
    assert_eq!(radii[0].wrapping_add(radii[1]), 128, "a half");
    assert_eq!([128_u8.wrapping_add(radii[2])], [255], "as large as a particle, at the most");
}
