//! Ropes and sheets that hang between two supports at one height, at rest, beside the elastic
//! catenary.

use crate::cases::elastic::catenary::{ElasticCatenary, LENGTH, SPAN};
use hashfall_elastic::testing::{Run, symplectic};
use hashfall_elastic::{
    BodySpec, ElasticMesh, ElasticSystem, Fixing, Material, Rope, SpringMass, SpringStiffness,
    Springs, StepError, SymplecticSettings,
};
use hashfall_geometry::Point;

/// Gravity \[m/s²\].
const G: f64 = 9.81;
/// \[kg/m³\]
const DENSITY: f64 = 1000.0;
/// Of a rope's section and a sheet \[m\].
const THICKNESS: f64 = 0.01;
/// How long it swings \[s\], with a damping that leaves e⁻³⁶ of what it does.
const DURATION: f64 = 9.0;
/// \[1/s\]
const DAMPING_RATE: f64 = 8.0;

/// How a hanging body rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hanging {
    /// The largest distance of a node from its place on the catenary, over the sag.
    pub shape_error: f64,
    /// The sag over that of the catenary.
    pub sag_ratio: f64,
    /// The sag over that of the catenary that does not stretch.
    pub inextensible_sag_ratio: f64,
    /// The largest speed at the end \[m/s\].
    pub speed: f64,
}

/// A rope with this number of segments, with EA over its weight.
///
/// # Errors
/// If a step fails.
pub fn hanging_rope(segments: usize, stiffness_ratio: f64) -> Result<Hanging, StepError> {
    let mut rope = Rope::rod(1.0, DENSITY, THICKNESS);
    let weight = DENSITY * G * std::f64::consts::PI * THICKNESS * THICKNESS / 4.0;
    rope.tensile_stiffness = stiffness_ratio * weight * LENGTH;
    rope.bending_stiffness = 0.0;
    rope.damping_time = 1e-4;
    let mut mesh = ElasticMesh { nodes: row(segments, 0.0), ..ElasticMesh::default() };
    mesh.segments = (0..segments as u32).map(|k| [k, k + 1]).collect();
    let spec = BodySpec::new("rope", mesh, Material::Rope(rope));
    let ends = vec![(0, Fixing::Fixed), (segments as u32, Fixing::Fixed)];
    hang(spec, ends, segments, rope.tensile_stiffness, weight)
}

/// A sheet of springs between two supports, so many squares long and a fifth as wide, each cut by
/// a diagonal, with E h over its weight per width.
///
/// # Errors
/// If a step fails.
pub fn hanging_sheet(squares: usize, stiffness_ratio: f64) -> Result<Hanging, StepError> {
    let rows = squares / 5 + 1;
    let step = LENGTH / squares as f64;
    let weight = DENSITY * G * THICKNESS;
    let modulus = stiffness_ratio * weight * LENGTH / THICKNESS;
    let mut mesh = ElasticMesh::default();
    for j in 0..rows {
        mesh.nodes.extend(row(squares, j as f64 * step));
    }
    let node = |i: usize, j: usize| (j * (squares + 1) + i) as u32;
    for (j, i) in (1..rows).flat_map(|j| (1..=squares).map(move |i| (j, i))) {
        let [a, b, c, d] = [node(i - 1, j - 1), node(i, j - 1), node(i, j), node(i - 1, j)];
        mesh.triangles.extend(if (i + j) % 2 == 0 {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        });
    }
    let springs = Springs {
        stiffness: SpringStiffness::Modulus(modulus),
        across: 0.0,
        mass: SpringMass::Density(DENSITY),
        thickness: THICKNESS,
        damping_time: 1e-4,
    };
    let ends = (0..rows).flat_map(|j| [node(0, j), node(squares, j)]);
    let ends = ends.map(|node| (node, Fixing::Fixed)).collect();
    let spec = BodySpec::new("sheet", mesh, Material::Springs(springs));
    hang(spec, ends, squares, stiffness_ratio * weight * LENGTH, weight)
}

/// The nodes of a straight row at rest.
fn row(segments: usize, y: f64) -> Vec<Point> {
    let at = |k: usize| Point::new(k as f64 / segments as f64 * LENGTH, y, 0.0);
    (0..=segments).map(at).collect()
}

/// Lets a body hang: its rest shape is straight, and it starts as a parabola between the supports.
fn hang(
    spec: BodySpec,
    ends: Vec<(u32, Fixing)>,
    segments: usize,
    stiffness: f64,
    weight: f64,
) -> Result<Hanging, StepError> {
    let spec = BodySpec { fixings: ends, damping_rate: DAMPING_RATE, ..spec };
    let system = ElasticSystem::new(vec![spec]).unwrap_or_else(|error| unreachable!("{error}"));
    let mut run = Run::new(system, symplectic(SymplecticSettings::default()));
    let soft = ElasticCatenary::new(stiffness, weight);
    for x in &mut run.state.position {
        let p = x.x / LENGTH;
        (x.x, x.z) = (p * SPAN, -1.4 * p * (1.0 - p) * LENGTH);
    }
    let gravity = Point::z() * -G;
    for _ in 0..(DURATION / 0.1) as usize {
        run.advance(0.1, &gravity)?;
    }
    let place = |node: usize| {
        let p = (node % (segments + 1)) as f64 / segments as f64 * LENGTH;
        soft.place(p)
    };
    let nodes = run.state.position.iter().enumerate();
    let off = nodes.map(|(node, x)| (x.xz() - nalgebra::Vector2::from(place(node))).norm());
    let sag = |catenary: &ElasticCatenary| -catenary.place(0.5 * LENGTH)[1];
    let found = run.state.position.iter().map(|x| -x.z).fold(0.0, f64::max);
    Ok(Hanging {
        shape_error: off.fold(0.0, f64::max) / sag(&soft),
        sag_ratio: found / sag(&soft),
        inextensible_sag_ratio: found / sag(&ElasticCatenary::new(f64::INFINITY, weight)),
        speed: run.state.velocity.iter().map(Point::norm).fold(0.0, f64::max),
    })
}

#[test]
fn a_rope_hangs_as_a_catenary() {
    let found = hanging_rope(40, 2000.0).unwrap();
    assert!(found.shape_error < 5e-3 && (found.sag_ratio - 1.0).abs() < 5e-3, "{found:?}");
    assert!((found.inextensible_sag_ratio - 1.0).abs() < 5e-3, "{found:?}");
    assert!(found.speed < 1e-8, "{found:?}");
}

#[test]
fn a_soft_rope_hangs_as_an_elastic_catenary() {
    let found = hanging_rope(40, 5.0).unwrap();
    assert!(found.shape_error < 5e-3 && (found.sag_ratio - 1.0).abs() < 5e-3, "{found:?}");
    assert!(found.inextensible_sag_ratio > 1.1, "it stretches: {found:?}");
}

#[test]
fn a_sheet_of_springs_hangs_as_a_catenary() {
    let found = hanging_sheet(20, 2000.0).unwrap();
    assert!(found.shape_error < 5e-3 && (found.sag_ratio - 1.0).abs() < 5e-3, "{found:?}");
}
