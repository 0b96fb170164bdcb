//! From a scene and a camera to a picture.

use super::camera::{Camera, single};
use super::floor::Floor;
use super::picture::Picture;
use super::rasterize::rasterize;
use super::samples::SAMPLES;
use super::scene::Scene;
use super::shade::{Light, Shading};
use super::shadow::Shadow;
use super::water::{self, Behind};
use super::wires::Wires;

/// Draws a scene. The picture is the same to the last bit for any number of threads.
pub fn render(scene: &Scene, camera: &Camera) -> Picture {
    let fine = camera.finer(SAMPLES);
    let floor = scene.has_floor.then(|| Floor::below(&scene.bounds));
    let samples = |scene: &Scene| rasterize(scene, &fine, floor.as_ref());
    let light = Light::new(camera);
    let (environment, foam) = (light.environment(), scene.foam.as_slice());
    let shadow = |scene: &Scene| Shadow::new(scene, light.from);
    let wires = Wires::from_box(&scene.bounds, camera);
    let bounds = &scene.bounds;
    if !water::has_water(scene) {
        let shadow = shadow(scene);
        let (veil, behind) = (None, None);
        let shading =
            Shading { camera, light, environment, shadow, veil, behind, foam, wires, bounds };
        return shading.picture(&samples(scene));
    }
    let rest = water::without_water(scene);
    let (shadow, veil) = (shadow(&rest), Some(shadow(scene)));
    let behind = None;
    let mut shading =
        Shading { camera, light, environment, shadow, veil, behind, foam, wires, bounds };
    let (light, depth) = shading.light_and_depth(&samples(&rest));
    let diagonal = single(&bounds.extent()).norm();
    let mut thickness = water::thickness(scene, camera, &depth);
    thickness.iter_mut().for_each(|t| *t /= diagonal);
    let width = camera.size[0] as usize;
    shading.behind = Some(Behind { light, depth, thickness, width, diagonal });
    shading.picture(&samples(scene))
}
