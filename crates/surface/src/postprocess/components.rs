//! The connected components of a mesh.

/// The connected components of a mesh, in the order of their first vertices.
pub(crate) struct Components {
    /// The component of each vertex.
    of_vertex: Vec<u32>,
    /// The first vertex of each component.
    pub first: Vec<u32>,
}

impl Components {
    /// Finds the components of a mesh by union of the vertices of each triangle.
    pub fn new(triangles: &[[u32; 3]], vertices: usize) -> Self {
        let mut parent: Vec<u32> = (0..vertices as u32).collect();
        for &[a, b, c] in triangles {
            let roots = [a, b, c].map(|v| root(&mut parent, v));
            // The lowest of a component is its root.
            let lowest = roots[0].min(roots[1]).min(roots[2]);
            roots.iter().for_each(|&r| parent[r as usize] = lowest);
        }
        let mut components =
            Components { of_vertex: Vec::with_capacity(vertices), first: Vec::new() };
        for v in 0..vertices as u32 {
            let root = root(&mut parent, v);
            if root == v {
                components.first.push(v);
            }
            let component = if root == v { components.count() - 1 } else { components.at(root) };
            components.of_vertex.push(component as u32);
        }
        components
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.first.len()
    }

    /// The component of a vertex.
    #[inline(always)]
    pub fn at(&self, v: u32) -> usize {
        self.of_vertex[v as usize] as usize
    }
}

/// The root of a vertex, with path halving (Tarjan & van Leeuwen 1984).
fn root(parent: &mut [u32], mut v: u32) -> u32 {
    while parent[v as usize] != v {
        parent[v as usize] = parent[parent[v as usize] as usize];
        v = parent[v as usize];
    }
    v
}
