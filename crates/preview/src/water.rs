//! Clear fluid: what stands behind it, and how much of it a ray goes through.
//!
//! The scene is drawn without the fluid first. Along the ray of a pixel the fluid is as thick as
//! the depths of its back faces, less those of its front faces, each no farther than what stands
//! behind (a closed surface has as many of both). Through a thickness t comes the part exp(−σ t) of
//! each channel (Lambert and Beer), red least; the rest is the fluid's own colour. What is seen
//! through a slanted face is shifted as a thin prism would do it. At grazing angles the fluid
//! reflects its surroundings (Schlick 1994).

use super::camera::{Camera, Eye};
use super::samples::{Bins, Material, TILE};
use super::scene::{RenderMesh, Scene};
use super::triangles::{bounds, cover, edge, may_cover, place};
use hashfall_core::parallel::{filter_map, map, map_pieces};

/// Light of the three channels.
type Colour = nalgebra::Vector3<f32>;

/// How much of each channel is gone after a diagonal of the domain, in powers of e.
const ABSORPTION: [f32; 3] = [13.0, 4.2, 2.6];
/// What the fluid itself gives back where no ray comes through, in white light.
const BODY: [f32; 3] = [0.012, 0.105, 0.205];
/// How far a slanted face shifts what is behind, in thicknesses: 1 − 1/n of water.
const SHIFT: f32 = 0.25;
/// Fluid lies on what is behind it at no more than this number of thicknesses of the fluid.
const LIES_ON: f32 = 1.1;
/// What a ray meets beside that lies far behind, from this multiple of its distance on.
const FAR_BEHIND: f32 = 3.0;
/// What a face reflects that is looked at squarely.
const MIRROR: f32 = 0.02;

/// What is behind clear fluid, pixel by pixel.
pub struct Behind {
    /// The light of the scene without the fluid.
    pub light: Vec<Colour>,
    /// Its depth \[m\]; infinite where there is nothing.
    pub depth: Vec<f32>,
    /// How thick the fluid before it is \[diagonals of the domain\].
    pub thickness: Vec<f32>,
    /// Pixels of a row, and the diagonal \[m\].
    pub width: usize,
    pub diagonal: f32,
}

/// What is seen of this light behind this thickness of clear fluid \[diagonals of the domain\],
/// which has that light itself.
pub fn tinted(behind: Colour, thickness: f32, light: &Colour) -> Colour {
    let through = Colour::from(ABSORPTION.map(|sigma| (-sigma * thickness).exp()));
    let body = Colour::from(BODY).component_mul(light);
    behind.component_mul(&through) + body.component_mul(&(Colour::repeat(1.0) - through))
}

/// Whether a scene has clear fluid.
pub fn has_water(scene: &Scene) -> bool {
    scene.meshes.iter().any(|mesh| mesh.material == Material::Water)
}

/// The scene without its clear fluid.
pub fn without_water<'a>(scene: &Scene<'a>) -> Scene<'a> {
    let mut rest = scene.clone();
    rest.meshes.retain(|mesh| mesh.material != Material::Water);
    rest
}

/// How thick the clear fluid is before depths, pixel by pixel \[m\].
pub fn thickness(scene: &Scene, camera: &Camera, depth: &[f32]) -> Vec<f32> {
    let [width, height] = camera.size.map(|side| side as usize);
    let meshes = scene.meshes.iter().filter(|mesh| mesh.material == Material::Water);
    let mut triangles = Vec::new();
    meshes.for_each(|mesh| triangles.append(&mut seen(camera, mesh)));
    let bins = Bins::collect(camera, triangles.len(), &|k| Some(bounds(triangles[k].places)));
    let tiles = map_pieces(bins.tiles(), &|number| {
        let [left, top] = bins.corner(number);
        let mut sums = vec![0.0_f32; TILE * TILE];
        let limit = |at: usize| {
            let (x, y) = (left + at % TILE, top + at / TILE);
            if x < width && y < height { depth[y * width + x] } else { f32::INFINITY }
        };
        for &k in bins.list(number) {
            let Face { places, depths, sign } = triangles[k as usize];
            cover(places, [left, top], |at, parts| {
                sums[at] += sign * between(camera, parts, depths).min(limit(at));
            });
        }
        sums
    });
    let mut all = vec![0.0; width * height];
    for (number, sums) in tiles.iter().enumerate() {
        let [left, top] = bins.corner(number);
        let columns = TILE.min(width.saturating_sub(left));
        for row in 0..TILE.min(height.saturating_sub(top)) {
            let start = (top + row) * width + left;
            all[start..start + columns].copy_from_slice(&sums[TILE * row..][..columns]);
        }
    }
    all
}

/// A triangle before the camera: corners in order as seen, their depths, and −1 of a front face.
#[derive(Clone, Copy)]
struct Face {
    places: [[i32; 2]; 3],
    depths: [f32; 3],
    sign: f32,
}

/// The faces of a mesh that the camera sees, from either side.
fn seen(camera: &Camera, mesh: &RenderMesh) -> Vec<Face> {
    let corners = map(mesh.positions.len(), |v| {
        let eye = camera.eye(&mesh.positions[v]);
        (place(camera, &eye), eye.z)
    });
    filter_map(mesh.triangles.len(), |t| {
        let [a, b, c] = mesh.triangles[t].map(|v| corners[v as usize]);
        let (places, depths) = ([a.0?, b.0?, c.0?], [a.1, b.1, c.1]);
        let [a, b, c] = places;
        match edge(a, b, c) {
            _ if !may_cover(places) => None,
            0 => None,
            1.. => Some(Face { places, depths, sign: -1.0 }),
            _ => {
                let depths = [depths[0], depths[2], depths[1]];
                Some(Face { places: [a, c, b], depths, sign: 1.0 })
            }
        }
    })
}

/// The depth of a point of a triangle with these parts of its corners.
fn between(camera: &Camera, parts: [f32; 3], depths: [f32; 3]) -> f32 {
    if camera.is_parallel() {
        return (0..3).map(|k| parts[k] * depths[k]).sum();
    }
    1.0 / (0..3).map(|k| parts[k] / depths[k]).sum::<f32>()
}

/// A point of clear fluid, as a pixel sees it.
pub struct Point {
    /// The pixel, in rows.
    pub pixel: [usize; 2],
    /// Its depth \[m\], and pixels of a metre there.
    pub depth: f32,
    pub scale: f32,
    /// Its normal in eye space, and the cosine to the eye.
    pub normal: Eye,
    pub facing: f32,
    /// The light of the surroundings that it mirrors.
    pub mirrored: Colour,
    /// The light that falls on it, and the part of the sky that it sees.
    pub light: Colour,
    pub sky: f32,
}

impl Behind {
    /// The light that comes from clear fluid, without the glint of the key light.
    pub fn seen_through(&self, point: &Point) -> Colour {
        let [x, y] = point.pixel;
        let at = y * self.width + x;
        let thickness = self.thickness[at].max(0.0);
        let reach = SHIFT * thickness.min(0.3) * self.diagonal * point.scale;
        let height = self.light.len() / self.width;
        let moved = |from: usize, by: f32, count: usize| {
            ((from as f32 + by).max(0.0) as usize).min(count - 1)
        };
        let (x, y) = (
            moved(x, -point.normal.x * reach, self.width),
            moved(y, point.normal.y * reach, height),
        );
        let shifted = y * self.width + x;
        // What stands before the fluid is not seen through it, nor what stands far behind the edge
        // of that on which the fluid lies.
        let [straight, aside] = [at, shifted].map(|pixel| self.depth[pixel] - point.depth);
        let lies_on_it = straight < LIES_ON * thickness * self.diagonal;
        let is_seen = aside > 0.0 && !(lies_on_it && aside > FAR_BEHIND * straight);
        let from = if is_seen { shifted } else { at };
        let inside = tinted(self.light[from], thickness, &point.light);
        let flat = 1.0 - point.facing;
        let mirror = MIRROR + (1.0 - MIRROR) * flat * flat * flat * flat * flat;
        // What stands close by hides the sky from mirrors more than from matt faces.
        let open = 0.1 + 0.9 * point.sky * point.sky;
        inside * (1.0 - mirror) + point.mirrored * (mirror * open)
    }
}
