//! From particles of several fluids to a mesh for each.

use crate::field::blocks::Chunk;
use crate::field::volume_fraction::Field;
use crate::input::{Phases, SurfaceInput};
use crate::marching::complex::Complex;
use crate::marching::{crossings, junctions, vertices};
use crate::mesh::SurfaceMesh;
use crate::phases::differences::Fluids;
use crate::phases::labels::Labels;
use crate::reconstruct::single::Reconstruction;
use crate::settings::SurfaceSettings;
use hashfall_core::{Attribute, Real, Values};

/// The name under which each particle's fluid goes with its other attributes.
const PHASE: &str = "fluid of the particle";

/// The fields of several fluids, and of all together.
pub(crate) struct FluidFields<'a> {
    pub all: Reconstruction<'a>,
    each: Vec<Field<'a>>,
}

impl<'a> FluidFields<'a> {
    /// The fields of particles with attributes, of which [`labelled`] made the last.
    pub fn new(
        input: &SurfaceInput<'a>,
        fluids: usize,
        settings: &SurfaceSettings,
        particle_radius: Real,
    ) -> Self {
        let all = Reconstruction::new(input, settings, particle_radius);
        let each = (0..fluids).map(|fluid| field_of(&all.0, fluid as u32)).collect();
        FluidFields { all, each }
    }

    /// The surfaces between all fluids and the air.
    ///
    /// # Panics
    /// If there are more than 2³² vertices.
    pub fn complex(self) -> (Complex, Self) {
        let FluidFields { all, each } = self;
        let field = &all.0;
        let mut blocks = field.evaluate();
        let labels = Labels::find(field, &each, &blocks);
        let fluids = Fluids { fields: each, labels };
        let patches =
            crossings::find_crossings(field.isa, &field.grid, &blocks, Some(&fluids.labels));
        let positions = vertices::place(field, &blocks, &patches, Some(&fluids));
        blocks.chunks.iter_mut().for_each(Chunk::drop_values);
        let triangles = crossings::triangles(field.isa, &field.grid, &blocks, &patches);
        let sides = junctions::sides_of_others(&patches);
        let mut complex = Complex { positions, triangles, sides };
        junctions::add(&mut complex, &field.grid, &blocks, &patches);
        (complex, FluidFields { all, each: fluids.fields })
    }

    /// Gives the mesh of a fluid the attributes of its own particles.
    pub fn interpolate(&self, fluid: usize, mesh: &mut SurfaceMesh) {
        crate::interpolate::interpolate_mesh(&self.each[fluid], mesh, false);
    }
}

/// Attributes, and last the fluid of each particle.
pub(crate) fn labelled<'a>(attributes: &[Attribute<'a>], phases: &Phases) -> Vec<Attribute<'a>> {
    let labels = Values::Labels(phases.fluid_of.iter().map(|&phase| phase.into()).collect());
    let phase = Attribute::new(PHASE, labels);
    attributes.iter().cloned().chain([phase]).collect()
}

/// The field of one of the fluids.
fn field_of<'a>(all: &Field<'a>, fluid: u32) -> Field<'a> {
    let attributes = all.attributes();
    let (phase, attributes) = match attributes.split_last() {
        Some((Attribute { values: Values::Labels(phase), .. }, rest)) => (&phase[..], rest),
        _ => unreachable!("the last attribute is the fluid"),
    };
    let (cells, places) = all.cells.only(|i| phase[i] == fluid);
    let of_fluid = |attribute: &Attribute| {
        let name = attribute.name.clone().into_owned();
        Attribute::new(name, attribute.values.at(places.iter().copied()))
    };
    let sorted_attributes = Some(attributes.iter().map(of_fluid).collect());
    Field { grid: all.grid, input_attributes: &[], sorted_attributes, cells, isa: all.isa }
}
