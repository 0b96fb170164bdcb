//! Flat contact: fluid at rest against walls and solids has a flat surface there.
//!
//! The centres of particles keep a radius away from a solid. The extracted surface lies up to a
//! third of a radius before or behind the solid, with bumps, and farther off where it is round: at
//! the edge of a pool. So the distance d of a vertex from a solid becomes f(d): 0 up to [`REACH`],
//! d itself from [`FAR`] on, and a parabola in between, which rises from 0 at once and meets d
//! smoothly:
//!
//! f = (b + a) t − a t² with t = (d − a) / (b − a), a = [`REACH`], b = [`FAR`].
//!
//! f is continuous and increasing, so the rim of the contact is as smooth as the surface was, and a
//! drop that approaches a wall touches it in a growing disc. As the centres are a radius off,
//! nearly every vertex within reach faces the solid. Each wall attracts along its own axis, which
//! keeps edges and corners sharp. Of objects (balls, solids of revolution, meshes' triangles) only
//! the nearest one attracts.
//!
//! Dents may be deeper than that. A patch of free vertices that is surrounded by contact, and has
//! no vertex farther than [`PIT`] from a solid, moves onto the solids next to it if that increases
//! the volume: a dent is filled, a drop in a corner is not flattened.
//!
//! An edge between vertices on different walls would cut off the edge of the fluid. One of the two
//! is placed on both walls.
//!
//! A vertex on two walls, or on a wall and a ball, is projected on one after the other until it
//! lies on both.
//!
//! Sources: none. Particle fluids elsewhere subtract the solid from the field (Houdini, FLIP
//! Fluids), which leaves a gap where the field does not reach it.

use crate::postprocess::components::Components;
use crate::postprocess::contact::objects::ContactObjects;
use crate::postprocess::triangle::filtered;
use hashfall_core::geometry::{Aabb, ContactGeometry};
use hashfall_core::{Real, Vec3, parallel};

/// Distance up to which the surface moves onto a solid, in particle radii: less than the centres
/// of particles keep.
const REACH: Real = 0.75;

/// Distance from which a solid does not attract the surface, in particle radii: one layer.
const FAR: Real = 2.0;

/// Largest depth of a dent that is filled, in particle radii.
const PIT: Real = 1.75;

/// Rounds of alternating projections of a vertex on two solids.
const ROUNDS: usize = 12;

/// What a vertex lies on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Contact {
    /// A bit for each wall: low x, high x, low y, …
    walls: u8,
    /// One more than the object: ball, solid of revolution or triangle; 0 for none.
    object: u32,
}

impl Contact {
    /// Whether the vertex lies on anything.
    pub fn is_any(&self) -> bool {
        *self != Contact::default()
    }

    /// Whether the vertex lies on a ball, a solid of revolution or a triangle.
    pub fn is_on_object(&self) -> bool {
        self.object > 0
    }

    /// The axes across the walls.
    pub fn axes(&self) -> impl Iterator<Item = usize> {
        let walls = self.walls;
        (0..3).filter(move |axis| walls >> (2 * axis) & 0b11 != 0)
    }

    /// Whether the vertex lies on one wall and nothing else.
    pub fn is_on_one_wall(&self) -> bool {
        self.walls.count_ones() == 1 && self.object == 0
    }

    /// Whether the vertex lies where walls meet.
    pub fn is_on_edge(&self) -> bool {
        self.walls.count_ones() > 1
    }

    /// The walls that two vertices lie on, and so all between them.
    pub fn common_walls(&self, other: &Contact) -> Contact {
        Contact { walls: self.walls & other.walls, object: 0 }
    }

    /// Whether this contact includes the other one; all balls and triangles of meshes count as one.
    pub fn covers(&self, other: &Contact) -> bool {
        self.walls | other.walls == self.walls && (other.object == 0 || self.object > 0)
    }
}

/// Solids that a surface may lie against.
pub(crate) struct ContactSolids<'a> {
    domain: Aabb,
    open: [bool; 3],
    objects: ContactObjects<'a>,
    particle_radius: Real,
}

impl<'a> ContactSolids<'a> {
    pub fn new(solids: &'a dyn ContactGeometry, particle_radius: Real) -> Self {
        let (domain, open) = (solids.domain(), solids.open_axes());
        let objects = ContactObjects::new(solids, FAR * particle_radius, particle_radius);
        ContactSolids { domain, open, objects, particle_radius }
    }

    /// Attracts vertices to the solids near them; returns the contact of each.
    pub fn flatten(&self, positions: &mut [Vec3], triangles: &[[u32; 3]]) -> Vec<Contact> {
        let mut contacts = vec![Contact::default(); positions.len()];
        let mut in_pit = contacts.clone();
        parallel::fill_both(&mut contacts, &mut in_pit, |v, contact, in_pit| {
            if self.is_far(&positions[v]) {
                return;
            }
            *contact = self.contact(&positions[v], REACH * self.particle_radius);
            if !contact.is_any() {
                *in_pit = self.pit_contact(&positions[v]);
            }
        });
        self.fill_pits(positions, triangles, &mut contacts, &in_pit);
        self.close_edges(positions, triangles, &mut contacts);
        parallel::fill(positions, |v, place| {
            if !self.is_far(place) || contacts[v].is_any() {
                self.draw(place);
                self.project(place, &contacts[v]);
            }
        });
        contacts
    }

    /// Whether nothing attracts a point, as the walls are far and there are no objects.
    #[inline(always)]
    fn is_far(&self, x: &Vec3) -> bool {
        let far = FAR * self.particle_radius;
        self.objects.is_empty() && self.closed_walls().all(|wall| self.to_wall(wall, x) >= far)
    }

    /// Assigns contacts to the vertices of dents.
    fn fill_pits(
        &self,
        positions: &[Vec3],
        triangles: &[[u32; 3]],
        contacts: &mut [Contact],
        in_pit: &[Contact],
    ) {
        let is_free = |v: u32| !contacts[v as usize].is_any();
        let is_near = |v: u32| in_pit[v as usize].is_any();
        let near = filtered(triangles, |t| t.iter().any(|&v| is_near(v)));
        let patches = free_patches(&near, contacts);
        let mut is_bordered = vec![false; patches.count()];
        let mut is_deep = is_bordered.clone();
        // What the volume grows by if a patch is put on solids, times six, to first order.
        let mut growth = vec![0.0; patches.count()];
        for triangle in &near {
            let has_contact = !triangle.iter().all(|&v| is_free(v));
            let [a, b, c] = triangle.map(|v| positions[v as usize]);
            let area = (b - a).cross(&(c - a));
            for &v in triangle.iter().filter(|&&v| is_free(v)) {
                let patch = patches.at(v);
                is_bordered[patch] |= has_contact;
                is_deep[patch] |= !is_near(v);
                let mut place = positions[v as usize];
                self.project(&mut place, &in_pit[v as usize]);
                growth[patch] += f64::from(area.dot(&(place - positions[v as usize])));
            }
        }
        for v in 0..contacts.len() as u32 {
            let patch = patches.at(v);
            let is_dent = is_bordered[patch] && !is_deep[patch] && growth[patch] > 0.0;
            if is_near(v) && is_dent {
                contacts[v as usize] = in_pit[v as usize];
            }
        }
    }

    /// Places one of two neighbours on different walls on the walls of both, so that no side
    /// between them cuts off the edge.
    fn close_edges(&self, positions: &[Vec3], triangles: &[[u32; 3]], contacts: &mut [Contact]) {
        let is_cut = |[v, w]: [u32; 2]| {
            let [v, w] = [v, w].map(|v| contacts[v as usize].walls);
            v & w != v && v & w != w && !has_opposites(v | w)
        };
        let cut = filtered(triangles, |t| sides(t).any(is_cut));
        let walls: Vec<[u32; 2]> =
            cut.iter().flat_map(sides).filter(|&side| is_cut(side)).collect();
        let farthest = |v: u32, walls: u8| {
            let distances = self.closed_walls().filter(|wall| walls >> wall & 1 == 1);
            distances.map(|w| self.to_wall(w, &positions[v as usize])).fold(0.0, Real::max)
        };
        for [v, w] in walls {
            let both = contacts[v as usize].walls | contacts[w as usize].walls;
            let nearer = if farthest(v, both) <= farthest(w, both) { v } else { w };
            if !has_opposites(both) {
                contacts[nearer as usize].walls = both;
            }
        }
    }

    /// Projects vertices onto their contacts.
    pub fn project_all(&self, positions: &mut [Vec3], contacts: &[Contact]) {
        parallel::fill(positions, |v, place| self.project(place, &contacts[v]));
    }

    /// Projects vertices beyond a wall or inside a ball onto it.
    pub fn push_out(&self, positions: &mut [Vec3]) {
        parallel::fill(positions, |_, place| self.push_one_out(place));
    }

    /// Projects a vertex beyond a wall or inside a ball onto it.
    pub fn push_one_out(&self, place: &mut Vec3) {
        if self.is_far(place) {
            return;
        }
        let contact = self.contact(place, 0.0);
        self.project(place, &contact);
    }

    /// The walls within `reach` of a point or beyond it, and the nearest object.
    fn contact(&self, x: &Vec3, reach: Real) -> Contact {
        let touched = self.closed_walls().filter(|&wall| self.to_wall(wall, x) <= reach);
        let walls = touched.fold(0, |walls, wall| walls | 1 << wall);
        Contact { walls, object: self.objects.nearest(x, reach).map_or(0, |(_, id)| id + 1) }
    }

    /// The contact of a vertex in a dent: the nearest solid and all within a radius; none if the
    /// dent is too deep.
    fn pit_contact(&self, x: &Vec3) -> Contact {
        let pit = PIT * self.particle_radius;
        let object = self.objects.nearest(x, pit).map_or(pit, |(distance, _)| distance);
        let nearest = self.closed_walls().map(|wall| self.to_wall(wall, x)).fold(object, Real::min);
        if nearest < pit {
            self.contact(x, nearest.max(self.particle_radius))
        } else {
            Contact::default()
        }
    }

    /// Attracts a point to the solids near it.
    fn draw(&self, x: &mut Vec3) {
        let drawn = |distance: Real| drawn(distance / self.particle_radius) * self.particle_radius;
        if let Some((distance, id)) = self.objects.nearest(x, FAR * self.particle_radius)
            && distance > 0.0
        {
            *x += self.objects.offset_to(id, x) * (1.0 - drawn(distance) / distance);
        }
        for wall in self.closed_walls() {
            let distance = self.to_wall(wall, x);
            let way = drawn(distance) - distance;
            x[wall / 2] += if is_low(wall) { way } else { -way };
        }
    }

    /// The walls that are closed.
    fn closed_walls(&self) -> impl Iterator<Item = usize> {
        (0..6).filter(|wall| !self.open[wall / 2])
    }

    /// The distance inwards from a wall.
    fn to_wall(&self, wall: usize, x: &Vec3) -> Real {
        let Aabb { min, max } = &self.domain;
        let axis = wall / 2;
        if is_low(wall) { x[axis] - min[axis] } else { max[axis] - x[axis] }
    }

    /// Projects a vertex near its contact onto it.
    pub fn project(&self, x: &mut Vec3, contact: &Contact) {
        let rounds = if contact.object > 0 && contact.walls > 0 { ROUNDS } else { 1 };
        for _ in 0..rounds {
            if contact.object > 0 {
                let object = self.objects.nearest_like(contact.object - 1, x);
                *x += self.objects.offset_to(object, x);
            }
            let mut walls = contact.walls;
            while walls != 0 {
                let wall = walls.trailing_zeros() as usize;
                walls &= walls - 1;
                let Aabb { min, max } = &self.domain;
                let axis = wall / 2;
                x[axis] = if is_low(wall) { min[axis] } else { max[axis] };
            }
        }
    }
}

/// The distance from a solid after attraction, both in particle radii.
fn drawn(distance: Real) -> Real {
    let t = (distance - REACH) / (FAR - REACH);
    if t < 1.0 { ((FAR + REACH) - REACH * t) * t.max(0.0) } else { distance }
}

/// The patches of vertices without contact, which do not join across one.
fn free_patches(triangles: &[[u32; 3]], contacts: &[Contact]) -> Components {
    let is_free = |v: u32| !contacts[v as usize].is_any();
    let without_contact = |t: &[u32; 3]| {
        let free = t.iter().copied().find(|&v| is_free(v));
        free.map(|free| t.map(|v| if is_free(v) { v } else { free }))
    };
    let free: Vec<[u32; 3]> = triangles.iter().filter_map(without_contact).collect();
    Components::new(&free, contacts.len())
}

/// The sides of a triangle, the same in either direction.
fn sides(&[a, b, c]: &[u32; 3]) -> impl Iterator<Item = [u32; 2]> {
    [[a, b], [b, c], [c, a]].into_iter().map(|[v, w]| [v.min(w), v.max(w)])
}

/// Whether some of the walls are opposite to each other.
fn has_opposites(walls: u8) -> bool {
    walls & walls >> 1 & 0b01_0101 != 0
}

/// Whether a wall stands at the low end of its axis.
fn is_low(wall: usize) -> bool {
    wall & 1 == 0
}
