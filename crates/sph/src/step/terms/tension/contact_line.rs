//! Contact lines: where a free surface with tension meets a solid, at the solid's contact angle.
//!
//! Along the surface κ is how fast its normal turns. Where the surface meets the solid at an angle
//! that is not Young's θ, the normal has to turn by the rest at once, so that all it turns by, and
//! with it the force of the surface on the fluid, is what it is where the solid pulls the line by
//! σ cos θ along itself. Spread over the kernel's reach along the surface that is a curvature
//!
//! - κ_line = (θ − θ_c) W(a)/∫₀ʰ W dr
//!
//! on top of the surface's own, with a the way along the surface to the solid, and θ_c the angle
//! there: that of the normal where the particle is, and what the surface turns by on the way, a κ.
//! The foot of the normal, half a spacing off, is where the surface is. Particles at the tip of a
//! wedge have poor normals, and would be torn off one by one: what is left to turn by is a mean of
//! means over a particle and its neighbours, weighed by what they have of the line. It acts as all
//! curvature does ([`crate::step::terms::tension::balance`]). Away from Young's angle particles see
//! 0.6 to 0.9 of what is left; at it nothing.
//!
//! Normals are gradients of how much of the kernel that the solid leaves open is filled. Near a
//! flat solid what is open lies, in the mean, c(ζ) farther off than the particle, and moves by
//! 1 + c′ times as far as that does: so the part across the solid of a gradient is 1 + c′ times
//! that of the surface, which at 135° would seem to stand more upright by 28°. It is divided by
//! that, at acute angles half as much, which leaves errors of up to 11° in the first layer, and of
//! a few in the second. Edges and corners count as flat solids of the same λ.
//!
//! What lost: normals that are turned towards Young's angle the nearer they are to the solid
//! (Brackbill et al. 1992; Breinlinger et al. 2013) pull the line with 0.4 to 0.8 of its force:
//! drops of 10 spacings stand at 53 and 131° for 45 and 135, and what rises in a gap boils. Nor
//! does it help to leave the normals of the first layer out of curvatures and angles, whose errors
//! give 0.02 to 0.05 of σ there, which the line gives back: particles are lost at acute angles.
//!
//! Symbols: θ through the fluid \[rad\], a \[m\], ζ distance \[m\], κ \[1/m\], λ the solid's
//! part of the kernel \[–\], h support radius \[m\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::pair_sum::{self, PairSum};
use crate::step::terms::tension::curvature::Curvature;
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3, parallel};
use hashfall_solid::SolidLayers;

/// Rows of the table.
const ROWS: usize = 128;

/// The least 1 + c′ \[–\].
const MIN_STRETCH: Real = 0.2;

/// The part of the correction of normals in wedges of fluid, whose tips are not linear \[–\].
const ACUTE: Real = 0.5;

/// The foot of a normal is this far from the particle, in spacings.
const FOOT: Real = 0.5;

/// The least sine of an angle along which a way to a solid is found \[–\].
const MIN_SINE: Real = 0.2;

/// Finds what contact lines add to curvatures; keeps its buffers between steps.
#[derive(Debug)]
pub struct ContactLine {
    isa: Isa,
    /// λ of a flat solid, descending, and 1/(1 + c′) \[–\].
    table: Vec<[Real; 2]>,
    /// 1/∫₀ʰ W dr.
    scale: Real,
    found: Vec<Turn>,
    /// Means of that over neighbours, of which the weights count.
    means: Vec<Turn>,
    /// Means of those, of which the angles count.
    twice: Vec<Turn>,
}

/// What is left for a normal to turn by at a contact line.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    /// θ − θ_c \[rad\].
    angle: Real,
    /// W/∫₀ʰ W dr \[1/m\].
    weight: Real,
}

impl ContactLine {
    /// Found with this instruction set, at solids that count as these layers.
    pub fn new(isa: Isa, world: &World, layers: &SolidLayers) -> Self {
        let (kernel, h) = (world.kernel(), world.support_radius);
        let centroid = |distance: Real| {
            layers.first_moment(distance) / (1.0 - layers.sums(distance, 0.0).fraction)
        };
        let row = |k: usize| {
            let distance = layers.reach() * (k as Real / (ROWS - 1) as Real);
            let [near, far] = [(distance - 1e-3 * h).max(0.0), distance + 1e-3 * h];
            let stretch = 1.0 + (centroid(far) - centroid(near)) / (far - near);
            [layers.sums(distance, 0.0).fraction, 1.0 / stretch.max(MIN_STRETCH)]
        };
        let steps = 256;
        let slice = h / steps as Real;
        let slices = (0..steps).map(|k| kernel.value((k as Real + 0.5) * slice) * slice);
        ContactLine {
            isa,
            table: (0..ROWS).map(row).collect(),
            scale: 1.0 / slices.sum::<Real>(),
            found: Vec::new(),
            means: Vec::new(),
            twice: Vec::new(),
        }
    }

    /// The direction of a free surface's normal at particle `i`, by that of the gradient there.
    pub fn straightened(&self, neighborhood: &Neighborhood, i: usize, along: Vec3) -> Vec3 {
        let solids = &neighborhood.boundary;
        let Some((_, away)) = solids.steepest(i) else { return along };
        let fraction = solids.fraction[i];
        let k = self.table.partition_point(|[it, _]| *it > fraction).clamp(1, ROWS - 1);
        let ([above, a], [below, b]) = (self.table[k - 1], self.table[k]);
        let fall = above - below;
        let t = if fall > 0.0 { ((above - fraction) / fall).clamp(0.0, 1.0) } else { 1.0 };
        let across = along.dot(&away);
        // Normals point into the fluid, and where it is a wedge on the solid, to the solid.
        let part = if across < 0.0 { ACUTE } else { 1.0 };
        let factor = 1.0 + part * (a + t * (b - a) - 1.0);
        let straight = along + away * (across * (factor - 1.0));
        straight.try_normalize(0.0).unwrap_or(along)
    }

    /// Adds what contact lines turn to the curvatures of the free surface, whose weights the pairs
    /// carry as scalars.
    pub fn add(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        pairs: &mut PairData,
        curvature: &mut Curvature,
    ) {
        let n = world.particles.len();
        self.found.resize(n, Turn::default());
        let mut found = std::mem::take(&mut self.found);
        let directions = Real::from(world.dimension.count() - 1);
        parallel::fill(&mut found, |i, turn| {
            let has_normal = curvature.weight(i) > 0.0;
            let (normal, bent) = (curvature.normal(i), curvature.bent(i) / directions);
            let at_line = has_normal.then(|| self.turn(world, neighborhood, i, normal, bent));
            *turn = at_line.flatten().unwrap_or_default();
        });
        let sum = &mut MeanTurns { isa: self.isa, world, neighborhood, pairs };
        sum.find(&found, &mut self.means);
        sum.find(&self.means, &mut self.twice);
        let (means, twice) = (&self.means, &self.twice);
        curvature.add(|i, own| {
            let (mean, weight) = (means[i].weight, found[i].weight);
            twice[i].angle * (mean + own * (weight - mean))
        });
        self.found = found;
    }

    /// W/∫₀ʰ W dr of particle `i`, whose surface has this normal \[1/m\]; 0 far from all solids.
    pub fn weight(
        &self,
        world: &World,
        neighborhood: &Neighborhood,
        i: usize,
        normal: Vec3,
    ) -> Real {
        self.turn(world, neighborhood, i, normal, 0.0).map_or(0.0, |turn| turn.weight)
    }

    /// What is left for this normal of particle `i` to turn by, of a surface that is bent by `bent`
    /// \[1/m\] on its way to the solid; `None` far from all.
    fn turn(
        &self,
        world: &World,
        neighborhood: &Neighborhood,
        i: usize,
        normal: Vec3,
        bent: Real,
    ) -> Option<Turn> {
        let solids = &neighborhood.boundary;
        let (surface, away) = solids.steepest(i)?;
        let (sin, cos) = world.solids.contact_law(surface).contact_angle.sin_cos();
        // Normals point into the fluid.
        let across = -normal.dot(&away);
        let along = (normal + away * across).length();
        let foot = FOOT * world.spacing() * 0.5 * (cos + across);
        let way = (solids.distance[i] + foot).max(0.0) / (0.5 * (sin + along)).max(MIN_SINE);
        (way < world.support_radius).then(|| Turn {
            angle: angle(sin, cos) - (angle(along, across) + bent * way),
            weight: world.kernel().value(way) * self.scale,
        })
    }
}

/// The angle of this sine and cosine, of any length, alike on every machine \[rad\].
#[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
fn angle(sin: Real, cos: Real) -> Real {
    libm::atan2(f64::from(sin), f64::from(cos)) as Real
}

/// Means over neighbours, where the pairs carry the weights of normals as scalars.
struct MeanTurns<'a> {
    isa: Isa,
    world: &'a World,
    neighborhood: &'a Neighborhood,
    pairs: &'a mut PairData,
}

impl MeanTurns<'_> {
    /// The means of these turns.
    fn find(&mut self, turns: &[Turn], means: &mut Vec<Turn>) {
        let MeanTurns { isa, world, neighborhood, pairs } = self;
        pairs.set_vectors(|i| -> Block {
            let Turn { angle, weight } = turns[i];
            [angle * weight, weight, 0.0, 0.0]
        });
        means.resize(turns.len(), Turn::default());
        let sum = MeanTurn { neighborhood, pairs, self_slope: world.kernel().slope_over_r(0.0) };
        pair_sum::for_all(*isa, &neighborhood.lists, pairs, &sum, means);
    }
}

/// The mean of Σ turns, each weighed by −w s and its weight, and of the weights by −w s.
struct MeanTurn<'a> {
    neighborhood: &'a Neighborhood,
    pairs: &'a PairData,
    /// s of a particle with itself.
    self_slope: Real,
}

impl PairSum<8, 3> for MeanTurn<'_> {
    type Out = Turn;

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        self.neighborhood.boundary.steepest(i).is_none()
    }

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], _: &[V; 8], other: &[V; 8], slope: V) {
        let weight = slope * other[3];
        sums[0] += weight * other[4];
        sums[1] += weight * other[5];
        sums[2] += weight;
    }

    #[inline(always)]
    fn finish(&self, i: usize, [turns, weights, all]: [Real; 3], out: &mut Turn) {
        *out = Turn::default();
        if self.is_inactive(i) {
            return;
        }
        let ([.., own], [turn, weight, ..]) = (self.pairs.point(i), self.pairs.vector(i));
        let own = self.self_slope * own;
        let (weights, all) = (weights + own * weight, all + own);
        // Slopes, and so all sums of weights, are negative.
        if weights < 0.0 && all < 0.0 {
            *out = Turn { angle: (turns + own * turn) / weights, weight: weights / all };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::schemes::scheme::PressureAction;
    use crate::step::terms::tension::balance::Balance;
    use crate::step::terms::tension::curvature::{Sheet, Smoothing};
    use crate::step::terms::tension::free_surface::FreeSurface;
    use crate::step::tests::{box_of_one, neighborhood};
    use crate::world::Particles;
    use hashfall_geometry::Aabb;
    use hashfall_solid::{ContactAngle, ContactLaw, Solids};

    const D: Real = 0.05;

    /// A lattice on a floor with this contact angle \[°\], whose surface faces +x and meets the
    /// floor at this one, through the fluid.
    fn wedge(contact_angle: f64, angle: Real) -> World {
        let (n, slope) = (16, (angle.to_radians()).tan().recip());
        let mut particles = Particles::default();
        for k in 0..n * n * n {
            let [x, y, z] = [k % n, k / n % n, k / (n * n)].map(|k| (k as Real + 0.5) * D);
            if x + slope * z < 0.75 * n as Real * D {
                particles.push(Vec3::new(x, y, z), Vec3::zeros(), 0, 1000.0);
            }
        }
        let domain = Aabb::new(Vec3::zeros(), Vec3::repeat(2.0));
        let contact_angle = ContactAngle::new(contact_angle);
        let law = ContactLaw { contact_angle, ..ContactLaw::default() };
        let solids = Solids::new(domain, vec![], vec![]).with_walls([law; 6]);
        let mut world = World { particles, solids, ..box_of_one(Vec3::zeros()) };
        world.fluids[0].surface_tension = 0.07;
        (world.particle_radius, world.support_radius) = (0.5 * D, 3.0 * D);
        world
    }

    /// Whether a particle is far from the other walls than the floor, and from the top.
    fn is_at_line(x: &Vec3) -> bool {
        let far = 3.5 * D;
        x.x > far && x.y > far && x.y < 16.0 * D - far && x.z < 16.0 * D - far
    }

    struct Straight<'a>(&'a FreeSurface, &'a ContactLine, &'a Neighborhood);

    impl Sheet for Straight<'_> {
        fn gradient(&self, i: usize) -> Vec3 {
            self.0.gradient(i)
        }

        fn direction(&self, i: usize, along: Vec3) -> Vec3 {
            self.1.straightened(self.2, i, along)
        }
    }

    /// Of the outermost particles of each row, in the first two layers.
    #[test]
    fn normals_at_a_solid_are_those_of_the_surface() {
        for angle in [45.0, 90.0, 135.0] {
            let mut world = wedge(90.0, angle);
            let (neighborhood, pairs) = neighborhood(&mut world);
            let layers = world.solid_layers();
            let mut surface = FreeSurface::new(Isa::current(), &layers, D);
            surface.find(&world, &neighborhood, &pairs);
            let line = ContactLine::new(Isa::current(), &world, &layers);
            let places = &world.particles.position;
            let is_outermost =
                |x: &Vec3| !places.iter().any(|y| (y - x - Vec3::x() * D).norm() < 0.1 * D);
            for layer in 0..2 {
                let (mut raw, mut straight) = (Vec3::zeros(), Vec3::zeros());
                for (i, x) in places.iter().enumerate() {
                    if is_at_line(x) && (x.z / D) as usize == layer && is_outermost(x) {
                        let along = surface.gradient(i).normalize();
                        raw += along;
                        straight += line.straightened(&neighborhood, i, along);
                    }
                }
                let off = |n: Vec3| Real::atan2(-n.x, -n.z).to_degrees() - angle;
                let (left, before) = (off(straight).abs(), off(raw).abs());
                assert!(left < [12.0, 3.0][layer], "{angle}, {layer}: {left} of {before}");
                assert!(angle < 100.0 || left < 0.5 * before, "{layer}: {left} of {before}");
            }
        }
    }

    /// The curvature, over the surface up from the floor, against what the line has to turn by.
    #[test]
    fn a_line_turns_by_what_is_left_to_its_angle() {
        let found = [60.0, 90.0, 120.0].map(|angle| {
            let mut world = wedge(angle, 90.0);
            let (neighborhood, mut pairs) = neighborhood(&mut world);
            let layers = world.solid_layers();
            let mut surface = FreeSurface::new(Isa::current(), &layers, D);
            surface.find(&world, &neighborhood, &pairs);
            let mut line = ContactLine::new(Isa::current(), &world, &layers);
            let mut curvature = Curvature::new(Isa::current(), &layers, D);
            let sheet = Straight(&surface, &line, &neighborhood);
            let (world, pairs) = (&world, &mut pairs);
            curvature.find(world, &neighborhood, pairs, &sheet, Smoothing::by_passes(1));
            line.add(world, &neighborhood, pairs, &mut curvature);
            let mut moments = Moments::new(Isa::current());
            moments.update(world, &neighborhood, pairs);
            let action = PressureAction { moments: &moments, acts_along_surfaces: true };
            let mut balance = Balance::new(Isa::current());
            balance.update_by_moments(world, &neighborhood, pairs, action);
            let places = &world.particles.position;
            let at_line = (0..places.len()).filter(|&i| is_at_line(&places[i]));
            // F 1 integrates to 1 across the surface.
            let turns = at_line.map(|i| curvature.bent(i) * -balance.unit(i).x);
            let length = 9.0 * D;
            (turns.sum::<Real>() * D * D * D / length).to_degrees()
        });
        for (found, left) in found.into_iter().zip([-30.0, 0.0, 30.0]) {
            let [some, all] = [0.5 * left, left];
            let range = Real::min(some, all) - 2.0..=Real::max(some, all) + 2.0;
            assert!(range.contains(&found), "{found} for {left}");
        }
    }
}
