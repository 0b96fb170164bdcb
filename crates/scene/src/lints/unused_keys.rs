//! Warnings about valid keys without effect.

use crate::model::{Domain, Model};
use crate::problem::Problem;
use hashfall_elastic::{ElasticBody, ElasticSystem};
use hashfall_solid::ContactLaw;
use hashfall_sph::world::KeyProblem;

/// A warning for each of them; `elastic` are the elastic bodies as built.
pub fn unused_key_lints(model: &Model, elastic: Option<&ElasticSystem>) -> Vec<Problem> {
    let mut warnings = angles_without_tension(model);
    warnings.extend(unused_by_solver(model));
    let bodies = elastic.map_or(&[][..], ElasticSystem::bodies);
    warnings.extend(contact_without_fluid(model, bodies));
    warnings
}

/// A contact angle is that of a free surface with tension.
fn angles_without_tension(model: &Model) -> Vec<Problem> {
    if model.has_free_tension() {
        return Vec::new();
    }
    let Domain::Box { contact, sides, .. } = &model.domain;
    let walls = sides.all().into_iter();
    let walls = walls.filter_map(|(key, side)| Some((format!("domain.sides.{key}"), side?)));
    let solids = model.solids.iter().enumerate();
    let solids = solids.map(|(i, solid)| (format!("solids[{i}].contact"), solid.contact()));
    let elastic = model.elastic.iter().enumerate();
    let elastic =
        elastic.map(|(i, body)| (format!("elastic[{i}].fluid_contact"), body.fluid_contact));
    let all = [("domain.contact".to_owned(), *contact)].into_iter().chain(walls);
    let all = all.chain(solids).chain(elastic);
    let usual = ContactLaw::default().contact_angle;
    all.filter(|(_, contact)| contact.contact_angle != usual)
        .map(|(path, _)| {
            let message = "this angle has no effect: no fluid has a `surface_tension`";
            let help = "leave it out, or give a fluid a `surface_tension`, such as 0.073";
            Problem::warning(format!("{path}.contact_angle"), message, help).also_at("fluids")
        })
        .collect()
}

/// Keys of the solver without effect on so many fluids.
fn unused_by_solver(model: &Model) -> Vec<Problem> {
    let problems = model.solver.settings().unused_keys(model.fluids.len()).into_iter();
    let to_warning = |KeyProblem { key, also_at, message, help }| {
        Problem::warning(format!("solver.{key}"), message, &help).also_at(also_at)
    };
    problems.map(to_warning).collect()
}

/// Fluid meets elastic triangles, if there is any.
fn contact_without_fluid(model: &Model, bodies: &[ElasticBody]) -> Vec<Problem> {
    let bodies = model.elastic.iter().zip(bodies).enumerate();
    let with_contact = bodies.filter(|(_, (said, _))| said.fluid_contact != ContactLaw::default());
    with_contact
        .filter_map(|(i, (_, body))| {
            let why = match (model.fluids.is_empty(), body.surface.is_empty()) {
                (true, _) => "there is no fluid",
                (_, true) => "fluid meets triangles, and this body has none",
                _ => return None,
            };
            let message = format!("this contact has no effect: {why}");
            Some(Problem::warning(format!("elastic[{i}].fluid_contact"), message, "leave it out"))
        })
        .collect()
}
