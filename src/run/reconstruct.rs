//! The surface of particles that a file holds, and how many files are worked on at a time.

use crate::base::cell::{cell_of, is_within_limit};
use crate::base::{Attribute, Real, Values, Vec3};
use crate::geometry::Aabb;
use crate::input::Cloud;
use crate::scene::suggest;
use crate::solid::Solids;
use crate::surface::{self, Phases, SortedParticles, Splats, Surfaces};
use crate::world;
use std::ops::Range;
use thiserror::Error;

/// Names that meshes in files use for the vertices themselves.
const TAKEN_NAMES: [&str; 8] = ["x", "y", "z", "nx", "ny", "nz", "Points", "Normals"];
/// Fluids are told apart by a byte.
const MOST_FLUIDS: usize = 255;
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
    pub surface: world::Surface,
    /// Where particles count; others are left out.
    pub region: Option<Aabb>,
    /// What the mesh carries.
    pub attributes: WantedAttributes,
    /// The attribute that tells fluids apart, each of which makes a mesh; none if all make one.
    pub phases: Option<String>,
}

/// Attributes of the particles that the vertices shall have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedAttributes {
    /// Those of these names.
    Named(Vec<String>),
    /// All whose names a mesh does not use itself.
    All,
}

/// A surface, and of how many particles it was made.
#[derive(Clone, Debug)]
pub struct Reconstructed {
    /// The surfaces of each fluid, by ascending values; or one of all.
    pub fluids: Vec<Fluid>,
    /// Particles that stand outside the region.
    pub left_out: usize,
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

/// Why particles have no surface.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReconstructionError {
    /// No attribute has a name that was asked for.
    #[error("no attribute `{name}`: {hint}")]
    NoAttribute {
        /// The name.
        name: String,
        /// A near name, or all that there are.
        hint: String,
    },
    /// A mesh uses the name for itself.
    #[error("attribute `{0}` cannot be interpolated: every mesh has its own `{0}`")]
    TakenName(String),
    /// A value is infinite or NaN, which would spread.
    #[error("attribute `{name}` of particle {particle} (counted from 0) is not finite")]
    NotFinite {
        /// The attribute's name.
        name: String,
        /// The particle's place in the file.
        particle: usize,
    },
    /// Fluids are told apart by whole numbers.
    #[error("attribute `{0}` cannot tell fluids apart: it does not hold whole numbers from 0 on")]
    NotWhole(String),
    /// So many fluids cannot be told apart.
    #[error(
        "attribute `{name}` has {count} values; at most {MOST_FLUIDS} fluids can be told apart"
    )]
    TooManyFluids {
        /// The attribute's name.
        name: String,
        /// How many values it has.
        count: usize,
    },
    /// Cells so far from the origin are not told apart.
    #[error(
        "particle {particle} (counted from 0) is too far from the origin for a particle radius of \
         {particle_radius} m: is the radius in the unit of the file?"
    )]
    TooFar {
        /// The particle's place in the file.
        particle: usize,
        /// The radius that was given.
        particle_radius: Real,
    },
}

impl Settings {
    /// The surface of a cloud.
    ///
    /// # Errors
    /// When an attribute that is wanted is missing or broken, or a particle is too far away.
    pub fn reconstruct(&self, cloud: Cloud) -> Result<Reconstructed, ReconstructionError> {
        let Cloud { mut positions, attributes } = cloud;
        let mut labels = self.labels(&attributes)?;
        let mut attributes = self.wanted(attributes)?;
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
        let fluids = match labels {
            Some(labels) => self.fluids(&positions, attributes, labels)?,
            None => vec![self.one_fluid(&positions, &attributes)],
        };
        Ok(Reconstructed { fluids, left_out })
    }

    /// What all particles make together.
    fn one_fluid(&self, positions: &[Vec3], attributes: &[Attribute]) -> Fluid {
        let particles = SortedParticles::new(positions, attributes, self.support_radius);
        let surfaces = surface::reconstruct(
            &particles.splats(),
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
        if values.len() > MOST_FLUIDS {
            let name = self.phases.clone().unwrap_or_default();
            return Err(ReconstructionError::TooManyFluids { name, count: values.len() });
        }
        // Sorted as the other attributes are.
        attributes.push(Attribute::new("fluid", Values::Labels(labels.into())));
        let particles = SortedParticles::new(positions, &attributes, self.support_radius);
        let splats = particles.splats();
        let Some((Attribute { values: Values::Labels(labels), .. }, attributes)) =
            splats.attributes.split_last()
        else {
            unreachable!("the last attribute is the fluid");
        };
        let place = |label: &u32| values.partition_point(|value| value < label) as u8;
        let of: Vec<u8> = labels.iter().map(place).collect();
        let phases = Phases { of: &of, count: values.len() };
        let surfaces = surface::reconstruct_phases(
            &Splats { attributes, ..splats },
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
    fn free_surface(&self) -> world::Surface {
        world::Surface { clip: world::Clip::Free, ..self.surface }
    }

    /// The value of each particle in the attribute that tells fluids apart, if one does.
    fn labels(&self, attributes: &[Attribute]) -> Result<Option<Vec<u32>>, ReconstructionError> {
        let Some(name) = &self.phases else { return Ok(None) };
        let Some(found) = attributes.iter().find(|attribute| attribute.name == *name) else {
            let known: Vec<&str> = attributes.iter().map(|attribute| &*attribute.name).collect();
            return Err(ReconstructionError::NoAttribute {
                name: name.clone(),
                hint: hint(name, &known),
            });
        };
        match &found.values {
            Values::Labels(labels) => Ok(Some(labels.to_vec())),
            _ => Err(ReconstructionError::NotWhole(name.clone())),
        }
    }

    /// Those attributes that are wanted, in the order of the file.
    fn wanted(
        &self,
        attributes: Vec<Attribute<'static>>,
    ) -> Result<Vec<Attribute<'static>>, ReconstructionError> {
        let is_taken = |name: &str| TAKEN_NAMES.contains(&name);
        let is_wanted = |name: &str| match &self.attributes {
            WantedAttributes::All => !is_taken(name),
            WantedAttributes::Named(names) => names.iter().any(|wanted| wanted == name),
        };
        if let WantedAttributes::Named(names) = &self.attributes {
            if let Some(name) = names.iter().find(|name| is_taken(name)) {
                return Err(ReconstructionError::TakenName(name.clone()));
            }
            let known: Vec<&str> = attributes.iter().map(|attribute| &*attribute.name).collect();
            if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
                let hint = hint(name, &known);
                return Err(ReconstructionError::NoAttribute { name: name.clone(), hint });
            }
        }
        let wanted = attributes.into_iter().filter(|attribute| is_wanted(&attribute.name));
        wanted.map(finite).collect()
    }

    /// The memory that a frame may take whose file has so many bytes.
    pub fn memory(&self, file: u64) -> u64 {
        let cells = USUAL_CELL / self.surface.cell.min(USUAL_CELL);
        let shared = if self.phases.is_some() { SHARED_MEMORY } else { 1.0 };
        (file as f64 * MEMORY_PER_BYTE * shared * cells * cells) as u64
    }
}

fn no_solids() -> Solids {
    Solids::new(Aabb::EMPTY, Vec::new(), Vec::new())
}

/// The attribute, if all its values are finite.
fn finite(attribute: Attribute<'static>) -> Result<Attribute<'static>, ReconstructionError> {
    let is_broken = |&i: &usize| attribute.values.at(std::iter::once(i)).count_invalid() > 0;
    let broken = match attribute.values.count_invalid() {
        0 => None,
        _ => (0..attribute.values.len()).find(is_broken),
    };
    match broken {
        None => Ok(attribute),
        Some(particle) => {
            let name = attribute.name.into_owned();
            Err(ReconstructionError::NotFinite { name, particle })
        }
    }
}

/// What to say about a name that a file does not have.
fn hint(name: &str, known: &[&str]) -> String {
    match suggest::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`? The file has {}", listed(known)),
        None => format!("the file has {}", listed(known)),
    }
}

fn listed(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if quoted.is_empty() { "none".to_owned() } else { quoted.join(", ") }
}

/// Divides frames that need so much memory each into groups of neighbours, which are worked on at
/// a time: at most `most` of them, and no more than the memory holds, but always one.
pub fn groups(memory: &[u64], limit: u64, most: usize) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut start = 0;
    let mut sum = 0u64;
    for (i, &frame) in memory.iter().enumerate() {
        sum = sum.saturating_add(frame);
        if i > start && (sum > limit || i - start == most) {
            groups.push(start..i);
            (start, sum) = (i, frame);
        }
    }
    groups.push(start..memory.len());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(attributes: WantedAttributes) -> Settings {
        Settings {
            particle_radius: 0.5,
            support_radius: 2.0,
            surface: world::Surface::default(),
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
        Cloud { positions, attributes }
    }

    #[test]
    fn a_region_gives_the_surface_of_the_particles_in_it() {
        let mut all = settings(WantedAttributes::All);
        let reconstruct = |settings: &Settings| {
            let Reconstructed { mut fluids, left_out } = settings.reconstruct(cloud()).unwrap();
            (fluids.pop().unwrap(), left_out)
        };
        let (whole, left_out) = reconstruct(&all);
        assert_eq!((whole.particles, left_out), (8, 0));
        let names: Vec<&str> = whole.surfaces.main.attributes.iter().map(|a| &*a.name).collect();
        assert_eq!(names, ["flow"], "a mesh has normals of its own");
        all.region = Some(Aabb::new(Vec3::new(-1.0, 1.0, -1.0), Vec3::new(0.0, 2.0, 1.0)));
        let (part, left_out) = reconstruct(&all);
        assert_eq!((part.particles, left_out), (2, 6));
        assert!(part.surfaces.main.audit().is_sound());
        assert!(part.surfaces.volume() < whole.surfaces.volume());
    }

    #[test]
    fn wrong_attributes_are_told() {
        let run = |name: &str, cloud| {
            let named = WantedAttributes::Named(vec![name.to_owned()]);
            settings(named).reconstruct(cloud).unwrap_err().to_string()
        };
        let message = run("flwo", cloud());
        assert!(
            message.contains("did you mean `flow`? The file has `flow`, `Normals`"),
            "{message}"
        );
        assert!(run("heat", Cloud::default()).ends_with("the file has none"));
        assert!(run("Normals", cloud()).contains("its own `Normals`"));
        let mut broken = cloud();
        let mut flow = vec![Vec3::x(); 8];
        flow[5].z = Real::NAN;
        broken.attributes[0].values = Values::Vectors(flow.into());
        assert!(run("flow", broken).contains("attribute `flow` of particle 5"));
    }

    #[test]
    fn fluids_are_told_apart_by_whole_numbers() {
        let mut apart = settings(WantedAttributes::Named(vec!["kind".to_owned()]));
        apart.phases = Some("kind".to_owned());
        let mut labelled = cloud();
        let kinds = Values::Labels(vec![7, 2, 7, 2, 7, 2, 7, 7].into());
        labelled.attributes.push(Attribute::new("kind", kinds));
        let fluids = apart.reconstruct(labelled).unwrap().fluids;
        let told: Vec<_> = fluids.iter().map(|fluid| (fluid.value, fluid.particles)).collect();
        assert_eq!(told, [(Some(2), 3), (Some(7), 5)]);
        for Fluid { value, surfaces, .. } in &fluids {
            assert!(surfaces.main.audit().is_sound() && !surfaces.main.triangles.is_empty());
            let Values::Labels(kinds) = &surfaces.main.attributes[0].values else { panic!() };
            assert!(kinds.iter().all(|&kind| Some(kind) == *value));
        }
        let refused = |name: &str| {
            let phases = Some(name.to_owned());
            let settings = Settings { phases, ..settings(WantedAttributes::All) };
            settings.reconstruct(cloud()).unwrap_err().to_string()
        };
        assert!(refused("flow").contains("does not hold whole numbers"));
        assert!(refused("flwo").contains("did you mean `flow`?"));
    }

    #[test]
    fn a_particle_beyond_all_cells_is_told() {
        let mut far = cloud();
        far.positions[3].y = 1e20;
        let error = settings(WantedAttributes::All).reconstruct(far).unwrap_err().to_string();
        assert!(error.contains("particle 3") && error.contains("0.5 m"), "{error}");
    }

    #[test]
    fn groups_hold_what_fits() {
        assert_eq!(groups(&[3, 3, 3, 9, 50, 1, 1], 10, 8), [0..3, 3..4, 4..5, 5..7]);
        assert_eq!(groups(&[1; 5], 100, 2), [0..2, 2..4, 4..5]);
        assert_eq!(groups(&[u64::MAX; 2], 1, 4), [0..1, 1..2]);
    }
}
