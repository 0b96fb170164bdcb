//! What is wrong with motions of solids: keys, formulas, axes.

use super::support::{CUBE, GOOD, faults_of};
use hashfall_scene::{Source, prepare};

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
fn a_frame_whose_velocity_jumps_is_refused() {
    let keys = "keys: [(time: 0), (time: 1, translate: (1, 0, 0))]";
    let frame =
        |between: &str| with("Still", &format!("reference_frame: Keyframes({keys}{between}),"));
    let faults = faults_of(&frame(", between: Linear"), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.message.contains("jumps at each key"), "{fault}");
    let spin = |axis: &str| {
        let frame = format!("reference_frame: Spin(rpm: 9, axis: {axis}),");
        let text = with("Still", &frame);
        let end = text.find("max: (1, 1, 1.5)").map(|at| at + "max: (1, 1, 1.5)".len()).unwrap();
        format!("{}, periodic: (true, false, false){}", &text[..end], &text[end..])
    };
    let faults = faults_of(&spin("(0, 0, 1)"), &[], CUBE);
    assert!(faults.iter().any(|fault| fault.message.contains("repeats along x")), "{faults:?}");
    let faults = faults_of(&with("Still", "reference_frame: Driven(),"), &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.message.contains("no program can drive the frame"), "{fault}");
    let too_fast = with("Still", "reference_frame: Formula(translate: (\"1e5*t\", \"0\", \"0\")),");
    let faults = faults_of(&too_fast, &[], CUBE);
    let [fault] = &faults[..] else { panic!("{faults:?}") };
    assert!(fault.message.contains("m/s at t ="), "{fault}");
}

#[test]
fn motions_that_cannot_be_meant_are_refused_at_their_place() {
    for (motion, message, help) in [
        ("Keyframes(keys: @[])", "found 0", "time: 1.0"),
        ("Keyframes(keys: @[(time: 1)])", "found 1", "time: 1.0"),
        (
            "Keyframes(keys: [(time: 1), (time: @1)])",
            "not come after the key at 1 s",
            "in the order",
        ),
        (
            "Keyframes(keys: [(time: 2), (time: @1)])",
            "not come after the key at 2 s",
            "in the order",
        ),
        ("Keyframes(keys: [(time: 0), (time: @NaN)])", "`time` is not a number", "from"),
        ("Keyframes(keys: [(time: 0), (time: 1, translate: (0, 0, @inf))])", "is infinite", "from"),
        (
            "Keyframes(keys: [(time: 0), (time: 1, rotate: (axis: @(0, 0, 0), degrees: 9))])",
            "axis of zero length",
            "a direction",
        ),
        (
            "Keyframes(keys: [(time: 0), (time: 1, translate: (0, 0, 1))], after: @Repeat)",
            "needs equal poses",
            "after: Hold",
        ),
        ("Keyframes(keys: [(time: 0), (@tine: 1)])", "`tine`", ""),
        ("Spin(rpm: @1e9)", "`rpm` is too large", "1/min"),
        ("Spin(rpm: 1, axis: @(0, 0, 0))", "axis of zero length", "a direction"),
        ("Spin(rpm: 1, pivot: (0, @NaN, 0))", "is not a number", "m"),
        ("@Spin()", "`rpm`", ""),
        ("Driven(pivot: (0, @NaN, 0))", "is not a number", "m"),
        ("Formula(translate: (\"2*@x\", \"0\", \"0\"))", "there is no `x`", "`t`"),
        ("Formula(translate: (\"0\", \"@sine(t)\", \"0\"))", "`sine`", "did you mean `sin`?"),
        ("Formula(degrees: \"90 @t\")", "no operator", "`*`"),
        ("Formula(degrees: \"sin@(t\")", "never closed", "`)`"),
        ("Formula(degrees: \"@\")", "empty", "such as"),
        (
            "Formula(degrees: @\"sqrt(0.01 - t)\")",
            "no finite value at t = 0.0",
            "a number at all times",
        ),
        ("Formula(degrees: @\"1/t\")", "no finite value at t = 0 s", "from 0 to 0.4 s"),
        (
            "Formula(translate: (\"0\", \"0\", @\"ln(0)\"), degrees: \"1\")",
            "no finite value at t = 0 s",
            "a number at all times",
        ),
        (
            "Formula(translate: (@\"sqrt(t)\", \"0\", \"0\"))",
            "is infinite at t = 0 s",
            "a finite rate",
        ),
        ("Formula(translate: (@\"2e6\", \"0\", \"0\"))", "m at t = 0 s", "within"),
        ("@Formula(translate: (\"2e4*t\", \"0\", \"0\"))", "may reach 20000 m/s", "below"),
    ] {
        assert_refused(motion, message, help);
    }
}

/// The mesh of [`GOOD`] lies 0.2 m from the origin in height, and 0.92 m from its axis.
#[test]
fn no_point_of_a_body_is_too_fast_at_any_time() {
    for (motion, message, help) in [
        ("@Formula(degrees: \"1e9*t\")", "may reach", "below"),
        ("Spin(rpm: @1e6)", "may reach", "below"),
        ("Spin(rpm: @2e5)", "may reach", "0.4 s"),
        (
            "Keyframes(keys: [(time: 0.11), @(time: 0.11000001, translate: (0.3, 0, 0))])",
            "may reach 3",
            "below",
        ),
        (
            "Keyframes(keys: [(time: 0), (time: 0.1), @(time: 0.1002, rotate: (degrees: 180))])",
            "may reach 1",
            "below",
        ),
    ] {
        assert_refused(motion, message, help);
    }
    let far = "Keyframes(keys: [(time: 7), (time: 7.00000001, translate: (0.3, 0, 0))])";
    for fine in
        [far, "Spin(rpm: 9e4)", "Formula(degrees: \"360*t\", translate: (\"9*t\", \"0\", \"0\"))"]
    {
        assert_eq!(faults_of(&with(fine, ""), &[], CUBE), [], "{fine}");
    }
    // A ball on the axis may be so small that only its revolutions are many.
    let ball = "SphereField(List([(centre: (0.8, 0.8, 0.2), radius: 0.1)]))";
    let small = "SphereField(Balls(list: [(centre: (0.8, 0.8, 0.2), radius: 0.0001)], \
                 motion: Formula(degrees: \"1e7*t\", pivot: (0.8, 0.8, 0))))";
    let faults = faults_of(&GOOD.replace(ball, small), &[], CUBE);
    assert!(faults.len() == 1 && faults[0].message.contains("times a minute"), "{faults:?}");
}

/// What is 40 times as fast for a hundredth of a second is found however rare frames are.
#[test]
fn the_speed_of_sound_does_not_depend_on_how_often_frames_are() {
    let sound = |frames: &str, motion: &str| {
        let solver = "solver: Wcsph(sound_speed: 30.0, courant: 0.4)";
        let text = with(motion, "").replace(solver, "solver: Wcsph()");
        let text = text.replace("(count: 20, rate: 50.0)", frames);
        let source = Source { name: String::new(), text };
        let scene = prepare(&source, &[], &mut |_| Ok(CUBE.into())).expect("no error");
        scene.world.solver.settings().tait().expect("Wcsph").sound_speed
    };
    let keys = |end: &str| {
        format!(
            "Keyframes(between: Smooth, \
             keys: [(time: 0.503), (time: {end}, translate: (0.4, 0, 0))])"
        )
    };
    let shaken = "Formula(translate: (\"0.4*tanh(100*(t - 0.503))\", \"0\", \"0\"))";
    for motion in [&keys("0.513"), shaken] {
        let [rare, often] =
            ["(count: 2, rate: 1.0)", "(count: 200, rate: 100.0)"].map(|it| sound(it, motion));
        assert_eq!(rare, often, "{motion}");
        assert!(rare > 399.0, "{motion}: {rare}");
    }
    // 60 m/s at the most, and what the fluid falls.
    let fastest = sound("(count: 2, rate: 1.0)", &keys("0.513")) / 10.0;
    assert!((60.0..60.3).contains(&fastest), "{fastest}");
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
    refused("Formula(translate: (\"0\", \"t*(t-0.37)*(t-1.91)\", \"0\"))", "out of the plane");
    refused("Formula(degrees: \"0.1*t\")", "out of the plane");
    refused("Formula(translate: (\"t\", \"0\", \"0\"), pivot: (0, 1, 0))", "lies at y = 0");
    let fine = [
        "Spin(rpm: 60.0, axis: (0, 1, 0), pivot: (0.5, 0, 0.1))",
        "Formula(translate: (\"0.1*t\", \"0\", \"0.1*t\"))",
        "Formula(translate: (\"0.1*t\", \"0.0*t\", \"0\"), degrees: \"0.0\")",
        "Keyframes(keys: [(time: 0), (time: 1, translate: (0.1, 0, 0))])",
    ];
    for motion in fine {
        assert_eq!(faults_of(&scene(motion), &[], CUBE), [], "{motion}");
    }
}
