//! Fills vessels: shapes that are what the solids leave of space, up to a level.

use crate::layout::filled_shape::FilledShape;
use crate::model::limits::MAX_PARTICLES;
use crate::model::{Domain, FillShape, FluidShape, Model};
use crate::problem::Problem;
use hashfall_core::{Dimension, format_significant};
use hashfall_fill::packing::{Packing, SignedDistance, pack};
use hashfall_fill::region::{Region, particle_volume};
use hashfall_fill::uneven::{Filling, SolidSpace, half_layer, lattice};
use hashfall_fill::vessel::{Asked, FillError, Vessel, VesselDomain};

/// Fills a vessel with particles, if that is what the shape asks for.
///
/// # Errors
/// A place that is not free, and a vessel that runs over or is too small.
pub fn fill_vessel(
    model: &Model,
    space: &dyn SolidSpace,
    shape: &mut FilledShape,
) -> Result<(), Problem> {
    let FluidShape::Fill(fill) = shape.shape else { return Ok(()) };
    let asked = match (fill.level, fill.volume) {
        (Some(level), _) => Asked::Level(level),
        (None, volume) => Asked::Volume(volume.unwrap_or_default()),
    };
    let Domain::Box { min, max, periodic, .. } = model.domain;
    let (dimension, d) = (model.dimensions, 2.0 * model.particle_radius());
    let domain = VesselDomain { dimension, corners: [min, max], periodic, d };
    let beyond = |x: &[f64; 3], is_periodic: bool| {
        let axes = (0..3).filter(|&a| a != 1 || dimension == Dimension::Three);
        let axes = axes.filter(|&a| periodic[a] == is_periodic);
        axes.map(|a| (min[a] - x[a]).max(x[a] - max[a])).fold(f64::NEG_INFINITY, f64::max)
    };
    // Fluid passes the ends of a periodic axis.
    let free = |x: &[f64; 3], reach: f64| (-space.signed_distance(x, reach)).max(beyond(x, false));
    let problem = |error: FillError| fill_problem(model, &shape.path, fill, &error);
    let vessel = Vessel::new(&domain, &free, fill.from, asked).map_err(problem)?;
    let region = vessel.fill(asked).map_err(problem)?;
    let particle = particle_volume(dimension, d);
    let level = region.level();
    let count = (region.volume() / particle).round();
    let volume = fill.volume.unwrap_or(region.volume());
    if count > MAX_PARTICLES {
        let message = format!("{} particles: a scene holds at most 20 million", brief(count));
        let help = "a larger `particle_radius`, or less fluid";
        return Err(Problem::error(&shape.path, message, help).also_at("particle_radius"));
    }
    let distance = |x: &[f64; 3], reach: f64| free(x, reach).max(x[2] - level).max(beyond(x, true));
    let distance: &SignedDistance = &distance;
    let bounds = region.bounds();
    let lattice = lattice(dimension, bounds, d, true);
    let count = count as usize;
    shape.points = pack(&Packing { cells: &region.cells, distance, lattice, count });
    (shape.laid, shape.bounds) = (shape.points.len(), bounds);
    let tolerance = half_layer(volume, bounds, d);
    shape.filling = Filling { volume, cut: 0.0, tolerance, blocked: 0, is_packed: true };
    shape.region = Some(Box::new(region));
    Ok(())
}

fn brief(x: f64) -> String {
    format_significant(x, 4)
}

fn place([x, y, z]: [f64; 3]) -> String {
    format!("({}, {}, {})", brief(x), brief(y), brief(z))
}

/// What is wrong, and what would be right.
fn fill_problem(model: &Model, path: &str, fill: &FillShape, error: &FillError) -> Problem {
    let from = format!("{path}.from");
    let unit = if model.dimensions == Dimension::Two { "m²" } else { "m³" };
    match error {
        FillError::OutsideDomain => {
            let message = "the place to fill from lies outside the domain";
            Problem::error(from, message, "a place in the vessel").also_at("domain")
        }
        FillError::InSolid => {
            let message = "the place to fill from lies in a solid";
            let help = "a place between the solids; the inside of a mesh is solid unless it says \
                        inside: Hollow";
            Problem::error(from, message, help).also_at("solids")
        }
        FillError::Cramped => {
            let message = "there is no room for a particle at the place to fill from";
            let help = "a place farther from the solids, or a smaller `particle_radius`";
            Problem::error(from, message, help).also_at("particle_radius")
        }
        FillError::AboveLevel => {
            let level = fill.level.unwrap_or_default();
            let message = format!(
                "the place to fill from, at z = {}, is not below the level, {}",
                brief(fill.from[2]),
                brief(level)
            );
            let help = "a place in the vessel near its floor, or a higher level";
            Problem::error(format!("{path}.level"), message, help).also_at(from)
        }
        FillError::LevelAboveDomain { top } => {
            let level = brief(fill.level.unwrap_or_default());
            let message = format!(
                "the level, {level} m, lies above the domain, which ends at z = {}",
                brief(*top)
            );
            let help = format!("a level of at most {} m, or a higher domain", brief(*top));
            Problem::error(format!("{path}.level"), message, &help).also_at("domain")
        }
        FillError::RunsOver { at } => {
            let message = format!(
                "the vessel runs over at {}: up to the level {} m the fluid would flow out into \
                 the domain",
                place(*at),
                brief(fill.level.unwrap_or_default())
            );
            let help = format!(
                "a level below {} m, or a place beside the vessel to fill the domain around it",
                brief(at[2])
            );
            Problem::error(format!("{path}.level"), message, &help)
        }
        FillError::TooMuch { most, rim } => {
            let most = format!("{} {unit}", brief(*most));
            let (message, help) = match rim {
                Some(at) => (
                    format!("the vessel holds {most} until it runs over at {}", place(*at)),
                    format!("a `volume` of at most {most}"),
                ),
                None => (
                    format!("there is room for {most}"),
                    format!("a `volume` of at most {most}, or a larger `domain`"),
                ),
            };
            Problem::error(format!("{path}.volume"), message, &help)
        }
        FillError::TooLittle { least } => {
            let least = format!("{} {unit}", brief(*least));
            let message = "the volume is thinner than a layer of particles where it comes to rest";
            let help = format!("a `volume` of at least {least}, or a smaller `particle_radius`");
            Problem::error(format!("{path}.volume"), message, &help).also_at("particle_radius")
        }
        FillError::TooLarge(cells) => {
            let message = format!("the space to look for the vessel in has {cells:.1e} cells");
            let help = "at most 1.5e8, half a spacing wide: a larger `particle_radius` or a \
                        smaller `domain`";
            Problem::error(path, message, help).also_at("domain").also_at("particle_radius")
        }
    }
}
