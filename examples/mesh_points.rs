//! Points in, closed mesh out: a ball of jittered points, meshed without a scene or solids.
//!
//! `cargo run --example mesh_points -- ball.obj` writes the mesh as OBJ text; without a path the
//! text goes to standard output. The figures go to standard error.

use hashfall::surface::{SurfaceError, SurfaceMesh, mesh_points};
use std::fmt::Write as _;
use std::{env, fs};

/// Radius of the ball \[m\].
const BALL: f32 = 0.5;
/// Radius of a particle \[m\]; particles are two of them apart.
const RADIUS: f32 = 0.025;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let points = jittered_ball();
    let mesh = mesh(&points)?;
    let text = obj(&mesh);
    match env::args().nth(1) {
        Some(path) => fs::write(path, text)?,
        None => print!("{text}"),
    }
    Ok(())
}

/// Makes the mesh, and tells how large and how sound it is.
fn mesh(points: &[[f32; 3]]) -> Result<SurfaceMesh, SurfaceError> {
    let mesh = mesh_points(points, RADIUS.into())?;
    let audit = mesh.audit();
    let exact = 4.0 / 3.0 * std::f64::consts::PI * f64::from(BALL).powi(3);
    eprintln!("{} points, {} triangles", points.len(), mesh.triangles.len());
    eprintln!("volume {:.4} m³ (of the ball: {exact:.4} m³)", audit.volume);
    eprintln!("closed and 2-manifold: {}", audit.is_sound());
    Ok(mesh)
}

/// Points of a lattice inside a ball, each moved by up to a fifth of a spacing.
fn jittered_ball() -> Vec<[f32; 3]> {
    let n = (BALL / (2.0 * RADIUS)).ceil() as i32;
    let mut random = 1_u32;
    let mut jitter = || {
        // A linear congruential generator (Numerical Recipes).
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        0.4 * RADIUS * ((random >> 8) as f32 / (1 << 23) as f32 - 1.0)
    };
    let mut points = Vec::new();
    for (z, y, x) in
        (-n..n).flat_map(|z| (-n..n).flat_map(move |y| (-n..n).map(move |x| (z, y, x))))
    {
        let point = [x, y, z].map(|i| 2.0 * RADIUS * (i as f32 + 0.5));
        if point.iter().map(|x| x * x).sum::<f32>() < (BALL - RADIUS) * (BALL - RADIUS) {
            points.push(point.map(|x| x + jitter()));
        }
    }
    points
}

/// The mesh as OBJ text, whose vertices count from 1.
fn obj(mesh: &SurfaceMesh) -> String {
    let mut text = String::new();
    for p in &mesh.positions {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for n in &mesh.normals {
        let _ = writeln!(text, "vn {} {} {}", n.x, n.y, n.z);
    }
    for [a, b, c] in mesh.triangles.iter().map(|t| t.map(|v| v + 1)) {
        let _ = writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}");
    }
    text
}
