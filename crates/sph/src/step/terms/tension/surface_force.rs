//! Surface tension: of fluids with the air, which is not simulated, and between fluids.
//!
//! The continuum surface force (Brackbill, Kothe & Zemach 1992; in SPH Morris 2000): a colour that
//! goes from 0 to 1 across the surface has a gradient n there, and the force on a volume is σ κ n,
//! which integrates to σκ across the surface, so that it is held by a pressure that jumps by σκ.
//!
//! - Between fluids a and b, nᵢ = Σⱼ V (cⱼ − cᵢ) ∇ᵢWᵢⱼ over both. Each of them takes its part by
//!   density, 2ρᵢ/(ρₐ + ρ_b), so that both are accelerated alike: in equal parts the lighter one
//!   would be shot away.
//! - With the air, n = ∇C of [`crate::step::terms::tension::free_surface`]. Where pressures act by
//!   moments, the surface pulls through their operator, else by n itself, twice: the outer half of
//!   it has no particles ([`crate::step::terms::tension::balance`]). Density knows of the air, too.
//! - Where the surface of a fluid meets a solid at another angle than the contact angle θ, seen
//!   through the fluid, it is bent by the rest, too
//!   ([`crate::step::terms::tension::contact_line`]). Where densities are sums, n̂ is turned to
//!   −n̂ₛ cos θ + t sin θ instead (Brackbill et al. 1992, eq. 48; Breinlinger et al. 2013), with
//!   n̂ₛ away from the solid and t along it, the more the nearer a particle is; curvature and the
//!   direction of the force go by that. Drawn along the solid until it meets it at that angle, the
//!   surface wets it or beads: adhesion comes of it.
//!
//! The gradient of the colour and that of a pressure that jumps with it, as sums of densities find
//! it, are the same sum, so that they cancel exactly where curvature is constant.
//!
//! Symbols: σ \[N/m\], κ \[1/m\], n \[1/m\], V volume of a particle \[m³\].

use crate::step::pairs::neighborhood::Neighborhood;
use crate::step::pairs::pair_data::PairData;
use crate::step::pairs::pair_sum::{self, PairSum, displacement};
use crate::step::schemes::context::StageContext;
use crate::step::schemes::scheme::{DensityKind, PressureScheme};
use crate::step::terms::tension::balance::Balance;
use crate::step::terms::tension::contact_line::ContactLine;
use crate::step::terms::tension::curvature::{Curvature, Sheet, Smoothing};
use crate::step::terms::tension::damping::Damping;
use crate::step::terms::tension::free_surface::FreeSurface;
use crate::step::terms::tension::line_friction::LineFriction;
use crate::step::terms::term::ForceTerm;
use crate::world::{Fluid, Interface, World};
use hashfall_core::simd::{F32x8, Isa};
use hashfall_core::{Length, Real, Vec3, parallel};

/// Of a free surface where pressures act by plain slopes, and of a surface between fluids.
const FREE: Smoothing = Smoothing::by_passes(1);
const BETWEEN: Smoothing = Smoothing::by_passes(4);

/// Of a free surface that pressure balances, whose noise drives no currents.
const BALANCED: Smoothing = Smoothing { passes: 1, coarse_passes: 3, sharpening: 1.5 };

/// The mean depth of the normals of a surface that is balanced, in spacings: by the depth that each
/// particle finds the curvature of waves would be noise by seven tenths.
const MEAN_DEPTH: Real = 0.65;

/// How much less dense than a flat surface a particle may be for its own to be concave, and from
/// which on it is not \[–\]. What sticks out of a contact line as a particle or two seems concave,
/// and would be shot off.
const LOOSE: [Real; 2] = [0.25, 0.45];

/// Pulls on surfaces; keeps its buffers between steps.
#[derive(Debug)]
pub struct Tension {
    isa: Isa,
    free: Option<FreeSurface>,
    balance: Balance,
    /// Whether densities are sums, which know nothing of the air.
    sums_density: bool,
    /// Of a colour \[1/m\].
    gradients: Vec<Vec3>,
    curvature: Curvature,
    line: ContactLine,
    friction: LineFriction,
    /// Of the step at whose end forces are found, and of the step before \[s\]; 0 if there is none.
    dt: Real,
    dt_before: Real,
    /// √ of each fluid's σ/ρ over the largest \[–\].
    shares: Vec<Real>,
    damping: Damping,
}

impl Tension {
    /// The tension of a world's fluids; `None` if no surface pulls.
    pub fn for_world(
        world: &World,
        scheme: &dyn PressureScheme,
        isa: Isa,
    ) -> Option<Box<dyn ForceTerm>> {
        let is_free = world.fluids.iter().any(|fluid| fluid.surface_tension > 0.0);
        let sums_density = match scheme.density_kind() {
            DensityKind::Summed => true,
            DensityKind::Transported => false,
            DensityKind::MassSummed | DensityKind::Constant => return None,
        };
        if !is_free && world.interfaces.is_empty() {
            return None;
        }
        let layers = world.solid_layers();
        Some(Box::new(Tension {
            isa,
            free: is_free.then(|| FreeSurface::new(isa, &layers, world.spacing())),
            balance: Balance::new(isa),
            sums_density,
            gradients: Vec::new(),
            curvature: Curvature::new(isa, &layers, world.spacing()),
            line: ContactLine::new(isa, world, &layers),
            friction: LineFriction::default(),
            dt: 0.0,
            dt_before: 0.0,
            shares: Vec::new(),
            damping: Damping::new(isa),
        }))
    }

    /// What the surfaces of fluids that meet the air pull, through the operator of the pressure if
    /// that is known.
    fn pull_free(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &mut dyn PressureScheme,
    ) {
        let Some(surface) = &self.free else { return };
        let StageContext { neighborhood, pairs, .. } = context;
        let (line, curvature) = (&mut self.line, &mut self.curvature);
        match scheme.pressure_action() {
            Some(action) => {
                let sheet = BalancedSheet { world, neighborhood, surface, line };
                curvature.find(world, neighborhood, pairs, &sheet, BALANCED);
                line.add(world, neighborhood, pairs, curvature);
                let moments = &action.moments.all;
                curvature.scale_concave(|i| firmness(moments[i].excess));
                self.balance.update_by_moments(world, neighborhood, pairs, action);
            }
            None => {
                let sheet = FreeSheet { world, neighborhood, surface };
                curvature.find(world, neighborhood, pairs, &sheet, FREE);
                self.balance.update_by_normals(surface, curvature);
            }
        }
        let (curvature, balance) = (&self.curvature, &mut self.balance);
        self.friction.find(world, neighborhood, line, curvature, balance);
        balance.pull(world, neighborhood, curvature);
        if let Some(pressures) = scheme.capillary_pressures() {
            let (fluids, phases) = (&world.fluids, &world.particles.phase);
            let tension = |i: usize| fluids[usize::from(phases[i])].surface_tension;
            pressures.resize(phases.len(), 0.0);
            parallel::fill(pressures, |i, p| *p = tension(i) * curvature.bent(i));
        }
        let ratio = |fluid: &Fluid| fluid.surface_tension / fluid.rest_density;
        let strongest = world.fluids.iter().map(ratio).fold(0.0, Real::max);
        self.shares.clear();
        self.shares.extend(world.fluids.iter().map(|fluid| (ratio(fluid) / strongest).sqrt()));
        let shares = &self.shares;
        let share = |phase: u8| shares[usize::from(phase)];
        let weight = |i| curvature.weight(i);
        self.damping.add(world, context, weight, share, Some(surface), strongest);
    }

    /// The same of a surface between two fluids.
    fn pull_between(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        interface: Interface,
    ) {
        let Interface { fluids: [a, b], tension } = interface;
        let StageContext { neighborhood, pairs, .. } = context;
        let colour = |phase: u8| match phase {
            phase if phase == a => -1.0,
            phase if phase == b => 1.0,
            _ => 0.0,
        };
        let phases = &world.particles.phase;
        pairs.set_scalars(|i| colour(phases[i]));
        self.gradients.resize(world.particles.len(), Vec3::zeros());
        let sum = Colour { neighborhood, pairs };
        pair_sum::for_all(self.isa, &neighborhood.lists, pairs, &sum, &mut self.gradients);
        let gradients = &self.gradients;
        let sheet = InterfaceSheet { gradients };
        self.curvature.find(world, neighborhood, pairs, &sheet, BETWEEN);
        let curvature = &self.curvature;
        let both =
            world.fluids[usize::from(a)].rest_density + world.fluids[usize::from(b)].rest_density;
        parallel::fill(&mut world.particles.acceleration, |i, acceleration| {
            *acceleration += gradients[i] * (2.0 * tension * curvature.bent(i) / both);
        });
        let ratio = 2.0 * tension / both;
        self.damping.add(world, context, |i| curvature.weight(i), |_| 1.0, None, ratio);
    }
}

impl ForceTerm for Tension {
    #[allow(clippy::unnecessary_cast, reason = "a cast only where Real is f32")]
    fn begin_step(&mut self, dt: f64) {
        self.dt_before = std::mem::replace(&mut self.dt, dt as Real);
    }

    fn rollback(&mut self) {
        self.dt = self.dt_before;
    }

    /// Finds free surfaces at the present places, and corrects the densities there.
    fn update(&mut self, world: &mut World, context: &mut StageContext<'_>) {
        let StageContext { neighborhood, pairs, .. } = context;
        if let Some(surface) = &mut self.free {
            surface.find(world, neighborhood, pairs);
            if self.sums_density {
                surface.correct(world, neighborhood);
            }
        }
    }

    /// Adds what surfaces pull. Solids take what damps the surfaces along them.
    fn add(
        &mut self,
        world: &mut World,
        context: &mut StageContext<'_>,
        scheme: &mut dyn PressureScheme,
    ) {
        self.pull_free(world, context, scheme);
        for k in 0..world.interfaces.len() {
            self.pull_between(world, context, world.interfaces[k]);
        }
        if self.dt > 0.0 {
            self.friction.add(self.isa, world, context, scheme, self.dt);
        }
    }
}

/// How much a surface of this excess of density over that of a flat one may be concave \[–\].
fn firmness(excess: Real) -> Real {
    let [firm, loose] = LOOSE;
    ((excess + loose) / (loose - firm)).clamp(0.0, 1.0)
}

/// n between fluids whose colours are −1 and 1 and are meant for 0 and 1; other fluids have 0.
struct Colour<'a> {
    neighborhood: &'a Neighborhood,
    pairs: &'a PairData,
}

impl PairSum<4, 3> for Colour<'_> {
    type Out = Vec3;

    #[inline(always)]
    fn is_inactive(&self, i: usize) -> bool {
        self.pairs.point(i)[3] == 0.0
    }

    #[inline(always)]
    fn add<V: F32x8>(&self, sums: &mut [V; 3], particle: &[V; 4], other: &[V; 4], slope: V) {
        // 2 for those of the other colour, 0 for others.
        let unlike = other[3] * (other[3] - particle[3]);
        let [dx, dy, dz] = displacement(particle, other);
        let weight = slope * unlike;
        sums[0] += weight * dx;
        sums[1] += weight * dy;
        sums[2] += weight * dz;
    }

    #[inline(always)]
    fn finish(&self, i: usize, sums: [Real; 3], out: &mut Vec3) {
        // Seen from the side of 1, the colour falls.
        *out = Vec3::from(sums) * (-0.5 * self.neighborhood.volume * self.pairs.point(i)[3]);
    }
}

/// A surface between two fluids.
struct InterfaceSheet<'a> {
    gradients: &'a [Vec3],
}

impl Sheet for InterfaceSheet<'_> {
    #[inline]
    fn gradient(&self, i: usize) -> Vec3 {
        self.gradients[i]
    }
}

/// The surface of all fluids together, where it pulls through the operator of the pressure.
struct BalancedSheet<'a> {
    world: &'a World,
    neighborhood: &'a Neighborhood,
    surface: &'a FreeSurface,
    line: &'a ContactLine,
}

impl Sheet for BalancedSheet<'_> {
    fn faint(&self) -> [Real; 2] {
        [0.15, 0.6]
    }

    #[inline]
    fn gradient(&self, i: usize) -> Vec3 {
        self.surface.gradient(i)
    }

    fn direction(&self, i: usize, along: Vec3) -> Vec3 {
        self.line.straightened(self.neighborhood, i, along)
    }

    #[inline]
    fn depth(&self, _: usize) -> Real {
        MEAN_DEPTH * self.world.spacing()
    }
}

/// The same surface, where it pulls by its own gradient.
struct FreeSheet<'a> {
    world: &'a World,
    neighborhood: &'a Neighborhood,
    surface: &'a FreeSurface,
}

impl Sheet for FreeSheet<'_> {
    #[inline]
    fn gradient(&self, i: usize) -> Vec3 {
        self.surface.gradient(i)
    }

    fn direction(&self, i: usize, along: Vec3) -> Vec3 {
        let (solids, h) = (&self.neighborhood.boundary, self.world.support_radius);
        let Some((surface, away)) = solids.steepest(i) else { return along };
        let share = (1.0 - solids.distance[i] / h).clamp(0.0, 1.0);
        let tangent = along - away * along.dot(&away);
        let size = tangent.length();
        if size == 0.0 {
            return along;
        }
        let (sin, cos) = self.world.solids.contact_law(surface).contact_angle.sin_cos();
        let wetting = tangent * (sin / size) - away * cos;
        // Opposite directions may cancel.
        (along * (1.0 - share) + wetting * share).try_normalize(0.0).unwrap_or(along)
    }

    #[inline]
    fn depth(&self, i: usize) -> Real {
        self.surface.depth(i)
    }
}
