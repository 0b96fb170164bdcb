//! Images of frames, and the range of their colours.

use super::subject::{BesideFluid, FrameError, PreviewError, Subject};
use crate::cli::args::Of;
use hashfall_core::parallel;
use hashfall_output::layout;
use hashfall_output::table::complete_rows;
use hashfall_preview::frame::{Colouring, FluidFrame, Quantity};
use hashfall_preview::{Camera, Picture, RenderMesh, Scene, SolidShapes, render};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// A frame, and its image as PNG or why there is none.
pub type Thumbnail = (u32, Result<Vec<u8>, FrameError>);

/// Small images of the frames that `choose` selects, for pages. The colour scale of speeds ends at
/// `max_speed` \[m/s\], or at the largest speed of the run.
///
/// # Errors
/// If the run cannot be shown.
pub fn thumbnails(
    folder: &Path,
    size: [u32; 2],
    max_speed: Option<f32>,
    choose: &dyn Fn(&[u32]) -> Vec<u32>,
) -> Result<Vec<Thumbnail>, PreviewError> {
    let subject = Subject::open(folder, Of::Auto)?;
    let frames = choose(&subject.frames);
    let quantity = subject.default_quantity();
    let range = max_speed.filter(|speed| *speed > 0.0).map(|speed| [0.0, speed]);
    let range = range.unwrap_or_else(|| {
        let groups: Vec<&[u32]> = frames.chunks(1).collect();
        range_of(&subject, &groups, quantity, &AtomicBool::new(false))
    });
    let is_water = subject.is_water_by_default();
    let colouring = Colouring { is_water, ..Colouring::new(quantity, range) };
    let camera = Camera::fit(&subject.domain, subject.view, size, 1.0);
    let draw = |frame: u32| {
        let fluid = subject.fluid(frame, subject.is_surface, colouring.quantity)?;
        let beside = subject.beside_fluid(frame)?;
        Ok(picture(&subject, &camera, fluid, &beside, &colouring).png())
    };
    Ok(frames.into_iter().map(|frame| (frame, draw(frame))).collect())
}

/// Draws a frame.
pub fn picture(
    subject: &Subject,
    camera: &Camera,
    fluid: Vec<FluidFrame>,
    beside: &BesideFluid,
    colouring: &Colouring,
) -> Picture {
    let (mut balls, mut meshes): (Vec<_>, Vec<RenderMesh>) = (Vec::new(), Vec::new());
    for fluid in fluid {
        if fluid.faces.is_none() {
            balls.push(fluid.balls(colouring, subject.radius));
        }
        meshes.extend(fluid.mesh(colouring));
    }
    let none = SolidShapes::default();
    let obstacles = [&subject.standing, beside.moving.as_ref().unwrap_or(&none)];
    let scene = Scene {
        bounds: subject.domain,
        has_floor: subject.has_floor,
        balls: balls
            .iter()
            .map(Vec::as_slice)
            .chain(obstacles.map(|it| it.balls.as_slice()))
            .collect(),
        meshes: meshes.iter().chain(obstacles.iter().flat_map(|it| &it.meshes)).collect(),
        foam: vec![&beside.foam],
    };
    render(&scene, camera)
}

/// The ends of the colour scale, the same for all frames. Speeds range from 0 to the largest in the
/// log; other quantities need all frames.
pub fn range_of(
    subject: &Subject,
    groups: &[&[u32]],
    quantity: Quantity,
    stop: &AtomicBool,
) -> [f32; 2] {
    let found = match quantity {
        Quantity::Phase | Quantity::Uniform => return [0.0, 1.0],
        Quantity::Speed => logged_speed(subject),
        Quantity::Density => None,
    };
    let found = found.or_else(|| {
        // Files that cannot be read are reported when they are drawn.
        let of_frame = |frame: u32| {
            let fluid = subject.fluid(frame, subject.is_surface, quantity).ok()?;
            fluid.iter().filter_map(FluidFrame::range).reduce(wider)
        };
        let groups = groups.iter().take_while(|_| !stop.load(Ordering::Relaxed));
        let of_group = |group: &&[u32]| {
            parallel::filter_map(group.len(), |k| of_frame(group[k])).into_iter().reduce(wider)
        };
        groups.filter_map(of_group).reduce(wider)
    });
    let [low, high] = found.unwrap_or([0.0, 1.0]);
    let low = if quantity == Quantity::Speed { 0.0 } else { low };
    // A fluid at rest needs a scale as well.
    if high > low { [low, high] } else { [low, low + 1.0] }
}

/// The range that holds two others.
fn wider(a: [f32; 2], b: [f32; 2]) -> [f32; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// From 0 to the largest speed in the log, if there is one.
fn logged_speed(subject: &Subject) -> Option<[f32; 2]> {
    let log = subject.folder.read(layout::LOG).ok()?;
    let (names, rows) = complete_rows(&log);
    let column = names.iter().position(|name| name == "max_speed")?;
    let speeds = rows.iter().filter_map(|row| row[column].parse::<f32>().ok());
    let speed = speeds.filter(|speed| speed.is_finite()).fold(0.0, f32::max);
    (speed > 0.0).then_some([0.0, speed])
}
