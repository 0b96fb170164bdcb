//! Checks of the fluids: names, shapes inside the domain, boxes that do not overlap, and the number
//! of particles.

use super::checks::{Checks, brief};
use super::emitters::MAX_EMITTERS;
use super::overlaps::overlap_help;
use super::printable::unprintable;
use crate::layout::fluid_regions::{expected_count, region_of};
use crate::model::limits::{MAX_PARTICLES, SLACK};
use crate::model::{
    BallShape, BoxShape, Domain, FluidShape, Model, RandomShape, Region, StartPressure,
};
use crate::problem::Problem;
use hashfall_fill::lattice;
use hashfall_fill::rounded_box_tree::{RoundedBox, RoundedBoxTree};
use std::collections::BTreeSet;

/// Particles store their fluid in a byte.
const MAX_FLUIDS: usize = 255;

/// The longest file name of usual file systems \[bytes\].
const MAX_FILE_NAME: usize = 255;
/// The longest name of a fluid. Each character is one byte in the names of its files, the longest
/// of which has a number against other fluids and that of the last frame.
const MAX_FLUID_NAME: usize =
    MAX_FILE_NAME - "surface_".len() - "_255".len() - "_1000000.vtp".len();

/// A box of fluid whose corners are sound.
struct Block<'a> {
    path: String,
    min: &'a [f64; 3],
    max: &'a [f64; 3],
    /// Whether it takes over what others put there.
    replaces: bool,
    shape: &'a FluidShape,
}

impl Block<'_> {
    /// The box and its corners, either of which may be what is wrong.
    fn paths(&self) -> [String; 3] {
        ["", ".max", ".min"].map(|corner| format!("{}{corner}", self.path))
    }

    fn problem(&self, message: String, help: &str) -> Problem {
        Problem::error(&self.path, message, help).also_at_all(self.paths())
    }
}

impl Checks<'_> {
    pub(super) fn fluids(&mut self, space_is_sound: bool) {
        let model = self.model;
        let count = model.fluids.len();
        if count == 0 && model.elastic.is_empty() {
            let help = "a scene holds at least one fluid, or elastic body";
            self.push(Problem::error("fluids", "no fluid", help));
        } else if count > MAX_FLUIDS {
            let message = format!("{count} fluids; at most {MAX_FLUIDS} can be told apart");
            self.push(Problem::error("fluids", message, ""));
        }
        let emitted: BTreeSet<usize> =
            model.emitters.iter().take(MAX_EMITTERS).filter_map(|it| model.fluid_of(it)).collect();
        let mut sound = Vec::new();
        // What is wrong with those beyond the limit is that they are too many.
        for (i, fluid) in model.fluids.iter().enumerate().take(MAX_FLUIDS) {
            let path = format!("fluids[{i}]");
            self.tension(i);
            self.stiffness(i);
            self.fluid_name(i);
            if fluid.shapes.is_empty() && !emitted.contains(&i) {
                let help = "a fluid fills at least one shape, [Box(min: (…), max: (…))], or comes \
                            out of one of the `emitters`";
                self.push(Problem::error(format!("{path}.shapes"), "a fluid without shapes", help));
            }
            for (k, shape) in fluid.shapes.iter().enumerate() {
                let path = format!("{path}.shapes[{k}]");
                self.start(&path, &shape.start());
                if self.fluid_shape(&path, shape) {
                    sound.push((path, shape));
                }
            }
        }
        if space_is_sound {
            self.shapes_in_space(&sound);
        }
    }

    /// Hydrostatic layers lie flat: gravity must pull straight down.
    pub(super) fn start_pressure(&mut self, path: &str, pressure: StartPressure) {
        let [x, y, z] = self.model.gravity;
        let straight_down = x == 0.0 && y == 0.0 && z <= 0.0;
        if pressure == StartPressure::Hydrostatic && !straight_down {
            let message = "a hydrostatic start needs gravity straight down";
            let help = "pressure: Zero, or gravity: (0.0, 0.0, -9.81)";
            self.push(Problem::error(path, message, help).also_at("gravity"));
        }
    }

    fn fluid_name(&mut self, i: usize) {
        let fluids = &self.model.fluids;
        let (name, path) = (&fluids[i].name, format!("fluids[{i}].name"));
        let length = name.chars().count();
        if name.trim().is_empty() {
            self.push(Problem::error(path, "a fluid without a name", "such as \"water\""));
        } else if length > MAX_FLUID_NAME {
            let message = format!(
                "a name of {length} characters: the surfaces of this fluid would have file names \
                 longer than the {MAX_FILE_NAME} bytes that file systems take"
            );
            let help = format!("at most {MAX_FLUID_NAME} characters");
            self.push(Problem::error(path, message, &help));
        } else if let Some(problem) = unprintable(&path, name) {
            self.push(problem);
        } else if let Some(first) = fluids[..i].iter().position(|other| other.name == *name) {
            let message = format!("fluids[{first}] is already called \"{name}\"");
            self.push(Problem::error(path, message, "give each fluid a name of its own"));
        }
    }

    fn shapes_in_space(&mut self, shapes: &[(String, &FluidShape)]) {
        let mut blocks = Vec::new();
        for (path, shape) in shapes {
            match shape {
                FluidShape::Box(BoxShape { min, max, replaces, .. }) => {
                    blocks.push(Block { path: path.clone(), min, max, replaces: *replaces, shape });
                }
                FluidShape::Ball(BallShape { centre, radius, .. }) => {
                    self.ball_in_space(path, centre, *radius);
                }
                FluidShape::Random(RandomShape { region: Region { min, max }, .. }) => {
                    let path = format!("{path}.region");
                    blocks.push(Block { path, min, max, replaces: false, shape });
                }
                _ => {}
            }
        }
        self.blocks_in_space(&blocks);
        let d = 2.0 * self.model.particle_radius();
        let count = |(_, shape): &(String, &FluidShape)| match shape {
            FluidShape::Random(random) => f64::from(random.count),
            shape => region_of(self.model, shape, &mut [].iter())
                .map_or(0.0, |region| expected_count(self.model, shape, region.as_ref(), d)),
        };
        let total: f64 = shapes.iter().map(count).sum();
        if total > MAX_PARTICLES {
            let paths = shapes.iter().map(|(path, _)| path);
            self.push(too_many_particles(self.model, total, paths));
        }
    }

    fn blocks_in_space(&mut self, blocks: &[Block]) {
        let d = 2.0 * self.model.particle_radius();
        for block in blocks {
            self.block_in_domain(block, SLACK * d);
            if lattice::counts(self.model.dimensions, block.min, block.max, d).contains(&0) {
                let message = format!("this box is thinner than one particle of {} m", brief(d));
                let help = "a thicker box or a smaller `particle_radius`";
                self.push(block.problem(message, help).also_at("particle_radius"));
            }
        }
        let apart: Vec<&Block> = blocks.iter().filter(|block| !block.replaces).collect();
        self.blocks_apart(&apart, SLACK * d);
    }

    fn block_in_domain(&mut self, block: &Block, slack: f64) {
        let bounds = [*block.min, *block.max];
        let Some(out) = reach_out_of(&self.model.domain, bounds, slack) else { return };
        let Outside { corner, axis, at, wall } = out;
        let message = format!(
            "fluid outside the domain: `{corner}` {axis} is {at}, the wall stands at {wall}"
        );
        let help = "the boxes of fluid lie inside the domain";
        let path = format!("{}.{corner}", block.path);
        self.push(Problem::error(path, message, help).also_at(out.wall_path()));
    }

    /// Two boxes that share space would put particles on top of each other. Each is told with the
    /// first of those before it.
    fn blocks_apart(&mut self, blocks: &[&Block], slack: f64) {
        let bodies: Vec<RoundedBox> =
            blocks.iter().map(|block| RoundedBox::cuboid(*block.min, *block.max)).collect();
        let tree = RoundedBoxTree::new(&bodies);
        for (i, block) in blocks.iter().enumerate() {
            if let Some(first) = tree.first_overlap(i, self.axes(), slack).map(|k| blocks[k]) {
                let message = format!("{} and {} overlap", first.path, block.path);
                let help = overlap_help([(&first.path, first.shape), (&block.path, block.shape)]);
                self.push(block.problem(message, &help).also_at_all(first.paths()));
            }
        }
    }
}

/// Where a box reaches out of the domain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outside {
    /// Which corner does: `min` or `max`.
    pub corner: &'static str,
    /// Along which axis.
    pub axis: &'static str,
    /// How far \[m\].
    pub at: f64,
    /// Where the wall stands \[m\].
    pub wall: f64,
}

impl Outside {
    /// The key path of the wall.
    pub fn wall_path(&self) -> String {
        format!("domain.{}", self.corner)
    }
}

/// Where the box of these corners reaches farther out of the domain than `slack` \[m\].
pub fn reach_out_of(domain: &Domain, [min, max]: [[f64; 3]; 2], slack: f64) -> Option<Outside> {
    let Domain::Box { min: low, max: high, .. } = domain;
    // The plane is flat along y.
    let extends = |a: &usize| low[*a] < high[*a];
    let below = (0..3).filter(extends).find(|&a| min[a] < low[a] - slack);
    let above = (0..3).filter(extends).find(|&a| max[a] > high[a] + slack);
    let (a, corner, at, wall) = match (below, above) {
        (Some(a), _) => (a, "min", min[a], low[a]),
        (None, a) => a.map(|a| (a, "max", max[a], high[a]))?,
    };
    Some(Outside { corner, axis: ["x", "y", "z"][a], at, wall })
}

/// Refuses `total` particles of the shapes at `paths`.
pub fn too_many_particles<'a>(
    model: &Model,
    total: f64,
    paths: impl Iterator<Item = &'a String>,
) -> Problem {
    let message = format!("{} particles: a scene holds at most 20 million", brief(total));
    let gigabytes = (1e-9 * total * memory_of_particle(model)).max(1.0);
    let help = format!(
        "they would take about {} GB of memory; give a larger `particle_radius` or smaller shapes \
         of fluid",
        brief(format!("{gigabytes:.1e}").parse().unwrap_or(gigabytes))
    );
    let keys = |path: &String| ["", ".max", ".min", ".radius"].map(|key| format!("{path}{key}"));
    let problem = Problem::error("particle_radius", message, &help).also_at("fluids");
    problem.also_at_all(paths.flat_map(keys))
}

/// Memory of a particle at work with its neighbours, as measured \[bytes\].
fn memory_of_particle(model: &Model) -> f64 {
    let r = model.particle_radius();
    let support = model.support_radius() / (2.0 * r);
    let neighbors = 4.0 / 3.0 * std::f64::consts::PI * support.powi(3);
    450.0 + 7.5 * neighbors
}
