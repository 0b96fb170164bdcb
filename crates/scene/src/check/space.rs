//! Checks of the domain: walls, periodic boundaries, size in particles, and in two dimensions that
//! everything lies in the plane.

use super::checks::{Checks, brief};
use crate::layout::round_solid;
use crate::model::limits::SLACK;
use crate::model::{
    BallShape, BoxShape, CapsuleShape, ConeShape, CylinderShape, Domain, FluidShape, RandomShape,
    SolidModel, SphereField, SphereModel, VelocityField,
};
use crate::problem::Problem;
use hashfall_core::Dimension;

/// Coordinates stay below this many particle spacings, so that single precision still tells 1/250
/// of a spacing.
const MAX_COORDINATE_IN_SPACINGS: f64 = 32768.0;

/// Narrower kernels see one layer of a surface, which comes off: the least width, in radii.
const MIN_TENSION_SUPPORT: f64 = 5.0;

impl Checks<'_> {
    pub(super) fn is_plane(&self) -> bool {
        self.model.dimensions == Dimension::Two
    }

    /// The axes that a scene extends along.
    pub(super) fn axes(&self) -> &'static [usize] {
        if self.is_plane() { &[0, 2] } else { &[0, 1, 2] }
    }

    pub(super) fn domain(&mut self) -> bool {
        let Domain::Box { min, max, .. } = &self.model.domain;
        self.walls();
        self.corners("domain", min, max)
    }

    /// In the plane, what does not lie in it.
    pub(super) fn plane(&mut self) {
        if !self.is_plane() {
            return;
        }
        let model = self.model;
        let Domain::Box { min, max, periodic, .. } = &model.domain;
        self.in_plane("gravity", model.gravity[1]);
        self.in_plane("domain.min", min[1]);
        self.in_plane("domain.max", max[1]);
        if periodic[1] {
            let message = "the plane does not extend along y";
            self.push(Problem::error("domain.periodic[1]", message, "false"));
        }
        for (i, fluid) in model.fluids.iter().enumerate() {
            for (k, shape) in fluid.shapes.iter().enumerate() {
                for (path, shape) in shape.tree(&format!("fluids[{i}].shapes[{k}]")) {
                    self.shape_in_plane(&path, shape);
                }
            }
        }
        for (i, force) in model.forces.iter().enumerate() {
            let path = format!("forces[{i}]");
            if let Some((centre, _)) = force.central() {
                self.in_plane(&format!("{path}.centre"), centre[1]);
            }
            for (k, (_, acceleration)) in force.table().into_iter().flatten().enumerate() {
                self.in_plane(&format!("{path}[{k}][1]"), acceleration[1]);
            }
        }
        for (i, solid) in model.solids.iter().enumerate() {
            self.solid_in_plane(&format!("solids[{i}]"), solid);
        }
    }

    fn shape_in_plane(&mut self, path: &str, shape: &FluidShape) {
        match shape {
            FluidShape::Box(BoxShape { min, max, .. }) => {
                self.in_plane(&format!("{path}.min"), min[1]);
                self.in_plane(&format!("{path}.max"), max[1]);
            }
            FluidShape::Ball(BallShape { centre, .. }) => {
                self.in_plane(&format!("{path}.centre"), centre[1]);
            }
            FluidShape::Cylinder(CylinderShape { from, to, .. })
            | FluidShape::Capsule(CapsuleShape { from, to, .. })
            | FluidShape::Cone(ConeShape { from, to, .. }) => {
                self.in_plane(&format!("{path}.from"), from[1]);
                self.in_plane(&format!("{path}.to"), to[1]);
            }
            FluidShape::Random(RandomShape { region, .. }) => {
                self.in_plane(&format!("{path}.region.min"), region.min[1]);
                self.in_plane(&format!("{path}.region.max"), region.max[1]);
            }
            FluidShape::Fill(fill) => self.in_plane(&format!("{path}.from"), fill.from[1]),
            // Meshes are cut and polygons lie in the plane; the places of a file are checked when
            // it is read, and parts one by one.
            FluidShape::Mesh(_)
            | FluidShape::Polygon(_)
            | FluidShape::Particles(_)
            | FluidShape::Union(_)
            | FluidShape::Intersection(_)
            | FluidShape::Difference(_) => {}
        }
        let start = shape.start();
        self.in_plane(&format!("{path}.velocity"), start.velocity[1]);
        if let VelocityField::Linear { centre, rows } = start.initial_velocity {
            self.in_plane(&format!("{path}.initial_velocity.centre"), centre[1]);
            if rows[1] != [0.0; 3] {
                let message = "a velocity out of the plane";
                let place = format!("{path}.initial_velocity.rows[1]");
                self.push(Problem::error(place, message, "(0.0, 0.0, 0.0)").also_at("dimensions"));
            }
        }
    }

    pub(super) fn mesh_in_plane(&mut self, path: &str) {
        let help = "dimensions: Three, or another shape";
        self.push(Problem::error(path, "a mesh does not lie in the plane", help));
    }

    fn solid_in_plane(&mut self, path: &str, solid: &SolidModel) {
        match solid {
            SolidModel::SphereField(SphereField::List(balls)) => self.balls_in_plane(path, balls),
            SolidModel::Ball(ball) => self.in_plane(&format!("{path}.centre"), ball.centre[1]),
            SolidModel::Cylinder(_) | SolidModel::Capsule(_) | SolidModel::Cone(_) => {
                self.round_in_plane(path, solid);
            }
            SolidModel::SphereField(SphereField::Balls(balls)) => {
                self.balls_in_plane(&format!("{path}.list"), &balls.list);
            }
            SolidModel::Box(solid) => {
                self.in_plane(&format!("{path}.min"), solid.min[1]);
                self.in_plane(&format!("{path}.max"), solid.max[1]);
            }
            SolidModel::SphereField(SphereField::Lattice(field)) => {
                self.in_plane(&format!("{path}.min"), field.min[1]);
                if field.counts[1] > 1 {
                    let message = "the plane holds one layer of balls";
                    self.push(Problem::error(format!("{path}.counts[1]"), message, "1"));
                }
            }
            SolidModel::SphereField(SphereField::Random(_)) => {
                let help = "a List or a Lattice";
                self.push(Problem::error(path, "a random field of balls fills space", help));
            }
            SolidModel::Mesh(_) | SolidModel::Polygon(_) => {}
        }
    }

    /// A solid along y has a section that is known: a disc.
    fn round_in_plane(&mut self, path: &str, solid: &SolidModel) {
        let Some(round) = round_solid::round_solid(solid) else { return };
        let both = |problem: Problem| problem.also_at(format!("{path}.from")).also_at("dimensions");
        if !round_solid::is_along_y(&round) {
            let help = "from and to along y, or a Polygon";
            let message = "in the plane only a solid along y has a section, a disc";
            self.push(both(Problem::error(format!("{path}.to"), message, help)));
        } else if round_solid::section(&round).is_none() {
            let help = "from and to on both sides of y = 0";
            let message = "this solid does not cut the plane y = 0";
            self.push(both(Problem::error(format!("{path}.to"), message, help)));
        }
    }

    fn balls_in_plane(&mut self, path: &str, balls: &[SphereModel]) {
        for (k, ball) in balls.iter().enumerate() {
            self.in_plane(&format!("{path}[{k}].centre"), ball.centre[1]);
        }
    }

    pub(super) fn in_plane(&mut self, path: &str, y: f64) {
        if y != 0.0 {
            let message = format!("a scene in two dimensions lies at y = 0, not at {}", brief(y));
            let problem =
                Problem::error(format!("{path}[1]"), message, "y is 0.0, or dimensions: Three");
            self.push(problem.also_at("dimensions"));
        }
    }

    /// Sides that repeat must not let a particle see itself.
    pub(super) fn periodic_sides(&mut self, h: f64) {
        let Domain::Box { min, max, periodic, .. } = &self.model.domain;
        for a in (0..3).filter(|&a| periodic[a]) {
            let length = max[a] - min[a];
            if length < 2.0 * h * (1.0 - SLACK) {
                let axis = ["x", "y", "z"][a];
                let message = format!(
                    "the domain repeats after {} m along {axis}, less than two support radii",
                    brief(length)
                );
                let help = format!("at least {} m", brief(2.0 * h));
                let path = format!("domain.periodic[{a}]");
                let problem = Problem::error(path, message, &help);
                self.push(problem.also_at("domain").also_at("particle_radius"));
            }
        }
    }
}

impl Checks<'_> {
    /// Returns whether particles can be laid out.
    pub(super) fn sizes(&mut self, domain_is_sound: bool) -> bool {
        let r = self.model.particle_radius();
        if !self.is_sound("particle_radius") {
            return false;
        }
        if self.model.particle_radius.is_none() {
            if self.model.support_radius.is_some() && !self.model.has_fluid() {
                let message = "`support_radius` is that of particles, of which there are none";
                self.push(Problem::error("support_radius", message, "leave it out"));
                return false;
            }
            if self.model.has_fluid() {
                let message = "missing key `particle_radius` in `Scene`";
                let help = "add `particle_radius`: half of the initial particle spacing in m, such \
                            as particle_radius: 0.01";
                self.push(Problem::error("particle_radius", message, help));
                return false;
            }
            return domain_is_sound;
        }
        if let Some(h) = self.model.support_radius {
            let sound = (3.0 * r * (1.0 - SLACK)..=10.0 * r * (1.0 + SLACK)).contains(&h);
            if !sound {
                let message = format!("`support_radius` {h} does not suit `particle_radius` {r}");
                let (low, high) = (brief(3.0 * r), brief(10.0 * r));
                let help = format!("from {low} to {high} m: 3 to 10 particle radii; 4 is usual");
                self.push(
                    Problem::error("support_radius", message, &help).also_at("particle_radius"),
                );
            } else if self.model.has_tension() && h < MIN_TENSION_SUPPORT * r * (1.0 - SLACK) {
                let message = format!("surface tension needs a wider kernel than {h}");
                let low = brief(MIN_TENSION_SUPPORT * r);
                let help = format!("from {low} m, 5 particle radii; 6 are usual with tension");
                self.push(
                    Problem::error("support_radius", message, &help).also_at("particle_radius"),
                );
            }
        }
        if domain_is_sound {
            self.domain_in_spacings(2.0 * r);
            self.periodic_sides(self.model.support_radius());
        }
        domain_is_sound
    }

    /// The domain must hold particles, and not so far out that their places blur.
    pub(super) fn domain_in_spacings(&mut self, d: f64) {
        let Domain::Box { min, max, .. } = &self.model.domain;
        let is_thin = |a: &&usize| max[**a] - min[**a] < 2.0 * d * (1.0 - SLACK);
        if let Some(&a) = self.axes().iter().find(is_thin) {
            let axis = ["x", "y", "z"][a];
            let message = format!(
                "the domain is {} m thin along {axis}, less than two particles of {} m",
                brief(max[a] - min[a]),
                brief(d)
            );
            let help = "a wider domain or a smaller `particle_radius`";
            let problem = Problem::error("domain", message, help).also_at("particle_radius");
            self.push(problem.also_at("domain.max").also_at("domain.min"));
        }
        let farthest = min.iter().chain(max).fold(0.0, |far: f64, x| far.max(x.abs()));
        if farthest > MAX_COORDINATE_IN_SPACINGS * d {
            let message = format!(
                "the domain reaches {farthest} m from the origin, {:.0} particle spacings",
                farthest / d
            );
            let help = "at most 32768 spacings, or single precision blurs the particles' places";
            let problem = Problem::error("domain", message, help).also_at("particle_radius");
            self.push(problem.also_at("domain.max").also_at("domain.min"));
        }
    }
}
