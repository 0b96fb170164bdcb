//! The balls of each entry of the scene's solids, and warnings of those outside the domain.

use crate::layout::round_solid;
use crate::model::{
    BallsModel, BodyMotion, Domain, LatticeField, Model, RandomField, SizeLaw, SolidModel,
    SphereField,
};
use crate::problem::Problem;
use hashfall_core::Dimension;
use hashfall_fill::sphere_field;
use hashfall_fill::sphere_field::{Ball, RegionFull};

/// The balls of each entry of the scene's solids.
pub fn balls(
    model: &Model,
    problems: &mut Vec<Problem>,
    warnings: &mut Vec<Problem>,
) -> Vec<Vec<Ball>> {
    let mut all = Vec::new();
    for (i, solid) in model.solids.iter().enumerate() {
        let mut balls: Vec<Ball> = Vec::new();
        match solid {
            SolidModel::SphereField(SphereField::Random(field)) => {
                match sphere_field::random(&random_field(field)) {
                    Ok(field) => balls.extend(field),
                    Err(full) => problems.push(region_is_full(i, field.count, full)),
                }
            }
            SolidModel::SphereField(SphereField::Lattice(field)) => {
                let LatticeField { min, spacing, counts, diameter, .. } = *field;
                let field = sphere_field::LatticeField { min, spacing, counts, diameter };
                balls.extend(sphere_field::lattice(&field));
            }
            SolidModel::SphereField(SphereField::List(list))
            | SolidModel::SphereField(SphereField::Balls(BallsModel { list, .. })) => {
                balls.extend(list.iter().map(|s| Ball { centre: s.centre, radius: s.radius }));
            }
            SolidModel::Ball(ball) => {
                balls.push(Ball { centre: ball.centre, radius: ball.radius });
            }
            // In the plane a solid along y is a disc.
            SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_) => {
                let solid = round_solid::round_solid(solid);
                let in_plane = solid.filter(|_| model.dimensions == Dimension::Two);
                balls.extend(in_plane.as_ref().and_then(round_solid::section));
            }
            SolidModel::Box(_) | SolidModel::Mesh(_) | SolidModel::Polygon(_) => {}
        }
        if *solid.motion() == BodyMotion::Still {
            warnings.extend(balls_outside(model, i, &balls));
        }
        all.push(balls);
    }
    all
}

/// A random field, as the model has it.
fn random_field(field: &RandomField) -> sphere_field::RandomField {
    sphere_field::RandomField {
        seed: field.seed,
        count: field.count,
        diameter: field.diameter.into(),
        sizes: match field.sizes {
            SizeLaw::EqualAreas => sphere_field::SizeLaw::EqualAreas,
            SizeLaw::Uniform => sphere_field::SizeLaw::Uniform,
        },
        region: [field.region.min, field.region.max],
        overlap: field.overlap,
    }
}

/// The warning of a solid that is one ball, or a disc in the plane.
const LONE: &str = "this solid lies outside the domain: nothing can touch it";

/// Warnings of balls of a solid that lie wholly outside the domain: one for each ball of a list,
/// where it stands in the text; one for all of a field.
fn balls_outside(model: &Model, solid: usize, balls: &[Ball]) -> Vec<Problem> {
    let Domain::Box { min, max, .. } = &model.domain;
    let outside: Vec<usize> = (0..balls.len()).filter(|&k| balls[k].is_outside(min, max)).collect();
    let path = format!("solids[{solid}]");
    let help = "check where it lies, or make `domain` larger";
    let one_by_one = |list: &str| {
        let message = "this ball lies outside the domain: nothing can touch it";
        let warn = |k: &usize| Problem::warning(format!("{path}{list}[{k}]"), message, help);
        outside.iter().map(warn).collect()
    };
    match &model.solids[solid] {
        _ if outside.is_empty() => Vec::new(),
        SolidModel::SphereField(SphereField::List(_)) => one_by_one(""),
        SolidModel::Ball(_) | SolidModel::Cylinder(_) => vec![Problem::warning(path, LONE, help)],
        SolidModel::Capsule(_) | SolidModel::Cone(_) => vec![Problem::warning(path, LONE, help)],
        SolidModel::SphereField(SphereField::Balls(_)) => one_by_one(".list"),
        _ => {
            let count = match (outside.len(), balls.len()) {
                (n, all) if n == all => format!("all {all}"),
                (n, all) => format!("{n} of {all}"),
            };
            let message = format!("{count} balls lie outside the domain: nothing can touch them");
            vec![Problem::warning(path, message, help)]
        }
    }
}

fn region_is_full(
    solid: usize,
    count: u32,
    RegionFull { placed, diameter }: RegionFull,
) -> Problem {
    let message = format!(
        "only {placed} of {count} spheres fit without overlap; no room for one of {diameter:.3} m"
    );
    let help = "fewer or smaller spheres, a larger `region`, or overlap: true";
    let causes = ["diameter", "region", "region.max", "region.min", "overlap"];
    Problem::error(format!("solids[{solid}].count"), message, help)
        .also_at_all(causes.map(|key| format!("solids[{solid}].{key}")))
}
