//! From the particles of a file to those of a scene: which attributes are read, which fluid is
//! chosen, where they come to lie.
//!
//! - Places and velocities are turned so that the file's upward axis points along z, then scaled,
//!   then rotated; places are translated at last.
//! - Velocities are the vector `velocity`, or one of its other names ([`VELOCITIES`]), or three
//!   numbers `u`, `v`, `w`; of several the likeliest is read, and the others told. Names are taken
//!   as [plain](plain) ones: without case, unit and separators.
//! - Densities are taken if all are from 1/20 to 2 of the fluid's rest density: what flies alone
//!   has that of its own kernel, from a tenth to a half.

use crate::model::{GivenParticles, ParticlesShape, Up};
use crate::problem::Problem;
use hashfall_core::{Attribute, Real, Values, to_f64};
use hashfall_geometry::Placement;
use hashfall_input::Cloud;
use hashfall_input::field_names::{VELOCITIES, plain};
use std::collections::BTreeMap;

/// Plain names of densities and of pressures.
const DENSITY_NAMES: [&str; 4] = ["density", "densities", "rho", "rhop"];
const PRESSURE_NAMES: [&str; 4] = ["pressure", "pressures", "press", "p"];
/// Vectors that are no velocities, though a warning would list them.
const OTHER_VECTORS: [&str; 6] =
    ["normal", "normals", "acceleration", "accelerations", "position", "positions"];
/// Densities beyond these, in rest densities, are those of something else.
const DENSITIES: std::ops::RangeInclusive<f64> = 0.05..=2.0;

/// The particles of a file as a shape at a key path asks for them; `rest_density` \[kg/m³\] is that
/// of its fluid.
///
/// # Errors
/// A phase that is not there, or none chosen of several.
pub fn place(
    path: &str,
    shape: &ParticlesShape,
    cloud: &Cloud,
    rest_density: f64,
) -> Result<(GivenParticles, Vec<Problem>), Problem> {
    let (velocities, doubt) = velocities(path, cloud);
    // What is chosen is not in doubt.
    let doubt = doubt.filter(|_| !shape.columns.choice().has_velocity());
    let mut warnings = Vec::from_iter(doubt);
    let placement = Placement {
        is_y_up: shape.up == Up::Y,
        scale: shape.scale,
        axis: shape.rotate.axis,
        degrees: shape.rotate.degrees,
        translate: shape.translate,
    };
    let turned = Placement { translate: [0.0; 3], ..placement };
    let all = GivenParticles {
        positions: cloud.positions.iter().map(|x| placement.point(to_f64(x))).collect(),
        velocities: velocities.into_iter().map(|v| turned.point(v)).collect(),
        densities: scalars(cloud, &DENSITY_NAMES),
        pressures: scalars(cloud, &PRESSURE_NAMES),
        numbers: (0..cloud.positions.len()).collect(),
    };
    // Particles of other fluids are none of this shape's concern.
    let mut given = match chosen(path, shape, cloud)? {
        Some(indices) => all.select(&indices),
        None => all,
    };
    if let Some(problem) = velocities_not_finite(path, &shape.path, &given) {
        return Err(problem);
    }
    let is_usual = |density: &f64| DENSITIES.contains(&(density / rest_density));
    if !given.densities.iter().all(is_usual) {
        let message = format!(
            "densities in the file are not from 1/20 to 2 times the rest density of {rest_density} \
             kg/m³: all particles start with that"
        );
        warnings.push(Problem::warning(format!("{path}.path"), message, ""));
        given.densities.clear();
    }
    if !given.pressures.iter().all(|pressure| pressure.is_finite()) {
        let message = "pressures in the file are not finite: all particles start with a pressure \
                       of 0";
        warnings.push(Problem::warning(format!("{path}.path"), message, ""));
        given.pressures.clear();
    }
    Ok((given, warnings))
}

/// The problem of velocities of a file that are not finite, for the shape at a key path.
fn velocities_not_finite(path: &str, file: &str, given: &GivenParticles) -> Option<Problem> {
    let has_none = |v: &[f64; 3]| !v.iter().all(|c| c.is_finite());
    let first = given.velocities.iter().position(has_none)?;
    let count = given.velocities.iter().filter(|v| has_none(v)).count();
    let message = format!(
        "velocities in the file are not finite at {count} of {} particles; first: particle {} of \
         `{file}`",
        given.velocities.len(),
        given.numbers[first]
    );
    Some(Problem::error(format!("{path}.path"), message, "numbers"))
}

/// The indices of the particles of the chosen phase; `None` for all.
fn chosen(
    path: &str,
    shape: &ParticlesShape,
    cloud: &Cloud,
) -> Result<Option<Vec<usize>>, Problem> {
    let phases = find(cloud, &["phase"]).and_then(|attribute| match &attribute.values {
        Values::Labels(labels) => Some(labels.as_ref()),
        _ => None,
    });
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    phases.into_iter().flatten().for_each(|&phase| *counts.entry(phase).or_default() += 1);
    let listed = || {
        let all = counts.iter().take(8).map(|(phase, n)| format!("{phase} ({n} particles)"));
        all.collect::<Vec<_>>().join(", ")
    };
    match (shape.phase, phases) {
        (Some(phase), Some(phases)) if counts.contains_key(&phase) => {
            let is_it = |&i: &usize| phases[i] == phase;
            Ok(Some((0..phases.len()).filter(is_it).collect()))
        }
        (Some(phase), Some(_)) => {
            let message = format!("no particle of the file has the phase {phase}");
            let help = format!("one of {}", listed());
            Err(Problem::error(format!("{path}.phase"), message, &help))
        }
        (Some(_), None) => {
            let message = "the file does not tell phases: it has no whole numbers called `phase`";
            Err(Problem::error(format!("{path}.phase"), message, "leave it out"))
        }
        (None, _) if counts.len() > 1 => {
            let message = format!("the file has particles of several fluids: {}", listed());
            let help = "choose one with `phase`, and give each its own shape";
            Err(Problem::error(format!("{path}.path"), message, help))
        }
        (None, _) => Ok(None),
    }
}

/// The attribute of the first of these plain names that the file has.
fn find<'a>(cloud: &'a Cloud, names: &[&str]) -> Option<&'a Attribute<'static>> {
    let plain_names: Vec<String> = cloud.attributes.iter().map(|it| plain(&it.name)).collect();
    let place = |name: &&str| plain_names.iter().position(|it| it == name);
    names.iter().find_map(place).map(|k| &cloud.attributes[k])
}

fn scalars(cloud: &Cloud, names: &[&str]) -> Vec<f64> {
    let exact = |x: Real| f64::from(x);
    match find(cloud, names).map(|attribute| &attribute.values) {
        Some(Values::Scalars(scalars)) => scalars.iter().copied().map(exact).collect(),
        Some(Values::Labels(labels)) => labels.iter().map(|&x| f64::from(x)).collect(),
        _ => Vec::new(),
    }
}

/// The velocities that the file has, and a warning where others may have been meant.
fn velocities(path: &str, cloud: &Cloud) -> (Vec<[f64; 3]>, Option<Problem>) {
    let is_vector = |it: &&Attribute| matches!(it.values, Values::Vectors(_));
    let vectors: Vec<&Attribute> = cloud.attributes.iter().filter(is_vector).collect();
    let names: Vec<String> = vectors.iter().map(|it| plain(&it.name)).collect();
    let read = VELOCITIES.iter().find_map(|name| names.iter().position(|it| it == name));
    let listed = |keep: &dyn Fn(usize) -> bool| {
        let kept = (0..vectors.len()).filter(|&k| keep(k));
        kept.map(|k| format!("`{}`", vectors[k].name)).collect::<Vec<_>>().join(", ")
    };
    let warning =
        |message: String, help: &str| Some(Problem::warning(format!("{path}.path"), message, help));
    if let Some(read) = read {
        let others = listed(&|k| k != read && VELOCITIES.contains(&&*names[k]));
        let message =
            format!("velocities are read from `{}`, not from {others}", vectors[read].name);
        let doubt = if others.is_empty() { None } else { warning(message, "") };
        let Values::Vectors(values) = &vectors[read].values else { unreachable!("a vector") };
        return (values.iter().map(to_f64).collect(), doubt);
    }
    let [u, v, w] = ["u", "v", "w"].map(|name| scalars(cloud, &[name]));
    let uvw: Vec<[f64; 3]> = u.into_iter().zip(v).zip(w).map(|((u, v), w)| [u, v, w]).collect();
    let unread = listed(&|k| !OTHER_VECTORS.contains(&&*names[k]));
    let message = format!(
        "the file has no velocities that are known by their name: all start at \
                           rest; its vectors are {unread}"
    );
    let help = "call the one that is meant `velocity`";
    let doubt = if uvw.is_empty() && !unread.is_empty() { warning(message, help) } else { None };
    (uvw, doubt)
}
