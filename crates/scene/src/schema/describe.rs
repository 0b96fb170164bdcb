//! What each key of a scene means, in a few words: the help under a missing or mistyped value.

use crate::text::suggest::listed;
use hashfall_core::kernel::KernelKind;
use hashfall_search::{BroadPhaseKind, NeighborKind};
use std::fmt::Debug;

/// Keys, each with what it holds and an example.
const KEYS: [(&str, &str); 145] = [
    ("frames", "how many frames and how often: (count: 200, rate: 50.0)"),
    ("frames.count", "a whole number of frames from 1 to 1000000, such as 200"),
    ("rate", "frames per second of simulated time, such as 50.0"),
    ("dimensions", "Three, or Two for the plane of x and z"),
    ("gravity", "three numbers in m/s², such as (0.0, 0.0, -9.81)"),
    ("forces", "a list of Central(centre: (…), stiffness: …) and Table([(time, (…)), …])"),
    ("forces.stiffness", "acceleration per distance in 1/s², such as 4.0"),
    ("domain", "the walls: Box(min: (0.0, 0.0, 0.0), max: (2.0, 2.0, 3.0)), in m"),
    ("periodic", "for x, y and z whether that pair of sides is periodic: (true, false, false)"),
    ("contact", "such as (slip: Free, friction: 0.0, restitution: 0.0, contact_angle: 90.0)"),
    (
        "contact_angle",
        "of surfaces with tension in degrees, from 0 to 180; 90.0 for none of its own",
    ),
    ("slip", "Free where fluid slides along, No where it sticks"),
    ("friction", "a number from 0 up, such as 0.3"),
    ("restitution", "a number from 0 to 1, such as 0.5"),
    ("contact.velocity", "of the surface itself in m/s, such as (1.0, 0.0, 0.0)"),
    ("sides", "contacts of single walls, such as (z_min: (slip: No), x_max: (friction: 0.2))"),
    ("x_min", "contact of the wall at low x, such as (slip: No)"),
    ("x_max", "contact of the wall at high x, such as (slip: No)"),
    ("y_min", "contact of the wall at low y, such as (slip: No)"),
    ("y_max", "contact of the wall at high y, such as (slip: No)"),
    ("z_min", "contact of the floor, such as (slip: No)"),
    ("z_max", "contact of the ceiling, such as (slip: No, velocity: (1.0, 0.0, 0.0))"),
    ("particle_radius", "half the particle spacing in m, such as 0.01"),
    (
        "support_radius",
        "the kernel's radius in m, 3 to 10 particle radii; 4 unless given, 6 with tension",
    ),
    ("fluids", "a list of fluids: [(name: …, rest_density: …, viscosity: …, shapes: […])]"),
    ("name", "a name in quotes, such as \"water\""),
    ("rest_density", "a number in kg/m³, such as 1000.0"),
    ("viscosity", "kinematic viscosity in m²/s, such as 1e-6"),
    ("surface_tension", "with the air in N/m, such as 0.0728; 0.0 for none"),
    ("interfaces", "tensions between fluids: [(between: (\"water\", \"oil\"), tension: 0.05)]"),
    ("interfaces.between", "the names of two fluids, such as (\"water\", \"oil\")"),
    ("tension", "of an interface in N/m, such as 0.05"),
    ("shapes", "a list of Box(…), Ball(…), Mesh(…) and Random(…): [Box(min: (…), max: (…))]"),
    ("min", "three numbers in m, such as (0.0, 0.0, 0.0)"),
    ("max", "three numbers in m, such as (1.0, 1.0, 1.0)"),
    ("pressure", "of a box at the start: Zero or Hydrostatic"),
    ("initial_velocity", "Still, Linear(…), TaylorGreen(…), StandingWave(…) or InterfaceWave(…)"),
    (
        "rows",
        "of the velocity gradient in 1/s: ((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (-1.0, 0.0, 0.0))",
    ),
    ("speed", "a number in m/s, such as 1.0"),
    ("wavelength", "a number in m, such as 1.0"),
    ("amplitude", "of the surface, a number in m, such as 0.05"),
    ("depth", "of the water at rest, a number in m, such as 1.0"),
    ("bottom", "height of the floor in m, such as 0.0"),
    ("replaces", "whether particles of other shapes in it become its own: `true` or `false`"),
    ("jitter", "random displacements, such as (seed: 7, amount: 0.1), or None"),
    ("amount", "of displacement along each axis in spacings, up to 0.25"),
    ("inside", "of a mesh: Solid or Hollow"),
    ("velocity", "three numbers in m/s, such as (0.0, 0.0, 0.0)"),
    ("solids", "a list of SphereField(…), Box(…) and Mesh(…)"),
    ("solids.motion", "Still, Keyframes(…), Formula(…) or Spin(…)"),
    (
        "solids.motion.translate",
        "formulas of t in quotes, such as (\"0.1*sin(2*pi*t)\", \"0\", \"0\")",
    ),
    ("solids.motion.degrees", "a formula of t in quotes, such as \"90*t\""),
    ("keys", "[(time: 0.0), (time: 1.0, translate: (0.0, 0.0, 0.1))]"),
    ("time", "of a key in s, such as 0.5"),
    ("pivot", "the point that rotations are about in m, such as (0.5, 0.5, 0.0)"),
    ("solids.motion.between", "how a body goes from key to key: Linear or Smooth"),
    ("after", "what a body does after its last key: Hold or Repeat"),
    ("rpm", "revolutions per minute, such as 60.0"),
    ("solids.list", "the balls: [(centre: (1.0, 1.0, 0.5), radius: 0.1)]"),
    ("emitters", "a list of openings: [(from: Disc(…), speed: 2.0)]"),
    ("fluid", "the name of a fluid in quotes, such as \"water\""),
    ("from", "the opening: Disc(…), Rectangle(…) or Mesh(…)"),
    ("normal", "square to the opening, outwards, such as (0.0, 0.0, 1.0)"),
    ("emitters.from.size", "of the level edges and of the others in m, such as (0.2, 0.1)"),
    ("direction", "where the fluid goes, such as (1.0, 0.0, 1.0), or None for straight out"),
    ("start", "from when on, in s, such as 0.0"),
    ("end", "until when, in s, such as 2.5, or None"),
    ("sinks", "a list of Box(…) and Ball(…) in which fluid is taken out"),
    ("max_particles", "at which emitters wait: a whole number, such as 200000, or None"),
    ("seed", "a whole number from 0 up, such as 7"),
    ("count", "a whole number from 1 up, such as 2000"),
    ("diameter", "in m: (least, largest) of a Random field, one number of a Lattice"),
    ("sizes", "how often each diameter is: EqualAreas or Uniform"),
    ("region", "the box that holds what is random: (min: (…), max: (…)), in m"),
    ("overlap", "whether spheres may overlap: `true` or `false`"),
    ("centre", "three numbers in m, such as (1.0, 1.0, 0.5)"),
    ("radius", "a number in m, such as 0.1"),
    ("spacing", "from centre to centre along x, y and z in m, such as (0.5, 0.5, 0.5)"),
    ("counts", "spheres along x, y and z, such as (3, 3, 1)"),
    ("path", "an OBJ file in quotes, relative to the scene file"),
    ("scale", "a factor on all lengths, such as 1.0"),
    ("rotate", "(axis: (0.0, 0.0, 1.0), degrees: 30.0)"),
    ("axis", "the direction of the rotation's axis, such as (0.0, 0.0, 1.0)"),
    ("degrees", "an angle in degrees, such as 30.0"),
    ("translate", "three numbers in m, such as (1.0, 1.0, 0.0)"),
    ("solver", "Dfsph(…), Wcsph(…), Multiphase(…) or Ballistic(…), such as Wcsph(courant: 0.4)"),
    ("stiffness", "the squared speed of sound in m²/s², such as 20.0; of a fluid, or None"),
    ("wet_friction", "at what rate sliding along solids fades, in 1/s, such as 10.0"),
    ("time_step", "every step in s, such as 0.002, or None for steps by the Courant condition"),
    ("individual_steps", "how often steps of single particles may be halved, such as 3.0"),
    ("viscosity_solver", "Auto, Explicit or Implicit"),
    ("max_density_error", "a number above 0, such as 1e-4"),
    ("max_divergence_error", "a number above 0, such as 1e-4"),
    ("max_iterations", "a whole number, such as 200.0"),
    ("sound_speed", "a number in m/s, or None for ten times the largest expected speed"),
    ("exponent", "a whole number from 1 to 10; 7.0 for water"),
    ("artificial_viscosity", "a number from 0 up, such as 0.05"),
    ("density", "Summation, or Continuity(diffusion: 0.1)"),
    ("diffusion", "a number from 0 to 1, such as 0.1"),
    ("shifting", "a number from 0 to 10, such as 5.0"),
    ("background_pressure", "added to the pressure everywhere, in Pa, such as 1000.0"),
    ("interface_sharpening", "a number from 0 to 1, such as 0.04"),
    ("courant", "a number up to 1, such as 0.4"),
    ("search", "of `neighbors`: (subdivision: 0, table_size: None, hash_function: Xor)"),
    ("subdivision", "H of the H-mask, a whole number from 0 to 3, such as 1"),
    ("table_size", "slots of the table, a whole number such as 65536, or None"),
    ("hash_function", "Xor, or Additive"),
    ("cell", "edge of a surface cell in particle radii, such as 0.5"),
    ("iso", "volume fraction at the surface, such as 0.6"),
    (
        "anisotropy",
        "how many times narrower kernels may be across sheets, such as 1.75; 1 for none",
    ),
    ("cleanup", "whether short edges and slivers are collapsed: `true` or `false`"),
    ("smoothing", "iterations of smoothing of the surface, such as 30; 0 for none"),
    ("smoothing_weights", "whether spray and thin sheets are smoothed less: `true` or `false`"),
    (
        "normals_smoothing",
        "iterations of smoothing of the normals, such as 10, or None for the usual ones",
    ),
    ("decimation", "how far the surface may move to save triangles in particle radii, such as 0.1"),
    (
        "min_component_volume",
        "minimum volume of a connected component in particle volumes; 0 keeps all",
    ),
    ("spray", "whether smaller bodies make a surface of their own: `true` or `false`"),
    ("clip", "Flat where the surface lies on walls and solids, or Free"),
    ("particles", "whether particles are written: `true` or `false`"),
    ("merge_fluids", "whether several fluids make one surface, not one each: `true` or `false`"),
    ("output.surface", "a list of formats, such as [Ply, Vtp]"),
    ("probes", "(rate: 100.0, list: [Pressure(name: \"P1\", at: (1.0, 0.5, 0.1))])"),
    ("probes.rate", "samples per second of simulated time, such as 100.0"),
    ("checkpoints", "(frames: 50, minutes: 10.0), or None for no checkpoints"),
    ("checkpoints.frames", "after every so many frames, such as 50, or None"),
    ("minutes", "after every so many minutes of wall-clock time, such as 10.0, or None"),
    ("limits", "(compression: 0.5, penetration: 0.1, outside: 0, on_breach: Stop)"),
    ("compression", "of a particle as part of its rest density, such as 0.5, or None"),
    ("penetration", "into a solid in particle spacings, such as 0.1, or None"),
    ("limits.speed", "a number in m/s, such as 100.0, or None"),
    ("outside", "a whole number of particles from 0 up, such as 0, or None"),
    ("energy_gain", "Auto, a number in J such as 1.0, or None"),
    ("on_breach", "Stop, or Warn"),
    ("preview", "(every: 1, size: (960, 540), of: Auto), or None for no previews"),
    ("every", "a whole number of frames from 1 up, such as 5"),
    ("size", "width and height in pixels, such as (960, 540)"),
    ("of", "Auto, Particles or Surface"),
    ("view", "degrees about the vertical and above the horizon, such as (29.0, 24.0), or None"),
    ("list", "a list of Pressure(…), Height(…) and Front(…)"),
    ("probes.list.name", "the name of a column in quotes, such as \"P1\""),
    ("at", "the point in m, such as (1.0, 0.5, 0.1)"),
    ("x", "where the vertical line stands in m, such as 1.0"),
    ("y", "where the vertical line stands in m, such as 0.5"),
    ("probes.list.axis", "the axis along which the front runs: X, Y or Z"),
    ("below", "a height in m under which particles count, or None for all"),
];

/// What a key holds, given its path; `None` for a key unknown here.
pub fn describe_key(path: &str) -> Option<String> {
    let plain: String =
        path.split_inclusive(']').map(|part| part.split('[').next().unwrap_or(part)).collect();
    let key = plain.rsplit('.').next().unwrap_or(&plain);
    let find = |wanted: &str| KEYS.iter().find(|(name, _)| *name == wanted).map(|(_, what)| *what);
    match plain.as_str() {
        "surface" => Some("(cell: 0.5, iso: 0.6), or None for no surface".to_owned()),
        "kernel" => Some(one_of(&KernelKind::ALL)),
        "neighbors" => Some(one_of(&NeighborKind::ALL)),
        "broad_phase" => Some(one_of(&BroadPhaseKind::ALL)),
        _ => find(&plain).or_else(|| find(key)).map(str::to_owned),
    }
}

/// The names of an enum's variants.
fn one_of<T: Debug>(all: &[T]) -> String {
    let names: Vec<String> = all.iter().map(|kind| format!("{kind:?}")).collect();
    listed(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::{KEYS, describe_key};
    use std::collections::BTreeSet;

    #[test]
    fn the_most_exact_path_wins_and_indices_do_not_matter() {
        assert!(describe_key("frames.count").is_some_and(|m| m.contains("frames")));
        assert!(describe_key("solids[3].count").is_some_and(|m| m.contains("2000")));
        assert!(describe_key("fluids[0].shapes[1].min[2]").is_some_and(|m| m.contains("three")));
        assert!(describe_key("output.surface").is_some_and(|m| m.contains("Ply")));
        assert!(describe_key("surface").is_some_and(|m| m.contains("cell")));
        assert_eq!(describe_key("colour"), None);
    }

    #[test]
    fn no_key_is_there_twice_and_one_name_has_each_of_its_meanings() {
        let names: BTreeSet<&str> = KEYS.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), KEYS.len(), "the second of a name is never found");
        for (path, part) in [
            ("interfaces[0].between", "two fluids"),
            ("solids[2].motion.between", "Linear or Smooth"),
            ("forces[1].stiffness", "1/s²"),
            ("solver.stiffness", "m²/s²"),
            ("fluids[0].stiffness", "m²/s²"),
        ] {
            assert!(describe_key(path).is_some_and(|m| m.contains(part)), "{path}");
        }
    }
}
