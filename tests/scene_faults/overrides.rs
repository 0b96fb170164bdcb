//! What is wrong on the command line.

use super::support::{CUBE, GOOD, faults_of};

/// Override, column of the fault, part of its message.
const OVERRIDES: &[(&str, usize, &str)] = &[
    ("fluids[0].viscosity=abc", 21, "`fluids[0].viscosity`: expected a number, found `abc`"),
    ("fluids[0].viscosity=-1", 21, "`viscosity` must not be negative, as -1 is"),
    ("fluids[0].viscosty=1", 11, "unknown key `viscosty` in `Fluid`"),
    ("fluids[3].viscosity=1", 7, "there is no [3] here"),
    ("x", 1, "no `=` in the override"),
    ("=1", 1, "no key before the `=`"),
    ("a=", 1, "no value after the `=`"),
    ("frames.count=5)", 14, "this is not one value"),
    ("frames.count=5 // c", 14, "this is not one value"),
    ("surface.cell=9", 14, "`cell` is too large: 9"),
    ("solver.exponent=2.5", 17, "`exponent` is not a whole number: 2.5"),
    ("neighbors.x=1", 11, "`CellIndex` has no keys"),
    ("solver.Wcsph=()", 8, "this names a choice, not a key"),
    (
        "fluids[0].name=water",
        16,
        "`fluids[0].name`: expected a text in double quotes, found `water`",
    ),
    ("fluids[0]=(name: \"x\")", 11, "missing key `rest_density` in `Fluid`"),
    ("domain.max=(0,0,0)", 12, "a box without inside: along x, `min` 0 is not below `max` 0"),
    ("gravity=[0,0,1]", 9, "`gravity`: expected round brackets ( ), found `[`"),
    ("a..b=1", 2, "this is not a key"),
    ("nonsense.deep.key=1", 1, "unknown key `nonsense` in `Scene`"),
    ("nonsense=1", 1, "unknown key `nonsense` in `Scene`"),
    ("frames.count=0", 14, "`count` must be positive, not 0"),
    ("fluids[0].shapes=[]", 18, "a fluid without shapes"),
    ("solver.courant=(", 16, "this is not one value"),
    ("output.surface=[Ply, Plx]", 22, "unknown name `Plx`"),
    ("frames.count=1.5", 14, "`frames.count`: expected a whole number, found `1.5`"),
    ("solids[0].Random.cuont=1", 18, "unknown key `cuont` in `Random`"),
    ("solids[0].cuont=1", 11, "unknown key `cuont` in `Random`"),
    ("particle_radius=1e-9", 17, "`particle_radius` is too small: 1e-9"),
    ("particle_radius=0.0001", 17, "1.5625e10 particles: a particle count that cannot be meant"),
    ("fluids.viscosity=1", 8, "`[` has no keys"),
    ("frames.rate=NaN", 13, "`rate` is not a number"),
];

#[test]
fn each_broken_override_has_its_one_error_on_the_command_line() {
    for &(set, column, message) in OVERRIDES {
        let faults = faults_of(GOOD, &[set], CUBE);
        let [fault] = &faults[..] else { panic!("{set}: {faults:?}") };
        assert_eq!((fault.line(), fault.column()), (1, column), "{set}: {fault}");
        assert!(fault.message.contains(message), "{set}: {fault}");
        assert_eq!(fault.source_name, format!("--set {set}"));
        assert_eq!(fault.source_text, set);
    }
}

#[test]
fn broken_overrides_are_told_together() {
    let faults = faults_of(GOOD, &["frames.cout=1", "frames.count=9", "viscosity=x"], CUBE);
    assert_eq!(faults.len(), 2, "{faults:?}");
}
