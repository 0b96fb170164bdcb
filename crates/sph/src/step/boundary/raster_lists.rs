//! The triangles of surfaces that deform near each particle, by rasterisation: particles stand in a
//! second table whose cells are as large as the mean edge of these triangles, and each triangle
//! looks for the particles in the cells that it passes.
//!
//! Source: Ahmad, "Hash tables for physical based simulations", "Polygons checking": "I personally
//! use two hash tables", one for neighbours and this one for collisions, because triangles know
//! nothing of the support radius. The size of a cell is told once.
//!
//! What is found is a superset, which the same exact test filters as what the broad phase finds, so
//! that lists are the same. Particles that go farther in a step than lists reach still ask the
//! broad phase.

use crate::step::boundary::cell_reach::rounding;
use crate::world::World;
use hashfall_core::parallel::{chunks, for_parts, items_mut};
use hashfall_core::{Real, Vec3};
use hashfall_search::{TriangleRaster, mean_edge};

/// Triangles that look for particles one after the other.
const TRIANGLES: usize = 256;

/// Triangles by particle.
#[derive(Debug, Default)]
pub struct RasterLists {
    raster: TriangleRaster,
    /// Edge of a cell \[m\]; none before the first look.
    size: Option<Real>,
    /// Objects that deform, ascending.
    objects: Vec<u32>,
    /// Of each chunk of them: particle and object.
    pairs: Vec<Vec<[u32; 2]>>,
    /// Where the list of each particle starts, and the end of the last.
    starts: Vec<u32>,
    /// Ascending, one list after the other.
    lists: Vec<u32>,
}

impl RasterLists {
    /// Takes the present places of particles and triangles.
    pub fn update(&mut self, world: &World) {
        let (solids, positions) = (&world.solids, &world.particles.position);
        if self.objects.is_empty() {
            self.objects.extend(solids.deforming_objects());
        }
        let corners = |object: &u32| solids.corners_of(*object);
        let all = || self.objects.iter().filter_map(corners);
        let size = self.size.or_else(|| mean_edge(&all().collect::<Vec<_>>()));
        self.size = size;
        self.starts.clear();
        self.starts.resize(positions.len() + 1, 0);
        self.lists.clear();
        let Some(size) = size else { return };
        self.raster.rebuild(positions, size);
        let h = world.support_radius;
        let farthest = positions.iter().map(|x| x.amax()).fold(0.0, Real::max);
        let reach = h + 4.0 * rounding(&Vec3::repeat(farthest), h);
        self.pairs.resize_with(self.objects.len().div_ceil(TRIANGLES), Vec::new);
        let raster = &self.raster;
        let parts = (items_mut(&mut self.pairs), chunks(&self.objects, TRIANGLES));
        for_parts(parts, |_, (pairs, objects)| {
            pairs.clear();
            for object in objects {
                let Some(corners) = solids.corners_of(*object) else { continue };
                raster.near(&corners, reach, |particle| pairs.push([particle, *object]));
            }
        });
        self.sort_by_particle();
    }

    /// Brings the pairs into lists; objects ascend in each, as they were looked at.
    fn sort_by_particle(&mut self) {
        let RasterLists { pairs, starts, lists, .. } = self;
        let all = || pairs.iter().flatten();
        all().for_each(|[particle, _]| starts[*particle as usize + 1] += 1);
        for k in 1..starts.len() {
            starts[k] += starts[k - 1];
        }
        lists.resize(all().count(), 0);
        // Ends move on from the starts of their lists, and are set back.
        for [particle, object] in all() {
            let next = &mut starts[*particle as usize];
            lists[*next as usize] = *object;
            *next += 1;
        }
        starts.rotate_right(1);
        starts[0] = 0;
    }

    /// The triangles that may be near particle `i`, ascending.
    pub fn of(&self, i: usize) -> &[u32] {
        &self.lists[self.starts[i] as usize..self.starts[i + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::step::Stepper;
    use crate::step::tests::{DFSPH, WCSPH, splash};
    use crate::world::World;
    use hashfall_core::{Real, Vec3};
    use hashfall_geometry::{Point, TriangleMesh};
    use hashfall_search::Structures;
    use hashfall_solid::{ContactLaw, Slip, Solids};
    use std::time::Instant;

    /// A splash onto a sheet of `n` × `n` cells that bulges.
    fn on_sheet(solver: crate::world::Solver, n: u32) -> World {
        let mut world = splash(solver);
        let at = |k: u32| 0.4 * k as Real / n as Real;
        let places = (0..=n).flat_map(|j| (0..=n).map(move |i| Vec3::new(at(i), at(j), 0.19)));
        let cells = (0..n).flat_map(|j| (0..n).map(move |i| j * (n + 1) + i));
        let cut = |a: u32| [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]];
        let mesh =
            TriangleMesh { vertices: places.collect(), triangles: cells.flat_map(cut).collect() };
        let law = ContactLaw { slip: Slip::No, friction: 0.2, ..ContactLaw::default() };
        let solids = Solids::new(world.solids.domain, vec![], vec![]);
        world.solids = solids.with_deforming_meshes(vec![(mesh, true, law)]);
        let start = world.solids.deforming_positions(0).unwrap().to_vec();
        let bulge = |x: &Point| Point::z() * (8.0 * x.x * (0.4 - x.x) * x.y * (0.4 - x.y) / 0.0016);
        let velocity: Vec<Point> = start.iter().map(bulge).collect();
        world.solids.place_deforming(0, &start, &velocity).unwrap();
        world
    }

    fn stepped(mut world: World, steps: u64, by_raster: bool) -> (World, f64) {
        let mut stepper = Stepper::new(&Structures::default(), &mut world).unwrap();
        stepper.rasterise(by_raster);
        let start = Instant::now();
        while world.steps < steps {
            stepper.step(&mut world, 10.0).unwrap();
        }
        (world, start.elapsed().as_secs_f64())
    }

    #[test]
    fn rasterised_triangles_give_the_bits_of_those_in_boxes() {
        for solver in [DFSPH, WCSPH] {
            let run = |by_raster| stepped(on_sheet(solver, 10), 20, by_raster).0;
            let (by_boxes, by_raster) = (run(false), run(true));
            assert_eq!(by_boxes, by_raster);
            assert!(by_boxes.solids.max_displacement() > 0.0);
        }
    }

    #[test]
    #[ignore = "a measurement of some minutes, told with --nocapture"]
    fn how_long_both_take() {
        for n in [8, 16, 32, 64] {
            let times = [false, true].map(|by_raster| {
                let (world, seconds) = stepped(on_sheet(WCSPH, n), 20, by_raster);
                (world.digest(), seconds * 1e3 / 20.0)
            });
            assert_eq!(times[0].0, times[1].0);
            println!(
                "{} triangles: {:.2} ms by boxes, {:.2} ms by raster",
                2 * n * n,
                times[0].1,
                times[1].1
            );
        }
    }
}
