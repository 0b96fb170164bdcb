//! A scene that is read and checked, with its meshes loaded, before anything is laid out. Its size
//! can be estimated here before it takes memory or time.

use crate::build::{ElasticFiles, build, output, resolved, surface};
use crate::check::check;
use crate::layout::fluid_regions::region_of;
use crate::layout::opening::to_opening;
use crate::meshes::Meshes;
use crate::model::{Domain, FillShape, FluidShape, Model, SolidModel};
use crate::parse::{ReadScene, read};
use crate::prepared::{Prepared, ReadFile};
use crate::problem::{Problem, to_diagnostics};
use crate::scene_names::SceneNames;
use crate::text::diagnostic::{Diagnostic, Severity};
use crate::text::scene_text::SceneText;
use crate::text::source::{Override, Source};
use crate::{clouds, meshes, parse, recordings};
use hashfall_core::Dimension;
use hashfall_fill::opening;
use hashfall_fill::region::particle_volume;
use hashfall_search::{NeighborChoice, Structures};
use hashfall_solid::Solids;
use std::sync::Arc;

/// A scene whose values are valid, with its meshes loaded.
#[derive(Debug)]
pub struct Checked {
    text: SceneText,
    model: Model,
    meshes: Meshes,
    warnings: Vec<Diagnostic>,
}

/// The size of a scene before it is built.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Number of lattice sites of shapes and nozzles that are tested for particles: an upper bound
    /// of the number of particles.
    pub places: f64,
    /// Number of balls among the solids.
    pub balls: f64,
    /// Number of triangles and tetrahedra of all meshes from files.
    pub triangles: usize,
}

impl Checked {
    /// Reads, overrides and checks a scene; see [`prepare`](super::prepare) for `read_file`.
    ///
    /// # Errors
    /// Every problem that can be found before anything is built.
    pub fn from_source(
        source: &Source,
        overrides: &[Override],
        read_file: &mut ReadFile,
    ) -> Result<Checked, Vec<Diagnostic>> {
        let ReadScene { text, mut model, warnings } = read(source, overrides)?;
        let mut problems = check(&model);
        let names: Vec<_> = model.solids.iter().map(SolidModel::name).collect();
        model.probes.set_indices(&names);
        let (mut meshes, mesh_errors) = meshes::load(&model, read_file);
        meshes::set_up_axes(&mut model, &meshes.ups);
        let cloud_errors = clouds::load(&mut model, &mut meshes, read_file);
        let table_errors = recordings::load(&mut model, &mut meshes, read_file);
        problems.append(&mut meshes.problems);
        let mut faults = warnings;
        faults.extend(mesh_errors);
        faults.extend(cloud_errors);
        faults.extend(table_errors);
        faults.extend(to_diagnostics(&text, &problems));
        if faults.iter().any(|fault| fault.severity == Severity::Error) {
            return Err(faults);
        }
        Ok(Checked { text, model, meshes, warnings: faults })
    }

    /// The radius of its particles \[m\].
    pub fn particle_radius(&self) -> f64 {
        self.model.particle_radius()
    }

    /// What it calls its fluids and bodies.
    pub fn names(&self) -> SceneNames {
        SceneNames::new(&self.model)
    }

    /// Its size.
    pub fn size(&self) -> Size {
        let Checked { model, meshes, .. } = self;
        let d = 2.0 * model.particle_radius();
        let mut of_fluids = meshes.fluids.iter();
        let shapes = model.fluids.iter().flat_map(|fluid| &fluid.shapes);
        let places = shapes.map(|shape| match (region_of(model, shape, &mut of_fluids), shape) {
            // What is packed has as many as its volume asks for.
            (Some(region), _) => {
                let packed = region.volume() / particle_volume(model.dimensions, d);
                region.sites(d).count().max(packed.round())
            }
            (None, FluidShape::Random(random)) => f64::from(random.count),
            (None, FluidShape::Particles(shape)) => {
                shape.given.as_ref().map_or(0.0, |given| given.positions.len() as f64)
            }
            (None, FluidShape::Fill(fill)) => most_filled(model, fill),
            (None, _) => 0.0,
        });
        let balls = model.solids.iter().map(SolidModel::ball_count);
        // A nozzle that gives fluid from the start on is full then.
        let depth = (model.support_radius() / d).ceil();
        let mut of_openings = meshes.openings.iter();
        let nozzles = model.emitters.iter().map(|emitter| {
            let mesh = if emitter.from.is_mesh() { of_openings.next() } else { None };
            let places = |it| opening::places(model.dimensions, &it, d, depth as u64);
            depth * to_opening(&emitter.from, mesh).map_or(0.0, places)
        });
        let others = [&meshes.fluids, &meshes.openings, &meshes.interiors];
        let all_meshes = meshes.solids.iter().map(Arc::as_ref).chain(others.into_iter().flatten());
        let triangles = all_meshes.map(|mesh| mesh.triangles.len());
        // A tetrahedron weighs as a triangle does.
        let elements =
            meshes.elements.iter().map(|mesh| mesh.triangles.len() + mesh.tetrahedra.len());
        Size {
            places: places.sum::<f64>() + nozzles.sum::<f64>(),
            balls: balls.sum(),
            triangles: triangles.chain(elements).sum(),
        }
    }

    /// Builds the world.
    ///
    /// # Errors
    /// Every problem that only building reveals.
    pub fn build(self) -> Result<Prepared, Vec<Diagnostic>> {
        self.build_beside(None)
    }

    /// The same scene without copies of its files, which can be built with
    /// [coarser](Checked::coarser) particles. `None` of a scene whose files must be read again for
    /// these: of particles, and of meshes in the plane, which are as deep as particles see.
    pub fn without_files(&self) -> Option<Checked> {
        let is_same = self.meshes.particles.is_empty() && self.model.dimensions == Dimension::Three;
        is_same.then(|| Checked {
            text: self.text.clone(),
            model: self.model.clone(),
            meshes: self.meshes.without_files(),
            warnings: Vec::new(),
        })
    }

    /// The scene with particles `ratio` times as large, if it can be laid out so; what the solids
    /// of `built`, the same scene, keep of their meshes is shared.
    pub fn coarser(self, ratio: f64, built: &Prepared) -> Option<Prepared> {
        let mut coarse = self;
        coarse.model.particle_radius = Some(ratio * f64::from(built.world.particle_radius));
        coarse.model.support_radius = Some(ratio * f64::from(built.world.support_radius));
        let is_sound = |problem: &Problem| problem.severity != Severity::Error;
        let is_sound = check(&coarse.model).iter().all(is_sound);
        is_sound.then(|| coarse.build_beside(Some(&built.world.solids)).ok()).flatten()
    }

    /// Builds the world, beside other solids that may have the same meshes.
    fn build_beside(self, others: Option<&Solids>) -> Result<Prepared, Vec<Diagnostic>> {
        let Checked { text, model, meshes, mut warnings } = self;
        let elastic_files = ElasticFiles {
            elements: meshes.elements.into_iter(),
            interiors: meshes.interiors.into_iter(),
        };
        let (fluids, openings) = (&meshes.fluids, &meshes.openings);
        let built = build(&model, meshes.solids, others, fluids, openings, elastic_files)
            .map_err(|problems| to_diagnostics(&text, &problems))?;
        warnings.extend(to_diagnostics(&text, &built.warnings));
        let (names, particles) = (&meshes.names, &meshes.particles);
        let resolved = resolved(&model, &built.world, names, particles, &meshes.recordings);
        let resolved = parse::write(&resolved).map_err(|error| vec![unwritable(&text, &error)])?;
        Ok(Prepared {
            description: model.description.clone(),
            world: built.world,
            solid_count: model.solids.len(),
            structures: Structures {
                neighbors: NeighborChoice { settings: model.search, ..model.neighbors.into() },
                broad_phase: model.broad_phase,
            },
            frames: model.frames,
            surface: surface(&model),
            output: output(&model),
            probes: model.probes,
            checkpoints: model.checkpoints,
            solid_names: model.solids.iter().map(|it| it.name().map(str::to_owned)).collect(),
            foam: model.foam.clone(),
            preview: model.preview,
            limits: model.limits,
            resolved,
            meshes: meshes.files,
            mesh_summaries: meshes.summaries,
            removed_in_solids: built.removed_in_solids,
            particles_per_fluid: built.particles_per_fluid,
            shapes: built.shapes,
            free_bodies: built.free_bodies,
            elastic_qualities: built.elastic_qualities,
            warnings,
        })
    }
}

/// How many particles a vessel holds at the most: as many as the domain below its level, or as make
/// its volume.
fn most_filled(model: &Model, fill: &FillShape) -> f64 {
    let Domain::Box { min, max, .. } = model.domain;
    let d = 2.0 * model.particle_radius();
    let particle = particle_volume(model.dimensions, d);
    if let Some(volume) = fill.volume {
        return volume / particle;
    }
    let height = fill.level.unwrap_or(max[2]).min(max[2]) - min[2];
    let depth = if model.dimensions == Dimension::Two { 1.0 } else { max[1] - min[1] };
    (max[0] - min[0]) * depth * height.max(0.0) / particle
}

/// A model that cannot be written back; ron names the reason.
fn unwritable(text: &SceneText, error: &ron::Error) -> Diagnostic {
    let message = format!("the resolved scene cannot be written: {error}");
    text.diagnose(Severity::Error, 0..0, message, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
                        f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    const SCENE: &str = "Scene(
        frames: (count: 1, rate: 10.0),
        domain: Box(min: (0, 0, 0), max: (2, 2, 2)),
        particle_radius: 0.05,
        fluids: [(name: \"water\", rest_density: 1000, viscosity: 0, shapes: [
            Box(min: (0, 0, 0), max: (0.4, 0.3, 0.2)),
            Mesh(path: \"cube\", scale: 0.5, translate: (1, 0, 0)),
            Ball(centre: (0.5, 1.5, 0.5), radius: 0.2),
        ])],
        solids: [
            SphereField(Lattice(
                min: (1, 1, 1), spacing: (0.2, 0.2, 0.2), counts: (2, 3, 1), diameter: 0.1,
            )),
            SphereField(List([(centre: (1, 1, 1.5), radius: 0.1)])),
            Mesh(path: \"cube\", scale: 0.2),
        ],
    )";

    #[test]
    fn what_is_asked_for_is_counted_before_it_is_built() {
        let source = Source { name: String::new(), text: SCENE.to_owned() };
        let checked = Checked::from_source(&source, &[], &mut |_| Ok(CUBE.into())).unwrap();
        let size = checked.size();
        let places = f64::from(4 * 3 * 2 + 5 * 5 * 5 + 4 * 4 * 4);
        assert_eq!(size, Size { places, balls: 7.0, triangles: 24 });
        let scene = checked.build().unwrap();
        assert!(scene.world.particles.len() < 24 + 125 + 64, "some start in a solid");
        assert_eq!(scene.world.solids.spheres().len(), 7);
    }

    #[test]
    fn coarser_particles_are_those_of_the_scene_with_other_sizes() {
        let source = Source { name: String::new(), text: SCENE.replace("0.05", "0.02") };
        let read = |changes: &[Override]| {
            Checked::from_source(&source, changes, &mut |_| Ok(CUBE.into())).unwrap()
        };
        // What the arguments change holds for both.
        let scale = Override::new("solids[2].scale", "0.3");
        let checked = read(std::slice::from_ref(&scale));
        let without_files = checked.without_files().unwrap();
        let scene = checked.build().unwrap();
        let coarser = without_files.coarser(1.5, &scene).unwrap();
        let size = |key: &str, of_scene: f64| Override::new(key, &format!("{:e}", 1.5 * of_scene));
        let sizes = [
            size("particle_radius", scene.world.particle_radius.into()),
            size("support_radius", scene.world.support_radius.into()),
        ];
        let expected = read(&[&[scale], &sizes[..]].concat()).build().unwrap();
        assert!(coarser.world.particles.len() < scene.world.particles.len());
        assert_eq!(coarser.world.particles, expected.world.particles);
        assert_eq!(coarser.world.solids, expected.world.solids);
        assert_eq!(coarser.world.support_radius, expected.world.support_radius);
        assert!(coarser.world.solids.meshes()[0].bounds().max.x > 0.29);
    }
}
