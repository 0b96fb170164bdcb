//! What makes the adjoint gradient exact up to flat surfaces.
//!
//! In the layers below a flat surface, G of the linear pressure
//! ([`crate::step::schemes::pressure_operator`]) is off by up to a quarter, by nothing in the sum.
//! Where the consistent gradient takes the place of G in a part of these layers only, pressure is
//! as if the surface lay 0.14 to 0.24 d deeper, and fluid that starts in balance rings. So G p is
//! scaled by s, with which it is exact for that pressure in a lattice under a flat surface, layer
//! by layer, told apart by their asymmetry. In spray s = 1.
//!
//! Waves draw the lattice out along its surface and press it together, and its asymmetry follows.
//! In the first layer s hardly does: by the lattice at rest alone, forces there are 0.9 % too
//! strong in a crest where it is pressed together by 0.03, and the force that drives the wave back
//! too weak. So the table has lattices of strains up to [`STRAIN`] either way, that keep their
//! volume.
//!
//! Symbols: d spacing \[m\], h support radius \[m\].

use crate::world::World;
use hashfall_core::{Dimension, Real};

/// The largest strain of the surface of the lattices in the table, in space of its area \[–\]. With
/// 0.2 the period of a wave is 0.4 % shorter still, and large waves lose 7 % at short steps.
const STRAIN: Real = 0.08;

/// Strains of the table on either side of 0.
const STRAIN_STEPS: i32 = 4;

/// Asymmetries below this are of layers inside the fluid, where s does not count \[–\].
const MIN_ASYMMETRY: Real = 0.02;

/// s by asymmetry.
#[derive(Debug, Default)]
pub struct SurfaceScale {
    /// Asymmetries, ascending, and s.
    table: Vec<[Real; 2]>,
}

impl SurfaceScale {
    /// Of a world's kernel and spacing.
    pub fn new(world: &World) -> Self {
        let strains =
            (-STRAIN_STEPS..=STRAIN_STEPS).map(|k| STRAIN * k as Real / STRAIN_STEPS as Real);
        let mut table: Vec<[Real; 2]> =
            strains.flat_map(|strain| layers_below_surface(world, strain)).collect();
        table.retain(|[asymmetry, _]| *asymmetry > MIN_ASYMMETRY);
        table.sort_by(|a, b| a[0].total_cmp(&b[0]));
        table.insert(0, [0.0, 1.0]);
        table.dedup_by_key(|[asymmetry, _]| *asymmetry);
        SurfaceScale { table }
    }

    /// s where a flat surface leaves this asymmetry \[–\].
    pub fn at(&self, asymmetry: Real) -> Real {
        interpolate(&self.table, asymmetry)
    }
}

/// The asymmetry that a flat surface leaves in each layer of a lattice below it, and what makes G p
/// exact there for the linear pressure. The lattice is drawn out along the surface by `strain`, in
/// space by √(1 + `strain`) along each axis.
fn layers_below_surface(world: &World, strain: Real) -> Vec<[Real; 2]> {
    let (kernel, d, h) = (world.kernel(), world.spacing(), world.support_radius);
    let (along, across) = match world.dimension {
        Dimension::Two => (d * (1.0 + strain), d / (1.0 + strain)),
        Dimension::Three => (d * (1.0 + strain).sqrt(), d / (1.0 + strain)),
    };
    let layers = (h / across) as usize + 1;
    let width = (h / along) as isize + 1;
    let rows = if world.dimension == Dimension::Two { 0..=0 } else { -width..=width };
    // Σ V s over the lattice in a layer `k` below or above.
    let sums: Vec<Real> = (0..=layers)
        .map(|k| {
            let mut sum = 0.0;
            for y in rows.clone() {
                for x in -width..=width {
                    let beside = (x * x + y * y) as Real * along * along;
                    let square = beside + (k * k) as Real * across * across;
                    if square > 0.0 {
                        sum += kernel.slope_over_r(square.sqrt());
                    }
                }
            }
            sum * world.particle_volume()
        })
        .collect();
    let over = |k: usize, term: &dyn Fn(usize, Real) -> Real| -> Real {
        let around = k.saturating_sub(layers)..=k + layers;
        around.map(|l| sums[k.abs_diff(l)] * term(l, (l as Real - k as Real) * across)).sum()
    };
    let corrections: Vec<Real> =
        (0..3 * layers + 1).map(|k| -1.0 / over(k, &|_, x| x * x)).collect();
    let pressure = |k: usize| (k as Real + 0.5) * across * corrections[k];
    (0..=layers)
        .map(|k| {
            let asymmetry = over(k, &|_, x| x).abs() * h;
            let gradient = over(k, &|l, x| (pressure(k) + pressure(l)) * x);
            [asymmetry, -1.0 / gradient]
        })
        .collect()
}

/// Of a table with ascending arguments.
fn interpolate(table: &[[Real; 2]], x: Real) -> Real {
    let above = table.iter().position(|[at, _]| *at > x);
    match above {
        Some(above) if above > 0 => {
            let ([a, low], [b, high]) = (table[above - 1], table[above]);
            low + (high - low) * ((x - a) / (b - a))
        }
        _ => table.last().map_or(1.0, |[_, value]| *value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::pairs::moments::Moments;
    use crate::step::tests::neighborhood;
    use crate::world::Fluid;
    use hashfall_core::Vec3;
    use hashfall_core::simd::Isa;

    /// By the definition, the force of a linear pressure in the layers below flat surfaces, of a
    /// lattice at rest and of such as waves make of it.
    #[test]
    fn a_linear_pressure_acts_by_its_slope_up_to_strained_surfaces() {
        for strain in [-0.07, -0.02, 0.0, 0.02, 0.07] {
            let mut world = World::builder()
                .dimension(Dimension::Two)
                .domain([0.0; 3], [2.0, 0.0, 1.0])
                .spacing(0.05)
                .fluid(Fluid::default())
                .block([0.5, 0.0, 0.0], [1.5, 0.0, 0.5])
                .build()
                .unwrap();
            world.support_radius = 2.5 * world.spacing();
            for x in &mut world.particles.position {
                *x = Vec3::new(1.0 + (x.x - 1.0) * (1.0 + strain), 0.0, x.z / (1.0 + strain));
            }
            let (neighborhood, mut pairs) = neighborhood(&mut world);
            let mut moments = Moments::new(Isa::current());
            moments.update(&world, &neighborhood, &mut pairs);
            let (x, all) = (&world.particles.position, &moments.all);
            let pressure = |i: usize| 0.5 / (1.0 + strain) - x[i].z;
            let mut checked = 0;
            for i in (0..x.len()).filter(|&i| (x[i].x - 1.0).abs() < 0.1 && x[i].z > 0.3) {
                let (mut adjoint, mut consistent) = (Vec3::zeros(), Vec3::zeros());
                for j in neighborhood.lists.of(i).iter().map(|&j| j as usize).filter(|&j| j != i) {
                    let between = x[i] - x[j];
                    let push = between * world.kernel().slope_over_r(between.norm());
                    let [own, other] = [i, j].map(|k| all[k].correction * push * pressure(k));
                    adjoint += (own + other) * neighborhood.volume;
                    consistent += push * ((pressure(j) - pressure(i)) * neighborhood.volume);
                }
                let consistent = all[i].correction * consistent;
                let slope = adjoint + all[i].excess_force(consistent, adjoint);
                assert!((slope.z + 1.0).abs() < 4e-3, "{strain}, {:?}: {slope:?}", x[i]);
                checked += 1;
            }
            assert!(checked >= 12, "{checked}");
        }
    }
}
