//! What other programs and textbooks call what a scene has another name for.
//!
//! From the scene files of SPlisHSPlasH (JSON), DualSPHysics (XML) and PySPH (Python), the options
//! of splashsurf, and the symbols of textbooks. A name is looked up only where it is unknown.

/// Names in lower case, with letters and digits alone; what a scene calls it; and a remark.
type Foreign = (&'static [&'static str], &'static str, &'static str);

/// Names that stand where another one belongs.
const NAMES: [Foreign; 51] = [
    (
        &[
            "pcisph",
            "iisph",
            "isph",
            "icsph",
            "pbf",
            "pbd",
            "pf",
            "projectivefluids",
            "incompressible",
        ],
        "Dfsph",
        "it keeps the fluid incompressible, too",
    ),
    (
        &["sesph", "eos", "tait", "deltasph", "deltaplussph", "edac", "weaklycompressible"],
        "Wcsph",
        "",
    ),
    (&["none", "nopressure"], "Ballistic", "it has no pressure"),
    (&["cubic", "m4", "spline", "monaghan"], "CubicSpline", ""),
    (&["wendland", "wendlandquintic", "wendlandquinticc2", "quintic"], "WendlandC2", ""),
    (&["poly6", "spiky", "muller", "müller"], "Mueller", ""),
    (&["standard", "xsph"], "Explicit", ""),
    (&["weiler", "weileretal2018", "peer", "takahashi", "bender2017"], "Implicit", ""),
    (&["cube", "cuboid", "block", "fillbox", "drawbox"], "Box", ""),
    (&["sphere", "drawsphere"], "Ball", ""),
    (&["obj", "stl", "trianglemesh", "geometry", "drawfilestl"], "Mesh", ""),
    (&["density", "density0", "rho", "rho0", "rhop", "rhop0"], "rest_density", ""),
    (&["nu", "visco", "kinematicviscosity"], "viscosity", ""),
    (
        &["mu", "eta", "dynamicviscosity"],
        "viscosity",
        "it is kinematic: the dynamic one by the density",
    ),
    (&["sigma", "surfacetensioncoefficient"], "surface_tension", ""),
    (&["g", "gravitation", "gravityvector"], "gravity", ""),
    (
        &["dp", "dx", "spacing", "particlespacing", "resolution"],
        "particle_radius",
        "half the spacing",
    ),
    (&["smoothinglength", "kernelradius", "hdx", "kh"], "support_radius", "where the kernel ends"),
    (&["fluidblocks", "fluidmodels", "fluidblock", "liquids", "water"], "fluids", ""),
    (&["rigidbodies", "boundaries", "boundary", "obstacles", "walls", "rigid"], "solids", ""),
    (&["inlets", "inlet", "inflow", "sources"], "emitters", ""),
    (&["outlets", "outlet", "outflow", "drains", "killzones"], "sinks", ""),
    (&["simulationmethod", "pressuresolver", "scheme", "method"], "solver", ""),
    (&["viscositymethod"], "viscosity_solver", ""),
    (&["neighborhoodsearch", "neighbourhoodsearch", "nnps", "nns"], "neighbors", ""),
    (&["cfl", "cflfactor", "cflnumber"], "courant", ""),
    (&["c0", "cs", "speedsound", "speedsystem", "coefsound"], "sound_speed", ""),
    (&["gamma"], "exponent", ""),
    (&["alpha"], "artificial_viscosity", ""),
    (&["maxiter", "maxiterationsv"], "max_iterations", ""),
    (&["maxerror", "tolerance"], "max_density_error", ""),
    (&["geometryfile", "meshfile", "file", "filename"], "path", ""),
    (&["translation", "position", "offset"], "translate", ""),
    (
        &["boundary", "boundarycondition", "boundaryhandling", "wallcondition", "slipcondition"],
        "contact",
        "`contact: (slip: No)` holds the fluid to it",
    ),
    (&["isovalue", "surfacethreshold", "threshold"], "iso", ""),
    (
        &[
            "deformables",
            "deformable",
            "elasticsolids",
            "softbodies",
            "softbody",
            "cloth",
            "cloths",
        ],
        "elastic",
        "",
    ),
    (&["trianglemodels", "tetmodels", "linemodels"], "elastic", ""),
    (&["youngsmodulus", "young", "youngs", "e", "emodulus", "elasticity"], "young_modulus", ""),
    (&["poissonsratio", "poisson", "nu"], "poisson_ratio", ""),
    (&["rho", "rho0", "restdensity", "density0", "materialdensity"], "density", ""),
    (&["staticparticles", "pins", "pinned", "pin", "anchors", "fixed", "clamped"], "fixings", ""),
    (&["attached", "attachment", "bound"], "Tied", ""),
    (&["pinned", "pin", "static", "clamped", "anchored"], "Fixed", ""),
    (&["grid", "plane", "cloth", "quad"], "Sheet", ""),
    (&["curve", "chain", "rope", "rod", "cable"], "Line", ""),
    (&["rod", "cable", "line"], "Rope", ""),
    (&["cloth", "membrane", "fabric", "plate"], "Shell", ""),
    (&["massspring", "massspringsystem", "spring"], "Springs", ""),
    (&["explicit", "verlet", "velocityverlet", "leapfrog", "stormerverlet"], "Symplectic", ""),
    (&["backwardeuler", "impliciteuler", "trbdf2", "bdf2", "newton", "newmark"], "Implicit", ""),
    (&["physicalgroup", "physical", "nodeset", "nset", "vertexgroup"], "Group", ""),
];

/// Names that stand where another one belongs if a key that tells the kind of shape is known there:
/// names, that key, what a scene calls it, and a remark.
const OF_SHAPES: [(&[&str], &str, &str, &str); 5] = [
    (
        &["centre", "center", "base", "position", "bottom"],
        "to",
        "from",
        "`from` and `to` are the ends of the axis",
    ),
    (&["height", "length", "top"], "to", "to", "`from` and `to` are the ends of the axis"),
    (
        &["position", "at", "centre", "center", "origin", "shape", "opening"],
        "speed",
        "from",
        "`from` is the opening: `Disc(…)`, `Rectangle(…)` or `Mesh(…)`",
    ),
    (&["velocity", "inflowvelocity"], "speed", "speed", "in m/s, along `direction`"),
    (&["flow", "flowrate", "discharge"], "speed", "speed", "in m/s: flow over the opening's area"),
];

/// Names of what a scene holds elsewhere, or does not hold.
const ELSEWHERE: [(&[&str], &str); 5] = [
    (
        &["dt", "timestep", "timestepsize", "dtini", "dtmin", "dtmax"],
        "the run chooses its time steps; `solver.courant` bounds them",
    ),
    (
        &["tend", "tmax", "timemax", "endtime", "stopat", "duration", "tf"],
        "a run lasts `frames.count` frames, at `frames.rate` frames per second of simulated time",
    ),
    (
        &["fps", "framerate", "rate", "timeout", "tout", "dataexportfps"],
        "did you mean `frames.rate`?",
    ),
    (&["threads", "nthreads", "numthreads"], "that is an option of the command line: `--threads`"),
    (&["h"], "did you mean `support_radius`, or `particle_radius`?"),
];

/// The name among `known` that another program calls `name`, with a remark or an empty text.
pub fn translated<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<(&'a str, &'static str)> {
    let name = plain(name);
    let known: Vec<&str> = known.into_iter().collect();
    let of_shape = OF_SHAPES.iter().find(|(names, sign, ours, _)| {
        names.contains(&&*name) && [sign, ours].iter().all(|it| known.contains(it))
    });
    if let Some((.., ours, remark)) = of_shape {
        return known.into_iter().find(|it| it == ours).map(|ours| (ours, *remark));
    }
    let is_here = |(names, ..): &&Foreign| names.contains(&&*name);
    let mut known = known.into_iter();
    let ours: Vec<&Foreign> = NAMES.iter().filter(is_here).collect();
    known.find_map(|known| {
        let (.., remark) = ours.iter().find(|(_, ours, _)| *ours == known)?;
        Some((known, *remark))
    })
}

/// What to say of a name of something that is not where it was written.
pub fn elsewhere(name: &str) -> Option<&'static str> {
    let name = plain(name);
    ELSEWHERE.iter().find(|(names, _)| names.contains(&&*name)).map(|(_, help)| *help)
}

/// A name in lower case, without anything but letters and digits.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::keys;

    #[test]
    fn names_of_others_are_translated_where_ours_belongs() {
        let solvers = ["Dfsph", "Wcsph", "Multiphase", "Ballistic"];
        for (name, ours) in [("PCISPH", "Dfsph"), ("IISPH", "Dfsph"), ("delta-SPH", "Wcsph")] {
            assert_eq!(translated(name, solvers).map(|(ours, _)| ours), Some(ours));
        }
        assert_eq!(translated("density0", ["name", "rest_density"]), Some(("rest_density", "")));
        assert_eq!(translated("density0", ["name"]), None);
        assert!(elsewhere("timeStepSize").is_some_and(|help| help.contains("courant")));
        assert_eq!(elsewhere("viscosity"), None);
    }

    #[test]
    fn what_is_ours_exists() {
        let keys = keys();
        let is_key = |name: &str| keys.iter().any(|key| key.path.rsplit('.').next() == Some(name));
        let is_kind = |name: &str| {
            let is_named =
                |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|w| w == name);
            keys.iter().any(|key| is_named(&key.value_type))
        };
        for (names, ours, _) in NAMES {
            assert!(is_key(ours) || is_kind(ours), "{ours}");
            assert!(names.iter().all(|name| *name == plain(name)), "{names:?}");
        }
    }
}
