//! What is wrong with motions of solids: keys, formulas, axes.

use super::support::{CUBE, GOOD, faults_of};

/// The only mesh of [`GOOD`], with a motion.
fn with(motion: &str, keys: &str) -> String {
    let mesh = "Mesh(path: \"box.obj\", scale: 0.1, translate: (0.8, 0.2, 0.2))";
    assert_eq!(GOOD.matches(mesh).count(), 1);
    let moving = mesh.replace("0.2))", &format!("0.2), motion: {motion})"));
    GOOD.replace(mesh, &moving).replace("    neighbors:", &format!("    {keys}\n    neighbors:"))
}

/// Refuses a motion with one fault, at the place of the `@` in it.
#[track_caller]
fn assert_refused(motion: &str, message: &str, help: &str) {
    let marked = with(motion, "");
    let place = marked.find('@').expect("a place");
    let (line, column) =
        (1 + marked[..place].matches('\n').count(), place - marked[..place].rfind('\n').unwrap());
    let faults = faults_of(&marked.replace('@', ""), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{motion}: {faults:?}") };
    assert_eq!((fault.line(), fault.column()), (line, column), "{motion}: {fault}");
    assert!(fault.message.contains(message), "{motion}: {fault}");
    assert!(fault.help.as_deref().unwrap_or_default().contains(help), "{motion}: {fault}");
}

#[test]
fn motions_that_cannot_be_meant_are_refused_at_their_place() {
    for (motion, message, help) in [
        ("Keyframes(keys: @[])", "this has 0", "time: 1.0"),
        ("Keyframes(keys: @[(time: 1)])", "this has 1", "time: 1.0"),
        ("Keyframes(keys: [(time: 1), (time: @1)])", "not after that at 1 s", "in the order"),
        ("Keyframes(keys: [(time: 2), (time: @1)])", "not after that at 2 s", "in the order"),
        ("Keyframes(keys: [(time: 0), (time: @NaN)])", "`time` is not a number", "from"),
        ("Keyframes(keys: [(time: 0), (time: 1, translate: (0, 0, @inf))])", "is infinite", "from"),
        (
            "Keyframes(keys: [(time: 0), (time: 1, rotate: (axis: @(0, 0, 0), degrees: 9))])",
            "about no axis",
            "a direction",
        ),
        (
            "Keyframes(keys: [(time: 0), (time: 1, translate: (0, 0, 1))], after: @Repeat)",
            "cannot begin again",
            "after: Hold",
        ),
        ("Keyframes(keys: [(time: 0), (@tine: 1)])", "`tine`", ""),
        ("Spin(rpm: @1e9)", "`rpm` is too large", "revolutions"),
        ("Spin(rpm: 1, axis: @(0, 0, 0))", "about no axis", "a direction"),
        ("Spin(rpm: 1, pivot: (0, @NaN, 0))", "is not a number", "m"),
        ("@Spin()", "`rpm`", ""),
        ("Formula(translate: (\"2*@x\", \"0\", \"0\"))", "there is no `x`", "`t`"),
        ("Formula(translate: (\"0\", \"@sine(t)\", \"0\"))", "`sine`", "did you mean `sin`?"),
        ("Formula(degrees: \"90 @t\")", "no operator", "`*`"),
        ("Formula(degrees: \"sin@(t\")", "never closed", "`)`"),
        ("Formula(degrees: \"@\")", "empty", "such as"),
        ("@Formula(degrees: \"sqrt(0.01 - t)\")", "no number at t = 0.0", "time of the run"),
        ("@Formula(degrees: \"1/t\")", "no number at t = 0 s", "time of the run"),
        ("@Formula(translate: (\"1e7*t\", \"0\", \"0\"))", "a speed of", "below"),
        ("@Formula(translate: (\"2e6\", \"0\", \"0\"))", "away at t = 0 s", "within"),
    ] {
        assert_refused(motion, message, help);
    }
}

#[test]
fn motions_of_the_plane_stay_in_it() {
    let scene = |motion: &str| {
        format!(
            "Scene(
    frames: (count: 2, rate: 50.0), dimensions: Two,
    domain: Box(min: (0, 0, 0), max: (1, 0, 1)), particle_radius: 0.025,
    fluids: [(name: \"water\", rest_density: 1000.0, viscosity: 1e-6,
              shapes: [Box(min: (0, 0, 0), max: (0.3, 0, 0.3))])],
    solids: [Box(min: (0.5, 0, 0), max: (0.6, 0, 0.2), motion: {motion})],
)"
        )
    };
    let refused = |motion: &str, part: &str| {
        let faults = faults_of(&scene(motion), &[], CUBE);
        assert!(faults.len() == 1 && faults[0].message.contains(part), "{motion}: {faults:?}");
    };
    refused("Spin(rpm: 60.0)", "out of the plane");
    refused("Formula(translate: (\"0\", \"t\", \"0\"))", "out of the plane");
    refused("Formula(translate: (\"t\", \"0\", \"0\"), pivot: (0, 1, 0))", "lies at y = 0");
    let fine = [
        "Spin(rpm: 60.0, axis: (0, 1, 0), pivot: (0.5, 0, 0.1))",
        "Formula(translate: (\"0.1*t\", \"0\", \"0.1*t\"))",
        "Keyframes(keys: [(time: 0), (time: 1, translate: (0.1, 0, 0))])",
    ];
    for motion in fine {
        assert_eq!(faults_of(&scene(motion), &[], CUBE), [], "{motion}");
    }
}
