//! Materials of fluids, for viewers and renderers that look further than the colours of prims.
//!
//! Source: OpenUSD's documentation, *UsdPreviewSurface Specification* 2.6; `UsdShade`'s
//! `MaterialBindingAPI`.

use super::prim::TOP;
use super::text::{identifier, quoted, tuple};
use crate::frame::Run;
use crate::label::{FluidMaterial, linear};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The metadata of a prim that has a material.
pub const API: &str = "prepend apiSchemas = [\"MaterialBindingAPI\"]";
/// The scope of the materials.
const SCOPE: &str = "materials";
/// Clear water (linear), and how opaque it is.
const WATER: [f64; 3] = [0.1, 0.3, 0.5];
const OPACITY: f64 = 0.7;

/// The line by which a prim has a material.
pub fn binding(material: &FluidMaterial) -> String {
    format!("rel material:binding = </{TOP}/{SCOPE}/{}>", name(material))
}

/// All materials of a run, each once, below the prim that holds all others.
pub fn materials(run: &Run) -> String {
    let all: BTreeSet<&FluidMaterial> =
        run.labels.values().filter_map(|label| label.material.as_ref()).collect();
    let mut text = String::new();
    if all.is_empty() {
        return text;
    }
    let _ = writeln!(text, "    def Scope \"{SCOPE}\"\n    {{");
    for material in all {
        let (name, title) = (name(material), quoted(&material.name));
        let colour = tuple(&material.colour.map_or(WATER, linear));
        let _ = write!(
            text,
            "        def Material \"{name}\" (displayName = {title})\n        {{\n            \
             token outputs:surface.connect = \
             </{TOP}/{SCOPE}/{name}/shader.outputs:surface>\n            \
             def Shader \"shader\"\n            {{\n                \
             uniform token info:id = \"UsdPreviewSurface\"\n                \
             color3f inputs:diffuseColor = {colour}\n                \
             float inputs:opacity = {OPACITY}\n                \
             float inputs:roughness = 0.03\n                \
             float inputs:ior = 1.333\n                \
             token outputs:surface\n            }}\n        }}\n"
        );
    }
    text + "    }\n"
}

/// The name of a material's prim. Fluids whose names differ have others, too: every character that
/// an identifier does not take stands by its number.
fn name(material: &FluidMaterial) -> String {
    let plain = |c: char| match c.is_ascii_alphanumeric() {
        true => c.to_string(),
        false => format!("_{:x}_", u32::from(c)),
    };
    identifier(&format!("m_{}", material.name.chars().map(plain).collect::<String>()))
}
