//! `sim preview`: what it makes of a run, and what it makes of a broken one.

use super::scenes::small_with;
use super::support::{Ended, Place};
use hashfall_input as input;
use hashfall_preview::Picture;
use std::fs;

/// A short run.
fn run() -> Place {
    let place = Place::new();
    place.sim(["small.ron", "--frames", "4", "--out", "run"]).assert_done();
    place
}

fn previewed(place: &Place, args: &[&str]) -> Ended {
    let usual = ["preview", "run", "--size", "96x64", "--no-mp4"];
    place.sim(usual.iter().chain(args))
}

#[test]
fn previews_go_into_the_folder_that_is_named() {
    let place = run();
    previewed(&place, &[]).assert_done();
    let usual = place.files("run/preview");
    let before = place.files("run");
    previewed(&place, &["-o", "elsewhere/shown"]).assert_done();
    let mut shown = place.files("elsewhere/shown");
    shown.retain(|(name, _)| name != "previews.json");
    assert_eq!(shown, usual, "the same files without `preview/`");
    previewed(&place, &["-o", "elsewhere/shown", "--to", "1"]).assert_done();
    assert!(!place.path("elsewhere/shown/frame_00002.png").exists(), "earlier ones go");
    previewed(&place, &["-o", "elsewhere"])
        .assert_refused(&["elsewhere/shown` is no preview", "--overwrite"]);
    previewed(&place, &["-o", "small.ron"]).assert_refused(&["`small.ron` is a file"]);
    assert_eq!(place.files("run"), before, "nothing in the run");
}

#[test]
fn pictures_of_the_user_stay_in_the_folder_that_is_named() {
    let place = run();
    fs::create_dir(place.path("mine")).unwrap();
    for name in ["frame_00001.png", "frame_00099.png"] {
        place.write(&format!("mine/{name}"), "mine");
    }
    let before = place.files("mine");
    let refused = previewed(&place, &["-o", "mine"]);
    refused.assert_refused(&["frame_00001.png", "no preview that was made here", "--overwrite"]);
    assert_eq!(place.files("mine"), before);
    for _ in 0..2 {
        previewed(&place, &["-o", "mine", "--overwrite", "--no-page"]).assert_done();
        assert_eq!(place.read("mine/frame_00099.png"), "mine");
    }
    assert_ne!(fs::read(place.path("mine/frame_00001.png")).unwrap(), b"mine");
    // Among ours, files of other names may lie; one in the way may not.
    previewed(&place, &["-o", "mine", "--to", "1", "--no-page"]).assert_done();
    assert!(!place.path("mine/frame_00002.png").exists());
    place.write("mine/frame_00002.png", "mine");
    previewed(&place, &["-o", "mine", "--to", "1", "--no-page"]).assert_done();
    previewed(&place, &["-o", "mine", "--no-page"]).assert_refused(&["frame_00002.png"]);
    assert_eq!(place.read("mine/frame_00002.png"), "mine");
}

/// The names of the previews.
fn previews(place: &Place) -> Vec<String> {
    if !place.path("run/preview").exists() {
        return Vec::new();
    }
    place.files("run/preview").into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_run_gets_pictures_a_film_and_a_page() {
    let place = run();
    let before: Vec<_> = place.files("run");
    let ended = previewed(&place, &[]);
    assert!(ended.assert_done().stdout.contains("5 frames, 96 x 64"), "{ended:?}");
    let numbers = ["00000", "00001", "00002", "00003", "00004"];
    let pictures = numbers.map(|n| format!("frame_{n}.png"));
    let mut expected = pictures.to_vec();
    expected.push("index.html".into());
    expected.extend(numbers.map(|n| format!("page/f{n}.js")));
    expected.extend(["page/solids.js".into(), "preview.gif".into()]);
    assert_eq!(previews(&place), expected);
    for (k, name) in pictures.iter().enumerate() {
        let bytes = fs::read(place.path("run/preview").join(name)).unwrap();
        let picture = Picture::from_png(&bytes).unwrap();
        assert_eq!(picture.size, [96, 64]);
        // Solids are of a warm grey, the floor and the sky of a cold one.
        let [blue, warm] = [([2, 0], 40), ([0, 2], 5)].map(|([more, less], by)| {
            let is_so = |p: &&[u8]| i32::from(p[more]) > i32::from(p[less]) + by;
            picture.rgb.chunks(3).filter(is_so).count()
        });
        // Water that falls fast becomes white.
        let blue_enough = if k == 0 { 100 } else { 0 };
        assert!(blue >= blue_enough && warm > 30, "{blue} pixels of water, {warm} of solids");
    }
    // The run is as it was, and sound.
    let after = place.files("run");
    assert!(before.iter().all(|file| after.contains(file)));
    place.sim(["audit", "run"]).assert_done();
    let one = place.files("run/preview");
    previewed(&place, &["--threads", "5"]).assert_done();
    assert_eq!(one, place.files("run/preview"), "the same bytes on other threads");
}

#[test]
fn what_is_asked_for_is_made_and_what_was_made_before_goes() {
    let place = run();
    previewed(&place, &["--quiet"]).assert_done();
    place.write("run/preview/mine.png", "my own");
    place.write("run/preview/frame_00077.png", "of an earlier run");
    let args = ["--of", "particles", "--from", "1", "--every", "2", "--no-gif", "--no-page"];
    let ended = previewed(&place, &args);
    assert!(ended.assert_done().stdout.contains("2 frames"), "{ended:?}");
    assert_eq!(previews(&place), ["frame_00001.png", "frame_00003.png", "mine.png"]);
    let frame = fs::read(place.path("run/preview/frame_00001.png")).unwrap();
    for other in [
        ["--colour", "none"],
        ["--colour", "density"],
        ["--view", "-40,10"],
        ["--zoom", "1.5"],
        ["--range", "-1,0.5"],
        ["--of", "surface"],
    ] {
        let args = ["--from", "1", "--to", "1", "--no-gif", "--no-page"];
        previewed(&place, &[&args[..], &other].concat()).assert_done();
        assert_eq!(previews(&place), ["frame_00001.png", "mine.png"], "{other:?}");
        let picture = fs::read(place.path("run/preview/frame_00001.png")).unwrap();
        assert_ne!(picture, frame, "{other:?} changes nothing");
    }
    // Surfaces have no density: with it, particles are shown, each in its own colour.
    let density = ["--from", "1", "--to", "1", "--no-gif", "--no-page", "--colour", "density"];
    previewed(&place, &density).assert_done();
    let usual = fs::read(place.path("run/preview/frame_00001.png")).unwrap();
    previewed(&place, &[&density[..], &["--of", "particles"]].concat()).assert_done();
    assert_eq!(fs::read(place.path("run/preview/frame_00001.png")).unwrap(), usual);
    // A new run takes its previews with it, and leaves what is the user's.
    place.sim(["small.ron", "--frames", "1", "--out", "run", "--overwrite"]).assert_done();
    assert_eq!(previews(&place), ["mine.png"]);
}

#[test]
fn a_broken_frame_is_left_out_and_told_of() {
    let place = run();
    let name = "run/surface/surface_00002.ply";
    let bytes = fs::read(place.path(name)).unwrap();
    place.write(name, &bytes[..bytes.len() / 2]);
    let ended = previewed(&place, &[]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("warning: skipping frame 2: `"), "{ended:?}");
    assert!(ended.stderr.contains("surface_00002.ply"), "{ended:?}");
    assert!(ended.stdout.contains("4 frames"), "{ended:?}");
    assert!(!previews(&place).contains(&"frame_00002.png".to_owned()));
    assert!(previews(&place).contains(&"preview.gif".to_owned()));
}

/// The bytes of a frame on the page.
fn on_page(place: &Place, frame: u32) -> Vec<u8> {
    fs::read(place.path(&format!("run/preview/page/f{frame:05}.js"))).unwrap()
}

#[test]
fn the_page_shows_particles_unless_the_surface_is_asked_for() {
    let place = run();
    let shown = |of: &str| {
        previewed(&place, &["--of", of, "--no-gif"]).assert_done();
        [on_page(&place, 1), on_page(&place, 2)]
    };
    let [auto, particles, surface] = ["auto", "particles", "surface"].map(shown);
    assert_eq!(auto, particles);
    assert!((0..2).all(|k| surface[k] != particles[k]));
    // Of a frame without particles `auto` shows the surface; of one with broken ones, too.
    fs::remove_file(place.path("run/particles/particles_00002.vtp")).unwrap();
    assert_eq!(shown("auto"), [particles[0].clone(), surface[1].clone()]);
    place.write("run/particles/particles_00001.vtp", "broken");
    let ended = previewed(&place, &[]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    let warning = "warning: the page shows the surface of frame 1: `";
    assert!(ended.stderr.contains(warning), "{ended:?}");
    assert_eq!([on_page(&place, 1), on_page(&place, 2)], surface);
    assert!(ended.stdout.contains("5 frames"), "{ended:?}");
}

#[test]
fn what_a_killed_call_left_unfinished_goes() {
    let place = run();
    fs::create_dir_all(place.path("run/preview/page")).unwrap();
    place.write("run/preview/.hashfall-a1.tmp", "half a picture");
    place.write("run/preview/page/.hashfall-b2.tmp", "half a script");
    place.write("run/.hashfall-c3.tmp", "of the run, which may go on");
    previewed(&place, &["--no-gif", "--no-page", "--to", "0"]).assert_done();
    assert_eq!(previews(&place), ["frame_00000.png"]);
    assert!(place.path("run/.hashfall-c3.tmp").exists());
}

#[test]
fn the_plane_is_shown_as_a_slice() {
    let place = Place::new();
    let scene = "Scene(
        dimensions: Two,
        frames: (count: 1, rate: 100.0),
        gravity: (0.0, 0.0, -9.81),
        domain: Box(min: (0.0, 0.0, 0.0), max: (0.4, 0.0, 0.3)),
        particle_radius: 0.01,
        fluids: [(
            name: \"water\", rest_density: 1000.0, viscosity: 1e-6,
            shapes: [Box(min: (0.0, 0.0, 0.0), max: (0.2, 0.0, 0.2))],
        )],
        solver: Wcsph(),
    )";
    place.write("small.ron", scene);
    place.sim(["small.ron", "--frames", "1", "--out", "run"]).assert_done();
    previewed(&place, &["--of", "particles"]).assert_done();
    let bytes = fs::read(place.path("run/preview/frame_00000.png")).unwrap();
    let picture = Picture::from_png(&bytes).unwrap();
    let blue = picture.rgb.chunks(3).filter(|p| p[2] > p[0].saturating_add(40)).count();
    assert!(blue > 100, "{blue} pixels of water");
    assert!(place.read("run/preview/index.html").contains(r#""view":[0.0,0.0]"#));
}

/// How many pixels of the first picture are blue and how many orange, in its left and right half.
fn blue_and_orange(place: &Place) -> [[usize; 2]; 2] {
    let bytes = fs::read(place.path("run/preview/frame_00000.png")).unwrap();
    let picture = Picture::from_png(&bytes).unwrap();
    let mut found = [[0; 2]; 2];
    for (k, pixel) in picture.rgb.chunks(3).enumerate() {
        let half = usize::from(k % 96 >= 48);
        let [red, blue] = [pixel[0], pixel[2]].map(i32::from);
        found[half][0] += usize::from(blue > red + 40);
        found[half][1] += usize::from(red > blue + 40);
    }
    found
}

#[test]
fn several_fluids_have_a_colour_each() {
    let place = Place::new();
    let scene = "Scene(
        frames: (count: 1, rate: 100.0),
        domain: Box(min: (0.0, 0.0, 0.0), max: (0.4, 0.1, 0.2)),
        particle_radius: 0.01,
        fluids: [
            (
                name: \"water\", rest_density: 1000.0, viscosity: 1e-6,
                shapes: [Box(min: (0.0, 0.0, 0.0), max: (0.14, 0.1, 0.16))],
            ),
            (
                name: \"oil\", rest_density: 900.0, viscosity: 1e-5,
                shapes: [Box(min: (0.26, 0.0, 0.0), max: (0.4, 0.1, 0.16))],
            ),
        ],
    )";
    for together in ["false", "true"] {
        place.write("small.ron", scene);
        let together = format!("surface.merge_fluids={together}");
        let args = ["small.ron", "--out", "run", "--overwrite", "--set", &together];
        place.sim(args).assert_done();
        for of in ["particles", "surface"] {
            let of = ["--of", of, "--to", "0", "--no-gif", "--view", "0,0"];
            previewed(&place, &of).assert_done();
            let [left, right] = blue_and_orange(&place);
            assert!(left[0] > 300 && left[1] == 0, "{of:?}, {together}: {left:?}");
            assert!(right[0] == 0 && right[1] > 300, "{of:?}, {together}: {right:?}");
            assert!(place.read("run/preview/index.html").contains(r#""names":["water","oil"]"#));
            let swapped = ["--fluid-colours", "#E69F3C, 3f9fd8"];
            previewed(&place, &[&of[..], &swapped].concat()).assert_done();
            let [left, right] = blue_and_orange(&place);
            assert!(left[0] == 0 && left[1] > 300, "{of:?}, {together}: {left:?}");
            assert!(right[0] > 300 && right[1] == 0, "{of:?}, {together}: {right:?}");
            // A range is one of speeds.
            for speeds in [&["--colour", "speed"][..], &["--range", "0,1"]] {
                previewed(&place, &[&of, speeds].concat()).assert_done();
                let [left, right] = blue_and_orange(&place);
                assert!(left[0] > 300 && right[0] > 300, "{speeds:?}: {left:?}, {right:?}");
                assert!(place.read("run/preview/index.html").contains("speed, m/s"));
            }
        }
    }
}

/// `ffmpeg` as a script of ours, in place of the real one, and a run with it.
#[cfg(unix)]
fn with_ffmpeg(place: &Place, script: &str, args: &[&str]) -> Ended {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(place.path("bin")).unwrap();
    let film = "for last; do :; done\nfilm=${last#file:}\n[ \"$film\" != \"$last\" ] || exit 9\n";
    place.write("bin/ffmpeg", format!("#!/bin/sh\n{film}{script}\n"));
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.path("bin/ffmpeg"), executable).unwrap();
    let path = format!("{}:{}", place.path("bin").display(), std::env::var("PATH").unwrap());
    Ended::of(place.command(args).env("PATH", path).output().unwrap())
}

#[cfg(unix)]
#[test]
fn ffmpeg_gets_a_picture_for_each_time() {
    let place = run();
    place.write("run/surface/surface_00002.ply", "broken");
    // A name that looks like a protocol.
    fs::rename(place.path("run"), place.path("http:run")).unwrap();
    let args = ["preview", "http:run", "--size", "96x64", "--no-page"];
    let ended = with_ffmpeg(&place, "cat > \"$film\"", &args);
    assert_eq!(ended.code, Some(1), "a frame is left out: {ended:?}");
    assert!(ended.stdout.contains("  mp4       http:run/preview/preview.mp4"), "{ended:?}");
    let read = |name: &str| fs::read(place.path("http:run/preview").join(name)).unwrap();
    let expected = [0, 1, 1, 3, 4].map(|k| read(&format!("frame_{k:05}.png"))).concat();
    assert_eq!(read("preview.mp4"), expected);
    let again = with_ffmpeg(&place, "cat > \"$film\"", &[&args[..], &["--every", "2"]].concat());
    assert_eq!(again.code, Some(1), "{again:?}");
    assert_eq!(read("preview.mp4"), [0, 4].map(|k| read(&format!("frame_{k:05}.png"))).concat());
}

#[cfg(unix)]
#[test]
fn an_ffmpeg_that_fails_with_many_words_is_warned_of() {
    let place = run();
    // More than a pipe holds, before it takes any of pictures that a pipe does not hold.
    let talk = "head -c 300000 /dev/zero | tr '\\0' 'x' >&2\necho >&2";
    let end = "echo 'no such codec' >&2\necho half > \"$film\"\nexit 1";
    let args = ["preview", "run", "--size", "640x400", "--no-gif", "--no-page"];
    for script in [format!("{talk}\ncat > \"$film\"\n{end}"), format!("{talk}\n{end}")] {
        let ended = with_ffmpeg(&place, &script, &args);
        ended.assert_done();
        let warning = "warning: no MP4: ffmpeg failed: no such codec";
        assert!(ended.stderr.contains(warning), "{ended:?}");
        let expected: Vec<String> = (0..5).map(|k| format!("frame_{k:05}.png")).collect();
        assert_eq!(previews(&place), expected);
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_previews_of_a_run_but_not_the_run() {
    let place = Place::new();
    let preview = "preview: (size: (320, 240), of: Particles)";
    let scene =
        small_with("    solver: Wcsph(),", &format!("    solver: Wcsph(),\n    {preview},"));
    place.write("shown.ron", scene);
    // The pictures are read so slowly that the signal is known long before the last is sent.
    let slowly = "while head -c 1000 | grep -q .; do sleep 0.1; done";
    let args = ["shown.ron", "--frames", "12", "--out", "run"];
    let ended = with_ffmpeg(&place, &format!("kill -INT $PPID\n{slowly}\nexit 1"), &args);
    ended.assert_done();
    assert!(ended.stderr.contains("interrupted; all previews so far are complete"), "{ended:?}");
    assert!(previews(&place).contains(&"index.html".to_owned()));
    assert!(!previews(&place).contains(&"preview.mp4".to_owned()));
    place.sim(["audit", "run"]).assert_done();
}

#[test]
fn where_there_is_nothing_to_see_it_says_so() {
    let place = run();
    fs::create_dir(place.path("empty")).unwrap();
    place.write("bare.ron", small_with("particles: true, surface: [Ply, Vtp]", "particles: false"));
    let scene = fs::read_to_string(place.path("bare.ron")).unwrap();
    place.write("bare.ron", scene.replace("surface: (cell: 0.8, iso: 0.6)", "surface: None"));
    place.sim(["bare.ron", "--frames", "1", "--out", "bare"]).assert_done();
    for (args, part) in [
        (&["preview", "nowhere"][..], "there is no such folder"),
        (&["preview", "empty"], "it has no `run.json`"),
        (&["preview", "bare"], "has no particles, surface or elastic body"),
        (&["preview", "run", "--from", "9"], "has no frame from --from to --to; the last is 4"),
        (&["preview", "run", "--of", "surface", "--colour", "density"], "a surface has no density"),
        (&["preview", "run", "--size", "9x9"], "from 16 to 8192"),
        (&["preview", "run", "--view", "up"], "two numbers from -360 to 360"),
        (&["preview", "run", "--view", "0,400"], "two numbers from -360 to 360"),
        (&["preview", "run", "--range", "2,1"], "the lower first"),
        (&["preview", "run", "--range", "0,1e39"], "two numbers of single precision"),
        (&["preview", "run", "--range", "1,1.00000000001"], "two numbers of single precision"),
        (&["preview", "run", "--fps", "2.3e20"], "a number from 0.001 to 10000"),
    ] {
        let ended = place.sim(args);
        assert_eq!(ended.code, Some(2), "{args:?}: {ended:?}");
        assert!(ended.stderr.contains(part), "{args:?}: {}", ended.stderr);
    }
    let ended = previewed(&place, &["--gif-limit", "0.0001"]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("no GIF: "), "{ended:?}");
}

#[test]
fn a_scene_may_ask_for_its_previews() {
    let place = Place::new();
    let scene = small_with(
        "    solver: Wcsph(),",
        "    solver: Wcsph(),\n    preview: (every: 2, size: (64, 48), of: Particles),",
    );
    place.write("shown.ron", scene);
    place.sim(["shown.ron", "--frames", "4", "--out", "run"]).assert_done();
    let made = previews(&place);
    for name in ["frame_00000.png", "frame_00004.png", "index.html", "preview.gif"] {
        assert!(made.contains(&name.to_owned()), "no {name} in {made:?}");
    }
    assert!(!made.contains(&"frame_00001.png".to_owned()));
    place.sim(["audit", "run"]).assert_done();
    place.sim(["resume", "run", "--frames", "6"]).assert_done();
    assert!(previews(&place).contains(&"frame_00006.png".to_owned()));
    // The frames are those of a run that was not shown.
    place.sim(["small.ron", "--frames", "6", "--out", "plain"]).assert_done();
    assert_eq!(place.files("run/particles"), place.files("plain/particles"));
}

#[test]
fn a_run_that_cannot_be_shown_is_as_good() {
    let place = Place::new();
    let scene =
        small_with("    solver: Wcsph(),", "    solver: Wcsph(),\n    preview: (size: (64, 48)),");
    place.write("shown.ron", scene);
    fs::create_dir(place.path("run")).unwrap();
    place.write("run/preview", "a file in the way");
    let ended = place.sim(["shown.ron", "--frames", "1", "--out", "run"]);
    ended.assert_done();
    assert!(ended.stderr.contains("warning: no previews: "), "{ended:?}");
    assert_eq!(place.read("run/preview"), "a file in the way");
}

#[test]
fn both_formats_of_a_surface_read_as_one_mesh() {
    let place = run();
    let [ply, vtp] = ["ply", "vtp"].map(|format| {
        fs::read(place.path(&format!("run/surface/surface_00003.{format}"))).unwrap()
    });
    let (ply, triangles) = input::read_ply_mesh(&ply).unwrap();
    let (cloud, others) = input::read_vtk_mesh(&vtp).unwrap();
    assert!(triangles.len() > 100);
    assert_eq!((ply.positions, triangles), (cloud.positions, others));
    let text = String::from_utf8_lossy(&vtp).into_owned();
    let at = text.find("NumberOfPolys=\"").unwrap();
    let mut wrong = vtp.clone();
    wrong[at..at + 13].copy_from_slice(b"NumberOfLines");
    assert!(input::read_vtk_mesh(&wrong).is_err(), "cells of another kind");
    assert!(input::read_vtk_mesh(&vtp[..vtp.len() - 100]).is_err(), "cut");
}
