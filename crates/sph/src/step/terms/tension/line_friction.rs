//! Hysteresis of contact angles: solids hold the lines where free surfaces meet them, as by dry
//! friction.
//!
//! Between the receding angle and the advancing one a line stays where it is
//! ([`hashfall_solid::ContactAngle`]): the solid gives whatever stops it, up to
//! σ (cos θ_r − cos θ_a)/2 for each metre of it. Only motion across the line counts, so that the
//! sides of a drop slide freely, and one of the width w on a slope hangs as long as
//!
//! - m g sin α ≤ w σ (cos θ_r − cos θ_a)
//!
//! (Furmidge 1962). It is spread over the particles of the surface near the solid as what the line
//! turns the surface by is ([`super::contact_line`]), each of which is held by up to
//!
//! - (σ/ρ) ½(cos θ_r − cos θ_a) |F 1| W(a)/∫₀ʰ W dr.
//!
//! It is as much of that as stops, by the end of a step, what the line slides at and gains by the
//! present pressures and the forces that are found before; both are means over the particles of
//! the line nearby, as what is stopped one by one is left behind. It is known to the projection as
//! an acceleration: after that the line would creep in proportion to its load. The solid takes the
//! force.
//!
//! Symbols: θ_r receding, θ_a advancing angle, σ \[N/m\], F 1 \[1/m\] and a \[m\] as of
//! [`super::balance`] and [`super::contact_line`], ρ density at rest \[kg/m³\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::{Block, PairData};
use crate::step::pairs::pair_sum::{self, PairSum};
use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::PressureScheme;
use crate::step::terms::tension::balance::Balance;
use crate::step::terms::tension::contact_line::ContactLine;
use crate::step::terms::tension::curvature::Curvature;
use crate::world::World;
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3, parallel};

/// Holds contact lines; keeps its buffers between steps.
#[derive(Debug, Default)]
pub struct LineFriction {
    /// Across the line along the solid, as long as the most friction of a particle \[m/s²\]; empty
    /// if no solid holds any.
    most: Vec<Vec3>,
    /// How the line slides around each particle.
    found: Vec<Slide>,
}

impl LineFriction {
    /// Finds what lines are held by at the present places.
    pub fn find(
        &mut self,
        world: &World,
        neighborhood: &Neighborhood,
        line: &ContactLine,
        curvature: &Curvature,
        balance: &Balance,
    ) {
        self.most.clear();
        if world.solids.contact_laws().iter().all(|law| law.contact_angle.friction() == 0.0) {
            return;
        }
        let particles = &world.particles;
        self.most.resize(particles.len(), Vec3::zeros());
        parallel::fill(&mut self.most, |i, most| {
            let Some((surface, away)) = neighborhood.boundary.steepest(i) else { return };
            let friction = world.solids.contact_law(surface).contact_angle.friction();
            if friction == 0.0 || curvature.weight(i) == 0.0 || particles.in_nozzle[i] > 0 {
                return;
            }
            let normal = curvature.normal(i);
            let tangent = normal - away * normal.dot(&away);
            let Some(across) = tangent.try_normalize(0.0) else { return };
            let fluid = &world.fluids[usize::from(particles.phase[i])];
            let weight = line.weight(world, neighborhood, i, normal);
            let force = fluid.surface_tension * friction * balance.unit(i).length() * weight;
            *most = across * (force / fluid.rest_density);
        });
    }

    /// Adds the accelerations by which lines are held, in steps of `dt` \[s\], by those that are
    /// found already.
    pub fn add(
        &mut self,
        isa: Isa,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &mut dyn PressureScheme,
        dt: Real,
    ) {
        if self.most.is_empty() {
            return;
        }
        scheme.find_pressure_forces(world, context);
        let pressed = scheme.pressure_forces();
        let StageContext { neighborhood, pairs, reactions, .. } = context;
        let mut accelerations = std::mem::take(&mut world.particles.acceleration);
        let whole = &*world;
        let (particles, solids, most) = (&whole.particles, &whole.solids, &self.most);
        let rest_density = |i: usize| whole.fluids[usize::from(particles.phase[i])].rest_density;
        pairs.set_vectors(|i| -> Block {
            let size = most[i].length();
            if size == 0.0 {
                return [0.0; 4];
            }
            let by_pressure = pressed.get(i).map_or_else(Vec3::zeros, |f| f / rest_density(i));
            let gained = (accelerations[i] + by_pressure) * dt;
            let slides = neighborhood.boundary.slides(i, particles.velocity[i] + gained, solids);
            slides.map_or([0.0; 4], |(_, sliding)| [sliding.dot(&most[i]), size, 1.0, 0.0])
        });
        self.found.resize(most.len(), Slide::default());
        let sum = MeanSlide { pairs, self_slope: whole.kernel().slope_over_r(0.0) };
        pair_sum::for_all(isa, &neighborhood.lists, pairs, &sum, &mut self.found);
        let found = &self.found;
        reactions.fill(&mut accelerations, |i, acceleration, account| {
            let size = most[i].length();
            if size == 0.0 {
                return;
            }
            let v = particles.velocity[i];
            let Some((acting, _)) = neighborhood.boundary.slides(i, v, solids) else { return };
            let Slide { speed, most: held } = found[i];
            let drag = most[i] * (-(speed / dt).clamp(-held, held) / size);
            *acceleration += drag;
            let volume = whole.particle_volume();
            account.add(acting, particles.position[i], drag * (rest_density(i) * volume));
        });
        world.particles.acceleration = accelerations;
        reactions.act_too();
    }
}

/// How a line slides around a particle.
#[derive(Clone, Copy, Debug, Default)]
struct Slide {
    /// Across itself \[m/s\].
    speed: Real,
    /// The most friction of its particles \[m/s²\].
    most: Real,
}

/// The means of speeds, by what their particles are held by, and of the latter.
struct MeanSlide<'a> {
    pairs: &'a PairData,
    /// s of a particle with itself.
    self_slope: Real,
}

impl PairSum<8, 3> for MeanSlide<'_> {
    type Out = Slide;

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        self.pairs.vector(i)[2] == 0.0
    }

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], _: &[V; 8], other: &[V; 8], slope: V) {
        sums[0] += slope * other[4];
        sums[1] += slope * other[5];
        sums[2] += slope * other[6];
    }

    #[inline(always)]
    fn finish(&self, i: usize, [momenta, most, count]: [Real; 3], out: &mut Slide) {
        let own = self.pairs.vector(i);
        let [momenta, most, count] = [
            momenta + self.self_slope * own[0],
            most + self.self_slope * own[1],
            count + self.self_slope * own[2],
        ];
        *out = if most < 0.0 {
            Slide { speed: momenta / most, most: most / count }
        } else {
            Slide::default()
        };
    }
}
