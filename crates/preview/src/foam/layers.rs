//! How whitewater is drawn: a white veil over each pixel, as dense as its points' discs there.
//!
//! Drops and bubbles are smaller than pixels and many, so they are not drawn one by one: a point
//! adds to the optical depth τ of the pixels about it, in all the area of its disc. Through the
//! veil comes the part exp(−τ) of what is behind; the rest is the light of the points, each lit by
//! the sky and by the key light with its shadow. Sums need no order in depth. There are two veils:
//! before the nearest surface, and inside clear fluid, where a point's light is tinted by the fluid
//! before it (Lambert and Beer). What stands behind matt surfaces is not seen.

use super::FoamPoint;
use crate::camera::{Camera, Eye};
use crate::samples::{Bins, TILE};
use hashfall_core::parallel::{filter_map, map_pieces};

/// Light of the three channels.
type Colour = nalgebra::Vector3<f32>;

/// The optical depth of a disc that fills its pixels.
const OPACITY: f32 = 1.5;
/// Points are drawn no smaller than this, and the fainter for it \[pixels\].
const MIN_RADIUS: f32 = 0.75;
/// What white foam gives back.
const ALBEDO: f32 = 0.96;
/// A point belongs before a surface until this number of its radii behind it.
const ON_SURFACE: f32 = 2.5;

/// What decides how points look.
pub struct FoamView<'a> {
    /// The camera, in pixels.
    pub camera: &'a Camera,
    /// Depth of the nearest surface of each pixel \[m\].
    pub nearest: &'a [f32],
    /// If there is clear fluid: how far through it.
    pub below: Option<Below<'a>>,
    /// The light that a white face gets at a place of space, from the sky and the key light.
    pub light: &'a (dyn Fn(&nalgebra::Vector3<f32>) -> Colour + Sync),
}

/// The inside of clear fluid.
pub struct Below<'a> {
    /// Depth of what stands behind it, pixel by pixel \[m\].
    pub behind: &'a [f32],
    /// How thick all of it is before that, pixel by pixel \[m\]: behind a drop there is air.
    pub thickness: &'a (dyn Fn(usize) -> f32 + Sync),
    /// What is seen of this light after this length of fluid \[m\] that has the same light.
    pub seen: &'a (dyn Fn(Colour, f32) -> Colour + Sync),
}

/// The two veils of a picture.
pub struct FoamLayers {
    /// Optical depth of each pixel and the sum of light times optical depth, before the nearest
    /// surface.
    before: Vec<(f32, Colour)>,
    /// The same inside clear fluid.
    inside: Vec<(f32, Colour)>,
}

/// A point before the camera.
struct Disc {
    at: [f32; 2],
    depth: f32,
    /// In metres, and in pixels as drawn.
    radius: f32,
    reach: f32,
    /// Optical depth at its middle.
    density: f32,
    light: Colour,
}

impl FoamLayers {
    /// The veils of some points.
    pub fn new(points: &[FoamPoint], view: &FoamView) -> FoamLayers {
        let [width, height] = view.camera.size.map(|side| side as usize);
        let discs = filter_map(points.len(), |k| disc(&points[k], view));
        let bins = Bins::collect(view.camera, discs.len(), &|k| {
            let Disc { at: [x, y], reach, .. } = discs[k];
            Some([[x - reach, y - reach], [x + reach, y + reach]])
        });
        let tiles = map_pieces(bins.tiles(), &|number| {
            let [left, top] = bins.corner(number);
            let mut sums = [vec![(0.0, Colour::zeros()); TILE * TILE], Vec::new()];
            sums[1] = sums[0].clone();
            let size = [width.saturating_sub(left).min(TILE), height.saturating_sub(top).min(TILE)];
            for &k in bins.list(number) {
                let disc = &discs[k as usize];
                disc.cover([left, top], size, |x, y, part| {
                    let pixel = (top + y) * width + left + x;
                    let Some((layer, light)) = view.placed(disc, pixel) else { return };
                    let (sum, of_light) = &mut sums[layer][y * TILE + x];
                    *sum += part;
                    *of_light += light * part;
                });
            }
            sums
        });
        let mut made = [vec![(0.0, Colour::zeros()); width * height], Vec::new()];
        made[1] = made[0].clone();
        for (number, sums) in tiles.iter().enumerate() {
            let [left, top] = bins.corner(number);
            let columns = TILE.min(width.saturating_sub(left));
            for row in 0..TILE.min(height.saturating_sub(top)) {
                let start = (top + row) * width + left;
                for (whole, part) in made.iter_mut().zip(sums) {
                    let row = &part[TILE * row..][..columns];
                    whole[start..start + columns].copy_from_slice(row);
                }
            }
        }
        let [before, inside] = made;
        FoamLayers { before, inside }
    }

    /// The light of a pixel that has this light without foam.
    pub fn over(&self, pixel: usize, light: Colour) -> Colour {
        let veil = |light: Colour, &(depth, of_light): &(f32, Colour)| {
            if depth <= 0.0 {
                return light;
            }
            let through = (-depth).exp();
            light * through + of_light * ((1.0 - through) / depth)
        };
        veil(veil(light, &self.inside[pixel]), &self.before[pixel])
    }
}

impl FoamView<'_> {
    /// Which veil of a pixel a point belongs to, 0 before the nearest surface and 1 inside fluid,
    /// and with which light; none if it is hidden.
    fn placed(&self, disc: &Disc, pixel: usize) -> Option<(usize, Colour)> {
        let nearest = self.nearest[pixel];
        if disc.depth < nearest + ON_SURFACE * disc.radius {
            return Some((0, disc.light));
        }
        let below = self.below.as_ref()?;
        let is_seen = disc.depth < below.behind[pixel];
        let way = (disc.depth - nearest).min((below.thickness)(pixel));
        is_seen.then(|| (1, (below.seen)(disc.light, way)))
    }
}

impl Disc {
    /// Calls `put` with the pixels of a tile that the disc covers, and its optical depth there.
    fn cover(&self, corner: [usize; 2], size: [usize; 2], mut put: impl FnMut(usize, usize, f32)) {
        let span = |axis: usize| {
            let at = self.at[axis] - corner[axis] as f32;
            let from = (at - self.reach - 0.5).ceil().max(0.0) as usize;
            let to = (at + self.reach - 0.5).floor();
            from..if to < 0.0 { 0 } else { (to as usize + 1).min(size[axis]) }
        };
        for y in span(1) {
            let dy = (corner[1] + y) as f32 + 0.5 - self.at[1];
            for x in span(0) {
                let dx = (corner[0] + x) as f32 + 0.5 - self.at[0];
                let inside = 1.0 - (dx * dx + dy * dy) / (self.reach * self.reach);
                if inside > 0.0 {
                    put(x, y, self.density * inside);
                }
            }
        }
    }
}

/// A point as the camera sees it; none if it is not before it, or has no size.
fn disc(point: &FoamPoint, view: &FoamView) -> Option<Disc> {
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
    let position = point.position.map(|x| x as hashfall_core::Real);
    let eye: Eye = view.camera.eye(&position);
    let is_ball = point.radius > 0.0 && point.radius.is_finite();
    if !is_ball || eye.z <= view.camera.nearest() || !eye.iter().all(|x| x.is_finite()) {
        return None;
    }
    let radius = point.radius * view.camera.scale_at(eye.z);
    // A paraboloid over a disc of √2 times the radius holds as much as a full disc.
    let reach = (std::f32::consts::SQRT_2 * radius).max(2.0 * MIN_RADIUS);
    let density = OPACITY * 2.0 * radius * radius / (reach * reach);
    let light = (view.light)(&point.position) * ALBEDO;
    Some(Disc {
        at: view.camera.pixel(&eye),
        depth: eye.z,
        radius: point.radius,
        reach,
        density,
        light,
    })
}
