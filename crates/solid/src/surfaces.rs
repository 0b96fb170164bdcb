//! Surfaces and bodies: which surface an object has, and which body a surface belongs to.
//!
//! A *surface* has one law of contact: each wall of the domain is one, and so is all that an entry
//! of the scene's `solids` makes. A *body* is what forces are summed over: the walls together are
//! body 0, then comes one for each entry.

use crate::contact_law::ContactLaw;

/// The numbers of balls, solids of revolution and meshes that one entry of a scene makes, in their
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodySpec {
    /// Number of balls.
    pub spheres: usize,
    /// Number of cylinders, capsules and cones.
    pub rounds: usize,
    /// Number of meshes.
    pub meshes: usize,
    /// How all of them act.
    pub contact: ContactLaw,
}

/// A surface: 0 to 5 are the walls, low x, high x, low y, …; then one for each entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurfaceId(u32);

/// The number of walls.
const WALLS: usize = 6;

impl SurfaceId {
    /// The wall at low x.
    pub(crate) const WALL: SurfaceId = SurfaceId(0);

    /// A wall of the domain.
    pub(crate) fn from_wall(wall: usize) -> Self {
        SurfaceId(wall as u32)
    }

    /// That of an entry, by its number.
    pub(crate) fn from_entry(number: usize) -> Self {
        SurfaceId((WALLS + number) as u32)
    }

    /// Its number among the walls, if it is one.
    pub(crate) fn wall(self) -> Option<usize> {
        Some(self.0 as usize).filter(|wall| *wall < WALLS)
    }

    /// Whether it is a wall.
    pub fn is_wall(self) -> bool {
        self.wall().is_some()
    }

    /// The body that it belongs to: 0 for the walls.
    pub fn body(self) -> usize {
        (self.0 as usize + 1).saturating_sub(WALLS)
    }
}

/// The law of every surface, and the surface of every object of the broad phase.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SurfaceLaws {
    /// By surface.
    laws: Vec<ContactLaw>,
    /// Runs of objects with one surface: the first object of each, ascending from 0.
    runs: Vec<(u32, SurfaceId)>,
    /// What each entry has.
    specs: Vec<BodySpec>,
}

impl SurfaceLaws {
    /// `specs`, of which the balls come first among the objects, then the solids of revolution,
    /// then the triangles of each mesh, `triangles` of them.
    pub fn new(specs: &[BodySpec], mut triangles: impl Iterator<Item = usize>) -> Self {
        let (mut runs, mut first) = (Vec::new(), 0);
        let mut add = |k: usize, count: usize| {
            if count > 0 {
                runs.push((first as u32, SurfaceId::from_entry(k)));
                first += count;
            }
        };
        specs.iter().enumerate().for_each(|(k, spec)| add(k, spec.spheres));
        specs.iter().enumerate().for_each(|(k, spec)| add(k, spec.rounds));
        for (k, spec) in specs.iter().enumerate() {
            add(k, triangles.by_ref().take(spec.meshes).sum());
        }
        let walls = [ContactLaw::default(); WALLS];
        let laws = walls.into_iter().chain(specs.iter().map(|o| o.contact)).collect();
        SurfaceLaws { laws, runs, specs: specs.to_vec() }
    }

    /// What each entry has.
    pub fn specs(&self) -> &[BodySpec] {
        &self.specs
    }

    /// The laws of the walls.
    pub fn walls(&self) -> [ContactLaw; WALLS] {
        std::array::from_fn(|wall| self.laws[wall])
    }

    /// Sets the laws of the walls.
    pub fn set_walls(&mut self, walls: [ContactLaw; WALLS]) {
        self.laws[..WALLS].copy_from_slice(&walls);
    }

    /// The law of a surface.
    pub fn get(&self, surface: SurfaceId) -> &ContactLaw {
        &self.laws[surface.0 as usize]
    }

    /// Every law.
    pub fn all(&self) -> &[ContactLaw] {
        &self.laws
    }

    /// The surface of an object.
    pub fn surface_of(&self, object: u32) -> SurfaceId {
        self.runs[self.runs.partition_point(|(first, _)| *first <= object) - 1].1
    }

    /// The number of bodies, the walls among them.
    pub fn bodies(&self) -> usize {
        1 + self.laws.len() - WALLS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_and_triangles_belong_to_their_entries_and_walls_to_one_body() {
        let of = |spheres, meshes| BodySpec { spheres, meshes, ..BodySpec::default() };
        // A mesh, three balls, nothing, two meshes at once, a ball.
        let specs = [of(0, 1), of(3, 0), of(0, 0), of(0, 2), of(1, 0)];
        let laws = SurfaceLaws::new(&specs, [2, 1, 3].into_iter());
        let bodies: Vec<usize> = (0..10).map(|object| laws.surface_of(object).body()).collect();
        assert_eq!(bodies, [2, 2, 2, 5, 1, 1, 4, 4, 4, 4]);
        assert_eq!(laws.bodies(), 6);
        assert!((0..WALLS).all(|wall| SurfaceId::from_wall(wall).body() == 0));
    }
}
