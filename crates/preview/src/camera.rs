//! The camera: the pixel of a point of space, and the ray of a pixel.
//!
//! Eye space is x to the right, y up, z forward from the eye, in metres. A pixel's ray is
//! o + z k with k = (kx, ky, 1), so that z is the depth. A perspective camera has o = 0 and
//! k = (x, y, 1) / f, a parallel one o = (x, y, 0) / s and k = (0, 0, 1); x, y are the pixel's
//! distances from the centre, f the focal length \[pixels\] and s the scale \[pixels/m\].
//!
//! A camera is fitted to a box as closely as possible: each of the eight corners gives a linear
//! bound on the eye's position, and the four tightest give it in closed form.

use hashfall_core::Vec3;
use hashfall_geometry::Aabb;

/// A point or direction of eye space.
pub type Eye = nalgebra::Vector3<f32>;

/// A vector in single precision.
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f64")]
pub fn single(v: &Vec3) -> nalgebra::Vector3<f32> {
    v.map(|x| x as f32)
}

/// The direction from the scene to the eye, as angles \[degrees\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewDirection {
    /// About the vertical: 0 from the front (looking along +y), 90 from the right (+x).
    pub azimuth: f64,
    /// Above the horizon.
    pub elevation: f64,
}

impl Default for ViewDirection {
    fn default() -> Self {
        ViewDirection { azimuth: 29.0, elevation: 24.0 }
    }
}

impl ViewDirection {
    /// The unit vector from what is looked at to the eye.
    pub fn direction(self) -> nalgebra::Vector3<f64> {
        let (azimuth, elevation) = (self.azimuth.to_radians(), self.elevation.to_radians());
        let flat = elevation.cos();
        nalgebra::Vector3::new(flat * azimuth.sin(), -flat * azimuth.cos(), elevation.sin())
    }
}

/// The projection of a camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lens {
    /// From one point; the focal length \[pixels\].
    Perspective(f32),
    /// Parallel; the scale \[pixels/m\].
    Parallel(f32),
}

/// A camera and the size of its picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    origin: nalgebra::Vector3<f64>,
    axes: [Eye; 3],
    /// Near clipping depth \[m\].
    nearest: f32,
    /// By how much o and k of a ray grow from pixel to pixel.
    growth: [f32; 2],
    /// The projection.
    lens: Lens,
    /// Width and height of the picture \[pixels\].
    pub size: [u32; 2],
}

/// Half of the angle of view over the shorter side, as a tangent: that of 28°.
const HALF_VIEW: f64 = 0.249;
/// The part of the picture that a box fills.
const FILLED: f64 = 0.93;
/// Near clipping depth, relative to the distance to the centre of the fitted box.
const NEAREST: f64 = 1e-3;

impl Camera {
    /// A perspective camera that sees all of a box; `zoom` magnifies its picture.
    pub fn fit(bounds: &Aabb, view: ViewDirection, size: [u32; 2], zoom: f64) -> Camera {
        let [width, height] = size.map(f64::from);
        let focal = FILLED * 0.5 * width.min(height) / HALF_VIEW;
        let (axes, corners, centre) = framed(bounds, view);
        let tangents = [width, height].map(|side| FILLED * 0.5 * side / focal);
        let most = |axis: usize, sign: f64| {
            let bound = |p: &nalgebra::Vector3<f64>| sign * p[axis] - tangents[axis] * p.z;
            corners.iter().map(bound).fold(f64::NEG_INFINITY, f64::max)
        };
        let [mut eye, mut back] = [[0.0; 2], [0.0; 2]];
        for axis in 0..2 {
            let (upper, lower) = (most(axis, 1.0), most(axis, -1.0));
            eye[axis] = 0.5 * (upper - lower);
            back[axis] = 0.5 * (upper + lower) / tangents[axis];
        }
        let back = back[0].max(back[1]);
        let origin = centre + axes[0] * eye[0] + axes[1] * eye[1] - axes[2] * back;
        let lens = Lens::Perspective((focal * zoom) as f32);
        let nearest = (NEAREST * (origin - centre).norm()) as f32;
        let growth = lens.growth();
        Camera { origin, axes: axes.map(|axis| axis.cast()), nearest, growth, lens, size }
    }

    /// A parallel camera that sees all of a box and fills a square picture with it.
    pub fn parallel(bounds: &Aabb, view: ViewDirection, side: u32) -> Camera {
        let (axes, corners, centre) = framed(bounds, view);
        let reach =
            |axis: usize| corners.iter().map(|p| p[axis].abs()).fold(f64::MIN_POSITIVE, f64::max);
        let scale = FILLED * 0.5 * f64::from(side) / reach(0).max(reach(1));
        let origin = centre - axes[2] * (2.0 * reach(2));
        let lens = Lens::Parallel(scale as f32);
        let growth = lens.growth();
        let axes = axes.map(|axis| axis.cast());
        Camera { origin, axes, nearest: 0.0, growth, lens, size: [side; 2] }
    }

    /// The same view in a picture of `factor` times as many pixels a side.
    pub fn finer(&self, factor: u32) -> Camera {
        let lens = match self.lens {
            Lens::Perspective(focal) => Lens::Perspective(focal * factor as f32),
            Lens::Parallel(scale) => Lens::Parallel(scale * factor as f32),
        };
        let size = self.size.map(|side| side * factor);
        Camera { growth: lens.growth(), lens, size, ..self.clone() }
    }

    /// A point in eye space.
    pub fn eye(&self, point: &Vec3) -> Eye {
        #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
        let from = |axis: usize| (point[axis] as f64 - self.origin[axis]) as f32;
        self.turned(&Eye::new(from(0), from(1), from(2)))
    }

    /// A direction in eye space.
    pub fn turned(&self, direction: &Eye) -> Eye {
        Eye::new(
            self.axes[0].dot(direction),
            self.axes[1].dot(direction),
            self.axes[2].dot(direction),
        )
    }

    /// The position in space of a point in eye space \[m\].
    pub fn place(&self, eye: &Eye) -> nalgebra::Vector3<f32> {
        self.origin.cast::<f32>()
            + self.axes[0] * eye.x
            + self.axes[1] * eye.y
            + self.axes[2] * eye.z
    }

    /// A direction of eye space in space.
    pub fn direction(&self, eye: &Eye) -> nalgebra::Vector3<f32> {
        self.axes[0] * eye.x + self.axes[1] * eye.y + self.axes[2] * eye.z
    }

    /// The pixel of a point in eye space \[pixels from its upper left corner\].
    pub fn pixel(&self, eye: &Eye) -> [f32; 2] {
        let scale = self.scale_at(eye.z);
        let [x, y] = self.middle();
        [x + eye.x * scale, y - eye.y * scale]
    }

    /// Pixels that a metre takes at a depth.
    pub fn scale_at(&self, depth: f32) -> f32 {
        match self.lens {
            Lens::Perspective(focal) => focal / depth,
            Lens::Parallel(scale) => scale,
        }
    }

    /// Near clipping depth \[m\].
    pub fn nearest(&self) -> f32 {
        self.nearest
    }

    /// The middle of the picture \[pixels\].
    pub fn middle(&self) -> [f32; 2] {
        self.size.map(|side| 0.5 * side as f32)
    }

    /// The place and slope along one axis of the rays `o + z k` of pixels: o and k of the pixel
    /// whose middle is `at` pixels from the picture's, to the right or up.
    pub fn ray(&self, at: f32) -> [f32; 2] {
        self.growth.map(|growth| at * growth)
    }

    /// Whether the projection is parallel.
    pub fn is_parallel(&self) -> bool {
        matches!(self.lens, Lens::Parallel(_))
    }
}

impl Lens {
    fn growth(self) -> [f32; 2] {
        match self {
            Lens::Perspective(focal) => [0.0, 1.0 / focal],
            Lens::Parallel(scale) => [1.0 / scale, 0.0],
        }
    }
}

/// The axes of a view (right, up, forward), a box's corners along them from its middle, and that.
#[allow(clippy::type_complexity, reason = "three vectors, eight corners, one point")]
fn framed(
    bounds: &Aabb,
    view: ViewDirection,
) -> ([nalgebra::Vector3<f64>; 3], [nalgebra::Vector3<f64>; 8], nalgebra::Vector3<f64>) {
    let forward = -view.direction();
    let azimuth = view.azimuth.to_radians();
    let right = nalgebra::Vector3::new(azimuth.cos(), azimuth.sin(), 0.0);
    let up = right.cross(&forward);
    let wide = |v: &Vec3| nalgebra::Vector3::from(hashfall_core::to_f64(v));
    let (low, high) = (wide(&bounds.min), wide(&bounds.max));
    let centre = 0.5 * (low + high);
    let half = 0.5 * (high - low);
    let corner = |k: usize| {
        let sign = |axis: usize| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
        let p = nalgebra::Vector3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z);
        nalgebra::Vector3::new(right.dot(&p), up.dot(&p), forward.dot(&p))
    };
    ([right, up, forward], std::array::from_fn(corner), centre)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hashfall_core::vec3;

    fn bounds() -> Aabb {
        Aabb::new(vec3([1.0, -2.0, 0.0]), vec3([3.0, 1.0, 2.0]))
    }

    #[test]
    fn points_project_as_a_pinhole_camera_does() {
        let view = ViewDirection { azimuth: 0.0, elevation: 0.0 };
        let camera = Camera::fit(&bounds(), view, [800, 600], 1.0);
        let Lens::Perspective(focal) = camera.lens else { panic!("a perspective camera") };
        // From the front: x to the right, z up, y is depth from the eye.
        let eye = camera.place(&Eye::zeros());
        for p in [[1.5, 0.5, 1.25], [3.0, 1.0, 0.0], [2.0, -2.0, 2.0]] {
            let [px, py] = camera.pixel(&camera.eye(&vec3(p)));
            let p = p.map(|x| x as f32);
            let depth = p[1] - eye.y;
            assert!((px - (400.0 + focal * (p[0] - eye.x) / depth)).abs() < 1e-2, "{p:?}: {px}");
            assert!((py - (300.0 - focal * (p[2] - eye.z) / depth)).abs() < 1e-2, "{p:?}: {py}");
        }
        let right = Camera::fit(&bounds(), ViewDirection { azimuth: 90.0, ..view }, [64, 64], 1.0);
        let [near, far] = [[3.0, 0.0, 1.0], [1.0, 0.0, 1.0]].map(|p| right.eye(&vec3(p)).z);
        assert!((far - near - 2.0).abs() < 1e-5, "from the right, x is depth");
    }

    #[test]
    fn a_fitted_box_touches_its_frame_and_never_crosses_it() {
        for (azimuth, elevation, size) in
            [(29.0, 24.0, [960, 540]), (-100.0, 80.0, [300, 900]), (200.0, -5.0, [64, 64])]
        {
            let view = ViewDirection { azimuth, elevation };
            let camera = Camera::fit(&bounds(), view, size, 1.0);
            let b = bounds();
            let corner = |k: usize| {
                let at = |a: usize| if k >> a & 1 == 0 { b.min[a] } else { b.max[a] };
                camera.pixel(&camera.eye(&Vec3::new(at(0), at(1), at(2))))
            };
            let off = |axis: usize| {
                let half = 0.5 * size[axis] as f32;
                let far = (0..8).map(|k| (corner(k)[axis] - half).abs() / half);
                far.fold(0.0, f32::max)
            };
            let widest = off(0).max(off(1));
            assert!((widest - FILLED as f32).abs() < 1e-3, "{view:?}: {widest}");
        }
    }

    #[test]
    fn rays_and_pixels_are_inverse_to_each_other() {
        let view = ViewDirection::default();
        for camera in [
            Camera::fit(&bounds(), view, [320, 200], 1.5),
            Camera::parallel(&bounds(), view, 256).finer(2),
        ] {
            let eye = camera.eye(&vec3([1.2, -0.3, 0.7]));
            let [px, py] = camera.pixel(&eye);
            let [mx, my] = camera.middle();
            let ([ox, kx], [oy, ky]) = (camera.ray(px - mx), camera.ray(my - py));
            assert!((ox + kx * eye.z - eye.x).abs() < 1e-4);
            assert!((oy + ky * eye.z - eye.y).abs() < 1e-4);
            let back = camera.place(&eye);
            assert!((back - nalgebra::Vector3::new(1.2, -0.3, 0.7)).norm() < 1e-5);
        }
    }
}
