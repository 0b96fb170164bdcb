//! Previews: pictures of frames, a film, and a page to look around in, without other programs.
//!
//! A renderer of our own for the CPU. Balls are drawn as exact spheres and surfaces as triangles
//! into a picture of four samples a pixel, tile by tile; then each pixel is lit by a key light with
//! a soft shadow, by the sky as far as it is open above, and from the eye.
//!
//! | file | step |
//! |---|---|
//! | `camera` | where a point is in the picture, and where a pixel looks |
//! | `samples` | tiles of samples; what may reach each tile |
//! | `splats` | balls |
//! | `triangles` | surfaces and meshes |
//! | `wires` | the edges of the domain |
//! | `shadow` | how much of the key light reaches a place |
//! | `occlusion` | how much of the sky a pixel sees |
//! | `shade` | from samples to colours |
//! | `picture` | pictures and PNG |
//! | `colour_map` | colours for numbers |
//! | `frame` | a run's files as things to draw |
//! | `palette`, `film` | the animated GIF |
//! | `page` | the page with its player |
//!
//! Nothing here may change what a run computes: it reads files that are whole.

pub mod camera;
pub mod colour_map;
pub mod film;
pub mod frame;
mod occlusion;
pub mod page;
mod palette;
mod picture;
mod samples;
mod shade;
mod shadow;
mod splats;
#[cfg(test)]
mod tests;
mod triangles;
mod wires;

pub use camera::{Camera, ViewFrom};
pub use picture::{Picture, PictureError};
pub use samples::{Matter, Paint};

use hashfall_core::Vec3;
use hashfall_core::parallel::map_pieces;
use hashfall_geometry::Aabb;
use samples::Tile;
use splats::Splats;
use triangles::Triangles;

/// A ball to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre \[m\].
    pub centre: Vec3,
    /// Radius \[m\].
    pub radius: f32,
    /// Its colour.
    pub paint: Paint,
}

/// Triangles to draw, counter-clockwise seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Vertices \[m\].
    pub positions: Vec<Vec3>,
    /// A unit normal for each.
    pub normals: Vec<nalgebra::Vector3<f32>>,
    /// A colour (sRGB) for each.
    pub colours: Vec<[u8; 3]>,
    /// Vertex indices.
    pub triangles: Vec<[u32; 3]>,
    /// What it is the surface of.
    pub matter: Matter,
}

/// Obstacles to draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Obstacles {
    /// Balls.
    pub balls: Vec<Ball>,
    /// Meshes.
    pub skins: Vec<Skin>,
}

/// What a picture shows.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// The domain, whose edges are drawn \[m\].
    pub bounds: Aabb,
    /// Whether there is a floor below it.
    pub has_floor: bool,
    /// Balls, in any number of lists.
    pub balls: Vec<&'a [Ball]>,
    /// Surfaces and meshes.
    pub skins: Vec<&'a Skin>,
}

/// Samples along the side of a pixel.
pub const SAMPLES: u32 = 2;

/// Draws a scene. The picture is the same to the last bit for any number of threads.
pub fn render(scene: &Scene, camera: &Camera) -> Picture {
    let light = shade::Light::new(camera);
    let shadow = shadow::Shadow::new(scene, light.from);
    let fine = camera.finer(SAMPLES);
    let floor = scene.has_floor.then(|| shade::Floor::under(&scene.bounds));
    let tiles = draw(scene, &fine, floor.as_ref());
    let wires = wires::Wires::of_box(&scene.bounds, camera);
    shade::Shading { camera, light, shadow, wires, bounds: &scene.bounds }.picture(&tiles)
}

/// The samples of all tiles of a picture, row by row of tiles.
fn draw(scene: &Scene, camera: &Camera, floor: Option<&shade::Floor>) -> Vec<Tile> {
    let splats = Splats::new(camera, &scene.balls);
    let triangles = Triangles::new(camera, &scene.skins);
    let bins = samples::Bins::of(camera);
    map_pieces(bins.tiles(), &|number| {
        let mut tile = Tile::empty(bins.corner(number));
        if let Some(floor) = floor {
            floor.draw(camera, &mut tile);
        }
        triangles.draw(number, &mut tile);
        splats.draw(camera, number, &mut tile);
        tile
    })
}
