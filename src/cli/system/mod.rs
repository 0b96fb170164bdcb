//! What the operating system gives and asks: signals, memory and its limits, other programs' words.

pub mod memory;
pub mod memory_limits;
pub mod out_of_memory;
pub mod program;
pub mod slurm;
pub mod stderr_tail;
pub mod stop_signal;
