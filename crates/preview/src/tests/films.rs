//! Films: what they show, when, and how large they are.

use super::*;

/// Pictures of a ball on its way.
fn moving(k: usize) -> Picture {
    let bounds = unit_box();
    let balls = [ball([0.1 + 0.03 * k as f64, 0.5, 0.5], 0.2, 0x90_6030)];
    let scene =
        Scene { bounds, has_floor: true, balls: vec![&balls], meshes: vec![], foam: vec![] };
    render(&scene, &Camera::fit(&bounds, ViewDirection::default(), [160, 90], 1.0))
}

/// The frames of a GIF as pictures, and how long each is shown \[s/100\].
fn shown(bytes: &[u8]) -> Vec<(Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let width = usize::from(decoder.width());
    let mut screen = vec![0; 3 * width * usize::from(decoder.height())];
    let mut all = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (k, pixel) in frame.buffer.chunks_exact(4).enumerate() {
            let x = usize::from(frame.left) + k % usize::from(frame.width);
            let y = usize::from(frame.top) + k / usize::from(frame.width);
            if pixel[3] > 0 {
                screen[3 * (y * width + x)..][..3].copy_from_slice(&pixel[..3]);
            }
        }
        all.push((screen.clone(), frame.delay));
    }
    all
}

#[test]
fn a_film_shows_its_pictures_in_their_time() {
    let pictures: Vec<Picture> = (0..20).map(moving).collect();
    let read = |k: usize| (k != 6).then(|| pictures[k].clone());
    let delays = |film: &film::Film| -> Vec<u16> {
        shown(&film.bytes).iter().map(|(_, delay)| *delay).collect()
    };
    let all: Vec<u32> = (0..20).collect();
    let film = film::gif(&all, 60.0, 10_000_000, &read).unwrap();
    // Sixty a second are too many: every third is shown, less the one that cannot be read, in
    // whose place the one before stays.
    assert_eq!((film.frames, film.size), (6, [160, 90]));
    let frames = shown(&film.bytes);
    assert_eq!(delays(&film), [5, 10, 5, 5, 5, 5]);
    for ((screen, _), k) in frames.iter().zip([0, 3, 9, 12, 15, 18]) {
        let off = screen.iter().zip(&pictures[k].rgb).map(|(a, b)| f64::from(a.abs_diff(*b)));
        let mean = off.sum::<f64>() / screen.len() as f64;
        assert!(mean < 4.0, "picture {k} is off by {mean} on average");
    }
    let slow = film::gif(&all, 7.0, 10_000_000, &read).unwrap();
    assert_eq!(slow.frames, 19);
    let first = &delays(&slow)[..6];
    assert_eq!(first, [14, 15, 14, 14, 14, 29], "sevenths of a second, rounded in turn");
    // Frames without pictures: what is shown before them stays, across what is made side by side.
    let part: Vec<u32> = (100..117).chain([130, 131]).collect();
    let film = film::gif(&part, 20.0, 10_000_000, &|k| Some(pictures[k].clone())).unwrap();
    let mut expected = [5; 19];
    expected[16] = 14 * 5;
    assert_eq!(delays(&film), expected);
    let every_other: Vec<u32> = (0..20).map(|k| 2 * k).collect();
    let film = film::gif(&every_other, 20.0, 10_000_000, &read).unwrap();
    assert_eq!(&delays(&film)[..7], [10, 10, 10, 10, 10, 20, 10]);
    // Rates that cannot be meant leave the first, or show each for long.
    let film = film::gif(&all, 2.3e20, 10_000_000, &read).unwrap();
    assert_eq!((film.frames, delays(&film)), (1, vec![4]));
    assert_eq!(film::gif(&all, 1e-300, 10_000_000, &read).unwrap().frames, 19);
}

#[test]
fn a_film_stays_under_its_limit_or_is_none() {
    let read = |k: usize| Some(moving(k));
    let all: Vec<u32> = (0..20).collect();
    let mut sizes = Vec::new();
    for limit in [10_000_000, 14_000, 6_000, 4_000] {
        let film = film::gif(&all, 25.0, limit, &read).unwrap();
        assert!(film.bytes.len() <= limit, "{} of {limit}", film.bytes.len());
        assert_eq!(shown(&film.bytes).len(), film.frames);
        let again = with_threads(3, || film::gif(&all, 25.0, limit, &read));
        assert_eq!(again.as_ref(), Some(&film), "the same bytes on other threads");
        sizes.push(film.bytes.len());
    }
    assert!(sizes.is_sorted_by(|a, b| a > b), "{sizes:?}");
    assert_eq!(film::gif(&all, 25.0, 100, &read), None);
    assert_eq!(film::gif(&[], 25.0, 10_000, &read), None);
    assert_eq!(film::gif(&all, 25.0, 10_000, &|_| None), None);
}
