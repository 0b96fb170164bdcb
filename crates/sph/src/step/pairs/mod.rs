//! Neighbours: the order of particles, lists, periodic images, and sums over pairs.

pub mod concentration;
pub mod disorder;
pub mod ghosts;
pub mod inactive;
pub mod moment;
pub mod moment_sums;
pub mod moments;
pub mod neighborhood;
pub mod order;
pub mod pair_data;
pub mod pair_sum;
pub mod prefetch;
pub mod rates;
pub mod row_sum;
pub mod smooth_step;
pub mod surface_density;
pub mod surface_scale;
pub mod tensor;
