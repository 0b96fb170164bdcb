//! Two meshes on one grid, matched by the grid edges that their vertices lie on.

use crate::methods::{CELL, Method, read_points, run};
use std::path::PathBuf;

/// A grid edge: three coordinates of its start in cells, and its axis.
type Edge = [i32; 4];

/// Prints, for each set, the size of both meshes, crossing edges that only one has, and how far
/// vertices of one edge lie apart.
pub fn all(sets: &[PathBuf]) -> Result<(), String> {
    println!(
        "| set | crossing edges: ours | peer's | only ours | only peer's | triangles: ours | peer's | mean distance / r | largest / r |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for set in sets {
        let points = read_points(set)?;
        let make = |method| {
            run(method, &points, |work| {
                work();
                Some(())
            })
        };
        let (ours, peers) = (make(Method::Hashfall), make(Method::Splashsurf));
        let (a, b) = (edges(&ours.vertices), edges(&peers.vertices));
        let (mut i, mut j, mut both) = (0, 0, 0);
        let (mut sum, mut largest) = (0.0, 0.0_f64);
        while i < a.len() && j < b.len() {
            match a[i].0.cmp(&b[j].0) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    let apart = (a[i].1 - b[j].1).abs() * 0.5;
                    sum += apart;
                    largest = largest.max(apart);
                    (i, j, both) = (i + 1, j + 1, both + 1);
                }
            }
        }
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.2e} | {largest:.2e} |",
            set.file_stem().unwrap_or_default().to_string_lossy(),
            a.len(),
            b.len(),
            a.len() - both,
            b.len() - both,
            ours.triangles,
            peers.triangles,
            sum / both.max(1) as f64
        );
    }
    Ok(())
}

/// The edges of vertices in order, with the place along the axis in cells.
fn edges(vertices: &[[f32; 3]]) -> Vec<(Edge, f64)> {
    let mut edges: Vec<(Edge, f64)> = vertices.iter().map(|v| edge(v)).collect();
    edges.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    edges
}

/// The axis is the one whose coordinate is farthest from a whole number of cells.
fn edge(vertex: &[f32; 3]) -> (Edge, f64) {
    let at = vertex.map(|x| f64::from(x) / f64::from(CELL));
    let off = at.map(|x| (x - x.round()).abs());
    let axis = (0..3).max_by(|&a, &b| off[a].total_cmp(&off[b])).unwrap_or(0);
    let mut edge = [0; 4];
    for a in 0..3 {
        edge[a] = if a == axis { at[a].floor() } else { at[a].round() } as i32;
    }
    edge[3] = axis as i32;
    (edge, at[axis])
}
