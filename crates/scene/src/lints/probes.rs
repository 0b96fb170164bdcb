//! Warnings about probes that lie in solids at the start, where there is no fluid to measure.

use crate::check::point_key;
use crate::layout::solid_parts::{SolidParts, solid_parts};
use crate::model::Model;
use crate::problem::Problem;
use hashfall_core::{to_f64, to_real, vec3};
use hashfall_geometry::triangle::offset_to_triangle;
use hashfall_geometry::{Interior, Point, TriangleMesh};
use hashfall_solid::Solids;

/// A probe may lie this part of a spacing deep: so it is flush with a surface.
const FLUSH: f64 = 0.01;

/// A point of a probe where it is at the start.
struct ProbePoint {
    /// Index of the probe.
    probe: usize,
    /// \[m\]
    x: Point,
}

/// A warning for each probe in a solid, of the first solid that it lies in.
pub fn buried_probes(model: &Model, solids: &Solids) -> Vec<Problem> {
    let tolerance = FLUSH * 2.0 * model.particle_radius();
    let point = |(probe, x): (usize, Point)| {
        let body = model.probes.list[probe].solid().map(|solid| solid + 1);
        ProbePoint { probe, x: body.map_or(x, |body| solids.present_position(body, &x)) }
    };
    let probes = model.probes.list.iter().enumerate();
    let points = probes.filter_map(|(i, probe)| Some((i, Point::from(probe.point()?))));
    let points: Vec<ProbePoint> = points.map(point).collect();
    // By probe: the solid that it lies in.
    let mut inside: Vec<Option<usize>> = vec![None; model.probes.list.len()];
    for (number, parts) in solid_parts(model, solids).into_iter().enumerate() {
        let mut note = |probe: usize| inside[probe] = inside[probe].or(Some(number));
        match parts {
            SolidParts::Balls(balls) => {
                for ball in balls {
                    let radius = f64::from(ball.radius) - tolerance;
                    let centre = Point::from(to_f64(&ball.centre));
                    let deep = points.iter().filter(|point| (point.x - centre).norm() < radius);
                    deep.for_each(|point| note(point.probe));
                }
            }
            SolidParts::Round(round) => {
                let is_deep = |point: &&ProbePoint| round.signed_distance(&point.x) < -tolerance;
                points.iter().filter(is_deep).for_each(|point| note(point.probe));
            }
            SolidParts::Mesh(mesh, false) => within(mesh, &points, tolerance).for_each(note),
            SolidParts::Mesh(_, true) => {}
        }
    }
    let buried = inside.into_iter().enumerate().filter_map(|(probe, solid)| Some((probe, solid?)));
    buried.map(|(probe, solid)| warning(model, probe, solid)).collect()
}

/// The probes that lie deeper in a mesh than `tolerance` \[m\].
fn within<'a>(
    mesh: &TriangleMesh,
    points: &'a [ProbePoint],
    tolerance: f64,
) -> impl Iterator<Item = usize> + 'a {
    let bounds = mesh.bounds().grown(to_real(tolerance));
    let candidates: Vec<&ProbePoint> =
        points.iter().filter(|point| bounds.contains(&vec3(point.x.into()))).collect();
    let interior = (!candidates.is_empty()).then(|| Interior::new(mesh));
    let corners = |t: usize| mesh.corners(t).map(|corner| Point::from(to_f64(&corner)));
    let depth = |x: &Point| {
        let distances =
            (0..mesh.triangles.len()).map(|t| offset_to_triangle(x, &corners(t)).norm());
        distances.fold(f64::INFINITY, f64::min)
    };
    let is_deep = |point: &&ProbePoint| {
        let is_inside = interior.as_ref().is_some_and(|it| it.contains(&vec3(point.x.into())));
        is_inside && depth(&point.x) > tolerance
    };
    candidates.into_iter().filter(is_deep).map(|point| point.probe).collect::<Vec<_>>().into_iter()
}

fn warning(model: &Model, probe: usize, solid: usize) -> Problem {
    let probe_model = &model.probes.list[probe];
    let path = format!("probes.list[{probe}].{}", point_key(probe_model));
    let message =
        format!("this probe lies in solids[{solid}] at the start and measures nothing there");
    let help = "a point in the fluid, or on the surface of the solid";
    Problem::warning(path, message, help).also_at(format!("solids[{solid}]"))
}

#[cfg(test)]
mod tests {
    use crate::{Source, prepare};

    #[test]
    fn probes_in_solids_are_warned_of_and_those_on_them_are_not() {
        let probe = |name: &str, at: &str| format!("Pressure(name: \"{name}\", at: {at})");
        let probes = [
            probe("in the ball", "(0.5, 0.5, 0.6)"),
            probe("over the ball", "(0.5, 0.5, 0.71)"),
            probe("in the box", "(1.5, 0.5, 0.1)"),
            probe("on the box", "(1.5, 0.5, 0.2)"),
            "Pressure(name: \"carried\", at: (0.5, 0.5, 0.6), on: 1)".to_owned(),
        ];
        let text = format!(
            "Scene(
            frames: (count: 1, rate: 10.0),
            domain: Box(min: (0, 0, 0), max: (2, 1, 1)), particle_radius: 0.05,
            fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
                Box(min: (0, 0, 0), max: (0.4, 0.3, 0.2)),
            ])],
            solids: [
                SphereField(List([(centre: (0.5, 0.5, 0.5), radius: 0.2)])),
                Box(
                    min: (1.2, 0.2, 0.0), max: (1.8, 0.8, 0.2),
                    motion: Formula(translate: (\"0.1\", \"0\", \"0\")),
                ),
            ],
            probes: (list: [{}]),
        )",
            probes.join(", ")
        );
        let source = Source { name: String::new(), text };
        let scene = prepare(&source, &[], &mut |_| Ok(Vec::new())).unwrap();
        let messages =
            scene.warnings.iter().filter(|warning| warning.message.contains("this probe"));
        let messages: Vec<&str> = messages.map(|warning| warning.message.as_str()).collect();
        let nothing = "at the start and measures nothing there";
        let expected =
            [0, 1, 0].map(|solid| format!("this probe lies in solids[{solid}] {nothing}"));
        assert_eq!(messages, expected);
    }
}
