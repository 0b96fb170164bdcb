//! Checks of elastic bodies: names, shapes, materials that fit them, and fixings.

use super::checks::{Checks, brief};
use super::printable::unprintable;
use crate::model::{
    Domain, ElasticModel, ElasticShape, ElasticSolverModel, FixingModel, MaterialModel,
    NodeSelection, OrderModel, SheetShape, SolidModel, SolidReference, SolidShape, TetrahedraShape,
};
use crate::problem::Problem;
use crate::text::suggest::hint;
use hashfall_solid::ContactLaw;

/// The longest name of a body: its files have names with it and the number of a frame.
const MAX_NAME: usize = 200;
/// More nodes than this cannot be meant.
const MAX_NODES: f64 = 20e6;
/// Edges of a sheet are parallel if the sine of their angle is less \[–\].
const MIN_SINE: f64 = 1e-6;

impl Checks<'_> {
    pub(super) fn elastic(&mut self) {
        let model = self.model;
        if model.elastic.is_empty() {
            return;
        }
        self.elastic_space();
        self.elastic_order();
        for (i, body) in model.elastic.iter().enumerate() {
            let path = format!("elastic[{i}]");
            self.elastic_name(i);
            self.elastic_shape(&format!("{path}.shape"), &body.shape);
            self.material(&path, body);
            for (k, fixing) in body.fixings.iter().enumerate() {
                self.fixing(&format!("{path}.fixings[{k}]"), fixing, &body.shape);
            }
            self.fluid_contact(&format!("{path}.fluid_contact"), &body.fluid_contact);
            self.vector(&format!("{path}.velocity"), &body.velocity, 1e4, "m/s");
            self.velocity_field(&format!("{path}.initial_velocity"), &body.initial_velocity);
        }
        let nodes: f64 = model.elastic.iter().map(|body| node_count(&body.shape)).sum();
        if nodes > MAX_NODES {
            let message = format!("{} nodes: elastic bodies have at most 20 million", brief(nodes));
            self.push(Problem::error("elastic", message, "fewer or larger cells"));
        }
    }

    /// What elastic bodies are not for.
    fn elastic_space(&mut self) {
        let Domain::Box { periodic, .. } = self.model.domain;
        if self.is_plane() {
            let message = "elastic bodies are for three dimensions";
            let help = "dimensions: Three, with a thin slice of the body";
            self.push(Problem::error("elastic", message, help).also_at("dimensions"));
        }
        if let Some(a) = (0..3).find(|&a| periodic[a]) {
            let message = "elastic bodies do not go across periodic sides";
            let help = "a domain with walls: periodic: (false, false, false)";
            let problem = Problem::error(format!("domain.periodic[{a}]"), message, help);
            self.push(problem.also_at("elastic"));
        }
        if self.model.solver.settings().halvings() > 0 {
            let message = "steps of single particles are not supported beside elastic bodies";
            let problem = Problem::error("solver.individual_steps", message, "0");
            self.push(problem.also_at("elastic"));
        }
    }

    /// What integrators of high order do not support, unless they choose themselves; whether the
    /// reference frame turns is known when its motion is built.
    fn elastic_order(&mut self) {
        let model = self.model;
        let ElasticSolverModel::Symplectic(symplectic) = model.elastic_solver else { return };
        if matches!(symplectic.order, OrderModel::Auto | OrderModel::Second) {
            return;
        }
        let is_damped = |body: &ElasticModel| body.damping.rate > 0.0 || body.damping.time > 0.0;
        let damped = model.elastic.iter().position(is_damped);
        let (what, place) = if model.elastic_contact.is_some() {
            ("contact", "elastic_contact".to_owned())
        } else if let Some(i) = damped {
            ("damping", format!("elastic[{i}].damping"))
        } else {
            return;
        };
        self.push(unsupported_by_order(symplectic.order, what).also_at(place));
    }

    fn elastic_name(&mut self, i: usize) {
        let bodies = &self.model.elastic;
        let (name, path) = (&bodies[i].name, format!("elastic[{i}].name"));
        let length = name.chars().count();
        if name.trim().is_empty() {
            self.push(Problem::error(path, "an elastic body without a name", "such as \"cloth\""));
        } else if length > MAX_NAME {
            let message = format!("a name of {length} characters");
            let help = format!("at most {MAX_NAME} characters, as files have names with it");
            self.push(Problem::error(path, message, &help));
        } else if let Some(problem) = unprintable(&path, name) {
            self.push(problem);
        } else if let Some(first) = bodies[..i].iter().position(|other| other.name == *name) {
            let message = format!("elastic[{first}] is already called \"{name}\"");
            self.push(Problem::error(path, message, "give each body a name of its own"));
        }
    }

    fn elastic_shape(&mut self, path: &str, shape: &ElasticShape) {
        match shape {
            ElasticShape::Sheet(sheet) => self.sheet(path, sheet),
            ElasticShape::Line(line) => {
                self.axis_ends(path, &line.from, &line.to);
            }
            ElasticShape::Ladder(ladder) => {
                self.axis_ends(path, &ladder.from, &ladder.to);
                let across = format!("{path}.across");
                if self.point(&across, &ladder.across) && ladder.across == [0.0; 3] {
                    let help = "from the first rope to the second: (0.3, 0.0, 0.0)";
                    self.push(Problem::error(across, "a ladder without width", help));
                }
            }
            ElasticShape::Box(cuboid) | ElasticShape::Lattice(cuboid) => {
                self.corners(path, &cuboid.min, &cuboid.max);
            }
            ElasticShape::BallShell(ball) => {
                self.point(&format!("{path}.centre"), &ball.centre);
            }
            ElasticShape::Tetrahedra(TetrahedraShape { of, .. }) => {
                self.solid_shape(&format!("{path}.of"), of);
            }
            ElasticShape::Mesh(mesh) => {
                self.mesh(path, &mesh.path, &mesh.rotate, &mesh.translate);
            }
        }
    }

    /// What is filled with tetrahedra.
    fn solid_shape(&mut self, path: &str, shape: &SolidShape) {
        match shape {
            SolidShape::Ball { centre, .. } => {
                self.point(&format!("{path}.centre"), centre);
            }
            SolidShape::Cylinder { from, to, .. }
            | SolidShape::Capsule { from, to, .. }
            | SolidShape::Cone { from, to, .. } => {
                self.axis_ends(path, from, to);
            }
            SolidShape::Box { min, max } => {
                self.corners(path, min, max);
            }
            SolidShape::Mesh(mesh) => {
                self.mesh(path, &mesh.path, &mesh.rotate, &mesh.translate);
            }
        }
    }

    /// A sheet has an area.
    fn sheet(&mut self, path: &str, sheet: &SheetShape) {
        let SheetShape { origin, u, v, .. } = sheet;
        let points = [("origin", origin), ("u", u), ("v", v)];
        let is_sound = points
            .iter()
            .fold(true, |all, (key, x)| self.point(&format!("{path}.{key}"), x) && all);
        if !is_sound {
            return;
        }
        let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let squares = dot(u, u) * dot(v, v);
        let sine_squared = 1.0 - dot(u, v) * dot(u, v) / squares;
        if squares == 0.0 || sine_squared < MIN_SINE * MIN_SINE {
            let message = "a sheet without area: `u` and `v` are its edges, and parallel";
            let help = "such as u: (1.0, 0.0, 0.0), v: (0.0, 1.0, 0.0)";
            let problem = Problem::error(format!("{path}.v"), message, help);
            self.push(problem.also_at(format!("{path}.u")));
        }
    }

    /// A material is for one kind of elements, but that of springs.
    fn material(&mut self, path: &str, body: &ElasticModel) {
        self.springs(path, body);
        let fits = match body.shape {
            ElasticShape::Sheet(_) | ElasticShape::BallShell(_) => "Shell",
            ElasticShape::Line(_) | ElasticShape::Ladder(_) => "Rope",
            ElasticShape::Lattice(_) => "Springs",
            ElasticShape::Box(_) | ElasticShape::Tetrahedra(_) => "Solid",
            // What a file holds is known when it is read.
            ElasticShape::Mesh(_) => return,
        };
        let (shape, material) = (body.shape.name(), body.material.name());
        if material != fits && !matches!(body.material, MaterialModel::Springs { .. }) {
            let message = format!("`{shape}` has no elements of the material `{material}`");
            let help = match fits {
                "Springs" => "Springs(…)".to_owned(),
                fits => format!("{fits}(…) or Springs(…)"),
            };
            let problem = Problem::error(format!("{path}.material"), message, &help);
            self.push(problem.also_at(format!("{path}.shape")));
        }
    }

    /// Springs have one stiffness, and a mass.
    fn springs(&mut self, path: &str, body: &ElasticModel) {
        let MaterialModel::Springs { node_mass, density, stiffness, young_modulus, .. } =
            body.material
        else {
            return;
        };
        let path = format!("{path}.material");
        let help = "either `node_mass`, in kg, or `density`, in kg/m³";
        match (node_mass, density) {
            (Some(_), Some(_)) => {
                let message = "both `node_mass` and `density` are given";
                let problem = Problem::error(format!("{path}.node_mass"), message, help);
                self.push(problem.also_at(format!("{path}.density")));
            }
            (None, None) => {
                self.push(Problem::error(&path, "springs without a mass", help));
            }
            _ => {}
        }
        let help = "either `stiffness`, in N/m, or `young_modulus`, in Pa";
        match (stiffness, young_modulus) {
            (Some(_), Some(_)) => {
                let message = "both `stiffness` and `young_modulus` are given";
                let problem = Problem::error(format!("{path}.stiffness"), message, help);
                self.push(problem.also_at(format!("{path}.young_modulus")));
            }
            (None, None) => {
                self.push(Problem::error(&path, "springs without a stiffness", help));
            }
            _ => {}
        }
    }

    fn fixing(&mut self, path: &str, fixing: &FixingModel, shape: &ElasticShape) {
        let nodes = format!("{path}.nodes");
        match fixing.nodes() {
            NodeSelection::Box { min, max } => {
                self.node_box(&nodes, min, max);
            }
            NodeSelection::Ball { centre, .. } => {
                self.point(&format!("{nodes}.centre"), centre);
            }
            NodeSelection::Indices(indices) => {
                if indices.is_empty() {
                    self.push(Problem::error(nodes, "no node", "numbers from 0: [0, 1, 2]"));
                }
            }
            NodeSelection::Group(_) => {
                if !matches!(shape, ElasticShape::Mesh(_)) {
                    let message = format!("`{}` has no groups of nodes", shape.name());
                    let help = "nodes by their places: Box(…) or Ball(…); groups are of mesh files";
                    self.push(Problem::error(nodes, message, help));
                }
            }
        }
        if let FixingModel::Tied { to, .. } = fixing {
            self.solid_reference(&format!("{path}.to"), to);
        }
    }

    /// A solid that there is.
    pub(super) fn solid_reference(&mut self, path: &str, reference: &SolidReference) {
        let solids = &self.model.solids;
        if reference.index(solids.iter().map(SolidModel::name)).is_some() {
            return;
        }
        let message = match reference {
            SolidReference::Index(index) => format!("there is no solid {index}"),
            SolidReference::Name(name) => format!("no solid is called \"{name}\""),
        };
        let names: Vec<&str> = solids.iter().filter_map(SolidModel::name).collect();
        let by_index = match solids.len() {
            0 => "the scene has no `solids`".to_owned(),
            count => format!("an index of `solids`, from 0 to {}", count - 1),
        };
        let help = match reference {
            SolidReference::Name(name) if !names.is_empty() => match hint(name, &names) {
                nearest if nearest.ends_with('?') => nearest,
                all => format!("{all}; or {by_index}, without quotes"),
            },
            SolidReference::Name(name) if !solids.is_empty() => {
                format!("give the solid that name, `name: \"{name}\"`; or {by_index}")
            }
            _ => by_index,
        };
        self.push(Problem::error(path, message, &help).also_at("solids"));
    }

    /// The surface of an elastic body has no velocity but that of its nodes.
    fn fluid_contact(&mut self, path: &str, contact: &ContactLaw) {
        self.contact(path, contact);
        if contact.velocity != [0.0; 3] {
            let message = "the surface of an elastic body moves with its nodes alone";
            let help = "leave it out: belts are of solids";
            self.push(Problem::error(format!("{path}.velocity"), message, help));
        }
    }

    /// A box of nodes may be flat.
    fn node_box(&mut self, path: &str, min: &[f64; 3], max: &[f64; 3]) {
        let low = self.point(&format!("{path}.min"), min);
        let high = self.point(&format!("{path}.max"), max);
        if let Some(a) = (0..3).find(|&a| low && high && min[a] > max[a]) {
            let axis = ["x", "y", "z"][a];
            let message =
                format!("empty box: along {axis}, `min` {} is above `max` {}", min[a], max[a]);
            let help = "`min` is the lowest corner and `max` the highest";
            let problem = Problem::error(format!("{path}.max"), message, help);
            self.push(problem.also_at(format!("{path}.min")));
        }
    }
}

/// What an integrator of high order does not support.
pub fn unsupported_by_order(order: OrderModel, what: &str) -> Problem {
    let message = format!("order {order:?} does not support {what}");
    let help = "Auto: the sixth order where it can, and the second elsewhere";
    Problem::error("elastic_solver.order", message, help)
}

/// About how many nodes a shape has; 0 of a file.
fn node_count(shape: &ElasticShape) -> f64 {
    let product = |counts: &[u32]| counts.iter().map(|&n| f64::from(n) + 1.0).product();
    match shape {
        ElasticShape::Sheet(sheet) => product(&sheet.cells),
        ElasticShape::Line(line) => product(&[line.segments]),
        ElasticShape::Ladder(ladder) => {
            let parts = 4.0 * f64::from(ladder.segments) + f64::from(ladder.rung_segments);
            f64::from(ladder.rungs) * parts
        }
        ElasticShape::Box(cuboid) => 2.0 * product(&cuboid.cells),
        ElasticShape::Lattice(cuboid) => product(&cuboid.cells),
        ElasticShape::BallShell(ball) => 10.0 * 4.0_f64.powi(ball.subdivisions as i32),
        ElasticShape::Tetrahedra(TetrahedraShape { of, cell }) => {
            // The lattice is body-centred: two nodes a cell.
            2.0 * of.volume().max(0.0) / cell.powi(3)
        }
        ElasticShape::Mesh(_) => 0.0,
    }
}
