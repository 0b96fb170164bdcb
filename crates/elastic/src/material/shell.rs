//! Shells of triangles: a membrane, and bending.
//!
//! Bending has the flexural rigidity D = E t³/(12 (1 − ν²)), unless it is given: woven cloth bends
//! far more easily than a solid sheet of its thickness. A shell is clamped where all nodes of
//! triangles are held, and hinged where only those of an edge are.

use super::parts::{BodyParts, not_negative, positive};
use crate::energy::continuum::simplex::triangle;
use crate::energy::{BendingLaw, ContinuumElement, NeoHookeanMembrane, ShellBending};
use crate::error::{MaterialError, place};
use crate::mesh::ElasticMesh;

/// What a shell is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shell {
    /// E \[Pa\].
    pub modulus: f64,
    /// ν, from 0 to 1/2.
    pub poisson_ratio: f64,
    /// \[kg/m³\]
    pub density: f64,
    /// t \[m\].
    pub thickness: f64,
    /// D \[N·m\]; that of a solid sheet if none, 0 of what bends freely.
    pub bending_rigidity: Option<f64>,
    /// β: of damping by the rates of strain and of bending \[s\].
    pub damping_time: f64,
}

impl Shell {
    /// A solid sheet without damping, of a modulus \[Pa\], Poisson's ratio, density \[kg/m³\] and
    /// thickness \[m\].
    pub fn new(modulus: f64, poisson_ratio: f64, density: f64, thickness: f64) -> Self {
        let (bending_rigidity, damping_time) = (None, 0.0);
        Shell { modulus, poisson_ratio, density, thickness, bending_rigidity, damping_time }
    }

    /// D \[N·m\].
    pub fn rigidity(&self) -> f64 {
        let cube = self.thickness * self.thickness * self.thickness;
        let of_sheet =
            || self.modulus * cube / (12.0 * (1.0 - self.poisson_ratio * self.poisson_ratio));
        self.bending_rigidity.unwrap_or_else(of_sheet)
    }

    /// Adds the triangles of a mesh.
    pub(super) fn add_to(
        &self,
        mesh: &ElasticMesh,
        parts: &mut BodyParts,
    ) -> Result<(), MaterialError> {
        self.check()?;
        if mesh.triangles.is_empty() {
            return Err(MaterialError::NoElements { elements: "triangles", material: "shells" });
        }
        self.add_membrane(mesh, parts)?;
        if self.rigidity() > 0.0 {
            self.add_bending(mesh, parts)?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), MaterialError> {
        positive("modulus", self.modulus)?;
        positive("density", self.density)?;
        positive("thickness", self.thickness)?;
        not_negative("bending_rigidity", self.bending_rigidity.unwrap_or(0.0))?;
        not_negative("damping_time", self.damping_time)?;
        let (name, value) = ("poisson_ratio", self.poisson_ratio);
        if (0.0..=0.5).contains(&value) {
            return Ok(());
        }
        Err(MaterialError::Parameter { name, value, range: "from 0 to 0.5" })
    }

    fn add_membrane(&self, mesh: &ElasticMesh, parts: &mut BodyParts) -> Result<(), MaterialError> {
        let material = NeoHookeanMembrane::new(self.modulus, self.poisson_ratio);
        let mut elements = Vec::with_capacity(mesh.triangles.len());
        for (index, corners) in mesh.triangles.iter().enumerate() {
            let x = corners.map(|node| mesh.nodes[node as usize]);
            let Some(points) = triangle(&x, self.thickness) else {
                let (element, extent, place) = ("triangle", "area", place(&x[0]));
                return Err(MaterialError::Degenerate { element, index, extent, place });
            };
            parts.add_mass(corners, self.density * points[0].weight);
            elements.push(ContinuumElement { material, points, damping_time: self.damping_time });
        }
        parts.add_elements(mesh.triangles.clone(), elements);
        Ok(())
    }

    fn add_bending(&self, mesh: &ElasticMesh, parts: &mut BodyParts) -> Result<(), MaterialError> {
        let law = BendingLaw {
            rigidity: self.rigidity(),
            poisson_ratio: self.poisson_ratio,
            damping_time: self.damping_time,
        };
        let bending = ShellBending::new(&mesh.triangles, &mesh.nodes, &parts.held, law);
        let bending = bending.map_err(|nodes| MaterialError::NotASurface {
            nodes,
            place: place(&mesh.nodes[nodes[0] as usize]),
        })?;
        parts.energies.push(Box::new(bending.shifted(parts.first_node)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Material;
    use super::*;
    use crate::energy::testing::random_vector;
    use crate::meshing::sheet;
    use crate::stepper::{StableSubstep, SubstepBuffer};
    use crate::system::{BodySpec, ElasticSystem};
    use hashfall_core::parallel::with_threads;
    use hashfall_core::rng::RandomStream;
    use hashfall_geometry::Point;
    use nalgebra::{DMatrix, Matrix3};

    fn shell() -> Shell {
        Shell { damping_time: 0.01, ..Shell::new(1e5, 0.3, 500.0, 0.05) }
    }

    fn spec(cells: u32, shell: Shell) -> BodySpec {
        let mesh = sheet(Point::zeros(), Point::x(), Point::y(), [cells, cells]).unwrap();
        BodySpec::new("plate", mesh, Material::Shell(shell))
    }

    fn crumpled(system: &ElasticSystem, by: f64) -> Vec<Point> {
        let mut rng = RandomStream::new(12);
        system.start().position.iter().map(|x| x + random_vector(&mut rng) * by).collect()
    }

    #[test]
    fn forces_of_bending_are_the_slope_of_its_energy_and_keep_momenta() {
        // Triangles of both orientations: the normal of a shell need not be one.
        let mut spec = spec(3, shell());
        spec.mesh.triangles.iter_mut().step_by(3).for_each(|t| t.swap(1, 2));
        let system = ElasticSystem::new(vec![spec]).unwrap();
        let x = crumpled(&system, 0.15);
        let n = x.len();
        let forces = |x: &[Point], v: &[Point]| {
            let mut out = vec![Point::zeros(); n];
            system.energies().forces(x, v, &mut Default::default(), &mut out);
            out
        };
        let still = vec![Point::zeros(); n];
        let found = forces(&x, &still);
        let largest = found.iter().map(Point::norm).fold(0.0, f64::max);
        for i in 0..n {
            for k in 0..3 {
                let at = |h: f64| {
                    let mut x = x.clone();
                    x[i][k] += h;
                    system.energies().energy(&x)
                };
                let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                assert!((slope + found[i][k]).abs() < 1e-7 * largest, "{slope}, {}", found[i][k]);
            }
        }
        let mut rng = RandomStream::new(13);
        let v: Vec<_> = (0..n).map(|_| random_vector(&mut rng)).collect();
        let damped = forces(&x, &v);
        let (sum, moment) = (
            damped.iter().sum::<Point>(),
            x.iter().zip(&damped).map(|(x, f)| x.cross(f)).sum::<Point>(),
        );
        assert!(sum.norm() < 1e-12 * largest && moment.norm() < 1e-12 * largest);
        let power: f64 =
            v.iter().zip(damped.iter().zip(&found)).map(|(v, (d, f))| v.dot(&(d - f))).sum();
        assert!(power < 0.0);
    }

    /// The matrix of a map of vectors for each node.
    fn matrix(n: usize, map: impl Fn(&[Point]) -> Vec<Point>) -> DMatrix<f64> {
        let columns: Vec<_> = (0..3 * n)
            .map(|j| {
                let mut p = vec![Point::zeros(); n];
                p[j / 3][j % 3] = 1.0;
                let out = map(&p);
                nalgebra::DVector::from_fn(3 * n, |i, _| out[i / 3][i % 3])
            })
            .collect();
        DMatrix::from_columns(&columns)
    }

    #[test]
    fn matrices_are_positive_and_the_substep_is_a_bound() {
        let system = ElasticSystem::new(vec![spec(3, shell())]).unwrap();
        let energies = system.energies();
        for by in [0.0, 0.05, 0.2] {
            let x = crumpled(&system, by);
            let n = x.len();
            let forces = |x: &[Point], v: &[Point]| {
                let mut out = vec![Point::zeros(); n];
                energies.forces(x, v, &mut Default::default(), &mut out);
                out
            };
            let still = vec![Point::zeros(); n];
            let whole = |blocks: &[Matrix3<f64>]| {
                let (mut out, mut blocks) = (DMatrix::zeros(3 * n, 3 * n), blocks.iter());
                for energy in energies.iter() {
                    for corners in energy.nodes().chunks(energy.corner_count()) {
                        let pairs =
                            corners.iter().flat_map(|a| corners.iter().map(move |b| [a, b]));
                        for ([a, b], block) in pairs.zip(&mut blocks) {
                            let mut part =
                                out.fixed_view_mut::<3, 3>(3 * *a as usize, 3 * *b as usize);
                            part += block;
                        }
                    }
                }
                out
            };
            let mut blocks = vec![Matrix3::zeros(); energies.block_count()];
            energies.damping(&x, &mut blocks);
            let damping = whole(&blocks);
            let of_forces = matrix(n, |p| {
                let pairs = forces(&x, p).into_iter().zip(forces(&x, &still));
                pairs.map(|(a, b)| b - a).collect()
            });
            let slack = (&damping - &of_forces).symmetric_eigenvalues().min();
            assert!(slack > -1e-10 * damping.norm(), "crumpled by {by}: {slack}");
            energies.stiffness(&x, &mut blocks);
            let stiffness = whole(&blocks);
            assert!(stiffness.clone().symmetric_eigenvalues().min() > -1e-10 * stiffness.norm());
            let hessian = matrix(n, |p| {
                let moved =
                    |h: f64| -> Vec<Point> { x.iter().zip(p).map(|(x, p)| x + p * h).collect() };
                let pairs =
                    forces(&moved(-1e-6), &still).into_iter().zip(forces(&moved(1e-6), &still));
                pairs.map(|(a, b)| (a - b) / 2e-6).collect()
            });
            if by == 0.0 {
                // At rest it is the true one but for what the rotations of edges give way.
                let slack = (&stiffness - &hessian).symmetric_eigenvalues().min();
                assert!(slack > -1e-6 * hessian.norm(), "{slack}");
                let off = &of_forces - &hessian * shell().damping_time;
                assert!(off.norm() < 1e-6 * of_forces.norm(), "damping is of the stiffness");
            }
            let scaled = DMatrix::from_fn(3 * n, 3 * n, |i, j| {
                hessian[(i, j)] / (system.mass()[i / 3] * system.mass()[j / 3]).sqrt()
            });
            let rates = DMatrix::from_fn(3 * n, 3 * n, |i, j| {
                damping[(i, j)] / (system.mass()[i / 3] * system.mass()[j / 3]).sqrt()
            });
            let state = crate::state::ElasticState::at_rest(x);
            let h = StableSubstep::new(&system, &state, &mut SubstepBuffer::default()).dt;
            let largest = (scaled * (h * h / 4.0) + rates * h).symmetric_eigenvalues().max();
            assert!(largest < 1.0 + 1e-6, "crumpled by {by}: {largest}");
            assert!(largest > 0.1, "crumpled by {by}: the substep is far too short, {largest}");
        }
    }

    #[test]
    fn forces_have_the_same_bits_for_any_number_of_threads() {
        let system = ElasticSystem::new(vec![spec(40, shell())]).unwrap();
        let x = crumpled(&system, 0.01);
        let bits = |threads: usize| {
            with_threads(threads, || {
                let mut out = vec![Point::zeros(); x.len()];
                system.energies().forces(&x, &x, &mut Default::default(), &mut out);
                let energy = system.energies().energy(&x);
                (out, energy)
            })
        };
        assert_eq!(bits(1), bits(3));
    }

    #[test]
    fn bad_shells_are_refused_with_what_is_wrong() {
        let message = |spec: BodySpec| ElasticSystem::new(vec![spec]).unwrap_err().to_string();
        let found = message(spec(1, Shell { poisson_ratio: 0.6, ..shell() }));
        assert_eq!(found, "elastic body `plate`: `poisson_ratio` is 0.6; it must be from 0 to 0.5");
        let mut fin = spec(1, shell());
        fin.mesh.nodes.push(Point::new(0.5, 0.5, 1.0));
        let [a, b, _] = fin.mesh.triangles[0];
        fin.mesh.triangles.extend([[a, b, 4], [b, a, 4]]);
        assert!(message(fin).contains("a shell must be a surface"));
        let mut thin = spec(1, shell());
        thin.mesh.nodes[1] = (thin.mesh.nodes[0] + thin.mesh.nodes[3]) * 0.5;
        assert!(message(thin).contains("of the mesh has no area"));
    }
}
