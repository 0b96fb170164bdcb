//! The samples of a scene: all balls and triangles, tile by tile.

use super::balls::BallRenderer;
use super::camera::Camera;
use super::floor::Floor;
use super::samples::{self, Tile};
use super::scene::Scene;
use super::triangles::Triangles;
use hashfall_core::parallel::map_pieces;

/// The samples of all tiles of a picture, row by row of tiles.
pub fn rasterize(scene: &Scene, camera: &Camera, floor: Option<&Floor>) -> Vec<Tile> {
    let balls = BallRenderer::new(camera, &scene.balls);
    let triangles = Triangles::new(camera, &scene.meshes);
    let bins = samples::Bins::new(camera);
    map_pieces(bins.tiles(), &|number| {
        let mut tile = Tile::empty(bins.corner(number));
        if let Some(floor) = floor {
            floor.draw(camera, &mut tile);
        }
        triangles.draw(number, &mut tile);
        balls.draw(camera, number, &mut tile);
        tile
    })
}
