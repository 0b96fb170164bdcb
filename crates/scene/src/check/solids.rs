//! Checks of the solids: sizes, positions and counts.

use super::checks::{Checks, brief};
use super::printable::unprintable;
use crate::model::limits::{MAX_COORDINATE, MAX_SPHERES};
use crate::model::{
    CapsuleModel, ConeModel, CylinderModel, LatticeField, RandomField, Rotation, SolidModel,
    SphereField, SphereModel,
};
use crate::problem::Problem;

/// A mesh with map coordinates is moved back by up to this much \[m\].
const MAX_TRANSLATION: f64 = 1e9;
/// Diameters of balls \[m\].
const DIAMETERS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;

impl Checks<'_> {
    pub(super) fn solids(&mut self) {
        let model = self.model;
        let mut total = 0.0;
        for (i, solid) in model.solids.iter().enumerate() {
            let path = format!("solids[{i}]");
            total += solid.ball_count();
            self.solid_name(i);
            match solid {
                SolidModel::SphereField(SphereField::Random(field)) => {
                    self.random(&path, field);
                }
                SolidModel::SphereField(SphereField::List(spheres)) => {
                    self.balls(&path, spheres);
                }
                SolidModel::SphereField(SphereField::Balls(balls)) => {
                    self.balls(&format!("{path}.list"), &balls.list);
                }
                SolidModel::SphereField(SphereField::Lattice(field)) => {
                    self.lattice(&path, field);
                }
                SolidModel::Ball(ball) => {
                    self.point(&format!("{path}.centre"), &ball.centre);
                }
                SolidModel::Cylinder(CylinderModel { from, to, .. })
                | SolidModel::Capsule(CapsuleModel { from, to, .. })
                | SolidModel::Cone(ConeModel { from, to, .. }) => {
                    self.axis_ends(&path, from, to);
                }
                SolidModel::Box(solid) => {
                    self.corners(&path, &solid.min, &solid.max);
                }
                SolidModel::Polygon(polygon) => self.polygon(&path, &polygon.points),
                SolidModel::Mesh(mesh) => {
                    self.mesh(&path, &mesh.path, &mesh.rotate, &mesh.translate);
                }
            }
            self.contact(&format!("{path}.contact"), &solid.contact());
        }
        if total > MAX_SPHERES {
            let message = format!("{} spheres exceed the limit", brief(total));
            self.push(Problem::error(
                "solids",
                message,
                "at most 10 million, about 1.3 GB at work",
            ));
        }
    }

    /// A name is for one solid.
    fn solid_name(&mut self, i: usize) {
        let solids = &self.model.solids;
        let Some(name) = solids[i].name() else { return };
        let path = format!("solids[{i}].name");
        let is_same = |other: &SolidModel| other.name() == Some(name);
        if name.trim().is_empty() {
            let help = "such as \"hub\", or leave it out";
            self.push(Problem::error(path, "a solid with an empty name", help));
        } else if let Some(problem) = unprintable(&path, name) {
            self.push(problem);
        } else if let Some(first) = solids[..i].iter().position(is_same) {
            let message = format!("`solids[{first}]` is already called \"{name}\"");
            let problem = Problem::error(path, message, "give each solid a name of its own");
            self.push(problem.also_at(format!("solids[{first}].name")));
        }
    }

    fn balls(&mut self, path: &str, balls: &[SphereModel]) {
        for (k, ball) in balls.iter().enumerate() {
            self.point(&format!("{path}[{k}].centre"), &ball.centre);
        }
    }

    fn random(&mut self, path: &str, field: &RandomField) {
        let region_is_sound =
            self.corners(&format!("{path}.region"), &field.region.min, &field.region.max);
        let (low, high) = field.diameter;
        let least = self.within(&format!("{path}.diameter[0]"), low, DIAMETERS, "m");
        let largest = self.within(&format!("{path}.diameter[1]"), high, DIAMETERS, "m");
        if !(least && largest) {
            return;
        }
        let place = format!("{path}.diameter");
        if low > high {
            let message = format!("the minimum diameter {low} is above the maximum {high}");
            self.push(Problem::error(place, message, "(minimum, maximum)"));
        } else if region_is_sound {
            let thin = (0..3)
                .map(|a| field.region.max[a] - field.region.min[a])
                .fold(MAX_COORDINATE, f64::min);
            if thin < high {
                let message =
                    format!("spheres of {high} m do not fit a region {} m thin", brief(thin));
                let help = "a larger `region` or smaller spheres";
                let problem = Problem::error(place, message, help);
                let corners = ["region", "region.max", "region.min"];
                self.push(problem.also_at_all(corners.map(|key| format!("{path}.{key}"))));
            }
        }
    }

    fn lattice(&mut self, path: &str, field: &LatticeField) {
        self.point(&format!("{path}.min"), &field.min);
    }

    /// A mesh from the file `file`, of a solid or of a fluid.
    pub(super) fn mesh(&mut self, path: &str, file: &str, rotate: &Rotation, translate: &[f64; 3]) {
        self.file(path, file, "mesh");
        self.placement(path, rotate, translate);
    }

    /// A file is named.
    pub(super) fn file(&mut self, path: &str, file: &str, what: &str) {
        if file.trim().is_empty() {
            let help = format!("a {what} file, relative to the scene file");
            let message = format!("no {what} file is named");
            self.push(Problem::error(format!("{path}.path"), message, &help));
        }
    }

    /// How what a file holds is placed.
    pub(super) fn placement(&mut self, path: &str, rotate: &Rotation, translate: &[f64; 3]) {
        self.vector(&format!("{path}.translate"), translate, MAX_TRANSLATION, "m");
        let axis = &rotate.axis;
        let place = format!("{path}.rotate.axis");
        if self.vector(&place, axis, MAX_COORDINATE, "") && axis.iter().all(|x| x.abs() < 1e-9) {
            let message = "rotation axis of zero length";
            self.push(Problem::error(place, message, "a direction such as (0.0, 0.0, 1.0)"));
        }
    }
}
