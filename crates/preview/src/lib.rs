//! Pictures, films and an interactive page of particles and surfaces, drawn on the CPU.
//!
//! ```
//! use hashfall_core::vec3;
//! use hashfall_geometry::Aabb;
//! use hashfall_preview::{Ball, Camera, Material, Paint, Picture, Scene, ViewDirection, render};
//!
//! let paint = Paint::new(Material::Particles, [40, 110, 190]);
//! let ball = |x: f64| Ball { centre: vec3([x, 0.5, 0.2]), radius: 0.2, paint };
//! let balls = [ball(0.2), ball(0.6)];
//! let bounds = Aabb::new(vec3([0.0; 3]), vec3([1.0; 3]));
//! let (balls, meshes, foam) = (vec![&balls[..]], vec![], vec![]);
//! let scene = Scene { bounds, has_floor: true, balls, meshes, foam };
//! let camera = Camera::fit(&bounds, ViewDirection::default(), [160, 120], 1.0);
//! let png = render(&scene, &camera).png();
//! assert_eq!(Picture::from_png(&png)?.size, [160, 120]);
//! # Ok::<(), hashfall_preview::PictureError>(())
//! ```
//!
//! # Method
//!
//! Balls are drawn as exact spheres and surfaces as triangles, with four samples per pixel, tile by
//! tile. Then each pixel is lit by a key light with a soft shadow, by the sky as far as it is
//! visible, and by a weak light at the eye. The picture is the same bytes for any number of
//! threads.
//!
//! | file | content |
//! |---|---|
//! | `scene` | what a picture shows |
//! | `render`, `rasterize` | the steps of drawing it; the samples of all tiles |
//! | `floor` | the floor below the domain |
//! | `camera` | the pixel of a point, and the ray of a pixel |
//! | `samples` | tiles of samples; which objects may cover each tile |
//! | `balls` | balls |
//! | `triangles` | surfaces and meshes |
//! | `wires` | the edges of the domain |
//! | `shadow` | the shadow map of the key light |
//! | `occlusion` | the share of the sky that a pixel sees |
//! | `shade` | from samples to colours |
//! | `water` | clear fluid: what is behind it, and how thick it is |
//! | `environment` | the light of the surroundings, mirrored and on matt faces |
//! | `foam` | whitewater: its points, and the veils that they make |
//! | `picture` | pictures and PNG |
//! | `colour_map` | colour scales |
//! | `frame` | the frame files of a run as balls and meshes |
//! | `palette`, `film` | the animated GIF |
//! | `page` | the page with its player |
//!
//! A preview reads finished files only, so it cannot change the results of a run.

mod balls;
pub mod camera;
pub mod colour_map;
mod environment;
pub mod film;
mod floor;
mod foam;
pub mod frame;
mod occlusion;
pub mod page;
mod palette;
mod picture;
mod rasterize;
mod render;
mod samples;
mod scene;
mod shade;
mod shadow;
#[cfg(test)]
mod tests;
mod triangles;
mod water;
mod wires;

pub use camera::{Camera, ViewDirection};
pub use foam::{FoamPoint, read_foam};
pub use picture::{Picture, PictureError};
pub use render::render;
pub use samples::{Material, Paint, SAMPLES};
pub use scene::{Ball, RenderMesh, Scene, SolidShapes};
