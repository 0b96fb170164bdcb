//! A world is plain data that any program may fill as it likes. Whatever stands in it, a simulation
//! says what is wrong or steps it rightly: it never panics, and never passes over a change.

mod attacks;
mod changes;
mod worlds;
