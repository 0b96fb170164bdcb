//! Carrying: particles that stand where they are while surfaces deform and move around them.

mod carry;
mod carry_buffer;
mod least_move;
mod moving_feature;
#[cfg(test)]
mod tests;

pub(super) use carry_buffer::CarryBuffer;
