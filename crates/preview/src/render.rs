//! From a scene and a camera to a picture.

use super::camera::Camera;
use super::floor::Floor;
use super::picture::Picture;
use super::rasterize::rasterize;
use super::samples::SAMPLES;
use super::scene::Scene;
use super::{shade, shadow, wires};

/// Draws a scene. The picture is the same to the last bit for any number of threads.
pub fn render(scene: &Scene, camera: &Camera) -> Picture {
    let light = shade::Light::new(camera);
    let shadow = shadow::Shadow::new(scene, light.from);
    let fine = camera.finer(SAMPLES);
    let floor = scene.has_floor.then(|| Floor::below(&scene.bounds));
    let tiles = rasterize(scene, &fine, floor.as_ref());
    let wires = wires::Wires::from_box(&scene.bounds, camera);
    shade::Shading { camera, light, shadow, wires, bounds: &scene.bounds }.picture(&tiles)
}
