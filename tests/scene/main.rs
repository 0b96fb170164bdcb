//! Scenes: what good ones build and start from, and how broken ones are refused.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod faults;
mod shipped;
mod starts;
