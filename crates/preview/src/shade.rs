//! From samples to colours: a light studio with a soft key light.
//!
//! Colours are added as linear light, not as sRGB. A point gets light from its surroundings (as far
//! as they are visible, see `environment`), from the key light (with its shadow), and a little from
//! the eye. Surfaces of fluid reflect the key light (Blinn 1977), and the surroundings at grazing
//! angles (Schlick 1994). Clear fluid shows what is behind it: see `water`. Whitewater lies over
//! all: see `foam`.

use super::camera::{Camera, Eye, ViewDirection, single};
use super::environment::Environment;
use super::floor::Floor;
use super::foam::{Below, FoamLayers, FoamPoint, FoamView};
use super::occlusion::AmbientOcclusion;
use super::picture::Picture;
use super::samples::{Material, SAMPLES, TILE, Tile};
use super::shadow::Shadow;
use super::water::{Behind, Point, tinted};
use super::wires::Wires;
use hashfall_core::parallel::{CHUNK, chunks, chunks_mut, fill, for_parts, map_pieces};
use hashfall_geometry::Aabb;
use std::sync::LazyLock;

/// Light of the three channels.
type Colour = nalgebra::Vector3<f32>;

/// The background at its top and at its bottom (sRGB).
const TOP: [u8; 3] = [255, 255, 255];
const BOTTOM: [u8; 3] = [226, 233, 240];
/// The edges of the domain (sRGB), and how much they hide.
const WIRE: [u8; 3] = [104, 118, 132];
const WIRE_STRENGTH: f32 = 0.8;
/// Light of the key light, and from the eye.
const KEY: [f32; 3] = [0.80, 0.77, 0.72];
const EYE: f32 = 0.12;
/// How far things hide the sky from one another, in diagonals of the domain.
const OCCLUSION: f32 = 0.035;
/// A face whose normals within a pixel have at least this cosine is even.
const EVEN: f32 = 0.97;
/// Pixels along the side of a tile.
const BLOCK: usize = TILE / SAMPLES as usize;

/// Light as parts of 1, from sRGB.
static LINEAR: LazyLock<[f32; 256]> = LazyLock::new(|| {
    std::array::from_fn(|value| {
        let x = value as f32 / 255.0;
        if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    })
});
/// sRGB from light, in steps of a 4096th.
static GAMMA: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let srgb = |step: u32| {
        let x = (step as f32 + 0.5) / 4096.0;
        let y = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
        (y * 255.0 + 0.5) as u8
    };
    (0..4096).map(srgb).collect()
});

fn linear(srgb: [u8; 3]) -> Colour {
    Colour::from(srgb.map(|channel| LINEAR[channel as usize]))
}

fn gamma(colour: &Colour) -> [u8; 3] {
    [0, 1, 2].map(|k| GAMMA[((colour[k] * 4096.0) as usize).min(4095)])
}

/// The key light.
pub struct Light {
    /// Where it shines from.
    pub from: ViewDirection,
    /// The direction towards it, and upwards, in eye space.
    towards: Eye,
    up: Eye,
}

impl Light {
    /// The surroundings as the camera sees them.
    pub fn environment(&self) -> Environment {
        Environment::new(self.up, self.towards)
    }

    /// The light of a camera: from its left, above its head.
    pub fn new(camera: &Camera) -> Light {
        let left = camera.direction(&Eye::new(-0.62, 0.0, -0.55));
        let flat = (left.x * left.x + left.y * left.y).sqrt().max(1e-6);
        let from = ViewDirection {
            azimuth: f64::from((left.x / flat).atan2(-left.y / flat)).to_degrees(),
            elevation: 56.0,
        };
        let towards = from.direction().cast();
        Light { from, towards: camera.turned(&towards), up: camera.turned(&Eye::z()) }
    }
}

/// How squarely the key light falls on whitewater.
const FOAM_KEY: f32 = 0.6;
/// How much of the key light clear fluid takes away from what it stands before.
const VEIL: f32 = 0.45;

/// All that colours a picture.
pub struct Shading<'a> {
    /// The camera, in pixels.
    pub camera: &'a Camera,
    /// The key light.
    pub light: Light,
    /// The surroundings.
    pub environment: Environment,
    /// Its shadow.
    pub shadow: Shadow,
    /// The shadow with that of clear fluid, which lets most light through.
    pub veil: Option<Shadow>,
    /// What is behind clear fluid.
    pub behind: Option<Behind>,
    /// Whitewater.
    pub foam: &'a [&'a [FoamPoint]],
    /// The edges of the domain.
    pub wires: Wires,
    /// The domain.
    pub bounds: &'a Aabb,
}

/// A pixel's light, beside its samples.
struct Lit {
    sky: f32,
    key: f32,
    pixel: [usize; 2],
}

impl Shading<'_> {
    /// The picture of some samples.
    pub fn picture(&self, tiles: &[Tile]) -> Picture {
        let mut picture = Picture::new(self.camera.size);
        let (mut light, depth) = self.light_and_depth(tiles);
        self.draw_foam(&depth, &mut light);
        for tile in tiles {
            self.draw_wires(tile, &mut light);
        }
        let parts = (chunks(&light, CHUNK), chunks_mut(&mut picture.rgb, 3 * CHUNK));
        for_parts(parts, |_, (light, rgb)| {
            for (light, pixel) in light.iter().zip(rgb.chunks_exact_mut(3)) {
                pixel.copy_from_slice(&gamma(light));
            }
        });
        picture
    }

    /// The light and the depth of each pixel, without the edges of the domain.
    pub fn light_and_depth(&self, tiles: &[Tile]) -> (Vec<Colour>, Vec<f32>) {
        let [width, height] = self.camera.size.map(|side| side as usize);
        let reach = OCCLUSION * single(&self.bounds.extent()).norm();
        let (depth, normal) = self.nearest(tiles, reach);
        let sky = AmbientOcclusion { camera: self.camera, depth: &depth, normal: &normal, reach }
            .sky_visibility();
        let floor = Floor::below(self.bounds);
        let blocks = map_pieces(tiles.len(), &|k| self.block(&tiles[k], &sky, &floor, reach));
        let mut light = vec![Colour::zeros(); width * height];
        for (tile, block) in tiles.iter().zip(&blocks) {
            let [left, top] = tile.corner.map(|at| at / SAMPLES as usize);
            let columns = BLOCK.min(width.saturating_sub(left));
            for row in 0..BLOCK.min(height.saturating_sub(top)) {
                let start = (top + row) * width + left;
                light[start..start + columns].copy_from_slice(&block[BLOCK * row..][..columns]);
            }
        }
        (light, depth)
    }

    /// Draws whitewater over the light of pixels, whose nearest surface is at these depths.
    fn draw_foam(&self, nearest: &[f32], light: &mut [Colour]) {
        let points: Vec<FoamPoint> = self.foam.iter().copied().flatten().copied().collect();
        if points.is_empty() {
            return;
        }
        let sky = self.environment.irradiance(&self.light.up);
        let of_point = |place: &nalgebra::Vector3<f32>| {
            sky + Colour::from(KEY) * (FOAM_KEY * self.lit(place, &Eye::z()))
        };
        let diagonal = single(&self.bounds.extent()).norm();
        let seen = |light: Colour, way: f32| tinted(light, way / diagonal, &light);
        let thickness =
            |pixel: usize| self.behind.as_ref().map_or(0.0, |it| it.thickness[pixel] * diagonal);
        let below = self.behind.as_ref();
        let below = below.map(|it| Below { behind: &it.depth, thickness: &thickness, seen: &seen });
        let view = FoamView { camera: self.camera, nearest, below, light: &of_point };
        let layers = FoamLayers::new(&points, &view);
        fill(light, |pixel, light| *light = layers.over(pixel, *light));
    }

    /// Draws the edges of the domain over a tile's pixels.
    fn draw_wires(&self, tile: &Tile, light: &mut [Colour]) {
        let [width, height] = self.camera.size.map(|side| side as usize);
        let [left, top] = tile.corner.map(|at| at / SAMPLES as usize);
        let size = [width.saturating_sub(left).min(BLOCK), height.saturating_sub(top).min(BLOCK)];
        self.wires.draw([left, top], size, |x, y, depth, part| {
            let hides = |&at: &usize| {
                let is_nearer = tile.depth[at] < depth * 0.9999;
                let is_clear = tile.paint[at].material() == Material::Water;
                if is_nearer { if is_clear { 0.7 } else { 1.0 } } else { 0.0 }
            };
            let hidden: f32 = samples_of(x, y).iter().map(hides).sum();
            let part = WIRE_STRENGTH * part * (1.0 - hidden / 4.0);
            let colour = &mut light[(top + y) * width + left + x];
            *colour += (linear(WIRE) - *colour) * part;
        });
    }

    /// Depth and normal of the nearest sample of each pixel; none where nothing can hide the sky.
    fn nearest(&self, tiles: &[Tile], reach: f32) -> (Vec<f32>, Vec<Eye>) {
        let [width, height] = self.camera.size.map(|side| side as usize);
        let [low, high] = [self.bounds.min, self.bounds.max].map(|corner| single(&corner));
        let mut depths = vec![f32::INFINITY; width * height];
        let mut normals = vec![Eye::zeros(); width * height];
        for tile in tiles {
            let [left, top] = tile.corner.map(|at| at / SAMPLES as usize);
            for row in 0..BLOCK.min(height.saturating_sub(top)) {
                for column in 0..BLOCK.min(width.saturating_sub(left)) {
                    let at = nearest_sample(tile, column, row);
                    if tile.depth[at] == f32::INFINITY {
                        continue;
                    }
                    let pixel = (top + row) * width + left + column;
                    depths[pixel] = tile.depth[at];
                    let is_near = || {
                        let place = self.camera.place(&self.eye(tile, at));
                        (0..2).all(|k| low[k] - reach < place[k] && place[k] < high[k] + reach)
                    };
                    if tile.paint[at].material() != Material::Floor || is_near() {
                        normals[pixel] = tile.normal[at].vector();
                    }
                }
            }
        }
        (depths, normals)
    }

    /// The light of a tile's pixels.
    fn block(&self, tile: &Tile, sky: &[f32], floor: &Floor, reach: f32) -> Vec<Colour> {
        let [width, height] = self.camera.size.map(|side| side as usize);
        let [left, top] = tile.corner.map(|at| at / SAMPLES as usize);
        let size = [width.saturating_sub(left).min(BLOCK), height.saturating_sub(top).min(BLOCK)];
        let mut colours = vec![Colour::zeros(); BLOCK * BLOCK];
        for y in 0..size[1] {
            for x in 0..size[0] {
                let back = self.background(top + y);
                let nearest = nearest_sample(tile, x, y);
                if tile.depth[nearest] == f32::INFINITY {
                    colours[y * BLOCK + x] = back;
                    continue;
                }
                let eye = self.eye(tile, nearest);
                let place = self.camera.place(&eye);
                let normal = self.camera.direction(&tile.normal[nearest].vector());
                let lit = Lit {
                    sky: sky[(top + y) * width + left + x],
                    key: self.lit(&place, &normal),
                    pixel: [left + x, top + y],
                };
                let samples = samples_of(x, y);
                let is_one = |&at: &usize| {
                    let (a, b) = (tile.normal[at].vector(), tile.normal[nearest].vector());
                    tile.paint[at].material() == tile.paint[nearest].material()
                        && tile.depth[at] - tile.depth[nearest] < 0.3 * reach
                        && a.dot(&b) > EVEN
                };
                let shown = |at: usize| match tile.paint[at].material() {
                    Material::Background => back,
                    _ => self.colour(tile, at, &lit, &back, floor),
                };
                // Within an even face one sample is as good as four.
                colours[y * BLOCK + x] = if samples.iter().all(is_one) {
                    shown(nearest)
                } else {
                    samples.map(shown).iter().sum::<Colour>() * 0.25
                };
            }
        }
        colours
    }

    /// The part of the key light that reaches a place with this normal, both in space.
    fn lit(&self, place: &Eye, normal: &Eye) -> f32 {
        let solid = self.shadow.lit(place, normal);
        let veiled = self.veil.as_ref().map_or(1.0, |veil| veil.lit(place, normal));
        solid * (1.0 - VEIL * (1.0 - veiled))
    }

    fn background(&self, row: usize) -> Colour {
        let t = (row as f32 + 0.5) / self.camera.size[1] as f32;
        linear(TOP) * (1.0 - t) + linear(BOTTOM) * t
    }

    /// The place of a sample in eye space.
    fn eye(&self, tile: &Tile, at: usize) -> Eye {
        let fine = SAMPLES as f32;
        let [mx, my] = self.camera.middle();
        let x = (tile.corner[0] + at % TILE) as f32 + 0.5;
        let y = (tile.corner[1] + at / TILE) as f32 + 0.5;
        let ([ox, kx], [oy, ky]) = (self.camera.ray(x / fine - mx), self.camera.ray(my - y / fine));
        let z = tile.depth[at];
        Eye::new(ox + kx * z, oy + ky * z, z)
    }

    /// The light that comes from a sample.
    fn colour(&self, tile: &Tile, at: usize, lit: &Lit, back: &Colour, floor: &Floor) -> Colour {
        let (normal, paint) = (tile.normal[at].vector(), tile.paint[at]);
        let eye = self.eye(tile, at);
        let base = linear(paint.colour());
        if paint.material() == Material::Floor {
            // A floor is what the background is, but for its shadows.
            let there = floor.fade(&self.camera.place(&eye));
            let dim = 0.52 + 0.48 * lit.key;
            let shown = back + (base - back) * there;
            return shown * (1.0 - there * (1.0 - dim * (0.35 + 0.65 * lit.sky)));
        }
        let view = -eye.normalize();
        let sky = self.environment.irradiance(&normal);
        let key = normal.dot(&self.light.towards).max(0.0) * lit.key;
        let facing = normal.dot(&view).clamp(0.0, 1.0);
        let light = sky * lit.sky + Colour::from(KEY) * key + Colour::repeat(EYE * facing);
        let half = (view + self.light.towards).normalize();
        let mirrored = self.environment.radiance(&(normal * (2.0 * facing) - view));
        if let (Material::Water, Some(behind)) = (paint.material(), &self.behind) {
            let point = Point {
                pixel: lit.pixel,
                depth: tile.depth[at],
                scale: self.camera.scale_at(tile.depth[at]),
                normal,
                facing,
                mirrored,
                light,
                sky: lit.sky,
            };
            let glint = power_64(power_4(normal.dot(&half).max(0.0))) * (0.3 + 0.7 * lit.key);
            return behind.seen_through(&point) + Colour::repeat(glint);
        }
        let [shine, mirror] = match paint.material() {
            Material::Surface | Material::Water => [0.55, 0.55],
            Material::Particles => [0.10, 0.10],
            _ => [0.03, 0.04],
        };
        let glint = power_64(normal.dot(&half).max(0.0)) * lit.key * shine;
        let flat = 1.0 - facing;
        let rim = flat * flat * flat * flat * flat * mirror * lit.sky;
        base.component_mul(&light) + Colour::repeat(glint) + mirrored * rim
    }
}

/// x⁶⁴.
fn power_64(x: f32) -> f32 {
    (0..6).fold(x, |x, _| x * x)
}

/// x⁴.
fn power_4(x: f32) -> f32 {
    x * x * x * x
}

/// The four samples of a pixel of a tile.
fn samples_of(x: usize, y: usize) -> [usize; 4] {
    let first = 2 * y * TILE + 2 * x;
    [first, first + 1, first + TILE, first + TILE + 1]
}

/// The nearest sample of a pixel of a tile.
fn nearest_sample(tile: &Tile, x: usize, y: usize) -> usize {
    let [a, b, c, d] = samples_of(x, y);
    let nearer = |i: usize, j: usize| if tile.depth[j] < tile.depth[i] { j } else { i };
    nearer(nearer(a, b), nearer(c, d))
}
