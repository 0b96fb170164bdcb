//! The surface of particles that a file holds, and how many files are worked on at a time.

use super::attribute_choice;
use super::error::{MAX_FLUIDS, ReconstructionError};
use super::mesh_names::{self, RenamedAttribute};
use hashfall_core::cell::{cell_key, cell_of, is_within_limit};
use hashfall_core::{Attribute, Real, Values, Vec3};
use hashfall_geometry::Aabb;
use hashfall_input::{AttributeFilter, Cloud};
use hashfall_solid::Solids;
use hashfall_surface::{self as surface, Phases, SortedParticles, SurfaceInput, Surfaces};
use hashfall_surface::{Clip, SurfaceSettings};
use rayon::slice::ParallelSliceMut;

/// Particles in a cell of the kernel's size, as a mean over all particles; usual are some 10, and
/// the work for a particle grows with it.
const MAX_OCCUPANCY: u64 = 1000;
/// Pairs in cells up to which any occupancy is accepted: some seconds of work.
const MAX_PAIRS: u64 = 2_000_000_000;
/// Memory that a frame takes for each byte of its file, with cells of half a radius. A splash has
/// some 17 triangles for a particle, which takes 12 bytes in a file at the least.
const MEMORY_PER_BYTE: f64 = 100.0;
/// How much more a frame of several fluids takes.
const SHARED_MEMORY: f64 = 2.0;
/// The size of cells that [`MEMORY_PER_BYTE`] holds for, in radii.
const USUAL_CELL: f64 = 0.5;

/// How surfaces are made of particles.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Half the distance of particles \[m\].
    pub particle_radius: Real,
    /// The kernel's radius h \[m\].
    pub support_radius: Real,
    /// The cells and the iso value.
    pub surface: SurfaceSettings,
    /// Where particles count; others are left out.
    pub region: Option<Aabb>,
    /// What the mesh carries.
    pub attributes: AttributeFilter,
    /// The attribute that tells fluids apart, each of which makes a mesh; none if all make one.
    pub phases: Option<String>,
}

/// A surface, and of how many particles it was made.
#[derive(Clone, Debug)]
pub struct Reconstructed {
    /// The surfaces of each fluid, by ascending values; or one of all.
    pub fluids: Vec<Fluid>,
    /// Particles that stand outside the region.
    pub left_out: usize,
    /// Attributes whose names the mesh has for something else.
    pub renamed: Vec<RenamedAttribute>,
}

/// A fluid with its surfaces.
#[derive(Clone, Debug)]
pub struct Fluid {
    /// The value of the attribute that tells fluids apart, if they are.
    pub value: Option<u32>,
    /// Its surface, and that of the spray if it is wanted apart.
    pub surfaces: Surfaces,
    /// Particles that it was made of.
    pub particles: usize,
}

impl Settings {
    /// The surface of a cloud.
    ///
    /// # Errors
    /// When an attribute that is wanted is missing or broken, or a particle is too far away.
    pub fn reconstruct(&self, cloud: Cloud) -> Result<Reconstructed, ReconstructionError> {
        let mut labels = attribute_choice::labels(self.phases.as_deref(), &cloud)?;
        let Cloud { mut positions, attributes, skipped, unreadable, .. } = cloud;
        let mut attributes =
            attribute_choice::chosen(&self.attributes, attributes, &skipped, &unreadable)?;
        let renamed = mesh_names::make_unique(&mut attributes);
        // The grid's blocks may be smaller than the cells of particles, by less than half.
        let is_near = |x: &Vec3| is_within_limit(cell_of(x, self.support_radius / 2.0));
        if let Some(particle) = positions.iter().position(|x| !is_near(x)) {
            let particle_radius = self.particle_radius;
            return Err(ReconstructionError::TooFar { particle, particle_radius });
        }
        let all = positions.len();
        if let Some(region) = &self.region {
            let is_inside = |&i: &usize| region.contains(&positions[i]);
            let inside: Vec<usize> = (0..all).filter(is_inside).collect();
            for attribute in &mut attributes {
                attribute.values = attribute.values.at(inside.iter().copied());
            }
            positions = inside.iter().map(|&i| positions[i]).collect();
            if let Some(labels) = &mut labels {
                *labels = inside.iter().map(|&i| labels[i]).collect();
            }
        }
        let left_out = all - positions.len();
        self.check_density(&positions)?;
        let fluids = match labels {
            Some(labels) => self.fluids(&positions, attributes, labels)?,
            None => vec![self.one_fluid(&positions, &attributes)],
        };
        Ok(Reconstructed { fluids, left_out, renamed })
    }

    /// What has to be read of a file's attributes.
    pub fn attributes_to_read(&self) -> AttributeFilter {
        match &self.attributes {
            AttributeFilter::All => AttributeFilter::All,
            AttributeFilter::Named(names) => {
                AttributeFilter::Named(names.iter().chain(&self.phases).cloned().collect())
            }
        }
    }

    /// Refuses particles that crowd so much that each would be weighed against all others.
    fn check_density(&self, positions: &[Vec3]) -> Result<(), ReconstructionError> {
        let key = |x: &Vec3| cell_key(cell_of(x, self.support_radius));
        let mut keys: Vec<u64> = positions.iter().map(key).collect();
        keys.par_sort_unstable();
        let pairs =
            keys.chunk_by(|a, b| a == b).map(|cell| (cell.len() as u64).pow(2)).sum::<u64>();
        let mean = pairs / (positions.len() as u64).max(1);
        let support_radius = self.support_radius;
        match pairs > MAX_PAIRS && mean > MAX_OCCUPANCY {
            true => Err(ReconstructionError::TooDense { mean, support_radius }),
            false => Ok(()),
        }
    }

    /// What all particles make together.
    fn one_fluid(&self, positions: &[Vec3], attributes: &[Attribute]) -> Fluid {
        let particles = SortedParticles::new(positions, attributes, self.support_radius);
        let surfaces = surface::reconstruct(
            &particles.input(),
            &no_solids(),
            &self.free_surface(),
            self.particle_radius,
        );
        Fluid { value: None, surfaces, particles: positions.len() }
    }

    /// What particles make that are of the fluids with these values.
    fn fluids(
        &self,
        positions: &[Vec3],
        mut attributes: Vec<Attribute<'static>>,
        labels: Vec<u32>,
    ) -> Result<Vec<Fluid>, ReconstructionError> {
        let mut values = labels.clone();
        values.sort_unstable();
        values.dedup();
        if values.len() > MAX_FLUIDS {
            let name = self.phases.clone().unwrap_or_default();
            return Err(ReconstructionError::TooManyFluids { name, count: values.len() });
        }
        // Sorted as the other attributes are.
        attributes.push(Attribute::new("fluid", Values::Labels(labels.into())));
        let particles = SortedParticles::new(positions, &attributes, self.support_radius);
        let input = particles.input();
        let Some((Attribute { values: Values::Labels(labels), .. }, attributes)) =
            input.attributes.split_last()
        else {
            unreachable!("the last attribute is the fluid");
        };
        let place = |label: &u32| values.partition_point(|value| value < label) as u8;
        let of: Vec<u8> = labels.iter().map(place).collect();
        let phases = Phases { fluid_of: &of, count: values.len() };
        let surfaces = surface::reconstruct_phases(
            &SurfaceInput { attributes, ..input },
            &phases,
            &no_solids(),
            &self.free_surface(),
            self.particle_radius,
        );
        let count = |fluid: usize| of.iter().filter(|&&other| usize::from(other) == fluid).count();
        let fluid =
            |(i, (&value, surfaces))| Fluid { value: Some(value), surfaces, particles: count(i) };
        Ok(values.iter().zip(surfaces).enumerate().map(fluid).collect())
    }

    /// A file of particles knows of no walls.
    fn free_surface(&self) -> SurfaceSettings {
        SurfaceSettings { clip: Clip::Free, ..self.surface }
    }

    /// The memory that a frame may take whose file has this number of bytes.
    pub fn memory(&self, file: u64) -> u64 {
        let cells = USUAL_CELL / self.surface.cell.min(USUAL_CELL);
        let shared = if self.phases.is_some() { SHARED_MEMORY } else { 1.0 };
        (file as f64 * MEMORY_PER_BYTE * shared * cells * cells) as u64
    }
}

fn no_solids() -> Solids {
    Solids::new(Aabb::EMPTY, Vec::new(), Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(attributes: AttributeFilter) -> Settings {
        Settings {
            particle_radius: 0.5,
            support_radius: 2.0,
            surface: SurfaceSettings::default(),
            region: None,
            attributes,
            phases: None,
        }
    }

    fn cloud() -> Cloud {
        let positions = (0..8).map(|i| Vec3::new((i % 2) as Real, (i / 2) as Real, 0.0)).collect();
        let flow = Values::Vectors(vec![Vec3::x(); 8].into());
        let attributes = vec![
            Attribute::new("flow", flow),
            Attribute::new("Normals", Values::Vectors(vec![Vec3::x(); 8].into())),
        ];
        Cloud { positions, attributes, ..Cloud::default() }
    }

    #[test]
    fn a_region_gives_the_surface_of_the_particles_in_it() {
        let mut all = settings(AttributeFilter::All);
        let reconstruct = |settings: &Settings| {
            let Reconstructed { mut fluids, left_out, .. } = settings.reconstruct(cloud()).unwrap();
            (fluids.pop().unwrap(), left_out)
        };
        let (whole, left_out) = reconstruct(&all);
        assert_eq!((whole.particles, left_out), (8, 0));
        let names: Vec<&str> = whole.surfaces.main.attributes.iter().map(|a| &*a.name).collect();
        assert_eq!(names, ["flow", "particle_Normals"], "a mesh has normals of its own");
        all.region = Some(Aabb::new(Vec3::new(-1.0, 1.0, -1.0), Vec3::new(0.0, 2.0, 1.0)));
        let (part, left_out) = reconstruct(&all);
        assert_eq!((part.particles, left_out), (2, 6));
        assert!(part.surfaces.main.audit().is_sound());
        assert!(part.surfaces.volume() < whole.surfaces.volume());
    }

    #[test]
    fn wrong_attributes_are_told() {
        let run = |name: &str, cloud| {
            let named = AttributeFilter::Named(vec![name.to_owned()]);
            settings(named).reconstruct(cloud).unwrap_err().to_string()
        };
        let message = run("flwo", cloud());
        assert!(
            message.contains("did you mean `flow`? The file has `flow`, `Normals`"),
            "{message}"
        );
        assert!(run("heat", Cloud::default()).ends_with("the file has none"));
        let mut broken = cloud();
        let mut flow = vec![Vec3::x(); 8];
        flow[5].z = Real::NAN;
        broken.attributes[0].values = Values::Vectors(flow.into());
        assert!(run("flow", broken).contains("attribute `flow` of particle 5"));
    }

    #[test]
    fn fluids_are_told_apart_by_whole_numbers() {
        let mut apart = settings(AttributeFilter::Named(vec!["kind".to_owned()]));
        apart.phases = Some("kind".to_owned());
        let mut labelled = cloud();
        let kinds = Values::Labels(vec![7, 2, 7, 2, 7, 2, 7, 7].into());
        labelled.attributes.push(Attribute::new("kind", kinds));
        let fluids = apart.reconstruct(labelled).unwrap().fluids;
        let counts: Vec<_> = fluids.iter().map(|fluid| (fluid.value, fluid.particles)).collect();
        assert_eq!(counts, [(Some(2), 3), (Some(7), 5)]);
        for Fluid { value, surfaces, .. } in &fluids {
            assert!(surfaces.main.audit().is_sound() && !surfaces.main.triangles.is_empty());
            let Values::Labels(kinds) = &surfaces.main.attributes[0].values else { panic!() };
            assert!(kinds.iter().all(|&kind| Some(kind) == *value));
        }
        let refused = |name: &str| {
            let phases = Some(name.to_owned());
            let settings = Settings { phases, ..settings(AttributeFilter::All) };
            settings.reconstruct(cloud()).unwrap_err().to_string()
        };
        assert!(refused("flow").contains("does not hold whole numbers"));
        assert!(refused("flwo").contains("did you mean `flow`?"));
    }

    #[test]
    fn a_particle_beyond_all_cells_is_told() {
        let mut far = cloud();
        far.positions[3].y = 1e20;
        let error = settings(AttributeFilter::All).reconstruct(far).unwrap_err().to_string();
        assert!(error.contains("particle 3") && error.contains("0.5 m"), "{error}");
    }
}
