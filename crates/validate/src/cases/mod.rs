//! The cases, a file each; `docs/validation.md` describes them.

mod bodies;
mod channel;
mod dam_break_front;
mod drops;
pub(crate) mod elastic;
mod elliptical_drop;
mod film;
mod hydrostatic_tank;
mod incompressible_dam_break;
mod kept;
mod kleefsman;
mod layers;
mod lid_driven_cavity;
mod list;
mod lock_exchange;
mod mesh_tank;
mod mode;
mod oscillating_drop;
mod oscillating_plate;
mod panels;
mod rising_bubble;
mod rotating_patch;
mod sloshing;
mod spinning_bucket;
mod spun_drum;
mod square_to_circle;
mod standing_wave;
mod taylor_green;
mod torricelli;
mod two_phase_tank;
mod u_tube;
mod viscous_column;
mod vortex_in_a_box;
mod wedge;
mod zeros;

pub use list::{ALL, find};
